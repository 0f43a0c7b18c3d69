//! Collects the uses of names in queries.

use tempora_syntax::ast::{
    ControlMethod, Expression, Features, LearningObjective, ProbabilityBound, ProbabilityQuery, Query,
    QueryKind, RunBound, RunMeasure, SpecExpression, SpecExpressionKind,
};

use super::{Collector, Usage};

impl Collector<'_> {
    /// Records the uses in a query.
    pub(super) fn query(&mut self, query: &Query) {
        self.in_query = true;
        self.query_kind(&query.kind);
        self.in_query = false;
    }

    fn query_kind(&mut self, kind: &QueryKind) {
        match kind {
            QueryKind::Formula(formula) => self.asked([formula]),
            QueryKind::Extremum { predicate, expressions, .. } => {
                self.asked(predicate.iter().chain(expressions));
            }
            QueryKind::ReachTime { goal, .. } => self.asked([goal]),
            QueryKind::Control(query) => {
                self.asked(query.observations.iter().flatten());
                match &query.method {
                    ControlMethod::Plain => {}
                    ControlMethod::TimeOptimal { limit, lower } => self.asked(limit.iter().chain(lower)),
                    ControlMethod::Approximate { grid } => {
                        for dimension in grid {
                            self.asked([&dimension.expression]);
                            if let Some(range) = &dimension.range {
                                self.asked([&range.lower, &range.upper, &range.pieces]);
                            }
                        }
                    }
                }
                self.asked([&query.goal]);
            }
            QueryKind::Probability(query) => self.probability(query),
            QueryKind::Expectation { bound, expression, .. } => {
                self.run_bound(bound);
                self.asked([expression]);
            }
            QueryKind::Simulation { old_runs, bound, expressions, goal } => {
                self.run_bound(bound);
                self.asked(old_runs.iter().chain(expressions));
                if let Some(goal) = goal {
                    self.asked(goal.runs.iter().chain([&goal.goal]));
                }
            }
            QueryKind::Strategy { definition, .. } => self.query_kind(&definition.kind),
            QueryKind::Learning(query) => {
                match &query.objective {
                    LearningObjective::MinimalExpectation(expression)
                    | LearningObjective::MaximalExpectation(expression) => self.asked([expression]),
                    LearningObjective::MinimalProbability | LearningObjective::MaximalProbability => {}
                }
                self.run_bound(&query.bound);
                self.features(query.features.as_ref());
                self.asked([&query.goal]);
            }
            QueryKind::LoadStrategy { features, .. } => self.features(features.as_ref()),
            QueryKind::Specification(query) => {
                self.specification(&query.specification);
                query.refined.iter().for_each(|refined| self.specification(refined));
                self.asked(query.start.iter().chain(&query.goal));
            }
            QueryKind::SaveStrategy { .. }
            | QueryKind::Scenario(_)
            | QueryKind::Labels { .. }
            | QueryKind::Empty
            | QueryKind::Error => {}
        }
    }

    /// Collects the components of an expression over specifications.
    pub(super) fn specification(&mut self, specification: &SpecExpression) {
        match &specification.kind {
            SpecExpressionKind::Component { process, .. } => self.process_reference(process),
            SpecExpressionKind::Parenthesised(inner) => self.specification(inner),
            SpecExpressionKind::Combined { left, right, .. } => {
                self.specification(left);
                self.specification(right);
            }
            SpecExpressionKind::Constrained { specification, formula } => {
                self.specification(specification);
                self.asked([&**formula]);
            }
            SpecExpressionKind::Error => {}
        }
    }

    fn probability(&mut self, query: &ProbabilityQuery) {
        query.bound.iter().for_each(|bound| self.run_bound(bound));
        self.asked([&query.formula]);
        match &query.comparison {
            None => {}
            Some(ProbabilityBound::AtLeast(bound) | ProbabilityBound::AtMost(bound)) => self.asked([bound]),
            Some(ProbabilityBound::AtLeastThatOf(other) | ProbabilityBound::AtMostThatOf(other)) => {
                self.probability(other);
            }
        }
    }

    fn run_bound(&mut self, bound: &RunBound) {
        if let RunMeasure::Clock(clock) = &bound.measure {
            self.asked([clock]);
        }
        self.asked([&bound.limit].into_iter().chain(&bound.runs));
    }

    fn features(&mut self, features: Option<&Features>) {
        if let Some(features) = features {
            self.asked(features.discrete.iter().chain(&features.continuous));
        }
    }

    fn asked<'list>(&mut self, expressions: impl IntoIterator<Item = &'list Expression>) {
        self.expressions(expressions, Usage::Value);
    }
}
