//! Declarations at the top level of a model, a template or a function.
//!
//! The parser accepts every declaration at every level, except that functions contain only variables and types;
//! elaboration checks the rest.

use tempora_source::Span;

use super::{
    Binding, Declarator, Expression, FunctionDeclaration, Name, Parameter, ProcessDeclaration, Query,
    SpecExpression, StringLiteral, SynchronisationVector, TypeExpression,
};

/// A declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// Its kind.
    pub kind: DeclarationKind,
    /// Its span, including the semicolon.
    pub span: Span,
}

/// The kind of a declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum DeclarationKind {
    /// `int a, b[3] = {1, 2, 3};`
    Variables(VariableDeclaration),
    /// `typedef int[0,3] id_t, pair_t[2];` The declarators have no initialisers.
    TypeDefinition(VariableDeclaration),
    /// `void f() { … }`
    Function(FunctionDeclaration),
    /// `chan priority a < b, c < default;` The levels, the lowest first.
    ChannelPriority(Vec<Vec<ChannelPriorityItem>>),
    /// `before_update { … }`
    BeforeUpdate(Vec<Expression>),
    /// `after_update { … }`
    AfterUpdate(Vec<Expression>),
    /// `import "lib.so" { … };`
    Import {
        /// The library.
        path: StringLiteral,
        /// The imported functions.
        functions: Vec<ImportedFunction>,
    },
    /// `dynamic T(int a);`
    Dynamic {
        /// The template.
        name: Name,
        /// Its parameters.
        parameters: Vec<Parameter>,
    },
    /// `IO P(1) { a?, b! }` of old specification models
    InputOutput {
        /// `P(1)`
        process: ProcessReference,
        /// The channels with their directions.
        channels: Vec<super::Synchronisation>,
    },
    /// `Name(int a) = Template(a, 1);`
    Instantiation(Instantiation),
    /// `system A, B < C;`
    System(SystemLine),
    /// `system S = A || B;`: a name for an expression over specifications
    NamedSpecification {
        /// The name.
        name: Name,
        /// The expression.
        specification: SpecExpression,
    },
    /// `progress { e; g : e; }`
    Progress(Vec<ProgressMeasure>),
    /// `gantt { … }`
    Gantt(Vec<GanttRow>),
    /// `query { … }` or `query …;`
    Queries(Vec<QueryItem>),
    /// `process P(int a) { … }`
    Process(Box<ProcessDeclaration>),
    /// `vector P@a, Q@b?;`
    Vector(SynchronisationVector),
    /// Unreadable text, reported by a diagnostic.
    Error,
}

/// A type and its declarators.
#[derive(Clone, Debug, PartialEq)]
pub struct VariableDeclaration {
    /// The type of all of them, up to their dimensions.
    pub variable_type: TypeExpression,
    /// The names; never empty.
    pub declarators: Vec<Declarator>,
}

/// An item of a priority declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelPriorityItem {
    /// Its channels.
    pub kind: ChannelPriorityKind,
    /// Its span.
    pub span: Span,
}

/// The channels of an item of a priority declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum ChannelPriorityKind {
    /// `default`: all channels that are not listed, and steps without a channel.
    Default,
    /// `c` or `c[1]`
    Channel(Expression),
}

/// `alias = int f(int a)` in an import.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedFunction {
    /// The name in the library, if it differs.
    pub alias: Option<Name>,
    /// The type of the result.
    pub return_type: TypeExpression,
    /// The name in the model.
    pub name: Name,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// Its span.
    pub span: Span,
}

/// `Name(int a) = Template(a, 1);`
#[derive(Clone, Debug, PartialEq)]
pub struct Instantiation {
    /// The new name.
    pub name: Name,
    /// The parameters of the new name; `None` without parentheses.
    pub parameters: Option<Vec<Parameter>>,
    /// Whether the text has `:=` instead of `=`.
    pub colon_assign: bool,
    /// The template.
    pub template: Name,
    /// The arguments.
    pub arguments: Vec<Expression>,
}

/// A process: `Gate` or `Train(0)`.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessReference {
    /// The name.
    pub name: Name,
    /// The arguments; `None` without parentheses.
    pub arguments: Option<Vec<Expression>>,
    /// Its span.
    pub span: Span,
}

/// `system A, B < C;`
#[derive(Clone, Debug, PartialEq)]
pub struct SystemLine {
    /// The processes by priority, the lowest first; one level without `<`.
    pub levels: Vec<Vec<ProcessReference>>,
}

/// `g : e;` in `progress`.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgressMeasure {
    /// `g`
    pub guard: Option<Expression>,
    /// `e`
    pub measure: Expression,
    /// Its span, including the semicolon.
    pub span: Span,
}

/// `name(i : T) : p -> c, q -> d;` in `gantt`.
#[derive(Clone, Debug, PartialEq)]
pub struct GanttRow {
    /// The name of the row.
    pub name: Name,
    /// `i : T`, one row for each value.
    pub bindings: Vec<Binding>,
    /// The bars.
    pub bars: Vec<GanttBar>,
    /// Its span, including the semicolon.
    pub span: Span,
}

/// `p -> c`, or `for (i : T) p -> c`.
#[derive(Clone, Debug, PartialEq)]
pub struct GanttBar {
    /// The bindings after `for`.
    pub bindings: Vec<Binding>,
    /// The condition under which it is drawn.
    pub condition: Expression,
    /// Its colour.
    pub colour: Expression,
    /// Its span.
    pub span: Span,
}

/// A query inside a model.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryItem {
    /// A string before it that describes it.
    pub title: Option<StringLiteral>,
    /// The query.
    pub query: Query,
    /// Its span, including the semicolon.
    pub span: Span,
}
