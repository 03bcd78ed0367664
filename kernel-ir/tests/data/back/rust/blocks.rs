//- phases of registers and of shared arrays
#[kernel(family = "f")]
pub fn sums(#[shape(64 * dim0)] x: &[f32], sums: &mut [f32]) {
    let block = block::<64>();
    let mut acc = shared::<f32, 64>();
    let mut line = shared::<f32, 64>();
    block.phase(|t| {
        acc[t] = x[block.index * 64 + t];
    });
    block.phase(|t| {
        line[t] = acc[t];
    });
    let mut half = 32;
    while half > 0 {
        block.phase(|t| {
            if t < half {
                line[t] += line[t + half];
            }
        });
        half /= 2;
    }
    sums[block.index] = line[0];
}

//- an array that begins with zeros, and what the whole block reads and writes
#[kernel(family = "f", debug)]
pub fn k(n: usize, y: &mut [f32], #[shape(1)] c: &mut [u32]) {
    let block = block::<32>();
    let mut near = shared::<f32, 40>();
    let steady: [f32; 2] = [1.0, 2.0];
    near[3] = y[block.index];
    block.phase(|t| {
        near[t + 1] += steady[t % 2];
    });
    let first = near[1];
    if near[2] > first {
        y[block.index] = first;
    } else {
        block.phase(|t| {
            near[t] = 0.0;
        });
    }
    while near[n] < first {
        block.phase(|t| {
            near[t] += 1.0;
        });
        if y[n] > 3.0 {
            return;
        }
    }
    atomic_add(&mut c[0], 1);
    kernel_print!("{}", first);
}
