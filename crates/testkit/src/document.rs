//! Documents with cases: prose, a model, and for each stage what it should give.
//!
//! Invariant: what does not look like a case is a fault with its line, never skipped.
//!
//! A heading `# title` or `## title` begins a case. Its first fenced block is a model, and the fence names its language,
//! `net` or another; then come pairs of a block whose fence names the stage, and a block `expect`. A first heading `#` without blocks, followed by cases with `##`, is
//! the title of the document.

use std::fmt::Write as _;

/// A model and what its stages should give.
pub(crate) struct Case {
    pub(crate) title: String,
    pub(crate) model: Model,
    pub(crate) stages: Vec<StageBlock>,
}

/// The text of a model, and the name that its file would have.
pub(crate) struct Model {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// A stage with what it reads and what it should give.
pub(crate) struct StageBlock {
    pub(crate) name: String,
    /// What stands in the block of the stage, such as queries.
    pub(crate) input: String,
    pub(crate) expected: Block,
}

/// A fenced block.
#[derive(Clone)]
pub(crate) struct Block {
    pub(crate) fence: String,
    /// The line of the opening fence, from one.
    pub(crate) line: usize,
    /// The line of the closing fence.
    pub(crate) end: usize,
    /// Without the last line break.
    pub(crate) content: String,
}

/// Something that is no case.
#[derive(Debug, PartialEq)]
pub(crate) struct Fault {
    pub(crate) line: usize,
    pub(crate) message: String,
}

struct Section {
    level: usize,
    title: String,
    line: usize,
    blocks: Vec<Block>,
}

/// All cases of a document, or everything that is wrong with it.
pub(crate) fn cases_of(document: &str) -> Result<Vec<Case>, Vec<Fault>> {
    let mut sections = sections_of(document).map_err(|fault| vec![fault])?;
    if sections.len() > 1
        && sections[0].level == 1
        && sections[0].blocks.is_empty()
        && sections[1..].iter().all(|section| section.level == 2)
    {
        sections.remove(0);
    }
    if sections.is_empty() {
        return Err(vec![Fault { line: 1, message: "the file has no cases".to_owned() }]);
    }
    let (mut cases, mut faults) = (Vec::new(), Vec::new());
    for section in sections {
        match case_of(section) {
            Ok(case) => cases.push(case),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(cases) } else { Err(faults) }
}

/// All blocks with this fence, wherever they stand.
pub(crate) fn blocks_of(document: &str, fence: &str) -> Vec<String> {
    let (mut blocks, mut open): (Vec<String>, Option<String>) = (Vec::new(), None);
    for line in document.lines() {
        match &mut open {
            Some(_) if line.starts_with("```") => blocks.extend(open.take()),
            Some(content) => writeln!(content, "{line}").unwrap(),
            None if line.strip_prefix("```") == Some(fence) => open = Some(String::new()),
            None => {}
        }
    }
    blocks
}

fn sections_of(document: &str) -> Result<Vec<Section>, Fault> {
    let mut sections: Vec<Section> = Vec::new();
    let mut open: Option<(String, Block)> = None;
    for (number, line) in document.lines().enumerate().map(|(index, line)| (index + 1, line)) {
        if let Some((marks, mut block)) = open.take() {
            if line.trim_end() == marks {
                block.end = number;
                block.content.pop();
                match sections.last_mut() {
                    Some(section) => section.blocks.push(block),
                    None => {
                        return Err(Fault { line: block.line, message: "a block before any heading".into() });
                    }
                }
            } else {
                writeln!(block.content, "{line}").unwrap();
                open = Some((marks, block));
            }
            continue;
        }
        let marks: String = line.chars().take_while(|&character| character == '`').collect();
        if marks.len() >= 3 {
            let fence = line[marks.len()..].trim().to_owned();
            open = Some((marks, Block { fence, line: number, end: number, content: String::new() }));
            continue;
        }
        let level = line.chars().take_while(|&character| character == '#').count();
        if let Some(title) = line[level..].strip_prefix(' ').filter(|_| (1..=2).contains(&level)) {
            sections.push(Section { level, title: title.to_owned(), line: number, blocks: Vec::new() });
        }
    }
    match open {
        Some((_, block)) => Err(Fault { line: block.line, message: "the block is not closed".to_owned() }),
        None => Ok(sections),
    }
}

fn case_of(section: Section) -> Result<Case, Fault> {
    let Section { title, line, blocks, .. } = section;
    let fault = |line, message: &str| Err(Fault { line, message: format!("{title}: {message}") });
    let mut blocks = blocks.into_iter();
    let model = match blocks.next() {
        Some(block) if is_language(&block.fence) => {
            Model { name: format!("model.{}", block.fence), text: block.content }
        }
        Some(block) => {
            let message = "the first block of a case is a model, fenced as `net` or as another language";
            return fault(block.line, message);
        }
        None => return fault(line, "the case has no blocks"),
    };
    let mut stages = Vec::new();
    while let Some(stage) = blocks.next() {
        match (stage.fence.as_str(), blocks.next()) {
            ("", _) => return fault(stage.line, "the fence of the block does not name a stage"),
            ("expect", _) => return fault(stage.line, "no stage is named before this `expect`"),
            (language, _) if is_language(language) => return fault(stage.line, "a case has one model"),
            (name, Some(expected)) if expected.fence == "expect" => {
                stages.push(StageBlock { name: name.to_owned(), input: stage.content.clone(), expected });
            }
            _ => return fault(stage.line, "the stage has no `expect` block behind it"),
        }
    }
    if stages.is_empty() {
        return fault(line, "the case names no stage and expects nothing");
    }
    Ok(Case { title, model, stages })
}

fn is_language(fence: &str) -> bool {
    // A component of a project has no language of its own: its folder says what it is.
    fence == "component"
        || tempora_frontends::LANGUAGES.iter().any(|language| language.extensions.contains(&fence))
}
