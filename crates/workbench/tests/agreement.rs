//! The simple engine and the region oracle agree on random networks, and every trace replays.
//!
//! `AGREEMENT_CASES` sets the number of networks; each failure prints the network, with its seed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::sync::Arc;

use tempora_evidence::{Budget, Progress, Support, Task, UnknownReason, Verdict};
use tempora_oracle::random_networks::{Knobs, QueryTopic, generate};
use tempora_replay::Assurance;
use tempora_workbench::{CheckOptions, ENGINES, check};

#[test]
fn the_simple_engine_agrees_with_the_oracle() {
    let cases: u64 = std::env::var("AGREEMENT_CASES").map_or(2000, |cases| cases.parse().unwrap());
    // What the engine declines would only make the networks rarer that it does not.
    let knobs = Knobs { has_priorities: false, has_copies: false, region_limit: 4000, ..Knobs::default() };
    let (mut compared, mut held, mut declined) = (0u64, 0u64, 0u64);
    for seed in 0..cases {
        let random = generate(seed, &knobs).unwrap();
        let queries: Vec<_> = QueryTopic::ALL
            .iter()
            .zip(&random.model.queries)
            .filter(|(topic, _)| matches!(topic, QueryTopic::Possibly | QueryTopic::Always))
            .map(|(_, query)| query.clone())
            .collect();
        let task = Task { network: Arc::new(random.model.network.clone()), queries };
        let supports = ENGINES[0].supports(&task);
        let answers = check(&task, CheckOptions::default(), &Budget::unlimited(), &Progress::new());
        for ((query, answer), support) in task.queries.iter().zip(&answers).zip(supports) {
            let expected = random.graph.answer(query).unwrap();
            let verdict = &answer.answer().verdict;
            match verdict {
                Verdict::Unknown(UnknownReason::Unsupported(_)) => {
                    declined += 1;
                    continue;
                }
                _ => assert_eq!(verdict, &expected, "{}\n{}", query.text, random.text),
            }
            assert_eq!(support, Support::Decides);
            // A verdict that a run can show is shown by one.
            let needs_run = matches!(
                (&query.kind, verdict),
                (tempora_model::QueryKind::Formula(tempora_model::Formula::Possibly(_)), Verdict::Holds)
                    | (tempora_model::QueryKind::Formula(tempora_model::Formula::Always(_)), Verdict::Fails)
            );
            let expected_assurance = if needs_run { Assurance::Replayed } else { Assurance::Unchecked };
            assert_eq!(answer.assurance(), expected_assurance, "{}\n{}", query.text, random.text);
            compared += 1;
            held += u64::from(*verdict == Verdict::Holds);
        }
    }
    // Both verdicts occur often, and the engine does not get away by declining.
    assert!(held * 5 >= compared && (compared - held) * 5 >= compared, "{held} of {compared} hold");
    assert!(declined * 10 <= compared, "{declined} declined, {compared} compared");
}
