//! Prints queries about a network as text.
//!
//! Invariant: reading the text back, for the same model, gives the same query up to origins. A declined query is
//! printed with its original text.

use super::{Printer, writable};
use crate::expression::{BinaryOperator, Expression, ExpressionKind};
use crate::network::Network;
use crate::query::{BoundsKind, Formula, Query, QueryKind};
use crate::specification::{ComponentForm, SpecExpression, SpecificationQuery, StatePredicate};
use crate::{ProcessId, VariableId};

/// Returns the text of a query about a network.
pub fn print_query(network: &Network, query: &Query) -> String {
    if let QueryKind::Specification { components, question } = &query.kind {
        let mut renamed = Network::clone(components);
        let labels = writable::rename(&mut renamed);
        return Printer::new(&renamed, labels).specification_query(question);
    }
    let mut renamed = network.clone();
    let labels = writable::rename(&mut renamed);
    let mut printer = Printer::new(&renamed, labels);
    match &query.kind {
        QueryKind::Formula(formula) => printer.formula(formula),
        QueryKind::Bounds { which, predicate, expressions } => {
            let word = match which {
                BoundsKind::Supremum => "sup",
                BoundsKind::Infimum => "inf",
                BoundsKind::Both => "bounds",
            };
            let predicate = predicate
                .as_ref()
                .map_or(String::new(), |predicate| format!("{{{}}}", printer.expression(predicate)));
            format!("{word}{predicate}: {}", printer.list(expressions))
        }
        QueryKind::Time { is_latest, predicate } => {
            let word = if *is_latest { "maxtime" } else { "mintime" };
            format!("{word}: {}", printer.expression(predicate))
        }
        QueryKind::Specification { .. } | QueryKind::Property(_) | QueryKind::Declined(_) => {
            query.text.clone()
        }
    }
}

impl Printer<'_> {
    fn formula(&mut self, formula: &Formula) -> String {
        match formula {
            Formula::Possibly(predicate) => match self.labels(predicate) {
                Some(labels) => format!("reach: {}", labels.join(", ")),
                None => format!("E<> {}", self.operand(predicate)),
            },
            Formula::Always(predicate) => format!("A[] {}", self.operand(predicate)),
            Formula::PotentiallyAlways(predicate) => format!("E[] {}", self.operand(predicate)),
            Formula::Eventually(predicate) => format!("A<> {}", self.operand(predicate)),
            Formula::LeadsTo { premise, conclusion, within } => {
                let within = within
                    .as_ref()
                    .map_or(String::new(), |within| format!("[<= {}]", self.expression(within)));
                format!("{} -->{within} {}", self.operand(premise), self.operand(conclusion))
            }
            Formula::AlwaysPossibly { premise: Some(premise), goal } => {
                format!("A[] ({} imply E<> {})", self.operand(premise), self.operand(goal))
            }
            Formula::AlwaysPossibly { premise: None, goal } => format!("A[] E<> {}", self.operand(goal)),
            Formula::InfinitelyOften(predicates) => {
                let labels: Vec<String> =
                    predicates.iter().filter_map(|predicate| self.labels(predicate)).flatten().collect();
                format!("buchi: {}", labels.join(", "))
            }
            Formula::Not(inner) => format!("!({})", self.formula(inner)),
            Formula::And(parts) => self.combined(parts, " && "),
            Formula::Or(parts) => self.combined(parts, " || "),
        }
    }

    fn combined(&mut self, parts: &[Formula], operator: &str) -> String {
        let parts: Vec<String> = parts.iter().map(|part| format!("({})", self.formula(part))).collect();
        parts.join(operator)
    }

    /// Prints a predicate in parentheses, so that precedence does not matter.
    fn operand(&mut self, predicate: &Expression) -> String {
        format!("({})", self.expression(predicate))
    }

    fn specification_query(&mut self, query: &SpecificationQuery) -> String {
        match query {
            SpecificationQuery::Refinement(left, right) => {
                format!("refinement: {} <= {}", self.specification(left), self.specification(right))
            }
            SpecificationQuery::Consistency(inner) => format!("consistency: {}", self.specification(inner)),
            SpecificationQuery::Specification(inner) => {
                format!("specification: {}", self.specification(inner))
            }
            SpecificationQuery::Implementation(inner) => {
                format!("implementation: {}", self.specification(inner))
            }
            SpecificationQuery::Determinism(inner) => format!("determinism: {}", self.specification(inner)),
            SpecificationQuery::Satisfaction(left, right) => {
                format!("satisfaction: {} |= {}", self.specification(left), self.specification(right))
            }
            SpecificationQuery::LocalConsistency(inner) => {
                format!("local-consistency: {}", self.specification(inner))
            }
            SpecificationQuery::Reachability { system, start, goal } => {
                let start = match start {
                    Some(start) => self.state_predicate(system, start),
                    None => "init".to_owned(),
                };
                let goal = self.state_predicate(system, goal);
                format!("reachability: {} @ {start} -> {goal}", self.specification(system))
            }
            SpecificationQuery::Formula { system, formula } => {
                format!("tctl: ({} : {})", self.specification(system), self.formula(formula))
            }
            SpecificationQuery::Component { system, form, name } => {
                let property = match form {
                    ComponentForm::Whole => "get-component",
                    ComponentForm::Pruned => "prune",
                    ComponentForm::Minimised => "bisim-minim",
                };
                let save = name.as_ref().map_or_else(String::new, |name| format!(" save-as {name}"));
                format!("{property}: {}{save}", self.specification(system))
            }
        }
    }

    fn specification(&self, expression: &SpecExpression) -> String {
        let (operator, left, right) = match expression {
            SpecExpression::Component { process, instance, .. } => {
                let name = &self.network.processes[*process].name;
                return match instance {
                    Some(instance) => format!("{name}[{instance}]"),
                    None => name.clone(),
                };
            }
            SpecExpression::Restricted(system, predicate) => {
                let kept = self.state_predicate(system, predicate);
                return format!("({} : A[] {kept})", self.specification(system));
            }
            SpecExpression::Composition(left, right) => ("||", left, right),
            SpecExpression::Conjunction(left, right) => ("&&", left, right),
            SpecExpression::Quotient(left, right) => ("\\\\", left, right),
        };
        format!("({} {operator} {})", self.specification(left), self.specification(right))
    }
}

impl Printer<'_> {
    fn state_predicate(&self, system: &SpecExpression, predicate: &StatePredicate) -> String {
        let components = system.components();
        let name = |component: usize| match components.get(component) {
            Some((process, Some(instance))) => {
                format!("{}[{instance}]", self.network.processes[*process].name)
            }
            Some((process, None)) => self.network.processes[*process].name.clone(),
            None => "?".to_owned(),
        };
        match predicate {
            StatePredicate::Truth(truth) => truth.to_string(),
            StatePredicate::At { component, location } => {
                let process = components.get(*component).map_or(ProcessId(0), |(process, _)| *process);
                format!("{}.{}", name(*component), self.network.location_name(process, *location))
            }
            StatePredicate::Clocks { left, right, comparison, bound } => {
                let clock = |(component, variable): (usize, VariableId)| {
                    format!("{}.{}", name(component), self.network.variables[variable].name)
                };
                let difference = match (left, right) {
                    (Some(left), Some(right)) => format!("{} - {}", clock(*left), clock(*right)),
                    (Some(left), None) => clock(*left),
                    (None, Some(right)) => format!("0 - {}", clock(*right)),
                    (None, None) => "0".to_owned(),
                };
                format!("{difference} {} {bound}", comparison.symbol())
            }
            StatePredicate::Not(inner) => format!("!({})", self.state_predicate(system, inner)),
            StatePredicate::And(left, right) => {
                format!("({} && {})", self.state_predicate(system, left), self.state_predicate(system, right))
            }
            StatePredicate::Or(left, right) => {
                format!("({} || {})", self.state_predicate(system, left), self.state_predicate(system, right))
            }
        }
    }

    /// Returns the labels, if the predicate consists of labels only.
    fn labels(&self, predicate: &Expression) -> Option<Vec<String>> {
        match &predicate.kind {
            ExpressionKind::HasLabel(label) => Some(vec![self.labels.get(label).unwrap_or(label).clone()]),
            ExpressionKind::Binary { operator: BinaryOperator::And, left, right } => {
                let mut all = self.labels(left)?;
                all.extend(self.labels(right)?);
                Some(all)
            }
            _ => None,
        }
    }
}
