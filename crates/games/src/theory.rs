//! Specifications built from components by the operators of the theory, unfolded state by state.
//!
//! The operators are those of David, Larsen, Legay, Nyman and Wąsowski, "Timed I/O automata: a complete specification
//! theory for real-time systems" (2010), with the quotient of Goorden, Larsen, Legay, Lorber, Nyman and Wąsowski,
//! "Timed I/O automata: it is never too late to complete your timed specification theory" (2023).
//!
//! Invariant: equal specifications have one id, so results are shared; each copy has clocks of its own in a
//! composition. The meaning of a specification is its greatest consistent part: components, conjunctions and quotients
//! are pruned (see [`crate::prune`]) before they become operands. A composition of pruned specifications needs no
//! pruning: an operand that can make progress alone can also do so beside one that accepts all its outputs.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use tempora_evidence::{Budget, BudgetWatch};
use tempora_model::{Network, ProcessId, SpecExpression, StatePredicate};
use tempora_zones::{Clock, Constraint, Dimension, Federation};

use crate::action::{ActionId, ActionNames, Alphabet};
use crate::component::{Component, InputCompletion};
use crate::frame::Frame;
use crate::quotient;
use crate::search_abort::SearchAbort;
use crate::state::{Move, State, StateId, StateKind, Switch, before};

/// A specification of a theory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct SpecificationId(pub(crate) u32);

/// The construction of a specification.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Construction {
    /// A component, completed with all inputs or as written.
    Component {
        component: u32,
        is_completed: bool,
    },
    Composition(SpecificationId, SpecificationId),
    Conjunction(SpecificationId, SpecificationId),
    /// The whole and the part.
    Quotient(SpecificationId, SpecificationId),
    /// The greatest consistent part.
    Pruned(SpecificationId),
    /// The restriction to a predicate, by its number.
    Restricted(SpecificationId, u32),
}

/// A specification, as far as it is unfolded.
pub(crate) struct Specification {
    pub(crate) construction: Construction,
    pub(crate) dimension: Dimension,
    pub(crate) alphabet: Alphabet,
    /// The clock differences that are compared somewhere, and their opposites.
    pub(crate) diagonals: Vec<Constraint>,
    /// The number of components, copies included.
    pub(crate) leaves: u32,
    /// For each state, the states of its operands.
    pub(crate) keys: Vec<(StateId, StateId)>,
    index: HashMap<(StateId, StateId), StateId>,
    pub(crate) states: Vec<Option<Rc<State>>>,
    error: Rc<State>,
    /// Built on demand: it has a move for each action, and large compositions have many.
    universal: OnceCell<Rc<State>>,
    /// For a pruned specification, the removed valuations of each state.
    bad: HashMap<StateId, Federation>,
}

/// All specifications of a question.
pub(crate) struct Theory<'task> {
    pub(crate) network: &'task Network,
    pub(crate) names: ActionNames,
    pub(crate) watch: BudgetWatch<'task>,
    pub(crate) completion: InputCompletion,
    /// Whether equal clocks and copies are merged.
    pub(crate) is_reduced: bool,
    pub(crate) components: Vec<Component>,
    pub(crate) processes: Vec<ProcessId>,
    specifications: Vec<Specification>,
    known: BTreeMap<Construction, SpecificationId>,
    /// The greatest consistent part of each specification.
    pruned: BTreeMap<SpecificationId, SpecificationId>,
    /// The predicates of restrictions.
    pub(crate) predicates: Vec<StatePredicate>,
    /// The specifications known to be deterministic.
    pub(crate) deterministic: BTreeSet<SpecificationId>,
    pub(crate) unfolded: u64,
}

/// The reason why a specification cannot be built.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Obstacle {
    /// The alphabets do not fit, for this reason.
    Actions(String),
    /// The computation ended without a result.
    Abort(SearchAbort),
}

impl From<SearchAbort> for Obstacle {
    fn from(stop: SearchAbort) -> Obstacle {
        Obstacle::Abort(stop)
    }
}

impl<'task> Theory<'task> {
    pub(crate) fn new(network: &'task Network, completion: InputCompletion, budget: &'task Budget) -> Self {
        Theory {
            network,
            names: ActionNames::new(network),
            watch: budget.watch(),
            completion,
            is_reduced: false,
            components: Vec::new(),
            processes: Vec::new(),
            specifications: Vec::new(),
            known: BTreeMap::new(),
            pruned: BTreeMap::new(),
            predicates: Vec::new(),
            deterministic: BTreeSet::new(),
            unfolded: 0,
        }
    }

    /// Returns the meaning of an expression: a consistent specification, or one with a bad initial state.
    pub(crate) fn meaning(&mut self, expression: &SpecExpression) -> Result<SpecificationId, Obstacle> {
        if let Some(whole) = self.meaning_without_copies(expression)? {
            return Ok(whole);
        }
        match expression {
            SpecExpression::Component { process, .. } => {
                let raw = self.component(*process, true)?;
                Ok(self.consistent_part(raw)?)
            }
            SpecExpression::Composition(left, right) => {
                let (left, right) = (self.meaning(left)?, self.meaning(right)?);
                self.composition(left, right)
            }
            SpecExpression::Conjunction(left, right) => {
                let (left, right) = (self.meaning(left)?, self.meaning(right)?);
                let raw = self.conjunction(left, right)?;
                Ok(self.consistent_part(raw)?)
            }
            SpecExpression::Quotient(whole, part) => {
                let (whole, part) = (self.meaning(whole)?, self.meaning(part)?);
                let raw = self.quotient(whole, part)?;
                Ok(self.consistent_part(raw)?)
            }
            SpecExpression::Restricted(system, predicate) => {
                let system = self.meaning(system)?;
                let raw = self.restricted(system, predicate)?;
                Ok(self.consistent_part(raw)?)
            }
        }
    }

    /// Returns the expression without pruning at the top; operands of quotients are pruned.
    pub(crate) fn unpruned(
        &mut self,
        expression: &SpecExpression,
        is_completed: bool,
    ) -> Result<SpecificationId, Obstacle> {
        match expression {
            SpecExpression::Component { process, .. } => Ok(self.component(*process, is_completed)?),
            SpecExpression::Composition(left, right) => {
                let left = self.unpruned(left, is_completed)?;
                let right = self.unpruned(right, is_completed)?;
                self.composition(left, right)
            }
            SpecExpression::Conjunction(left, right) => {
                let left = self.unpruned(left, is_completed)?;
                let right = self.unpruned(right, is_completed)?;
                self.conjunction(left, right)
            }
            SpecExpression::Quotient(whole, part) => {
                let (whole, part) = (self.meaning(whole)?, self.meaning(part)?);
                self.quotient(whole, part)
            }
            SpecExpression::Restricted(system, predicate) => {
                let system = self.unpruned(system, is_completed)?;
                Ok(self.restricted(system, predicate)?)
            }
        }
    }

    fn component(&mut self, process: ProcessId, is_completed: bool) -> Result<SpecificationId, Obstacle> {
        let component = match self.processes.iter().position(|&known| known == process) {
            Some(position) => position,
            None => {
                let component = Component::new(self.network, &self.names, process, self.is_reduced)?;
                let both: Vec<ActionId> =
                    component.alphabet.inputs.intersection(&component.alphabet.outputs).copied().collect();
                if !both.is_empty() {
                    return Err(Obstacle::Actions(format!(
                        "`{}` uses {} both as input and as output",
                        self.network.processes[process].name,
                        self.names.list(both)
                    )));
                }
                self.processes.push(process);
                self.components.push(component);
                self.components.len() - 1
            }
        };
        let known = &self.components[component];
        let (dimension, alphabet) = (known.dimension(), known.alphabet.clone());
        let diagonals = known.diagonals.clone();
        let construction = Construction::Component { component: component as u32, is_completed };
        Ok(self.add(construction, dimension, alphabet, diagonals, 1))
    }

    /// `S || T`: an output of one operand may be an input of the other, and remains an output.
    pub(crate) fn composition(
        &mut self,
        left: SpecificationId,
        right: SpecificationId,
    ) -> Result<SpecificationId, Obstacle> {
        let (one, other) = (&self[left].alphabet, &self[right].alphabet);
        let common: Vec<ActionId> = one.outputs.intersection(&other.outputs).copied().collect();
        if !common.is_empty() {
            return Err(Obstacle::Actions(format!(
                "two operands of a composition share the outputs {}",
                self.names.list(common)
            )));
        }
        let outputs: BTreeSet<ActionId> = one.outputs.union(&other.outputs).copied().collect();
        let inputs = one.inputs.union(&other.inputs).copied().filter(|action| !outputs.contains(action));
        let alphabet = Alphabet { inputs: inputs.collect(), outputs };
        Ok(self.add_pair(Construction::Composition(left, right), left, right, alphabet)?)
    }

    /// `S && T`.
    pub(crate) fn conjunction(
        &mut self,
        left: SpecificationId,
        right: SpecificationId,
    ) -> Result<SpecificationId, Obstacle> {
        let (one, other) = (&self[left].alphabet, &self[right].alphabet);
        let mut clashing: Vec<ActionId> = one.inputs.intersection(&other.outputs).copied().collect();
        clashing.extend(one.outputs.intersection(&other.inputs));
        if !clashing.is_empty() {
            return Err(Obstacle::Actions(format!(
                "the operands of a conjunction disagree on the direction of {}",
                self.names.list(clashing)
            )));
        }
        let alphabet = Alphabet {
            inputs: one.inputs.union(&other.inputs).copied().collect(),
            outputs: one.outputs.union(&other.outputs).copied().collect(),
        };
        Ok(self.add_pair(Construction::Conjunction(left, right), left, right, alphabet)?)
    }

    /// `T \\ S`.
    pub(crate) fn quotient(
        &mut self,
        whole: SpecificationId,
        part: SpecificationId,
    ) -> Result<SpecificationId, Obstacle> {
        let (all, known) = (&self[whole].alphabet, &self[part].alphabet);
        let clashing: Vec<ActionId> = known.outputs.intersection(&all.inputs).copied().collect();
        if !clashing.is_empty() {
            return Err(Obstacle::Actions(format!(
                "the right operand of a quotient has the outputs {}, which are inputs of the left operand",
                self.names.list(clashing)
            )));
        }
        let alphabet = Alphabet {
            inputs: all.inputs.union(&known.outputs).copied().collect(),
            outputs: all
                .outputs
                .difference(&known.outputs)
                .chain(known.inputs.difference(&all.inputs))
                .copied()
                .collect(),
        };
        Ok(self.add_pair(Construction::Quotient(whole, part), whole, part, alphabet)?)
    }

    /// Returns the greatest consistent part of a specification; itself if it is consistent.
    pub(crate) fn consistent_part(&mut self, raw: SpecificationId) -> Result<SpecificationId, SearchAbort> {
        if let Some(&known) = self.pruned.get(&raw) {
            return Ok(known);
        }
        let bad = crate::prune::bad_valuations(self, raw)?;
        let result = if bad.is_empty() {
            raw
        } else {
            let whole = &self[raw];
            let (dimension, alphabet) = (whole.dimension, whole.alphabet.clone());
            let (diagonals, leaves) = (whole.diagonals.clone(), whole.leaves);
            let id = self.add(Construction::Pruned(raw), dimension, alphabet, diagonals, leaves);
            self.specifications[id.0 as usize].bad = bad;
            id
        };
        self.pruned.insert(raw, result);
        Ok(result)
    }

    /// Returns the number of specifications, as a mark for [`Theory::forget_since`].
    pub(crate) fn mark(&self) -> usize {
        self.specifications.len()
    }

    /// Forgets all specifications since a mark; components stay unfolded.
    pub(crate) fn forget_since(&mut self, mark: usize) {
        let is_kept = |id: &SpecificationId| (id.0 as usize) < mark;
        self.specifications.truncate(mark);
        self.known.retain(|_, id| is_kept(id));
        self.pruned.retain(|whole, part| is_kept(whole) && is_kept(part));
        self.deterministic.retain(is_kept);
    }

    fn add_pair(
        &mut self,
        construction: Construction,
        left: SpecificationId,
        right: SpecificationId,
        alphabet: Alphabet,
    ) -> Result<SpecificationId, SearchAbort> {
        let (one, other) = (&self[left], &self[right]);
        let offset = one.dimension.size() as u16 - 1;
        let dimension = Dimension::for_clocks(one.dimension.size() + other.dimension.size() - 2)?;
        let up = |clock: Clock| if clock == Clock::REFERENCE { clock } else { Clock(clock.0 + offset) };
        let moved = other.diagonals.iter().map(|diagonal| Constraint {
            left: up(diagonal.left),
            right: up(diagonal.right),
            ..*diagonal
        });
        let diagonals = one.diagonals.iter().copied().chain(moved).collect();
        let leaves = one.leaves + other.leaves;
        Ok(self.add(construction, dimension, alphabet, diagonals, leaves))
    }

    pub(crate) fn add(
        &mut self,
        construction: Construction,
        dimension: Dimension,
        alphabet: Alphabet,
        diagonals: Vec<Constraint>,
        leaves: u32,
    ) -> SpecificationId {
        if let Some(&known) = self.known.get(&construction) {
            return known;
        }
        let id = SpecificationId(self.specifications.len() as u32);
        self.specifications.push(Specification {
            construction,
            dimension,
            alphabet,
            diagonals,
            leaves,
            keys: Vec::new(),
            index: HashMap::new(),
            states: Vec::new(),
            error: Rc::new(State::error(dimension)),
            universal: OnceCell::new(),
            bad: HashMap::new(),
        });
        self.known.insert(construction, id);
        id
    }

    /// Returns the initial state.
    pub(crate) fn initial(&mut self, id: SpecificationId) -> Result<StateId, SearchAbort> {
        let construction = self[id].construction;
        match construction {
            Construction::Component { component, .. } => self.components[component as usize].initial(),
            // A quotient by an inconsistent part is universal.
            Construction::Quotient(_, part) if !self.has_good_start(part)? => Ok(StateId::UNIVERSAL),
            Construction::Composition(left, right)
            | Construction::Conjunction(left, right)
            | Construction::Quotient(left, right) => {
                let (left, right) = (self.initial(left)?, self.initial(right)?);
                Ok(self.intern(id, left, right))
            }
            Construction::Pruned(inner) | Construction::Restricted(inner, _) => self.initial(inner),
        }
    }

    /// Returns a component by its number.
    pub(crate) fn component_numbered(&self, number: u32) -> &Component {
        &self.components[number as usize]
    }

    pub(crate) fn intern(&mut self, id: SpecificationId, left: StateId, right: StateId) -> StateId {
        match self[id].construction {
            Construction::Quotient(..) => {
                // If the part cannot be in a state, or the whole allows everything, so does the quotient.
                if right == StateId::ERROR || left == StateId::UNIVERSAL {
                    return StateId::UNIVERSAL;
                }
                if left == StateId::ERROR {
                    return StateId::ERROR;
                }
            }
            _ if left == StateId::ERROR || right == StateId::ERROR => return StateId::ERROR,
            _ if left == StateId::UNIVERSAL && right == StateId::UNIVERSAL => return StateId::UNIVERSAL,
            _ => {}
        }
        let specification = &mut self.specifications[id.0 as usize];
        if let Some(&known) = specification.index.get(&(left, right)) {
            return known;
        }
        let state = StateId(specification.keys.len() as u32);
        specification.keys.push((left, right));
        specification.index.insert((left, right), state);
        state
    }

    /// Unfolds a state, once.
    pub(crate) fn state(&mut self, id: SpecificationId, state: StateId) -> Result<Rc<State>, SearchAbort> {
        let specification = &self[id];
        if state == StateId::ERROR {
            return Ok(specification.error.clone());
        }
        if state == StateId::UNIVERSAL {
            let universal = specification.universal.get_or_init(|| {
                let alphabet = &specification.alphabet;
                Rc::new(State::universal(specification.dimension, alphabet, StateId::UNIVERSAL))
            });
            return Ok(universal.clone());
        }
        if let Some(Some(known)) = specification.states.get(state.index()) {
            return Ok(known.clone());
        }
        let construction = specification.construction;
        let key = specification.keys.get(state.index()).copied().unwrap_or((state, state));
        self.unfolded += 1;
        self.watch.check(self.unfolded)?;
        let unfolded = Rc::new(match construction {
            Construction::Component { component, is_completed } => {
                let completion = is_completed.then_some(self.completion);
                self.components[component as usize].expand(state, completion, &mut self.watch)?
            }
            Construction::Composition(left, right) | Construction::Conjunction(left, right) => {
                self.product(id, (left, right), key)?
            }
            Construction::Quotient(whole, part) => {
                let (one, other) = (self.state(whole, key.0)?, self.state(part, key.1)?);
                quotient::state(self, id, (whole, part), key, (&one, &other))?
            }
            Construction::Restricted(inner, predicate) => {
                self.restricted_state(id, (inner, predicate), state)?
            }
            Construction::Pruned(inner) => {
                let inner = self.state(inner, state)?;
                self.pruned_state(id, &inner, state)?
            }
        });
        let states = &mut self.specifications[id.0 as usize].states;
        if states.len() <= state.index() {
            states.resize(state.index() + 1, None);
        }
        states[state.index()] = Some(unfolded.clone());
        Ok(unfolded)
    }

    /// Unfolds a state of a product: operands take common actions together, and others alone.
    fn product(
        &mut self,
        id: SpecificationId,
        (left, right): (SpecificationId, SpecificationId),
        key: (StateId, StateId),
    ) -> Result<State, SearchAbort> {
        let (one, other) = (self.state(left, key.0)?, self.state(right, key.1)?);
        let dimension = self[id].dimension;
        if one.kind == StateKind::Error || other.kind == StateKind::Error {
            return Ok(State::error(dimension));
        }
        let frame = Frame::new(self, left, right, dimension);
        let good = frame.both(&one.good, &other.good)?;
        let mut moves = Vec::new();
        for mine in &one.moves {
            if !self[right].alphabet.contains(mine.action) {
                let target = self.intern(id, mine.target, key.1);
                let guard = frame.both(&mine.guard, &other.good)?;
                moves.extend(frame.alone_left(mine, guard, target));
                continue;
            }
            for theirs in other.moves_on(mine.action) {
                let target = self.intern(id, mine.target, theirs.target);
                moves.extend(frame.together(mine, theirs, target)?);
            }
        }
        for theirs in &other.moves {
            if self[left].alphabet.contains(theirs.action) {
                continue;
            }
            let target = self.intern(id, key.0, theirs.target);
            let guard = frame.both(&one.good, &theirs.guard)?;
            moves.extend(frame.alone_right(theirs, guard, target));
        }
        let switches = self.lifted_switches(id, &frame, key, (&one, &other))?;
        let maxima = one.maxima.iter().chain(&other.maxima).copied().collect();
        State::new(StateKind::Ordinary, good, moves, maxima, switches, dimension)
    }

    /// Lifts the switches of both operands, where the other one is allowed.
    pub(crate) fn lifted_switches(
        &mut self,
        id: SpecificationId,
        frame: &Frame,
        key: (StateId, StateId),
        (one, other): (&State, &State),
    ) -> Result<Vec<Switch>, SearchAbort> {
        let mut switches = Vec::new();
        for switch in &one.switches {
            let region = frame.both(&switch.region, &other.time_ends()?.complement()?)?;
            switches.push(Switch { region, target: self.intern(id, switch.target, key.1) });
        }
        for switch in &other.switches {
            // If both operands switch, the left switches first, and the right follows without delay.
            let region = frame.both(&one.good, &switch.region)?;
            switches.push(Switch { region, target: self.intern(id, key.0, switch.target) });
        }
        switches.retain(|switch| !switch.region.is_empty());
        Ok(switches)
    }

    pub(crate) fn intern_pair(&mut self, id: SpecificationId, left: StateId, right: StateId) -> StateId {
        self.intern(id, left, right)
    }

    fn pruned_state(
        &mut self,
        id: SpecificationId,
        inner: &State,
        state: StateId,
    ) -> Result<State, SearchAbort> {
        let specification = &self[id];
        let dimension = specification.dimension;
        let mut good = inner.good.clone();
        if let Some(bad) = specification.bad.get(&state) {
            good.subtract(bad)?;
            good.reduce()?;
        }
        let mut moves = Vec::with_capacity(inner.moves.len());
        for one in &inner.moves {
            if one.target == StateId::ERROR {
                continue;
            }
            let mut guard = one.guard.clone();
            guard.intersect(&good)?;
            if let Some(bad) = specification.bad.get(&one.target) {
                guard.subtract(&before(&one.updates, bad.clone())?)?;
            }
            guard.reduce()?;
            if !guard.is_empty() {
                moves.push(Move { guard, ..one.clone() });
            }
        }
        let mut switches = inner.switches.clone();
        for switch in &mut switches {
            if let Some(bad) = specification.bad.get(&switch.target) {
                switch.region.subtract(bad)?;
            }
        }
        switches.retain(|switch| !switch.region.is_empty());
        State::new(inner.kind, good, moves, inner.maxima.clone(), switches, dimension)
    }
}

impl std::ops::Index<SpecificationId> for Theory<'_> {
    type Output = Specification;

    fn index(&self, id: SpecificationId) -> &Specification {
        &self.specifications[id.0 as usize]
    }
}
