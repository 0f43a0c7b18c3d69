//! Drawings of small diagrams, as files for inspection; `UPDATE=1` rewrites the files.
//!
//! Invariant: `tests/data/` has exactly the files that these tests write.

use std::fs;
use std::path::PathBuf;

use tempora_draw::{
    Availability, FindingMark, Overlays, SheetOptions, SvgOptions, Theme, TimeScale, arrange_on_sheet,
    draw_diagram, draw_sequence, write_mermaid, write_plantuml, write_svg,
};

use crate::support::{ecdar_machine, lifeline_chart, loops_and_parallels, train, train_without_places};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

fn check(name: &str, actual: &str) {
    let path = folder().join(name);
    if std::env::var_os("UPDATE").is_some() {
        fs::create_dir_all(folder()).unwrap();
        fs::write(&path, actual).unwrap();
        return;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == actual, "{name} differs; UPDATE=1 rewrites it. The new content is:\n{actual}");
}

/// Returns options with only the light theme, because the dark colours would make up most of the file.
fn light() -> SvgOptions {
    SvgOptions { theme: Theme::Light, ..SvgOptions::default() }
}

#[test]
fn positions_in_file() {
    check("positions-in-file.svg", &write_svg(&draw_diagram(&train()), &light()));
}

#[test]
fn automatic_layout() {
    check("automatic-layout.svg", &write_svg(&draw_diagram(&train_without_places()), &light()));
}

#[test]
fn loops_and_parallel_edges() {
    check("loops-and-parallel-edges.svg", &write_svg(&draw_diagram(&loops_and_parallels()), &light()));
}

#[test]
fn ecdar_component() {
    check("ecdar-component.svg", &write_svg(&draw_diagram(&ecdar_machine()), &light()));
}

#[test]
fn marks_in_both_themes() {
    let mut overlays = Overlays::new();
    overlays.of("Train/location/1").token = true;
    overlays.of("Train/location/0").visited = true;
    overlays.of("Train/edge/0").visited = true;
    overlays.of("Train/edge/1").chosen = true;
    overlays.of("Train/edge/2").availability = Some(Availability::Disabled);
    overlays.of("Train/location/2").finding = Some(FindingMark::Every);
    overlays.of("Train/location/2").note = "in no instance reached".to_owned();
    overlays.of("Train/location/3").finding = Some(FindingMark::Some);
    overlays.of("Train/edge/4").finding = Some(FindingMark::Every);
    overlays.of("Train/edge/5").finding = Some(FindingMark::NotSeen);
    overlays.of("Train/location/4").finding = Some(FindingMark::NotSeen);
    let marked = draw_diagram(&train()).with_overlays(&overlays);
    assert!(overlays.missing_from(&marked).is_empty());
    check("marks.svg", &write_svg(&marked, &SvgOptions::default()));
}

#[test]
fn sheet_of_several() {
    let scenes = [train(), loops_and_parallels()].map(|diagram| draw_diagram(&diagram));
    let sheet = arrange_on_sheet("two diagrams", &scenes, &SheetOptions::default());
    check("sheet.svg", &write_svg(&sheet, &light()));
}

#[test]
fn sequence_chart_in_three_languages() {
    let chart = lifeline_chart();
    check("sequence.svg", &write_svg(&draw_sequence(&chart, TimeScale::Proportional(10.0)), &light()));
    check("sequence.mmd", &write_mermaid(&chart));
    check("sequence.puml", &write_plantuml(&chart));
}

#[test]
fn every_snapshot_has_a_test() {
    let mut names: Vec<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let text = include_str!("snapshots.rs");
    for name in names {
        assert!(text.contains(&format!("\"{name}\"")), "no test writes {name}");
    }
}
