//! The diagnostic codes of this crate, one file for each family and one line for each code in [`ALL`].
//!
//! Invariant: every code declared below is in [`ALL`], its name is unique there, and the example on its page produces
//! it (see `tests/it/code_pages.rs`).

pub mod expressions;
pub mod queries;
pub mod structure;
pub mod text;

use tempora_source::Code;

/// Every code of this crate, by name.
pub static ALL: &[&Code] = &[
    &expressions::AMBIGUOUS_PATH_FORMULA,
    &expressions::ASSIGNMENT_IN_CONDITION,
    &expressions::BARE_PATH_OPERATOR,
    &structure::DECLARATION_AFTER_STATEMENT,
    &text::ENTITY_IN_CODE,
    &structure::FUNCTION_WITHOUT_TYPE,
    &expressions::INTEGER_TOO_LARGE,
    &structure::LABEL_ON_BRANCH,
    &structure::MISSING_SEMICOLON,
    &structure::NESTED_TOO_DEEPLY,
    &expressions::NO_SUCH_OPERATOR,
    &queries::NOT_A_QUERY,
    &structure::NOT_IN_THE_LANGUAGE,
    &queries::PROBABILITY_NOT_A_FRACTION,
    &structure::REPEATED_LABEL,
    &structure::RESERVED_WORD,
    &structure::TOO_MANY_ERRORS,
    &structure::UNEXPECTED_TOKEN,
    &text::UNKNOWN_CHARACTER,
    &queries::UNKNOWN_QUERY,
    &text::UNTERMINATED_COMMENT,
    &text::UNTERMINATED_STRING,
];
