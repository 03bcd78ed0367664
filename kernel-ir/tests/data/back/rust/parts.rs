//- an index into a part of an array, and a length that only checks need
#[kernel(family = "custom")]
pub fn k(starts: &[u32], x: &[f32], y: &mut [f32]) {
    let i = tid();
    let s_start = starts[i] as usize;
    let end = s_start + 3;
    let s_len = end.index_below(x.len() + 1) - s_start;
    y[i] = x[s_start + 2usize.index_below(s_len)];
}
