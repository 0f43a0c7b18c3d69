//! Checks that a claimed invariant of a symbolic system is inductive and implies a property.
//!
//! Invariant: an invariant is accepted only if a solver has refuted the negation of every obligation; an unknown result
//! is a refusal. The obligations are those of R. W. Floyd, "Assigning meanings to programs" (1967): for the initial
//! condition, for each edge, and for each control location at which the property is observed.

use tempora_evidence::{Budget, Evidence, InductiveInvariant, Verdict};
use tempora_model::Id;
use tempora_smt::{CheckResult, ProcessOptions, ProcessSolver, Solver, SolverProgram, TermId};
use tempora_transition::{SafetyProperty, SymbolicSystem};

use crate::answer::CheckedAnswer;
use crate::invariant_terms::copy_formulas;
use crate::refusal::{Reason, Refusal};
use crate::relation::Relations;

/// Counts of an accepted invariant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AcceptedInvariant {
    /// The number of solver queries.
    pub obligations: usize,
}

/// Checks an invariant for an answer, and certifies the answer if the invariant is accepted.
pub fn certify_invariant(
    system: &SymbolicSystem,
    property: &SafetyProperty,
    answer: CheckedAnswer,
    invariant: InductiveInvariant,
    solver: SolverProgram,
    budget: &Budget,
) -> Result<(CheckedAnswer, AcceptedInvariant), Box<(CheckedAnswer, Refusal)>> {
    if answer.answer().verdict != Verdict::Holds {
        let why = "the certificate contradicts the verdict of the answer".to_owned();
        return Err(Box::new((answer, Refusal::whole(Reason::OtherQuestion(why)))));
    }
    match verify_invariant(system, property, &invariant, solver, budget) {
        Ok(accepted) => Ok((answer.certified(Evidence::Invariant(invariant)), accepted)),
        Err(refusal) => Err(Box::new((answer, refusal))),
    }
}

/// Checks that an invariant is inductive and implies a property.
pub fn verify_invariant(
    system: &SymbolicSystem,
    property: &SafetyProperty,
    invariant: &InductiveInvariant,
    solver: SolverProgram,
    budget: &Budget,
) -> Result<AcceptedInvariant, Refusal> {
    let mut relations = Relations::new(system);
    if invariant.formulas.len() != system.locations.len() {
        let (own, others) = (system.locations.len(), invariant.formulas.len());
        let why =
            format!("the system has {own} control locations, but the certificate has {others} formulas");
        return Err(Refusal::whole(Reason::IllFormed(why)));
    }
    let formulas = copy_formulas(system, &mut relations.store, invariant)?;
    let options = ProcessOptions {
        memory_bytes: budget.memory_limit(),
        cancellation: Some(budget.cancellation()),
        ..ProcessOptions::default()
    };
    let mut checker = Checker { solver: ProcessSolver::new(solver, options), budget, obligations: 0 };
    checker.solver.set_deadline(budget.deadline());

    let start = system.initial_location.index();
    let outside = relations.store.not(formulas[start]);
    let escape = relations.store.and(&[system.initial, outside]);
    checker.impossible(&relations, escape, || {
        Refusal::at(start, Reason::StartIsNotCovered(system.locations[system.initial_location].name.clone()))
    })?;
    for edge in system.edges.values() {
        let relation = relations.of_edge(&edge.statement)?;
        let reached = relations.at(formulas[edge.target.index()], &relation.after);
        let outside = relations.store.not(reached);
        let escape = relations.store.and(&[formulas[edge.source.index()], relation.formula, outside]);
        checker.impossible(&relations, escape, || {
            let names = [edge.source, edge.target].map(|end| system.locations[end].name.clone());
            let step = format!("the {} edge {} -> {}", edge.kind.name(), names[0], names[1]);
            Refusal::at(edge.source.index(), Reason::SuccessorIsNotCovered(step))
        })?;
    }
    for location in system.locations.ids().filter(|location| property.is_observed_at(*location)) {
        let wrong = relations.store.not(property.condition);
        let violation = relations.store.and(&[formulas[location.index()], wrong]);
        checker.impossible(&relations, violation, || Refusal::at(location.index(), Reason::Bad))?;
    }
    Ok(AcceptedInvariant { obligations: checker.obligations })
}

struct Checker<'budget> {
    solver: ProcessSolver,
    budget: &'budget Budget,
    obligations: usize,
}

impl Checker<'_> {
    /// Requires that a formula is unsatisfiable.
    fn impossible(
        &mut self,
        relations: &Relations<'_>,
        formula: TermId,
        refusal: impl FnOnce() -> Refusal,
    ) -> Result<(), Refusal> {
        self.obligations += 1;
        let exhausted = |checker: &Checker<'_>| {
            let mut watch = checker.budget.watch();
            watch.check(0).map_err(|exhausted| Refusal::whole(Reason::Exhausted(exhausted)))
        };
        exhausted(self)?;
        self.solver.push();
        self.solver.assert(&relations.store, formula);
        let result = self.solver.check(&relations.store, &[]);
        self.solver.pop();
        match result {
            Ok(CheckResult::Unsatisfiable) => Ok(()),
            Ok(CheckResult::Satisfiable) => Err(refusal()),
            Ok(CheckResult::Unknown(why)) => {
                exhausted(self)?;
                Err(Refusal::whole(Reason::Solver(why)))
            }
            Err(error) => {
                exhausted(self)?;
                Err(Refusal::whole(Reason::Solver(error.to_string())))
            }
        }
    }
}
