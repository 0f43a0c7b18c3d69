//! Runs the fuzzer's interpreter on random bytes, in every test run and without a nightly compiler.

use crate::oracle::{check_share_of_cases, interpreter};

#[test]
fn random_programs() {
    check_share_of_cases("random programs", 1000, |case| {
        let bytes: Vec<u8> = (0..8 + case.random.below(32)).map(|_| case.random.next() as u8).collect();
        case.note("bytes", &bytes);
        interpreter::run(&bytes);
    });
}
