//! Parses cases: a model, and the expected output of each stage.
//!
//! Invariant: a malformed section is a fault with its line, never skipped.
//!
//! The first block of a case is a model, whose fence names its language, `net` or another; then come pairs of a block
//! whose fence names the stage, and a block `expect`.

use tempora_testkit::{Block, DocumentFault, Section};

/// A model and the expected output of its stages.
pub(crate) struct Case {
    pub(crate) title: String,
    pub(crate) model: Model,
    pub(crate) stages: Vec<StageBlock>,
}

/// The text of a model, and the name of its file.
pub(crate) struct Model {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// A stage with its input and expected output.
pub(crate) struct StageBlock {
    pub(crate) name: String,
    /// The block of the stage, such as queries.
    pub(crate) input: String,
    pub(crate) expected: Block,
}

/// Returns all cases of a document, or all of its faults.
pub(crate) fn cases_of(document: &str) -> Result<Vec<Case>, Vec<DocumentFault>> {
    let (mut cases, mut faults) = (Vec::new(), Vec::new());
    for section in tempora_testkit::cases_of(document)? {
        match case_of(section) {
            Ok(case) => cases.push(case),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(cases) } else { Err(faults) }
}

fn case_of(section: Section) -> Result<Case, DocumentFault> {
    let Section { title, line, blocks, .. } = section;
    let fault = |line, message: &str| Err(DocumentFault { line, message: format!("{title}: {message}") });
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
    // A component of a project belongs to the language of its folder.
    fence == "component"
        || tempora_frontends::LANGUAGES.iter().any(|language| language.extensions.contains(&fence))
}
