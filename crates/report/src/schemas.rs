//! Derives the schemas in `docs/schemas/` from the serialised types.
//!
//! Invariant: the files match the types; `UPDATE=1` rewrites them. A schema allows only the members that it describes,
//! and an absent optional member is omitted, never null.

use std::borrow::Cow;
use std::path::PathBuf;

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::Value;

use crate::documents::sarif::SarifLog;
use crate::documents::{
    AbstractGraphDocument, AnswersDocument, CertificateChecksDocument, CodeListDocument, CodePageDocument,
    DocumentVersion, ErrorsDocument, FindingsDocument, InspectionDocument, LeavesRecord,
    LocationInvariantRecord, NodeRecord, PartRecord, RunDocument, SymbolicRunRecord,
};
use crate::exact_time::ExactTime;

/// Derives a schema from a type.
type DeriveSchema = fn(SchemaGenerator) -> Schema;

/// All schemas: the name of the file, and the function that derives it.
const SCHEMAS: &[(&str, DeriveSchema)] = &[
    ("abstract-graph.json", SchemaGenerator::into_root_schema_for::<AbstractGraphDocument>),
    ("certificate.json", SchemaGenerator::into_root_schema_for::<CertificatesFile>),
    ("check.json", SchemaGenerator::into_root_schema_for::<AnswersDocument<'static>>),
    ("errors.json", SchemaGenerator::into_root_schema_for::<ErrorsDocument>),
    ("explain.json", SchemaGenerator::into_root_schema_for::<Explanation>),
    ("inspect.json", SchemaGenerator::into_root_schema_for::<InspectionDocument>),
    ("invariants.json", SchemaGenerator::into_root_schema_for::<InvariantsFile>),
    ("lint.json", SchemaGenerator::into_root_schema_for::<FindingsDocument<'static>>),
    ("sarif.json", SchemaGenerator::into_root_schema_for::<SarifLog>),
    ("symbolic-run.json", SchemaGenerator::into_root_schema_for::<SymbolicRunRecord<'static>>),
    ("trace.json", SchemaGenerator::into_root_schema_for::<RunDocument<'static>>),
    ("verify-certificate.json", SchemaGenerator::into_root_schema_for::<CertificateChecksDocument>),
];

/// Certificates in a file, written by `tempora check --certificate FILE` and read by `tempora verify-certificate`.
///
/// The writer produces a file record by record and never holds the whole file.
#[derive(Serialize, JsonSchema)]
struct CertificatesFile {
    version: DocumentVersion,
    /// The model, as named on the command line.
    model: String,
    /// The processes, in the order of the locations of a node.
    processes: Vec<String>,
    /// The variables that may change, in the order of the values of a node.
    variables: Vec<String>,
    /// The clocks; bounds number them from 1.
    clocks: Vec<String>,
    certificates: Vec<CertificateOfFile>,
}

/// A certificate for a query: `A[] p` or a query about specifications that is satisfied, or `E<> p` that is violated.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is of use")]
enum CertificateOfFile {
    /// A certificate of a query about states.
    States {
        /// The text of the query.
        query: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        part: Option<PartRecord>,
        /// Sets of states that together contain all initial states, are closed under transitions, and have no bad
        /// state.
        nodes: Vec<NodeRecord>,
    },
    /// A certificate of a query about specifications.
    Specification {
        /// The text of the query.
        query: String,
        /// The states that each component, and each relevant conjunction, can reach in some environment, before
        /// pruning.
        parts: Vec<Vec<LeavesRecord>>,
        /// The pruned states of each of `parts`, from which the environment can force an error; each is justified by
        /// the states before it. Absent if no states are pruned.
        #[serde(skip_serializing_if = "Option::is_none")]
        removed: Option<Vec<Vec<LeavesRecord>>>,
        /// Joint states of the left and the right side that contain the initial state, are closed under moves, and in
        /// which no side refuses a move of the other; empty for consistency and determinism.
        pairs: Vec<LeavesRecord>,
    },
}

/// Certificates of symbolic systems in a file, written by `tempora check --certificate FILE` and read by
/// `tempora verify-certificate`.
#[derive(Serialize, JsonSchema)]
struct InvariantsFile {
    version: DocumentVersion,
    /// The model, as named on the command line.
    model: String,
    invariants: Vec<InvariantOfFile>,
}

/// An inductive invariant for a property.
#[derive(Serialize, JsonSchema)]
struct InvariantOfFile {
    /// The text of the property.
    query: String,
    /// The formula of each control location, which holds in all reachable states there.
    locations: Vec<LocationInvariantRecord<'static>>,
}

/// Manual pages of `tempora explain --output json`: one, or the list of all.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is of use")]
enum Explanation {
    Page(CodePageDocument),
    List(CodeListDocument),
}

impl JsonSchema for DocumentVersion {
    fn schema_name() -> Cow<'static, str> {
        "DocumentVersion".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "The version of the document.", "const": DocumentVersion::NUMBER })
    }

    fn inline_schema() -> bool {
        true
    }
}

impl JsonSchema for ExactTime {
    fn schema_name() -> Cow<'static, str> {
        "ExactTime".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "An exact time: an integer, or a fraction such as `7/2`.", "type": "string" })
    }
}

/// Adds constraints that serde's attributes do not express, and removes details of Rust types.
#[derive(Clone)]
struct HouseRules;

impl Transform for HouseRules {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        // The names of types and the widths of their numbers are not part of a document.
        schema.remove("title");
        schema.remove("format");
        if let Some(Value::String(description)) = schema.get_mut("description") {
            *description = description.replace("\n\n", "\0").replace('\n', " ").replace('\0', "\n\n");
        }
        let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            for (name, property) in properties.iter_mut() {
                if !required.contains(&Value::from(name.as_str())) {
                    remove_null(property);
                }
            }
            schema.insert("additionalProperties".to_owned(), false.into());
        }
    }
}

/// Removes null from the values that a schema allows.
fn remove_null(schema: &mut Value) {
    let is_null_type = |schema: &Value| *schema == serde_json::json!({ "type": "null" });
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            schema["type"] = only.clone();
        }
    }
    if let Some(Value::Array(alternatives)) = schema.get_mut("anyOf") {
        alternatives.retain(|alternative| !is_null_type(alternative));
        if let [Value::Object(only)] = alternatives.as_slice() {
            let only = only.clone();
            if let Value::Object(schema) = schema {
                schema.remove("anyOf");
                schema.extend(only);
            }
        }
    }
}

/// Returns a schema as the text of its file.
fn schema_text(derive: DeriveSchema) -> String {
    let settings = SchemaSettings::draft2020_12().for_serialize().with_transform(HouseRules);
    let mut schema = derive(settings.into_generator());
    // The first paragraph of the outermost type is the title.
    if let Some(Value::String(description)) = schema.remove("description") {
        let title = description.split("\n\n").next().unwrap_or_default().trim_end_matches('.');
        schema.insert("title".to_owned(), title.into());
    }
    format!("{:#}\n", schema.to_value())
}

#[test]
fn schema_files_match_types() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas");
    let mut different = Vec::new();
    for (name, derive) in SCHEMAS {
        let (path, expected) = (folder.join(name), schema_text(*derive));
        if std::fs::read_to_string(&path).ok().as_deref() == Some(&expected) {
            continue;
        }
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, expected).unwrap();
        } else {
            different.push(*name);
        }
    }
    assert!(different.is_empty(), "{different:?} do not match the types; UPDATE=1 rewrites them");
}

#[test]
fn schema_files_are_derived_and_listed() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas");
    let list = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".json"))
        .collect();
    names.sort();
    assert_eq!(names, SCHEMAS.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    for name in names {
        assert!(list.contains(&format!("| [{name}]({name}) |")), "{name} is not in the list");
    }
}

/// An optional member is never null.
#[test]
fn optional_members_are_not_null() {
    #[derive(Serialize, JsonSchema)]
    struct Inner {
        number: Option<u32>,
    }
    #[derive(Serialize, JsonSchema)]
    struct Outer {
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        inner: Option<Inner>,
    }
    let text = schema_text(SchemaGenerator::into_root_schema_for::<Outer>);
    let schema: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(schema["properties"]["text"]["type"], "string");
    assert_eq!(schema["properties"]["inner"]["$ref"], "#/$defs/Inner");
    assert!(schema["properties"]["inner"].get("anyOf").is_none());
    // A required member may be null.
    let number = &schema["$defs"]["Inner"]["properties"]["number"]["type"];
    assert_eq!(number, &serde_json::json!(["integer", "null"]));
    assert_eq!(schema["$defs"]["Inner"]["additionalProperties"], false);
}
