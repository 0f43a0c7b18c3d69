//! Encodes statements as formulas.
//!
//! The values after a statement are terms over the values before it and over fresh symbols: one for each havoc, and
//! some for the branches of choices.
//!
//! Invariant: an assignment to all symbols satisfies the constraint exactly if the statement can be executed with the
//! assigned values and branches, which the plan identifies.

use std::collections::BTreeMap;

use tempora_model::Id;
use tempora_smt::{Integer, Model, Sort, SymbolId, TermId, TermStore, Value};
use tempora_transition::{StateVariableId, StatementKind, SymbolicStatement, SymbolicSystem};

/// The value of each variable, as a term.
pub(crate) type Environment = Vec<TermId>;

/// A statement as a formula.
#[derive(Clone, Debug)]
pub(crate) struct Encoded {
    /// The values afterwards.
    pub(crate) environment: Environment,
    /// The condition under which it can be executed.
    pub(crate) constraint: TermId,
    /// The choices it leaves open.
    pub(crate) plan: Plan,
}

/// The choices that a statement leaves open, with the terms that determine them.
#[derive(Clone, Debug)]
pub(crate) enum Plan {
    /// The plans of consecutive statements.
    Sequence(Vec<Plan>),
    /// The first branch whose term is true.
    Choice(Vec<(usize, TermId, Plan)>),
    /// The value of a symbol.
    Havoc(SymbolId),
}

/// The limit on encoded statements, with those of loops counted in each iteration.
const MAX_STATEMENTS: usize = 200_000;

/// The encoder of the statements of a system.
pub(crate) struct Encoder<'system> {
    system: &'system SymbolicSystem,
    count: usize,
}

impl<'system> Encoder<'system> {
    pub(crate) fn new(system: &'system SymbolicSystem) -> Encoder<'system> {
        Encoder { system, count: 0 }
    }

    /// Returns the symbols of the variables themselves.
    pub(crate) fn plain_environment(&self) -> Environment {
        self.system.variables.ids().map(|id| self.system.term_of(id)).collect()
    }

    /// Creates a fresh symbol for each variable.
    pub(crate) fn fresh_environment(&self, store: &mut TermStore) -> Environment {
        let variables = self.system.variables.values();
        variables
            .map(|variable| {
                let sort = store.symbol_sort(variable.symbol).clone();
                let symbol = store.add_symbol(variable.name.clone(), sort);
                store.symbol(symbol)
            })
            .collect()
    }

    /// Instantiates a term about variables with their values.
    pub(crate) fn instance(&self, store: &mut TermStore, term: TermId, environment: &[TermId]) -> TermId {
        store.substitute(term, &self.replacement(environment))
    }

    fn replacement(&self, environment: &[TermId]) -> BTreeMap<SymbolId, TermId> {
        self.system
            .variables
            .values()
            .map(|variable| variable.symbol)
            .zip(environment.iter().copied())
            .collect()
    }

    /// Encodes a statement as a formula, or returns why it cannot be encoded.
    pub(crate) fn encode(
        &mut self,
        store: &mut TermStore,
        statement: &SymbolicStatement,
        environment: Environment,
    ) -> Result<Encoded, String> {
        self.count += 1;
        if self.count > MAX_STATEMENTS {
            return Err("there are too many statements for one formula".to_owned());
        }
        let nothing = Plan::Sequence(Vec::new());
        match &statement.kind {
            StatementKind::Assign(variable, value) => {
                let value = self.instance(store, *value, &environment);
                let mut environment = environment;
                environment[variable.index()] = value;
                Ok(Encoded { environment, constraint: store.truth(true), plan: nothing })
            }
            StatementKind::Assume(condition) => {
                let constraint = self.instance(store, *condition, &environment);
                Ok(Encoded { environment, constraint, plan: nothing })
            }
            StatementKind::Havoc(variable) => {
                let symbol = self.fresh(store, *variable);
                let mut environment = environment;
                environment[variable.index()] = store.symbol(symbol);
                Ok(Encoded { environment, constraint: store.truth(true), plan: Plan::Havoc(symbol) })
            }
            StatementKind::Sequence(parts) => self.encode_all(store, parts.iter(), environment),
            StatementKind::Choice(branches) => self.encode_choice(store, branches, environment),
            StatementKind::Loop { counter, from, to, body } => {
                let bounds = [*from, *to].map(|bound| {
                    let bound = self.instance(store, bound, &environment);
                    store.as_value(bound).and_then(Value::as_integer).and_then(Integer::to_i64)
                });
                let [Some(from), Some(to)] = bounds else {
                    return Err("the bounds of a loop are not constant".to_owned());
                };
                let mut result = Encoded { environment, constraint: store.truth(true), plan: nothing };
                let (mut constraints, mut plans) = (Vec::new(), Vec::new());
                let mut current = from;
                while current < to {
                    let mut environment = result.environment;
                    environment[counter.index()] = store.integer(current);
                    result = self.encode(store, body, environment)?;
                    constraints.push(result.constraint);
                    plans.push(result.plan.clone());
                    current += 1;
                }
                let constraint = store.and(&constraints);
                Ok(Encoded { constraint, plan: Plan::Sequence(plans), ..result })
            }
        }
    }

    fn fresh(&self, store: &mut TermStore, variable: StateVariableId) -> SymbolId {
        let own = &self.system.variables[variable];
        let sort = store.symbol_sort(own.symbol).clone();
        store.add_symbol(own.name.clone(), sort)
    }

    fn encode_all<'part>(
        &mut self,
        store: &mut TermStore,
        parts: impl Iterator<Item = &'part SymbolicStatement>,
        mut environment: Environment,
    ) -> Result<Encoded, String> {
        let (mut constraints, mut plans) = (Vec::new(), Vec::new());
        for part in parts {
            let encoded = self.encode(store, part, environment)?;
            environment = encoded.environment;
            constraints.push(encoded.constraint);
            if !matches!(&encoded.plan, Plan::Sequence(parts) if parts.is_empty()) {
                plans.push(encoded.plan);
            }
            if store.as_boolean(encoded.constraint) == Some(false) {
                break;
            }
        }
        Ok(Encoded { environment, constraint: store.and(&constraints), plan: Plan::Sequence(plans) })
    }

    fn encode_choice(
        &mut self,
        store: &mut TermStore,
        branches: &[SymbolicStatement],
        environment: Environment,
    ) -> Result<Encoded, String> {
        let mut possible = Vec::new();
        for (number, branch) in branches.iter().enumerate() {
            let encoded = self.encode(store, branch, environment.clone())?;
            if store.as_boolean(encoded.constraint) != Some(false) {
                possible.push((number, encoded));
            }
        }
        let alternatives: Vec<(TermId, Environment)> =
            possible.iter().map(|(_, encoded)| (encoded.constraint, encoded.environment.clone())).collect();
        let merged = merge(store, &alternatives, environment);
        let plans = possible
            .into_iter()
            .zip(&merged.selectors)
            .map(|((number, encoded), selector)| (number, *selector, encoded.plan))
            .collect();
        Ok(Encoded {
            environment: merged.environment,
            constraint: merged.constraint,
            plan: Plan::Choice(plans),
        })
    }
}

/// The merged result of alternative branches.
pub(crate) struct MergedBranches {
    pub(crate) environment: Environment,
    pub(crate) constraint: TermId,
    /// For each branch, the term that is true if it is the first one taken.
    pub(crate) selectors: Vec<TermId>,
}

/// Merges branches; without any, the result is infeasible.
pub(crate) fn merge(
    store: &mut TermStore,
    alternatives: &[(TermId, Environment)],
    otherwise: Environment,
) -> MergedBranches {
    let selectors: Vec<TermId> = match alternatives {
        [] => {
            return MergedBranches {
                environment: otherwise,
                constraint: store.truth(false),
                selectors: Vec::new(),
            };
        }
        [_] => vec![store.truth(true)],
        [(first, _), (second, _)] => {
            // If a condition decides, it is the selector and nothing is left open.
            let (first_parts, second_parts) = (store.conjuncts(*first), store.conjuncts(*second));
            let decides = first_parts.into_iter().find(|part| second_parts.contains(&store.not(*part)));
            let selector = match decides {
                Some(condition) => condition,
                None => {
                    let symbol = store.add_symbol("branch", Sort::Boolean);
                    store.symbol(symbol)
                }
            };
            vec![selector, store.not(selector)]
        }
        many => many
            .iter()
            .map(|_| {
                let symbol = store.add_symbol("branch", Sort::Boolean);
                store.symbol(symbol)
            })
            .collect(),
    };
    let mut constraints = vec![store.or(&selectors)];
    for ((constraint, _), selector) in alternatives.iter().zip(&selectors) {
        constraints.push(store.implies(*selector, *constraint));
    }
    let mut environment = otherwise;
    for (position, value) in environment.iter_mut().enumerate() {
        let Some(((_, last), rest)) = alternatives.split_last() else { break };
        let mut merged = last[position];
        for ((_, other), selector) in rest.iter().zip(&selectors).rev() {
            merged = store.if_then_else(*selector, other[position], merged);
        }
        *value = merged;
    }
    MergedBranches { environment, constraint: store.and(&constraints), selectors }
}

/// A model as an evaluator of terms.
pub(crate) struct ModelReader<'model> {
    pub(crate) store: &'model TermStore,
    pub(crate) model: &'model Model,
}

impl ModelReader<'_> {
    /// Returns the value of a term; symbols missing from the model have the default of their sort.
    pub(crate) fn value(&self, term: TermId) -> Option<Value> {
        let value_of = |symbol: SymbolId| {
            let default = || Value::default_of(self.store, self.store.symbol_sort(symbol));
            Some(self.model.get(&symbol).cloned().unwrap_or_else(default))
        };
        self.store.evaluate(term, &value_of).ok().flatten()
    }

    /// Returns whether a term is true.
    pub(crate) fn holds(&self, term: TermId) -> bool {
        self.value(term) == Some(Value::Boolean(true))
    }

    /// Returns the branches and values of a plan, in order.
    pub(crate) fn follow(&self, plan: &Plan, branches: &mut Vec<usize>, havocs: &mut Vec<Value>) {
        match plan {
            Plan::Sequence(parts) => {
                for part in parts {
                    self.follow(part, branches, havocs);
                }
            }
            Plan::Choice(alternatives) => {
                if let Some((number, _, plan)) =
                    alternatives.iter().find(|(_, selector, _)| self.holds(*selector))
                {
                    branches.push(*number);
                    self.follow(plan, branches, havocs);
                }
            }
            Plan::Havoc(symbol) => havocs.extend(self.value(self.store.symbol(*symbol))),
        }
    }
}
