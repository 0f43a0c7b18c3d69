//! Runs of boxes, executed on the tree of boxes.
//!
//! Invariant: the interpreter shares no code with the lowering: its state is the path of active boxes, not a number.

use tempora_frontends::LiftedRun;

use super::language::Boxes;

/// Executes a run. Fails with the reason if it is not a run of the model, or does not end in a box of the query.
pub(super) fn execute(model: &Boxes, question: &str, run: &LiftedRun) -> Result<(), String> {
    let mut active = entered(model, Vec::new(), 0);
    expect(model, &active, run.locations.first().map_or("", String::as_str))?;
    for one in run.steps.iter().flat_map(|step| &step.moves) {
        expect(model, &active, &one.from)?;
        let transition = model.transitions.get(one.transition).ok_or("unknown transition")?;
        if !active.contains(&transition.source) {
            return Err(format!("`{}` is not active", model.boxes[transition.source].name));
        }
        active = entered(model, around(model, transition.target), transition.target);
        expect(model, &active, &one.to)?;
    }
    let asked = question.split_whitespace().skip(1).filter_map(|name| model.named(name));
    if asked.into_iter().any(|number| active.contains(&number)) {
        Ok(())
    } else {
        Err(format!("`{question}` is not decided by a run that ends in {active:?}"))
    }
}

/// Returns the ancestors of a box, from the outermost.
fn around(model: &Boxes, number: usize) -> Vec<usize> {
    let mut path: Vec<usize> =
        std::iter::successors(model.boxes[number].parent, |parent| model.boxes[*parent].parent).collect();
    path.reverse();
    path
}

/// Returns the path of active boxes after entering a box, which activates its first box, and so on.
fn entered(model: &Boxes, mut path: Vec<usize>, number: usize) -> Vec<usize> {
    let mut next = Some(number);
    while let Some(number) = next {
        path.push(number);
        next = (0..model.boxes.len()).find(|inner| model.boxes[*inner].parent == Some(number));
    }
    path
}

fn expect(model: &Boxes, active: &[usize], path: &str) -> Result<(), String> {
    let names: Vec<&str> = active.iter().map(|number| model.boxes[*number].name.as_str()).collect();
    if names.join(".") == path { Ok(()) } else { Err(format!("{names:?} are active, not `{path}`")) }
}
