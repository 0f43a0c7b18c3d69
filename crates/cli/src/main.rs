//! The `tempora` command.

fn main() {}
