//! Statements after a statement that always returns.

use tempora_source::{Diagnostic, Severity};
use tempora_syntax::ast::{Statement, StatementKind};

use crate::blocks::for_each_block;
use crate::check::{Check, Need};
use crate::finding::Finding;
use crate::subject::Subject;

tempora_source::declare_code! {
    /// ## Meaning
    ///
    /// A statement follows a `return`, or an `if` whose branches all return.
    ///
    /// ## Why it matters
    ///
    /// The statement has no effect, although it looks as if it had.
    ///
    /// ## Example
    ///
    /// ```net
    /// int f(int n) {
    ///     return n;
    ///     n = 2;
    /// }
    /// process P { int n; init location A; A -> A { do n = f(n); } }
    /// system P;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Remove the statement, or move it before the return.
    ///
    /// To suppress the finding, write `// tempora: allow(unreachable-code)` on the line before, or in the comment of
    /// the location or edge.
    pub static CODE = "unreachable-code": "a statement of a function that is never executed";
}

pub(crate) static CHECK: Check =
    Check { code: &CODE, severity: Severity::Warning, is_default: true, need: Need::Model, find };

fn find(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for_each_block(subject.tree, &mut |block| {
        let mut statements = block.statements.iter();
        if statements.any(always_returns)
            && let Some(unreached) =
                statements.find(|statement| !matches!(statement.kind, StatementKind::Empty))
        {
            let diagnostic = Diagnostic::new(&CODE, CHECK.severity, "this statement is never executed")
                .with_primary(unreached.span, "")
                .with_hint("remove it, or move it before the return");
            findings.push(Finding::new(diagnostic));
        }
    });
}

fn always_returns(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Return(_) => true,
        StatementKind::Block(block) => block.statements.iter().any(always_returns),
        StatementKind::If { branches, otherwise } => {
            branches.iter().all(|branch| always_returns(&branch.body))
                && otherwise.as_deref().is_some_and(always_returns)
        }
        _ => false,
    }
}
