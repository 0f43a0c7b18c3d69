//! Declarations: whatever may stand at the top of a model, a template or a function.
//!
//! Invariant: the parser does not say which declaration may stand where, except that functions hold only variables and
//! types; whoever resolves names does.

use tempora_source::Span;

use super::{
    Binding, Declarator, Expression, FunctionDeclaration, Name, Parameter, ProcessDeclaration, Query,
    SpecExpression, StringLiteral, SynchronisationVector, TypeExpression,
};

/// A declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// What is declared.
    pub kind: DeclarationKind,
    /// With its semicolon.
    pub span: Span,
}

/// What is declared.
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
        /// What it offers.
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
        /// What it stands for.
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
    /// Something that could not be read; a diagnostic says why.
    Error,
}

/// A type and what is declared with it.
#[derive(Clone, Debug, PartialEq)]
pub struct VariableDeclaration {
    /// The type of all of them, up to their dimensions.
    pub variable_type: TypeExpression,
    /// The names; never empty.
    pub declarators: Vec<Declarator>,
}

/// One channel or the rest of them.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelPriorityItem {
    /// Which.
    pub kind: ChannelPriorityKind,
    /// Where it stands.
    pub span: Span,
}

/// Which channels an item of a priority declaration stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum ChannelPriorityKind {
    /// `default`: all that are not mentioned, and steps without a channel.
    Default,
    /// `c` or `c[1]`
    Channel(Expression),
}

/// `alias = int f(int a)` in an import.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedFunction {
    /// The name in the library, where it differs.
    pub alias: Option<Name>,
    /// The type of the result.
    pub return_type: TypeExpression,
    /// The name in the model.
    pub name: Name,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// All of it.
    pub span: Span,
}

/// `Name(int a) = Template(a, 1);`
#[derive(Clone, Debug, PartialEq)]
pub struct Instantiation {
    /// The new name.
    pub name: Name,
    /// The parameters of the new name; none where there are no parentheses.
    pub parameters: Option<Vec<Parameter>>,
    /// Whether `:=` was written in place of `=`.
    pub colon_assign: bool,
    /// What is instantiated.
    pub template: Name,
    /// With what.
    pub arguments: Vec<Expression>,
}

/// A process: `Gate` or `Train(0)`.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessReference {
    /// The name.
    pub name: Name,
    /// The arguments; none where there are no parentheses.
    pub arguments: Option<Vec<Expression>>,
    /// All of it.
    pub span: Span,
}

/// `system A, B < C;`
#[derive(Clone, Debug, PartialEq)]
pub struct SystemLine {
    /// The processes by priority, the lowest first; one level where there is no `<`.
    pub levels: Vec<Vec<ProcessReference>>,
}

/// `g : e;` in `progress`.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgressMeasure {
    /// `g`
    pub guard: Option<Expression>,
    /// `e`
    pub measure: Expression,
    /// With its semicolon.
    pub span: Span,
}

/// `name(i : T) : p -> c, q -> d;` in `gantt`.
#[derive(Clone, Debug, PartialEq)]
pub struct GanttRow {
    /// The name of the row.
    pub name: Name,
    /// `i : T`, one row for each value.
    pub bindings: Vec<Binding>,
    /// What is drawn.
    pub bars: Vec<GanttBar>,
    /// With its semicolon.
    pub span: Span,
}

/// `p -> c`, or `for (i : T) p -> c`.
#[derive(Clone, Debug, PartialEq)]
pub struct GanttBar {
    /// What follows `for`.
    pub bindings: Vec<Binding>,
    /// When it is drawn.
    pub condition: Expression,
    /// In which colour.
    pub colour: Expression,
    /// All of it.
    pub span: Span,
}

/// A query inside a model.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryItem {
    /// A text before it that says what it is about.
    pub title: Option<StringLiteral>,
    /// The query.
    pub query: Query,
    /// With its semicolon.
    pub span: Span,
}
