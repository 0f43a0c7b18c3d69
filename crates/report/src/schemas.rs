//! The schemas in `docs/schemas/`, derived from the types that are serialised.
//!
//! Invariant: the files there are those that the types say; `UPDATE=1` rewrites them. A schema allows no member that it does not
//! describe, and an optional member is left out where there is none, never null.

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

/// Every schema: the name of its file, and how it is derived.
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
/// The writer of files writes the parts one by one and never holds a whole file.
#[derive(Serialize, JsonSchema)]
struct CertificatesFile {
    version: DocumentVersion,
    /// The model, as it was named on the command line.
    model: String,
    /// The processes, in the order of the locations of a node.
    processes: Vec<String>,
    /// The variables that may change, in the order of the values of a node.
    variables: Vec<String>,
    /// The clocks; bounds count them from 1.
    clocks: Vec<String>,
    certificates: Vec<CertificateOfFile>,
}

/// A certificate for a query: `A[] p`, a question about specifications, which holds, or `E<> p`, which does not.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is of use")]
enum CertificateOfFile {
    /// A certificate of a query about states.
    States {
        /// The query, as it was asked.
        query: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        part: Option<PartRecord>,
        /// Sets of states. Together they have all initial states, no run leaves them, and none is bad.
        nodes: Vec<NodeRecord>,
    },
    /// A certificate of a question about specifications.
    Specification {
        /// The question, as it was asked.
        query: String,
        /// For each component, and for each conjunction that matters, the states that it can be in, whatever its environment
        /// does, before anything is removed from it.
        parts: Vec<Vec<LeavesRecord>>,
        /// For each of `parts` the states from which the environment can bring about an error, each of which is shown to be such
        /// by those before it. Missing if nothing is removed anywhere.
        #[serde(skip_serializing_if = "Option::is_none")]
        removed: Option<Vec<Vec<LeavesRecord>>>,
        /// States of the left side and the right side together, none for consistency and determinism, which have the start, which
        /// no move leaves, and in which no side refuses a move of the other.
        pairs: Vec<LeavesRecord>,
    },
}

/// Certificates of symbolic systems in a file, written by `tempora check --certificate FILE` and read by
/// `tempora verify-certificate`.
#[derive(Serialize, JsonSchema)]
struct InvariantsFile {
    version: DocumentVersion,
    /// The model, as it was named on the command line.
    model: String,
    invariants: Vec<InvariantOfFile>,
}

/// An inductive invariant for a property.
#[derive(Serialize, JsonSchema)]
struct InvariantOfFile {
    /// The property, as it was asked.
    query: String,
    /// For each control location the formula that holds whenever a run is there.
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

/// Adds what serde's attributes do not say, and removes what is of use to Rust programs only.
#[derive(Clone)]
struct HouseRules;

impl Transform for HouseRules {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        // The names of types and the widths of their numbers are no part of a document.
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
    // The first paragraph about the outermost type is the title.
    if let Some(Value::String(description)) = schema.remove("description") {
        let title = description.split("\n\n").next().unwrap_or_default().trim_end_matches('.');
        schema.insert("title".to_owned(), title.into());
    }
    format!("{:#}\n", schema.to_value())
}

#[test]
fn schemas_are_those_of_the_types() {
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
    assert!(different.is_empty(), "{different:?} are not those of the types; UPDATE=1 rewrites them");
}

#[test]
fn every_schema_file_is_derived_and_listed() {
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

/// An optional member is never null, whatever its type.
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
    // A member that is always there may be null.
    let number = &schema["$defs"]["Inner"]["properties"]["number"]["type"];
    assert_eq!(number, &serde_json::json!(["integer", "null"]));
    assert_eq!(schema["$defs"]["Inner"]["additionalProperties"], false);
}
