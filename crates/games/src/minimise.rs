//! Minimises a component by merging bisimilar locations.
//!
//! Invariant: two locations are merged only if, for equal values of their active clocks, they allow the same delays and
//! the same actions at the same times, which lead to bisimilar locations (a timed bisimulation that relates equal clock
//! values). A clock is active in a location if it may be compared before it is set. The coarsest such relation is
//! computed by partition refinement, as in Kanellakis and Smolka, "CCS expressions, finite state processes, and three
//! problems of equivalence" (1990), for automata without clocks.

use std::rc::Rc;

use tempora_zones::{Clock, ClockUpdate, Dimension, Federation, Zone};

use crate::action::ActionId;
use crate::explicit::{ExplicitComponent, ExplicitEdge};
use crate::search_abort::SearchAbort;
use crate::state::StateKind;
use crate::theory::Theory;

/// A move of a location: an action, its updates, the target block and the guard.
type Offer = (ActionId, Rc<[ClockUpdate]>, usize, Federation);

/// Merges bisimilar locations of a component.
pub(crate) fn minimised(
    theory: &mut Theory<'_>,
    mut component: ExplicitComponent,
) -> Result<ExplicitComponent, SearchAbort> {
    forget_inactive_clocks(&mut component);
    let count = component.locations.len();
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (number, edge) in component.edges.iter().enumerate() {
        leaving[edge.source].push(number);
    }
    let mut invariants = Vec::with_capacity(count);
    for location in &component.locations {
        invariants.push(Zone::from_constraints(component.dimension, &location.invariant)?);
    }
    let is_error = |number: usize| component.locations[number].kind == StateKind::Error;
    let mut blocks: Vec<usize> = vec![0; count];
    let mut firsts: Vec<usize> = Vec::new();
    for number in 0..count {
        let same =
            |&first: &usize| is_error(first) == is_error(number) && invariants[first] == invariants[number];
        blocks[number] = block_of(&mut firsts, number, same);
    }
    loop {
        let mut offers = Vec::with_capacity(count);
        for edges in &leaving {
            offers.push(offers_of(&component.edges, edges, &blocks)?);
        }
        let known = firsts.len();
        let mut finer: Vec<usize> = vec![0; count];
        let mut new_firsts: Vec<usize> = Vec::new();
        for number in 0..count {
            theory.watch.check(number as u64)?;
            let mut found = None;
            for (position, &first) in new_firsts.iter().enumerate() {
                if blocks[first] == blocks[number] && are_equal(&offers[first], &offers[number])? {
                    found = Some(position);
                    break;
                }
            }
            finer[number] = found.unwrap_or_else(|| {
                new_firsts.push(number);
                new_firsts.len() - 1
            });
        }
        (blocks, firsts) = (finer, new_firsts);
        if firsts.len() == known {
            break;
        }
    }
    let mut edges = Vec::new();
    for (block, &first) in firsts.iter().enumerate() {
        for (action, updates, target, guard) in offers_of(&component.edges, &leaving[first], &blocks)? {
            edges.push(ExplicitEdge { source: block, target, action, guard, updates });
        }
    }
    let mut locations: Vec<_> = firsts.iter().map(|&first| component.locations[first].clone()).collect();
    // Locations that are bisimilar to a universal one become universal.
    for (number, location) in component.locations.iter().enumerate() {
        if location.kind == StateKind::Universal {
            locations[blocks[number]].kind = StateKind::Universal;
        }
    }
    Ok(ExplicitComponent { dimension: component.dimension, locations, edges })
}

fn block_of(firsts: &mut Vec<usize>, number: usize, same: impl Fn(&usize) -> bool) -> usize {
    firsts.iter().position(same).unwrap_or_else(|| {
        firsts.push(number);
        firsts.len() - 1
    })
}

fn offers_of(edges: &[ExplicitEdge], leaving: &[usize], blocks: &[usize]) -> Result<Vec<Offer>, SearchAbort> {
    let mut offers: Vec<Offer> = Vec::with_capacity(leaving.len());
    for &number in leaving {
        let edge = &edges[number];
        let target = blocks[edge.target];
        let known = offers.iter_mut().find(|(action, updates, block, _)| {
            (*action, *block) == (edge.action, target) && *updates == edge.updates
        });
        match known {
            Some((_, _, _, guard)) => guard.union(edge.guard.clone()),
            None => offers.push((edge.action, edge.updates.clone(), target, edge.guard.clone())),
        }
    }
    for (_, _, _, guard) in &mut offers {
        guard.reduce()?;
    }
    Ok(offers)
}

fn are_equal(left: &[Offer], right: &[Offer]) -> Result<bool, SearchAbort> {
    if left.len() != right.len() {
        return Ok(false);
    }
    for (action, updates, block, guard) in left {
        let same = right
            .iter()
            .find(|(other, effect, target, _)| (*other, *target) == (*action, *block) && effect == updates);
        match same {
            Some((_, _, _, other)) if guard.is_equal_to(other)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// Drops updates of clocks that are inactive in the target.
fn forget_inactive_clocks(component: &mut ExplicitComponent) {
    let dimension = component.dimension;
    let mut active: Vec<Vec<bool>> = Vec::with_capacity(component.locations.len());
    for location in &component.locations {
        let mut clocks = vec![false; dimension.size()];
        for bound in &location.invariant {
            clocks[usize::from(bound.left.0)] = true;
        }
        active.push(clocks);
    }
    for edge in &component.edges {
        compared_clocks(&edge.guard, dimension, &mut active[edge.source]);
    }
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for edge in &component.edges {
            let needed = before_updates(&edge.updates, active[edge.target].clone());
            for (clock, is_needed) in active[edge.source].iter_mut().zip(needed) {
                has_changed |= is_needed && !*clock;
                *clock |= is_needed;
            }
        }
    }
    for edge in &mut component.edges {
        // Backwards: a clock that is set later is not active before.
        let mut needed = active[edge.target].clone();
        let mut kept: Vec<ClockUpdate> = Vec::new();
        for &update in edge.updates.iter().rev() {
            let target = usize::from(target_of(update).0);
            if needed[target] {
                kept.push(update);
                needed = before_updates(&[update], needed);
            }
        }
        kept.reverse();
        edge.updates = kept.into();
    }
}

fn target_of(update: ClockUpdate) -> Clock {
    match update {
        ClockUpdate::Reset { clock, .. } | ClockUpdate::Shift { clock, .. } => clock,
        ClockUpdate::Copy { target, .. } => target,
    }
}

/// Returns the active clocks before updates, given those after them.
fn before_updates(updates: &[ClockUpdate], mut needed: Vec<bool>) -> Vec<bool> {
    for update in updates.iter().rev() {
        match *update {
            ClockUpdate::Reset { clock, .. } => needed[usize::from(clock.0)] = false,
            ClockUpdate::Copy { target, from } => {
                let is_needed = std::mem::replace(&mut needed[usize::from(target.0)], false);
                needed[usize::from(from.0)] |= is_needed;
            }
            ClockUpdate::Shift { .. } => {}
        }
    }
    needed
}

/// Marks the clocks that a set constrains.
fn compared_clocks(set: &Federation, dimension: Dimension, found: &mut [bool]) {
    debug_assert_eq!(set.dimension(), dimension);
    for constraint in set.zones().iter().flat_map(Zone::minimal_constraints) {
        for clock in [constraint.left, constraint.right] {
            if clock != Clock::REFERENCE {
                found[usize::from(clock.0)] = true;
            }
        }
    }
}
