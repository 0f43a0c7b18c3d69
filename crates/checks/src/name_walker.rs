//! Goes through what is written and finds which declaration each name means.
//!
//! Invariant: a use belongs to the innermost declaration that is visible there, as in the language itself; a name that is
//! handed on by reference counts as used in every way, for what happens to it there is not followed.

use std::collections::BTreeMap;

use tempora_syntax::ast::{
    ArrayDimension, ArrayDimensionKind, BaseType, Binding, Block, Declaration, DeclarationKind, Declarator,
    Direction, EdgeTarget, Expression, ExpressionKind, FunctionDeclaration, Initialiser, InitialiserKind,
    Name, Parameter, ProcessDeclaration, ProcessReference, Statement, StatementKind, TypeExpression,
    TypePrefixKind, VariableDeclaration,
};
use tempora_syntax::children;

use crate::names::{Class, Declared, Sort};

/// Goes through what is written, with the names that are visible.
pub(crate) struct NameWalker {
    pub(crate) declared: Vec<Declared>,
    scopes: Vec<BTreeMap<String, usize>>,
    template: Option<String>,
    /// For each function and template, which of its parameters are references.
    references: BTreeMap<usize, Vec<bool>>,
}

/// How an expression is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Value,
    Effect,
    Anyhow,
}

impl NameWalker {
    pub(crate) fn new() -> NameWalker {
        NameWalker {
            declared: Vec::new(),
            scopes: vec![BTreeMap::new()],
            template: None,
            references: BTreeMap::new(),
        }
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    fn declare(&mut self, name: &Name, sort: Sort) -> usize {
        let hides = self.scopes[..self.scopes.len() - 1]
            .iter()
            .rev()
            .find_map(|scope| scope.get(&name.text))
            .copied();
        let number = self.declared.len();
        self.declared.push(Declared {
            name: name.text.clone(),
            span: name.span,
            sort,
            template: self.template.clone(),
            is_read: false,
            is_written: false,
            is_sent: false,
            is_received: false,
            is_in_query: false,
            hides,
        });
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.text.clone(), number);
        }
        number
    }

    fn scoped(&mut self, walk: impl FnOnce(&mut NameWalker)) {
        self.scopes.push(BTreeMap::new());
        walk(self);
        self.scopes.pop();
    }

    pub(crate) fn declaration(&mut self, declaration: &Declaration) {
        match &declaration.kind {
            DeclarationKind::Variables(variables) => self.variables(variables, false),
            DeclarationKind::TypeDefinition(variables) => {
                let class = self.type_expression(&variables.variable_type);
                for declarator in &variables.declarators {
                    self.dimensions(&declarator.dimensions);
                    self.declare(&declarator.name, Sort::Type(class));
                }
            }
            DeclarationKind::Function(function) => self.function(function),
            DeclarationKind::ChannelPriority(groups) => {
                use tempora_syntax::ast::ChannelPriorityKind;
                for item in groups.iter().flatten() {
                    if let ChannelPriorityKind::Channel(channel) = &item.kind {
                        // That it has a priority is no use of a channel; an index may use something.
                        for child in children(channel) {
                            self.expression(child, Use::Value);
                        }
                    }
                }
            }
            DeclarationKind::BeforeUpdate(updates) | DeclarationKind::AfterUpdate(updates) => {
                self.expressions(updates, Use::Effect);
            }
            DeclarationKind::Instantiation(instantiation) => {
                let template = self.find(&instantiation.template.text);
                if let Some(template) = template {
                    self.declared[template].is_read = true;
                }
                let number = self.declare(&instantiation.name, Sort::Process);
                self.scoped(|walker| {
                    let parameters = instantiation.parameters.iter().flatten();
                    parameters.for_each(|parameter| walker.parameter(parameter, Sort::Bound));
                    walker.arguments(template, &instantiation.arguments);
                });
                let references = instantiation
                    .parameters
                    .iter()
                    .flatten()
                    .map(|parameter| parameter.by_reference)
                    .collect();
                self.references.insert(number, references);
            }
            DeclarationKind::System(line) => {
                for reference in line.levels.iter().flatten() {
                    self.process_reference(reference);
                }
            }
            DeclarationKind::Progress(measures) => {
                for measure in measures {
                    self.expressions(measure.guard.iter().chain([&measure.measure]), Use::Value);
                }
            }
            DeclarationKind::Gantt(rows) => {
                for row in rows {
                    self.scoped(|walker| {
                        walker.bindings(&row.bindings, Sort::Bound);
                        for bar in &row.bars {
                            walker.scoped(|walker| {
                                walker.bindings(&bar.bindings, Sort::Bound);
                                walker.expression(&bar.condition, Use::Value);
                                walker.expression(&bar.colour, Use::Value);
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
                    self.expression(&channel.channel, Use::Anyhow);
                }
            }
            DeclarationKind::Import { functions, .. } => {
                for function in functions {
                    let name = function.alias.as_ref().unwrap_or(&function.name);
                    self.declare(name, Sort::Function);
                }
            }
            DeclarationKind::Dynamic { .. }
            | DeclarationKind::Queries(_)
            | DeclarationKind::NamedSpecification { .. }
            | DeclarationKind::Error => {}
        }
    }

    fn process_reference(&mut self, reference: &ProcessReference) {
        let process = self.find(&reference.name.text);
        if let Some(process) = process {
            self.declared[process].is_read = true;
        }
        self.arguments(process, reference.arguments.as_deref().unwrap_or(&[]));
    }

    /// The arguments of a function or a template: what is given by reference may be used in every way.
    fn arguments(&mut self, called: Option<usize>, arguments: &[Expression]) {
        let references = called.and_then(|called| self.references.get(&called)).cloned();
        for (number, argument) in arguments.iter().enumerate() {
            let is_reference =
                references.as_ref().is_none_or(|references| references.get(number).copied().unwrap_or(false));
            self.expression(argument, if is_reference { Use::Anyhow } else { Use::Value });
        }
    }

    fn process(&mut self, process: &ProcessDeclaration) {
        let number = self.declare(&process.name, Sort::Template);
        self.references
            .insert(number, process.parameters.iter().map(|parameter| parameter.by_reference).collect());
        self.expressions(&process.arguments, Use::Value);
        self.template = Some(process.name.text.clone());
        self.scoped(|walker| {
            for parameter in &process.parameters {
                walker.parameter(parameter, Sort::TemplateParameter);
            }
            for declaration in &process.declarations {
                walker.declaration(declaration);
            }
            for location in &process.locations {
                walker.expressions(&location.invariant, Use::Value);
                if let Some(rate) = &location.rate {
                    walker.expression(&rate.value, Use::Value);
                    walker.expressions(&rate.divisor, Use::Value);
                }
            }
            for edge in &process.edges {
                walker.scoped(|walker| {
                    walker.bindings(&edge.labels.select, Sort::Select);
                    walker.expressions(&edge.labels.guard, Use::Value);
                    if let Some(synchronisation) = &edge.labels.synchronisation {
                        walker.channel(&synchronisation.channel, synchronisation.direction);
                    }
                    walker.expressions(&edge.labels.updates, Use::Effect);
                    walker.expressions(&edge.labels.weight, Use::Value);
                    if let EdgeTarget::Branches(branches) = &edge.target {
                        for branch in branches {
                            walker.expressions(&branch.weight, Use::Value);
                            walker.expressions(&branch.updates, Use::Effect);
                        }
                    }
                });
            }
        });
        self.template = None;
    }

    fn channel(&mut self, channel: &Expression, direction: Direction) {
        match &channel.without_parentheses().kind {
            ExpressionKind::Name(name) => {
                if let Some(number) = self.find(name) {
                    let declared = &mut self.declared[number];
                    declared.is_sent |= direction != Direction::Receive;
                    declared.is_received |= direction != Direction::Send;
                }
            }
            ExpressionKind::Index { base, index } => {
                self.channel(base, direction);
                self.expression(index, Use::Value);
            }
            ExpressionKind::Member { base, .. } => self.channel(base, direction),
            ExpressionKind::Conditional { condition, consequence, alternative } => {
                self.expression(condition, Use::Value);
                self.channel(consequence, direction);
                self.channel(alternative, direction);
            }
            _ => self.expression(channel, Use::Anyhow),
        }
    }

    fn variables(&mut self, variables: &VariableDeclaration, is_local: bool) {
        let class = self.type_expression(&variables.variable_type);
        let is_constant =
            variables.variable_type.prefixes.iter().any(|prefix| prefix.kind == TypePrefixKind::Const);
        for declarator in &variables.declarators {
            self.dimensions(&declarator.dimensions);
            if let Some(initialiser) = &declarator.initialiser {
                self.initialiser(initialiser);
            }
            let sort = match class {
                _ if is_local => Sort::Local,
                _ if is_constant => Sort::Constant,
                Class::Data => Sort::Variable,
                Class::Clock => Sort::Clock,
                Class::Channel { is_broadcast } => Sort::Channel { is_broadcast },
            };
            self.declare(&declarator.name, sort);
        }
    }

    fn dimensions(&mut self, dimensions: &[ArrayDimension]) {
        for dimension in dimensions {
            match &dimension.kind {
                ArrayDimensionKind::Size(size) => self.expression(size, Use::Value),
                ArrayDimensionKind::Index(index) => {
                    self.type_expression(index);
                }
            }
        }
    }

    fn initialiser(&mut self, initialiser: &Initialiser) {
        match &initialiser.kind {
            InitialiserKind::Expression(expression) => self.expression(expression, Use::Value),
            InitialiserKind::List(list) => list.iter().for_each(|field| self.initialiser(&field.value)),
        }
    }

    fn parameter(&mut self, parameter: &Parameter, sort: Sort) {
        self.type_expression(&parameter.parameter_type);
        self.dimensions(&parameter.dimensions);
        self.declare(&parameter.name, sort);
    }

    fn bindings(&mut self, bindings: &[Binding], sort: Sort) {
        for binding in bindings {
            self.type_expression(&binding.domain);
            self.declare(&binding.name, sort);
        }
    }

    fn function(&mut self, function: &FunctionDeclaration) {
        self.type_expression(&function.return_type);
        let number = self.declare(&function.name, Sort::Function);
        self.references
            .insert(number, function.parameters.iter().map(|parameter| parameter.by_reference).collect());
        self.scoped(|walker| {
            for parameter in &function.parameters {
                walker.parameter(parameter, Sort::FunctionParameter);
            }
            walker.block(&function.body);
        });
    }

    fn block(&mut self, block: &Block) {
        self.scoped(|walker| {
            for declaration in &block.declarations {
                match &declaration.kind {
                    DeclarationKind::Variables(variables) => walker.variables(variables, true),
                    _ => walker.declaration(declaration),
                }
            }
            block.statements.iter().for_each(|statement| walker.statement(statement));
        });
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Empty | StatementKind::Error => {}
            StatementKind::Expressions(list) => self.expressions(list, Use::Effect),
            StatementKind::Block(block) => self.block(block),
            StatementKind::If { branches, otherwise } => {
                for branch in branches {
                    self.expression(&branch.condition, Use::Value);
                    self.statement(&branch.body);
                }
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            StatementKind::For { initial, condition, step, body } => {
                self.expressions(initial, Use::Effect);
                self.expressions(condition, Use::Value);
                self.expressions(step, Use::Effect);
                self.statement(body);
            }
            StatementKind::ForEach { binding, body } => self.scoped(|walker| {
                walker.bindings(std::slice::from_ref(&**binding), Sort::Bound);
                walker.statement(body);
            }),
            StatementKind::While { condition, body } | StatementKind::DoWhile { body, condition } => {
                self.expression(condition, Use::Value);
                self.statement(body);
            }
            StatementKind::Return(value) => self.expressions(value, Use::Value),
            StatementKind::Assert(condition) => self.expression(condition, Use::Value),
        }
    }

    /// What values of a type are.
    fn type_expression(&mut self, written: &TypeExpression) -> Class {
        let has = |kind| written.prefixes.iter().any(|prefix| prefix.kind == kind);
        match &written.base {
            BaseType::Clock => Class::Clock,
            BaseType::Channel => Class::Channel { is_broadcast: has(TypePrefixKind::Broadcast) },
            BaseType::BoundedInteger { lower, upper } => {
                self.expression(lower, Use::Value);
                self.expression(upper, Use::Value);
                Class::Data
            }
            BaseType::Scalar { size } => {
                self.expression(size, Use::Value);
                Class::Data
            }
            BaseType::Struct { fields } => {
                let mut class = Class::Data;
                for field in fields {
                    let of_field = self.type_expression(&field.field_type);
                    field
                        .declarators
                        .iter()
                        .for_each(|declarator: &Declarator| self.dimensions(&declarator.dimensions));
                    if of_field != Class::Data {
                        class = of_field;
                    }
                }
                class
            }
            BaseType::Named(name) => match self.find(&name.text) {
                Some(number) => {
                    self.declared[number].is_read = true;
                    match self.declared[number].sort {
                        Sort::Type(class) => class,
                        _ => Class::Data,
                    }
                }
                None => Class::Data,
            },
            BaseType::Integer
            | BaseType::Boolean
            | BaseType::Double
            | BaseType::Text
            | BaseType::Void
            | BaseType::Error => Class::Data,
        }
    }

    fn expressions<'list>(&mut self, list: impl IntoIterator<Item = &'list Expression>, usage: Use) {
        list.into_iter().for_each(|expression| self.expression(expression, usage));
    }

    fn expression(&mut self, expression: &Expression, usage: Use) {
        match &expression.kind {
            ExpressionKind::Name(name) => {
                if let Some(number) = self.find(name) {
                    let declared = &mut self.declared[number];
                    declared.is_read = true;
                    if usage == Use::Anyhow {
                        (declared.is_written, declared.is_sent, declared.is_received) = (true, true, true);
                    }
                }
            }
            ExpressionKind::Parenthesised(inner) => self.expression(inner, usage),
            ExpressionKind::Conditional { condition, consequence, alternative } => {
                self.expression(condition, Use::Value);
                self.expression(consequence, usage);
                self.expression(alternative, usage);
            }
            ExpressionKind::Assignment { target, value, .. } => {
                self.target(target, usage);
                self.expression(value, Use::Value);
            }
            ExpressionKind::Step { operand, .. } => self.target(operand, usage),
            ExpressionKind::Index { base, index } => {
                self.expression(base, usage);
                self.expression(index, Use::Value);
            }
            ExpressionKind::Member { base, .. } => self.expression(base, usage),
            // A rate both sets how a clock runs and depends on it.
            ExpressionKind::Derivative(inner) => self.expression(inner, Use::Anyhow),
            ExpressionKind::Call { callee, arguments } => {
                self.expression(callee, Use::Value);
                let called = match &callee.without_parentheses().kind {
                    ExpressionKind::Name(name) => self.find(name),
                    _ => None,
                };
                self.arguments(called, arguments);
            }
            ExpressionKind::Quantified { binding, body, .. } => self.scoped(|walker| {
                walker.bindings(std::slice::from_ref(&**binding), Sort::Bound);
                walker.expression(body, Use::Value);
            }),
            ExpressionKind::Spawn { template, arguments } => {
                let called = self.find(&template.text);
                if let Some(called) = called {
                    self.declared[called].is_read = true;
                }
                self.arguments(called, arguments);
            }
            ExpressionKind::NumberOf(name) => {
                if let Some(number) = self.find(&name.text) {
                    self.declared[number].is_read = true;
                }
            }
            _ => {
                for child in children(expression) {
                    self.expression(child, Use::Value);
                }
            }
        }
    }

    /// Something that is assigned to; it is read too if the value of the assignment is used.
    fn target(&mut self, target: &Expression, usage: Use) {
        match &target.without_parentheses().kind {
            ExpressionKind::Name(name) => {
                if let Some(number) = self.find(name) {
                    self.declared[number].is_written = true;
                    self.declared[number].is_read |= usage != Use::Effect;
                }
            }
            ExpressionKind::Index { base, index } => {
                self.target(base, usage);
                self.expression(index, Use::Value);
            }
            ExpressionKind::Member { base, .. } => self.target(base, usage),
            ExpressionKind::Conditional { condition, consequence, alternative } => {
                self.expression(condition, Use::Value);
                self.target(consequence, usage);
                self.target(alternative, usage);
            }
            _ => self.expression(target, Use::Anyhow),
        }
    }
}
