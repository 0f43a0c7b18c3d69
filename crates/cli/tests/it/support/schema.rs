//! A validator for the part of JSON Schema that `docs/schemas/` uses.
//!
//! Invariant: an unsupported keyword is a fault, so that no part of a schema is silently ignored.

use serde_json::Value;

/// Returns the differences between a value and a schema in `docs/schemas/`.
pub(crate) fn faults(schema: &str, value: &Value) -> Vec<String> {
    let path = super::workspace().join("docs/schemas").join(schema);
    let root: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut faults = Vec::new();
    compare(&root, &root, value, "$", &mut faults);
    faults
}

fn compare(root: &Value, schema: &Value, value: &Value, at: &str, faults: &mut Vec<String>) {
    let Some(schema) = schema.as_object() else {
        faults.push(format!("{at}: the schema is no object"));
        return;
    };
    for (keyword, rule) in schema {
        match keyword.as_str() {
            "$ref" => {
                let target = rule.as_str().and_then(|path| root.pointer(path.strip_prefix('#')?));
                match target {
                    Some(target) => compare(root, target, value, at, faults),
                    None => faults.push(format!("{at}: there is nothing at {rule}")),
                }
            }
            "type" => {
                let allowed = rule.as_array().cloned().unwrap_or_else(|| vec![rule.clone()]);
                if !allowed.iter().any(|name| name.as_str().is_some_and(|name| is_of_type(value, name))) {
                    faults.push(format!("{at}: {value} is not of type {rule}"));
                }
            }
            "const" if value != rule => faults.push(format!("{at}: {value} is not {rule}")),
            "enum" if !rule.as_array().unwrap().contains(value) => {
                faults.push(format!("{at}: {value} is none of {rule}"));
            }
            "minimum" if value.as_f64().is_some_and(|value| value < rule.as_f64().unwrap()) => {
                faults.push(format!("{at}: {value} is less than {rule}"));
            }
            "minItems" if length(value) < rule.as_u64() => faults.push(format!("{at}: fewer than {rule}")),
            "maxItems" if length(value) > rule.as_u64() => faults.push(format!("{at}: more than {rule}")),
            // Already checked, or an annotation.
            "const" | "enum" | "minimum" | "minItems" | "maxItems" | "$schema" | "$defs" | "title"
            | "description" => {}
            "prefixItems" => {
                let rules = rule.as_array().unwrap();
                for (index, (rule, item)) in
                    rules.iter().zip(value.as_array().into_iter().flatten()).enumerate()
                {
                    compare(root, rule, item, &format!("{at}[{index}]"), faults);
                }
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    compare(root, rule, item, &format!("{at}[{index}]"), faults);
                }
            }
            "properties" => {
                for (name, rule) in rule.as_object().unwrap() {
                    if let Some(part) = value.get(name) {
                        compare(root, rule, part, &format!("{at}.{name}"), faults);
                    }
                }
            }
            "required" => {
                for name in rule.as_array().unwrap().iter().map(|name| name.as_str().unwrap()) {
                    if value.is_object() && value.get(name).is_none() {
                        faults.push(format!("{at}: `{name}` is missing"));
                    }
                }
            }
            "additionalProperties" if *rule == Value::Bool(false) => {
                let known = schema.get("properties").and_then(Value::as_object);
                for name in value.as_object().into_iter().flat_map(|object| object.keys()) {
                    if !known.is_some_and(|known| known.contains_key(name)) {
                        faults.push(format!("{at}: `{name}` is not described"));
                    }
                }
            }
            "oneOf" | "anyOf" => {
                let matching = rule.as_array().unwrap().iter().filter(|alternative| {
                    let mut faults = Vec::new();
                    compare(root, alternative, value, at, &mut faults);
                    faults.is_empty()
                });
                let count = matching.count();
                if count == 0 || (count > 1 && keyword == "oneOf") {
                    faults.push(format!("{at}: {value} matches {count} of the alternatives of `{keyword}`"));
                }
            }
            _ => faults.push(format!("{at}: unsupported keyword `{keyword}`")),
        }
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    }
}

fn length(value: &Value) -> Option<u64> {
    value.as_array().map(|items| items.len() as u64)
}
