//! Writes Ecdar's project folders.
//!
//! Invariant: every member that Ecdar's editor requires is written.

use std::fmt::Write as _;

use tempora_source::{Diagnostic, Diagnostics};
use tempora_syntax::{ast, print_declarations};

use super::input_output_lines;
use super::nails::complete_layout;
use super::special::replace_special_labels;
use super::system::drawn_systems;
use crate::codes::writing::WRITTEN_OTHERWISE;
use crate::ecdar::SPECIAL_LABELS;
use crate::ecdar::colours::number_of_colour;
use crate::uppaal::{
    PrintedEdge, PrintedTemplate, name_places, refuse, sections_with_names, with_renamed_member,
};
use crate::writer::Method;
use crate::{EdgeLabel, EdgeLayout, FolderFile, LayoutPoint, LocationLayout, Writable, Writer};

/// The registry entry of the writer.
pub(crate) const WRITER: Writer = Writer { name: "ecdar", extension: "/", method: Method::Folder(write) };

fn write(model: &Writable<'_>, warnings: &mut Diagnostics) -> Result<Vec<FolderFile>, Diagnostics> {
    if let Some(project) = model.project {
        let files = project.files.iter().map(|part| {
            let bytes = model.files.original_bytes(part.file);
            let bytes = bytes.unwrap_or_else(|| model.files.text(part.file).as_bytes().to_vec());
            FolderFile { path: part.path(model.files), bytes }
        });
        return Ok(files.collect());
    }
    let (systems, names) = drawn_systems(model.tree);
    let mut parts = sections_with_names(model, &names)?;
    let mut problems = Diagnostics::new();
    refuse_unsupported_constructs(&parts.templates, &parts.system, &mut problems);
    warn_of_system_line(&parts.templates, &parts.system, warnings);
    let mut files = systems;
    let mut renamed = Vec::new();
    let mut edges = 0;
    let words = model.words_with_underscore();
    for process in &mut parts.templates {
        let layout = model.layout_of(process);
        renamed.extend(name_places(process, &|name| words.contains(name)));
        let mut template = PrintedTemplate::new(process, layout);
        // The type of the initial location is `INITIAL`, so its special label is expressed by other means.
        let initial = template.initial;
        replace_special_labels(
            &mut template,
            process,
            |number| initial == Some(number),
            (warnings, &mut problems),
        );
        if problems.is_empty() {
            let text = component_text(&template, &mut edges);
            files.push(file(&format!("Components/{}.json", template.name), text));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let is_global = |declaration: &ast::Declaration| {
        use ast::DeclarationKind::{InputOutput, System};
        !matches!(declaration.kind, InputOutput { .. } | System(_))
    };
    parts.declarations.retain(is_global);
    parts.declarations.extend(parts.system.iter().filter(|declaration| is_global(declaration)).cloned());
    let declarations = print_declarations(&parts.declarations);
    files.push(file(
        "GlobalDeclarations.json",
        declarations_text("Global Declarations", declarations.trim_end()),
    ));
    let names: Vec<&str> = parts.templates.iter().map(|template| template.name.text.as_str()).collect();
    let known = parts.system.iter().filter(|declaration| !is_global(declaration));
    let known: Vec<ast::Declaration> = known
        .filter(|declaration| matches!(declaration.kind, ast::DeclarationKind::InputOutput { .. }))
        .cloned()
        .collect();
    let lines = format!(
        "system {};\n{}{}",
        names.join(", "),
        print_declarations(&known),
        input_output_lines(model).join("\n")
    );
    files.push(file("SystemDeclarations.json", declarations_text("System Declarations", lines.trim_end())));
    let queries = parts.queries.iter().map(|(query, title)| {
        let query =
            renamed.iter().fold(query.clone(), |query, (old, new)| with_renamed_member(&query, old, new));
        // A query that cannot be expressed becomes a comment.
        let (query, title) =
            if query.starts_with("//") { ("", query.as_str()) } else { (query.as_str(), *title) };
        format!(
            "  {{\n    \"query\": {},\n    \"comment\": {},\n    \"isPeriodic\": false\n  }}",
            text(query),
            text(title)
        )
    });
    let queries: Vec<String> = queries.collect();
    let queries =
        if queries.is_empty() { "[]\n".to_owned() } else { format!("[\n{}\n]\n", queries.join(",\n")) };
    files.push(file("Queries.json", queries));
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

pub(super) fn file(path: &str, text: String) -> FolderFile {
    FolderFile { path: path.to_owned(), bytes: text.into_bytes() }
}

/// Refuses constructs that components of a project cannot express.
fn refuse_unsupported_constructs(
    templates: &[ast::ProcessDeclaration],
    system: &[ast::Declaration],
    problems: &mut Diagnostics,
) {
    const DOCUMENT: &str = "use `--to ecdar-xml`";
    for process in templates {
        if let Some(parameter) = process.parameters.first() {
            refuse(problems, parameter.span, "a template with parameters", DOCUMENT);
        }
        if process.initial.is_empty() {
            refuse(problems, process.name.span, "a process without initial location", "declare one");
        }
        if let Some(point) = process.branchpoints.first() {
            refuse(problems, point.span, "an edge with branches", "give each edge a single target");
        }
        for rate in
            process.locations.iter().filter_map(|location| location.rate.as_ref().map(|_| location.span))
        {
            refuse(problems, rate, "a rate", DOCUMENT);
        }
        for edge in &process.edges {
            let synchronisation = edge.labels.synchronisation.as_ref();
            if let Some(both) = synchronisation.filter(|known| known.direction == ast::Direction::Both) {
                refuse(problems, both.span, "a channel without direction", "write `!` or `?`");
            }
            if let Some(computed) = synchronisation.filter(|known| !is_named(&known.channel)) {
                refuse(problems, computed.span, "a computed channel", DOCUMENT);
            }
        }
    }
    for declaration in system {
        use ast::DeclarationKind::{Gantt, Instantiation, Progress};
        if matches!(declaration.kind, Gantt(_) | Instantiation(_) | Progress(_)) {
            refuse(
                problems,
                declaration.span,
                "an instantiation, a progress measure or a Gantt chart",
                DOCUMENT,
            );
        }
    }
}

/// Returns whether a channel is a name, or an element of a named array.
fn is_named(channel: &ast::Expression) -> bool {
    match &channel.without_parentheses().kind {
        ast::ExpressionKind::Name(_) => true,
        ast::ExpressionKind::Index { base, .. } => is_named(base),
        _ => false,
    }
}

/// Warns of a system line that differs from the list of all components.
fn warn_of_system_line(
    templates: &[ast::ProcessDeclaration],
    system: &[ast::Declaration],
    warnings: &mut Diagnostics,
) {
    for declaration in system {
        let ast::DeclarationKind::System(line) = &declaration.kind else { continue };
        let listed: usize = line.levels.iter().map(Vec::len).sum();
        if line.levels.len() > 1 || listed != templates.len() {
            let message = "a project consists of all its components, without priorities";
            let warning = Diagnostic::warning(&WRITTEN_OTHERWISE, message)
                .with_primary(declaration.span, "this line is not kept")
                .with_hint("queries about specifications do not depend on it");
            warnings.push(warning);
        }
    }
}

fn declarations_text(name: &str, declarations: &str) -> String {
    format!("{{\n  \"name\": {},\n  \"declarations\": {}\n}}\n", text(name), text(declarations))
}

fn component_text(template: &PrintedTemplate, edges: &mut usize) -> String {
    let layout = complete_layout(template);
    let mut locations = Vec::with_capacity(template.locations.len());
    let mut transitions = Vec::with_capacity(template.edges.len());
    for (number, location) in template.locations.iter().enumerate() {
        let drawn = &layout.locations[number];
        let is_labelled = |text: &str| location.labels.iter().any(|label| label.text == text);
        let [is_universal, is_inconsistent] = SPECIAL_LABELS.map(is_labelled);
        let kind = match (template.initial == Some(number), is_inconsistent, is_universal) {
            (true, _, _) => "INITIAL",
            (_, true, _) => "INCONSISTENT",
            (_, _, true) => "UNIVERSAL",
            _ => "NORMAL",
        };
        let urgency = match (location.is_committed, location.is_urgent) {
            (true, _) => "COMMITTED",
            (_, true) => "URGENT",
            _ => "NORMAL",
        };
        locations.push(location_text(location.name.as_str(), &location.invariant, kind, urgency, drawn));
        // Ecdar draws the behaviour of such a location as loops that cannot be edited.
        let loops: &[bool] = match kind {
            "UNIVERSAL" => &[false, true],
            "INCONSISTENT" => &[false],
            _ => &[],
        };
        for &is_output in loops {
            *edges += 1;
            let place = drawn.place.unwrap_or(LayoutPoint { x: 0.0, y: 0.0 });
            let side = if is_output { 50.0 } else { -50.0 };
            let nails = [
                nail_text(LayoutPoint { x: place.x + side, y: place.y - 20.0 }, None, None),
                nail_text(
                    LayoutPoint { x: place.x + side, y: place.y + 20.0 },
                    Some(EdgeLabel::Synchronisation),
                    None,
                ),
            ];
            let ends = (location.name.as_str(), location.name.as_str());
            transitions.push(edge_text(*edges, ends, is_output, ["", "", "*", ""], true, &nails));
        }
    }
    for (number, edge) in template.edges.iter().enumerate() {
        let (Some(source), Some(target)) = (edge.source, edge.target) else { continue };
        *edges += 1;
        transitions.push(transition_text(template, edge, &layout.edges[number], (source, target), *edges));
    }
    let corner = layout.corner.unwrap_or(LayoutPoint { x: 5.0, y: 5.0 });
    let (width, height) = layout.size.unwrap_or_default();
    let mut written = String::from("{\n");
    // Writing to a string does not fail.
    let _ = writeln!(written, "  \"name\": {},", text(&template.name));
    let _ = writeln!(written, "  \"declarations\": {},", text(template.declarations.trim_end()));
    let _ = writeln!(written, "  \"locations\": {},", list(&locations));
    let _ = writeln!(written, "  \"edges\": {},", list(&transitions));
    let _ = writeln!(written, "  \"description\": {},", text(&layout.description));
    let _ = writeln!(written, "  \"x\": {:?},\n  \"y\": {:?},", corner.x, corner.y);
    let _ = writeln!(written, "  \"width\": {width:?},\n  \"height\": {height:?},");
    let _ = writeln!(written, "  \"color\": \"{}\",", number_of_colour(layout.colour.as_deref()));
    written.push_str("  \"includeInPeriodicCheck\": false\n}\n");
    written
}

fn location_text(name: &str, invariant: &str, kind: &str, urgency: &str, drawn: &LocationLayout) -> String {
    let place = drawn.place.unwrap_or(LayoutPoint { x: 0.0, y: 0.0 });
    let offset = |known: Option<LayoutPoint>, down: f64| {
        known.map_or((30.0, down), |known| (known.x - place.x, known.y - place.y))
    };
    let (name_at, invariant_at) = (offset(drawn.name, -10.0), offset(drawn.invariant, 10.0));
    // Ecdar shows ids that it generates itself, or nicknames instead of them.
    let is_generated = name.strip_prefix(['L', 'U', 'I']).is_some_and(|rest| rest.parse::<u32>().is_ok());
    let nickname = drawn.nickname.as_deref().unwrap_or(if is_generated { "" } else { name });
    let members = [
        ("id", text(name)),
        ("nickname", text(nickname)),
        ("invariant", text(invariant)),
        ("type", text(kind)),
        ("urgency", text(urgency)),
        ("x", format!("{:?}", place.x)),
        ("y", format!("{:?}", place.y)),
        ("color", format!("\"{}\"", number_of_colour(drawn.colour.as_deref()))),
        ("nicknameX", format!("{:?}", name_at.0)),
        ("nicknameY", format!("{:?}", name_at.1)),
        ("invariantX", format!("{:?}", invariant_at.0)),
        ("invariantY", format!("{:?}", invariant_at.1)),
    ];
    object(4, &members)
}

fn transition_text(
    template: &PrintedTemplate,
    edge: &PrintedEdge,
    drawn: &EdgeLayout,
    (source, target): (usize, usize),
    id: usize,
) -> String {
    let nails: Vec<String> = drawn
        .bends
        .iter()
        .map(|bend| {
            nail_text(bend.place, bend.label, bend.label.and_then(|label| drawn.labels[label as usize]))
        })
        .collect();
    let ends = (template.locations[source].name.as_str(), template.locations[target].name.as_str());
    let is_output = edge.direction != Some(ast::Direction::Receive);
    edge_text(id, ends, is_output, [&edge.select, &edge.guard, &edge.channel, &edge.update], false, &nails)
}

fn edge_text(
    id: usize,
    (source, target): (&str, &str),
    is_output: bool,
    [select, guard, channel, update]: [&str; 4],
    is_locked: bool,
    nails: &[String],
) -> String {
    let members = [
        ("id", format!("\"E{id}\"")),
        ("group", text("")),
        ("sourceLocation", text(source)),
        ("targetLocation", text(target)),
        ("status", text(if is_output { "OUTPUT" } else { "INPUT" })),
        ("select", text(select)),
        ("guard", text(guard)),
        ("update", text(update)),
        ("sync", text(channel)),
        ("isLocked", is_locked.to_string()),
        (
            "nails",
            if nails.is_empty() { "[]".to_owned() } else { format!("[\n{}\n      ]", nails.join(",\n")) },
        ),
    ];
    object(4, &members)
}

fn nail_text(place: LayoutPoint, label: Option<EdgeLabel>, label_at: Option<LayoutPoint>) -> String {
    let kind = match label {
        None => "NONE",
        Some(EdgeLabel::Select) => "SELECTION",
        Some(EdgeLabel::Guard) => "GUARD",
        Some(EdgeLabel::Synchronisation) => "SYNCHRONIZATION",
        Some(EdgeLabel::Update) => "UPDATE",
    };
    let (right, down) = match (label, label_at) {
        (None, _) => (0.0, 0.0),
        (Some(_), Some(known)) => (known.x - place.x, known.y - place.y),
        (Some(_), None) => (10.0, -10.0),
    };
    let members = [
        ("x", format!("{:?}", place.x)),
        ("y", format!("{:?}", place.y)),
        ("propertyType", text(kind)),
        ("propertyX", format!("{right:?}")),
        ("propertyY", format!("{down:?}")),
    ];
    object(8, &members)
}

fn list(items: &[String]) -> String {
    if items.is_empty() { "[]".to_owned() } else { format!("[\n{}\n  ]", items.join(",\n")) }
}

fn object(indentation: usize, members: &[(&str, String)]) -> String {
    let inner = " ".repeat(indentation + 2);
    let lines: Vec<String> =
        members.iter().map(|(name, value)| format!("{inner}\"{name}\": {value}")).collect();
    let outer = " ".repeat(indentation);
    format!("{outer}{{\n{}\n{outer}}}", lines.join(",\n"))
}

/// Returns a text as a JSON string.
pub(super) fn text(content: &str) -> String {
    let mut written = String::with_capacity(content.len() + 2);
    written.push('"');
    for character in content.chars() {
        match character {
            '"' => written.push_str("\\\""),
            '\\' => written.push_str("\\\\"),
            '\n' => written.push_str("\\n"),
            '\r' => written.push_str("\\r"),
            '\t' => written.push_str("\\t"),
            other if other.is_control() => {
                let _ = write!(written, "\\u{:04x}", u32::from(other));
            }
            other => written.push(other),
        }
    }
    written.push('"');
    written
}
