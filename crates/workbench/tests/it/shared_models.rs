//! Shared models: queries are parsed without changing or copying the model.

use std::sync::Arc;

use tempora_workbench::{Loaded, Proof, Resolved, load};

const MODEL: &str = "int[0,3] n; process P { init location A; location B; A -> B { assign n = 1; } }";

#[test]
fn models_and_queries_can_be_sent_and_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<Loaded>();
    shared::<Resolved<Proof>>();
}

/// The tables of a query refer to the texts and origins of the model and add only one text and a few origins.
#[test]
fn query_adds_only_its_own_text_and_origins() {
    let loaded = load("model.net", MODEL.as_bytes());
    let (files, origins) = (loaded.files.len(), loaded.origins.len());
    let text = loaded.files.text(loaded.file.unwrap()).as_ptr();
    let mut added = Vec::new();
    for number in 0..40 {
        let asked = loaded.read_query("query", &format!("E<> n == {}", number % 4));
        assert!(asked.value.is_some(), "{:?}", asked.diagnostics);
        assert_eq!(asked.files.text(loaded.file.unwrap()).as_ptr(), text, "the text is copied");
        added.push((asked.files.len() - files, asked.origins.len() - origins));
    }
    added.dedup();
    assert!(matches!(added.as_slice(), [(1, 1..=8)]), "{added:?}");
    assert_eq!((loaded.files.len(), loaded.origins.len()), (files, origins));
}

#[test]
fn origins_of_query_lead_to_its_text() {
    let loaded = load("model.net", MODEL.as_bytes());
    let first = loaded.read_query("first", "E<> P.B");
    let second = loaded.read_query("second", "A[] n == 0");
    for asked in [first, second] {
        let span = asked.origins.primary_span(asked.value.unwrap().origin).unwrap();
        assert!(asked.files.text_at(span).contains(['B', 'n']), "{span:?}");
        assert!(["first", "second"].contains(&asked.files.name(span.file)));
        let process = loaded.network().unwrap().processes.values().next().unwrap().origin;
        assert_eq!(asked.origins.spans(process), loaded.origins.spans(process));
    }
}

#[test]
fn threads_ask_one_model() {
    let loaded = Arc::new(load("model.net", MODEL.as_bytes()));
    let threads: Vec<_> = (0..4)
        .map(|number| {
            let loaded = Arc::clone(&loaded);
            std::thread::spawn(move || loaded.read_task(&[format!("E<> n == {number}")]).value)
        })
        .collect();
    let texts: Vec<String> =
        threads.into_iter().map(|thread| thread.join().unwrap().unwrap().queries[0].text.clone()).collect();
    assert_eq!(texts, ["E<> n == 0", "E<> n == 1", "E<> n == 2", "E<> n == 3"]);
}
