//! Expressions, and temporal formulas of queries.
//!
//! Invariant: temporal nodes and `Deadlock` occur only in queries. The tree keeps different spellings apart (`&&` and
//! `and`, `=` and `:=`, parentheses), so that printing reproduces the text.

use tempora_source::Span;

use super::{Name, TypeExpression};

/// An expression of models or queries.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// Its kind.
    pub kind: ExpressionKind,
    /// Its span; for a parenthesised one, including the parentheses.
    pub span: Span,
}

/// The kind of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionKind {
    /// `17`. Never negative; at most 2147483647, or 2147483648 as the operand of a unary minus.
    Integer(i64),
    /// `1.5`, `1e-3`: the digits in the text; [`Expression::double_value`] parses them.
    Double(String),
    /// `true` or `false`.
    Boolean(bool),
    /// `"text"`: the characters between the quotes.
    Text(String),
    /// An unresolved name.
    Name(String),
    /// `deadlock`, in queries only.
    Deadlock,
    /// `(e)`.
    Parenthesised(Box<Expression>),
    /// `a[i]`.
    Index {
        /// The array.
        base: Box<Expression>,
        /// The index.
        index: Box<Expression>,
    },
    /// `a.b`: a field of a structure, or a location or variable of a process.
    Member {
        /// The structure or the process, such as `P` or `P(1)`.
        base: Box<Expression>,
        /// The field.
        member: Name,
    },
    /// `f(a, b)`: a function call or a process with arguments.
    Call {
        /// The function or process.
        callee: Box<Expression>,
        /// The arguments.
        arguments: Vec<Expression>,
    },
    /// `x'`, the rate of a clock.
    Derivative(Box<Expression>),
    /// `-e`, `+e`, `!e`, `not e`.
    Unary {
        /// The operator.
        operator: UnaryOperator,
        /// The spelling of `!`.
        spelling: Spelling,
        /// The span of the operator.
        operator_span: Span,
        /// The operand.
        operand: Box<Expression>,
    },
    /// `i++`, `--i`.
    Step {
        /// The position of the operator.
        place: StepPlace,
        /// The operator.
        direction: StepDirection,
        /// The operand.
        operand: Box<Expression>,
    },
    /// `a + b` and all other operators between two expressions, except assignments.
    Binary {
        /// The operator.
        operator: BinaryOperator,
        /// The spelling of `&&` and `||`. Other operators have [`Spelling::Symbol`], but `imply` and `xor` have
        /// [`Spelling::Word`].
        spelling: Spelling,
        /// The span of the operator.
        operator_span: Span,
        /// The left operand.
        left: Box<Expression>,
        /// The right operand.
        right: Box<Expression>,
    },
    /// `a ? b : c`.
    Conditional {
        /// `a`
        condition: Box<Expression>,
        /// `b`
        consequence: Box<Expression>,
        /// `c`
        alternative: Box<Expression>,
    },
    /// `a = b`, `a := b`, `a += b`.
    Assignment {
        /// The operator.
        operator: AssignmentOperator,
        /// The span of the operator.
        operator_span: Span,
        /// The left operand.
        target: Box<Expression>,
        /// The right operand.
        value: Box<Expression>,
    },
    /// `forall (i : T) e` and similar quantifiers.
    Quantified {
        /// The quantifier.
        quantifier: Quantifier,
        /// `i : T`
        binding: Box<Binding>,
        /// `e`
        body: Box<Expression>,
    },
    /// `spawn T(a, b)`.
    Spawn {
        /// The dynamic template.
        template: Name,
        /// Its arguments.
        arguments: Vec<Expression>,
    },
    /// `exit()`.
    Exit,
    /// `numOf(T)`.
    NumberOf(Name),
    /// `A[] p`, `E<> p` in queries; `<> p`, `[][1,5] p`, `X p` inside `Pr (…)`.
    Temporal {
        /// `A` or `E`; `None` inside `Pr`.
        quantifier: Option<PathQuantifier>,
        /// `[]`, `<>` or `X`.
        operator: TemporalOperator,
        /// `[l,u]`
        interval: Option<Box<Interval>>,
        /// `p`, which may itself be temporal.
        operand: Box<Expression>,
    },
    /// `A[p U q]`, `A[p W q]` with a quantifier; `p U q`, `p U[1,5] q`, `p R[1,5] q` without, inside `Pr (…)`.
    Until {
        /// `A` or `E`, with brackets around the formula; `None` inside `Pr`.
        quantifier: Option<PathQuantifier>,
        /// `U`, `W` or `R`.
        operator: UntilOperator,
        /// `[l,u]`
        interval: Option<Box<Interval>>,
        /// `p`
        left: Box<Expression>,
        /// `q`
        right: Box<Expression>,
    },
    /// `p --> q`, `p -->[<=T] q`.
    LeadsTo {
        /// `T`
        deadline: Option<Box<Expression>>,
        /// `p`
        left: Box<Expression>,
        /// `q`
        right: Box<Expression>,
    },
    /// Unreadable text, reported by a diagnostic.
    Error,
}

/// `i : T`, in quantifiers, selects, loops and Gantt rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// `i`
    pub name: Name,
    /// `T`
    pub domain: TypeExpression,
    /// Its span.
    pub span: Span,
}

/// `[l,u]` after a temporal operator.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// `l`
    pub lower: Expression,
    /// `u`
    pub upper: Expression,
    /// Its span, including the brackets.
    pub span: Span,
}

/// The spelling of an operator that is both a symbol and a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spelling {
    /// `&&`, `||`, `!`
    Symbol,
    /// `and`, `or`, `not`
    Word,
}

/// An operator before one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnaryOperator {
    /// `-`
    Negate,
    /// `+`
    Plus,
    /// `!`, `not`
    Not,
}

/// The position of `++` or `--`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepPlace {
    /// `++i`
    Before,
    /// `i++`
    After,
}

/// `++` or `--`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepDirection {
    /// `++`
    Up,
    /// `--`
    Down,
}

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinaryOperator {
    /// `imply`
    Imply,
    /// `||`, `or`
    Or,
    /// `xor`
    Xor,
    /// `&&`, `and`
    And,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `&`
    BitAnd,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>=`
    GreaterEqual,
    /// `>`
    Greater,
    /// `<?`
    Minimum,
    /// `>?`
    Maximum,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `**`
    Power,
}

/// An operator that changes its left operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AssignmentOperator {
    /// `=`
    Assign,
    /// `:=`, which means the same
    ColonAssign,
    /// `+=`
    Add,
    /// `-=`
    Subtract,
    /// `*=`
    Multiply,
    /// `/=`
    Divide,
    /// `%=`
    Remainder,
    /// `&=`
    BitAnd,
    /// `|=`
    BitOr,
    /// `^=`
    BitXor,
    /// `<<=`
    ShiftLeft,
    /// `>>=`
    ShiftRight,
}

/// A quantifier over the values of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantifier {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `sum`
    Sum,
    /// `foreach`, over the processes of a dynamic template
    Foreach,
}

/// A path quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathQuantifier {
    /// `A`
    All,
    /// `E`
    Some,
}

/// A temporal operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TemporalOperator {
    /// `[]`
    Always,
    /// `<>`
    Eventually,
    /// `X`
    Next,
}

/// A temporal operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UntilOperator {
    /// `U`
    Until,
    /// `W`
    WeakUntil,
    /// `R`
    Release,
}

impl Expression {
    /// Returns the value of an [`ExpressionKind::Double`]; infinite if the number is too large.
    pub fn double_value(&self) -> Option<f64> {
        match &self.kind {
            ExpressionKind::Double(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    /// Returns the expression without enclosing parentheses.
    pub fn without_parentheses(&self) -> &Expression {
        let mut expression = self;
        while let ExpressionKind::Parenthesised(inner) = &expression.kind {
            expression = inner;
        }
        expression
    }
}
