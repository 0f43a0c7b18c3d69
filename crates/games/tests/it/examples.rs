//! The questions about specifications in the examples, with the answers derived in their text.

use tempora_evidence::{Budget, Engine, Limit, MeasuredValue, Progress, Rational, Verdict};
use tempora_explore::ZoneEngine;

use crate::support::{task, verdict};

/// Asks questions about a model of the examples.
fn check(file: &str, questions: &[(&str, bool)]) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    for (question, expected) in questions {
        assert_eq!(verdict(&text, question), Ok(*expected), "{file}: {question}");
    }
}

#[test]
fn coffee_machines() {
    check(
        "coffee.net",
        &[
            ("implementation: Impl", true),
            ("satisfaction: Impl |= Machine", true),
            ("implementation: Machine", false),
            ("refinement: Machine2 <= Machine", true),
            ("refinement: Machine3 <= Machine", true),
            ("refinement: Machine4 <= Machine", true),
            ("refinement: Machine6 <= Machine3", true),
            ("refinement: Machine6 <= Machine4", true),
            ("refinement: Machine7 <= Machine4", true),
            ("refinement: Machine7 <= Machine3", false),
            ("consistency: Machine5", false),
            ("consistency: Machine2 && Machine4", false),
            ("consistency: Machine3 && Machine4", true),
            ("refinement: Machine6 <= Machine3 && Machine4", true),
            ("refinement: Machine3 && Machine4 <= Machine6", true),
        ],
    );
}

#[test]
fn a_university() {
    check(
        "university.net",
        &[
            ("refinement: (HalfAdm1 && HalfAdm2) || Machine || Researcher <= UniSpec", false),
            ("refinement: (HalfAdm1 && HalfAdm2) || Machine || Researcher <= FreePatents", true),
            ("refinement: (HalfAdm1 && HalfAdm2) || PaidMachine || Researcher <= UniSpec", true),
            ("refinement: Administration || Machine || Researcher <= UniSpec", true),
            ("refinement: Administration <= (UniSpec \\\\ Machine) \\\\ Researcher", true),
        ],
    );
}

#[test]
fn buttons() {
    check(
        "buttons.net",
        &[
            ("refinement: (ButtonG >> ButtonA) <= ButtonSpec", true),
            ("refinement: ButtonSpec <= (ButtonG >> ButtonA)", true),
            ("refinement: ButtonSpec <= ButtonG", false),
        ],
    );
}

/// Checks whether a part of the ring supports a compositional proof: the last node, each further node, the whole.
fn steps(part: &str, property: &str, [base, iteration, last]: [bool; 3]) {
    check(
        "leader-ring.net",
        &[
            (&format!("refinement: Node(5) <= {part}(5)"), base),
            (&format!("refinement: {part}(5) || Node(4) <= {part}(4)"), iteration),
            (&format!("refinement: {part}(4) || Node(3) <= {part}(3)"), iteration),
            (&format!("refinement: {part}(3) || Node(2) <= {part}(2)"), iteration),
            (&format!("refinement: {part}(2) || Node(1) <= {part}(1)"), iteration),
            (&format!("refinement: {part}(1) || Node(0) <= {property}"), last),
        ],
    );
}

#[test]
fn ring_step_by_step() {
    steps("SubS", "S", [true, true, true]);
    steps("SubT1", "T", [false, false, true]);
    steps("SubT2", "T", [true, false, true]);
    steps("SubT3", "T", [false, false, false]);
    steps("SubT", "T", [true, true, true]);
}

#[test]
fn ring_as_a_whole() {
    let ring = "Node(0) || Node(1) || Node(2) || Node(3) || Node(4) || Node(5)";
    let question = |property: &str| format!("refinement: {ring} <= {property}");
    check(
        "leader-ring.net",
        &[
            (&question("S"), true),
            (&question("T"), true),
            (&question("Tight"), true),
            (&question("TooTight"), false),
        ],
    );
}

/// Each of N nodes may send as late as allowed, one after the other.
#[test]
fn longest_election_of_ring() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/leader-ring.net");
    let text = std::fs::read_to_string(path).unwrap();
    for nodes in 3..=7 {
        let text = text.replace("const int N = 6;", &format!("const int N = {nodes};"));
        let task = task(&text, &["sup{Watch.Waiting}: Watch.t"]);
        let answer = ZoneEngine::default().run(&task, &Budget::unlimited(), &Progress::new()).remove(0);
        let longest = MeasuredValue::Supremum(Limit::Attained(Rational::from_integer(2 * nodes)));
        assert_eq!(answer.verdict, Verdict::Value(vec![longest]), "{nodes} nodes");
    }
}

#[test]
fn assume_guarantee_contracts_of_ring() {
    for part in 1..=5 {
        let of = |name: &str| format!("{name}({part})");
        let contract =
            |kind: &str| format!("({} >> {})", of(&format!("Guarantee{kind}")), of(&format!("Assume{kind}")));
        check(
            "leader-ring.net",
            &[
                (&format!("refinement: {} <= {}", contract("S"), of("SubS")), true),
                (&format!("refinement: {} <= {}", of("SubS"), contract("S")), true),
                (&format!("refinement: {} <= {}", contract("T"), of("SubT")), true),
                (&format!("refinement: {} <= {}", of("SubT"), contract("T")), false),
            ],
        );
    }
}

/// The table of the text is the test: section, question, answer, the answer of another engine, and the reason.
#[test]
fn disputed_observations() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let page = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let (_, table) = page.split_once("| section | question | answer | ECDAR 0.10 | why |").unwrap();
    let mut questions = Vec::new();
    for row in table.lines().skip(2).take_while(|row| row.starts_with('|')) {
        let row = row.replace("\\|", "\u{1}");
        let cells: Vec<String> = row.split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect();
        let question = cells[2].trim_matches('`');
        check("observations.net", &[(question, cells[3] == "satisfied")]);
        assert!(["satisfied", "violated"].contains(&cells[3].as_str()), "{row}");
        questions.push(question.to_owned());
    }
    assert!(questions.len() >= 35, "only {} questions", questions.len());
    let file = std::fs::read_to_string(folder.join("observations.q")).unwrap();
    assert!(file.lines().eq(questions.iter()), "observations.q has other questions");
}
