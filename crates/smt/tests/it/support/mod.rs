//! Random terms, and a solver for them.
//!
//! Invariant: the same recipe always gives the same term.

use proptest::prelude::*;
use tempora_smt::{
    Enumeration, EnumerationId, Operator, ProcessOptions, ProcessSolver, Sort, SymbolId, TermId, TermStore,
    Value, find_solver,
};

/// The random choices from which a term is built.
#[derive(Clone, Debug)]
pub(crate) enum Recipe {
    /// A value or a symbol.
    Leaf(u8),
    /// An operator.
    Node(u8, Vec<Recipe>),
}

pub(crate) fn recipes(depth: u32) -> impl Strategy<Value = Recipe> {
    let leaf = any::<u8>().prop_map(Recipe::Leaf);
    leaf.prop_recursive(depth, 40, 3, |inner| {
        (any::<u8>(), prop::collection::vec(inner, 1..=3)).prop_map(|(what, parts)| Recipe::Node(what, parts))
    })
}

pub(crate) struct World {
    pub(crate) store: TermStore,
    pub(crate) colour: EnumerationId,
    pub(crate) booleans: Vec<SymbolId>,
    pub(crate) integers: Vec<SymbolId>,
    pub(crate) colours: Vec<SymbolId>,
    pub(crate) arrays: Vec<SymbolId>,
    pub(crate) words: Vec<SymbolId>,
}

impl World {
    pub(crate) fn new() -> World {
        let mut store = TermStore::new();
        let literals = ["Red", "Green", "Blue"].map(str::to_owned).to_vec();
        let colour = store.add_enumeration(Enumeration { name: "Colour".to_owned(), literals });
        let mut add = |names: &[&str], sort: Sort| -> Vec<SymbolId> {
            names.iter().map(|name| store.add_symbol(*name, sort.clone())).collect()
        };
        let booleans = add(&["p", "q"], Sort::Boolean);
        let integers = add(&["x", "y"], Sort::Integer);
        let colours = add(&["c", "d"], Sort::Enumeration(colour));
        let arrays = add(&["a", "b"], Sort::array(Sort::Integer, Sort::Integer));
        let words = add(&["v", "w"], Sort::BitVector(4));
        World { store, colour, booleans, integers, colours, arrays, words }
    }

    /// Builds a term of a sort, plain or simplified.
    pub(crate) fn make(&mut self, recipe: &Recipe, sort: &Sort, simplify: bool) -> TermId {
        let (what, parts): (u8, &[Recipe]) = match recipe {
            Recipe::Leaf(what) => return self.leaf(*what, sort),
            Recipe::Node(what, parts) => (*what, parts),
        };
        let part = |position: usize| &parts[position % parts.len()];
        let integer = Sort::Integer;
        let (operator, arguments): (Operator, Vec<(Sort, &Recipe)>) = match sort {
            Sort::Boolean => match what % 12 {
                0 => (Operator::Not, vec![(Sort::Boolean, part(0))]),
                1 => (Operator::And, parts.iter().map(|part| (Sort::Boolean, part)).collect()),
                2 => (Operator::Or, parts.iter().map(|part| (Sort::Boolean, part)).collect()),
                3 => (Operator::Equal, vec![(Sort::Boolean, part(0)), (Sort::Boolean, part(1))]),
                4 => (Operator::Equal, vec![(integer.clone(), part(0)), (integer, part(1))]),
                5 => (Operator::LessEqual, vec![(integer.clone(), part(0)), (integer, part(1))]),
                6 => (Operator::Less, vec![(integer.clone(), part(0)), (integer, part(1))]),
                number @ 8..=11 => {
                    let compared = tempora_smt::BitOperator::NAMED[usize::from(number) + 8];
                    let word = Sort::BitVector(4);
                    (Operator::Bits(compared), vec![(word.clone(), part(0)), (word, part(1))])
                }
                _ => {
                    let colour = Sort::Enumeration(self.colour);
                    (Operator::Equal, vec![(colour.clone(), part(0)), (colour, part(1))])
                }
            },
            Sort::Integer => match what % 9 {
                0 => (Operator::Add, parts.iter().map(|part| (Sort::Integer, part)).collect()),
                1 => (Operator::Multiply, parts.iter().map(|part| (Sort::Integer, part)).collect()),
                2 => (
                    Operator::IfThenElse,
                    vec![(Sort::Boolean, part(0)), (Sort::Integer, part(1)), (Sort::Integer, part(2))],
                ),
                3 => (
                    Operator::Select,
                    vec![(Sort::array(Sort::Integer, Sort::Integer), part(0)), (Sort::Integer, part(1))],
                ),
                number => {
                    let operator = [
                        Operator::DivideEuclidean,
                        Operator::ModuloEuclidean,
                        Operator::DivideTruncated,
                        Operator::RemainderTruncated,
                        Operator::Remainder,
                    ][usize::from(number) - 4]
                        .clone();
                    (operator, vec![(Sort::Integer, part(0)), (Sort::Integer, part(1))])
                }
            },
            Sort::Enumeration(_) => (
                Operator::IfThenElse,
                vec![(Sort::Boolean, part(0)), (sort.clone(), part(1)), (sort.clone(), part(2))],
            ),
            Sort::Array(_) if what.is_multiple_of(2) => (
                Operator::Store,
                vec![(sort.clone(), part(0)), (Sort::Integer, part(1)), (Sort::Integer, part(2))],
            ),
            Sort::Array(_) => (Operator::ConstantArray(Sort::Integer), vec![(Sort::Integer, part(0))]),
            Sort::BitVector(width) => {
                use tempora_smt::BitOperator as Bits;
                let same = sort.clone();
                match what % 20 {
                    0 => (Operator::Bits(Bits::Not), vec![(same, part(0))]),
                    1 => (Operator::Bits(Bits::Negate), vec![(same, part(0))]),
                    2 => {
                        let wide = Sort::BitVector(width + 2);
                        (Operator::Bits(Bits::Extract { high: *width, low: 1 }), vec![(wide, part(0))])
                    }
                    3 if *width > 2 => {
                        let narrow = Sort::BitVector(width - 2);
                        (Operator::Bits(Bits::ExtendSign(2)), vec![(narrow, part(0))])
                    }
                    4 if *width > 2 => {
                        let narrow = Sort::BitVector(width - 2);
                        (Operator::Bits(Bits::ExtendZero(2)), vec![(narrow, part(0))])
                    }
                    5 if *width > 1 => {
                        let parts =
                            vec![(Sort::BitVector(1), part(0)), (Sort::BitVector(width - 1), part(1))];
                        (Operator::Bits(Bits::Concatenate), parts)
                    }
                    number => {
                        let of_words: Vec<Bits> = Bits::NAMED[2..16].to_vec();
                        let operator = of_words[usize::from(number) % of_words.len()];
                        (Operator::Bits(operator), vec![(same.clone(), part(0)), (same, part(1))])
                    }
                }
            }
            Sort::Real | Sort::Float(_) => unreachable!("no reals and floats are made"),
        };
        let arguments: Vec<TermId> =
            arguments.into_iter().map(|(sort, recipe)| self.make(recipe, &sort, simplify)).collect();
        if simplify {
            self.store.simplified(&operator, &arguments)
        } else {
            self.store.apply(operator, &arguments).unwrap()
        }
    }

    fn leaf(&mut self, what: u8, sort: &Sort) -> TermId {
        let symbols = match sort {
            Sort::Boolean => &self.booleans,
            Sort::Integer => &self.integers,
            Sort::Enumeration(_) => &self.colours,
            Sort::BitVector(4) => &self.words,
            // Bit vectors of other widths are constants only.
            Sort::BitVector(width) => {
                let value = Value::bits(*width, i64::from(what));
                return self.store.constant(value);
            }
            _ => &self.arrays,
        };
        if what.is_multiple_of(2) {
            return self.store.symbol(symbols[usize::from(what / 2) % 2]);
        }
        let value = match sort {
            Sort::Boolean => Value::Boolean(what % 4 == 1),
            Sort::Integer => Value::integer(i64::from(what / 2) % 9 - 4),
            Sort::Enumeration(id) => Value::Enumerator(*id, u32::from(what / 2) % 3),
            Sort::BitVector(width) => Value::bits(*width, i64::from(what / 2)),
            _ => Value::default_of(&self.store, sort),
        };
        self.store.constant(value)
    }

    /// Returns a value for every symbol, derived from a few numbers.
    pub(crate) fn assignment(&self, seeds: &[u8]) -> impl Fn(SymbolId) -> Option<Value> + use<> {
        let store = self.store.clone();
        let seeds = seeds.to_vec();
        move |symbol| {
            let seed = i64::from(seeds[symbol.index() % seeds.len()]) + symbol.index() as i64;
            Some(match store.symbol_sort(symbol) {
                Sort::Boolean => Value::Boolean(seed % 2 == 0),
                Sort::Integer => Value::integer(seed % 11 - 5),
                Sort::Enumeration(id) => Value::Enumerator(*id, (seed % 3) as u32),
                Sort::BitVector(width) => Value::bits(*width, seed),
                sort => match Value::default_of(&store, sort) {
                    Value::Array(array) => Value::Array(std::sync::Arc::new(
                        array.store(Value::integer(seed % 3), Value::integer(seed % 7)),
                    )),
                    other => other,
                },
            })
        }
    }
}

/// Returns the solver of these tests, which must be installed.
pub(crate) fn solver() -> ProcessSolver {
    match find_solver(None) {
        Ok(program) => ProcessSolver::new(program, ProcessOptions::default()),
        Err(missing) => panic!("{}: {}", missing.message, missing.hint),
    }
}
