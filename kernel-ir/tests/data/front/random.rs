//- draws are statements
fn k(seed: i32, x: &mut [f32], n: &mut [i32]) {
    let i = tid();
    let mut rng = rand_init(seed, i as i32);
    let a = randf(&mut rng);
    x[i] = randf_range(&mut rng, -1.0, a);
    n[i] += randi(&mut rng);
    randu(&mut rng);
}

//- the order of draws is that of Rust
fn k(x: &mut [Vec2], y: &mut [f32]) {
    let mut rng = rand_seed(1);
    x[0] = Vec2::new(randf(&mut rng), randn(&mut rng));
    y[rng as usize % 4] = randf(&mut rng) + y[rng as usize % 4];
    y[rng as usize % 4] = randf(&mut rng);
}

//- conditions
fn k(x: &mut [u32]) {
    let mut rng = 7;
    while randf(&mut rng) < 0.5 {
        if x[0] > 0 && randu_range(&mut rng, 0, x[0]) == 1 {
            x[0] = rng;
        }
    }
}

//- a draw from a copy
fn k(x: &mut [f32]) {
    let rng = rand_seed(1);
    x[0] = randf(&mut { rng });
}
