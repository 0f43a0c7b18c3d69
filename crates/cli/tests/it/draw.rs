//! `tempora draw`: output and exit statuses.

use crate::support::{file, run};

#[test]
fn draws_diagrams_of_document() {
    let drawn = run(&["draw", "examples/train-gate.xml"]);
    assert_eq!((drawn.status, drawn.error.as_str()), (Some(0), ""), "{drawn:?}");
    let picture = roxmltree::Document::parse(&drawn.output).unwrap();
    let elements: Vec<&str> =
        picture.descendants().filter_map(|element| element.attribute("data-element")).collect();
    for wanted in ["Train/location/0", "Train/edge/0", "Gate/location/0"] {
        assert!(elements.contains(&wanted), "{wanted} is not among {elements:?}");
    }
    let path = file("train-gate.svg", b"");
    let written = run(&["draw", "examples/train-gate.xml", "-o", &path]);
    assert_eq!((written.status, written.output.as_str()), (Some(0), ""), "{written:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), drawn.output);
}

#[test]
fn draws_chosen_template_and_comments() {
    let all = run(&["draw", "examples/train-gate.net"]);
    let gate =
        run(&["draw", "examples/train-gate.net", "--template", "Gate", "--theme", "dark", "--comments"]);
    assert_eq!((all.status, gate.status), (Some(0), Some(0)));
    assert!(all.output.contains("Train/location/0") && !gate.output.contains("Train/location/0"));
    let unknown = run(&["draw", "examples/train-gate.net", "--template", "Trian"]);
    assert_eq!((unknown.status, unknown.output.as_str()), (Some(2), ""));
    assert!(unknown.error.contains("did you mean `Train`?"), "{unknown:?}");
}

#[test]
fn draws_model_with_errors() {
    let text = "<nta><template><name>P</name><location id='a'><name>A</name></location><init ref='a'/>
        <transition><source ref='a'/><target ref='a'/><label kind='guard'>oops &gt; 1</label></transition></template>
        <system>system P;</system></nta>";
    let drawn = run(&["draw", &file("broken.xml", text.as_bytes())]);
    assert_eq!(drawn.status, Some(2), "{drawn:?}");
    assert!(drawn.error.contains("`oops` is not declared"), "{drawn:?}");
    assert!(drawn.output.contains("oops &gt; 1"), "{drawn:?}");
    let nothing = run(&["draw", &file("nothing.net", b"int i;")]);
    assert_eq!((nothing.status, nothing.output.as_str()), (Some(2), ""), "{nothing:?}");
}
