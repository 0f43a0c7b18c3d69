//! The parser of boxes.
//!
//! Invariant: a file is read once, even if it is imported several times. Boxes are numbered in the order in which they
//! are read.

use std::sync::Arc;

use tempora_frontends::{Language, Plan, QueryFile, ReadModel, Reader, Reading};
use tempora_model::codes::meaning::UNKNOWN_NAME;
use tempora_source::{
    Diagnostic, Diagnostics, FileId, Span, Symbol, SymbolId, SymbolKind, SymbolRole, Symbols,
};

use super::document::BoxesDocument;
use super::lowering::LoweredBoxes;

/// The language.
pub(super) static BOXES: Language = Language::new(
    "boxes",
    "Nested boxes",
    &["box"],
    Reader::Lowered(|reading, file, queries| read(reading, file, queries, false)),
);

/// The language with a lowering that adds a transition to the last box.
pub(super) static DEFECTIVE_BOXES: Language = Language::new(
    "boxes",
    "Nested boxes",
    &["box"],
    Reader::Lowered(|reading, file, queries| read(reading, file, queries, true)),
);

/// A box.
#[derive(Clone, Debug)]
pub(super) struct BoxTree {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) parent: Option<usize>,
}

/// A transition.
#[derive(Clone, Debug)]
pub(super) struct Transition {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) span: Span,
}

/// A model.
#[derive(Clone, Debug, Default)]
pub(super) struct Boxes {
    pub(super) boxes: Vec<BoxTree>,
    pub(super) transitions: Vec<Transition>,
    pub(super) queries: Vec<Span>,
}

impl Boxes {
    pub(super) fn named(&self, name: &str) -> Option<usize> {
        self.boxes.iter().position(|one| one.name == name)
    }

    /// Returns the qualified name of a box.
    pub(super) fn path(&self, number: usize) -> String {
        match self.boxes[number].parent {
            Some(parent) => format!("{}.{}", self.path(parent), self.boxes[number].name),
            None => self.boxes[number].name.clone(),
        }
    }
}

/// A word of a line, with its place.
type Word<'text> = (&'text str, Span);

struct Scanner {
    model: Boxes,
    arrows: Vec<(String, Span, String, Span, Span)>,
    asked: Vec<(String, Span)>,
    files: Vec<FileId>,
    diagnostics: Diagnostics,
}

fn words(file: FileId, start: u32, line: &str) -> Vec<Word<'_>> {
    let offset = |word: &str| start + u32::try_from(word.as_ptr() as usize - line.as_ptr() as usize).unwrap();
    let length = |word: &str| u32::try_from(word.len()).unwrap();
    line.split_whitespace()
        .map(|word| (word, Span::new(file, offset(word), offset(word) + length(word))))
        .collect()
}

impl Scanner {
    fn file(&mut self, reading: &mut Reading<'_>, file: FileId) {
        self.files.push(file);
        let text = reading.files.text(file).to_owned();
        let (mut start, mut open): (u32, Vec<usize>) = (0, Vec::new());
        for line in text.split_inclusive('\n') {
            let found = words(file, start, line);
            start += u32::try_from(line.len()).unwrap();
            let whole = found
                .first()
                .zip(found.last())
                .map(|(first, last)| Span::new(file, first.1.start, last.1.end));
            let texts: Vec<&str> = found.iter().map(|(word, _)| *word).collect();
            match (texts.as_slice(), whole) {
                (["import", path], Some(whole)) => match reading.import(path.trim_matches('"'), whole) {
                    Ok(imported) if self.files.contains(&imported) => {}
                    Ok(imported) => self.file(reading, imported),
                    Err(problem) => self.diagnostics.push(problem),
                },
                (["box", name, rest @ ..], _) => {
                    let (name, parent) = ((*name).to_owned(), open.last().copied());
                    self.model.boxes.push(BoxTree { name, span: found[1].1, parent });
                    open.extend((rest == ["{"]).then(|| self.model.boxes.len() - 1));
                }
                (["}"], _) => drop(open.pop()),
                ([source, "->", target], Some(whole)) => self.arrows.push((
                    (*source).to_owned(),
                    found[0].1,
                    (*target).to_owned(),
                    found[2].1,
                    whole,
                )),
                (["query", ..], Some(whole)) if found.len() > 2 => {
                    self.model.queries.push(Span::new(file, found[1].1.start, whole.end));
                    self.asked.extend(found[2..].iter().map(|(word, span)| ((*word).to_owned(), *span)));
                }
                _ => {}
            }
        }
    }
}

fn read(
    reading: &mut Reading<'_>,
    file: FileId,
    _queries: Option<QueryFile>,
    is_defective: bool,
) -> ReadModel {
    let (model, diagnostics) = (Boxes::default(), Diagnostics::new());
    let mut scanner =
        Scanner { model, arrows: Vec::new(), asked: Vec::new(), files: Vec::new(), diagnostics };
    scanner.file(reading, file);
    let Scanner { mut model, arrows, asked, files, mut diagnostics } = scanner;
    let mut symbols = Symbols::new();
    let ids: Vec<SymbolId> = model
        .boxes
        .iter()
        .map(|one| symbols.define(Symbol::new(&one.name, SymbolKind::Variable, one.span)))
        .collect();
    let mut resolve = |model: &Boxes, name: &str, span: Span| {
        let found = model.named(name);
        match found {
            Some(number) => symbols.add_use(ids[number], span, SymbolRole::Read),
            None => diagnostics.push(unknown(name, span)),
        }
        found
    };
    for (source, source_span, target, target_span, span) in arrows {
        let ends = (resolve(&model, &source, source_span), resolve(&model, &target, target_span));
        if let (Some(source), Some(target)) = ends {
            model.transitions.push(Transition { source, target, span });
        }
    }
    for (name, span) in &asked {
        resolve(&model, name, *span);
    }
    let document = Arc::new(BoxesDocument { files, model: model.clone() });
    let lowered = (!diagnostics.has_errors()).then(|| {
        let mut lowered = LoweredBoxes::new(model, file, reading.origins, is_defective);
        let texts: Vec<(Span, String)> = lowered
            .model
            .queries
            .iter()
            .map(|span| (*span, reading.files.text_at(*span).to_owned()))
            .collect();
        for (span, text) in texts {
            let plan: Option<Plan> = lowered.plan(&text, span, reading.origins, &mut diagnostics);
            lowered.plans.extend(plan);
        }
        lowered
    });
    let model = lowered.map(|lowered| Arc::new(lowered) as Arc<dyn tempora_frontends::LoweredModel>);
    ReadModel { document, model, symbols, diagnostics }
}

/// Returns the error for an unknown box.
pub(super) fn unknown(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(&UNKNOWN_NAME, format!("unknown box `{name}`"))
        .with_primary(span, "")
        .with_hint("boxes are declared with `box NAME`")
}
