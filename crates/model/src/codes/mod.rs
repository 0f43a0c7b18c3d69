//! The codes of this crate, one file a family and one line each in [`ALL`].
//!
//! Invariant: every code declared below is in [`ALL`], its name is unique there, and the example on its page produces
//! it (see `tests/it/code_pages.rs`).

pub mod expressions;
pub mod meaning;
pub mod queries;
pub mod structure;
pub mod text;

use tempora_source::Code;

/// Every code of this crate, by name.
pub static ALL: &[&Code] = &[
    &expressions::AMBIGUOUS_PATH_FORMULA,
    &expressions::ASSIGNMENT_IN_CONDITION,
    &expressions::BARE_PATH_OPERATOR,
    &meaning::CLOCK_ARITHMETIC,
    &meaning::CLOCK_CONDITION,
    &meaning::CONSTANT_ERROR,
    &structure::DECLARATION_AFTER_STATEMENT,
    &meaning::DEFAULT_RANGE,
    &meaning::DUPLICATE_NAME,
    &meaning::EMPTY_RANGE,
    &text::ENTITY_IN_CODE,
    &structure::FUNCTION_WITHOUT_TYPE,
    &meaning::ILL_FORMED_NETWORK,
    &expressions::INTEGER_TOO_LARGE,
    &structure::LABEL_ON_BRANCH,
    &meaning::MISPLACED,
    &meaning::MISSING_RETURN,
    &structure::MISSING_SEMICOLON,
    &meaning::MISSING_VALUES,
    &meaning::NESTED_FORMULA,
    &structure::NESTED_TOO_DEEPLY,
    &meaning::NO_EFFECT,
    &meaning::NO_INITIAL,
    &meaning::NO_PROCESS,
    &expressions::NO_SUCH_OPERATOR,
    &queries::NOT_A_QUERY,
    &meaning::NOT_A_TYPE,
    &meaning::NOT_ANSWERED,
    &meaning::NOT_ASSIGNABLE,
    &meaning::NOT_CONSTANT,
    &structure::NOT_IN_THE_LANGUAGE,
    &meaning::NOT_SUPPORTED,
    &meaning::OUTSIDE_OF_RANGE,
    &queries::PROBABILITY_NOT_A_FRACTION,
    &meaning::QUERY_ONLY,
    &meaning::RECURSION,
    &structure::REPEATED_LABEL,
    &structure::RESERVED_WORD,
    &meaning::SIDE_EFFECT,
    &meaning::SUSPICIOUS_PRECEDENCE,
    &meaning::TOO_LARGE,
    &structure::TOO_MANY_ERRORS,
    &meaning::TYPE_MISMATCH,
    &structure::UNEXPECTED_TOKEN,
    &text::UNKNOWN_CHARACTER,
    &meaning::UNKNOWN_NAME,
    &queries::UNKNOWN_QUERY,
    &text::UNTERMINATED_COMMENT,
    &text::UNTERMINATED_STRING,
    &meaning::URGENT_WITH_CLOCKS,
    &meaning::WRONG_ARGUMENTS,
];
