//! Bit vectors, floats and the S-expression forms of Theta, from the text to the verdict.
//!
//! Invariant: a comment beside each verdict explains why it is right.

use std::time::Duration;

use tempora_evidence::{Budget, Verdict};
use tempora_frontends::{language_named, read_model};
use tempora_source::{Files, Origins};
use tempora_symbolic::{BoundedEngine, ExplicitEngine, SolverOptions};
use tempora_transition::print_system;

use crate::support::{decide, read};

/// An 8-bit word that wraps around: 0 follows 255.
const AROUND: &str = "main process p { var x : bv[8] var y : bv[16] init loc A loc B loc C error loc E
    A -> B { x := 8'd250 y := 16'x00FF }
    B -> B { assume x bvugt 8'b00000101 x := x bvadd 8'd1 }
    B -> C { assume x bvule 8'd5 }
    C -> E { assume not (CHECK) } }";

fn verdict(check: &str) -> Verdict {
    let system = read("cfa", &AROUND.replace("CHECK", check));
    let printed = print_system(&system);
    assert_eq!(print_system(&read("sym", &printed)), printed);
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(30));
    let found = decide(&ExplicitEngine::default(), &system, &budget);
    let bounded = BoundedEngine { induction: false, longest: Some(12), solver: SolverOptions::default() };
    let other = decide(&bounded, &system, &budget);
    assert!(other == found || matches!(other, Verdict::Unknown(_)), "{check}: {found:?} and {other:?}");
    found
}

#[test]
fn bit_vectors_wrap_around_and_have_all_operators() {
    // The loop ends with zero, and y is 255 in sixteen bits.
    for holds in [
        "x = 8'd0",
        "x bvsub 8'd1 = 8'xFF",
        "bvneg 8'd1 = 8'd-1",
        "bvnot x = 8'b11111111",
        "(y bvand 16'd15) = 16'd15",
        "y[4:0] = 4'd15 and y[16:8] = 8'd0",
        "x ++ y[8:0] = y",
        "(x bv_zero_extend bv[16]) bvadd y = y",
        "(8'd-1 bv_sign_extend bv[16]) = 16'd-1",
        "8'd-1 bvslt x and x bvult 8'd-1",
        "(y bvshl 16'd4) bvlshr 16'd4 = y and (16'd-16 bvashr 16'd2) = 16'd-4",
        "(8'b10000001 bvrol 8'd1) = 8'b00000011 and (8'b10000001 bvror 8'd9) = 8'b11000000",
        "(8'd-7 bvsdiv 8'd2) = 8'd-3 and (8'd-7 bvsrem 8'd2) = 8'd-1 and (8'd-7 bvsmod 8'd2) = 8'd1",
        "(8'd7 bvudiv 8'd0) = 8'd255 and (8'd7 bvurem 8'd0) = 8'd7",
        "8'd1 bvor 8'd2 bvxor 8'd3 bvand 8'd1 = 8'd3",
    ] {
        assert_eq!(verdict(holds), Verdict::Holds, "{holds}");
    }
    for fails in ["x = 8'd1", "x bvugt 8'd0", "y[8:0] = 8'd0"] {
        assert_eq!(verdict(fails), Verdict::Fails, "{fails}");
    }
}

#[test]
fn refuses_mismatched_bit_vectors_with_place() {
    for wrong in [
        "x = 16'd0",
        "x bvadd y = x",
        "x[9:0] = x",
        "x[0:0] = x",
        "y bv_zero_extend bv[8] = x",
        "x + 1 = x",
        "8'b2 = x",
        "0'd1 = x",
        "99999'd1 = x",
        "x bvand true = x",
        "8'q1 = x",
        "bvadd x = x",
    ] {
        let (mut files, mut origins) = (Files::new(), Origins::new());
        let file = files.add("model.cfa", AROUND.replace("CHECK", wrong).as_str()).unwrap();
        let model = read_model(language_named("cfa").unwrap(), &mut files, &mut origins, file, None);
        assert!(model.diagnostics.has_errors(), "{wrong}");
    }
}

/// A number that grows by a quarter until quarters are no longer representable: from two on the format has halves only.
const GROWING: &str = "main process p { var x : fp[3:3] var y : fp[3:3] init loc A loc B loc C error loc E
    A -> B { x := 3'b001.2'b00 y := x }
    B -> B { assume x < LIMIT x := x fpadd[ROUNDING] 3'b001.2'b00 }
    B -> C { assume x >= LIMIT }
    C -> E { assume not (CHECK) } }";

#[test]
fn floats_are_rounded_and_runs_replay_without_solver() {
    let verdicts = |rounding: &str, limit: &str, check: &str| {
        let text = GROWING.replace("ROUNDING", rounding).replace("LIMIT", limit).replace("CHECK", check);
        let system = read("cfa", &text);
        let printed = print_system(&system);
        assert_eq!(print_system(&read("sym", &printed)), printed);
        let found = decide(&ExplicitEngine::default(), &system, &Budget::unlimited());
        for induction in [false, true] {
            let bounded = BoundedEngine { induction, longest: Some(14), solver: SolverOptions::default() };
            let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
            let other = decide(&bounded, &system, &budget);
            assert!(
                other == found || matches!(other, Verdict::Unknown(_)),
                "{check}: {found:?} and {other:?}"
            );
            assert!(found != Verdict::Fails || other == found, "{check}: {other:?}");
        }
        found
    };
    // 2.25 is between 2 and 2.5: it rounds up to 2.5, or to the even 2, after which nothing new is reached.
    let (two, three) = ("3'b100.2'b00", "3'b100.2'b10");
    assert_eq!(verdicts("RNE", two, "x = 3'b100.2'b00"), Verdict::Holds);
    assert_eq!(verdicts("RTP", three, "x = 3'b100.2'b10"), Verdict::Holds);
    assert_eq!(verdicts("RTP", three, "false"), Verdict::Fails);
    for rounding in ["RNE", "RTN", "RTZ"] {
        assert_eq!(verdicts(rounding, three, "false"), Verdict::Holds, "{rounding}");
    }
    // On a tie, the larger one.
    assert_eq!(verdicts("RNA", three, "false"), Verdict::Fails);
    // Zeros are equal, NaN is not equal to itself, and neither is less.
    for check in [
        "3'd0.2'd0 = -3'd0.2'd0",
        "not (3'd0.2'd0 / 3'd0.2'd0 = 3'd0.2'd0 / 3'd0.2'd0)",
        "fpisnan (3'd0.2'd0 fpdiv 3'd0.2'd0)",
        "y / 3'd0.2'd0 > 3'b110.2'b11",
        "(fptobv[3's][RTZ] 3'b100.2'b11) = 3'd3",
    ] {
        assert_eq!(verdicts("RNE", two, check), Verdict::Holds, "{check}");
    }
}

#[test]
fn bracket_forms_are_equivalent() {
    // The count stops at five, so it is not above five.
    let automaton = "(process (var x Int) (init L0) (loc L1) (loc L2) (error E)
        (edge L0 L1 (assign x 0)) (edge L1 L1 (assume (< x 5)) (assign x (+ x 1)))
        (edge L1 L2 (assume (>= x 5))) (edge L2 E (assume (/= x 5))))";
    let budget = Budget::unlimited();
    assert_eq!(decide(&ExplicitEngine::default(), &read("lisp", automaton), &budget), Verdict::Holds);
    let reached = automaton.replace("(/= x 5)", "(= x 5)");
    assert_eq!(decide(&ExplicitEngine::default(), &read("lisp", &reached), &budget), Verdict::Fails);
    // The number counts from one to four, wraps around, and is one after a reset.
    let system = "(system (var r Bool) (var x Int) (init (not r)) (init (= x 1))
        (trans (prime (and (>= x 1) (<= x 4))))
        (trans (= (prime x) (ite (and (< x 4) (not r)) (+ x 1) 1))) (prop (PROP)))";
    let ask = |property: &str| {
        decide(&ExplicitEngine::default(), &read("lisp", &system.replace("(PROP)", property)), &budget)
    };
    assert_eq!((ask("(<= x 4)"), ask("(=> r (/= x 4))")), (Verdict::Holds, Verdict::Fails));
    for wrong in [
        "(process (init A)",
        "(process)",
        "(system (var x Int) (next x))",
        "(process (init A) (edge A B))",
        "(system) (system)",
    ] {
        let (mut files, mut origins) = (Files::new(), Origins::new());
        let file = files.add("model.lisp.cfa", wrong).unwrap();
        let model = read_model(language_named("lisp").unwrap(), &mut files, &mut origins, file, None);
        assert!(model.diagnostics.has_errors(), "{wrong}");
    }
}
