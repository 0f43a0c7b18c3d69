//! Tests of each rule on transitions.

use tempora_evidence::{RuntimeErrorKind, TransitionKind};
use tempora_model::{
    BinaryOperator, Id, LocationId, LocationKind, Participant, PriorityItem, ProcessId, SyncVector,
    VariableKind,
};
use tempora_replay::{EdgeStatus, Obstacle, StepOutcome};

use crate::common;
use crate::common::*;

fn obstacle(build: &Build, transition: &tempora_evidence::Transition) -> Obstacle {
    match build.interpreter().attempt(&build.start(), transition) {
        StepOutcome::Impossible(obstacle) => obstacle,
        other => panic!("{other:?}"),
    }
}

#[test]
fn internal_edge_needs_location_and_guard() {
    let mut build = Build::default();
    let v = build.integer("v", 0, 5);
    let p = build.process("P", 2);
    let (first, second) = (equal(v.clone(), number(0)), equal(v.clone(), number(1)));
    let conjunct = second.origin;
    build.edge(p, edge(0, 1));
    build.edge(p, edge(1, 0));
    build.edge(p, edge(0, 1).guard(first).guard(second));
    assert_eq!(build.enabled(&build.start()), ["P0"]);
    let current = LocationId(0);
    let edge = tempora_model::EdgeId(1);
    assert_eq!(obstacle(&build, &internal(p, 1)), Obstacle::LocationDiffers { process: p, edge, current });
    let edge = tempora_model::EdgeId(2);
    assert_eq!(obstacle(&build, &internal(p, 2)), Obstacle::GuardFalse { process: p, edge, conjunct });
}

#[test]
fn binary_synchronisation_needs_two_processes() {
    let mut build = Build::default();
    let (c, d) = (build.channel("c"), build.channel("d"));
    let p = build.process("P", 1);
    let q = build.process("Q", 1);
    let r = build.process("R", 1);
    build.edge(p, edge(0, 0).send(&c));
    build.edge(p, edge(0, 0).receive(&c));
    build.edge(q, edge(0, 0).receive(&c));
    build.edge(r, edge(0, 0).receive(&c));
    build.edge(r, edge(0, 0).receive(&d));
    assert_eq!(build.enabled(&build.start()), ["P0 Q0", "P0 R0"]);
    let other = together(TransitionKind::Binary, &[(p, 0), (r, 1)]);
    assert!(matches!(obstacle(&build, &other), Obstacle::ChannelsDiffer { .. }));
    let status = build.interpreter().edge_status(&build.start(), r, tempora_model::EdgeId(1)).unwrap();
    assert!(matches!(&status, EdgeStatus::Disabled(why) if matches!(why[..], [Obstacle::NoPartner { .. }])));
    let status = build.interpreter().edge_status(&build.start(), q, tempora_model::EdgeId(0)).unwrap();
    assert!(matches!(&status, EdgeStatus::Enabled(ways) if ways.len() == 1));
}

#[test]
fn guards_are_evaluated_before_updates() {
    let mut build = Build::default();
    let c = build.channel("c");
    let v = build.integer("v", 0, 5);
    let p = build.process("P", 1);
    let q = build.process("Q", 1);
    build.edge(p, edge(0, 0).send(&c).update(assign(&v, number(1))));
    build.edge(q, edge(0, 0).receive(&c).guard(equal(v.clone(), number(1))));
    build.edge(q, edge(0, 0).receive(&c).guard(equal(v.clone(), number(0))));
    assert_eq!(build.enabled(&build.start()), ["P0 Q1"]);
}

#[test]
fn sender_updates_before_receiver() {
    // The receiver is first in the system line, which must not matter.
    let mut build = Build::default();
    let c = build.channel("c");
    let v = build.integer("v", 0, 50);
    let q = build.process("Q", 1);
    let p = build.process("P", 1);
    let digit = |digit: i32| {
        let shifted = binary(BinaryOperator::Multiply, v.clone(), number(10));
        assign(&v, binary(BinaryOperator::Add, shifted, number(digit)))
    };
    build.edge(p, edge(0, 0).send(&c).update(digit(1)));
    build.edge(q, edge(0, 0).receive(&c).update(digit(2)));
    let next = build.after(&build.start(), &together(TransitionKind::Binary, &[(p, 0), (q, 0)]));
    assert_eq!(build.value(&next, &v), 12);
}

/// Builds a sender in the middle of the system line, and receivers around it.
fn broadcasters(build: &mut Build) -> (tempora_model::Expression, [ProcessId; 4]) {
    let c = build.broadcast("c");
    let processes = ["R", "S", "P", "Q"].map(|name| build.process(name, 2));
    build.edge(processes[2], edge(0, 1).send(&c));
    (c, processes)
}

#[test]
fn broadcast_takes_every_enabled_receiver() {
    let mut build = Build::default();
    let (c, [r, s, p, q]) = broadcasters(&mut build);
    let v = build.integer("v", 0, 5);
    build.edge(r, edge(0, 1).receive(&c));
    build.edge(s, edge(0, 1).receive(&c).guard(equal(v.clone(), number(1))));
    build.edge(q, edge(0, 1).receive(&c));
    build.edge(q, edge(0, 0).receive(&c));
    assert_eq!(build.enabled(&build.start()), ["P0 R0 Q0", "P0 R0 Q1"]);
    let incomplete = together(TransitionKind::Broadcast, &[(p, 0), (r, 0)]);
    assert!(
        matches!(obstacle(&build, &incomplete), Obstacle::ParticipantMissing { process, .. } if process == q)
    );
    let disordered = together(TransitionKind::Broadcast, &[(p, 0), (q, 0), (r, 0)]);
    assert!(matches!(obstacle(&build, &disordered), Obstacle::NotInNetwork(_)));
}

#[test]
fn broadcast_without_receivers_is_possible() {
    let mut build = Build::default();
    let (c, [r, ..]) = broadcasters(&mut build);
    build.edge(r, edge(1, 1).receive(&c));
    assert_eq!(build.enabled(&build.start()), ["P0"]);
}

#[test]
fn broadcast_guards_are_evaluated_before_updates() {
    let mut build = Build::default();
    let (c, [r, s, p, q]) = broadcasters(&mut build);
    let v = build.integer("v", 0, 5);
    let is = |value| equal(v.clone(), number(value));
    build.network.processes[p].edges[tempora_model::EdgeId(0)].branches[0]
        .updates
        .push(assign(&v, number(1)));
    build.edge(r, edge(0, 1).receive(&c).guard(is(0)).update(assign(&v, number(2))));
    build.edge(s, edge(0, 1).receive(&c).guard(is(1)));
    build.edge(q, edge(0, 1).receive(&c).guard(is(2)));
    assert_eq!(build.enabled(&build.start()), ["P0 R0"]);
}

#[test]
fn broadcast_receivers_update_in_system_order() {
    let mut build = Build::default();
    let (c, [r, s, p, q]) = broadcasters(&mut build);
    let v = build.integer("v", 0, 9999);
    let digit = |digit: i32| {
        let shifted = binary(BinaryOperator::Multiply, v.clone(), number(10));
        assign(&v, binary(BinaryOperator::Add, shifted, number(digit)))
    };
    for (number, process) in [(1, r), (2, s), (4, q)] {
        build.edge(process, edge(0, 1).receive(&c).update(digit(number)));
    }
    build.network.processes[p].edges[tempora_model::EdgeId(0)].branches[0].updates.push(digit(3));
    assert_eq!(build.enabled(&build.start()), ["P0 R0 S0 Q0"]);
    let all = together(TransitionKind::Broadcast, &[(p, 0), (r, 0), (s, 0), (q, 0)]);
    assert_eq!(build.value(&build.after(&build.start(), &all), &v), 3124);
}

#[test]
fn broadcast_cannot_skip_receiver_with_bad_target() {
    let mut build = Build::default();
    let (c, [r, ..]) = broadcasters(&mut build);
    let v = build.integer("v", 0, 5);
    build.edge(r, edge(0, 1).receive(&c));
    build.invariant(r, 1, equal(v.clone(), number(1)));
    assert!(build.enabled(&build.start()).is_empty());
    build.edge(r, edge(0, 0).receive(&c));
    assert_eq!(build.enabled(&build.start()), ["P0 R1"]);
}

#[test]
fn disabled_receivers_cost_nothing() {
    let mut build = Build::default();
    let (c, _) = broadcasters(&mut build);
    let v = build.integer("v", 0, 5);
    for number in 0..3000 {
        let process = build.process(&format!("N{number}"), 1);
        for _ in 0..3 {
            build.edge(process, edge(0, 0).receive(&c).guard(equal(v.clone(), common::number(1))));
        }
        build.edge(process, edge(0, 0).receive(&c));
    }
    let enabled = build.interpreter().enabled_transitions(&build.start()).unwrap();
    assert_eq!(enabled.len(), 1);
    assert_eq!(enabled[0].transition.participants.len(), 3001);
}

#[test]
fn too_many_combinations_are_an_error() {
    let mut build = Build::default();
    let (c, _) = broadcasters(&mut build);
    for number in 0..64 {
        let process = build.process(&format!("N{number}"), 1);
        build.edge(process, edge(0, 0).receive(&c));
        build.edge(process, edge(0, 0).receive(&c));
    }
    let error = build.interpreter().enabled_transitions(&build.start()).unwrap_err();
    assert_eq!(error.kind, RuntimeErrorKind::StepLimit);
    assert!(!build.interpreter().is_deadlocked(&build.start()).unwrap());
}

#[test]
fn committed_location_must_be_left_first() {
    let mut build = Build::default();
    let c = build.channel("c");
    let p = build.process("P", 2);
    let q = build.process("Q", 2);
    build.edge(p, edge(0, 1));
    build.edge(p, edge(0, 1).receive(&c));
    build.edge(q, edge(0, 1));
    build.edge(q, edge(0, 1).send(&c));
    assert_eq!(build.enabled(&build.start()), ["P0", "Q0", "Q1 P1"]);
    build.location(p, 0).kind = LocationKind::Committed;
    assert_eq!(build.enabled(&build.start()), ["P0", "Q1 P1"]);
    let location = LocationId(0);
    assert_eq!(obstacle(&build, &internal(q, 0)), Obstacle::CommittedElsewhere { process: p, location });
    let status = build.interpreter().edge_status(&build.start(), q, tempora_model::EdgeId(0)).unwrap();
    let why = vec![Obstacle::CommittedElsewhere { process: p, location }];
    assert_eq!(status, EdgeStatus::Disabled(why));
    build.location(q, 0).kind = LocationKind::Committed;
    assert_eq!(build.enabled(&build.start()), ["P0", "Q0", "Q1 P1"]);
    assert_eq!(build.delays(&build.start()), "[0, 0]");
}

#[test]
fn urgent_location_does_not_block_others() {
    let mut build = Build::default();
    let p = build.process("P", 2);
    let q = build.process("Q", 2);
    build.edge(p, edge(0, 1));
    build.edge(q, edge(0, 1));
    build.location(p, 0).kind = LocationKind::Urgent;
    assert_eq!(build.enabled(&build.start()), ["P0", "Q0"]);
    assert_eq!(build.delays(&build.start()), "[0, 0]");
    let left = build.after(&build.start(), &internal(p, 0));
    assert_eq!(build.delays(&left), "[0, inf)");
}

#[test]
fn select_enumerates_all_values() {
    let mut build = Build::default();
    let v = build.integer("v", -9, 9);
    let p = build.process("P", 1);
    let differs = compare(local(0), tempora_model::Comparison::NotEqual, local(1));
    let sum = binary(BinaryOperator::Add, local(0), local(1));
    let id = build.edge(p, edge(0, 0).select(-1, 0).select(0, 1).guard(differs).update(assign(&v, sum)));
    assert_eq!(build.enabled(&build.start()), ["P0[-1, 0]", "P0[-1, 1]", "P0[0, 1]"]);
    let mut transition = internal(p, id.0);
    transition.participants[0].select_values = vec![-1, 0];
    assert_eq!(build.value(&build.after(&build.start(), &transition), &v), -1);
    transition.participants[0].select_values = vec![-2, 0];
    assert!(matches!(obstacle(&build, &transition), Obstacle::NotInNetwork(_)));
    transition.participants[0].select_values = vec![0];
    assert!(matches!(obstacle(&build, &transition), Obstacle::NotInNetwork(_)));
}

#[test]
fn select_values_determine_channel_before_updates() {
    let mut build = Build::default();
    let c = build.array("c", tempora_model::Type::Channel(Default::default()), 3);
    let v = build.integer("v", 0, 5);
    let p = build.process("P", 1);
    let q = build.process("Q", 1);
    build.edge(p, edge(0, 0).select(0, 2).send(&element(&c, local(0))).update(assign(&v, number(2))));
    build.edge(q, edge(0, 0).receive(&element(&c, v.clone())));
    assert_eq!(build.enabled(&build.start()), ["P0[0] Q0"]);
}

#[test]
fn each_branch_is_a_transition() {
    let mut build = Build::default();
    let v = build.integer("v", 0, 5);
    let p = build.process("P", 3);
    let mut branching = edge(0, 1);
    branching.branches.push(branch(2));
    branching.branches[1].updates.push(assign(&v, number(4)));
    build.edge(p, branching);
    assert_eq!(build.enabled(&build.start()), ["P0", "P0:1"]);
    let mut second = internal(p, 0);
    second.participants[0].branch = 1;
    let next = build.after(&build.start(), &second);
    assert_eq!((next.locations[p.index()], build.value(&next, &v)), (LocationId(2), 4));
}

#[test]
fn target_invariant_must_hold() {
    let mut build = Build::default();
    let x = build.clock("x");
    let v = build.integer("v", 0, 5);
    let p = build.process("P", 3);
    let clock_part = when(&x, AT_MOST, 3);
    let data_part = equal(v.clone(), number(0));
    let origins = (clock_part.origin, data_part.origin);
    build.invariant(p, 1, clock_part);
    build.invariant(p, 2, data_part);
    build.edge(p, edge(0, 1));
    build.edge(p, edge(0, 1).update(assign(&x, number(0))));
    build.edge(p, edge(0, 2).update(assign(&v, number(1))));
    build.edge(p, edge(0, 2));
    let late = build.later(&build.start(), time(7, 2));
    assert_eq!(build.enabled(&late), ["P1", "P3"]);
    for (edge, location, conjunct) in [(0, 1, origins.0), (2, 2, origins.1)] {
        let location = LocationId(location);
        let expected = Obstacle::InvariantFalse { process: p, location, conjunct };
        assert_eq!(build.interpreter().attempt(&late, &internal(p, edge)), StepOutcome::Impossible(expected));
    }
}

#[test]
fn target_invariants_of_other_processes_count() {
    let mut build = Build::default();
    let v = build.integer("v", 0, 5);
    let p = build.process("P", 1);
    let q = build.process("Q", 1);
    build.edge(p, edge(0, 0).update(assign(&v, number(1))));
    assert_eq!(build.enabled(&build.start()), ["P0"]);
    build.invariant(q, 0, equal(v.clone(), number(0)));
    assert!(build.enabled(&build.start()).is_empty());
}

#[test]
fn higher_channel_priority_goes_first() {
    let mut build = Build::default();
    let (low, high) = (build.channel("low"), build.channel("high"));
    let p = build.process("P", 2);
    let q = build.process("Q", 2);
    for channel in [&low, &high] {
        build.edge(p, edge(0, 1).send(channel));
        build.edge(q, edge(0, 1).receive(channel));
    }
    build.edge(p, edge(0, 0));
    assert_eq!(build.enabled(&build.start()), ["P0 Q0", "P1 Q1", "P2"]);
    let channel = |channel: &tempora_model::Expression| PriorityItem::Channel(channel.clone());
    build.network.channel_priorities =
        Some(vec![vec![channel(&low)], vec![PriorityItem::Default], vec![channel(&high)]]);
    assert_eq!(build.enabled(&build.start()), ["P1 Q1"]);
    let blocked = obstacle(&build, &internal(p, 2));
    let than = Box::new(together(TransitionKind::Binary, &[(p, 1), (q, 1)]));
    assert_eq!(blocked, Obstacle::LowerPriority { than });
    // An impossible one blocks nothing.
    build.network.processes[q].edges[tempora_model::EdgeId(1)].branches[0].target = LocationId(0);
    build.invariant(p, 1, equal(number(0), number(1)));
    assert_eq!(build.enabled(&build.start()), ["P2"]);
    // Without `default`, unlisted channels come last.
    build.location(p, 1).invariant = Default::default();
    build.network.channel_priorities = Some(vec![vec![channel(&low)]]);
    assert_eq!(build.enabled(&build.start()), ["P0 Q0"]);
}

#[test]
fn channel_array_elements_have_own_priorities() {
    let mut build = Build::default();
    let c = build.array("c", tempora_model::Type::Channel(Default::default()), 2);
    let p = build.process("P", 1);
    let q = build.process("Q", 1);
    for index in 0..2 {
        build.edge(p, edge(0, 0).send(&element(&c, number(index))));
        build.edge(q, edge(0, 0).receive(&element(&c, number(index))));
    }
    let (all, one) = (PriorityItem::Channel(c.clone()), PriorityItem::Channel(element(&c, number(1))));
    build.network.channel_priorities = Some(vec![vec![all.clone()], vec![one.clone()]]);
    assert_eq!(build.enabled(&build.start()), ["P1 Q1"]);
    build.network.channel_priorities = Some(vec![vec![one], vec![all]]);
    assert_eq!(build.enabled(&build.start()), ["P0 Q0"]);
}

#[test]
fn greatest_process_priority_counts_after_channel() {
    let mut build = Build::default();
    let c = build.channel("c");
    let p = build.process("P", 1);
    let q = build.process("Q", 1);
    let r = build.process("R", 1);
    build.edge(p, edge(0, 0));
    build.edge(q, edge(0, 0).send(&c));
    build.edge(r, edge(0, 0).receive(&c));
    build.network.processes[p].priority = 1;
    assert_eq!(build.enabled(&build.start()), ["P0"]);
    build.network.processes[r].priority = 2;
    assert_eq!(build.enabled(&build.start()), ["Q0 R0"]);
    build.network.channel_priorities =
        Some(vec![vec![PriorityItem::Channel(c.clone())], vec![PriorityItem::Default]]);
    assert_eq!(build.enabled(&build.start()), ["P0"]);
}

#[test]
fn failing_transition_blocks_lower_priorities() {
    let mut build = Build::default();
    let v = build.integer("v", 0, 5);
    let p = build.process("P", 1);
    let q = build.process("Q", 1);
    build.edge(p, edge(0, 0).update(assign(&v, number(6))));
    build.edge(q, edge(0, 0));
    assert_eq!(build.enabled(&build.start()), ["P0!", "Q0"]);
    build.network.processes[p].priority = 1;
    assert_eq!(build.enabled(&build.start()), ["P0!"]);
    build.network.processes[q].priority = 2;
    assert_eq!(build.enabled(&build.start()), ["Q0"]);
    assert!(matches!(obstacle(&build, &internal(p, 0)), Obstacle::LowerPriority { .. }));
}

#[test]
fn hooks_run_around_updates() {
    let mut build = Build::default();
    let v = build.integer("v", 0, 999);
    let p = build.process("P", 1);
    let digit = |digit: i32| {
        let shifted = binary(BinaryOperator::Multiply, v.clone(), number(10));
        assign(&v, binary(BinaryOperator::Add, shifted, number(digit)))
    };
    build.edge(p, edge(0, 0).update(digit(2)));
    build.network.before_update.push(digit(1));
    build.network.after_update.push(digit(3));
    assert_eq!(build.value(&build.after(&build.start(), &internal(p, 0)), &v), 123);
}

#[test]
fn meta_variables_do_not_distinguish_states() {
    let mut build = Build::default();
    let meta =
        build.variable("m", tempora_model::Type::Integer(tempora_model::Range::DEFAULT), VariableKind::Meta);
    let v = build.integer("v", 0, 9);
    let p = build.process("P", 1);
    build.edge(p, edge(0, 0).update(assign(&meta, number(7))));
    build.edge(p, edge(0, 0).update(assign(&v, number(7))));
    let start = build.start();
    let with_meta = build.after(&start, &internal(p, 0));
    assert_eq!(build.value(&with_meta, &meta), 7);
    assert_eq!(with_meta, start);
    assert_ne!(build.after(&start, &internal(p, 1)), start);
}

#[test]
fn condition_with_side_effect_is_an_error() {
    let mut build = Build::default();
    let v = build.integer("v", 0, 9);
    let p = build.process("P", 1);
    build.edge(p, edge(0, 0).guard(assign(&v, number(1))));
    let error = build.interpreter().enabled_transitions(&build.start()).unwrap_err();
    assert_eq!(error.kind, RuntimeErrorKind::SideEffect);
}

/// Builds three processes with edges on the same event in different locations, and one vector with these participants.
fn vectors(build: &mut Build, participants: &[(usize, bool)]) -> [ProcessId; 3] {
    let event = build.event("a");
    let processes = ["P", "Q", "R"].map(|name| build.process(name, 2));
    build.edge(processes[0], edge(0, 1).on(event));
    build.edge(processes[1], edge(0, 1).on(event));
    build.edge(processes[1], edge(0, 0).on(event));
    build.edge(processes[2], edge(1, 0).on(event));
    let participants = participants
        .iter()
        .map(|&(process, is_weak)| Participant { process: processes[process], event, is_weak })
        .collect();
    build.network.vectors.push(SyncVector { participants, origin: origin() });
    processes
}

#[test]
fn strong_vector_participants_need_an_edge() {
    let mut build = Build::default();
    let [p, _, r] = vectors(&mut build, &[(0, false), (1, false)]);
    // `R` is in no vector, so its edge fires alone; not from here.
    assert_eq!(build.enabled(&build.start()), ["P0 Q0", "P0 Q1"]);
    let mut build_with_missing = Build::default();
    vectors(&mut build_with_missing, &[(0, false), (2, false)]);
    // `Q` is in no vector.
    assert_eq!(build_with_missing.enabled(&build_with_missing.start()), ["Q0", "Q1"]);
    let lonely = internal(p, 0);
    assert!(matches!(obstacle(&build, &lonely), Obstacle::NotInNetwork(_)));
    let incomplete = together(TransitionKind::Vector(0), &[(p, 0)]);
    assert!(matches!(obstacle(&build, &incomplete), Obstacle::ParticipantMissing { .. }));
    let wrong = together(TransitionKind::Vector(0), &[(p, 0), (r, 0)]);
    assert!(matches!(obstacle(&build, &wrong), Obstacle::LocationDiffers { .. }));
}

#[test]
fn weak_vector_participants_join_if_they_can() {
    let mut build = Build::default();
    let [p, q, r] = vectors(&mut build, &[(0, false), (2, true), (1, true)]);
    assert_eq!(build.enabled(&build.start()), ["P0 Q0", "P0 Q1"]);
    let without = together(TransitionKind::Vector(0), &[(p, 0)]);
    assert!(
        matches!(obstacle(&build, &without), Obstacle::ParticipantMissing { process, .. } if process == q)
    );
    build.network.processes[r].initial = vec![LocationId(1)];
    // In the order of the vector.
    assert_eq!(build.enabled(&build.start()), ["P0 R0 Q0", "P0 R0 Q1"]);
    // A guard does not let a weak participant stay out.
    build.network.processes[r].edges[tempora_model::EdgeId(0)].guard.data.push(number(0));
    assert!(build.enabled(&build.start()).is_empty());
}

#[test]
fn vector_updates_follow_its_order() {
    let mut build = Build::default();
    let [p, q, _] = vectors(&mut build, &[(1, false), (0, false)]);
    let v = build.integer("v", 0, 99);
    for (process, digit) in [(p, 1), (q, 2)] {
        let shifted = binary(BinaryOperator::Multiply, v.clone(), number(10));
        let update = assign(&v, binary(BinaryOperator::Add, shifted, number(digit)));
        build.network.processes[process].edges[tempora_model::EdgeId(0)].branches[0].updates.push(update);
    }
    let next = build.after(&build.start(), &together(TransitionKind::Vector(0), &[(q, 0), (p, 0)]));
    assert_eq!(build.value(&next, &v), 21);
    let disordered = together(TransitionKind::Vector(0), &[(p, 0), (q, 0)]);
    assert!(matches!(obstacle(&build, &disordered), Obstacle::ParticipantMissing { .. }));
}

#[test]
fn vectors_with_one_or_no_participant() {
    let mut build = Build::default();
    vectors(&mut build, &[(0, false)]);
    assert_eq!(build.enabled(&build.start()), ["P0", "Q0", "Q1", "P0"]);
    let mut build = Build::default();
    vectors(&mut build, &[(2, true)]);
    assert_eq!(build.enabled(&build.start()), ["P0", "Q0", "Q1", ""]);
}
