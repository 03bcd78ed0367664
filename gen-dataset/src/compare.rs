//! Two executions of one launch, compared.

use crate::record::Agreement;
use kernel_ir::data::{Arg, Data};

/// How well `a` and `b` agree, `allowed_ulp` being what may separate two floats.
///
/// # Errors
/// A sentence that names the first argument (of `names`) with values that differ by more, or that are not floats and
/// differ at all.
pub(crate) fn agreement<'a>(
    names: impl IntoIterator<Item = &'a str>,
    a: &[Arg],
    b: &[Arg],
    allowed_ulp: u64,
) -> Result<Agreement, String> {
    let mut agreement = Agreement { bit_equal: true, worst_ulp: 0, allowed_ulp };
    for ((name, a), b) in names.into_iter().zip(a).zip(b) {
        let worst = match (&a.data, &b.data) {
            (Data::F32(a), Data::F32(b)) => worst(&keys(a, f32_key), &keys(b, f32_key)),
            (Data::F64(a), Data::F64(b)) => worst(&keys(a, f64_key), &keys(b, f64_key)),
            (a, b) => (a == b).then_some(Worst::default()),
        };
        let Some(worst) = worst else { return Err(format!("`{name}` differs")) };
        // Without inexact operations, equal means the same bits: the sign of zero counts.
        if worst.ulp > allowed_ulp || (allowed_ulp == 0 && !worst.bit_equal) {
            return Err(format!(
                "`{name}` differs by {} ulp at position {}; {allowed_ulp} are allowed",
                worst.ulp, worst.position
            ));
        }
        agreement.bit_equal &= worst.bit_equal;
        agreement.worst_ulp = agreement.worst_ulp.max(worst.ulp);
    }
    Ok(agreement)
}

/// Whether the floats of `a` and `b` differ by at most `most` of the units in the last place of `f32`, and all else is
/// equal.
pub(crate) fn nearly_equal(a: &[Arg], b: &[Arg], most: u64) -> bool {
    let near = |a: f32, b: f32| f32_key(a).place.abs_diff(f32_key(b).place) <= most;
    a.iter().zip(b).all(|(a, b)| match (&a.data, &b.data) {
        (Data::F32(a), Data::F32(b)) => a.iter().zip(b).all(|(a, b)| near(*a, *b)),
        (Data::F64(a), Data::F64(b)) => a.iter().zip(b).all(|(a, b)| near(*a as f32, *b as f32)),
        (a, b) => a == b,
    })
}

/// Whether every float of `args` is finite.
pub(crate) fn all_finite(args: &[Arg]) -> bool {
    args.iter().all(|arg| match &arg.data {
        Data::F32(data) => data.iter().all(|value| value.is_finite()),
        Data::F64(data) => data.iter().all(|value| value.is_finite()),
        _ => true,
    })
}

/// The largest difference of two lists of floats.
struct Worst {
    bit_equal: bool,
    ulp: u64,
    position: usize,
}

impl Default for Worst {
    fn default() -> Worst {
        Worst { bit_equal: true, ulp: 0, position: 0 }
    }
}

/// A float: its place among all floats of its type, the two zeros being one, and its bits.
struct Key {
    place: i64,
    bits: u64,
}

fn worst(a: &[Key], b: &[Key]) -> Option<Worst> {
    if a.len() != b.len() {
        return None;
    }
    let mut worst = Worst::default();
    for (position, (a, b)) in a.iter().zip(b).enumerate() {
        let ulp = a.place.abs_diff(b.place);
        if ulp > worst.ulp || (worst.bit_equal && a.bits != b.bits) {
            worst = Worst { bit_equal: false, ulp, position };
        }
    }
    Some(worst)
}

fn keys<T: Copy>(values: &[T], key: fn(T) -> Key) -> Vec<Key> {
    values.iter().map(|&value| key(value)).collect()
}

fn f32_key(value: f32) -> Key {
    let size = i64::from(value.abs().to_bits());
    Key { place: if value.is_sign_negative() { -size } else { size }, bits: u64::from(value.to_bits()) }
}

fn f64_key(value: f64) -> Key {
    let size = value.abs().to_bits().cast_signed();
    Key { place: if value.is_sign_negative() { -size } else { size }, bits: value.to_bits() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel_ir::ir::Type;

    fn compare(a: f32, b: f32, allowed: u64) -> Result<Agreement, String> {
        let arg = |value| Arg { ty: Type::F32, shape: vec![1], data: Data::F32(vec![value]) };
        agreement(["y"], &[arg(a)], &[arg(b)], allowed)
    }

    #[test]
    fn distances_are_counted_in_floats() {
        let next = f32::from_bits(1.0_f32.to_bits() + 3);
        assert_eq!(compare(1.0, next, 4), Ok(Agreement { bit_equal: false, worst_ulp: 3, allowed_ulp: 4 }));
        assert_eq!(compare(1.0, next, 2), Err("`y` differs by 3 ulp at position 0; 2 are allowed".to_owned()));
        let tiny = f32::from_bits(1);
        assert_eq!(compare(tiny, -tiny, 2).map(|a| a.worst_ulp), Ok(2));
        assert!(compare(f32::MAX, -f32::MAX, 1000).is_err());
    }

    #[test]
    fn an_exact_kernel_must_give_the_same_bits() {
        assert!(compare(0.0, -0.0, 0).is_err());
        assert_eq!(compare(0.0, -0.0, 1).map(|a| (a.bit_equal, a.worst_ulp)), Ok((false, 0)));
        assert_eq!(compare(2.5, 2.5, 0).map(|a| a.bit_equal), Ok(true));
    }

    #[test]
    fn integers_must_be_equal() {
        let arg = |value| Arg { ty: Type::I32, shape: vec![1], data: Data::I32(vec![value]) };
        assert_eq!(agreement(["n"], &[arg(1)], &[arg(2)], 99), Err("`n` differs".to_owned()));
    }
}
