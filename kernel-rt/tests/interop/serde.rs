//! Host arrays as JSON.

use crate::samples::{sample, with_all};
use ::serde::Serialize;
use ::serde::de::DeserializeOwned;
use kernel_rt::prelude::*;

fn goes_in_and_out<T: UniformElement + Serialize + DeserializeOwned>() {
    let a = sample::<T>();
    let text = serde_json::to_string(&a).unwrap();
    assert_eq!(serde_json::from_str::<Array2<T>>(&text).unwrap(), a, "{text}");
}

#[test]
fn every_element_type_goes_in_and_out() {
    with_all!(goes_in_and_out());
}

#[test]
fn the_form_is_shape_and_elements() {
    let a = Array2::from_vec([1, 2], vec![Vec2::X, Vec2::Y]).unwrap();
    let text = serde_json::to_string(&a).unwrap();
    assert_eq!(text, r#"{"shape":[1,2],"elements":[[1.0,0.0],[0.0,1.0]]}"#);
}

#[test]
fn what_does_not_fit_is_an_error() {
    for (text, problem) in [
        (r#"{"shape":[2,2],"elements":[1,2,3]}"#, "an array of shape [2, 2] cannot have 3 elements"),
        (r#"{"shape":[3],"elements":[1,2,3]}"#, "the array has 2 axes, the data have 1"),
        (r#"{"shape":[1152921504606846976,1152921504606846976],"elements":[]}"#, "cannot have 0 elements"),
        (r#"{"shape":[1,1],"elements":[1.5]}"#, "expected i32"),
        (r#"{"shape":[1,1]}"#, "missing field `elements`"),
        (r#"{"shape":[1,1],"elements":[1],"order":"F"}"#, "unknown field `order`"),
        (r#"{"shape":[1,-1],"elements":[1]}"#, "expected usize"),
        ("[]", "invalid length"),
    ] {
        let error = serde_json::from_str::<Array2<i32>>(text).unwrap_err().to_string();
        assert!(error.contains(problem), "{text}: {error}");
    }
}
