//! Elaborates one process: its local declarations, locations and edges.
//!
//! Invariant: guards and invariants are split into conjuncts with and without clocks and have no side effects; an
//! edge to a branch point and the edges from it become one edge with several branches.

use std::collections::{BTreeMap, BTreeSet};

use tempora_source::Span;

use super::changed_parameters::may_change;
use super::instances::Argument;
use super::{Elaborator, PLACE_LIMIT, Result, limit_hint, place_limit};
use crate::codes::meaning as codes;
use crate::expression::{BinaryOperator, Expression, ExpressionKind, Quantifier};
use crate::network::{
    Branch, Condition, Edge, Location, LocationKind, Process, Synchronisation, SynchronisationRole,
};
use crate::types::{ConditionCategory, Type};
use crate::{EventId, LocationId, Table};
use tempora_syntax::ast::{self, EdgeTarget, ProcessDeclaration};

/// The locations and branch points of a process, by name.
#[derive(Default)]
struct ProcessLocations<'model> {
    locations: BTreeMap<&'model str, LocationId>,
    branchpoints: BTreeMap<&'model str, Span>,
    /// The positions of the edges that leave each branch point.
    branches: BTreeMap<&'model str, Vec<usize>>,
}

impl<'model> Elaborator<'model> {
    /// Adds a process to the network.
    pub(super) fn process(
        &mut self,
        written: &'model ProcessDeclaration,
        name: String,
        arguments: Vec<Argument>,
        priority: u32,
    ) -> Result<()> {
        if !self.process_names.insert(name.clone()) {
            let message = format!("`{name}` is listed twice in the system line");
            return self.error(&codes::DUPLICATE_NAME, written.name.span, message);
        }
        self.places = self.places.saturating_add((written.locations.len() + written.edges.len()) as u64);
        if self.places > place_limit() {
            let message = "the processes of this model have too many locations and edges in total";
            let hint = limit_hint(place_limit(), "locations and edges", PLACE_LIMIT);
            return self.error_with_hint(&codes::TOO_LARGE, written.name.span, message, hint);
        }
        let origin = self.written(written.span);
        // The process gets its id first, so that its variables can refer to it.
        let id = self.network_mut().processes.push(Process {
            name,
            template: written.template.as_ref().unwrap_or(&written.name).text.clone(),
            arguments: Vec::new(),
            locations: Table::new(),
            initial: Vec::new(),
            edges: Table::new(),
            priority,
            interface: None,
            origin,
        });
        // Processes see the global scope only, wherever they are instantiated.
        let inner = self.scopes.leave_to_global();
        let outer_owner = self.owner.replace(id);
        let parts = self.scoped(|elaborator| {
            let is_changed = |name: &str| {
                let is_constant = |parameter: &&ast::Parameter| {
                    let prefixes = &parameter.parameter_type.prefixes;
                    prefixes.iter().any(|prefix| prefix.kind == ast::TypePrefixKind::Const)
                };
                let parameter = written.parameters.iter().find(|parameter| parameter.name.text == name);
                !parameter.is_some_and(|parameter| is_constant(&parameter)) && may_change(written, name)
            };
            let values = elaborator.bind_parameters(&written.parameters, arguments, is_changed)?;
            elaborator.network_mut().processes[id].arguments = values;
            elaborator.process_parts(written)
        });
        self.owner = outer_owner;
        self.scopes.restore(inner);
        let (locations, initial, edges) = parts?;
        let process = &mut self.network_mut().processes[id];
        process.locations = locations;
        process.initial = initial;
        process.edges = edges;
        Ok(())
    }

    #[expect(clippy::type_complexity, reason = "the parts of one process, destructured by the only caller")]
    fn process_parts(
        &mut self,
        written: &'model ProcessDeclaration,
    ) -> Result<(Table<LocationId, Location>, Vec<LocationId>, Table<crate::EdgeId, Edge>)> {
        for declaration in &written.declarations {
            // Each faulty declaration has been reported and its names are declared as faulty.
            let _ = self.declaration(declaration);
        }
        let (locations, places) = self.locations(written);
        let mut initial = Vec::new();
        for name in &written.initial {
            match places.locations.get(name.text.as_str()) {
                Some(location) => initial.push(*location),
                None => {
                    let _: Result<()> = self.unknown_location(name, &places);
                }
            }
        }
        if initial.is_empty() {
            self.warning(
                &codes::NO_INITIAL,
                written.name.span,
                format!("`{}` has no initial location", written.name.text),
                "mark a location as initial; without one the network has no states",
            );
        }
        let mut edges = Table::new();
        for (position, edge) in written.edges.iter().enumerate() {
            if places.branchpoints.contains_key(edge.source.text.as_str()) {
                continue;
            }
            if let Some(paths) = conditional_branches(written, edge, &places) {
                for (position, path) in paths {
                    if let Ok(edge) =
                        self.scoped(|elaborator| elaborator.edge(written, &path, position, &places))
                    {
                        edges.push(edge);
                    }
                }
            } else if let Ok(edge) =
                self.scoped(|elaborator| elaborator.edge(written, edge, position, &places))
            {
                edges.push(edge);
            }
        }
        Ok((locations, initial, edges))
    }

    fn locations(
        &mut self,
        written: &'model ProcessDeclaration,
    ) -> (Table<LocationId, Location>, ProcessLocations<'model>) {
        let mut places = ProcessLocations::default();
        for branchpoint in &written.branchpoints {
            places.branchpoints.insert(&branchpoint.text, branchpoint.span);
        }
        let set = |names: &'model [ast::Name]| names.iter().map(|name| name.text.as_str()).collect();
        let (committed, urgent): (BTreeSet<&str>, BTreeSet<&str>) =
            (set(&written.committed), set(&written.urgent));
        for (position, edge) in written.edges.iter().enumerate() {
            if places.branchpoints.contains_key(edge.source.text.as_str()) {
                places.branches.entry(&edge.source.text).or_default().push(position);
            }
        }
        let mut locations: Table<LocationId, Location> = Table::new();
        for location in &written.locations {
            let id = locations.next_id();
            let is_taken = places.branchpoints.contains_key(location.name.text.as_str())
                || places.locations.insert(&location.name.text, id).is_some();
            if is_taken {
                let message = format!("the location `{}` is declared twice", location.name.text);
                let _: Result<()> = self.error(&codes::DUPLICATE_NAME, location.name.span, message);
            }
            let name = location.name.text.as_str();
            let kind = match (committed.contains(name), urgent.contains(name)) {
                (true, _) => LocationKind::Committed,
                (_, true) => LocationKind::Urgent,
                _ => LocationKind::Ordinary,
            };
            let origin = self.written(location.span);
            let mut condition = Condition::default();
            let mut clock_rates = Vec::new();
            if let Some(invariant) = &location.invariant {
                let _ = self.invariant(invariant, &mut condition, &mut clock_rates);
            }
            let exponential_rate = match &location.rate {
                Some(rate) => self.exponential_rate(rate).ok(),
                None => None,
            };
            // Readers generate names that start with `#` for locations without a name.
            let name = Some(location.name.text.clone()).filter(|name| !name.starts_with('#'));
            let labels = location.labels.iter().map(|label| label.text.clone()).collect();
            locations.push(Location {
                name,
                kind,
                invariant: condition,
                clock_rates,
                exponential_rate,
                labels,
                origin,
            });
        }
        for name in written.urgent.iter().chain(&written.committed) {
            if !places.locations.contains_key(name.text.as_str()) {
                let _: Result<()> = self.unknown_location(name, &places);
            }
        }
        (locations, places)
    }

    fn unknown_location<T>(&mut self, name: &ast::Name, places: &ProcessLocations<'_>) -> Result<T> {
        let hint = match tempora_source::nearest_names(&name.text, places.locations.keys().copied()).first() {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "declare it with `location`".to_owned(),
        };
        self.error_with_hint(
            &codes::UNKNOWN_NAME,
            name.span,
            format!("unknown location `{}`", name.text),
            hint,
        )
    }

    fn exponential_rate(&mut self, rate: &ast::Rate) -> Result<(Expression, Option<Expression>)> {
        let value = self.number(&rate.value)?;
        let divisor = match &rate.divisor {
            Some(divisor) => Some(self.number(divisor)?),
            None => None,
        };
        Ok((value, divisor))
    }

    fn number(&mut self, written: &ast::Expression) -> Result<Expression> {
        let typed = self.expression(written)?;
        if matches!(typed.value_type, Type::Integer(_) | Type::Boolean | Type::Double) {
            return Ok(typed);
        }
        self.mismatch(&Type::Double, &typed.value_type, written.span)
    }

    fn invariant(
        &mut self,
        written: &ast::Expression,
        condition: &mut Condition,
        clock_rates: &mut Vec<Expression>,
    ) -> Result<()> {
        let typed = self.pure_condition(written, "an invariant")?;
        if let Type::Condition(category) = typed.value_type
            && category > ConditionCategory::Invariant
        {
            return self.error_with_hint(
                &codes::CLOCK_CONDITION,
                written.span,
                "an invariant must be a conjunction of clock bounds",
                "remove equality, negation and `||` between clocks; only guards may have equalities",
            );
        }
        split_conjunction(typed, &mut |conjunct| {
            if is_rate(&conjunct) {
                clock_rates.push(conjunct);
            } else if matches!(conjunct.value_type, Type::Condition(_)) {
                condition.clocks.push(conjunct);
            } else {
                condition.data.push(conjunct);
            }
        });
        Ok(())
    }

    fn guard(&mut self, written: &ast::Expression) -> Result<Condition> {
        let typed = self.pure_condition(written, "a guard")?;
        if let Type::Condition(category) = typed.value_type
            && category > ConditionCategory::Guard
        {
            return self.error_with_hint(
                &codes::CLOCK_CONDITION,
                written.span,
                "a guard must be a conjunction of clock bounds",
                "write one edge for each alternative; `!=`, negation and `||` between clocks are not allowed",
            );
        }
        let mut condition = Condition::default();
        let mut rate = None;
        split_conjunction(typed, &mut |conjunct| {
            if is_rate(&conjunct) {
                rate = Some(conjunct.origin);
            } else if matches!(conjunct.value_type, Type::Condition(_)) {
                condition.clocks.push(conjunct);
            } else {
                condition.data.push(conjunct);
            }
        });
        if rate.is_some() {
            return self.error(&codes::CLOCK_CONDITION, written.span, "a guard cannot set a clock rate");
        }
        Ok(condition)
    }

    /// Elaborates a condition without side effects.
    pub(super) fn pure_condition(&mut self, written: &ast::Expression, what: &str) -> Result<Expression> {
        let typed = self.condition(written)?;
        if self.has_effects(&typed) {
            return self.error_with_hint(
                &codes::SIDE_EFFECT,
                written.span,
                format!("{what} must not change variables"),
                "`=` assigns and `==` compares; do not call functions that change variables",
            );
        }
        Ok(typed)
    }

    fn edge(
        &mut self,
        process: &ProcessDeclaration,
        written: &ast::Edge,
        position: usize,
        places: &ProcessLocations<'model>,
    ) -> Result<Edge> {
        let outer_names = std::mem::take(&mut self.bound_names);
        let edge = self.edge_parts(process, written, position, places);
        self.bound_names = outer_names;
        edge
    }

    fn edge_parts(
        &mut self,
        process: &ProcessDeclaration,
        written: &ast::Edge,
        position: usize,
        places: &ProcessLocations<'model>,
    ) -> Result<Edge> {
        let Some(&source) = places.locations.get(written.source.text.as_str()) else {
            return self.unknown_location(&written.source, places);
        };
        let labels = &written.labels;
        let mut selects = Vec::with_capacity(labels.select.len());
        for binding in &labels.select {
            selects.push(self.binder(binding)?);
        }
        let guard = match &labels.guard {
            Some(guard) => self.guard(guard),
            None => Ok(Condition::default()),
        };
        let synchronisation = match &labels.synchronisation {
            Some(synchronisation) => self.synchronisation(synchronisation).map(Some),
            None => Ok(None),
        };
        let branches = self.branches(process, written, places);
        let event = labels.event.as_ref().map(|event| self.event(&event.text));
        let (guard, synchronisation, branches) = (guard?, synchronisation?, branches?);
        if let Some(synchronisation) = &synchronisation
            && matches!(synchronisation.channel.value_type, Type::Channel(kind) if kind.is_urgent)
            && let (false, Some(written)) = (guard.clocks.is_empty(), &labels.guard)
        {
            self.warning(
                &codes::URGENT_WITH_CLOCKS,
                written.span,
                "the channel is urgent, but the guard depends on clocks",
                "time stops as soon as the guard holds and a partner is ready",
            );
        }
        if event.is_some() && synchronisation.is_some() {
            return self.error_with_hint(
                &codes::MISPLACED,
                written.span,
                "an edge cannot have both a channel and an event",
                "use events only for synchronisation vectors",
            );
        }
        let origin = self.written(written.span);
        Ok(Edge {
            source,
            selects,
            guard,
            synchronisation,
            event,
            branches,
            is_controllable: !written.is_uncontrollable,
            template_position: position as u32,
            origin,
        })
    }

    fn branches(
        &mut self,
        process: &ProcessDeclaration,
        written: &ast::Edge,
        places: &ProcessLocations<'model>,
    ) -> Result<Vec<Branch>> {
        let common = self.updates(&written.labels.updates);
        if let (Err(_), EdgeTarget::Single(target)) = (&common, &written.target) {
            // An error in the updates does not hide an unknown target.
            let name = target.text.as_str();
            if !places.locations.contains_key(name) && !places.branchpoints.contains_key(name) {
                let _: Result<()> = self.unknown_location(target, places);
            }
        }
        let common = common?;
        let mut branches = Vec::new();
        match &written.target {
            EdgeTarget::Single(target) => match places.branchpoints.get(target.text.as_str()) {
                None => {
                    let branch = self.branch(None, common, &[], target, places, written.span)?;
                    branches.push(branch);
                }
                Some(&declared) => {
                    for &position in places.branches.get(target.text.as_str()).into_iter().flatten() {
                        let edge = &process.edges[position];
                        let labels = &edge.labels;
                        if labels.guard.is_some()
                            || labels.synchronisation.is_some()
                            || !labels.select.is_empty()
                        {
                            self.omit(edge.span, "a condition on an edge from a branch point");
                        }
                        let EdgeTarget::Single(target) = &edge.target else {
                            return self.error(&codes::MISPLACED, edge.span, "a branch cannot have branches");
                        };
                        let branch = self.scoped(|elaborator| {
                            for binding in &labels.select {
                                elaborator.binder(binding)?;
                            }
                            if let Some(guard) = &labels.guard {
                                elaborator.guard(guard)?;
                            }
                            let (weight, updates) = (labels.weight.as_ref(), &labels.updates);
                            elaborator.branch(weight, common.clone(), updates, target, places, edge.span)
                        })?;
                        branches.push(branch);
                    }
                    if branches.is_empty() {
                        let message = format!("no edge leaves the branch point `{}`", target.text);
                        return self.error(&codes::UNKNOWN_NAME, declared, message);
                    }
                }
            },
            EdgeTarget::Branches(list) => {
                for branch in list {
                    let weight = branch.weight.as_ref();
                    let branch = self.branch(
                        weight,
                        common.clone(),
                        &branch.updates,
                        &branch.target,
                        places,
                        branch.span,
                    )?;
                    branches.push(branch);
                }
                if branches.is_empty() {
                    return self.error(&codes::UNKNOWN_NAME, written.span, "the edge has no target");
                }
            }
        }
        Ok(branches)
    }

    fn branch(
        &mut self,
        weight: Option<&ast::Expression>,
        mut updates: Vec<Expression>,
        more_updates: &[ast::Expression],
        target: &ast::Name,
        places: &ProcessLocations<'model>,
        span: Span,
    ) -> Result<Branch> {
        let Some(&target) = places.locations.get(target.text.as_str()) else {
            if places.branchpoints.contains_key(target.text.as_str()) {
                return self.error_with_hint(
                    &codes::MISPLACED,
                    target.span,
                    "an edge leads from one branch point to another",
                    "make the branches of the first one lead to locations",
                );
            }
            return self.unknown_location(target, places);
        };
        let weight = match weight {
            Some(weight) => Some(self.number(weight)?),
            None => None,
        };
        updates.extend(self.updates(more_updates)?);
        let origin = self.written(span);
        Ok(Branch { weight, updates, target, origin })
    }

    fn synchronisation(&mut self, written: &ast::Synchronisation) -> Result<Synchronisation> {
        let channel = self.expression(&written.channel)?;
        if !matches!(channel.value_type, Type::Channel(_)) {
            let found = self.type_name(&channel.value_type);
            let message = format!("expected a channel, found {found}");
            return self.error(&codes::TYPE_MISMATCH, written.channel.span, message);
        }
        if self.has_effects(&channel) {
            return self.error(
                &codes::SIDE_EFFECT,
                written.span,
                "a synchronisation must not change variables",
            );
        }
        let role = match written.direction {
            ast::Direction::Send | ast::Direction::Receive => {
                self.sided_synchronisation.get_or_insert(written.span);
                match written.direction {
                    ast::Direction::Receive => SynchronisationRole::Receive,
                    _ => SynchronisationRole::Send,
                }
            }
            ast::Direction::Both => {
                self.sideless_synchronisation.get_or_insert(written.span);
                self.omit(written.span, "synchronisations without `!` or `?`");
                SynchronisationRole::Send
            }
        };
        Ok(Synchronisation { channel, role })
    }

    pub(super) fn event(&mut self, name: &str) -> EventId {
        if let Some(event) = self.events.get(name) {
            return *event;
        }
        let event = self.network_mut().events.push(name.to_owned());
        self.events.insert(name.to_owned(), event);
        event
    }
}

/// Splits an edge whose branches have conditions into one edge for each branch, with its position.
///
/// A branch is chosen when the edge is taken, and weights do not affect reachability, so the split is equivalent.
/// Returns `None` if both the edge and a branch synchronise.
fn conditional_branches(
    process: &ProcessDeclaration,
    edge: &ast::Edge,
    places: &ProcessLocations<'_>,
) -> Option<Vec<(usize, ast::Edge)>> {
    let EdgeTarget::Single(target) = &edge.target else { return None };
    if !places.branchpoints.contains_key(target.text.as_str()) {
        return None;
    }
    let positions = places.branches.get(target.text.as_str()).map_or(&[][..], Vec::as_slice);
    let branches = || positions.iter().map(|&position| (position, &process.edges[position]));
    let has_condition = |labels: &ast::EdgeLabels| {
        labels.guard.is_some() || labels.synchronisation.is_some() || !labels.select.is_empty()
    };
    let synchronises_twice = edge.labels.synchronisation.is_some()
        && branches().any(|(_, branch)| branch.labels.synchronisation.is_some());
    if synchronises_twice || !branches().any(|(_, branch)| has_condition(&branch.labels)) {
        return None;
    }
    let paths = branches().map(|(position, branch)| {
        let (first, second) = (&edge.labels, &branch.labels);
        let guard = match (&first.guard, &second.guard) {
            (Some(left), Some(right)) => Some(ast::Expression {
                kind: ast::ExpressionKind::Binary {
                    operator: ast::BinaryOperator::And,
                    spelling: ast::Spelling::Symbol,
                    operator_span: right.span,
                    left: Box::new(left.clone()),
                    right: Box::new(right.clone()),
                },
                span: right.span,
            }),
            (one, other) => one.clone().or_else(|| other.clone()),
        };
        let labels = ast::EdgeLabels {
            select: first.select.iter().chain(&second.select).cloned().collect(),
            guard,
            synchronisation: first.synchronisation.clone().or_else(|| second.synchronisation.clone()),
            event: first.event.clone(),
            updates: first.updates.iter().chain(&second.updates).cloned().collect(),
            weight: None,
        };
        let is_uncontrollable = edge.is_uncontrollable;
        let (source, target, span) = (edge.source.clone(), branch.target.clone(), branch.span);
        (position, ast::Edge { source, is_uncontrollable, labels, target, span })
    });
    Some(paths.collect())
}

/// Calls `take` for each conjunct, from left to right.
fn split_conjunction(expression: Expression, take: &mut impl FnMut(Expression)) {
    match expression.kind {
        ExpressionKind::Binary { operator: BinaryOperator::And, left, right } => {
            split_conjunction(*left, take);
            split_conjunction(*right, take);
        }
        _ => take(expression),
    }
}

/// Returns whether the conjunct fixes the rate of one or several clocks.
fn is_rate(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::RateIs { .. } => true,
        ExpressionKind::Quantified { quantifier: Quantifier::ForAll, body, .. } => is_rate(body),
        _ => false,
    }
}
