//! Highlights a run in the diagrams of a model.
//!
//! Invariant: there is one diagram per process, since instances of a template move differently. Only elements on the
//! run have a mark; steps are numbered from 1.

use std::collections::BTreeMap;

use tempora_draw::{Diagram, DiagramPart, ElementRef, Overlays};
use tempora_evidence::{Participation, Rational, Trace};
use tempora_model::{Id, LocationId, Network, Process};
use tempora_source::Span;
use tempora_syntax::ast;

use crate::Loaded;

/// The diagram of a process, with the marks of a run.
pub struct MarkedDiagram {
    /// The diagram; its title is the name of the process.
    pub diagram: Diagram,
    /// The marks of the run.
    pub marks: Overlays,
    /// Whether the process moves in the run.
    pub moves: bool,
}

impl Loaded {
    /// Returns the diagrams of all processes with the marks of a run, in the order of the processes; empty if the model
    /// has errors.
    ///
    /// The run must be a run of the model's network.
    pub fn diagrams_of_run(&self, trace: &Trace) -> Vec<MarkedDiagram> {
        let (Some(network), Some(tree)) = (self.network(), self.tree()) else { return Vec::new() };
        let diagrams = self.diagrams();
        let written: Vec<&ast::ProcessDeclaration> = tree
            .declarations
            .iter()
            .filter_map(|declaration| match &declaration.kind {
                ast::DeclarationKind::Process(process) => Some(&**process),
                _ => None,
            })
            .collect();
        network
            .processes
            .iter()
            .filter_map(|(id, process)| {
                let span = self.origins.primary_span(process.origin)?;
                let written = written.iter().find(|written| written.span == span)?;
                let title = match self.xml() {
                    Some(document) => {
                        let template =
                            document.templates.iter().position(|template| template.span == span)?;
                        diagrams.get(template)?.title.clone()
                    }
                    None => written.name.text.clone(),
                };
                let diagram = diagrams.iter().find(|diagram| diagram.title == title)?;
                let painter = Painter { loaded: self, network, process, written };
                let (marks, moves) = painter.paint(trace, id.index());
                Some(MarkedDiagram { diagram: process_diagram(diagram, &process.name), marks, moves })
            })
            .collect()
    }
}

struct Painter<'run> {
    loaded: &'run Loaded,
    network: &'run Network,
    process: &'run Process,
    written: &'run ast::ProcessDeclaration,
}

/// The visits of a run to an element.
#[derive(Default)]
struct Visits {
    /// The numbers and times of the steps.
    steps: Vec<(usize, Rational)>,
    is_location: bool,
    is_last_step: bool,
}

impl Painter<'_> {
    fn paint(&self, trace: &Trace, process: usize) -> (Overlays, bool) {
        let mut visits: BTreeMap<ElementRef, Visits> = BTreeMap::new();
        let mut at = trace.initial.get(process).copied();
        if let Some(at) = at {
            let entry = visits.entry(self.location(at)).or_default();
            entry.is_location = true;
            entry.steps.push((0, Rational::from_integer(0)));
        }
        let mut moves = false;
        let mut now = Rational::from_integer(0);
        for (number, step) in trace.steps.iter().enumerate() {
            now += step.delay;
            let own = step.transition.participants.iter();
            for participation in own.filter(|one| one.process.index() == process) {
                moves = true;
                let is_last_step = number + 1 == trace.steps.len();
                for element in self.edges(participation) {
                    let entry = visits.entry(element).or_default();
                    entry.steps.push((number + 1, now));
                    entry.is_last_step |= is_last_step;
                }
                let edge = self.process.edges.get(participation.edge);
                at =
                    edge.and_then(|edge| edge.branches.get(participation.branch)).map(|branch| branch.target);
                if let Some(at) = at {
                    let entry = visits.entry(self.location(at)).or_default();
                    entry.is_location = true;
                    entry.steps.push((number + 1, now));
                }
            }
        }
        let last = at.map(|at| self.location(at));
        let mut marks = Overlays::new();
        for (element, visits) in visits {
            let is_last = last.as_ref() == Some(&element);
            let overlay = marks.of(element);
            overlay.visited = true;
            overlay.token = is_last;
            overlay.chosen = visits.is_last_step;
            overlay.order = if visits.is_location { String::new() } else { numbers(&visits.steps) };
            overlay.note = times(&visits);
        }
        (marks, moves)
    }

    fn location(&self, location: LocationId) -> ElementRef {
        ElementRef::location(&self.process.name, location.index())
    }

    /// Returns the elements that depict an edge and its branch.
    fn edges(&self, participation: &Participation) -> Vec<ElementRef> {
        let Some(edge) = self.process.edges.get(participation.edge) else { return Vec::new() };
        let Some(branch) = edge.branches.get(participation.branch) else { return Vec::new() };
        let span = |origin| self.loaded.origins.primary_span(origin);
        let (edge_span, branch_span) = (span(edge.origin), span(branch.origin));
        let is = |place: Span, other: Option<Span>| other == Some(place);
        let source = self.network.location_name(participation.process, edge.source);
        let mut elements = Vec::new();
        let mut branchpoints: Vec<&str> = Vec::new();
        for (number, written) in self.written.edges.iter().enumerate() {
            let own = DiagramPart::Edge(number);
            match &written.target {
                ast::EdgeTarget::Branches(list) if is(written.span, edge_span) => {
                    elements.push(own);
                    elements.push(DiagramPart::Branches(number));
                    let taken = list.iter().position(|one| is(one.span, branch_span));
                    elements.extend(taken.map(|branch| DiagramPart::Branch { edge: number, branch }));
                }
                ast::EdgeTarget::Single(target)
                    if is(written.span, edge_span) || is(written.span, branch_span) =>
                {
                    elements.push(own);
                    branchpoints.extend([written.source.text.as_str(), target.text.as_str()]);
                }
                _ => {}
            }
        }
        // An edge that leaves a branch point was reached by an edge into it.
        for (number, point) in self.written.branchpoints.iter().enumerate() {
            if !branchpoints.contains(&point.text.as_str()) {
                continue;
            }
            elements.push(DiagramPart::Branchpoint(number));
            for (number, written) in self.written.edges.iter().enumerate() {
                let leads_there =
                    matches!(&written.target, ast::EdgeTarget::Single(target) if target.text == point.text);
                if leads_there && written.source.text == source {
                    elements.push(DiagramPart::Edge(number));
                }
            }
        }
        elements.sort();
        elements.dedup();
        elements.into_iter().map(|part| ElementRef::part(&self.process.name, part)).collect()
    }
}

/// Returns the numbers of steps, abbreviated for a diagram.
fn numbers(steps: &[(usize, Rational)]) -> String {
    let number = |(number, _): &(usize, Rational)| number.to_string();
    match steps {
        [first, second, .., last] if steps.len() > 4 => {
            format!("{} {} … {} ({}×)", number(first), number(second), number(last), steps.len())
        }
        all => all.iter().map(number).collect::<Vec<_>>().join(" "),
    }
}

/// Limit on the visits listed in a tooltip.
const MOST_VISITS: usize = 20;

fn times(visits: &Visits) -> String {
    let mut lines: Vec<String> = visits
        .steps
        .iter()
        .take(MOST_VISITS)
        .map(
            |(number, time)| {
                if *number == 0 { "at the start".to_owned() } else { format!("step {number} at {time}") }
            },
        )
        .collect();
    if visits.steps.len() > MOST_VISITS {
        lines.push(format!("and {} more", visits.steps.len() - MOST_VISITS));
    }
    lines.join("\n")
}

/// Returns the diagram of a process, an instance of a template.
fn process_diagram(template: &Diagram, process: &str) -> Diagram {
    let mut diagram = template.clone();
    diagram.rename(process);
    if process != template.title {
        // The name of the process contains the values of the parameters.
        diagram.parameters.clear();
    }
    diagram
}
