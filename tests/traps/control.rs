//! Traps: which statements run, and which do not.

use super::trap;
use kernel_rt::prelude::*;

/// `&&` and `||` do not look at their second operand where the first decides.
#[kernel(family = "traps")]
fn guarded_logic(x: &[f32], peak: &mut [i32]) {
    let i = tid();
    let n = x.len();
    let rises = i == 0 || x[i - 1] < x[i];
    let falls = i + 1 == n || x[i + 1] < x[i];
    let last_falls = !(i + 1 < n && !(x[i + 1] < x[i]));
    peak[i] = if rises && falls && last_falls { 1 } else { 0 };
}

#[test]
fn logic_guards_an_index() {
    trap("guarded_logic", 5).input(&[2.0f32, 1.0, 3.0, 3.5, 4.0]).output([1, 0, 0, 0, 1]).spring();
    trap("guarded_logic", 1).input(&[2.0f32]).output([1]).spring();
}

/// Of an `if` that gives a value only one side is evaluated.
#[kernel(family = "traps")]
fn guarded_select(x: &[i32], #[domain(0..3)] divisor: &[i32], left: &mut [i32], ratio: &mut [i32]) {
    let i = tid();
    left[i] = if i > 0 { x[i - 1] } else { -1 } + if i + 2 < x.len() { x[i + 2] } else { 0 };
    ratio[i] = if divisor[i] != 0 && x[i] / divisor[i] > 1 { x[i] / divisor[i] } else { 100 };
}

#[test]
fn a_select_guards_an_index_and_a_division() {
    trap("guarded_select", 4)
        .input(&[10, 20, 30, 40])
        .input(&[0, 5, 0, 30])
        .output([29, 50, 20, 30])
        .output([100, 4, 100, 100])
        .spring();
}

/// A loop ends before its condition looks beyond the end.
#[kernel(family = "traps")]
fn guarded_while(#[domain(0..2)] x: &[i32], run: &mut [i32]) {
    let i = tid();
    let mut end = i;
    while end < x.len() && x[end] == x[i] {
        end += 1;
    }
    run[i] = (end - i) as i32;
}

#[test]
fn a_condition_guards_an_index() {
    trap("guarded_while", 6).input(&[1, 1, 1, 0, 0, 1]).output([3, 2, 1, 2, 1, 1]).spring();
}

/// A list is followed until it does not go up any more.
#[kernel(family = "traps")]
fn while_on_data(#[domain(0..dim0)] next: &[u32], length: &mut [u32]) {
    let i = tid();
    let mut at = i;
    let mut steps = 0;
    while next[at] as usize > at {
        at = next[at] as usize;
        steps += 1;
    }
    length[i] = steps;
}

#[test]
fn a_while_may_depend_on_what_it_reads() {
    trap("while_on_data", 5).input(&[2u32, 0, 4, 4, 1]).output([2u32, 0, 1, 1, 0]).spring();
}

/// Branches that are expressions, in one another, with locals of their own.
#[kernel(family = "traps")]
fn block_values(#[domain(-9..9)] x: &[i32], out: &mut [i32]) {
    let i = tid();
    let y = if x[i] > 2 {
        let t = x[i] - 2;
        if t % 2 == 0 {
            t * t
        } else {
            let u = t + 1;
            u * 10
        }
    } else if x[i] < -2 {
        let t = -x[i];
        t * 100
    } else {
        0
    };
    let z = {
        let y = y + 1;
        y * 2
    };
    out[i] = y + z;
}

#[test]
fn blocks_have_values() {
    trap("block_values", 4).input(&[6, 5, -3, 1]).output([50, 122, 902, 2]).spring();
}

/// A thread ends inside two loops.
#[kernel(family = "traps")]
fn early_return(#[domain(0..20)] wanted: &[i32], row: &mut [i32], col: &mut [i32]) {
    let i = tid();
    row[i] = -1;
    for r in 0..5 {
        for c in 0..r + 1 {
            if r * r + c == wanted[i] {
                row[i] = r;
                col[i] = c;
                return;
            }
        }
        if r > 3 {
            return;
        }
    }
    row[i] = -2;
}

#[test]
fn a_return_leaves_every_loop() {
    trap("early_return", 4).input(&[0, 11, 8, 20]).output([0, 3, -1, 4]).output([0, 2, 0, 4]).spring();
}

/// `break` and `continue` belong to the innermost loop.
#[kernel(family = "traps")]
fn break_continue(#[domain(0..9)] n: &[i32], out: &mut [i32], trips: &mut [i32]) {
    let i = tid();
    let mut sum = 0;
    let mut count = 0;
    for a in 0..n[i] {
        if a == 1 {
            continue;
        }
        let mut b = 0;
        while b < 10 {
            b += 1;
            if b % 3 == 0 {
                continue;
            }
            if b > a + 4 {
                break;
            }
            sum += a * 10 + b;
        }
        loop {
            count += 1;
            if count % 4 == 0 {
                break;
            }
        }
        if a == 6 {
            break;
        }
    }
    out[i] = sum;
    trips[i] = count;
}

#[test]
fn break_and_continue_belong_to_the_innermost_loop() {
    let n = [0, 1, 2, 5, 20];
    let run = |n: i32| {
        let (mut sum, mut count) = (0, 0);
        for a in (0..n).take_while(|a| *a <= 6).filter(|a| *a != 1) {
            sum += (1..=10).filter(|b| b % 3 != 0).take_while(|b| *b <= a + 4).map(|b| a * 10 + b).sum::<i32>();
            count += 4;
        }
        (sum, count)
    };
    trap("break_continue", n.len()).input(&n).output(n.map(|n| run(n).0)).output(n.map(|n| run(n).1)).spring();
}

/// A variable gets its only value in one branch or the other.
#[kernel(family = "traps")]
fn deferred_let(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let scale;
    if x[i] > 0.0 {
        scale = 2.0;
    } else if x[i] < 0.0 {
        scale = -3.0;
    } else {
        out[i] = 7.0;
        return;
    }
    let mut total = 0.0;
    for j in 0..3 {
        let term;
        if j == 1 {
            term = 100.0;
        } else {
            term = scale * x[i];
        }
        total += term;
    }
    out[i] = total;
}

#[test]
fn a_let_may_wait_for_its_value() {
    trap("deferred_let", 3).input(&[1.0f32, -1.0, 0.0]).output([104.0f32, 106.0, 7.0]).spring();
}

/// Variables begin with constants and change in loops and branches; a copy stays what it was.
#[kernel(family = "traps")]
fn loop_state(
    #[domain(1..9)] n: &[i32],
    fibonacci: &mut [i32],
    found: &mut [i32],
    moved: &mut [f32],
    corner: &mut [Vec2],
) {
    let i = tid();
    let mut a = 0;
    let mut b = 1;
    let mut seen = false;
    let mut at = -1;
    for j in 0..n[i] {
        let old = a;
        a = b;
        b += old;
        if !seen && b > 4 {
            seen = true;
            at = j;
        }
    }
    fibonacci[i] = a;
    found[i] = if seen { at } else { -5 };
    let mut v = Vec2::new(1.0, 2.0);
    let before = v;
    let mut w = before;
    for _ in 0..3 {
        let t = v;
        v.x += 1.0;
        v.y = t.x * 10.0;
        w = t;
    }
    moved[i] = before.x + before.y * 0.5 + w.x * 1000.0;
    corner[i] = v;
    corner[i].x -= w.y;
}

#[test]
fn copies_stay_what_they_were() {
    use kernel_rt::prelude::Vec2;
    trap("loop_state", 3)
        .input(&[1, 4, 9])
        .output([1, 3, 34])
        .output([-5, 3, 3])
        .output([3002.0f32; 3])
        .output([Vec2::new(4.0 - 20.0, 30.0); 3])
        .spring();
}
