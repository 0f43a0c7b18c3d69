//! Random networks with a query of each kind, as text in the `.net` language.
//!
//! Invariant: the same seed and knobs give the same text, on every machine. The text parses without errors and begins
//! with its seed, so that a failing case can be reported, kept and read.
//!
//! The networks are small (see [`Knobs`]) and dense in corner cases: urgent and committed locations, strict bounds,
//! invariants that stop time, broadcasts whose receivers have clock guards. The queries only use names of the network,
//! and each kind holds in a fair share of the networks and fails in another.

mod parts;
mod queries;
mod random;

use std::ops::RangeInclusive;

use crate::failure::ExplorationFailure;
use crate::read::{Model, read_model};
use crate::region_graph::{RegionGraph, Settings, explore};
pub use queries::QueryTopic;
pub use random::Random;

/// The parameters of random networks. A flag says that something may occur, not that it must.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Knobs {
    /// The number of processes.
    pub processes: RangeInclusive<usize>,
    /// The number of clocks.
    pub clocks: RangeInclusive<usize>,
    /// The number of locations per process.
    pub locations: RangeInclusive<usize>,
    /// The number of edges per process beyond those that make its locations reachable.
    pub extra_edges: RangeInclusive<usize>,
    /// The maximal constant that clocks are compared with and set to; a little smaller with many clocks.
    pub greatest_constant: i64,
    /// Priorities of channels and processes.
    pub has_priorities: bool,
    /// Clock guards at edges that receive a broadcast.
    pub has_receiver_guards: bool,
    /// Clock guards at edges that synchronise on an urgent channel.
    pub has_urgent_guards: bool,
    /// Synchronisation vectors, with weak participants.
    pub has_vectors: bool,
    /// Functions that updates call.
    pub has_functions: bool,
    /// Clocks that are set to the value of others.
    pub has_copies: bool,
    /// Guards on clock differences.
    pub has_differences: bool,
    /// Invariants on data, which may block synchronisations of others.
    pub has_data_invariants: bool,
    /// Clock bounds and resets computed from data.
    pub has_computed_bounds: bool,
    /// Templates with parameters and partial instances, arrays, functions with loops, and branch points.
    pub has_templates: bool,
    /// Updates that may fail.
    pub has_runtime_errors: bool,
    /// Networks with fewer regions are discarded: most of them stop at once.
    pub least_regions: usize,
    /// Networks with more regions are discarded.
    pub region_limit: usize,
}

impl Default for Knobs {
    fn default() -> Knobs {
        Knobs {
            processes: 1..=3,
            clocks: 1..=3,
            locations: 2..=4,
            extra_edges: 2..=5,
            greatest_constant: 3,
            has_priorities: true,
            has_receiver_guards: true,
            has_urgent_guards: false,
            has_vectors: true,
            has_functions: true,
            has_copies: true,
            has_differences: false,
            has_data_invariants: true,
            has_computed_bounds: true,
            has_templates: false,
            has_runtime_errors: false,
            least_regions: 12,
            region_limit: 20_000,
        }
    }
}

/// A random network that was parsed and explored.
#[derive(Clone, Debug)]
pub struct RandomNetwork {
    /// The seed that reproduces it.
    pub seed: u64,
    /// The text, queries included.
    pub text: String,
    /// The parsed text; the queries are in the order of [`QueryTopic::ALL`].
    pub model: Model,
    /// Its regions.
    pub graph: RegionGraph,
}

/// After more failed attempts, the knobs allow no network.
const ATTEMPTS: u64 = 0x1000;

/// Returns the text of the network with this seed, whatever its size. Each attempt gives another network of the seed.
pub fn generate_text(seed: u64, attempt: u64, knobs: &Knobs) -> String {
    let mut random = Random::new(seed.wrapping_mul(ATTEMPTS).wrapping_add(attempt));
    let parts = parts::Parts::draw(&mut random, knobs);
    let queries = queries::draw(&mut random, &parts);
    format!("// seed {seed}, attempt {attempt}\n{}{queries}", parts.text)
}

/// Returns the first network with this seed that is neither too small nor too large and has no runtime error.
pub fn generate(seed: u64, knobs: &Knobs) -> Result<RandomNetwork, String> {
    let settings = Settings { limit: knobs.region_limit, ..Settings::default() };
    for attempt in 0..ATTEMPTS {
        let text = generate_text(seed, attempt, knobs);
        let model = read_model(&text).map_err(|message| format!("{message}\n{text}"))?;
        match explore(&model.network, &model.queries, &settings) {
            Ok(graph) if graph.len() < knobs.least_regions => {}
            Ok(graph) => return Ok(RandomNetwork { seed, text, model, graph }),
            Err(ExplorationFailure::TooLarge { .. } | ExplorationFailure::ModelError(_)) => {}
            Err(failure) => return Err(format!("{failure}\n{text}")),
        }
    }
    Err(format!("no network with the seed {seed} has the right size"))
}
