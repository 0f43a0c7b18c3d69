//! Runs jobs on several threads and hands their results over in the thread of the caller.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Calls `run` for every item, `jobs` at a time, and `receive` with every result; stops at the first error.
pub(super) fn for_each<Item: Sync, Output: Send>(
    items: &[Item],
    jobs: usize,
    run: impl Fn(&Item) -> Result<Output, String> + Sync,
    mut receive: impl FnMut(Output) -> Result<(), String>,
) -> Result<(), String> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::sync_channel(0);
    thread::scope(|scope| {
        for _ in 0..jobs.min(items.len()) {
            let (next, run, sender) = (&next, &run, sender.clone());
            scope.spawn(move || {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // The receiver goes away at the first error.
                    if sender.send(run(item)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for result in receiver {
            receive(result?)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn every_item_is_run_once() {
        let mut outputs = Vec::new();
        let items: Vec<u32> = (0..20).collect();
        for_each(
            &items,
            3,
            |item| Ok(item * 2),
            |output| {
                outputs.push(output);
                Ok(())
            },
        )
        .unwrap();
        outputs.sort_unstable();
        assert_eq!(outputs, (0..20).map(|item| item * 2).collect::<Vec<_>>());
    }

    #[test]
    fn error_stops_the_other_jobs() {
        let started = Mutex::new(0);
        let run = |item: &u32| {
            *started.lock().unwrap() += 1;
            if *item == 1 { Err("one".to_owned()) } else { Ok(()) }
        };
        let items: Vec<u32> = (0..20).collect();
        assert_eq!(for_each(&items, 1, run, Ok), Err("one".to_owned()));
        assert!(*started.lock().unwrap() < 20);
    }
}
