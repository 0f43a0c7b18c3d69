//! Certificates of refinement, consistency and determinism: the relation, and the states of each component and
//! conjunction with the states to remove.
//!
//! Zones are extrapolated by the maximal constants until no new zone is reached and every successor is included in a
//! node, so the checker needs no clock bounds. Removed states are listed in the order in which the game finds them. A
//! quotient on the right is unfolded by its defining law; other quotients have no certificates, unless both sides are
//! equal.
//!
//! Invariant: a certificate is only a claim.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use tempora_evidence::{
    Budget, BudgetWatch, CertificateZones, CertifiedLeaves, CertifiedPart, ClockBound,
    SpecificationCertificate, UnknownReason,
};
use tempora_model::{Network, SpecExpression, SpecificationQuery};
use tempora_zones::{Clock, Constraint, Dimension, Extrapolation, Federation, LuBounds, Zone};

use crate::component::InputCompletion;
use crate::frame::Frame;
use crate::pair::{Pair, Sides};
use crate::prune::bad_valuations_in_order;
use crate::refinement::Refinement;
use crate::search_abort::SearchAbort;
use crate::searched_parts::{holds_by_form, searched_parts};
use crate::state::{StateId, StateKind, after};
use crate::theory::{Construction, Obstacle, SpecificationId, Theory};

/// Returns a certificate of refinement, consistency or determinism if it holds, or the reason why none exists.
pub fn specification_certificate(
    network: &Network,
    question: &SpecificationQuery,
    zones: CertificateZones,
    budget: &Budget,
) -> Result<SpecificationCertificate, UnknownReason> {
    let mut theory = Theory::new(network, InputCompletion::default(), budget);
    match certificate(&mut theory, question, zones) {
        Ok(certificate) => Ok(certificate),
        Err(Obstacle::Actions(why)) => Err(UnknownReason::Unsupported(why)),
        Err(Obstacle::Abort(stop)) => Err(stop.into()),
    }
}

fn certificate(
    theory: &mut Theory<'_>,
    question: &SpecificationQuery,
    zones: CertificateZones,
) -> Result<SpecificationCertificate, Obstacle> {
    let mut certificate = SpecificationCertificate::default();
    for part in searched_parts(question) {
        let raw = match part {
            SpecExpression::Conjunction(left, right) => {
                let (left, right) = (theory.meaning(left)?, theory.meaning(right)?);
                theory.conjunction(left, right)?
            }
            _ => theory.unpruned(part, true)?,
        };
        certificate.parts.push(part_alone(theory, raw, zones)?);
    }
    match question {
        SpecificationQuery::Refinement(left, right) if holds_by_form(left, right) => {}
        SpecificationQuery::Refinement(left, right) => {
            let (mut left, mut right) = (theory.meaning(left)?, right);
            // `X <= T \\ S` if and only if `S || X <= T`.
            while let SpecExpression::Quotient(whole, part) = right {
                let part = theory.meaning(part)?;
                left = theory.composition(part, left)?;
                right = whole;
            }
            let right = theory.meaning(right)?;
            require_supported(theory, left)?;
            require_supported(theory, right)?;
            // A specification without implementations refines every specification.
            if theory.has_good_start(left)? {
                certificate.pairs = related_states(theory, left, right, zones)?;
            }
        }
        SpecificationQuery::Consistency(system) => {
            let id = theory.meaning(system)?;
            require_supported(theory, id)?;
        }
        SpecificationQuery::Determinism(_) => {}
        _ => {
            let why = "only refinements, consistency and determinism have certificates";
            return Err(declined(why).into());
        }
    }
    Ok(certificate)
}

fn declined(what: &str) -> SearchAbort {
    SearchAbort::Unsupported(what.to_owned())
}

/// Declines specifications that certificates do not support.
fn require_supported(theory: &Theory<'_>, id: SpecificationId) -> Result<(), SearchAbort> {
    match theory[id].construction {
        Construction::Quotient(..) => Err(declined(
            "quotients have certificates only as the right side of a refinement, or if both sides are equal",
        )),
        Construction::Restricted(..) => {
            Err(declined("specifications restricted by `A[]` have no certificates"))
        }
        Construction::Component { .. } => Ok(()),
        Construction::Pruned(inner) => require_supported(theory, inner),
        Construction::Composition(left, right) | Construction::Conjunction(left, right) => {
            require_supported(theory, left)?;
            require_supported(theory, right)
        }
    }
}

/// The zones of each discrete state, and those whose successors have not been explored.
struct ZoneStore<State> {
    zones: HashMap<State, Vec<Zone>>,
    order: Vec<(State, Zone)>,
    waiting: VecDeque<(State, Zone)>,
}

/// The good set of a state, and the bounds of its clocks.
struct StateBounds<'state> {
    good: &'state Federation,
    bounds: &'state LuBounds,
    diagonals: &'state [Constraint],
    zones: CertificateZones,
}

impl StateBounds<'_> {
    /// Returns the delay successors of a zone, extrapolated.
    fn delay_successors(&self, mut entry: Zone) -> Result<Vec<Zone>, SearchAbort> {
        let zones = match self.good.zones() {
            [good] => {
                entry.up();
                entry.intersect(good)?;
                vec![entry]
            }
            _ => Federation::from(entry).timed_successors(&self.good.complement()?)?.zones().to_vec(),
        };
        let mut found = Vec::new();
        for zone in zones.into_iter().filter(|zone| !zone.is_empty()) {
            for (sides, mut part) in self.divided(zone)? {
                if self.zones == CertificateZones::Enlarged {
                    part.extrapolate(Extrapolation::M, self.bounds)?;
                }
                for side in sides {
                    part.constrain(side)?;
                }
                for good in self.good.zones() {
                    let mut inside = part.clone();
                    if inside.intersect(good)? {
                        found.push(inside);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Splits a zone at each compared clock difference and returns each part with its sides: extrapolation beyond them
    /// would add valuations that are not equivalent. See Bengtsson and Yi, "On clock difference constraints and
    /// termination in reachability analysis of timed automata" (2003).
    fn divided(&self, zone: Zone) -> Result<Vec<(Vec<Constraint>, Zone)>, SearchAbort> {
        let mut parts = vec![(Vec::new(), zone)];
        for &diagonal in self.diagonals {
            let Some(opposite) = diagonal.negated() else { continue };
            let mut next = Vec::with_capacity(parts.len());
            for (sides, zone) in parts {
                for side in [diagonal, opposite] {
                    let mut part = zone.clone();
                    if part.constrain(side)? {
                        let mut sides = sides.clone();
                        sides.push(side);
                        next.push((sides, part));
                    }
                }
            }
            parts = next;
        }
        Ok(parts)
    }
}

impl<State: Copy + Eq + std::hash::Hash> ZoneStore<State> {
    fn new() -> ZoneStore<State> {
        ZoneStore { zones: HashMap::new(), order: Vec::new(), waiting: VecDeque::new() }
    }

    /// Stores the extrapolated delay successors of a zone that no stored zone includes.
    fn arrive(
        &mut self,
        state: State,
        entry: Zone,
        bounds: &StateBounds<'_>,
        watch: &mut BudgetWatch<'_>,
    ) -> Result<(), SearchAbort> {
        // An extrapolated zone may have more delay successors.
        let mut entries = vec![entry];
        while let Some(entry) = entries.pop() {
            for zone in bounds.delay_successors(entry)? {
                let known = self.zones.entry(state).or_default();
                if !known.iter().any(|kept| zone.is_subset_of(kept)) {
                    known.retain(|kept| !kept.is_subset_of(&zone));
                    known.push(zone.clone());
                    self.order.push((state, zone.clone()));
                    self.waiting.push_back((state, zone.clone()));
                    entries.push(zone);
                    watch.check(self.order.len() as u64)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the nodes that no other node has replaced, in the order of their discovery.
    fn kept(self) -> Vec<(State, Zone)> {
        let ZoneStore { zones, order, .. } = self;
        order.into_iter().filter(|(state, zone)| zones[state].contains(zone)).collect()
    }

    fn is_kept(&self, state: State, zone: &Zone) -> bool {
        self.zones[&state].contains(zone)
    }
}

/// Returns the reachable states of a specification in a free environment, and those to remove.
fn part_alone(
    theory: &mut Theory<'_>,
    id: SpecificationId,
    zones: CertificateZones,
) -> Result<CertifiedPart, SearchAbort> {
    require_supported(theory, id)?;
    let mut found = ZoneStore::new();
    let start = theory.initial(id)?;
    let mut arrivals = Vec::new();
    if theory.has_good_start(id)? {
        arrivals.push((start, Zone::zero(theory[id].dimension)));
    }
    let diagonals = theory[id].diagonals.clone();
    loop {
        for (state, entry) in arrivals.drain(..) {
            let unfolded = theory.state(id, state)?;
            // Error states need no node: they are removed by their kind.
            if unfolded.kind != StateKind::Error {
                let bounds = StateBounds {
                    good: &unfolded.good,
                    bounds: &unfolded.bounds,
                    diagonals: &diagonals,
                    zones,
                };
                found.arrive(state, entry, &bounds, &mut theory.watch)?;
            }
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
    let mut part = CertifiedPart::default();
    for (state, zone) in found.kept() {
        part.states.push(leaves(theory, &[(id, state)], &zone)?);
    }
    let mut increments = Vec::new();
    bad_valuations_in_order(theory, id, Some(&mut increments))?;
    for increment in increments {
        if theory.state(id, increment.state)?.kind == StateKind::Error {
            continue;
        }
        for zone in increment.valuations.zones() {
            part.removed.push(leaves(theory, &[(id, increment.state)], zone)?);
        }
    }
    Ok(part)
}

/// Explores the reachable pairs of states of two sides in which something may still be refused.
fn related_states(
    theory: &mut Theory<'_>,
    left: SpecificationId,
    right: SpecificationId,
    zones: CertificateZones,
) -> Result<Vec<CertifiedLeaves>, SearchAbort> {
    let clocks = theory[left].dimension.size() + theory[right].dimension.size() - 2;
    let dimension = Dimension::for_clocks(clocks)?;
    let frame = Frame::new(theory, left, right, dimension);
    let is_slack = vec![false; clocks];
    let mut pairs: HashMap<(StateId, StateId), Pair> = HashMap::new();
    let mut found = ZoneStore::new();
    let diagonals = Refinement::diagonals_of(theory, left, right);
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
                let bounds =
                    StateBounds { good: &pair.allowed, bounds: &pair.bounds, diagonals: &diagonals, zones };
                found.arrive(states, entry, &bounds, &mut theory.watch)?;
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

/// Returns a node of specifications side by side, without the clocks that model urgency.
fn leaves(
    theory: &Theory<'_>,
    states: &[(SpecificationId, StateId)],
    zone: &Zone,
) -> Result<CertifiedLeaves, SearchAbort> {
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
        leaves.push(state.ok_or_else(|| declined("certificates do not support floating point numbers"))?);
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
