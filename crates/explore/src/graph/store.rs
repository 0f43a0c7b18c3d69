//! The store: one table for passed and waiting states.
//!
//! Invariant: the live nodes of a discrete state are linked, and none of them covers another. A covered node is not
//! live: its zone is removed, but its parent is kept because runs may lead through it. The path to a node follows from
//! the ordinals of its ancestors, so nothing else is stored for traces.

use tempora_zones::{ArenaCandidate, Dimension, LuBounds, ZoneArena, ZoneHandle};

/// A node of the search: an index into the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct NodeId(pub(crate) u32);

/// A discrete state: an index into the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DiscreteId(u32);

impl DiscreteId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// [`NONE`] for initial states.
    pub(crate) parent: u32,
    /// The number of the node among the successors of its parent, or among the initial states.
    pub(crate) ordinal: u32,
    pub(crate) discrete: DiscreteId,
    zone: ZoneHandle,
    /// The next live node of the discrete state; for a covered node, the node that covers it.
    next: u32,
    pub(crate) status: Status,
    /// Whether time may pass in it.
    pub(crate) may_delay: bool,
    /// Whether the node descends from a dive.
    pub(crate) is_deep: bool,
}

/// How a node was reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeOrigin {
    pub(crate) parent: u32,
    pub(crate) ordinal: u32,
    pub(crate) may_delay: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    Waiting,
    Explored,
    /// Explored with all its descendants; only in a depth-first search for cycles.
    Finished,
    /// Covered by a later node.
    Covered,
}

pub(crate) const NONE: u32 = u32::MAX;

/// All states found so far.
pub(crate) struct Store {
    width: usize,
    /// The bytes of the discrete states, in chunks of whole states.
    keys: Vec<Vec<u8>>,
    keys_per_chunk: usize,
    /// The first live node of each discrete state.
    heads: Vec<u32>,
    /// A hash table with open addressing: a part of the hash, and the discrete state.
    table: Vec<(u32, u32)>,
    nodes: Vec<Node>,
    zones: ZoneArena,
    live: u64,
    /// Whether nodes remain live when a later one covers them.
    keeps_older: bool,
}

/// The result of an insertion.
pub(crate) struct Inserted {
    pub(crate) node: NodeId,
    /// The number of explored nodes that the new node covers.
    pub(crate) covered: u64,
    /// How many of those descend from a dive.
    pub(crate) covered_deep: u64,
}

/// The node indices are exhausted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StoreFull;

/// The covering test between zones; chosen once for a search.
pub(crate) trait Covering {
    /// Returns whether the stored zone covers the candidate.
    fn is_covering(&mut self, zones: &ZoneArena, stored: ZoneHandle, candidate: &ArenaCandidate) -> bool;
    /// Returns whether the candidate covers the stored zone.
    fn is_covered(&mut self, zones: &ZoneArena, stored: ZoneHandle, candidate: &ArenaCandidate) -> bool;
}

/// Covering by lower and upper bounds.
pub(crate) struct LuCovering<'bounds>(pub(crate) &'bounds LuBounds);

impl Covering for LuCovering<'_> {
    #[inline]
    fn is_covering(&mut self, zones: &ZoneArena, stored: ZoneHandle, candidate: &ArenaCandidate) -> bool {
        zones.covers(stored, candidate, self.0)
    }

    #[inline]
    fn is_covered(&mut self, zones: &ZoneArena, stored: ZoneHandle, candidate: &ArenaCandidate) -> bool {
        zones.is_covered_by(stored, candidate, self.0)
    }
}

impl Store {
    /// Creates a store for discrete states of the given number of bytes.
    pub(crate) fn new(width: usize) -> Store {
        Store {
            width,
            keys: Vec::new(),
            keys_per_chunk: (1 << 16) / width.max(1) + 1,
            heads: Vec::new(),
            table: vec![(0, NONE); 1 << 10],
            nodes: Vec::new(),
            zones: ZoneArena::new(),
            live: 0,
            keeps_older: false,
        }
    }

    /// Keeps nodes even if later ones cover them. A waiting node may be nearer to the initial state than one that
    /// covers it, so breadth-first search finds shortest runs only with this setting.
    pub(crate) fn keep_older(&mut self) {
        self.keeps_older = true;
    }

    /// Returns the number of nodes that are not covered.
    pub(crate) fn live(&self) -> u64 {
        self.live
    }

    /// Returns the nodes that are not covered, oldest first.
    pub(crate) fn live_nodes(&self) -> impl Iterator<Item = NodeId> {
        let is_live = |&id: &u32| self.nodes[id as usize].status != Status::Covered;
        (0..self.nodes.len() as u32).filter(is_live).map(NodeId)
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn set_status(&mut self, id: NodeId, status: Status) {
        self.nodes[id.0 as usize].status = status;
    }

    /// Returns the bytes of a discrete state.
    #[inline]
    pub(crate) fn key(&self, id: DiscreteId) -> &[u8] {
        let (chunk, offset) = (id.0 as usize / self.keys_per_chunk, id.0 as usize % self.keys_per_chunk);
        &self.keys[chunk][offset * self.width..][..self.width]
    }

    pub(crate) fn zone_into(&self, id: NodeId, zone: &mut tempora_zones::Zone) {
        self.zones.decode_into(self.node(id).zone, zone);
    }

    /// Returns the approximate size of the table in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.zones.bytes()
            + self.keys.len() * self.keys_per_chunk * self.width
            + self.heads.capacity() * size_of::<u32>()
            + self.table.capacity() * size_of::<(u32, u32)>()
            + self.nodes.capacity() * size_of::<Node>()
    }

    /// Returns the bytes by which the next new discrete state would grow the table; `None` if the table does not grow.
    #[inline]
    pub(crate) fn growth_ahead(&self) -> Option<u64> {
        let grows = (self.heads.len() + 1) * 10 > self.table.len() * 7;
        // The old table still exists while the new one is filled.
        grows.then_some((self.table.len() * 2 * size_of::<(u32, u32)>()) as u64)
    }

    /// Returns the discrete state with these bytes, and whether it is new.
    #[inline]
    pub(crate) fn discrete(&mut self, key: &[u8]) -> Result<(DiscreteId, bool), StoreFull> {
        let hash = hash(key);
        let tag = (hash >> 32) as u32;
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let (other_tag, id) = self.table[slot];
            if id == NONE {
                break;
            }
            if other_tag == tag && self.key(DiscreteId(id)) == key {
                return Ok((DiscreteId(id), self.heads[id as usize] == NONE));
            }
            slot = (slot + 1) & mask;
        }
        let id = u32::try_from(self.heads.len()).ok().filter(|&id| id != NONE).ok_or(StoreFull)?;
        if (id as usize).is_multiple_of(self.keys_per_chunk) {
            self.keys.push(Vec::with_capacity(self.keys_per_chunk * self.width));
        }
        if let Some(chunk) = self.keys.last_mut() {
            chunk.extend_from_slice(key);
        }
        self.heads.push(NONE);
        self.table[slot] = (tag, id);
        if self.heads.len() * 10 > self.table.len() * 7 {
            self.grow();
        }
        Ok((DiscreteId(id), true))
    }

    /// Returns a live node of the discrete state that covers the candidate; with equality, that the candidate also
    /// covers.
    #[inline]
    pub(crate) fn covering_node(
        &self,
        discrete: DiscreteId,
        candidate: &ArenaCandidate,
        covering: &mut impl Covering,
        needs_equality: bool,
    ) -> Option<NodeId> {
        let mut at = self.heads[discrete.0 as usize];
        while at != NONE {
            let node = &self.nodes[at as usize];
            if covering.is_covering(&self.zones, node.zone, candidate)
                && (!needs_equality
                    || node.status == Status::Finished
                    || covering.is_covered(&self.zones, node.zone, candidate))
            {
                return Some(NodeId(at));
            }
            at = node.next;
        }
        None
    }

    /// Returns whether a finished node of the discrete state covers the candidate.
    pub(crate) fn finished_node_covers(
        &self,
        discrete: DiscreteId,
        candidate: &ArenaCandidate,
        covering: &mut impl Covering,
    ) -> bool {
        let mut at = self.heads[discrete.0 as usize];
        while at != NONE {
            let node = &self.nodes[at as usize];
            if node.status == Status::Finished && covering.is_covering(&self.zones, node.zone, candidate) {
                return true;
            }
            at = node.next;
        }
        false
    }

    /// Marks a node as finished, and unlinks the finished nodes that it covers from the list of its discrete state.
    pub(crate) fn finish(&mut self, id: NodeId, candidate: &ArenaCandidate, covering: &mut impl Covering) {
        let discrete = self.node(id).discrete.index();
        let mut previous = NONE;
        let mut at = self.heads[discrete];
        while at != NONE {
            let node = self.nodes[at as usize];
            if node.status == Status::Finished && covering.is_covered(&self.zones, node.zone, candidate) {
                match previous {
                    NONE => self.heads[discrete] = node.next,
                    previous => self.nodes[previous as usize].next = node.next,
                }
            } else {
                previous = at;
            }
            at = node.next;
        }
        self.nodes[id.0 as usize].status = Status::Finished;
    }

    /// Returns the live node that represents a node: the node itself if it is not covered.
    pub(crate) fn representative(&self, mut id: NodeId) -> NodeId {
        while self.node(id).status == Status::Covered {
            id = NodeId(self.node(id).next);
        }
        id
    }

    /// Returns the number of nodes, including covered ones.
    pub(crate) fn node_count(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Adds a node that no other covers, and removes the nodes that it covers unless they are kept.
    pub(crate) fn insert(
        &mut self,
        discrete: DiscreteId,
        dimension: Dimension,
        candidate: &ArenaCandidate,
        covering: &mut impl Covering,
        keeps_covered: bool,
        NodeOrigin { parent, ordinal, may_delay }: NodeOrigin,
    ) -> Result<Inserted, StoreFull> {
        let id = u32::try_from(self.nodes.len()).ok().filter(|&id| id != NONE).ok_or(StoreFull)?;
        let (mut covered, mut covered_deep) = (0, 0);
        let mut previous = NONE;
        let keeps_covered = keeps_covered || self.keeps_older;
        let mut at = if keeps_covered { NONE } else { self.heads[discrete.0 as usize] };
        while at != NONE {
            let node = self.nodes[at as usize];
            if covering.is_covered(&self.zones, node.zone, candidate) {
                if node.status == Status::Explored {
                    covered += 1;
                    covered_deep += u64::from(node.is_deep);
                }
                self.nodes[at as usize].status = Status::Covered;
                self.zones.remove(node.zone, dimension);
                self.live -= 1;
                if previous == NONE {
                    self.heads[discrete.0 as usize] = node.next;
                } else {
                    self.nodes[previous as usize].next = node.next;
                }
                self.nodes[at as usize].next = id;
            } else {
                previous = at;
            }
            at = node.next;
        }
        let zone = self.zones.insert(candidate).ok_or(StoreFull)?;
        let next = self.heads[discrete.0 as usize];
        self.heads[discrete.0 as usize] = id;
        let status = Status::Waiting;
        self.nodes.push(Node { parent, ordinal, discrete, zone, next, status, may_delay, is_deep: false });
        self.live += 1;
        Ok(Inserted { node: NodeId(id), covered, covered_deep })
    }

    /// Marks a node as a descendant of a dive.
    pub(crate) fn mark_deep(&mut self, id: NodeId) {
        self.nodes[id.0 as usize].is_deep = true;
    }

    fn grow(&mut self) {
        let mask = self.table.len() * 2 - 1;
        let mut table = vec![(0, NONE); self.table.len() * 2];
        for id in 0..self.heads.len() as u32 {
            let hash = hash(self.key(DiscreteId(id)));
            let mut slot = hash as usize & mask;
            while table[slot].1 != NONE {
                slot = (slot + 1) & mask;
            }
            table[slot] = ((hash >> 32) as u32, id);
        }
        self.table = table;
    }
}

/// Computes a hash of bytes that is the same in each run.
#[inline]
fn hash(bytes: &[u8]) -> u64 {
    const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
    let fold = |state: u64, word: u64| {
        let product = u128::from(state ^ word) * u128::from(MULTIPLIER);
        (product as u64) ^ ((product >> 64) as u64)
    };
    let (words, rest) = bytes.as_chunks::<8>();
    let mut state = 0x243F_6A88_85A3_08D3 ^ bytes.len() as u64;
    for word in words {
        state = fold(state, u64::from_le_bytes(*word)).wrapping_add(MULTIPLIER);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    state = fold(state, u64::from_le_bytes(last)).wrapping_add(MULTIPLIER);
    fold(state, MULTIPLIER.rotate_left(32))
}
