//! Verdicts agree with those of TChecker on models in folders beside the checkout.
//!
//! The test is skipped if a folder is missing, as in a clone. Queries without a verdict within the limit are counted
//! but not compared.

#![allow(clippy::print_stdout, reason = "a test reports skipped models")]

use std::collections::BTreeMap;
use tempora_testkit::report_skipped;

use tempora_evidence::{Budget, Progress, Verdict};
use tempora_oracle::{Settings, explore};
use tempora_workbench::{CheckOptions, check, load};

use tempora_testkit::workspace;

/// Limit on states; more than nearly all of these models need.
const MOST_STATES: u64 = 100_000;

#[test]
fn verdicts_agree_with_tchecker() {
    for folder in ["tck", "tck-random"] {
        let folder = workspace().join("../shared/corpus").join(folder);
        let Ok(table) = std::fs::read_to_string(folder.join("cases.tsv")) else {
            report_skipped("tchecker_verdicts", &format!("no cases at {}", folder.display()));
            continue;
        };
        let (mut same, mut open, mut failures) = (0, 0, String::new());
        let mut by_model: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
        for line in table.lines().skip(1) {
            if let [_, file, query, expected, ..] = line.split('\t').collect::<Vec<_>>()[..] {
                by_model.entry(file).or_default().push((query, expected));
            }
        }
        for (file, cases) in by_model {
            let loaded = load(file, &std::fs::read(folder.join(file)).unwrap());
            assert!(loaded.network().is_some(), "{file}");
            for (text, expected) in cases {
                let query = loaded.read_query("query", text).value;
                assert!(query.is_some(), "{file}: {text}");
                let task = loaded.task(query.into_iter().collect()).unwrap();
                let budget = Budget::unlimited().with_max_states(MOST_STATES);
                let answers = check(&task, &CheckOptions::default(), &budget, &Progress::new());
                let mut verdict = answers[0].answer().verdict.clone();
                // The region checker may decide queries that no engine supports.
                if let Verdict::Unknown(_) = verdict
                    && let Ok(graph) =
                        explore(task.system.network().unwrap(), &task.queries, &Settings::default())
                    && let Ok(found) = graph.answer(&task.queries[0])
                {
                    verdict = found;
                }
                match (&verdict, expected) {
                    (Verdict::Holds, "satisfied") | (Verdict::Fails, "violated") => same += 1,
                    (Verdict::Unknown(_), _) => open += 1,
                    (found, _) => failures += &format!("{file}: {text} is {expected}, and not {found:?}\n"),
                }
            }
        }
        println!("{}: {same} verdicts are the same, {open} are open", folder.display());
        assert!(failures.is_empty(), "{failures}");
        assert!(same > 20, "only {same} verdicts were compared");
    }
}
