//! Certificates of refinements: right ones are accepted, and none of a refinement that fails.
//!
//! The most telling test takes refinements that fail and claims for them what a search has found: none of that, and no part of
//! it, may be accepted.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../games/tests/support/mod.rs"]
mod support;

use support::{Random, harsh_specification, model, random_specification, relaxed, task};
use tempora_certify::{Reason, verify_specification};
use tempora_evidence::{Budget, ClockBound, Engine, Progress, SpecificationCertificate, Task, Verdict};
use tempora_games::{SpecificationEngine, specification_certificate};
use tempora_model::{LocationId, QueryKind};

fn cases(usual: u64) -> u64 {
    std::env::var("CERTIFY_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn made(task: &Task) -> Result<SpecificationCertificate, String> {
    let QueryKind::Specification { components, question } = &task.queries[0].kind else {
        return Err(String::new());
    };
    specification_certificate(components, question, &Budget::unlimited()).map_err(|why| why.describe())
}

fn refusal(task: &Task, certificate: &SpecificationCertificate) -> Option<Reason> {
    verify_specification(&task.queries[0], certificate, &Budget::unlimited())
        .err()
        .map(|refusal| refusal.reason)
}

/// Claims and what is asked: of random refinements, which ones hold is known from the engine, which has an oracle of its own.
fn random_claims(
    first_seed: u64,
    mut case: impl FnMut(&mut Random) -> (String, &'static str),
    mut look: impl FnMut(u64, &str, bool, &Task, SpecificationCertificate),
) {
    for seed in first_seed..first_seed + cases(300) {
        let (text, question) = case(&mut Random::new(seed));
        let task = task(&text, &[question]);
        let answer =
            SpecificationEngine::default().run(&task, &Budget::unlimited(), &Progress::new()).remove(0);
        if let Ok(certificate) = made(&task) {
            look(seed, &text, answer.verdict == Verdict::Holds, &task, certificate);
        }
    }
}

fn components(random: &mut Random) -> (String, &'static str) {
    let first = random_specification(random, &["a", "b"], &["c", "d"], 2, 4);
    let second = relaxed(random, &first);
    (model(&[first, second]), "refinement: A <= B")
}

fn combinations(random: &mut Random) -> (String, &'static str) {
    let first = random_specification(random, &["a", "d"], &["c"], 1, 3);
    let second = random_specification(random, &["c", "b"], &["d"], 1, 3);
    let third = random_specification(random, &["a", "b"], &["c", "d"], 1, 2);
    let third = relaxed(random, &third);
    let fourth = relaxed(random, &third);
    (model(&[first, second, third, fourth]), "refinement: A || B <= C && D")
}

#[test]
fn what_holds_is_accepted_and_what_fails_is_not() {
    for (name, case) in [
        ("components", components as fn(&mut Random) -> (String, &'static str)),
        ("combinations", combinations),
    ] {
        let (mut accepted, mut refused) = (0, 0);
        random_claims(0, case, |seed, text, holds, task, certificate| {
            let found = refusal(task, &certificate);
            assert_eq!(found.is_none(), holds, "{name}, seed {seed}: {found:?}\n{text}");
            *(if holds { &mut accepted } else { &mut refused }) += 1;
        });
        assert!(accepted > 10 && refused > 10, "{name}: {accepted} accepted, {refused} refused");
    }
}

#[test]
fn no_part_of_a_claim_about_what_fails_is_accepted() {
    let mut tried = 0;
    random_claims(10_000, components, |seed, text, holds, task, certificate| {
        if holds {
            return;
        }
        for pair in 0..certificate.pairs.len() {
            let mut less = certificate.clone();
            less.pairs.remove(pair);
            assert!(refusal(task, &less).is_some(), "seed {seed}, without pair {pair}\n{text}");
            for bound in 0..certificate.pairs[pair].bounds.len() {
                let mut other = certificate.clone();
                other.pairs[pair].bounds[bound].constant -= 1;
                assert!(refusal(task, &other).is_some(), "seed {seed}, pair {pair}, bound {bound}\n{text}");
                tried += 1;
            }
        }
    });
    assert!(tried > 100, "{tried}");
}

/// What the states of a part show is local consistency.
#[test]
fn parts_that_are_accepted_go_on_everywhere() {
    let (mut accepted, mut declined) = (0, 0);
    for seed in 0..cases(300) {
        let random = &mut Random::new(seed + 20_000);
        let first = harsh_specification(random, &["a", "b"], &["c", "d"], 2, 3);
        let text = model(&[first]);
        let task = task(&text, &["refinement: A <= A", "local-consistency: A"]);
        let answers = SpecificationEngine::default().run(&task, &Budget::unlimited(), &Progress::new());
        match made(&task) {
            Ok(certificate) => {
                assert_eq!(refusal(&task, &certificate), None, "seed {seed}\n{text}");
                assert_eq!(answers[1].verdict, Verdict::Holds, "seed {seed}\n{text}");
                accepted += 1;
            }
            Err(_) => {
                assert_eq!(answers[1].verdict, Verdict::Fails, "seed {seed}\n{text}");
                declined += 1;
            }
        }
    }
    assert!(accepted > 10 && declined > 10, "{accepted} accepted, {declined} declined");
}

const MACHINES: &str = "broadcast chan coin, tea;
process Fast { clock x; init location Idle; location Busy { invariant x <= 3; }
    Idle -> Busy { sync coin?; do x = 0; } Busy -> Busy { sync coin?; } Busy -> Idle { guard x >= 1; sync tea!; } }
process Slow { clock y; init location Idle; location Busy { invariant y <= 5; }
    Idle -> Busy { sync coin?; do y = 0; } Busy -> Busy { sync coin?; } Busy -> Idle { sync tea!; } }
process Stuck { clock z; init location Idle; location Busy { invariant z <= 5; }
    Idle -> Busy { sync coin?; do z = 0; } Busy -> Busy { sync coin?; } Busy -> Idle { guard z >= 6; sync tea!; } }
process Torn { clock z; init location Idle; location Busy; location Broken;
    Idle -> Busy { sync coin?; } Busy -> Idle { sync tea!; } Busy -> Broken { sync tea!; } }
system Fast, Slow;
";

#[test]
fn what_is_tampered_with_is_refused() {
    let task = task(MACHINES, &["refinement: Fast <= Slow"]);
    let right = made(&task).unwrap();
    assert_eq!(refusal(&task, &right), None);
    assert_eq!((right.parts.len(), right.pairs.len()), (2, 2));
    let changed = |change: &dyn Fn(&mut SpecificationCertificate)| {
        let mut other = right.clone();
        change(&mut other);
        refusal(&task, &other)
    };
    // A pair or a state of a part is left out.
    assert!(matches!(changed(&|other| drop(other.pairs.remove(0))), Some(Reason::StartIsNotCovered(_))));
    assert!(matches!(changed(&|other| drop(other.pairs.remove(1))), Some(Reason::SuccessorIsNotCovered(_))));
    assert!(matches!(
        changed(&|other| drop(other.parts[1].states.remove(1))),
        Some(Reason::SuccessorIsNotCovered(_))
    ));
    assert!(matches!(changed(&|other| drop(other.parts.remove(1))), Some(Reason::IllFormed(_))));
    // A zone is made smaller: time, or a coin, leads out of it.
    let below =
        |clock: u32, constant: i64| ClockBound { left: Some(clock), right: None, constant, is_strict: false };
    let smaller = |constant: i64| changed(&|other| other.pairs[1].bounds.push(below(0, constant)));
    assert_eq!(smaller(3), None);
    assert!(matches!(smaller(2), Some(Reason::SuccessorIsNotCovered(_))));
    // A zone is made larger: it has clock values that are not allowed on one side.
    assert!(matches!(changed(&|other| other.pairs[1].bounds.clear()), Some(Reason::Refused(_))));
    assert!(matches!(changed(&|other| other.parts[0].states[1].bounds.clear()), Some(Reason::Refused(_))));
    // A node has another location, or one that there is not, or a clock that there is not.
    let moved = |location: u32| changed(&|other| other.pairs[0].leaves[1].location = LocationId(location));
    assert!(matches!(moved(1), Some(Reason::Refused(_) | Reason::StartIsNotCovered(_))));
    assert!(matches!(moved(7), Some(Reason::IllFormed(_))));
    assert!(matches!(changed(&|other| other.pairs[0].bounds.push(below(9, 1))), Some(Reason::IllFormed(_))));
    assert!(matches!(changed(&|other| drop(other.pairs[0].leaves.pop())), Some(Reason::IllFormed(_))));
}

#[test]
fn what_is_no_specification_is_refused() {
    let of = |question: &str| {
        let task = task(MACHINES, &[question]);
        // The certificate of another component, which has the same locations and clocks.
        let certificate = made(&support::task(MACHINES, &["refinement: Slow <= Slow"])).unwrap();
        refusal(&task, &certificate)
    };
    assert_eq!(of("refinement: Slow <= Slow"), None);
    assert!(
        matches!(of("refinement: Stuck <= Stuck"), Some(Reason::Stuck(_))),
        "{:?}",
        of("refinement: Stuck <= Stuck")
    );
    // The other direction fails by a delay.
    assert!(of("refinement: Slow <= Fast").is_some());
    let torn = task(MACHINES, &["refinement: Torn <= Torn"]);
    let claimed = made(&torn).unwrap();
    assert!(
        matches!(refusal(&torn, &claimed), Some(Reason::NotDeterministic(_))),
        "{:?}",
        refusal(&torn, &claimed)
    );
    let quotient = task(MACHINES, &["refinement: Fast <= Slow \\\\ Slow"]);
    assert!(made(&quotient).is_err());
}
