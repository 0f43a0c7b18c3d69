//! Draws diagrams described in JSON, for inspection of the layout.
//!
//! `cargo run -p tempora-draw --example draw_json -- INPUT.json OUTPUT.svg [--automatic] [--dark] [--columns N]`
//!
//! The input is an array of diagrams, with names as in [`tempora_draw::Diagram`]; missing fields get default values.
//! With `--automatic`, all positions and nails of the input are ignored.

#![allow(clippy::print_stderr, reason = "a program for developers")]

use std::process::ExitCode;

use serde_json::Value;
use tempora_draw::{
    Colour, Diagram, Edge, Label, LabelKind, Nail, Node, NodeKind, Point, Port, SheetOptions, Skin,
    SvgOptions, Theme, arrange_on_sheet, draw_diagram, write_svg,
};

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let [input, output, flags @ ..] = arguments else {
        return Err("usage: draw_json INPUT.json OUTPUT.svg [--automatic] [--dark] [--columns N]".to_owned());
    };
    let has = |flag: &str| flags.iter().any(|given| given == flag);
    let columns = flags.iter().skip_while(|flag| *flag != "--columns").nth(1);
    let columns =
        columns.map(|count| count.parse().map_err(|_| format!("{count} is not a number"))).transpose()?;
    let text = std::fs::read_to_string(input).map_err(|error| format!("{input}: {error}"))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| format!("{input}: {error}"))?;
    let scenes: Vec<_> =
        items(&value).map(|value| draw_diagram(&diagram_of(value, has("--automatic")))).collect();
    let sheet = arrange_on_sheet(input, &scenes, &SheetOptions { columns, ..SheetOptions::default() });
    let theme = if has("--dark") { Theme::Dark } else { Theme::Light };
    let svg = write_svg(&sheet, &SvgOptions { theme, ..SvgOptions::default() });
    std::fs::write(output, svg).map_err(|error| format!("{output}: {error}"))
}

fn diagram_of(value: &Value, automatic: bool) -> Diagram {
    let mut diagram = Diagram::new(text(value, "title"));
    diagram.parameters = text(value, "parameters");
    diagram.colour = Colour::parse(&text(value, "colour"));
    if text(value, "skin") == "ecdar" {
        diagram.skin = Skin::Ecdar;
    }
    for (ports, key) in [(&mut diagram.inputs, "inputs"), (&mut diagram.outputs, "outputs")] {
        for name in items(&value[key]).filter_map(Value::as_str) {
            ports.push(Port {
                element: format!("{}/port/{name}", value["title"]).into(),
                name: name.to_owned(),
            });
        }
    }
    for node in items(&value["nodes"]) {
        let kind = match text(node, "kind").as_str() {
            "urgent" => NodeKind::Urgent,
            "committed" => NodeKind::Committed,
            "prohibited" => NodeKind::Prohibited,
            "branch-point" => NodeKind::BranchPoint,
            "universal" => NodeKind::Universal,
            "inconsistent" => NodeKind::Inconsistent,
            _ => NodeKind::Location,
        };
        diagram.nodes.push(Node {
            initial: node["initial"] == Value::Bool(true),
            position: position_of(node, automatic),
            colour: Colour::parse(&text(node, "colour")),
            labels: labels_of(node, automatic),
            ..Node::new(text(node, "id"), kind)
        });
    }
    for edge in items(&value["edges"]) {
        let nails = items(&edge["nails"]).filter_map(|nail| {
            let position = position_of(nail, automatic)?;
            Some(Nail { position, label: label_kind(&text(nail, "label")) })
        });
        diagram.edges.push(Edge {
            nails: nails.collect(),
            labels: labels_of(edge, automatic),
            controllable: edge["controllable"] != Value::Bool(false),
            colour: Colour::parse(&text(edge, "colour")),
            ..Edge::new(text(edge, "id"), text(edge, "source"), text(edge, "target"))
        });
    }
    diagram
}

fn labels_of(value: &Value, automatic: bool) -> Vec<Label> {
    items(&value["labels"])
        .filter_map(|label| {
            let kind = label_kind(&text(label, "kind"))?;
            Some(Label { position: position_of(label, automatic), ..Label::new(kind, text(label, "text")) })
        })
        .collect()
}

fn label_kind(name: &str) -> Option<LabelKind> {
    use LabelKind::*;
    [
        Name,
        Identifier,
        Invariant,
        Rate,
        Select,
        Guard,
        Synchronisation,
        Update,
        Probability,
        Comment,
        TestCode,
    ]
    .into_iter()
    .find(|kind| kind.name() == name)
}

fn position_of(value: &Value, automatic: bool) -> Option<Point> {
    let position = Point::new(value["x"].as_f64()?, value["y"].as_f64()?);
    (!automatic).then_some(position)
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
