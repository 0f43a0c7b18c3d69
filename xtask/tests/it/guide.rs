//! Questions of new users are answered within two links from the README or the index of the guide.

use std::collections::BTreeMap;

use xtask::markdown;
use xtask::tree::Tree;
use xtask::workspace_folder;

/// A question, and words that its answer has in common with no page that merely mentions the topic.
const QUESTIONS: [(&str, &[&str]); 11] = [
    ("How do I check for deadlocks?", &["A[] not deadlock", "tempora lint"]),
    ("What does `unchecked` mean?", &["unchecked", "no independent check"]),
    ("Why is the verdict `unknown`?", &["timeout reached", "memory limit reached", "--max-states"]),
    ("How do I get the shortest trace?", &["--trace shortest", "fewest transitions"]),
    ("Which exit status do I get in a CI job?", &["exit status", "is violated", "no verdict"]),
    ("Which constructs of UPPAAL are supported?", &["xta", "not answered"]),
    ("How do I limit time and memory?", &["--timeout", "--memory"]),
    ("How do I check a refinement?", &["refinement:", "<="]),
    ("How do I draw a counterexample?", &["tempora draw", "--trace"]),
    ("How do I check a verdict without trusting the engine?", &["--certificate", "verify-certificate"]),
    ("How do I read the answers in a program?", &["--output json", "schemas"]),
];

#[test]
fn questions_are_answered_within_two_links() {
    let tree = Tree::of_folder(&workspace_folder()).unwrap();
    let mut unanswered = String::new();
    for start in ["README.md", "docs/guide/README.md"] {
        let pages = pages_within(&tree, start, 2);
        for (question, words) in QUESTIONS {
            let is_answered = pages.keys().any(|page| {
                let text = tree.text(page).unwrap();
                words.iter().all(|word| text.contains(word))
            });
            if !is_answered {
                unanswered += &format!("{question} from {start}: no page has {words:?}\n");
            }
        }
    }
    assert!(unanswered.is_empty(), "{unanswered}");
}

#[test]
fn index_of_guide_links_every_page() {
    let tree = Tree::of_folder(&workspace_folder()).unwrap();
    let pages = pages_within(&tree, "docs/guide/README.md", 1);
    let all = tree.texts_with_extension("md").map(|(path, _)| path);
    let missing: Vec<&str> =
        all.filter(|path| path.starts_with("docs/guide/") && !pages.contains_key(*path)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Returns the Markdown pages that a reader reaches with at most `links` links, with the number of links.
fn pages_within(tree: &Tree, start: &str, links: usize) -> BTreeMap<String, usize> {
    let mut pages = BTreeMap::from([(start.to_owned(), 0)]);
    let mut pending = vec![start.to_owned()];
    for distance in 1..=links {
        for page in std::mem::take(&mut pending) {
            for link in markdown::links(tree.text(&page).unwrap()) {
                let target = link.target.split('#').next().unwrap_or_default();
                let path = resolved(&page, target);
                if path.ends_with(".md") && tree.contains_file(&path) && !pages.contains_key(&path) {
                    pages.insert(path.clone(), distance);
                    pending.push(path);
                }
            }
        }
    }
    pages
}

fn resolved(page: &str, target: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}
