//- a sum of a warp
fn k(x: &[f32], y: &mut [f32]) {
    let block = block::<64>();
    let v = block.phase(|t| x[block.index * 64 + t]);
    let sums = v.warp_sum();
    block.phase(|t| y[block.index * 64 + t] = sums[t]);
}

//- groups of four lanes, a name that hides one, and a number of lanes that is computed
fn k(step: usize, x: &[i32], y: &mut [i32]) {
    let block = block::<8>();
    let N = 3;
    let v = block.phase(|t| x[t]);
    let v = v.lanes::<4>().shuffle_xor(N);
    let v = v.lanes::<4>().shuffle_down(step + 1);
    let v = v.lanes::<4>().shuffle_up(1);
    block.phase(|t| y[t] = v[t]);
}

//- lanes that the threads name, and votes
fn k(x: &[f64], y: &mut [f64], bits: &mut [u32]) {
    let block = block::<32>();
    let lane = 1;
    let v = block.phase(|t| x[t]);
    let first = v.shuffle(|t| lane);
    let is_large = block.phase(|t| v[t] > first[t]);
    let votes = is_large.ballot();
    let any = is_large.lanes::<2>().warp_any();
    block.phase(|t| {
        y[t] = if any[t] { first[t] } else { 0.0 };
        bits[t] = votes[t];
    });
}

//- scans and places
fn k(x: &[f32], y: &mut [f32]) {
    let block = block::<4>();
    let v = block.phase(|t| x[t]);
    let after = v.block_exclusive_sum();
    let of_pairs = v.lanes::<2>().warp_exclusive_sum();
    block.phase(|t| y[t] = after[t] + of_pairs[t]);
    let place = v.block_argmax();
    y[0] = place as f32;
}
