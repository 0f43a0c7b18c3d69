//! Clock bounds: the constants that each clock may still be compared with, for each location.
//!
//! Invariant: a constant in a guard, an invariant or a query predicate that is evaluated at run time is at most the
//! bound used in that state; a clock without bounds in a state is not read before it is set again. Debug builds check
//! the first part at every comparison.
//!
//! Bounds propagate backwards over the edges of each process until the clock is set (Behrmann, Bouyer, Fleury and
//! Larsen, "Static guard analysis in timed automata verification", 2003); the bound in a state is the maximum over all
//! processes. Constants of queries, copied clocks and clock differences are not propagated; they count in every
//! location.
//!
//! The bounds define a simulation. Where a clock condition may also prevent a transition, its constants count as lower
//! and as upper bounds: for receivers of broadcasts always; everywhere if the network has priorities or urgent
//! channels, or if the search is about branching. The relation is then "equal, or both above the greatest constant", a
//! bisimulation. With different lower and upper bounds it preserves reachability and infinite runs only. Searches for
//! deadlocks start with a simulation and refine it to a bisimulation for the clocks where that matters
//! (`hidden_deadlocks.rs`).

use std::collections::{BTreeSet, VecDeque};

use tempora_machine::{Interval, Layout, Machine, Ranges, clock_in_sum, constant_clock, for_each_expression};
use tempora_model::{
    BinaryOperator, Comparison, Condition, Expression, ExpressionKind, Id, Network, Process, ProcessId,
    SynchronisationRole, Type, UnaryOperator,
};

pub(crate) const NONE: i32 = -1;

/// A lower and an upper bound; [`NONE`] is minus infinity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LuPair {
    pub(crate) lower: i32,
    pub(crate) upper: i32,
}

impl LuPair {
    const NONE: LuPair = LuPair { lower: NONE, upper: NONE };

    fn raise(&mut self, other: LuPair) -> bool {
        let before = *self;
        self.lower = self.lower.max(other.lower);
        self.upper = self.upper.max(other.upper);
        *self != before
    }

    pub(crate) fn is_active(self) -> bool {
        self.lower != NONE || self.upper != NONE
    }

    /// Returns whether related values are equal or both above all constants.
    pub(crate) fn is_equal(self) -> bool {
        self.lower == self.upper
    }

    fn make_equal(&mut self) {
        let most = self.lower.max(self.upper);
        *self = LuPair { lower: most, upper: most };
    }
}

/// `left - right` compared with a constant, for clocks counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Diagonal {
    pub(crate) left: u16,
    pub(crate) right: u16,
    pub(crate) constant: i64,
    pub(crate) is_strict: bool,
}

/// The bounds of a network and some predicates.
pub(crate) struct ClockBounds {
    clock_count: usize,
    /// For each process, the first row of its locations in the table.
    first_location: Vec<usize>,
    /// For each location of each process, a pair for each clock.
    table: Vec<LuPair>,
    /// Bounds that apply in every location.
    everywhere: Vec<LuPair>,
    /// The processes that have bounds on each clock.
    users: Vec<Vec<u32>>,
    words: usize,
    /// For each location, a bit set of the clocks with bounds.
    masks: Vec<u64>,
    mask_everywhere: Vec<u64>,
    /// Clock differences that occur in conditions.
    pub(crate) diagonals: Vec<Diagonal>,
}

/// The size limit of the tables.
const LARGEST_TABLE: usize = 1 << 26;
/// The limit on clock differences, and on constants for one computed difference.
const MOST_DIAGONALS: usize = 256;

/// The behaviour that a search must preserve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Profile<'search> {
    /// Reachability: the relation is a simulation.
    Reach,
    /// Branching behaviour: the relation is a bisimulation.
    Branching,
    /// Reachability, and more as far as it depends on these clocks, from 0: a simulation that keeps their values equal,
    /// or all above the greatest constant. A bisimulation where clocks are compared with or assigned to each other.
    Simulation(&'search BTreeSet<usize>),
}

/// A predicate with the truth value to search for.
pub(crate) type WantedPredicate<'query> = (&'query Expression, bool);

impl ClockBounds {
    pub(crate) fn new(
        network: &Network,
        machine: &Machine,
        predicates: &[WantedPredicate<'_>],
        profile: Profile<'_>,
    ) -> Result<ClockBounds, String> {
        let layout = machine.layout();
        let clock_count = layout.clock_count();
        let mut first_location = Vec::new();
        let mut locations = 0usize;
        for process in network.processes.values() {
            first_location.push(locations);
            locations += process.locations.len();
        }
        if locations.saturating_mul(clock_count) > LARGEST_TABLE {
            return Err("a network with too many locations and clocks".to_owned());
        }
        let ranges = Ranges::new(network);
        let mut analysis = Analysis {
            network,
            layout,
            ranges: &ranges,
            diagonals: BTreeSet::new(),
            needs_both: profile == Profile::Branching
                || machine.has_priorities()
                || machine.has_urgent_edges(),
        };
        let mut bounds = ClockBounds {
            clock_count,
            first_location,
            table: vec![LuPair::NONE; locations * clock_count],
            everywhere: vec![LuPair::NONE; clock_count],
            users: Vec::new(),
            words: clock_count.div_ceil(64),
            masks: Vec::new(),
            mask_everywhere: Vec::new(),
            diagonals: Vec::new(),
        };
        for (predicate, wanted) in predicates {
            let mut raise = |clock: usize, pair| {
                bounds.everywhere[clock].raise(pair);
            };
            analysis.atoms(predicate, *wanted, false, &mut raise)?;
        }
        for (id, process) in network.processes.iter() {
            bounds.of_process(&mut analysis, id, process)?;
        }
        let assignments = analysis.assignments();
        if let Profile::Simulation(_) = profile
            && !(analysis.diagonals.is_empty() && assignments.copies.is_empty())
        {
            return ClockBounds::new(network, machine, predicates, Profile::Branching);
        }
        bounds.close_under_assignments(&mut analysis, &assignments)?;
        if analysis.needs_both {
            bounds.table.iter_mut().chain(&mut bounds.everywhere).for_each(LuPair::make_equal);
        } else if let Profile::Simulation(clocks) = profile {
            for &clock in clocks {
                let rows = bounds.table.chunks_mut(clock_count).map(|row| &mut row[clock]);
                rows.chain([&mut bounds.everywhere[clock]]).for_each(LuPair::make_equal);
            }
        }
        bounds.diagonals = analysis.diagonals.into_iter().collect();
        bounds.index();
        Ok(bounds)
    }

    /// Distinguishes the values of a clock, from 0, up to a constant: a zone does not cover another with smaller
    /// values. The clock must not be set or compared in the network.
    pub(crate) fn distinguish_up_to(&mut self, clock: usize, constant: i32) {
        self.everywhere[clock] = LuPair { lower: NONE, upper: constant };
        self.index();
    }

    /// Raises the bounds of a clock, from 0, in one location of a process.
    pub(crate) fn watch(&mut self, clock: usize, process: usize, location: usize, pair: LuPair) {
        let row = self.first_location[process] + location;
        self.table[row * self.clock_count + clock].raise(pair);
        self.index();
    }

    /// Raises the bounds of a clock, from 0, everywhere.
    pub(crate) fn watch_everywhere(&mut self, clock: usize, pair: LuPair) {
        self.everywhere[clock].raise(pair);
        self.index();
    }

    /// Returns whether the relation is a bisimulation.
    pub(crate) fn is_bisimulation(&self) -> bool {
        self.table.iter().chain(&self.everywhere).all(|pair| pair.is_equal())
    }

    /// Returns the greatest constant that a clock, from 0, is compared with anywhere, or [`NONE`].
    pub(crate) fn greatest(&self, clock: usize) -> i32 {
        let rows = self.table.chunks(self.clock_count).map(|row| row[clock]);
        rows.chain([self.everywhere[clock]]).fold(NONE, |most, pair| most.max(pair.lower).max(pair.upper))
    }

    /// Returns the bounds of a clock, from 0, in a state with these locations.
    #[inline]
    pub(crate) fn pair(&self, clock: usize, cells: &[i32]) -> LuPair {
        let mut pair = self.everywhere[clock];
        for &process in &self.users[clock] {
            let location = self.first_location[process as usize] + cells[process as usize] as usize;
            pair.raise(self.table[location * self.clock_count + clock]);
        }
        pair
    }

    /// Returns the active clocks, from 0, in a state with these locations: those read before they are set again.
    #[inline]
    pub(crate) fn active(&self, cells: &[i32], clocks: &mut Vec<u16>) {
        clocks.clear();
        for word in 0..self.words {
            let mut mask = self.mask_everywhere[word];
            for (first, &location) in self.first_location.iter().zip(cells) {
                mask |= self.masks[(first + location as usize) * self.words + word];
            }
            while mask != 0 {
                clocks.push((word * 64) as u16 + mask.trailing_zeros() as u16);
                mask &= mask - 1;
            }
        }
    }

    fn of_process(
        &mut self,
        analysis: &mut Analysis<'_>,
        id: ProcessId,
        process: &Process,
    ) -> Result<(), String> {
        let first = self.first_location[id.index()];
        let clock_count = self.clock_count;
        for (location_id, location) in process.locations.iter() {
            let row = &mut self.table[(first + location_id.index()) * clock_count..][..clock_count];
            analysis.condition(&location.invariant, false, &mut |clock, pair| {
                row[clock].raise(pair);
            })?;
        }
        // For each location the incoming branches: their sources, and the clocks that they always set.
        let mut incoming: Vec<Vec<(usize, Vec<usize>)>> = vec![Vec::new(); process.locations.len()];
        for edge in process.edges.values() {
            let receives_broadcast = edge.synchronisation.as_ref().is_some_and(|synchronisation| {
                synchronisation.role == SynchronisationRole::Receive
                    && matches!(&synchronisation.channel.value_type,
                        Type::Channel(kind) if kind.is_broadcast)
            });
            let row = &mut self.table[(first + edge.source.index()) * clock_count..][..clock_count];
            analysis.condition(&edge.guard, receives_broadcast, &mut |clock, pair| {
                row[clock].raise(pair);
            })?;
            for branch in &edge.branches {
                let mut set: Vec<usize> = branch
                    .updates
                    .iter()
                    .filter_map(|update| match &update.kind {
                        ExpressionKind::Assign { target, .. } => {
                            constant_clock(analysis.network, analysis.layout, target)
                        }
                        _ => None,
                    })
                    .collect();
                set.sort_unstable();
                incoming[branch.target.index()].push((edge.source.index(), set));
            }
        }
        let mut changed: VecDeque<usize> = (0..process.locations.len()).collect();
        let mut waits = vec![true; process.locations.len()];
        while let Some(target) = changed.pop_front() {
            waits[target] = false;
            for (source, set) in &incoming[target] {
                let mut has_changed = false;
                for clock in 0..clock_count {
                    let pair = self.table[(first + target) * clock_count + clock];
                    if pair.is_active() && set.binary_search(&clock).is_err() {
                        has_changed |= self.table[(first + source) * clock_count + clock].raise(pair);
                    }
                }
                if has_changed && !waits[*source] {
                    waits[*source] = true;
                    changed.push_back(*source);
                }
            }
        }
        Ok(())
    }

    /// Propagates bounds through assignments: a clock gets the bounds of its copies. A difference with a clock that is
    /// set becomes a condition on the other clock, and one with a copied clock a difference with the original.
    fn close_under_assignments(
        &mut self,
        analysis: &mut Analysis<'_>,
        assignments: &Assignments,
    ) -> Result<(), String> {
        if assignments.shifts && !analysis.diagonals.is_empty() {
            return Err("clock differences in a model that assigns sums to clocks".to_owned());
        }
        loop {
            let before = analysis.diagonals.len();
            let known: Vec<Diagonal> = analysis.diagonals.iter().copied().collect();
            for diagonal in &known {
                for &(to, from) in &assignments.copies {
                    let (to, from) = (to as u16 + 1, from as u16 + 1);
                    let renamed = |clock| if clock == to { from } else { clock };
                    let (left, right) = (renamed(diagonal.left), renamed(diagonal.right));
                    if left != right {
                        analysis.diagonals.insert(Diagonal { left, right, ..*diagonal });
                    }
                }
            }
            if analysis.diagonals.len() > MOST_DIAGONALS {
                return Err("too many clock differences".to_owned());
            }
            if analysis.diagonals.len() == before {
                break;
            }
        }
        for diagonal in &analysis.diagonals {
            let (left, right) = (usize::from(diagonal.left) - 1, usize::from(diagonal.right) - 1);
            if let Some(greatest) = assignments.constants[left] {
                // `e - y <= c` is `y >= e - c`.
                let lower = bound_of(greatest - diagonal.constant);
                self.everywhere[right].raise(LuPair { lower, upper: NONE });
            }
            if let Some(greatest) = assignments.constants[right] {
                let upper = bound_of(greatest + diagonal.constant);
                self.everywhere[left].raise(LuPair { lower: NONE, upper });
            }
        }
        loop {
            let mut has_changed = false;
            for &(to, from) in &assignments.copies {
                let mut pair = self.everywhere[to];
                for row in self.table.chunks(self.clock_count) {
                    pair.raise(row[to]);
                }
                has_changed |= self.everywhere[from].raise(pair);
            }
            if !has_changed {
                return Ok(());
            }
        }
    }

    fn index(&mut self) {
        let rows = self.table.len().checked_div(self.clock_count).unwrap_or(0);
        self.users = vec![Vec::new(); self.clock_count];
        self.masks = vec![0; rows * self.words];
        if self.clock_count == 0 {
            self.masks = Vec::new();
        }
        for (process, &first) in self.first_location.iter().enumerate() {
            let end = self.first_location.get(process + 1).copied().unwrap_or(rows);
            for clock in 0..self.clock_count {
                let mut is_user = false;
                for location in first..end {
                    if self.table[location * self.clock_count + clock].is_active() {
                        is_user = true;
                        self.masks[location * self.words + clock / 64] |= 1 << (clock % 64);
                    }
                }
                if is_user {
                    self.users[clock].push(process as u32);
                }
            }
        }
        self.mask_everywhere = vec![0; self.words];
        let compared = self.diagonals.iter().flat_map(|diagonal| [diagonal.left, diagonal.right]);
        let compared: Vec<usize> = compared.map(|clock| usize::from(clock) - 1).collect();
        for (clock, pair) in self.everywhere.iter().enumerate() {
            if pair.is_active() || compared.contains(&clock) {
                self.mask_everywhere[clock / 64] |= 1 << (clock % 64);
            }
        }
    }
}

/// All values assigned to clocks in the network.
struct Assignments {
    /// Pairs of clocks where one may be assigned to the other.
    copies: BTreeSet<(usize, usize)>,
    /// The greatest number that may be assigned to each clock.
    constants: Vec<Option<i64>>,
    /// Whether some clock is assigned the sum of a clock and a number.
    shifts: bool,
}

/// Converts a constant to a bound; negative constants give none, because clocks are never negative.
fn bound_of(constant: i64) -> i32 {
    i32::try_from(constant.max(i64::from(NONE))).unwrap_or(i32::MAX)
}

struct Analysis<'network> {
    network: &'network Network,
    layout: &'network Layout,
    ranges: &'network Ranges,
    diagonals: BTreeSet<Diagonal>,
    needs_both: bool,
}

impl Analysis<'_> {
    fn condition(
        &mut self,
        condition: &Condition,
        in_both_directions: bool,
        raise: &mut impl FnMut(usize, LuPair),
    ) -> Result<(), String> {
        for conjunct in condition.data.iter().chain(&condition.clocks) {
            self.atoms(conjunct, true, in_both_directions, raise)?;
        }
        Ok(())
    }

    /// Adds the clock comparisons in a condition, which is evaluated for truth or falsity.
    fn atoms(
        &mut self,
        condition: &Expression,
        wanted: bool,
        in_both_directions: bool,
        raise: &mut impl FnMut(usize, LuPair),
    ) -> Result<(), String> {
        match &condition.kind {
            ExpressionKind::CompareClocks { left, right, comparison, bound } => {
                let comparison = if wanted { *comparison } else { comparison.negated() };
                let interval = self.ranges.of(self.network, bound);
                let (left, right) = (self.clocks(left.as_deref()), self.clocks(right.as_deref()));
                self.comparison(left, right, comparison, interval, in_both_directions, raise)
            }
            ExpressionKind::Unary { operator: UnaryOperator::Not, operand } => {
                self.atoms(operand, !wanted, in_both_directions, raise)
            }
            ExpressionKind::Binary { operator, left, right } => {
                let (left_wanted, both) = match operator {
                    BinaryOperator::And | BinaryOperator::Or => (wanted, in_both_directions),
                    BinaryOperator::Imply => (!wanted, in_both_directions),
                    _ => (wanted, true),
                };
                self.atoms(left, left_wanted, both, raise)?;
                self.atoms(right, wanted, both, raise)
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                self.atoms(condition, wanted, true, raise)?;
                self.atoms(then, wanted, in_both_directions, raise)?;
                self.atoms(otherwise, wanted, in_both_directions, raise)
            }
            ExpressionKind::Quantified { body, .. } => self.atoms(body, wanted, in_both_directions, raise),
            _ => Ok(()),
        }
    }

    fn comparison(
        &mut self,
        left: Option<(usize, usize)>,
        right: Option<(usize, usize)>,
        comparison: Comparison,
        interval: Interval,
        in_both_directions: bool,
        raise: &mut impl FnMut(usize, LuPair),
    ) -> Result<(), String> {
        let both = in_both_directions || self.needs_both;
        let (is_upper, is_lower) = match comparison {
            _ if both => (true, true),
            Comparison::Less | Comparison::LessOrEqual => (true, false),
            Comparison::Greater | Comparison::GreaterOrEqual => (false, true),
            Comparison::Equal | Comparison::NotEqual => (true, true),
        };
        let pair = |is_lower: bool, is_upper: bool, value: i64| LuPair {
            lower: if is_lower { bound_of(value) } else { NONE },
            upper: if is_upper { bound_of(value) } else { NONE },
        };
        match (left, right) {
            (None, None) => {}
            (Some(clocks), None) => {
                (clocks.0..clocks.1)
                    .for_each(|clock| raise(clock, pair(is_lower, is_upper, interval.greatest)));
            }
            (None, Some(clocks)) => {
                // `0 - x <= c` is a lower bound of `x`.
                (clocks.0..clocks.1)
                    .for_each(|clock| raise(clock, pair(is_upper, is_lower, -interval.least)));
            }
            (Some(left), Some(right)) => {
                let values = interval.greatest - interval.least;
                let pairs = (left.1 - left.0).saturating_mul(right.1 - right.0);
                if values as usize >= MOST_DIAGONALS || pairs > MOST_DIAGONALS {
                    return Err("clock differences that are compared with many constants".to_owned());
                }
                for left in left.0..left.1 {
                    for right in right.0..right.1 {
                        for constant in interval.least..=interval.greatest {
                            self.diagonal(left, right, constant, is_upper, is_lower);
                        }
                    }
                }
                if self.diagonals.len() > MOST_DIAGONALS {
                    return Err("too many clock differences".to_owned());
                }
            }
        }
        Ok(())
    }

    fn diagonal(&mut self, left: usize, right: usize, constant: i64, is_upper: bool, is_lower: bool) {
        if left == right {
            return;
        }
        let (left, right) = (left as u16 + 1, right as u16 + 1);
        // Both strictnesses are added, whichever the condition has.
        for is_strict in [false, true] {
            if is_upper {
                self.diagonals.insert(Diagonal { left, right, constant, is_strict });
            }
            if is_lower {
                let (left, right) = (right, left);
                self.diagonals.insert(Diagonal { left, right, constant: -constant, is_strict });
            }
        }
    }

    /// Returns the range of clocks that an expression may denote; `None` if it denotes none.
    fn clocks(&self, expression: Option<&Expression>) -> Option<(usize, usize)> {
        let expression = expression?;
        Some(self.clocks_of(expression))
    }

    fn clocks_of(&self, expression: &Expression) -> (usize, usize) {
        if let Some(clock) = constant_clock(self.network, self.layout, expression) {
            return (clock, clock + 1);
        }
        let mut inner = expression;
        loop {
            match &inner.kind {
                ExpressionKind::Variable(variable) => {
                    let clocks = self.layout.clocks_of(self.network, *variable);
                    return (clocks.start, clocks.end);
                }
                ExpressionKind::Element { array: whole, .. }
                | ExpressionKind::Field { record: whole, .. } => inner = whole,
                _ => return (0, self.layout.clock_count()),
            }
        }
    }

    /// Collects the assignments to clocks in the network.
    fn assignments(&self) -> Assignments {
        let mut copies = BTreeSet::new();
        let mut constants: Vec<Option<i64>> = vec![None; self.layout.clock_count()];
        let mut shifts = false;
        for_each_expression(self.network, &mut |part| {
            let ExpressionKind::Assign { target, value, .. } = &part.kind else { return };
            if target.value_type != Type::Clock {
                return;
            }
            let targets = self.clocks_of(target);
            if value.value_type == Type::Clock {
                // A sum is compared with constants that are smaller by the summand, so the same constants suffice.
                shifts |= clock_in_sum(value) != &**value;
                let origins = self.clocks_of(clock_in_sum(value));
                for to in targets.0..targets.1 {
                    copies.extend((origins.0..origins.1).map(|from| (to, from)));
                }
            } else {
                let greatest = self.ranges.of(self.network, value).greatest;
                for constant in &mut constants[targets.0..targets.1] {
                    *constant = (*constant).max(Some(greatest));
                }
            }
        });
        Assignments { copies, constants, shifts }
    }
}
