//! Theta's symbolic transition systems, `.system`.
//!
//! A step chooses new values for all variables such that the transition formulas hold between the old and the new ones.
//!
//! Invariant: every text gives a system or an error with a place.

use tempora_model::Table;
use tempora_smt::TermId;
use tempora_source::{
    Diagnostic, Diagnostics, FileId, Files, PassName, Span, SymbolKind, SymbolRole, Symbols,
};
use tempora_transition::{
    ControlEdge, ControlLocation, EdgeKind, Observation, SafetyProperty, StateVariableId, StatementKind,
    SymbolicStatement, SymbolicSystem, VariableRole,
};

use crate::codes::symbolic::SYNTAX;
use crate::language::Reader;
use crate::symbolic::parser::{Parsed, Parser};
use crate::symbolic::scope::Scope;
use crate::symbolic::symbols::SymbolCollector;
use crate::symbolic::theta::TYPES;
use crate::symbolic::tokens::tokens_of;
use crate::symbolic::trees::{ExpressionTree, TypeTree};
use crate::symbolic::{PropertyText, ReadSymbolic};
use crate::{Language, Reading};

/// The registry entry.
pub(crate) static LANGUAGE: Language = Language {
    name: "sts",
    title: "Theta's symbolic transition systems",
    extensions: &["system"],
    queries_extension: "q",
    recognises: |_| false,
    reader: Reader::Symbolic(read),
};

const NEXT: PassName = PassName("next value");

#[derive(Default)]
struct ModelTree {
    variables: Vec<(String, Span, TypeTree)>,
    initial: Vec<ExpressionTree>,
    invariants: Vec<ExpressionTree>,
    transitions: Vec<ExpressionTree>,
    property: Option<ExpressionTree>,
}

fn read(reading: &mut Reading<'_>, file: FileId, given: &[PropertyText]) -> ReadSymbolic {
    let (files, origins) = (&*reading.files, &mut *reading.origins);
    let mut diagnostics = Diagnostics::new();
    let tokens = tokens_of(files, file, false, &mut diagnostics);
    let mut parser = Parser::new(tokens, diagnostics);
    let mut model = ModelTree::default();
    // Errors have been reported.
    let _ = parse_model(&mut parser, &mut model);
    let mut diagnostics = parser.diagnostics;
    let mut properties: Vec<ExpressionTree> = Vec::new();
    for text in given {
        let tokens = tokens_of(files, text.file, false, &mut diagnostics);
        let mut parser = Parser::new(tokens, diagnostics);
        if let Ok(property) = parser.theta_expression() {
            if !parser.is_end() {
                parser.unexpected("the end of the property");
            }
            properties.push(property);
        }
        diagnostics = parser.diagnostics;
    }
    if given.is_empty() {
        properties.extend(model.property.clone());
    }
    let symbols = collect_symbols(&model, &properties);
    if diagnostics.has_errors() {
        return ReadSymbolic { system: None, symbols, diagnostics };
    }
    let whole = files.whole(file);
    let mut scope = Scope::new(origins, diagnostics, &TYPES);
    let system = lower(files, &mut scope, &model, &properties, whole);
    let diagnostics = scope.diagnostics;
    ReadSymbolic::finished(system, symbols, diagnostics, origins, whole)
}

/// Collects the names of a system, as far as it could be parsed.
fn collect_symbols(model: &ModelTree, properties: &[ExpressionTree]) -> Symbols {
    let mut collector = SymbolCollector::new();
    for (name, span, tree) in &model.variables {
        collector.define_variable(name, SymbolKind::Variable, *span, tree);
    }
    for formula in model.initial.iter().chain(&model.invariants).chain(&model.transitions) {
        collector.expression(formula, SymbolRole::Read);
    }
    for property in properties {
        collector.expression(property, SymbolRole::Query);
    }
    collector.finish()
}

/// Parses `specification S { property P : { ... } models G ( ... ) }`.
fn parse_model(parser: &mut Parser<'_>, model: &mut ModelTree) -> Parsed<()> {
    parser.expect_word("specification")?;
    parser.theta_name()?;
    parser.expect_sign("{")?;
    if !parser.at_word("property") {
        let diagnostic =
            Diagnostic::error(&SYNTAX, "constants, functions and named systems are not supported yet")
                .with_primary(parser.span(), "")
                .with_hint("move everything into the system of the property");
        parser.diagnostics.push(diagnostic);
        return Err(crate::symbolic::parser::Failed);
    }
    parser.expect_word("property")?;
    parser.theta_name()?;
    parser.expect_sign(":")?;
    parser.expect_sign("{")?;
    while !parser.accept_sign("}") {
        if parser.accept_word("var") {
            let (name, span) = parser.theta_name()?;
            parser.expect_sign(":")?;
            model.variables.push((name, span, parser.theta_type()?));
        } else if parser.accept_word("initial") {
            model.initial.push(parser.theta_expression()?);
        } else if parser.accept_word("invariant") {
            model.invariants.push(parser.theta_expression()?);
        } else if parser.accept_word("transition") {
            model.transitions.push(parser.theta_expression()?);
        } else {
            return Err(parser.unexpected("`var`, `initial`, `invariant`, `transition` or `}`"));
        }
    }
    parser.expect_word("models")?;
    parser.expect_word("G")?;
    parser.expect_sign("(")?;
    model.property = Some(parser.theta_expression()?);
    parser.expect_sign(")")?;
    parser.expect_sign("}")?;
    if parser.is_end() { Ok(()) } else { Err(parser.unexpected("the end of the specification")) }
}

fn lower(
    files: &Files,
    scope: &mut Scope<'_>,
    model: &ModelTree,
    properties: &[ExpressionTree],
    whole: Span,
) -> Option<SymbolicSystem> {
    let mut declared: Vec<StateVariableId> = Vec::new();
    for (name, span, tree) in &model.variables {
        if let Some(sort) = scope.sort(tree) {
            declared.extend(scope.declare(name, *span, sort, VariableRole::State));
        }
    }
    let formulas = |scope: &mut Scope<'_>, trees: &[ExpressionTree]| -> Vec<TermId> {
        trees.iter().filter_map(|tree| scope.boolean(tree)).collect()
    };
    let mut initial = formulas(scope, &model.initial);
    let invariants = formulas(scope, &model.invariants);
    initial.extend(&invariants);
    let initial = scope.store.and(&initial);
    let conditions: Vec<(&ExpressionTree, TermId)> =
        properties.iter().filter_map(|tree| Some((tree, scope.boolean(tree)?))).collect();
    // From here on, variables have next values.
    let mut statements = Vec::new();
    let mut replacement = std::collections::BTreeMap::new();
    for id in &declared {
        let variable = &scope.variables[*id];
        let (name, symbol, origin) = (variable.name.clone(), variable.symbol, variable.origin);
        let sort = scope.store.symbol_sort(symbol).clone();
        let origin = scope.origins.derived(NEXT, &[origin]);
        let next = scope.add_variable(&format!("{name}'"), sort, VariableRole::Local, origin);
        scope.next.insert(*id, next);
        replacement.insert(symbol, scope.store.symbol(scope.variables[next].symbol));
        statements.push(SymbolicStatement { kind: StatementKind::Havoc(next), origin });
    }
    for tree in &model.transitions {
        let origin = scope.origins.written(tree.span);
        if let Some(condition) = scope.boolean(tree) {
            statements.push(SymbolicStatement { kind: StatementKind::Assume(condition), origin });
        }
    }
    for (tree, invariant) in model.invariants.iter().zip(&invariants) {
        let origin = scope.origins.written(tree.span);
        let kind = StatementKind::Assume(scope.store.substitute(*invariant, &replacement));
        statements.push(SymbolicStatement { kind, origin });
    }
    for id in &declared {
        let (next, origin) = (*scope.next.get(id)?, scope.variables[*id].origin);
        let value = scope.store.symbol(scope.variables[next].symbol);
        statements.push(SymbolicStatement { kind: StatementKind::Assign(*id, value), origin });
    }
    if scope.diagnostics.has_errors() {
        return None;
    }
    let origin = scope.origins.written(whole);
    let mut locations = Table::new();
    let state = locations.push(ControlLocation { name: "state".to_owned(), origin });
    let statement = SymbolicStatement { kind: StatementKind::Sequence(statements), origin };
    let mut edges = Table::new();
    edges.push(ControlEdge { source: state, target: state, kind: EdgeKind::Step, statement, origin });
    let properties = conditions
        .into_iter()
        .map(|(tree, condition)| SafetyProperty {
            text: files.text_at(tree.span).split_whitespace().collect::<Vec<_>>().join(" "),
            condition,
            observation: Observation::Everywhere,
            origin: scope.origins.written(tree.span),
        })
        .collect();
    Some(SymbolicSystem {
        store: std::mem::take(&mut scope.store),
        variables: std::mem::take(&mut scope.variables),
        locations,
        initial_location: state,
        initial,
        edges,
        properties,
    })
}
