//! What no author writes, and what is easily misread. Kernels of authors are in the integration tests.

use super::{GroupNames, write, write_body, write_group};
use crate::analysis::{Execution, Lockstep};
use crate::text;
use crate::verify::{VerifiedKernel, verify};
use expect_test::{Expect, expect};

/// A kernel of one thread axis with these parameters and this body, in the text form.
fn kernel(params: &str, body: &str) -> VerifiedKernel {
    let source = format!("#[kernel(family = \"test\", dim = 1)]\nfn k({params},) {{ {body} }}");
    let kernel = text::parse(&source).unwrap_or_else(|error| panic!("{error:?}"));
    verify(kernel).unwrap_or_else(|mistakes| panic!("{mistakes:?}"))
}

fn body(params: &str, body: &str, expected: Expect) {
    expected.assert_eq(&write_body(&kernel(params, body)));
}

#[test]
fn local_arrays() {
    body(
        "x: &[f32; dim(0)], out: &mut [vec3; dim(0)]",
        "let mut sums.0: [f32; 32]; let mut spins.1: [quat; 2]; let mut frames.2: [mat33; 4];
         let mut counts.3: [usize; 4]; let mut flags.4: [bool; 4]; let mut points.5: [vec3; 4];
         sums.0[tid(0)] += x[tid(0)];
         counts.3[1usize] = x.extent(0);
         flags.4[0usize] = sums.0[2usize] < 0.0f32;
         points.5[0usize].y += sums.0[counts.3[0usize]];
         frames.2[1usize].col(tid(0)) += points.5[0usize];
         spins.1[0usize].w = 1.0f32;
         out[tid(0)] = spins.1[0usize] * points.5[1usize] + frames.2[1usize].col(2usize);",
        expect![[r#"
            let mut sums = [0.0f32; 32];
            let mut spins = [Quat::from_xyzw(0.0, 0.0, 0.0, 0.0); 2];
            let mut frames = [Mat3::ZERO; 4];
            let mut counts = [0usize; 4];
            let mut flags = [false; 4];
            let mut points = [Vec3::ZERO; 4];
            sums[tid()] += x[tid()];
            counts[1] = x.len();
            flags[0] = sums[2] < 0.0;
            points[0].y += sums[counts[0]];
            *frames[1].col_mut(tid()) += points[0];
            spins[0].w = 1.0;
            out[tid()] = spins[0] * points[1] + frames[1].z_axis;
        "#]],
    );
}

#[test]
fn values_that_rust_borrows_around() {
    body(
        "m: &mut [vec3; dim(0), 2], n: &mut [mat33; dim(0)], c: &mut [f32; dim(0)]",
        "let value.0: usize = tid(0);
         m[m.extent(0) - 1usize, value.0] += m[value.0, 0usize] * 2.0f32;
         m[value.0, 1usize] *= 2.0f32;
         n[0usize].col(value.0) += n[1usize].col(value.0);
         atomic_add(c[0usize], c[1usize]);",
        expect![[r#"
            let value = tid();
            let value_1: Vec3 = m[[value, 0]] * 2.0;
            let index: usize = m.shape()[0] - 1;
            m[[index, value]] += value_1;
            m[[value, 1]] *= 2.0;
            let value_2: Vec3 = n[1].col(value);
            *n[0].col_mut(value) += value_2;
            let value_3: f32 = c[1];
            atomic_add(&mut c[0], value_3);
        "#]],
    );
}

#[test]
fn functions_that_a_name_hides() {
    let kernel = kernel(
        "tid: &[f64; dim(0)], y: &mut [f64; dim(0)]",
        "let atomic_add.0: usize = tid(0);
         atomic_add(y[atomic_add.0], tid[atomic_add.0]);
         atomic_max(y[0usize], 1.0f64);",
    );
    expect![[r#"
        #[kernel(family = "test")]
        pub fn k(tid: &[f64], y: &mut [f64]) {
            let atomic_add = kernel_rt::tid();
            kernel_rt::atomic_add(&mut y[atomic_add], tid[atomic_add]);
            atomic_max(&mut y[0], 1.0);
        }
    "#]]
    .assert_eq(&write(&kernel));
}

#[test]
fn numbers() {
    body(
        "x: &mut [f64; dim(0)], k: i32",
        "x[0usize] = abs(-2.0f64) - -(2.0f64) + -abs(x[1usize]) * -0.0f64;
         x[1usize] = f64::from_bits(0xfff8000000000000) + f64::INFINITY;
         x[2usize] = (abs(-2147483648i32) + 1i32 << k) as f64;
         let near.0: bool = (k as usize) < x.extent(0);
         let half.1: f32 = 0.5f32;
         x[3usize] = if near.0 { sqrt(half.1) as f64 } else { 1e300f64 };",
        expect![[r#"
            x[0] = (-2.0f64).abs() - -(2.0 as f64) + -x[1].abs() * -0.0;
            x[1] = f64::from_bits(0xfff8000000000000) + f64::INFINITY;
            x[2] = ((i32::MIN.abs() + 1) << k) as f64;
            let near = (k as usize) < x.len();
            let half: f32 = 0.5;
            x[3] = if near { half.sqrt() as f64 } else { 1e300 };
        "#]],
    );
}

#[test]
fn names_hide_only_what_nobody_uses() {
    body(
        "x: &mut [f32; dim(0)], type: f32",
        "let a.0: f32 = x[0usize];
         let a.1: f32 = a.0 + type;
         let a.2: f32 = 2.0f32 * a.1;
         x[1usize] = a.1;
         for x.3: i32 in (0i32..x.extent(0) as i32) { }
         x[0usize] = a.2;",
        expect![[r#"
            let a = x[0];
            let a = a + r#type;
            let a_1 = 2.0 * a;
            x[1] = a;
            for x in 0..x.len() as i32 {}
            x[0] = a_1;
        "#]],
    );
}

#[test]
fn a_launch_of_two_axes_shows_without_an_index() {
    let mut kernel = (*kernel("x: &mut [f32; dim(0)]", "x[0usize] = 1.0f32;")).clone();
    kernel.dim = 2;
    expect![[r##"
        #[kernel(family = "test")]
        pub fn k(x: &mut [f32]) {
            let (_, _) = tid2();
            x[0] = 1.0;
        }
    "##]]
    .assert_eq(&write(&verify(kernel).expect("a kernel that keeps the rules")));
}

#[test]
fn declarations_get_a_type_where_rust_finds_none_in_time() {
    body(
        "x: &mut [f32; dim(0)]",
        "let mut sum.0: f32 = 0.0f32;
         let mut root.1: f32 = 0.0f32;
         let alone.2: f32 = 1.0f32;
         let mut count.3: i32 = 0i32;
         for k.4: usize in (0usize..4usize) { sum.0 += x[k.4]; count.3 += 1i32; }
         for j.5: usize in (0usize..4usize) { root.1 = x[min(j.5, 2usize)]; }
         x[0usize] = sqrt(root.1) + sum.0 * (alone.2 + alone.2);",
        expect![[r#"
            let mut sum = 0.0;
            let mut root: f32 = 0.0;
            let alone = 1.0;
            let mut count = 0;
            for k in 0..4 {
                sum += x[k];
                count += 1;
            }
            for j in 0..4usize {
                root = x[j.min(2)];
            }
            x[0] = root.sqrt() + sum * (alone + alone);
        "#]],
    );
}

#[test]
fn a_group_goes_through_a_loop_in_step() {
    let text = "#[kernel(family = \"f\", dim = 2, no_grad)]
fn k(
    a: &[f32; dim(0), 8],
    b: &[f32; 8, dim(1)],
    adj_a: &mut [f32; dim(0), 8],
    adj_b: &mut [f32; 8, dim(1)],
    adj_c: &mut [f32; dim(0), dim(1)],
) {
    let i.0: usize = tid(0);
    let j.1: usize = tid(1);
    let g.2: f32 = adj_c[i.0, j.1];
    for k.3: usize in (0usize..a.extent(1)).rev() {
        atomic_add(adj_a[i.0, k.3], g.2 * b[k.3, j.1]);
        atomic_add(adj_b[k.3, j.1], g.2 * a[i.0, k.3]);
    }
}
";
    let kernel = verify(text::parse(text).unwrap()).unwrap();
    let lockstep = Lockstep::of(&kernel, &Execution::of(&kernel)).unwrap();
    let names = GroupNames { lane: "lane", head: "let tid2 = || all(lane);", lanes: 64 };
    expect![[r#"
        let mut g_kept = [0.0f32; 64];
        for lane in 0..64 {
            let tid2 = || all(lane);
            let (i, _) = tid2();
            let (_, j) = tid2();
            let g_1 = adj_c[[i, j]];
            g_kept[lane] = g_1;
        }
        let mut part = [0.0f32; 64];
        let mut part_1 = [0.0f32; 64];
        for k in (0..a.shape()[1]).rev() {
            if k < a.shape()[1] && k < adj_a.shape()[1] && k < adj_b.shape()[0] && k < b.shape()[0] {
                for lane in 0..64 {
                    let tid2 = || all(lane);
                    let (i, _) = tid2();
                    let (_, j) = tid2();
                    let mut g_1 = g_kept[lane];
                    part[lane] = g_1 * b[[k, j]];
                    part_1[lane] = g_1 * a[[i, k]];
                }
                for lane in 0..64 {
                    let tid2 = || all(lane);
                    let (i, _) = tid2();
                    let (_, j) = tid2();
                    atomic_add(&mut adj_b[[k, j]], part_1[lane]);
                }
                {
                    let lane = 0;
                    let tid2 = || all(lane);
                    let (i, _) = tid2();
                    let (_, j) = tid2();
                    let mut total = adj_a[[i, k]];
                    for lane in 0..64 {
                        total += part[lane];
                    }
                    adj_a[[i, k]] = total;
                }
            } else {
                for lane in 0..64 {
                    let tid2 = || all(lane);
                    let (i, _) = tid2();
                    let (_, j) = tid2();
                    let mut g_1 = g_kept[lane];
                    part[lane] = g_1 * b[[k, j]];
                    part_1[lane] = g_1 * a[[i, k]];
                }
                for lane in 0..64 {
                    let tid2 = || all(lane);
                    let (i, _) = tid2();
                    let (_, j) = tid2();
                    atomic_add(&mut adj_b[[k, j]], part_1[lane]);
                }
                {
                    let lane = 0;
                    let tid2 = || all(lane);
                    let (i, _) = tid2();
                    let (_, j) = tid2();
                    let mut total_1 = adj_a[[i, k]];
                    for lane in 0..64 {
                        total_1 += part[lane];
                    }
                    adj_a[[i, k]] = total_1;
                }
            }
        }
    "#]]
    .assert_eq(&write_group(&kernel, &lockstep, names));
}
