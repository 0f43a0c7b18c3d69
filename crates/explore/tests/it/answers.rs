//! Small networks on which a plausible mistake of the engine changes a verdict.
//!
//! Each has queries with expected verdicts, which were derived by hand.

use tempora_evidence::{Answer, Budget, Engine, Progress, Support, Task, UnknownReason, Verdict};
use tempora_explore::{SearchOrder, ZoneEngine};
use tempora_frontends::{language_named, read_model};
use tempora_source::{Files, Origins};

fn task(text: &str) -> Task {
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let file = files.add("model.net", text).unwrap();
    let read = read_model(language_named("net").unwrap(), &mut files, &mut origins, file, None);
    let messages: Vec<String> = read.diagnostics.into_iter().map(|found| found.message).collect();
    let network = read.network.unwrap_or_else(|| panic!("{}\n{text}", messages.join("\n")));
    Task::about_network(network, read.queries)
}

fn answers(task: &Task, order: SearchOrder) -> Vec<Answer> {
    ZoneEngine { order, ..ZoneEngine::default() }.run(task, &Budget::unlimited(), &Progress::new())
}

/// Checks that all queries of a network have the expected verdicts in every search order.
#[track_caller]
fn expect(text: &str, expected: &[bool]) {
    let task = task(text);
    let orders =
        [SearchOrder::Adaptive, SearchOrder::BreadthFirst, SearchOrder::DepthFirst, SearchOrder::Random(7)];
    for order in orders {
        let found: Vec<Verdict> = answers(&task, order).into_iter().map(|answer| answer.verdict).collect();
        let expected: Vec<Verdict> =
            expected.iter().map(|&holds| if holds { Verdict::Holds } else { Verdict::Fails }).collect();
        assert_eq!(found, expected, "{order:?}\n{text}");
    }
}

#[test]
fn respects_constants_of_queries() {
    // The model itself compares the clock with 1 only; in the second round the clock is at least 5.
    expect(
        "clock x;
        process P {
            init location A; location B;
            A -> B { guard x >= 1; }
            B -> B { }
        }
        query E<> P.B && x > 5;
        query E<> P.B && x < 1;
        query A[] P.A || x >= 1;
        query E<> P.B && x == 1;",
        &[true, false, true, true],
    );
}

#[test]
fn enters_location_within_invariant() {
    expect(
        "clock x, y;
        process P {
            init location A;
            location B { invariant x <= 3; }
            location C { invariant y <= 7; }
            A -> B { do y = 0; }
            B -> C { }
        }
        query E<> P.B && x > 3;
        query E<> P.C && x - y > 3;
        query E<> P.C && x == 10;
        query E<> P.C && x > 10;",
        &[false, false, true, false],
    );
}

#[test]
fn preserves_clock_differences() {
    // No clock is compared with a constant, so bounds alone would drop the second path to B.
    expect(
        "clock x, y;
        process P {
            init location A; location A2; location B; location C; location D;
            A -> B { }
            A -> A2 { do y = 0; }
            A2 -> B { }
            B -> C { guard x - y >= 2; }
            B -> D { guard y - x >= 2; }
        }
        query E<> P.C;
        query E<> P.D;
        query E<> P.B && x - y == 7;",
        &[true, false, true],
    );
}

#[test]
fn every_enabled_receiver_takes_part() {
    expect(
        "clock x;
        broadcast chan tell;
        process S { init location A; location B; A -> B { sync tell!; } }
        process R { init location A; location B; A -> B { sync tell?; } }
        process T { init location A; location B; A -> B { guard x <= 5; sync tell?; } }
        system S, R, T;
        query A[] S.B imply R.B;
        query E<> S.B && T.A;
        query E<> S.B && T.A && x <= 5;
        query E<> T.B && x > 5;",
        &[true, true, false, true],
    );
}

#[test]
fn disabled_receiver_is_not_simulated_by_enabled() {
    // With the guard as an upper bound only, the state with x at 0 would cover the one with x at 7.
    expect(
        "clock x;
        broadcast chan tell;
        process S {
            init location A; location A2; urgent location M; location B;
            A -> M { do x = 0; }
            A -> A2 { }
            A2 -> M { do x = 7; }
            M -> B { sync tell!; }
        }
        process R { init location A; location B; A -> B { guard x <= 5; sync tell?; } }
        system S, R;
        query E<> S.B && R.A;
        query E<> S.B && R.B;",
        &[true, true],
    );
}

#[test]
fn sender_updates_before_receiver() {
    expect(
        "int[0,9] n;
        chan c;
        process S { init location A; location B; A -> B { sync c!; do n = 3; } }
        process R { init location A; location B; A -> B { sync c?; do n = n * 2; } }
        system R, S;
        query E<> n == 6;
        query A[] n == 0 || n == 6;",
        &[true, true],
    );
}

#[test]
fn keeps_clock_until_last_read() {
    // One path to B sets a clock that the other does not.
    expect(
        "clock x;
        process P {
            init location A; location A2; location B; location C;
            A -> A2 { guard x >= 4; }
            A2 -> B { }
            A -> B { do x = 0; }
            B -> C { guard x <= 2; }
        }
        process Q { init location A; location B; A -> B { guard x >= 9; } }
        system P, Q;
        query E<> P.C && Q.B;
        query E<> P.C && x < 2;
        query E<> P.A2 && x < 4;",
        &[true, true, false],
    );
}

#[test]
fn combines_formulas() {
    let task = task(
        "int[0,3] n;
        process P { init location A; location B; A -> B { do n = 2; } }
        query E<> P.B && n == 2;
        query A[] n < 2;",
    );
    let engine = ZoneEngine::default();
    let supports = engine.prepare(&task).support().to_vec();
    assert_eq!(supports, [Support::Decides, Support::Decides]);
    let found = answers(&task, SearchOrder::Adaptive);
    assert!(found.iter().all(|answer| answer.trace().is_some_and(|trace| trace.steps.len() == 1)));
}

#[test]
fn error_keeps_earlier_verdicts() {
    let task = task(
        "int[0,3] n;
        process P { init location A; A -> A { do n = n + 1; } }
        query E<> n == 3;
        query A[] n < 9;",
    );
    let found = answers(&task, SearchOrder::BreadthFirst);
    assert_eq!(found[0].verdict, Verdict::Holds);
    assert!(matches!(found[1].verdict, Verdict::Unknown(UnknownReason::ModelError(_))));
    assert_eq!(found[1].trace().unwrap().steps.len(), 4);
}

#[test]
fn stops_at_state_limit() {
    let task = task(
        "int n;
        process P { init location A; A -> A { guard n < 30000; do n = n + 1; } }
        query A[] n < 30001;",
    );
    let budget = Budget::unlimited().with_max_states(100);
    let found = ZoneEngine::default().run(&task, &budget, &Progress::new());
    assert_eq!(found[0].verdict, Verdict::Unknown(UnknownReason::StateLimit));
    assert!(found[0].statistics.stored >= 100 && found[0].statistics.stored < 110);
}

/// Fischer's protocol, with published numbers of states: as many as TChecker visits.
#[test]
fn counts_states_like_tchecker() {
    for (processes, explored, stored, transitions) in [(5, 977, 727, 2290), (6, 3458, 2378, 9132)] {
        let text = format!(
            "const int N = {processes};
            int[0,N] id;
            process P(const int[1,N] pid) {{
                clock x;
                init location A;
                location req {{ invariant x <= 10; }}
                location wait; location cs;
                A -> req {{ guard id == 0; do x = 0; }}
                req -> wait {{ guard x <= 10; do x = 0, id = pid; }}
                wait -> req {{ guard id == 0; do x = 0; }}
                wait -> cs {{ guard x > 10 && id == pid; }}
                cs -> A {{ do id = 0; }}
            }}
            system P;
            query E<> false;"
        );
        let found = answers(&task(&text), SearchOrder::BreadthFirst);
        let statistics = found[0].statistics;
        assert_eq!(
            (statistics.explored, statistics.stored, statistics.transitions),
            (explored, stored, transitions)
        );
    }
}

#[test]
fn unsupported_state_keeps_goals_found_elsewhere() {
    // In `B` some clock values enable the synchronisation at once, and others only later.
    let task = task(
        "urgent chan c;
        clock x;
        process P {
            init location A; location B; location G;
            A -> B { }
            A -> G { guard x >= 5; }
            B -> B { guard x >= 3; sync c!; }
        }
        process Q { init location C; C -> C { sync c?; } }
        query E<> P.G;
        query E<> P.G && x < 5;",
    );
    for order in [SearchOrder::Adaptive, SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
        let found = answers(&task, order);
        assert_eq!(found[0].verdict, Verdict::Holds, "{order:?}");
        let is_open = matches!(found[1].verdict, Verdict::Unknown(UnknownReason::Unsupported(_)));
        assert!(is_open, "{order:?}: {:?}", found[1].verdict);
    }
}
