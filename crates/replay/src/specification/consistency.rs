//! Computes the consistent states of a specification: a game over clock regions between the specification, which
//! chooses outputs and delays, and its environment, which chooses inputs.
//!
//! Invariant: a state is consistent exactly if it is not an error, all inputs lead to consistent states, and either
//! some output does, or a delay does, or time can pass for ever. Where an input and an output are possible at the same
//! instant, the environment may act first; infinitely many outputs in zero time count as progress. The consistent
//! states are the greatest such set.
//!
//! The game is solved for all states reachable from the given one. States whose clocks are in the same region (Alur and
//! Dill 1994) are equivalent, so one representative of each region is explored, with the greatest constant of each
//! component. That is slow and simple, and terminates; if there are too many states, or clocks are compared with each
//! other, the result is a limit error.

use std::collections::HashMap;

use tempora_evidence::Rational;
use tempora_model::{Id, Value};

use crate::delay_set::{Cut, DelaySet};
use crate::rational;
use crate::specification::system::{
    Component, ExecutionFailure, SpecificationState, System, SystemOperator, exact,
};

/// The limit on the states of one specification.
const STATE_LIMIT: usize = 20_000;

/// The explored states of a specification.
#[derive(Default)]
pub(crate) struct Game {
    index: HashMap<Vec<i64>, usize>,
    nodes: Vec<GameNode>,
}

/// A state that represents its region.
struct GameNode {
    is_consistent: bool,
    inputs: Vec<usize>,
    outputs: Vec<usize>,
    time: TimeSuccessor,
}

/// The effect of time on a state.
#[derive(Clone, Copy)]
enum TimeSuccessor {
    /// Time leads to the next region.
    Leads(usize),
    /// Time passes for ever without leaving the region.
    Passes,
    /// Time cannot pass.
    Ends,
}

/// The distance of the next region.
enum NextRegion {
    /// It begins immediately, because a clock has an integral value; this delay leads into it.
    Begins(Rational),
    /// It begins after exactly this delay.
    After(Rational),
    /// There is no next region.
    Nowhere,
}

impl System<'_> {
    /// Returns whether a state is in the greatest consistent part of the operator's result.
    pub(crate) fn is_consistent(&self, place: &SpecificationState) -> Result<bool, ExecutionFailure> {
        if matches!(place, SpecificationState::Universal(..))
            || (self.time_always_passes() && !self.is_error(place))
        {
            return Ok(true);
        }
        if self.is_error(place) {
            return Ok(false);
        }
        let Some(game) = &self.game else { return Ok(true) };
        if self.has_differences() {
            return Err(ExecutionFailure::Limit("clocks are compared with each other".to_owned()));
        }
        let mut game = game.borrow_mut();
        let (place, key) = self.region(place)?;
        if let Some(&known) = game.index.get(&key) {
            return Ok(game.nodes[known].is_consistent);
        }
        let first = game.nodes.len();
        let asked = self.explore(&mut game, place, key)?;
        settle(&mut game.nodes, first);
        Ok(game.nodes[asked].is_consistent)
    }

    /// Returns the delays during which the specification stays in consistent states.
    pub(crate) fn consistent_delays(
        &self,
        place: &SpecificationState,
        allowed: &DelaySet,
    ) -> Result<DelaySet, ExecutionFailure> {
        let mut end = None;
        self.for_each_region(place, allowed, &mut |begin, here| {
            let is_consistent = self.is_consistent(here)?;
            end = (!is_consistent).then_some(begin);
            Ok(is_consistent && !self.time_always_passes())
        })?;
        Ok(match end {
            None => allowed.clone(),
            Some(end) => {
                allowed.intersection(&DelaySet::between(Cut::before(Rational::from_integer(0)), end))
            }
        })
    }

    /// Returns the allowed delays after which no output is possible any more; none if it has inputs, which the
    /// environment may send at any time.
    pub(crate) fn deadlock_delays(&self, place: &SpecificationState) -> Result<DelaySet, ExecutionFailure> {
        if !self.inputs.is_empty() {
            return Ok(DelaySet::empty());
        }
        if self.has_differences() {
            return Err(ExecutionFailure::Limit("clocks are compared with each other".to_owned()));
        }
        let allowed = self.allowed_delays(place)?;
        let mut last = Some(Cut::before(Rational::from_integer(0)));
        self.for_each_region(place, &allowed, &mut |begin, here| {
            // The region with an output ends where the next one begins.
            last = last.or(Some(begin));
            for &action in &self.outputs {
                if !self.successors(here, action)?.is_empty() {
                    last = None;
                }
            }
            Ok(true)
        })?;
        Ok(match last {
            None => DelaySet::empty(),
            Some(from) => allowed.intersection(&DelaySet::between(from, Cut::Infinity)),
        })
    }

    /// Visits a state of each region that time leads through, with the beginning of the region, until the callback
    /// returns false.
    fn for_each_region(
        &self,
        place: &SpecificationState,
        allowed: &DelaySet,
        look: &mut dyn FnMut(Cut, &SpecificationState) -> Result<bool, ExecutionFailure>,
    ) -> Result<(), ExecutionFailure> {
        let mut elapsed = Rational::from_integer(0);
        let mut begin = Cut::before(elapsed);
        let mut here = place.clone();
        for _ in 0..STATE_LIMIT {
            if !allowed.contains(elapsed)
                || !look(begin, &here)?
                || matches!(here, SpecificationState::Universal(..))
            {
                return Ok(());
            }
            let delay = match self.next_region(&here)? {
                NextRegion::Nowhere => return Ok(()),
                NextRegion::Begins(delay) => {
                    begin = Cut::after(elapsed);
                    delay
                }
                NextRegion::After(delay) => {
                    begin = Cut::before(exact(rational::add(elapsed, delay))?);
                    delay
                }
            };
            elapsed = exact(rational::add(elapsed, delay))?;
            if allowed.contains(elapsed) {
                here = self.after(place, elapsed)?;
            }
        }
        Err(ExecutionFailure::Limit(format!("a delay crosses more than {STATE_LIMIT} clock regions")))
    }

    /// Returns the state in the next region, if time leads to one.
    pub(crate) fn after_next_region(
        &self,
        place: &SpecificationState,
    ) -> Result<Option<SpecificationState>, ExecutionFailure> {
        match self.next_region(place)? {
            NextRegion::Begins(delay) | NextRegion::After(delay) => self.wait(place, delay),
            NextRegion::Nowhere => Ok(None),
        }
    }

    /// Returns whether pruning has no effect, because time can always pass and all inputs are accepted.
    fn time_always_passes(&self) -> bool {
        match &self.kind {
            SystemOperator::Component(component) => component.time_always_passes(),
            SystemOperator::Both(left, right) => left.time_always_passes() && right.time_always_passes(),
            SystemOperator::Quotient { .. } | SystemOperator::Restricted(..) => false,
        }
    }

    pub(crate) fn has_differences(&self) -> bool {
        let mut components: Vec<&Component<'_>> = Vec::new();
        self.processes(&mut components);
        components.iter().any(|component| component.constants.has_differences)
    }

    /// Explores all states reachable from a new one.
    fn explore(
        &self,
        game: &mut Game,
        place: SpecificationState,
        key: Vec<i64>,
    ) -> Result<usize, ExecutionFailure> {
        let first = game.nodes.len();
        // Incompletely explored nodes are removed, so that they do not count as settled.
        let found = self.explore_all(game, place, key);
        if found.is_err() {
            game.index.retain(|_, &mut number| number < first);
            game.nodes.truncate(first);
        }
        found
    }

    fn explore_all(
        &self,
        game: &mut Game,
        place: SpecificationState,
        key: Vec<i64>,
    ) -> Result<usize, ExecutionFailure> {
        let mut waiting = Vec::new();
        let asked = add(game, place, key, &mut waiting)?;
        while let Some((number, place)) = waiting.pop() {
            if self.is_error(&place) {
                game.nodes[number].is_consistent = false;
                continue;
            }
            // The universal state allows everything.
            if matches!(place, SpecificationState::Universal(..)) {
                continue;
            }
            let mut found = |game: &mut Game, next: &SpecificationState| {
                let (next, key) = self.region(next)?;
                match game.index.get(&key) {
                    Some(&known) => Ok(known),
                    None => add(game, next, key, &mut waiting),
                }
            };
            for (actions, is_input) in [(&self.inputs, true), (&self.outputs, false)] {
                for &action in actions {
                    for next in self.successors_of_operator(&place, action)? {
                        let next = found(game, &next)?;
                        let node = &mut game.nodes[number];
                        if is_input { node.inputs.push(next) } else { node.outputs.push(next) }
                    }
                }
            }
            let allowed = self.delays_of_operator(&place)?;
            game.nodes[number].time = match self.next_region(&place)? {
                NextRegion::Nowhere if allowed.is_unbounded() => TimeSuccessor::Passes,
                NextRegion::Begins(delay) | NextRegion::After(delay) if allowed.contains(delay) => {
                    let next = self.after(&place, delay)?;
                    TimeSuccessor::Leads(found(game, &next)?)
                }
                _ => TimeSuccessor::Ends,
            };
        }
        Ok(asked)
    }

    /// Returns the distance of the next region.
    fn next_region(&self, place: &SpecificationState) -> Result<NextRegion, ExecutionFailure> {
        let mut is_integral = false;
        let mut next: Option<Rational> = None;
        self.for_each_clock(place, &mut |value, greatest| {
            if value > Rational::from_integer(greatest) {
                return Ok(());
            }
            is_integral |= value.is_integer();
            let after = exact(rational::add(value.floor(), Rational::from_integer(1)))?;
            if after <= Rational::from_integer(greatest) {
                let delay = exact(rational::subtract(after, value))?;
                next = Some(next.map_or(delay, |known| known.min(delay)));
            }
            Ok(())
        })?;
        Ok(match (is_integral, next) {
            (true, Some(next)) => {
                NextRegion::Begins(exact(rational::divide(next, Rational::from_integer(2)))?)
            }
            // All relevant clocks have reached or passed their greatest constants.
            (true, None) => NextRegion::Begins(Rational::from_integer(1)),
            (false, Some(next)) => NextRegion::After(next),
            (false, None) => NextRegion::Nowhere,
        })
    }

    /// Returns the representative of the region of a state, and the key of the region.
    pub(crate) fn region(
        &self,
        place: &SpecificationState,
    ) -> Result<(SpecificationState, Vec<i64>), ExecutionFailure> {
        let mut fractions: Vec<Rational> = Vec::new();
        self.for_each_clock(place, &mut |value, greatest| {
            if value <= Rational::from_integer(greatest) && !value.is_integer() {
                fractions.push(value.fract());
            }
            Ok(())
        })?;
        fractions.sort_unstable();
        fractions.dedup();
        let mut key = Vec::new();
        let place = self.canonical(place, &fractions, &mut key);
        Ok((place, key))
    }

    fn canonical(
        &self,
        place: &SpecificationState,
        fractions: &[Rational],
        key: &mut Vec<i64>,
    ) -> SpecificationState {
        match (&self.kind, place) {
            (SystemOperator::Component(component), SpecificationState::Component(state)) => {
                key.push(state.locations[component.process.index()].index() as i64);
                for &variable in &component.own_variables {
                    push_value(state.variable(variable), key);
                }
                let mut same = state.clone();
                let zero = Rational::from_integer(0);
                let values: Vec<Rational> =
                    component.own_clocks.iter().map(|&cell| state.clocks[cell]).collect();
                same.clocks.fill(zero);
                for (&cell, value) in component.own_clocks.iter().zip(values) {
                    let greatest = component.greatest_constant(cell);
                    let (whole, rank) = match value > Rational::from_integer(greatest) {
                        true => (greatest.saturating_add(1), 0),
                        false => {
                            let rank = fractions.binary_search(&value.fract()).map_or(0, |rank| rank + 1);
                            (value.floor().to_integer(), rank as i64)
                        }
                    };
                    let parts = fractions.len() as i64 + 1;
                    same.clocks[cell] =
                        Rational::new(whole.saturating_mul(parts).saturating_add(rank), parts);
                    key.extend([whole, rank]);
                }
                SpecificationState::Component(same)
            }
            (
                SystemOperator::Both(left, right) | SystemOperator::Quotient { whole: left, part: right },
                SpecificationState::Pair(one, other),
            ) => {
                let one = left.canonical(one, fractions, key);
                SpecificationState::Pair(Box::new(one), Box::new(right.canonical(other, fractions, key)))
            }
            (SystemOperator::Restricted(inner, _), _) => inner.canonical(place, fractions, key),
            (_, SpecificationState::Universal(..)) => {
                key.push(GONE);
                place.clone()
            }
            _ => {
                key.push(ERROR);
                SpecificationState::Error
            }
        }
    }

    /// Visits the value of each clock with its greatest constant; none in the universal state.
    fn for_each_clock(
        &self,
        place: &SpecificationState,
        look: &mut dyn FnMut(Rational, i64) -> Result<(), ExecutionFailure>,
    ) -> Result<(), ExecutionFailure> {
        match (&self.kind, place) {
            (SystemOperator::Component(component), SpecificationState::Component(state)) => {
                for &cell in &component.own_clocks {
                    look(state.clocks[cell], component.greatest_constant(cell))?;
                }
            }
            (
                SystemOperator::Both(left, right) | SystemOperator::Quotient { whole: left, part: right },
                SpecificationState::Pair(one, other),
            ) => {
                left.for_each_clock(one, look)?;
                right.for_each_clock(other, look)?;
            }
            (SystemOperator::Restricted(inner, _), _) => inner.for_each_clock(place, look)?,
            _ => {}
        }
        Ok(())
    }
}

/// Not the number of a location.
const GONE: i64 = -1;
const ERROR: i64 = -2;

/// Appends a value to a key. All values of a type have the same number of entries.
fn push_value(value: &Value, key: &mut Vec<i64>) {
    match value {
        Value::Integer(number) => key.push(i64::from(*number)),
        Value::Double(number) => key.push(number.to_bits() as i64),
        Value::Parts(parts) => parts.iter().for_each(|part| push_value(part, key)),
        Value::None => {}
    }
}

fn add(
    game: &mut Game,
    place: SpecificationState,
    key: Vec<i64>,
    waiting: &mut Vec<(usize, SpecificationState)>,
) -> Result<usize, ExecutionFailure> {
    let number = game.nodes.len();
    if number >= STATE_LIMIT {
        return Err(ExecutionFailure::Limit(format!("it has more than {STATE_LIMIT} clock regions")));
    }
    game.index.insert(key, number);
    game.nodes.push(GameNode {
        is_consistent: true,
        inputs: Vec::new(),
        outputs: Vec::new(),
        time: TimeSuccessor::Passes,
    });
    waiting.push((number, place));
    Ok(number)
}

/// Removes inconsistent nodes until nothing changes; nodes before the first are settled.
fn settle(nodes: &mut [GameNode], first: usize) {
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for number in (first..nodes.len()).rev() {
            if nodes[number].is_consistent && !can_proceed(nodes, number) {
                nodes[number].is_consistent = false;
                has_changed = true;
            }
        }
    }
}

fn can_proceed(nodes: &[GameNode], number: usize) -> bool {
    let node = &nodes[number];
    let is_consistent = |&next: &usize| nodes[next].is_consistent;
    let time_goes_on = match node.time {
        TimeSuccessor::Leads(next) => nodes[next].is_consistent,
        TimeSuccessor::Passes => true,
        TimeSuccessor::Ends => false,
    };
    node.inputs.iter().all(is_consistent) && (time_goes_on || node.outputs.iter().any(is_consistent))
}
