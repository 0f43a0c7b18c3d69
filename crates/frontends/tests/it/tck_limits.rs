//! Large and deeply nested `.tck` texts give an error or a model, in little time and memory.

use tempora_frontends::{Read, language_named, read_model};
use tempora_source::{Files, Origins};

fn read(text: &str) -> Read {
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let file = files.add("model.tck", text).unwrap();
    read_model(language_named("tck").unwrap(), &mut files, &mut origins, file, None)
}

fn codes(text: &str) -> Vec<&'static str> {
    read(text).diagnostics.as_slice().iter().map(|diagnostic| diagnostic.code.name()).collect()
}

fn model(attributes: &str) -> String {
    format!(
        "system:s\nevent:a\nclock:1:x\nint:1:0:9:0:i\nprocess:P\nlocation:P:A{{initial:}}\nedge:P:A:A:a{{{attributes}}}\n"
    )
}

#[test]
fn sizes_are_limited() {
    for (declaration, code) in [
        ("clock:2000000000:y", "too-large"),
        ("int:2000000000:0:1:0:n", "too-large"),
        ("int:2000000000:0:1:1:n", "too-large"),
        ("int:2147483648:0:1:0:n", "too-large"),
        ("clock:99999999999999999999999:y", "too-large"),
        ("clock:-1:y", "empty-range"),
        ("int:1:0:99999999999999999999:0:n", "integer-too-large"),
    ] {
        let text = format!("system:s\n{declaration}\nprocess:P\nlocation:P:A{{initial:}}\n");
        assert_eq!(codes(&text), [code], "{declaration}");
    }
    // Many arrays, each of an acceptable size.
    let arrays: String = (0..1000).map(|number| format!("int:1000:0:1:1:n{number}\n")).collect();
    assert!(
        codes(&format!("system:s\n{arrays}process:P\nlocation:P:A{{initial:}}\n")).contains(&"too-large")
    );
}

#[test]
fn depth_is_limited() {
    let deep = |open: &str, inside: &str, close: &str| {
        format!("provided: {}{inside}{}", open.repeat(100_000), close.repeat(100_000))
    };
    for (attributes, code) in [
        (deep("(", "i", ")"), "nested-too-deeply"),
        (deep("-", "i", ""), "nested-too-deeply"),
        (deep("!", "i", ""), "nested-too-deeply"),
        (deep("(if i then ", "i", " else i)"), "nested-too-deeply"),
        (format!("provided: {}1 == i", "1 + ".repeat(100_000)), "nested-too-deeply"),
        (format!("do: {}", "if i then ".repeat(100_000)), "nested-too-deeply"),
        (format!("do: {}", "while i do ".repeat(100_000)), "nested-too-deeply"),
    ] {
        assert_eq!(codes(&model(&attributes)), [code], "{}", &attributes[..40]);
    }
}

#[test]
fn copies_of_terms_are_limited() {
    let mut term = "i".to_owned();
    for _ in 0..100 {
        term = format!("(if 0 < {term} < 3 then 1 else 0)");
    }
    assert_eq!(codes(&model(&format!("provided: {term}"))), ["too-large"]);
}

#[test]
fn long_conditions_are_accepted() {
    let conditions = vec!["i < 5"; 5000].join(" && ");
    let statements = vec!["i = 0"; 5000].join("; ");
    let locals: Vec<String> = (0..500).map(|number| format!("local l{number} = i; i = 1")).collect();
    let text = model(&format!("provided: {conditions} : do: {statements}; {}", locals.join("; ")));
    assert_eq!(codes(&text), [""; 0]);
    let keys = "provided: i < 5 : ".repeat(5000) + "do: i = 1";
    assert_eq!(codes(&model(&keys)), [""; 0]);
}

#[test]
fn number_of_errors_is_limited() {
    let found = codes(&"nonsense\n".repeat(100_000));
    assert_eq!(found.iter().filter(|code| **code == "too-many-errors").count(), 1);
    assert!(found.len() < 110, "{}", found.len());
    let found = codes(&format!("system:s\n{}", "location:P:A{initial:\n".repeat(50_000)));
    assert!(found.len() < 310, "{}", found.len());
    // The search for similar names is bounded.
    let locations: String = (0..20_000).map(|number| format!("location:P:somewhere{number}\n")).collect();
    let edges = "edge:P:somewher:somewhere0:a{provided: xx > i0}\n".repeat(20_000);
    let found = codes(&format!("system:s\nevent:a\nclock:1:x\nprocess:P\n{locations}{edges}"));
    assert!(found.contains(&"unknown-name") && found.len() < 310, "{}", found.len());
    // Warnings do not displace errors.
    let edges = "edge:P:A:A:a{odd: 1}\n".repeat(1000) + "edge:P:A:B:a\n";
    let text = format!("system:s\nevent:a\nprocess:P\nlocation:P:A{{initial:}}\n{edges}");
    let found = codes(&text);
    assert!(found.len() < 110 && found.contains(&"unknown-name"), "{}", found.len());
    assert!(read(&text).network.is_none());
}
