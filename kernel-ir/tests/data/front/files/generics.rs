#[device]
fn mix<T: Float>(a: T, b: T, t: T) -> T {
    a + (b - a) * t.clamp(T::ZERO, T::lit(1))
}

#[device]
fn norm<T: Float, const N: usize>(v: Vector<T, N>) -> T {
    let mut sum = T::lit(-0.0);
    for k in 0..N {
        sum += v[k] * v[k];
    }
    sum.sqrt() / T::cast(N)
}

#[device]
fn add_all<T: Number>(x: &[T], total: &mut [T]) {
    for k in 0..x.len() {
        total[0] += x[k];
    }
}

#[kernel]
fn k(x: &[f32], v: &[DVec3], w: &[Vector<f32, 6>], y: &mut [f64], total: &mut [f32]) {
    let i = tid();
    y[i] = mix(norm(v[i]), 2.0, 0.25) + norm(w[i]) as f64 + mix::<f64>(0.1, 0.2, 0.3);
    total[0] += mix(x[i], x[0], 0.5);
    add_all(x, total);
}
