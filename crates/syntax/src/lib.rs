//! The syntax of UPPAAL-like languages: tokens, syntax trees with spans, the parser and the printer.
//!
//! Every text gives a tree, even a text with errors. Names are resolved and types are checked elsewhere.
//!
//! ```
//! use tempora_syntax::{parse_guard, print_expression};
//! use tempora_source::Files;
//!
//! let mut files = Files::new();
//! let file = files.add("guard", "x>=3 and(n==0)")?;
//! let parsed = parse_guard(&files, file);
//! assert!(parsed.diagnostics.is_empty());
//! assert_eq!(parsed.tree.map(|guard| print_expression(&guard)).as_deref(), Some("x >= 3 and (n == 0)"));
//! # Ok::<(), tempora_source::Diagnostic>(())
//! ```

pub mod ast;
pub mod codes;
mod dump;
mod lexer;
mod parser;
mod precedence;
mod printer;
mod token;
mod walk;

pub use dump::{Dump, DumpNode};
pub use lexer::is_name;
pub use parser::{
    Parsed, parse_declarations, parse_expression, parse_expression_list, parse_guard, parse_invariant,
    parse_network, parse_parameters, parse_proof, parse_queries, parse_query, parse_rate, parse_select,
    parse_synchronisation,
};
pub use printer::{
    print_declarations, print_expression, print_expressions, print_network, print_parameters, print_query,
    print_rate, print_select, print_statement, print_synchronisation,
};
pub use walk::{children, height, is_temporal};

/// The limit for the height of a tree, which makes recursion over trees safe.
pub const HEIGHT_LIMIT: u32 = 1000;

/// The deepest level of indentation that is printed: without a limit, deep nesting makes a text quadratic.
pub const DEEPEST_INDENTATION: usize = 32;

/// The limit for the nesting of brackets, blocks, types and similar constructs.
pub const BRACKET_LIMIT: u32 = 250;
