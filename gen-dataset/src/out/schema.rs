//! The table of columns as an Arrow schema, as a JSON Schema, and as `features` of the Hugging Face hub.

use crate::model::columns::{Column, Presence, Ty};
use arrow_schema::{DataType, Field, Fields, Schema};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The Arrow schema of a table.
pub(crate) fn arrow(columns: &[Column]) -> Schema {
    Schema::new(fields(columns))
}

/// The Arrow fields of a table or struct.
pub(crate) fn fields(columns: &[Column]) -> Fields {
    columns.iter().map(|column| field(column.name, &column.ty)).collect()
}

/// The Arrow field `name` of type `ty`.
pub(crate) fn field(name: &str, ty: &Ty) -> Field {
    match ty {
        Ty::Maybe(inner) => field(name, inner).with_nullable(true),
        _ => Field::new(name, data_type(ty), false),
    }
}

fn data_type(ty: &Ty) -> DataType {
    match ty {
        Ty::Text | Ty::Json(_) | Ty::Numbers | Ty::ByName(_) => DataType::Utf8,
        Ty::Int => DataType::Int64,
        Ty::Float => DataType::Float64,
        Ty::Bool => DataType::Boolean,
        Ty::Maybe(inner) => data_type(inner),
        Ty::List(inner) => DataType::List(Arc::new(field(Field::LIST_FIELD_DEFAULT_NAME, inner))),
        Ty::Struct(columns) => DataType::Struct(fields(columns)),
    }
}

/// The JSON Schema of a row, in every format that has rows.
pub(crate) fn json_schema(title: &str, columns: &[Column]) -> Value {
    let mut schema = object(columns);
    if let Value::Object(schema) = &mut schema {
        let head = [("$schema", "https://json-schema.org/draft/2020-12/schema"), ("title", title)];
        let rest = std::mem::take(schema);
        schema.extend(head.map(|(name, value)| (name.to_owned(), json!(value))));
        schema.extend(rest);
    }
    schema
}

fn object(columns: &[Column]) -> Value {
    let properties: Map<String, Value> = columns
        .iter()
        .map(|column| {
            let mut property = json_type(&column.ty);
            if let Value::Object(property) = &mut property {
                property.insert("description".to_owned(), json!(column.doc));
            }
            (column.name.to_owned(), property)
        })
        .collect();
    let required: Vec<&str> =
        columns.iter().filter(|column| column.presence == Presence::Always).map(|column| column.name).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn json_type(ty: &Ty) -> Value {
    match ty {
        Ty::Text => json!({ "type": "string" }),
        Ty::Int => json!({ "type": "integer" }),
        Ty::Float => json!({ "type": "number" }),
        Ty::Bool => json!({ "type": "boolean" }),
        Ty::Maybe(inner) => json!({ "anyOf": [json_type(inner), { "type": "null" }] }),
        Ty::List(inner) => json!({ "type": "array", "items": json_type(inner) }),
        Ty::Struct(columns) => object(columns),
        Ty::Json(inner) => json!({
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": json_type(inner),
        }),
        Ty::Numbers => json!({
            "anyOf": [
                { "type": ["number", "boolean"] },
                { "type": "array", "items": { "type": ["number", "boolean"] } },
            ],
        }),
        Ty::ByName(inner) => json!({ "type": "object", "additionalProperties": json_type(inner) }),
    }
}

/// The `features` of a table in the YAML of a card, each line after `indent`.
pub(crate) fn features(columns: &[Column], indent: &str) -> String {
    columns.iter().map(|column| feature(column.name, &column.ty, indent)).collect()
}

fn feature(name: &str, ty: &Ty, indent: &str) -> String {
    format!("{indent}- name: {name}\n{}", feature_type(ty, &format!("{indent}  ")))
}

fn feature_type(ty: &Ty, indent: &str) -> String {
    match ty {
        Ty::Maybe(inner) => feature_type(inner, indent),
        Ty::Struct(columns) => format!("{indent}struct:\n{}", features(columns, indent)),
        Ty::List(inner) => match inner {
            Ty::Struct(columns) => format!("{indent}list:\n{}", features(columns, indent)),
            Ty::List(_) => format!("{indent}list:\n{}", feature_type(inner, &format!("{indent}  "))),
            _ => format!("{indent}list: {}\n", dtype(inner)),
        },
        _ => format!("{indent}dtype: {}\n", dtype(ty)),
    }
}

/// The hub's name of a primitive type.
fn dtype(ty: &Ty) -> &'static str {
    match ty {
        Ty::Int => "int64",
        Ty::Float => "float64",
        Ty::Bool => "bool",
        _ => "string",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Config;
    use crate::model::columns;
    use expect_test::expect_file;

    #[test]
    fn the_published_schemas_are_those_of_the_table() {
        for config in Config::ALL {
            let schema = json_schema(config.name(), config.columns());
            let text = format!("{}\n", serde_json::to_string_pretty(&schema).unwrap());
            let file = format!("{}/../docs/schema/{}.json", env!("CARGO_MANIFEST_DIR"), config.name());
            expect_file![file].assert_eq(&text);
        }
    }

    #[test]
    fn nested_columns_are_nested_everywhere() {
        let schema = arrow(columns::record());
        let metadata = schema.field_with_name("metadata").unwrap();
        assert!(matches!(metadata.data_type(), DataType::Struct(fields) if fields.len() > 5), "{metadata}");
        assert_eq!(schema.field_with_name("example").unwrap().data_type(), &DataType::Utf8);
        let yaml = features(columns::record(), "  ");
        assert!(
            yaml.contains("  - name: metadata\n    struct:\n    - name: kernel_name\n      dtype: string\n"),
            "{yaml}"
        );
        assert!(yaml.contains("    - name: features\n      list: string\n"), "{yaml}");
        assert!(yaml.contains("    - name: shapes\n      list:\n        list: int64\n"), "{yaml}");
    }
}
