//! What of a specification can be implemented: a game between the specification, which chooses outputs and delays, and its
//! environment, which chooses inputs, played out over clock regions.
//!
//! Invariant: a place is consistent exactly if it is no error, all inputs lead to consistent places, and some output leads to one,
//! or time leads to one, or passes for ever. Where an input and an output are possible at the same instant, the environment
//! may be first; outputs that follow each other in no time count as going on. Consistent places are the greatest such set.
//!
//! It is worked out for all places that can be reached from the one that is asked about. Places whose clocks are in the same region
//! (Alur and Dill 1994) allow the same, so one of each region is looked at, with the greatest constant of each component. That is
//! slow and plain, and has an end; where it would take too many places, or clocks are compared with each other, nothing is said.

use std::collections::HashMap;

use tempora_evidence::Rational;
use tempora_model::{Id, ProcessId, Value};

use crate::delay_set::{Cut, DelaySet};
use crate::rational;
use crate::specification::system::{Component, Kind, Place, System, Trouble, exact};

/// No more places of one specification are looked at than this.
const MOST_PLACES: usize = 20_000;

/// What is known of the places of a specification.
#[derive(Default)]
pub(crate) struct Game {
    index: HashMap<Vec<i64>, usize>,
    nodes: Vec<Node>,
}

/// A place that stands for all of its region.
struct Node {
    is_consistent: bool,
    inputs: Vec<usize>,
    outputs: Vec<usize>,
    time: Time,
}

/// What time does to a place.
#[derive(Clone, Copy)]
enum Time {
    /// It leads to the next region.
    Leads(usize),
    /// It passes for ever, and nothing changes any more.
    Passes,
    /// It may not pass.
    Ends,
}

/// How far the next region is.
enum Step {
    /// It begins at once, since a clock has an integral value; this delay leads into it.
    Begins(Rational),
    /// It begins after exactly this delay.
    After(Rational),
    /// There is none.
    Nowhere,
}

impl System<'_> {
    /// Whether a place is one of the greatest consistent part of what the operator makes of its operands.
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

    /// How long time may pass without leaving what is consistent.
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

    /// The allowed delays after which no output is possible any more; none if it has inputs, which the environment may always send.
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
            // Where the region after one with an output begins, that one ends.
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

    /// Looks at a place of each region that time leads through, and where the region begins, until the answer is no.
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
        Err(Trouble::Limit(format!("time leads through more than {MOST_PLACES} regions of clocks")))
    }

    /// A component that nothing implements.
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

    /// Where time leads next, in another region.
    pub(crate) fn after_next_region(&self, place: &Place) -> Result<Option<Place>, Trouble> {
        match self.next_region(place)? {
            Step::Begins(delay) | Step::After(delay) => self.wait(place, delay),
            Step::Nowhere => Ok(None),
        }
    }

    /// Whether nothing has to be removed, since time may always pass and all inputs are taken.
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

    /// Adds all places that can be reached from one that is not known.
    fn explore(&self, game: &mut Game, place: Place, key: Vec<i64>) -> Result<usize, Trouble> {
        let first = game.nodes.len();
        // What is not looked at to the end is forgotten, so that nobody takes it for settled.
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
            // Anything is allowed there.
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

    /// How far the next region is.
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
            // All clocks that count are at the greatest constants, or beyond.
            (true, None) => Step::Begins(Rational::from_integer(1)),
            (false, Some(next)) => Step::After(next),
            (false, None) => Step::Nowhere,
        })
    }

    /// The place that stands for all those in its region, and a text of numbers that tells it from others.
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

    /// The value of each clock, with the greatest constant that counts for it; none of what is gone.
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

/// No location has such a number.
const GONE: i64 = -1;
const ERROR: i64 = -2;

/// A value has as many numbers as all others of its type.
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
        return Err(Trouble::Limit(format!("it has more than {MOST_PLACES} regions of clocks")));
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

/// Takes back what is not consistent until nothing changes; what came before the first is settled.
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
