//! Prints queries of all forms, each on one line.

use super::super::ast::{
    ControlMethod, Expression, ExtremumKind, Features, LabelGoal, LearningObjective, ProbabilityBound,
    ProbabilityQuery, Query, QueryKind, RunBound, RunMeasure, SpecExpression, SpecExpressionKind,
    SpecOperator,
};
use super::super::precedence::{COMPARISON, LOWEST};
use super::Printer;

impl Printer {
    pub(super) fn query(&mut self, query: &Query) {
        self.query_kind(&query.kind);
        if let Some(strategy) = &query.under {
            self.push(&format!(" under {}", strategy.text));
        }
        if let Some(strategy) = &query.imitate {
            self.push(&format!(" imitate {}", strategy.text));
        }
    }

    fn query_kind(&mut self, kind: &QueryKind) {
        match kind {
            QueryKind::Empty => {}
            QueryKind::Formula(formula) => self.expression(formula, LOWEST - 1),
            QueryKind::Extremum { extremum, predicate, expressions } => {
                self.push(match extremum {
                    ExtremumKind::Supremum => "sup",
                    ExtremumKind::Infimum => "inf",
                    ExtremumKind::Bounds => "bounds",
                });
                if let Some(predicate) = predicate {
                    self.push("{");
                    self.expression(predicate, LOWEST - 1);
                    self.push("}");
                }
                self.push(": ");
                self.expressions(expressions);
            }
            QueryKind::Control(control) => {
                if control.is_cooperative {
                    self.push("E<> ");
                }
                if let Some(observations) = &control.observations {
                    self.braced_expressions(observations);
                    self.push(" ");
                }
                match &control.method {
                    ControlMethod::Plain => self.push("control"),
                    ControlMethod::TimeOptimal { limit, lower } => {
                        self.push("control_t*");
                        if let Some(limit) = limit {
                            self.push("(");
                            self.expression(limit, LOWEST);
                            if let Some(lower) = lower {
                                self.push(", ");
                                self.expression(lower, LOWEST);
                            }
                            self.push(")");
                        }
                    }
                    ControlMethod::Approximate { .. } => self.push("acontrol"),
                }
                self.push(": ");
                self.expression(&control.goal, LOWEST - 1);
                if let ControlMethod::Approximate { grid } = &control.method {
                    self.push(" {");
                    self.joined(grid, ", ", |printer, dimension| {
                        printer.expression(&dimension.expression, LOWEST);
                        if let Some(range) = &dimension.range {
                            printer.push("[");
                            printer.expression(&range.lower, LOWEST);
                            printer.push(", ");
                            printer.expression(&range.upper, LOWEST);
                            printer.push("]:");
                            printer.expression(&range.pieces, LOWEST);
                        }
                    });
                    self.push("}");
                }
            }
            QueryKind::Probability(probability) => self.probability(probability),
            QueryKind::Expectation { bound, extremum, expression } => {
                self.push("E");
                self.run_bound(bound);
                self.push(if *extremum == ExtremumKind::Supremum { "(max: " } else { "(min: " });
                self.expression(expression, LOWEST - 1);
                self.push(")");
            }
            QueryKind::Simulation { old_runs, bound, expressions, goal } => {
                self.push("simulate ");
                if let Some(runs) = old_runs {
                    self.expression(runs, LOWEST);
                    self.push(" ");
                }
                self.run_bound(bound);
                self.push(" ");
                self.braced_expressions(expressions);
                if let Some(goal) = goal {
                    if let Some(runs) = &goal.runs {
                        self.push(" : ");
                        self.expression(runs, LOWEST);
                    }
                    self.push(" : ");
                    self.expression(&goal.goal, LOWEST);
                }
            }
            QueryKind::Strategy { name, definition } => {
                self.push(&format!("strategy {} = ", name.text));
                self.query(definition);
            }
            QueryKind::Learning(learning) => {
                match &learning.objective {
                    LearningObjective::MinimalExpectation(expression) => self.objective("minE", expression),
                    LearningObjective::MaximalExpectation(expression) => self.objective("maxE", expression),
                    LearningObjective::MinimalProbability => self.push("minPr"),
                    LearningObjective::MaximalProbability => self.push("maxPr"),
                }
                self.push(" ");
                self.run_bound(&learning.bound);
                self.features(learning.features.as_ref());
                self.push(": ");
                self.about_runs(&learning.goal);
            }
            QueryKind::LoadStrategy { features, path } => {
                self.push("loadStrategy");
                self.features(features.as_ref());
                self.push(&format!(" (\"{}\")", path.text));
            }
            QueryKind::SaveStrategy { path, strategy } => {
                self.push(&format!("saveStrategy(\"{}\", {})", path.text, strategy.text));
            }
            QueryKind::Scenario(name) => self.push(&format!("sat: {}", name.text)),
            QueryKind::Specification(query) => {
                self.push(&format!("{}: ", query.property.text));
                self.spec_expression(&query.specification, 0);
                if let Some(refined) = &query.refined {
                    self.push(if query.property.text == "satisfaction" { " |= " } else { " <= " });
                    self.spec_expression(refined, 0);
                }
                if let Some(start) = &query.start {
                    self.push(" @ ");
                    self.expression(start, LOWEST);
                }
                if let Some(goal) = &query.goal {
                    self.push(" -> ");
                    self.expression(goal, LOWEST);
                }
                if let Some(name) = &query.save_as {
                    self.push(&format!(" save-as {}", name.text));
                }
            }
            QueryKind::ReachTime { extremum, goal } => {
                self.push(if *extremum == ExtremumKind::Infimum { "mintime: " } else { "maxtime: " });
                self.expression(goal, LOWEST - 1);
            }
            QueryKind::Labels { goal, labels } => {
                self.push(if *goal == LabelGoal::Reach { "reach: " } else { "buchi: " });
                self.joined(labels, ", ", |printer, label| printer.push(&label.text));
            }
            QueryKind::Error => self.push("?"),
        }
    }

    fn braced_expressions(&mut self, expressions: &[Expression]) {
        self.push("{");
        self.expressions(expressions);
        self.push("}");
    }

    fn objective(&mut self, word: &str, expression: &Expression) {
        self.push(word);
        self.push("(");
        self.expression(expression, LOWEST - 1);
        self.push(")");
    }

    fn features(&mut self, features: Option<&Features>) {
        if let Some(features) = features {
            self.push(" ");
            self.braced_expressions(&features.discrete);
            self.push(" -> ");
            self.braced_expressions(&features.continuous);
        }
    }

    fn run_bound(&mut self, bound: &RunBound) {
        self.push("[");
        match &bound.measure {
            RunMeasure::Time => {}
            RunMeasure::Steps => self.push("#"),
            RunMeasure::Clock(clock) => self.expression(clock, COMPARISON + 1),
        }
        self.push("<=");
        self.expression(&bound.limit, LOWEST);
        if let Some(runs) = &bound.runs {
            self.push("; ");
            self.expression(runs, LOWEST);
        }
        self.push("]");
    }

    fn about_runs(&mut self, formula: &Expression) {
        let in_runs = std::mem::replace(&mut self.in_runs, true);
        self.expression(formula, LOWEST - 1);
        self.in_runs = in_runs;
    }

    fn probability(&mut self, probability: &ProbabilityQuery) {
        self.push("Pr");
        if let Some(bound) = &probability.bound {
            self.run_bound(bound);
        }
        self.push("(");
        self.about_runs(&probability.formula);
        self.push(")");
        if let Some(strategy) = &probability.under {
            self.push(&format!(" under {}", strategy.text));
        }
        match &probability.comparison {
            None => {}
            Some(ProbabilityBound::AtLeast(bound)) => {
                self.push(" >= ");
                self.expression(bound, LOWEST);
            }
            Some(ProbabilityBound::AtMost(bound)) => {
                self.push(" <= ");
                self.expression(bound, LOWEST);
            }
            Some(ProbabilityBound::AtLeastThatOf(other)) => {
                self.push(" >= ");
                self.probability(other);
            }
            Some(ProbabilityBound::AtMostThatOf(other)) => {
                self.push(" <= ");
                self.probability(other);
            }
        }
    }

    // Specifications.

    pub(super) fn spec_expression(&mut self, specification: &SpecExpression, level: u8) {
        match &specification.kind {
            SpecExpressionKind::Component { process, instance } => {
                self.process_reference(process);
                if let Some(instance) = instance {
                    self.push(&format!("[{}]", instance.text));
                }
            }
            SpecExpressionKind::Parenthesised(inner) => {
                self.push("(");
                match &inner.kind {
                    SpecExpressionKind::Constrained { specification, formula } => {
                        self.constrained(specification, formula);
                    }
                    _ => self.spec_expression(inner, 0),
                }
                self.push(")");
            }
            SpecExpressionKind::Combined { operator, left, right, .. } => {
                let (text, own_level) = match operator {
                    SpecOperator::Weakening => (" >> ", 0),
                    SpecOperator::Composition => (" || ", 1),
                    SpecOperator::Conjunction => (" && ", 2),
                    SpecOperator::Quotient => (" \\ ", 3),
                    SpecOperator::DoubleQuotient => (" \\\\ ", 3),
                    SpecOperator::DoubleSlash => (" // ", 3),
                };
                let is_loose = own_level < level;
                self.push(if is_loose { "(" } else { "" });
                self.spec_expression(left, own_level);
                self.push(text);
                self.spec_expression(right, own_level + 1);
                self.push(if is_loose { ")" } else { "" });
            }
            SpecExpressionKind::Constrained { specification, formula } => {
                self.push("(");
                self.constrained(specification, formula);
                self.push(")");
            }
            SpecExpressionKind::Error => self.push("?"),
        }
    }

    fn constrained(&mut self, specification: &SpecExpression, formula: &Expression) {
        self.spec_expression(specification, 0);
        self.push(" : ");
        self.expression(formula, LOWEST);
    }
}
