//! Certificates of refinements that hold: the relation, and the states of components and conjunctions alone.
//!
//! Invariant: a certificate is a claim. What is reached is kept with zones that are made larger by the greatest constants, until
//! nothing new is reached and each successor is included in one node as it is; so whoever checks it needs no bounds of
//! clocks. Quotients, and what has to be pruned, have no certificates.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use tempora_evidence::{
    Budget, CertifiedLeaves, ClockBound, RefinementCertificate, UnknownReason, searched_parts,
};
use tempora_model::{Network, SpecificationQuery};
use tempora_zones::{Clock, Dimension, Extrapolation, LuBounds, Zone};

use crate::component::InputCompletion;
use crate::frame::Frame;
use crate::pair::{Pair, Sides};
use crate::state::{StateId, after};
use crate::stop::Stop;
use crate::theory::{Making, Obstacle, SpecificationId, Theory};

/// A certificate of a refinement that holds, or why there is none.
pub fn refinement_certificate(
    network: &Network,
    question: &SpecificationQuery,
    budget: &Budget,
) -> Result<RefinementCertificate, UnknownReason> {
    let mut theory = Theory::new(network, InputCompletion::default(), budget);
    match certificate(&mut theory, question) {
        Ok(certificate) => Ok(certificate),
        Err(Obstacle::Actions(why)) => Err(UnknownReason::Unsupported(why)),
        Err(Obstacle::Stop(stop)) => Err(stop.into()),
    }
}

fn certificate(
    theory: &mut Theory<'_>,
    question: &SpecificationQuery,
) -> Result<RefinementCertificate, Obstacle> {
    let SpecificationQuery::Refinement(left, right) = question else {
        return Err(declined("certificates are made for refinements only").into());
    };
    let mut certificate = RefinementCertificate::default();
    for part in searched_parts(left, right) {
        let id = theory.meaning(part)?;
        certificate.parts.push(states_alone(theory, id)?);
    }
    let (left, right) = (theory.meaning(left)?, theory.meaning(right)?);
    certificate.pairs = related_states(theory, left, right)?;
    Ok(certificate)
}

fn declined(what: &str) -> Stop {
    Stop::Unsupported(what.to_owned())
}

/// What a certificate cannot have.
fn refuse_what_is_unknown(theory: &Theory<'_>, id: SpecificationId) -> Result<(), Stop> {
    if !theory[id].diagonals.is_empty() {
        return Err(declined("certificates of refinements have no conditions on differences of clocks"));
    }
    match theory[id].making {
        Making::Quotient(..) => Err(declined("quotients have no certificates")),
        Making::Restricted(..) => Err(declined("what must always hold has no certificates")),
        Making::Pruned(_) => {
            Err(declined("what nothing implements had to be removed, which no certificate shows"))
        }
        Making::Component { .. } => Ok(()),
        Making::Composition(left, right) | Making::Conjunction(left, right) => {
            refuse_what_is_unknown(theory, left)?;
            refuse_what_is_unknown(theory, right)
        }
    }
}

/// The zones of each discrete state, and those whose successors have not been looked at.
struct Found<State> {
    zones: HashMap<State, Vec<Zone>>,
    order: Vec<(State, Zone)>,
    waiting: VecDeque<(State, Zone)>,
}

impl<State: Copy + Eq + std::hash::Hash> Found<State> {
    fn new() -> Found<State> {
        Found { zones: HashMap::new(), order: Vec::new(), waiting: VecDeque::new() }
    }

    /// Keeps a zone, after time and made larger, unless it is included in one that is kept.
    fn arrive(&mut self, state: State, entry: Zone, good: &Zone, bounds: &LuBounds) -> Result<(), Stop> {
        let mut zone = entry;
        loop {
            let before = zone.clone();
            zone.up();
            zone.intersect(good)?;
            zone.extrapolate(Extrapolation::M, bounds)?;
            zone.intersect(good)?;
            if zone.is_subset_of(&before) {
                break;
            }
        }
        let known = self.zones.entry(state).or_default();
        if !zone.is_empty() && !known.iter().any(|kept| zone.is_subset_of(kept)) {
            known.retain(|kept| !kept.is_subset_of(&zone));
            known.push(zone.clone());
            self.order.push((state, zone.clone()));
            self.waiting.push_back((state, zone));
        }
        Ok(())
    }

    /// The nodes that no other has replaced, in the order in which they were found.
    fn kept(self) -> Vec<(State, Zone)> {
        let Found { zones, order, .. } = self;
        order.into_iter().filter(|(state, zone)| zones[state].contains(zone)).collect()
    }

    fn is_kept(&self, state: State, zone: &Zone) -> bool {
        self.zones[&state].contains(zone)
    }
}

/// The good valuations of a state as one zone.
fn convex(good: &tempora_zones::Federation) -> Result<&Zone, Stop> {
    match good.zones() {
        [zone] => Ok(zone),
        _ => Err(declined("certificates have no states that are not allowed at all")),
    }
}

/// All states of a specification, when its environment does what it likes.
fn states_alone(theory: &mut Theory<'_>, id: SpecificationId) -> Result<Vec<CertifiedLeaves>, Stop> {
    refuse_what_is_unknown(theory, id)?;
    let mut found = Found::new();
    let start = theory.initial(id)?;
    let mut arrivals = vec![(start, Zone::zero(theory[id].dimension))];
    loop {
        for (state, entry) in arrivals.drain(..) {
            let unfolded = theory.state(id, state)?;
            found.arrive(state, entry, convex(&unfolded.good)?, &unfolded.bounds)?;
            theory.watch.check(found.order.len() as u64)?;
        }
        let Some((state, zone)) = found.waiting.pop_front() else { break };
        if !found.is_kept(state, &zone) {
            continue;
        }
        for one in &theory.state(id, state)?.moves {
            for part in one.guard.zones() {
                let mut taken = zone.clone();
                if taken.intersect(part)? {
                    arrivals.push((one.target, after(&one.updates, taken)?));
                }
            }
        }
    }
    found.kept().into_iter().map(|(state, zone)| leaves(theory, &[(id, state)], &zone)).collect()
}

/// All states of two sides that are reached together, as far as something may still be refused.
fn related_states(
    theory: &mut Theory<'_>,
    left: SpecificationId,
    right: SpecificationId,
) -> Result<Vec<CertifiedLeaves>, Stop> {
    refuse_what_is_unknown(theory, left)?;
    refuse_what_is_unknown(theory, right)?;
    let clocks = theory[left].dimension.size() + theory[right].dimension.size() - 2;
    let dimension = Dimension::for_clocks(clocks)?;
    let frame = Frame::new(theory, left, right, dimension);
    let is_slack = vec![false; clocks];
    let mut pairs: HashMap<(StateId, StateId), Pair> = HashMap::new();
    let mut found = Found::new();
    let start = (theory.initial(left)?, theory.initial(right)?);
    let mut arrivals = vec![(start, Zone::zero(dimension))];
    loop {
        for (states, entry) in arrivals.drain(..) {
            let pair = match pairs.entry(states) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => {
                    let (one, other) = (theory.state(left, states.0)?, theory.state(right, states.1)?);
                    let alphabets = (&theory[left].alphabet, &theory[right].alphabet);
                    let sides = Sides { frame: &frame, dimension, alphabets, is_slack: &is_slack };
                    place.insert(Pair::unfold(&sides, states, (&one, &other))?)
                }
            };
            if !pair.is_settled {
                found.arrive(states, entry, convex(&pair.allowed)?, &pair.bounds)?;
                theory.watch.check(found.order.len() as u64)?;
            }
        }
        let Some((states, zone)) = found.waiting.pop_front() else { break };
        if !found.is_kept(states, &zone) {
            continue;
        }
        for one in &pairs[&states].moves {
            for part in one.guard.zones() {
                let mut taken = zone.clone();
                if taken.intersect(part)? {
                    arrivals.push((one.target, after(&one.updates, taken)?));
                }
            }
        }
    }
    let kept = found.kept().into_iter();
    kept.map(|((one, other), zone)| leaves(theory, &[(left, one), (right, other)], &zone)).collect()
}

/// A node of some specifications side by side; the clocks that make locations urgent are left out.
fn leaves(
    theory: &Theory<'_>,
    states: &[(SpecificationId, StateId)],
    zone: &Zone,
) -> Result<CertifiedLeaves, Stop> {
    let mut numbers = vec![None];
    let (mut components, mut found) = (Vec::new(), Vec::new());
    for &(id, state) in states {
        theory.leaves(id, 0, &mut components);
        theory.leaf_states(id, state, &mut found);
    }
    let mut leaves = Vec::with_capacity(components.len());
    let mut next = 0;
    for (&(_, number, _), state) in components.iter().zip(&found) {
        let component = theory.component_numbered(number);
        for clock in 0..component.dimension().size() - 1 {
            let is_written = clock < component.written_clocks();
            numbers.push(is_written.then_some(next));
            next += u32::from(is_written);
        }
        let state = state.and_then(|state| component.leaf_state(state));
        leaves.push(state.ok_or_else(|| declined("certificates do not have floating point numbers"))?);
    }
    let mut bounds = Vec::new();
    let clocks = || std::iter::once(Clock::REFERENCE).chain(zone.dimension().clocks());
    let number = |clock: Clock| numbers[usize::from(clock.0)];
    let is_left_out = |clock: Clock| clock != Clock::REFERENCE && number(clock).is_none();
    for left in clocks() {
        for right in clocks().filter(|&right| right != left && !is_left_out(right) && !is_left_out(left)) {
            let bound = zone.bound(left, right);
            let says_nothing = left == Clock::REFERENCE && bound.constant() == Some(0) && bound.is_weak();
            if let (Some(constant), false) = (bound.constant(), says_nothing) {
                let (left, right) = (number(left), number(right));
                let constant = i64::from(constant);
                bounds.push(ClockBound { left, right, constant, is_strict: !bound.is_weak() });
            }
        }
    }
    Ok(CertifiedLeaves { leaves, bounds })
}
