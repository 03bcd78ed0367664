use super::{args, dims, numbered};
use crate::data::{Arg, Data};
use crate::ir::Kernel;
use crate::text::parse;
use expect_test::{Expect, expect};

fn kernel(dim: u8, params: &str) -> Kernel {
    parse(&format!("#[kernel(family = \"f\", dim = {dim})]\nfn k({params}) {{}}")).unwrap()
}

fn check_error(dim: &[usize], params: &str, expected: Expect) {
    expected.assert_eq(&args(&kernel(1, params), dim, 1).unwrap_err());
}

fn floats(arg: &Arg) -> &[f32] {
    if let Data::F32(data) = &arg.data { data } else { panic!("not floats") }
}

#[test]
fn arguments_stay_the_same() {
    let kernel =
        kernel(1, "a: f32, n: i32 in 3..6, b: bool, i: usize, v: vec2d in 4.0f64..5.0f64, x: &[u64; n] in 7..9,");
    let text: Vec<String> =
        args(&kernel, &[2], 5).unwrap().iter().map(|arg| format!("{:?} {:?}", arg.shape, arg.data)).collect();
    expect![[r#"
        [] F32([-0.45430988])
        [] I32([4])
        [] Bool([false])
        [] Index([4])
        [] F64([4.344245486724443, 4.984025767193362])
        [4] U64([8, 7, 7, 7])"#]]
    .assert_eq(&text.join("\n"));
}

#[test]
fn samples_have_and_lack_optional_arrays() {
    let kernel = kernel(1, "x: &[f32; 2], a: Option<&[f32; 2]>, b: Option<&mut [i32; 2]>, c: Option<&[f32; 2, 2]>,");
    let present = |seed| args(&kernel, &[9], seed).unwrap().iter().map(|arg| !arg.is_empty()).collect::<Vec<_>>();
    assert_eq!(present(4), [true; 4]);
    assert_eq!(present(1), [true, false, false, false]);
    assert_eq!(present(6), [true, true, false, true]);
    assert_eq!(present(3), [true, false, true, false]);
    assert_eq!(args(&kernel, &[9], 1).unwrap()[3].shape, [0, 0]);
    assert_eq!(numbered(&kernel, 0xfff3, 6), 0xfff2);
}

#[test]
fn the_columns_of_structs_are_absent_together() {
    let mut kernel = kernel(1, "a: &[f32; 2], x: Option<&[f32; 2]>, n: Option<&[i32; 2]>, c: Option<&[f32; 2]>,");
    kernel.params[1].name = "b.x".to_owned();
    kernel.params[2].name = "b.n".to_owned();
    let present = |seed| args(&kernel, &[9], seed).unwrap().iter().map(|arg| !arg.is_empty()).collect::<Vec<_>>();
    assert_eq!(present(2), [true, true, true, false]);
    assert_eq!(present(3), [true, false, false, true]);
}

#[test]
fn other_parameters_and_lengths_change_nothing() {
    let few = args(&kernel(1, "x: &[f32; dim(0)],"), &[10], 3).unwrap();
    let many = args(&kernel(1, "n: i32, x: &[f32; dim(0)], y: &mut [f32; 4],"), &[20], 3).unwrap();
    assert_eq!(floats(&few[0]), &floats(&many[1])[..10]);
    assert_ne!(args(&kernel(1, "x: &[f32; dim(0)],"), &[10], 4).unwrap(), few);
}

#[test]
fn shapes_and_domains_are_kept() {
    let kernel = kernel(
        2,
        "n: u32 in 1..dim(0), x: &[f32; dim(1), n + 2] in 0.0f64..1e-45f64, j: &[i64; 500] in -2..x.extent(1), \
         y: &mut [mat22; 3], z: &mut [i32; 300] in 0..3,",
    );
    let drawn = args(&kernel, &[4, 3], 9).unwrap();
    let Data::U32(n) = &drawn[0].data else { panic!() };
    assert!((1..4).contains(&n[0]));
    let columns = n[0] as usize + 2;
    assert_eq!(drawn[1].shape, [3, columns]);
    assert!(floats(&drawn[1]).iter().all(|x| *x == 0.0));
    let Data::I64(j) = &drawn[2].data else { panic!() };
    assert!((-2..columns as i64).all(|value| j.contains(&value)) && j.iter().all(|j| (-2..columns as i64).contains(j)));
    assert_eq!(drawn[3].data, Data::F32(vec![0.0; 12]));
    let Data::I32(z) = &drawn[4].data else { panic!() };
    assert!((0..3).all(|value| z.contains(&value)));
}

#[test]
fn floats_stay_below_the_upper_bound() {
    let kernel = kernel(1, "x: &[f32; 4000] in 1.0f64..1.0000003f64, y: &[f64; 4000] in -1e308f64..1e308f64,");
    let drawn = args(&kernel, &[1], 2).unwrap();
    assert!(floats(&drawn[0]).iter().all(|x| (1.0..1.0000003).contains(&f64::from(*x))));
    let Data::F64(y) = &drawn[1].data else { panic!() };
    assert!(y.iter().all(|y| (-1e308..1e308).contains(y)) && y.iter().any(|y| *y < -5e307));
}

#[test]
fn what_cannot_be_drawn_is_named() {
    check_error(&[0], "n: usize in 0..dim(0),", expect!["`n` has the empty domain 0..0"]);
    check_error(&[0], "x: &[f32; dim(0) - 1],", expect!["`x` has the extent -1 along axis 0"]);
    check_error(&[0], "x: &[f32; 4 / dim(0)],", expect!["`x` has an extent along axis 0 that cannot be computed"]);
    check_error(
        &[1 << 20],
        "x: &[mat44; dim(0), dim(0), dim(0), dim(0)],",
        expect!["`x` of the shape [1048576, 1048576, 1048576, 1048576] is too large"],
    );
    check_error(&[1], "n: u32 in -5..-4,", expect!["`n` has a domain that does not fit u32"]);
    check_error(&[1], "n: u32 in -1..100000,", expect!["`n` has a domain that does not fit u32"]);
    check_error(&[1], "a: f32 in 0.0f64..1e39f64,", expect!["`a` has a domain that does not fit f32"]);
    check_error(&[1], "a: f32 in 1.00000001f64..1.00000002f64,", expect!["`a` has a domain that does not fit f32"]);
}

#[test]
fn empty_domains_of_empty_arrays_are_fine() {
    let drawn = args(&kernel(1, "x: &[u32; dim(0)] in 0..dim(0),"), &[0], 1).unwrap();
    assert!(drawn[0].is_empty());
}

#[test]
fn every_launch_size_can_be_drawn() {
    for dim in 1..=4 {
        let kernel = kernel(dim, "x: &[f32; dim(0)],");
        let sizes = dims(&kernel);
        assert!(sizes.iter().any(|size| size.contains(&0)));
        for size in sizes {
            assert_eq!(size.len(), usize::from(dim));
            assert_eq!(args(&kernel, &size, 1).unwrap()[0].shape, [size[0]]);
        }
    }
}

/// The one argument of a kernel of two axes, drawn for a launch of 6 by 5.
fn structured(param: &str) -> Arg {
    let kernel = kernel(2, param);
    crate::verify::verify(kernel.clone()).unwrap();
    args(&kernel, &[6, 5], 4).unwrap().pop().unwrap()
}

fn integers(arg: &Arg) -> &[i32] {
    if let Data::I32(data) = &arg.data { data } else { panic!("not integers") }
}

fn wide(arg: &Arg) -> &[f64] {
    if let Data::F64(data) = &arg.data { data } else { panic!("not doubles") }
}

#[test]
fn sorted_rows_ascend_and_differ() {
    let arg = structured("x: &[f32; dim(0), 40] in -2.0f64..3.0f64 as sorted,");
    let rows: Vec<&[f32]> = floats(&arg).chunks(40).collect();
    assert!(rows.iter().all(|row| row.is_sorted() && row[0] < row[39]));
    assert!(rows[0] != rows[1] && floats(&arg).iter().all(|x| (-2.0..3.0).contains(x)));
}

#[test]
fn offsets_part_the_whole_range() {
    let arg = structured("x: &[i32; 2, 9] in 0..dim(0) * dim(1) + 1 as offsets,");
    for row in integers(&arg).chunks(9) {
        assert!(row.is_sorted() && row[0] == 0 && row[8] == 30 && row[4] != 0 && row[4] != 30, "{row:?}");
    }
    // Nothing to part.
    assert_eq!(integers(&structured("x: &[i32; 1] in 0..1 as offsets,")), [0]);
    assert_eq!(integers(&structured("x: &[i32; 1] in 0..9 as offsets,")), [0]);
    assert!(structured("x: &[i32; 0] in 0..9 as offsets,").is_empty());
}

#[test]
fn permutations_have_each_integer_once() {
    let arg = structured("x: &[i32; 3, dim(0)] in 0..dim(0) as permutation,");
    let rows: Vec<&[i32]> = integers(&arg).chunks(6).collect();
    for row in &rows {
        let mut row = row.to_vec();
        row.sort_unstable();
        assert_eq!(row, [0, 1, 2, 3, 4, 5]);
    }
    assert!(rows[0] != rows[1] && !rows[0].is_sorted());
}

#[test]
fn unit_vectors_have_length_one() {
    let directions = structured("x: &[vec3d; 200] in -1.0f64..1.0f64 as unit,");
    let lengths = wide(&directions).chunks(3).map(|v| v.iter().map(|x| x * x).sum::<f64>());
    assert!(lengths.into_iter().all(|square| (square - 1.0).abs() < 1e-15));
    // Every octant has some.
    let octants: std::collections::BTreeSet<Vec<bool>> =
        wide(&directions).chunks(3).map(|v| v.iter().map(|x| *x > 0.0).collect()).collect();
    assert_eq!(octants.len(), 8);
    let rotation = structured("q: quat in -1.0f64..1.0f64 as unit,");
    assert!((floats(&rotation).iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-6);
}

#[test]
fn probabilities_are_not_negative_and_add_up() {
    let check = |row: &[f64]| row.iter().all(|p| *p >= 0.0) && (row.iter().sum::<f64>() - 1.0).abs() < 1e-15;
    assert!(wide(&structured("p: &[f64; 7, 4] in 0.0f64..1.0f64 as probability,")).chunks(4).all(check));
    assert!(wide(&structured("p: &[vec3d; 7] in 0.0f64..1.0f64 as probability,")).chunks(3).all(check));
    assert_eq!(wide(&structured("p: &[f64; 3, 1] in 0.0f64..1.0f64 as probability,")), [1.0; 3]);
}

#[test]
fn positive_definite_matrices_have_eigenvalues_of_the_range() {
    let of_array = structured("a: &[f64; 3, dim(1), dim(1)] in 0.5f64..2.0f64 as positive_definite,");
    let of_matrices = structured("a: &[mat33d; 4] in 0.5f64..2.0f64 as positive_definite,");
    for (matrices, n) in [(wide(&of_array), 5), (wide(&of_matrices), 3)] {
        for a in matrices.chunks(n * n) {
            let at = |i: usize, j: usize| a[i * n + j];
            assert!((0..n * n).all(|k| at(k / n, k % n).to_bits() == at(k % n, k / n).to_bits()));
            assert!((0..n).any(|k| at(k, (k + 1) % n).abs() > 1e-3), "it is diagonal");
            // x·A·x / x·x is between the eigenvalues: for the axes, and for their sums and differences.
            for (i, j, sign) in (0..n).flat_map(|i| (0..i).flat_map(move |j| [(i, j, 1.0), (i, j, -1.0)])) {
                let quotient = (at(i, i) + at(j, j) + 2.0 * sign * at(i, j)) / 2.0;
                assert!((0.5..2.0).contains(&quotient), "{quotient}");
            }
        }
    }
}

#[test]
fn structures_that_do_not_fit_are_named() {
    check_error(
        &[3],
        "a: &[f32; dim(0), 4] in 0.5f64..2.0f64 as positive_definite,",
        expect!["`a` is positive definite, and its last two extents are 3 and 4"],
    );
    let wrong = |params: &str| crate::verify::verify(kernel(1, params)).unwrap_err()[0].message.clone();
    expect!["`x` cannot be `unit`, which is for vectors and quaternions of floats, and arrays of them"]
        .assert_eq(&wrong("x: &[f32; 4] in -1.0f64..1.0f64 as unit,"));
    expect!["the range of `x` is not that of `permutation`"].assert_eq(&wrong("x: &[u32; 4] in 0..5 as permutation,"));
}
