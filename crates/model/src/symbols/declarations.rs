//! Collects the symbols of declarations, types and statements.

use tempora_source::{Span, SymbolId, SymbolKind, SymbolRole};
use tempora_syntax::ast::{
    self, ArrayDimension, ArrayDimensionKind, BaseType, Binding, Block, ChannelPriorityKind, Declaration,
    DeclarationKind, Declarator, FunctionDeclaration, Initialiser, InitialiserKind, Parameter, Statement,
    StatementKind, TypeExpression, TypePrefixKind, VariableDeclaration,
};
use tempora_syntax::{children, print_parameters};

use super::{Class, Collector, DATA, RecordPosition, Shape, Usage};

impl Collector<'_> {
    pub(super) fn declaration(&mut self, declaration: &Declaration) {
        match &declaration.kind {
            DeclarationKind::Variables(variables) => self.variables(variables, false, declaration.span),
            DeclarationKind::TypeDefinition(variables) => {
                let shape = self.type_expression(&variables.variable_type);
                for declarator in &variables.declarators {
                    self.dimensions(&declarator.dimensions);
                    let text = type_text(&variables.variable_type, &declarator.dimensions);
                    let id = self.define(&declarator.name, SymbolKind::Type, Some(text), declaration.span);
                    self.shapes.insert(id, shape);
                    self.contain_fields(id, shape.record);
                }
            }
            DeclarationKind::Function(function) => self.function(function),
            DeclarationKind::ChannelPriority(groups) => {
                for item in groups.iter().flatten() {
                    if let ChannelPriorityKind::Channel(channel) = &item.kind {
                        self.prioritised(channel);
                    }
                }
            }
            DeclarationKind::BeforeUpdate(updates) | DeclarationKind::AfterUpdate(updates) => {
                self.expressions(updates, Usage::Effect);
            }
            DeclarationKind::Instantiation(instantiation) => {
                self.instantiation(instantiation, declaration.span);
            }
            DeclarationKind::System(line) => {
                line.levels.iter().flatten().for_each(|reference| self.process_reference(reference));
            }
            DeclarationKind::NamedSpecification { name, specification } => {
                self.define(name, SymbolKind::Specification, None, declaration.span);
                self.in_query = true;
                self.specification(specification);
                self.in_query = false;
            }
            DeclarationKind::Progress(measures) => {
                for measure in measures {
                    self.expressions(measure.guard.iter().chain([&measure.measure]), Usage::Value);
                }
            }
            DeclarationKind::Gantt(rows) => {
                for row in rows {
                    self.scoped(row.span, |collector| {
                        collector.bindings(&row.bindings, SymbolKind::Bound);
                        for bar in &row.bars {
                            collector.scoped(bar.span, |collector| {
                                collector.bindings(&bar.bindings, SymbolKind::Bound);
                                collector.expression(&bar.condition, Usage::Value);
                                collector.expression(&bar.colour, Usage::Value);
                            });
                        }
                    });
                }
            }
            DeclarationKind::Process(process) => self.process(process),
            DeclarationKind::Vector(vector) => {
                for participant in &vector.participants {
                    self.process_reference(&participant.process);
                }
            }
            DeclarationKind::InputOutput { process, channels } => {
                self.process_reference(process);
                for channel in channels {
                    self.expression(&channel.channel, Usage::Reference);
                }
            }
            DeclarationKind::Import { functions, .. } => {
                for function in functions {
                    let text = function_text(&function.return_type, &function.parameters);
                    self.define(&function.name, SymbolKind::Function, Some(text), function.span);
                }
            }
            DeclarationKind::Dynamic { .. } | DeclarationKind::Queries(_) | DeclarationKind::Error => {}
        }
    }

    /// Collects a channel in a list of priorities, which does not count as a synchronisation.
    fn prioritised(&mut self, channel: &ast::Expression) {
        match &channel.kind {
            ast::ExpressionKind::Name(name) => {
                self.use_name(name, channel.span, SymbolRole::Priority);
            }
            ast::ExpressionKind::Index { base, index } => {
                self.prioritised(base);
                self.expression(index, Usage::Value);
            }
            _ => children(channel).into_iter().for_each(|child| self.expression(child, Usage::Value)),
        }
    }

    fn instantiation(&mut self, instantiation: &ast::Instantiation, span: Span) {
        let written = &instantiation.template;
        let template = self.use_name(&written.text, written.span, SymbolRole::Instance);
        let parameters = instantiation.parameters.as_deref().unwrap_or(&[]);
        let text = format!("{}({})", written.text, print_parameters(parameters));
        let id = self.define(&instantiation.name, SymbolKind::Process, Some(text), span);
        self.scoped(span, |collector| {
            parameters.iter().for_each(|parameter| collector.parameter(parameter, SymbolKind::Bound));
            collector.arguments(template, &instantiation.arguments);
        });
        self.references.insert(id, parameters.iter().map(|parameter| parameter.by_reference).collect());
        if let Some(template) = template {
            let template = self.templates.get(&template).copied().unwrap_or(template);
            self.templates.insert(id, template);
        }
    }

    pub(super) fn process_reference(&mut self, reference: &ast::ProcessReference) {
        let process = self.use_name(&reference.name.text, reference.name.span, SymbolRole::Instance);
        self.arguments(process, reference.arguments.as_deref().unwrap_or(&[]));
    }

    /// Collects the arguments of a function or a template.
    pub(super) fn arguments(&mut self, called: Option<SymbolId>, arguments: &[ast::Expression]) {
        let references = called.and_then(|called| self.references.get(&called)).cloned();
        for (number, argument) in arguments.iter().enumerate() {
            let is_reference =
                references.as_ref().is_none_or(|references| references.get(number).copied().unwrap_or(false));
            self.expression(argument, if is_reference { Usage::Reference } else { Usage::Value });
        }
    }

    fn variables(&mut self, variables: &VariableDeclaration, is_local: bool, span: Span) {
        let shape = self.type_expression(&variables.variable_type);
        let is_constant =
            variables.variable_type.prefixes.iter().any(|prefix| prefix.kind == TypePrefixKind::Const);
        let kind = match shape.class {
            _ if is_local => SymbolKind::Local,
            _ if is_constant => SymbolKind::Constant,
            Class::Data => SymbolKind::Variable,
            Class::Clock => SymbolKind::Clock,
            Class::Channel { is_broadcast: false } => SymbolKind::Channel,
            Class::Channel { is_broadcast: true } => SymbolKind::BroadcastChannel,
        };
        for declarator in &variables.declarators {
            self.dimensions(&declarator.dimensions);
            if let Some(initialiser) = &declarator.initialiser {
                self.initialiser(initialiser, shape.record);
            }
            let text = type_text(&variables.variable_type, &declarator.dimensions);
            let id = self.define(&declarator.name, kind, Some(text), span);
            self.shapes.insert(id, shape);
        }
    }

    pub(super) fn dimensions(&mut self, dimensions: &[ArrayDimension]) {
        for dimension in dimensions {
            match &dimension.kind {
                ArrayDimensionKind::Size(size) => self.expression(size, Usage::Value),
                ArrayDimensionKind::Index(index) => {
                    self.type_expression(index);
                }
            }
        }
    }

    fn initialiser(&mut self, initialiser: &Initialiser, record: Option<RecordPosition>) {
        match &initialiser.kind {
            InitialiserKind::Expression(expression) => self.expression(expression, Usage::Value),
            InitialiserKind::List(list) => {
                for item in list {
                    let field = item.field.as_ref().and_then(|name| {
                        let id = self.records.get(record?)?.get(&name.text).copied()?;
                        self.use_symbol(id, name.span, SymbolRole::Write);
                        Some(id)
                    });
                    // Without a name it is an element of an array of records, or a field by position, which is ignored.
                    let inner = match field {
                        Some(field) => self.shapes.get(&field).and_then(|shape| shape.record),
                        None => record,
                    };
                    self.initialiser(&item.value, inner);
                }
            }
        }
    }

    pub(super) fn parameter(&mut self, parameter: &Parameter, kind: SymbolKind) {
        let shape = self.type_expression(&parameter.parameter_type);
        self.dimensions(&parameter.dimensions);
        let text = type_text(&parameter.parameter_type, &parameter.dimensions);
        let id = self.define(&parameter.name, kind, Some(text), parameter.name.span);
        self.shapes.insert(id, shape);
    }

    pub(super) fn bindings(&mut self, bindings: &[Binding], kind: SymbolKind) {
        for binding in bindings {
            self.type_expression(&binding.domain);
            let text = type_text(&binding.domain, &[]);
            let kind = if self.in_query { SymbolKind::QueryBound } else { kind };
            self.define(&binding.name, kind, Some(text), binding.name.span);
        }
    }

    fn function(&mut self, function: &FunctionDeclaration) {
        let shape = self.type_expression(&function.return_type);
        let text = function_text(&function.return_type, &function.parameters);
        let id = self.define(&function.name, SymbolKind::Function, Some(text), function.span);
        self.shapes.insert(id, shape);
        self.references
            .insert(id, function.parameters.iter().map(|parameter| parameter.by_reference).collect());
        let is_global = self.containers.is_empty();
        let before = self.pending.len();
        self.contained(id, |collector| {
            collector.scoped(function.span, |collector| {
                for parameter in &function.parameters {
                    collector.parameter(parameter, SymbolKind::FunctionParameter);
                }
                collector.block(&function.body);
            });
        });
        if is_global {
            // Only names before it are visible in a global function.
            self.pending.truncate(before);
        }
    }

    fn block(&mut self, block: &Block) {
        self.scoped(block.span, |collector| {
            for declaration in &block.declarations {
                match &declaration.kind {
                    DeclarationKind::Variables(variables) => {
                        collector.variables(variables, true, declaration.span);
                    }
                    _ => collector.declaration(declaration),
                }
            }
            block.statements.iter().for_each(|statement| collector.statement(statement));
        });
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Empty | StatementKind::Error => {}
            StatementKind::Expressions(list) => self.expressions(list, Usage::Effect),
            StatementKind::Block(block) => self.block(block),
            StatementKind::If { branches, otherwise } => {
                for branch in branches {
                    self.expression(&branch.condition, Usage::Value);
                    self.statement(&branch.body);
                }
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            StatementKind::For { initial, condition, step, body } => {
                self.expressions(initial, Usage::Effect);
                self.expressions(condition, Usage::Value);
                self.expressions(step, Usage::Effect);
                self.statement(body);
            }
            StatementKind::ForEach { binding, body } => self.scoped(statement.span, |collector| {
                collector.bindings(std::slice::from_ref(&**binding), SymbolKind::Bound);
                collector.statement(body);
            }),
            StatementKind::While { condition, body } | StatementKind::DoWhile { body, condition } => {
                self.expression(condition, Usage::Value);
                self.statement(body);
            }
            StatementKind::Return(value) => self.expressions(value, Usage::Value),
            StatementKind::Assert(condition) => self.expression(condition, Usage::Value),
        }
    }

    /// Records the names in a type and returns the shape of its values.
    pub(super) fn type_expression(&mut self, written: &TypeExpression) -> Shape {
        let has = |kind| written.prefixes.iter().any(|prefix| prefix.kind == kind);
        match &written.base {
            BaseType::Clock => Shape { class: Class::Clock, record: None },
            BaseType::Channel => {
                let is_broadcast = has(TypePrefixKind::Broadcast);
                Shape { class: Class::Channel { is_broadcast }, record: None }
            }
            BaseType::BoundedInteger { lower, upper } => {
                self.expression(lower, Usage::Value);
                self.expression(upper, Usage::Value);
                DATA
            }
            BaseType::Scalar { size } => {
                self.expression(size, Usage::Value);
                DATA
            }
            BaseType::Struct { fields } => self.record_type(fields),
            BaseType::Named(name) => match self.use_name(&name.text, name.span, SymbolRole::Type) {
                Some(id) if self.symbols[id].kind == SymbolKind::Type => {
                    self.shapes.get(&id).copied().unwrap_or(DATA)
                }
                _ => DATA,
            },
            BaseType::Integer
            | BaseType::Boolean
            | BaseType::Double
            | BaseType::Text
            | BaseType::Void
            | BaseType::Error => DATA,
        }
    }

    fn record_type(&mut self, fields: &[ast::StructField]) -> Shape {
        let mut class = Class::Data;
        let mut named = std::collections::BTreeMap::new();
        for field in fields {
            let shape = self.type_expression(&field.field_type);
            for declarator in &field.declarators {
                let declarator: &Declarator = declarator;
                self.dimensions(&declarator.dimensions);
                let text = type_text(&field.field_type, &declarator.dimensions);
                let id = self.define_member(&declarator.name, SymbolKind::Field, Some(text), field.span);
                self.shapes.insert(id, shape);
                named.insert(declarator.name.text.clone(), id);
            }
            if shape.class != Class::Data {
                class = shape.class;
            }
        }
        self.records.push(named);
        Shape { class, record: Some(self.records.len() - 1) }
    }

    /// Makes a named type the container of the fields of its record.
    fn contain_fields(&mut self, id: SymbolId, record: Option<RecordPosition>) {
        let fields: Vec<SymbolId> = record
            .and_then(|record| self.records.get(record))
            .into_iter()
            .flat_map(|fields| fields.values().copied())
            .collect();
        for field in fields {
            self.symbols.set_container(field, id);
        }
    }
}

/// Returns the text of a type with dimensions.
fn type_text(written: &TypeExpression, dimensions: &[ArrayDimension]) -> String {
    let nameless = |dimensions: &[ArrayDimension]| {
        print_parameters(&[Parameter {
            parameter_type: written.clone(),
            by_reference: false,
            name: ast::Name { text: String::new(), span: written.span },
            dimensions: dimensions.to_vec(),
            span: written.span,
        }])
    };
    let (base, whole) = (nameless(&[]), nameless(dimensions));
    // The printer writes a record on several lines.
    let words: Vec<&str> = base.split_whitespace().collect();
    format!("{}{}", words.join(" "), whole.strip_prefix(base.as_str()).unwrap_or(""))
}

/// Returns the text of the result and the parameters of a function.
fn function_text(result: &TypeExpression, parameters: &[Parameter]) -> String {
    format!("{}({})", type_text(result, &[]), print_parameters(parameters))
}
