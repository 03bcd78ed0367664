//- phases, values of threads, and a sum of the block
fn block_sums(x: &[f32], sums: &mut [f32]) {
    let block = block::<64>();
    let mut acc = block.per_thread(1.0f32);
    let mut base = block.index * block.size;
    while base < x.len() {
        block.phase(|t| {
            if base + t < x.len() {
                acc[t] += x[base + t];
            }
        });
        base += 128;
    }
    sums[block.index] = acc.block_sum();
}

//- a phase with a value, and a shared array
fn k(scale: f32, x: &[f32], y: &mut [f32]) {
    const HALO: usize = 66;
    let here = block::<64>();
    let mut line = shared::<f32, HALO>();
    let doubled = here.phase(|thread| 2.0 * x[here.index * 64 + thread]);
    here.phase(|i| line[i + 1] = doubled[i] * scale);
    here.phase(|i| y[here.index * 64 + i] = line[i] + line[i + 2]);
}

//- a value that is computed once, and one that a name hides
fn k(v: Vec3, out: &mut [Vec3]) {
    let block = block::<32>();
    let mut totals = block.per_thread(v * 2.0);
    let t = 3;
    block.phase(|t| totals[t] *= t as f32);
    out[block.index] = totals.block_sum() * t as f32;
}

//- extremes, and branches of the whole block
fn k(x: &[f32], low: &mut [f32], high: &mut [f32]) {
    let block = block::<1>();
    let values = block.phase(|t| x[block.index + t]);
    let (least, most) = (values.block_min(), values.block_max());
    if least < most {
        low[block.index] = least;
        return;
    }
    high[block.index] = most;
}
