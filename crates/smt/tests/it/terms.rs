//! Terms: simplification preserves values, and printed terms are read back.
//!
//! Invariant: simplified and plain terms are compared by their values, never by their form.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tempora_smt::{
    Enumeration, Sort, SymbolicNames, TermStore, Value, print_term, read_expressions, read_term,
};

use crate::support::{World, recipes};

fn sorts(world: &World) -> Vec<Sort> {
    vec![
        Sort::Boolean,
        Sort::Integer,
        Sort::Enumeration(world.colour),
        Sort::array(Sort::Integer, Sort::Integer),
        Sort::BitVector(4),
    ]
}

fn names(world: &mut World) -> SymbolicNames {
    let mut names = SymbolicNames::default();
    let symbols = [&world.booleans, &world.integers, &world.colours, &world.arrays, &world.words];
    for symbol in symbols.into_iter().flatten() {
        names.terms.insert(world.store.symbol_name(*symbol).to_owned(), world.store.symbol(*symbol));
    }
    let colour = world.colour;
    names.sorts.insert("Colour".to_owned(), Sort::Enumeration(colour));
    for (literal, name) in ["Red", "Green", "Blue"].into_iter().enumerate() {
        let term = world.store.constant(Value::Enumerator(colour, literal as u32));
        names.terms.insert(format!("Colour.{name}"), term);
    }
    names
}

proptest! {
    #[test]
    fn simplification_preserves_values(
        recipe in recipes(5), which in 0usize..5, seeds in prop::collection::vec(any::<u8>(), 1..6)
    ) {
        let mut world = World::new();
        let sort = sorts(&world)[which].clone();
        let plain = world.make(&recipe, &sort, false);
        let simple = world.make(&recipe, &sort, true);
        prop_assert_eq!(world.store.sort(simple), &sort);
        let value_of = world.assignment(&seeds);
        // Where the plain term divides by zero, it has no value to compare with.
        if let Ok(value) = world.store.evaluate(plain, &value_of) {
            prop_assert_eq!(world.store.evaluate(simple, &value_of), Ok(value));
        }
    }

    #[test]
    fn substituted_values_give_the_same_value(
        recipe in recipes(5), seeds in prop::collection::vec(any::<u8>(), 1..6)
    ) {
        let mut world = World::new();
        let term = world.make(&recipe, &Sort::Integer, false);
        let value_of = world.assignment(&seeds);
        let mut replacement = BTreeMap::new();
        for symbol in world.store.symbols_of(&[term]) {
            let value = value_of(symbol).unwrap();
            replacement.insert(symbol, world.store.constant(value));
        }
        let replaced = world.store.substitute(term, &replacement);
        if let Ok(value) = world.store.evaluate(term, &value_of) {
            prop_assert_eq!(world.store.as_value(replaced).cloned(), value);
        }
    }

    #[test]
    fn unknown_symbols_never_give_wrong_values(
        recipe in recipes(5), unknown in 0usize..8, seeds in prop::collection::vec(any::<u8>(), 1..6)
    ) {
        let mut world = World::new();
        let term = world.make(&recipe, &Sort::Boolean, false);
        let value_of = world.assignment(&seeds);
        let partial = |symbol: tempora_smt::SymbolId| {
            if symbol.index() == unknown { None } else { value_of(symbol) }
        };
        if let Ok(Some(value)) = world.store.evaluate(term, &partial)
            && let Ok(whole) = world.store.evaluate(term, &value_of)
        {
            prop_assert_eq!(Some(value), whole);
        }
    }

    #[test]
    fn printed_terms_are_read_back(recipe in recipes(5), which in 0usize..5) {
        let mut world = World::new();
        let sort = sorts(&world)[which].clone();
        let term = world.make(&recipe, &sort, true);
        let names = names(&mut world);
        let text = print_term(&world.store, term);
        let expressions = read_expressions(&text).unwrap();
        prop_assert_eq!(expressions.len(), 1);
        let read = read_term(&mut world.store, &names, &expressions[0]).unwrap();
        prop_assert_eq!(print_term(&world.store, read), text);
    }

    #[test]
    fn reader_accepts_arbitrary_text_without_panic(text in "[(); |\"a-z0-9.\\-]{0,60}") {
        let mut store = TermStore::new();
        if let Ok(expressions) = read_expressions(&text) {
            for expression in &expressions {
                let _ = read_term(&mut store, &SymbolicNames::default(), expression);
            }
        }
    }
}

#[test]
fn deep_nesting_is_refused() {
    let error = read_expressions(&"(".repeat(100_000)).unwrap_err();
    assert!(error.message.contains("deep"), "{}", error.message);
}

#[test]
fn maps_over_finite_indexes_have_normal_form() {
    let mut store = TermStore::new();
    let literals = ["A", "B"].map(str::to_owned).to_vec();
    let id = store.add_enumeration(Enumeration { name: "E".to_owned(), literals });
    for index in [Sort::Boolean, Sort::Enumeration(id)] {
        let values = Value::all_of(&store, &index, 10).unwrap();
        let constant =
            |rest: i64| tempora_smt::ArrayValue::constant(&store, index.clone(), Value::integer(rest));
        let one = constant(1)
            .store(values[0].clone(), Value::integer(5))
            .store(values[1].clone(), Value::integer(6));
        let two = constant(2)
            .store(values[1].clone(), Value::integer(6))
            .store(values[0].clone(), Value::integer(5));
        assert_eq!(one, two);
        assert_eq!(*one.select(&values[1]), Value::integer(6));
    }
}

#[test]
fn products_have_limited_length() {
    let store = TermStore::new();
    let multiply = tempora_smt::Operator::Multiply;
    let mut number = Value::integer(3);
    for _ in 0..19 {
        number = multiply.apply(&store, &[number.clone(), number]).unwrap();
    }
    let square = multiply.apply(&store, &[number.clone(), number.clone()]);
    assert_eq!(square, Err(tempora_smt::EvaluationError::TooLarge));
    let half = tempora_smt::Operator::ToReal.apply(&store, &[number]).unwrap();
    let product = multiply.apply(&store, &[half.clone(), half]);
    assert_eq!(product, Err(tempora_smt::EvaluationError::TooLarge));
}

#[test]
fn division_by_zero_is_not_simplified() {
    let mut world = World::new();
    let (zero, one) = (world.store.integer(0), world.store.integer(1));
    let division = world.store.simplified(&tempora_smt::Operator::DivideEuclidean, &[one, zero]);
    assert_eq!(world.store.evaluate(division, &|_| None), Err(tempora_smt::EvaluationError::DivisionByZero));
}
