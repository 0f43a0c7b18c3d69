//! Elaborates queries about a model.
//!
//! Invariant: a predicate has no side effects; a quantifier over a family of processes, as in
//! `forall (i : id_t) Train(i).Safe`, is expanded, because each process has its own id.

use std::collections::BTreeSet;

use tempora_source::Span;

use super::instances::written_name;
use super::scope::Symbol;
use super::{Elaborator, Reported, Result};
use crate::ProcessId;
use crate::codes::meaning as codes;
use crate::evaluate::evaluate_constant;
use crate::expression::{BinaryOperator, Expression, ExpressionKind, Quantifier};
use crate::query::{BoundsKind, DeclinedQuery, Formula, Query, QueryKind};
use crate::types::{Range, Type, Value};
use tempora_syntax::ast::{self, DeclarationKind, ExtremumKind, LabelGoal, PathQuantifier, TemporalOperator};

/// The largest number of instances to which a quantifier is expanded.
const EXPANSION_LIMIT: u64 = 4096;

impl<'model> Elaborator<'model> {
    /// Elaborates the queries in the text of the model.
    pub(super) fn model_queries(&mut self, model: &'model ast::Network) -> Vec<Query> {
        let mut queries = Vec::new();
        for declaration in &model.declarations {
            if let DeclarationKind::Queries(items) = &declaration.kind {
                for item in items {
                    queries.extend(self.query(&item.query).ok());
                }
            }
        }
        queries
    }

    /// Elaborates a query.
    pub(super) fn query(&mut self, written: &ast::Query) -> Result<Query> {
        self.in_query = true;
        let kind = self.query_kind(written);
        self.in_query = false;
        let omission = self.query_omission.take();
        let mut kind = kind?;
        if let Some(family) = omission {
            kind = QueryKind::Declined(DeclinedQuery { family });
        }
        Ok(self.query_of(written, kind))
    }

    /// Elaborates queries; those about specifications share one network.
    pub(super) fn statements(&mut self, written: &[ast::Query]) -> Vec<Result<Query>> {
        let asked: Vec<Option<&ast::SpecQuery>> = written
            .iter()
            .map(|query| match &query.kind {
                ast::QueryKind::Specification(query) => Some(query),
                _ => None,
            })
            .collect();
        let together: Vec<&ast::SpecQuery> = asked.iter().copied().flatten().collect();
        self.in_query = true;
        let mut kinds = self.specification_queries(&together).into_iter();
        self.in_query = false;
        let mut queries = Vec::with_capacity(written.len());
        for (query, asked) in written.iter().zip(asked) {
            queries.push(match asked {
                Some(_) => kinds.next().unwrap_or(Err(Reported)).map(|kind| self.query_of(query, kind)),
                None => self.query(query),
            });
        }
        queries
    }

    fn query_of(&mut self, written: &ast::Query, kind: QueryKind) -> Query {
        // A backslash at the end of a line continues the query.
        let words = self.files.text_at(written.span).split_whitespace().filter(|word| *word != "\\");
        let text = words.collect::<Vec<_>>().join(" ");
        let origin = self.written(written.span);
        Query { text, kind, origin }
    }

    fn query_kind(&mut self, written: &ast::Query) -> Result<QueryKind> {
        let declined = |family| Ok(QueryKind::Declined(DeclinedQuery { family }));
        if written.under.is_some() || written.imitate.is_some() {
            let plain = ast::Query { under: None, imitate: None, ..written.clone() };
            self.query_kind(&plain)?;
            return declined("strategies");
        }
        match &written.kind {
            ast::QueryKind::Formula(formula) => Ok(QueryKind::Formula(self.formula(formula)?)),
            ast::QueryKind::Extremum { extremum, predicate, expressions } => {
                let predicate = match predicate {
                    Some(predicate) => Some(self.predicate(predicate)?),
                    None => None,
                };
                let mut typed = Vec::with_capacity(expressions.len());
                for expression in expressions {
                    typed.push(self.measured(expression)?);
                }
                let which = match extremum {
                    ExtremumKind::Supremum => BoundsKind::Supremum,
                    ExtremumKind::Infimum => BoundsKind::Infimum,
                    ExtremumKind::Bounds => BoundsKind::Both,
                };
                Ok(QueryKind::Bounds { which, predicate, expressions: typed })
            }
            ast::QueryKind::ReachTime { extremum, goal } => Ok(QueryKind::Time {
                is_latest: *extremum == ExtremumKind::Supremum,
                predicate: self.predicate(goal)?,
            }),
            ast::QueryKind::Labels { goal, labels } => {
                let mut predicates = Vec::with_capacity(labels.len());
                for label in labels {
                    predicates.push(self.label(label)?);
                }
                Ok(QueryKind::Formula(match goal {
                    LabelGoal::Buchi => Formula::InfinitelyOften(predicates),
                    LabelGoal::Reach => {
                        let all = self.combined(BinaryOperator::And, predicates, written.span);
                        Formula::Possibly(match all {
                            Some(all) => all,
                            None => self.integer(0, written.span),
                        })
                    }
                }))
            }
            ast::QueryKind::Specification(query) => self.specification_query(query),
            ast::QueryKind::Control(query) => {
                self.check_control(query)?;
                declined("games")
            }
            ast::QueryKind::Probability(query) => {
                self.check_probability(query)?;
                declined("statistical model checking")
            }
            ast::QueryKind::Expectation { bound, expression, .. } => {
                self.run_bound(bound)?;
                self.observed([expression])?;
                declined("statistical model checking")
            }
            ast::QueryKind::Simulation { bound, expressions, goal, .. } => {
                self.check_simulation(bound, expressions, goal.as_ref())?;
                declined("statistical model checking")
            }
            ast::QueryKind::Strategy { definition, .. } => {
                self.query_kind(definition)?;
                declined("strategies and learning")
            }
            ast::QueryKind::Learning(query) => {
                self.check_learning(query)?;
                declined("strategies and learning")
            }
            ast::QueryKind::LoadStrategy { features, .. } => {
                self.check_features(features.as_ref())?;
                declined("strategies and learning")
            }
            ast::QueryKind::SaveStrategy { .. } => declined("strategies and learning"),
            ast::QueryKind::Scenario(_) => declined("scenarios"),
            ast::QueryKind::Empty => self.error(&codes::MISPLACED, written.span, "the query is empty"),
            ast::QueryKind::Error => Err(Reported),
        }
    }

    pub(super) fn formula(&mut self, written: &ast::Expression) -> Result<Formula> {
        use PathQuantifier::{All, Some as Exists};
        use TemporalOperator::{Always, Eventually};
        let written = written.without_parentheses();
        match &written.kind {
            ast::ExpressionKind::Temporal {
                quantifier: Some(All),
                operator: Always,
                interval: None,
                operand,
            } => self.always(operand),
            ast::ExpressionKind::Temporal { quantifier, operator, interval: None, operand } => {
                let predicate = self.predicate(operand)?;
                match (quantifier, operator) {
                    (Some(Exists), Eventually) => Ok(Formula::Possibly(predicate)),
                    (Some(Exists), Always) => Ok(Formula::PotentiallyAlways(predicate)),
                    (Some(All), Eventually) => Ok(Formula::Eventually(predicate)),
                    _ => self.nested(written.span),
                }
            }
            ast::ExpressionKind::LeadsTo { deadline, left, right } => {
                let within = match deadline {
                    Some(deadline) => Some(self.integral(deadline)?),
                    None => None,
                };
                let (premise, conclusion) = (self.predicate(left)?, self.predicate(right)?);
                Ok(Formula::LeadsTo { premise, conclusion, within })
            }
            ast::ExpressionKind::Unary { operator: ast::UnaryOperator::Not, operand, .. } => {
                Ok(Formula::Not(Box::new(self.formula(operand)?)))
            }
            ast::ExpressionKind::Binary { operator, left, right, .. } => {
                let (left, right) = (self.formula(left)?, self.formula(right)?);
                match operator {
                    ast::BinaryOperator::And => Ok(Formula::And(vec![left, right])),
                    ast::BinaryOperator::Or => Ok(Formula::Or(vec![left, right])),
                    ast::BinaryOperator::Imply => Ok(Formula::Or(vec![Formula::Not(Box::new(left)), right])),
                    _ => self.nested(written.span),
                }
            }
            ast::ExpressionKind::Error => Err(Reported),
            _ => self.nested(written.span),
        }
    }

    /// `A[] p`, where `p` may contain `E<> q` or `A<> q`.
    fn always(&mut self, operand: &ast::Expression) -> Result<Formula> {
        let inner = operand.without_parentheses();
        let (premise, later) = match &inner.kind {
            ast::ExpressionKind::Binary { operator: ast::BinaryOperator::Imply, left, right, .. } => {
                (Some(&**left), right.without_parentheses())
            }
            _ => (None, inner),
        };
        let ast::ExpressionKind::Temporal {
            quantifier: Some(quantifier),
            operator: TemporalOperator::Eventually,
            interval: None,
            operand: goal,
        } = &later.kind
        else {
            return Ok(Formula::Always(self.predicate(operand)?));
        };
        let premise = match premise {
            Some(premise) => Some(self.predicate(premise)?),
            None => None,
        };
        let goal = self.predicate(goal)?;
        Ok(match quantifier {
            PathQuantifier::Some => Formula::AlwaysPossibly { premise, goal },
            PathQuantifier::All => {
                let premise = match premise {
                    Some(premise) => premise,
                    None => self.node(ExpressionKind::Integer(1), Type::Boolean, operand.span),
                };
                Formula::LeadsTo { premise, conclusion: goal, within: None }
            }
        })
    }

    fn nested<T>(&mut self, span: Span) -> Result<T> {
        self.error_with_hint(
            &codes::NESTED_FORMULA,
            span,
            "this formula is not supported",
            "write `A[] p`, `E<> p`, `A<> p`, `E[] p`, `p --> q`, or a combination of these with `&&`, `||`, `!`",
        )
    }

    fn predicate(&mut self, written: &ast::Expression) -> Result<Expression> {
        self.pure_condition(written, "a predicate")
    }

    /// Elaborates an expression whose bounds are queried: an integer or a clock.
    fn measured(&mut self, written: &ast::Expression) -> Result<Expression> {
        let typed = self.expression(written)?;
        if self.has_effects(&typed) {
            return self.error(&codes::SIDE_EFFECT, written.span, "a query must not change variables");
        }
        match typed.value_type {
            Type::Integer(_) | Type::Boolean | Type::Clock => Ok(typed),
            _ => self.mismatch(&Type::Integer(Range::WORD), &typed.value_type, written.span),
        }
    }

    fn label(&mut self, label: &ast::Name) -> Result<Expression> {
        let locations = self.network.processes.values().flat_map(|process| process.locations.values());
        let known: BTreeSet<&str> =
            locations.flat_map(|location| location.labels.iter().map(String::as_str)).collect();
        if !known.contains(label.text.as_str()) {
            let hint = match tempora_source::nearest_names(&label.text, known).first() {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => "add the label to a location".to_owned(),
            };
            let message = format!("no location has the label `{}`", label.text);
            return self.error_with_hint(&codes::UNKNOWN_NAME, label.span, message, hint);
        }
        Ok(self.node(ExpressionKind::HasLabel(label.text.clone()), Type::Boolean, label.span))
    }

    /// Returns the process that an expression names, if any.
    pub(super) fn process_of(&mut self, written: &ast::Expression) -> Result<Option<ProcessId>> {
        let (name, arguments) = match &written.without_parentheses().kind {
            ast::ExpressionKind::Name(name) => (name, None),
            ast::ExpressionKind::Call { callee, arguments } => match &callee.without_parentheses().kind {
                ast::ExpressionKind::Name(name) => (name, Some(arguments)),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let names_process =
            matches!(self.scopes.look_up(name), Some(Symbol::Template(_) | Symbol::Instantiation(_)) | None)
                && self.network.processes.values().any(|process| {
                    process.name == *name
                        || process.name.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('('))
                });
        if !names_process {
            return Ok(None);
        }
        if !self.in_query {
            return self.error_with_hint(
                &codes::QUERY_ONLY,
                written.span,
                "a process cannot read the state of another process",
                "use a global variable; `P.location` and `P.variable` are only allowed in queries",
            );
        }
        let texts = match arguments {
            Some(arguments) => self.constant_texts(arguments)?,
            None => Vec::new(),
        };
        let full = written_name(name, &texts);
        if self.network.process_named(&full).is_none()
            && let Some(arguments) = arguments
            && self.depends_on_state(arguments)
        {
            // All processes of the family declare the same names, so any of them will do.
            let is_member =
                |other: &str| other.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('('));
            let first =
                self.network.processes.iter().find(|(_, process)| is_member(&process.name)).map(|(id, _)| id);
            if let Some(first) = first {
                self.omit(written.span, "a process selected by a variable");
                return Ok(Some(first));
            }
        }
        match self.network.process_named(&full) {
            Some(process) => Ok(Some(process)),
            None => self.unknown_process(&full, written.span),
        }
    }

    /// Returns whether the value of one of the expressions depends on the state.
    fn depends_on_state(&mut self, written: &[ast::Expression]) -> bool {
        let before = std::mem::take(&mut self.diagnostics);
        let depends = written.iter().any(|argument| {
            self.expression(argument).is_ok_and(|typed| {
                let value = evaluate_constant(&self.network.variables, &self.network.functions, &typed);
                typed.value_type.is_integral() && value.is_err_and(|failure| !failure.kind.is_error())
            })
        });
        self.diagnostics = before;
        depends
    }

    /// Resolves a name with several dots, in models whose names may contain dots, such as those of TChecker.
    pub(super) fn dotted_member(
        &mut self,
        base: &ast::Expression,
        member: &ast::Name,
        span: Span,
    ) -> Option<Expression> {
        let mut names = vec![member.text.as_str()];
        let mut rest = base;
        loop {
            match &rest.kind {
                ast::ExpressionKind::Member { base, member } => {
                    names.push(&member.text);
                    rest = base;
                }
                ast::ExpressionKind::Name(name) => {
                    names.push(name);
                    break;
                }
                _ => return None,
            }
        }
        names.reverse();
        let whole = names.join(".");
        let variable = self.network.variables.iter().find(|(_, variable)| variable.name == whole);
        if let Some((id, variable)) = variable {
            let value_type = variable.value_type.clone();
            return Some(self.node(ExpressionKind::Variable(id), value_type, span));
        }
        if names.len() < 3 {
            return None;
        }
        let place = (1..names.len()).find_map(|cut| {
            let (process, location) = (names[..cut].join("."), names[cut..].join("."));
            let process = self.network.process_named(&process)?;
            let locations = &self.network.processes[process].locations;
            let mut all = locations.iter();
            let (location, _) = all.find(|(_, other)| other.name.as_deref() == Some(location.as_str()))?;
            Some((process, location))
        });
        place.map(|(process, location)| {
            self.node(ExpressionKind::At { process, location }, Type::Boolean, span)
        })
    }

    pub(super) fn process_member(
        &mut self,
        process: ProcessId,
        member: &ast::Name,
        span: Span,
    ) -> Result<Expression> {
        let locations = &self.network.processes[process].locations;
        let location = locations
            .iter()
            .find(|(_, location)| location.name.as_deref() == Some(member.text.as_str()))
            .map(|(id, _)| id);
        if let Some(location) = location {
            return Ok(self.node(ExpressionKind::At { process, location }, Type::Boolean, span));
        }
        let variable = self
            .network
            .variables
            .iter()
            .find(|(_, variable)| variable.owner == Some(process) && variable.name == member.text)
            .map(|(id, _)| id);
        if let Some(variable) = variable {
            let value_type = self.network.variables[variable].value_type.clone();
            return Ok(self.node(ExpressionKind::Variable(variable), value_type, span));
        }
        if member.text == "location" {
            let value_type = Type::Integer(Range::WORD);
            return Ok(self.node(ExpressionKind::LocationOf(process), value_type, span));
        }
        let name = self.network.processes[process].name.clone();
        let candidates: Vec<String> = self.network.processes[process]
            .locations
            .values()
            .filter_map(|location| location.name.clone())
            .chain(
                self.network
                    .variables
                    .values()
                    .filter(|variable| variable.owner == Some(process))
                    .map(|variable| variable.name.clone()),
            )
            .collect();
        let hint = match tempora_source::nearest_names(&member.text, candidates.iter().map(String::as_str))
            .first()
        {
            Some(nearest) => format!("did you mean `{name}.{nearest}`?"),
            None if candidates.is_empty() => "name the locations to refer to them".to_owned(),
            None => format!("the names in `{name}` are {}", candidates.join(", ")),
        };
        let message = format!("`{name}` has no location or variable `{}`", member.text);
        self.error_with_hint(&codes::UNKNOWN_NAME, member.span, message, hint)
    }

    /// Returns whether an expression refers to a process by its arguments, which a quantifier may bind.
    pub(super) fn mentions_process_family(&self, written: &ast::Expression) -> bool {
        use ast::ExpressionKind as Kind;
        match &written.kind {
            Kind::Member { base, .. } => match &base.without_parentheses().kind {
                Kind::Call { callee, .. } => matches!(
                    &callee.without_parentheses().kind,
                    Kind::Name(name) if matches!(
                        self.scopes.look_up(name),
                        Some(Symbol::Template(_) | Symbol::Instantiation(_)) | None
                    )
                ),
                _ => self.mentions_process_family(base),
            },
            Kind::Parenthesised(inner)
            | Kind::Derivative(inner)
            | Kind::Unary { operand: inner, .. }
            | Kind::Step { operand: inner, .. }
            | Kind::Quantified { body: inner, .. }
            | Kind::Temporal { operand: inner, .. } => self.mentions_process_family(inner),
            Kind::Index { base: left, index: right }
            | Kind::Binary { left, right, .. }
            | Kind::Assignment { target: left, value: right, .. }
            | Kind::Until { left, right, .. }
            | Kind::LeadsTo { left, right, .. } => {
                self.mentions_process_family(left) || self.mentions_process_family(right)
            }
            Kind::Conditional { condition, consequence, alternative } => {
                [condition, consequence, alternative]
                    .into_iter()
                    .any(|part| self.mentions_process_family(part))
            }
            Kind::Call { callee, arguments } => {
                self.mentions_process_family(callee)
                    || arguments.iter().any(|argument| self.mentions_process_family(argument))
            }
            Kind::Spawn { arguments, .. } => {
                arguments.iter().any(|argument| self.mentions_process_family(argument))
            }
            Kind::Integer(_)
            | Kind::Double(_)
            | Kind::Boolean(_)
            | Kind::Text(_)
            | Kind::Name(_)
            | Kind::Deadlock
            | Kind::Exit
            | Kind::NumberOf(_)
            | Kind::Error => false,
        }
    }

    /// Expands a quantifier to a conjunction, disjunction or sum over the values.
    pub(super) fn expanded_quantifier(
        &mut self,
        quantifier: Quantifier,
        binding: &ast::Binding,
        body: &ast::Expression,
        span: Span,
    ) -> Result<Expression> {
        let domain = self.index_type(&binding.domain)?;
        if domain.size() > EXPANSION_LIMIT {
            let message = format!("a quantifier over {} processes is too large", domain.size());
            return self.error(&codes::TOO_LARGE, span, message);
        }
        let mut parts = Vec::new();
        for value in domain.values() {
            let part = self.scoped(|elaborator| {
                let symbol = Symbol::Value(Value::Integer(value), domain.element_type());
                elaborator.declare(&binding.name, symbol)?;
                elaborator.condition(body)
            })?;
            parts.push(part);
        }
        let operator = match quantifier {
            Quantifier::ForAll => BinaryOperator::And,
            Quantifier::Exists => BinaryOperator::Or,
            Quantifier::Sum => BinaryOperator::Add,
        };
        Ok(match self.combined(operator, parts, span) {
            Some(combined) => combined,
            None => self.integer(i32::from(quantifier == Quantifier::ForAll), span),
        })
    }

    /// Combines the parts with an operator, as a tree of logarithmic height; `None` if there are no parts.
    fn combined(
        &mut self,
        operator: BinaryOperator,
        mut parts: Vec<Expression>,
        span: Span,
    ) -> Option<Expression> {
        while parts.len() > 1 {
            let mut combined = Vec::with_capacity(parts.len().div_ceil(2));
            let mut rest = parts.into_iter();
            while let Some(left) = rest.next() {
                let Some(right) = rest.next() else {
                    combined.push(left);
                    break;
                };
                let value_type = combined_type(operator, &left.value_type, &right.value_type);
                let kind = ExpressionKind::Binary { operator, left: Box::new(left), right: Box::new(right) };
                combined.push(self.node(kind, value_type, span));
            }
            parts = combined;
        }
        parts.pop()
    }
}

fn combined_type(operator: BinaryOperator, left: &Type, right: &Type) -> Type {
    use crate::types::ConditionCategory::Constraint;
    match (operator, left, right) {
        (BinaryOperator::Add, _, _) => Type::Integer(Range::WORD),
        (BinaryOperator::And, Type::Condition(left), Type::Condition(right)) => {
            Type::Condition((*left).max(*right))
        }
        (_, Type::Condition(_), _) | (_, _, Type::Condition(_)) => Type::Condition(Constraint),
        _ => Type::Boolean,
    }
}
