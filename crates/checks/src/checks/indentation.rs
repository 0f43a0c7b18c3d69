//! Statements that stand further left or right than they belong.
//!
//! Invariant: only findings of this code. Only what begins a line is looked at, and only what is off whether a tabulator is
//! four or eight wide.

use tempora_source::{Diagnostic, Severity, Span};
use tempora_syntax::ast::{Block, Statement, StatementKind};

use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;
use crate::written::for_each_block;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// In a function, a statement begins its line in another column than the statements before it in the same block, or what
    /// belongs to an `if` or a loop does not stand further right than it.
    ///
    /// ## Why it matters
    ///
    /// Readers see by the indentation what belongs together. A statement that looks as if it belonged to the `if` before it
    /// is executed in any case.
    ///
    /// ## Example
    ///
    /// ```net
    /// int n;
    /// void count(bool again) {
    ///     if (again)
    ///         n = 1;
    ///         n = 2;
    /// }
    /// process P { init location A; A -> A { do count(n == 1); } }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Put braces around what belongs together, and indent it. The check is run on request only.
    ///
    /// If it is meant, `// tempora: allow(indentation)` on the line before silences it.
    pub static CODE = "indentation": "a statement that is indented as if it belonged elsewhere";
}

/// The check.
pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: false, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for_each_block(subject.tree, &mut |block| {
        let off = compared(subject, block);
        let diagnostics = off.into_iter().map(|(span, message, before)| {
            Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(span, "")
                .with_secondary(before, "compared with this")
                .with_hint("indent it as it belongs, or put braces around what belongs together")
        });
        findings.extend(diagnostics.map(Finding::new));
    });
}

/// What is off in a block, each with what it is compared with.
fn compared(subject: &Subject<'_>, block: &Block) -> Vec<(Span, &'static str, Span)> {
    let mut off = Vec::new();
    let mut first: Option<Span> = None;
    for statement in &block.statements {
        if matches!(statement.kind, StatementKind::Empty | StatementKind::Error) {
            continue;
        }
        if let Some(width) = width_before(subject, statement.span) {
            match first {
                None => first = Some(statement.span),
                Some(before) => {
                    if let Some(other) = width_before(subject, before)
                        && width.is_off(other)
                    {
                        off.push((statement.span, "this is indented as if it belonged elsewhere", before));
                    }
                }
            }
        }
        inner(statement, &mut |whole, body| {
            // A block has its braces to show what belongs to it.
            if matches!(body.kind, StatementKind::Block(_) | StatementKind::Empty) {
                return;
            }
            if let (Some(outer), Some(width)) =
                (width_before(subject, whole), width_before(subject, body.span))
                && !width.is_right_of(outer)
            {
                off.push((body.span, "this belongs to what stands before it, and is not indented", whole));
            }
        });
    }
    off
}

/// Shows what belongs to a statement, with the text that it belongs to; not what belongs to blocks inside.
fn inner(statement: &Statement, visit: &mut dyn FnMut(Span, &Statement)) {
    let mut show = |whole: Span, body: &Statement| {
        visit(whole, body);
        if !matches!(body.kind, StatementKind::Block(_)) {
            inner(body, visit);
        }
    };
    match &statement.kind {
        StatementKind::If { branches, otherwise } => {
            for branch in branches {
                show(branch.span, &branch.body);
            }
            if let Some(otherwise) = otherwise {
                show(statement.span, otherwise);
            }
        }
        StatementKind::For { body, .. }
        | StatementKind::ForEach { body, .. }
        | StatementKind::While { body, .. }
        | StatementKind::DoWhile { body, .. } => show(statement.span, body),
        _ => {}
    }
}

/// How far something is indented, with tabulators of four and of eight.
#[derive(Clone, Copy)]
struct Width([usize; 2]);

impl Width {
    fn is_off(self, other: Width) -> bool {
        self.0.iter().zip(other.0).all(|(own, other)| *own != other)
    }

    fn is_right_of(self, other: Width) -> bool {
        self.0.iter().zip(other.0).any(|(own, other)| *own > other)
    }
}

/// How far something is indented, if it begins its line and the line is not the first of its text.
fn width_before(subject: &Subject<'_>, span: Span) -> Option<Width> {
    let text = subject.files.text(span.file);
    let before = text.get(..span.start as usize)?;
    let white = &before[before.rfind('\n')? + 1..];
    if !white.chars().all(|character| character == ' ' || character == '\t') {
        return None;
    }
    Some(Width([4, 8].map(|tabulator| {
        white.chars().fold(0, |width, character| match character {
            '\t' => (width / tabulator + 1) * tabulator,
            _ => width + 1,
        })
    })))
}
