/// Levenshtein's edit distance of two words a row. `costs` is each thread's line of the table:
/// in the end the cost of turning the first word into each beginning of the second.
#[kernel(family = "nested_loop")]
pub fn edit_distance(
    #[domain(0..8)] first_len: usize,
    #[domain(0..8)] second_len: usize,
    #[domain(0..4)]
    #[shape(dim0, first_len)]
    first: &Array2<u32>,
    #[domain(0..4)]
    #[shape(dim0, second_len)]
    second: &Array2<u32>,
    #[shape(dim0, second_len + 1)] costs: &mut Array2<u32>,
    distance: &mut [u32],
) {
    let i = tid();
    for k in 0..=second_len {
        costs[[i, k]] = k as u32;
    }
    for j in 0..first_len {
        let mut diagonal = costs[[i, 0]];
        costs[[i, 0]] = j as u32 + 1;
        for k in 0..second_len {
            let above = costs[[i, k + 1]];
            let replaced = diagonal + (if first[[i, j]] == second[[i, k]] { 0 } else { 1 });
            costs[[i, k + 1]] = replaced.min(above + 1).min(costs[[i, k]] + 1);
            diagonal = above;
        }
    }
    distance[i] = costs[[i, second_len]];
}
