//! Prints syntax trees as s-expressions, for tests and debugging.
//!
//! Invariant: two trees with the same dump differ at most in their spans.

use super::ast::{
    ArrayDimension, ArrayDimensionKind, BaseType, Binding, Block, ChannelPriorityKind, ControlMethod,
    Declaration, DeclarationKind, Declarator, Direction, Edge, EdgeLabels, EdgeTarget, Expression,
    ExpressionKind, ExtremumKind, Features, FunctionDeclaration, Initialiser, InitialiserKind, Interval,
    LabelGoal, LearningObjective, LocationDeclaration, Name, Network, Parameter, PathQuantifier,
    ProbabilityBound, ProbabilityQuery, ProcessDeclaration, ProcessReference, Quantifier, Query, QueryKind,
    Rate, RunBound, RunMeasure, SpecExpression, SpecExpressionKind, SpecOperator, Spelling, Statement,
    StatementKind, StepDirection, StepPlace, Synchronisation, TemporalOperator, TypeExpression,
    TypePrefixKind, UnaryOperator, UntilOperator, VariableDeclaration,
};
use super::precedence::{assignment_text, binary_text};

/// A tree that can be printed as an s-expression.
pub trait Dump {
    /// Returns the tree without spans.
    fn dump_node(&self) -> DumpNode;

    /// Returns the text of the s-expression, on one line if it is short.
    fn dump(&self) -> String {
        let mut text = String::new();
        self.dump_node().write(&mut text, 0);
        text
    }
}

/// An s-expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DumpNode {
    /// An atom.
    Atom(String),
    /// A head and its arguments.
    List(Vec<DumpNode>),
}

const LINE_WIDTH: usize = 100;

impl DumpNode {
    fn width(&self) -> usize {
        match self {
            DumpNode::Atom(text) => text.len(),
            DumpNode::List(items) => 1 + items.iter().map(|item| item.width() + 1).sum::<usize>().max(1),
        }
    }

    fn write(&self, text: &mut String, indentation: usize) {
        let items = match self {
            DumpNode::Atom(atom) => return text.push_str(atom),
            DumpNode::List(items) => items,
        };
        let is_short = indentation + self.width() <= LINE_WIDTH;
        text.push('(');
        for (number, item) in items.iter().enumerate() {
            if number > 0 && (is_short || matches!(item, DumpNode::Atom(_))) {
                text.push(' ');
            } else if number > 0 {
                text.push('\n');
                text.push_str(&" ".repeat(indentation + 2));
            }
            item.write(text, indentation + 2);
        }
        text.push(')');
    }
}

fn atom(text: impl Into<String>) -> DumpNode {
    DumpNode::Atom(text.into())
}

fn list(head: &str, items: impl IntoIterator<Item = DumpNode>) -> DumpNode {
    DumpNode::List(std::iter::once(atom(head)).chain(items).collect())
}

fn all<Item: Dump>(items: &[Item]) -> impl Iterator<Item = DumpNode> {
    items.iter().map(Dump::dump_node)
}

/// Returns a list with one item, or `None` without an item.
fn optional<Item: Dump>(head: &str, item: Option<&Item>) -> Option<DumpNode> {
    item.map(|item| list(head, [item.dump_node()]))
}

/// Returns a list of the items, or `None` without items.
fn some<Item: Dump>(head: &str, items: &[Item]) -> Option<DumpNode> {
    (!items.is_empty()).then(|| list(head, all(items)))
}

impl<Item: Dump> Dump for Vec<Item> {
    fn dump_node(&self) -> DumpNode {
        DumpNode::List(all(self).collect())
    }
}

impl<Item: Dump> Dump for Option<Item> {
    fn dump_node(&self) -> DumpNode {
        self.as_ref().map_or_else(|| atom("none"), Dump::dump_node)
    }
}

impl<Item: Dump> Dump for Box<Item> {
    fn dump_node(&self) -> DumpNode {
        (**self).dump_node()
    }
}

impl Dump for Name {
    fn dump_node(&self) -> DumpNode {
        atom(if self.text.is_empty() { "missing" } else { &self.text })
    }
}

impl Dump for Expression {
    fn dump_node(&self) -> DumpNode {
        match &self.kind {
            ExpressionKind::Integer(value) => atom(value.to_string()),
            ExpressionKind::Double(digits) => atom(digits),
            ExpressionKind::Boolean(value) => atom(value.to_string()),
            ExpressionKind::Text(text) => atom(format!("\"{text}\"")),
            ExpressionKind::Name(name) => atom(name),
            ExpressionKind::Deadlock => list("deadlock", []),
            ExpressionKind::Parenthesised(inner) => list("paren", [inner.dump_node()]),
            ExpressionKind::Index { base, index } => list("index", [base.dump_node(), index.dump_node()]),
            ExpressionKind::Member { base, member } => list("member", [base.dump_node(), member.dump_node()]),
            ExpressionKind::Call { callee, arguments } => {
                list("call", std::iter::once(callee.dump_node()).chain(all(arguments)))
            }
            ExpressionKind::Derivative(inner) => list("'", [inner.dump_node()]),
            ExpressionKind::Unary { operator, spelling, operand, .. } => {
                let head = match (operator, spelling) {
                    (UnaryOperator::Negate, _) => "-",
                    (UnaryOperator::Plus, _) => "+",
                    (UnaryOperator::Not, Spelling::Symbol) => "!",
                    (UnaryOperator::Not, Spelling::Word) => "not",
                };
                list(head, [operand.dump_node()])
            }
            ExpressionKind::Step { place, direction, operand } => {
                let head = match (place, direction) {
                    (StepPlace::Before, StepDirection::Up) => "++_",
                    (StepPlace::Before, StepDirection::Down) => "--_",
                    (StepPlace::After, StepDirection::Up) => "_++",
                    (StepPlace::After, StepDirection::Down) => "_--",
                };
                list(head, [operand.dump_node()])
            }
            ExpressionKind::Binary { operator, spelling, left, right, .. } => {
                list(binary_text(*operator, *spelling), [left.dump_node(), right.dump_node()])
            }
            ExpressionKind::Conditional { condition, consequence, alternative } => {
                list("?:", [condition.dump_node(), consequence.dump_node(), alternative.dump_node()])
            }
            ExpressionKind::Assignment { operator, target, value, .. } => {
                list(assignment_text(*operator), [target.dump_node(), value.dump_node()])
            }
            ExpressionKind::Quantified { quantifier, binding, body } => {
                let head = match quantifier {
                    Quantifier::Forall => "forall",
                    Quantifier::Exists => "exists",
                    Quantifier::Sum => "sum",
                    Quantifier::Foreach => "foreach",
                };
                list(head, [binding.dump_node(), body.dump_node()])
            }
            ExpressionKind::Spawn { template, arguments } => {
                list("spawn", std::iter::once(template.dump_node()).chain(all(arguments)))
            }
            ExpressionKind::Exit => list("exit", []),
            ExpressionKind::NumberOf(template) => list("numOf", [template.dump_node()]),
            ExpressionKind::Temporal { quantifier, operator, interval, operand } => {
                let operator = match operator {
                    TemporalOperator::Always => "[]",
                    TemporalOperator::Eventually => "<>",
                    TemporalOperator::Next => "X",
                };
                let head = format!("{}{operator}", quantifier_text(*quantifier));
                list(&head, interval.iter().map(Dump::dump_node).chain([operand.dump_node()]))
            }
            ExpressionKind::Until { quantifier, operator, interval, left, right } => {
                let operator = match operator {
                    UntilOperator::Until => "U",
                    UntilOperator::WeakUntil => "W",
                    UntilOperator::Release => "R",
                };
                let head = format!("{}{operator}", quantifier_text(*quantifier));
                let interval = interval.iter().map(Dump::dump_node);
                list(&head, interval.chain([left.dump_node(), right.dump_node()]))
            }
            ExpressionKind::LeadsTo { deadline, left, right } => {
                let deadline = optional("<=", deadline.as_ref());
                list("-->", deadline.into_iter().chain([left.dump_node(), right.dump_node()]))
            }
            ExpressionKind::Error => list("error", []),
        }
    }
}

fn quantifier_text(quantifier: Option<PathQuantifier>) -> &'static str {
    match quantifier {
        Some(PathQuantifier::All) => "A",
        Some(PathQuantifier::Some) => "E",
        None => "",
    }
}

impl Dump for Interval {
    fn dump_node(&self) -> DumpNode {
        list("within", [self.lower.dump_node(), self.upper.dump_node()])
    }
}

impl Dump for Binding {
    fn dump_node(&self) -> DumpNode {
        list(":", [self.name.dump_node(), self.domain.dump_node()])
    }
}

// Types.

impl Dump for TypeExpression {
    fn dump_node(&self) -> DumpNode {
        let base = match &self.base {
            BaseType::Integer => atom("int"),
            BaseType::BoundedInteger { lower, upper } => list("int", [lower.dump_node(), upper.dump_node()]),
            BaseType::Boolean => atom("bool"),
            BaseType::Double => atom("double"),
            BaseType::Text => atom("string"),
            BaseType::Clock => atom("clock"),
            BaseType::Channel => atom("chan"),
            BaseType::Void => atom("void"),
            BaseType::Scalar { size } => list("scalar", [size.dump_node()]),
            BaseType::Struct { fields } => list(
                "struct",
                fields.iter().map(|field| {
                    list(
                        "field",
                        std::iter::once(field.field_type.dump_node()).chain(all(&field.declarators)),
                    )
                }),
            ),
            BaseType::Named(name) => list("type", [name.dump_node()]),
            BaseType::Error => list("error", []),
        };
        self.prefixes.iter().rev().fold(base, |base, prefix| {
            let word = match prefix.kind {
                TypePrefixKind::Urgent => "urgent",
                TypePrefixKind::Broadcast => "broadcast",
                TypePrefixKind::Const => "const",
                TypePrefixKind::Meta => "meta",
                TypePrefixKind::Hybrid => "hybrid",
            };
            list(word, [base])
        })
    }
}

impl Dump for ArrayDimension {
    fn dump_node(&self) -> DumpNode {
        match &self.kind {
            ArrayDimensionKind::Size(size) => list("size", [size.dump_node()]),
            ArrayDimensionKind::Index(index) => list("index", [index.dump_node()]),
        }
    }
}

impl Dump for Declarator {
    fn dump_node(&self) -> DumpNode {
        if self.dimensions.is_empty() && self.initialiser.is_none() {
            return self.name.dump_node();
        }
        let initialiser = optional("=", self.initialiser.as_ref());
        DumpNode::List(
            std::iter::once(self.name.dump_node()).chain(all(&self.dimensions)).chain(initialiser).collect(),
        )
    }
}

impl Dump for Initialiser {
    fn dump_node(&self) -> DumpNode {
        match &self.kind {
            InitialiserKind::Expression(expression) => expression.dump_node(),
            InitialiserKind::List(values) => list(
                "list",
                values.iter().map(|value| match &value.field {
                    Some(field) => list("field", [field.dump_node(), value.value.dump_node()]),
                    None => value.value.dump_node(),
                }),
            ),
        }
    }
}

impl Dump for Parameter {
    fn dump_node(&self) -> DumpNode {
        let head = if self.by_reference { "reference" } else { "value" };
        list(
            head,
            [self.parameter_type.dump_node(), self.name.dump_node()].into_iter().chain(all(&self.dimensions)),
        )
    }
}

// Statements.

impl Dump for FunctionDeclaration {
    fn dump_node(&self) -> DumpNode {
        let parameters = list("parameters", all(&self.parameters));
        list(
            "function",
            [self.name.dump_node(), self.return_type.dump_node(), parameters, self.body.dump_node()],
        )
    }
}

impl Dump for Block {
    fn dump_node(&self) -> DumpNode {
        list("block", all(&self.declarations).chain(all(&self.statements)))
    }
}

impl Dump for Statement {
    fn dump_node(&self) -> DumpNode {
        match &self.kind {
            StatementKind::Empty => list("empty", []),
            StatementKind::Expressions(expressions) => list("do", all(expressions)),
            StatementKind::Block(block) => block.dump_node(),
            StatementKind::If { branches, otherwise } => {
                let branches = branches
                    .iter()
                    .flat_map(|branch| [branch.condition.dump_node(), branch.body.dump_node()]);
                list("if", branches.chain(optional("else", otherwise.as_ref())))
            }
            StatementKind::For { initial, condition, step, body } => {
                list("for", [initial.dump_node(), condition.dump_node(), step.dump_node(), body.dump_node()])
            }
            StatementKind::ForEach { binding, body } => list("for", [binding.dump_node(), body.dump_node()]),
            StatementKind::While { condition, body } => {
                list("while", [condition.dump_node(), body.dump_node()])
            }
            StatementKind::DoWhile { body, condition } => {
                list("do-while", [body.dump_node(), condition.dump_node()])
            }
            StatementKind::Return(value) => list("return", value.iter().map(Dump::dump_node)),
            StatementKind::Assert(condition) => list("assert", [condition.dump_node()]),
            StatementKind::Error => list("error", []),
        }
    }
}

// Declarations.

impl Dump for Network {
    fn dump_node(&self) -> DumpNode {
        list("network", all(&self.declarations))
    }
}

impl Dump for Declaration {
    fn dump_node(&self) -> DumpNode {
        match &self.kind {
            DeclarationKind::Variables(variables) => variable_declaration("variables", variables),
            DeclarationKind::TypeDefinition(definition) => variable_declaration("typedef", definition),
            DeclarationKind::Function(function) => function.dump_node(),
            DeclarationKind::ChannelPriority(levels) => list(
                "channel-priority",
                levels.iter().map(|level| {
                    list(
                        "level",
                        level.iter().map(|item| match &item.kind {
                            ChannelPriorityKind::Default => list("default", []),
                            ChannelPriorityKind::Channel(channel) => channel.dump_node(),
                        }),
                    )
                }),
            ),
            DeclarationKind::BeforeUpdate(updates) => list("before-update", all(updates)),
            DeclarationKind::AfterUpdate(updates) => list("after-update", all(updates)),
            DeclarationKind::Import { path, functions } => {
                let functions = functions.iter().map(|function| {
                    let alias = optional("alias", function.alias.as_ref());
                    let parameters = list("parameters", all(&function.parameters));
                    let rest = [function.name.dump_node(), function.return_type.dump_node(), parameters];
                    list("function", alias.into_iter().chain(rest))
                });
                list("import", std::iter::once(atom(format!("\"{}\"", path.text))).chain(functions))
            }
            DeclarationKind::Dynamic { name, parameters } => {
                list("dynamic", std::iter::once(name.dump_node()).chain(all(parameters)))
            }
            DeclarationKind::InputOutput { process, channels } => {
                list("io", std::iter::once(process.dump_node()).chain(all(channels)))
            }
            DeclarationKind::Instantiation(instantiation) => {
                let head = if instantiation.colon_assign { "instance:=" } else { "instance" };
                let parameters =
                    instantiation.parameters.as_ref().map(|list_of| list("parameters", all(list_of)));
                let template =
                    [instantiation.template.dump_node()].into_iter().chain(all(&instantiation.arguments));
                let name = std::iter::once(instantiation.name.dump_node());
                list(head, name.chain(parameters).chain([DumpNode::List(template.collect())]))
            }
            DeclarationKind::System(system) => {
                list("system", system.levels.iter().map(|level| list("level", all(level))))
            }
            DeclarationKind::Progress(measures) => list(
                "progress",
                measures.iter().map(|measure| {
                    let guard = optional("guard", measure.guard.as_ref());
                    list("measure", guard.into_iter().chain([measure.measure.dump_node()]))
                }),
            ),
            DeclarationKind::Gantt(rows) => list(
                "gantt",
                rows.iter().map(|row| {
                    let bars = row.bars.iter().map(|bar| {
                        let bindings = some("for", &bar.bindings);
                        list(
                            "->",
                            bindings.into_iter().chain([bar.condition.dump_node(), bar.colour.dump_node()]),
                        )
                    });
                    let bindings = some("for", &row.bindings);
                    list("row", std::iter::once(row.name.dump_node()).chain(bindings).chain(bars))
                }),
            ),
            DeclarationKind::Queries(items) => list(
                "queries",
                items.iter().map(|item| match &item.title {
                    Some(title) => {
                        list("titled", [atom(format!("\"{}\"", title.text)), item.query.dump_node()])
                    }
                    None => item.query.dump_node(),
                }),
            ),
            DeclarationKind::Process(process) => process.dump_node(),
            DeclarationKind::NamedSpecification { name, specification } => {
                list("system=", [name.dump_node(), specification.dump_node()])
            }
            DeclarationKind::Vector(vector) => list(
                "vector",
                vector.participants.iter().map(|participant| {
                    let head = if participant.is_weak { "weak" } else { "strong" };
                    list(head, [participant.process.dump_node(), participant.event.dump_node()])
                }),
            ),
            DeclarationKind::Error => list("error", []),
        }
    }
}

fn variable_declaration(head: &str, declaration: &VariableDeclaration) -> DumpNode {
    list(head, std::iter::once(declaration.variable_type.dump_node()).chain(all(&declaration.declarators)))
}

impl Dump for ProcessReference {
    fn dump_node(&self) -> DumpNode {
        match &self.arguments {
            None => self.name.dump_node(),
            Some(arguments) => list("call", std::iter::once(self.name.dump_node()).chain(all(arguments))),
        }
    }
}

// Processes.

impl Dump for ProcessDeclaration {
    fn dump_node(&self) -> DumpNode {
        let parts = [
            Some(self.name.dump_node()),
            some("arguments", &self.arguments),
            some("parameters", &self.parameters),
            optional("template", self.template.as_ref()),
            some("declarations", &self.declarations),
            some("locations", &self.locations),
            some("branchpoints", &self.branchpoints),
            some("initial", &self.initial),
            some("urgent", &self.urgent),
            some("committed", &self.committed),
            some("edges", &self.edges),
        ];
        list("process", parts.into_iter().flatten())
    }
}

impl Dump for LocationDeclaration {
    fn dump_node(&self) -> DumpNode {
        let invariant = optional("invariant", self.invariant.as_ref());
        let rate = optional("rate", self.rate.as_ref());
        let labels = some("labels", &self.labels);
        if invariant.is_none() && rate.is_none() && labels.is_none() {
            return self.name.dump_node();
        }
        let parts = [Some(self.name.dump_node()), invariant, rate, labels];
        DumpNode::List(parts.into_iter().flatten().collect())
    }
}

impl Dump for Rate {
    fn dump_node(&self) -> DumpNode {
        match &self.divisor {
            None => self.value.dump_node(),
            Some(divisor) => list(":", [self.value.dump_node(), divisor.dump_node()]),
        }
    }
}

impl Dump for Edge {
    fn dump_node(&self) -> DumpNode {
        let head = if self.is_uncontrollable { "-u->" } else { "->" };
        let target = match &self.target {
            EdgeTarget::Single(target) => target.dump_node(),
            EdgeTarget::Branches(branches) => list(
                "branches",
                branches.iter().map(|branch| {
                    let weight = optional("weight", branch.weight.as_ref());
                    let updates = some("do", &branch.updates);
                    let target = branch.target.dump_node();
                    DumpNode::List(weight.into_iter().chain([target]).chain(updates).collect())
                }),
            ),
        };
        list(head, [self.source.dump_node(), target].into_iter().chain(labels_of(&self.labels)))
    }
}

fn labels_of(labels: &EdgeLabels) -> impl Iterator<Item = DumpNode> {
    let parts = [
        some("select", &labels.select),
        optional("guard", labels.guard.as_ref()),
        optional("sync", labels.synchronisation.as_ref()),
        optional("event", labels.event.as_ref()),
        some("do", &labels.updates),
        optional("weight", labels.weight.as_ref()),
    ];
    parts.into_iter().flatten()
}

impl Dump for Synchronisation {
    fn dump_node(&self) -> DumpNode {
        let head = match self.direction {
            Direction::Send => "send",
            Direction::Receive => "receive",
            Direction::Both => "both",
        };
        list(head, [self.channel.dump_node()])
    }
}

// Queries.

impl Dump for Query {
    fn dump_node(&self) -> DumpNode {
        let mut node = self.kind.dump_node();
        if let Some(strategy) = &self.imitate {
            node = list("imitate", [strategy.dump_node(), node]);
        }
        if let Some(strategy) = &self.under {
            node = list("under", [strategy.dump_node(), node]);
        }
        node
    }
}

impl Dump for QueryKind {
    fn dump_node(&self) -> DumpNode {
        match self {
            QueryKind::Empty => list("empty", []),
            QueryKind::Formula(formula) => formula.dump_node(),
            QueryKind::Extremum { extremum, predicate, expressions } => {
                let predicate = optional("where", predicate.as_ref());
                list(extremum_text(*extremum), predicate.into_iter().chain(all(expressions)))
            }
            QueryKind::Control(control) => {
                let mut parts = Vec::new();
                if control.is_cooperative {
                    parts.push(atom("cooperative"));
                }
                parts.extend(control.observations.as_ref().map(|seen| list("observe", all(seen))));
                let (head, more) = match &control.method {
                    ControlMethod::Plain => ("control", None),
                    ControlMethod::TimeOptimal { limit, lower } => {
                        ("control_t*", Some(list("limit", limit.iter().chain(lower).map(Dump::dump_node))))
                    }
                    ControlMethod::Approximate { grid } => (
                        "acontrol",
                        Some(list(
                            "grid",
                            grid.iter().map(|dimension| {
                                let range = dimension.range.as_ref().map(|range| {
                                    let parts = [&range.lower, &range.upper, &range.pieces];
                                    list("range", parts.map(Dump::dump_node))
                                });
                                list("axis", std::iter::once(dimension.expression.dump_node()).chain(range))
                            }),
                        )),
                    ),
                };
                parts.extend(more);
                parts.push(control.goal.dump_node());
                list(head, parts)
            }
            QueryKind::Probability(probability) => probability.dump_node(),
            QueryKind::Expectation { bound, extremum, expression } => {
                list("expect", [bound.dump_node(), list(extremum_text(*extremum), [expression.dump_node()])])
            }
            QueryKind::Simulation { old_runs, bound, expressions, goal } => {
                let old_runs = optional("runs-before", old_runs.as_ref());
                let goal = goal.as_ref().map(|goal| {
                    let runs = optional("runs", goal.runs.as_ref());
                    list("goal", runs.into_iter().chain([goal.goal.dump_node()]))
                });
                let values = list("values", all(expressions));
                list("simulate", old_runs.into_iter().chain([bound.dump_node(), values]).chain(goal))
            }
            QueryKind::Strategy { name, definition } => {
                list("strategy", [name.dump_node(), definition.dump_node()])
            }
            QueryKind::Learning(learning) => {
                let (head, objective) = match &learning.objective {
                    LearningObjective::MinimalExpectation(expression) => ("minE", Some(expression)),
                    LearningObjective::MaximalExpectation(expression) => ("maxE", Some(expression)),
                    LearningObjective::MinimalProbability => ("minPr", None),
                    LearningObjective::MaximalProbability => ("maxPr", None),
                };
                let parts = [
                    objective.map(Dump::dump_node),
                    Some(learning.bound.dump_node()),
                    learning.features.as_ref().map(Dump::dump_node),
                    Some(learning.goal.dump_node()),
                ];
                list(head, parts.into_iter().flatten())
            }
            QueryKind::LoadStrategy { features, path } => {
                let features = features.as_ref().map(Dump::dump_node);
                list("load", features.into_iter().chain([atom(format!("\"{}\"", path.text))]))
            }
            QueryKind::SaveStrategy { path, strategy } => {
                list("save", [atom(format!("\"{}\"", path.text)), strategy.dump_node()])
            }
            QueryKind::Scenario(name) => list("sat", [name.dump_node()]),
            QueryKind::Specification(query) => {
                let parts = [
                    Some(query.specification.dump_node()),
                    optional("<=", query.refined.as_ref()),
                    optional("@", query.start.as_ref()),
                    optional("->", query.goal.as_ref()),
                    optional("save-as", query.save_as.as_ref()),
                ];
                list(&query.property.text, parts.into_iter().flatten())
            }
            QueryKind::ReachTime { extremum, goal } => {
                let head = if *extremum == ExtremumKind::Infimum { "mintime" } else { "maxtime" };
                list(head, [goal.dump_node()])
            }
            QueryKind::Labels { goal, labels } => {
                list(if *goal == LabelGoal::Reach { "reach" } else { "buchi" }, all(labels))
            }
            QueryKind::Error => list("error", []),
        }
    }
}

fn extremum_text(extremum: ExtremumKind) -> &'static str {
    match extremum {
        ExtremumKind::Supremum => "sup",
        ExtremumKind::Infimum => "inf",
        ExtremumKind::Bounds => "bounds",
    }
}

impl Dump for RunBound {
    fn dump_node(&self) -> DumpNode {
        let measure = match &self.measure {
            RunMeasure::Time => atom("time"),
            RunMeasure::Steps => atom("#"),
            RunMeasure::Clock(clock) => list("clock", [clock.dump_node()]),
        };
        let runs = optional("runs", self.runs.as_ref());
        list("bound", [measure, self.limit.dump_node()].into_iter().chain(runs))
    }
}

impl Dump for Features {
    fn dump_node(&self) -> DumpNode {
        list("features", [self.discrete.dump_node(), self.continuous.dump_node()])
    }
}

impl Dump for ProbabilityQuery {
    fn dump_node(&self) -> DumpNode {
        let comparison = self.comparison.as_ref().map(|comparison| match comparison {
            ProbabilityBound::AtLeast(bound) => list(">=", [bound.dump_node()]),
            ProbabilityBound::AtMost(bound) => list("<=", [bound.dump_node()]),
            ProbabilityBound::AtLeastThatOf(other) => list(">=", [other.dump_node()]),
            ProbabilityBound::AtMostThatOf(other) => list("<=", [other.dump_node()]),
        });
        let bound = self.bound.as_ref().map(Dump::dump_node);
        let under = optional("under", self.under.as_ref());
        list("Pr", bound.into_iter().chain([self.formula.dump_node()]).chain(under).chain(comparison))
    }
}

impl Dump for SpecExpression {
    fn dump_node(&self) -> DumpNode {
        match &self.kind {
            SpecExpressionKind::Component { process, instance: None } => process.dump_node(),
            SpecExpressionKind::Component { process, instance: Some(instance) } => {
                list("instance", [process.dump_node(), instance.dump_node()])
            }
            SpecExpressionKind::Parenthesised(inner) => list("paren", [inner.dump_node()]),
            SpecExpressionKind::Combined { operator, left, right, .. } => {
                let head = match operator {
                    SpecOperator::Composition => "||",
                    SpecOperator::Conjunction => "&&",
                    SpecOperator::Quotient => "\\",
                    SpecOperator::DoubleQuotient => "\\\\",
                    SpecOperator::DoubleSlash => "//",
                    SpecOperator::Weakening => ">>",
                };
                list(head, [left.dump_node(), right.dump_node()])
            }
            SpecExpressionKind::Constrained { specification, formula } => {
                list(":", [specification.dump_node(), formula.dump_node()])
            }
            SpecExpressionKind::Error => list("error", []),
        }
    }
}
