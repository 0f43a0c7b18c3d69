//! The syntax tree of an XSTS model.
//!
//! Invariant: a missing section is `None`, and has been reported.

use tempora_source::Span;

use crate::symbolic::trees::{ExpressionTree, TypeTree};

#[derive(Clone, Debug, Default)]
pub(super) struct ModelTree {
    pub(super) types: Vec<EnumerationTree>,
    pub(super) variables: Vec<VariableTree>,
    pub(super) trans: Option<Vec<StatementTree>>,
    pub(super) init: Option<Vec<StatementTree>>,
    pub(super) env: Option<Vec<StatementTree>>,
    pub(super) property: Option<ExpressionTree>,
}

#[derive(Clone, Debug)]
pub(super) struct EnumerationTree {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) literals: Vec<(String, Span)>,
}

#[derive(Clone, Debug)]
pub(super) struct VariableTree {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) is_control: bool,
    pub(super) value_type: TypeTree,
    pub(super) initial: Option<ExpressionTree>,
}

#[derive(Clone, Debug)]
pub(super) struct StatementTree {
    pub(super) kind: StatementKind,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum StatementKind {
    Assign {
        name: String,
        name_span: Span,
        indexes: Vec<ExpressionTree>,
        value: ExpressionTree,
    },
    Havoc(String, Span),
    Assume(ExpressionTree),
    Local(VariableTree),
    Block(Vec<StatementTree>),
    Choice(Vec<StatementTree>),
    If {
        condition: ExpressionTree,
        then: Box<StatementTree>,
        otherwise: Option<Box<StatementTree>>,
    },
    For {
        counter: String,
        counter_span: Span,
        from: ExpressionTree,
        to: ExpressionTree,
        body: Box<StatementTree>,
    },
}
