//! The semantics of a component, from its text alone: conditions and moves as formulas over clocks.
//!
//! Invariant: the moves of a component are those of its edges, where the guard holds and the updates lead into the
//! invariant of the target; an input without an edge is ignored, and a universal location allows everything. Constructs
//! that involve other processes are refused by name. Clocks are numbered across all components of a certificate.
//! matter of the component alone is refused by name. Clocks are numbered for all components of a certificate together.

use std::collections::{BTreeMap, BTreeSet};

use tempora_evidence::{LeafState, Rational};
use tempora_model::{
    ChannelPosition, Id, Location, LocationId, LocationKind, Network, ProcessId, SynchronisationRole, Type,
    Value, VariableId, VariableKind, channel_offset, component_actions,
};
use tempora_replay::{ClockComparison, ClockFormula, ClockLayout, ClockOrigin, ConcreteState, Interpreter};

use crate::formula::{before, sources};
use crate::nodes::fits;
use crate::refusal::Reason;
use crate::zone::From;

/// A channel, or `None` for an unnamed output.
pub(crate) type Action = Option<ChannelPosition>;

/// One occurrence of a component.
pub(crate) struct Leaf<'network> {
    interpreter: Interpreter<'network>,
    process: ProcessId,
    /// Its own clocks, by their numbers in the network.
    clocks: Vec<usize>,
    /// The number of clocks of the components before it.
    offset: usize,
    /// Its own variables that are part of a state.
    variables: Vec<VariableId>,
    pub(crate) inputs: BTreeSet<Action>,
    pub(crate) outputs: BTreeSet<Action>,
}

/// A move of a component.
#[derive(Clone, Debug)]
pub(crate) struct LeafMove {
    pub(crate) action: Action,
    /// The clock condition of the move.
    pub(crate) condition: ClockFormula,
    pub(crate) target: LeafState,
    /// The sources of its clocks, numbered across all components; `None` if they are unchanged.
    pub(crate) sources: Option<Vec<From>>,
}

/// Returns why a process of a network is not a supported component.
pub(crate) fn unknown_component(network: &Network, id: ProcessId) -> Option<String> {
    let process = &network.processes[id];
    let has_other_rates = |location: &Location| !location.clock_rates.is_empty();
    let is_urgent = |channel: &Type| matches!(channel, Type::Channel(kind) if kind.is_urgent);
    let what = if network.channel_priorities.is_some()
        || network.processes.values().any(|process| process.priority != 0)
    {
        "priorities"
    } else if !network.before_update.is_empty() || !network.after_update.is_empty() {
        "updates before or after each transition"
    } else if process.initial.len() != 1 {
        "several initial locations"
    } else if process.locations.values().any(has_other_rates) {
        "clock rates"
    } else if process.edges.values().any(|edge| edge.branches.len() != 1) {
        "edges with branches"
    } else if process.edges.values().any(|edge| {
        edge.synchronisation.as_ref().is_some_and(|channel| is_urgent(&channel.channel.value_type))
    }) {
        "urgent channels"
    } else {
        return None;
    };
    Some(format!("{what} in specifications"))
}

impl<'network> Leaf<'network> {
    /// Returns the component of a network in which it is alone.
    pub(crate) fn new(network: &'network Network, process: ProcessId, offset: usize) -> Leaf<'network> {
        let layout = ClockLayout::new(network);
        let is_own = |variable: VariableId| network.variables[variable].owner == Some(process);
        let clocks = (0..layout.cell_count()).filter(|&cell| is_own(layout.owner(cell))).collect();
        let is_data = |part: &Type| matches!(part, Type::Integer(_) | Type::Boolean | Type::Scalar(_));
        let variables = network.variables.iter().filter(|(id, variable)| {
            is_own(*id) && variable.kind == VariableKind::State && variable.value_type.any_part(&is_data)
        });
        let variables = variables.map(|(id, _)| id).collect();
        let actions = component_actions(network, &network.processes[process]);
        let mut outputs: BTreeSet<Action> = actions.outputs.into_iter().map(Some).collect();
        if actions.has_unnamed {
            outputs.insert(None);
        }
        let inputs = actions.inputs.into_iter().map(Some).collect();
        Leaf { interpreter: Interpreter::new(network), process, clocks, offset, variables, inputs, outputs }
    }

    pub(crate) fn clock_count(&self) -> usize {
        self.clocks.len()
    }

    /// Returns the number of clocks of the components before it.
    pub(crate) fn clocks_before(&self) -> usize {
        self.offset
    }

    /// Returns the initial state.
    pub(crate) fn initial(&self) -> LeafState {
        let network = self.interpreter.network();
        let location = network.processes[self.process].initial.first().copied().unwrap_or(LocationId(0));
        let values = self.variables.iter().map(|&id| network.variables[id].initial.clone()).collect();
        LeafState { location, values }
    }

    /// Returns why a state does not belong to the component, if so.
    pub(crate) fn fault(&self, state: &LeafState) -> Option<String> {
        let network = self.interpreter.network();
        let process = &network.processes[self.process];
        if process.locations.get(state.location).is_none() {
            return Some(format!("`{}` has no location number {}", process.name, state.location.0));
        }
        if state.values.len() != self.variables.len() {
            let (has, needs) = (state.values.len(), self.variables.len());
            return Some(format!("`{}` has {needs} variables, but the state has {has} values", process.name));
        }
        let wrong = self.variables.iter().zip(&state.values).find(|(id, value)| {
            let variable = &network.variables[**id];
            !fits(network, value, &variable.value_type)
        });
        wrong.map(|(id, value)| format!("`{}` cannot have the value {value}", network.qualified_name(*id)))
    }

    pub(crate) fn location(&self, state: &LeafState) -> &'network Location {
        &self.interpreter.network().processes[self.process].locations[state.location]
    }

    /// Returns the names of the component and of its location.
    pub(crate) fn describe(&self, state: &LeafState) -> String {
        let network = self.interpreter.network();
        let name = network.location_name(self.process, state.location);
        format!("{}.{name}", network.processes[self.process].name)
    }

    pub(crate) fn has_label(&self, state: &LeafState, name: &str) -> bool {
        self.location(state).labels.iter().any(|label| label == name)
    }

    /// Returns whether the kind of the location forbids delays.
    pub(crate) fn is_urgent(&self, state: &LeafState) -> bool {
        self.location(state).kind != LocationKind::Ordinary && !self.has_label(state, "universal")
    }

    /// Returns the clock condition of the invariant.
    pub(crate) fn invariant(&self, state: &LeafState) -> Result<ClockFormula, Reason> {
        if self.has_label(state, "universal") {
            return Ok(ClockFormula::Constant(true));
        }
        let formula =
            self.interpreter.invariant_formula(&self.concrete(state)).map_err(Reason::ModelError)?;
        self.renamed(&formula)
    }

    /// Returns all moves in a state, including inputs without an edge.
    pub(crate) fn moves(&self, state: &LeafState) -> Result<Vec<LeafMove>, Reason> {
        if self.has_label(state, "universal") {
            let all = self.inputs.union(&self.outputs);
            return Ok(all
                .map(|&action| self.ignored_input(action, state, ClockFormula::Constant(true)))
                .collect());
        }
        let network = self.interpreter.network();
        let concrete = self.concrete(state);
        let mut moves = Vec::new();
        for edge in self.interpreter.discrete_edges(&concrete).map_err(Reason::ModelError)? {
            let (action, is_input) = match &edge.channel {
                None => (None, false),
                Some(channel) => {
                    let value_type = &network.variables[channel.variable].value_type;
                    let offset = channel_offset(value_type, &channel.path);
                    let position = ChannelPosition { variable: channel.variable, offset };
                    (Some(position), channel.role == SynchronisationRole::Receive)
                }
            };
            let known = if is_input { &self.inputs } else { &self.outputs };
            if !known.contains(&action) {
                return Err(Reason::Unsupported("channels that are computed at run time".to_owned()));
            }
            let (after, origins) =
                self.interpreter.discrete_successor(&concrete, &edge.alone()).map_err(Reason::ModelError)?;
            let invariant = self.interpreter.invariant_formula(&after).map_err(Reason::ModelError)?;
            let condition = ClockFormula::all(vec![edge.guard, before(&invariant, &origins)?]);
            moves.push(LeafMove {
                action,
                condition: self.renamed(&condition)?,
                target: self.abstracted(&concrete, &after)?,
                sources: Some(self.sources(&origins)?),
            });
        }
        for &action in &self.inputs {
            let taken = moves.iter().filter(|one| one.action == action);
            let missing = ClockFormula::all(taken.map(|one| one.condition.clone().negated()).collect());
            moves.push(self.ignored_input(action, state, missing));
        }
        Ok(moves)
    }

    fn ignored_input(&self, action: Action, state: &LeafState, condition: ClockFormula) -> LeafMove {
        LeafMove { action, condition, target: state.clone(), sources: None }
    }

    fn concrete(&self, state: &LeafState) -> ConcreteState {
        let network = self.interpreter.network();
        let locations = network
            .processes
            .ids()
            .map(|process| if process == self.process { state.location } else { LocationId(0) });
        let mut concrete = self.interpreter.state_at_start(locations.collect());
        concrete.meta = BTreeMap::new();
        for (&variable, value) in self.variables.iter().zip(&state.values) {
            concrete.variables[variable.index()] = value.clone();
        }
        concrete
    }

    /// Returns the state of the component; fails if anything else has changed.
    fn abstracted(&self, before: &ConcreteState, after: &ConcreteState) -> Result<LeafState, Reason> {
        let network = self.interpreter.network();
        for (id, variable) in network.variables.iter() {
            if !self.variables.contains(&id) && before.variables[id.index()] != after.variables[id.index()] {
                let what = format!("`{}`, which a component changes but does not own", variable.name);
                return Err(Reason::Unsupported(what));
            }
        }
        let values: Vec<Value> =
            self.variables.iter().map(|variable| after.variables[variable.index()].clone()).collect();
        Ok(LeafState { location: after.locations[self.process.index()], values })
    }

    /// Returns the number of a clock across all components.
    fn number(&self, clock: usize) -> Result<usize, Reason> {
        match self.clocks.iter().position(|&own| own == clock) {
            Some(position) => Ok(self.offset + position),
            None => Err(Reason::Unsupported("clocks that the component does not own".to_owned())),
        }
    }

    fn renamed(&self, formula: &ClockFormula) -> Result<ClockFormula, Reason> {
        let all = |parts: &[ClockFormula]| -> Result<Vec<ClockFormula>, Reason> {
            parts.iter().map(|part| self.renamed(part)).collect()
        };
        let clock = |clock: Option<usize>| clock.map(|clock| self.number(clock)).transpose();
        Ok(match formula {
            ClockFormula::Constant(value) => ClockFormula::Constant(*value),
            ClockFormula::Not(inner) => ClockFormula::Not(Box::new(self.renamed(inner)?)),
            ClockFormula::And(parts) => ClockFormula::And(all(parts)?),
            ClockFormula::Or(parts) => ClockFormula::Or(all(parts)?),
            ClockFormula::Compare(compared) => ClockFormula::Compare(ClockComparison {
                left: clock(compared.left)?,
                right: clock(compared.right)?,
                ..*compared
            }),
        })
    }

    /// Returns the sources of the component's clocks; fails if another clock is set.
    fn sources(&self, origins: &[ClockOrigin]) -> Result<Vec<From>, Reason> {
        let unchanged = |cell: usize| ClockOrigin { clock: Some(cell), plus: Rational::from_integer(0) };
        for (cell, origin) in origins.iter().enumerate() {
            if !self.clocks.contains(&cell) && *origin != unchanged(cell) {
                return Err(Reason::Unsupported("clocks that the component does not own".to_owned()));
            }
        }
        let own: Vec<ClockOrigin> = self.clocks.iter().map(|&cell| origins[cell]).collect();
        let mut found = sources(&own)?;
        for (source, origin) in found.iter_mut().zip(&own) {
            source.clock = match origin.clock {
                Some(clock) => self.number(clock)? + 1,
                None => 0,
            };
            if source.plus < 0 {
                return Err(Reason::Unsupported(
                    "clocks that are set to a clock minus a constant".to_owned(),
                ));
            }
        }
        Ok(found)
    }

    /// Stores the sources of the clocks of this component.
    pub(crate) fn place(&self, own: &[From], all: &mut [From]) {
        all[self.offset..self.offset + own.len()].copy_from_slice(own);
    }
}
