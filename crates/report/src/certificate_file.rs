//! Writes and reads certificates as JSON.
//!
//! Invariant: reading returns exactly the certificates that were written. The reader checks the format and the names of
//! processes, variables and clocks; whether a certificate is valid is decided by the independent checker. Every fault
//! has a place in the file.

use std::collections::BTreeMap;

use serde::Serialize;
use tempora_evidence::{
    AnyCertificate, Certificate, CertificateRef, CertifiedLeaves, CertifiedPart, CertifiedStates, ClockBound,
    LeafState, NetworkPart, SpecificationCertificate,
};
use tempora_model::{LocationId, Network, ProcessId, Type, Value, Variable, VariableId, VariableKind};
use tempora_replay::ClockLayout;
use tempora_source::{Code, Diagnostic, FileId, Files, JsonKind, JsonValue, Span, parse_json};

use crate::codes::{CERTIFICATE_FORM, CERTIFICATE_OF_ANOTHER_MODEL};
use crate::documents::{
    BoundRecord, DocumentVersion, LeavesRecord, NodeRecord, PartRecord, ValueRecord, record_line,
};
use crate::json_form::JsonForm;
use crate::words::ComparisonWord;

static FORM: JsonForm =
    JsonForm { code: &CERTIFICATE_FORM, hint: "use a file that `tempora check --certificate` has written" };

/// A certificate for a query.
#[derive(Clone, PartialEq, Debug)]
pub struct WrittenCertificate {
    /// The text of the query.
    pub query: String,
    /// The certificate.
    pub certificate: AnyCertificate,
}

/// Writes certificates of a network, one line per node.
pub fn write_certificates(
    model: &str,
    network: &Network,
    certificates: &[(&str, CertificateRef<'_>)],
) -> String {
    let names = Names::of(network);
    let Names { processes, variables, clocks } = &names;
    let mut text = format!(
        "{{\n\"version\": 1,\n\"model\": {},\n\"processes\": {},\n\"variables\": {},\n\"clocks\": {},\n\"certificates\": [",
        record_line(&model),
        record_line(processes),
        record_line(variables),
        record_line(clocks)
    );
    for (position, (query, certificate)) in certificates.iter().enumerate() {
        let separator = if position == 0 { "" } else { "," };
        text += &format!("{separator}\n{{ \"query\": {}, ", record_line(query));
        match certificate {
            CertificateRef::States(certificate) => {
                if let Some(part) = &certificate.part {
                    text += &format!("\"part\": {}, ", record_line(&part_record(network, part)));
                }
                let scope = NodeScope { network, part: certificate.part.as_ref() };
                let nodes = certificate.states.iter().map(|node| scope.node_record(node));
                text += &format!("\"nodes\": [{}\n] }}", lines(nodes));
            }
            CertificateRef::Specification(certificate) => {
                let lists = |of: fn(&CertifiedPart) -> &Vec<CertifiedLeaves>| {
                    let parts = certificate.parts.iter().map(of);
                    let parts: Vec<String> = parts
                        .map(|part| format!("\n[{}\n]", lines(part.iter().map(LeavesRecord::from))))
                        .collect();
                    parts.join(",")
                };
                text += &format!("\"parts\": [{}\n], ", lists(|part| &part.states));
                if certificate.parts.iter().any(|part| !part.removed.is_empty()) {
                    text += &format!("\"removed\": [{}\n], ", lists(|part| &part.removed));
                }
                let pairs = lines(certificate.pairs.iter().map(LeavesRecord::from));
                text += &format!("\"pairs\": [{pairs}\n] }}");
            }
        }
    }
    text + "\n]\n}\n"
}

/// Reads the certificates of a file.
pub fn read_certificates(
    files: &Files,
    file: FileId,
    network: &Network,
) -> Result<Vec<WrittenCertificate>, Diagnostic> {
    let whole = parse_json(files, file)?;
    let names = ["version", "model", "processes", "variables", "clocks", "certificates"];
    let file = FORM.members(&whole, "a file of certificates", &names, &[])?;
    let version: u32 = FORM.integer(file.get("version")?, "`version`")?;
    if version != DocumentVersion::NUMBER {
        return Err(fault(
            &CERTIFICATE_FORM,
            file.get("version")?.span,
            format!("unsupported version {version}"),
        )
        .with_hint("use version 1"));
    }
    FORM.text(file.get("model")?, "`model`")?;
    let names = Names::of(network);
    check_names(file.get("processes")?, "processes", &names.processes)?;
    check_names(file.get("variables")?, "variables", &names.variables)?;
    check_names(file.get("clocks")?, "clocks", &names.clocks)?;
    FORM.list(file.get("certificates")?, "`certificates`")?
        .iter()
        .map(|written| {
            if written.member("pairs").is_some() {
                return read_refinement(written);
            }
            let members = FORM.members(written, "a certificate", &["query", "nodes"], &["part"])?;
            let query = FORM.text(members.get("query")?, "`query`")?.to_owned();
            let part = written.member("part").map(|part| read_part(network, part)).transpose()?;
            let scope = NodeScope { network, part: part.as_ref() };
            let nodes = FORM.list(members.get("nodes")?, "`nodes`")?;
            let states = nodes.iter().map(|node| scope.read_node(node)).collect::<Result<_, _>>()?;
            Ok(WrittenCertificate {
                query,
                certificate: AnyCertificate::States(Certificate { part, states }),
            })
        })
        .collect()
}

/// The names of processes, variables and clocks, in the order of the numbers in a file.
struct Names {
    processes: Vec<String>,
    variables: Vec<String>,
    clocks: Vec<String>,
}

impl Names {
    fn of(network: &Network) -> Names {
        let written = network.variables.iter().filter(|(_, variable)| is_written(variable));
        Names {
            processes: network.processes.values().map(|process| process.name.clone()).collect(),
            variables: written.map(|(id, _)| network.qualified_name(id)).collect(),
            clocks: ClockLayout::new(network).names(network),
        }
    }
}

/// Returns whether the value of a variable is part of a node: it may change, and consists not only of clocks and
/// channels.
fn is_written(variable: &Variable) -> bool {
    let is_data =
        |part: &Type| matches!(part, Type::Integer(_) | Type::Boolean | Type::Scalar(_) | Type::Double);
    variable.kind == VariableKind::State && variable.value_type.any_part(&is_data)
}

/// The processes and variables of nodes: those of the part if there is one, or all.
#[derive(Clone, Copy)]
struct NodeScope<'network> {
    network: &'network Network,
    part: Option<&'network NetworkPart>,
}

impl NodeScope<'_> {
    fn has_process(self, process: ProcessId) -> bool {
        self.part.is_none_or(|part| part.processes.contains(&process))
    }

    fn has_value(self, variable: VariableId) -> bool {
        is_written(&self.network.variables[variable])
            && self.part.is_none_or(|part| part.variables.contains(&variable))
    }

    fn node_record(self, node: &CertifiedStates) -> NodeRecord {
        let places = self.network.processes.ids().zip(&node.locations);
        let locations = places
            .filter(|(process, _)| self.has_process(*process))
            .map(|(_, location)| location.0)
            .collect();
        let values = self.network.variables.ids().zip(&node.values);
        let values = values
            .filter(|(variable, _)| self.has_value(*variable))
            .map(|(_, value)| ValueRecord::from(value))
            .collect();
        NodeRecord { bounds: node.bounds.iter().map(BoundRecord::from).collect(), locations, values }
    }

    fn read_node(self, node: &JsonValue) -> Result<CertifiedStates, Diagnostic> {
        let node = FORM.members(node, "a node", &["locations", "values", "bounds"], &[])?;
        let mut written = Numbered::new(node.get("locations")?, ["locations", "processes"])?;
        let mut locations = Vec::with_capacity(self.network.processes.len());
        for process in self.network.processes.ids() {
            locations.push(match self.has_process(process) {
                true => LocationId(FORM.integer(written.next()?, "a location")?),
                false => LocationId(0),
            });
        }
        written.end()?;
        let mut written = Numbered::new(node.get("values")?, ["values", "variables"])?;
        let mut values = Vec::with_capacity(self.network.variables.len());
        for (id, variable) in self.network.variables.iter() {
            values.push(match self.has_value(id) {
                true => read_value(written.next()?)?,
                false => variable.initial.clone(),
            });
        }
        written.end()?;
        let bounds =
            FORM.list(node.get("bounds")?, "`bounds`")?.iter().map(read_bound).collect::<Result<_, _>>()?;
        Ok(CertifiedStates { locations, values, bounds })
    }
}

/// A list with one item for each process or variable.
struct Numbered<'json> {
    whole: &'json JsonValue,
    items: std::slice::Iter<'json, JsonValue>,
    /// The names of the items and of their owners.
    names: [&'static str; 2],
}

impl<'json> Numbered<'json> {
    fn new(whole: &'json JsonValue, names: [&'static str; 2]) -> Result<Numbered<'json>, Diagnostic> {
        let items = FORM.list(whole, &format!("`{}`", names[0]))?.iter();
        Ok(Numbered { whole, items, names })
    }

    fn next(&mut self) -> Result<&'json JsonValue, Diagnostic> {
        self.items.next().ok_or_else(|| self.fault(self.whole.span, "fewer"))
    }

    fn end(mut self) -> Result<(), Diagnostic> {
        match self.items.next() {
            Some(more) => Err(self.fault(more.span, "more")),
            None => Ok(()),
        }
    }

    fn fault(&self, span: Span, how: &str) -> Diagnostic {
        let [items, owners] = self.names;
        fault(&CERTIFICATE_FORM, span, format!("there are {how} {items} than {owners}"))
            .with_hint(format!("list exactly one item for each of `{owners}`"))
    }
}

fn part_record(network: &Network, part: &NetworkPart) -> PartRecord {
    let processes = part.processes.iter().map(|&process| network.processes[process].name.clone()).collect();
    let has_name = |variable: &VariableId| !network.variables[*variable].value_type.has_channels();
    let variables = part.variables.iter().copied().filter(has_name);
    let variables = variables.map(|variable| network.qualified_name(variable)).collect();
    PartRecord { processes, variables }
}

fn read_part(network: &Network, part: &JsonValue) -> Result<NetworkPart, Diagnostic> {
    let part = FORM.members(part, "a part", &["processes", "variables"], &[])?;
    let missing = |span: Span, what: &str, name: &str| {
        fault(&CERTIFICATE_OF_ANOTHER_MODEL, span, format!("the model has no {what} `{name}`"))
            .with_hint("generate the certificate again with `tempora check --certificate`")
    };
    let mut read = NetworkPart::default();
    for written in FORM.list(part.get("processes")?, "`processes`")? {
        let name = FORM.text(written, "a name")?;
        let process = network.process_named(name);
        read.processes.insert(process.ok_or_else(|| missing(written.span, "process", name))?);
    }
    let variables: BTreeMap<String, VariableId> =
        network.variables.ids().map(|id| (network.qualified_name(id), id)).collect();
    for written in FORM.list(part.get("variables")?, "`variables`")? {
        let name = FORM.text(written, "a name")?;
        let variable = variables.get(name);
        read.variables.insert(*variable.ok_or_else(|| missing(written.span, "variable", name))?);
    }
    Ok(read)
}

/// Returns the nodes, one per line.
fn lines(nodes: impl Iterator<Item = impl Serialize>) -> String {
    let lines: Vec<String> = nodes.map(|node| format!("\n{}", record_line(&node))).collect();
    lines.join(",")
}

fn read_refinement(written: &JsonValue) -> Result<WrittenCertificate, Diagnostic> {
    let removed = written.member("removed");
    let written = FORM.members(written, "a certificate", &["query", "parts", "pairs"], &["removed"])?;
    let query = FORM.text(written.get("query")?, "`query`")?.to_owned();
    let nodes = |list: &JsonValue, what: &str| -> Result<Vec<CertifiedLeaves>, Diagnostic> {
        FORM.list(list, what)?.iter().map(read_leaves).collect()
    };
    let lists = |list: &JsonValue, what: &str| -> Result<Vec<Vec<CertifiedLeaves>>, Diagnostic> {
        FORM.list(list, what)?.iter().map(|part| nodes(part, "a part")).collect()
    };
    let states = lists(written.get("parts")?, "`parts`")?;
    let count = states.len();
    let bad = match removed {
        None => vec![Vec::new(); count],
        Some(list) => {
            let bad = lists(list, "`removed`")?;
            if bad.len() != count {
                let message = format!("there are {count} parts, but {} lists of removed states", bad.len());
                return Err(fault(&CERTIFICATE_FORM, list.span, message)
                    .with_hint("`removed` needs one list for each of `parts`, possibly empty"));
            }
            bad
        }
    };
    let parts = states.into_iter().zip(bad);
    let parts = parts.map(|(states, removed)| CertifiedPart { states, removed }).collect();
    let pairs = nodes(written.get("pairs")?, "`pairs`")?;
    let certificate = AnyCertificate::Specification(SpecificationCertificate { parts, pairs });
    Ok(WrittenCertificate { query, certificate })
}

fn read_leaves(node: &JsonValue) -> Result<CertifiedLeaves, Diagnostic> {
    let node = FORM.members(node, "a node", &["leaves", "bounds"], &[])?;
    let leaf = |leaf: &JsonValue| -> Result<LeafState, Diagnostic> {
        let [location, values] = FORM.list(leaf, "a state of a component")? else {
            return Err(FORM.wrong_kind(leaf, "a state of a component", "a location and a list of values"));
        };
        let values = FORM.list(values, "values")?.iter().map(read_value).collect::<Result<_, _>>()?;
        Ok(LeafState { location: LocationId(FORM.integer(location, "a location")?), values })
    };
    let leaves = FORM.list(node.get("leaves")?, "`leaves`")?.iter().map(leaf).collect::<Result<_, _>>()?;
    let bounds =
        FORM.list(node.get("bounds")?, "`bounds`")?.iter().map(read_bound).collect::<Result<_, _>>()?;
    Ok(CertifiedLeaves { leaves, bounds })
}

fn read_value(value: &JsonValue) -> Result<Value, Diagnostic> {
    match &value.kind {
        JsonKind::Null => Ok(Value::None),
        JsonKind::Array(parts) => parts.iter().map(read_value).collect::<Result<_, _>>().map(Value::Parts),
        _ => FORM.integer(value, "a value").map(Value::Integer),
    }
}

fn read_bound(bound: &JsonValue) -> Result<ClockBound, Diagnostic> {
    let [left, right, comparison, constant] = FORM.list(bound, "a bound")? else {
        return Err(FORM.wrong_kind(bound, "a bound", "a list of two clocks, a comparison and an integer"));
    };
    let clock = |value| FORM.integer::<u32>(value, "a clock").map(|number| number.checked_sub(1));
    let is_strict = match FORM.text(comparison, "a comparison")? {
        word if word == ComparisonWord::Less.word() => true,
        word if word == ComparisonWord::AtMost.word() => false,
        _ => return Err(FORM.wrong_kind(comparison, "a comparison", "`<` or `<=`")),
    };
    let (left, right) = (clock(left)?, clock(right)?);
    Ok(ClockBound { left, right, constant: FORM.integer(constant, "a constant")?, is_strict })
}

fn check_names(written: &JsonValue, what: &str, expected: &[String]) -> Result<(), Diagnostic> {
    let names = FORM.list(written, &format!("`{what}`"))?;
    let differ = |span, message: String| {
        Err(fault(&CERTIFICATE_OF_ANOTHER_MODEL, span, message)
            .with_hint("generate the certificate again with `tempora check --certificate`"))
    };
    for (position, name) in names.iter().enumerate() {
        let written = FORM.text(name, "a name")?;
        match expected.get(position) {
            Some(expected) if expected == written => {}
            Some(expected) => {
                return differ(name.span, format!("the {what} of the model have `{expected}` here"));
            }
            None => return differ(name.span, format!("the model has fewer {what}")),
        }
    }
    if names.len() < expected.len() {
        return differ(written.span, format!("the model has more {what}"));
    }
    Ok(())
}

fn fault(code: &'static Code, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(code, message).with_primary(span, "")
}
