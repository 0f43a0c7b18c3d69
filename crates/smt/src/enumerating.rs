//! A solver that enumerates all values.
//!
//! Invariant: it answers only about symbols with few values, and returns "unknown" otherwise. It serves as a reference
//! for other solvers, and for problems too small to need one.

use std::collections::BTreeSet;
use std::time::Instant;

use crate::{Capabilities, CheckResult, Model, Solver, SolverError, SymbolId, TermId, TermStore, Value};

/// The limit on assignments.
const MAX_ASSIGNMENTS: u64 = 1 << 20;

/// A solver that enumerates all values.
#[derive(Debug, Default)]
pub struct EnumeratingSolver {
    assertions: Vec<TermId>,
    scopes: Vec<usize>,
    deadline: Option<Instant>,
    model: Option<Model>,
    core: Option<Vec<TermId>>,
}

impl EnumeratingSolver {
    /// Creates a solver without assertions.
    pub fn new() -> EnumeratingSolver {
        EnumeratingSolver::default()
    }

    /// Searches for a model of formulas; returns `Ok(Err(reason))` if that is infeasible.
    fn search(
        &self,
        store: &TermStore,
        formulas: &[TermId],
    ) -> Result<Result<Option<Model>, String>, SolverError> {
        let symbols: Vec<SymbolId> = store.symbols_of(formulas).into_iter().collect();
        let mut domains = Vec::with_capacity(symbols.len());
        let mut assignments: u64 = 1;
        for symbol in &symbols {
            let limit = usize::try_from(MAX_ASSIGNMENTS).unwrap_or(usize::MAX);
            let Some(domain) = Value::all_of(store, store.symbol_sort(*symbol), limit) else {
                return Ok(Err(format!("`{}` has too many values to enumerate", store.symbol_name(*symbol))));
            };
            assignments = assignments.saturating_mul(domain.len() as u64);
            domains.push(domain);
        }
        if assignments > MAX_ASSIGNMENTS {
            return Ok(Err("there are too many combinations of values to enumerate".to_owned()));
        }
        let mut chosen = vec![0usize; symbols.len()];
        let mut tried: u64 = 0;
        loop {
            tried += 1;
            if tried.is_multiple_of(256) && self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(SolverError::Timeout);
            }
            let value_of = |symbol: SymbolId| {
                let position = symbols.binary_search(&symbol).ok()?;
                Some(domains[position][chosen[position]].clone())
            };
            let mut holds = true;
            for formula in formulas {
                match store.evaluate(*formula, &value_of) {
                    Ok(Some(Value::Boolean(true))) => {}
                    Ok(_) => {
                        holds = false;
                        break;
                    }
                    Err(error) => return Ok(Err(error.to_string())),
                }
            }
            if holds {
                let model = symbols.iter().map(|symbol| (*symbol, value_of(*symbol)));
                return Ok(Ok(Some(model.filter_map(|(symbol, value)| Some((symbol, value?))).collect())));
            }
            // The next combination, in counting order.
            let mut position = 0;
            loop {
                let Some(digit) = chosen.get_mut(position) else { return Ok(Ok(None)) };
                *digit += 1;
                if *digit < domains[position].len() {
                    break;
                }
                *digit = 0;
                position += 1;
            }
        }
    }
}

impl Solver for EnumeratingSolver {
    fn name(&self) -> &str {
        "enumeration"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            unsat_cores: true,
            infinite_sorts: false,
            floating_point: true,
            horn_clauses: false,
            interpolants: false,
        }
    }

    fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    fn push(&mut self) {
        self.scopes.push(self.assertions.len());
    }

    fn pop(&mut self) {
        if let Some(count) = self.scopes.pop() {
            self.assertions.truncate(count);
        }
    }

    fn assert(&mut self, _: &TermStore, formula: TermId) {
        self.assertions.push(formula);
    }

    fn check(&mut self, store: &TermStore, assumptions: &[TermId]) -> Result<CheckResult, SolverError> {
        (self.model, self.core) = (None, None);
        let with = |assumptions: &BTreeSet<TermId>| -> Vec<TermId> {
            self.assertions.iter().chain(assumptions).copied().collect()
        };
        let mut core: BTreeSet<TermId> = assumptions.iter().copied().collect();
        match self.search(store, &with(&core))? {
            Err(reason) => return Ok(CheckResult::Unknown(reason)),
            Ok(Some(model)) => {
                self.model = Some(model);
                return Ok(CheckResult::Satisfiable);
            }
            Ok(None) => {}
        }
        // Assumptions are dropped one by one if they are not needed, so the core is minimal.
        for assumption in assumptions {
            let mut smaller = core.clone();
            smaller.remove(assumption);
            if self.search(store, &with(&smaller))? == Ok(None) {
                core = smaller;
            }
        }
        self.core = Some(core.into_iter().collect());
        Ok(CheckResult::Unsatisfiable)
    }

    fn unsat_core(&mut self) -> Result<Vec<TermId>, SolverError> {
        self.core
            .clone()
            .ok_or_else(|| SolverError::Broken("the last check was not unsatisfiable".to_owned()))
    }

    fn model(&mut self, _: &mut TermStore, symbols: &[SymbolId]) -> Result<Model, SolverError> {
        let model = self.model.as_ref();
        let model =
            model.ok_or_else(|| SolverError::Broken("the last check was not satisfiable".to_owned()))?;
        Ok(symbols.iter().filter_map(|symbol| Some((*symbol, model.get(symbol)?.clone()))).collect())
    }
}
