//! Abbreviations of the text form: relations, inputs and delays.
//!
//! A relation assigns several variables at once: a havoc assigns a local variable for each of them, the relation is
//! assumed, and the values are assigned. An input is assigned by a havoc at the beginning of each edge. A delay is a
//! local real number by which all clocks grow.
//!
//! Invariant: abbreviations are expanded to plain statements, which have the same meaning when printed and read again.

use tempora_smt::{Expression, Operator, ReadError, Sort, Term, TermId};
use tempora_source::Origin;

use super::read::{Reader, name_of};
use super::system::{ControlEdge, StateVariable, StatementKind, SymbolicStatement, VariableRole};
use crate::{ControlEdgeId, StateVariableId, Table};

/// The name of the length of a delay.
const DELAY: &str = "delay";

impl Reader<'_> {
    /// Creates a local variable with a unique name.
    fn helper(&mut self, name: &str, sort: &Sort, place: &Expression) -> Result<StateVariableId, ReadError> {
        if let Some(&id) = self.variable_names.get(name) {
            let known = &self.variables[id];
            if known.role == VariableRole::Local && self.store.symbol_sort(known.symbol) == sort {
                return Ok(id);
            }
        } else if !self.names.terms.contains_key(name) {
            let symbol = self.store.add_symbol(name.to_owned(), sort.clone());
            let origin = self.origin(place);
            let role = VariableRole::Local;
            let id = self.variables.push(StateVariable { name: name.to_owned(), symbol, role, origin });
            self.names.terms.insert(name.to_owned(), self.store.symbol(symbol));
            self.variable_names.insert(name.to_owned(), id);
            return Ok(id);
        }
        Err(place.error(format!("the name `{name}` is reserved here")))
    }

    /// Expands `(relate (x y) FORMULA)`: in the formula `x'` and `y'` are the values after the step; nothing else
    /// changes.
    pub(super) fn relate(
        &mut self,
        whole: &Expression,
        frame: &Expression,
        relation: &Expression,
    ) -> Result<StatementKind, ReadError> {
        let Some(names) = frame.list() else {
            return Err(frame.error("expected a list of variables, such as (x y)"));
        };
        let origin = self.origin(whole);
        let mut changed: Vec<(StateVariableId, StateVariableId)> = Vec::new();
        for name in names {
            let variable = self.named_variable(name)?;
            if changed.iter().any(|(known, _)| *known == variable) {
                return Err(name.error("this variable is listed twice"));
            }
            let sort = self.store.symbol_sort(self.variables[variable].symbol).clone();
            let next = self.helper(&format!("{}'", name_of(name)?), &sort, name)?;
            changed.push((variable, next));
        }
        let formula = self.boolean(relation)?;
        let statement = |kind: StatementKind| SymbolicStatement { kind, origin };
        let mut parts: Vec<SymbolicStatement> =
            changed.iter().map(|(_, next)| statement(StatementKind::Havoc(*next))).collect();
        parts.push(statement(StatementKind::Assume(formula)));
        for (variable, next) in changed {
            let value = self.store.symbol(self.variables[next].symbol);
            parts.push(statement(StatementKind::Assign(variable, value)));
        }
        Ok(StatementKind::Sequence(parts))
    }

    /// Adds a havoc of every input to the beginning of every edge that does not assign it itself.
    pub(super) fn choose_inputs(&self, edges: &mut Table<ControlEdgeId, ControlEdge>) {
        let inputs: Vec<StateVariableId> = self
            .variables
            .iter()
            .filter(|(_, variable)| variable.role == VariableRole::Input)
            .map(|(id, _)| id)
            .collect();
        if inputs.is_empty() {
            return;
        }
        for id in edges.ids().collect::<Vec<_>>() {
            let edge = &mut edges[id];
            let begins = match &edge.statement.kind {
                StatementKind::Sequence(parts) => parts.as_slice(),
                _ => std::slice::from_ref(&edge.statement),
            };
            let chosen: Vec<StateVariableId> = begins
                .iter()
                .map_while(|part| match &part.kind {
                    StatementKind::Havoc(variable) => Some(*variable),
                    _ => None,
                })
                .collect();
            let origin = edge.statement.origin;
            let mut parts: Vec<SymbolicStatement> = inputs
                .iter()
                .filter(|input| !chosen.contains(input))
                .map(|input| SymbolicStatement { kind: StatementKind::Havoc(*input), origin })
                .collect();
            if parts.is_empty() {
                continue;
            }
            match std::mem::replace(&mut edge.statement.kind, StatementKind::Sequence(Vec::new())) {
                StatementKind::Sequence(rest) => parts.extend(rest),
                kind => parts.push(SymbolicStatement { kind, origin }),
            }
            edge.statement.kind = StatementKind::Sequence(parts);
        }
    }

    /// Returns the statement that lets time pass under an invariant.
    pub(super) fn delay_statement(
        &mut self,
        place: &Expression,
        is_positive: bool,
        invariant: TermId,
        origin: Origin,
    ) -> Result<SymbolicStatement, ReadError> {
        self.demand_convex(place, invariant)?;
        self.helper(DELAY, &Sort::Real, place)?;
        let allowed = self.store.truth(is_positive);
        Ok(self.delay_under_invariants(&[invariant], &[allowed], origin))
    }

    /// Returns the statement that lets time pass while invariants hold, by a positive amount if one of these formulas
    /// holds; empty in a text without delays.
    pub(super) fn delay_under_invariants(
        &mut self,
        invariants: &[TermId],
        is_positive: &[TermId],
        origin: Origin,
    ) -> SymbolicStatement {
        let statement = |kind: StatementKind| SymbolicStatement { kind, origin };
        let Some(&delay) = self.variable_names.get(DELAY) else {
            return statement(StatementKind::Sequence(Vec::new()));
        };
        let amount = self.store.symbol(self.variables[delay].symbol);
        let zero = self.store.integer(0);
        let zero = self.store.simplified(&Operator::ToReal, &[zero]);
        let (more, some) = (self.store.less(zero, amount), self.store.less_equal(zero, amount));
        // A convex condition that holds at both ends holds in between.
        let assume = |formula: &TermId| statement(StatementKind::Assume(*formula));
        let mut parts: Vec<SymbolicStatement> = invariants.iter().map(assume).collect();
        parts.push(statement(StatementKind::Havoc(delay)));
        let must = self.store.or(is_positive);
        let allowed = self.store.if_then_else(must, more, some);
        parts.push(assume(&allowed));
        let clocks = self.variables.iter().filter(|(_, variable)| variable.role == VariableRole::Clock);
        let clocks: Vec<_> = clocks.map(|(id, variable)| (id, variable.symbol)).collect();
        for (clock, symbol) in clocks {
            let now = self.store.symbol(symbol);
            let later = self.store.add(&[now, amount]);
            parts.push(statement(StatementKind::Assign(clock, later)));
        }
        parts.extend(invariants.iter().map(assume));
        statement(StatementKind::Sequence(parts))
    }

    /// Refuses an invariant that may hold at two instants and not in between.
    fn demand_convex(&self, place: &Expression, invariant: TermId) -> Result<(), ReadError> {
        let clocks = self.variables.values().filter(|variable| variable.role == VariableRole::Clock);
        let clocks: Vec<_> = clocks.map(|variable| variable.symbol).collect();
        for conjunct in self.store.conjuncts(invariant) {
            let symbols = self.store.symbols_of(&[conjunct]);
            if !clocks.iter().any(|clock| symbols.contains(clock)) {
                continue;
            }
            let comparison = match self.store.term(conjunct) {
                Term::Apply(Operator::Not, inner) => match self.store.term(inner[0]) {
                    Term::Apply(Operator::Less | Operator::LessEqual, sides) => Some(sides),
                    _ => None,
                },
                Term::Apply(Operator::Less | Operator::LessEqual | Operator::Equal, sides) => Some(sides),
                _ => None,
            };
            if !comparison.is_some_and(|sides| sides.iter().all(|side| self.is_linear(*side, &clocks))) {
                return Err(place.error(
                    "an invariant must be a conjunction of comparisons of sums of clocks with terms without clocks",
                ));
            }
        }
        Ok(())
    }

    /// Returns whether a term is linear in time.
    fn is_linear(&self, term: TermId, clocks: &[tempora_smt::SymbolId]) -> bool {
        let symbols = self.store.symbols_of(&[term]);
        if !clocks.iter().any(|clock| symbols.contains(clock)) {
            return true;
        }
        match self.store.term(term) {
            Term::Symbol(_) => true,
            Term::Apply(Operator::Add, parts) => parts.iter().all(|part| self.is_linear(*part, clocks)),
            Term::Apply(Operator::Multiply, parts) => {
                let constant = parts.iter().filter(|part| self.store.as_value(**part).is_some()).count();
                constant + 1 == parts.len() && parts.iter().all(|part| self.is_linear(*part, clocks))
            }
            _ => false,
        }
    }
}
