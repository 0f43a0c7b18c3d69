//! Projection: eliminates symbols from conjunctions of formulas.
//!
//! The eliminated symbols are quantified existentially: they are replaced by equal terms, enumerated if they have few
//! values, or eliminated by comparing their bounds (J. Fourier, T. Motzkin). Conjuncts that cannot be projected are
//! dropped.
//!
//! Invariant: the input implies the result, and the result does not mention eliminated symbols. If the projection is
//! exact, every model of the result extends to a model of the input.

use std::collections::{BTreeMap, BTreeSet};

use tempora_smt::{Integer, Operator, Sort, SymbolId, Term, TermId, TermStore, Value};

/// The limit on the conjunctions of a disjunctive normal form.
const MAX_CASES: usize = 48;

/// The limit on the values of an enumerated symbol.
const MAX_VALUES: usize = 12;

/// The result of a projection.
pub(super) struct Projection {
    pub(super) formula: TermId,
    /// Whether no conjunct was dropped.
    pub(super) is_exact: bool,
}

/// Projects the conjunction of some formulas to the symbols to keep.
pub(super) fn project(
    store: &mut TermStore,
    formulas: &[TermId],
    is_kept: impl Fn(SymbolId) -> bool,
) -> Projection {
    let mut is_exact = true;
    let mut finished: Vec<TermId> = Vec::new();
    let mut open: Vec<Vec<TermId>> = vec![formulas.to_vec()];
    while let Some(case) = open.pop() {
        let Some(case) = literals(store, &case) else { continue };
        let unwanted = store.symbols_of(&case).into_iter().filter(|symbol| !is_kept(*symbol));
        let unwanted: BTreeSet<SymbolId> = unwanted.collect();
        if unwanted.is_empty() {
            finished.push(store.and(&case));
            continue;
        }
        let may_split = open.len() + finished.len() < MAX_CASES;
        match eliminate_one(store, &case, &unwanted, may_split) {
            Some(cases) => open.extend(cases),
            None => {
                is_exact = false;
                let case = without_equals(store, case, &unwanted);
                let is_free = |formula: &TermId| store.symbols_of(&[*formula]).into_iter().all(&is_kept);
                let rest: Vec<TermId> = case.into_iter().filter(is_free).collect();
                finished.push(store.and(&rest));
            }
        }
    }
    Projection { formula: store.or(&finished), is_exact }
}

/// Returns the conjuncts of formulas; `None` if one of them is false.
fn literals(store: &mut TermStore, formulas: &[TermId]) -> Option<Vec<TermId>> {
    let mut found = BTreeSet::new();
    let mut open = formulas.to_vec();
    while let Some(formula) = open.pop() {
        match store.term(formula) {
            Term::Constant(Value::Boolean(true)) => {}
            Term::Constant(_) => return None,
            Term::Apply(Operator::And, parts) => open.extend(parts.iter().copied()),
            Term::Apply(Operator::Not, inner) => match store.term(inner[0]) {
                Term::Apply(Operator::Or, parts) => {
                    let parts = parts.to_vec();
                    open.extend(parts.into_iter().map(|part| store.not(part)));
                }
                _ => {
                    found.insert(formula);
                }
            },
            _ => {
                found.insert(formula);
            }
        }
    }
    Some(found.into_iter().collect())
}

/// Returns the cases of a conjunction with one symbol eliminated, or with one obstacle to its elimination fewer; `None`
/// if no rule applies.
fn eliminate_one(
    store: &mut TermStore,
    case: &[TermId],
    unwanted: &BTreeSet<SymbolId>,
    may_split: bool,
) -> Option<Vec<Vec<TermId>>> {
    for formula in case {
        if let Some((symbol, value)) = definition(store, *formula, unwanted) {
            return Some(vec![replaced(store, case, symbol, value)]);
        }
    }
    let with = |symbol: SymbolId, store: &TermStore| -> (Vec<TermId>, Vec<TermId>) {
        case.iter().partition(|formula| store.symbols_of(&[**formula]).contains(&symbol))
    };
    for symbol in unwanted {
        let (about, mut rest) = with(*symbol, store);
        if let Some(combined) = compare_bounds(store, &about, *symbol) {
            rest.extend(combined);
            return Some(vec![rest]);
        }
    }
    if !may_split {
        return None;
    }
    for symbol in unwanted {
        let (about, rest) = with(*symbol, store);
        let sort = store.symbol_sort(*symbol).clone();
        if let Some(values) = Value::all_of(store, &sort, MAX_VALUES) {
            let cases = values.into_iter().map(|value| {
                let value = store.constant(value);
                let mut one = replaced(store, &about, *symbol, value);
                one.extend(&rest);
                one
            });
            return Some(cases.collect());
        }
    }
    case.iter().find_map(|formula| {
        let is_about = !store.symbols_of(&[*formula]).is_disjoint(unwanted);
        let cases = if is_about { split(store, *formula, unwanted)? } else { return None };
        let rest: Vec<TermId> = case.iter().copied().filter(|other| other != formula).collect();
        Some(cases.into_iter().map(|one| [one, rest.clone()].concat()).collect())
    })
}

/// Substitutes a term for a symbol in formulas.
fn replaced(store: &mut TermStore, formulas: &[TermId], symbol: SymbolId, value: TermId) -> Vec<TermId> {
    let replacement = BTreeMap::from([(symbol, value)]);
    formulas.iter().map(|formula| store.substitute(*formula, &replacement)).collect()
}

/// Returns a symbol that a formula defines, with its value.
fn definition(
    store: &mut TermStore,
    formula: TermId,
    unwanted: &BTreeSet<SymbolId>,
) -> Option<(SymbolId, TermId)> {
    let (is_true, atom) = match store.term(formula) {
        Term::Apply(Operator::Not, inner) => (false, inner[0]),
        _ => (true, formula),
    };
    match store.term(atom).clone() {
        Term::Symbol(symbol) if unwanted.contains(&symbol) => Some((symbol, store.truth(is_true))),
        Term::Apply(Operator::Equal, sides) => {
            let (left, right) = (sides[0], sides[1]);
            if !is_true && *store.sort(left) != Sort::Boolean {
                return None;
            }
            for (side, other) in [(left, right), (right, left)] {
                if let Term::Symbol(symbol) = store.term(side)
                    && unwanted.contains(symbol)
                    && !store.symbols_of(&[other]).contains(symbol)
                {
                    let symbol = *symbol;
                    let value = if is_true { other } else { store.not(other) };
                    return Some((symbol, value));
                }
            }
            if !store.sort(left).is_numeric() {
                return None;
            }
            let mentioned: Vec<SymbolId> =
                store.symbols_of(&[atom]).into_iter().filter(|symbol| unwanted.contains(symbol)).collect();
            mentioned.into_iter().find_map(|symbol| {
                // From `s + rest = 0` or `rest - s = 0`.
                let (factor, rest) = isolated_difference(store, left, right, symbol)?;
                match factor {
                    1 => Some((symbol, store.negate(rest))),
                    -1 => Some((symbol, rest)),
                    _ => None,
                }
            })
        }
        _ => None,
    }
}

/// Combines the lower and upper bounds of a number; `None` if it also occurs elsewhere.
fn compare_bounds(store: &mut TermStore, about: &[TermId], symbol: SymbolId) -> Option<Vec<TermId>> {
    let sort = store.symbol_sort(symbol).clone();
    if !sort.is_numeric() {
        return None;
    }
    /// The limit on the number of comparisons.
    const MAX: usize = 100;
    let nothing = zero(store, &sort);
    let (mut lower, mut upper, mut has_holes) = (Vec::new(), Vec::new(), false);
    let mut combined = Vec::new();
    for formula in about {
        let (is_true, atom) = match store.term(*formula) {
            Term::Apply(Operator::Not, inner) => (false, inner[0]),
            _ => (true, *formula),
        };
        let Term::Apply(operator, sides) = store.term(atom).clone() else { return None };
        let (left, right, is_strict) = match (&operator, is_true) {
            (Operator::LessEqual, true) | (Operator::Equal, _) => (sides[0], sides[1], false),
            (Operator::LessEqual, false) => (sides[1], sides[0], true),
            (Operator::Less, true) => (sides[0], sides[1], true),
            (Operator::Less, false) => (sides[1], sides[0], false),
            _ => return None,
        };
        let (factor, rest) = isolated_difference(store, left, right, symbol)?;
        combined.push(match (operator, factor) {
            // It cancels out.
            (Operator::Equal, 0) => {
                let equal = store.equal(rest, nothing);
                if is_true { equal } else { store.not(equal) }
            }
            (_, 0) if is_strict => store.less(rest, nothing),
            (_, 0) => store.less_equal(rest, nothing),
            (Operator::Equal, _) if is_true => return None,
            // A disequality.
            (Operator::Equal, _) => {
                has_holes = true;
                continue;
            }
            (_, 1) => {
                upper.push((store.negate(rest), is_strict));
                continue;
            }
            (_, -1) => {
                lower.push((rest, is_strict));
                continue;
            }
            _ => return None,
        });
    }
    if lower.is_empty() || upper.is_empty() {
        // The interval contains enough values, whatever is excluded.
        return Some(combined);
    }
    if has_holes || lower.len() * upper.len() > MAX {
        return None;
    }
    for (low, is_low_strict) in &lower {
        for (high, is_high_strict) in &upper {
            combined.push(match sort {
                Sort::Integer => {
                    let distance = i64::from(*is_low_strict) + i64::from(*is_high_strict);
                    let distance = store.integer(distance);
                    let nearest = store.add(&[*low, distance]);
                    store.less_equal(nearest, *high)
                }
                _ if *is_low_strict || *is_high_strict => store.less(*low, *high),
                _ => store.less_equal(*low, *high),
            });
        }
    }
    Some(combined)
}

/// Returns the difference of two sides as a multiple of a symbol and a rest without it.
fn isolated_difference(
    store: &mut TermStore,
    left: TermId,
    right: TermId,
    symbol: SymbolId,
) -> Option<(i64, TermId)> {
    let (left_factor, left_rest) = isolated(store, left, symbol)?;
    let (right_factor, right_rest) = isolated(store, right, symbol)?;
    let rest = store.subtract(left_rest, right_rest);
    Some((left_factor.checked_sub(right_factor)?, rest))
}

/// Returns a number as a multiple of a symbol and a rest without it.
fn isolated(store: &mut TermStore, term: TermId, symbol: SymbolId) -> Option<(i64, TermId)> {
    if !store.symbols_of(&[term]).contains(&symbol) {
        return Some((0, term));
    }
    let sort = store.sort(term).clone();
    match store.term(term).clone() {
        Term::Symbol(_) => Some((1, zero(store, &sort))),
        Term::Apply(Operator::Add, parts) => {
            let (mut factor, mut rests) = (0i64, Vec::new());
            for part in parts {
                let (own, rest) = isolated(store, part, symbol)?;
                factor = factor.checked_add(own)?;
                rests.push(rest);
            }
            Some((factor, store.add(&rests)))
        }
        Term::Apply(Operator::Multiply, parts) => {
            let [constant, inner] = parts.as_ref() else { return None };
            let multiplier = whole_number(store.as_value(*constant)?)?;
            let (factor, rest) = isolated(store, *inner, symbol)?;
            Some((factor.checked_mul(multiplier)?, store.multiply(&[*constant, rest])))
        }
        _ => None,
    }
}

fn zero(store: &mut TermStore, sort: &Sort) -> TermId {
    let zero = match sort {
        Sort::Real => Value::Real(Box::default()),
        _ => Value::integer(0),
    };
    store.constant(zero)
}

fn whole_number(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(number) => number.to_i64(),
        Value::Real(number) if number.is_integer() => Integer::from(number.to_integer()).to_i64(),
        _ => None,
    }
}

/// Returns the cases of a formula that is a disjunction or contains a conditional term.
fn split(store: &mut TermStore, formula: TermId, unwanted: &BTreeSet<SymbolId>) -> Option<Vec<Vec<TermId>>> {
    let (is_true, inner) = match store.term(formula) {
        Term::Apply(Operator::Not, inner) => (false, inner[0]),
        _ => (true, formula),
    };
    if let Term::Apply(operator, parts) = store.term(inner).clone() {
        match (operator, is_true) {
            (Operator::Or, true) => return Some(parts.iter().map(|part| vec![*part]).collect()),
            (Operator::And, false) => {
                return Some(parts.iter().map(|part| vec![store.not(*part)]).collect());
            }
            (Operator::Equal, _) if *store.sort(parts[0]) == Sort::Boolean => {
                let (left, right) = (parts[0], parts[1]);
                let (not_left, not_right) = (store.not(left), store.not(right));
                return Some(if is_true {
                    vec![vec![left, right], vec![not_left, not_right]]
                } else {
                    vec![vec![left, not_right], vec![not_left, right]]
                });
            }
            _ => {}
        }
    }
    // The innermost condition comes first: its parts contain no conditions.
    let parts = store.parts(&[formula], |_| false);
    let (choice, arguments) = parts.into_iter().find_map(|part| match store.term(part) {
        Term::Apply(Operator::IfThenElse, arguments) => {
            let is_about = !store.symbols_of(&[part]).is_disjoint(unwanted);
            is_about.then(|| (part, arguments.clone()))
        }
        _ => None,
    })?;
    let opposite = store.not(arguments[0]);
    Some(vec![
        vec![arguments[0], with_term(store, formula, choice, arguments[1])],
        vec![opposite, with_term(store, formula, choice, arguments[2])],
    ])
}

/// Replaces terms about eliminated symbols by equal terms, where equations provide them.
fn without_equals(
    store: &mut TermStore,
    mut formulas: Vec<TermId>,
    unwanted: &BTreeSet<SymbolId>,
) -> Vec<TermId> {
    for position in 0..formulas.len() {
        let Term::Apply(Operator::Equal, sides) = store.term(formulas[position]).clone() else { continue };
        for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            let is_free = |term: TermId| store.symbols_of(&[term]).is_disjoint(unwanted);
            if is_free(other) && !is_free(side) {
                for (number, formula) in formulas.iter_mut().enumerate() {
                    if number != position {
                        *formula = with_term(store, *formula, side, other);
                    }
                }
            }
        }
    }
    formulas
}

/// Replaces one of the terms of a formula.
fn with_term(store: &mut TermStore, formula: TermId, term: TermId, other: TermId) -> TermId {
    let mut done: BTreeMap<TermId, TermId> = BTreeMap::from([(term, other)]);
    for part in store.parts(&[formula], |part| part == term) {
        let Term::Apply(operator, arguments) = store.term(part).clone() else { continue };
        let arguments: Vec<TermId> =
            arguments.iter().map(|argument| done.get(argument).copied().unwrap_or(*argument)).collect();
        done.insert(part, store.simplified(&operator, &arguments));
    }
    done.get(&formula).copied().unwrap_or(formula)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A deterministic pseudo-random generator.
    struct Chance(u64);

    impl Chance {
        fn below(&mut self, limit: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % limit
        }
    }

    const VALUES: std::ops::RangeInclusive<i64> = 0..=3;

    fn number(store: &mut TermStore, chance: &mut Chance, symbols: &[TermId], depth: u32) -> TermId {
        match chance.below(if depth == 0 { 3 } else { 5 }) {
            0 => store.integer(i64::try_from(chance.below(4)).unwrap()),
            1 | 2 => symbols[usize::try_from(chance.below(symbols.len() as u64)).unwrap()],
            3 => {
                let parts = [(); 2].map(|()| number(store, chance, symbols, depth - 1));
                if chance.below(2) == 0 { store.add(&parts) } else { store.subtract(parts[0], parts[1]) }
            }
            _ => {
                let condition = formula(store, chance, symbols, depth - 1);
                let parts = [(); 2].map(|()| number(store, chance, symbols, depth - 1));
                store.if_then_else(condition, parts[0], parts[1])
            }
        }
    }

    fn formula(store: &mut TermStore, chance: &mut Chance, symbols: &[TermId], depth: u32) -> TermId {
        if depth == 0 || chance.below(3) == 0 {
            let parts = [(); 2].map(|()| number(store, chance, symbols, depth.min(1)));
            return match chance.below(3) {
                0 => store.equal(parts[0], parts[1]),
                1 => store.less(parts[0], parts[1]),
                _ => store.less_equal(parts[0], parts[1]),
            };
        }
        let parts = [(); 2].map(|()| formula(store, chance, symbols, depth - 1));
        match chance.below(4) {
            0 => store.and(&parts),
            1 => store.or(&parts),
            2 => store.equal(parts[0], parts[1]),
            _ => store.not(parts[0]),
        }
    }

    /// For all values of the kept symbols: the result holds if the formulas hold for some value of the eliminated ones,
    /// and only then if it is exact.
    #[test]
    fn projection_agrees_with_enumeration() {
        let (mut exact, mut forgetful) = (0, 0);
        for seed in 0..400 {
            let mut chance = Chance(seed);
            let mut store = TermStore::new();
            let symbols: Vec<SymbolId> =
                ["x", "y", "out"].map(|name| store.add_symbol(name, Sort::Integer)).to_vec();
            let terms: Vec<TermId> = symbols.iter().map(|symbol| store.symbol(*symbol)).collect();
            let bounds = [store.integer(*VALUES.start()), store.integer(*VALUES.end())];
            let mut given =
                vec![store.less_equal(bounds[0], terms[2]), store.less_equal(terms[2], bounds[1])];
            for _ in 0..1 + chance.below(3) {
                given.push(formula(&mut store, &mut chance, &terms, 2));
            }
            let projection = project(&mut store, &given, |symbol| symbol != symbols[2]);
            assert!(!store.symbols_of(&[projection.formula]).contains(&symbols[2]));
            let holds = |formula: TermId, values: [i64; 3]| {
                let value_of = |symbol: SymbolId| {
                    let position = symbols.iter().position(|own| *own == symbol)?;
                    Some(Value::integer(values[position]))
                };
                store.evaluate(formula, &value_of).unwrap() == Some(Value::Boolean(true))
            };
            for x in VALUES {
                for y in VALUES {
                    let mut values = VALUES;
                    let is_possible =
                        values.any(|out| given.iter().all(|formula| holds(*formula, [x, y, out])));
                    let is_said = holds(projection.formula, [x, y, 0]);
                    let what =
                        format!("seed {seed}: {}", tempora_smt::print_term(&store, projection.formula));
                    assert!(is_said || !is_possible, "{what} forbids x = {x}, y = {y}");
                    assert!(
                        !projection.is_exact || !is_said || is_possible,
                        "{what} allows x = {x}, y = {y}"
                    );
                }
            }
            if projection.is_exact { exact += 1 } else { forgetful += 1 }
        }
        assert!(exact > 200 && forgetful > 5, "{exact} exact, {forgetful} not");
    }
}
