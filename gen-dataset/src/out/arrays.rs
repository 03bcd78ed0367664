//! Converts rows of JSON to Arrow arrays, and back.
//!
//! `arrow-json` is not used: it goes through text, has rules of its own for nulls and floats, and depends on
//! `arrow-cast`, one of the largest Arrow crates.

use super::schema::{field, fields};
use crate::model::columns::{Column, Ty};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, ListArray, RecordBatch, StringArray, StructArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{Field, SchemaRef};
use serde_json::{Map, Number, Value};
use std::sync::Arc;

/// The record batch of `rows`.
///
/// # Errors
/// A sentence that names the column that a row does not fit.
pub(crate) fn batch(schema: &SchemaRef, columns: &[Column], rows: &[Value]) -> Result<RecordBatch, String> {
    let rows: Vec<Option<&Value>> = rows.iter().map(Some).collect();
    RecordBatch::try_new(Arc::clone(schema), children(columns, &rows)?).map_err(|error| error.to_string())
}

fn children(columns: &[Column], rows: &[Option<&Value>]) -> Result<Vec<ArrayRef>, String> {
    let child = |column: &Column| {
        let values: Vec<Option<&Value>> = rows.iter().map(|row| row.and_then(|row| row.get(column.name))).collect();
        array(&column.ty, &values).ok_or_else(|| format!("the column `{}` does not fit its type", column.name))
    };
    columns.iter().map(child).collect()
}

/// The values as an Arrow array. `None` if a value has another type.
fn array(ty: &Ty, values: &[Option<&Value>]) -> Option<ArrayRef> {
    let values: Vec<Option<&Value>> = values.iter().map(|value| value.filter(|value| !value.is_null())).collect();
    let some = |value: &Option<&Value>, found: bool| value.is_none() || found;
    Some(match ty {
        Ty::Maybe(inner) => array(inner, &values)?,
        Ty::Text | Ty::Json(_) => {
            let texts: Vec<Option<&str>> = values.iter().map(|value| value.and_then(Value::as_str)).collect();
            values.iter().zip(&texts).all(|(value, text)| some(value, text.is_some())).then_some(())?;
            Arc::new(StringArray::from(texts))
        }
        // These types occur only inside JSON, which is a string column.
        Ty::Numbers | Ty::ByName(_) => return None,
        Ty::Int => {
            let numbers: Vec<Option<i64>> = values.iter().map(|value| value.and_then(Value::as_i64)).collect();
            values.iter().zip(&numbers).all(|(value, number)| some(value, number.is_some())).then_some(())?;
            Arc::new(Int64Array::from(numbers))
        }
        Ty::Float => {
            let numbers: Vec<Option<f64>> = values.iter().map(|value| value.and_then(Value::as_f64)).collect();
            values.iter().zip(&numbers).all(|(value, number)| some(value, number.is_some())).then_some(())?;
            Arc::new(Float64Array::from(numbers))
        }
        Ty::Bool => {
            let found: Vec<Option<bool>> = values.iter().map(|value| value.and_then(Value::as_bool)).collect();
            values.iter().zip(&found).all(|(value, found)| some(value, found.is_some())).then_some(())?;
            Arc::new(BooleanArray::from(found))
        }
        Ty::List(inner) => {
            let lists: Vec<&[Value]> = values
                .iter()
                .map(|value| value.map_or(Some(&[][..]), |value| value.as_array().map(Vec::as_slice)))
                .collect::<Option<_>>()?;
            let items: Vec<Option<&Value>> = lists.iter().flat_map(|list| list.iter().map(Some)).collect();
            let offsets = OffsetBuffer::from_lengths(lists.iter().map(|list| list.len()));
            let item = Arc::new(field(Field::LIST_FIELD_DEFAULT_NAME, inner));
            Arc::new(ListArray::try_new(item, offsets, array(inner, &items)?, nulls(&values)).ok()?)
        }
        Ty::Struct(columns) => {
            values.iter().all(|value| some(value, value.is_some_and(Value::is_object))).then_some(())?;
            let arrays = children(columns, &values).ok()?;
            // Children of a null struct are null too. Arrow allows that, because the struct's validity mask covers
            // them.
            Arc::new(StructArray::try_new(fields(columns), arrays, nulls(&values)).ok()?)
        }
    })
}

fn nulls(values: &[Option<&Value>]) -> Option<NullBuffer> {
    let present: Vec<bool> = values.iter().map(Option::is_some).collect();
    present.contains(&false).then(|| NullBuffer::from(present))
}

/// The row at index `place` of `batch`.
///
/// # Errors
/// A sentence that names the column whose type is not that of the table.
pub(crate) fn row(columns: &[Column], batch: &RecordBatch, place: usize) -> Result<Value, String> {
    let cell = |column: &Column| {
        let array =
            batch.column_by_name(column.name).ok_or_else(|| format!("the column `{}` is missing", column.name))?;
        let value = value(&column.ty, array, place);
        value
            .map(|value| (column.name.to_owned(), value))
            .ok_or_else(|| format!("the column `{}` is damaged", column.name))
    };
    columns.iter().map(cell).collect::<Result<Map<String, Value>, String>>().map(Value::Object)
}

fn value(ty: &Ty, array: &ArrayRef, place: usize) -> Option<Value> {
    if let Ty::Maybe(inner) = ty {
        return if array.is_null(place) { Some(Value::Null) } else { value(inner, array, place) };
    }
    if array.is_null(place) {
        return None;
    }
    let any = array.as_any();
    Some(match ty {
        Ty::Maybe(_) | Ty::Numbers | Ty::ByName(_) => return None,
        Ty::Text | Ty::Json(_) => Value::String(any.downcast_ref::<StringArray>()?.value(place).to_owned()),
        Ty::Int => Value::Number(any.downcast_ref::<Int64Array>()?.value(place).into()),
        Ty::Float => Value::Number(Number::from_f64(any.downcast_ref::<Float64Array>()?.value(place))?),
        Ty::Bool => Value::Bool(any.downcast_ref::<BooleanArray>()?.value(place)),
        Ty::List(inner) => {
            let items = any.downcast_ref::<ListArray>()?.value(place);
            Value::Array((0..items.len()).map(|item| value(inner, &items, item)).collect::<Option<_>>()?)
        }
        Ty::Struct(columns) => {
            let structure = any.downcast_ref::<StructArray>()?;
            let field = |column: &Column| {
                let array = structure.column_by_name(column.name)?;
                Some((column.name.to_owned(), value(&column.ty, array, place)?))
            };
            Value::Object(columns.iter().map(field).collect::<Option<_>>()?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;
    use crate::fixtures::Dataset;
    use crate::model::columns::{self, CHAT};
    use crate::out::schema::arrow;
    use serde_json::json;

    fn through(columns: &[Column], rows: &[Value]) -> Vec<Value> {
        let batch = batch(&Arc::new(arrow(columns)), columns, rows).unwrap();
        (0..rows.len()).map(|place| row(columns, &batch, place).unwrap()).collect()
    }

    #[test]
    fn rows_come_back_as_they_were() {
        let dataset = Dataset::new(&[fixtures::info("math", "wave")]);
        dataset.generate(&["--source", "all", "--count", "20"]).unwrap();
        let rows: Vec<Value> = dataset.records().iter().map(|record| serde_json::to_value(record).unwrap()).collect();
        assert!(rows.iter().any(|row| row["verification"]["interpreter_vs_cpu"].is_null()));
        let mut back = through(columns::record(), &rows);
        for row in &mut back {
            for optional in ["ptx", "cuda_source", "more_examples"] {
                assert_eq!(row.as_object_mut().unwrap().shift_remove(optional), Some(Value::Null));
            }
        }
        assert_eq!(back, rows);
    }

    #[test]
    fn a_value_of_another_type_is_refused_by_name() {
        let row = json!({"messages": [{"role": "user", "content": 1}], "id": "", "task": "", "category": "", "skeleton_id": ""});
        let error = batch(&Arc::new(arrow(CHAT)), CHAT, &[row]).unwrap_err();
        assert_eq!(error, "the column `messages` does not fit its type");
    }
}
