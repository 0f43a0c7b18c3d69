//! Translates the JSON of a component into the tree of a process.
//!
//! Invariant: locations are named by their ids; universal and inconsistent ones carry labels with these names, which
//! specifications recognise. `*` on an edge stands for each input, or each output, of the component. Unknown members
//! are ignored, except parameters, which would change the meaning and are refused.

use tempora_source::{Diagnostic, Diagnostics, FileId, Files, Span, decode_json_string};
use tempora_syntax::{
    Parsed, ast, parse_declarations, parse_expression_list, parse_guard, parse_invariant, parse_select,
    parse_synchronisation,
};

use super::codes::ECDAR_COMPONENT;
use super::colours::colour_of_number;
use super::json::{Json, JsonKind};
use crate::{Bend, ComponentLayout, EdgeLabel, EdgeLayout, LayoutPoint, LocationLayout};

/// The action of edges without a channel.
pub(super) const NAMELESS: &str = "(none)";

/// A component as a process, with its channels and layout.
pub(super) struct ReadComponent {
    pub(super) process: ast::ProcessDeclaration,
    /// The names of its channels, without indices.
    pub(super) channels: Vec<String>,
    /// Its layout.
    pub(super) layout: ComponentLayout,
}

/// Reads a component.
pub(super) fn read_component(
    files: &mut Files,
    file: FileId,
    json: &Json,
    diagnostics: &mut Diagnostics,
) -> Option<ReadComponent> {
    let mut reader = Reader { files, diagnostics, name: String::new() };
    let Some(JsonKind::Text(name_span)) = json.get("name").map(|value| &value.kind) else {
        let whole = reader.files.whole(file);
        let start = Span::new(file, whole.start, whole.start);
        reader.fault(start, "the component has no name", "write `\"name\": \"…\"`");
        return None;
    };
    reader.name = json.text_of(reader.files, "name");
    let name = ast::Name { text: reader.name.clone(), span: *name_span };
    if !tempora_syntax::is_name(&name.text) {
        let message = format!("`{}` is not a valid component name", name.text);
        reader.fault(*name_span, &message, "use letters, digits and `_`, and do not begin with a digit");
        return None;
    }
    reader.refuse_parameters(json);
    let declarations = match reader.embedded(json, "declarations") {
        Some(text) => {
            let parsed = parse_declarations(reader.files, text);
            reader.parsed(parsed)
        }
        None => Vec::new(),
    };
    let mut process = ast::ProcessDeclaration {
        name,
        arguments: Vec::new(),
        parameters: Vec::new(),
        template: None,
        declarations,
        locations: Vec::new(),
        branchpoints: Vec::new(),
        initial: Vec::new(),
        urgent: Vec::new(),
        committed: Vec::new(),
        edges: Vec::new(),
        span: json.span,
    };
    let mut layout = component_layout(reader.files, json, &process.name.text);
    for location in json.get("locations").map(Json::items).unwrap_or_default() {
        reader.location(location, &mut process, &mut layout);
    }
    if process.initial.len() != 1 && !process.locations.is_empty() {
        let message = match process.initial.len() {
            0 => "the component has no initial location",
            _ => "the component has several initial locations",
        };
        reader.fault(*name_span, message, "write `\"type\": \"INITIAL\"` in one of its locations");
    }
    let edges = json.get("edges").map(Json::items).unwrap_or_default();
    let mut actions: Vec<(Span, bool)> = Vec::new();
    for edge in edges {
        if let Some(JsonKind::Text(span)) = edge.get("sync").map(|value| &value.kind) {
            let text = edge.text_of(reader.files, "sync");
            let is_output = edge.text_of(reader.files, "status") == "OUTPUT";
            let is_new = actions.iter().all(|(known, side)| {
                *side != is_output || reader.files.text_at(*known) != reader.files.text_at(*span)
            });
            if text.trim() != "*" && !text.trim().is_empty() && is_new {
                actions.push((*span, is_output));
            }
        }
    }
    let mut channels = Vec::new();
    for edge in edges {
        reader.edge(edge, &actions, &mut process, &mut channels);
        let drawn = edge_layout(reader.files, edge);
        layout.edges.resize(process.edges.len(), drawn);
    }
    Some(ReadComponent { process, channels, layout })
}

struct Reader<'reading> {
    files: &'reading mut Files,
    diagnostics: &'reading mut Diagnostics,
    name: String,
}

impl Reader<'_> {
    fn fault(&mut self, span: Span, message: &str, hint: &str) {
        let diagnostic = Diagnostic::error(&ECDAR_COMPONENT, message).with_primary(span, "").with_hint(hint);
        self.diagnostics.push(diagnostic);
    }

    /// Refuses parameters: the format has none, and neither names nor queries could give them values.
    fn refuse_parameters(&mut self, json: &Json) {
        let Some(parameters) = json.get("parameters") else { return };
        let has_parameters = match &parameters.kind {
            JsonKind::Text(span) => !self.files.text_at(*span).trim().is_empty(),
            JsonKind::List(items) => !items.is_empty(),
            JsonKind::Object(members) => !members.is_empty(),
            JsonKind::Other => false,
        };
        if has_parameters {
            let hint =
                "write one component for each instance, or use XML, where templates can have parameters";
            self.fault(parameters.span, "components of a project cannot have parameters", hint);
        }
    }

    fn parsed<T>(&mut self, parsed: Parsed<T>) -> T {
        self.diagnostics.extend(parsed.diagnostics);
        parsed.tree
    }

    /// Adds a string member as an embedded file; returns `None` if it is missing or blank.
    fn embedded(&mut self, json: &Json, member: &str) -> Option<FileId> {
        let Some(JsonKind::Text(raw)) = json.get(member).map(|value| &value.kind) else { return None };
        self.embedded_text(*raw, member)
    }

    fn embedded_text(&mut self, raw: Span, member: &str) -> Option<FileId> {
        let (text, faults) = decode_json_string(self.files, raw);
        self.diagnostics.extend(faults);
        if text.text().trim().is_empty() {
            return None;
        }
        Some(self.files.add_embedded(format!("{member} of `{}`", self.name), text))
    }

    fn location(&mut self, json: &Json, process: &mut ast::ProcessDeclaration, layout: &mut ComponentLayout) {
        let id = json.text_of(self.files, "id");
        let span = match json.get("id").map(|value| &value.kind) {
            Some(JsonKind::Text(span)) => *span,
            _ => Span::new(json.span.file, json.span.start, json.span.start + 1),
        };
        if !tempora_syntax::is_name(&id) {
            let message = format!("`{id}` is not a valid location id");
            self.fault(span, &message, "use letters, digits and `_`, and do not begin with a digit");
            return;
        }
        if process.locations.iter().any(|other| other.name.text == id) {
            let message = format!("the location id `{id}` is declared twice");
            self.fault(span, &message, "give each location an id of its own");
            return;
        }
        let name = ast::Name { text: id, span };
        let invariant = match self.embedded(json, "invariant") {
            Some(text) => {
                let parsed = parse_invariant(self.files, text);
                self.parsed(parsed)
            }
            None => None,
        };
        let mut labels = Vec::new();
        let kind = json.text_of(self.files, "type");
        match kind.as_str() {
            "NORMAL" | "" => {}
            "INITIAL" | "INITAL" => process.initial.push(name.clone()),
            "UNIVERSAL" | "INCONSISTENT" => {
                labels.push(ast::Name { text: kind.to_ascii_lowercase(), span });
            }
            _ => {
                let message = format!("unknown location type `{kind}`");
                self.fault(span, &message, "use NORMAL, INITIAL, UNIVERSAL or INCONSISTENT");
            }
        }
        let urgency = json.text_of(self.files, "urgency");
        match urgency.as_str() {
            // Ecdar draws prohibited locations differently; its engines ignore the mark.
            "NORMAL" | "" | "PROHIBITED" => {}
            "URGENT" => process.urgent.push(name.clone()),
            "COMMITTED" => process.committed.push(name.clone()),
            _ => {
                let message = format!("unknown urgency `{urgency}`");
                self.fault(span, &message, "use NORMAL, URGENT or COMMITTED");
            }
        }
        process.locations.push(ast::LocationDeclaration {
            name,
            invariant,
            rate: None,
            labels,
            span: json.span,
        });
        layout.locations.push(location_layout(self.files, json));
    }

    fn edge(
        &mut self,
        json: &Json,
        actions: &[(Span, bool)],
        process: &mut ast::ProcessDeclaration,
        channels: &mut Vec<String>,
    ) {
        let start = Span::new(json.span.file, json.span.start, json.span.start + 1);
        let is_output = match json.text_of(self.files, "status").as_str() {
            "OUTPUT" => true,
            "INPUT" => false,
            other => {
                let message = format!("the status of an edge is `{other}` instead of input or output");
                self.fault(start, &message, "write `\"status\": \"INPUT\"` or `\"OUTPUT\"`");
                return;
            }
        };
        let (source, target) =
            (self.place(json, "sourceLocation", process), self.place(json, "targetLocation", process));
        let (Some(source), Some(target)) = (source, target) else { return };
        let mut labels = ast::EdgeLabels::default();
        if let Some(text) = self.embedded(json, "select") {
            let parsed = parse_select(self.files, text);
            labels.select = self.parsed(parsed);
        }
        if let Some(text) = self.embedded(json, "guard") {
            let parsed = parse_guard(self.files, text);
            labels.guard = self.parsed(parsed);
        }
        if let Some(text) = self.embedded(json, "update") {
            let parsed = parse_expression_list(self.files, text);
            labels.updates = self.parsed(parsed);
        }
        let Some(JsonKind::Text(sync)) = json.get("sync").map(|value| &value.kind) else {
            self.fault(start, "the edge has no channel", "write `\"sync\": \"…\"`");
            return;
        };
        let is_special = process
            .locations
            .iter()
            .any(|location| location.name.text == source.text && !location.labels.is_empty());
        let written: Vec<Span> = if json.text_of(self.files, "sync").trim() != "*" {
            vec![*sync]
        } else if is_special {
            // The behaviour of a universal or inconsistent location is fixed.
            Vec::new()
        } else {
            actions.iter().filter(|(_, side)| *side == is_output).map(|(span, _)| *span).collect()
        };
        for span in written {
            let direction = if is_output { ast::Direction::Send } else { ast::Direction::Receive };
            let Some(synchronisation) = self.synchronisation(span, direction, channels) else { return };
            process.edges.push(ast::Edge {
                source: source.clone(),
                is_uncontrollable: is_output,
                labels: ast::EdgeLabels { synchronisation: Some(synchronisation), ..labels.clone() },
                target: ast::EdgeTarget::Single(target.clone()),
                span: json.span,
            });
        }
    }

    /// Parses the action of an edge. Ecdar accepts any text as a name; a text with brackets is an element of an array.
    fn synchronisation(
        &mut self,
        span: Span,
        direction: ast::Direction,
        channels: &mut Vec<String>,
    ) -> Option<ast::Synchronisation> {
        let text = decode_json_string(self.files, span).0.text().trim().to_owned();
        if text.contains('[') {
            let file = self.embedded_text(span, "channel")?;
            let parsed = parse_synchronisation(self.files, file);
            let mut synchronisation = self.parsed(parsed)?;
            if synchronisation.direction != ast::Direction::Both && synchronisation.direction != direction {
                let message = "the sign after the channel contradicts the status of the edge";
                self.fault(span, message, "remove the sign");
                return None;
            }
            synchronisation.direction = direction;
            return Some(synchronisation);
        }
        let name = text.strip_suffix(['!', '?']).unwrap_or(&text).trim();
        let name = if name.is_empty() { NAMELESS } else { name }.to_owned();
        if !channels.contains(&name) {
            channels.push(name.clone());
        }
        let channel = ast::Expression { kind: ast::ExpressionKind::Name(name), span };
        Some(ast::Synchronisation { channel, direction, span })
    }

    fn place(&mut self, json: &Json, member: &str, process: &ast::ProcessDeclaration) -> Option<ast::Name> {
        let id = json.text_of(self.files, member);
        let span = match json.get(member).map(|value| &value.kind) {
            Some(JsonKind::Text(span)) => *span,
            _ => Span::new(json.span.file, json.span.start, json.span.start + 1),
        };
        if process.locations.iter().any(|location| location.name.text == id) {
            return Some(ast::Name { text: id, span });
        }
        let names = process.locations.iter().map(|location| location.name.text.as_str());
        let hint = match tempora_source::nearest_names(&id, names).first() {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "add a location with this id".to_owned(),
        };
        let message = format!("unknown location id `{id}` in this component");
        self.fault(span, &message, &hint);
        None
    }
}

fn component_layout(files: &Files, json: &Json, name: &str) -> ComponentLayout {
    let number = |member: &str| json.number_of(files, member);
    let corner = number("x").zip(number("y")).map(|(x, y)| LayoutPoint { x, y });
    ComponentLayout {
        component: name.to_owned(),
        description: json.text_of(files, "description"),
        colour: colour_of_number(number("color")),
        corner,
        size: number("width").zip(number("height")),
        locations: Vec::new(),
        edges: Vec::new(),
    }
}

fn location_layout(files: &Files, json: &Json) -> LocationLayout {
    let place_of = |x: &str, y: &str| {
        let (x, y) = (json.number_of(files, x)?, json.number_of(files, y)?);
        Some(LayoutPoint { x, y })
    };
    let place = place_of("x", "y");
    // The positions of labels are relative to their location.
    let moved = |offset: Option<LayoutPoint>| {
        let (place, offset) = place.zip(offset)?;
        Some(LayoutPoint { x: place.x + offset.x, y: place.y + offset.y })
    };
    let nickname = json.text_of(files, "nickname");
    LocationLayout {
        place,
        name: moved(place_of("nicknameX", "nicknameY")),
        invariant: moved(place_of("invariantX", "invariantY")),
        colour: colour_of_number(json.number_of(files, "color")),
        nickname: (!nickname.is_empty()).then_some(nickname),
    }
}

fn edge_layout(files: &Files, json: &Json) -> EdgeLayout {
    let mut layout = EdgeLayout::default();
    for nail in json.get("nails").map(Json::items).unwrap_or_default() {
        let number = |member: &str| nail.number_of(files, member);
        let (Some(x), Some(y)) = (number("x"), number("y")) else { continue };
        let label = match nail.text_of(files, "propertyType").as_str() {
            "SELECTION" => Some(EdgeLabel::Select),
            "GUARD" => Some(EdgeLabel::Guard),
            "SYNCHRONIZATION" => Some(EdgeLabel::Synchronisation),
            "UPDATE" => Some(EdgeLabel::Update),
            _ => None,
        };
        if let (Some(label), Some(right), Some(down)) = (label, number("propertyX"), number("propertyY")) {
            layout.labels[label as usize] = Some(LayoutPoint { x: x + right, y: y + down });
        }
        layout.bends.push(Bend { place: LayoutPoint { x, y }, label });
    }
    layout
}
