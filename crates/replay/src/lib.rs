//! A reference interpreter over concrete states with rational time, which executes traces and judges the runs.
//!
//! It is simple enough to be trusted: it follows the semantics definition by definition, with exact numbers and without
//! caches, and shares no code with any engine. [`Interpreter`] answers queries about one state and executes traces;
//! [`judge_network`] and [`judge_property`] execute the runs of an answer and judge whether they prove its verdict.
//!
//! The crate does not depend on zones, engines or output formats.

mod arithmetic;
mod bounded_response;
mod candidates;
mod clock_formulas;
mod clocks;
mod combinations;
mod delay;
mod delay_set;
mod evaluate;
mod interpreter;
mod judgement;
mod mathematics;
mod obstacle;
mod predicate;
mod priority;
mod rational;
mod region;
mod shown_values;
mod specification;
mod state;
mod statements;
mod step;
mod stretches;
mod symbolic;
mod trace;
mod value_place;

pub use clock_formulas::{ClockComparison, ClockFormula, ClockOrigin, DiscreteChannel, DiscreteEdge};
pub use delay_set::{Cut, DelaySet, Interval};
pub use interpreter::Interpreter;
pub use judgement::{ExecutedRun, Judgement, Showing, judge_network};
pub use obstacle::Obstacle;
pub use region::Granularity;
pub use specification::{component_alone, operand_fault};
pub use state::{ClockLayout, ConcreteState};
pub use step::{EdgeStatus, EnabledTransition, StepOutcome};
pub use symbolic::{SymbolicRun, SymbolicRunStep, judge_property, replay_symbolic};
pub use trace::{FailureCause, Position, ReplayFailure, Run, RunStep};
