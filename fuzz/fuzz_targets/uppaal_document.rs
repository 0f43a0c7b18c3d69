//! Reads any text as an UPPAAL document; draws, writes and reads back each document without errors.
//!
//! Run with `cargo +nightly fuzz run uppaal_document`.
#![no_main]

use tempora_frontends::{language_named, writer_named};
use tempora_workbench::{LoadOptions, load_with};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let options = LoadOptions { language: language_named("uppaal"), ..LoadOptions::default() };
    let loaded = load_with("model.xml", bytes, options);
    loaded.diagrams();
    if let Some(model) = loaded.writable() {
        let text = writer_named("xta").and_then(|writer| writer.write(&model).ok());
        if let Some(text) = text {
            assert!(load_with("model.xta", text.as_bytes(), LoadOptions::default()).network.is_some(), "{text}");
        }
    }
});
