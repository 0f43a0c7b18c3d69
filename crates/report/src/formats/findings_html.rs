//! Findings of sanity checks as a self-contained web page with interactive runs and marked diagrams.
//!
//! Invariant: the page has no external resources, and its policy forbids fetching any. Text of a model is escaped or
//! part of the data, which the script inserts as text, never as markup.

use std::fmt::Write;

use serde::Serialize;
use tempora_draw::{Scene, SvgOptions, Theme, style_sheet, write_svg};

use crate::documents::{DocumentVersion, FindingRecord, sorted_value};
use crate::{LocatedFinding, LocatedFindings};

const VIEWER: &str = include_str!("page/viewer.js");
const STYLE: &str = include_str!("page/page.css");

/// The content security policy: only the page's own script and styles.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; \
                      form-action 'none'";

/// Returns the page of a model, with its diagrams.
pub fn page(model: &str, located: &LocatedFindings, scenes: &[Scene]) -> String {
    let findings = located.findings.iter().map(PageFinding::new).collect();
    let data = sorted_value(&PageData { version: DocumentVersion, model, findings });
    // Escape characters that could end the data element or begin a comment in it.
    let data = data.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    let mut page = String::new();
    // Writing to a string cannot fail.
    let title = escaped(model);
    let _ = write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Findings in {title}</title>\n<style>\n{STYLE}{}</style>\n</head>\n<body>\n\
         <header><h1>Findings in {title}</h1><p class=\"quiet\">{}</p></header>\n<main>\n\
         <div id=\"left\"><ul id=\"findings\" aria-label=\"Findings\"></ul><section id=\"run\" aria-label=\"Run\"></section></div>\n\
         <div id=\"diagrams\">\n",
        style_sheet(Theme::Automatic),
        escaped(&summary(located)),
    );
    let options = SvgOptions { background: false, style_sheet: false, ..SvgOptions::default() };
    for scene in scenes {
        let _ = writeln!(
            page,
            "<figure aria-label=\"{}\">{}</figure>",
            escaped(&scene.title),
            write_svg(scene, &options)
        );
    }
    let _ = write!(
        page,
        "</div>\n</main>\n<p id=\"live\" aria-live=\"polite\"></p>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n{VIEWER}</script>\n</body>\n</html>\n"
    );
    page
}

/// The data for the script of the page.
#[derive(Serialize)]
struct PageData<'finding> {
    version: DocumentVersion,
    model: &'finding str,
    findings: Vec<PageFinding<'finding>>,
}

/// A finding with its diagram elements.
#[derive(Serialize)]
struct PageFinding<'finding> {
    #[serde(flatten)]
    finding: FindingRecord<'finding>,
    elements: &'finding [String],
    start_elements: &'finding [String],
    step_elements: &'finding [Vec<String>],
}

impl<'finding> PageFinding<'finding> {
    fn new(finding: &'finding LocatedFinding) -> PageFinding<'finding> {
        PageFinding {
            finding: FindingRecord::new(finding),
            elements: &finding.elements,
            start_elements: &finding.start_elements,
            step_elements: &finding.step_elements,
        }
    }
}

fn summary(located: &LocatedFindings) -> String {
    let mut text = match located.findings.len() {
        0 => "No findings.".to_owned(),
        1 => "One finding.".to_owned(),
        count => format!("{count} findings."),
    };
    if let Some(exploration) = &located.exploration {
        let _ = match &exploration.reason {
            None => write!(text, " All {} states were explored.", exploration.states),
            Some(reason) => {
                write!(text, " Exploration incomplete after {} states: {reason}.", exploration.states)
            }
        };
    }
    for skipped in &located.skipped {
        let _ = write!(text, " Not checked: {}: {}.", skipped.check, skipped.reason);
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::page;
    use crate::LocatedFindings;

    #[test]
    fn escapes_text_of_model() {
        let located =
            LocatedFindings { findings: Vec::new(), skipped: Vec::new(), allowed: 0, exploration: None };
        let page = page("</script><script>alert(1)</script>.net", &located, &[]);
        assert!(!page.contains("<script>alert"), "{page}");
        assert!(!page.contains("http://") && !page.contains("https://"), "nothing is fetched");
    }
}
