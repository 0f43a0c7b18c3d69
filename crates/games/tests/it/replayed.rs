//! Runs of refinements, reachability and formulas, executed by an interpreter that knows no zones.

use tempora_evidence::{
    ChosenMove, Ending, Evidence, Rational, RefusedMove, RefusedRun, SpecificationRun, UnknownReason, Verdict,
};
use tempora_games::{InputCompletion, SpecificationEngine};

use crate::support::{
    self, Judged, Random, cases, harsh_specification, judged, judged_by, model, random_specification, relaxed,
};

/// Asks random questions; a refuted run makes the verdict unknown.
fn replay(name: &str, mut case: impl FnMut(&mut Random) -> (String, &'static str)) {
    let (mut failing, mut replayed) = (0, 0);
    for seed in 0..cases(200) {
        let (text, question) = case(&mut Random::new(seed));
        let checked = judged(&text, question);
        let answer = &checked.answer;
        // A quotient by an inconsistent specification has no answer.
        let is_none = matches!(answer.verdict, Verdict::Unknown(UnknownReason::Unsupported(_)));
        if is_none && question.contains('\\') {
            continue;
        }
        assert!(
            !matches!(answer.verdict, Verdict::Unknown(_)),
            "{name}, seed {seed}: {:?}\n{text}",
            answer.verdict
        );
        if answer.evidence.iter().any(|evidence| matches!(evidence, Evidence::RefusedRun(_))) {
            failing += 1;
            replayed += u64::from(checked.is_shown);
        }
    }
    assert!(failing > 0 && replayed == failing, "{name}: {replayed} of {failing} runs are replayed");
}

#[test]
fn components() {
    replay("components", |random| {
        let first = random_specification(random, &["a", "b"], &["c", "d"], 2, 4);
        let second = random_specification(random, &["a", "b"], &["c", "d"], 2, 4);
        (model(&[first, second]), "refinement: A <= B")
    });
}

#[test]
fn compositions_and_conjunctions() {
    replay("compositions", |random| {
        let first = random_specification(random, &["a", "d"], &["c"], 1, 3);
        let second = random_specification(random, &["c", "b"], &["d"], 1, 3);
        let third = random_specification(random, &["a", "b"], &["c", "d"], 1, 3);
        let fourth = relaxed(random, &third);
        (model(&[first, second, third, fourth]), "refinement: A || B <= C && D")
    });
}

/// There is one run for each violating pair: each is executed, and they differ.
#[test]
fn all_runs_of_a_refinement() {
    let all = SpecificationEngine { most_runs: usize::MAX, ..SpecificationEngine::default() };
    let mut several = 0;
    for seed in 0..cases(200) {
        let random = &mut Random::new(seed + 5000);
        let first = random_specification(random, &["a", "b"], &["c", "d"], 2, 4);
        let second = random_specification(random, &["a", "b"], &["c", "d"], 2, 4);
        let text = model(&[first, second]);
        let (some, all) = (judged(&text, "refinement: A <= B"), judged_by(all, &text, "refinement: A <= B"));
        // A refuted run would make the verdict unknown.
        assert_eq!(some.answer.verdict, all.answer.verdict, "seed {seed}\n{text}");
        let runs = |answer: &Judged| -> Vec<RefusedRun> {
            let evidence = answer.answer.evidence.iter();
            let run = |evidence: &Evidence| match evidence {
                Evidence::RefusedRun(run) => Some(run.clone()),
                _ => None,
            };
            evidence.filter_map(run).collect()
        };
        let (one, many) = (runs(&some), runs(&all));
        assert!(one.len() <= 1 && one.first() == many.first(), "seed {seed}\n{text}");
        for (number, run) in many.iter().enumerate() {
            assert!(!many[..number].contains(run), "seed {seed}: {run:?}\n{text}");
        }
        several += u32::from(many.len() > 1);
    }
    assert!(several > 0);
}

const IGNORING: &str = "broadcast chan i, o;
process S { clock x; init location L { invariant x <= 5; } L -> L { guard x >= 3; sync i?; } L -> L { sync o!; do x = 0; } }
process T { clock x; init location L { invariant x <= 5; } L -> L { sync i?; } L -> L { sync o!; do x = 0; } }
system S, T;
";

#[test]
fn inputs_without_edge_are_ignored_or_errors() {
    let error = SpecificationEngine { completion: InputCompletion::Error, ..SpecificationEngine::default() };
    for (question, ignored, refused) in [
        ("consistency: S", true, false),
        ("consistency: T", true, true),
        // A specification without implementations refines everything, and nothing else refines it.
        ("refinement: S <= T", true, true),
        ("refinement: T <= S", true, false),
        ("refinement: T <= T", true, true),
    ] {
        let verdict = |holds: bool| if holds { Verdict::Holds } else { Verdict::Fails };
        assert_eq!(judged(IGNORING, question).answer.verdict, verdict(ignored), "{question}");
        assert_eq!(judged_by(error, IGNORING, question).answer.verdict, verdict(refused), "{question}");
    }
    let remarks = |checked: Judged| format!("{:?}", checked.answer.caveats);
    assert!(
        remarks(judged(IGNORING, "consistency: S")).contains("inputs without an edge are ignored in `S`")
    );
    assert!(
        remarks(judged_by(error, IGNORING, "consistency: S"))
            .contains("inputs without an edge are errors in")
    );
    assert_eq!(remarks(judged(IGNORING, "consistency: T")), "[]");
}

/// A quotient on the right is executed as the part beside the left side, against the whole.
#[test]
fn quotients() {
    replay("quotients", |random| {
        let whole = random_specification(random, &["a"], &["c", "d"], 1, 3);
        let whole = if random.chance(60) { relaxed(random, &whole) } else { whole };
        let part = random_specification(random, &["a", "d"], &["c"], 1, 3);
        let other = random_specification(random, &["a", "c"], &["d"], 1, 3);
        (model(&[whole, part, other]), "refinement: C <= A \\\\ B")
    });
}

/// Pruning the right side does not prevent execution: the consistent part refuses the move.
#[test]
fn pruned_right_sides() {
    let (mut removed, mut replayed) = (0, 0);
    for seed in 0..cases(300) {
        let random = &mut Random::new(seed + 9000);
        let first = random_specification(random, &["a", "b"], &["c", "d"], 1, 3);
        let second = harsh_specification(random, &["a", "b"], &["c", "d"], 1, 3);
        let text = model(&[first, second]);
        let checked = judged(&text, "refinement: A <= B");
        assert!(!matches!(checked.answer.verdict, Verdict::Unknown(_)), "seed {seed}\n{text}");
        for evidence in &checked.answer.evidence {
            if let Evidence::RefusedRun(run) = evidence
                && run.is_right_pruned
                && !run.is_left_pruned
            {
                removed += 1;
                replayed += u64::from(checked.is_shown);
            }
        }
    }
    assert!(removed > 0 && replayed == removed, "{replayed} of {removed}");
}

/// A quotient on the left is executed by its rules, and no run uses pruned moves of the left side.
#[test]
fn quotient_and_pruned_left_sides() {
    let questions = ["refinement: A \\\\ B <= C", "refinement: D <= E", "refinement: D && F <= E"];
    let (mut runs, mut removed) = ([0; 3], [0; 3]);
    for seed in 0..cases(300) {
        let random = &mut Random::new(seed + 40_000);
        let whole = random_specification(random, &["a"], &["c", "d"], 1, 3);
        let part = random_specification(random, &["a", "d"], &["c"], 1, 3);
        let right = random_specification(random, &["a", "c"], &["d"], 1, 3);
        let first = harsh_specification(random, &["a", "b"], &["c", "d"], 1, 3);
        let second = random_specification(random, &["a", "b"], &["c", "d"], 1, 3);
        let third = harsh_specification(random, &["a", "b"], &["c"], 1, 3);
        let text = model(&[whole, part, right, first, second, third]);
        for (number, question) in questions.iter().enumerate() {
            let checked = judged(&text, question);
            let answer = &checked.answer;
            // A quotient by an inconsistent specification has no answer.
            if matches!(answer.verdict, Verdict::Unknown(UnknownReason::Unsupported(_))) {
                continue;
            }
            // A refuted run would make the verdict unknown.
            assert!(
                !matches!(answer.verdict, Verdict::Unknown(_)),
                "seed {seed}: {:?}\n{text}",
                answer.verdict
            );
            for evidence in &answer.evidence {
                if let Evidence::RefusedRun(run) = evidence {
                    runs[number] += 1;
                    removed[number] += u64::from(run.is_left_pruned);
                    assert!(checked.is_shown, "seed {seed}, {question}: {:?}\n{text}", answer.caveats);
                }
            }
        }
    }
    assert!(!runs.contains(&0) && !removed[1..].contains(&0), "{removed:?} of {runs:?}");
}

const REMOVED: &str = "broadcast chan i, o, p;
process S { clock x; init location L; location Bad { invariant x <= 5; } location M;
    L -> Bad { sync o!; } Bad -> Bad { sync i?; } L -> M { sync p!; } }
process T { init location L; L -> L { sync i?; } L -> L { guard false; sync o!; } L -> L { guard false; sync p!; } }
system S, T;
";

/// A run with a pruned move proves nothing, whatever the right side refuses.
#[test]
fn refutes_runs_with_pruned_moves() {
    let answer = judged(REMOVED, "refinement: S <= T");
    assert_eq!((&answer.answer.verdict, answer.is_shown), (&Verdict::Fails, true));
    // `Bad` has neither an unbounded delay nor an output, so no implementation has the output `o`.
    let task = support::task(REMOVED, &["refinement: S <= T"]);
    let channel = |name: &str| {
        let found =
            task.system.network().unwrap().variables.iter().find(|(_, variable)| variable.name == name);
        Some(tempora_model::ChannelPosition { variable: found.unwrap().0, offset: 0 })
    };
    for (name, expected) in [("p", true), ("o", false)] {
        let mut answer = answer.answer.clone();
        for evidence in &mut answer.evidence {
            if let Evidence::RefusedRun(run) = evidence {
                run.refused = RefusedMove::Output(channel(name));
            }
        }
        let checked = support::judge(&task, answer);
        let is_shown = checked.answer.verdict == Verdict::Fails;
        assert_eq!(is_shown, expected, "{name}: {:?}", checked.answer.verdict);
        assert_eq!(checked.is_shown, expected, "{name}");
    }
}

/// Asks random questions that a run can answer; each run must be replayed.
fn replay_witnesses(name: &str, questions: &[(&str, Verdict)], mut case: impl FnMut(&mut Random) -> String) {
    let mut shown = vec![0; questions.len()];
    for seed in 0..cases(200) {
        let text = case(&mut Random::new(seed + 70_000));
        for (number, (question, expected)) in questions.iter().enumerate() {
            let checked = judged(&text, question);
            let answer = &checked.answer;
            // Some expressions have no answer, such as a quotient by an inconsistent specification.
            if matches!(answer.verdict, Verdict::Unknown(UnknownReason::Unsupported(_))) {
                continue;
            }
            let about = || format!("{name}, seed {seed}: {question}: {answer:?}\n{text}");
            assert!(!matches!(answer.verdict, Verdict::Unknown(_)), "{}", about());
            let has_run = answer.evidence.iter().any(|one| matches!(one, Evidence::SpecificationRun(_)));
            assert_eq!(has_run, answer.verdict == *expected, "{}", about());
            if has_run {
                shown[number] += 1;
                assert!(checked.is_shown, "{}", about());
            }
        }
    }
    assert!(!shown.contains(&0), "{name}: {shown:?}");
}

#[test]
fn reachability_witnesses() {
    let questions = [
        ("reachability: A || B @ init -> A.L1 && B.x > 1", Verdict::Holds),
        (
            "reachability: A || B @ A.L0 && B.L1 && A.x > 1 && A.x - B.x < 1 -> A.L1 && B.x < 1",
            Verdict::Holds,
        ),
        ("reachability: C && D @ init -> C.L1 && D.L2", Verdict::Holds),
        ("reachability: C \\\\ A @ init -> C.L1 && A.x <= 1", Verdict::Holds),
        // The part has become universal.
        (
            "reachability: C \\\\ A @ init -> not (A.L0 || A.L1 || A.L2 || A.Unreached) && A.x > 2",
            Verdict::Holds,
        ),
        ("reachability: (C : A[] C.x <= 1) @ init -> C.L1", Verdict::Holds),
    ];
    replay_witnesses("reachability", &questions, |random| {
        let first = random_specification(random, &["a", "d"], &["c"], 1, 3);
        let second = random_specification(random, &["c", "b"], &["d"], 1, 3);
        let third = random_specification(random, &["a", "b"], &["c", "d"], 1, 3);
        let fourth = relaxed(random, &third);
        let all = [first, second, third, fourth].map(|mut one| {
            while one.locations.len() < 3 {
                one.locations.push(Vec::new());
            }
            one
        });
        model(&all)
    });
}

#[test]
fn formula_runs() {
    let questions = [
        ("tctl: (A || B : E<> A.L1 && B.x > 1)", Verdict::Holds),
        ("tctl: (A || B : A[] A.L0 || B.x < 2)", Verdict::Fails),
        ("tctl: (A || B : E[] A.x <= 2)", Verdict::Holds),
        ("tctl: (A || B : A<> A.L1)", Verdict::Fails),
        ("tctl: (A || B : A.L0 --> B.L1)", Verdict::Fails),
        ("tctl: (A || B : A.n == 0 -->[<=2] B.L1)", Verdict::Fails),
        ("tctl: (C && D : E<> C.L1 && D.x > C.x)", Verdict::Holds),
        ("tctl: (E : E<> deadlock)", Verdict::Holds),
        ("tctl: (E : A[] not deadlock)", Verdict::Fails),
        ("tctl: (E : A<> deadlock && E.x > 1)", Verdict::Fails),
    ];
    replay_witnesses("formulas", &questions, |random| {
        let first = random_specification(random, &["a", "d"], &["c"], 1, 3);
        let second = random_specification(random, &["c", "b"], &["d"], 1, 3);
        let third = random_specification(random, &["a", "b"], &["c", "d"], 1, 3);
        let fourth = relaxed(random, &third);
        let fifth = random_specification(random, &[], &["c", "d"], 1, 3);
        let all = [first, second, third, fourth, fifth].map(|mut one| {
            while one.locations.len() < 3 {
                one.locations.push(Vec::new());
            }
            one
        });
        model(&all)
    });
}

/// Restrictions are executed on both sides.
#[test]
fn restricted_specifications() {
    for question in [
        "refinement: (A : A[] A.x <= 1 && not A.L2) <= B",
        "refinement: A <= (B : A[] B.L0 || B.x < 2)",
        "refinement: (A && B : A[] A.L0 || B.L0) <= C",
    ] {
        replay(question, |random| {
            let first = random_specification(random, &["a", "b"], &["c", "d"], 1, 3);
            let second = random_specification(random, &["a", "b"], &["c", "d"], 1, 3);
            let third = random_specification(random, &["a", "b"], &["c", "d"], 1, 3);
            let all = [first, second, third].map(|mut one| {
                while one.locations.len() < 3 {
                    one.locations.push(Vec::new());
                }
                one
            });
            (model(&all), question)
        });
    }
}

const REACHED: &str = "broadcast chan i, o;
process S { clock x; init location L; location M;
    L -> M { guard x >= 2; sync o!; } L -> L { guard x < 1; sync i?; do x = 0; } }
system S;
";

/// A run that does not show the verdict makes it unknown.
#[test]
fn refutes_runs_that_do_not_show_the_verdict() {
    type Change = fn(&mut SpecificationRun);
    let cases: [(&str, Verdict, &[Change]); 4] = [
        (
            "reachability: S @ init -> S.M && S.x > 3",
            Verdict::Holds,
            &[
                |run| run.final_delay = Rational::from_integer(0),
                |run| run.moves[0].delay = Rational::from_integer(1),
                |run| run.moves.clear(),
                |run| run.start = Some(Vec::new()),
            ],
        ),
        (
            "reachability: S @ S.L && S.x == 1 -> S.M",
            Verdict::Holds,
            &[
                |run| {
                    let start = run.start.as_mut().unwrap();
                    start[0].clocks[0].1[0] = Rational::from_integer(2);
                    run.moves[0].delay = Rational::from_integer(0);
                },
                |run| run.start = None,
            ],
        ),
        (
            "tctl: (S : A<> S.M)",
            Verdict::Fails,
            &[
                // The delay leads beyond the start of the cycle.
                |run| {
                    run.moves = vec![ChosenMove { delay: Rational::from_integer(1), action: input() }];
                    run.ending = Ending::Lasso { start: 0 };
                },
                |run| run.ending = Ending::Deadlock,
                |run| run.ending = Ending::Goal,
            ],
        ),
        (
            "tctl: (S : E<> S.M)",
            Verdict::Holds,
            &[|run| run.moves.clear(), |run| run.moves[0].delay = Rational::new(3, 2)],
        ),
    ];
    for (question, verdict, changes) in cases {
        let found = judged(REACHED, question);
        assert_eq!((&found.answer.verdict, found.is_shown), (&verdict, true), "{question}");
        let task = support::task(REACHED, &[question]);
        for (number, change) in changes.iter().enumerate() {
            let mut answer = found.answer.clone();
            for evidence in &mut answer.evidence {
                if let Evidence::SpecificationRun(run) = evidence {
                    change(run);
                }
            }
            let checked = support::judge(&task, answer);
            let is_refuted = matches!(checked.answer.verdict, Verdict::Unknown(UnknownReason::EngineBug(_)));
            assert!(is_refuted, "{question}, change {number}: {:?}", checked.answer);
            assert!(!checked.is_shown);
        }
    }
    // This cycle closes: less than one time unit passes, and the input resets the clock.
    let mut answer = judged(REACHED, "tctl: (S : A<> S.M)").answer.clone();
    for evidence in &mut answer.evidence {
        if let Evidence::SpecificationRun(run) = evidence {
            run.moves = vec![ChosenMove { delay: Rational::new(1, 2), action: input() }];
            run.ending = Ending::Lasso { start: 0 };
        }
    }
    let task = support::task(REACHED, &["tctl: (S : A<> S.M)"]);
    let checked = support::judge(&task, answer);
    assert!(checked.is_shown);
}

/// Returns the first channel of `REACHED`.
fn input() -> Option<tempora_model::ChannelPosition> {
    Some(tempora_model::ChannelPosition { variable: tempora_model::VariableId(0), offset: 0 })
}

const ORDERED: &str = "broadcast chan i, j, go, o;
process S { clock x, y; init location L; location M; location W { invariant x <= 1; } location Done;
    L -> M { sync i?; do x = 0; } L -> M { sync j?; do y = 0; }
    M -> W { guard x < 1 && y < 1; sync go!; } W -> Done { guard y >= 1 && x < 1; sync o!; } }
process T { init location L; L -> L { sync i?; } L -> L { sync j?; } L -> L { guard false; sync go!; } L -> L { guard false; sync o!; } }
system S, T;
";

/// From `W`, an output is in time if `y` is first to reach 1; otherwise `W` is stuck and `go` is pruned.
#[test]
fn pruned_move_depends_on_order_of_clocks() {
    let answer = judged(ORDERED, "refinement: S <= T");
    assert_eq!((&answer.answer.verdict, answer.is_shown), (&Verdict::Fails, true));
    let task = support::task(ORDERED, &["refinement: S <= T"]);
    let channel = |variable| {
        Some(tempora_model::ChannelPosition { variable: tempora_model::VariableId(variable), offset: 0 })
    };
    for (input, expected) in [(0, true), (1, false)] {
        let mut answer = answer.answer.clone();
        for evidence in &mut answer.evidence {
            if let Evidence::RefusedRun(run) = evidence {
                run.moves = vec![ChosenMove { delay: Rational::new(1, 2), action: channel(input) }];
                run.delay = Rational::new(1, 4);
                run.refused = RefusedMove::Output(channel(2));
            }
        }
        let checked = support::judge(&task, answer);
        assert_eq!(checked.answer.verdict == Verdict::Fails, expected, "{:?}", checked.answer);
    }
}

const DIFFERENCES: &str = "broadcast chan o;
process S { clock x, y; init location L { invariant x <= 5; } L -> L { guard x - y <= 2; sync o!; do x = 0; } }
process T { init location L; L -> L { guard false; sync o!; } }
system S, T;
";

/// The judge does not prune the left side here, so the run is executed, but the answer is not called replayed.
#[test]
fn clock_differences_prevent_replayed_assurance() {
    let checked = judged(DIFFERENCES, "refinement: S <= T");
    assert_eq!((&checked.answer.verdict, checked.is_shown), (&Verdict::Fails, false));
    let remarks = format!("{:?}", checked.answer.caveats);
    assert!(
        remarks.contains(
            "the run was executed; not independently checked: that it avoids the pruned part of the left side"
        ),
        "{remarks}"
    );
}
