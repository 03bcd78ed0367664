#[kernel(family = "test")]
pub fn k(x: &mut [f32]) {
    let mut sum = 0.0;
    let mut root: f32 = 0.0;
    let alone = 1.0;
    let mut count = 0;
    for k in 0..4 {
        sum += x[k];
        count += 1;
    }
    for j in 0..4usize {
        root = x[j.min(2)];
    }
    x[0] = root.sqrt() + sum * (alone + alone);
}
