//! What a table keeps, what it lets go, and when.

use core::time::Duration;

use super::*;

fn table(max_entries: usize, idle: u64) -> Expiring<u32, &'static str> {
    Expiring::new(ExpiringLimits { max_entries, idle: Duration::from_nanos(idle) })
}

fn at(nanos: u64) -> Timestamp {
    Timestamp::from_nanos(nanos)
}

fn keys(table: &Expiring<u32, &'static str>) -> Vec<u32> {
    table.iter().map(|(key, _)| *key).collect()
}

#[test]
fn of_touches_once_a_second_the_first_counts() {
    const SECOND: u64 = 1_000_000_000;
    let touch = |table: &mut Expiring<u32, &'static str>, key, nanos| {
        assert_eq!(table.touch_mut_once_a_second_if(&key, at(nanos + 50 * SECOND), |_| false), None);
        table.touch_mut_once_a_second_if(&key, at(nanos), |_| true).map(|(value, _)| *value)
    };
    let mut table = table(3, 100 * SECOND);
    table.insert(1, "", at(5 * SECOND));
    table.insert(2, "", at(5 * SECOND + 1));
    assert!(touch(&mut table, 1, 6 * SECOND - 1).is_some());
    assert_eq!((keys(&table), table.touched_at(&1)), (vec![1, 2], Some(at(5 * SECOND))));
    assert!(touch(&mut table, 1, 6 * SECOND).is_some());
    assert_eq!((keys(&table), table.touched_at(&1)), (vec![2, 1], Some(at(6 * SECOND))));
    assert!(touch(&mut table, 2, 4 * SECOND).is_some(), "time went back");
    assert_eq!(keys(&table), [1, 2]);
    assert_eq!(touch(&mut table, 3, 6 * SECOND), None);
}

#[test]
fn a_full_table_lets_the_least_recently_touched_entry_go() {
    let mut table = table(3, 100);
    for key in [1, 2, 3] {
        assert_eq!(table.insert(key, "", at(0)), None);
    }
    table.get_mut(&1, at(1));
    assert_eq!(table.insert(4, "", at(2)), Some((2, "")));
    let held = table.get_or_insert_with(5, at(3), || "new");
    assert_eq!(held, Held { value: &mut "new", is_new: true, displaced: Some((3, "")) });
    assert_eq!(keys(&table), [1, 4, 5]);
    assert_eq!(table.stats(), ExpiringStats { evicted: 2, expired: 0 });
}

#[test]
fn an_entry_is_idle_one_nanosecond_after_its_time() {
    let mut table = table(4, 10);
    table.insert(1, "one", at(5));
    assert_eq!(table.get_mut(&1, at(15)), Some(&mut "one"));
    assert_eq!(table.get_mut(&1, at(26)), None);
    assert_eq!(table.len(), 0);
    assert_eq!(table.stats(), ExpiringStats { evicted: 0, expired: 1 });
}

#[test]
fn an_idle_entry_is_replaced_and_handed_back_as_expired() {
    let mut table = table(4, 10);
    table.insert(1, "old", at(0));
    let held = table.get_or_insert_with(1, at(11), || "new");
    assert_eq!(held, Held { value: &mut "new", is_new: true, displaced: Some((1, "old")) });
    assert_eq!(table.insert(1, "newer", at(12)), Some((1, "new")), "replaced in time: not expired");
    assert_eq!(table.insert(1, "newest", at(23)), Some((1, "newer")));
    assert_eq!(table.stats(), ExpiringStats { evicted: 0, expired: 2 });
}

#[test]
fn an_idle_entry_that_makes_room_counts_as_expired() {
    let mut table = table(1, 10);
    table.insert(1, "", at(0));
    assert_eq!(table.insert(2, "", at(11)), Some((1, "")));
    assert_eq!(table.stats(), ExpiringStats { evicted: 0, expired: 1 });
}

#[test]
fn expire_takes_idle_entries_oldest_first_and_leaves_the_others() {
    let mut table = table(8, 10);
    for (key, time) in [(1, 0), (2, 5), (3, 20), (4, 21)] {
        table.insert(key, "", at(time));
    }
    let mut gone = Vec::new();
    table.expire(at(16), |key, _| gone.push(key));
    assert_eq!(gone, [1, 2]);
    assert_eq!(keys(&table), [3, 4]);
}

#[test]
fn a_found_entry_is_touched_and_not_made_again() {
    let mut table = table(2, 10);
    table.insert(1, "one", at(0));
    table.insert(2, "two", at(0));
    let held = table.get_or_insert_with(1, at(9), || panic!("it is there"));
    assert_eq!(held, Held { value: &mut "one", is_new: false, displaced: None });
    assert_eq!(keys(&table), [2, 1]);
    assert_eq!(table.get_mut(&1, at(19)), Some(&mut "one"));
}

#[test]
fn get_neither_touches_nor_judges_age() {
    let mut table = table(2, 10);
    table.insert(1, "one", at(0));
    table.insert(2, "two", at(1_000));
    assert_eq!(table.get(&1), Some(&"one"));
    assert_eq!(table.get(&3), None);
    assert_eq!(keys(&table), [1, 2]);
}

#[test]
fn removed_entries_leave_the_order_of_the_others() {
    let mut table = table(4, 10);
    for key in [1, 2, 3, 4] {
        table.insert(key, "", at(0));
    }
    for key in [1, 3, 4] {
        assert_eq!(table.remove(&key), Some(""));
        assert_eq!(table.remove(&key), None);
    }
    table.insert(5, "", at(0));
    assert_eq!(keys(&table), [2, 5]);
    assert_eq!(table.stats(), ExpiringStats::default());
}

#[test]
fn all_can_be_taken_out_oldest_first_and_leave_a_table_that_works() {
    let mut table = table(4, 10);
    for key in [1, 2, 3] {
        table.insert(key, "", at(0));
    }
    table.get_mut(&1, at(1));
    assert_eq!(table.pop_oldest(), Some((2, "")));
    assert_eq!(core::iter::from_fn(|| table.pop_oldest()).map(|(key, _)| key).collect::<Vec<_>>(), [3, 1]);
    assert_eq!(table.pop_oldest(), None);
    assert!(table.is_empty());
    table.insert(7, "seven", at(2));
    assert_eq!(keys(&table), [7]);
}

#[test]
fn a_jump_back_keeps_no_entry_waiting_for_a_time_that_does_not_come() {
    let mut table = table(8, 10);
    table.insert(1, "", at(1_000_000));
    table.insert(2, "", at(5));
    assert_eq!(table.get_mut(&1, at(5)), None);
    table.insert(1, "", at(1_000_000));
    table.insert(3, "", at(6));
    table.expire(at(17), |_, _| ());
    assert!(table.is_empty());
}

#[test]
fn when_an_entry_goes_does_not_depend_on_the_others_of_its_table() {
    // Keys touched one after the other at times that run ahead and back; now and then, the time is told.
    let mut steps = Vec::new();
    let mut time = 5_000_u64;
    for step in 0..2_000_u32 {
        let size = u64::from(step * 41 % 61);
        time = if step % 5 == 3 { time - size } else { time + size / 2 };
        // One of them far from its neighbours.
        let touched_at = if step % 97 == 0 { time * 9 } else { time };
        steps.push((step * 7 % 40, touched_at, (step % 3 == 0).then_some(time)));
    }
    let run = |keys: core::ops::Range<u32>| {
        let mut table = table(64, 100);
        let mut gone = Vec::new();
        for (number, &(key, touched_at, told)) in steps.iter().enumerate() {
            if keys.contains(&key) && table.touch_mut(&key, at(touched_at)).is_none() {
                table.insert(key, "", at(touched_at));
            }
            if let Some(told) = told {
                table.expire(at(told), |key, _| gone.push((number, key)));
            }
        }
        gone.sort_unstable();
        gone
    };
    let together = run(0..40);
    let mut apart: Vec<_> = (0..40).flat_map(|key| run(key..key + 1)).collect();
    apart.sort_unstable();
    assert!(together.len() > 100, "{} went", together.len());
    assert_eq!(together, apart);
}

#[test]
fn an_idle_entry_does_not_hide_behind_one_in_use() {
    let mut table = table(8, 10);
    table.expire(at(45), |_, _| ());
    table.insert(1, "", at(50));
    table.insert(2, "", at(44));
    let mut gone = Vec::new();
    table.expire(at(56), |key, _| gone.push(key));
    assert_eq!(gone, [2]);
}

#[test]
fn a_small_step_back_expires_nothing() {
    let mut table = table(8, 10);
    table.insert(1, "one", at(100));
    assert_eq!(table.get_mut(&1, at(90)), Some(&mut "one"));
}

#[test]
fn after_a_time_far_ahead_the_table_works_as_before() {
    let mut table = table(8, 10);
    table.insert(1, "", at(0));
    table.insert(2, "", Timestamp::MAX);
    table.expire(Timestamp::MAX, |key, _| assert_eq!(key, 1));
    table.insert(3, "", at(2));
    table.expire(at(3), |key, _| assert_eq!(key, 2));
    assert_eq!(table.get_mut(&3, at(4)), Some(&mut ""));
    assert_eq!(keys(&table), [3]);
}

#[test]
fn a_limit_of_no_entries_holds_one() {
    let mut table = table(0, 10);
    assert_eq!(table.insert(1, "one", at(0)), None);
    assert_eq!(table.insert(2, "two", at(0)), Some((1, "one")));
}

#[test]
fn an_idle_time_past_the_range_of_timestamps_never_ends() {
    let mut table = Expiring::new(ExpiringLimits { max_entries: 2, idle: Duration::MAX });
    table.insert(1, (), at(0));
    assert!(table.get_mut(&1, Timestamp::MAX).is_some());
}
