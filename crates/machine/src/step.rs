//! The updates of a transition, and the invariants of the state after it.
//!
//! Invariant: the network's common updates run first and last, and between them the updates of each member in the given
//! order. Locations change after all updates, so that code does not see intermediate states.

use tempora_model::Id;

use crate::code::{ClockConstraint, ClockEffect};
use crate::enabled::{Enabled, InstanceId};
use crate::execution::{Execution, check_range};
use crate::failure::Failure;
use crate::machine::{Action, Branch, Machine};

impl Execution {
    /// Executes the updates of one branch for each member and moves the members to their targets. The assignments to
    /// clocks are in [`Execution::effects`].
    #[inline]
    pub fn apply(
        &mut self,
        machine: &Machine,
        enabled: &Enabled,
        members: &[InstanceId],
        branches: &[u32],
    ) -> Result<(), Failure> {
        self.effects.clear();
        self.restore_meta_if_any(machine);
        if machine.has_updates_around {
            self.act(machine, machine.before_update.clone(), &[])?;
        }
        for (&member, &branch) in members.iter().zip(branches) {
            let branch = branch_of(machine, enabled, member, branch);
            self.act(machine, branch.actions.clone(), enabled.select_values(member))?;
        }
        if machine.has_updates_around {
            self.act(machine, machine.after_update.clone(), &[])?;
        }
        for (&member, &branch) in members.iter().zip(branches) {
            let target = branch_of(machine, enabled, member, branch).target;
            self.memory[enabled.instance(member).process.index()] = target as i32;
        }
        Ok(())
    }

    /// Returns whether the invariants of the current locations hold, as far as data decides.
    #[inline]
    pub fn data_invariants_hold(&mut self, machine: &Machine) -> Result<bool, Failure> {
        for process in 0..machine.layout.process_count() {
            let location = machine.location(process, self.memory[process]);
            let condition = &location.invariant_data;
            if (!condition.tests.is_empty() || condition.code.is_some())
                && !self.holds(machine, condition, &[])?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns a process whose data invariant does not hold; `None` if an evaluation fails.
    pub fn broken_data_invariant(&mut self, machine: &Machine) -> Option<usize> {
        (0..machine.layout.process_count()).find(|&process| {
            let location = machine.location(process, self.memory[process]);
            self.holds(machine, &location.invariant_data, &[]) == Ok(false)
        })
    }

    /// Appends the clock constraints of the current invariants that depend on data.
    #[inline]
    pub fn computed_invariants(
        &mut self,
        machine: &Machine,
        constraints: &mut Vec<ClockConstraint>,
    ) -> Result<(), Failure> {
        for process in 0..machine.layout.process_count() {
            let location = machine.location(process, self.memory[process]);
            if location.invariant_clocks.code.is_some() {
                self.computed_constraints(machine, &location.invariant_clocks, &[], constraints)?;
            }
        }
        Ok(())
    }

    /// Appends the clock rates in the current locations that may differ from 1: the clock is on the left, the rate is
    /// the constant.
    pub fn clock_rates(
        &mut self,
        machine: &Machine,
        rates: &mut Vec<ClockConstraint>,
    ) -> Result<(), Failure> {
        for process in 0..machine.layout.process_count() {
            let location = machine.location(process, self.memory[process]);
            self.computed_constraints(machine, &location.rates, &[], rates)?;
        }
        Ok(())
    }

    #[inline]
    fn restore_meta_if_any(&mut self, machine: &Machine) {
        if machine.has_meta {
            self.restore_meta(&machine.layout);
        }
    }

    fn act(
        &mut self,
        machine: &Machine,
        actions: std::ops::Range<u32>,
        selects: &[i32],
    ) -> Result<(), Failure> {
        for action in &machine.actions[actions.start as usize..actions.end as usize] {
            match *action {
                Action::SetCell { cell, value } => self.memory[cell as usize] = value,
                Action::AddToCell { cell, amount, site } => {
                    let value = self.memory[cell as usize].wrapping_add(amount);
                    check_range(machine, value, site)?;
                    self.memory[cell as usize] = value;
                }
                Action::CopyCell { cell, from, site } => {
                    let value = self.memory[from as usize];
                    check_range(machine, value, site)?;
                    self.memory[cell as usize] = value;
                }
                Action::ResetClock { clock, value } => {
                    self.effects.push(ClockEffect::Reset { clock, value });
                }
                Action::CopyClock { clock, from, plus } => {
                    self.effects.push(ClockEffect::Copy { clock, from, plus });
                }
                Action::Run(code) => {
                    self.run(machine, code, selects)?;
                }
            }
        }
        Ok(())
    }
}

#[inline]
fn branch_of<'machine>(
    machine: &'machine Machine,
    enabled: &Enabled,
    member: InstanceId,
    branch: u32,
) -> &'machine Branch {
    let edge = &machine.edges[enabled.instance(member).edge.0 as usize];
    &machine.branches[(edge.branches.start + branch) as usize]
}
