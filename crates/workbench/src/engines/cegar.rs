//! Counterexample-guided abstraction refinement, with options spelled as in Theta.
//!
//! Invariant: the values of options are those that [`configured`] reads; the first is not always the default.

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
    summary: "refines an abstraction",
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
    "What abstract states say",
    &[
        ("EXPL", "The values of some variables"),
        ("PRED_CART", "Which predicates hold or do not hold for sure"),
        ("PRED_BOOL", "A disjunction of combinations of predicates"),
        ("PRED_SPLIT", "One combination of predicates in each state"),
        ("EXPL_PRED_CART", "Values of control variables, and PRED_CART"),
        ("EXPL_PRED_BOOL", "Values of control variables, and PRED_BOOL"),
        ("EXPL_PRED_SPLIT", "Values of control variables, and PRED_SPLIT"),
        ("EXPL_PRED_COMBINED", "The same, found together"),
    ],
);

static REFINEMENT: EngineOption = choice(
    "refinement",
    "STRATEGY",
    "What a spurious counterexample teaches",
    &[
        ("SEQ_ITP", "An interpolant for each state on the way, all at once"),
        ("NWT_SP", "Interpolants step by step: strongest postconditions"),
        ("NWT_SP_LV", "The same, about variables that matter later"),
        ("NWT_IT_SP", "Strongest postconditions of the steps that contradict each other"),
        ("NWT_IT_SP_LV", "The same, about variables that matter later"),
        ("NWT_WP", "Interpolants step by step: weakest preconditions"),
        ("NWT_WP_LV", "The same, about variables that something was said of before"),
        ("NWT_IT_WP", "Weakest preconditions of the steps that contradict each other"),
        ("NWT_IT_WP_LV", "The same, about variables that something was said of before"),
        ("UNSAT_CORE", "The variables of an unsatisfiable core; with domain EXPL only"),
    ],
);

static PREDSPLIT: EngineOption = choice(
    "predsplit",
    "HOW",
    "Into what formulas are split before they become predicates",
    &[
        ("WHOLE", "Not at all"),
        ("CONJUNCTS", "Into the parts of conjunctions"),
        ("ATOMS", "Into their atoms"),
    ],
);

static AUTOEXPL: EngineOption = choice(
    "autoexpl",
    "WHEN",
    "In products, when a variable is looked at by its values",
    &[
        ("STATIC", "Never, but for control variables"),
        ("NEWATOMS", "With an atom that the model does not have"),
        ("NEWOPERANDS", "With an operand that it does not have in the model"),
    ],
);

static ENCODING: EngineOption = choice(
    "encoding",
    "BLOCKS",
    "What one step of the abstraction is",
    &[("LBE", "Chains of edges are one step"), ("SBE", "Each edge is one step")],
);

static MAXENUM: EngineOption = EngineOption {
    name: "maxenum",
    value_name: "N",
    help: "With values, make more successors than this one; 0 for no limit",
    values: OptionValues::Number,
    subject: OptionSubject::Abstraction,
};

static INITPREC: EngineOption = choice(
    "initprec",
    "WHICH",
    "With what precision the search begins",
    &[
        ("EMPTY", "With none"),
        ("PROP", "With what the property speaks about"),
        ("CTRL", "With the control variables; with values only"),
        ("ALLVARS", "With all variables; with values only"),
    ],
);

static PRUNESTRATEGY: EngineOption = choice(
    "prunestrategy",
    "WHAT",
    "What is thrown away after a refinement",
    &[("LAZY", "Only what is wrong"), ("FULL", "Everything")],
);

/// Where the abstract graph of each iteration is written.
pub(crate) static SAVE_ARG: EngineOption = EngineOption {
    name: "save-arg",
    value_name: "PREFIX",
    help: "Write the abstract reachability graph after each iteration: PREFIX-1.json and PREFIX-1.svg, and so on",
    values: OptionValues::Path,
    subject: OptionSubject::Abstraction,
};

impl EngineSettings {
    /// The engine that refines abstractions.
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

/// Why options do not go together, with a hint, if they do not.
fn refuses(given: &GivenOptions) -> Option<OptionFault> {
    let options = configured(given);
    if options.domain == Domain::Explicit && given.value(&PREDSPLIT).is_some() {
        let message = "--predsplit splits predicates, and the domain EXPL has none".to_owned();
        return Some((message, "use a domain with predicates, or leave it out"));
    }
    if given.value(&AUTOEXPL).is_some()
        && matches!(options.domain, Domain::Explicit | Domain::Predicates(_))
    {
        let message =
            "--autoexpl moves variables from predicates to values, and the domain has only one of them";
        return Some((message.to_owned(), "use one of the domains EXPL_PRED"));
    }
    options.contradiction().map(|why| (why.to_owned(), "choose another combination"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// A value that `configured` does not read would mean the default in silence.
    #[test]
    fn every_value_of_an_option_means_something_else() {
        for option in ENGINE.options {
            let OptionValues::OneOf(values) = option.values else { continue };
            let mut meanings = BTreeSet::new();
            for (name, _) in values {
                let texts = [(option.name.to_owned(), name.to_ascii_lowercase())];
                let given = GivenOptions::read(&texts, ENGINE.options).unwrap_or_default();
                assert_eq!(given.value(option), Some(*name));
                meanings.insert(format!("{:?}", configured(&given)));
            }
            assert_eq!(meanings.len(), values.len(), "--{}", option.name);
        }
    }
}
