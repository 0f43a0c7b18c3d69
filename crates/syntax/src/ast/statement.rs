//! Functions and their statements.
//!
//! Invariant: a chain of `else if` is one node, so that long generated chains do not make deep trees.

use tempora_source::Span;

use super::{Binding, Declaration, Expression, Name, Parameter, TypeExpression};

/// `int f(int a) { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionDeclaration {
    /// The type of the result.
    pub return_type: TypeExpression,
    /// The name.
    pub name: Name,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The body.
    pub body: Block,
    /// Its span.
    pub span: Span,
}

/// `{ declarations statements }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Variables and types, including those after a statement, which the parser reports.
    pub declarations: Vec<Declaration>,
    /// The statements.
    pub statements: Vec<Statement>,
    /// Its span, including the braces.
    pub span: Span,
}

/// One statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// Its kind.
    pub kind: StatementKind,
    /// Its span, including the semicolon.
    pub span: Span,
}

/// The kind of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `;`
    Empty,
    /// `x = 0, f();`, never empty
    Expressions(Vec<Expression>),
    /// `{ … }`
    Block(Block),
    /// `if (a) s else if (b) t else u`
    If {
        /// The conditions with their statements; never empty.
        branches: Vec<ConditionalBranch>,
        /// The statement after the last `else`.
        otherwise: Option<Box<Statement>>,
    },
    /// `for (a; b; c) s`; each of the three may be a list, and may be empty
    For {
        /// `a`
        initial: Vec<Expression>,
        /// `b`
        condition: Vec<Expression>,
        /// `c`
        step: Vec<Expression>,
        /// `s`
        body: Box<Statement>,
    },
    /// `for (i : T) s`
    ForEach {
        /// `i : T`
        binding: Box<Binding>,
        /// `s`
        body: Box<Statement>,
    },
    /// `while (e) s`
    While {
        /// `e`
        condition: Expression,
        /// `s`
        body: Box<Statement>,
    },
    /// `do s while (e);`
    DoWhile {
        /// `s`
        body: Box<Statement>,
        /// `e`
        condition: Expression,
    },
    /// `return e;`
    Return(Option<Expression>),
    /// `assert e;`
    Assert(Expression),
    /// Unreadable text, reported by a diagnostic.
    Error,
}

/// `if (e) s` or `else if (e) s`.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionalBranch {
    /// `e`
    pub condition: Expression,
    /// `s`
    pub body: Statement,
    /// Its span from `if` on.
    pub span: Span,
}
