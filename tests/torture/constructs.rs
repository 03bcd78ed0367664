//! Torture: state in structs, local arrays and tuples; `match` and labels in differentiated loops; functions that change what
//! they are lent; generic functions; optional arrays. Other systems lack most of these, so only the tests of this suite judge
//! these kernels.

use kernel_rt::prelude::*;

/// Position and speed.
#[device]
#[derive(Clone, Copy)]
struct State {
    p: f64,
    v: f64,
}

/// Two states, one of which drives the other.
#[device]
#[derive(Clone, Copy)]
struct Pair {
    first: State,
    second: State,
    share: f64,
}

/// A particle.
#[device]
#[derive(Clone, Copy)]
struct Particle {
    place: DVec3,
    mass: f64,
}

/// A field of a struct that every trip overwrites, and then the other one.
#[kernel(family = "torture")]
fn field_overwritten(
    #[domain(2..7)] trips: i32,
    #[domain(0.2..0.8)] k: &[f64],
    #[domain(0.5..1.5)] x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let mut s = State { p: x[i], v: 0.3 };
    for _ in 0..trips {
        s.v = s.v * s.p - k[i] * s.p;
        s.p += 0.2 * s.v * s.v;
        s.v *= 0.5;
    }
    y[i] = s.p * s.v;
}

/// A struct that is copied, and then changed.
#[kernel(family = "torture")]
fn struct_copied_then_changed(#[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut a = State { p: x[i], v: x[i] * x[i] };
    let b = a;
    a.p = a.v * b.p;
    a.v = a.p * a.p;
    y[i] = a.p * b.v + a.v * b.p;
}

/// Two structs that change places in each trip.
#[kernel(family = "torture")]
fn structs_swapped(#[domain(2..7)] trips: i32, #[domain(0.5..1.2)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut a = State { p: x[i], v: 0.5 };
    let mut b = State { p: 0.7, v: x[i] * 0.3 };
    for _ in 0..trips {
        let old = a;
        a = State { p: b.p * old.v, ..b };
        b = State { p: old.p + 0.1 * a.p, v: old.v * 0.9 };
    }
    y[i] = a.p * b.v + b.p * a.v;
}

/// A field of a struct in a struct.
#[kernel(family = "torture")]
fn nested_fields(#[domain(1..5)] trips: i32, #[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut pair = Pair { first: State { p: x[i], v: 0.4 }, second: State { p: 0.6, v: 0.1 * x[i] }, share: 0.5 };
    for _ in 0..trips {
        pair.second.v += pair.share * pair.first.p * pair.second.p;
        pair.first.p = pair.second.v * pair.first.v;
        pair.second = State { p: pair.first.p, ..pair.second };
        pair.share *= pair.share;
    }
    y[i] = pair.first.p + pair.second.v * pair.second.p;
}

/// Elements that are structs, updated in place, with a field that reads another one.
#[kernel(family = "torture")]
fn struct_elements_in_place(
    #[domain(1..5)] trips: i32,
    #[domain(0.2..0.5)] dt: f64,
    #[domain(0.5..1.2)] s: &mut [State],
) {
    let i = tid();
    for _ in 0..trips {
        s[i].v -= dt * s[i].p * s[i].p;
        s[i].p += dt * s[i].v;
    }
}

/// A vector in an element that is a struct, changed by component.
#[kernel(family = "torture")]
fn component_of_a_field(#[domain(0.5..1.5)] x: &[f64], #[domain(0.5..1.5)] bodies: &mut [Particle]) {
    let i = tid();
    bodies[i].place.y = bodies[i].place.x * x[i];
    bodies[i].place.x *= bodies[i].place.y * bodies[i].mass;
    bodies[i].mass = bodies[i].place.length_squared();
}

/// Sums into fields of shared elements.
#[kernel(family = "torture")]
fn sums_into_fields(
    #[domain(0.5..1.5)] x: &[f64],
    #[domain(0..2)] cell: &[u32],
    #[shape(2)]
    #[domain(0.0..1.0)]
    cells: &mut [State],
) {
    let i = tid();
    let k = cell[i] as usize;
    atomic_add(&mut cells[k].p, x[i] * x[i]);
    atomic_sub(&mut cells[k].v, x[i].sin());
}

/// A struct as a parameter, which all threads read.
#[kernel(family = "torture")]
fn struct_parameter(#[domain(0.5..1.5)] spring: State, #[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut s = spring;
    s.p *= x[i];
    y[i] = s.p * s.v + spring.p;
}

#[device]
fn larger(a: State, b: State) -> State {
    if a.p > b.p { State { v: a.v * b.p, ..a } } else { State { p: b.p * a.p, ..b } }
}

/// A struct that a function returns from one of two branches.
#[kernel(family = "torture")]
fn struct_from_a_branch(#[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let a = State { p: x[i], v: 2.0 * x[i] };
    let b = State { p: 1.0, v: x[i] * x[i] };
    let c = larger(a, b);
    y[i] = c.p * c.v;
}

/// A ring of three numbers as the state of a loop.
#[kernel(family = "torture")]
fn ring(#[domain(3..9)] trips: usize, #[domain(0.4..0.9)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut a = [x[i], 0.5 * x[i], 0.3];
    for t in 0..trips {
        a[(t + 1) % 3] = a[t % 3] * a[(t + 2) % 3] + 0.2 * a[(t + 1) % 3] * a[(t + 1) % 3];
    }
    y[i] = a[0] + a[1] * a[2];
}

/// A delay line, which a loop inside of a loop moves.
#[kernel(family = "torture")]
fn delay_line(#[domain(2..6)] trips: i32, #[domain(0.4..0.9)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut line = [0.0; 4];
    let mut input = x[i];
    for _ in 0..trips {
        for k in (1..4).rev() {
            line[k] = line[k - 1];
        }
        line[0] = input;
        input = input * 0.8 + 0.3 * line[1] * line[3];
    }
    y[i] = line[0] * line[2] + line[1] + input;
}

/// An insertion sort, whose swaps depend on the values.
#[kernel(family = "torture")]
fn sorted(#[domain(-1.0..1.0)] x: &[DVec3], y: &mut [f64]) {
    let i = tid();
    let mut a = [x[i].x, x[i].y, x[i].z, x[i].x * x[i].y];
    for k in 1..4 {
        let mut j = k;
        while j > 0 && a[j - 1] > a[j] {
            let t = a[j];
            a[j] = a[j - 1];
            a[j - 1] = t;
            j -= 1;
        }
    }
    y[i] = a[0] + 2.0 * a[1] + 3.0 * a[2] * a[3];
}

/// Elements of a local array that data selects.
#[kernel(family = "torture")]
fn bins(#[domain(0..4)] bin: &[u32], #[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut sums = [0.1; 4];
    for k in 0..x.len() {
        sums[bin[k] as usize] += x[k] * x[i];
    }
    y[i] = sums[0] * sums[1] + sums[2] * sums[3];
}

/// A local array that a trip overwrites before it leaves the loop.
#[kernel(family = "torture")]
fn array_and_break(#[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut a = [x[i], 1.0];
    for k in 0..20 {
        a[0] *= a[1];
        a[1] = 0.9 * a[1] * x[i];
        if a[0] > 3.0 || k > 6 {
            break;
        }
        a[0] += 0.3 * a[1];
    }
    y[i] = a[0] + a[1];
}

/// A local array of vectors.
#[kernel(family = "torture")]
fn array_of_vectors(#[domain(1..4)] trips: i32, #[domain(0.3..0.9)] x: &[DVec3], y: &mut [DVec3]) {
    let i = tid();
    let mut a = [x[i], DVec3::new(0.1, 0.2, 0.3)];
    for _ in 0..trips {
        a[1] = a[0].cross(a[1]) + a[0];
        a[0].y = a[1].x * a[0].z;
    }
    y[i] = a[0] + a[1];
}

/// Weights that a parameter decides, read at indices of a loop.
#[kernel(family = "torture")]
fn window(#[domain(0.2..0.8)] width: f64, #[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut w = [0.0; 5];
    let mut total = 0.0;
    for k in 0..5 {
        let d = (k as f64 - 2.0) / width;
        w[k] = (-0.1 * d * d).exp();
        total += w[k];
    }
    let mut sum = 0.0;
    for k in 0..5 {
        sum += w[k] / total * x[(i + k) % x.len()];
    }
    y[i] = sum * sum;
}

/// Two variables that take each other's values.
#[kernel(family = "torture")]
fn tuple_swap(#[domain(2..8)] trips: i32, #[domain(0.5..1.2)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let (mut a, mut b) = (x[i], 0.5);
    for _ in 0..trips {
        (a, b) = (b, a * b + 0.2);
    }
    y[i] = a * a + b;
}

/// Three variables in turn, of which one is changed.
#[kernel(family = "torture")]
fn tuple_rotation(#[domain(2..8)] trips: i32, #[domain(0.5..1.2)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let (mut a, mut b, mut c) = (x[i], x[i] * x[i], 0.3);
    for _ in 0..trips {
        (a, b, c) = (b, c + 0.1 * a * b, a);
        a *= 0.9;
    }
    y[i] = a + b * c;
}

#[device]
fn polar(v: DVec2) -> (f64, f64) {
    (v.length(), v.y.atan2(v.x))
}

/// Both results of a function, one of them twice.
#[kernel(family = "torture")]
fn two_results(#[domain(0.5..1.5)] x: &[DVec2], y: &mut [f64]) {
    let i = tid();
    let (r, angle) = polar(x[i]);
    let (s, _) = polar(DVec2::new(angle, r));
    y[i] = r * angle + s * r;
}

/// A tuple from one of two branches.
#[kernel(family = "torture")]
fn tuple_from_a_branch(#[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let (u, v) = if x[i] > 1.0 { (x[i], x[i] * x[i]) } else { (x[i] * 3.0, 0.5) };
    y[i] = u * v + u;
}

/// A `match` with several forms of patterns, in each trip.
#[kernel(family = "torture")]
fn match_in_a_loop(#[domain(0..8)] kind: &[i32], #[domain(0.5..1.2)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut s = x[i];
    for k in 0..kind.len() {
        match kind[k] {
            0 => s *= 0.9,
            1 | 2 => s = 0.3 * s * s + 0.5,
            3..=5 => {
                let t = s.sin();
                s = t * s + 0.2;
            }
            _ => s += 0.1 * x[k],
        }
    }
    y[i] = s;
}

/// A `match` with guards, as a value.
#[kernel(family = "torture")]
fn match_with_guards(#[domain(0..6)] kind: &[i32], #[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let f = match kind[i] {
        n if n % 2 == 0 && x[i] > 1.0 => x[i] * x[i],
        n if n > 3 => x[i].sqrt(),
        1 | 3 => 1.0 / x[i],
        _ => x[i].exp(),
    };
    y[i] = f * x[i];
}

/// A `match` that leaves the loop.
#[kernel(family = "torture")]
fn match_and_break(#[domain(0..5)] kind: &[i32], #[domain(0.5..1.2)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut s = x[i];
    for k in 0..kind.len() {
        let factor = match kind[k] {
            4 => break,
            3 => continue,
            n => 0.5 + 0.1 * n as f64,
        };
        s = factor * s * s + 0.3;
    }
    y[i] = s;
}

/// A `break` out of two loops.
#[kernel(family = "torture")]
fn break_of_both(#[domain(0.5..1.2)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut s = x[i];
    'rows: for j in 0..4 {
        for k in 0..3 {
            s = 0.6 * s * s + 0.4;
            if s > 0.9 && j + k > 2 {
                break 'rows;
            }
        }
        s *= x[j % x.len()];
    }
    y[i] = s;
}

/// A `continue` of the outer loop.
#[kernel(family = "torture")]
fn continue_of_the_outer(#[domain(0.5..1.2)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let (mut s, mut sum) = (x[i], 0.0);
    'rows: for j in 0..4 {
        for k in 0..3 {
            s = 0.6 * s * s + 0.3;
            if k > j % 2 {
                continue 'rows;
            }
        }
        sum += s;
    }
    y[i] = sum + s;
}

#[device]
fn advance(p: &mut f64, v: &mut f64, dt: f64) {
    *v -= dt * *p * *p;
    *p += dt * *v;
}

/// Variables that a function changes, in a loop.
#[kernel(family = "torture")]
fn lent_variables(
    #[domain(1..6)] trips: i32,
    #[domain(0.1..0.4)] dt: f64,
    #[domain(0.5..1.2)] x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let (mut p, mut v) = (x[i], 0.2);
    for _ in 0..trips {
        advance(&mut p, &mut v, dt);
        let old = p;
        advance(&mut v, &mut p, 0.5 * dt * old);
    }
    y[i] = p * v;
}

#[device]
fn twice_advanced(p: &mut f64, v: &mut f64) {
    advance(p, v, 0.2);
    advance(v, p, 0.1);
}

/// A function that lends on what it was lent: elements of two arrays.
#[kernel(family = "torture")]
fn lent_elements(#[domain(0.5..1.2)] p: &mut [f64], #[domain(0.5..1.2)] v: &mut [f64]) {
    let i = tid();
    twice_advanced(&mut p[i], &mut v[i]);
    v[i] *= p[i];
}

#[device]
fn blend(values: &mut [f64; 3], share: f64) -> f64 {
    let first = values[0];
    for k in 0..2 {
        values[k] = (1.0 - share) * values[k] + share * values[k + 1] * values[k];
    }
    values[2] *= first;
    values[1]
}

/// A local array that a function changes and reads, in a loop.
#[kernel(family = "torture")]
fn lent_local_array(#[domain(1..5)] trips: i32, #[domain(0.5..1.2)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut a = [x[i], 0.5, x[i] * x[i]];
    let mut s = 0.2;
    for _ in 0..trips {
        s = blend(&mut a, s) * 0.5;
    }
    y[i] = a[0] * a[1] + a[2] * s;
}

#[device]
fn absorb(row: &[f64], into: &mut f64) {
    for k in 0..row.len() {
        *into = *into * row[k] + 0.1 * row[k] * row[k];
    }
}

/// A row that a function folds into an element, which it reads and changes.
#[kernel(family = "torture")]
fn row_into_an_element(
    #[domain(0.5..1.2)]
    #[shape(dim0, 3)]
    m: &Array2<f64>,
    #[domain(0.5..1.2)] y: &mut [f64],
) {
    let i = tid();
    absorb(m.row(i), &mut y[i]);
    y[i] *= m[[i, 2]];
}

#[device]
fn inner(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 0..a.len() {
        sum += a[k] * b[k];
    }
    sum
}

/// Rows and ranges that overlap.
#[kernel(family = "torture")]
fn overlapping_ranges(
    #[domain(0.5..1.5)]
    #[shape(dim0 + 2)]
    x: &[f64],
    #[domain(0.5..1.5)]
    #[shape(dim0, 2)]
    m: &Array2<f64>,
    y: &mut [f64],
) {
    let i = tid();
    let a = &x[i..i + 2];
    let b = &x[i + 1..i + 3];
    y[i] = inner(a, b) * inner(m.row(i), a);
}

#[device]
fn logistic<T: Float>(x: T, rate: T) -> T {
    let mut s = x;
    for _ in 0..5 {
        s = rate * s * (T::ONE - s) + T::lit(0.05) * x;
    }
    s
}

/// One generic function in both precisions.
#[kernel(family = "torture")]
fn generic_in_f64_and_f32(#[domain(0.2..0.8)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let coarse = logistic(0.5f32, 2.5) as f64;
    y[i] = logistic(x[i], 2.5) * coarse;
}

#[device]
fn horner<T: Float, const N: usize>(c: &[T; N], x: T) -> T {
    let mut sum = T::ZERO;
    for k in 0..N {
        sum = sum * x + c[N - 1 - k];
    }
    sum
}

/// Polynomials of two degrees by one function.
#[kernel(family = "torture")]
fn generic_lengths(#[domain(0.2..0.8)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let short = [0.5, x[i]];
    let long = [x[i], 0.3, x[i] * x[i], 0.1];
    y[i] = horner(&short, x[i]) * horner(&long, x[i]);
}

#[device]
fn iterate(f: impl Fn(f64, f64) -> f64, x: f64, trips: i32) -> f64 {
    let mut s = x;
    for _ in 0..trips {
        s = f(s, x);
    }
    s
}

#[device]
fn newton(s: f64, x: f64) -> f64 {
    0.5 * (s + x / s)
}

#[device]
fn cosine(s: f64, x: f64) -> f64 {
    (s * x).cos()
}

/// Functions as arguments of one that iterates them.
#[kernel(family = "torture")]
fn passed_functions(#[domain(1..5)] trips: i32, #[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    y[i] = iterate(newton, x[i], trips) * iterate(cosine, x[i], trips);
}

/// An array that may be absent, and changes what is computed.
#[kernel(family = "torture")]
fn optional_weights(#[domain(0.5..1.5)] weights: Option<&[f64]>, #[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut s = x[i] * x[i];
    if let Some(w) = weights {
        s = s * w[i] + w[i] * w[i];
    }
    y[i] = s * x[i];
}

/// An output that may be absent.
#[kernel(family = "torture")]
fn optional_output(#[domain(0.5..1.5)] x: &[f64], y: &mut [f64], #[domain(0.5..1.5)] energy: Option<&mut [f64]>) {
    let i = tid();
    let s = x[i].sin() * x[i];
    y[i] = s;
    if let Some(e) = energy {
        e[i] += 0.5 * s * s;
    }
}

/// Random draws that decide which way a value goes.
#[kernel(family = "torture")]
fn random_ways(seed: i32, #[domain(2..7)] trips: i32, #[domain(0.5..1.2)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut rng = rand_init(seed, i as i32);
    let mut s = x[i];
    for _ in 0..trips {
        if randf(&mut rng) > 0.5 {
            s = 0.7 * s * s + 0.2;
        } else {
            s *= randf_range(&mut rng, 0.8, 1.1) as f64;
        }
    }
    y[i] = s;
}

/// A vector of six numbers as the state of a loop, by component and as a whole.
#[kernel(family = "torture")]
fn large_vector(#[domain(1..5)] trips: i32, #[domain(0.5..1.2)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut s = Vector::<f64, 6>::splat(0.2);
    s[0] = x[i];
    for t in 0..trips {
        let k = t as usize % 5;
        s[k + 1] += s[k] * s[k];
        s = s * 0.9 + Vector::<f64, 6>::splat(0.05 * s[5]);
    }
    y[i] = s.dot(s);
}

/// Matrices that are not square.
#[kernel(family = "torture")]
fn oblong_matrices(#[domain(0.5..1.2)] a: &[Matrix<f64, 2, 3>], #[domain(0.5..1.2)] v: &[DVec3], y: &mut [f64]) {
    let i = tid();
    let w = a[i] * v[i];
    let back = a[i].transpose() * w;
    y[i] = back.dot(v[i]) + w.x;
}

/// Vectors and components of vectors under atomic sums.
#[kernel(family = "torture")]
fn vectors_under_sums(#[domain(0..2)] cell: &[u32], #[domain(0.5..1.2)] x: &[DVec3], #[shape(2)] sums: &mut [DVec3]) {
    let i = tid();
    let k = cell[i] as usize;
    atomic_add(&mut sums[k], x[i] * x[i].x);
    atomic_sub(&mut sums[k].z, x[i].y * x[i].y);
}

/// Integers of 8 bits scale floats, and index the arrays of a loop.
#[kernel(family = "torture")]
fn quantised(
    #[domain(-20..20)] q: &[i8],
    #[domain(0.02..0.1)] scale: f64,
    #[domain(0.5..1.2)] x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let mut s = x[i];
    for k in 0..q.len() {
        s = s * 0.8 + scale * q[k] as f64 * x[k] * s;
    }
    y[i] = s;
}

super::torture! {
    /// fields of a local struct overwritten in a loop
    field_overwritten;
    /// a struct copied, then changed
    struct_copied_then_changed;
    /// structs that change places in a loop
    structs_swapped;
    /// fields of structs in structs
    nested_fields;
    /// elements that are structs, in place
    struct_elements_in_place;
    /// a component of a field of an element
    component_of_a_field;
    /// sums into fields of shared elements
    sums_into_fields.over(5);
    /// a struct as a parameter
    struct_parameter;
    /// a struct from a branch in a function
    struct_from_a_branch;
    /// a ring of numbers as the state of a loop
    ring;
    /// a delay line in a loop
    delay_line;
    /// an insertion sort
    sorted;
    /// sums in bins that data selects
    bins.over(5);
    /// a local array and a `break`
    array_and_break;
    /// a local array of vectors
    array_of_vectors;
    /// normalised weights in a local array
    window.over(5);
    /// two variables swapped in a loop
    tuple_swap;
    /// three variables rotated in a loop
    tuple_rotation;
    /// two results of a function
    two_results;
    /// a tuple from a branch
    tuple_from_a_branch;
    /// `match` in a loop
    match_in_a_loop.over(6);
    /// `match` with guards
    match_with_guards.over(6);
    /// `match` that leaves a loop
    match_and_break.over(6);
    /// `break` out of two loops
    break_of_both;
    /// `continue` of the outer loop
    continue_of_the_outer;
    /// variables that a function changes
    lent_variables;
    /// elements that a function lends on
    lent_elements;
    /// a local array that a function changes
    lent_local_array;
    /// a row folded into an element
    row_into_an_element;
    /// ranges that overlap
    overlapping_ranges;
    /// a generic function in f64 and f32
    generic_in_f64_and_f32;
    /// arrays of two lengths
    generic_lengths;
    /// functions as arguments
    passed_functions;
    /// an optional input
    optional_weights;
    /// an optional output
    optional_output;
    /// random draws that choose branches
    random_ways;
    /// a vector of six numbers in a loop
    large_vector;
    /// matrices that are not square
    oblong_matrices;
    /// vectors under atomic sums
    vectors_under_sums.over(5);
    /// integers of 8 bits
    quantised.over(4);
}
