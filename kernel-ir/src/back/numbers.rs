//! Formats numbers. Most numbers in kernels are short, and these functions are faster for them than `std::fmt`.

use std::fmt::Write;

/// Appends an unsigned number.
pub(super) fn push_unsigned(out: &mut String, value: u64) {
    if value >= 10 {
        push_unsigned(out, value / 10);
    }
    out.push(char::from(b'0' + (value % 10) as u8));
}

/// Appends an integer.
pub(super) fn push_integer(out: &mut String, value: i64) {
    if value < 0 {
        out.push('-');
    }
    push_unsigned(out, value.unsigned_abs());
}

/// Appends an `f32` in the format of `{:?}`: the shortest decimal that parses to the same number.
pub(super) fn push_f32(out: &mut String, value: f32) {
    let thousandths = (value.abs() * 1000.0).round();
    // Decimals of at most six digits are distinct as `f32`, so no shorter decimal than this one parses to the number.
    if thousandths < 1e6 && thousandths / 1000.0 == value.abs() {
        push_thousandths(out, value.is_sign_negative(), thousandths as u64);
    } else {
        let _ = write!(out, "{value:?}");
    }
}

/// Appends an `f64` in the format of `{:?}`.
pub(super) fn push_f64(out: &mut String, value: f64) {
    let thousandths = (value.abs() * 1000.0).round();
    if thousandths < 1e6 && thousandths / 1000.0 == value.abs() {
        push_thousandths(out, value.is_sign_negative(), thousandths as u64);
    } else {
        let _ = write!(out, "{value:?}");
    }
}

/// Appends `value` thousandths, with at least one digit after the point.
fn push_thousandths(out: &mut String, is_negative: bool, value: u64) {
    if is_negative {
        out.push('-');
    }
    push_unsigned(out, value / 1000);
    out.push('.');
    push_unsigned(out, value / 100 % 10);
    if !value.is_multiple_of(100) {
        push_unsigned(out, value / 10 % 10);
    }
    if !value.is_multiple_of(10) {
        push_unsigned(out, value % 10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_like_those_of_std() {
        let text = |push: &dyn Fn(&mut String)| {
            let mut text = String::new();
            push(&mut text);
            text
        };
        for value in [0, 7, 10, -1, 1234567, i64::MIN, i64::MAX] {
            assert_eq!(text(&|out| push_integer(out, value)), value.to_string());
        }
        let thousandths = (0..2_000_000).step_by(7).map(|value| f64::from(value) / 1000.0);
        let others = [1e-5, 9e-5, 0.0001, 0.3000001, 0.1 + 0.2, 999.9995, 1e15, 1e16, 1e300, f64::NAN, f64::INFINITY];
        for value in thousandths.chain(others).flat_map(|value| [value, -value]) {
            assert_eq!(text(&|out| push_f64(out, value)), format!("{value:?}"));
            assert_eq!(text(&|out| push_f32(out, value as f32)), format!("{:?}", value as f32));
        }
    }
}
