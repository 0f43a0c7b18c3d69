//! Parses documents with cases: prose, headings, and fenced blocks.
//!
//! Invariant: a block outside of a case, or an unclosed block, is an error with its line, never skipped.
//!
//! A heading `# title` or `## title` starts a case, which contains the blocks after it. A first heading `#` without
//! blocks, followed by cases with `##`, is the title of the document.

use std::fmt::Write as _;

/// A heading with its blocks.
pub struct Section {
    /// The number of `#`.
    level: usize,
    /// The text of the heading.
    pub title: String,
    /// The line of the heading, from one.
    pub line: usize,
    /// The blocks after it.
    pub blocks: Vec<Block>,
}

impl Section {
    /// Returns the first block with this fence.
    pub fn find(&self, fence: &str) -> Option<&Block> {
        self.blocks.iter().find(|block| block.fence == fence)
    }
}

/// A fenced block.
#[derive(Clone)]
pub struct Block {
    /// The info string after the opening marks.
    pub fence: String,
    /// The line of the opening fence, from one.
    pub line: usize,
    /// The line of the closing fence.
    pub end: usize,
    /// Without the last line break.
    pub content: String,
}

/// An error in the form of a document.
#[derive(Debug, PartialEq)]
pub struct DocumentFault {
    /// The line, from one.
    pub line: usize,
    /// The reason.
    pub message: String,
}

/// Returns the cases of a document, or its errors.
pub fn cases_of(document: &str) -> Result<Vec<Section>, Vec<DocumentFault>> {
    let mut sections = sections_of(document).map_err(|fault| vec![fault])?;
    if sections.len() > 1
        && sections[0].level == 1
        && sections[0].blocks.is_empty()
        && sections[1..].iter().all(|section| section.level == 2)
    {
        sections.remove(0);
    }
    if sections.is_empty() {
        return Err(vec![DocumentFault { line: 1, message: "the file has no cases".to_owned() }]);
    }
    Ok(sections)
}

/// Returns all blocks with this fence, inside and outside of cases.
pub fn blocks_of(document: &str, fence: &str) -> Vec<String> {
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

fn sections_of(document: &str) -> Result<Vec<Section>, DocumentFault> {
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
                        return Err(DocumentFault {
                            line: block.line,
                            message: "a block before any heading".into(),
                        });
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
        Some((_, block)) => {
            Err(DocumentFault { line: block.line, message: "the block is not closed".to_owned() })
        }
        None => Ok(sections),
    }
}
