//- widths
fn k(x: &mut [f32]) {
    let b = block::<48>();
    let v = b.phase(|t| 1.0f32);
    let a = v.warp_sum();
    let c = v.lanes::<3>().warp_sum();
    let d = v.lanes::<64>().warp_sum();
    let e = v.lanes(8).warp_sum();
    let f = v.lanes::<8>().block_inclusive_sum();
    x[b.index] = v.lanes::<8>().block_sum();
}

//- places where operations cannot be
fn k(x: &mut [f32]) {
    let b = block::<32>();
    let v = b.phase(|t| 1.0f32);
    b.phase(|t| {
        let w = v.warp_sum();
        x[t] = w[t];
    });
    x[b.index] = v.warp_sum();
    let w = v.lanes::<8>();
}

//- arguments
fn k(x: &mut [f32]) {
    let b = block::<32>();
    let v = b.phase(|t| 1.0f32);
    let c = v.shuffle_xor();
    let d = v.warp_sum(1);
    let e = v.shuffle_up(1.5);
    let f = v.shuffle(3);
    let g = v.shuffle(|t| 0.5f32);
    let h = v.ballot();
}
