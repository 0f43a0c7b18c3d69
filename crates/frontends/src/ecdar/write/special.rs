//! Expresses universal and inconsistent locations in languages without such locations.
//!
//! Invariant: the output has the same implementations. A universal location has no invariant and a loop for every
//! action; an inconsistent location lets no time pass and has no output.

use tempora_source::{Diagnostic, Diagnostics};
use tempora_syntax::{ast, is_name};

use crate::codes::writing::WRITTEN_OTHERWISE;
use crate::ecdar::SPECIAL_LABELS;
use crate::uppaal::{PrintedEdge, PrintedTemplate, refuse};

/// Replaces the special labels of locations by constructs with the same meaning.
pub(super) fn replace_special_labels(
    template: &mut PrintedTemplate,
    process: &ast::ProcessDeclaration,
    is_concerned: impl Fn(usize) -> bool,
    (warnings, problems): (&mut Diagnostics, &mut Diagnostics),
) {
    let mut clock = None;
    for number in 0..template.locations.len() {
        let labels = template.locations[number].labels.clone();
        let is_labelled = |text: &str| labels.iter().find(|label| label.text == text);
        let [universal, inconsistent] = SPECIAL_LABELS.map(is_labelled);
        // A location with both labels is inconsistent.
        let Some(label) = inconsistent.or(universal).filter(|_| is_concerned(number)) else { continue };
        let message = format!("the label `{}` is expressed by other means", label.text);
        let (what, hint) = if inconsistent.is_some() {
            (
                "as a location in which time cannot pass and no output is possible",
                "it has the same implementations",
            )
        } else {
            ("as a location with a loop for each action", "it has the same implementations")
        };
        warnings.push(
            Diagnostic::warning(&WRITTEN_OTHERWISE, message).with_primary(label.span, what).with_hint(hint),
        );
        let location = &mut template.locations[number];
        (location.is_urgent, location.is_committed) = (false, false);
        location.labels.retain(|label| !SPECIAL_LABELS.contains(&label.text.as_str()));
        if inconsistent.is_some() {
            let clock: &String = clock.get_or_insert_with(|| new_clock(template));
            stop_time(template, number, clock);
        } else {
            template.locations[number].invariant.clear();
            allow_everything(template, process, number, problems);
        }
    }
    if let Some(clock) = clock {
        let separator = if template.declarations.is_empty() { "" } else { "\n" };
        template.declarations = format!("{}{separator}clock {clock};", template.declarations.trim_end());
    }
}

/// Makes a location inconsistent: time cannot pass, and no output is possible.
fn stop_time(template: &mut PrintedTemplate, location: usize, clock: &str) {
    template.locations[location].invariant = format!("{clock} <= 0");
    for edge in &mut template.edges {
        if edge.target == Some(location) {
            let separator = if edge.update.is_empty() { "" } else { ", " };
            edge.update = format!("{}{separator}{clock} = 0", edge.update);
        }
        if edge.source == Some(location) && edge.direction != Some(ast::Direction::Receive) {
            edge.guard = "false".to_owned();
        }
    }
}

/// Makes a location universal: every action of the component loops at any time.
fn allow_everything(
    template: &mut PrintedTemplate,
    process: &ast::ProcessDeclaration,
    location: usize,
    problems: &mut Diagnostics,
) {
    let mut loops: Vec<PrintedEdge> = Vec::new();
    for (edge, written) in template.edges.iter().zip(&process.edges) {
        if let Some(synchronisation) = &written.labels.synchronisation
            && !is_of_known_channels(&synchronisation.channel, &written.labels.select)
        {
            let hint = "use a select, whose values are known";
            refuse(problems, synchronisation.span, "a loop on a computed channel", hint);
            return;
        }
        let is_known = |known: &PrintedEdge| {
            known.select == edge.select && known.synchronisation == edge.synchronisation
        };
        if !loops.iter().any(is_known) {
            loops.push(PrintedEdge {
                source: Some(location),
                target: Some(location),
                guard: String::new(),
                update: String::new(),
                weight: String::new(),
                ..edge.clone()
            });
        }
    }
    let kept: Vec<bool> = template.edges.iter().map(|edge| edge.source != Some(location)).collect();
    let mut is_kept = kept.iter();
    template.edges.retain(|_| is_kept.next() != Some(&false));
    if let Some(layout) = &mut template.layout {
        let mut is_kept = kept.iter();
        layout.edges.retain(|_| is_kept.next() != Some(&false));
        layout.edges.resize_with(layout.edges.len() + loops.len(), crate::EdgeLayout::default);
    }
    template.edges.extend(loops);
}

/// Returns whether the channels of an edge are independent of variables.
fn is_of_known_channels(channel: &ast::Expression, select: &[ast::Binding]) -> bool {
    match &channel.without_parentheses().kind {
        ast::ExpressionKind::Name(_) => true,
        ast::ExpressionKind::Index { base, index } => {
            let is_known = match &index.without_parentheses().kind {
                ast::ExpressionKind::Integer(_) => true,
                ast::ExpressionKind::Name(name) => select.iter().any(|binding| binding.name.text == *name),
                _ => false,
            };
            is_known && is_of_known_channels(base, select)
        }
        _ => false,
    }
}

/// Returns a name that does not occur in a template.
fn new_clock(template: &PrintedTemplate) -> String {
    let mut name = "stopped".to_owned();
    let labels =
        template.edges.iter().flat_map(|edge| [&edge.select, &edge.guard, &edge.channel, &edge.update]);
    let invariants = template.locations.iter().map(|location| &location.invariant);
    let texts: Vec<&String> =
        labels.chain(invariants).chain([&template.declarations, &template.parameters]).collect();
    // A name that is longer than every text occurs in none of them.
    while texts.iter().any(|text| text.contains(&name)) {
        name.push('_');
    }
    debug_assert!(is_name(&name));
    name
}
