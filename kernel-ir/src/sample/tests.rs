use super::{args, dims};
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
