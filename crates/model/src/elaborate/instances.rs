//! Elaborates the system line: creates the processes and binds their parameters.
//!
//! Invariant: every process is elaborated separately, with values or references for all its parameters; processes
//! are numbered in the order of the system line, those of one template by their parameters, the last fastest.

use tempora_source::Span;

use super::declarations::widened;
use super::expressions::can_refer;
use super::scope::{DeclarationPosition, Symbol};
use super::{Elaborator, PROCESS_LIMIT, Reported, Result};
use crate::ProcessId;
use crate::codes::meaning as codes;
use crate::expression::{Expression, ExpressionKind};
use crate::network::{Interface, Participant, SyncVector, VariableKind};
use crate::types::{Range, Type, Value};
use tempora_syntax::ast::{self, DeclarationKind, ProcessDeclaration, ProcessReference};

/// The argument of a template parameter in one process.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    /// A value.
    Value(Value),
    /// A variable, clock or channel.
    Place(Expression),
}

/// A template or a partial instantiation of one.
#[derive(Clone, Copy)]
enum TemplateSource<'model> {
    Template(&'model ProcessDeclaration),
    Instantiation(&'model ast::Instantiation),
}

impl<'model> TemplateSource<'model> {
    fn name(self) -> &'model ast::Name {
        match self {
            TemplateSource::Template(process) => &process.name,
            TemplateSource::Instantiation(instantiation) => &instantiation.name,
        }
    }

    fn parameters(self) -> &'model [ast::Parameter] {
        match self {
            TemplateSource::Template(process) => &process.parameters,
            TemplateSource::Instantiation(instantiation) => {
                instantiation.parameters.as_deref().unwrap_or(&[])
            }
        }
    }
}

impl<'model> Elaborator<'model> {
    /// Elaborates all processes of the system line; without one, all processes without parameters.
    pub(super) fn system(&mut self, model: &'model ast::Network) {
        let lines: Vec<(&'model ast::SystemLine, Span)> = self
            .intact_declarations()
            .filter_map(|declaration| match &declaration.kind {
                DeclarationKind::System(line) => Some((line, declaration.span)),
                _ => None,
            })
            .collect();
        if let Some((_, second)) = lines.get(1) {
            let _: Result<()> = self.error(&codes::DUPLICATE_NAME, *second, "more than one system line");
        }
        match lines.first() {
            Some((line, _)) => {
                for (priority, level) in line.levels.iter().enumerate() {
                    for item in level {
                        let _ = self.system_item(item, priority as u32);
                    }
                }
            }
            None => {
                for process in self.written_processes() {
                    if process.parameters.is_empty() {
                        let name = written_name(&process.name.text, &self.argument_texts(process));
                        let _ = self.process(process, name, Vec::new(), 0);
                    }
                }
            }
        }
        for process in self.written_processes() {
            let template = &process.template.as_ref().unwrap_or(&process.name).text;
            let is_used = |other: &crate::network::Process| other.template == *template;
            if !self.network.processes.values().any(is_used) {
                self.unused_template(process);
            }
        }
        if self.network.processes.is_empty() && !self.diagnostics.has_errors() {
            let _: Result<()> = self.error_with_hint(
                &codes::NO_PROCESS,
                model.span,
                "the model has no process",
                "declare a process and name it in the system line",
            );
        }
    }

    /// Returns the declarations without syntax errors.
    fn intact_declarations(&self) -> impl Iterator<Item = &'model ast::Declaration> + use<'model> {
        let broken = self.broken.clone();
        let declarations = self.written_model.declarations.iter().enumerate();
        let is_intact = move |position: usize| !broken.contains(&DeclarationPosition(position));
        declarations.filter(move |(position, _)| is_intact(*position)).map(|(_, declaration)| declaration)
    }

    fn written_processes(&self) -> Vec<&'model ProcessDeclaration> {
        let processes = self.intact_declarations().filter_map(|declaration| match &declaration.kind {
            DeclarationKind::Process(process) => Some(&**process),
            _ => None,
        });
        processes.collect()
    }

    /// Reports the errors of a template without instances, with default values for its parameters.
    fn unused_template(&mut self, process: &'model ProcessDeclaration) {
        let (network, effects, events) = (self.network.clone(), self.effects.clone(), self.events.clone());
        let (cells, before) = (self.cells, std::mem::take(&mut self.diagnostics));
        let mut arguments = Vec::with_capacity(process.parameters.len());
        for parameter in &process.parameters {
            let Ok((base, _)) = self.type_with_prefixes(&parameter.parameter_type) else { break };
            let Ok(value_type) = self.with_dimensions(base, &parameter.dimensions) else { break };
            let value = Value::default_of(&value_type);
            if !parameter.by_reference {
                arguments.push(Argument::Value(value));
                continue;
            }
            let kind = VariableKind::State;
            let Ok(id) = self.add_variable(&parameter.name, value_type.clone(), value, kind, parameter.span)
            else {
                break;
            };
            let place = self.node(ExpressionKind::Variable(id), value_type, parameter.span);
            arguments.push(Argument::Place(place));
        }
        if arguments.len() == process.parameters.len() {
            let _ = self.process(process, process.name.text.clone(), arguments, 0);
        }
        let found = std::mem::replace(&mut self.diagnostics, before);
        // Findings that depend on the default values do not concern the template.
        let depends_on_values = [
            &codes::NOT_CONSTANT,
            &codes::CONSTANT_ERROR,
            &codes::EMPTY_RANGE,
            &codes::TOO_LARGE,
            &codes::NOT_ANSWERED,
        ];
        self.diagnostics
            .extend(found.into_iter().filter(|diagnostic| !depends_on_values.contains(&diagnostic.code)));
        (self.network, self.effects, self.events, self.cells) = (network, effects, events, cells);
    }

    fn system_item(&mut self, item: &'model ProcessReference, priority: u32) -> Result<()> {
        if let Some(arguments) = &item.arguments {
            // A process with these arguments in its name takes precedence over a template.
            let texts = self.constant_texts(arguments)?;
            let name = written_name(&item.name.text, &texts);
            let written = self.written_processes().into_iter().find(|process| {
                process.name.text == item.name.text
                    && !process.arguments.is_empty()
                    && self.argument_texts(process) == texts
            });
            if let Some(process) = written {
                return self.process(process, name, Vec::new(), priority);
            }
        }
        let source = match self.scopes.look_up(&item.name.text) {
            Some(&Symbol::Template(position) | &Symbol::Instantiation(position)) => {
                self.source_at(position)?
            }
            Some(Symbol::Faulty) => return Err(Reported),
            Some(_) => {
                let message = format!("`{}` is not a process", item.name.text);
                return self.error(&codes::TYPE_MISMATCH, item.span, message);
            }
            None => return self.unknown_name(item.name.span, &item.name.text),
        };
        match &item.arguments {
            Some(written) => {
                let arguments = self.arguments(source.parameters(), written, item.span)?;
                if arguments.iter().any(|argument| matches!(argument, Argument::Place(_))) {
                    return self.error_with_hint(
                        &codes::WRONG_ARGUMENTS,
                        item.span,
                        "a process with arguments by reference needs a name",
                        format!("declare `Name = {};` and list that name", self.files.text_at(item.span)),
                    );
                }
                let texts = self.constant_texts(written)?;
                let name = written_name(&item.name.text, &texts);
                self.instance(source, name, arguments, priority, 0)
            }
            None => self.all_instances(source, item.span, priority),
        }
    }

    /// Returns the template or instantiation that is declared at a position of the model.
    fn source_at(&self, position: DeclarationPosition) -> Result<TemplateSource<'model>> {
        match self.written_model.declarations.get(position.0).map(|declaration| &declaration.kind) {
            Some(DeclarationKind::Process(process)) => Ok(TemplateSource::Template(process)),
            Some(DeclarationKind::Instantiation(instantiation)) => {
                Ok(TemplateSource::Instantiation(instantiation))
            }
            // The names belong to another model.
            _ => Err(Reported),
        }
    }

    /// Creates a process for each combination of parameter values.
    fn all_instances(&mut self, source: TemplateSource<'model>, span: Span, priority: u32) -> Result<()> {
        let parameters = source.parameters();
        let mut combinations: Vec<Vec<i32>> = vec![Vec::new()];
        for parameter in parameters {
            let (base, _) = self.type_with_prefixes(&parameter.parameter_type)?;
            let is_plain = parameter.dimensions.is_empty()
                && !parameter.by_reference
                && matches!(base, Type::Integer(_) | Type::Boolean | Type::Scalar(_));
            if !is_plain {
                return self.error_with_hint(
                    &codes::WRONG_ARGUMENTS,
                    span,
                    format!(
                        "the parameter `{}` of `{}` needs an argument",
                        parameter.name.text,
                        source.name().text
                    ),
                    "only bounded integers and scalars can be omitted; each of their values gives a process",
                );
            }
            let domain = self.index_of_type(&base, parameter.span)?;
            if domain.size().saturating_mul(combinations.len() as u64) > PROCESS_LIMIT as u64 {
                return self.error_with_hint(
                    &codes::TOO_LARGE,
                    span,
                    format!("`{}` stands for more than {PROCESS_LIMIT} processes", source.name().text),
                    "give the parameter a type with a smaller range",
                );
            }
            combinations = combinations
                .iter()
                .flat_map(|combination| {
                    domain.values().map(|value| {
                        let mut longer = combination.clone();
                        longer.push(value);
                        longer
                    })
                })
                .collect();
        }
        for combination in combinations {
            let texts: Vec<String> = combination.iter().map(i32::to_string).collect();
            let name = written_name(&source.name().text, &texts);
            let arguments =
                combination.into_iter().map(|value| Argument::Value(Value::Integer(value))).collect();
            self.instance(source, name, arguments, priority, 0)?;
        }
        Ok(())
    }

    fn instance(
        &mut self,
        source: TemplateSource<'model>,
        name: String,
        arguments: Vec<Argument>,
        priority: u32,
        depth: usize,
    ) -> Result<()> {
        let instantiation = match source {
            TemplateSource::Template(process) => return self.process(process, name, arguments, priority),
            TemplateSource::Instantiation(instantiation) => instantiation,
        };
        let template = match self.scopes.look_up(&instantiation.template.text) {
            Some(&Symbol::Template(position)) => self.source_at(position)?,
            // A longer chain of instantiations is taken for a cycle.
            Some(&Symbol::Instantiation(position)) if depth < 64 => self.source_at(position)?,
            Some(Symbol::Instantiation(_)) => {
                let message = format!("`{}` is defined in terms of itself", instantiation.name.text);
                return self.error(&codes::RECURSION, instantiation.template.span, message);
            }
            Some(Symbol::Faulty) => return Err(Reported),
            Some(_) => {
                let message = format!("`{}` is not a template", instantiation.template.text);
                return self.error(&codes::TYPE_MISMATCH, instantiation.template.span, message);
            }
            None => {
                return self.unknown_name(instantiation.template.span, &instantiation.template.text);
            }
        };
        let inner = self.scoped(|elaborator| {
            elaborator.bind_parameters(source.parameters(), arguments, |_| false)?;
            elaborator.arguments(template.parameters(), &instantiation.arguments, instantiation.template.span)
        })?;
        self.instance(template, name, inner, priority, depth + 1)
    }

    /// Elaborates arguments to values and references.
    fn arguments(
        &mut self,
        parameters: &'model [ast::Parameter],
        written: &[ast::Expression],
        span: Span,
    ) -> Result<Vec<Argument>> {
        if parameters.len() != written.len() {
            let counted = |count: usize, what: &str| match count {
                1 => format!("1 {what}"),
                _ => format!("{count} {what}s"),
            };
            let parameters = counted(parameters.len(), "parameter");
            let message = format!("{parameters}, but {}", counted(written.len(), "argument"));
            return self.error(&codes::WRONG_ARGUMENTS, span, message);
        }
        let mut arguments = Vec::with_capacity(written.len());
        for (parameter, written) in parameters.iter().zip(written) {
            let (base, _) = self.type_with_prefixes(&parameter.parameter_type)?;
            let value_type = self.with_dimensions(base, &parameter.dimensions)?;
            if parameter.by_reference {
                let argument = self.expression(written)?;
                if !can_refer(&value_type, &argument.value_type) {
                    return self.mismatch(&value_type, &argument.value_type, written.span);
                }
                arguments.push(Argument::Place(argument));
            } else if value_type.has_clocks() || value_type.has_channels() {
                let name = &parameter.name.text;
                return self.error_with_hint(
                    &codes::WRONG_ARGUMENTS,
                    written.span,
                    format!(
                        "the parameter `{name}` is not a reference, but clocks and channels cannot be copied"
                    ),
                    format!("declare the parameter as `&{name}`"),
                );
            } else {
                arguments.push(Argument::Value(self.argument_value(parameter, written, &value_type)?));
            }
        }
        Ok(arguments)
    }

    /// Evaluates an argument; a value outside the range of its parameter is reported and omitted.
    fn argument_value(
        &mut self,
        parameter: &ast::Parameter,
        written: &ast::Expression,
        value_type: &Type,
    ) -> Result<Value> {
        let value = self.constant_of_type(written, &widened(value_type))?;
        if !crate::validate::fits(&value, value_type) {
            let has_range =
                value_type.any_part(&|part| matches!(part, Type::Integer(range) if *range != Range::DEFAULT));
            if has_range {
                self.warning(
                    &codes::OUTSIDE_OF_RANGE,
                    written.span,
                    format!("the argument is outside of the range of `{}`", parameter.name.text),
                    "widen the range",
                );
                self.omit(written.span, "an argument outside of its range");
                return Ok(Value::default_of(value_type));
            }
        }
        Ok(value)
    }

    /// Declares parameters in the innermost scope, as variables or references. Returns the values by name.
    pub(super) fn bind_parameters(
        &mut self,
        parameters: &'model [ast::Parameter],
        arguments: Vec<Argument>,
        is_changed: impl Fn(&str) -> bool,
    ) -> Result<Vec<(String, Value)>> {
        let mut values = Vec::new();
        for (parameter, argument) in parameters.iter().zip(arguments) {
            match argument {
                Argument::Place(place) => {
                    self.declare(&parameter.name, Symbol::Reference(place))?;
                }
                Argument::Value(value) => {
                    let (base, _) = self.type_with_prefixes(&parameter.parameter_type)?;
                    let mut value_type = self.with_dimensions(base, &parameter.dimensions)?;
                    let is_constant = !is_changed(&parameter.name.text);
                    if is_constant && !crate::validate::fits(&value, &value_type) {
                        value_type = widened(&value_type);
                    }
                    let value = if crate::validate::fits(&value, &value_type) {
                        value
                    } else {
                        self.omit(parameter.span, "an argument outside of its range");
                        Value::default_of(&value_type)
                    };
                    let kind = if is_constant { VariableKind::Constant } else { VariableKind::State };
                    values.push((parameter.name.text.clone(), value.clone()));
                    // Without an owner the parameter belongs to an instantiation, which is not part of the network.
                    let symbol = match value {
                        Value::Integer(_) if self.owner.is_none() => Symbol::Value(value, value_type),
                        value => Symbol::Variable(self.add_variable(
                            &parameter.name,
                            value_type,
                            value,
                            kind,
                            parameter.span,
                        )?),
                    };
                    self.declare(&parameter.name, symbol)?;
                }
            }
        }
        Ok(values)
    }

    /// Returns the arguments in the name of a process declaration, as text.
    pub(super) fn argument_texts(&mut self, process: &ProcessDeclaration) -> Vec<String> {
        self.constant_texts(&process.arguments).unwrap_or_default()
    }

    pub(super) fn constant_texts(&mut self, arguments: &[ast::Expression]) -> Result<Vec<String>> {
        let mut texts = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let typed = self.expression(argument)?;
            let value =
                crate::evaluate::evaluate_constant(&self.network.variables, &self.network.functions, &typed);
            let text = match value {
                Ok(value) => value.to_string(),
                // An argument by reference has no value; its text is used.
                Err(_) => self.files.text_at(argument.span).to_owned(),
            };
            texts.push(text);
        }
        Ok(texts)
    }

    /// Elaborates the inputs and outputs of specifications.
    pub(super) fn input_output_declarations(&mut self) {
        for declaration in self.intact_declarations() {
            if let DeclarationKind::InputOutput { process, channels } = &declaration.kind {
                let _ = self.input_output(process, channels);
            }
        }
    }

    fn input_output(&mut self, process: &ProcessReference, channels: &[ast::Synchronisation]) -> Result<()> {
        let process = self.referenced_process(process)?;
        let mut interface = Interface::default();
        for channel in channels {
            let typed = self.expression(&channel.channel)?;
            if !typed.value_type.has_channels() {
                return self.error(
                    &codes::TYPE_MISMATCH,
                    channel.span,
                    "only channels can be inputs or outputs",
                );
            }
            let name = self.files.text_at(channel.channel.span).to_owned();
            match channel.direction {
                ast::Direction::Receive => interface.inputs.push(name),
                ast::Direction::Send => interface.outputs.push(name),
                ast::Direction::Both => {
                    return self.error(
                        &codes::MISPLACED,
                        channel.span,
                        "expected `?` for an input or `!` for an output",
                    );
                }
            }
        }
        self.network_mut().processes[process].interface = Some(interface);
        Ok(())
    }

    /// Elaborates the synchronisation vectors.
    pub(super) fn vectors(&mut self) {
        for declaration in self.intact_declarations() {
            if let DeclarationKind::Vector(vector) = &declaration.kind {
                let _ = self.vector(vector, declaration.span);
            }
        }
    }

    fn vector(&mut self, vector: &ast::SynchronisationVector, span: Span) -> Result<()> {
        let mut participants: Vec<Participant> = Vec::with_capacity(vector.participants.len());
        for participant in &vector.participants {
            let process = self.referenced_process(&participant.process)?;
            if participants.iter().any(|other| other.process == process) {
                let message = format!("`{}` participates twice", self.network.processes[process].name);
                return self.error(&codes::DUPLICATE_NAME, participant.span, message);
            }
            if !self.events.contains_key(&participant.event.text) {
                // Some languages declare events separately, so an event may be on no edge.
                let hint = match participant.is_weak {
                    true => "remove this participant; it has no effect",
                    false => "remove the vector; it can never synchronise",
                };
                let message = format!("no edge has the event `{}`", participant.event.text);
                self.warning(&codes::UNKNOWN_NAME, participant.event.span, message, hint);
            }
            let event = self.event(&participant.event.text);
            participants.push(Participant { process, event, is_weak: participant.is_weak });
        }
        let origin = self.written(span);
        self.network_mut().vectors.push(SyncVector { participants, origin });
        Ok(())
    }

    pub(super) fn referenced_process(&mut self, reference: &ProcessReference) -> Result<ProcessId> {
        let texts = match &reference.arguments {
            Some(arguments) => self.constant_texts(arguments)?,
            None => Vec::new(),
        };
        let name = written_name(&reference.name.text, &texts);
        match self.network.process_named(&name) {
            Some(process) => Ok(process),
            None => self.unknown_process(&name, reference.span),
        }
    }

    pub(super) fn unknown_process<T>(&mut self, name: &str, span: Span) -> Result<T> {
        if self.is_partial {
            return Err(Reported); // A syntax error may hide the process.
        }
        let names = self.network.processes.values().map(|process| process.name.as_str());
        let hint = match tempora_source::nearest_names(name, names).first() {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "name a process of the system line".to_owned(),
        };
        self.error_with_hint(&codes::UNKNOWN_NAME, span, format!("unknown process `{name}`"), hint)
    }
}

/// `Train` or `Train(0,1)`.
pub(super) fn written_name(name: &str, arguments: &[String]) -> String {
    if arguments.is_empty() { name.to_owned() } else { format!("{name}({})", arguments.join(",")) }
}
