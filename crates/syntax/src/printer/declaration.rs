//! Prints types, declarations, processes and vectors.
//!
//! Flags such as `init` and `urgent` are printed before the locations if that reproduces the lists of names, and on
//! separate lines otherwise.

use super::super::ast::{
    ArrayDimension, ArrayDimensionKind, BaseType, Binding, Branch, ChannelPriorityKind, Declaration,
    DeclarationKind, Declarator, Direction, Edge, EdgeLabels, EdgeTarget, GanttRow, Initialiser,
    InitialiserKind, LocationDeclaration, Name, Parameter, ProcessDeclaration, ProcessReference, Rate,
    Synchronisation, TypeExpression, TypePrefixKind,
};
use super::super::precedence::{LOWEST, OR, UNARY};
use super::Printer;

impl Printer {
    pub(super) fn declaration(&mut self, declaration: &Declaration) {
        match &declaration.kind {
            DeclarationKind::Variables(variables) => {
                self.typed_declarators(&variables.variable_type, &variables.declarators);
            }
            DeclarationKind::TypeDefinition(definition) => {
                self.push("typedef ");
                self.typed_declarators(&definition.variable_type, &definition.declarators);
            }
            DeclarationKind::Function(function) => self.function(function),
            DeclarationKind::ChannelPriority(levels) => {
                self.push("chan priority ");
                self.joined(levels, " < ", |printer, level| {
                    printer.joined(level, ", ", |printer, item| match &item.kind {
                        ChannelPriorityKind::Default => printer.push("default"),
                        ChannelPriorityKind::Channel(channel) => printer.expression(channel, UNARY),
                    });
                });
                self.push(";");
            }
            DeclarationKind::BeforeUpdate(updates) => {
                self.push("before_update { ");
                self.expressions(updates);
                self.push(" }");
            }
            DeclarationKind::AfterUpdate(updates) => {
                self.push("after_update { ");
                self.expressions(updates);
                self.push(" }");
            }
            DeclarationKind::Import { path, functions } => {
                self.push(&format!("import \"{}\" ", path.text));
                self.braced(functions, |printer, function| {
                    if let Some(alias) = &function.alias {
                        printer.push(&format!("{} = ", alias.text));
                    }
                    printer.type_expression(&function.return_type);
                    printer.push(&format!(" {}", function.name.text));
                    printer.parameter_list(&function.parameters);
                    printer.push(";");
                });
                self.push(";");
            }
            DeclarationKind::Dynamic { name, parameters } => {
                self.push(&format!("dynamic {}", name.text));
                self.parameter_list(parameters);
                self.push(";");
            }
            DeclarationKind::InputOutput { process, channels } => {
                self.push("IO ");
                self.process_reference(process);
                self.push(" { ");
                self.joined(channels, ", ", Self::synchronisation);
                self.push(" }");
            }
            DeclarationKind::Instantiation(instantiation) => {
                self.push(&instantiation.name.text);
                if let Some(parameters) = &instantiation.parameters {
                    self.parameter_list(parameters);
                }
                self.push(if instantiation.colon_assign { " := " } else { " = " });
                self.push(&instantiation.template.text);
                self.arguments(&instantiation.arguments);
                self.push(";");
            }
            DeclarationKind::System(system) => {
                self.push("system ");
                self.joined(&system.levels, " < ", |printer, level| {
                    printer.joined(level, ", ", Self::process_reference);
                });
                self.push(";");
            }
            DeclarationKind::Progress(measures) => {
                self.push("progress ");
                self.braced(measures, |printer, measure| {
                    if let Some(guard) = &measure.guard {
                        printer.expression(guard, LOWEST);
                        printer.push(" : ");
                    }
                    printer.expression(&measure.measure, LOWEST);
                    printer.push(";");
                });
            }
            DeclarationKind::Gantt(rows) => {
                self.push("gantt ");
                self.braced(rows, Self::gantt_row);
            }
            DeclarationKind::Queries(items) => {
                self.push("query ");
                self.braced(items, |printer, item| {
                    if let Some(title) = &item.title {
                        printer.push(&format!("\"{}\" ", title.text));
                    }
                    printer.query(&item.query);
                    printer.push(";");
                });
            }
            DeclarationKind::Process(process) => self.process(process),
            DeclarationKind::NamedSpecification { name, specification } => {
                self.push(&format!("system {} = ", name.text));
                self.spec_expression(specification, 0);
                self.push(";");
            }
            DeclarationKind::Vector(vector) => {
                self.push("vector ");
                self.joined(&vector.participants, ", ", |printer, participant| {
                    printer.process_reference(&participant.process);
                    printer.push(&format!("@{}", participant.event.text));
                    if participant.is_weak {
                        printer.push("?");
                    }
                });
                self.push(";");
            }
            DeclarationKind::Error => self.push("?;"),
        }
    }

    // Types.

    fn typed_declarators(&mut self, variable_type: &TypeExpression, declarators: &[Declarator]) {
        self.type_expression(variable_type);
        self.push(" ");
        self.joined(declarators, ", ", |printer, declarator| {
            printer.push(&declarator.name.text);
            printer.dimensions(&declarator.dimensions);
            if let Some(initialiser) = &declarator.initialiser {
                printer.push(" = ");
                printer.initialiser(initialiser);
            }
        });
        self.push(";");
    }

    pub(super) fn type_expression(&mut self, written: &TypeExpression) {
        for prefix in &written.prefixes {
            self.push(match prefix.kind {
                TypePrefixKind::Urgent => "urgent ",
                TypePrefixKind::Broadcast => "broadcast ",
                TypePrefixKind::Const => "const ",
                TypePrefixKind::Meta => "meta ",
                TypePrefixKind::Hybrid => "hybrid ",
            });
        }
        match &written.base {
            BaseType::Integer => self.push("int"),
            BaseType::BoundedInteger { lower, upper } => {
                self.push("int[");
                self.expression(lower, LOWEST);
                self.push(",");
                self.expression(upper, LOWEST);
                self.push("]");
            }
            BaseType::Boolean => self.push("bool"),
            BaseType::Double => self.push("double"),
            BaseType::Text => self.push("string"),
            BaseType::Clock => self.push("clock"),
            BaseType::Channel => self.push("chan"),
            BaseType::Void => self.push("void"),
            BaseType::Scalar { size } => {
                self.push("scalar[");
                self.expression(size, LOWEST);
                self.push("]");
            }
            BaseType::Struct { fields } => {
                self.push("struct ");
                self.braced(fields, |printer, field| {
                    printer.typed_declarators(&field.field_type, &field.declarators);
                });
            }
            BaseType::Named(name) => self.push(&name.text),
            BaseType::Error => self.push("?"),
        }
    }

    fn dimensions(&mut self, dimensions: &[ArrayDimension]) {
        for dimension in dimensions {
            self.push("[");
            match &dimension.kind {
                ArrayDimensionKind::Size(size) => self.expression(size, LOWEST),
                ArrayDimensionKind::Index(index) => self.type_expression(index),
            }
            self.push("]");
        }
    }

    fn initialiser(&mut self, initialiser: &Initialiser) {
        match &initialiser.kind {
            InitialiserKind::Expression(expression) => self.expression(expression, LOWEST),
            InitialiserKind::List(values) => {
                self.push("{");
                self.joined(values, ", ", |printer, value| {
                    if let Some(field) = &value.field {
                        printer.push(&format!("{}: ", field.text));
                    }
                    printer.initialiser(&value.value);
                });
                self.push("}");
            }
        }
    }

    pub(super) fn parameter_list(&mut self, parameters: &[Parameter]) {
        self.push("(");
        self.joined(parameters, ", ", |printer, parameter| {
            printer.type_expression(&parameter.parameter_type);
            printer.push(if parameter.by_reference { " &" } else { " " });
            printer.push(&parameter.name.text);
            printer.dimensions(&parameter.dimensions);
        });
        self.push(")");
    }

    pub(super) fn binding(&mut self, binding: &Binding) {
        self.push(&format!("{} : ", binding.name.text));
        self.type_expression(&binding.domain);
    }

    pub(super) fn bindings(&mut self, bindings: &[Binding]) {
        self.joined(bindings, ", ", Self::binding);
    }

    fn names(&mut self, names: &[Name]) {
        self.joined(names, ", ", |printer, name| printer.push(&name.text));
    }

    // The system.

    pub(super) fn process_reference(&mut self, process: &ProcessReference) {
        self.push(&process.name.text);
        if let Some(arguments) = &process.arguments {
            self.arguments(arguments);
        }
    }

    fn gantt_row(&mut self, row: &GanttRow) {
        self.push(&row.name.text);
        if !row.bindings.is_empty() {
            self.push("(");
            self.bindings(&row.bindings);
            self.push(")");
        }
        self.push(": ");
        self.joined(&row.bars, ", ", |printer, bar| {
            if !bar.bindings.is_empty() {
                printer.push("for (");
                printer.bindings(&bar.bindings);
                printer.push(") ");
            }
            printer.expression(&bar.condition, LOWEST);
            printer.push(" -> ");
            printer.expression(&bar.colour, LOWEST);
        });
        self.push(";");
    }

    pub(super) fn synchronisation(&mut self, synchronisation: &Synchronisation) {
        self.expression(&synchronisation.channel, OR);
        self.push(match synchronisation.direction {
            Direction::Send => "!",
            Direction::Receive => "?",
            Direction::Both => "",
        });
    }

    // Processes.

    fn process(&mut self, process: &ProcessDeclaration) {
        self.push(&format!("process {}", process.name.text));
        if process.arguments.is_empty() {
            self.parameter_list(&process.parameters);
        } else {
            self.arguments(&process.arguments);
        }
        if let Some(template) = &process.template {
            self.push(&format!(" : {}", template.text));
        }
        self.push(" {");
        self.indentation += 1;
        for declaration in &process.declarations {
            self.new_line();
            self.declaration(declaration);
        }
        let lists =
            [("init", &process.initial), ("urgent", &process.urgent), ("committed", &process.committed)];
        let flags = lists.map(|(_, list)| flags_of(&process.locations, list));
        for (position, location) in process.locations.iter().enumerate() {
            self.new_line();
            for ((word, _), flags) in lists.iter().zip(&flags) {
                if flags.as_ref().is_some_and(|flags| flags[position]) {
                    self.push(&format!("{word} "));
                }
            }
            self.location(location);
        }
        for ((word, list), flags) in lists.iter().zip(&flags) {
            if flags.is_none() {
                self.new_line();
                self.push(if *word == "committed" { "commit" } else { word });
                self.push(" ");
                self.names(list);
                self.push(";");
            }
        }
        if !process.branchpoints.is_empty() {
            self.new_line();
            self.push("branchpoint ");
            self.names(&process.branchpoints);
            self.push(";");
        }
        for edge in &process.edges {
            self.new_line();
            self.edge(edge);
        }
        self.indentation -= 1;
        self.new_line();
        self.push("}");
    }

    fn location(&mut self, location: &LocationDeclaration) {
        self.push(&format!("location {}", location.name.text));
        if location.invariant.is_none() && location.rate.is_none() && location.labels.is_empty() {
            self.push(";");
            return;
        }
        self.push(" { ");
        if let Some(invariant) = &location.invariant {
            self.push("invariant ");
            self.expression(invariant, LOWEST);
            self.push("; ");
        }
        if let Some(rate) = &location.rate {
            self.push("rate ");
            self.rate(rate);
            self.push("; ");
        }
        if !location.labels.is_empty() {
            self.push("labels ");
            self.names(&location.labels);
            self.push("; ");
        }
        self.push("}");
    }

    pub(super) fn rate(&mut self, rate: &Rate) {
        self.expression(&rate.value, LOWEST);
        if let Some(divisor) = &rate.divisor {
            self.push(" : ");
            self.expression(divisor, LOWEST);
        }
    }

    fn edge(&mut self, edge: &Edge) {
        self.push(&edge.source.text);
        let arrow = if edge.is_uncontrollable { " -u-> " } else { " -> " };
        let has_labels = edge.labels != EdgeLabels::default();
        match &edge.target {
            EdgeTarget::Single(target) => {
                self.push(arrow);
                self.push(&target.text);
                if has_labels {
                    self.push(" ");
                    self.edge_labels(&edge.labels);
                } else {
                    self.push(";");
                }
            }
            EdgeTarget::Branches(branches) => {
                if has_labels {
                    self.push(" ");
                    self.edge_labels(&edge.labels);
                }
                self.push(arrow);
                self.braced(branches, Self::branch);
            }
        }
    }

    fn branch(&mut self, branch: &Branch) {
        if let Some(weight) = &branch.weight {
            self.push("weight ");
            self.expression(weight, LOWEST);
            self.push(": ");
        }
        self.push(&branch.target.text);
        if branch.updates.is_empty() {
            self.push(";");
        } else {
            self.push(" { do ");
            self.expressions(&branch.updates);
            self.push("; }");
        }
    }

    fn edge_labels(&mut self, labels: &EdgeLabels) {
        self.push("{ ");
        if !labels.select.is_empty() {
            self.push("select ");
            self.bindings(&labels.select);
            self.push("; ");
        }
        if let Some(guard) = &labels.guard {
            self.push("guard ");
            self.expression(guard, LOWEST);
            self.push("; ");
        }
        if let Some(synchronisation) = &labels.synchronisation {
            self.push("sync ");
            self.synchronisation(synchronisation);
            self.push("; ");
        }
        if let Some(event) = &labels.event {
            self.push(&format!("event {}; ", event.text));
        }
        if !labels.updates.is_empty() {
            self.push("do ");
            self.expressions(&labels.updates);
            self.push("; ");
        }
        if let Some(weight) = &labels.weight {
            self.push("probability ");
            self.expression(weight, LOWEST);
            self.push("; ");
        }
        self.push("}");
    }
}

/// Returns a flag for each location: whether it is in the list. Returns `None` if the flags do not determine the list,
/// because of its order or because a name is missing or repeated.
fn flags_of(locations: &[LocationDeclaration], list: &[Name]) -> Option<Vec<bool>> {
    let mut rest = list.iter().map(|name| &name.text).peekable();
    let flags: Vec<bool> =
        locations.iter().map(|location| rest.next_if_eq(&&location.name.text).is_some()).collect();
    rest.peek().is_none().then_some(flags)
}
