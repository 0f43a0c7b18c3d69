//! Elaborates declarations of variables, types and functions.
//!
//! Invariant: the name of a declaration with an error is declared as faulty, so that its uses are not reported.

use std::sync::Arc;

use tempora_source::Span;

use super::effects::effects_of_body;
use super::scope::{DeclarationPosition, Symbol};
use super::types::Prefixes;
use super::{CELL_LIMIT, Elaborator, Result, cell_limit, limit_hint};
use crate::VariableId;
use crate::codes::meaning as codes;
use crate::expression::{Expression, Function, Parameter};
use crate::network::{PriorityItem, Variable, VariableKind};
use crate::types::{ArrayType, Field, Range, RecordType, Type, Value};
use tempora_syntax::ast::{
    self, ChannelPriorityItem, ChannelPriorityKind, Declaration, DeclarationKind, Declarator,
    FunctionDeclaration, VariableDeclaration,
};

impl<'model> Elaborator<'model> {
    /// Elaborates a declaration outside of processes; system lines, vectors and queries are elaborated later.
    pub(super) fn global_declaration(&mut self, position: DeclarationPosition, declaration: &Declaration) {
        // Errors of a declaration have been reported; elaboration continues with the next one.
        let _ = match &declaration.kind {
            DeclarationKind::ChannelPriority(levels) => self.channel_priorities(levels, declaration.span),
            DeclarationKind::BeforeUpdate(updates) => self.updates(updates).map(|updates| {
                self.network_mut().before_update.extend(updates);
            }),
            DeclarationKind::AfterUpdate(updates) => self.updates(updates).map(|updates| {
                self.network_mut().after_update.extend(updates);
            }),
            DeclarationKind::Instantiation(instantiation) => {
                self.declare(&instantiation.name, Symbol::Instantiation(position))
            }
            DeclarationKind::Process(process) if process.arguments.is_empty() => {
                self.declare(&process.name, Symbol::Template(position))
            }
            // The system line looks up a process with arguments in its name by these arguments.
            DeclarationKind::Process(_)
            | DeclarationKind::InputOutput { .. }
            | DeclarationKind::System(_)
            | DeclarationKind::Progress(_)
            | DeclarationKind::Gantt(_)
            | DeclarationKind::Queries(_)
            | DeclarationKind::NamedSpecification { .. }
            | DeclarationKind::Vector(_) => Ok(()),
            _ => self.declaration(declaration),
        };
    }

    /// Elaborates a declaration that may also be local to a process.
    pub(super) fn declaration(&mut self, declaration: &Declaration) -> Result<()> {
        match &declaration.kind {
            DeclarationKind::Variables(variables) => self.variables(variables),
            DeclarationKind::TypeDefinition(definition) => self.type_definition(definition),
            DeclarationKind::Function(function) => self.function(function),
            DeclarationKind::Import { path, functions } => {
                self.omit(path.span, "functions of native libraries");
                functions.iter().try_for_each(|function| self.imported_function(function))
            }
            DeclarationKind::Dynamic { name, .. } => {
                // The template itself is defined elsewhere.
                self.omit(name.span, "dynamic templates");
                Ok(())
            }
            DeclarationKind::Error => Ok(()), // The parser has reported it.
            _ => self.error(
                &codes::MISPLACED,
                declaration.span,
                "this declaration is not allowed inside a process",
            ),
        }
    }

    fn variables(&mut self, declaration: &VariableDeclaration) -> Result<()> {
        let base = self.type_with_prefixes(&declaration.variable_type);
        for declarator in &declaration.declarators {
            let declared = match &base {
                Ok((value_type, prefixes)) => self.variable(declarator, value_type, *prefixes),
                Err(reported) => Err(*reported),
            };
            if declared.is_err() && !declarator.name.text.is_empty() {
                // If the name is already declared, the first declaration counts.
                let _ = self.scopes.declare(&declarator.name.text, declarator.name.span, Symbol::Faulty);
            }
        }
        Ok(())
    }

    fn imported_function(&mut self, function: &ast::ImportedFunction) -> Result<()> {
        let (result, _) = self.type_with_prefixes(&function.return_type)?;
        let mut parameters = Vec::with_capacity(function.parameters.len());
        for parameter in &function.parameters {
            let (base, _) = self.type_with_prefixes(&parameter.parameter_type)?;
            parameters.push((self.with_dimensions(base, &parameter.dimensions)?, parameter.by_reference));
        }
        self.declare(&function.name, Symbol::External { result, parameters })
    }

    fn variable(&mut self, declarator: &Declarator, base: &Type, prefixes: Prefixes) -> Result<()> {
        let mut value_type = self.with_dimensions(base.clone(), &declarator.dimensions)?;
        if value_type == Type::Void {
            return self.error(&codes::TYPE_MISMATCH, declarator.span, "only functions can be `void`");
        }
        self.check_cells(&value_type, declarator.span)?;
        let initial = match &declarator.initialiser {
            Some(initialiser) if value_type.has_channels() => {
                return self.error(&codes::TYPE_MISMATCH, initialiser.span, "channels have no initial value");
            }
            Some(initialiser) if value_type.has_clocks() => {
                self.initial_clock(initialiser, &value_type)?;
                Value::default_of(&value_type)
            }
            Some(initialiser) if prefixes.is_constant => {
                // A constant may have any value, because it is never assigned to.
                let wide = widened(&value_type);
                let value = self.initial_value(initialiser, &wide)?;
                if !crate::validate::fits(&value, &value_type) {
                    if !has_default_ranges(&value_type) {
                        self.outside_of_range(&declarator.name, initialiser.span);
                    }
                    value_type = wide;
                }
                value
            }
            Some(initialiser) => {
                let value = self.initial_value(initialiser, &widened(&value_type))?;
                if crate::validate::fits(&value, &value_type) {
                    value
                } else {
                    self.outside_of_range(&declarator.name, initialiser.span);
                    self.omit(initialiser.span, "an initial value outside of its range");
                    Value::default_of(&value_type)
                }
            }
            None if prefixes.is_constant => {
                let message = format!("the constant `{}` has no value", declarator.name.text);
                return self.error(&codes::NOT_CONSTANT, declarator.span, message);
            }
            None => {
                if let Type::Integer(range) = value_type
                    && !range.contains(0)
                {
                    self.warning(
                        &codes::MISSING_VALUES,
                        declarator.span,
                        format!(
                            "the range of `{}` excludes zero, so the initial value is {}",
                            declarator.name.text, range.least
                        ),
                        "write the initial value",
                    );
                }
                Value::default_of(&value_type)
            }
        };
        let kind = match prefixes {
            Prefixes { is_constant: true, .. } => VariableKind::Constant,
            Prefixes { is_meta: true, .. } => VariableKind::Meta,
            Prefixes { is_hybrid: true, .. } => VariableKind::Hybrid,
            _ => VariableKind::State,
        };
        let id = self.add_variable(&declarator.name, value_type, initial, kind, declarator.span)?;
        self.declare(&declarator.name, Symbol::Variable(id))
    }

    fn outside_of_range(&mut self, name: &ast::Name, span: Span) {
        self.warning(
            &codes::OUTSIDE_OF_RANGE,
            span,
            format!("the initial value of `{}` is outside of its range", name.text),
            "widen the range",
        );
    }

    /// Adds a variable to the network, without declaring its name.
    pub(super) fn add_variable(
        &mut self,
        name: &ast::Name,
        value_type: Type,
        initial: Value,
        kind: VariableKind,
        span: Span,
    ) -> Result<VariableId> {
        self.check_cells(&value_type, span)?;
        self.cells = self.cells.saturating_add(value_type.cells());
        let (origin, owner) = (self.written(span), self.owner);
        let name = name.text.clone();
        Ok(self.network_mut().variables.push(Variable { name, owner, value_type, initial, kind, origin }))
    }

    /// Reports an error if the network has no room for a variable of this type. Meant to be called before its values are
    /// allocated.
    fn check_cells(&mut self, value_type: &Type, span: Span) -> Result<()> {
        tempora_interrupt::checkpoint();
        let limit = cell_limit();
        if self.cells.saturating_add(value_type.cells()) > limit {
            let message = "the variables of this model are too large in total";
            let hint = limit_hint(limit, "values", CELL_LIMIT);
            return self.error_with_hint(&codes::TOO_LARGE, span, message, hint);
        }
        Ok(())
    }

    fn type_definition(&mut self, definition: &VariableDeclaration) -> Result<()> {
        let base = self.type_with_prefixes(&definition.variable_type);
        for declarator in &definition.declarators {
            let symbol = match &base {
                Ok((value_type, _)) => {
                    match self.with_dimensions(value_type.clone(), &declarator.dimensions) {
                        Ok(value_type) => Symbol::Type(value_type),
                        Err(_) => Symbol::Faulty,
                    }
                }
                Err(_) => Symbol::Faulty,
            };
            if let Symbol::Type(Type::Scalar(set)) = &symbol {
                let set = &mut self.network_mut().scalar_sets[*set];
                set.name.get_or_insert_with(|| declarator.name.text.clone());
            }
            let _ = self.declare(&declarator.name, symbol);
        }
        Ok(())
    }

    fn function(&mut self, written: &FunctionDeclaration) -> Result<()> {
        let outer_names = std::mem::take(&mut self.bound_names);
        let outer_function = self.current_function.replace(written.name.text.clone());
        let function = self.scoped(|elaborator| elaborator.function_body(written));
        self.bound_names = outer_names;
        self.current_function = outer_function;
        let symbol = match function {
            Ok(function) => {
                let references: Vec<u32> = function
                    .parameters
                    .iter()
                    .filter(|parameter| parameter.is_reference)
                    .map(|parameter| parameter.local.0)
                    .collect();
                let effects = effects_of_body(&function.body, &references, &|id| self.function_effects(id));
                Arc::make_mut(&mut self.effects).push(effects);
                Symbol::Function(self.network_mut().functions.push(function))
            }
            Err(_) => Symbol::Faulty,
        };
        self.declare(&written.name, symbol)
    }

    fn function_body(&mut self, written: &FunctionDeclaration) -> Result<Function> {
        let (result, _) = self.type_with_prefixes(&written.return_type)?;
        if result.has_clocks() || result.has_channels() {
            let message = "a function cannot return clocks or channels";
            return self.error(&codes::TYPE_MISMATCH, written.return_type.span, message);
        }
        let mut parameters = Vec::with_capacity(written.parameters.len());
        for parameter in &written.parameters {
            let (base, prefixes) = self.type_with_prefixes(&parameter.parameter_type)?;
            let value_type = self.with_dimensions(base, &parameter.dimensions)?;
            if !parameter.by_reference && (value_type.has_clocks() || value_type.has_channels()) {
                return self.error_with_hint(
                    &codes::TYPE_MISMATCH,
                    parameter.span,
                    "clocks and channels must be passed by reference",
                    "write `&` before the name",
                );
            }
            let local = self.fresh_local();
            let symbol =
                Symbol::Local { local, value_type: value_type.clone(), is_constant: prefixes.is_constant };
            self.declare(&parameter.name, symbol)?;
            let (name, is_reference) = (parameter.name.text.clone(), parameter.by_reference);
            parameters.push(Parameter { name, value_type, is_reference, local });
        }
        let body = self.block(&written.body, &result)?;
        if result != Type::Void && !super::statements::always_returns(&body) {
            return self.error_with_hint(
                &codes::MISSING_RETURN,
                written.name.span,
                format!("`{}` may end without a result", written.name.text),
                "add `return` at the end of every path",
            );
        }
        let (origin, owner) = (self.written(written.span), self.owner);
        Ok(Function { name: written.name.text.clone(), owner, parameters, result, body, origin })
    }

    /// Elaborates expressions that are evaluated for their side effects.
    pub(super) fn updates(&mut self, written: &[ast::Expression]) -> Result<Vec<Expression>> {
        let updates: Vec<Result<Expression>> = written.iter().map(|update| self.update(update)).collect();
        updates.into_iter().collect()
    }

    fn update(&mut self, written: &ast::Expression) -> Result<Expression> {
        let update = self.expression(written)?;
        if !self.has_effects(&update) {
            self.warning(
                &codes::NO_EFFECT,
                written.span,
                "this update has no effect",
                "`==` compares; `=` assigns",
            );
        }
        Ok(update)
    }

    pub(super) fn has_effects(&self, expression: &Expression) -> bool {
        super::effects::has_effects(expression, &|id| self.function_effects(id))
    }

    fn channel_priorities(&mut self, written: &[Vec<ChannelPriorityItem>], span: Span) -> Result<()> {
        if self.network.channel_priorities.is_some() {
            return self.error(&codes::DUPLICATE_NAME, span, "channel priorities are declared twice");
        }
        let mut levels = Vec::with_capacity(written.len());
        for level in written {
            let mut items = Vec::with_capacity(level.len());
            for item in level {
                items.push(match &item.kind {
                    ChannelPriorityKind::Default => PriorityItem::Default,
                    ChannelPriorityKind::Channel(channel) => {
                        let expression = self.expression(channel)?;
                        if !expression.value_type.has_channels() {
                            return self.error(
                                &codes::TYPE_MISMATCH,
                                channel.span,
                                "only channels have priorities",
                            );
                        }
                        PriorityItem::Channel(expression)
                    }
                });
            }
            levels.push(items);
        }
        self.network_mut().channel_priorities = Some(levels);
        Ok(())
    }
}

/// Returns the type with each range replaced by the range of all integers.
pub(super) fn widened(value_type: &Type) -> Type {
    match value_type {
        Type::Integer(_) => Type::Integer(Range::WORD),
        Type::Array(array) => {
            Type::Array(Arc::new(ArrayType { element: widened(&array.element), index: array.index.clone() }))
        }
        Type::Record(record) => {
            let widen =
                |field: &Field| Field { name: field.name.clone(), field_type: widened(&field.field_type) };
            let fields = record.fields.iter().map(widen).collect();
            Type::Record(Arc::new(RecordType { fields, is_hybrid: record.is_hybrid }))
        }
        other => other.clone(),
    }
}

/// Returns whether all integers in the type are plain `int`, without a range.
fn has_default_ranges(value_type: &Type) -> bool {
    !value_type.any_part(&|part| matches!(part, Type::Integer(range) if *range != Range::DEFAULT))
}
