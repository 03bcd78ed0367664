#[kernel(family = "test")]
pub fn random(seed: i32, x: &mut [f32], n: &mut [i32]) {
    let i = tid();
    let mut rng = rand_init(seed, i as i32);
    let a = randf(&mut rng);
    x[i] = randf_range(&mut rng, -1.0, a);
    x[i] = randf_range(&mut { rng }, -1.0, rng as f32);
    rng = randu(&mut { rng });
    let b = randn(&mut rng);
    let c = randn(&mut { rng });
    rng = randu(&mut { rng });
    n[i] = randi_range(&mut rng, 0, 6);
    n[i] += randi(&mut { randu(&mut { rand_seed(seed) }) });
    x[i] = b + c;
}
