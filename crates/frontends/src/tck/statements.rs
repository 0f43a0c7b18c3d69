//! Parses the statements of a `do` attribute into updates or the body of a function.
//!
//! Invariant: local variables are declared with the value zero at the start of their sequence, and assigned where they
//! are written; they are not used before.

use tempora_model::codes::meaning::{DUPLICATE_NAME, NOT_CONSTANT};
use tempora_source::{Diagnostic, Span};
use tempora_syntax::ast::{
    ArrayDimension, ArrayDimensionKind, AssignmentOperator, BaseType, Block, ConditionalBranch, Declaration,
    DeclarationKind, Declarator, Expression, ExpressionKind, Name, Statement, StatementKind, TypeExpression,
    VariableDeclaration,
};

use super::expressions::{Built, Local, Reported, Result, ValueParser};
use super::tokens::TokenKind;
use super::trees;

/// The statements of one or several `do` attributes.
#[derive(Default)]
pub(super) struct Sequence {
    declarations: Vec<Declaration>,
    statements: Vec<Statement>,
}

impl Sequence {
    /// Appends another sequence.
    pub(super) fn extend(&mut self, other: Sequence) {
        self.declarations.extend(other.declarations);
        self.statements.extend(other.statements);
    }

    /// Returns the assignments, if there are no other statements; otherwise the whole sequence as a block.
    pub(super) fn into_updates(self, span: Span) -> std::result::Result<Vec<Expression>, Block> {
        let is_plain = |statement: &Statement| matches!(statement.kind, StatementKind::Expressions(_));
        if !self.declarations.is_empty() || !self.statements.iter().all(is_plain) {
            return Err(self.into_block(span));
        }
        let expressions = self.statements.into_iter().flat_map(|statement| match statement.kind {
            StatementKind::Expressions(expressions) => expressions,
            _ => Vec::new(),
        });
        Ok(expressions.collect())
    }

    fn into_block(self, span: Span) -> Block {
        Block { declarations: self.declarations, statements: self.statements, span }
    }
}

impl ValueParser<'_> {
    /// Parses a whole value as a sequence of statements. The local variables of earlier values are visible, and its own
    /// are added.
    pub(super) fn update(mut self, locals: &mut Vec<Local>) -> Result<Sequence> {
        self.locals = std::mem::take(locals);
        let sequence = self.sequence()?;
        self.expect_end()?;
        *locals = std::mem::take(&mut self.locals);
        Ok(sequence)
    }

    /// Parses statements that are separated by `;`; the last `;` is optional.
    fn sequence(&mut self) -> Result<Sequence> {
        let mut sequence = Sequence::default();
        loop {
            self.statement(&mut sequence)?;
            if !self.at_sign(";") {
                return Ok(sequence);
            }
            self.advance();
            if self.token().kind == TokenKind::End || self.at_word("end") || self.at_word("else") {
                return Ok(sequence);
            }
        }
    }

    fn block(&mut self) -> Result<Statement> {
        let (outer, start) = (self.locals.len(), self.token().span);
        let sequence = self.nested(Self::sequence)?;
        self.locals.truncate(outer);
        let span = start.cover(self.token().span);
        Ok(Statement { kind: StatementKind::Block(sequence.into_block(span)), span })
    }

    fn statement(&mut self, sequence: &mut Sequence) -> Result<()> {
        let token = self.token();
        let statement = match token.kind {
            TokenKind::Word("nop") => {
                self.advance();
                return Ok(());
            }
            TokenKind::Word("local") => return self.local(sequence),
            TokenKind::Word("if") => {
                self.advance();
                let condition = self.condition()?.tree;
                self.expect_word("then")?;
                let body = self.block()?;
                let otherwise = if self.at_word("else") {
                    self.advance();
                    Some(Box::new(self.block()?)).filter(|block| !is_empty(block))
                } else {
                    None
                };
                let span = token.span.cover(self.expect_word("end")?);
                let branches = vec![ConditionalBranch { condition, body, span }];
                Statement { kind: StatementKind::If { branches, otherwise }, span }
            }
            TokenKind::Word("while") => {
                self.advance();
                let condition = self.condition()?.tree;
                self.expect_word("do")?;
                let body = Box::new(self.block()?);
                let span = token.span.cover(self.expect_word("end")?);
                Statement { kind: StatementKind::While { condition, body }, span }
            }
            TokenKind::Name(name) => {
                self.advance();
                let target = self.variable(name, token.span)?;
                if !self.at_sign("=") {
                    return self.unexpected("`=`");
                }
                let operator_span = self.advance().span;
                let value = self.term()?;
                self.assignment(target, operator_span, value)?
            }
            _ => return self.unexpected("a statement"),
        };
        sequence.statements.push(statement);
        Ok(())
    }

    fn assignment(&mut self, target: Built, operator_span: Span, value: Built) -> Result<Statement> {
        self.require_term(&value)?;
        let span = target.tree.span.cover(value.tree.span);
        let kind = ExpressionKind::Assignment {
            operator: AssignmentOperator::Assign,
            operator_span,
            target: Box::new(target.tree),
            value: Box::new(value.tree),
        };
        let kind = StatementKind::Expressions(vec![Expression { kind, span }]);
        Ok(Statement { kind, span })
    }

    /// Parses `local i`, `local i = 3` or `local a[3]`.
    fn local(&mut self, sequence: &mut Sequence) -> Result<()> {
        let start = self.advance().span;
        let token = self.token();
        let TokenKind::Name(text) = token.kind else { return self.unexpected("a name") };
        self.advance();
        let name = Name { text: text.to_owned(), span: token.span };
        let first = self.locals.iter().find(|local| local.name.text == text).map(|local| local.name.span);
        if let Some(first) = first.or(self.variables.table.get(text).map(|variable| variable.span)) {
            return self.refuse_duplicate(&name, first);
        }
        let mut dimensions = Vec::new();
        let mut end = token.span;
        let mut initial = None;
        if self.at_sign("[") {
            let open = self.advance().span;
            let size = self.nested(Self::term)?;
            if size.has_names {
                let message = "the size of a local array must be a constant";
                return self.refuse(&NOT_CONSTANT, size.tree.span, message, "write a number");
            }
            end = self.expect_sign("]")?;
            dimensions
                .push(ArrayDimension { kind: ArrayDimensionKind::Size(size.tree), span: open.cover(end) });
        } else if self.at_sign("=") {
            let operator_span = self.advance().span;
            let value = self.term()?;
            end = value.tree.span;
            initial = Some((operator_span, value));
        }
        let span = start.cover(end);
        self.locals.push(Local { name: name.clone(), is_array: !dimensions.is_empty() });
        let declarator = Declarator { name, dimensions, initialiser: None, span };
        let base = BaseType::BoundedInteger {
            lower: Box::new(trees::integer(i64::from(i32::MIN), token.span)),
            upper: Box::new(trees::integer(i64::from(i32::MAX), token.span)),
        };
        let variable_type = TypeExpression { prefixes: Vec::new(), base, span: token.span };
        let kind =
            DeclarationKind::Variables(VariableDeclaration { variable_type, declarators: vec![declarator] });
        sequence.declarations.push(Declaration { kind, span });
        let is_zero = |value: &Built| value.tree.kind == ExpressionKind::Integer(0);
        if let Some((operator_span, value)) = initial.filter(|(_, value)| !is_zero(value)) {
            let target = self.variable(text, token.span)?;
            let statement = self.assignment(target, operator_span, value)?;
            sequence.statements.push(statement);
        }
        Ok(())
    }

    fn refuse_duplicate(&mut self, name: &Name, first: Span) -> Result<()> {
        self.push(
            Diagnostic::error(&DUPLICATE_NAME, format!("`{}` is declared twice", name.text))
                .with_primary(name.span, "declared again")
                .with_secondary(first, "first declared here")
                .with_hint("choose another name for the local variable"),
        );
        Err(Reported)
    }
}

/// Returns whether a statement is an empty block.
fn is_empty(statement: &Statement) -> bool {
    matches!(&statement.kind, StatementKind::Block(block) if block.statements.is_empty() && block.declarations.is_empty())
}
