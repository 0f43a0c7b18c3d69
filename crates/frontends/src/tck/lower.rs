//! Lowers declarations to the tree of a network.
//!
//! Invariant: every node has the span of its source text. Constructs that the shared tree lacks (statements of an edge,
//! a process without initial location) are expressed with functions and invariants, never omitted.

use std::collections::{BTreeMap, BTreeSet};

use tempora_model::codes::meaning::{CONSTANT_ERROR, DUPLICATE_NAME, EMPTY_RANGE, TOO_LARGE, UNKNOWN_NAME};
use tempora_source::{Code, Diagnostic, Diagnostics, Files, Severity, Span, nearest_names};
use tempora_syntax::HEIGHT_LIMIT;
use tempora_syntax::ast::{
    self, ArrayDimension, ArrayDimensionKind, BaseType, Declarator, Edge, EdgeLabels, EdgeTarget, Expression,
    ExpressionKind, FieldInitialiser, FunctionDeclaration, Initialiser, InitialiserKind, LocationDeclaration,
    Name, ProcessDeclaration, ProcessReference, SynchronisationVector, TypeExpression, VariableDeclaration,
    VectorParticipant,
};
use tempora_syntax::codes::expressions::INTEGER_TOO_LARGE;
use tempora_syntax::codes::structure::{NESTED_TOO_DEEPLY, TOO_MANY_ERRORS, UNEXPECTED_TOKEN};

use super::document::{Attribute, Declaration, DeclarationKind, Document, Number, Participant, offset};
use super::expressions::{Built, ValueParser, Variable, Variables, conjunction};
use super::statements::Sequence;
use super::trees;
use super::unit::unit_of_time;
use crate::codes::tck::{GUARD_ON_WEAK_EVENT, PROCESS_RENAMED, UNKNOWN_ATTRIBUTE};

/// Lowers a document, without its query.
pub(super) fn lower(
    files: &Files,
    document: &Document,
    whole: Span,
    diagnostics: &mut Diagnostics,
) -> ast::Network {
    let mut lowering = Lowering {
        files,
        diagnostics,
        variables: Variables::default(),
        events: BTreeMap::new(),
        processes: Vec::new(),
        process_numbers: BTreeMap::new(),
        written_values: 0,
        functions: 0,
        errors: 0,
        warnings: 0,
        renamed: BTreeMap::new(),
    };
    let mut declarations = lowering.variables(document);
    let vectors = lowering.structure(document);
    let taken: BTreeSet<String> = lowering.variables.table.keys().cloned().collect();
    lowering.rename_processes(&taken);
    lowering.guards_on_weak_events(document);
    declarations.extend(lowering.finished_processes());
    for (participants, span) in vectors {
        declarations.push(lowering.vector(participants, span));
    }
    ast::Network { declarations, span: whole }
}

/// The largest number of initial values in array literals.
const WRITTEN_VALUES_LIMIT: i64 = 1 << 18;

/// The largest number of reported errors, and of reported warnings.
const REPORT_LIMIT: usize = 100;

/// The keys of attributes with a meaning, for locations and for edges.
const LOCATION_KEYS: [&str; 5] = ["initial", "committed", "urgent", "invariant", "labels"];
const EDGE_KEYS: [&str; 2] = ["provided", "do"];

/// A process and its declarations so far.
struct ProcessParts<'document> {
    /// Its name in the model.
    name: Name,
    span: Span,
    declarations: Vec<ast::Declaration>,
    locations: Vec<LocationDeclaration>,
    location_names: BTreeMap<&'document str, Span>,
    initial: Vec<Name>,
    urgent: Vec<Name>,
    committed: Vec<Name>,
    edges: Vec<Edge>,
    /// The events of edges with non-constant guards, with the guards.
    guarded: Vec<(&'document str, Span)>,
}

struct Lowering<'document, 'diagnostics> {
    files: &'document Files,
    diagnostics: &'diagnostics mut Diagnostics,
    variables: Variables,
    events: BTreeMap<&'document str, Span>,
    processes: Vec<ProcessParts<'document>>,
    process_numbers: BTreeMap<&'document str, usize>,
    /// The number of initial values in array literals.
    written_values: i64,
    /// The number of generated functions.
    functions: usize,
    /// The numbers of errors and of warnings.
    errors: usize,
    warnings: usize,
    /// The new names of renamed processes.
    renamed: BTreeMap<String, String>,
}

impl<'document> Lowering<'document, '_> {
    // Variables.

    /// Declares all variables; conditions may use them before their declaration.
    fn variables(&mut self, document: &'document Document) -> Vec<ast::Declaration> {
        for declaration in &document.declarations {
            let (name, size, is_clock) = match &declaration.kind {
                DeclarationKind::Clock { size, name } => (name, size, true),
                DeclarationKind::Integer { size, name, .. } => (name, size, false),
                _ => continue,
            };
            let variable = Variable { is_clock, size: size.value, span: name.span };
            match self.variables.table.get(&name.text).map(|first| first.span) {
                Some(first) => self.duplicate("variable", name, first),
                None => {
                    self.variables.table.insert(name.text.clone(), variable);
                }
            }
        }
        for declaration in &document.declarations {
            for attribute in &declaration.attributes {
                self.variables.note_indices(self.files, attribute.value);
            }
        }
        if let Some((unit, warning)) = unit_of_time(self.files, document, &self.variables) {
            self.variables.unit = unit;
            self.diagnostics.push(warning);
        }
        document.declarations.iter().filter_map(|declaration| self.variable(declaration)).collect()
    }

    fn variable(&mut self, declaration: &Declaration) -> Option<ast::Declaration> {
        let span = declaration.span;
        let (name, size, base, initialiser) = match &declaration.kind {
            DeclarationKind::Clock { size, name } => {
                self.check_size(size)?;
                (name, size, BaseType::Clock, None)
            }
            DeclarationKind::Integer { size, least, greatest, initial, name } => {
                self.check_size(size)?;
                let lower = Box::new(self.bound(least)?);
                let upper = Box::new(self.bound(greatest)?);
                let value = self.bound(initial)?;
                if least.value > greatest.value {
                    let message = format!("the range from {} to {} is empty", least.value, greatest.value);
                    let range = least.span.cover(greatest.span);
                    self.error(&EMPTY_RANGE, range, message, "write the lower bound before the upper bound");
                    return None;
                }
                if !(least.value..=greatest.value).contains(&initial.value) {
                    let message = format!(
                        "the initial value {} is not between {} and {}",
                        initial.value, least.value, greatest.value
                    );
                    self.error(
                        &CONSTANT_ERROR,
                        initial.span,
                        message,
                        "the order is size, lower bound, upper bound, initial value, name",
                    );
                    return None;
                }
                let is_usual = initial.value == 0i64.clamp(least.value, greatest.value);
                let initialiser = if self.variables.is_array(&name.text) {
                    if is_usual { None } else { Some(self.initial_list(size, &value)?) }
                } else {
                    let span = value.span;
                    Some(Initialiser { kind: InitialiserKind::Expression(value), span })
                };
                (name, size, BaseType::BoundedInteger { lower, upper }, initialiser)
            }
            _ => return None,
        };
        let mut dimensions = Vec::new();
        if self.variables.is_array(&name.text) {
            let kind = ArrayDimensionKind::Size(trees::integer(size.value, size.span));
            dimensions.push(ArrayDimension { kind, span: size.span });
        }
        let variable_type = TypeExpression { prefixes: Vec::new(), base, span };
        let declarator = Declarator { name: name.clone(), dimensions, initialiser, span };
        let variables = VariableDeclaration { variable_type, declarators: vec![declarator] };
        Some(ast::Declaration { kind: ast::DeclarationKind::Variables(variables), span })
    }

    fn initial_list(&mut self, size: &Number, value: &Expression) -> Option<Initialiser> {
        self.written_values = self.written_values.saturating_add(size.value);
        if self.written_values > WRITTEN_VALUES_LIMIT {
            let message = "too many array cells have a non-zero initial value";
            let hint = format!("at most {WRITTEN_VALUES_LIMIT} of them are supported");
            self.error(&TOO_LARGE, size.span, message, hint);
            return None;
        }
        let span = value.span;
        let item = || FieldInitialiser {
            field: None,
            value: Initialiser { kind: InitialiserKind::Expression(value.clone()), span },
            span,
        };
        let items = (0..size.value).map(|_| item()).collect();
        Some(Initialiser { kind: InitialiserKind::List(items), span })
    }

    fn check_size(&mut self, size: &Number) -> Option<()> {
        if size.value < 1 {
            self.error(
                &EMPTY_RANGE,
                size.span,
                format!("an array cannot have {} cells", size.value),
                "write 1 for a single variable",
            );
            return None;
        }
        if size.value > i64::from(i32::MAX) {
            self.error(
                &TOO_LARGE,
                size.span,
                format!("an array of {} cells is too large", size.value),
                "write 1 for a single variable",
            );
            return None;
        }
        Some(())
    }

    /// Lowers a number that must fit into 32 bits.
    fn bound(&mut self, number: &Number) -> Option<Expression> {
        if i32::try_from(number.value).is_err() {
            let message = format!("{} does not fit into 32 bits", self.files.text_at(number.span));
            let hint = format!("numbers range from {} to {}", i32::MIN, i32::MAX);
            self.error(&INTEGER_TOO_LARGE, number.span, message, hint);
            return None;
        }
        Some(trees::integer(number.value, number.span))
    }

    // Processes, locations, edges, vectors, in the order of the file.

    fn structure(&mut self, document: &'document Document) -> Vec<(&'document [Participant], Span)> {
        let mut vectors = Vec::new();
        let mut system: Option<Span> = None;
        for (position, declaration) in document.declarations.iter().enumerate() {
            // The search for similar names is slow with many names and many errors.
            if self.errors > REPORT_LIMIT
                || self.diagnostics.len() > 3 * REPORT_LIMIT && self.diagnostics.has_errors()
            {
                break;
            }
            match &declaration.kind {
                DeclarationKind::System => {
                    if let Some(first) = system {
                        self.report(
                            Diagnostic::error(&DUPLICATE_NAME, "duplicate declaration of the system")
                                .with_primary(declaration.span, "declared again")
                                .with_secondary(first, "first declared here")
                                .with_hint("keep one of them"),
                        );
                    } else if position > 0 {
                        let message = "the system is not the first declaration";
                        self.error(
                            &UNEXPECTED_TOKEN,
                            declaration.span,
                            message,
                            "move `system:NAME` to the top",
                        );
                    }
                    system = Some(declaration.span);
                }
                DeclarationKind::Clock { .. } | DeclarationKind::Integer { .. } => {}
                DeclarationKind::Event { name } => match self.events.get(name.text.as_str()) {
                    Some(&first) => self.duplicate("event", name, first),
                    None => {
                        self.events.insert(&name.text, name.span);
                    }
                },
                DeclarationKind::Process { name } => self.process(name, declaration.span),
                DeclarationKind::Location { process, name } => self.location(process, name, declaration),
                DeclarationKind::Edge { process, source, target, event } => {
                    self.edge(process, [source, target], event, declaration);
                }
                DeclarationKind::Synchronisation { participants } => {
                    vectors.push((participants.as_slice(), declaration.span));
                    for participant in participants {
                        self.known_process(&participant.process);
                        self.known_event(&participant.event);
                    }
                }
            }
            self.unknown_attributes(declaration);
        }
        if system.is_none() {
            let start = document.declarations.first().map(|declaration| declaration.span);
            let diagnostic = Diagnostic::error(&UNEXPECTED_TOKEN, "the file has no `system`")
                .with_hint("begin the file with `system:NAME`");
            self.report(match start {
                Some(span) => diagnostic.with_primary(span, ""),
                None => diagnostic,
            });
        }
        vectors
    }

    fn process(&mut self, name: &'document Name, span: Span) {
        if let Some(&first) = self.process_numbers.get(name.text.as_str()) {
            let first = self.processes[first].name.span;
            return self.duplicate("process", name, first);
        }
        self.process_numbers.insert(&name.text, self.processes.len());
        self.processes.push(ProcessParts {
            name: name.clone(),
            span,
            declarations: Vec::new(),
            locations: Vec::new(),
            location_names: BTreeMap::new(),
            initial: Vec::new(),
            urgent: Vec::new(),
            committed: Vec::new(),
            edges: Vec::new(),
            guarded: Vec::new(),
        });
    }

    fn location(&mut self, process: &Name, name: &'document Name, declaration: &'document Declaration) {
        let (mut conditions, mut labels) = (Vec::new(), Vec::new());
        let (mut is_initial, mut is_urgent, mut is_committed) = (false, false, false);
        for attribute in &declaration.attributes {
            match attribute.key.text.as_str() {
                "initial" => is_initial = true,
                "urgent" => is_urgent = true,
                "committed" => is_committed = true,
                "invariant" => {
                    conditions.extend(self.value(attribute).and_then(|parser| parser.invariant().ok()));
                }
                "labels" => labels.extend(self.labels(attribute.value)),
                _ => {}
            }
        }
        let invariant = self.conjunction(conditions);
        let Some(process) = self.known_process(process) else { return };
        if let Some(&first) = self.processes[process].location_names.get(name.text.as_str()) {
            return self.duplicate("location", name, first);
        }
        let process = &mut self.processes[process];
        process.location_names.insert(&name.text, name.span);
        for (is_marked, list) in [
            (is_initial, &mut process.initial),
            (is_urgent, &mut process.urgent),
            (is_committed, &mut process.committed),
        ] {
            if is_marked {
                list.push(name.clone());
            }
        }
        let span = declaration.span;
        process.locations.push(LocationDeclaration {
            name: name.clone(),
            invariant,
            rate: None,
            labels,
            span,
        });
    }

    fn labels(&self, value: Span) -> Vec<Name> {
        let mut labels = Vec::new();
        let mut start = value.start;
        for piece in self.files.text_at(value).split(',') {
            let text = piece.trim();
            let label_start = start + offset(piece.len() - piece.trim_start().len());
            let span = Span::new(value.file, label_start, label_start + offset(text.len()));
            if !text.is_empty() {
                labels.push(Name { text: text.to_owned(), span });
            }
            start += offset(piece.len()) + 1;
        }
        labels
    }

    fn edge(
        &mut self,
        process: &Name,
        places: [&Name; 2],
        event: &'document Name,
        declaration: &'document Declaration,
    ) {
        let (mut conditions, mut sequence, mut locals) = (Vec::new(), Sequence::default(), Vec::new());
        let mut update_span: Option<Span> = None;
        for attribute in &declaration.attributes {
            match attribute.key.text.as_str() {
                "provided" => conditions.extend(self.value(attribute).and_then(|parser| parser.guard().ok())),
                "do" => {
                    let update = self.value(attribute).and_then(|parser| parser.update(&mut locals).ok());
                    if let Some(more) = update {
                        sequence.extend(more);
                    }
                    update_span =
                        Some(update_span.map_or(attribute.value, |span| span.cover(attribute.value)));
                }
                _ => {}
            }
        }
        let is_guarded = conditions.iter().any(|condition| condition.has_names);
        let guard = self.conjunction(conditions);
        let is_event_known = self.known_event(event);
        let Some(process) = self.known_process(process) else { return };
        let are_places_known = places.map(|place| self.known_location(process, place));
        if are_places_known.contains(&false) || !is_event_known {
            return;
        }
        let updates = sequence.into_updates(update_span.unwrap_or(declaration.span));
        let updates = match updates {
            Ok(updates) => updates,
            Err(body) => vec![self.function(process, body)],
        };
        let parts = &mut self.processes[process];
        if let (true, Some(guard)) = (is_guarded, &guard) {
            parts.guarded.push((&event.text, guard.span));
        }
        let [source, target] = places;
        let labels = EdgeLabels { guard, event: Some(event.clone()), updates, ..EdgeLabels::default() };
        parts.edges.push(Edge {
            source: source.clone(),
            is_uncontrollable: false,
            labels,
            target: EdgeTarget::Single(target.clone()),
            span: declaration.span,
        });
    }

    /// Wraps statements other than assignments in a function, and returns its call.
    fn function(&mut self, process: usize, body: ast::Block) -> Expression {
        let span = body.span;
        let name = loop {
            self.functions += 1;
            let name = format!("update_{}", self.functions);
            if !self.variables.table.contains_key(&name) && !self.process_numbers.contains_key(name.as_str())
            {
                break name;
            }
        };
        let return_type = TypeExpression { prefixes: Vec::new(), base: BaseType::Void, span };
        let declared = Name { text: name.clone(), span };
        let function =
            FunctionDeclaration { return_type, name: declared, parameters: Vec::new(), body, span };
        let kind = ast::DeclarationKind::Function(function);
        self.processes[process].declarations.push(ast::Declaration { kind, span });
        let callee = Box::new(Expression { kind: ExpressionKind::Name(name), span });
        Expression { kind: ExpressionKind::Call { callee, arguments: Vec::new() }, span }
    }

    /// Returns a parser for a value; `None` if the value is empty or has an invalid character.
    fn value(&mut self, attribute: &'document Attribute) -> Option<ValueParser<'_>> {
        if attribute.value.is_empty() {
            return None;
        }
        ValueParser::new(self.files, attribute.value, &mut self.variables, self.diagnostics).ok()
    }

    fn conjunction(&mut self, conditions: Vec<Built>) -> Option<Expression> {
        let condition = conjunction(conditions)?;
        if condition.height >= HEIGHT_LIMIT {
            let message = "this is nested too deeply";
            self.error(
                &NESTED_TOO_DEEPLY,
                condition.tree.span,
                message,
                "split the condition into smaller ones",
            );
            return None;
        }
        Some(condition.tree)
    }

    // Consistency.

    /// Renames processes with the name of a variable, because `x.A` in a query must refer to a process.
    fn rename_processes(&mut self, taken: &BTreeSet<String>) {
        for number in 0..self.processes.len() {
            let old = self.processes[number].name.text.clone();
            if !taken.contains(&old) {
                continue;
            }
            let mut new = format!("{old}_process");
            while taken.contains(&new) || self.process_numbers.contains_key(new.as_str()) {
                new.push('_');
            }
            self.report(
                Diagnostic::warning(&PROCESS_RENAMED, format!("the process `{old}` is renamed to `{new}`"))
                    .with_primary(self.processes[number].name.span, "a variable has the same name")
                    .with_hint(format!("use `{new}` in queries, or rename one of them")),
            );
            self.renamed.insert(old, new.clone());
            self.processes[number].name.text = new;
        }
    }

    fn guards_on_weak_events(&mut self, document: &'document Document) {
        let mut weak: BTreeMap<(usize, &str), Span> = BTreeMap::new();
        for declaration in &document.declarations {
            if let DeclarationKind::Synchronisation { participants } = &declaration.kind {
                for participant in participants.iter().filter(|participant| participant.is_weak) {
                    if let Some(&process) = self.process_numbers.get(participant.process.text.as_str()) {
                        weak.entry((process, participant.event.text.as_str())).or_insert(participant.span);
                    }
                }
            }
        }
        let mut faults = Vec::new();
        for (number, process) in self.processes.iter().enumerate() {
            for &(event, guard) in &process.guarded {
                faults.extend(weak.get(&(number, event)).map(|&participant| (event, guard, participant)));
            }
        }
        for (event, guard, participant) in faults {
            let message = format!("an edge with the weak event `{event}` has a guard");
            self.report(
                Diagnostic::error(&GUARD_ON_WEAK_EVENT, message)
                    .with_primary(guard, "the guard")
                    .with_secondary(participant, "the event is weak here")
                    .with_hint(
                        "participation depends on locations alone: split the location, or remove the `?`",
                    ),
            );
        }
    }

    fn finished_processes(&mut self) -> Vec<ast::Declaration> {
        let mut declarations = Vec::with_capacity(self.processes.len());
        for process in std::mem::take(&mut self.processes) {
            let kind = ast::DeclarationKind::Process(Box::new(ProcessDeclaration {
                name: process.name,
                arguments: Vec::new(),
                parameters: Vec::new(),
                template: None,
                declarations: process.declarations,
                locations: process.locations,
                branchpoints: Vec::new(),
                initial: process.initial,
                urgent: process.urgent,
                committed: process.committed,
                edges: process.edges,
                span: process.span,
            }));
            declarations.push((kind, process.span));
        }
        declarations.into_iter().map(|(kind, span)| ast::Declaration { kind, span }).collect()
    }

    fn vector(&self, participants: &[Participant], span: Span) -> ast::Declaration {
        let participants = participants.iter().map(|participant| {
            let written = &participant.process;
            let text = self.renamed.get(&written.text).unwrap_or(&written.text).clone();
            let name = Name { text, span: written.span };
            let process = ProcessReference { name, arguments: None, span: written.span };
            let (event, is_weak, span) = (participant.event.clone(), participant.is_weak, participant.span);
            VectorParticipant { process, event, is_weak, span }
        });
        let vector = SynchronisationVector { participants: participants.collect() };
        ast::Declaration { kind: ast::DeclarationKind::Vector(vector), span }
    }

    // Names.

    fn known_process(&mut self, name: &Name) -> Option<usize> {
        if let Some(&number) = self.process_numbers.get(name.text.as_str()) {
            return Some(number);
        }
        let nearest = self.nearest_of(&name.text, self.process_numbers.keys().copied());
        self.unknown("process", name, nearest, "write `process:` before it is used".to_owned());
        None
    }

    fn known_event(&mut self, name: &Name) -> bool {
        if self.events.contains_key(name.text.as_str()) {
            return true;
        }
        let nearest = self.nearest_of(&name.text, self.events.keys().copied());
        self.unknown("event", name, nearest, format!("write `event:{}` before it is used", name.text));
        false
    }

    fn known_location(&mut self, process: usize, name: &Name) -> bool {
        let parts = &self.processes[process];
        if parts.location_names.contains_key(name.text.as_str()) {
            return true;
        }
        let nearest = self.nearest_of(&name.text, parts.location_names.keys().copied());
        let hint = format!("write `location:{}:{}` before it is used", parts.name.text, name.text);
        self.unknown("location", name, nearest, hint);
        false
    }

    /// Returns the most similar name; stops searching after some errors, because the search is slow.
    fn nearest_of<'name>(&self, name: &str, names: impl Iterator<Item = &'name str>) -> Option<String> {
        const LOOKED_FOR: usize = 20;
        let names = if self.errors < LOOKED_FOR { nearest_names(name, names) } else { Vec::new() };
        names.first().map(|nearest| (*nearest).to_owned())
    }

    fn unknown(&mut self, what: &str, name: &Name, nearest: Option<String>, otherwise: String) {
        let hint = nearest.map_or(otherwise, |nearest| format!("did you mean `{nearest}`?"));
        let message = format!("unknown {what} `{}`", name.text);
        self.error(&UNKNOWN_NAME, name.span, message, hint);
    }

    fn duplicate(&mut self, what: &str, name: &Name, first: Span) {
        self.report(
            Diagnostic::error(&DUPLICATE_NAME, format!("the {what} `{}` is declared twice", name.text))
                .with_primary(name.span, "declared again")
                .with_secondary(first, "first declared here")
                .with_hint("rename one of them"),
        );
    }

    fn unknown_attributes(&mut self, declaration: &Declaration) {
        let keys: &[&str] = match &declaration.kind {
            DeclarationKind::Location { .. } => &LOCATION_KEYS,
            DeclarationKind::Edge { .. } => &EDGE_KEYS,
            _ => &[],
        };
        for Attribute { key, .. } in &declaration.attributes {
            if keys.contains(&key.text.as_str()) {
                continue;
            }
            let hint = match (nearest_names(&key.text, keys.iter().copied()).first(), keys) {
                (Some(nearest), _) => format!("did you mean `{nearest}`?"),
                (None, []) => "only attributes of locations and edges have an effect".to_owned(),
                (None, keys) => format!("the attributes with an effect here are {}", keys.join(", ")),
            };
            let message = format!("the attribute `{}` has no effect here", key.text);
            self.report(
                Diagnostic::warning(&UNKNOWN_ATTRIBUTE, message).with_primary(key.span, "").with_hint(hint),
            );
        }
    }

    /// Reports a diagnostic, up to the limit.
    fn report(&mut self, diagnostic: Diagnostic) {
        let is_error = diagnostic.severity == Severity::Error;
        let count = if is_error { &mut self.errors } else { &mut self.warnings };
        *count += 1;
        match (*count, is_error) {
            (count, _) if count <= REPORT_LIMIT => self.diagnostics.push(diagnostic),
            (count, true) if count == REPORT_LIMIT + 1 => {
                let diagnostic = Diagnostic::error(&TOO_MANY_ERRORS, "further errors are not shown")
                    .with_hint("fix the errors above first");
                self.diagnostics.push(diagnostic);
            }
            _ => {}
        }
    }

    fn error(
        &mut self,
        code: &'static Code,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.report(Diagnostic::error(code, message).with_primary(span, "").with_hint(hint));
    }
}
