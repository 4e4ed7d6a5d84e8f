//! An analyzer beside those of a pipeline.

use std::collections::BTreeMap;

use huginn_net_core::{Joined, Pipeline, PoolConfig};

use crate::counting::{Counted, Counting, Kind, Settings, rest};
use crate::script::{Script, Step};

fn steps() -> impl Iterator<Item = Step> {
    (0..100).map(|number| Step::Datagram(1 + number % 5, u64::from(number) * 30))
}

fn added() -> Counting {
    Counting { lane: 77, kind: Kind::Host, before: Settings::default().before, seen: BTreeMap::new() }
}

#[test]
fn an_added_analyzer_gets_the_same_packets_and_changes_nothing_else() {
    let base: Vec<_> = Pipeline::<Counted>::new().analyze(Script::new(steps())).map(Result::unwrap).collect();
    let joined = Pipeline::<Counted>::new().with_analyzer(added);
    let (mut of_base, mut of_added) = (Vec::new(), Vec::new());
    for event in joined.analyze(Script::new(steps())) {
        match event.unwrap() {
            Joined::Base(event) => of_base.push(event),
            Joined::Added(event) => of_added.push(event),
        }
    }
    assert_eq!(of_base, base);
    assert_eq!(of_added.iter().filter(|event| event.lane == 77).count(), of_added.len());
    assert_eq!(of_added.last().map(|event| event.count), Some(100));
}

#[test]
fn an_added_analyzer_is_copied_for_workers() {
    let alone = Pipeline::<Counted>::new().with_analyzer(added);
    let expected = rest(&mut alone.analyze(Script::new(steps())));
    let pool = alone.with_pool(PoolConfig::new(4, 2).with_batch(3, usize::MAX)).with_analyzer(added);
    let found: Vec<_> = rest(&mut pool.analyze(Script::new(steps())))
        .into_iter()
        .filter_map(|line| {
            line.strip_prefix("Base(").and_then(|line| line.strip_suffix(")")).map(str::to_owned)
        })
        .collect();
    assert_eq!(found, expected);
}
