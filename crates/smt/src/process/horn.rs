//! Solves Horn clauses with Spacer in a separate process.
//!
//! Invariant: a solution is returned only if each relation is read back as a quantifier-free formula over its
//! parameters; otherwise the result is unknown.
//!
//! See A. Komuravelli, A. Gurfinkel, S. Chaki: SMT-based model checking for recursive programs, CAV 2014.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write;
use std::time::Instant;

use super::channel::Channel;
use super::script::{GeneratedNames, Script, known_names, symbol_name, term_name};
use super::{ProcessOptions, SolverProgram};
use crate::text::{read_expressions, read_sort, read_term, sort_text, term_text};
use crate::{HornClause, HornResult, RelationId, SolverError, Sort, SymbolId, Term, TermId, TermStore};

pub(super) fn solve(
    program: &SolverProgram,
    options: &ProcessOptions,
    deadline: Option<Instant>,
    store: &mut TermStore,
    relations: &[Vec<SymbolId>],
    clauses: &[HornClause],
) -> Result<HornResult, SolverError> {
    let mut channel = Channel::start(program, options)?;
    // Without inlining, every relation stays in the model.
    let mut text = format!(
        "(set-option :smt.random_seed {seed})\n(set-option :sat.random_seed {seed})\n\
         (set-option :fp.spacer.random_seed {seed})\n\
         (set-option :fp.xform.inline_eager false)\n(set-option :fp.xform.inline_linear false)\n\
         (set-option :fp.xform.slice false)\n",
        seed = options.seed
    );
    text.push_str(&problem_text(store, relations, clauses));
    channel.send(&text)?;
    match channel.receive(deadline)?.trim() {
        "sat" => {}
        "unsat" => return Ok(HornResult::Refuted),
        other => return Ok(HornResult::Unknown(format!("the solver answered {other}"))),
    }
    channel.send("(get-model)\n")?;
    let answer = channel.receive(deadline)?;
    Ok(match read_model(store, relations, &answer) {
        Ok(formulas) => HornResult::Solved(formulas),
        Err(why) => HornResult::Unknown(format!("the solution cannot be read: {why}")),
    })
}

/// Prints Horn clauses as an SMT-LIB problem that is satisfiable exactly if relations solve them.
pub fn problem_text(store: &TermStore, relations: &[Vec<SymbolId>], clauses: &[HornClause]) -> String {
    let mut text = "(set-logic HORN)\n".to_owned();
    let mut script = Script::default();
    let nothing = HashSet::new();
    let naming = GeneratedNames { terms: &nothing };
    for (position, parameters) in relations.iter().enumerate() {
        let mut sorts = Vec::with_capacity(parameters.len());
        for parameter in parameters {
            let sort = store.symbol_sort(*parameter);
            script.declare_sort(store, sort, &mut text);
            sorts.push(sort_text(store, sort, &naming));
        }
        // Writing to a string does not fail.
        let _ = writeln!(text, "(declare-fun R{position} ({}) Bool)", sorts.join(" "));
    }
    for clause in clauses {
        let mut roots = vec![clause.constraint];
        for (_, arguments) in clause.body.iter().chain(&clause.head) {
            roots.extend(arguments);
        }
        for part in store.parts(&roots, |_| false) {
            script.declare_sort(store, store.sort(part), &mut text);
        }
        text.push_str(&clause_text(store, clause, &roots));
    }
    text.push_str("(check-sat)\n");
    text
}

fn clause_text(store: &TermStore, clause: &HornClause, roots: &[TermId]) -> String {
    let parts = store.parts(roots, |_| false);
    let mut uses: HashMap<TermId, usize> = HashMap::new();
    for part in &parts {
        if let Term::Apply(_, arguments) = store.term(*part) {
            for argument in arguments {
                *uses.entry(*argument).or_default() += 1;
            }
        }
    }
    let shared: BTreeSet<TermId> = parts
        .iter()
        .copied()
        .filter(|part| store.depth(*part) > 1 && uses.get(part).is_some_and(|count| *count > 1))
        .collect();
    let symbols = store.symbols_of(roots);
    let mut named = HashSet::new();
    let mut opening = String::new();
    for part in &shared {
        let meaning = term_text(store, *part, &GeneratedNames { terms: &named }, true);
        let _ = write!(opening, "(let (({} {meaning})) ", term_name(*part));
        named.insert(*part);
    }
    let naming = GeneratedNames { terms: &named };
    let write = |term: TermId| {
        if named.contains(&term) { term_name(term) } else { term_text(store, term, &naming, true) }
    };
    let relation = |(RelationId(position), arguments): &(RelationId, Vec<TermId>)| {
        if arguments.is_empty() {
            return format!("R{position}");
        }
        let arguments: Vec<String> = arguments.iter().map(|argument| write(*argument)).collect();
        format!("(R{position} {})", arguments.join(" "))
    };
    let body = clause.body.as_ref().map_or_else(|| "true".to_owned(), relation);
    let head = clause.head.as_ref().map_or_else(|| "false".to_owned(), relation);
    let inner = format!("(=> (and {body} {}) {head})", write(clause.constraint));
    let scoped = format!("{opening}{inner}{}", ")".repeat(shared.len()));
    if symbols.is_empty() {
        return format!("(assert {scoped})\n");
    }
    let quantified: Vec<String> = symbols
        .into_iter()
        .map(|symbol| {
            format!("({} {})", symbol_name(symbol), sort_text(store, store.symbol_sort(symbol), &naming))
        })
        .collect();
    format!("(assert (forall ({}) {scoped}))\n", quantified.join(" "))
}

/// Reads the definition of each relation, over its parameters.
fn read_model(
    store: &mut TermStore,
    relations: &[Vec<SymbolId>],
    answer: &str,
) -> Result<Vec<TermId>, String> {
    let expressions = read_expressions(answer).map_err(|error| error.message)?;
    let [model] = expressions.as_slice() else { return Err("no model".to_owned()) };
    let names = known_names(store);
    let mut meanings: Vec<Option<TermId>> = vec![None; relations.len()];
    for definition in model.list().ok_or("no model")? {
        let Some([_, name, parameters, sort, body]) = definition.list() else { continue };
        let position = name.word().and_then(|name| name.strip_prefix('R')?.parse::<usize>().ok());
        let Some(symbols) = position.and_then(|position| relations.get(position)) else { continue };
        if read_sort(&names, sort).ok() != Some(Sort::Boolean) {
            continue;
        }
        let parameters = parameters.list().ok_or("no parameters")?;
        if parameters.len() != symbols.len() {
            return Err("a wrong number of parameters".to_owned());
        }
        let mut local = names.clone();
        for (parameter, symbol) in parameters.iter().zip(symbols) {
            let Some([name, _]) = parameter.list() else { return Err("a parameter without sort".to_owned()) };
            let name = name.word().ok_or("a parameter without name")?;
            local.terms.insert(name.to_owned(), store.symbol(*symbol));
        }
        let meaning = read_term(store, &local, body).map_err(|error| error.message)?;
        if let Some(position) = position {
            meanings[position] = Some(meaning);
        }
    }
    meanings
        .into_iter()
        .map(|meaning| meaning.ok_or_else(|| "a relation without definition".to_owned()))
        .collect()
}
