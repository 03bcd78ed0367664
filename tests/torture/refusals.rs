//! Torture: kernels without an exact gradient. Each refusal must show both places and name a way out.

use super::Case;
use crate::messages::fault;
use expect_test::{Expect, expect};
use kernel_ir::adjoint::backward;
use kernel_ir::diag::Diagnostic;
use kernel_ir::front::{Compiled, compile};
use kernel_ir::ir::Span;
use quote::quote;

/// Asserts that a kernel is refused with this message.
fn check(source: &str, expected: Expect) {
    let compiled = compile(quote!(family = "torture"), source.parse().expect("Rust tokens"));
    let kernel = compiled.kernel.as_ref().unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    let mistakes = backward(kernel).err().unwrap_or_default();
    let shown: Vec<String> = mistakes.iter().map(|mistake| shown(source, &compiled, mistake)).collect();
    expected.assert_eq(&shown.concat());
    for mistake in mistakes {
        assert!(mistake.message.starts_with("no exact gradient: "));
        assert!(mistake.related.is_some(), "one place only: {}", mistake.message);
        assert_eq!(fault(&mistake), None);
    }
}

/// A message with the source text that it points at.
fn shown(source: &str, compiled: &Compiled, mistake: &Diagnostic) -> String {
    let place = |span: Span| {
        let (first, last) = compiled.spans.ends(span);
        let (start, end) = (first.start(), last.end());
        let line = source.lines().nth(start.line - 1).unwrap_or_default();
        let part: String = line.chars().take(end.column).skip(start.column).collect();
        format!("{}: {part}", start.line)
    };
    let related = mistake.related.iter().map(|(span, label)| format!("  {}\n    {label}\n", place(*span)));
    format!(
        "{}\n  {}\n{}  help: {}\n",
        mistake.message,
        place(mistake.span),
        related.collect::<String>(),
        mistake.help.as_deref().unwrap_or_default(),
    )
}

/// The value of a sum before each thread.
const RESULT: &str = r#"
fn result_of_an_atomic(#[domain(0.5..1.5)] x: &[f64], #[shape(1)] total: &mut [f64], before: &mut [f64]) {
    let i = tid();
    let old = atomic_add(&mut total[0], x[i]);
    before[i] = old * x[i];
}
"#;

/// The refused kernels that other systems are shown.
pub(super) fn cases() -> Vec<Case> {
    let case = |name, about, source: &str| {
        let compiled = compile(quote!(family = "torture"), source.parse().expect("Rust tokens"));
        Case { name, about, kernel: compiled.kernel.expect("a kernel"), threads: 5, fixed: Vec::new(), seeds: 0..1 }
    };
    vec![case("result_of_an_atomic", "float result of an atomic", RESULT)]
}

/// Sweeps over an array in place: most values that a sweep reads are replaced by the next one.
#[test]
fn sweeps_in_place_by_one_thread() {
    check(
        r#"
fn f(a: &mut [f64]) {
    if tid() == 0 {
        for _ in 0..4 {
            for j in 1..a.len() {
                a[j] = 0.5 * a[j - 1] * a[j];
            }
        }
    }
}
"#,
        expect![[r#"
            no exact gradient: the gradient depends on the value of `a` here, which is neither its first nor its last
              6: a[j - 1]
              6: a[j]
                a write here may reach the same element before it
              help: write each element of `a` once: compute in a local variable, and assign it at the end; or put the second part into another kernel; or mark the kernel `no_grad`
        "#]],
    );
}

/// A value that another thread has written, or will write.
#[test]
fn a_neighbour_of_another_thread() {
    check(
        r#"
fn f(a: &mut [f64]) {
    let i = tid();
    if i + 1 < a.len() {
        a[i] = a[i + 1] * a[i];
    }
}
"#,
        expect![[r#"
            no exact gradient: a thread may read an element of `a` that another thread writes
              5: a[i + 1]
              5: a[i]
                another thread may write the same element here
              help: write to another array; or access `a` at an index that no other thread uses, such as `a[tid()]`, or `a[tid() * n + k]` with `k` below `n`; or mark the kernel `no_grad`
        "#]],
    );
}

/// Prefix sums.
#[test]
fn a_scan() {
    check(
        r#"
fn f(x: &[f64], y: &mut [f64]) {
    for j in 1..x.len() {
        y[j] = y[j - 1] * x[j];
    }
}
"#,
        expect![[r#"
            no exact gradient: a thread may read an element of `y` that another thread writes
              4: y[j - 1]
              4: y[j]
                another thread may write the same element here
              help: write to another array; or access `y` at an index that no other thread uses, such as `y[tid()]`, or `y[tid() * n + k]` with `k` below `n`; or mark the kernel `no_grad`
        "#]],
    );
}

/// An index that may or may not be another thread's.
#[test]
fn an_element_by_an_index_from_an_array() {
    check(
        r#"
fn f(to: &[u32], y: &mut [f64]) {
    let i = tid();
    y[to[i] as usize] *= 2.0;
}
"#,
        expect![[r#"
            no exact gradient: several threads may assign the same element of `y`
              4: y[to[i] as usize]
              4: y[to[i] as usize]
                another thread may write the same element here
              help: assign `y` at an index that no other thread uses, such as `y[tid()]`, or `y[tid() * n + k]` with `k` below `n`; or say at `to` that no two of its elements are equal, by `#[domain(permutation)]` or `#[domain(a..b, distinct)]`, or that they ascend, by `#[domain(a..b, offsets)]`; or mark the kernel `no_grad`
        "#]],
    );
}

/// The same, with such an index in the read only.
#[test]
fn a_read_by_an_index_from_an_array() {
    check(
        r#"
fn f(from: &[u32], y: &mut [f64]) {
    let i = tid();
    let value = y[from[i] as usize];
    y[i] = value * value;
}
"#,
        expect![[r#"
            no exact gradient: a thread may read an element of `y` that another thread writes
              4: y[from[i] as usize]
              5: y[i]
                another thread may write the same element here
              help: write to another array; or access `y` at an index that no other thread uses, such as `y[tid()]`, or `y[tid() * n + k]` with `k` below `n`; or say at `from` that no two of its elements are equal, by `#[domain(permutation)]` or `#[domain(a..b, distinct)]`, or that they ascend, by `#[domain(a..b, offsets)]`; or mark the kernel `no_grad`
        "#]],
    );
}

/// One element that all threads update.
#[test]
fn an_element_of_all_threads() {
    check(
        r#"
fn f(x: &[f64], y: &mut [f64]) {
    let i = tid();
    y[0] = y[0] * x[i];
}
"#,
        expect![[r#"
            no exact gradient: a thread may read an element of `y` that another thread writes
              4: y[0]
              4: y[0]
                another thread may write the same element here
              help: write to another array; or access `y` at an index that no other thread uses, such as `y[tid()]`, or `y[tid() * n + k]` with `k` below `n`; or in one thread alone, under `if tid() == 0 { … }`; or mark the kernel `no_grad`
        "#]],
    );
}

/// A sum that is read while other threads still add to it.
#[test]
fn a_sum_that_others_read() {
    check(
        r#"
fn f(x: &[f64], y: &mut [f64], z: &mut [f64]) {
    let i = tid();
    y[i] += x[i];
    z[i] = y[(i + 1) % y.len()];
}
"#,
        expect![[r#"
            no exact gradient: a thread may read an element of `y` that another thread writes
              5: y[(i + 1) % y.len()]
              4: y[i]
                another thread may write the same element here
              help: write to another array; or access `y` at an index that no other thread uses, such as `y[tid()]`, or `y[tid() * n + k]` with `k` below `n`; or mark the kernel `no_grad`
        "#]],
    );
}

/// The same with an atomic operation.
#[test]
fn an_atomic_sum_that_is_read() {
    check(
        r#"
fn f(x: &[f64], total: &mut [f64], share: &mut [f64]) {
    let i = tid();
    atomic_add(&mut total[0], x[i]);
    share[i] = x[i] / total[0];
}
"#,
        expect![[r#"
            no exact gradient: the values of `total` may depend on the order of the threads
              4: total[0]
              5: total[0]
                `total` is read here
              help: read `total` in another kernel that is launched after this one, or mark the kernel `no_grad`
        "#]],
    );
}

/// A sum and an assignment.
#[test]
fn an_atomic_sum_that_is_overwritten() {
    check(
        r#"
fn f(x: &[f64], total: &mut [f64]) {
    let i = tid();
    total[0] = 0.0;
    atomic_add(&mut total[0], x[i]);
}
"#,
        expect![[r#"
            no exact gradient: the values of `total` may depend on the order of the threads
              5: total[0]
              4: total[0]
                `total` is assigned here
              help: set `total` before the launch, or mark the kernel `no_grad`
        "#]],
    );
}

/// Two kinds of atomics on one array.
#[test]
fn a_minimum_and_a_maximum() {
    check(
        r#"
fn f(x: &[f64], range: &mut [f64]) {
    let i = tid();
    atomic_min(&mut range[0], x[i]);
    atomic_max(&mut range[1], x[i]);
}
"#,
        expect![[r#"
            no exact gradient: the values of `range` may depend on the order of the threads
              4: range[0]
              5: range[1]
                `range` is changed in another way here
              help: use one array for each kind of atomic operation, or mark the kernel `no_grad`
        "#]],
    );
}

/// Two kinds of atomics at one element.
#[test]
fn a_sum_and_a_maximum() {
    check(
        r#"
fn f(x: &[f64], y: &mut [f64]) {
    let i = tid();
    atomic_add(&mut y[0], x[i]);
    atomic_max(&mut y[0], x[i] * x[i]);
}
"#,
        expect![[r#"
            no exact gradient: the values of `y` may depend on the order of the threads
              4: y[0]
              5: y[0]
                `y` is changed in another way here
              help: use one array for each kind of atomic operation, or mark the kernel `no_grad`
        "#]],
    );
}

/// The value of a sum before this thread.
#[test]
fn the_result_of_an_atomic_sum() {
    check(
        RESULT,
        expect![[r#"
            no exact gradient: the result of this atomic operation depends on the order of the threads
              4: atomic_add(&mut total[0], x[i])
              5: old
                the gradient depends on it here
              help: read the array in a later launch, or take an index from `tid()`, or mark the kernel `no_grad`
        "#]],
    );
}

/// The same, as a condition on the differentiated path.
#[test]
fn the_result_of_an_atomic_in_a_condition() {
    check(
        r#"
fn f(x: &[f64], most: &mut [f64], y: &mut [f64]) {
    let i = tid();
    if atomic_max(&mut most[0], x[i]) < x[i] {
        y[i] = x[i] * x[i];
    }
}
"#,
        expect![[r#"
            no exact gradient: the result of this atomic operation depends on the order of the threads
              4: atomic_max(&mut most[0], x[i])
              4: atomic_max(&mut most[0], x[i]) < x[i]
                the gradient depends on it here
              help: read the array in a later launch, or take an index from `tid()`, or mark the kernel `no_grad`
        "#]],
    );
}

/// A place for each thread, in the order of their arrival.
#[test]
fn a_place_from_an_atomic_counter() {
    check(
        r#"
fn f(x: &[f64], count: &mut [u32], kept: &mut [f64]) {
    let i = tid();
    if x[i] > 0.0 {
        let place = atomic_add(&mut count[0], 1);
        kept[place as usize] = x[i] * x[i];
    }
}
"#,
        expect![[r#"
            no exact gradient: several threads may assign the same element of `kept`
              6: kept[place as usize]
              6: kept[place as usize]
                another thread may write the same element here
              help: assign `kept` at an index that no other thread uses, such as `kept[tid()]`, or `kept[tid() * n + k]` with `k` below `n`; or mark the kernel `no_grad`
        "#]],
    );
}

/// An integer array that the kernel writes and the derivative needs.
#[test]
fn a_factor_from_an_integer_that_is_overwritten() {
    check(
        r#"
fn f(x: &[f64], steps: &mut [i32], y: &mut [f64]) {
    let i = tid();
    y[i] = x[i] * steps[0] as f64;
    steps[0] = steps[0] + 1;
}
"#,
        expect![[r#"
            no exact gradient: the gradient depends on the value of `steps` here, and the kernel overwrites it
              4: steps[0]
              5: steps[0]
                `steps` is written here
              help: read the value from an array that the kernel does not write to, or mark the kernel `no_grad`
        "#]],
    );
}

/// A loop over a count that all threads change.
#[test]
fn a_number_of_trips_that_is_overwritten() {
    check(
        r#"
fn f(x: &[f64], count: &mut [i32], y: &mut [f64]) {
    let i = tid();
    let mut s = x[i];
    for _ in 0..count[0] {
        s = s * s;
        atomic_add(&mut count[1], 1);
    }
    y[i] = s;
}
"#,
        expect![[r#"
            no exact gradient: the gradient depends on the value of `count` here, and the kernel overwrites it
              5: count[0]
              7: count[1]
                `count` is written here
              help: read the value from an array that the kernel does not write to, or mark the kernel `no_grad`
        "#]],
    );
}

/// An index that is valid only under a condition.
#[test]
fn an_element_that_may_not_exist() {
    check(
        r#"
fn f(x: &[f64], y: &mut [f64]) {
    let i = tid();
    if x[i] > 0.0 {
        y[i - 1] = y[i - 1] * x[i];
    }
    if x[i] > 1.0 {
        y[i - 1] = y[i - 1] + 1.0;
    }
}
"#,
        expect![[r#"
            no exact gradient: the gradient needs this element, but its index may be out of bounds where it is not used
              5: y[i - 1]
              4: x[i] > 0.0
                this condition decides whether the element is used
              help: use the element once before this condition; or compute its index without subtraction; or mark the kernel `no_grad`
        "#]],
    );
}

/// An index of the same value as another one, which overflows on the way where it is not used.
#[test]
fn an_index_that_may_overflow() {
    check(
        r#"
fn f(x: &[f64], y: &mut [f64]) {
    let i = tid();
    if i > 0 && x[i] > 0.0 {
        y[i - 1 + 1] *= x[i];
    }
    y[i] *= 2.0;
}
"#,
        expect![[r#"
            no exact gradient: the gradient needs this element, but its index may be out of bounds where it is not used
              5: y[i - 1 + 1]
              4: i > 0 && x[i] > 0.0
                this condition decides whether the element is used
              help: use the element once before this condition; or compute its index without subtraction; or mark the kernel `no_grad`
        "#]],
    );
}

/// Two elements of a matrix are exchanged.
#[test]
fn a_transposition_in_place() {
    check(
        r#"
fn f(a: &mut Array2<f64>) {
    let (i, j) = tid2();
    let upper = a[[i, j]];
    a[[i, j]] = a[[j, i]];
    a[[j, i]] = upper;
}
"#,
        expect![[r#"
            no exact gradient: a thread may read an element of `a` that another thread writes
              4: a[[i, j]]
              6: a[[j, i]]
                another thread may write the same element here
              help: write to another array; or access `a` at indices that no other thread uses, such as `a[[tid(), k]]`; or mark the kernel `no_grad`
        "#]],
    );
}

/// Rows that overlap by one element.
#[test]
fn rows_that_overlap() {
    check(
        r#"
fn f(#[shape(dim0 * 4)] y: &mut [f64]) {
    let i = tid();
    for k in 0..5 {
        y[i * 4 + k] = y[i * 4 + k] * y[i * 4 + k];
    }
}
"#,
        expect![[r#"
            no exact gradient: a thread may read an element of `y` that another thread writes
              5: y[i * 4 + k]
              5: y[i * 4 + k]
                another thread may write the same element here
              help: write to another array; or access `y` at an index that no other thread uses, such as `y[tid()]`, or `y[tid() * n + k]` with `k` below `n`; or mark the kernel `no_grad`
        "#]],
    );
}

/// An array is reversed in place.
#[test]
fn a_mirrored_element() {
    check(
        r#"
fn f(a: &mut [f64]) {
    let i = tid();
    let j = a.len() - 1 - i;
    let first = a[i];
    a[i] = a[j] * 2.0;
    a[j] = first;
}
"#,
        expect![[r#"
            no exact gradient: a thread may read an element of `a` that another thread writes
              5: a[i]
              7: a[j]
                another thread may write the same element here
              help: write to another array; or access `a` at an index that no other thread uses, such as `a[tid()]`, or `a[tid() * n + k]` with `k` below `n`; or mark the kernel `no_grad`
        "#]],
    );
}

/// Additions that get lost, because they are not atomic.
#[test]
fn a_plain_addition_by_several_threads() {
    check(
        r#"
fn f(x: &[f64], cell: &[u32], y: &mut [f64]) {
    let i = tid();
    y[cell[i] as usize] += x[i];
}
"#,
        expect![[r#"
            no exact gradient: several threads may add to the same element of `y`, and lose additions
              4: y[cell[i] as usize]
              4: y[cell[i] as usize]
                another thread may add to the same element here
              help: use `atomic_add` or `atomic_sub`; or add to `y` at an index that no other thread uses, such as `y[tid()]`, or `y[tid() * n + k]` with `k` below `n`; or say at `cell` that no two of its elements are equal, by `#[domain(permutation)]` or `#[domain(a..b, distinct)]`, or that they ascend, by `#[domain(a..b, offsets)]`; or mark the kernel `no_grad`
        "#]],
    );
}

/// A value that is replaced twice.
#[test]
fn a_softmax_in_place() {
    check(
        r#"
fn f(#[shape(dim0, 8)] y: &mut Array2<f64>) {
    let i = tid();
    let n = y.shape()[1];
    let mut sum = 0.0;
    for k in 0..n {
        y[[i, k]] = y[[i, k]].exp();
        sum += y[[i, k]];
    }
    for k in 0..n {
        y[[i, k]] /= sum;
    }
}
"#,
        expect![[r#"
            no exact gradient: the gradient depends on the value of `y` here, which is neither its first nor its last
              8: y[[i, k]]
              7: y[[i, k]]
                a write here may reach the same element before it
              help: write each element of `y` once: compute in a local variable, and assign it at the end; or put the second part into another kernel; or mark the kernel `no_grad`
        "#]],
    );
}

/// An element at an index that changes.
#[test]
fn an_index_that_changes() {
    check(
        r#"
fn f(x: &[f64], y: &mut [f64]) {
    let mut place = tid();
    while place < x.len() {
        y[place] = y[place] * x[place];
        place += 32;
    }
}
"#,
        expect![[r#"
            no exact gradient: a thread may read an element of `y` that another thread writes
              5: y[place]
              5: y[place]
                another thread may write the same element here
              help: write to another array; or access `y` at an index that no other thread uses, such as `y[tid()]`, or `y[tid() * n + k]` with `k` below `n`; or mark the kernel `no_grad`
        "#]],
    );
}

/// An integer array that is written, as an index.
#[test]
fn an_integer_of_another_thread_as_an_index() {
    check(
        r#"
fn f(x: &[f64], next: &mut [u32], y: &mut [f64]) {
    let i = tid();
    y[i] = x[next[i] as usize] * x[i];
    next[(i + 1) % x.len()] = 0;
}
"#,
        expect![[r#"
            no exact gradient: the gradient depends on the value of `next` here, and the kernel overwrites it
              4: next[i]
              5: next[(i + 1) % x.len()]
                `next` is written here
              help: read the value from an array that the kernel does not write to, or mark the kernel `no_grad`
        "#]],
    );
}

/// The value of a sum, passed on unchanged. Its derivative is that of the other threads' terms.
#[test]
fn the_result_of_an_atomic_sum_as_it_is() {
    check(
        r#"
fn f(x: &[f64], total: &mut [f64], before: &mut [f64]) {
    let i = tid();
    before[i] = atomic_add(&mut total[0], x[i]);
}
"#,
        expect![[r#"
            no exact gradient: the result of this atomic operation depends on the order of the threads
              4: atomic_add(&mut total[0], x[i])
              4: before[i]
                the gradient depends on it here
              help: read the array in a later launch, or take an index from `tid()`, or mark the kernel `no_grad`
        "#]],
    );
}

/// All threads assign one result, and the last one wins.
#[test]
fn a_result_that_all_threads_assign() {
    check(
        "\nfn f(x: &[f64], y: &mut [f64]) {\n    y[0] = x[tid()] * x[tid()];\n}\n",
        expect![[r#"
            no exact gradient: several threads may assign the same element of `y`
              3: y[0]
              3: y[0]
                another thread may write the same element here
              help: assign `y` at an index that no other thread uses, such as `y[tid()]`, or `y[tid() * n + k]` with `k` below `n`; or in one thread alone, under `if tid() == 0 { … }`; or mark the kernel `no_grad`
        "#]],
    );
}

/// Assignments at the thread's own index and at another.
#[test]
fn two_assignments_that_may_meet() {
    check(
        r#"
fn f(x: &[f64], y: &mut [f64]) {
    let i = tid();
    y[i] = x[i];
    y[i / 2] = x[i] * x[i];
}
"#,
        expect![[r#"
            no exact gradient: several threads may assign the same element of `y`
              5: y[i / 2]
              4: y[i]
                another thread may write the same element here
              help: assign `y` at an index that no other thread uses, such as `y[tid()]`, or `y[tid() * n + k]` with `k` below `n`; or mark the kernel `no_grad`
        "#]],
    );
}
