//! A field that is stored as JSON in a string: what differs in its parts from row to row has no type of a column.

use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// Writes `value` as JSON in a string.
pub(super) fn serialize<T: Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&serde_json::to_string(value).map_err(S::Error::custom)?)
}

/// Reads JSON in a string, or the value itself, which is how versions of the format before 5 wrote it in JSONL.
pub(super) fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(text) => serde_json::from_str(&text).map_err(D::Error::custom),
        value => serde_json::from_value(value).map_err(D::Error::custom),
    }
}
