//! Property tests of the decoders and renderers; `PROPTEST_CASES` sets the number of cases.
//!
//! There are two oracles: texts composed of pieces with known decoding and position, and arbitrary texts, in which the
//! raw text of every decoded character must decode to that character alone.

use proptest::prelude::*;
use tempora_source::{
    Colour, Diagnostic, Diagnostics, EmbeddedText, FileId, Files, Span, codes, decode_bytes,
    decode_json_string, decode_xml_attribute, decode_xml_text, render_text,
};

type Decoder = fn(&Files, Span) -> (EmbeddedText, Vec<Diagnostic>);

/// A raw text with its decoded characters and their byte ranges in the raw text.
#[derive(Clone, Debug)]
struct Piece {
    raw: String,
    characters: Vec<(char, usize, usize)>,
}

impl Piece {
    fn verbatim(text: &str) -> Piece {
        Piece::shifted(String::new(), text, "")
    }

    fn replaced(raw: String, character: char) -> Piece {
        let end = raw.len();
        Piece { raw, characters: vec![(character, 0, end)] }
    }

    fn gap(raw: String) -> Piece {
        Piece { raw, characters: Vec::new() }
    }

    /// Creates a piece with verbatim `content` between texts without decoded characters.
    fn shifted(before: String, content: &str, after: &str) -> Piece {
        let shift = before.len();
        let characters = content
            .char_indices()
            .map(|(offset, character)| (character, shift + offset, shift + offset + character.len_utf8()))
            .collect();
        Piece { raw: before + content + after, characters }
    }
}

/// Texts with characters of all lengths in UTF-8.
fn harmless_text() -> impl Strategy<Value = String> {
    "[a-z =>/\\[\\]é日\u{1F600}]{0,6}"
}

fn any_reference() -> impl Strategy<Value = Piece> {
    prop_oneof![
        prop::sample::select(vec![
            ("&lt;", '<'),
            ("&gt;", '>'),
            ("&amp;", '&'),
            ("&apos;", '\''),
            ("&quot;", '"')
        ])
        .prop_map(|(raw, character)| Piece::replaced(raw.to_owned(), character)),
        prop::char::range(' ', '\u{D7FF}')
            .prop_map(|character| Piece::replaced(format!("&#{};", u32::from(character)), character)),
        prop::char::range('\u{10000}', '\u{10FFFF}')
            .prop_map(|character| Piece::replaced(format!("&#x{:08X};", u32::from(character)), character)),
        Just(Piece::replaced("&#10;".to_owned(), '\n')),
        Just(Piece::replaced("&#xd;".to_owned(), '\r')),
    ]
}

fn xml_text_piece() -> impl Strategy<Value = Piece> {
    prop_oneof![
        harmless_text().prop_map(|text| Piece::verbatim(&text)),
        any_reference(),
        "[a-z<&;\n\\[é]{0,8}".prop_map(|content| Piece::shifted("<![CDATA[".to_owned(), &content, "]]>")),
        "[a-z<&;>\r\né]{0,8}".prop_map(|content| Piece::gap(format!("<!--{content}-->"))),
        "[a-z<&;\r\né]{0,8}".prop_map(|content| Piece::gap(format!("<?p {content}?>"))),
        Just(Piece::verbatim("\n")),
        Just(Piece::replaced("\r\n".to_owned(), '\n')),
        // Followed by a blank, so that no line feed follows and joins the line end.
        Just(Piece { raw: "\r ".to_owned(), characters: vec![('\n', 0, 1), (' ', 1, 2)] }),
        Just(Piece {
            raw: "<![CDATA[<\r\n>\r]]>".to_owned(),
            characters: vec![('<', 9, 10), ('\n', 10, 12), ('>', 12, 13), ('\n', 13, 14)],
        }),
    ]
}

fn xml_attribute_piece() -> impl Strategy<Value = Piece> {
    prop_oneof![
        harmless_text().prop_map(|text| Piece::verbatim(&text)),
        any_reference(),
        prop::sample::select(vec!["\n", "\t", "\r\n"]).prop_map(|raw| Piece::replaced(raw.to_owned(), ' ')),
        Just(Piece { raw: "\r.".to_owned(), characters: vec![(' ', 0, 1), ('.', 1, 2)] }),
    ]
}

fn json_piece() -> impl Strategy<Value = Piece> {
    let short = vec![
        ("\\\"", '"'),
        ("\\\\", '\\'),
        ("\\/", '/'),
        ("\\b", '\u{8}'),
        ("\\f", '\u{C}'),
        ("\\n", '\n'),
        ("\\r", '\r'),
        ("\\t", '\t'),
    ];
    prop_oneof![
        harmless_text().prop_map(|text| Piece::verbatim(&text)),
        prop::sample::select(short).prop_map(|(raw, character)| Piece::replaced(raw.to_owned(), character)),
        any::<char>().prop_map(|character| {
            let units: Vec<u16> = character.encode_utf16(&mut [0; 2]).to_vec();
            Piece::replaced(units.iter().map(|unit| format!("\\u{unit:04x}")).collect(), character)
        }),
    ]
}

/// Asserts that pieces inside a larger file decode to their characters, at their positions.
fn check_pieces(decode: Decoder, before: &str, pieces: &[Piece]) {
    let raw: String = pieces.iter().map(|piece| piece.raw.as_str()).collect();
    let mut files = Files::new();
    let file = files.add("outer", format!("{before}{raw}<end>")).unwrap();
    let (embedded, faults) = decode(&files, span(file, before.len(), before.len() + raw.len()));
    assert_eq!(faults, []);
    let mut expected = String::new();
    let mut places = Vec::new();
    let mut piece_start = before.len();
    for piece in pieces {
        for &(character, start, end) in &piece.characters {
            places.push((expected.len(), character, piece_start + start, piece_start + end));
            expected.push(character);
        }
        piece_start += piece.raw.len();
    }
    assert_eq!(embedded.text(), expected);
    let inner = files.add_embedded("inner", embedded);
    for (offset, character, start, end) in places {
        let found = files.outermost(span(inner, offset, offset + character.len_utf8()));
        assert_eq!(found, span(file, start, end), "{character:?}");
        assert_eq!(files.outermost(span(inner, offset, offset)), span(file, start, start));
    }
}

/// Asserts that the raw text of every decoded character decodes to it alone, and that the places are in order.
fn check_each_character(decode: Decoder, raw: &str) {
    let mut files = Files::new();
    let file = files.add("outer", raw).unwrap();
    let (embedded, faults) = decode(&files, files.whole(file));
    let inner = files.add_embedded("inner", embedded);
    let text = files.text(inner).to_owned();
    let mut last_end = 0;
    for (offset, character) in text.char_indices() {
        let place = files.outermost(span(inner, offset, offset + character.len_utf8()));
        assert!(last_end <= place.start && place.start < place.end, "{place:?} comes after {last_end}");
        last_end = place.end;
        let (alone, _) = decode(&files, place);
        assert_eq!(alone.text(), character.to_string(), "{:?}", files.text_at(place));
    }
    for fault in &faults {
        assert!(!files.text_at(fault.primary_span().unwrap()).is_empty());
        assert!(fault.hint.is_some());
    }
    // Rendering must not panic.
    render_text(&files, &faults, Colour::Always);
}

fn span(file: FileId, start: usize, end: usize) -> Span {
    Span::new(file, start as u32, end as u32)
}

/// Fragments that reach every branch of the decoders and sometimes form complete escapes.
const TROUBLE: &str = "(&|;|#|x|<|>|!|--|\\?|\\[CDATA\\[|\\]\\]>|&lt;|&#60;|&#x3C;|lt|\\\\|\"|u|d83d|de00|0|n|\r|\n|\t|\u{1}| |é|日|\u{1F600}){0,30}";

proptest! {
    #[test]
    fn xml_text_has_correct_places(before in "[a-zé\r\n]{0,9}", pieces in prop::collection::vec(xml_text_piece(), 0..9)) {
        check_pieces(decode_xml_text, &before, &pieces);
    }

    #[test]
    fn xml_attributes_have_correct_places(before in "[a-zé\r\n]{0,9}", pieces in prop::collection::vec(xml_attribute_piece(), 0..9)) {
        check_pieces(decode_xml_attribute, &before, &pieces);
    }

    #[test]
    fn json_strings_have_correct_places(before in "[a-zé\r\n]{0,9}", pieces in prop::collection::vec(json_piece(), 0..9)) {
        check_pieces(decode_json_string, &before, &pieces);
    }

    #[test]
    fn characters_decode_independently(raw in TROUBLE) {
        check_each_character(decode_xml_text, &raw);
        check_each_character(decode_xml_attribute, &raw);
        check_each_character(decode_json_string, &raw);
    }

    #[test]
    fn json_strings_agree_with_serde(raw in TROUBLE) {
        let mut files = Files::new();
        let file = files.add("string", &*raw).unwrap();
        let (embedded, faults) = decode_json_string(&files, files.whole(file));
        match serde_json::from_str::<String>(&format!("\"{raw}\"")) {
            Ok(text) => prop_assert_eq!((embedded.text(), faults), (&*text, vec![])),
            Err(_) => prop_assert!(!faults.is_empty()),
        }
    }

    #[test]
    fn nested_embeddings_compose(pieces in prop::collection::vec(xml_text_piece(), 0..6)) {
        // The same XML as a separate file and in a JSON string: the text at the place in the JSON file must be the
        // escaped text at the place in the XML file.
        let raw: String = pieces.iter().map(|piece| piece.raw.as_str()).collect();
        let json = serde_json::to_string(&raw).unwrap();
        let mut files = Files::new();
        let alone = files.add("alone.xml", &*raw).unwrap();
        let outer = files.add("outer.json", &*json).unwrap();
        let (string, _) = decode_json_string(&files, span(outer, 1, json.len() - 1));
        let string = files.add_embedded("string", string);
        let inner = decode_xml_text(&files, files.whole(string)).0;
        let inner = files.add_embedded("inner", inner);
        let inner_alone = decode_xml_text(&files, files.whole(alone)).0;
        let inner_alone = files.add_embedded("inner", inner_alone);
        prop_assert_eq!(files.text(inner), files.text(inner_alone));
        let text = files.text(inner).to_owned();
        for (offset, character) in text.char_indices() {
            let end = offset + character.len_utf8();
            let nested = files.outermost(span(inner, offset, end));
            let plain = files.outermost(span(inner_alone, offset, end));
            prop_assert_eq!(nested.file, outer);
            let escaped = serde_json::to_string(files.text_at(plain)).unwrap();
            prop_assert_eq!(files.text_at(nested), &escaped[1..escaped.len() - 1]);
        }
    }

    #[test]
    fn positions_agree_with_counting(text in "[a\té日\u{1F600}\r\n]{0,40}") {
        let mut files = Files::new();
        let file = files.add("text", &*text).unwrap();
        let (mut line, mut column, mut utf16_column) = (1, 1, 0);
        let mut characters = text.char_indices().peekable();
        loop {
            let offset = characters.peek().map_or(text.len(), |&(offset, _)| offset);
            let location = files.locate(span(file, 0, offset));
            prop_assert_eq!((location.line, location.column), (1, 1));
            prop_assert_eq!((location.end_line, location.end_column), (line, column));
            let position = files.locate_utf16(span(file, offset, offset)).0;
            prop_assert_eq!((position.line, position.column), (line - 1, utf16_column));
            let Some((_, character)) = characters.next() else { break };
            let is_first_half = character == '\r' && characters.peek().is_some_and(|&(_, next)| next == '\n');
            if matches!(character, '\r' | '\n') && !is_first_half {
                (line, column, utf16_column) = (line + 1, 1, 0);
            } else {
                (column, utf16_column) = (column + 1, utf16_column + character.len_utf16() as u32);
            }
        }
    }

    #[test]
    fn bytes_round_trip_or_are_rejected(start in 0..6_usize, rest in prop::collection::vec(any::<u8>(), 0..40)) {
        let starts: [&[u8]; 6] = [
            b"",
            b"\xEF\xBB\xBF",
            b"\xFF\xFE",
            b"\xFE\xFF",
            b"<?xml version='1.0' encoding='iso-8859-1'?>",
            b"<?xml version='1.0' encoding='windows-1252'?>",
        ];
        let bytes = [starts[start], &rest].concat();
        let decoded = decode_bytes(&bytes);
        let mut files = Files::new();
        match files.add_bytes("file", &bytes) {
            Ok(file) => {
                prop_assert_eq!(decoded.fault, None);
                prop_assert_eq!(files.original_bytes(file), Some(bytes));
            }
            Err(diagnostic) => {
                let file = diagnostic.primary_span().unwrap().file;
                prop_assert!(decoded.fault.is_some() && diagnostic.hint.is_some());
                prop_assert_eq!(files.original_bytes(file), None);
                render_text(&files, &[diagnostic], Colour::Never);
            }
        }
    }

    #[test]
    fn arbitrary_spans_render_without_panic(
        text in "[a\té日\u{1B}\r\n]{0,20}",
        wild in prop::collection::vec((0..3_usize, prop_oneof![0..30_u32, any::<u32>()], prop_oneof![0..30_u32, any::<u32>()]), 1..4),
        message in any::<String>(),
    ) {
        let mut files = Files::new();
        let mut others = Files::new();
        let outer = files.add("outer\u{1B}[1m", &*text).unwrap();
        let inner = decode_xml_text(&files, files.whole(outer)).0;
        let inner = files.add_embedded("inner", inner);
        for _ in 0..2 {
            others.add("other", "").unwrap();
        }
        let foreign = others.add("other", "").unwrap();
        let targets = [outer, inner, foreign];
        let mut diagnostic = Diagnostic::error(&codes::xml::XML_MARKUP_IN_TEXT, &*message).with_note(&*message).with_hint(&*message);
        for &(target, start, end) in &wild {
            diagnostic = diagnostic.with_secondary(Span::new(targets[target], start, end), &*message);
        }
        let shown = render_text(&files, std::slice::from_ref(&diagnostic), Colour::Never);
        prop_assert!(!shown.contains(|character: char| character.is_control() && character != '\n'), "{:?}", shown);
        for label in &diagnostic.labels {
            let place = files.locate(label.span);
            prop_assert!(place.line >= 1 && place.column >= 1, "{:?}", place);
        }
    }

    #[test]
    fn sorted_diagnostics_ignore_insertion_order(
        wild in prop::collection::vec((0..2_usize, 0..4_u32, 0..3_usize), 0..12),
        seed in any::<prop::sample::Index>(),
    ) {
        let mut files = Files::new();
        let outer = files.add("outer", "a &lt; b").unwrap();
        let inner = decode_xml_text(&files, files.whole(outer)).0;
        let inner = files.add_embedded("inner", inner);
        let found: Vec<Diagnostic> = wild
            .iter()
            .map(|&(target, start, kind)| {
                let make = [Diagnostic::error, Diagnostic::warning, Diagnostic::info][kind];
                make(codes::ALL[kind], "m").with_primary(Span::empty([outer, inner][target], start), "")
            })
            .collect();
        let mut rotated = found.clone();
        if !rotated.is_empty() {
            rotated.rotate_left(seed.index(found.len()));
        }
        rotated.extend(found.clone());
        let once = found.into_iter().collect::<Diagnostics>().into_sorted(&files);
        let twice = rotated.into_iter().collect::<Diagnostics>().into_sorted(&files);
        prop_assert_eq!(&once, &twice);
        let starts: Vec<Span> = once.iter().map(|diagnostic| files.outermost(diagnostic.primary_span().unwrap())).collect();
        prop_assert!(starts.is_sorted());
    }
}
