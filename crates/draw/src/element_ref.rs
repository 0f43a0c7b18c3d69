//! Stable references to elements of a drawing, such as location 2 of the diagram `Train`, with the text
//! `Train/location/2`.
//!
//! Invariant: every text parses to some reference, and printing that reference gives the text, so that texts are valid
//! ids. Parsing a printed reference gives the reference, unless a name looks like a reference.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// A reference to an element of a model that is stable across redraws, overlays and links.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ElementRef {
    /// A diagram, or a part of one.
    Diagram {
        /// The name of the diagram: that of a template, or of a process.
        diagram: String,
        /// The part.
        part: DiagramPart,
    },
    /// A part of a sequence chart.
    Chart(ChartPart),
    /// A dangling reference in the file, such as a reference to a missing location.
    Unknown(String),
}

/// A part of a diagram; numbers count from zero, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum DiagramPart {
    /// The whole.
    #[default]
    Whole,
    /// A location.
    Location(usize),
    /// A branch point that the file declares.
    Branchpoint(usize),
    /// An edge, by its position in the template, which is the same for all instances.
    Edge(usize),
    /// The branch point of the edge with this number, which lists its branches.
    Branches(usize),
    /// A branch of an edge that lists its branches.
    Branch {
        /// The number of the edge.
        edge: usize,
        /// The number of the branch.
        branch: usize,
    },
    /// An input of a component.
    Input(usize),
    /// An output of a component.
    Output(usize),
    /// A node of an abstract graph.
    Node(usize),
    /// The line from the node of an abstract graph with this number to the node that covers it.
    Cover(usize),
}

/// A part of a sequence chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChartPart {
    /// The whole.
    Whole,
    /// The lifeline of a process, from zero.
    Process(usize),
    /// The initial state.
    Start,
    /// A step, from one.
    Step(usize),
    /// The end of the run.
    End,
}

impl ElementRef {
    /// Creates a reference to a part of a diagram.
    pub fn part(diagram: impl Into<String>, part: DiagramPart) -> ElementRef {
        ElementRef::Diagram { diagram: diagram.into(), part }
    }

    /// Creates a reference to a whole diagram.
    pub fn diagram(diagram: impl Into<String>) -> ElementRef {
        ElementRef::part(diagram, DiagramPart::Whole)
    }

    /// Creates a reference to a location of a diagram.
    pub fn location(diagram: impl Into<String>, number: usize) -> ElementRef {
        ElementRef::part(diagram, DiagramPart::Location(number))
    }

    /// Creates a reference to an edge of a diagram.
    pub fn edge(diagram: impl Into<String>, number: usize) -> ElementRef {
        ElementRef::part(diagram, DiagramPart::Edge(number))
    }

    /// Changes the diagram of a reference to a part of a diagram; leaves other references unchanged.
    pub(crate) fn rename_diagram(&mut self, name: &str) {
        if let ElementRef::Diagram { diagram, .. } = self {
            name.clone_into(diagram);
        }
    }
}

/// The default is the diagram without a name.
impl Default for ElementRef {
    fn default() -> ElementRef {
        ElementRef::diagram("")
    }
}

impl fmt::Display for ElementRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (diagram, part) = match self {
            ElementRef::Diagram { diagram, part } => (diagram, part),
            ElementRef::Chart(part) => return part.fmt(formatter),
            ElementRef::Unknown(text) => return formatter.write_str(text),
        };
        formatter.write_str(diagram)?;
        match part {
            DiagramPart::Whole => Ok(()),
            DiagramPart::Location(number) => write!(formatter, "/location/{number}"),
            DiagramPart::Branchpoint(number) => write!(formatter, "/branchpoint/{number}"),
            DiagramPart::Edge(number) => write!(formatter, "/edge/{number}"),
            DiagramPart::Branches(number) => write!(formatter, "/branches/{number}"),
            DiagramPart::Branch { edge, branch } => write!(formatter, "/edge/{edge}/branch/{branch}"),
            DiagramPart::Input(number) => write!(formatter, "/input/{number}"),
            DiagramPart::Output(number) => write!(formatter, "/output/{number}"),
            DiagramPart::Node(number) => write!(formatter, "/node/{number}"),
            DiagramPart::Cover(number) => write!(formatter, "/cover/{number}"),
        }
    }
}

impl fmt::Display for ChartPart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChartPart::Whole => formatter.write_str("chart"),
            ChartPart::Process(number) => write!(formatter, "process/{number}"),
            ChartPart::Start => formatter.write_str("start"),
            ChartPart::Step(number) => write!(formatter, "step/{number}"),
            ChartPart::End => formatter.write_str("end"),
        }
    }
}

impl FromStr for ElementRef {
    type Err = Infallible;

    /// Parses the text of a reference; any text that does not denote a part is the name of a diagram.
    fn from_str(text: &str) -> Result<ElementRef, Infallible> {
        if let Some(part) = chart_part(text) {
            return Ok(ElementRef::Chart(part));
        }
        Ok(diagram_part(text).unwrap_or_else(|| ElementRef::diagram(text)))
    }
}

impl From<&str> for ElementRef {
    fn from(text: &str) -> ElementRef {
        let Ok(element) = text.parse();
        element
    }
}

impl From<String> for ElementRef {
    fn from(text: String) -> ElementRef {
        ElementRef::from(text.as_str())
    }
}

fn chart_part(text: &str) -> Option<ChartPart> {
    match text {
        "chart" => Some(ChartPart::Whole),
        "start" => Some(ChartPart::Start),
        "end" => Some(ChartPart::End),
        _ => match text.split_once('/')? {
            ("process", rest) => number(rest).map(ChartPart::Process),
            ("step", rest) => number(rest).map(ChartPart::Step),
            _ => None,
        },
    }
}

fn diagram_part(text: &str) -> Option<ElementRef> {
    let (before, last) = text.rsplit_once('/')?;
    let (diagram, kind) = before.rsplit_once('/')?;
    let last = number(last)?;
    let part = match kind {
        "location" => DiagramPart::Location(last),
        "branchpoint" => DiagramPart::Branchpoint(last),
        "edge" => DiagramPart::Edge(last),
        "branches" => DiagramPart::Branches(last),
        "input" => DiagramPart::Input(last),
        "output" => DiagramPart::Output(last),
        "node" => DiagramPart::Node(last),
        "cover" => DiagramPart::Cover(last),
        "branch" => {
            let (before, edge) = diagram.rsplit_once('/')?;
            let diagram = before.strip_suffix("/edge")?;
            let part = DiagramPart::Branch { edge: number(edge)?, branch: last };
            return Some(ElementRef::part(diagram, part));
        }
        _ => return None,
    };
    Some(ElementRef::part(diagram, part))
}

/// Parses a number in the form that [`fmt::Display`] writes; rejects `01` and `+1`.
fn number(text: &str) -> Option<usize> {
    let number: usize = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}
