//! Shared helpers of the survey benchmarks: modified examples, and CPU time.

use std::path::Path;
use std::time::Duration;

use tempora_frontends::{read_model, recognise_language};
use tempora_model::Network;
use tempora_source::{Files, Origins};

/// Reads the network of a file in `examples/` after a change of its text.
pub(crate) fn changed_example(file: &str, change: impl FnOnce(String) -> String) -> Network {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    let text = change(std::fs::read_to_string(path).unwrap());
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let id = files.add(file, text).unwrap();
    let language = recognise_language(file, files.text(id));
    let read = read_model(language, &mut files, &mut origins, id, None);
    std::sync::Arc::unwrap_or_clone(read.network.unwrap())
}

/// Replaces a text that must occur.
pub(crate) fn replaced(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "there is no `{from}`");
    text.replace(from, to)
}

/// Measures the CPU time of some work.
pub(crate) fn cpu_time(work: impl FnOnce()) -> Duration {
    let start = cpu_time::ThreadTime::now();
    work();
    start.elapsed()
}
