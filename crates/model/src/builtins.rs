//! The mathematical functions that models may call.
//!
//! Invariant: [`FUNCTIONS`] is sorted by name.

/// The type of a parameter or result of a built-in function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberKind {
    /// An integer.
    Integer,
    /// A floating point number; an integer widens to it.
    Double,
}

/// A built-in function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuiltinFunction {
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: &'static [NumberKind],
    /// Its result.
    pub result: NumberKind,
    /// Whether its result is random, so that only statistical queries support it.
    pub is_random: bool,
}

use NumberKind::{Double as D, Integer as I};

const fn function(
    name: &'static str,
    parameters: &'static [NumberKind],
    result: NumberKind,
) -> BuiltinFunction {
    BuiltinFunction { name, parameters, result, is_random: false }
}

const fn random(name: &'static str, parameters: &'static [NumberKind]) -> BuiltinFunction {
    BuiltinFunction { name, parameters, result: D, is_random: true }
}

/// All built-in functions.
pub static FUNCTIONS: &[BuiltinFunction] = &[
    function("abs", &[I], I),
    function("acos", &[D], D),
    function("acosh", &[D], D),
    function("asin", &[D], D),
    function("asinh", &[D], D),
    function("atan", &[D], D),
    function("atan2", &[D, D], D),
    function("atanh", &[D], D),
    function("cbrt", &[D], D),
    function("ceil", &[D], D),
    function("copysign", &[D, D], D),
    function("cos", &[D], D),
    function("cosh", &[D], D),
    function("erf", &[D], D),
    function("erfc", &[D], D),
    function("exp", &[D], D),
    function("exp2", &[D], D),
    function("expm1", &[D], D),
    function("fabs", &[D], D),
    function("fdim", &[D, D], D),
    function("fint", &[D], I),
    function("floor", &[D], D),
    function("fma", &[D, D, D], D),
    function("fmax", &[D, D], D),
    function("fmin", &[D, D], D),
    function("fmod", &[D, D], D),
    function("fpclassify", &[D], I),
    function("hypot", &[D, D], D),
    function("ilogb", &[D], I),
    function("isfinite", &[D], I),
    function("isinf", &[D], I),
    function("isnan", &[D], I),
    function("isnormal", &[D], I),
    function("isunordered", &[D, D], I),
    function("ldexp", &[D, I], D),
    function("lgamma", &[D], D),
    function("ln", &[D], D),
    function("log", &[D], D),
    function("log10", &[D], D),
    function("log1p", &[D], D),
    function("log2", &[D], D),
    function("logb", &[D], D),
    function("nextafter", &[D, D], D),
    function("pow", &[D, D], D),
    random("random", &[D]),
    random("random_arcsine", &[D, D]),
    random("random_beta", &[D, D]),
    random("random_gamma", &[D, D]),
    random("random_normal", &[D, D]),
    random("random_poisson", &[D]),
    random("random_tri", &[D, D, D]),
    random("random_weibull", &[D, D]),
    function("round", &[D], D),
    function("signbit", &[D], I),
    function("sin", &[D], D),
    function("sinh", &[D], D),
    function("sqrt", &[D], D),
    function("tan", &[D], D),
    function("tanh", &[D], D),
    function("tgamma", &[D], D),
    function("trunc", &[D], D),
];

/// Returns the built-in function with this name.
pub fn function_named(name: &str) -> Option<&'static BuiltinFunction> {
    FUNCTIONS.binary_search_by(|function| function.name.cmp(name)).ok().map(|position| &FUNCTIONS[position])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_sorted_and_found() {
        assert!(FUNCTIONS.windows(2).all(|pair| pair[0].name < pair[1].name));
        assert!(FUNCTIONS.iter().all(|function| function_named(function.name) == Some(function)));
        assert_eq!(function_named("sine"), None);
    }
}
