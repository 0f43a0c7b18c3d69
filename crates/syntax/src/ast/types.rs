//! Types, declarators with their dimensions and initialisers, parameters.
//!
//! Invariant: a dimension that is a single name is [`ArrayDimensionKind::Size`], though the name may turn out to be a
//! type; only what cannot be an expression is [`ArrayDimensionKind::Index`].

use tempora_source::Span;

use super::{Expression, Name};

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeExpression {
    /// `const`, `urgent` and so on, in the order in which they were written.
    pub prefixes: Vec<TypePrefix>,
    /// What follows them.
    pub base: BaseType,
    /// All of it.
    pub span: Span,
}

/// A word before a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypePrefix {
    /// Which word.
    pub kind: TypePrefixKind,
    /// Where it stands.
    pub span: Span,
}

/// The words that may stand before a type.
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
        /// The fields, as declared.
        fields: Vec<StructField>,
    },
    /// A name that should be that of a type, or of a dynamic template.
    Named(Name),
    /// Something that could not be read; a diagnostic says why.
    Error,
}

/// `int a, b[2];` in a structure.
#[derive(Clone, Debug, PartialEq)]
pub struct StructField {
    /// The type of all of them.
    pub field_type: TypeExpression,
    /// The fields; they have no initialisers.
    pub declarators: Vec<Declarator>,
    /// All of it.
    pub span: Span,
}

/// `name[3][T] = value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Declarator {
    /// The name.
    pub name: Name,
    /// The array dimensions, the outermost first.
    pub dimensions: Vec<ArrayDimension>,
    /// What follows `=`.
    pub initialiser: Option<Initialiser>,
    /// All of it.
    pub span: Span,
}

/// `[3]` or `[int[0,3]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayDimension {
    /// What stands in the brackets.
    pub kind: ArrayDimensionKind,
    /// With the brackets.
    pub span: Span,
}

/// What stands between the brackets of a dimension.
#[derive(Clone, Debug, PartialEq)]
pub enum ArrayDimensionKind {
    /// A size, or a name that may be that of a type.
    Size(Expression),
    /// The type of the index.
    Index(TypeExpression),
}

/// The first value of a variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Initialiser {
    /// One value or a list.
    pub kind: InitialiserKind,
    /// All of it.
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
    /// All of it.
    pub span: Span,
}

/// A parameter of a function or a template.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its type.
    pub parameter_type: TypeExpression,
    /// Whether there is a `&`.
    pub by_reference: bool,
    /// Its name.
    pub name: Name,
    /// Its dimensions.
    pub dimensions: Vec<ArrayDimension>,
    /// All of it.
    pub span: Span,
}
