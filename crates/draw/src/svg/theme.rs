//! The colours of drawings, light and dark.
//!
//! The hues are those of the labels of UPPAAL, darkened if their contrast on white was too low. Each colour is a
//! variable that a page may set, preceded by a plain value for renderers without support for variables. Invariant:
//! the dark theme has a value for every variable of the light theme.

use std::fmt::Write;

/// The colours of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Theme {
    /// Dark if the system of the reader prefers dark colours, and light otherwise.
    #[default]
    Automatic,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

impl Theme {
    /// Returns the class of the root of a drawing.
    pub(super) fn class(self) -> &'static str {
        match self {
            Theme::Automatic => "tempora-automatic",
            Theme::Light => "tempora-light",
            Theme::Dark => "tempora-dark",
        }
    }
}

struct Variable {
    name: &'static str,
    light: &'static str,
    dark: &'static str,
}

const fn variable(name: &'static str, light: &'static str, dark: &'static str) -> Variable {
    Variable { name, light, dark }
}

const VARIABLES: &[Variable] = &[
    variable("background", "#ffffff", "#15181e"),
    variable("ink", "#1b1f24", "#e6e9ef"),
    variable("faint", "#6b7280", "#9aa3b2"),
    variable("surface", "#f5f6f9", "#20242d"),
    variable("edge", "#2b2f36", "#c9cfda"),
    variable("rim", "#000000", "#e6e9ef"),
    variable("location", "#a5afcd", "#a5afcd"),
    variable("on-location", "#000000", "#000000"),
    variable("name", "#8c3863", "#e3a3c2"),
    variable("invariant", "#a742a8", "#e08fe1"),
    variable("guard", "#2a7d30", "#7fd486"),
    variable("update", "#4242a8", "#a9a9f5"),
    variable("synchronisation", "#0b7285", "#5fd0d0"),
    variable("select", "#8a6d00", "#e0c25a"),
    variable("probability", "#8a4b1f", "#e8b48a"),
    variable("token", "#c00000", "#e05252"),
    variable("chosen", "#d04040", "#ff7b7b"),
    variable("visited", "#2f6fd0", "#7fb0ff"),
    variable("finding-every", "#d92d20", "#ff6b5e"),
    variable("finding-some", "#b58900", "#f0c94a"),
    variable("finding-not-seen", "#6b7280", "#9aa3b2"),
];

/// The selectors and declarations; `$name` stands for a variable.
const RULES: &[(&str, &str)] = &[
    ("text", "font-family:Helvetica,Arial,'Liberation Sans',sans-serif;fill:$ink;white-space:pre"),
    (".background", "fill:$background"),
    (".edge", "fill:none;stroke:$edge;stroke-width:1.3;stroke-linecap:round"),
    (".arrow-head", "fill:none;stroke:$edge;stroke-width:1.3;stroke-linecap:round;stroke-linejoin:round"),
    (".location", "fill:$location;stroke:$rim;stroke-width:1.2"),
    (".branch-point", "fill:$background;stroke:$rim;stroke-width:1.2"),
    (".unknown-node", "fill:$background;stroke:$finding-every;stroke-width:1.2;stroke-dasharray:2 2"),
    (".initial-mark", "fill:none;stroke:$on-location;stroke-width:1.2"),
    (".prohibited-mark", "fill:none;stroke:$finding-every;stroke-width:2"),
    (".location-text", "fill:$on-location"),
    (
        ".name,.invariant,.rate,.select,.guard,.synchronisation,.update,.probability,.comment,.test-code,.message-text",
        "paint-order:stroke;stroke:$background;stroke-width:3px;stroke-linejoin:round",
    ),
    (".name", "fill:$name"),
    (".invariant,.rate", "fill:$invariant"),
    (".select", "fill:$select"),
    (".guard", "fill:$guard"),
    (".synchronisation", "fill:$synchronisation"),
    (".update", "fill:$update"),
    (".probability", "fill:$probability"),
    (".comment,.test-code", "fill:$faint;font-style:italic"),
    (".frame", "fill:none;stroke:$edge;stroke-width:1.5"),
    (".frame-title", "font-weight:bold"),
    (".frame-parameters", "fill:$faint"),
    (".port-line", "fill:none;stroke:$edge;stroke-width:1.3"),
    (".label-box", "fill:$surface;stroke:$faint;stroke-width:0.7"),
    (".tether", "fill:none;stroke:$faint;stroke-width:0.8"),
    (".nail", "fill:$surface;stroke:$edge;stroke-width:1"),
    (".lifeline-line", "fill:none;stroke:$faint;stroke-width:1"),
    (".lifeline-head", "fill:$surface;stroke:$edge;stroke-width:1.2"),
    (".lifeline-name", "font-weight:bold"),
    (".location-box", "fill:$location;stroke:$rim;stroke-width:1"),
    (".location-box-text", "fill:$on-location"),
    (".delay-band", "fill:$surface;stroke:none"),
    (".delay-text,.note-text", "fill:$faint"),
    (".message-text", "fill:$synchronisation"),
    (".dashed", "stroke-dasharray:6 4"),
    (".tether.dashed,.lifeline-line.dashed", "stroke-dasharray:3 3"),
    (".halo", "fill:none;stroke-width:4;opacity:0.8"),
    (".halo-every", "stroke:$finding-every"),
    (".halo-some", "stroke:$finding-some"),
    (".halo-not-seen", "stroke:$finding-not-seen;stroke-width:3;stroke-linecap:round;stroke-dasharray:0.1 6"),
    ("path.halo", "stroke-width:9;opacity:0.45"),
    ("path.halo-not-seen", "stroke-dasharray:0.1 12"),
    (".finding-badge", "fill:$background;stroke-width:1.4"),
    (".finding-glyph", "fill:none;stroke-width:2;stroke-linecap:round"),
    (".glyph-every", "stroke:$finding-every"),
    (".glyph-some", "stroke:$finding-some"),
    (".glyph-not-seen", "stroke:$finding-not-seen"),
    (".location.visited,.location-box.visited", "stroke:$visited;stroke-width:3"),
    (".edge.visited,.arrow-head.visited", "stroke:$visited;stroke-width:2"),
    (".location.token,.location-box.token", "fill:$token"),
    (".location-text.token,.location-box-text.token", "fill:#ffffff"),
    (".initial-mark.token", "stroke:#ffffff"),
    (".edge.chosen,.arrow-head.chosen", "stroke:$chosen;stroke-width:3"),
    (".order-badge", "fill:$visited;stroke:$background;stroke-width:1"),
    (".order-text", "fill:$background;font-weight:bold"),
    (".disabled", "opacity:0.4"),
    (".edge.disabled,.arrow-head.disabled", "stroke:$faint"),
];

/// Returns the content of the `style` element of a drawing. Its rules apply only to drawings in this theme; a page
/// may set the colours as `--tempora-guard` and so on.
pub fn style_sheet(theme: Theme) -> String {
    let mut sheet = String::new();
    let is_dark = theme == Theme::Dark;
    write_rules(&mut sheet, theme.class(), is_dark, "");
    if theme == Theme::Automatic {
        sheet.push_str("@media (prefers-color-scheme:dark){\n");
        write_rules(&mut sheet, theme.class(), true, "$");
        sheet.push_str("}\n");
    }
    sheet
}

/// Writes all rules; with a filter, only declarations that contain it.
fn write_rules(sheet: &mut String, class: &str, is_dark: bool, filter: &str) {
    for (selectors, declarations) in RULES {
        let kept: Vec<&str> =
            declarations.split(';').filter(|declaration| declaration.contains(filter)).collect();
        if kept.is_empty() {
            continue;
        }
        // A page may contain drawings in several themes and elements of its own; rules apply to one theme only.
        let scoped: Vec<String> =
            selectors.split(',').map(|selector| format!(".{class} {selector}")).collect();
        let _ = write!(sheet, "{}{{", scoped.join(","));
        for (index, declaration) in kept.iter().enumerate() {
            let separator = if index == 0 { "" } else { ";" };
            let _ = write!(sheet, "{separator}{}", with_colours(declaration, is_dark));
        }
        sheet.push_str("}\n");
    }
}

/// Replaces the variable of a declaration: first by its plain value, then by a variable that a page may set.
fn with_colours(declaration: &str, is_dark: bool) -> String {
    let Some((before, name)) = declaration.split_once('$') else { return declaration.to_owned() };
    let variable = VARIABLES.iter().find(|variable| variable.name == name);
    let value = variable.map_or("currentColor", |known| if is_dark { known.dark } else { known.light });
    format!("{before}{value};{before}var(--tempora-{name},{value})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::Colour;

    /// Computes the relative luminance of WCAG 2.
    fn luminance(colour: &str) -> f64 {
        let colour = Colour::parse(colour).unwrap();
        let [red, green, blue] = [colour.red, colour.green, colour.blue].map(|channel| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.03928 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(left: &str, right: &str) -> f64 {
        let (left, right) = (luminance(left), luminance(right));
        (left.max(right) + 0.05) / (left.min(right) + 0.05)
    }

    #[test]
    fn texts_have_contrast_in_both_themes() {
        for name in [
            "ink",
            "faint",
            "name",
            "invariant",
            "guard",
            "update",
            "synchronisation",
            "select",
            "probability",
        ] {
            let variable = VARIABLES.iter().find(|variable| variable.name == name).unwrap();
            assert!(contrast(variable.light, "#ffffff") >= 4.5, "{name} light");
            assert!(contrast(variable.dark, "#15181e") >= 6.0, "{name} dark");
        }
    }

    #[test]
    fn rules_use_known_variables() {
        for (selectors, declarations) in RULES {
            for declaration in declarations.split(';') {
                if let Some((_, name)) = declaration.split_once('$') {
                    assert!(VARIABLES.iter().any(|variable| variable.name == name), "{selectors}: {name}");
                }
            }
        }
    }

    #[test]
    fn automatic_theme_has_both_themes() {
        let sheet = style_sheet(Theme::Automatic);
        assert!(
            sheet.contains("#8c3863") && sheet.contains("#e3a3c2") && sheet.contains("prefers-color-scheme")
        );
        assert!(!style_sheet(Theme::Light).contains("#e3a3c2"));
        assert!(!style_sheet(Theme::Dark).contains("#8c3863"));
    }
}
