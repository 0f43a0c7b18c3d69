//! Sanity checks of components: each component is explored alone, in a most general environment.
//!
//! Invariant: a location or edge that is unreachable in this exploration is unreachable in every composition. Checks of
//! the whole network are skipped: the components do not form a closed network.

use tempora_checks::Need;
use tempora_evidence::{Budget, EdgeStage, Progress, Survey};
use tempora_explore::{SurveyOptions, survey};
use tempora_games::{component_obstacle, in_free_environment};
use tempora_model::{ExpressionKind, Id, Network, QueryKind};
use tempora_syntax::ast::{self, DeclarationKind};

use crate::Loaded;

/// Survey data that has no meaning for components, since the environment may always send an input or let time pass.
pub(crate) const WITHOUT_MEANING: [Need; 6] =
    [Need::Deadlocks, Need::Violations, Need::Choices, Need::Components, Need::Timelocks, Need::Zeno];

/// The reason why those checks are skipped.
pub(crate) const COMPONENTS_ARE_OPEN: &str = "the processes are components, whose behaviour depends on their \
    environment; use a query such as `consistency:`, `determinism:` or `tctl:`";

/// Returns whether all processes are components: the model declares inputs, is an Ecdar project, or has only queries
/// about specifications.
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

/// Explores each component alone; the survey has no runs, since they would be runs of another network.
pub(crate) fn survey_components(
    network: &Network,
    options: SurveyOptions,
    budget: &Budget,
    progress: &Progress,
) -> Result<Survey, String> {
    let mut all = Survey::default();
    for (id, process) in network.processes.iter() {
        if let Some(why) = component_obstacle(network, id) {
            return Err(format!("`{}` is not a component of a specification: {why}", process.name));
        }
        let explored = survey(&in_free_environment(network, id), options, budget, progress)?;
        all.states += explored.states;
        all.incomplete = all.incomplete.or(explored.incomplete);
        let mut own = explored.processes.into_iter().nth(id.index()).unwrap_or_default();
        for (edge, written) in own.edges.iter_mut().zip(process.edges.values()) {
            edge.nearest = None;
            // Edges with a false guard add an action to the interface of a component.
            if written.guard.data.iter().any(|part| part.kind == ExpressionKind::Integer(0)) {
                edge.stage = EdgeStage::Taken;
            }
        }
        all.processes.push(own);
        all.ranges.extend(
            explored.ranges.into_iter().filter(|range| network.variables[range.variable].owner == Some(id)),
        );
        all.errors.extend(explored.errors.into_iter().map(|mut fact| {
            fact.trace = None;
            fact
        }));
    }
    // Components share no variables, so variables without an owner are constant and need no range.
    all.ranges.sort_by_key(|range| range.variable);
    Ok(all)
}
