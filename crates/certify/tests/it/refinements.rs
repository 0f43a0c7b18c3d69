//! Certificates of refinements: right ones are accepted, and none of a failing refinement.
//!
//! The strongest test takes failing refinements and claims the result of a search for them: neither it nor a part of it
//! may be accepted.

use tempora_certify::{Reason, Refusal, verify_specification};
use tempora_evidence::{
    Budget, CertificateZones, ClockBound, Engine, Progress, SpecificationCertificate, Task, Verdict,
};
use tempora_games::{SpecificationEngine, specification_certificate};
use tempora_model::{LocationId, QueryKind};

use crate::support::{
    self, Random, harsh_specification, model, random_operand, random_specification, relaxed, task, with_trap,
};

fn cases(usual: u64) -> u64 {
    std::env::var("CERTIFY_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn made(task: &Task) -> Result<SpecificationCertificate, String> {
    let QueryKind::Specification { components, question } = &task.queries[0].kind else {
        return Err(String::new());
    };
    specification_certificate(components, question, CertificateZones::Enlarged, &Budget::unlimited())
        .map_err(|why| why.describe())
}

fn refused_at(task: &Task, certificate: &SpecificationCertificate) -> Option<Refusal> {
    verify_specification(&task.queries[0], certificate, &Budget::unlimited()).err()
}

fn refusal(task: &Task, certificate: &SpecificationCertificate) -> Option<Reason> {
    refused_at(task, certificate).map(|refusal| refusal.reason)
}

/// Returns random claims with their verdicts, which come from the engine; it is tested against an oracle of its own.
fn random_claims(
    first_seed: u64,
    mut case: impl FnMut(&mut Random) -> (String, &'static str),
    mut look: impl FnMut(u64, &str, bool, &Task, SpecificationCertificate),
) {
    let usual = if first_seed == FORGED { 60 } else { 300 };
    for seed in first_seed..first_seed + cases(usual) {
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

/// Returns both sides have traps that need pruning.
fn trapped(random: &mut Random) -> (String, &'static str) {
    let first = random_specification(random, &["a", "b"], &["c", "d"], 2, 3);
    let second = relaxed(random, &first);
    let (first, second) = (with_trap(random, &first), with_trap(random, &second));
    (model(&[first, second]), "refinement: A <= B")
}

/// Returns a conjunction of specifications with traps, which often needs more pruning.
fn conjunctions(random: &mut Random) -> (String, &'static str) {
    let first = random_specification(random, &["a", "b"], &["c", "d"], 1, 2);
    let second = relaxed(random, &first);
    let third = relaxed(random, &second);
    let first = with_trap(random, &first);
    let second = if random.chance(50) { with_trap(random, &second) } else { second };
    let questions = [
        "refinement: A && B <= C",
        "refinement: A <= B && C",
        "refinement: C && A <= A && B",
        "refinement: C <= A && B",
    ];
    (model(&[first, second, third]), questions[random.below(4) as usize])
}

fn harsh_conjunctions(random: &mut Random) -> (String, &'static str) {
    let first = harsh_specification(random, &["a", "b"], &["c", "d"], 1, 3);
    let second = harsh_specification(random, &["a", "b"], &["c", "d"], 1, 2);
    let third = relaxed(random, &second);
    let questions = ["refinement: A && B <= C", "refinement: B && C <= A && B", "refinement: A && B <= A"];
    (model(&[first, second, third]), questions[random.below(3) as usize])
}

/// Pruning within a composition.
fn trapped_compositions(random: &mut Random) -> (String, &'static str) {
    let first = random_specification(random, &["a", "d"], &["c"], 1, 3);
    let first = with_trap(random, &first);
    let second = random_specification(random, &["c", "b"], &["d"], 1, 3);
    let second = with_trap(random, &second);
    let third = random_specification(random, &["a", "b"], &["c", "d"], 1, 2);
    let (third, fourth) = (relaxed(random, &third), relaxed(random, &third));
    let third = with_trap(random, &third);
    (model(&[first, second, third, fourth]), "refinement: A || (B && B) <= C && D")
}

/// Returns the part has the output `c`; `e` belongs only to the specification beside it.
fn quotients(random: &mut Random) -> (String, &'static str) {
    let part = random_specification(random, &["a", "d"], &["c"], 1, 2);
    let part = if random.chance(40) { with_trap(random, &part) } else { part };
    let own: &[&'static str] = if random.chance(40) { &["d", "e"] } else { &["d"] };
    let beside = random_specification(random, &["c", "b"], own, 1, 2);
    let beside = if random.chance(40) { with_trap(random, &beside) } else { beside };
    let whole = random_specification(random, &["a", "b"], &["c", "d"], 1, 2);
    let whole = relaxed(random, &whole);
    let whole = relaxed(random, &whole);
    let whole = if random.chance(40) { with_trap(random, &whole) } else { whole };
    (model(&[part, beside, whole]), "refinement: B <= C \\\\ A")
}

/// Nested quotients, and quotients of a composition by its own operands.
fn more_quotients(random: &mut Random) -> (String, &'static str) {
    let first = random_specification(random, &["a"], &["c"], 1, 2);
    let second = random_specification(random, &["c"], &["d"], 1, 2);
    let third = random_specification(random, &["d"], &["b"], 1, 2);
    let first = if random.chance(40) { with_trap(random, &first) } else { first };
    let third = if random.chance(40) { with_trap(random, &third) } else { third };
    let second = if random.chance(60) { with_trap(random, &second) } else { second };
    let questions = [
        "refinement: C <= (A || B || C) \\\\ A \\\\ B",
        "refinement: B <= (A || B || C) \\\\ (A || C)",
        "refinement: A <= (A || B) \\\\ B",
        "refinement: C <= (A || B) \\\\ B",
        "refinement: (A || B) \\\\ A <= (A || B) \\\\ A",
    ];
    (model(&[first, second, third]), questions[random.below(5) as usize])
}

/// Returns claims about operands without implementations, on both sides and in quotients.
fn inconsistent_operands(random: &mut Random) -> (String, &'static str) {
    let first = random_operand(random, &["a", "d"], &["c"], 1, 2);
    let second = random_operand(random, &["c", "b"], &["d"], 1, 2);
    let whole = random_operand(random, &["a", "b"], &["c", "d"], 1, 2);
    let whole = if random.chance(50) { relaxed(random, &whole) } else { whole };
    let other = relaxed(random, &whole);
    let questions = [
        "refinement: A || B <= C",
        "refinement: C <= A || B",
        "refinement: D <= C && D",
        "refinement: C && D <= A || B",
        "refinement: B <= C \\\\ A",
        "refinement: B <= (C && D) \\\\ A",
    ];
    (model(&[first, second, whole, other]), questions[random.below(6) as usize])
}

fn consistencies(random: &mut Random) -> (String, &'static str) {
    let first = harsh_specification(random, &["a", "b"], &["c", "d"], 1, 3);
    let first = if random.chance(50) { with_trap(random, &first) } else { first };
    let second = harsh_specification(random, &["a", "b"], &["c", "d"], 1, 2);
    let third = random_specification(random, &["c", "d"], &["a"], 1, 2);
    let questions = ["consistency: A", "consistency: A && B", "consistency: (A && B) || C"];
    (model(&[first, second, third]), questions[random.below(3) as usize])
}

type Case = fn(&mut Random) -> (String, &'static str);

const CASES: [(&str, Case); 10] = [
    ("components", components),
    ("combinations", combinations),
    ("trapped", trapped),
    ("conjunctions", conjunctions),
    ("harsh conjunctions", harsh_conjunctions),
    ("trapped compositions", trapped_compositions),
    ("quotients", quotients),
    ("more quotients", more_quotients),
    ("inconsistent operands", inconsistent_operands),
    ("consistencies", consistencies),
];

#[test]
fn accepts_only_refinements_that_hold() {
    for (name, case) in CASES {
        let (mut accepted, mut refused, mut removing, mut out_of_time) = (0, 0, 0, 0);
        random_claims(0, case, |seed, text, holds, task, certificate| {
            let found = refusal(task, &certificate);
            // A specification with outputs that the quotient lacks proves nothing about the quotient.
            let is_unknown = name == "quotients" && text.contains("sync e!");
            if holds && is_unknown && matches!(found, Some(Reason::Stuck(_))) {
                out_of_time += 1;
                return;
            }
            assert_eq!(found.is_none(), holds, "{name}, seed {seed}: {found:?}\n{text}");
            *(if holds { &mut accepted } else { &mut refused }) += 1;
            let removes = certificate.parts.iter().any(|part| !part.removed.is_empty());
            removing += u32::from(holds && removes);
        });
        assert!(accepted > 10 && refused > 10, "{name}: {accepted} accepted, {refused} refused");
        assert!(accepted > 5 * out_of_time, "{name}: {accepted} accepted, {out_of_time} are not");
        let has_nothing_to_remove = ["components", "combinations"].contains(&name);
        assert!(has_nothing_to_remove || removing > 10, "{name}: {removing} remove something");
    }
}

/// Changes a random entry of a certificate.
fn tamper(random: &mut Random, certificate: &mut SpecificationCertificate) {
    let pick = |random: &mut Random, count: usize| random.below(count.max(1) as u32) as usize;
    let part = pick(random, certificate.parts.len());
    let kind = random.below(9);
    if let (0..=2, Some(part)) = (kind, certificate.parts.get_mut(part)) {
        // Some or all states are claimed to be bad, or none.
        let (node, place) = (pick(random, part.states.len()), pick(random, part.removed.len() + 1));
        match (kind, part.states.get(node).cloned()) {
            (0, Some(node)) => part.removed.insert(place.min(part.removed.len()), node),
            (1, _) => part.removed.extend(part.states.clone()),
            _ => part.removed.clear(),
        }
        return;
    }
    let list = match (random.below(3), certificate.parts.get_mut(part)) {
        (0, Some(part)) => &mut part.states,
        (1, Some(part)) => &mut part.removed,
        _ => &mut certificate.pairs,
    };
    if list.is_empty() {
        return;
    }
    let node = pick(random, list.len());
    match kind {
        3 => drop(list.remove(node)),
        4 => list.reverse(),
        5 => list[node].bounds.clear(),
        6 => {
            let (leaf, location) = (pick(random, list[node].leaves.len()), LocationId(random.below(3)));
            list[node].leaves[leaf].location = location;
        }
        _ => {
            let bound = pick(random, list[node].bounds.len());
            if let Some(bound) = list[node].bounds.get_mut(bound) {
                bound.constant += if random.chance(50) { 1 } else { -1 };
                bound.is_strict = random.chance(50);
            }
        }
    }
}

/// The number of seeds of claims that are tampered with.
const FORGED: u64 = 10_000;

#[test]
fn rejects_forged_certificates_of_failing_claims() {
    for (name, case) in CASES {
        let mut tried = 0;
        random_claims(FORGED, case, |seed, text, holds, task, certificate| {
            if holds {
                return;
            }
            let random = &mut Random::new(seed);
            for _ in 0..40 {
                let mut other = certificate.clone();
                for _ in 0..1 + random.below(4) {
                    tamper(random, &mut other);
                }
                assert!(refusal(task, &other).is_some(), "{name}, seed {seed}: {other:?}\n{text}");
                tried += 1;
            }
        });
        assert!(tried > 100, "{name}: {tried}");
    }
}

/// The strongest forgery drops the pairs in which something is refused, one after the other.
#[test]
fn rejects_parts_of_certificates_of_failing_claims() {
    for (name, case) in CASES {
        let mut tried = 0;
        random_claims(20_000, case, |seed, text, holds, task, certificate| {
            if holds {
                return;
            }
            // Large certificates with small differences take most of the time.
            for pair in 0..certificate.pairs.len().min(8) {
                let mut less = certificate.clone();
                less.pairs.remove(pair);
                assert!(refusal(task, &less).is_some(), "{name}, seed {seed}, without {pair}\n{text}");
                for bound in 0..certificate.pairs[pair].bounds.len().min(3) {
                    let mut other = certificate.clone();
                    other.pairs[pair].bounds[bound].constant -= 1;
                    assert!(refusal(task, &other).is_some(), "{name}, seed {seed}, {pair}, {bound}\n{text}");
                    tried += 1;
                }
            }
            let mut less = certificate.clone();
            for _ in 0..less.pairs.len().min(8) {
                let Some(refusal) = refused_at(task, &less) else { break };
                let Some(pair) = refusal.node.filter(|_| refusal.part.is_none()) else { break };
                less.pairs.remove(pair);
                assert!(refused_at(task, &less).is_some(), "{name}, seed {seed}\n{text}");
                tried += 1;
            }
        });
        assert!(tried > 100 || name == "consistencies", "{name}: {tried}");
    }
}

/// A description of a component proves that it is consistent, and whether anything is pruned.
#[test]
fn accepted_parts_are_consistent() {
    let mut counts = [0; 3];
    for seed in 0..cases(300) {
        let random = &mut Random::new(seed + 20_000);
        let first = harsh_specification(random, &["a", "b"], &["c", "d"], 2, 3);
        let text = model(&[first]);
        let task = task(&text, &["consistency: A", "local-consistency: A"]);
        let answers = SpecificationEngine::default().run(&task, &Budget::unlimited(), &Progress::new());
        let certificate = made(&task).unwrap();
        let is_accepted = refusal(&task, &certificate).is_none();
        let removes = !certificate.parts[0].removed.is_empty();
        let answers = [0, 1].map(|question: usize| answers[question].verdict == Verdict::Holds);
        assert_eq!(is_accepted, answers[0], "seed {seed}\n{text}");
        assert_eq!(is_accepted && !removes, answers[1], "seed {seed}\n{text}");
        counts[usize::from(is_accepted) + usize::from(is_accepted && removes)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
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
fn rejects_tampered_relations() {
    let task = task(MACHINES, &["refinement: Fast <= Slow"]);
    let right = made(&task).unwrap();
    assert_eq!(refusal(&task, &right), None);
    assert_eq!((right.parts.len(), right.pairs.len()), (2, 2));
    let changed = |change: &dyn Fn(&mut SpecificationCertificate)| {
        let mut other = right.clone();
        change(&mut other);
        refusal(&task, &other)
    };
    // A pair or a state of a part is dropped.
    assert!(matches!(changed(&|other| drop(other.pairs.remove(0))), Some(Reason::StartIsNotCovered(_))));
    assert!(matches!(changed(&|other| drop(other.pairs.remove(1))), Some(Reason::SuccessorIsNotCovered(_))));
    assert!(matches!(
        changed(&|other| drop(other.parts[1].states.remove(1))),
        Some(Reason::SuccessorIsNotCovered(_))
    ));
    assert!(matches!(changed(&|other| drop(other.parts.remove(1))), Some(Reason::IllFormed(_))));
    // A smaller zone: a delay, or a coin, leads out of it.
    let below =
        |clock: u32, constant: i64| ClockBound { left: Some(clock), right: None, constant, is_strict: false };
    let smaller = |constant: i64| changed(&|other| other.pairs[1].bounds.push(below(0, constant)));
    assert_eq!(smaller(3), None);
    assert!(matches!(smaller(2), Some(Reason::SuccessorIsNotCovered(_))));
    // A larger zone: it has clock values that one side does not allow.
    assert!(matches!(changed(&|other| other.pairs[1].bounds.clear()), Some(Reason::Refused(_))));
    assert!(matches!(changed(&|other| other.parts[0].states[1].bounds.clear()), Some(Reason::Refused(_))));
    // A node has another location, a non-existent location, or a non-existent clock.
    let moved = |location: u32| changed(&|other| other.pairs[0].leaves[1].location = LocationId(location));
    assert!(matches!(moved(1), Some(Reason::Refused(_) | Reason::StartIsNotCovered(_))));
    assert!(matches!(moved(7), Some(Reason::IllFormed(_))));
    assert!(matches!(changed(&|other| other.pairs[0].bounds.push(below(9, 1))), Some(Reason::IllFormed(_))));
    assert!(matches!(changed(&|other| drop(other.pairs[0].leaves.pop())), Some(Reason::IllFormed(_))));
}

#[test]
fn rejects_invalid_specifications() {
    let of = |question: &str| {
        let task = task(MACHINES, &[question]);
        // The certificate of another component, with the same locations and clocks.
        let certificate = made(&support::task(MACHINES, &["refinement: Slow <= Slow"])).unwrap();
        refusal(&task, &certificate)
    };
    assert_eq!(of("refinement: Slow <= Slow"), None);
    assert!(
        matches!(of("refinement: Stuck <= Stuck"), Some(Reason::Stuck(_))),
        "{:?}",
        of("refinement: Stuck <= Stuck")
    );
    // The converse fails by a delay.
    assert!(of("refinement: Slow <= Fast").is_some());
    let torn = task(MACHINES, &["refinement: Torn <= Torn"]);
    let claimed = made(&torn).unwrap();
    assert!(
        matches!(refusal(&torn, &claimed), Some(Reason::NotDeterministic(_))),
        "{:?}",
        refusal(&torn, &claimed)
    );
    // Determinism needs no implementation, and depends on each component alone.
    for (question, holds) in [
        ("determinism: Slow", true),
        ("determinism: Stuck", true),
        ("determinism: Stuck && Slow", true),
        ("determinism: Slow \\\\ Fast", true),
        ("determinism: Torn", false),
        ("determinism: Slow && Torn", false),
    ] {
        let task = task(MACHINES, &[question]);
        let found = refusal(&task, &made(&task).unwrap());
        assert_eq!(found.is_none(), holds, "{question}: {found:?}");
        assert!(holds || matches!(found, Some(Reason::NotDeterministic(_))), "{question}: {found:?}");
    }
    // A quotient on the left has no states in certificates; equal sides need none.
    let quotient = task(MACHINES, &["refinement: Fast \\\\ Slow <= Fast"]);
    assert!(made(&quotient).is_err());
    let same = task(MACHINES, &["refinement: Fast \\\\ Slow <= Fast \\\\ Slow"]);
    assert_eq!(refusal(&same, &made(&same).unwrap()), None);
    let other = task(MACHINES, &["refinement: Fast \\\\ Slow <= Slow \\\\ Fast"]);
    assert!(refusal(&other, &made(&same).unwrap()).is_some());
}

/// The lazy machine may give tea in time, or fall asleep, which is pruned; a second coin breaks the fragile one.
const PRUNED: &str = "broadcast chan coin, tea, soup;
process Lazy { clock x; init location Idle; location Busy { invariant x <= 5; } location Asleep { invariant x <= 5; }
    Idle -> Busy { sync coin?; do x = 0; } Busy -> Busy { sync coin?; } Asleep -> Asleep { sync coin?; }
    Busy -> Idle { guard x <= 3; sync tea!; } Busy -> Asleep { guard x > 3; sync tea!; } }
process Fragile { clock x; init location Idle; location Busy { invariant x <= 5; } location Broken { labels inconsistent; }
    Idle -> Busy { sync coin?; do x = 0; } Busy -> Broken { sync coin?; } Busy -> Idle { sync tea!; } }
process Quick { clock y; init location Idle; location Busy { invariant y <= 3; }
    Idle -> Busy { sync coin?; do y = 0; } Busy -> Busy { sync coin?; } Busy -> Idle { sync tea!; } }
process Drinker { init location L; L -> L { sync tea?; } L -> L { guard false; sync soup!; } L -> L { sync coin?; } }
process Drinker2 { init location L; L -> L { sync tea?; } L -> L { sync coin?; } }
system Lazy, Quick;
";

#[test]
fn rejects_certificate_with_wrong_removed_states() {
    let task = task(PRUNED, &["refinement: Lazy <= Quick"]);
    let right = made(&task).unwrap();
    assert_eq!(refusal(&task, &right), None);
    // Asleep, the machine is stuck; busy after time 3, it can only fall asleep.
    assert!(right.parts[0].removed.len() >= 2, "{right:?}");
    assert!(right.parts[1].removed.is_empty());
    let changed = |change: &dyn Fn(&mut SpecificationCertificate)| {
        let mut other = right.clone();
        change(&mut other);
        refusal(&task, &other)
    };
    // A part of the bad states is kept.
    assert!(matches!(changed(&|other| drop(other.parts[0].removed.pop())), Some(Reason::Stuck(_))));
    assert!(matches!(changed(&|other| drop(other.parts[0].removed.remove(0))), Some(Reason::NotShownBad(_))));
    assert!(matches!(changed(&|other| other.parts[0].removed.clear()), Some(Reason::Stuck(_))));
    assert!(matches!(changed(&|other| other.parts[0].removed.reverse()), Some(Reason::NotShownBad(_))));
    // Good states are removed: by a weaker bound, or a state that is not bad.
    let widened = changed(&|other| other.parts[0].removed.iter_mut().for_each(|node| node.bounds.clear()));
    assert!(matches!(widened, Some(Reason::NotShownBad(_))), "{widened:?}");
    for state in 0..right.parts[0].states.len() {
        let good = |other: &mut SpecificationCertificate| {
            let node = other.parts[0].states[state].clone();
            let is_asleep = node.leaves[0].location == LocationId(2);
            if !is_asleep {
                other.parts[0].removed.push(node);
            } else {
                other.parts[0].removed.clear();
            }
        };
        assert!(changed(&good).is_some(), "{state}");
    }
    let quick = changed(&|other| other.parts[1].removed = other.parts[1].states.clone());
    assert!(matches!(quick, Some(Reason::NotShownBad(_))), "{quick:?}");
    // The component may also be on the right or on both sides; consistency uses the same states.
    for question in
        ["refinement: Quick <= Lazy", "refinement: Lazy && Quick <= Lazy", "consistency: Lazy && Quick"]
    {
        let task = support::task(PRUNED, &[question]);
        assert_eq!(refusal(&task, &made(&task).unwrap()), None, "{question}");
    }
    // The environment controls coins, so the fragile machine is inconsistent.
    for question in ["consistency: Fragile", "consistency: Fragile && Lazy", "refinement: Fragile <= Lazy"] {
        let task = support::task(PRUNED, &[question]);
        let found = refusal(&task, &made(&task).unwrap());
        match question.starts_with("consistency") {
            true => assert!(matches!(found, Some(Reason::NothingImplements(_))), "{question}: {found:?}"),
            false => assert_eq!(found, None, "{question}"),
        }
        let mut kept = made(&task).unwrap();
        kept.parts[0].removed.clear();
        assert!(matches!(refusal(&task, &kept), Some(Reason::LeadsToRemoved(_))), "{question}");
    }
}

/// A side without implementations refines everything, also within an expression, and a quotient by it is universal. A
/// side with an implementation never refines it.
#[test]
fn sides_without_implementations() {
    for question in [
        "refinement: Fragile <= Quick",
        "refinement: Fragile && Quick <= Lazy",
        "refinement: Fragile <= Fragile",
        "refinement: Drinker <= Quick \\\\ Fragile",
        "refinement: Drinker <= (Quick \\\\ Fragile) \\\\ Drinker2",
        "refinement: Fragile \\\\ Quick <= Fragile \\\\ Quick",
    ] {
        let task = task(PRUNED, &[question]);
        assert_eq!(refusal(&task, &made(&task).unwrap()), None, "{question}");
    }
    for question in ["refinement: Quick <= Fragile", "refinement: Quick <= Quick && Fragile"] {
        let task = task(PRUNED, &[question]);
        let mut claimed = made(&task).unwrap();
        assert!(refusal(&task, &claimed).is_some(), "{question}");
        claimed.pairs.clear();
        assert!(matches!(refusal(&task, &claimed), Some(Reason::StartIsNotCovered(_))), "{question}");
    }
}

/// The whole must send within two time units; the part has to do so and never does.
const WAITING: &str = "broadcast chan sent, seen, noise;
process Whole { clock y; init location L { invariant y <= 2; } L -> L { sync sent!; do y = 0; } L -> L { guard false; sync seen!; } }
process Part { init location L; location Never; L -> L { sync seen?; } Never -> L { sync sent!; } }
process Sender { clock z; init location L { invariant z <= 1; } L -> L { sync seen?; } L -> L { sync sent!; do z = 0; } }
process Noisy { clock x; init location L { invariant x <= 2; }
    L -> L { sync noise!; } L -> L { sync sent?; } L -> L { guard false; sync seen!; } }
process Seeing { clock x; init location L { invariant x <= 2; }
    L -> L { sync noise!; do x = 0; } L -> L { sync sent?; } L -> L { guard false; sync seen!; } }
system Whole, Part, Noisy;
";

/// By the law alone it would hold: time ends for `Noisy` before the whole refuses anything. But the quotient is
/// inconsistent.
#[test]
fn rejects_refinement_of_inconsistent_quotient() {
    let task = task(WAITING, &["refinement: Noisy <= Whole \\\\ Part"]);
    let answer = SpecificationEngine::default().run(&task, &Budget::unlimited(), &Progress::new()).remove(0);
    assert_eq!(answer.verdict, Verdict::Fails);
    let found = refusal(&task, &made(&task).unwrap());
    assert!(matches!(found, Some(Reason::Stuck(_))), "{found:?}");
    let law = support::task(WAITING, &["refinement: Part || Noisy <= Whole"]);
    assert_eq!(refusal(&law, &made(&law).unwrap()), None);
    // If the part sends, the quotient can delay forever, and so can a specification with occasional noise.
    let sending = support::task(WAITING, &["refinement: Seeing <= Whole \\\\ Sender"]);
    assert_eq!(refusal(&sending, &made(&sending).unwrap()), None);
}

/// Clock differences decide which moves are possible, however large the clocks are.
const DIFFERENCES: &str = "broadcast chan go, far, near;
process Both { clock x, y; init location L;
    L -> L { sync go?; do x = 0; } L -> L { guard y - x > 3; sync far!; do y = 0, x = 0; } L -> L { guard y - x <= 3; sync near!; } }
process Far { clock x, y; init location L;
    L -> L { sync go?; do x = 0; } L -> L { guard y - x > 3; sync far!; do y = 0, x = 0; } L -> L { guard y - x <= 4; sync near!; } }
process Stopping { clock x, y; init location L { invariant y - x <= 3; } location Over;
    L -> L { guard y <= 3; sync go?; do x = 0; } L -> Over { guard y > 3; sync go?; }
    Over -> Over { guard y - x > 3; sync far!; } L -> L { sync near!; } }
system Both, Far;
";

#[test]
fn certifies_models_with_diagonal_constraints() {
    for (question, holds) in [
        ("refinement: Both <= Both", true),
        ("refinement: Both <= Far", true),
        ("refinement: Far <= Both", false),
        ("refinement: Both && Far <= Both", true),
        ("refinement: Stopping <= Far", true),
        ("consistency: Both && Stopping", true),
    ] {
        let task = task(DIFFERENCES, &[question]);
        let answer =
            SpecificationEngine::default().run(&task, &Budget::unlimited(), &Progress::new()).remove(0);
        assert_eq!(answer.verdict == Verdict::Holds, holds, "{question}");
        let found = refusal(&task, &made(&task).unwrap());
        assert_eq!(found.is_none(), holds, "{question}: {found:?}");
    }
}
