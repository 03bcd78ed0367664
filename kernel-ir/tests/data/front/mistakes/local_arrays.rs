//- arrays as values
fn k(x: &[f32], out: &mut [f32]) {
    let a = [1.0, 2.0];
    let b = a;
    let c = [1.0, 2.0] == [1.0, 2.0];
    let d = a == a;
    let e: [f32; 2];
    let f: [f32; 2] = x[0];
    let g: f32 = [1.0, 2.0];
    let h = if x[0] > 0.0 { [1.0] } else { [2.0] };
    let (p, q) = ([1.0], 2.0);
    a = [2.0, 3.0];
    out[0] = [1.0, 2.0][0];
    for v in a {}
    for v in a.iter() {}
    let r = a.map(|v| v + 1.0);
    let s = a[0..1];
    let t = &a;
    let [u, v] = a;
    return a;
}

//- lengths and elements
fn k(x: &[f32], n: usize) {
    let a = [0.0f32; n];
    let b = [0.0f32; x.len()];
    let c: [f32; 0] = [];
    let d = [0u32; 2000];
    let e: [f32; 3] = [1.0, 2.0];
    let f = [[0.0; 2]; 2];
    let g: [[f32; 2]; 2] = [[0.0; 2]; 2];
    let h = [1.0, 2];
    let i = [(1, 2); 2];
    let j: [u128; 4] = [0; 4];
    let p: Vec<f32> = vec![0.0; 4];
    const M: [f32; 2] = [1.0];
    const Q: [f32; 2] = 3.0;
    let z = M[0] + Q[0];
}

//- indices and assignments
fn k(i: i32, out: &mut [f32]) {
    let a = [1.0f32, 2.0];
    a[0] = 1.0;
    a[1] += 2.0;
    let b = a[i];
    let c = a[0.5];
    const W: [f32; 2] = [1.0; 2];
    W[0] = 2.0;
    let mut d = [0.0f32; 2];
    d[0] = 1;
    atomic_add(&mut d[0], 1.0);
    d.fill(1.0);
    d[[0, 1]] = 1.0;
    let e = d.len();
    let f = e.len();
}
