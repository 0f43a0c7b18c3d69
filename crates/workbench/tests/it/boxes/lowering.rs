//! Lowers boxes to a symbolic system, and lifts runs of that system to runs of boxes.
//!
//! Invariant: the variable `at` is the number of the innermost active box. The edges of the system are those of
//! `edges`, in order.

use std::sync::Arc;

use tempora_draw::ElementRef;
use tempora_evidence::{System, Task, UnknownReason, Verdict};
use tempora_frontends::{LiftedMove, LiftedRun, LiftedStep, LoweredModel, LoweredRun, Plan};
use tempora_source::{Diagnostics, FileId, Files, Id, Origins, Span};
use tempora_transition::read_system;

use super::interpreter::execute;
use super::language::{Boxes, unknown};

/// A transition with the innermost boxes that it leaves and enters.
#[derive(Clone, Copy, Debug)]
struct LoweredEdge {
    transition: usize,
    from: usize,
    to: usize,
}

/// A model with its lowering.
#[derive(Debug)]
pub(super) struct LoweredBoxes {
    pub(super) model: Boxes,
    pub(super) plans: Vec<Plan>,
    file: FileId,
    edges: Vec<LoweredEdge>,
    origins: Vec<tempora_source::Origin>,
    system: System,
}

impl LoweredBoxes {
    /// Lowers a model; with the defect, the first transition leads to the last box.
    pub(super) fn new(model: Boxes, file: FileId, origins: &mut Origins, is_defective: bool) -> LoweredBoxes {
        let leaves: Vec<usize> = (0..model.boxes.len())
            .filter(|number| !model.boxes.iter().any(|one| one.parent == Some(*number)))
            .collect();
        let mut edges = Vec::new();
        for (transition, written) in model.transitions.iter().enumerate() {
            let target = if is_defective && transition == 0 { model.boxes.len() - 1 } else { written.target };
            let to = first_leaf(&model, target);
            let inside = leaves.iter().filter(|leaf| is_inside(&model, **leaf, written.source));
            edges.extend(inside.map(|&from| LoweredEdge { transition, from, to }));
        }
        let written = model.transitions.iter().map(|one| origins.written(one.span)).collect();
        let system = lowered(&model, &edges, None, file, origins);
        LoweredBoxes { model, plans: Vec::new(), file, edges, origins: written, system }
    }

    /// Returns the plan of `never A` or `both A B`.
    pub(super) fn plan(
        &self,
        text: &str,
        span: Span,
        origins: &mut Origins,
        diagnostics: &mut Diagnostics,
    ) -> Option<Plan> {
        let mut words = text.split_whitespace();
        let kind = words.next()?;
        let mut tasks = Vec::new();
        for name in words {
            let Some(number) = self.model.named(name) else {
                diagnostics.push(unknown(name, span));
                continue;
            };
            let system = lowered(&self.model, &self.edges, Some(number), self.file, origins);
            tasks.push(Task::about_properties(system.symbolic()?.clone()));
        }
        let origin = origins.written(span);
        let rule: tempora_frontends::Rule = match kind {
            "both" => Arc::new(each_fails),
            _ => Arc::new(tempora_frontends::all_hold),
        };
        Some(Plan { text: text.to_owned(), origin, tasks, rule })
    }
}

/// Combines the verdicts that boxes are never active to the verdict that each of them is active in some state.
fn each_fails(verdicts: &[Verdict]) -> Verdict {
    if verdicts.contains(&Verdict::Holds) {
        return Verdict::Fails;
    }
    let missing = verdicts.iter().find(|verdict| matches!(verdict, Verdict::Unknown(_)));
    match missing {
        Some(Verdict::Unknown(reason)) => Verdict::Unknown(UnknownReason::clone(reason)),
        _ => Verdict::Holds,
    }
}

fn first_leaf(model: &Boxes, number: usize) -> usize {
    let first = model.boxes.iter().position(|one| one.parent == Some(number));
    first.map_or(number, |first| first_leaf(model, first))
}

fn is_inside(model: &Boxes, inner: usize, outer: usize) -> bool {
    inner == outer || model.boxes[inner].parent.is_some_and(|parent| is_inside(model, parent, outer))
}

/// Returns the system, with the property that a box is never active.
fn lowered(
    model: &Boxes,
    edges: &[LoweredEdge],
    never: Option<usize>,
    file: FileId,
    origins: &mut Origins,
) -> System {
    let mut text = format!("(var at Int) (location run) (initial run (= at {}))", first_leaf(model, 0));
    for LoweredEdge { from, to, .. } in edges {
        text += &format!(" (edge run run step (do (assume (= at {from})) (set at {to})))");
    }
    if let Some(never) = never {
        let inside = (0..model.boxes.len()).filter(|number| is_inside(model, *number, never));
        let conditions: String = inside.map(|number| format!(" (not (= at {number}))")).collect();
        text += &format!(" (property \"never\" everywhere (and true{conditions}))");
    }
    let system = read_system(file, &text, origins).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    System::Symbolic(Arc::new(system))
}

impl LoweredModel for LoweredBoxes {
    fn system(&self) -> &System {
        &self.system
    }

    fn plans(&self) -> Vec<Plan> {
        self.plans.clone()
    }

    fn read_query(&self, files: &Files, origins: &mut Origins, file: FileId) -> (Option<Plan>, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let plan = self.plan(files.text(file).trim(), files.whole(file), origins, &mut diagnostics);
        (plan, diagnostics)
    }

    fn lift(&self, _task: &Task, run: LoweredRun<'_>) -> Option<LiftedRun> {
        let LoweredRun::Symbolic(trace) = run else { return None };
        let step = |edge: &LoweredEdge| LiftedStep {
            moves: vec![LiftedMove {
                participant: 0,
                transition: edge.transition,
                from: self.model.path(edge.from),
                to: self.model.path(edge.to),
                element: Some(ElementRef::edge("boxes", edge.transition)),
                origin: self.origins.get(edge.transition).copied(),
            }],
            values: Vec::new(),
        };
        let edges = trace.steps.iter().map(|step| self.edges.get(step.edge.index()));
        Some(LiftedRun {
            participants: vec!["boxes".to_owned()],
            locations: vec![self.model.path(first_leaf(&self.model, 0))],
            initial: Vec::new(),
            steps: edges.map(|edge| edge.map(step)).collect::<Option<_>>()?,
        })
    }

    fn execute(&self, plan: &Plan, run: &LiftedRun) -> Result<(), String> {
        execute(&self.model, &plan.text, run)
    }
}
