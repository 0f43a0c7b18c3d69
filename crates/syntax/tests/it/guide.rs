//! Tests that the examples of the guide to the net language are read without errors and survive printing.

use tempora_source::{Colour, render_text};

use crate::reading::read;

#[test]
fn guide_examples_are_read_without_errors() {
    let guide = include_str!("../../../../docs/guide/net-language.md");
    let mut count = 0;
    for (block, _) in guide.split("```net\n").skip(1).filter_map(|rest| rest.split_once("```")) {
        count += 1;
        let reading = read("net", block).unwrap();
        let complaints = render_text(&reading.files, &reading.diagnostics, Colour::Never);
        assert!(complaints.is_empty(), "{block}\n{complaints}");
        reading.check_printed("net").unwrap();
    }
    assert!(count >= 9, "only {count} examples were found");
}
