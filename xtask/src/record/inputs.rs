//! The input files of the list: glob patterns, tables of cases, and models in the fenced blocks of Markdown files.
//!
//! A block has the name `FILE.md#N.KIND`: the N-th block of that kind in the file.

use std::fs;
use std::path::{Path, PathBuf};

use crate::markdown;

/// Where the corpora are, relative to the workspace.
const CORPORA: &str = "../shared/corpus/";

/// The folder that paths of the list are relative to.
#[derive(Debug, Clone)]
pub struct Inputs {
    root: PathBuf,
}

/// Returns whether a word names something in a corpus that is not beside the checkout.
pub fn is_absent_corpus(word: &str, inputs: &Inputs) -> bool {
    let kind = word.find(CORPORA).map(|start| &word[start + CORPORA.len()..]);
    let kind = kind.and_then(|rest| rest.split('/').next());
    kind.is_some_and(|kind| !inputs.root.join(CORPORA).join(kind).is_dir())
}

impl Inputs {
    /// Paths are relative to this folder.
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// Returns the paths that match a pattern, sorted; `*` stands for anything within a name.
    pub fn matching(&self, pattern: &str) -> Vec<String> {
        let (files, block) = match pattern.split_once('#') {
            Some((files, block)) => (files, Some(block)),
            None => (pattern, None),
        };
        let mut paths = vec![String::new()];
        for part in files.split('/') {
            paths = paths.iter().flat_map(|folder| self.entries(folder, part)).collect();
        }
        match block.and_then(|block| block.split_once('.')) {
            Some((number, kind)) => paths.iter().flat_map(|path| self.blocks(path, number, kind)).collect(),
            None => paths,
        }
    }

    fn entries(&self, folder: &str, part: &str) -> Vec<String> {
        let join = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        if !part.contains('*') {
            let path = join(part);
            return if self.root.join(&path).exists() { vec![path] } else { Vec::new() };
        }
        let entries = fs::read_dir(self.root.join(folder)).into_iter().flatten();
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| matches_pattern(part, name)).collect();
        names.sort();
        names.iter().map(|name| join(name)).collect()
    }

    fn blocks(&self, path: &str, number: &str, kind: &str) -> Vec<String> {
        let text = fs::read_to_string(self.root.join(path)).unwrap_or_default();
        let count = markdown::fences(&text).iter().filter(|fence| fence.info == kind).count();
        let numbers = (1..=count).map(|index| index.to_string());
        let numbers = numbers.filter(|index| matches_pattern(number, index));
        numbers.map(|index| format!("{path}#{index}.{kind}")).collect()
    }

    /// Returns the models and questions of a table with the columns id, file, query, expected.
    pub fn cases(&self, table: &str) -> Result<Vec<(String, Vec<String>)>, String> {
        let text = fs::read_to_string(self.root.join(table))
            .map_err(|error| format!("`{table}` cannot be read: {error}"))?;
        let folder = table.rsplit_once('/').map_or("", |(folder, _)| folder);
        let rows = text.lines().skip(1).filter_map(|line| {
            let mut columns = line.split('\t').skip(1);
            let (file, query) = (columns.next()?, columns.next()?);
            let question = match query.strip_prefix('@') {
                Some(path) => vec!["--property".to_owned(), format!("{folder}/{path}")],
                None if query == "-" => Vec::new(),
                None => vec!["--query".to_owned(), query.to_owned()],
            };
            Some((format!("{folder}/{file}"), question))
        });
        Ok(rows.collect())
    }

    /// Writes the block that a word names into a folder and returns its path; `None` if the word names no block.
    ///
    /// Queries and proofs of the case are written beside the model, where the program looks for them.
    pub fn extract(&self, word: &str, folder: &str) -> Result<Option<String>, String> {
        let Some((path, block)) = word.split_once(".md#") else { return Ok(None) };
        let Some((number, kind)) = block.split_once('.') else { return Ok(None) };
        let path = format!("{path}.md");
        let text = fs::read_to_string(self.root.join(&path))
            .map_err(|error| format!("`{path}` cannot be read: {error}"))?;
        let number: usize = number.parse().map_err(|_| format!("`{word}` has no number"))?;
        let fences = markdown::fences(&text);
        let models = fences.iter().enumerate().filter(|(_, fence)| fence.info == kind);
        let (index, model) = models
            .into_iter()
            .nth(number.saturating_sub(1))
            .ok_or_else(|| format!("there is no `{word}`"))?;
        let mut parts = path.trim_end_matches(".md").rsplit('/');
        let (name, area) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let stem = format!("{folder}/{area}-{name}-{number}");
        if kind == "component" {
            self.write(&format!("{stem}/Components/Component.json"), &model.content)?;
            return Ok(Some(stem));
        }
        let next = fences.get(index + 1).filter(|fence| !fence.content.trim().is_empty());
        match next.map(|fence| (fence.info.as_str(), &fence.content)) {
            Some(("check" | "agree" | "render" | "validate", queries)) => {
                let end = if kind == "xsts" { "prop" } else { "q" };
                self.write(&format!("{stem}.{end}"), queries)?;
            }
            Some(("prove", proof)) => self.write(&format!("{stem}.proof"), proof)?,
            _ => {}
        }
        let file = format!("{stem}.{kind}");
        self.write(&file, &model.content)?;
        Ok(Some(file))
    }

    fn write(&self, path: &str, text: &str) -> Result<(), String> {
        let full = self.root.join(path);
        let created = full.parent().map_or(Ok(()), fs::create_dir_all);
        created
            .and_then(|()| fs::write(&full, text))
            .map_err(|error| format!("`{path}` cannot be written: {error}"))
    }
}

/// Returns whether a name matches a pattern in which `*` stands for anything.
fn matches_pattern(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|name| {
            (0..=name.len()).any(|cut| name.get(cut..).is_some_and(|end| matches_pattern(rest, end)))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_names_with_stars() {
        assert!(matches_pattern("*.xml", "a.xml") && matches_pattern("a*b*", "axxbyy"));
        assert!(!matches_pattern("*.xml", "a.xm") && !matches_pattern("a*", "b"));
    }

    #[test]
    fn finds_blocks_of_markdown_files() {
        let inputs = Inputs::new(&crate::workspace_folder());
        let blocks = inputs.matching("tests/cases/tck/semantics.md#*.tck");
        assert!(blocks.contains(&"tests/cases/tck/semantics.md#1.tck".to_owned()), "{blocks:?}");
    }

    #[test]
    fn extracts_a_model_with_its_queries() {
        let folder = std::env::temp_dir().join(format!("tempora-record-inputs-{}", std::process::id()));
        fs::create_dir_all(folder.join("area")).unwrap();
        let text = "# T\n```net\none\n```\n```net\ntwo\n```\n```check\nE<> true\n```\n";
        fs::write(folder.join("area/cases.md"), text).unwrap();
        let inputs = Inputs::new(&folder);
        let path = inputs.extract("area/cases.md#2.net", "out").unwrap();
        let (model, queries) = ("out/area-cases-2.net", "out/area-cases-2.q");
        assert_eq!(path.as_deref(), Some(model));
        assert_eq!(fs::read_to_string(folder.join(model)).unwrap(), "two\n");
        assert_eq!(fs::read_to_string(folder.join(queries)).unwrap(), "E<> true\n");
        assert_eq!(inputs.extract("plain.net", "out"), Ok(None));
        assert!(inputs.extract("area/cases.md#3.net", "out").is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
