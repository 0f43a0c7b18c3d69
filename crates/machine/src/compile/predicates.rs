//! Compilation of query predicates to trees of code.
//!
//! Invariant: code in a predicate has the values of the enclosing bound variables as parameters, outermost first.

use tempora_model::{
    BinaryOperator, Binder, Expression, ExpressionKind, Network, Quantifier, Type, UnaryOperator,
};

use super::routine::{Builder, Compiled};
use crate::failure::Declined;
use crate::machine::Machine;
use crate::predicate::Predicate;

/// Compiles a predicate over the states of a network, into the code of its machine.
pub fn compile_predicate(
    machine: &mut Machine,
    network: &Network,
    predicate: &Expression,
) -> Result<Predicate, Declined> {
    compile_bound_predicate(machine, network, predicate, &[])
}

/// Compiles a predicate with free bound variables, such as selects; their values are the arguments of its code.
pub fn compile_bound_predicate(
    machine: &mut Machine,
    network: &Network,
    predicate: &Expression,
    binders: &[Binder],
) -> Result<Predicate, Declined> {
    let layout = machine.layout.clone();
    let mut builder = Builder::new(network, &layout);
    builder.instructions = std::mem::take(&mut machine.instructions);
    builder.sites = std::mem::take(&mut machine.sites);
    builder.routines = std::mem::take(&mut machine.routines);
    builder.mathematics = std::mem::take(&mut machine.mathematics);
    let first_label = machine.labels.len();
    // Labels of earlier predicates come first; their names are no longer known, so each predicate has its own.
    builder.labels = vec![String::new(); first_label];
    let compiled = compile(&mut builder, predicate, &mut binders.to_vec());
    for label in &builder.labels[first_label..] {
        let has_label = network
            .processes
            .values()
            .flat_map(|process| process.locations.values())
            .map(|location| location.labels.iter().any(|own| own == label))
            .collect();
        machine.labels.push(has_label);
    }
    machine.instructions = builder.instructions;
    machine.sites = builder.sites;
    machine.routines = builder.routines;
    machine.mathematics = builder.mathematics;
    compiled
}

fn compile(
    builder: &mut Builder<'_>,
    predicate: &Expression,
    binders: &mut Vec<Binder>,
) -> Compiled<Predicate> {
    // `deadlock` is a truth value that code cannot compute.
    let mut mentions_deadlock = false;
    predicate.for_each(&mut |part| mentions_deadlock |= matches!(part.kind, ExpressionKind::Deadlock));
    if !mentions_deadlock && !matches!(predicate.value_type, Type::Condition(_)) {
        let code = builder.routine(binders, true, |compiler| compiler.value_into(predicate, 0))?;
        return Ok(Predicate::Data(code));
    }
    Ok(match &predicate.kind {
        ExpressionKind::Deadlock => Predicate::Deadlock,
        ExpressionKind::CompareClocks { .. } => {
            let code = builder.routine(binders, true, |compiler| compiler.clock_comparison(predicate))?;
            Predicate::Clocks(code)
        }
        ExpressionKind::Unary { operator: UnaryOperator::Not, operand } => {
            Predicate::Not(Box::new(compile(builder, operand, binders)?))
        }
        ExpressionKind::Binary { operator, left, right } => {
            let left = Box::new(compile(builder, left, binders)?);
            let right = Box::new(compile(builder, right, binders)?);
            match operator {
                BinaryOperator::And => Predicate::And(left, right),
                BinaryOperator::Or => Predicate::Or(left, right),
                BinaryOperator::Imply => Predicate::Or(Box::new(Predicate::Not(left)), right),
                _ => return Err(declined(mentions_deadlock, predicate)),
            }
        }
        ExpressionKind::Conditional { condition, then, otherwise } => Predicate::Conditional {
            condition: builder.routine(binders, true, |compiler| compiler.value_into(condition, 0))?,
            then: Box::new(compile(builder, then, binders)?),
            otherwise: Box::new(compile(builder, otherwise, binders)?),
        },
        ExpressionKind::Quantified {
            quantifier: quantifier @ (Quantifier::ForAll | Quantifier::Exists),
            binder,
            body,
        } => {
            binders.push(binder.clone());
            let body = compile(builder, body, binders);
            binders.pop();
            let values = binder.domain.values();
            Predicate::Quantified {
                is_all: *quantifier == Quantifier::ForAll,
                least: *values.start(),
                greatest: *values.end(),
                body: Box::new(body?),
            }
        }
        _ => return Err(declined(mentions_deadlock, predicate)),
    })
}

fn declined(mentions_deadlock: bool, predicate: &Expression) -> Declined {
    let what =
        if mentions_deadlock { "this form of deadlock condition" } else { "this form of clock condition" };
    Declined::new(what, predicate.origin)
}
