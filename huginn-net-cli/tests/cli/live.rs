//! Network interfaces, as far as it goes without the right to capture; the rest is in `scripts/test-live.sh`.

use crate::run::run;

#[test]
fn an_interface_that_cannot_be_opened_is_named_and_status_4() {
    let finished = run(["live", "-i", "no-such-link0", "--duration", "1s"]);
    assert_eq!((finished.status, finished.stdout.as_str()), (Some(4), ""));
    // Who has no right to capture is told how to get it, as the system does not tell them more.
    let told = [
        "huginn-net: no-such-link0: there is no such interface; `huginn-net ifaces` lists them\n",
        "huginn-net: no permission to capture",
    ];
    assert!(told.iter().any(|told| finished.stderr.starts_with(told)), "{}", finished.stderr);
    if finished.stderr.contains("no permission") {
        let line = format!("  sudo setcap cap_net_raw=eip {}\n", env!("CARGO_BIN_EXE_huginn-net"));
        assert!(finished.stderr.ends_with(&line), "{}", finished.stderr);
    }
}

#[test]
fn an_interface_is_required_and_limits_are_checked() {
    for args in [
        "live",
        "live -i lo -c 0",
        "live -i lo --buffer 3G",
        "live -i lo -s 0",
        "live -i lo --duration 0",
        "live -i lo --metrics localhost:9617",
        "live -i lo --fanout 2 -j 2",
    ] {
        let finished = run(args.split(' '));
        assert_eq!((finished.status, finished.stdout.as_str()), (Some(2), ""), "{args}");
        assert!(finished.stderr.starts_with("huginn-net: "), "{}", finished.stderr);
    }
}

#[test]
fn an_interface_that_is_named_twice_is_wrong_usage() {
    let finished = run(["live", "-i", "lo", "-i", "no-such-link0", "-i", "lo", "--duration", "1s"]);
    let told = "huginn-net: -i lo: named twice, and would be captured twice\n";
    assert_eq!((finished.status, finished.stderr.as_str()), (Some(2), told));
}

#[test]
fn an_interface_that_cannot_be_opened_leaves_an_output_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept.jsonl");
    std::fs::write(&path, "kept").unwrap();
    let finished = run(["live", "-i", "no-such-link0", "-o", &format!("json:{}", path.display())]);
    assert_eq!(finished.status, Some(4));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "kept");
}

#[cfg(target_os = "linux")]
#[test]
fn a_user_that_does_not_exist_is_wrong_usage_and_leaves_an_output_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept.jsonl");
    std::fs::write(&path, "kept").unwrap();
    let output = format!("json:{}", path.display());
    let finished = run(["live", "-i", "lo", "-u", "no-such-user", "-o", &output, "--duration", "1s"]);
    let told = "huginn-net: --user: there is no user \"no-such-user\"\n";
    assert_eq!((finished.status, finished.stderr.as_str()), (Some(2), told));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "kept");
}

#[cfg(target_os = "linux")]
#[test]
fn interfaces_are_listed_with_what_they_are() {
    let finished = run(["ifaces"]);
    assert_eq!((finished.status, finished.stderr.as_str()), (Some(0), ""));
    let loopback = finished.stdout.lines().find(|line| line.starts_with("lo\t1\t")).expect("there is one");
    let columns: Vec<_> = loopback.split('\t').collect();
    assert_eq!((columns.len(), columns[3]), (5, "EN10MB"), "{loopback}");
    assert!(["up", "down"].contains(&columns[2]), "{loopback}");
}
