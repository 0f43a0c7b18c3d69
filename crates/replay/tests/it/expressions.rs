//! Expressions, statements and functions, and their errors.

use tempora_evidence::RuntimeErrorKind;
use tempora_model::{
    BinaryOperator, Expression, ExpressionKind, Field, IndexType, LocalId, LocalInitial, Quantifier, Range,
    RecordType, ScalarSet, Statement, Type, Value, VariableKind,
};
use tempora_replay::{ConcreteState, StepOutcome};

use crate::common::*;

/// Returns the state after one update.
fn run(build: &Build, update: Expression) -> Result<ConcreteState, RuntimeErrorKind> {
    let mut build = build.clone();
    let p = build.process("Runner", 1);
    build.edge(p, edge(0, 0).update(update));
    match build.interpreter().attempt(&build.start(), &internal(p, 0)) {
        StepOutcome::Possible(state) => Ok(state),
        StepOutcome::Error(error) => Err(error.kind),
        StepOutcome::Impossible(obstacle) => panic!("{obstacle:?}"),
    }
}

/// Evaluates an integer expression.
fn value(build: &Build, expression: Expression) -> Result<i32, RuntimeErrorKind> {
    let mut build = build.clone();
    let result = build.integer("result", i32::MIN, i32::MAX);
    run(&build, assign(&result, expression)).map(|state| build.value(&state, &result))
}

fn integer_type(least: i32, greatest: i32) -> Type {
    Type::Integer(Range { least, greatest })
}

fn returns(value: Expression) -> Statement {
    Statement::Return(Some(value), origin())
}

fn declare(local: u32, value_type: Type, initial: LocalInitial) -> Statement {
    Statement::Declare {
        name: format!("l{local}"),
        local: LocalId(local),
        value_type,
        initial,
        origin: origin(),
    }
}

fn divided_by_zero() -> Expression {
    binary(BinaryOperator::Divide, number(1), number(0))
}

#[test]
fn out_of_range_assignment_is_reported_at_its_origin() {
    let mut build = Build::default();
    let v = build.integer("v", -2, 5);
    assert_eq!(run(&build, assign(&v, number(5))).map(|state| build.value(&state, &v)), Ok(5));
    let too_large =
        RuntimeErrorKind::OutOfRange { value: Value::Integer(6), range: Range { least: -2, greatest: 5 } };
    assert_eq!(run(&build, assign(&v, number(6))), Err(too_large));
    assert!(run(&build, assign(&v, number(-3))).is_err());
    let p = build.process("P", 1);
    let update = assign(&v, number(6));
    let place = update.origin;
    build.edge(p, edge(0, 0).update(update));
    let StepOutcome::Error(error) = build.interpreter().attempt(&build.start(), &internal(p, 0)) else {
        panic!("no error")
    };
    assert_eq!(error.origin, place);
}

#[test]
fn intermediate_values_wrap_around_at_32_bits() {
    let mut build = Build::default();
    let v = build.integer("v", 0, 5);
    let large = binary(BinaryOperator::Multiply, number(1000), number(1000));
    let back = binary(BinaryOperator::Divide, large, number(500_000));
    assert_eq!(run(&build, assign(&v, back)).map(|state| build.value(&state, &v)), Ok(2));
    let too_large = binary(BinaryOperator::Multiply, number(100_000), number(100_000));
    let back = binary(BinaryOperator::Divide, too_large, number(5_000_000));
    // The product is 1,410,065,408 modulo 2^32.
    let range = Range { least: 0, greatest: 5 };
    let expected = RuntimeErrorKind::OutOfRange { value: Value::Integer(282), range };
    assert_eq!(run(&build, assign(&v, back)), Err(expected));
}

#[test]
fn failing_operators_return_errors() {
    let build = Build::default();
    assert_eq!(value(&build, divided_by_zero()), Err(RuntimeErrorKind::DivisionByZero));
    let remainder = binary(BinaryOperator::Remainder, number(1), number(0));
    assert_eq!(value(&build, remainder), Err(RuntimeErrorKind::DivisionByZero));
    let shift = binary(BinaryOperator::ShiftLeft, number(1), number(-1));
    assert_eq!(value(&build, shift), Err(RuntimeErrorKind::NegativeShift));
}

#[test]
fn operators_short_circuit() {
    let build = Build::default();
    let cases = [
        (BinaryOperator::And, 0, Ok(0)),
        (BinaryOperator::And, 1, Err(RuntimeErrorKind::DivisionByZero)),
        (BinaryOperator::Or, 2, Ok(1)),
        (BinaryOperator::Or, 0, Err(RuntimeErrorKind::DivisionByZero)),
        (BinaryOperator::Imply, 0, Ok(1)),
        (BinaryOperator::Imply, 1, Err(RuntimeErrorKind::DivisionByZero)),
        (BinaryOperator::Xor, 0, Err(RuntimeErrorKind::DivisionByZero)),
    ];
    for (operator, left, expected) in cases {
        assert_eq!(
            value(&build, binary(operator, number(left), divided_by_zero())),
            expected,
            "{operator:?}"
        );
    }
    let conditional = |condition: i32| {
        let kind = ExpressionKind::Conditional {
            condition: Box::new(number(condition)),
            then: Box::new(number(7)),
            otherwise: Box::new(divided_by_zero()),
        };
        expression(kind, Type::Integer(Range::WORD))
    };
    assert_eq!(value(&build, conditional(5)), Ok(7));
    assert_eq!(value(&build, conditional(0)), Err(RuntimeErrorKind::DivisionByZero));
}

#[test]
fn index_outside_of_array_is_an_error() {
    let mut build = Build::default();
    let array = build.array("a", integer_type(0, 9), 3);
    for index in [0, 2] {
        let state = run(&build, assign(&element(&array, number(index)), number(4))).unwrap();
        let Value::Parts(parts) = state.variable(id_of(&array)) else { panic!("no array") };
        assert_eq!(parts[index as usize], Value::Integer(4));
    }
    for index in [-1, 3] {
        let error = RuntimeErrorKind::IndexOutOfRange { index, range: Range { least: 0, greatest: 2 } };
        assert_eq!(value(&build, element(&array, number(index))), Err(error.clone()));
        assert_eq!(run(&build, assign(&element(&array, number(index)), number(4))), Err(error));
    }
    let error = run(&build, assign(&element(&array, number(1)), number(10)));
    assert!(matches!(error, Err(RuntimeErrorKind::OutOfRange { .. })));
}

#[test]
fn array_index_may_start_anywhere() {
    let mut build = Build::default();
    let index = IndexType::Range(Range { least: 5, greatest: 6 });
    let array_type = Type::Array(tempora_model::ArrayType { element: integer_type(0, 9), index }.into());
    let array = build.variable("a", array_type, VariableKind::State);
    let state = run(&build, assign(&element(&array, number(6)), number(4))).unwrap();
    let expected = Value::Parts(vec![Value::Integer(0), Value::Integer(4)]);
    assert_eq!(*state.variable(id_of(&array)), expected);
    assert!(value(&build, element(&array, number(0))).is_err());
}

#[test]
fn arrays_and_records_are_assigned_and_compared() {
    let mut build = Build::default();
    let fields =
        ["m", "n"].map(|name| Field { name: name.to_owned(), field_type: integer_type(0, 9) }).to_vec();
    let record_type = Type::Record(RecordType { fields, is_hybrid: false }.into());
    let records = build.array("r", record_type.clone(), 2);
    let one = build.variable("one", record_type, VariableKind::State);
    let field = |record: &Expression, field| {
        let kind = ExpressionKind::Field { record: Box::new(record.clone()), field };
        expression(kind, integer_type(0, 9))
    };
    let second = element(&records, number(1));
    assert_eq!(value(&build, equal(second.clone(), one.clone())), Ok(1));
    let change = assign(&field(&second, 1), number(3));
    assert_eq!(value(&build, equal(one.clone(), second.clone())), Ok(1));
    let p = build.process("P", 1);
    build.edge(p, edge(0, 0).update(change).update(assign(&one, second.clone())));
    let state = build.after(&build.start(), &internal(p, 0));
    assert_eq!(*state.variable(id_of(&one)), Value::Parts(vec![Value::Integer(0), Value::Integer(3)]));
    let interpreter = build.interpreter();
    assert_eq!(interpreter.holds(&state, &equal(one.clone(), second)), Ok(true));
    assert_eq!(interpreter.holds(&state, &equal(one.clone(), element(&records, number(0)))), Ok(false));
    assert_eq!(interpreter.holds(&state, &equal(field(&one, 1), number(3))), Ok(true));
}

#[test]
fn scalars_are_compared_and_index_arrays() {
    let mut build = Build::default();
    let set = build.network.scalar_sets.push(ScalarSet { name: None, size: 3 });
    let index = IndexType::Scalars { set, size: 3 };
    let array_type = Type::Array(tempora_model::ArrayType { element: integer_type(0, 9), index }.into());
    let array = build.variable("a", array_type, VariableKind::State);
    let scalar = build.variable("s", Type::Scalar(set), VariableKind::State);
    let p = build.process("P", 1);
    let mut select = edge(0, 0).select(0, 2);
    select.selects[0].domain = IndexType::Scalars { set, size: 3 };
    let chosen = local_of(0, Type::Scalar(set));
    let update = assign(&element(&array, scalar.clone()), number(8));
    build.edge(p, select.update(assign(&scalar, chosen)).update(update));
    assert_eq!(build.enabled(&build.start()), ["P0[0]", "P0[1]", "P0[2]"]);
    let mut last = internal(p, 0);
    last.participants[0].select_values = vec![2];
    let state = build.after(&build.start(), &last);
    assert_eq!(build.interpreter().holds(&state, &equal(element(&array, scalar), number(8))), Ok(true));
}

#[test]
fn nonzero_values_are_true() {
    let mut build = Build::default();
    let flag = build.variable("b", Type::Boolean, VariableKind::State);
    assert_eq!(run(&build, assign(&flag, number(5))).map(|state| build.value(&state, &flag)), Ok(1));
    assert_eq!(value(&build, equal(number(5), number(1))), Ok(0));
}

#[test]
fn increments_return_value_before_or_after() {
    let mut build = Build::default();
    let v = build.integer("v", 0, 1);
    let step = |amount, is_postfix| {
        let kind = ExpressionKind::Step { target: Box::new(v.clone()), amount, is_postfix };
        expression(kind, integer_type(0, 1))
    };
    assert_eq!(value(&build, step(1, true)), Ok(0));
    assert_eq!(value(&build, step(1, false)), Ok(1));
    assert!(matches!(value(&build, step(-1, true)), Err(RuntimeErrorKind::OutOfRange { .. })));
}

#[test]
fn compound_assignments_use_old_value() {
    let mut build = Build::default();
    let v = build.integer("v", 0, 99);
    let p = build.process("P", 1);
    let update = assign_with(Some(BinaryOperator::Subtract), &v, number(3));
    build.edge(p, edge(0, 0).update(assign(&v, number(10))).update(update));
    assert_eq!(build.value(&build.after(&build.start(), &internal(p, 0)), &v), 7);
}

#[test]
fn quantifiers_and_sums_are_evaluated() {
    let build = Build::default();
    let quantified = |quantifier, body: Expression| {
        let kind = ExpressionKind::Quantified { quantifier, binder: binder(0, -2, 3), body: Box::new(body) };
        expression(kind, Type::Integer(Range::WORD))
    };
    let less = |bound| compare(local(0), LESS, number(bound));
    assert_eq!(value(&build, quantified(Quantifier::ForAll, less(4))), Ok(1));
    assert_eq!(value(&build, quantified(Quantifier::ForAll, less(3))), Ok(0));
    assert_eq!(value(&build, quantified(Quantifier::Exists, less(-1))), Ok(1));
    assert_eq!(value(&build, quantified(Quantifier::Exists, less(-2))), Ok(0));
    assert_eq!(value(&build, quantified(Quantifier::Sum, local(0))), Ok(3));
    assert_eq!(value(&build, quantified(Quantifier::Sum, less(0))), Ok(2));
}

#[test]
fn clocks_cannot_be_negative() {
    let mut build = Build::default();
    let (x, y) = (build.clock("x"), build.clock("y"));
    assert_eq!(
        run(&build, assign(&x, number(4))).map(|state| state.clocks),
        Ok(vec![time(4, 1), time(0, 1)])
    );
    assert_eq!(run(&build, assign(&x, number(-1))), Err(RuntimeErrorKind::NegativeClock));
    // `y = x = 4`
    let both = assign(&y, assign(&x, number(4)));
    assert_eq!(run(&build, both).map(|state| state.clocks), Ok(vec![time(4, 1), time(4, 1)]));
    let v = build.integer("v", 0, 9);
    let as_number = run(&build, assign(&v, x));
    assert!(matches!(as_number, Err(RuntimeErrorKind::Unsupported(_))));
}

#[test]
fn arguments_and_results_are_checked() {
    let mut build = Build::default();
    let identity =
        build.function(vec![(integer_type(0, 5), false)], integer_type(0, 3), vec![returns(local(0))]);
    let apply = |argument| call(identity, vec![number(argument)], integer_type(0, 3));
    assert_eq!(value(&build, apply(3)), Ok(3));
    for (argument, greatest) in [(4, 3), (6, 5)] {
        let range = Range { least: 0, greatest };
        let expected = RuntimeErrorKind::OutOfRange { value: Value::Integer(argument), range };
        assert_eq!(value(&build, apply(argument)), Err(expected));
    }
}

#[test]
fn parameters_are_copied_unless_by_reference() {
    let mut build = Build::default();
    let array = build.array("a", integer_type(0, 9), 2);
    let array_type = array.value_type.clone();
    let first = |local: u32, array_type: &Type| element(&local_of(local, array_type.clone()), number(0));
    let set = |is_reference: bool, build: &mut Build| {
        let body = vec![Statement::Evaluate(assign(&first(0, &array_type), number(7)))];
        build.function(vec![(array_type.clone(), is_reference)], Type::Void, body)
    };
    let (by_value, by_reference) = (set(false, &mut build), set(true, &mut build));
    // Passes its own reference on.
    let passes_on = build.function(
        vec![(array_type.clone(), true)],
        Type::Void,
        vec![Statement::Evaluate(call(by_reference, vec![local_of(0, array_type.clone())], Type::Void))],
    );
    // Passes a local variable by reference, and returns its value afterwards.
    let uses_local = build.function(
        vec![],
        integer_type(0, 9),
        vec![
            declare(0, array_type.clone(), LocalInitial::Constant(Value::default_of(&array_type))),
            Statement::Evaluate(call(by_reference, vec![local_of(0, array_type.clone())], Type::Void)),
            returns(first(0, &array_type)),
        ],
    );
    let after = |function| {
        let state = run(&build, call(function, vec![array.clone()], Type::Void)).unwrap();
        state.variable(id_of(&array)).clone()
    };
    let (zero, seven) = (Value::Integer(0), Value::Integer(7));
    assert_eq!(after(by_value), Value::Parts(vec![zero.clone(), zero.clone()]));
    assert_eq!(after(by_reference), Value::Parts(vec![seven.clone(), zero.clone()]));
    assert_eq!(after(passes_on), Value::Parts(vec![seven, zero]));
    assert_eq!(value(&build, call(uses_local, vec![], integer_type(0, 9))), Ok(7));
}

#[test]
fn reference_to_element_is_evaluated_once() {
    let mut build = Build::default();
    let array = build.array("a", integer_type(0, 9), 2);
    let i = build.integer("i", 0, 1);
    let x = build.clock("x");
    let body = vec![
        Statement::Evaluate(assign(&i, number(1))),
        Statement::Evaluate(assign(&local(0), number(5))),
        Statement::Evaluate(assign(&local_of(1, Type::Clock), number(2))),
    ];
    let parameters = vec![(integer_type(0, 9), true), (Type::Clock, true)];
    let function = build.function(parameters, Type::Void, body);
    let arguments = vec![element(&array, i.clone()), x.clone()];
    let state = run(&build, call(function, arguments, Type::Void)).unwrap();
    let expected = Value::Parts(vec![Value::Integer(5), Value::Integer(0)]);
    assert_eq!(*state.variable(id_of(&array)), expected);
    assert_eq!(state.clocks, [time(2, 1)]);
}

#[test]
fn endless_loops_fail() {
    let mut build = Build::default();
    let word = Type::Integer(Range::WORD);
    let add = |target: &Expression, amount: Expression| {
        Statement::Evaluate(assign_with(Some(BinaryOperator::Add), target, amount))
    };
    let zero = || LocalInitial::Constant(Value::Integer(0));
    let counts = |body: Statement| vec![declare(0, word.clone(), zero()), body, returns(local(0))];
    let below = || compare(local(0), LESS, number(10));
    let while_loop = Statement::While { condition: below(), body: Box::new(add(&local(0), number(3))) };
    let do_loop = Statement::DoWhile { body: Box::new(add(&local(0), number(30))), condition: below() };
    let each = Statement::ForEach { binder: binder(1, 1, 4), body: Box::new(add(&local(0), local(1))) };
    let leaves = Statement::ForEach {
        binder: binder(1, 1, 4),
        body: Box::new(Statement::If {
            condition: equal(local(1), number(3)),
            then: Box::new(Statement::Block(vec![returns(local(1))])),
            otherwise: Some(Box::new(add(&local(0), number(1)))),
        }),
    };
    for (body, expected) in [(while_loop, 12), (do_loop, 30), (each, 10), (leaves, 3)] {
        let function = build.function(vec![], word.clone(), counts(body));
        assert_eq!(value(&build, call(function, vec![], word.clone())), Ok(expected));
    }
    let endless = Statement::While { condition: number(1), body: Box::new(Statement::Block(vec![])) };
    let function = build.function(vec![], word.clone(), vec![endless]);
    assert_eq!(value(&build, call(function, vec![], word.clone())), Err(RuntimeErrorKind::StepLimit));
    let huge = Statement::ForEach {
        binder: binder(0, i32::MIN, i32::MAX),
        body: Box::new(Statement::Block(vec![])),
    };
    let function = build.function(vec![], word.clone(), vec![huge]);
    assert_eq!(value(&build, call(function, vec![], word.clone())), Err(RuntimeErrorKind::StepLimit));
}

#[test]
fn local_variables_are_initialised_each_time() {
    let mut build = Build::default();
    let word = Type::Integer(Range::WORD);
    let body = vec![
        declare(0, word.clone(), LocalInitial::Constant(Value::Integer(0))),
        Statement::ForEach {
            binder: binder(1, 1, 3),
            body: Box::new(Statement::Block(vec![
                declare(2, word.clone(), LocalInitial::Computed(local(1))),
                Statement::Evaluate(assign_with(Some(BinaryOperator::Add), &local(2), local(1))),
                Statement::Evaluate(assign_with(Some(BinaryOperator::Add), &local(0), local(2))),
            ])),
        },
        returns(local(0)),
    ];
    let function = build.function(vec![], word.clone(), body);
    assert_eq!(value(&build, call(function, vec![], word)), Ok(12));
}

#[test]
fn assertions_and_missing_returns_fail() {
    let mut build = Build::default();
    let word = Type::Integer(Range::WORD);
    let holds = build.function(vec![], word.clone(), vec![Statement::Assert(number(1)), returns(number(2))]);
    assert_eq!(value(&build, call(holds, vec![], word.clone())), Ok(2));
    let fails = build.function(vec![], word.clone(), vec![Statement::Assert(number(0)), returns(number(2))]);
    assert_eq!(value(&build, call(fails, vec![], word.clone())), Err(RuntimeErrorKind::AssertionFailed));
    let silent = build.function(vec![], word.clone(), vec![]);
    assert_eq!(value(&build, call(silent, vec![], word)), Err(RuntimeErrorKind::MissingReturn));
}

#[test]
fn deep_recursion_is_an_error() {
    let mut build = Build::default();
    let word = Type::Integer(Range::WORD);
    let mut last = build.function(vec![], word.clone(), vec![returns(number(1))]);
    for _ in 0..10_000 {
        let mut deep = call(last, vec![], word.clone());
        for _ in 0..3 {
            deep = binary(BinaryOperator::Add, number(0), deep);
        }
        last = build.function(vec![], word.clone(), vec![Statement::Block(vec![returns(deep)])]);
    }
    assert_eq!(value(&build, call(last, vec![], word)), Err(RuntimeErrorKind::NestingLimit));
}

#[test]
fn deep_expression_is_evaluated() {
    let build = Build::default();
    let deep = (0..1000).fold(number(0), |inner, _| binary(BinaryOperator::Add, number(1), inner));
    assert_eq!(value(&build, deep), Ok(1000));
}

#[test]
fn random_functions_are_refused() {
    let build = Build::default();
    let double = |value| expression(ExpressionKind::Double(value), Type::Double);
    let builtin = |function, argument| {
        let kind = ExpressionKind::CallBuiltin { function, arguments: vec![double(argument)] };
        expression(kind, Type::Integer(Range::WORD))
    };
    assert_eq!(value(&build, builtin("fint", 3.9)), Ok(3));
    assert!(matches!(value(&build, builtin("random", 3.0)), Err(RuntimeErrorKind::Unsupported(_))));
}

#[test]
fn location_predicates_are_evaluated() {
    let mut build = Build::default();
    let p = build.process("P", 3);
    build.edge(p, edge(0, 2));
    build.location(p, 2).labels.push("done".to_owned());
    let state = build.after(&build.start(), &internal(p, 0));
    let label = expression(ExpressionKind::HasLabel("done".to_owned()), Type::Boolean);
    let number_of = expression(ExpressionKind::LocationOf(p), Type::Integer(Range::WORD));
    let interpreter = build.interpreter();
    for (predicate, before, after) in
        [(is_at(p, 2), false, true), (label, false, true), (equal(number_of, number(2)), false, true)]
    {
        assert_eq!(interpreter.holds(&build.start(), &predicate), Ok(before));
        assert_eq!(interpreter.holds(&state, &predicate), Ok(after));
    }
}
