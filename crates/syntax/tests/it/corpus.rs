//! Tests that nearly every text of real models is read, if a folder of them is beside the checkout.
//!
//! Without the folder, as in a fresh clone, the tests print a note and pass.

#![expect(clippy::print_stdout, reason = "the test reports its counts")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tempora_testkit::report_skipped;

use tempora_source::{Colour, Diagnostics, FileId, Files, Span, decode_xml_text, render_text};
use tempora_syntax::{
    Dump, Parsed, parse_declarations, parse_expression_list, parse_guard, parse_invariant, parse_network,
    parse_parameters, parse_queries, parse_query, parse_rate, parse_select, parse_synchronisation,
    print_declarations, print_expression, print_expressions, print_network, print_query,
};

/// The required number of texts without errors in a thousand.
const REQUIRED: usize = 980;

#[test]
fn real_models_are_read_almost_without_errors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/uppaal-parse");
    if !folder.is_dir() {
        report_skipped("corpus", &format!("no models at {}", folder.display()));
        return;
    }
    let mut tally = Tally::default();
    for path in files_below(&folder) {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("").to_owned();
        let mut files = Files::new();
        let Ok(file) = files.add_bytes(path.display().to_string(), &std::fs::read(&path).unwrap()) else {
            continue;
        };
        match extension.as_str() {
            "xml" => read_document(&mut files, file, &mut tally),
            "xta" | "ta" => {
                let parsed = parse_network(&files, file);
                check_printed(&parsed, print_network, parse_network);
                tally.count("text model", &files, &parsed.diagnostics);
            }
            "q" => tally.count("query file", &files, &parse_queries(&files, file).diagnostics),
            _ => {}
        }
    }
    for (kind, (good, all)) in &tally.counts {
        println!("{kind}: {good} of {all}");
    }
    let (good, all) =
        tally.counts.values().fold((0, 0), |(good, all), &(more, most)| (good + more, all + most));
    println!("{good} of {all}");
    assert!(good * 1000 >= all * REQUIRED, "only {good} of {all} texts are read");
}

#[derive(Default)]
struct Tally {
    counts: BTreeMap<String, (usize, usize)>,
}

impl Tally {
    fn count(&mut self, kind: &str, files: &Files, diagnostics: &Diagnostics) {
        let entry = self.counts.entry(kind.to_owned()).or_default();
        entry.1 += 1;
        if diagnostics.has_errors() {
            if std::env::var_os("SHOW").is_some() {
                let first = &diagnostics.as_slice()[..1];
                println!("[{kind}]\n{}", render_text(files, first, Colour::Never));
            }
        } else {
            entry.0 += 1;
        }
    }
}

/// Checks that a text without errors gives the same tree after printing.
fn check_printed<Tree: Dump>(
    parsed: &Parsed<Tree>,
    print: impl Fn(&Tree) -> String,
    parse: impl Fn(&Files, FileId) -> Parsed<Tree>,
) {
    if parsed.diagnostics.has_errors() {
        return;
    }
    let printed = print(&parsed.tree);
    let mut files = Files::new();
    let file = files.add("printed", &*printed).unwrap();
    let again = parse(&files, file);
    assert!(!again.diagnostics.has_errors(), "{printed}\n{:?}", again.diagnostics);
    assert_eq!(again.tree.dump(), parsed.tree.dump(), "{printed}");
}

/// The queries have the verdict of another tool: those that it accepts must be read here.
#[test]
fn queries_accepted_by_other_tool_are_read() {
    let table =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/uppaal-queryparse/cases.tsv");
    let Ok(table) = std::fs::read_to_string(&table) else {
        report_skipped("corpus", &format!("no queries at {}", table.display()));
        return;
    };
    let mut tally = Tally::default();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let mut files = Files::new();
        let file = files.add(fields[0], fields[2]).unwrap();
        let parsed = parse_query(&files, file);
        tally.count(fields[3], &files, &parsed.diagnostics);
        check_printed(&parsed, print_query, parse_query);
    }
    println!("{:?}", tally.counts);
    let (good, all) = tally.counts["query-ok"];
    assert!(good * 1000 >= all * REQUIRED, "only {good} of {all} queries are read");
}

/// Parses the text between tags, which it finds by searching for the tags.
fn read_document(files: &mut Files, file: FileId, tally: &mut Tally) {
    let text = files.text(file).to_owned();
    let mut position = 0;
    while let Some(offset) = text[position..].find('<') {
        let start = position + offset;
        position = start + 1;
        if text[start..].starts_with("<!--") {
            position = text[start..].find("-->").map_or(text.len(), |end| start + end);
            continue;
        }
        let Some(tag_end) = text[start..].find('>').map(|end| start + end) else { break };
        let tag = &text[start + 1..tag_end];
        let name = tag.split_whitespace().next().unwrap_or("");
        if tag.ends_with('/')
            || !["declaration", "label", "formula", "system", "parameter", "instantiation"].contains(&name)
        {
            continue;
        }
        let Some(end) = text[tag_end..].find(&format!("</{name}>")).map(|end| tag_end + end) else {
            continue;
        };
        let kind =
            tag.split_once("kind=").map_or(name, |(_, rest)| rest[1..].split(['"', '\'']).next().unwrap());
        let span = Span::new(file, (tag_end + 1) as u32, end as u32);
        let (embedded, _) = decode_xml_text(files, span);
        let embedded = files.add_embedded(kind, embedded);
        position = end;
        let diagnostics = match kind {
            "declaration" | "system" | "instantiation" => {
                let parsed = parse_declarations(files, embedded);
                check_printed(&parsed, |tree| print_declarations(tree), parse_declarations);
                parsed.diagnostics
            }
            "parameter" => parse_parameters(files, embedded).diagnostics,
            "guard" => {
                let parsed = parse_guard(files, embedded);
                let print = |tree: &Option<_>| tree.as_ref().map_or_else(String::new, print_expression);
                check_printed(&parsed, print, parse_guard);
                parsed.diagnostics
            }
            "invariant" => parse_invariant(files, embedded).diagnostics,
            "select" => parse_select(files, embedded).diagnostics,
            "synchronisation" => parse_synchronisation(files, embedded).diagnostics,
            "assignment" => {
                let parsed = parse_expression_list(files, embedded);
                check_printed(&parsed, |tree| print_expressions(tree), parse_expression_list);
                parsed.diagnostics
            }
            "exponentialrate" => parse_rate(files, embedded).diagnostics,
            "formula" => {
                let parsed = parse_query(files, embedded);
                check_printed(&parsed, print_query, parse_query);
                parsed.diagnostics
            }
            _ => continue,
        };
        tally.count(kind, files, &diagnostics);
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { paths.push(path) }
        }
    }
    paths.sort();
    paths
}
