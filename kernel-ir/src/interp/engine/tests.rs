//! Groups of threads against threads one by one.

use crate::data::{Arg, Argument, Data, Scalars};
use crate::interp::run::{lanes, launch};
use crate::interp::{Dual, Fault, Number, NumberTypes, TRIPS, Tid, row_major, run, run_in_order, run_with};
use crate::ir::Type;
use crate::text::parse;
use crate::verify::{VerifiedKernel, verify};

const THREADS: usize = 70;

/// A kernel with these parameters, of which each thread does `body`; after the functions `before`.
fn kernel(before: &str, params: &str, body: &str) -> VerifiedKernel {
    let text = format!(
        "{before}#[kernel(family = \"f\", dim = 1)]\nfn k({params}) {{\nlet i.0: usize = tid(0);\n{body}\n}}\n"
    );
    let kernel = verify(parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))).unwrap();
    assert_eq!(lanes(kernel.program(), &[THREADS], THREADS), 64, "{:?}", kernel.program().execution.reason);
    kernel
}

const PARAMS: &str = "x: &[f32; dim(0)], k: &[u32; dim(0)], y: &mut [f32; dim(0)], s: &mut [f32; dim(0)],";

fn args() -> Vec<Arg> {
    let array = |data: Data| Arg { ty: Type::of(data.scalar()), shape: vec![data.len()], data };
    let numbers = |factor: usize, range: usize| (0..THREADS).map(move |place| place * factor % range);
    vec![
        // Of sizes whose sums depend on the order.
        array(Data::F32(numbers(37, 101).map(|x| (x as f32 - 50.3) * 1.7f32.powi(x as i32 % 23)).collect())),
        array(Data::U32(numbers(13, 11).map(|k| k as u32).collect())),
        array(Data::F32(vec![1.5; THREADS])),
        array(Data::F32(vec![0.25; THREADS])),
    ]
}

/// The arguments after the threads of a launch have run one after the other.
fn one_by_one<S: Number, D: Number>(kernel: &VerifiedKernel, args: &mut [Argument<S, D>]) -> Result<(), Fault>
where
    (S, D): NumberTypes<S, D>,
{
    row_major(&[THREADS]).try_for_each(|tid| run_in_order(kernel, &[THREADS], args, TRIPS, [tid]))
}

/// The arguments after `body`, which is the same in groups and one by one.
fn same(before: &str, body: &str) -> Vec<Arg> {
    let kernel = kernel(before, PARAMS, body);
    let (mut expected, mut found) = (args(), args());
    one_by_one(&kernel, &mut expected).unwrap();
    run_in_order(&kernel, &[THREADS], &mut found, TRIPS, row_major(&[THREADS])).unwrap();
    assert_eq!(found, expected, "{body}");
    let (mut expected, mut found) = (args(), args());
    launch(&kernel, &[THREADS], &mut expected, TRIPS, 1).unwrap();
    launch(&kernel, &[THREADS], &mut found, TRIPS, 64).unwrap();
    assert_eq!(found, expected, "{body}");
    assert_ne!(found, args(), "{body}");
    same_tangents(&kernel);
    found
}

/// The same with derivatives.
fn same_tangents(kernel: &VerifiedKernel) {
    let seeded = || -> Vec<Argument<Dual, Dual>> {
        let dual = |value: f64| Dual { value, tangent: value.cos() };
        args().iter().map(|arg| arg.map_floats(|x| dual(f64::from(*x)), |x| dual(*x))).collect()
    };
    let (mut expected, mut found) = (seeded(), seeded());
    one_by_one(kernel, &mut expected).unwrap();
    run_in_order(kernel, &[THREADS], &mut found, TRIPS, row_major(&[THREADS])).unwrap();
    for (found, expected) in found.iter().zip(&expected) {
        let (Scalars::F32(found), Scalars::F32(expected)) = (&found.data, &expected.data) else { continue };
        let bits = |x: &Dual| (x.value.to_bits(), x.tangent.to_bits());
        assert!(found.iter().map(bits).eq(expected.iter().map(bits)));
    }
}

#[test]
fn threads_part_and_meet_again() {
    same(
        "",
        "let mut s.1: f32 = 0f32;
        let mut n.2: i32 = 0i32;
        for a.3: usize in (0usize..i.0 % 7usize + 1usize) {
            for b.4: i32 in (0i32..=9i32).rev() {
                if b.4 == a.3 as i32 { continue; }
                if (a.3 as i32 + b.4) % 5i32 == k[i.0] as i32 { break; }
                if i.0 % 11usize == 10usize && a.3 == 3usize { y[i.0] = s.1; return; }
                s.1 += x[i.0] / (b.4 as f32 + 2f32);
                n.2 += 1i32;
            }
            while n.2 > 20i32 {
                n.2 -= 3i32;
                if n.2 % 4i32 == 1i32 { break; }
                if n.2 % 4i32 == 2i32 { continue; }
                s.1 *= 0.5f32;
            }
        }
        y[i.0] = s.1 + n.2 as f32;",
    );
    same(
        "",
        "let v.1: f32;
        if k[i.0] < 4u32 { v.1 = x[i.0]; } else if k[i.0] < 8u32 { v.1 = sin(x[i.0]); } else { return; }
        let mut w.2: vec3 = vec(v.1, 1f32, x[i.0]);
        if k[i.0] != 2u32 { w.2[i.0 % 3usize] = 7f32; w.2 = vec(w.2.y, w.2.x, w.2.z); }
        for a.3: u32 in (0u32..k[i.0]).step_by(3usize) { let mut l.4: [f32; 4]; l.4[a.3 as usize % 4usize] = v.1; w.2.y += l.4[1usize]; }
        y[i.0] = length(w.2) + dot(w.2, vec(w.2.z, w.2.z, w.2.x));",
    );
}

#[test]
fn additions_keep_the_order_of_threads() {
    let found = same(
        "",
        "for a.1: u32 in (0u32..k[i.0]) { atomic_add(s[(k[i.0] + a.1) as usize % 5usize], x[i.0] / (a.1 as f32 + 1f32)); }
        if k[i.0] > 3u32 { atomic_sub(s[2usize], x[i.0]); }
        y[i.0] = 0f32;",
    );
    let Data::F32(s) = &found[3].data else { panic!() };
    assert!(s[0].abs() > 1.0, "{s:?}");
    same("", "atomic_add(s[1usize], x[i.0]); if k[i.0] == 3u32 { atomic_add(s[0usize], x[i.0]); } y[i.0] = 0f32;");
}

#[test]
fn what_a_thread_does_not_evaluate_does_not_fail() {
    same("", "if i.0 > 0usize && x[i.0 - 1usize] > 0f32 { y[i.0] = 2f32; }");
    same("", "if i.0 == 0usize || x[i.0 - 1usize] > 0f32 { y[i.0] = 2f32; }");
    same("", "y[i.0] = if k[i.0] > 0u32 { x[(70u32 / k[i.0] - 1u32) as usize] } else { 1f32 + x[i.0] };");
    same("", "let d.1: u32 = k[i.0]; if d.1 > 2u32 { y[i.0] = (7u32 % (d.1 - 2u32)) as f32; }");
}

#[test]
fn functions_return_early() {
    let f = "#[device]\nfn f(a: f32, n: u32,) -> f32 {
        if a > 3f32 { return a; }
        for j.0: u32 in (0u32..n) { if j.0 == 4u32 { return a * 2f32; } if j.0 as f32 > a { return -1f32; } }
        return a + 1f32; }\n";
    same(f, "y[i.0] = f(f(x[i.0], k[i.0]), 9u32) + f(x[i.0] * 0.1f32, k[i.0]);");
    same(f, "if k[i.0] > 2u32 && f(x[i.0], k[i.0]) > 0f32 { y[i.0] = f(x[i.0], 3u32); } else { y[i.0] = 0f32; }");
    let with_gradient = "#[device]\nfn df(a: f32, b: vec2, adj: f32,) -> f32 { if a > 3f32 { return adj; } return adj * b.x; }
        #[device]\nfn db(a: f32, b: vec2, adj: f32,) -> vec2 { return vec(adj * a, 1f32); }
        #[device(grad(a = df, b = db))]\nfn g(a: f32, b: vec2,) -> f32 { if a < 0f32 { return b.y; } return a * b.x; }\n";
    same(with_gradient, "y[i.0] = g(x[i.0], vec(x[i.0], 1f32)) * g(2f32, vec(3f32, 4f32));");
}

#[test]
fn a_fault_is_that_of_launch_order() {
    for body in [
        "y[i.0] = (70u32 / (if i.0 % 40usize == 20usize { 0u32 } else { k[i.0] + 1u32 })) as f32; y[i.0] += x[i.0];",
        "atomic_add(s[0usize], x[i.0]); y[i.0] = x[i.0 * 3usize];",
        "for a.1: usize in (0usize..i.0) { y[i.0] += x[i.0 + a.1]; }",
    ] {
        let kernel = kernel("", PARAMS, body);
        let (mut expected, mut found) = (args(), args());
        let fault = one_by_one(&kernel, &mut expected).unwrap_err();
        assert!((2..60).contains(&fault.thread[0]), "{fault:?}");
        let all = row_major(&[THREADS]);
        assert_eq!(run_in_order(&kernel, &[THREADS], &mut found, TRIPS, all), Err(fault.clone()));
        assert_eq!(found, expected, "{body}");
        let mut found = args();
        assert_eq!(run(&kernel, &[THREADS], &mut found), Err(fault));
        // Sums that are not complete are dropped.
        assert_eq!((&found[2], &found[3]), (&expected[2], &args()[3]), "{body}");
    }
}

#[test]
fn trips_are_those_of_all_threads() {
    let kernel = kernel("", PARAMS, "for a.1: usize in (0usize..i.0) { y[i.0] += 1f32; }");
    let all = (THREADS * (THREADS - 1) / 2) as u64;
    assert!(run_with(&kernel, &[THREADS], &mut args(), all).is_ok());
    let mut found = args();
    let fault = run_with(&kernel, &[THREADS], &mut found, all - 1).unwrap_err();
    assert_eq!(fault.thread, [THREADS - 1]);
    let Data::F32(y) = &found[2].data else { panic!() };
    assert_eq!(y[THREADS - 2..], [69.5, 69.5]);
}

#[test]
fn a_thread_that_runs_twice_sees_itself() {
    let kernel = kernel("", PARAMS, "y[i.0] = y[i.0] * 2f32;");
    let mut found = args();
    run_in_order(&kernel, &[THREADS], &mut found, TRIPS, [Tid::from([1].as_slice()); 3]).unwrap();
    assert_eq!(found[2].data, Data::F32((0..THREADS).map(|place| if place == 1 { 12.0 } else { 1.5 }).collect()));
}
