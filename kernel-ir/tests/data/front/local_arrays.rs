//- values and lengths
fn k(x: &[f32], out: &mut [f32]) {
    const N: usize = 2;
    let i = tid();
    let zeros = [0.0f32; 4];
    let ones = [1; N * 2 + 1];
    let table = [0.25, 0.5, 0.25];
    let mut sums: [f32; N] = [x[i]; N];
    let pair: [_; 2] = [x[i], zeros[1]];
    let vectors = [Vec3::ZERO; 8];
    let matrices = [Mat2::ZERO; 2];
    let turns = [Quat::IDENTITY; 2];
    let flags = [false; 3];
    sums[0] += table[i % 3] + pair[1] + ones[i % ones.len()] as f32;
    if !flags[i % 3] {
        out[i] = sums[1] + vectors[i % 8].y + matrices[1].x_axis.y + turns[0].w;
    }
}

//- elements as places
fn k(x: &[Vec3], out: &mut [f32]) {
    let i = tid();
    let mut a = [x[i]; 4];
    let mut m = [Mat3::IDENTITY; 2];
    let mut count = [0usize; 5];
    for j in 0..a.len() {
        a[j] = x[j];
        a[j].x -= 1.0;
        a[(j + 1) % 4][j % 3] = a[j].y;
        m[j % 2].col_mut(j % 3).z = 1.0;
        *m[j % 2].col_mut(1) += a[j];
        count[count[j]] += 1;
        count[j] *= 2;
    }
    a[0] = if x[i].x > 0.0 { x[0] } else { x[1] };
    out[i] = a[count[2]].x + m[1].x_axis.z;
}

//- order of evaluation
fn k(x: &[f32], count: &mut [u32], out: &mut [f32]) {
    let i = tid();
    let a = [x[i], atomic_add(&mut count[0], 1) as f32, if x[i] > 0.0 { return } else { x[0] }];
    let a = [a[2], a[1], a[0]];
    let mut b = [0u32; 2];
    b[atomic_add(&mut count[1], 1) as usize % 2] = b[0] + { b[0] = 7; b[1] };
    let c = { b[1] = 3; b[1] } + b[{ b[1] = 1; 1 }];
    out[i] = a[0] + (b[0] + c) as f32;
}

//- an array in a loop starts again
fn k(x: &[f32], out: &mut [f32]) {
    let i = tid();
    for j in 0..3 {
        let mut a = [0.0; 2];
        a[j % 2] += x[i];
        out[i] += a[0];
    }
}

//- constant tables
fn k(x: &[f32], out: &mut [f32]) {
    const N: usize = 3;
    const W: [f32; N] = [0.25, 0.5, 0.25];
    const ZERO: [i32; 4] = [0; 4];
    let i = tid();
    for j in 0..W.len() {
        out[i] += W[j] * x[i] + ZERO[j] as f32;
    }
}
