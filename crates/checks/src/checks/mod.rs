//! The list of all checks.
//!
//! Invariant: names are unique, and every check has a file of its name.

mod channel_without_receiver;
mod channel_without_sender;
mod clock_never_reset;
mod clock_never_tested;
mod component_deadlock;
mod constant_condition;
mod deadlock;
mod edge_never_taken;
mod guard_always_true;
mod indentation;
mod invariant_never_restricts;
mod invariant_violation;
mod location_never_left;
mod naming;
mod never_changing_variable;
mod nondeterministic_choice;
mod range_too_wide;
mod runtime_error;
mod select_value_never_taken;
mod shadowed_name;
mod timelock;
mod unreachable_code;
mod unreachable_location;
mod unused_function;
mod unused_parameter;
mod unused_select;
mod unused_template;
mod unused_type;
mod unused_variable;
mod variable_keeps_value;
mod wanted_deadlock;
mod write_only_variable;
mod zeno_run;

use tempora_source::Code;

use crate::check::Check;

/// All checks, in the order of listings.
pub static ALL: &[&Check] = &[
    &unreachable_location::CHECK,
    &edge_never_taken::CHECK,
    &location_never_left::CHECK,
    &deadlock::CHECK,
    &wanted_deadlock::CHECK,
    &component_deadlock::CHECK,
    &invariant_violation::CHECK,
    &runtime_error::CHECK,
    &timelock::CHECK,
    &zeno_run::CHECK,
    &guard_always_true::CHECK,
    &invariant_never_restricts::CHECK,
    &select_value_never_taken::CHECK,
    &range_too_wide::CHECK,
    &variable_keeps_value::CHECK,
    &unused_variable::CHECK,
    &write_only_variable::CHECK,
    &never_changing_variable::CHECK,
    &clock_never_tested::CHECK,
    &clock_never_reset::CHECK,
    &channel_without_sender::CHECK,
    &channel_without_receiver::CHECK,
    &unused_function::CHECK,
    &unused_parameter::CHECK,
    &unused_type::CHECK,
    &unused_select::CHECK,
    &unused_template::CHECK,
    &shadowed_name::CHECK,
    &constant_condition::CHECK,
    &unreachable_code::CHECK,
    &nondeterministic_choice::CHECK,
    &naming::CHECK,
    &indentation::CHECK,
];

/// The codes of all checks, in the same order.
pub static CODES: &[&Code] = &[
    &unreachable_location::CODE,
    &edge_never_taken::CODE,
    &location_never_left::CODE,
    &deadlock::CODE,
    &wanted_deadlock::CODE,
    &component_deadlock::CODE,
    &invariant_violation::CODE,
    &runtime_error::CODE,
    &timelock::CODE,
    &zeno_run::CODE,
    &guard_always_true::CODE,
    &invariant_never_restricts::CODE,
    &select_value_never_taken::CODE,
    &range_too_wide::CODE,
    &variable_keeps_value::CODE,
    &unused_variable::CODE,
    &write_only_variable::CODE,
    &never_changing_variable::CODE,
    &clock_never_tested::CODE,
    &clock_never_reset::CODE,
    &channel_without_sender::CODE,
    &channel_without_receiver::CODE,
    &unused_function::CODE,
    &unused_parameter::CODE,
    &unused_type::CODE,
    &unused_select::CODE,
    &unused_template::CODE,
    &shadowed_name::CODE,
    &constant_condition::CODE,
    &unreachable_code::CODE,
    &nondeterministic_choice::CODE,
    &naming::CODE,
    &indentation::CODE,
];

/// Returns the check with this name.
pub fn check_named(name: &str) -> Option<&'static Check> {
    ALL.iter().copied().find(|check| check.name() == name)
}
