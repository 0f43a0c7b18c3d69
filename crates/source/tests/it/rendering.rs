//! Rendering of several files, colours and huge lines, which case files cannot express.

use tempora_source::{Colour, Diagnostic, Diagnostics, Files, Span, codes, decode_xml_text, render_text};

/// Creates a diagnostic about a guard in a model and a query file.
fn example() -> (Files, Diagnostic) {
    let mut files = Files::new();
    let model = files.add("model.xml", "<label>x &lt; y</label>\n<label>y &lt; z</label>\n").unwrap();
    let queries = files.add("model.q", "A[] y\n").unwrap();
    let [first, second] =
        [7..15, 31..39].map(|raw| decode_xml_text(&files, Span::new(model, raw.start, raw.end)).0);
    let first = files.add_embedded("guard of edge 1", first);
    let second = files.add_embedded("guard of edge 2", second);
    let diagnostic = Diagnostic::warning(&codes::xml::XML_UNKNOWN_ENTITY, "`y` is used in many places")
        .with_secondary(Span::new(queries, 4, 5), "queried here")
        .with_secondary(Span::new(second, 0, 1), "and here")
        .with_primary(Span::new(first, 2, 5), "first here")
        .with_note("a note\nof two lines")
        .with_hint("use another name");
    (files, diagnostic)
}

#[test]
fn diagnostic_shows_several_files() {
    let (files, diagnostic) = example();
    let expected = "\
warning[xml-unknown-entity]: `y` is used in many places
 --> model.xml:1:10
  |
1 | <label>x &lt; y</label>
  |          ^^^^^^ first here
2 | <label>y &lt; z</label>
  |        - and here
 ::: model.q:1:5
  |
1 | A[] y
  |     - queried here
  |
  = note: in guard of edge 1
  = note: model.xml:2:8 is in guard of edge 2
  = note: a note
          of two lines
  = hint: use another name

";
    assert_eq!(render_text(&files, &[diagnostic], Colour::Never), expected);
}

#[test]
fn colour_adds_nothing_but_escape_sequences() {
    let (files, diagnostic) = example();
    let diagnostics = [diagnostic];
    let coloured = render_text(&files, &diagnostics, Colour::Always);
    let mut pieces = coloured.split("\u{1B}[");
    let mut plain = pieces.next().unwrap().to_owned();
    for piece in pieces {
        plain.push_str(piece.split_once('m').expect("a colour ends with m").1);
    }
    let without_trailing_blanks = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    let expected = render_text(&files, &diagnostics, Colour::Never);
    assert_ne!(coloured, expected);
    assert_eq!(without_trailing_blanks(&plain), without_trailing_blanks(&expected));
}

#[test]
fn diagnostic_without_place_is_one_line() {
    let files = Files::new();
    let diagnostic = Diagnostic::info(&codes::files::FILE_TOO_LARGE, "nowhere").with_hint("nothing to do");
    let text = render_text(&files, std::slice::from_ref(&diagnostic), Colour::Never);
    assert_eq!(text, "info[file-too-large]: nowhere\n  = hint: nothing to do\n\n");
}

#[test]
fn huge_line_is_clipped_with_true_column() {
    let mut files = Files::new();
    let file = files.add("huge", format!("{}MARK{}", "é".repeat(100_000), "x".repeat(100_000))).unwrap();
    let diagnostic = Diagnostic::error(&codes::files::FILE_TOO_LARGE, "m")
        .with_primary(Span::new(file, 200_000, 200_004), "here")
        .with_secondary(files.whole(file), "all");
    let text = render_text(&files, &[diagnostic], Colour::Never);
    assert!(text.len() < 1000, "{}", text.len());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], " --> huge:1:100001");
    let column_of = |line: &str, wanted: &str| line.find(wanted).map(|offset| line[..offset].chars().count());
    assert_eq!(column_of(lines[3], "MARK"), column_of(lines[5], "^^^^ here"), "{text}");
    assert!(lines[3].ends_with('x') && lines[3].contains('…'), "{text}");
}

#[test]
fn span_of_million_lines_is_abbreviated() {
    let mut files = Files::new();
    let file = files.add("long", "x\n".repeat(1_000_000)).unwrap();
    let diagnostic =
        Diagnostic::error(&codes::files::FILE_TOO_LARGE, "m").with_primary(files.whole(file), "all");
    let text = render_text(&files, &[diagnostic], Colour::Never);
    assert_eq!(text.lines().count(), 9, "{text}");
}

#[test]
fn diagnostics_are_sorted_by_real_position() {
    let (files, there) = example();
    let model = files.outermost(there.primary_span().unwrap()).file;
    let at = |make: fn(&'static tempora_source::Code, &'static str) -> Diagnostic, message, start| {
        make(&codes::xml::XML_UNKNOWN_ENTITY, message).with_primary(Span::empty(model, start), "")
    };
    let mut diagnostics = Diagnostics::new();
    assert!(!diagnostics.has_errors() && diagnostics.is_empty());
    diagnostics.push(at(Diagnostic::info, "end", 30));
    diagnostics.push(there.clone());
    diagnostics.push(at(Diagnostic::warning, "start", 0));
    diagnostics.push(Diagnostic::info(&codes::xml::XML_UNKNOWN_ENTITY, "nowhere"));
    diagnostics.push(there);
    assert!(!diagnostics.has_errors());
    diagnostics.extend([at(Diagnostic::error, "worse", 0), at(Diagnostic::warning, "start", 0)]);
    assert!(diagnostics.has_errors());
    assert_eq!(diagnostics.len(), 7);
    diagnostics.sort(&files);
    let messages: Vec<&str> = diagnostics.as_slice().iter().map(|diagnostic| &*diagnostic.message).collect();
    assert_eq!(messages, ["nowhere", "worse", "start", "`y` is used in many places", "end"]);
}
