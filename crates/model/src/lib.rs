//! Types, expressions, networks of timed automata and queries: what front ends build and engines read.

pub mod codes;
pub mod syntax;
