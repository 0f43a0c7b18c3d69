//! Statements whose indentation does not match their block.
//!
//! Only statements that begin a line are compared, and a statement is reported only if its indentation is wrong for tab
//! widths of both four and eight.

use tempora_source::{Diagnostic, Severity, Span};
use tempora_syntax::ast::{Block, Statement, StatementKind};

use crate::blocks::for_each_block;
use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// In a function, a statement begins in another column than the statements before it in the same block, or the body
    /// of an `if` or a loop is not indented.
    ///
    /// ## Why it matters
    ///
    /// The indentation suggests the wrong structure: a statement that looks like part of the preceding `if` is in fact
    /// always executed.
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
    /// Indent the statement like its block, or add braces. The check runs only on request.
    ///
    /// To suppress the finding, write `// tempora: allow(indentation)` on the line before.
    pub static CODE = "indentation": "a statement with misleading indentation";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Info, is_default: false, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for_each_block(subject.tree, &mut |block| {
        let diagnostics = misplaced(subject, block).into_iter().map(|(span, message, before)| {
            Diagnostic::new(&CODE, CHECK.severity, message)
                .with_primary(span, "")
                .with_secondary(before, "compared with this statement")
                .with_hint("indent it like its block, or add braces")
        });
        findings.extend(diagnostics.map(Finding::new));
    });
}

/// Returns the wrongly indented statements of a block, each with the statement that it is compared with.
fn misplaced(subject: &Subject<'_>, block: &Block) -> Vec<(Span, &'static str, Span)> {
    let mut misplaced = Vec::new();
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
                        && width.differs_from(other)
                    {
                        misplaced.push((
                            statement.span,
                            "this statement is not aligned with its block",
                            before,
                        ));
                    }
                }
            }
        }
        for_each_body(statement, &mut |whole, body| {
            // Braces already show the extent of a block.
            if matches!(body.kind, StatementKind::Block(_) | StatementKind::Empty) {
                return;
            }
            if let (Some(outer), Some(width)) =
                (width_before(subject, whole), width_before(subject, body.span))
                && !width.is_right_of(outer)
            {
                misplaced.push((body.span, "this body is not indented", whole));
            }
        });
    }
    misplaced
}

/// Visits the bodies of a statement, each with the span of the statement that owns it, except inside nested blocks.
fn for_each_body(statement: &Statement, visit: &mut dyn FnMut(Span, &Statement)) {
    let mut show = |whole: Span, body: &Statement| {
        visit(whole, body);
        if !matches!(body.kind, StatementKind::Block(_)) {
            for_each_body(body, visit);
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

/// An indentation in columns, for tabs of width four and of width eight.
#[derive(Clone, Copy)]
struct Width([usize; 2]);

impl Width {
    fn differs_from(self, other: Width) -> bool {
        self.0.iter().zip(other.0).all(|(own, other)| *own != other)
    }

    fn is_right_of(self, other: Width) -> bool {
        self.0.iter().zip(other.0).any(|(own, other)| *own > other)
    }
}

/// Returns the indentation of a span that begins its line, unless that is the first line of its text.
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
