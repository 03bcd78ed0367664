//- declarations
fn k(n: usize, x: &mut [f32]) {
    let a = block::<n>();
}

//- too many threads, and two blocks
fn k(x: &mut [f32]) {
    let a = block::<2048>();
    let b = block::<32>();
}

//- not at the start
fn k(c: bool, x: &mut [f32]) {
    if c {
        let b = block::<32>();
    }
}

//- threads and blocks
fn k(x: &mut [f32]) {
    let i = tid();
    let b = block::<32>();
}

//- blocks and threads
fn k(x: &mut [f32]) {
    let b = block::<32>();
    x[tid()] = 1.0;
    x[b.index] = block() as f32;
}

//- the block is no value
fn k(x: &mut [f32]) {
    let b = block::<32>();
    let c = b;
    let n = b.count;
    let m = b.threads;
    b.barrier();
    x[b.index] = b.per_thread(0.0);
}

//- phases
fn k(x: &mut [f32]) {
    let b = block::<32>();
    b.phase(1.0);
    b.phase(|i, j| x[i] = 1.0);
    b.phase(|mut i| x[i] = 1.0);
    let nothing = b.phase(|i| x[i] = 1.0);
    b.phase(|i| {
        b.phase(|j| x[i + j] = 1.0);
    });
}

//- values of threads
fn k(x: &mut [f32]) {
    let b = block::<24>();
    let mut v = b.per_thread(0.0f32);
    v[0] = 1.0;
    b.phase(|t| v[t + 1] = 1.0);
    b.phase(|t| x[t] = v.block_sum());
    x[b.index] = v.block_sum();
    let w = v;
}

//- shared arrays
fn k(n: usize, x: &mut [f32]) {
    let b = block::<32>();
    let a = shared::<f32>();
    let c = shared::<f32, n>();
    let d: Shared<f32, 8> = shared();
    b.phase(|t| {
        let e = shared::<f32, 8>();
    });
}

//- shared arrays without a block
fn k(x: &mut [f32]) {
    let a = shared::<f32, 8>();
    let i = tid();
    x[i] = 0.0;
}

//- what phases may not do
fn k(n: usize, x: &mut [f32], c: &mut [u32]) {
    let block = block::<32>();
    let mut count = 0;
    block.phase(|t| {
        count += 1;
        if t > n {
            return;
        }
        x[t] = 1.0;
    });
    for j in 0..n {
        block.phase(|t| {
            if t > j {
                break;
            }
            x[t] = 1.0;
        });
    }
    let old = atomic_add(&mut c[0], 1);
}

//- too much shared memory
fn k(x: &mut [f32]) {
    let block = block::<32>();
    let mut a = shared::<Vec4, 4000>();
    block.phase(|t| a[t * 2] = Vec4::ONE);
    x[block.index] = a[0].x;
}

//- atomics where no threads meet
fn k(x: &mut [f32]) {
    let block = block::<32>();
    let mut a = shared::<u32, 8>();
    let mut v = block.per_thread(0u32);
    block.phase(|t| {
        let mut own = [0u32; 4];
        atomic_add(&mut own[t % 4], 1);
        atomic_add(&mut v[t], own[0]);
    });
    x[block.index] = a[0] as f32;
}

//- an atomic operation of the whole block
fn k(x: &mut [f32]) {
    let block = block::<32>();
    let mut a = shared::<u32, 8>();
    block.phase(|t| a[t % 8] = 1);
    atomic_add(&mut a[0], 1);
    x[block.index] = a[0] as f32;
}
