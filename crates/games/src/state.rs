//! States of specifications and their moves.
//!
//! Invariant: the guard of a move is a subset of the good set of its source, and its updates lead into the good set of
//! its target. Clocks are numbered within the specification of the state.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use tempora_model::EdgeId;
use tempora_zones::{Clock, ClockUpdate, Dimension, Federation, LuBounds, Zone};

use crate::action::{ActionId, Alphabet};
use crate::search_abort::SearchAbort;

/// A discrete state of one specification.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct StateId(pub(crate) u32);

impl StateId {
    /// The error state of every specification.
    pub(crate) const ERROR: StateId = StateId(u32::MAX);
    /// The state that allows all behaviour.
    pub(crate) const UNIVERSAL: StateId = StateId(u32::MAX - 1);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StateKind {
    /// The moves define its behaviour.
    Ordinary,
    /// All behaviour is allowed forever.
    Universal,
    /// The state must not be reached.
    Error,
}

/// An edge of a component that a move takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EdgeUse {
    /// The position of the component in the expression, from the left.
    pub(crate) leaf: u32,
    /// The edge of the component.
    pub(crate) edge: EdgeId,
    /// The values of its selects.
    pub(crate) select_values: Box<[i32]>,
}

/// A move on an action.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub(crate) action: ActionId,
    /// The valuations that enable it.
    pub(crate) guard: Federation,
    /// The clock updates, in order.
    pub(crate) updates: Rc<[ClockUpdate]>,
    pub(crate) target: StateId,
    /// The edges of components; none for a component that ignores an input.
    pub(crate) edges: Vec<EdgeUse>,
}

/// A change of state when a delay enters a region outside the good set; clocks are kept.
#[derive(Clone, Debug)]
pub(crate) struct Switch {
    pub(crate) region: Federation,
    pub(crate) target: StateId,
}

/// An unfolded discrete state.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) kind: StateKind,
    /// The allowed valuations.
    pub(crate) good: Federation,
    /// Sorted by action.
    pub(crate) moves: Vec<Move>,
    /// The maximal constant of each clock, for the covering test.
    pub(crate) maxima: Vec<Option<i32>>,
    pub(crate) bounds: LuBounds,
    pub(crate) switches: Vec<Switch>,
    /// The complement of the good set, which stops delays; `None` if the good set is convex.
    stops: Option<Federation>,
    /// Cached results.
    ends: OnceCell<Federation>,
    offers: RefCell<Vec<(ActionId, Rc<Offer>)>>,
}

/// The valuations of a state that enable an action, and the others.
#[derive(Debug)]
pub(crate) struct Offer {
    pub(crate) enabled: Federation,
    /// The good valuations that do not enable it.
    pub(crate) missing: Federation,
}

impl State {
    pub(crate) fn new(
        kind: StateKind,
        good: Federation,
        mut moves: Vec<Move>,
        maxima: Vec<Option<i32>>,
        switches: Vec<Switch>,
        dimension: Dimension,
    ) -> Result<State, SearchAbort> {
        // A stable sort keeps moves on one action in order.
        moves.sort_by_key(|one| one.action);
        let bounds = LuBounds::from_maxima(dimension, &maxima);
        let stops = if good.zones().len() == 1 { None } else { Some(good.complement()?) };
        let (ends, offers) = (OnceCell::new(), RefCell::default());
        Ok(State { kind, good, moves, maxima, bounds, switches, stops, ends, offers })
    }

    pub(crate) fn error(dimension: Dimension) -> State {
        State::trivial(StateKind::Error, dimension, Vec::new())
    }

    /// Returns the universal state, whose moves lead back to itself.
    pub(crate) fn universal(dimension: Dimension, alphabet: &Alphabet, own: StateId) -> State {
        let moves = alphabet.all().into_iter().map(|action| Move {
            action,
            guard: Federation::universe(dimension),
            updates: [].into(),
            target: own,
            edges: Vec::new(),
        });
        State::trivial(StateKind::Universal, dimension, moves.collect())
    }

    fn trivial(kind: StateKind, dimension: Dimension, moves: Vec<Move>) -> State {
        State {
            kind,
            good: Federation::universe(dimension),
            moves,
            maxima: vec![None; dimension.size() - 1],
            bounds: LuBounds::none(dimension),
            switches: Vec::new(),
            stops: None,
            ends: OnceCell::new(),
            offers: RefCell::default(),
        }
    }

    /// Returns the moves on an action.
    pub(crate) fn moves_on(&self, action: ActionId) -> &[Move] {
        let first = self.moves.partition_point(|one| one.action < action);
        let end = self.moves.partition_point(|one| one.action <= action);
        &self.moves[first..end]
    }

    /// Returns the valuations that enable an action.
    pub(crate) fn enabled(&self, action: ActionId) -> Federation {
        let mut enabled = Federation::empty(self.good.dimension());
        for one in self.moves_on(action) {
            enabled.union(one.guard.clone());
        }
        enabled.drop_included();
        enabled
    }

    /// Returns the delay successors of a zone of good valuations.
    pub(crate) fn delayed(&self, mut entry: Zone) -> Result<Vec<Zone>, SearchAbort> {
        match &self.stops {
            None => {
                // A valuation that enters in a switch region cannot delay.
                let good = &self.good.zones()[0];
                if !self.switches.is_empty() {
                    entry.intersect(good)?;
                }
                entry.up();
                entry.intersect(good)?;
                Ok(if entry.is_empty() { Vec::new() } else { vec![entry] })
            }
            Some(stops) => Ok(Federation::from(entry).timed_successors(stops)?.zones().to_vec()),
        }
    }

    /// Returns the valuations that enable an action and those that do not, computed once.
    pub(crate) fn offer(&self, action: ActionId) -> Result<Rc<Offer>, SearchAbort> {
        if let Some((_, known)) = self.offers.borrow().iter().find(|(known, _)| *known == action) {
            return Ok(known.clone());
        }
        let enabled = self.enabled(action);
        let mut missing = self.good.clone();
        missing.subtract(&enabled)?;
        let offer = Rc::new(Offer { enabled, missing });
        self.offers.borrow_mut().push((action, offer.clone()));
        Ok(offer)
    }

    /// Returns the valuations that delays can neither reach nor cross.
    pub(crate) fn time_ends(&self) -> Result<&Federation, SearchAbort> {
        if let Some(known) = self.ends.get() {
            return Ok(known);
        }
        let mut outside = self.good.complement()?;
        for switch in &self.switches {
            outside.subtract(&switch.region)?;
        }
        Ok(self.ends.get_or_init(|| outside))
    }

    /// Returns the valuations at which delays from a zone enter each switch region.
    pub(crate) fn switched(&self, entry: &Zone) -> Result<Vec<(usize, Federation)>, SearchAbort> {
        if self.switches.is_empty() {
            return Ok(Vec::new());
        }
        let reached = Federation::from(entry.clone()).timed_successors(self.time_ends()?)?;
        let mut found = Vec::new();
        for (number, switch) in self.switches.iter().enumerate() {
            let mut inside = reached.clone();
            inside.intersect(&switch.region)?;
            if !inside.is_empty() {
                found.push((number, inside));
            }
        }
        Ok(found)
    }
}

/// Returns the predecessors of a set under updates.
pub(crate) fn before(updates: &[ClockUpdate], mut set: Federation) -> Result<Federation, SearchAbort> {
    for update in updates.iter().rev() {
        set.weakest_precondition(*update)?;
    }
    Ok(set)
}

/// Returns the successors of a zone under updates.
pub(crate) fn after(updates: &[ClockUpdate], mut zone: Zone) -> Result<Zone, SearchAbort> {
    zone.update_all(updates)?;
    Ok(zone)
}

/// Returns the updates with all clock numbers shifted.
pub(crate) fn shifted(updates: &[ClockUpdate], by: u16) -> Vec<ClockUpdate> {
    let up = |clock: Clock| Clock(clock.0 + by);
    let one = |update: &ClockUpdate| match *update {
        ClockUpdate::Reset { clock, value } => ClockUpdate::Reset { clock: up(clock), value },
        ClockUpdate::Copy { target, from } => ClockUpdate::Copy { target: up(target), from: up(from) },
        ClockUpdate::Shift { clock, amount } => ClockUpdate::Shift { clock: up(clock), amount },
    };
    updates.iter().map(one).collect()
}
