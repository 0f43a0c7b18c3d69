//! CPU time of the zone operations, each beside a plain loop over a matrix of 32-bit integers in the same run.
//!
//! Invariant: both sides get the same zones and arguments and compute the same result. The relevant figure is the
//! ratio: machines and loads differ. Each side keeps the fastest of many alternating rounds.
//!
//! `cargo bench -p tempora-zones` prints the table; `-- --check` also fails if a ratio is above the limit.

#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used)]

mod reference;
mod workload;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration;

use cpu_time::ThreadTime;
use tempora_zones::{CompactZone, OpenMatrix, Zone};
use workload::Workload;

const DIMENSIONS: [usize; 6] = [4, 8, 11, 16, 21, 32];
/// In-place operations use few zones, which stay in the nearest cache, so that the operation is measured and not the
/// placement of zones by the allocator.
const IN_PLACE: usize = 8;
const LARGEST_RATIO: f64 = 1.1;
const ROUNDS: usize = 25;
const ROUND: Duration = Duration::from_micros(1500);

fn main() -> ExitCode {
    let check = std::env::args().any(|argument| argument == "--check");
    let mut report = Report { worst: Vec::new() };
    println!("{:<26}{:>5}{:>12}{:>12}{:>8}", "operation", "dim", "ns", "plain ns", "ratio");
    for size in DIMENSIONS {
        let work = Workload::new(size);
        let constrain = bench_constrain(&work, &mut report);
        let close = bench_close(&work, &mut report);
        println!("{:<26}{size:>5}{:>12}{:>12}{:>8.1}", "closure / constrain", "", "", close / constrain);
        bench_inclusion(&work, &mut report);
        bench_covering(&work, &mut report);
        bench_up(&work, &mut report);
        bench_reset(&work, &mut report);
        bench_subtract(&work, &mut report);
    }
    for line in &report.worst {
        println!("above {LARGEST_RATIO}: {line}");
    }
    if check && !report.worst.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

struct Report {
    worst: Vec<String>,
}

impl Report {
    /// Measures both sides alternately; a side is a function of the index of the case.
    fn compare(
        &mut self,
        name: &str,
        size: usize,
        cases: usize,
        ours: &mut dyn FnMut(usize),
        plain: &mut dyn FnMut(usize),
    ) -> f64 {
        let passes = passes_for(ours, cases).min(passes_for(plain, cases));
        let (mut best_ours, mut best_plain) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..ROUNDS {
            best_ours = best_ours.min(time(ours, cases, passes));
            best_plain = best_plain.min(time(plain, cases, passes));
        }
        let ratio = best_ours / best_plain;
        println!("{name:<26}{size:>5}{best_ours:>12.1}{best_plain:>12.1}{ratio:>8.2}");
        if ratio > LARGEST_RATIO {
            self.worst.push(format!("{name} at dimension {size}: {ratio:.2}"));
        }
        best_ours
    }
}

/// Returns the nanoseconds of CPU time for one call.
fn time(side: &mut dyn FnMut(usize), cases: usize, passes: usize) -> f64 {
    let start = ThreadTime::now();
    for _ in 0..passes {
        for case in 0..cases {
            side(case);
        }
    }
    start.elapsed().as_secs_f64() * 1e9 / (passes * cases) as f64
}

fn passes_for(side: &mut dyn FnMut(usize), cases: usize) -> usize {
    let mut passes = 1;
    loop {
        let nanoseconds = time(side, cases, passes) * (passes * cases) as f64;
        if nanoseconds >= ROUND.as_nanos() as f64 {
            return passes;
        }
        passes *= 2;
    }
}

/// Copies the zone and adds one constraint that excludes a part of it.
fn bench_constrain(work: &Workload, report: &mut Report) -> f64 {
    let mut zone = work.zones[0].clone();
    let mut plain = work.plain[0].clone();
    let mut row = vec![0; work.size];
    report.compare(
        "constrain",
        work.size,
        work.zones.len(),
        &mut |case| {
            zone.clone_from(&work.zones[case]);
            black_box(zone.constrain(work.cuts[case])).unwrap();
        },
        &mut |case| {
            let cut = work.cuts[case];
            plain.copy_from_slice(&work.plain[case]);
            let (left, right) = (usize::from(cut.left.0), usize::from(cut.right.0));
            let raw = reference::raw(cut.bound);
            black_box(reference::tighten(&mut plain, work.size, left, right, raw, &mut row));
        },
    )
}

/// Copies an open matrix and closes it.
fn bench_close(work: &Workload, report: &mut Report) -> f64 {
    let open: Vec<OpenMatrix> = work
        .zones
        .iter()
        .zip(&work.cuts)
        .map(|(zone, cut)| {
            let mut matrix = OpenMatrix::from_zone(zone);
            matrix.set(cut.left, cut.right, cut.bound);
            matrix
        })
        .collect();
    let open_plain: Vec<Vec<i32>> = work
        .plain
        .iter()
        .zip(&work.cuts)
        .map(|(plain, cut)| {
            let mut plain = plain.clone();
            plain[usize::from(cut.left.0) * work.size + usize::from(cut.right.0)] = reference::raw(cut.bound);
            plain
        })
        .collect();
    let mut zone = work.zones[0].clone();
    let mut plain = work.plain[0].clone();
    let mut row = vec![0; work.size];
    report.compare(
        "close",
        work.size,
        open.len(),
        &mut |case| {
            black_box(zone.assign_closure(&open[case])).unwrap();
        },
        &mut |case| {
            plain.copy_from_slice(&open_plain[case]);
            black_box(reference::close(&mut plain, work.size, &mut row));
        },
    )
}

fn bench_inclusion(work: &Workload, report: &mut Report) {
    // Each zone is included in its larger variant, and random zones rarely include each other.
    for (name, wanted) in [("inclusion, yes", true), ("inclusion, no", false)] {
        let pairs = work.pairs(|zone, other| zone.is_subset_of(other) == wanted);
        report.compare(
            name,
            work.size,
            pairs.len(),
            &mut |case| {
                let (left, right) = pairs[case];
                assert_eq!(work.any_zone(left).is_subset_of(work.any_zone(right)), wanted);
            },
            &mut |case| {
                let (left, right) = pairs[case];
                assert_eq!(reference::is_subset(work.any_plain(left), work.any_plain(right)), wanted);
            },
        );
    }
}

fn bench_covering(work: &Workload, report: &mut Report) {
    for (name, wanted) in [("a_LU, yes", true), ("a_LU, no", false)] {
        let pairs = work.pairs(|zone, other| {
            // Pairs covered by plain inclusion belong to the other benchmark.
            zone.is_covered_by(other, &work.bounds) == wanted && !zone.is_subset_of(other)
        });
        report.compare(
            name,
            work.size,
            pairs.len(),
            &mut |case| {
                let (left, right) = pairs[case];
                assert_eq!(work.any_zone(left).is_covered_by(work.any_zone(right), &work.bounds), wanted);
            },
            &mut |case| {
                let (left, right) = pairs[case];
                assert_eq!(
                    reference::is_covered(
                        work.any_plain(left),
                        work.any_plain(right),
                        work.size,
                        &work.lower,
                        &work.upper
                    ),
                    wanted
                );
            },
        );
        let compact: Vec<CompactZone> =
            (0..3 * work.zones.len()).map(|at| CompactZone::encode(work.any_zone(at)).unwrap()).collect();
        report.compare(
            &format!("{name}, 16 bits"),
            work.size,
            pairs.len(),
            &mut |case| {
                let (left, right) = pairs[case];
                assert_eq!(compact[left].is_covered_by(&compact[right], &work.bounds), wanted);
            },
            &mut |case| {
                let (left, right) = pairs[case];
                assert_eq!(
                    reference::is_covered(
                        work.any_plain(left),
                        work.any_plain(right),
                        work.size,
                        &work.lower,
                        &work.upper
                    ),
                    wanted
                );
            },
        );
    }
}

fn bench_up(work: &Workload, report: &mut Report) {
    let mut zones = work.zones[..IN_PLACE].to_vec();
    let mut plain = work.plain[..IN_PLACE].to_vec();
    report.compare(
        "up",
        work.size,
        zones.len(),
        &mut |case| {
            zones[case].up();
            black_box(&zones[case]);
        },
        &mut |case| {
            reference::up(&mut plain[case], work.size);
            black_box(&plain[case]);
        },
    );
}

fn bench_reset(work: &Workload, report: &mut Report) {
    let mut zones = work.zones[..IN_PLACE].to_vec();
    let mut plain = work.plain[..IN_PLACE].to_vec();
    report.compare(
        "reset",
        work.size,
        zones.len(),
        &mut |case| {
            zones[case].reset(work.cuts[case].left.max(tempora_zones::Clock(1)), 3).unwrap();
            black_box(&zones[case]);
        },
        &mut |case| {
            reference::reset(&mut plain[case], work.size, usize::from(work.cuts[case].left.0.max(1)), 3);
            black_box(&plain[case]);
        },
    );
}

fn bench_subtract(work: &Workload, report: &mut Report) {
    // The subtracted zones overlap, as they typically do in federations.
    let others: Vec<Zone> = (0..work.zones.len()).map(|case| work.overlapping(case)).collect();
    let others_plain: Vec<Vec<i32>> = others.iter().map(reference::entries).collect();
    let pieces: usize =
        (0..others.len()).map(|case| work.zones[case].minus(&others[case]).unwrap().len()).sum();
    let mut row = vec![0; work.size];
    let plain_pieces: usize = (0..others.len())
        .map(|case| reference::subtract(&work.plain[case], &others_plain[case], work.size, &mut row).len())
        .sum();
    report.compare(
        "subtract",
        work.size,
        others.len(),
        &mut |case| {
            black_box(work.zones[case].minus(&others[case])).unwrap();
        },
        &mut |case| {
            black_box(reference::subtract(&work.plain[case], &others_plain[case], work.size, &mut row));
        },
    );
    println!("{:<26}{:>5}{pieces:>12}{plain_pieces:>12}", "  pieces", work.size);
}
