/// Value noise on an image of 2-D points `frequency` lattice cells apart: the random values at the four corners of
/// the cell around a point, weighted bilinearly.
#[kernel(family = "random_math")]
pub fn value_noise_2d(#[domain(0..1000000)] seed: u32, #[domain(0.05..0.9)] frequency: f32, noise: &mut Array2<f32>) {
    let (row, column) = tid2();
    let point = Vec2::new(column as f32, row as f32) * frequency;
    let cell = Vec2::new(point.x.floor(), point.y.floor());
    let t = point - cell;
    let mut value = 0.0;
    for corner in 0..4u32 {
        let right = corner & 1;
        let below = corner >> 1;
        let x = (cell.x as u32).wrapping_add(right);
        let y = (cell.y as u32).wrapping_add(below);
        let mut hash = seed ^ x.wrapping_mul(2376512323) ^ y.wrapping_mul(3625334849);
        hash = (hash ^ (hash >> 13)).wrapping_mul(1540483477);
        hash ^= hash >> 15;
        let weight_x = if right == 1 { t.x } else { 1.0 - t.x };
        let weight_y = if below == 1 { t.y } else { 1.0 - t.y };
        value += weight_x * weight_y * ((hash >> 8) as f32 / 16777216.0);
    }
    noise[[row, column]] = value;
}
