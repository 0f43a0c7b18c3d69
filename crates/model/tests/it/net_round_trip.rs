//! Round trip of printed networks: printing the parsed text again gives the same text.

use std::path::Path;

use tempora_model::{Network, Query, elaborate_network, print_network, print_query};
use tempora_source::{Colour, Files, Origins, render_text};
use tempora_syntax::parse_network;

fn read(name: &str, text: &str) -> (Network, Vec<Query>) {
    let mut files = Files::new();
    let file = files.add(name, text).unwrap();
    let parsed = parse_network(&files, file);
    let mut origins = Origins::new();
    let elaborated = elaborate_network(&files, &mut origins, &parsed.tree);
    let mut diagnostics = parsed.diagnostics;
    diagnostics.extend(elaborated.diagnostics);
    assert!(
        !diagnostics.has_errors(),
        "{}\n{text}",
        render_text(&files, diagnostics.as_slice(), Colour::Never)
    );
    (elaborated.network.unwrap(), elaborated.queries)
}

fn check(path: &Path) -> (Network, Vec<Query>) {
    let name = path.file_name().unwrap().to_str().unwrap();
    let (network, queries) = read(name, &std::fs::read_to_string(path).unwrap());
    let printed = print_network(&network);
    let (again, _) = read(&format!("printed {name}"), &printed);
    assert_eq!(print_network(&again), printed);
    assert_eq!(again.processes.len(), network.processes.len());
    for (one, other) in network.processes.values().zip(again.processes.values()) {
        assert_eq!(one.name, other.name);
        assert_eq!(one.template, other.template);
        assert_eq!(one.edges.len(), other.edges.len());
        assert_eq!(one.initial, other.initial);
    }
    (network, queries)
}

#[test]
fn examples_are_read_back() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut count = 0;
    for entry in std::fs::read_dir(examples).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "net") {
            let (_, queries) = check(&path);
            let has_queries = !queries.is_empty() || path.with_extension("q").is_file();
            assert!(has_queries, "{}: no queries", path.display());
            count += 1;
        }
    }
    assert!(count >= 2);
}

#[test]
fn every_construct_is_read_back() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/everything.net");
    let (network, queries) = check(&path);
    let names: Vec<&str> = network.processes.values().map(|process| process.name.as_str()).collect();
    assert_eq!(names, ["W0", "W1(0)", "W1(1)", "W1(2)", "Other(7)"]);
    assert_eq!(queries.len(), 11);
    assert_eq!(network.vectors.len(), 1);
}

#[test]
fn queries_are_read_back() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/everything.net");
    let specifications = "query refinement: (W0 || W1(0)) <= (W1(1) && Other(7)); query consistency: W0 \\ W1(0);
        query A[] E<> W0.Busy; query bounds: a; query inf: W0.x; query maxtime: W0.Busy || g > 3;
        query E<> W0.location == 1 && exists (i : small_t) (W1(i).x < 2 || !(g <= 1)); query Pr[<=5](<> W0.Busy);";
    let text = std::fs::read_to_string(path).unwrap() + specifications;
    let (network, queries) = read("everything.net", &text);
    assert_eq!(queries.len(), 19);
    for query in &queries {
        let printed = print_query(&network, query);
        let (_, again) = read("printed", &format!("{text}\nquery {printed};"));
        let last = again.last().unwrap();
        assert_eq!(again.len(), 20, "{printed}");
        assert_eq!(print_query(&network, last), printed, "{}", query.text);
        assert_eq!(
            std::mem::discriminant(&last.kind),
            std::mem::discriminant(&query.kind),
            "{printed} from {}",
            query.text
        );
    }
}

#[test]
fn chain_of_conditions_is_printed_flat() {
    let chain: Vec<String> = (0..500).map(|number| format!("if (a == {number}) r = {number};")).collect();
    let text = format!(
        "int f(int a) {{ int r; {} else {{ if (a > 7) r = 1; }} return r; }}\nprocess P {{ init location A; }}\nsystem P;\n",
        chain.join(" else ")
    );
    let (network, _) = read("chain", &text);
    let printed = print_network(&network);
    assert!(
        printed.contains("    } else if (a == 499) {\n        r = 499;\n    } else {\n        if (a > 7) {")
    );
    assert!(printed.len() < 3 * text.len(), "{}", printed.len());
    assert_eq!(print_network(&read("printed", &printed).0), printed);
}
