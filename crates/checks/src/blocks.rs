//! Traversal of the function bodies of a syntax tree.
//!
//! Invariant: every block is visited once, outer blocks before inner ones.

use tempora_syntax::ast::{Block, Declaration, DeclarationKind, Network, Statement, StatementKind};

/// Visits every block of every function.
pub(crate) fn for_each_block(tree: &Network, visit: &mut dyn FnMut(&Block)) {
    fn in_declarations(declarations: &[Declaration], visit: &mut dyn FnMut(&Block)) {
        for declaration in declarations {
            match &declaration.kind {
                DeclarationKind::Function(function) => in_block(&function.body, visit),
                DeclarationKind::Process(process) => in_declarations(&process.declarations, visit),
                _ => {}
            }
        }
    }
    fn in_block(block: &Block, visit: &mut dyn FnMut(&Block)) {
        visit(block);
        for statement in &block.statements {
            in_statement(statement, visit);
        }
    }
    fn in_statement(statement: &Statement, visit: &mut dyn FnMut(&Block)) {
        match &statement.kind {
            StatementKind::Block(block) => in_block(block, visit),
            StatementKind::If { branches, otherwise } => {
                branches.iter().for_each(|branch| in_statement(&branch.body, visit));
                otherwise.iter().for_each(|otherwise| in_statement(otherwise, visit));
            }
            StatementKind::For { body, .. }
            | StatementKind::ForEach { body, .. }
            | StatementKind::While { body, .. }
            | StatementKind::DoWhile { body, .. } => in_statement(body, visit),
            _ => {}
        }
    }
    in_declarations(&tree.declarations, visit);
}
