//! Specifications whose verdicts are known.

use crate::support::{holds, remarks};

#[test]
fn an_input_at_the_wrong_time_is_lethal() {
    // The environment may send `a` at x = 4, behind the last chance for the output.
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
fn a_delay_at_the_start_is_compared() {
    let text = "broadcast chan c;
        process S { clock x; init location L; L -> L { sync c!; do x = 0; } }
        process T { clock x; init location L { invariant x <= 5; } L -> L { sync c!; do x = 0; } }
        system S, T;";
    assert!(!holds(text, "refinement: S <= T"));
    assert_eq!(remarks(text, "refinement: S <= T"), "time may pass on the left but not on the right");
    assert!(holds(text, "refinement: T <= S"));
}

#[test]
fn all_failed_preconditions_are_listed() {
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
fn more_of_a_clock_may_allow_more() {
    // Behind `c` the clock x is as old as t, behind `d` it may be older: then `e` comes too early for T.
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
    assert_eq!(remarks(text, "refinement: S <= T"), "the output `e` of the left is not allowed on the right");
}
