//! Reads any text as a query about a small model.
//!
//! Run with `cargo +nightly fuzz run queries`.
#![no_main]

use tempora_workbench::load;

const MODEL: &str = "typedef int[0,2] id_t; clock x; int n; int a[3]; bool f(int v) { return v > n; }
    process P(const id_t id) { clock y; int[0,5] k; init location A; location B { labels seen; }
        A -> B { guard y > 2; do k = id; } }
    system P;";

libfuzzer_sys::fuzz_target!(|text: &str| {
    let mut loaded = load("model.net", MODEL.as_bytes());
    loaded.read_query("query", text);
});
