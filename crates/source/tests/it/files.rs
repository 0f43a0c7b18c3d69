//! The arena of files: storage, rejection of large files, and clamping of spans.

use std::sync::Arc;

use tempora_source::{Charset, EmbeddedTextBuilder, Encoding, FileId, Files, Span, codes, decode_xml_text};

#[test]
fn undecodable_bytes_are_located() {
    let mut files = Files::new();
    let diagnostic = files.add_bytes("model.xta", b"clock x;\r\n  // caf\xE9\r\n").unwrap_err();
    assert_eq!(diagnostic.code, &codes::encoding::INVALID_UTF8);
    let span = diagnostic.primary_span().unwrap();
    assert_eq!(files.locate(span).to_string(), "model.xta:2:9");
    assert!(diagnostic.message.contains("0xE9") && diagnostic.hint.is_some());
    assert_eq!(files.original_bytes(span.file), None);
}

#[test]
fn rejects_files_over_size_limit() {
    let mut files = Files::with_size_limit(4);
    assert!(files.add("fits", "1234").is_ok());
    // Two bytes of ISO-8859-1 become four of UTF-8: the limit applies to the text.
    let latin = "<?xml encoding='latin1'?>".as_bytes();
    let mut roomy = Files::with_size_limit(latin.len() as u32 + 3);
    let refused = [
        (files.add("text", "12345").unwrap_err(), &files),
        (roomy.add_bytes("bytes", &[latin, b"\xE9\xE9"].concat()).unwrap_err(), &roomy),
    ]
    .map(|(diagnostic, files)| {
        (diagnostic.code, files.locate(diagnostic.primary_span().unwrap()).to_string())
    });
    let code = &codes::files::FILE_TOO_LARGE;
    assert_eq!(refused, [(code, "text:1:1".to_owned()), (code, "bytes:1:1".to_owned())]);
}

#[test]
fn encoding_is_kept_for_writing_back() {
    let mut files = Files::new();
    let bytes = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\r\n<name>M\xFCller</name>";
    let file = files.add_bytes("model.xml", bytes).unwrap();
    assert!(files.text(file).ends_with("<name>Müller</name>"));
    let encoding = files.encoding(file).unwrap();
    assert_eq!(encoding, Encoding { charset: Charset::Latin1, byte_order_mark: false });
    assert_eq!(files.original_bytes(file).unwrap(), bytes);
    assert_eq!(encoding.encode("ß").unwrap(), [0xDF]);
}

#[test]
fn embedded_texts_have_parents_and_descriptions() {
    let mut files = Files::new();
    let file = files.add("model.xml", "&amp;lt;").unwrap();
    let outer = decode_xml_text(&files, files.whole(file)).0;
    let outer = files.add_embedded("query 2", outer);
    let inner = decode_xml_text(&files, files.whole(outer)).0;
    let inner = files.add_embedded("formula", inner);
    assert_eq!((files.text(outer), files.text(inner)), ("&lt;", "<"));
    assert_eq!(files.name(inner), "model.xml (query 2) (formula)");
    assert_eq!(files.embeddings(inner), ["formula", "query 2"]);
    assert_eq!((files.parent(inner), files.parent(file)), (Some(outer), None));
    assert_eq!((files.encoding(inner), files.original_bytes(inner)), (None, None));
    assert_eq!(files.outermost(files.whole(inner)), files.whole(file));
}

#[test]
fn built_text_maps_to_its_parent() {
    let mut files = Files::new();
    // A query on two lines; the backslash and the line end are not part of it.
    let file = files.add("model.q", "A[] x \\\r\n  <= 5").unwrap();
    let mut builder = EmbeddedTextBuilder::new(&files, files.whole(file));
    builder.push_verbatim(0..6);
    builder.push_replacement(6..11, " ");
    builder.push_verbatim(11..99);
    // The last character has no raw text.
    builder.push_replacement(15..15, ";");
    let embedded = builder.finish().unwrap();
    assert_eq!((embedded.text(), embedded.parent()), ("A[] x  <= 5;", file));
    let query = files.add_embedded("query 1", embedded);
    let cases =
        [((0, 3), (0, 3)), ((6, 7), (6, 11)), ((7, 9), (11, 13)), ((4, 9), (4, 13)), ((11, 12), (15, 15))];
    for ((start, end), (raw_start, raw_end)) in cases {
        assert_eq!(files.outermost(Span::new(query, start, end)), Span::new(file, raw_start, raw_end));
    }
}

#[test]
fn pieces_out_of_order_give_ordered_ranges() {
    let mut files = Files::new();
    let file = files.add("file", "abcdef").unwrap();
    let mut builder = EmbeddedTextBuilder::new(&files, files.whole(file));
    builder.push_verbatim(4..6);
    builder.push_verbatim(0..2);
    let embedded = builder.finish().unwrap();
    assert_eq!(embedded.text(), "efab");
    assert_eq!(embedded.map().raw_range(0..4), 4..4);
    assert_eq!(embedded.map().raw_range(2..4), 0..2);
}

#[test]
fn spans_are_clamped() {
    let mut files = Files::new();
    let file = files.add("file", "aé日").unwrap();
    let cases = [
        ((0, 6), (0, 6)),
        ((0, 99), (0, 6)),
        ((98, 99), (6, 6)),
        ((u32::MAX, u32::MAX), (6, 6)),
        ((3, 1), (3, 3)),
        // In the middle of a character.
        ((2, 2), (1, 1)),
        ((2, 4), (1, 6)),
        ((0, 2), (0, 3)),
    ];
    for ((start, end), (clamped_start, clamped_end)) in cases {
        let clamped = files.clamp(Span::new(file, start, end));
        assert_eq!(clamped, Span::new(file, clamped_start, clamped_end), "{start}..{end}");
    }
}

#[test]
fn texts_of_other_arenas_are_handled() {
    let mut others = Files::new();
    let foreign: FileId = (0..3).map(|_| others.add("other", "&lt;").unwrap()).last().unwrap();
    let embedded = decode_xml_text(&others, others.whole(foreign)).0;
    let mut files = Files::new();
    let file = files.add_embedded("guard", embedded);
    assert_eq!((files.text(file), files.parent(file)), ("<", None));
    assert_eq!(files.outermost(files.whole(file)), files.whole(file));
    assert_eq!((files.name(foreign), files.text(foreign)), ("<unknown file>", ""));
    assert_eq!(files.locate(Span::new(foreign, 3, 9)).to_string(), "<unknown file>:1:1");
}

#[test]
fn extended_arena_shares_texts_of_its_base() {
    let mut files = Files::new();
    let model = files.add("model", "a &lt; b").unwrap();
    let label = decode_xml_text(&files, files.whole(model)).0;
    let label = files.add_embedded("guard", label);
    let base = Arc::new(files);
    let mut extended = Files::extending(&base);
    let query = extended.add("query", "E<> a").unwrap();
    let embedded = decode_xml_text(&extended, extended.whole(model)).0;
    let again = extended.add_embedded("guard again", embedded);
    let written = extended.add_written("written", |file| ("text".to_owned(), file)).unwrap();
    assert_eq!((extended.name(written), extended.text(written)), ("written", "text"));
    let copies = Files::extending(&Arc::new(Files::extending(&Arc::new(extended))));
    assert_eq!((copies.name(query), copies.text(query)), ("query", "E<> a"));
    assert_eq!(copies.text(model).as_ptr(), base.text(model).as_ptr(), "the text is copied");
    assert_eq!(copies.locate(Span::new(label, 2, 3)).to_string(), "model:1:3");
    assert_eq!(copies.locate(Span::new(again, 4, 5)).to_string(), "model:1:8");
    assert_eq!((base.len(), copies.len()), (2, 5));
    assert_eq!(base.name(query), "<unknown file>");
}

#[test]
fn extended_arena_keeps_size_limit() {
    let base = Arc::new(Files::with_size_limit(3));
    assert!(Files::extending(&base).add("query", "four").is_err());
}
