//! Checks queries of kinds that no engine supports: statistics, games, strategies.
//!
//! Their names and types are checked like those of other queries; the result is discarded.

use super::scope::Symbol;
use super::{Elaborator, Result};
use crate::codes::meaning as codes;
use crate::expression::Expression;
use crate::types::{Range, Type};
use tempora_syntax::ast::{
    self, ControlMethod, ControlQuery, Features, LearningObjective, LearningQuery, ProbabilityBound,
    ProbabilityQuery, RunBound, RunMeasure, SimulationGoal,
};

impl Elaborator<'_> {
    pub(super) fn check_control(&mut self, query: &ControlQuery) -> Result<()> {
        self.observed(query.observations.iter().flatten())?;
        match &query.method {
            ControlMethod::Plain => {}
            ControlMethod::TimeOptimal { limit, lower } => self.observed(limit.iter().chain(lower))?,
            ControlMethod::Approximate { grid } => {
                for dimension in grid {
                    self.observed([&dimension.expression])?;
                    if let Some(range) = &dimension.range {
                        self.observed([&range.lower, &range.upper, &range.pieces])?;
                    }
                }
            }
        }
        self.run_formula(&query.goal)
    }

    pub(super) fn check_probability(&mut self, query: &ProbabilityQuery) -> Result<()> {
        if let Some(bound) = &query.bound {
            self.run_bound(bound)?;
        }
        self.run_formula(&query.formula)?;
        match &query.comparison {
            None => Ok(()),
            Some(ProbabilityBound::AtLeast(bound) | ProbabilityBound::AtMost(bound)) => {
                self.observed([bound])
            }
            Some(ProbabilityBound::AtLeastThatOf(other) | ProbabilityBound::AtMostThatOf(other)) => {
                self.check_probability(other)
            }
        }
    }

    pub(super) fn check_simulation(
        &mut self,
        bound: &RunBound,
        expressions: &[ast::Expression],
        goal: Option<&SimulationGoal>,
    ) -> Result<()> {
        self.run_bound(bound)?;
        self.observed(expressions)?;
        match goal {
            Some(goal) => {
                self.observed(&goal.runs)?;
                self.run_formula(&goal.goal)
            }
            None => Ok(()),
        }
    }

    pub(super) fn check_learning(&mut self, query: &LearningQuery) -> Result<()> {
        match &query.objective {
            LearningObjective::MinimalExpectation(expression)
            | LearningObjective::MaximalExpectation(expression) => self.observed([expression])?,
            LearningObjective::MinimalProbability | LearningObjective::MaximalProbability => {}
        }
        self.run_bound(&query.bound)?;
        self.check_features(query.features.as_ref())?;
        self.run_formula(&query.goal)
    }

    pub(super) fn check_features(&mut self, features: Option<&Features>) -> Result<()> {
        match features {
            Some(features) => self.observed(features.discrete.iter().chain(&features.continuous)),
            None => Ok(()),
        }
    }

    pub(super) fn run_bound(&mut self, bound: &RunBound) -> Result<()> {
        if let RunMeasure::Clock(clock) = &bound.measure {
            let typed = self.expression(clock)?;
            if typed.value_type != Type::Clock {
                return self.mismatch(&Type::Clock, &typed.value_type, clock.span);
            }
        }
        for written in [&bound.limit].into_iter().chain(&bound.runs) {
            let typed = self.observation(written)?;
            if !matches!(typed.value_type, Type::Integer(_) | Type::Boolean | Type::Double) {
                return self.mismatch(&Type::Integer(Range::WORD), &typed.value_type, written.span);
            }
        }
        Ok(())
    }

    /// Checks a formula over one run: predicates under temporal operators.
    fn run_formula(&mut self, written: &ast::Expression) -> Result<()> {
        if !tempora_syntax::is_temporal(written) {
            return self.pure_condition(written, "a predicate").map(|_| ());
        }
        if let ast::ExpressionKind::Quantified { binding, body, .. } = &written.kind {
            let names_template = matches!(
                &binding.domain.base,
                ast::BaseType::Named(name)
                    if matches!(self.scopes.look_up(&name.text), Some(Symbol::Template(_)))
            );
            if names_template {
                // The processes are spawned at run time, so their names are unknown here.
                return Ok(());
            }
            return self.scoped(|elaborator| {
                elaborator.binder(binding)?;
                elaborator.run_formula(body)
            });
        }
        for part in tempora_syntax::children(written) {
            self.run_formula(part)?;
        }
        Ok(())
    }

    /// Checks expressions whose values the query observes.
    pub(super) fn observed<'written>(
        &mut self,
        expressions: impl IntoIterator<Item = &'written ast::Expression>,
    ) -> Result<()> {
        expressions.into_iter().try_for_each(|written| self.observation(written).map(|_| ()))
    }

    fn observation(&mut self, written: &ast::Expression) -> Result<Expression> {
        let typed = self.expression(written)?;
        if self.has_effects(&typed) {
            return self.error(&codes::SIDE_EFFECT, written.span, "a query must not change variables");
        }
        Ok(typed)
    }
}
