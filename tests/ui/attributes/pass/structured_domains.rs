use kernel_rt::prelude::*;

#[kernel(family = "sparse")]
fn structured_domains(
    #[domain(-1.0..1.0)]
    #[shape(dim0 * 3)]
    values: &[f32],
    #[domain(0..=values.len(), offsets)]
    #[shape(dim0 + 1)]
    offsets: &[u32],
    #[domain(permutation)] order: &[u32],
    #[domain(0.0..9.0, sorted)]
    #[shape(16)]
    times: &[f32],
    #[domain(unit)] normals: &[Vec3],
    #[domain(unit)] rotation: Quat,
    #[domain(probability)]
    #[shape(dim0, 4)]
    weights: &Array2<f32>,
    #[domain(0.5..2.0, positive_definite)] inertia: &[Mat3],
    #[domain(0.5..2.0, positive_definite)]
    #[shape(8, 8)]
    covariance: &Array2<f32>,
    out: &mut [f32],
) {
    let i = tid();
    let mut sum = times[i % 16] + weights[[i, 0]] + covariance[[i % 8, 0]];
    for k in offsets[i] as usize..offsets[i + 1] as usize {
        sum += values[k];
    }
    out[i] = sum + (inertia[i] * (rotation * normals[order[i] as usize])).x;
}

fn main() {}
