//! A component, unfolded over its data: an automaton whose states are locations with variable values.
//!
//! Invariant: states are unfolded on demand. An edge is enabled where the invariant of its source and its guard hold
//! and its updates lead into the invariant of its target.
//!
//! Urgency is modelled by an extra clock that is reset on entering an urgent location and must stay zero there. A
//! committed location is treated as urgent: its priority over other processes is not a property of one component.

use std::collections::HashMap;

use tempora_evidence::{BudgetWatch, LeafState};
use tempora_explore::{BranchingBounds, stored_value};
use tempora_machine::{ClockCondition, ClockConstraint, ClockEffect, Enabled, Execution, Machine, compile};
use tempora_model::{
    Id, LocationId, LocationKind, Network, ProcessId, SynchronisationRole, Type, Value, VariableId,
    VariableKind,
};
use tempora_zones::{Bound, Clock, ClockUpdate, Constraint, Dimension, Federation, Zone};

use crate::action::{ActionId, ActionNames, Alphabet, alphabet_of};
use crate::clock_reduction::needed_clocks;
use crate::search_abort::SearchAbort;
use crate::single_process::{component_obstacle, with_others_silent};
use crate::state::{EdgeUse, Move, State, StateId, StateKind};

/// The label of a location that allows any behaviour.
const UNIVERSAL: &str = "universal";
/// The label of an error location.
const INCONSISTENT: &str = "inconsistent";

/// The treatment of an input without an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InputCompletion {
    /// The input is ignored: the state does not change.
    #[default]
    Ignore,
    /// The input leads to an error.
    Error,
}

/// A component of a specification.
pub(crate) struct Component {
    process: ProcessId,
    network: Network,
    machine: Machine,
    bounds: BranchingBounds,
    execution: Execution,
    enabled: Enabled,
    /// For each clock of the network, counted from 1, its local number; zero for foreign clocks.
    local_clocks: Vec<u16>,
    /// The clocks of the network that this component has, counted from 0, in the order of their local numbers.
    own_clocks: Vec<Vec<usize>>,
    /// The clock that models urgent locations, if there are any.
    urgency: Option<Clock>,
    dimension: Dimension,
    pub(crate) alphabet: Alphabet,
    unnamed: ActionId,
    pub(crate) diagonals: Vec<Constraint>,
    /// Whether some unfolded state has an input without an edge.
    pub(crate) is_completed: bool,
    cells: Vec<Box<[i32]>>,
    index: HashMap<Box<[i32]>, StateId>,
}

impl Component {
    /// Compiles a component; fails with the unsupported construct.
    ///
    /// With `reduces_clocks`, equal clocks are merged and unused ones dropped.
    pub(crate) fn new(
        network: &Network,
        names: &ActionNames,
        process: ProcessId,
        reduces_clocks: bool,
    ) -> Result<Component, SearchAbort> {
        if let Some(why) = component_obstacle(network, process) {
            return Err(SearchAbort::Unsupported(format!("`{}`: {why}", network.processes[process].name)));
        }
        let alone = with_others_silent(network, process);
        let machine = compile(&alone).map_err(|declined| SearchAbort::Unsupported(declined.what))?;
        let bounds = BranchingBounds::new(&alone, &machine).map_err(SearchAbort::Unsupported)?;
        let layout = machine.layout();
        let mut local_clocks = vec![0; layout.clock_count() + 1];
        let is_own = |clock: &usize| network.variables[layout.clock_owner(*clock)].owner == Some(process);
        let all: Vec<usize> = (0..layout.clock_count()).filter(is_own).collect();
        let own_clocks = match reduces_clocks {
            true => needed_clocks(&alone, layout, process, &all),
            false => all.into_iter().map(|clock| vec![clock]).collect(),
        };
        for (position, class) in own_clocks.iter().enumerate() {
            for &clock in class {
                local_clocks[clock + 1] = position as u16 + 1;
            }
        }
        let is_urgent = |location: &tempora_model::Location| location.kind != LocationKind::Ordinary;
        let has_urgency = network.processes[process].locations.values().any(is_urgent);
        let urgency = has_urgency.then(|| Clock(own_clocks.len() as u16 + 1));
        let dimension = Dimension::for_clocks(own_clocks.len() + usize::from(has_urgency))?;
        let mut diagonals = Vec::new();
        for diagonal in bounds.diagonals()? {
            let local = |clock: Clock| Clock(local_clocks[usize::from(clock.0)]);
            let (left, right) = (local(diagonal.left), local(diagonal.right));
            // Merged clocks have difference zero.
            if left == right {
                continue;
            }
            diagonals.push(Constraint { left, right, ..diagonal });
            diagonals.extend(Constraint { left, right, ..diagonal }.negated());
        }
        let alphabet = alphabet_of(network, names, &network.processes[process]);
        let execution = Execution::new(layout);
        let enabled = Enabled::new(&machine);
        Ok(Component {
            process,
            network: alone,
            machine,
            bounds,
            execution,
            enabled,
            local_clocks,
            own_clocks,
            urgency,
            dimension,
            alphabet,
            unnamed: names.unnamed(),
            diagonals,
            is_completed: false,
            cells: Vec::new(),
            index: HashMap::new(),
        })
    }

    pub(crate) fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// Returns the local number of a clock of the network, counted from 0.
    pub(crate) fn local_clock(&self, clock: usize) -> Option<Clock> {
        self.local_clocks.get(clock + 1).copied().filter(|&local| local != 0).map(Clock)
    }

    /// Returns the local numbers of the clocks of a variable.
    pub(crate) fn clocks_of(&self, variable: VariableId) -> Vec<Option<Clock>> {
        let clocks = self.machine.layout().clocks_of(&self.network, variable);
        clocks.map(|clock| self.local_clock(clock)).collect()
    }

    /// Returns the initial state.
    pub(crate) fn initial(&mut self) -> Result<StateId, SearchAbort> {
        let location = self.network.processes[self.process].initial.first().copied().unwrap_or(LocationId(0));
        self.state_at(location)
    }

    /// Returns the state in a location with the initial data.
    pub(crate) fn state_at(&mut self, location: LocationId) -> Result<StateId, SearchAbort> {
        let layout = self.machine.layout();
        let mut cells: Box<[i32]> = layout.initial_cells()[..layout.stored_cells()].into();
        for process in 0..layout.process_count() {
            cells[process] = 0;
        }
        cells[layout.location_cell(self.process)] = location.0 as i32;
        Ok(self.intern(cells))
    }

    /// Returns the location and variable values of a state; `None` if they include floating point numbers.
    pub(crate) fn leaf_state(&self, state: StateId) -> Option<LeafState> {
        let layout = self.machine.layout();
        let mut values = Vec::new();
        for (id, variable) in self.network.variables.iter() {
            let is_data = |part: &Type| matches!(part, Type::Integer(_) | Type::Boolean | Type::Scalar(_));
            let is_part = variable.owner == Some(self.process) && variable.kind == VariableKind::State;
            if is_part && variable.value_type.any_part(&is_data) {
                let cells = &self.cells[state.index()][layout.cells_of(&self.network, id)];
                values.push(stored_value(
                    &variable.value_type,
                    &variable.initial,
                    &mut cells.iter().copied(),
                )?);
            }
        }
        Some(LeafState { location: self.location(state), values })
    }

    /// Returns the value of an own variable in a state; `None` for floating point numbers and for states without data.
    pub(crate) fn value_of(&self, state: StateId, variable: VariableId) -> Option<Value> {
        let declaration = &self.network.variables[variable];
        if declaration.owner != Some(self.process) || declaration.kind != VariableKind::State {
            return None;
        }
        let cells = &self.cells[state.index()][self.machine.layout().cells_of(&self.network, variable)];
        stored_value(&declaration.value_type, &declaration.initial, &mut cells.iter().copied())
    }

    /// Renders the variable values of a state, such as `n = 1`.
    pub(crate) fn data_text(&self, state: StateId) -> Vec<String> {
        let Some(leaf) = self.leaf_state(state) else { return Vec::new() };
        let is_data = |part: &Type| matches!(part, Type::Integer(_) | Type::Boolean | Type::Scalar(_));
        let own = self.network.variables.values().filter(|variable| {
            variable.owner == Some(self.process)
                && variable.kind == VariableKind::State
                && variable.value_type.any_part(&is_data)
        });
        own.zip(leaf.values).map(|(variable, value)| format!("{} = {value}", variable.name)).collect()
    }

    /// Returns the number of own clocks, without the urgency clock.
    pub(crate) fn written_clocks(&self) -> usize {
        self.own_clocks.len()
    }

    /// Returns the location of a state.
    pub(crate) fn location(&self, state: StateId) -> LocationId {
        LocationId(self.cells[state.index()][self.process.index()] as u32)
    }

    fn intern(&mut self, cells: Box<[i32]>) -> StateId {
        if let Some(&known) = self.index.get(&cells) {
            return known;
        }
        let id = StateId(self.cells.len() as u32);
        self.cells.push(cells.clone());
        self.index.insert(cells, id);
        id
    }

    /// Unfolds a state; with `completion`, all inputs are possible everywhere.
    pub(crate) fn expand(
        &mut self,
        state: StateId,
        completion: Option<InputCompletion>,
        watch: &mut BudgetWatch<'_>,
    ) -> Result<State, SearchAbort> {
        let cells = self.cells[state.index()].clone();
        let location_id = self.location(state);
        let location = &self.network.processes[self.process].locations[location_id];
        let has_label = |name: &str| location.labels.iter().any(|label| label == name);
        if has_label(INCONSISTENT) {
            return Ok(State::error(self.dimension));
        }
        if has_label(UNIVERSAL) {
            return Ok(State::universal(self.dimension, &self.alphabet, state));
        }
        let is_urgent = location.kind != LocationKind::Ordinary;
        self.execution.cells_mut().copy_from_slice(&cells);
        let invariant = self.invariant(location_id)?;
        let mut maxima: Vec<Option<i32>> =
            self.own_clocks.iter().map(|class| greatest_of(&self.bounds, class, &cells)).collect();
        if self.urgency.is_some() {
            maxima.push(is_urgent.then_some(0));
        }
        let mut exhausted = None;
        let is_complete = self.enabled.find(&self.machine, &mut self.execution, false, &mut || {
            exhausted = watch.check(0).err();
            exhausted.is_none()
        })?;
        if let (false, Some(exhausted)) = (is_complete, exhausted) {
            return Err(exhausted.into());
        }
        let internal = self.enabled.internal().map(|id| (id, self.unnamed, SynchronisationRole::Send));
        let synchronisations = self.enabled.synchronisations();
        let found: Vec<_> = synchronisations
            .map(|(id, channel, role)| (id, ActionId(channel.0), role))
            .chain(internal)
            .collect();
        let mut moves = Vec::with_capacity(found.len());
        for (instance, action, role) in found {
            let is_known = match role {
                SynchronisationRole::Send => self.alphabet.outputs.contains(&action),
                SynchronisationRole::Receive => self.alphabet.inputs.contains(&action),
            };
            if !is_known {
                return Err(SearchAbort::Unsupported("channels that are computed at run time".to_owned()));
            }
            let edge = self.machine.edge(self.enabled.instance(instance).edge).edge;
            let mut guard = invariant.clone();
            let constant = self.enabled.instance(instance).constant_guard.clone();
            let constant =
                self.machine.constraints()[constant.start as usize..constant.end as usize].iter().copied();
            let computed = self.enabled.computed_guard(instance).iter().copied();
            for constraint in constant.chain(computed) {
                self.constrain(&mut guard, constraint)?;
            }
            if guard.is_empty() {
                continue;
            }
            let select_values = self.enabled.select_values(instance).to_vec();
            self.execution.cells_mut().copy_from_slice(&cells);
            self.execution.apply(&self.machine, &self.enabled, &[instance], &[0])?;
            let mut updates = self.updates()?;
            if !self.execution.data_invariants_hold(&self.machine)? {
                continue;
            }
            let target_cells: Box<[i32]> = self.execution.cells().into();
            let target_location = LocationId(target_cells[self.process.index()] as u32);
            let mut target_invariant = self.invariant(target_location)?;
            let target_kind = self.network.processes[self.process].locations[target_location].kind;
            if let (Some(urgency), true) = (self.urgency, target_kind != LocationKind::Ordinary) {
                updates.push(ClockUpdate::Reset { clock: urgency, value: 0 });
            }
            target_invariant.weakest_precondition_of_all(&updates)?;
            if !guard.intersect(&target_invariant)? {
                continue;
            }
            let target = self.intern(target_cells);
            let used = EdgeUse { leaf: 0, edge, select_values: select_values.into() };
            moves.push(Move {
                action,
                guard: guard.into(),
                updates: updates.into(),
                target,
                edges: vec![used],
            });
        }
        self.execution.cells_mut().copy_from_slice(&cells);
        let holds = self.execution.data_invariants_hold(&self.machine)?;
        let good = if holds { Federation::from(invariant) } else { Federation::empty(self.dimension) };
        if let Some(completion) = completion {
            self.complete(&mut moves, &good, state, completion)?;
        }
        State::new(StateKind::Ordinary, good, moves, maxima, Vec::new(), self.dimension)
    }

    /// Adds the moves for inputs without an edge.
    fn complete(
        &mut self,
        moves: &mut Vec<Move>,
        good: &Federation,
        state: StateId,
        completion: InputCompletion,
    ) -> Result<(), SearchAbort> {
        for &action in &self.alphabet.inputs {
            let mut missing = good.clone();
            for other in moves.iter().filter(|other| other.action == action) {
                missing.subtract(&other.guard)?;
            }
            missing.reduce()?;
            if missing.is_empty() {
                continue;
            }
            self.is_completed = true;
            let target = match completion {
                InputCompletion::Ignore => state,
                InputCompletion::Error => StateId::ERROR,
            };
            moves.push(Move { action, guard: missing, updates: [].into(), target, edges: Vec::new() });
        }
        Ok(())
    }

    /// Returns the clock constraints of the invariant in the current execution state.
    fn invariant(&mut self, location: LocationId) -> Result<Zone, SearchAbort> {
        let mut zone = Zone::universe(self.dimension);
        let condition: ClockCondition =
            self.machine.location(self.process.index(), location.0 as i32).invariant_clocks().clone();
        let range = condition.constant.start as usize..condition.constant.end as usize;
        let constant: Vec<ClockConstraint> = self.machine.constraints()[range].to_vec();
        let mut computed = Vec::new();
        self.execution.computed_constraints(&self.machine, &condition, &[], &mut computed)?;
        for constraint in constant.into_iter().chain(computed) {
            self.constrain(&mut zone, constraint)?;
        }
        let kind = self.network.processes[self.process].locations[location].kind;
        if let (Some(urgency), true) = (self.urgency, kind != LocationKind::Ordinary) {
            zone.constrain(Constraint::at_most(urgency, 0)?)?;
        }
        Ok(zone)
    }

    fn constrain(&self, zone: &mut Zone, constraint: ClockConstraint) -> Result<(), SearchAbort> {
        let local = |clock: u16| Clock(self.local_clocks[usize::from(clock)]);
        let (left, right) = (local(constraint.left), local(constraint.right));
        if left == right {
            // A comparison without clocks is a constant.
            if constraint.constant < 0 || (constraint.constant == 0 && constraint.is_strict) {
                *zone = Zone::empty(self.dimension);
            }
            return Ok(());
        }
        let bound = Bound::finite(constraint.constant, !constraint.is_strict)?;
        zone.constrain(Constraint::difference(left, right, bound))?;
        Ok(())
    }

    /// Returns the clock assignments of the last execution.
    fn updates(&self) -> Result<Vec<ClockUpdate>, SearchAbort> {
        let mut updates = Vec::new();
        for effect in &self.execution.effects {
            match *effect {
                ClockEffect::Reset { clock, value } => {
                    let clock = Clock(self.local_clocks[usize::from(clock)]);
                    // The clock was dropped.
                    if clock == Clock::REFERENCE {
                        continue;
                    }
                    updates.push(ClockUpdate::Reset { clock, value: u32::try_from(value).unwrap_or(0) });
                }
                ClockEffect::Copy { clock, from, plus } => {
                    let (target, from) = (
                        Clock(self.local_clocks[usize::from(clock)]),
                        Clock(self.local_clocks[usize::from(from)]),
                    );
                    if target != from {
                        updates.push(ClockUpdate::Copy { target, from });
                    }
                    if plus != 0 {
                        updates.push(ClockUpdate::Shift { clock: target, amount: plus });
                    }
                }
            }
        }
        Ok(updates)
    }
}

/// Returns the maximal constant of a class of merged clocks.
fn greatest_of(bounds: &BranchingBounds, class: &[usize], cells: &[i32]) -> Option<i32> {
    class.iter().filter_map(|&clock| bounds.greatest(clock, cells)).max()
}
