//! What benchmarks of surveys share: examples with some text replaced, and the time of the processor.

use std::path::Path;
use std::time::Duration;

use tempora_frontends::{read_model, recognise_language};
use tempora_model::Network;
use tempora_source::{Files, Origins};

/// The network of a file of `examples/` whose text was changed.
pub(crate) fn changed_example(file: &str, change: impl FnOnce(String) -> String) -> Network {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    let text = change(std::fs::read_to_string(path).unwrap());
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let id = files.add(file, text).unwrap();
    let language = recognise_language(file, files.text(id));
    let read = read_model(language, &mut files, &mut origins, id, None);
    std::sync::Arc::unwrap_or_clone(read.network.unwrap())
}

/// A text in which another, which must be there, is replaced.
pub(crate) fn replaced(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "there is no `{from}`");
    text.replace(from, to)
}

/// How long the processor works on something.
pub(crate) fn cpu_time(work: impl FnOnce()) -> Duration {
    let start = cpu_time::ThreadTime::now();
    work();
    start.elapsed()
}
