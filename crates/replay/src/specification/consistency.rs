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
use tempora_model::{Id, ProcessId, Value};

use crate::delay_set::{Cut, DelaySet};
use crate::rational;
use crate::specification::system::{Component, Kind, Place, System, Trouble, exact};

/// The limit on the states of one specification.
const MOST_PLACES: usize = 20_000;

/// The explored states of a specification.
#[derive(Default)]
pub(crate) struct Game {
    index: HashMap<Vec<i64>, usize>,
    nodes: Vec<Node>,
}

/// A state that represents its region.
struct Node {
    is_consistent: bool,
    inputs: Vec<usize>,
    outputs: Vec<usize>,
    time: Time,
}

/// The effect of time on a state.
#[derive(Clone, Copy)]
enum Time {
    /// Time leads to the next region.
    Leads(usize),
    /// Time passes for ever without leaving the region.
    Passes,
    /// Time cannot pass.
    Ends,
}

/// The distance of the next region.
enum Step {
    /// It begins immediately, because a clock has an integral value; this delay leads into it.
    Begins(Rational),
    /// It begins after exactly this delay.
    After(Rational),
    /// There is no next region.
    Nowhere,
}

impl System<'_> {
    /// Returns whether a state is in the greatest consistent part of the operator's result.
    pub(crate) fn is_consistent(&self, place: &Place) -> Result<bool, Trouble> {
        if matches!(place, Place::Gone(..)) || (self.never_stops() && !self.is_error(place)) {
            return Ok(true);
        }
        if self.is_error(place) {
            return Ok(false);
        }
        let Some(game) = &self.game else { return Ok(true) };
        if self.has_differences() {
            return Err(Trouble::Limit("clocks are compared with each other".to_owned()));
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
    pub(crate) fn consistent_delays(&self, place: &Place, allowed: &DelaySet) -> Result<DelaySet, Trouble> {
        let mut end = None;
        self.for_each_region(place, allowed, &mut |begin, here| {
            let is_consistent = self.is_consistent(here)?;
            end = (!is_consistent).then_some(begin);
            Ok(is_consistent && !self.never_stops())
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
    pub(crate) fn deadlock_delays(&self, place: &Place) -> Result<DelaySet, Trouble> {
        if !self.inputs.is_empty() {
            return Ok(DelaySet::empty());
        }
        if self.has_differences() {
            return Err(Trouble::Limit("clocks are compared with each other".to_owned()));
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
        place: &Place,
        allowed: &DelaySet,
        look: &mut dyn FnMut(Cut, &Place) -> Result<bool, Trouble>,
    ) -> Result<(), Trouble> {
        let mut elapsed = Rational::from_integer(0);
        let mut begin = Cut::before(elapsed);
        let mut here = place.clone();
        for _ in 0..MOST_PLACES {
            if !allowed.contains(elapsed) || !look(begin, &here)? || matches!(here, Place::Gone(..)) {
                return Ok(());
            }
            let delay = match self.next_region(&here)? {
                Step::Nowhere => return Ok(()),
                Step::Begins(delay) => {
                    begin = Cut::after(elapsed);
                    delay
                }
                Step::After(delay) => {
                    begin = Cut::before(exact(rational::add(elapsed, delay))?);
                    delay
                }
            };
            elapsed = exact(rational::add(elapsed, delay))?;
            if allowed.contains(elapsed) {
                here = self.after(place, elapsed)?;
            }
        }
        Err(Trouble::Limit(format!("a delay crosses more than {MOST_PLACES} clock regions")))
    }

    /// Returns a component without an implementation, if there is one.
    pub(crate) fn inconsistent_component(&self) -> Result<Option<ProcessId>, Trouble> {
        match &self.kind {
            Kind::Component(component) => {
                let initial = self.initial();
                let is_consistent = self.is_allowed(&initial)? && self.is_consistent(&initial)?;
                Ok((!is_consistent).then_some(component.process))
            }
            Kind::Both(left, right) | Kind::Quotient { whole: left, part: right } => {
                match left.inconsistent_component()? {
                    None => right.inconsistent_component(),
                    found => Ok(found),
                }
            }
            Kind::Restricted(inner, _) => inner.inconsistent_component(),
        }
    }

    /// Returns the state in the next region, if time leads to one.
    pub(crate) fn after_next_region(&self, place: &Place) -> Result<Option<Place>, Trouble> {
        match self.next_region(place)? {
            Step::Begins(delay) | Step::After(delay) => self.wait(place, delay),
            Step::Nowhere => Ok(None),
        }
    }

    /// Returns whether pruning has no effect, because time can always pass and all inputs are accepted.
    fn never_stops(&self) -> bool {
        match &self.kind {
            Kind::Component(component) => component.never_stops(),
            Kind::Both(left, right) => left.never_stops() && right.never_stops(),
            Kind::Quotient { .. } | Kind::Restricted(..) => false,
        }
    }

    pub(crate) fn has_differences(&self) -> bool {
        let mut components: Vec<&Component<'_>> = Vec::new();
        self.processes(&mut components);
        components.iter().any(|component| component.constants.has_differences)
    }

    /// Explores all states reachable from a new one.
    fn explore(&self, game: &mut Game, place: Place, key: Vec<i64>) -> Result<usize, Trouble> {
        let first = game.nodes.len();
        // Incompletely explored nodes are removed, so that they do not count as settled.
        let found = self.explore_all(game, place, key);
        if found.is_err() {
            game.index.retain(|_, &mut number| number < first);
            game.nodes.truncate(first);
        }
        found
    }

    fn explore_all(&self, game: &mut Game, place: Place, key: Vec<i64>) -> Result<usize, Trouble> {
        let mut waiting = Vec::new();
        let asked = add(game, place, key, &mut waiting)?;
        while let Some((number, place)) = waiting.pop() {
            if self.is_error(&place) {
                game.nodes[number].is_consistent = false;
                continue;
            }
            // The universal state allows everything.
            if matches!(place, Place::Gone(..)) {
                continue;
            }
            let mut found = |game: &mut Game, next: &Place| {
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
                Step::Nowhere if allowed.is_unbounded() => Time::Passes,
                Step::Begins(delay) | Step::After(delay) if allowed.contains(delay) => {
                    let next = self.after(&place, delay)?;
                    Time::Leads(found(game, &next)?)
                }
                _ => Time::Ends,
            };
        }
        Ok(asked)
    }

    /// Returns the distance of the next region.
    fn next_region(&self, place: &Place) -> Result<Step, Trouble> {
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
            (true, Some(next)) => Step::Begins(exact(rational::divide(next, Rational::from_integer(2)))?),
            // All relevant clocks have reached or passed their greatest constants.
            (true, None) => Step::Begins(Rational::from_integer(1)),
            (false, Some(next)) => Step::After(next),
            (false, None) => Step::Nowhere,
        })
    }

    /// Returns the representative of the region of a state, and the key of the region.
    pub(crate) fn region(&self, place: &Place) -> Result<(Place, Vec<i64>), Trouble> {
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

    fn canonical(&self, place: &Place, fractions: &[Rational], key: &mut Vec<i64>) -> Place {
        match (&self.kind, place) {
            (Kind::Component(component), Place::Component(state)) => {
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
                Place::Component(same)
            }
            (
                Kind::Both(left, right) | Kind::Quotient { whole: left, part: right },
                Place::Both(one, other),
            ) => {
                let one = left.canonical(one, fractions, key);
                Place::Both(Box::new(one), Box::new(right.canonical(other, fractions, key)))
            }
            (Kind::Restricted(inner, _), _) => inner.canonical(place, fractions, key),
            (_, Place::Gone(..)) => {
                key.push(GONE);
                place.clone()
            }
            _ => {
                key.push(ERROR);
                Place::Error
            }
        }
    }

    /// Visits the value of each clock with its greatest constant; none in the universal state.
    fn for_each_clock(
        &self,
        place: &Place,
        look: &mut dyn FnMut(Rational, i64) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        match (&self.kind, place) {
            (Kind::Component(component), Place::Component(state)) => {
                for &cell in &component.own_clocks {
                    look(state.clocks[cell], component.greatest_constant(cell))?;
                }
            }
            (
                Kind::Both(left, right) | Kind::Quotient { whole: left, part: right },
                Place::Both(one, other),
            ) => {
                left.for_each_clock(one, look)?;
                right.for_each_clock(other, look)?;
            }
            (Kind::Restricted(inner, _), _) => inner.for_each_clock(place, look)?,
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
    place: Place,
    key: Vec<i64>,
    waiting: &mut Vec<(usize, Place)>,
) -> Result<usize, Trouble> {
    let number = game.nodes.len();
    if number >= MOST_PLACES {
        return Err(Trouble::Limit(format!("it has more than {MOST_PLACES} clock regions")));
    }
    game.index.insert(key, number);
    game.nodes.push(Node {
        is_consistent: true,
        inputs: Vec::new(),
        outputs: Vec::new(),
        time: Time::Passes,
    });
    waiting.push((number, place));
    Ok(number)
}

/// Removes inconsistent nodes until nothing changes; nodes before the first are settled.
fn settle(nodes: &mut [Node], first: usize) {
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for number in (first..nodes.len()).rev() {
            if nodes[number].is_consistent && !goes_on(nodes, number) {
                nodes[number].is_consistent = false;
                has_changed = true;
            }
        }
    }
}

fn goes_on(nodes: &[Node], number: usize) -> bool {
    let node = &nodes[number];
    let is_consistent = |&next: &usize| nodes[next].is_consistent;
    let time_goes_on = match node.time {
        Time::Leads(next) => nodes[next].is_consistent,
        Time::Passes => true,
        Time::Ends => false,
    };
    node.inputs.iter().all(is_consistent) && (time_goes_on || node.outputs.iter().any(is_consistent))
}
