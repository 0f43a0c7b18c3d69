//! The list of command lines: parses the files of `xtask/record` and expands their templates.
//!
//! Invariant: the expansion depends on the list and the input files only, and every command line of a group is
//! unique, so that two records can be matched by group and command line.

use std::collections::BTreeSet;

use super::inputs::{Inputs, is_absent_corpus};

/// Steps that run one after the other and share a scratch folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The name of the scratch folder, and of the folder in the record.
    pub id: String,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// One step of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Runs the program and records the result.
    Run(CommandLine),
    /// Prepares an input file in the scratch folder.
    Prepare(Preparation),
}

/// A command line of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    /// Environment variables.
    pub environment: Vec<(String, String)>,
    /// The arguments after the name of the program.
    pub arguments: Vec<String>,
    /// The file that becomes standard input.
    pub standard_input: Option<String>,
}

/// An input file that a group makes for itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Preparation {
    /// Writes a text.
    Write {
        /// The file.
        path: String,
        /// Its text.
        text: String,
    },
    /// Copies a file.
    Copy {
        /// The original.
        from: String,
        /// The copy.
        to: String,
    },
    /// Replaces the first occurrence of a text in a file.
    Replace {
        /// The file.
        path: String,
        /// The text to replace.
        old: String,
        /// The text to put in its place.
        new: String,
    },
}

/// The expanded list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct List {
    /// The groups, in the order of the files.
    pub groups: Vec<Group>,
    /// Lines that need a corpus which is not beside the checkout.
    pub skipped: Vec<String>,
}

impl List {
    /// Returns the number of command lines.
    pub fn len(&self) -> usize {
        self.command_lines().count()
    }

    /// Returns whether the list has no command line.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns all command lines with the groups they belong to.
    pub fn command_lines(&self) -> impl Iterator<Item = (&Group, &CommandLine)> {
        self.groups.iter().flat_map(|group| {
            group.steps.iter().filter_map(move |step| match step {
                Step::Run(line) => Some((group, line)),
                Step::Prepare(_) => None,
            })
        })
    }

    /// Keeps the groups that have a command line with the word; the other lines of such a group may write its inputs.
    pub fn restrict(&mut self, word: &str) {
        self.groups.retain(|group| {
            group.steps.iter().any(|step| matches!(step, Step::Run(line) if line.to_string().contains(word)))
        });
        self.skipped.retain(|line| line.contains(word));
    }

    /// Expands a file of the list; its name is the first part of the ids of its groups.
    pub fn add_file(&mut self, name: &str, text: &str, inputs: &Inputs) -> Result<(), String> {
        let mut group: Option<Group> = None;
        for (number, line) in text.lines().enumerate() {
            let place = |message: String| format!("{name}.txt:{}: {message}", number + 1);
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(title) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                self.groups.extend(group.take());
                let id = format!("{name}-{}", slug(title));
                if self.groups.iter().any(|other| other.id == id) {
                    return Err(place(format!("there is another group `{title}`")));
                }
                group = Some(Group { id, steps: Vec::new() });
                continue;
            }
            let Some(group) = &mut group else {
                return Err(place("a line before the first `[group]`".to_owned()));
            };
            let words = words(line).map_err(place)?;
            match expand(&words, &mut Vec::new(), inputs).map_err(place)? {
                Some(commands) => {
                    for command in commands {
                        self.add_steps(group, &command, inputs).map_err(place)?;
                    }
                }
                None => self.skipped.push(line.to_owned()),
            }
        }
        self.groups.extend(group);
        Ok(())
    }

    fn add_steps(&mut self, group: &mut Group, words: &[String], inputs: &Inputs) -> Result<(), String> {
        let folder = scratch_folder(&group.id);
        for words in words.split(|word| word == ";") {
            let words: Vec<String> = words.iter().map(|word| word.replace("{out}", &folder)).collect();
            if words.iter().any(|word| is_absent_corpus(word, inputs)) {
                self.skipped.push(quoted(&words));
                continue;
            }
            let step = step(&words)?;
            if group.steps.contains(&step) && matches!(step, Step::Run(_)) {
                return Err(format!("the group repeats `{}`", quoted(&words)));
            }
            group.steps.push(step);
        }
        Ok(())
    }
}

/// Returns the scratch folder of a group, relative to the workspace.
pub fn scratch_folder(id: &str) -> String {
    format!("target/record/out/{id}")
}

impl std::fmt::Display for CommandLine {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (name, value) in &self.environment {
            write!(formatter, "{name}={value} ")?;
        }
        write!(formatter, "tempora")?;
        if !self.arguments.is_empty() {
            write!(formatter, " {}", quoted(&self.arguments))?;
        }
        match &self.standard_input {
            Some(path) => write!(formatter, " < {}", quoted(std::slice::from_ref(path))),
            None => Ok(()),
        }
    }
}

fn step(words: &[String]) -> Result<Step, String> {
    let is_assignment = |word: &String| {
        word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
        })
    };
    let count = words.iter().take_while(|word| is_assignment(word)).count();
    let (assignments, rest) = words.split_at(count);
    let preparation = match rest {
        [program, arguments @ ..] if program == "tempora" => {
            let (arguments, standard_input) = match arguments {
                [arguments @ .., redirect, path] if redirect == "<" => (arguments, Some(path.clone())),
                _ => (arguments, None),
            };
            let environment = assignments.iter().filter_map(|word| word.split_once('='));
            let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            let arguments = arguments.to_vec();
            return Ok(Step::Run(CommandLine { environment, arguments, standard_input }));
        }
        [word, path, text] if word == "write" => {
            Preparation::Write { path: path.clone(), text: text.replace("\\n", "\n") }
        }
        [word, from, to] if word == "copy" => Preparation::Copy { from: from.clone(), to: to.clone() },
        [word, path, old, new] if word == "replace" => {
            Preparation::Replace { path: path.clone(), old: old.clone(), new: new.clone() }
        }
        _ => return Err(format!("`{}` is no step; use tempora, write, copy or replace", quoted(words))),
    };
    Ok(Step::Prepare(preparation))
}

/// An element that a template repeats its command for.
enum Item {
    Word(String),
    Case { file: String, question: Vec<String> },
}

/// Expands a template into commands; `None` if it needs an absent corpus.
fn expand(
    words: &[String],
    items: &mut Vec<Item>,
    inputs: &Inputs,
) -> Result<Option<Vec<Vec<String>>>, String> {
    let [keyword, rest @ ..] = words else { return Ok(Some(Vec::new())) };
    if !matches!(keyword.as_str(), "each" | "sample" | "rows") {
        return Ok(Some(vec![substitute(words, items)]));
    }
    let end = rest.iter().position(|word| word.ends_with(':')).ok_or("the template has no `:`")?;
    let (head, body) = rest.split_at(end + 1);
    let mut head: Vec<String> = head.to_vec();
    if let Some(last) = head.last_mut() {
        last.pop();
    }
    if head.iter().any(|word| is_absent_corpus(word, inputs)) {
        return Ok(None);
    }
    let wanted = if keyword == "each" {
        usize::MAX
    } else {
        head.remove(0).parse().map_err(|_| format!("`{keyword}` needs a number"))?
    };
    let mut found = Vec::new();
    for word in &head {
        if keyword == "rows" {
            found.extend(
                inputs.cases(word)?.into_iter().map(|(file, question)| Item::Case { file, question }),
            );
        } else if word.contains('*') {
            let matches = inputs.matching(word);
            if matches.is_empty() {
                return Err(format!("`{word}` matches no file"));
            }
            found.extend(matches.into_iter().map(Item::Word));
        } else {
            found.push(Item::Word(word.clone()));
        }
    }
    let mut commands = Vec::new();
    for item in evenly(found, wanted) {
        items.push(item);
        match expand(body, items, inputs)? {
            Some(more) => commands.extend(more),
            None => return Ok(None),
        }
        items.pop();
    }
    Ok(Some(commands))
}

/// Picks that many elements at even distances.
fn evenly<T>(all: Vec<T>, wanted: usize) -> Vec<T> {
    let count = all.len();
    if wanted >= count {
        return all;
    }
    let chosen: BTreeSet<usize> = (0..wanted).map(|index| index * count / wanted).collect();
    all.into_iter().enumerate().filter(|(index, _)| chosen.contains(index)).map(|(_, item)| item).collect()
}

fn substitute(words: &[String], items: &[Item]) -> Vec<String> {
    let mut result = Vec::new();
    for word in words {
        if word == "{question}" {
            for item in items {
                if let Item::Case { question, .. } = item {
                    result.extend(question.iter().cloned());
                }
            }
            continue;
        }
        let mut word = word.clone();
        for (index, item) in items.iter().enumerate() {
            let value = match item {
                Item::Word(value) => value,
                Item::Case { file, .. } => file,
            };
            if index == 0 {
                word = word.replace("{}", value).replace("{name}", &slug(value));
            }
            word = word.replace(&format!("{{{}}}", index + 1), value);
        }
        result.push(word);
    }
    result
}

/// Returns the last part of a path with characters that are fit for the name of a file.
fn slug(text: &str) -> String {
    let last = text.trim_end_matches('/').rsplit('/').next().unwrap_or(text);
    let characters =
        last.chars().map(|character| if character.is_ascii_alphanumeric() { character } else { '-' });
    characters.collect()
}

/// Splits a line at white space; quotes keep a word together, and there are no escapes.
pub fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in line.chars() {
        match quote {
            Some(mark) if character == mark => quote = None,
            None if character == '\'' || character == '"' => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            None if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    if quote.is_some() {
        return Err("a quote is not closed".to_owned());
    }
    words.extend(word);
    Ok(words)
}

/// Joins words so that [`words`] splits them again.
pub fn quoted(words: &[String]) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./=,:{}@%+#".contains(character);
    let words = words.iter().map(|word| {
        if !word.is_empty() && word.chars().all(is_plain) {
            word.clone()
        } else if word.contains('\'') {
            format!("\"{word}\"")
        } else {
            format!("'{word}'")
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> Result<List, String> {
        let mut list = List::default();
        let inputs = Inputs::new(&crate::workspace_folder());
        list.add_file("test", text, &inputs).map(|()| list)
    }

    fn commands(text: &str) -> Vec<String> {
        expanded(text).unwrap().command_lines().map(|(_, line)| line.to_string()).collect()
    }

    #[test]
    fn splits_words_at_white_space_and_keeps_quotes() {
        assert_eq!(words("a 'b c' \"d'e\" ''").unwrap(), ["a", "b c", "d'e", ""]);
        assert!(words("a 'b").is_err());
        let line = ["A[] x < 1".to_owned(), "it's".to_owned(), "plain".to_owned()];
        assert_eq!(words(&quoted(&line)).unwrap(), line);
    }

    #[test]
    fn expands_templates_in_every_combination() {
        let lines = commands("[g]\neach a b: each 1 2: tempora check {} --seed {2} --out {out}/{name}.x\n");
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[1], "tempora check a --seed 2 --out target/record/out/test-g/a.x");
        let files = commands("[g]\neach examples/fischer.*: tempora lint {}\n");
        assert!(files.contains(&"tempora lint examples/fischer.xml".to_owned()), "{files:?}");
        assert_eq!(commands("[g]\nsample 2 a b c d: tempora {}\n"), ["tempora a", "tempora c"]);
        assert_eq!(commands("[g]\neach a: tempora {} ; tempora x {}\n"), ["tempora a", "tempora x a"]);
    }

    #[test]
    fn reads_environment_and_standard_input() {
        let list =
            expanded("[g]\nONE=1 tempora check - < examples/zeno.xml\nwrite {out}/a 'x\\ny'\n").unwrap();
        let [Step::Run(line), Step::Prepare(Preparation::Write { text, .. })] = &list.groups[0].steps[..]
        else {
            panic!("{list:?}");
        };
        assert_eq!(line.environment, [("ONE".to_owned(), "1".to_owned())]);
        assert_eq!(line.standard_input.as_deref(), Some("examples/zeno.xml"));
        assert_eq!(line.to_string(), "ONE=1 tempora check - < examples/zeno.xml");
        assert_eq!(text, "x\ny");
    }

    #[test]
    fn rejects_lines_that_are_no_step() {
        assert!(expanded("tempora check\n").is_err());
        assert!(expanded("[g]\ncheck x\n").is_err());
        assert!(expanded("[g]\ntempora a\ntempora a\n").is_err());
        assert!(expanded("[g]\neach no-such-*: tempora {}\n").is_err());
    }

    #[test]
    fn skips_lines_without_their_corpus() {
        let text = "[g]\ntempora check ../shared/corpus/no-such-kind/a.xml\neach ../shared/corpus/no-such-kind/*: tempora {}\n";
        let list = expanded(text).unwrap();
        assert_eq!((list.len(), list.skipped.len()), (0, 2));
    }

    #[test]
    fn restricts_to_groups_with_the_word() {
        let mut list = expanded("[a]\ntempora lint x\n[b]\ntempora check y\n").unwrap();
        list.restrict("lint");
        assert_eq!(list.len(), 1);
    }
}
