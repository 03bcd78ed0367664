//! Traps: names that are reserved in C++, CUDA, Python or Warp, and names that are used twice.

#![allow(non_snake_case, reason = "CUDA's names are not Rust's")]

use super::trap;
use kernel_rt::prelude::*;

/// Parameters and locals that other languages keep for themselves.
#[kernel(family = "traps")]
fn lambda(
    float: f32,
    #[domain(1..4)] int: i32,
    dim: &[f32],
    #[domain(0..9)] index_t: &[i32],
    threadIdx: &mut [f32],
    wp: &mut [i32],
) {
    let min = tid();
    let vec3 = dim[min].min(float);
    let double = vec3 * 2.0;
    let pass = double + dim[min].max(1.0);
    let range = index_t[min] % 4;
    let mut def = 0;
    for not in 0..range {
        def += not * int;
    }
    let unsigned = Vec3::new(pass, double, vec3);
    let dot = unsigned.dot(unsigned);
    let blockDim = dot.sqrt().abs();
    threadIdx[min] = blockDim - dot;
    wp[min] = def + (float as i32).abs();
}

/// A kernel that is called like a function of C, with names of the helpers that it calls.
#[kernel(family = "traps")]
fn printf(#[domain(-9..9)] clamp: &[i32], to_i32: &[f32], rem_euclid: &mut [i32], signum: &mut [f32]) {
    let i = tid();
    let wrapping_add = clamp[i].clamp(-3, 3).rem_euclid(5);
    let max = wrapping_add.wrapping_add(to_i32[i] as i32);
    let min = max.max(2).min(4);
    rem_euclid[i] = min * 10 + max;
    let abs = to_i32[i].signum();
    signum[i] = abs.abs() + abs;
}

/// A kernel that is called like a type.
#[kernel(family = "traps")]
fn double(x: &[f64], float2: &mut [f64]) {
    let int = tid();
    let bool = x[int] > 0.0;
    let assert = if bool { x[int] } else { 0.5 };
    float2[int] = assert + x[int];
}

/// A kernel that calls a helper of its own name.
#[kernel(family = "traps")]
fn signum(x: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = -x[i].signum() * 2.0;
}

#[test]
fn names_of_other_languages_are_free() {
    let dim = [0.25f32, 3.0];
    let expected = dim.map(|dim| {
        let least = dim.min(1.5);
        let v = Vec3::new(least * 2.0 + dim.max(1.0), least * 2.0, least);
        v.dot(v).sqrt().abs() - v.dot(v)
    });
    trap("lambda", 2).value(1.5f32).value(3).input(&dim).input(&[3, 6]).output(expected).output([10, 4]).spring();
    trap("printf", 3)
        .input(&[-9, 2, 4])
        .input(&[2.5f32, -0.0, 100.0])
        .output([44, 22, 40 + 103])
        .output([2.0f32, 0.0, 2.0])
        .spring();
    trap("signum", 2).input(&[-0.0f32, 3.0]).output([2.0f32, -2.0]).spring();
    trap("double", 2).input(&[-1.0f64, 2.0]).output([-0.5f64, 4.0]).spring();
}

/// A name that stands for one thing after the other, of the same and of other types.
#[kernel(family = "traps")]
fn shadowing(
    #[domain(0..9)] x: &[i32],
    mut scale: f32,
    #[domain(0..9)] mut count: i32,
    out: &mut [f32],
    left: &mut [i32],
) {
    let i = tid();
    let x = x[i];
    let x = x + 1;
    let x = x as f32 * scale;
    let y = {
        let x = x > 4.0;
        let scale = if x { 10 } else { 20 };
        scale + 1
    };
    for x in 0..y {
        let y = x * 2;
        count += y % 3;
        let count = 7.5;
        scale += count;
    }
    if y > 15 {
        let x = y;
        count -= x;
    }
    let i = i as f32 + x;
    out[tid()] = i + scale;
    left[tid()] = count;
}

#[test]
fn names_may_be_used_again() {
    let x = [0, 3, 8];
    let run = |place: usize| {
        let scaled = (x[place] + 1) as f32 * 1.5;
        let y = if scaled > 4.0 { 11 } else { 21 };
        let count = 2 + (0..y).map(|x| x * 2 % 3).sum::<i32>() - if y > 15 { y } else { 0 };
        (place as f32 + scaled + 1.5 + 7.5 * y as f32, count)
    };
    trap("shadowing", 3)
        .input(&x)
        .value(1.5f32)
        .value(2)
        .output([0, 1, 2].map(|place| run(place).0))
        .output([0, 1, 2].map(|place| run(place).1))
        .spring();
}

/// Loops after loops over variables of one name and several types, and a local that is called like them afterwards.
#[kernel(family = "traps")]
fn reused_loops(#[domain(0..5)] n: &[u32], total: &mut [i32], j: &mut [f32]) {
    let i = tid();
    let mut sum = 0;
    for k in 0..n[i] as i32 {
        sum += k;
    }
    for k in 0..n[i] {
        sum += k as i32 * 10;
    }
    for k in 0..n[i] as usize {
        for k in 0..k {
            sum += k as i32 * 100;
        }
        sum += k as i32 * 1000;
    }
    let k = sum as f32 * 0.5;
    j[i] = k;
    let sum = sum + 1;
    total[i] = sum;
}

#[test]
fn loop_variables_may_share_a_name() {
    let n = [0u32, 1, 4];
    let sums = n.map(|n| {
        let n = n as i32;
        (0..n).map(|k| k * 1011 + (0..k).sum::<i32>() * 100).sum::<i32>()
    });
    trap("reused_loops", 3).input(&n).output(sums.map(|sum| sum + 1)).output(sums.map(|sum| sum as f32 * 0.5)).spring();
}
