//! Sanity checks of components of specifications: each is explored by itself, with an environment that may do anything at any time.
//!
//! Invariant: what is not met then is not met in any composition either. Questions about the whole network have no meaning: as a
//! network nobody would send the components what their environment does.

use tempora_checks::Need;
use tempora_evidence::{Budget, EdgeStage, Progress, Survey};
use tempora_explore::{SurveyOptions, survey};
use tempora_games::{component_obstacle, in_free_environment};
use tempora_model::{ExpressionKind, Id, Network, QueryKind};
use tempora_syntax::ast::{self, DeclarationKind};

use crate::Loaded;

/// What checks need that has no meaning for components: an environment may always send something, or let time pass.
pub(crate) const WITHOUT_MEANING: [Need; 6] =
    [Need::Deadlocks, Need::Violations, Need::Choices, Need::Components, Need::Timelocks, Need::Zeno];

/// Why those checks are left out.
pub(crate) const COMPONENTS_ARE_OPEN: &str = "the processes are components of specifications, and what happens to \
    them is up to their environment; ask `consistency:`, `determinism:` or `tctl:`";

/// Whether the processes are components: it says which actions are inputs, it is a project, or all it asks is about
/// specifications.
pub(crate) fn has_components_only(loaded: &Loaded, network: &Network, tree: &ast::Network) -> bool {
    let is_about_specifications =
        |query: &tempora_model::Query| matches!(query.kind, QueryKind::Specification { .. });
    let declares_actions =
        |declaration: &ast::Declaration| matches!(declaration.kind, DeclarationKind::InputOutput { .. });
    let is_of_ecdar = |found: &tempora_source::Diagnostic| found.code.name() == "ecdar-system";
    loaded.project().is_some()
        || loaded.diagnostics.as_slice().iter().any(is_of_ecdar)
        || network.processes.values().any(|process| process.interface.is_some())
        || tree.declarations.iter().any(declares_actions)
        || (!loaded.queries.is_empty() && loaded.queries.iter().all(is_about_specifications))
}

/// What is met of each component by itself; without runs, which would be of another network.
pub(crate) fn survey_components(
    network: &Network,
    options: SurveyOptions,
    budget: &Budget,
    progress: &Progress,
) -> Result<Survey, String> {
    let mut all = Survey::default();
    for (id, process) in network.processes.iter() {
        if let Some(why) = component_obstacle(network, id) {
            return Err(format!("`{}` is no component of a specification: {why}", process.name));
        }
        let met = survey(&in_free_environment(network, id), options, budget, progress)?;
        all.states += met.states;
        all.incomplete = all.incomplete.or(met.incomplete);
        let mut own = met.processes.into_iter().nth(id.index()).unwrap_or_default();
        for (edge, written) in own.edges.iter_mut().zip(process.edges.values()) {
            edge.nearest = None;
            // That is how a component is given an action that it never takes.
            if written.guard.data.iter().any(|part| part.kind == ExpressionKind::Integer(0)) {
                edge.stage = EdgeStage::Taken;
            }
        }
        all.processes.push(own);
        all.ranges.extend(
            met.ranges.into_iter().filter(|range| network.variables[range.variable].owner == Some(id)),
        );
        all.errors.extend(met.errors.into_iter().map(|mut fact| {
            fact.trace = None;
            fact
        }));
    }
    // Where everybody looks at the same variable, nobody is a component, so what no process owns keeps its value.
    all.ranges.sort_by_key(|range| range.variable);
    Ok(all)
}
