//! Specifications with known verdicts.

use crate::support::{holds, remarks};

#[test]
fn late_input_makes_specification_inconsistent() {
    // The environment may send `a` at x = 4, after the last opportunity for the output.
    let text = "broadcast chan a, c;
        process S {
            clock x;
            init location L0;
            location L { invariant x <= 5; }
            L0 -> L { sync a?; }
            L -> L0 { guard x <= 2; sync c!; }
        }
        system S;";
    assert!(!holds(text, "consistency: S"));
    assert!(!holds(text, "local-consistency: S"));
    assert!(holds(text, "determinism: S"));
}

#[test]
fn compares_initial_delays() {
    let text = "broadcast chan c;
        process S { clock x; init location L; L -> L { sync c!; do x = 0; } }
        process T { clock x; init location L { invariant x <= 5; } L -> L { sync c!; do x = 0; } }
        system S, T;";
    assert!(!holds(text, "refinement: S <= T"));
    assert_eq!(remarks(text, "refinement: S <= T"), "time may pass on the left but not on the right");
    assert!(holds(text, "refinement: T <= S"));
}

#[test]
fn lists_all_failed_preconditions() {
    let text = "broadcast chan a, c, d;
        process S { init location L; L -> L { sync a?; } L -> L { sync c!; } }
        process T { init location L; L -> L { sync d!; } }
        system S, T;";
    let remarks = remarks(text, "refinement: S <= T");
    assert_eq!(remarks, "the right side lacks the inputs `a`\nthe left side lacks the outputs `d`");
}

#[test]
fn urgent_locations_stop_time() {
    let text = "broadcast chan a, c;
        process S { clock x; init location L; urgent location U; L -> U { sync a?; } U -> L { sync c!; } }
        process T { clock x; init location L; location U; L -> U { sync a?; do x = 0; } U -> L { guard x <= 0; sync c!; } }
        system S, T;";
    assert!(holds(text, "refinement: S <= T"));
    assert!(!holds(text, "refinement: T <= S"));
    assert!(holds(text, "implementation: S"));
}

#[test]
fn larger_clock_may_enable_output() {
    // After `c`, x equals t; after `d`, it may be larger, so `e` comes too early for T.
    let text = "broadcast chan c, d, e;
        process S {
            clock x;
            init location A;
            location L, M;
            A -> L { sync c!; do x = 0; }
            A -> L { sync d!; }
            L -> M { guard x >= 2; sync e!; }
        }
        process T {
            clock t;
            init location L;
            L -> L { sync c!; do t = 0; }
            L -> L { sync d!; do t = 0; }
            L -> L { guard t >= 1; sync e!; }
        }
        system S, T;";
    assert!(!holds(text, "refinement: S <= T"));
    assert_eq!(
        remarks(text, "refinement: S <= T"),
        "the right side does not allow the output `e` of the left side"
    );
}
