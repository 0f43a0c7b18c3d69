//! Elaborates queries about specifications.
//!
//! Each occurrence of a component in an expression is a separate copy. A state predicate refers to a copy by the name
//! of the component, if there is only one, or by the names of the component and the copy.

use std::collections::BTreeSet;

use tempora_source::{Diagnostics, Span};

use super::{Elaborator, Reported, Result};
use crate::VariableId;
use crate::codes::meaning as codes;
use crate::expression::Comparison;
use crate::network::Variable;
use crate::query::QueryKind;
use crate::specification::{ComponentForm, SpecExpression, SpecificationQuery, StatePredicate};
use crate::types::Type;
use tempora_syntax::ast::{
    self, BinaryOperator, DeclarationKind, SpecExpressionKind, SpecOperator, UnaryOperator,
};

/// A sum of clocks and a constant, with the clocks to add and to subtract.
#[derive(Default)]
struct Sum {
    positive: Vec<(usize, VariableId)>,
    negative: Vec<(usize, VariableId)>,
    constant: i64,
}

impl Elaborator<'_> {
    /// Elaborates a query together with a network of its components, which may be templates that the system line of
    /// the model does not mention.
    pub(super) fn specification_query(&mut self, query: &ast::SpecQuery) -> Result<QueryKind> {
        self.specification_queries(&[query]).pop().unwrap_or(Err(Reported))
    }

    /// Elaborates queries together with one network of all their components.
    pub(super) fn specification_queries(&mut self, written: &[&ast::SpecQuery]) -> Vec<Result<QueryKind>> {
        let model = self.written_model;
        let queries: Vec<Result<ast::SpecQuery>> = written
            .iter()
            .map(|query| match with_names_replaced(model, query) {
                Ok(query) => Ok(query),
                Err(name) => self.error_with_hint(
                    &codes::RECURSION,
                    name.span,
                    format!("`{}` is defined in terms of itself", name.text),
                    "remove the name from its own definition",
                ),
            })
            .collect();
        let mut references = Vec::new();
        for query in queries.iter().flatten() {
            component_references(&query.specification, &mut references);
            query.refined.iter().for_each(|refined| component_references(refined, &mut references));
        }
        let mut names: BTreeSet<String> = BTreeSet::new();
        references.retain(|reference| {
            names.insert(self.files.text_at(reference.span).split_whitespace().collect())
        });
        let Some(first) = queries.iter().flatten().next() else { return vec![Err(Reported); written.len()] };
        let is_kept = |declaration: &&ast::Declaration| {
            use DeclarationKind::{InputOutput, NamedSpecification, Queries, System, Vector};
            !matches!(
                declaration.kind,
                InputOutput { .. } | NamedSpecification { .. } | Queries(_) | System(_) | Vector(_)
            )
        };
        let mut declarations: Vec<ast::Declaration> =
            model.declarations.iter().filter(is_kept).cloned().collect();
        let line = ast::SystemLine { levels: vec![references] };
        let span = first.specification.span;
        declarations.push(ast::Declaration { kind: DeclarationKind::System(line), span });
        let open_model = ast::Network { declarations, span: model.span };
        let mut elaborator = Elaborator::new(self.files, self.origins, &open_model);
        elaborator.model();
        elaborator.in_query = true;
        let mut questions = Vec::with_capacity(queries.len());
        if elaborator.diagnostics.has_errors() {
            questions.resize_with(queries.len(), || Err(Reported));
        } else {
            // The warnings about the model have been reported before.
            elaborator.diagnostics = Diagnostics::new();
            for query in &queries {
                questions.push(match query {
                    Ok(query) => elaborator.specification_question(query),
                    Err(reported) => Err(*reported),
                });
            }
        }
        self.diagnostics.extend(elaborator.diagnostics);
        let components = elaborator.network;
        let with_components =
            |question| QueryKind::Specification { question, components: components.clone() };
        questions.into_iter().map(|question| question.map(with_components)).collect()
    }

    fn specification_question(&mut self, query: &ast::SpecQuery) -> Result<SpecificationQuery> {
        let property = query.property.text.as_str();
        if property == "tctl" {
            return self.formula_question(query);
        }
        let specification = self.specification(&query.specification)?;
        if property != "reachability" && (query.start.is_some() || query.goal.is_some()) {
            return self.error_with_hint(
                &codes::MISPLACED,
                query.property.span,
                "only reachability queries have a start and a goal",
                "write `reachability: S @ init -> goal`",
            );
        }
        let question = match (property, &query.refined) {
            ("refinement", Some(refined)) => {
                SpecificationQuery::Refinement(specification, self.specification(refined)?)
            }
            ("satisfaction", Some(refined)) => {
                SpecificationQuery::Satisfaction(specification, self.specification(refined)?)
            }
            ("refinement", None) => {
                return self.error_with_hint(
                    &codes::MISPLACED,
                    query.property.span,
                    "refinement needs two specifications",
                    "write `refinement: S <= T`",
                );
            }
            ("satisfaction", None) => {
                return self.error_with_hint(
                    &codes::MISPLACED,
                    query.property.span,
                    "satisfaction needs an implementation and a specification",
                    "write `satisfaction: I |= S`",
                );
            }
            (_, Some(refined)) => {
                return self.error_with_hint(
                    &codes::MISPLACED,
                    refined.span,
                    "only refinement and satisfaction compare two specifications",
                    "write `refinement: S <= T`",
                );
            }
            ("consistency", None) => SpecificationQuery::Consistency(specification),
            ("local-consistency", None) => SpecificationQuery::LocalConsistency(specification),
            ("specification", None) => SpecificationQuery::Specification(specification),
            ("implementation", None) => SpecificationQuery::Implementation(specification),
            ("determinism", None) => SpecificationQuery::Determinism(specification),
            ("reachability", None) => self.reachability(query, specification)?,
            ("get-component", None) => component_question(query, specification, ComponentForm::Whole),
            ("prune", None) => component_question(query, specification, ComponentForm::Pruned),
            ("bisim-minim", None) => component_question(query, specification, ComponentForm::Minimised),
            _ => return Err(Reported),
        };
        if matches!(question, SpecificationQuery::Component { .. }) {
            return Ok(question);
        }
        if let Some(name) = &query.save_as {
            return self.error_with_hint(
                &codes::MISPLACED,
                name.span,
                "this query does not yield a component",
                "remove `save-as`, or use `get-component:`",
            );
        }
        Ok(question)
    }

    /// `tctl: (S : formula)`
    fn formula_question(&mut self, query: &ast::SpecQuery) -> Result<SpecificationQuery> {
        let mut written = &query.specification;
        while let SpecExpressionKind::Parenthesised(inner) = &written.kind {
            written = inner;
        }
        let is_alone = query.refined.is_none() && query.start.is_none() && query.save_as.is_none();
        match &written.kind {
            SpecExpressionKind::Constrained { specification, formula } if is_alone => {
                let system = self.specification(specification)?;
                let formula = self.formula(formula)?;
                Ok(SpecificationQuery::Formula { system, formula })
            }
            SpecExpressionKind::Error => Err(Reported),
            _ => self.error_with_hint(
                &codes::MISPLACED,
                query.property.span,
                "expected a specification and a formula",
                "write `tctl: (S : A[] p)`",
            ),
        }
    }

    fn specification(&mut self, written: &ast::SpecExpression) -> Result<SpecExpression> {
        match &written.kind {
            SpecExpressionKind::Component { process, instance } => {
                let process = self.referenced_process(process)?;
                let instance = instance.as_ref().map(|name| name.text.clone());
                let origin = self.written(written.span);
                Ok(SpecExpression::Component { process, instance, origin })
            }
            SpecExpressionKind::Parenthesised(inner) => self.specification(inner),
            SpecExpressionKind::Combined { operator, operator_span, left, right } => {
                self.warn_about_mixed_operators(*operator, *operator_span, left, right);
                let (left, right) =
                    (Box::new(self.specification(left)?), Box::new(self.specification(right)?));
                Ok(match operator {
                    SpecOperator::Composition => SpecExpression::Composition(left, right),
                    SpecOperator::Conjunction => SpecExpression::Conjunction(left, right),
                    SpecOperator::Quotient | SpecOperator::DoubleQuotient | SpecOperator::DoubleSlash => {
                        SpecExpression::Quotient(left, right)
                    }
                    // The weakening of a guarantee by an assumption, by definition.
                    SpecOperator::Weakening => {
                        let both = Box::new(SpecExpression::Composition(right.clone(), left));
                        SpecExpression::Quotient(both, right)
                    }
                })
            }
            SpecExpressionKind::Constrained { specification, formula } => {
                let system = self.specification(specification)?;
                let kept = match &formula.without_parentheses().kind {
                    ast::ExpressionKind::Temporal {
                        quantifier: Some(ast::PathQuantifier::All),
                        operator: ast::TemporalOperator::Always,
                        interval: None,
                        operand,
                    } => operand,
                    ast::ExpressionKind::Error => return Err(Reported),
                    _ => {
                        return self.error_with_hint(
                            &codes::MISPLACED,
                            formula.span,
                            "only an invariant can restrict a specification",
                            "write `(S : A[] p)`, or use `tctl: (S : …)`",
                        );
                    }
                };
                let predicate = self.state_predicate(&system, kept)?;
                Ok(SpecExpression::Restricted(Box::new(system), Box::new(predicate)))
            }
            SpecExpressionKind::Error => Err(Reported),
        }
    }

    /// Warns about mixed operators without parentheses, whose precedence differs between engines.
    fn warn_about_mixed_operators(
        &mut self,
        operator: SpecOperator,
        span: Span,
        left: &ast::SpecExpression,
        right: &ast::SpecExpression,
    ) {
        let is_quotient = |operator: SpecOperator| {
            matches!(
                operator,
                SpecOperator::Quotient | SpecOperator::DoubleQuotient | SpecOperator::DoubleSlash
            )
        };
        let is_other = |side: &ast::SpecExpression| match &side.kind {
            SpecExpressionKind::Combined { operator: inner, .. } => {
                *inner != operator && !(is_quotient(*inner) && is_quotient(operator))
            }
            _ => false,
        };
        if is_other(left) || is_other(right) {
            self.warning(
                &codes::MISPLACED,
                span,
                "the precedence of these operators differs between engines",
                "add parentheses; here quotients bind tightest, then `&&`, then `||`",
            );
        }
    }

    fn reachability(&mut self, query: &ast::SpecQuery, system: SpecExpression) -> Result<SpecificationQuery> {
        let (Some(start), Some(goal)) = (&query.start, &query.goal) else {
            return self.error_with_hint(
                &codes::MISPLACED,
                query.property.span,
                "reachability needs a start and a goal",
                "write `reachability: S @ init -> goal`",
            );
        };
        let is_initial =
            matches!(&start.without_parentheses().kind, ast::ExpressionKind::Name(name) if name == "init");
        let start_predicate = if is_initial {
            None
        } else {
            let predicate = self.state_predicate(&system, start)?;
            let mut fixed = vec![false; system.components().len()];
            fix_components(&predicate, &mut fixed);
            if fixed.contains(&false) {
                return self.error_with_hint(
                    &codes::MISPLACED,
                    start.span,
                    "the start must fix a location of each component",
                    "name a location of each component, or write `init`",
                );
            }
            Some(predicate)
        };
        let goal = self.state_predicate(&system, goal)?;
        Ok(SpecificationQuery::Reachability { system, start: start_predicate, goal })
    }

    fn state_predicate(
        &mut self,
        system: &SpecExpression,
        written: &ast::Expression,
    ) -> Result<StatePredicate> {
        let written = written.without_parentheses();
        match &written.kind {
            ast::ExpressionKind::Boolean(truth) => Ok(StatePredicate::Truth(*truth)),
            ast::ExpressionKind::Unary { operator: UnaryOperator::Not, operand, .. } => {
                Ok(StatePredicate::Not(Box::new(self.state_predicate(system, operand)?)))
            }
            ast::ExpressionKind::Binary { operator: BinaryOperator::And, left, right, .. } => {
                let (left, right) =
                    (self.state_predicate(system, left)?, self.state_predicate(system, right)?);
                Ok(StatePredicate::And(Box::new(left), Box::new(right)))
            }
            ast::ExpressionKind::Binary { operator: BinaryOperator::Or, left, right, .. } => {
                let (left, right) =
                    (self.state_predicate(system, left)?, self.state_predicate(system, right)?);
                Ok(StatePredicate::Or(Box::new(left), Box::new(right)))
            }
            ast::ExpressionKind::Binary { operator, left, right, .. } => {
                let comparison = match operator {
                    BinaryOperator::Less => Comparison::Less,
                    BinaryOperator::LessEqual => Comparison::LessOrEqual,
                    BinaryOperator::Equal => Comparison::Equal,
                    BinaryOperator::NotEqual => Comparison::NotEqual,
                    BinaryOperator::GreaterEqual => Comparison::GreaterOrEqual,
                    BinaryOperator::Greater => Comparison::Greater,
                    _ => return self.no_state_predicate(written.span),
                };
                let mut sum = Sum::default();
                self.add_to_sum(system, left, false, &mut sum)?;
                self.add_to_sum(system, right, true, &mut sum)?;
                let Ok(bound) = i32::try_from(-sum.constant) else {
                    return self.no_state_predicate(written.span);
                };
                if sum.positive.len() > 1 || sum.negative.len() > 1 {
                    return self.no_state_predicate(written.span);
                }
                let (left, right) = (sum.positive.pop(), sum.negative.pop());
                Ok(StatePredicate::Clocks { left, right, comparison, bound })
            }
            ast::ExpressionKind::Member { base, member } => {
                let component = self.component_copy(system, base)?;
                let process = system.components()[component].0;
                let locations = &self.network.processes[process].locations;
                let found = locations.iter().find(|(_, other)| other.name.as_deref() == Some(&member.text));
                match found.map(|(id, _)| id) {
                    Some(location) => Ok(StatePredicate::At { component, location }),
                    None => {
                        let locations = &self.network.processes[process].locations;
                        let names: Vec<&str> =
                            locations.values().filter_map(|location| location.name.as_deref()).collect();
                        let hint = match tempora_source::nearest_names(&member.text, names).first() {
                            Some(nearest) => format!("did you mean `{nearest}`?"),
                            None => "name a location of the component".to_owned(),
                        };
                        let name = &self.network.processes[process].name;
                        let message = format!("`{name}` has no location `{}`", member.text);
                        self.error_with_hint(&codes::UNKNOWN_NAME, member.span, message, hint)
                    }
                }
            }
            ast::ExpressionKind::Error => Err(Reported),
            _ => self.no_state_predicate(written.span),
        }
    }

    fn no_state_predicate<T>(&mut self, span: Span) -> Result<T> {
        self.error_with_hint(
            &codes::MISPLACED,
            span,
            "this is not a predicate over states of the components",
            "write `C.Location` and comparisons such as `C.x <= 5`, joined by `&&`, `||` and `!`",
        )
    }

    fn add_to_sum(
        &mut self,
        system: &SpecExpression,
        written: &ast::Expression,
        is_negative: bool,
        sum: &mut Sum,
    ) -> Result<()> {
        let written = written.without_parentheses();
        match &written.kind {
            ast::ExpressionKind::Integer(value) => {
                sum.constant += if is_negative { -*value } else { *value };
                Ok(())
            }
            ast::ExpressionKind::Unary { operator: UnaryOperator::Negate, operand, .. } => {
                self.add_to_sum(system, operand, !is_negative, sum)
            }
            ast::ExpressionKind::Binary { operator: BinaryOperator::Add, left, right, .. } => {
                self.add_to_sum(system, left, is_negative, sum)?;
                self.add_to_sum(system, right, is_negative, sum)
            }
            ast::ExpressionKind::Binary { operator: BinaryOperator::Subtract, left, right, .. } => {
                self.add_to_sum(system, left, is_negative, sum)?;
                self.add_to_sum(system, right, !is_negative, sum)
            }
            ast::ExpressionKind::Member { base, member } => {
                let component = self.component_copy(system, base)?;
                let process = system.components()[component].0;
                let is_meant = |variable: &Variable| {
                    variable.owner == Some(process)
                        && variable.name == member.text
                        && variable.value_type == Type::Clock
                };
                let variables = &self.network.variables;
                let clock = variables.ids().find(|&id| is_meant(&variables[id]));
                let Some(clock) = clock else {
                    let name = &self.network.processes[process].name;
                    let message = format!("`{name}` has no clock `{}`", member.text);
                    let hint = "compare clocks with numbers or with each other";
                    return self.error_with_hint(&codes::UNKNOWN_NAME, member.span, message, hint);
                };
                let side = if is_negative { &mut sum.negative } else { &mut sum.positive };
                side.push((component, clock));
                Ok(())
            }
            ast::ExpressionKind::Error => Err(Reported),
            _ => self.no_state_predicate(written.span),
        }
    }

    /// Returns the position of the copy of a component that `C` or `C[name]` names.
    fn component_copy(&mut self, system: &SpecExpression, written: &ast::Expression) -> Result<usize> {
        let written = written.without_parentheses();
        let (name, instance) = match &written.kind {
            ast::ExpressionKind::Index { base, index } => {
                (base.without_parentheses(), Some(self.files.text_at(index.span).trim().to_owned()))
            }
            _ => (written, None),
        };
        let name = self.files.text_at(name.span).to_owned();
        let components = system.components();
        let matching: Vec<usize> = (0..components.len())
            .filter(|&position| {
                let (process, known) = components[position];
                self.network.processes[process].name == name && known == instance.as_deref()
            })
            .collect();
        match matching.as_slice() {
            [one] => Ok(*one),
            [] => self.error_with_hint(
                &codes::UNKNOWN_NAME,
                written.span,
                format!("`{}` is not a component of the system", self.files.text_at(written.span)),
                "name a component as in the system before `@`",
            ),
            _ => self.error_with_hint(
                &codes::UNKNOWN_NAME,
                written.span,
                format!("the system has several copies of `{name}`"),
                "name each copy, as in `A[1] || A[2]`",
            ),
        }
    }
}

/// Returns the query with names of expressions replaced by their definitions, or a name that is defined in terms of
/// itself.
///
/// `system S = …` gives an expression a name, and so does a query of the model that saves a component under a name:
/// the component has the same meaning as the expression.
pub fn with_names_replaced(
    model: &ast::Network,
    query: &ast::SpecQuery,
) -> std::result::Result<ast::SpecQuery, ast::Name> {
    let mut replaced = query.clone();
    let mut inside: Vec<&str> = query.save_as.iter().map(|name| name.text.as_str()).collect();
    replace_names(model, &mut replaced.specification, &mut inside)?;
    if let Some(refined) = &mut replaced.refined {
        replace_names(model, refined, &mut inside)?;
    }
    Ok(replaced)
}

/// Like [`with_names_replaced`], for an expression.
pub fn specification_with_names_replaced(
    model: &ast::Network,
    specification: &ast::SpecExpression,
) -> std::result::Result<ast::SpecExpression, ast::Name> {
    let mut replaced = specification.clone();
    replace_names(model, &mut replaced, &mut Vec::new())?;
    Ok(replaced)
}

fn replace_names<'names>(
    model: &'names ast::Network,
    written: &mut ast::SpecExpression,
    inside: &mut Vec<&'names str>,
) -> std::result::Result<(), ast::Name> {
    match &mut written.kind {
        SpecExpressionKind::Component { process, instance: None } if process.arguments.is_none() => {
            let Some((name, meant)) = named_specification(model, &process.name.text) else { return Ok(()) };
            if inside.contains(&name) {
                return Err(process.name.clone());
            }
            inside.push(name);
            let mut meant = meant.clone();
            replace_names(model, &mut meant, inside)?;
            inside.pop();
            written.kind = SpecExpressionKind::Parenthesised(Box::new(meant));
            Ok(())
        }
        SpecExpressionKind::Parenthesised(inner) => replace_names(model, inner, inside),
        SpecExpressionKind::Constrained { specification, .. } => replace_names(model, specification, inside),
        SpecExpressionKind::Combined { left, right, .. } => {
            replace_names(model, left, inside)?;
            replace_names(model, right, inside)
        }
        SpecExpressionKind::Component { .. } | SpecExpressionKind::Error => Ok(()),
    }
}

/// Returns the expression with this name, unless a process has the name too.
fn named_specification<'model>(
    model: &'model ast::Network,
    wanted: &str,
) -> Option<(&'model str, &'model ast::SpecExpression)> {
    let declarations = &model.declarations;
    let is_process = |declaration: &ast::Declaration| match &declaration.kind {
        DeclarationKind::Process(process) => process.name.text == wanted,
        DeclarationKind::Instantiation(instantiation) => instantiation.name.text == wanted,
        _ => false,
    };
    if declarations.iter().any(is_process) {
        return None;
    }
    let drawn = declarations.iter().find_map(|declaration| match &declaration.kind {
        DeclarationKind::NamedSpecification { name, specification } if name.text == wanted => {
            Some((name.text.as_str(), specification))
        }
        _ => None,
    });
    let saved = || {
        let queries = declarations.iter().filter_map(|declaration| match &declaration.kind {
            DeclarationKind::Queries(items) => Some(items),
            _ => None,
        });
        queries.flatten().find_map(|item| match &item.query.kind {
            ast::QueryKind::Specification(query) => {
                let name = query.save_as.as_ref().filter(|name| name.text == wanted)?;
                Some((name.text.as_str(), &query.specification))
            }
            _ => None,
        })
    };
    drawn.or_else(saved)
}

fn component_question(
    query: &ast::SpecQuery,
    system: SpecExpression,
    form: ComponentForm,
) -> SpecificationQuery {
    let name = query.save_as.as_ref().map(|name| name.text.clone());
    SpecificationQuery::Component { system, form, name }
}

/// Appends the components of an expression, from left to right.
fn component_references(written: &ast::SpecExpression, found: &mut Vec<ast::ProcessReference>) {
    match &written.kind {
        SpecExpressionKind::Component { process, .. } => found.push(process.clone()),
        SpecExpressionKind::Parenthesised(inner) => component_references(inner, found),
        SpecExpressionKind::Constrained { specification, .. } => component_references(specification, found),
        SpecExpressionKind::Combined { left, right, .. } => {
            component_references(left, found);
            component_references(right, found);
        }
        SpecExpressionKind::Error => {}
    }
}

/// Marks the components whose location the predicate fixes.
fn fix_components(predicate: &StatePredicate, fixed: &mut [bool]) {
    match predicate {
        StatePredicate::At { component, .. } => fixed[*component] = true,
        StatePredicate::And(left, right) => {
            fix_components(left, fixed);
            fix_components(right, fixed);
        }
        _ => {}
    }
}
