//! Federations: finite unions of zones.
//!
//! Invariant: all zones have the federation's dimension and none is empty; they may overlap. Every predicate depends on
//! the set of valuations only, not on the list of zones that represents it.

use crate::bound::BoundOverflow;
use crate::clock::{Clock, Dimension};
use crate::constraint::Constraint;
use crate::point::{Point, Rational};
use crate::relation::Relation;
use crate::update::ClockUpdate;
use crate::zone::Zone;

/// A finite union of zones.
///
/// After a [`BoundOverflow`] the federation is unspecified: drop it.
#[derive(Clone, Debug)]
pub struct Federation {
    dimension: Dimension,
    zones: Vec<Zone>,
}

impl From<Zone> for Federation {
    fn from(zone: Zone) -> Federation {
        Federation::from_zones(zone.dimension(), vec![zone])
    }
}

impl Federation {
    /// Creates the empty federation.
    pub fn empty(dimension: Dimension) -> Federation {
        Federation { dimension, zones: Vec::new() }
    }

    /// Creates the federation of all valuations without negative clocks.
    pub fn universe(dimension: Dimension) -> Federation {
        Federation::from(Zone::universe(dimension))
    }

    /// Creates the union of the zones, which all have the given dimension.
    pub fn from_zones(dimension: Dimension, mut zones: Vec<Zone>) -> Federation {
        assert!(zones.iter().all(|zone| zone.dimension() == dimension), "zones of different dimensions");
        zones.retain(|zone| !zone.is_empty());
        Federation { dimension, zones }
    }

    /// Returns the number of clocks, including the reference clock.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// Returns the zones of the union.
    pub fn zones(&self) -> &[Zone] {
        &self.zones
    }

    /// Returns whether the federation is empty.
    pub fn is_empty(&self) -> bool {
        self.zones.is_empty()
    }

    /// Returns whether the point is in the federation.
    pub fn contains_point(&self, point: &[Rational]) -> bool {
        self.zones.iter().any(|zone| zone.contains_point(point))
    }

    /// Returns a point of the federation; `None` if it is empty.
    pub fn point_inside(&self) -> Option<Point> {
        self.zones.first().and_then(Zone::point_inside)
    }

    /// Adds the valuations of another federation.
    pub fn union(&mut self, other: Federation) {
        assert_eq!(self.dimension, other.dimension, "federations of different dimensions");
        self.zones.extend(other.zones);
    }

    /// Adds the valuations of a zone, unless one zone of the federation includes it.
    pub fn add(&mut self, zone: Zone) {
        assert_eq!(self.dimension, zone.dimension(), "zone of another dimension");
        if !zone.is_empty() && !self.zones.iter().any(|other| zone.is_subset_of(other)) {
            self.zones.retain(|other| !other.is_subset_of(&zone));
            self.zones.push(zone);
        }
    }

    /// Keeps the valuations that are also in the other federation.
    pub fn intersect(&mut self, other: &Federation) -> Result<(), BoundOverflow> {
        assert_eq!(self.dimension, other.dimension, "federations of different dimensions");
        let mut zones = Vec::new();
        for mine in &self.zones {
            if other.zones.iter().any(|theirs| mine.is_subset_of(theirs)) {
                zones.push(mine.clone());
                continue;
            }
            for theirs in other.zones.iter().filter(|theirs| !mine.is_separated_from(theirs)) {
                let mut both = mine.clone();
                if both.intersect(theirs)? {
                    zones.push(both);
                }
            }
        }
        self.zones = zones;
        Ok(())
    }

    /// Keeps the valuations that satisfy the constraint.
    pub fn constrain(&mut self, constraint: Constraint) -> Result<(), BoundOverflow> {
        self.change_each(|zone| zone.constrain(constraint).map(drop))
    }

    /// Removes the valuations of a zone.
    pub fn subtract_zone(&mut self, zone: &Zone) -> Result<(), BoundOverflow> {
        let mut pieces = Vec::with_capacity(self.zones.len());
        for mine in &self.zones {
            if !mine.is_subset_of(zone) {
                mine.subtract_into(zone, &mut pieces)?;
            }
        }
        self.zones = pieces;
        Ok(())
    }

    /// Removes the valuations of another federation.
    pub fn subtract(&mut self, other: &Federation) -> Result<(), BoundOverflow> {
        assert_eq!(self.dimension, other.dimension, "federations of different dimensions");
        for zone in &other.zones {
            if self.zones.is_empty() {
                break;
            }
            self.subtract_zone(zone)?;
        }
        Ok(())
    }

    /// Returns the valuations without negative clocks that are not in the federation.
    pub fn complement(&self) -> Result<Federation, BoundOverflow> {
        let mut complement = Federation::universe(self.dimension);
        complement.subtract(self)?;
        Ok(complement)
    }

    /// Returns whether each valuation is in the other federation, possibly in different zones of it.
    pub fn is_subset_of(&self, other: &Federation) -> Result<bool, BoundOverflow> {
        for zone in &self.zones {
            if first_piece_outside(zone, &other.zones)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether each valuation of the zone is in the federation.
    pub fn includes_zone(&self, zone: &Zone) -> Result<bool, BoundOverflow> {
        Ok(first_piece_outside(zone, &self.zones)?.is_none())
    }

    /// Returns whether both have the same valuations.
    pub fn is_equal_to(&self, other: &Federation) -> Result<bool, BoundOverflow> {
        Ok(self.is_subset_of(other)? && other.is_subset_of(self)?)
    }

    /// Returns the relation of this federation to the other.
    pub fn relation(&self, other: &Federation) -> Result<Relation, BoundOverflow> {
        Ok(Relation::from_inclusions(self.is_subset_of(other)?, other.is_subset_of(self)?))
    }

    /// Returns a point of this federation that is not in the other, if any.
    pub fn witness_outside(&self, other: &Federation) -> Result<Option<Point>, BoundOverflow> {
        for zone in &self.zones {
            if let Some(piece) = first_piece_outside(zone, &other.zones)? {
                return Ok(piece.point_inside());
            }
        }
        Ok(None)
    }

    /// Lets time pass (future).
    pub fn up(&mut self) {
        self.zones.iter_mut().for_each(Zone::up);
    }

    /// Lets time pass backwards (past).
    pub fn down(&mut self) {
        self.zones.iter_mut().for_each(Zone::down);
    }

    /// Removes all constraints on a clock, except that it is not negative.
    pub fn free(&mut self, clock: Clock) {
        self.zones.iter_mut().for_each(|zone| zone.free(clock));
    }

    /// Sets a clock to a constant.
    pub fn reset(&mut self, clock: Clock, value: u32) -> Result<(), BoundOverflow> {
        self.change_each(|zone| zone.reset(clock, value))
    }

    /// Replaces the federation by its image under the update.
    pub fn update(&mut self, update: ClockUpdate) -> Result<(), BoundOverflow> {
        self.change_each(|zone| zone.update(update).map(drop))
    }

    /// Replaces the federation by its preimage under the update.
    pub fn weakest_precondition(&mut self, update: ClockUpdate) -> Result<(), BoundOverflow> {
        self.change_each(|zone| zone.weakest_precondition(update).map(drop))
    }

    /// Represents the same set with fewer zones: drops zones that another includes and merges pairs of zones whose hull
    /// is their union.
    pub fn reduce(&mut self) -> Result<(), BoundOverflow> {
        self.drop_included();
        let mut first = 0;
        while first < self.zones.len() {
            let mut second = first + 1;
            while second < self.zones.len() {
                match exact_hull(&self.zones[first], &self.zones[second])? {
                    Some(hull) => {
                        self.zones[first] = hull;
                        self.zones.swap_remove(second);
                        // The larger zone may merge with zones that were tried before.
                        second = first + 1;
                    }
                    None => second += 1,
                }
            }
            first += 1;
        }
        // A merged zone may include others, and an earlier zone may now merge with it.
        self.drop_included();
        Ok(())
    }

    /// Drops zones that the union of the others includes. Slower than [`Self::reduce`].
    pub fn drop_redundant(&mut self) -> Result<(), BoundOverflow> {
        self.drop_included();
        let mut at = 0;
        while at < self.zones.len() {
            let zone = self.zones.swap_remove(at);
            if first_piece_outside(&zone, &self.zones)?.is_some() {
                self.zones.push(zone);
                let last = self.zones.len() - 1;
                self.zones.swap(at, last);
                at += 1;
            }
        }
        Ok(())
    }

    /// Drops zones that another zone includes.
    pub fn drop_included(&mut self) {
        let mut kept: Vec<Zone> = Vec::with_capacity(self.zones.len());
        for zone in self.zones.drain(..) {
            if !kept.iter().any(|other| zone.is_subset_of(other)) {
                kept.retain(|other| !other.is_subset_of(&zone));
                kept.push(zone);
            }
        }
        self.zones = kept;
    }

    fn change_each(
        &mut self,
        mut change: impl FnMut(&mut Zone) -> Result<(), BoundOverflow>,
    ) -> Result<(), BoundOverflow> {
        for zone in &mut self.zones {
            change(zone)?;
        }
        self.zones.retain(|zone| !zone.is_empty());
        Ok(())
    }
}

/// Returns a part of the zone outside all others; `None` if they cover it.
fn first_piece_outside(zone: &Zone, others: &[Zone]) -> Result<Option<Zone>, BoundOverflow> {
    if zone.is_empty() || others.iter().any(|other| zone.is_subset_of(other)) {
        return Ok(None);
    }
    // Depth-first, so that an uncovered part is found before all others are split. Each entry is a piece and the number
    // of zones that have been subtracted from it.
    let mut waiting = vec![(zone.clone(), 0)];
    let mut pieces = Vec::new();
    while let Some((piece, mut next)) = waiting.pop() {
        if others[next..].iter().any(|other| piece.is_subset_of(other)) {
            continue;
        }
        loop {
            let Some(other) = others.get(next) else { return Ok(Some(piece)) };
            next += 1;
            if piece.intersects(other)? {
                piece.subtract_into(other, &mut pieces)?;
                waiting.extend(pieces.drain(..).map(|piece| (piece, next)));
                break;
            }
        }
    }
    Ok(None)
}

/// Returns the hull of two zones if it is their union.
fn exact_hull(first: &Zone, second: &Zone) -> Result<Option<Zone>, BoundOverflow> {
    let mut hull = first.clone();
    hull.extend_to_hull(second);
    let outside_first = hull.minus(first)?;
    Ok(outside_first.iter().all(|piece| piece.is_subset_of(second)).then_some(hull))
}
