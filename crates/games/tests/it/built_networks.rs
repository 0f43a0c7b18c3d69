//! Networks and syntax trees built from computed components, compared with parsed ones.
//!
//! Invariant: the text is written and parsed by the front end, which shares nothing with the builder of networks.
//! `GAMES_CASES=20000` makes the run long.

use std::sync::Arc;

use tempora_evidence::{Budget, Engine, Progress, Task, Verdict};
use tempora_explore::ZoneEngine;
use tempora_frontends::{language_named, read_model, read_query};
use tempora_model::{
    ChannelPath, ComputedComponent, Network, NetworkBuilder, print_network, validate_network,
};
use tempora_source::{Files, Origins};
use tempora_syntax::parse_network;

use crate::support::{Random, cases, harsh_specification, model, random_specification, relaxed};
use crate::written_components::{component_text, component_with_tree, computed_component};

/// Builds the network of a component and its environment.
fn built(component: &ComputedComponent) -> (Network, Origins) {
    let mut origins = Origins::new();
    let mut builder = NetworkBuilder::new(origins.built_in("test"));
    builder.component("Specification", component);
    builder.environment("Environment", &component.inputs());
    (builder.finish(), origins)
}

/// Renders the same network as text, with numbered channels.
fn text_of(component: &ComputedComponent) -> String {
    let mut channels: Vec<ChannelPath> = Vec::new();
    for channel in component.edges.values().filter_map(|edge| edge.channel.clone()) {
        if !channels.contains(&channel) {
            channels.push(channel);
        }
    }
    let name = |channel: &ChannelPath| {
        let number = channels.iter().position(|known| known == channel).unwrap();
        format!("action{number}")
    };
    let mut renamed = component.clone();
    for edge in renamed.edges.values_mut() {
        if let Some(channel) = &mut edge.channel {
            *channel = ChannelPath { variable: name(channel), steps: Vec::new() };
        }
    }
    let declared: Vec<String> = channels.iter().map(&name).collect();
    let loops = component.inputs();
    let loops = loops.iter().map(|input| format!("    Any -> Any {{ sync {}!; }}\n", name(input)));
    format!(
        "broadcast chan {};\n{}process Environment {{\n    init location Any;\n{}}}\nsystem Specification, Environment;\n",
        declared.join(", "),
        component_text(&renamed, "Specification"),
        loops.collect::<String>(),
    )
}

/// Returns the zone engine's verdicts on each location and on deadlocks, for the built and the parsed network.
fn verdicts(component: &ComputedComponent, network: &Network, text: &str) -> Vec<(Verdict, Verdict)> {
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let file = files.add("model.net", text).unwrap();
    let read = read_model(language_named("net").unwrap(), &mut files, &mut origins, file, None);
    let parsed = read.network.clone().unwrap_or_else(|| panic!("{text}\n{:?}", read.diagnostics));
    let clock = component.clocks.values().next();
    let mut questions = vec!["A[] not deadlock".to_owned()];
    for location in component.locations.values() {
        questions.push(format!("E<> Specification.{}", location.name));
        questions.extend(
            clock.map(|clock| format!("E<> Specification.{} && Specification.{clock} > 1", location.name)),
        );
    }
    let mut queries = Vec::new();
    for question in questions {
        let file = files.add("query", question).unwrap();
        let (query, found) = read_query(&files, &mut origins, read.elaborated().unwrap(), file);
        queries.push(query.unwrap_or_else(|| panic!("{text}\n{found:?}")));
    }
    let answers = |network: Arc<Network>| {
        let task = Task::about_network(network, queries.clone());
        ZoneEngine::default().run(&task, &Budget::unlimited(), &Progress::default())
    };
    let pairs = answers(Arc::new(network.clone())).into_iter().zip(answers(parsed));
    pairs.map(|(one, other)| (one.verdict, other.verdict)).collect()
}

fn compare(component: &ComputedComponent, show: &str) -> usize {
    let (network, origins) = built(component);
    assert!(validate_network(&network, &origins).is_empty(), "{show}");
    let text = text_of(component);
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let file = files.add("model.net", text.as_str()).unwrap();
    let tree = parse_network(&files, file).tree;
    let parsed = tempora_model::elaborate_network(&files, &mut origins, &tree).network.unwrap();
    assert_eq!(print_network(&network), print_network(&parsed), "{show}");
    let verdicts = verdicts(component, &network, &text);
    for (one, other) in &verdicts {
        assert_eq!(one, other, "{show}\n{text}");
    }
    verdicts.iter().filter(|(one, _)| *one == Verdict::Holds).count()
}

/// Returns a random expression over random specifications.
fn random_case(seed: u64) -> (String, &'static str) {
    let random = &mut Random::new(seed);
    let one = random_specification(random, &["a", "b"], &["c", "d"], 2, 3);
    match random.below(4) {
        0 => (model(&[one]), "A"),
        1 => {
            let other = harsh_specification(random, &["a", "b"], &["c", "d"], 2, 3);
            (model(&[one, other]), "(A && B)")
        }
        2 => {
            let other = relaxed(random, &one);
            (model(&[one, other]), "(A && B)")
        }
        _ => {
            let one = random_specification(random, &["a", "d"], &["c"], 2, 3);
            let other = random_specification(random, &["c", "b"], &["d"], 1, 3);
            (model(&[one, other]), "(A || B)")
        }
    }
}

#[test]
fn built_network_equals_parsed_network() {
    let total = cases(150);
    let (mut holding, mut compared) = (0, 0);
    for seed in 0..total {
        let (text, expression) = random_case(seed);
        for form in ["get-component", "bisim-minim"] {
            let Some(component) = computed_component(&text, &format!("{form}: {expression}")) else {
                continue;
            };
            holding += compare(&component, &format!("seed {seed}, {form}: {expression}\n{text}"));
            compared += 1;
        }
    }
    assert!(compared >= total && holding as u64 > compared, "{holding} of {compared}");
}

#[test]
fn made_tree_equals_parsed_tree() {
    for seed in 0..cases(150) {
        let (text, expression) = random_case(seed);
        let component = computed_component(&text, &format!("get-component: {expression}")).unwrap();
        let (files, tree) = component_with_tree(&component, "Made");
        let parsed = parse_network(&files, tree.span.file);
        assert!(parsed.diagnostics.is_empty(), "seed {seed}: {:?}", parsed.diagnostics);
        assert_eq!(parsed.tree.declarations, tree.declarations, "seed {seed}");
    }
}
