//- a state that cannot advance
fn k(seed: i32, x: &mut [f32], states: &mut [u32]) {
    let i = tid();
    let mut rng = rand_init(seed, i as i32);
    x[i] = randf(rng);
    x[i] = randf_range(&rng, 0.0, 1.0);
    x[i] = randf(&mut states[i]);
    let fixed = rand_seed(seed);
    x[i] = randf(&mut fixed);
}

//- operands of other types
fn k(seed: u32, x: &mut [f32], y: &mut [f64]) {
    let i = tid();
    let mut rng = rand_init(seed, i);
    x[i] = randi(&mut rng);
    y[i] = randf(&mut rng);
    let mut state = 1.5;
    x[i] = randf(&mut state);
}

//- operands that are missing
fn k(x: &mut [f32]) {
    let mut rng = rand_init(1);
    x[0] = randf(&mut rng, 0.0, 1.0);
    x[0] = randf_range(&mut rng);
    x[0] = randn(&mut rng, 1.0);
    let other = rand_seed(1, 2);
}
