//! Extracts the commands of `README.md`, so that exactly its promises are tested.
//!
//! A comment `<!-- ci: test -->`, `<!-- ci: run -->` or `<!-- ci: output -->` stands before a fenced block. There is
//! one test command. Every `run` is followed by the `output` that the command prints, to the letter. A command that ends with
//! another exit status than 0 is marked `<!-- ci: run, status 1 -->`.

use std::path::Path;
use std::process::Command;

use crate::markdown::{self, Fence};

/// The commands of the README.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readme {
    /// The lines of the test command.
    pub test_command: String,
    /// The examples, in order.
    pub examples: Vec<Example>,
}

/// A command and its standard output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// Where the command is in the README.
    pub line: usize,
    /// The lines of the command.
    pub command: String,
    /// The expected exit status.
    pub status: i32,
    /// The expected output.
    pub output: String,
}

impl Readme {
    /// Reads `README.md` in the folder `root`.
    pub fn of_workspace(root: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(root.join("README.md"))
            .map_err(|error| format!("cannot read README.md: {error}"))?;
        Self::parse(&text).map_err(|message| format!("README.md: {message}"))
    }

    /// Reads the marked blocks of a text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let fences = markdown::fences(text);
        let mut test_command = None;
        let mut examples: Vec<Example> = Vec::new();
        let mut command: Option<(&Fence, i32)> = None;
        for (line, content) in markdown::lines_outside_fences(text) {
            let Some(kind) =
                content.trim().strip_prefix("<!-- ci:").and_then(|rest| rest.strip_suffix("-->"))
            else {
                continue;
            };
            let (kind, status) = match kind.trim().split_once(", status ") {
                Some((kind @ "run", status)) => {
                    (kind, status.parse().map_err(|_| format!("line {line}: `{status}` is not a status"))?)
                }
                _ => (kind.trim(), 0),
            };
            let fence = block_after(text, &fences, line)
                .ok_or_else(|| format!("line {line}: no fenced block follows this comment"))?;
            match (kind, command) {
                ("test", None) if test_command.is_none() => test_command = Some(fence.content.clone()),
                ("test", None) => return Err(format!("line {line}: a second test command")),
                ("run", None) => command = Some((fence, status)),
                ("output", Some((run, status))) => {
                    let (command_text, output) = (run.content.clone(), fence.content.clone());
                    examples.push(Example { line: run.line, command: command_text, status, output });
                    command = None;
                }
                ("output", None) => {
                    return Err(format!("line {line}: there is no `run` before this `output`"));
                }
                ("test" | "run", Some(_)) => {
                    return Err(format!("line {line}: the `run` before has no `output`"));
                }
                _ => return Err(format!("line {line}: `{kind}` is not one of test, run, output")),
            }
        }
        if command.is_some() {
            return Err("the last `run` has no `output`".to_owned());
        }
        if examples.is_empty() {
            return Err("there is no `run`".to_owned());
        }
        let test_command = test_command.ok_or("there is no `test`")?;
        Ok(Self { test_command, examples })
    }

    /// Runs every example in the folder `root` and returns a complaint for each that prints something else.
    pub fn check_examples(&self, root: &Path) -> Result<Vec<String>, String> {
        let mut complaints = Vec::new();
        for example in &self.examples {
            let result = Command::new("sh")
                .args(["-e", "-c", &example.command])
                .current_dir(root)
                .output()
                .map_err(|error| format!("cannot start a shell: {error}"))?;
            let place = format!("README.md:{}: readme", example.line);
            let printed = String::from_utf8_lossy(&result.stdout);
            if result.status.code() != Some(example.status) {
                let errors = String::from_utf8_lossy(&result.stderr);
                complaints.push(format!("{place}: the command failed with {}:\n{errors}", result.status));
            } else if printed != example.output {
                let expected = &example.output;
                complaints.push(format!(
                    "{place}: the command prints\n{printed}\nwhere the README says\n{expected}"
                ));
            }
        }
        Ok(complaints)
    }
}

/// Returns the block that begins after a line, with nothing but empty lines between.
fn block_after<'a>(text: &str, fences: &'a [Fence], line: usize) -> Option<&'a Fence> {
    let gap = text.lines().skip(line).take_while(|content| content.trim().is_empty()).count();
    fences.iter().find(|fence| fence.line == line + gap + 1 && fence.is_closed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "# T\n<!-- ci: test -->\n```sh\ncargo test\n```\ntext\n<!-- ci: run -->\n\n```sh\necho one\n```\n\
                        gives\n<!-- ci: output -->\n```text\none\n```\n";

    #[test]
    fn the_marked_blocks_are_read() {
        let readme = Readme::parse(GOOD).unwrap();
        assert_eq!(readme.test_command, "cargo test\n");
        let (command, output) = ("echo one\n".to_owned(), "one\n".to_owned());
        assert_eq!(readme.examples, [Example { line: 9, command, status: 0, output }]);
        let violated = Readme::parse(&GOOD.replace("ci: run", "ci: run, status 1")).unwrap();
        assert_eq!(violated.examples[0].status, 1);
    }

    #[test]
    fn an_incomplete_readme_is_an_error() {
        let error = |text: &str| Readme::parse(text).unwrap_err();
        assert!(error("# T\n").contains("no `run`"));
        assert!(error(&GOOD.replace("ci: test", "test")).contains("no `test`"));
        assert!(error(&GOOD.replace("ci: output", "output")).contains("no `output`"));
        assert!(error(&GOOD.replace("ci: run", "run")).contains("no `run` before"));
        assert!(error(&GOOD.replace("ci: run", "ci: runs")).contains("`runs` is not one of"));
        assert!(error(&GOOD.replace("ci: run", "ci: run, status x")).contains("`x` is not a status"));
        assert!(error(&GOOD.replace("```sh\ncargo", "cargo")).contains("line 2: no fenced block"));
        assert!(error(&format!("{GOOD}{GOOD}")).contains("a second test command"));
    }

    #[cfg(unix)]
    #[test]
    fn an_output_must_be_the_same_to_the_letter() {
        let complaints =
            |text: &str| Readme::parse(text).unwrap().check_examples(Path::new(".")).unwrap().len();
        assert_eq!(complaints(GOOD), 0);
        assert_eq!(complaints(&GOOD.replace("echo one", "echo two")), 1);
        assert_eq!(complaints(&GOOD.replace("echo one", "printf one")), 1);
        assert_eq!(complaints(&GOOD.replace("echo one", "echo one; false")), 1);
        let violated = GOOD.replace("ci: run", "ci: run, status 1");
        assert_eq!(complaints(&violated), 1);
        assert_eq!(complaints(&violated.replace("echo one", "echo one; false")), 0);
        assert_eq!(complaints(&GOOD.replace("echo one", "false\necho one")), 1);
    }
}
