//! Writes a computed component as a syntax tree, together with the text that its spans refer to.
//!
//! Invariant: parsing the text gives the tree, including spans, unless a name is invalid in the language. So
//! diagnostics about the tree can show the text, and nothing has to be parsed.

use tempora_source::{FileId, Span};
use tempora_syntax::ast::{
    self, AssignmentOperator, BaseType, BinaryOperator, DeclarationKind, EdgeTarget, ExpressionKind, Name,
    ProcessDeclaration, Spelling, UnaryOperator,
};

use crate::channel_path::{ChannelPath, ChannelStep};
use crate::computed_component::{
    ComputedComponent, ComputedCondition, ComputedEdge, ComputedLocation, ComputedUpdate,
};
use crate::expression::Comparison;
use crate::{ComputedClockId, LocationId};

/// Longer chains of `&&` are split by parentheses, since walking a tree recurses.
const LONGEST_CHAIN: usize = 256;

/// Writes the text of a file and the trees of its parts.
pub struct TreeWriter {
    file: FileId,
    text: String,
}

impl TreeWriter {
    /// Creates a writer that appends to a text without a tree.
    pub fn new(file: FileId, text: String) -> TreeWriter {
        TreeWriter { file, text }
    }

    /// Writes a component as a process of this name.
    pub fn component(&mut self, name: &str, component: &ComputedComponent) -> ast::Declaration {
        let start = self.start();
        self.push("process ");
        let name = self.name(name);
        self.push(" {\n");
        let declarations = self.clocks(component).into_iter().collect();
        let mut initial = Vec::new();
        let mut locations = Vec::with_capacity(component.locations.len());
        for (id, location) in component.locations.iter() {
            let location = self.location(id, location, component);
            if id == LocationId(0) {
                initial.push(location.name.clone());
            }
            locations.push(location);
        }
        let edges = component.edges.values().map(|edge| self.edge(edge, component)).collect();
        self.push("}");
        let span = self.since(start);
        self.push("\n");
        let process = ProcessDeclaration {
            name,
            arguments: Vec::new(),
            parameters: Vec::new(),
            template: None,
            declarations,
            locations,
            branchpoints: Vec::new(),
            initial,
            urgent: Vec::new(),
            committed: Vec::new(),
            edges,
            span,
        };
        ast::Declaration { kind: DeclarationKind::Process(Box::new(process)), span }
    }

    /// Writes the system line.
    pub fn system(&mut self, names: &[&str]) -> ast::Declaration {
        let start = self.start();
        self.push("system ");
        let references = self.separated(names, ", ", |writer, name| {
            let name = writer.name(name);
            ast::ProcessReference { span: name.span, name, arguments: None }
        });
        self.push(";");
        let span = self.since(start);
        self.push("\n");
        let kind = DeclarationKind::System(ast::SystemLine { levels: vec![references] });
        ast::Declaration { kind, span }
    }

    /// Returns the text of the file.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Returns the span of the whole text.
    pub fn whole(&self) -> Span {
        Span::new(self.file, 0, self.start())
    }

    fn clocks(&mut self, component: &ComputedComponent) -> Option<ast::Declaration> {
        if component.clocks.is_empty() {
            return None;
        }
        self.push("    ");
        let start = self.start();
        let variable_type =
            ast::TypeExpression { prefixes: Vec::new(), base: BaseType::Clock, span: self.written("clock") };
        self.push(" ");
        let names: Vec<&String> = component.clocks.values().collect();
        let declarators = self.separated(&names, ", ", |writer, name| {
            let name = writer.name(name);
            ast::Declarator { span: name.span, name, dimensions: Vec::new(), initialiser: None }
        });
        self.push(";");
        let span = self.since(start);
        self.push("\n");
        let kind = DeclarationKind::Variables(ast::VariableDeclaration { variable_type, declarators });
        Some(ast::Declaration { kind, span })
    }

    fn location(
        &mut self,
        id: LocationId,
        location: &ComputedLocation,
        component: &ComputedComponent,
    ) -> ast::LocationDeclaration {
        self.push(if id == LocationId(0) { "    init location " } else { "    location " });
        let start = self.start();
        let name = self.name(&location.name);
        if location.invariant.is_empty() && location.label.is_none() {
            let span = self.since(start);
            self.push(";\n");
            return ast::LocationDeclaration { name, invariant: None, rate: None, labels: Vec::new(), span };
        }
        self.push(" {");
        let invariant = self.condition_part(" invariant ", &location.invariant, component);
        let mut labels = Vec::new();
        if let Some(label) = location.label {
            self.push(" labels ");
            labels.push(self.name(label));
            self.push(";");
        }
        self.push(" }");
        let span = self.since(start);
        self.push("\n");
        ast::LocationDeclaration { name, invariant, rate: None, labels, span }
    }

    fn edge(&mut self, edge: &ComputedEdge, component: &ComputedComponent) -> ast::Edge {
        let name_of = |location: LocationId| component.locations[location].name.as_str();
        self.push("    ");
        let start = self.start();
        let source = self.name(name_of(edge.source));
        self.push(" -> ");
        let target = EdgeTarget::Single(self.name(name_of(edge.target)));
        let mut labels = ast::EdgeLabels::default();
        if edge.guard.is_empty() && edge.channel.is_none() && edge.updates.is_empty() {
            self.push(";");
        } else {
            self.push(" {");
            labels.guard = self.condition_part(" guard ", &edge.guard, component);
            if let Some(channel) = &edge.channel {
                self.push(" sync ");
                labels.synchronisation = Some(self.synchronisation(channel, edge.is_output));
                self.push(";");
            }
            if !edge.updates.is_empty() {
                self.push(" do ");
                labels.updates =
                    self.separated(&edge.updates, ", ", |writer, update| writer.update(*update, component));
                self.push(";");
            }
            self.push(" }");
        }
        let span = self.since(start);
        self.push("\n");
        ast::Edge { source, is_uncontrollable: false, labels, target, span }
    }

    fn synchronisation(&mut self, channel: &ChannelPath, is_output: bool) -> ast::Synchronisation {
        let start = self.start();
        let channel = self.channel(channel);
        self.push(if is_output { "!" } else { "?" });
        let direction = if is_output { ast::Direction::Send } else { ast::Direction::Receive };
        ast::Synchronisation { channel, direction, span: self.since(start) }
    }

    fn channel(&mut self, channel: &ChannelPath) -> ast::Expression {
        let start = self.start();
        let mut expression = self.named(&channel.variable);
        for step in &channel.steps {
            let base = Box::new(expression);
            let kind = match step {
                ChannelStep::Element(index) => {
                    self.push("[");
                    let index = Box::new(self.integer(*index));
                    self.push("]");
                    ExpressionKind::Index { base, index }
                }
                ChannelStep::Field(name) => {
                    self.push(".");
                    ExpressionKind::Member { base, member: self.name(name) }
                }
            };
            expression = ast::Expression { kind, span: self.since(start) };
        }
        expression
    }

    /// Writes a keyword and a conjunction, if there are conditions.
    fn condition_part(
        &mut self,
        word: &str,
        conditions: &[ComputedCondition],
        component: &ComputedComponent,
    ) -> Option<ast::Expression> {
        if conditions.is_empty() {
            return None;
        }
        self.push(word);
        let conjunction = self.conjunction(conditions, component);
        self.push(";");
        Some(conjunction)
    }

    /// Writes the conjunction of one or more conditions.
    fn conjunction(
        &mut self,
        conditions: &[ComputedCondition],
        component: &ComputedComponent,
    ) -> ast::Expression {
        if conditions.len() > LONGEST_CHAIN {
            let (first, second) = conditions.split_at(conditions.len() / 2);
            let left = self.conjunction(first, component);
            return self.binary(BinaryOperator::And, " && ", left, |writer| {
                let start = writer.start();
                writer.push("(");
                let inner = Box::new(writer.conjunction(second, component));
                writer.push(")");
                ast::Expression { kind: ExpressionKind::Parenthesised(inner), span: writer.since(start) }
            });
        }
        let (first, rest) = conditions.split_first().unwrap_or((&ComputedCondition::Never, &[]));
        let mut conjunction = self.condition(*first, component);
        for condition in rest {
            conjunction = self.binary(BinaryOperator::And, " && ", conjunction, |writer| {
                writer.condition(*condition, component)
            });
        }
        conjunction
    }

    fn condition(&mut self, condition: ComputedCondition, component: &ComputedComponent) -> ast::Expression {
        match condition {
            ComputedCondition::Never => {
                ast::Expression { kind: ExpressionKind::Boolean(false), span: self.written("false") }
            }
            ComputedCondition::Clock { clock, comparison, bound } => {
                let clock = self.clock(clock, component);
                self.comparison(clock, comparison, bound)
            }
            ComputedCondition::Difference { left, right, comparison, bound } => {
                let left = self.clock(left, component);
                let difference = self
                    .binary(BinaryOperator::Subtract, " - ", left, |writer| writer.clock(right, component));
                self.comparison(difference, comparison, bound)
            }
        }
    }

    fn comparison(&mut self, left: ast::Expression, comparison: Comparison, bound: i32) -> ast::Expression {
        let (operator, text) = match comparison {
            Comparison::Less => (BinaryOperator::Less, " < "),
            Comparison::LessOrEqual => (BinaryOperator::LessEqual, " <= "),
            Comparison::Equal => (BinaryOperator::Equal, " == "),
            Comparison::NotEqual => (BinaryOperator::NotEqual, " != "),
            Comparison::GreaterOrEqual => (BinaryOperator::GreaterEqual, " >= "),
            Comparison::Greater => (BinaryOperator::Greater, " > "),
        };
        self.binary(operator, text, left, |writer| writer.integer(bound))
    }

    fn update(&mut self, update: ComputedUpdate, component: &ComputedComponent) -> ast::Expression {
        let start = self.start();
        let target = match update {
            ComputedUpdate::Set { clock, .. } | ComputedUpdate::Shift { clock, .. } => clock,
            ComputedUpdate::Copy { target, .. } => target,
        };
        let target = Box::new(self.clock(target, component));
        let operator_span = self.spaced(" = ");
        let value = Box::new(match update {
            ComputedUpdate::Set { value, .. } => self.integer(value),
            ComputedUpdate::Copy { from, .. } => self.clock(from, component),
            ComputedUpdate::Shift { clock, amount } => {
                let clock = self.clock(clock, component);
                self.binary(BinaryOperator::Add, " + ", clock, |writer| writer.integer(amount))
            }
        });
        let operator = AssignmentOperator::Assign;
        let kind = ExpressionKind::Assignment { operator, operator_span, target, value };
        ast::Expression { kind, span: self.since(start) }
    }

    fn clock(&mut self, clock: ComputedClockId, component: &ComputedComponent) -> ast::Expression {
        self.named(&component.clocks[clock])
    }

    /// Writes an operator with spaces around it, and its right operand.
    fn binary(
        &mut self,
        operator: BinaryOperator,
        text: &str,
        left: ast::Expression,
        right: impl FnOnce(&mut TreeWriter) -> ast::Expression,
    ) -> ast::Expression {
        let operator_span = self.spaced(text);
        let right = right(self);
        let span = left.span.cover(right.span);
        let (left, right, spelling) = (Box::new(left), Box::new(right), Spelling::Symbol);
        let kind = ExpressionKind::Binary { operator, spelling, operator_span, left, right };
        ast::Expression { kind, span }
    }

    /// Writes an integer; a negative one becomes a negation, because literals have no sign.
    fn integer(&mut self, value: i32) -> ast::Expression {
        let start = self.start();
        let operator_span = (value < 0).then(|| self.written("-"));
        let magnitude = i64::from(value).abs();
        let kind = ExpressionKind::Integer(magnitude);
        let number = ast::Expression { kind, span: self.written(&magnitude.to_string()) };
        match operator_span {
            None => number,
            Some(operator_span) => {
                let (operator, spelling) = (UnaryOperator::Negate, Spelling::Symbol);
                let operand = Box::new(number);
                let kind = ExpressionKind::Unary { operator, spelling, operator_span, operand };
                ast::Expression { kind, span: self.since(start) }
            }
        }
    }

    fn named(&mut self, name: &str) -> ast::Expression {
        ast::Expression { kind: ExpressionKind::Name(name.to_owned()), span: self.written(name) }
    }

    fn name(&mut self, name: &str) -> Name {
        Name { text: name.to_owned(), span: self.written(name) }
    }

    fn separated<Item, Node>(
        &mut self,
        items: &[Item],
        between: &str,
        mut write: impl FnMut(&mut TreeWriter, &Item) -> Node,
    ) -> Vec<Node> {
        let mut nodes = Vec::with_capacity(items.len());
        for (position, item) in items.iter().enumerate() {
            if position > 0 {
                self.push(between);
            }
            nodes.push(write(self, item));
        }
        nodes
    }

    /// Writes a text that starts and ends with a space; returns the span without the spaces.
    fn spaced(&mut self, text: &str) -> Span {
        let start = self.start();
        self.push(text);
        Span::new(self.file, start.saturating_add(1), self.start().saturating_sub(1))
    }

    fn written(&mut self, text: &str) -> Span {
        let start = self.start();
        self.push(text);
        self.since(start)
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Returns the position of the next text. A text that is too long for an offset is refused when the file is added.
    fn start(&self) -> u32 {
        u32::try_from(self.text.len()).unwrap_or(u32::MAX)
    }

    fn since(&self, start: u32) -> Span {
        Span::new(self.file, start, self.start())
    }
}

#[cfg(test)]
mod tests {
    use tempora_source::{Files, Origins};
    use tempora_syntax::{ast, parse_network, print_declarations};

    use super::{LONGEST_CHAIN, TreeWriter};
    use crate::channel_path::{ChannelPath, ChannelStep};
    use crate::computed_component::{
        ComputedComponent, ComputedCondition, ComputedEdge, ComputedLocation, ComputedUpdate,
    };
    use crate::expression::Comparison;
    use crate::{ComputedClockId, LocationId, NetworkBuilder, elaborate_network, print_network};

    const X: ComputedClockId = ComputedClockId(0);
    const Y: ComputedClockId = ComputedClockId(1);

    /// Returns a component with every kind of condition and update, and a guard of this many conditions.
    fn component(channel: ChannelPath, conditions: usize) -> ComputedComponent {
        let difference =
            ComputedCondition::Difference { left: X, right: Y, comparison: Comparison::Less, bound: -3 };
        let lower = ComputedCondition::Clock { clock: Y, comparison: Comparison::GreaterOrEqual, bound: 2 };
        let upper = ComputedCondition::Clock { clock: X, comparison: Comparison::LessOrEqual, bound: 7 };
        let location =
            |name: &str, invariant, label| ComputedLocation { name: name.to_owned(), invariant, label };
        let edge = |channel, is_output, guard, updates| ComputedEdge {
            source: LocationId(0),
            target: LocationId(1),
            channel,
            is_output,
            guard,
            updates,
        };
        let updates = vec![
            ComputedUpdate::Set { clock: X, value: 4 },
            ComputedUpdate::Copy { target: Y, from: X },
            ComputedUpdate::Shift { clock: X, amount: -1 },
        ];
        let edges = [
            edge(None, true, Vec::new(), Vec::new()),
            edge(Some(channel.clone()), false, vec![ComputedCondition::Never], updates),
            edge(Some(channel), true, [lower, difference].repeat(conditions.div_ceil(2)), Vec::new()),
        ];
        ComputedComponent {
            name: None,
            clocks: ["x", "y"].map(str::to_owned).into_iter().collect(),
            locations: [location("A", vec![upper], Some("universal")), location("B", Vec::new(), None)]
                .into_iter()
                .collect(),
            edges: edges.into_iter().collect(),
        }
    }

    fn tree_of(component: &ComputedComponent) -> (Files, ast::Network) {
        let mut files = Files::new();
        let tree = files.add_written("made.net", |file| {
            let mut writer = TreeWriter::new(file, "/* kept */\n".to_owned());
            let declarations = vec![writer.component("Made", component), writer.system(&["Made"])];
            let tree = ast::Network { declarations, span: writer.whole() };
            (writer.into_text(), tree)
        });
        let tree = tree.unwrap();
        (files, tree)
    }

    #[test]
    fn parsed_text_equals_tree() {
        let steps = vec![ChannelStep::Element(-1), ChannelStep::Field("left".to_owned())];
        let path = ChannelPath { variable: "go".to_owned(), steps };
        assert_eq!(path.to_string(), "go[-1].left");
        for conditions in [2, 10, 3 * LONGEST_CHAIN] {
            let (files, tree) = tree_of(&component(path.clone(), conditions));
            let parsed = parse_network(&files, tree.span.file);
            assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
            assert_eq!(parsed.tree.declarations, tree.declarations);
            let printed = print_declarations(&tree.declarations);
            assert!(printed.contains("sync go[-1].left?; do x = 4, y = x, x = x + -1;"), "{printed}");
        }
    }

    #[test]
    fn elaborated_tree_equals_built_network() {
        let path = ChannelPath { variable: "action0".to_owned(), steps: Vec::new() };
        let component = component(path, 3 * LONGEST_CHAIN);
        let (mut files, mut tree) = tree_of(&component);
        let declared = files.add("channels", "broadcast chan action0;").unwrap();
        tree.declarations.splice(0..0, parse_network(&files, declared).tree.declarations);
        let mut origins = Origins::new();
        let elaborated = elaborate_network(&files, &mut origins, &tree);
        let network = elaborated.network.unwrap_or_else(|| panic!("{:?}", elaborated.diagnostics));
        let mut builder = NetworkBuilder::new(origins.built_in("test"));
        builder.component("Made", &component);
        assert_eq!(print_network(&builder.finish()), print_network(&network));
    }
}
