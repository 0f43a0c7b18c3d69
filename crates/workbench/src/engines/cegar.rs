//! Counterexample-guided abstraction refinement, with options spelled as in Theta.
//!
//! Invariant: [`configured`] reads every declared value of an option; the first is not always the default.

use tempora_evidence::SystemKind;
use tempora_symbolic::{
    AutomaticValues, BlockEncoding, CegarEngine, CegarOptions, Direction, Domain, InitialPrecision, Newton,
    PredicateKind, PredicateSplit, Pruning, RefinementStrategy,
};

use super::solver::{DUMP_SMT, SOLVER};
use super::{EngineDescriptor, EngineSettings, SearchSupport};
use crate::engine_options::{
    EngineOption, GivenOptions, OptionFault, OptionSubject, OptionValue, OptionValues,
};

pub(super) const ENGINE: EngineDescriptor = EngineDescriptor {
    name: "cegar",
    summary: "counterexample-guided abstraction refinement",
    systems: &[SystemKind::Network, SystemKind::Symbolic],
    options: &[
        &DOMAIN,
        &REFINEMENT,
        &PREDSPLIT,
        &AUTOEXPL,
        &ENCODING,
        &MAXENUM,
        &INITPREC,
        &PRUNESTRATEGY,
        &SOLVER,
        &SAVE_ARG,
        &DUMP_SMT,
    ],
    search: SearchSupport::Graph,
    needs_solver: true,
    is_automatic: false,
    prefers_runs: false,
    refuses: Some(refuses),
    build: |settings| Box::new(settings.cegar()),
};

const fn choice(
    name: &'static str,
    value_name: &'static str,
    help: &'static str,
    values: &'static [OptionValue],
) -> EngineOption {
    let values = OptionValues::OneOf(values);
    EngineOption { name, value_name, help, values, subject: OptionSubject::Abstraction }
}

static DOMAIN: EngineOption = choice(
    "domain",
    "DOMAIN",
    "Abstract domain",
    &[
        ("EXPL", "Explicit values of tracked variables"),
        ("PRED_CART", "Cartesian predicate abstraction"),
        ("PRED_BOOL", "Boolean predicate abstraction"),
        ("PRED_SPLIT", "Boolean predicate abstraction with one state per disjunct"),
        ("EXPL_PRED_CART", "Explicit values of control variables, and PRED_CART"),
        ("EXPL_PRED_BOOL", "Explicit values of control variables, and PRED_BOOL"),
        ("EXPL_PRED_SPLIT", "Explicit values of control variables, and PRED_SPLIT"),
        ("EXPL_PRED_COMBINED", "Like EXPL_PRED_SPLIT, with values and predicates computed together"),
    ],
);

static REFINEMENT: EngineOption = choice(
    "refinement",
    "STRATEGY",
    "Refinement from a spurious counterexample",
    &[
        ("SEQ_ITP", "Sequence interpolants"),
        ("NWT_SP", "Newton refinement with strongest postconditions"),
        ("NWT_SP_LV", "NWT_SP over live variables"),
        ("NWT_IT_SP", "NWT_SP over the unsatisfiable core of the steps"),
        ("NWT_IT_SP_LV", "NWT_IT_SP over live variables"),
        ("NWT_WP", "Newton refinement with weakest preconditions"),
        ("NWT_WP_LV", "NWT_WP over variables that earlier steps constrain"),
        ("NWT_IT_WP", "NWT_WP over the unsatisfiable core of the steps"),
        ("NWT_IT_WP_LV", "NWT_IT_WP over variables that earlier steps constrain"),
        ("UNSAT_CORE", "Variables of an unsatisfiable core; only for domain EXPL"),
    ],
);

static PREDSPLIT: EngineOption = choice(
    "predsplit",
    "HOW",
    "Splitting of formulas into predicates",
    &[("WHOLE", "No splitting"), ("CONJUNCTS", "Split into conjuncts"), ("ATOMS", "Split into atoms")],
);

static AUTOEXPL: EngineOption = choice(
    "autoexpl",
    "WHEN",
    "In product domains, when to track a variable explicitly",
    &[
        ("STATIC", "Control variables only"),
        ("NEWATOMS", "When refinement finds an atom that is not in the model"),
        ("NEWOPERANDS", "When refinement compares it with an operand that it has not in the model"),
    ],
);

static ENCODING: EngineOption = choice(
    "encoding",
    "BLOCKS",
    "Block encoding of edges",
    &[("LBE", "Large blocks: a chain of edges is one step"), ("SBE", "Single blocks: each edge is one step")],
);

static MAXENUM: EngineOption = EngineOption {
    name: "maxenum",
    value_name: "N",
    help: "In domains with explicit values, limit on enumerated successors; 0 for no limit",
    values: OptionValues::Number,
    subject: OptionSubject::Abstraction,
};

static INITPREC: EngineOption = choice(
    "initprec",
    "WHICH",
    "Initial precision",
    &[
        ("EMPTY", "Nothing"),
        ("PROP", "Predicates or variables of the property"),
        ("CTRL", "Control variables; only for domains with explicit values"),
        ("ALLVARS", "All variables; only for domains with explicit values"),
    ],
);

static PRUNESTRATEGY: EngineOption = choice(
    "prunestrategy",
    "WHAT",
    "Pruning of the abstract graph after a refinement",
    &[("LAZY", "Prune only refuted nodes"), ("FULL", "Restart from the initial state")],
);

/// The path prefix for the abstract graphs of all iterations.
pub(crate) static SAVE_ARG: EngineOption = EngineOption {
    name: "save-arg",
    value_name: "PREFIX",
    help: "Write the abstract reachability graph of each iteration to PREFIX-1.json and PREFIX-1.svg, and so on",
    values: OptionValues::Path,
    subject: OptionSubject::Abstraction,
};

impl EngineSettings {
    /// Returns the CEGAR engine with these settings.
    pub(crate) fn cegar(&self) -> CegarEngine {
        let options = CegarOptions { search: self.graph_search, ..configured(&self.given) };
        CegarEngine { options, solver: self.solver.clone(), observer: self.observer.clone() }
    }
}

fn configured(given: &GivenOptions) -> CegarOptions {
    CegarOptions {
        domain: match given.choice(&DOMAIN) {
            Some("EXPL") => Domain::Explicit,
            Some("PRED_BOOL") => Domain::Predicates(PredicateKind::Boolean),
            Some("PRED_SPLIT") => Domain::Predicates(PredicateKind::Split),
            Some("EXPL_PRED_CART") => Domain::Product(PredicateKind::Cartesian),
            Some("EXPL_PRED_BOOL") => Domain::Product(PredicateKind::Boolean),
            Some("EXPL_PRED_SPLIT") => Domain::Product(PredicateKind::Split),
            Some("EXPL_PRED_COMBINED") => Domain::CombinedProduct,
            _ => Domain::Predicates(PredicateKind::Cartesian),
        },
        refinement: given.choice(&REFINEMENT).map_or(RefinementStrategy::default(), strategy),
        pruning: match given.choice(&PRUNESTRATEGY) {
            Some("FULL") => Pruning::Full,
            _ => Pruning::Lazy,
        },
        initial_precision: match given.choice(&INITPREC) {
            Some("EMPTY") => InitialPrecision::Empty,
            Some("CTRL") => InitialPrecision::Control,
            Some("ALLVARS") => InitialPrecision::AllVariables,
            _ => InitialPrecision::Property,
        },
        split: match given.choice(&PREDSPLIT) {
            Some("WHOLE") => PredicateSplit::Whole,
            Some("CONJUNCTS") => PredicateSplit::Conjuncts,
            _ => PredicateSplit::Atoms,
        },
        most_successors: given.value(&MAXENUM).and_then(|number| number.parse().ok()).unwrap_or(0),
        automatic_values: match given.choice(&AUTOEXPL) {
            Some("STATIC") => AutomaticValues::Static,
            Some("NEWATOMS") => AutomaticValues::NewAtoms,
            _ => AutomaticValues::NewOperands,
        },
        encoding: match given.choice(&ENCODING) {
            Some("SBE") => BlockEncoding::Single,
            _ => BlockEncoding::Large,
        },
        ..CegarOptions::default()
    }
}

fn strategy(name: &str) -> RefinementStrategy {
    let newton = |direction, forgets, keeps_live_only| {
        RefinementStrategy::Newton(Newton { direction, forgets, keeps_live_only })
    };
    match name {
        "SEQ_ITP" => RefinementStrategy::SequenceInterpolants,
        "NWT_SP" => newton(Direction::Forwards, false, false),
        "NWT_SP_LV" => newton(Direction::Forwards, false, true),
        "NWT_IT_SP" => newton(Direction::Forwards, true, false),
        "NWT_IT_SP_LV" => newton(Direction::Forwards, true, true),
        "NWT_WP" => newton(Direction::Backwards, false, false),
        "NWT_WP_LV" => newton(Direction::Backwards, false, true),
        "NWT_IT_WP" => newton(Direction::Backwards, true, false),
        "NWT_IT_WP_LV" => newton(Direction::Backwards, true, true),
        "UNSAT_CORE" => RefinementStrategy::UnsatCore,
        _ => RefinementStrategy::default(),
    }
}

/// Returns why the options contradict each other, with a hint, or `None` if they do not.
fn refuses(given: &GivenOptions) -> Option<OptionFault> {
    let options = configured(given);
    if options.domain == Domain::Explicit && given.value(&PREDSPLIT).is_some() {
        let message = "--predsplit needs a domain with predicates, but --domain is EXPL".to_owned();
        return Some((message, "remove it, or use a domain with predicates"));
    }
    if given.value(&AUTOEXPL).is_some() && matches!(options.domain, Domain::Explicit | Domain::Predicates(_))
    {
        let message = "--autoexpl needs a domain with both values and predicates";
        return Some((message.to_owned(), "remove it, or use a domain that starts with EXPL_PRED"));
    }
    options.contradiction().map(|why| (why.to_owned(), "choose another combination"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// A value that `configured` does not read would silently select the default.
    #[test]
    fn option_values_have_distinct_effects() {
        for option in ENGINE.options {
            let OptionValues::OneOf(values) = option.values else { continue };
            let mut effects = BTreeSet::new();
            for (name, _) in values {
                let texts = [(option.name.to_owned(), name.to_ascii_lowercase())];
                let given = GivenOptions::read(&texts, ENGINE.options).unwrap_or_default();
                assert_eq!(given.value(option), Some(*name));
                effects.insert(format!("{:?}", configured(&given)));
            }
            assert_eq!(effects.len(), values.len(), "--{}", option.name);
        }
    }
}
