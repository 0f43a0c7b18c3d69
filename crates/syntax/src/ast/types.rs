//! Types, declarators with their dimensions and initialisers, parameters.
//!
//! Invariant: a dimension that is a single name is [`ArrayDimensionKind::Size`], although the name may denote a type;
//! only a type that is not an expression is [`ArrayDimensionKind::Index`].

use tempora_source::Span;

use super::{Expression, Name};

/// A type in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeExpression {
    /// `const`, `urgent` and so on, in the order of the text.
    pub prefixes: Vec<TypePrefix>,
    /// The type without its prefixes.
    pub base: BaseType,
    /// Its span.
    pub span: Span,
}

/// A keyword before a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypePrefix {
    /// The keyword.
    pub kind: TypePrefixKind,
    /// Its span.
    pub span: Span,
}

/// The keywords that may precede a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TypePrefixKind {
    /// `urgent`
    Urgent,
    /// `broadcast`
    Broadcast,
    /// `const`
    Const,
    /// `meta`
    Meta,
    /// `hybrid`
    Hybrid,
}

/// A type without its prefixes.
#[derive(Clone, Debug, PartialEq)]
pub enum BaseType {
    /// `int`
    Integer,
    /// `int[a,b]`
    BoundedInteger {
        /// `a`
        lower: Box<Expression>,
        /// `b`
        upper: Box<Expression>,
    },
    /// `bool`
    Boolean,
    /// `double`
    Double,
    /// `string`
    Text,
    /// `clock`
    Clock,
    /// `chan`
    Channel,
    /// `void`
    Void,
    /// `scalar[n]`
    Scalar {
        /// `n`
        size: Box<Expression>,
    },
    /// `struct { … }`
    Struct {
        /// The declarations of the fields.
        fields: Vec<StructField>,
    },
    /// The name of a type or of a dynamic template.
    Named(Name),
    /// Unreadable text, reported by a diagnostic.
    Error,
}

/// `int a, b[2];` in a structure.
#[derive(Clone, Debug, PartialEq)]
pub struct StructField {
    /// The type of all of them.
    pub field_type: TypeExpression,
    /// The fields; they have no initialisers.
    pub declarators: Vec<Declarator>,
    /// Its span.
    pub span: Span,
}

/// `name[3][T] = value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Declarator {
    /// The name.
    pub name: Name,
    /// The array dimensions, the outermost first.
    pub dimensions: Vec<ArrayDimension>,
    /// The value after `=`.
    pub initialiser: Option<Initialiser>,
    /// Its span.
    pub span: Span,
}

/// `[3]` or `[int[0,3]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayDimension {
    /// The size or index type.
    pub kind: ArrayDimensionKind,
    /// Its span, including the brackets.
    pub span: Span,
}

/// The size or index type of a dimension.
#[derive(Clone, Debug, PartialEq)]
pub enum ArrayDimensionKind {
    /// A size, or a name that may denote a type.
    Size(Expression),
    /// The type of the index.
    Index(TypeExpression),
}

/// The initial value of a variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Initialiser {
    /// One value or a list.
    pub kind: InitialiserKind,
    /// Its span.
    pub span: Span,
}

/// One value or a list of values.
#[derive(Clone, Debug, PartialEq)]
pub enum InitialiserKind {
    /// `e`
    Expression(Expression),
    /// `{ e, f: e }`
    List(Vec<FieldInitialiser>),
}

/// An element of a list of values.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldInitialiser {
    /// The name before the colon.
    pub field: Option<Name>,
    /// The value.
    pub value: Initialiser,
    /// Its span.
    pub span: Span,
}

/// A parameter of a function or a template.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its type.
    pub parameter_type: TypeExpression,
    /// Whether it has a `&`.
    pub by_reference: bool,
    /// Its name.
    pub name: Name,
    /// Its dimensions.
    pub dimensions: Vec<ArrayDimension>,
    /// Its span.
    pub span: Span,
}
