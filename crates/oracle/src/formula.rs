//! Formulas over the region graph.
//!
//! Invariant: a formula about all runs must hold in all initial states, one about some run in any of them. Without an
//! initial state there is no run.

use tempora_model::{Expression, Formula, QueryKind};

use crate::cycles::components;
use crate::failure::ExplorationFailure;
use crate::fixpoints;
use crate::predicates;
use crate::region_graph::RegionGraph;

impl RegionGraph {
    /// Returns whether a formula holds.
    pub fn holds(&self, formula: &Formula) -> Result<bool, ExplorationFailure> {
        self.require_constants(&QueryKind::Formula(formula.clone()))?;
        match formula {
            Formula::Possibly(goal) => {
                Ok(self.somewhere_at_start(&fixpoints::possibly(&self.graph, &self.satisfying(goal)?)))
            }
            Formula::Always(predicate) => {
                Ok(self.everywhere_at_start(&fixpoints::always(&self.graph, &self.satisfying(predicate)?)))
            }
            Formula::Eventually(goal) => {
                Ok(self.everywhere_at_start(&fixpoints::eventually(&self.graph, &self.satisfying(goal)?)))
            }
            Formula::PotentiallyAlways(predicate) => Ok(self.somewhere_at_start(
                &fixpoints::potentially_always(&self.graph, &self.satisfying(predicate)?),
            )),
            Formula::LeadsTo { premise, conclusion, within: None } => {
                let comes = fixpoints::eventually(&self.graph, &self.satisfying(conclusion)?);
                self.always_implies(Some(premise), &comes)
            }
            Formula::LeadsTo { premise, conclusion, within: Some(within) } => {
                self.responds_within(premise, conclusion, within)
            }
            Formula::AlwaysPossibly { premise, goal } => {
                let can_come = fixpoints::possibly(&self.graph, &self.satisfying(goal)?);
                self.always_implies(premise.as_ref(), &can_come)
            }
            Formula::InfinitelyOften(predicates) => self.infinitely_often(predicates),
            Formula::Not(inner) => Ok(!self.holds(inner)?),
            Formula::And(parts) => {
                parts.iter().try_fold(true, |result, part| Ok(self.holds(part)? && result))
            }
            Formula::Or(parts) => {
                parts.iter().try_fold(false, |result, part| Ok(self.holds(part)? || result))
            }
        }
    }

    /// Returns for each region whether a predicate holds in it.
    pub fn satisfying(&self, predicate: &Expression) -> Result<Vec<bool>, ExplorationFailure> {
        self.require_constants(&QueryKind::Formula(Formula::Possibly(predicate.clone())))?;
        predicates::satisfying(&self.graph, &self.interpreter(), predicate)
    }

    /// Returns all nodes are reachable, so an invariant property holds in all of them.
    fn always_implies(&self, premise: Option<&Expression>, set: &[bool]) -> Result<bool, ExplorationFailure> {
        let premise = match premise {
            Some(premise) => self.satisfying(premise)?,
            None => vec![true; self.len()],
        };
        Ok(premise.iter().zip(set).all(|(&premise, &is_in)| is_in || !premise))
    }

    /// Returns whether some run with infinitely many transitions satisfies each of the predicates infinitely often. An
    /// infinite delay is not such a run; a run whose time converges is.
    fn infinitely_often(&self, predicates: &[Expression]) -> Result<bool, ExplorationFailure> {
        let sets =
            predicates.iter().map(|predicate| self.satisfying(predicate)).collect::<Result<Vec<_>, _>>()?;
        let successors: Vec<Vec<usize>> =
            (0..self.len()).map(|node| self.graph.successors(node).collect()).collect();
        let component = components(&successors);
        // A component with an inner transition has a cycle through all of its nodes with that transition.
        Ok((0..self.len()).any(|node| {
            let own = component[node];
            let repeats = self.graph.actions[node].iter().any(|&successor| component[successor] == own);
            repeats
                && sets.iter().all(|set| (0..self.len()).any(|other| component[other] == own && set[other]))
        }))
    }

    fn somewhere_at_start(&self, set: &[bool]) -> bool {
        self.graph.starts.iter().any(|&start| set[start])
    }

    fn everywhere_at_start(&self, set: &[bool]) -> bool {
        self.graph.starts.iter().all(|&start| set[start])
    }
}
