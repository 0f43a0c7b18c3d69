//! The waiting list: the order in which nodes are explored.
//!
//! Invariant: every added node is returned once or twice; the same order and seed give the same sequence.

use std::collections::VecDeque;

use crate::graph::store::{Inserted, NodeId};

/// The order in which states are explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SearchOrder {
    /// Breadth-first; if that wastes much work, nodes that cover explored ones come first. After many states, also
    /// dives: now and then the last found node.
    #[default]
    Adaptive,
    /// Breadth-first: finds shortest runs.
    BreadthFirst,
    /// Depth-first.
    DepthFirst,
    /// Random, with a seed.
    Random(u64),
}

/// The nodes that wait to be explored.
///
/// The adaptive order follows Herbreteau and Tran, "Improving search order for reachability testing in timed automata"
/// (2015): a node that covers an explored one makes its descendants redundant, and the sooner it is explored, the fewer
/// of them are.
///
/// Breadth-first search does not reach deep goals, and depth-first search finds many of them quickly. So after a number
/// of nodes, every few nodes one is taken from a dive: a depth-first search over the same table, which repeats no work.
pub(crate) struct Waiting {
    order: SearchOrder,
    /// For all orders but the adaptive one.
    queue: VecDeque<NodeId>,
    levels: Levels,
    /// Nodes that cover explored ones, with their depths.
    urgent: VecDeque<(NodeId, u32)>,
    /// The successors of nodes from the dive, and whether the last node was one. They are in the levels as well;
    /// otherwise large zones would wait there for the end of the dive.
    deep: VecDeque<(NodeId, u32)>,
    is_diving: bool,
    /// The depth of the last node's successors.
    depth: u32,
    /// The number of returned nodes, and how many of them were covered later.
    explored: u64,
    wasted: u64,
    /// The number of nodes that descend from the dive, and how many of them were explored and covered later.
    found_deep: u64,
    wasted_deep: u64,
    random: u64,
}

/// The number of nodes after which the adaptive order dives, and the period of the dive's nodes. Dives are rarer where
/// order matters: depth-first search reaches small zones first, and all their descendants are wasted.
const DIVE_AFTER: u64 = 2_000;
const DIVE_EVERY: u64 = 8;
const DIVE_EVERY_WHERE_ORDER_MATTERS: u64 = 64;
/// The number of nodes to which a dive can return; after them it continues with the deepest.
const MOST_DEEP: usize = 1 << 14;
/// Descendants of dives are postponed if more than one in this many was wasted.
const DEEP_WASTE: u64 = 10;

impl Waiting {
    pub(crate) fn new(order: SearchOrder) -> Waiting {
        let random = match order {
            SearchOrder::Random(seed) => seed,
            _ => 0,
        };
        Waiting {
            order,
            queue: VecDeque::new(),
            levels: Levels::default(),
            urgent: VecDeque::new(),
            deep: VecDeque::new(),
            is_diving: false,
            depth: 0,
            explored: 0,
            wasted: 0,
            found_deep: 0,
            wasted_deep: 0,
            random,
        }
    }

    /// Adds a node; returns whether it descends from the dive or belongs to it.
    pub(crate) fn add(&mut self, inserted: &Inserted, follows_from_dive: bool) -> bool {
        let &Inserted { node, covered, covered_deep } = inserted;
        if self.order != SearchOrder::Adaptive {
            self.queue.push_back(node);
            return false;
        }
        self.wasted += covered;
        self.wasted_deep += covered_deep;
        let is_deep = follows_from_dive || self.is_diving;
        self.found_deep += u64::from(is_deep);
        if covered > 0 && self.wastes_much() {
            self.urgent.push_back((node, self.depth));
        } else if is_deep && !self.dives_waste_much() {
            self.levels.add_now(node);
        } else {
            self.levels.add(node, self.depth);
        }
        if self.is_diving {
            if self.deep.len() == MOST_DEEP {
                self.deep.pop_front();
            }
            self.deep.push_back((node, self.depth));
        }
        is_deep
    }

    /// Adds a node again that was returned and not explored.
    pub(crate) fn put_back(&mut self, node: NodeId) {
        match self.order {
            SearchOrder::Adaptive => self.levels.add(node, self.depth.saturating_sub(1)),
            _ => self.queue.push_back(node),
        }
    }

    /// Returns whether descendants of the dive are often covered later: then they wait for the breadth-first search.
    /// Otherwise they cover other nodes and should be explored soon.
    fn dives_waste_much(&self) -> bool {
        self.wasted_deep * DEEP_WASTE > self.found_deep
    }

    /// Returns whether order matters: breadth-first search wastes some work on most models without a better
    /// alternative, but not most of it.
    fn wastes_much(&self) -> bool {
        self.wasted * 2 > self.explored
    }

    /// Returns the number of waiting nodes, including those covered in the meantime.
    pub(crate) fn len(&self) -> usize {
        self.queue.len() + self.levels.count + self.urgent.len()
    }

    pub(crate) fn next(&mut self) -> Option<NodeId> {
        self.explored += 1;
        match self.order {
            SearchOrder::Adaptive => {
                let (node, depth) = self.next_adaptively()?;
                self.depth = depth.saturating_add(1);
                Some(node)
            }
            SearchOrder::BreadthFirst => self.queue.pop_front(),
            SearchOrder::DepthFirst => self.queue.pop_back(),
            SearchOrder::Random(_) => {
                if self.queue.is_empty() {
                    return None;
                }
                let position = (self.number() % self.queue.len() as u64) as usize;
                self.queue.swap_remove_back(position)
            }
        }
    }

    fn next_adaptively(&mut self) -> Option<(NodeId, u32)> {
        let every = if self.wasted * 8 > self.explored { DIVE_EVERY_WHERE_ORDER_MATTERS } else { DIVE_EVERY };
        self.is_diving = self.explored > DIVE_AFTER && self.explored.is_multiple_of(every);
        if self.is_diving
            && let Some(node) = self.deep.pop_back().or_else(|| self.levels.deepest())
        {
            return Some(node);
        }
        self.urgent.pop_front().or_else(|| self.levels.shallowest())
    }

    /// Returns the next random number: "SplitMix64" of Steele, Lea and Flood (2014).
    fn number(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// Nodes by depth: deep nodes of a dive wait until breadth-first search reaches their level. By then most of them are
/// covered, and their descendants need not be explored.
#[derive(Default)]
struct Levels {
    /// The depth of the first level.
    first: u32,
    levels: VecDeque<VecDeque<NodeId>>,
    /// Empty levels for reuse.
    spare: Vec<VecDeque<NodeId>>,
    count: usize,
}

/// Deeper nodes are put into the last of this many levels.
const MOST_LEVELS: usize = 1 << 16;

impl Levels {
    fn add(&mut self, node: NodeId, depth: u32) {
        if self.count == 0 {
            self.first = depth;
        }
        // A node that covers others may be explored late, so its descendants may be above the first level.
        let level = (depth.saturating_sub(self.first) as usize).min(MOST_LEVELS - 1);
        while self.levels.len() <= level {
            self.levels.push_back(self.spare.pop().unwrap_or_default());
        }
        self.levels[level].push_back(node);
        self.count += 1;
    }

    /// Adds a node to the level after the shallowest.
    fn add_now(&mut self, node: NodeId) {
        self.add(node, self.first.saturating_add(1));
    }

    /// Returns the oldest of the shallowest nodes.
    fn shallowest(&mut self) -> Option<(NodeId, u32)> {
        while let Some(level) = self.levels.front_mut() {
            if let Some(node) = level.pop_front() {
                self.count -= 1;
                return Some((node, self.first));
            }
            self.spare.extend(self.levels.pop_front());
            self.first = self.first.saturating_add(1);
        }
        None
    }

    /// Returns the newest of the deepest nodes.
    fn deepest(&mut self) -> Option<(NodeId, u32)> {
        while let Some(level) = self.levels.back_mut() {
            if let Some(node) = level.pop_back() {
                self.count -= 1;
                return Some((node, self.first.saturating_add(self.levels.len() as u32 - 1)));
            }
            self.spare.extend(self.levels.pop_back());
        }
        None
    }
}
