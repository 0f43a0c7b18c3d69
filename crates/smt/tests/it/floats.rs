//! Floating point numbers: the evaluator agrees with the solver, and printed numbers are read back.
//!
//! Invariant: formats are small enough to enumerate all numbers, or a sample with every kind of number.

use tempora_smt::{
    CheckResult, EnumeratingSolver, FloatFormat, FloatOperator, Operator, Rounding, Solver, Sort,
    SymbolicNames, TermId, TermStore, Value, print_term, read_expressions, read_term,
};

use crate::support::solver;

fn format() -> FloatFormat {
    FloatFormat::new(3, 3).unwrap()
}

/// Returns the condition that an operator differs from the evaluator for these arguments.
fn refutation(
    store: &mut TermStore,
    operator: FloatOperator,
    symbols: &[TermId],
    values: &[Value],
) -> Option<TermId> {
    let operator = Operator::Floats(operator);
    let value = operator.apply(store, values).ok()?;
    let applied = store.simplified(&operator, symbols);
    let value = store.constant(value);
    let equal = store.equal(applied, value);
    let mut parts = vec![store.not(equal)];
    for (symbol, value) in symbols.iter().zip(values) {
        let value = store.constant(value.clone());
        parts.push(store.equal(*symbol, value));
    }
    Some(store.and(&parts))
}

#[test]
fn solver_agrees_with_evaluator() {
    let mut store = TermStore::new();
    let symbols = ["f", "g"].map(|name| store.add_symbol(name, Sort::Float(format())));
    let [first, second] = symbols.map(|symbol| store.symbol(symbol));
    let word = store.add_symbol("w", Sort::BitVector(5));
    let word = store.symbol(word);
    let floats = Value::all_of(&store, &Sort::Float(format()), 1000).unwrap();
    let wider = FloatFormat::new(4, 2).unwrap();
    let mut claims = Vec::new();
    for (number, left) in floats.iter().enumerate() {
        let one = std::slice::from_ref(left);
        for operator in
            [FloatOperator::Negate, FloatOperator::Absolute, FloatOperator::IsNaN, FloatOperator::IsInfinite]
        {
            claims.extend(refutation(&mut store, operator, &[first], one));
        }
        for rounding in Rounding::ALL {
            for operator in [
                FloatOperator::SquareRoot(rounding),
                FloatOperator::RoundToIntegral(rounding),
                FloatOperator::Convert(wider, rounding),
                FloatOperator::ToSigned(4, rounding),
                FloatOperator::ToUnsigned(4, rounding),
            ] {
                claims.extend(refutation(&mut store, operator, &[first], one));
            }
        }
        // A sample of the pairs, a different one for each first number.
        for right in floats.iter().skip(number % 5).step_by(5) {
            let both = [left.clone(), right.clone()];
            for operator in [
                FloatOperator::Less,
                FloatOperator::LessEqual,
                FloatOperator::Equal,
                FloatOperator::Minimum,
                FloatOperator::Maximum,
                FloatOperator::Remainder,
            ] {
                claims.extend(refutation(&mut store, operator, &[first, second], &both));
            }
            for rounding in Rounding::ALL {
                for operator in [
                    FloatOperator::Add(rounding),
                    FloatOperator::Subtract(rounding),
                    FloatOperator::Multiply(rounding),
                    FloatOperator::Divide(rounding),
                ] {
                    claims.extend(refutation(&mut store, operator, &[first, second], &both));
                }
            }
        }
    }
    for number in 0..32 {
        let value = [Value::bits(5, number)];
        for rounding in Rounding::ALL {
            for operator in [
                FloatOperator::FromSigned(format(), rounding),
                FloatOperator::FromUnsigned(format(), rounding),
            ] {
                claims.extend(refutation(&mut store, operator, &[word], &value));
            }
        }
    }
    assert!(claims.len() > 10_000, "{}", claims.len());
    let mut process = solver();
    assert!(process.capabilities().floating_point);
    for some in claims.chunks(500) {
        let results = process.check_many(&store, some).unwrap();
        for (claim, result) in some.iter().zip(results) {
            assert_eq!(result, CheckResult::Unsatisfiable, "{}", print_term(&store, *claim));
        }
    }
}

#[test]
fn solvers_find_valid_models() {
    let mut store = TermStore::new();
    let symbols = ["f", "g"].map(|name| store.add_symbol(name, Sort::Float(format())));
    let mut names = SymbolicNames::default();
    for symbol in symbols {
        names.terms.insert(store.symbol_name(symbol).to_owned(), store.symbol(symbol));
    }
    for (text, expected) in [
        ("(and (fp.lt f g) (= (fp.add RNE f g) f))", true),
        ("(and (fp.eq f g) (not (= f g)))", true),
        ("(and (= f g) (not (fp.eq f g)))", true),
        ("(and (fp.lt f g) (fp.lt g f))", false),
        ("(fp.lt (fp.add RTP f g) (fp.add RTN f g))", false),
        ("(and (fp.gt (fp.mul RTZ f f) f) (fp.geq (_ +zero 3 3) f) (not (fp.isInfinite f)))", true),
        ("(fp.eq f (_ NaN 3 3))", false),
    ] {
        let formula = read_term(&mut store, &names, &read_expressions(text).unwrap()[0]).unwrap();
        let printed = print_term(&store, formula);
        let again = read_term(&mut store, &names, &read_expressions(&printed).unwrap()[0]).unwrap();
        assert_eq!(again, formula, "{printed}");
        let mut process = solver();
        let solvers: [&mut dyn Solver; 2] = [&mut process, &mut EnumeratingSolver::default()];
        for solver in solvers {
            solver.assert(&store, formula);
            let found = solver.check(&store, &[]).unwrap();
            let is_satisfiable = found == CheckResult::Satisfiable;
            assert_eq!(is_satisfiable, expected, "{}: {text}: {found:?}", solver.name());
            if is_satisfiable {
                let model = solver.model(&mut store, &symbols).unwrap();
                let default = Value::default_of(&store, &Sort::Float(format()));
                let value_of = |symbol| Some(model.get(&symbol).cloned().unwrap_or_else(|| default.clone()));
                let value = store.evaluate(formula, &value_of);
                assert_eq!(value, Ok(Some(Value::Boolean(true))), "{}: {text}: {model:?}", solver.name());
            }
        }
    }
}

#[test]
fn numbers_are_described_readably() {
    let mut store = TermStore::new();
    let mut described = |text: &str| {
        let term =
            read_term(&mut store, &SymbolicNames::default(), &read_expressions(text).unwrap()[0]).unwrap();
        store.as_value(term).unwrap().describe(&store)
    };
    assert_eq!(described("(fp #b0 #b011 #b00)"), "1.0");
    assert_eq!(described("(fp #b1 #b100 #b11)"), "-3.5");
    assert_eq!(described("(fp #b0 #b000 #b01)"), "0.0625");
    assert_eq!(described("(fp #b1 #b000 #b00)"), "-0.0");
    assert_eq!(described("(fp #b0 #b110 #b11)"), "14.0");
    assert_eq!(described("(_ -oo 3 3)"), "-oo");
    assert_eq!(described("(fp #b0 #b111 #b01)"), "NaN");
    assert_eq!(described("(fp #b0 #x01 #b00000000000000000000001)"), "8388609*2^-149");
}
