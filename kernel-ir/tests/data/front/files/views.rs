//- rows by name and as arguments
#[device]
fn largest(x: &[f32]) -> f32 {
    let mut most = x[0];
    for k in 1..x.len() {
        most = most.max(x[k]);
    }
    most
}
#[kernel]
fn k(m: &Array2<f32>, cube: &Array3<f32>, y: &mut [f32]) {
    let i = tid();
    let r = m.row(i);
    for k in 0..r.len() {
        y[i] += r[k];
    }
    y[i] -= largest(r) + largest(m.row(i + 1)) + largest(cube.row(i, 2));
}

//- ranges: of arrays, of rows, of ranges; open ends; what a loop proves is not checked
#[device]
fn sum(x: &[f32]) -> f32 {
    let mut sum = 0.0;
    for k in 0..x.len() {
        sum += x[k];
    }
    sum
}
#[device]
fn ends(x: &[f32]) -> f32 {
    sum(&x[1..]) * x[x.len() - 1]
}
#[kernel]
fn k(starts: &[u32], x: &[f32], m: &Array2<f32>, y: &mut [f32]) {
    let i = tid();
    let (a, b) = (starts[i] as usize, starts[i + 1] as usize);
    let s = &x[a..b];
    y[i] = s[0] + sum(&s[1..s.len() - 1]) + sum(&x[..b]) + ends(&x[a..]) + sum(&x[..]) + sum(&m.row(i)[2..=5]);
}

//- a function over a part calls functions, also in conditions and for values that are not needed
#[device]
fn at(x: &[f32], k: usize) -> f32 {
    x[k]
}
#[device]
fn count(x: &[f32], other: &[f32]) -> u32 {
    let mut k = 0;
    while k < x.len() && at(x, k) > at(other, k) {
        k += 1;
    }
    if at(x, 0) > 0.0 { 1 } else { k as u32 }
}
#[kernel]
fn k(x: &[f32], other: &[f32], y: &mut [u32]) {
    let i = tid();
    y[i] = count(&x[i..i + 4], other);
}

//- rows that a function changes, and that the kernel changes
#[device]
fn divide_by_sum(row: &mut [f32]) {
    let mut sum = 0.0;
    for k in 0..row.len() {
        sum += row[k];
    }
    for k in 0..row.len() {
        row[k] /= sum;
    }
}
#[kernel]
fn k(m: &mut Array2<f32>, y: &mut [f32]) {
    let i = tid();
    divide_by_sum(m.row_mut(i));
    let r = m.row_mut(i);
    r[0] = 1.0;
    r[1] += r[0];
    divide_by_sum(&mut y[2 * i..2 * i + 2]);
}

//- local arrays
#[device]
fn sort(a: &mut [f32; 4], order: &mut [usize]) {
    for i in 1..a.len() {
        let mut j = i;
        while j > 0 && a[j - 1] > a[j] {
            (a[j - 1], a[j]) = (a[j], a[j - 1]);
            (order[j - 1], order[j]) = (order[j], order[j - 1]);
            j -= 1;
        }
    }
}
#[device]
fn middle(a: &[f32]) -> f32 {
    a[a.len() / 2]
}
#[kernel]
fn k(x: &Array2<f32>, y: &mut [f32]) {
    let i = tid();
    let mut a = [x[[i, 0]], x[[i, 1]], x[[i, 2]], x[[i, 3]]];
    let mut order = [0usize, 1, 2, 3];
    sort(&mut a, &mut order);
    y[i] = middle(&a) + middle(&a[1..3]) * order[0] as f32;
}

//- variables and elements
#[device]
fn roots(b: f32, c: f32, low: &mut f32, high: &mut f32) -> bool {
    let d = b * b - c;
    if d < 0.0 {
        return false;
    }
    let root = d.sqrt();
    *low = -b - root;
    *high = -b;
    *high += root;
    true
}
#[device]
fn both(b: f32, v: &mut Vec2, first: &mut f32) {
    let mut low = 0.0;
    if !roots(b, v.x, &mut low, first) {
        v.y = *first + low;
    }
    v[0] = b;
    *v *= 2.0;
}
#[kernel]
fn k(b: &[f32], v: &mut [Vec2], y: &mut [f32]) {
    let i = tid();
    let (mut low, mut high) = (1.0, 0.0);
    if roots(low, high, &mut low, &mut high) {
        y[i] = low + high;
    }
    let mut a = [0.0f32; 2];
    both(b[i], &mut v[i], &mut a[1]);
    both(b[i], &mut v[i], &mut y[i]);
    y[i] += a[1];
}

//- arguments before a part are evaluated first
#[device]
fn plus(a: u32, x: &[u32], b: u32) -> u32 {
    a + x[0] + b
}
#[kernel]
fn k(x: &[u32], count: &mut [u32], y: &mut [u32]) {
    let i = tid();
    let mut k = 0;
    y[i] = plus(count[0], &x[atomic_add(&mut count[0], 1) as usize..], count[0]);
    y[i] += plus(k as u32, &x[{
        k += 1;
        k
    }..], k as u32);
}

//- states of random generators
#[device]
fn side(rng: &mut u32, low: f32) -> f32 {
    randf_range(rng, low, 1.0)
}
#[device]
fn offset(rng: &mut u32) -> Vec2 {
    let r = side(rng, 0.5) + randf(&mut { *rng });
    *rng ^= 1;
    Vec2::new(r * randn(&mut *rng), side(rng, 0.25))
}
#[kernel]
fn k(states: &mut [u32], x: &mut [Vec2]) {
    let i = tid();
    let mut rng = rand_seed(1);
    x[i] = offset(&mut rng) + offset(&mut states[i]);
    x[i].x += randf(&mut rng);
}
