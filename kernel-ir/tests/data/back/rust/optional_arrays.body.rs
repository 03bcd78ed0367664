let i = tid();
if !mask.is_empty() && mask[i] != 0 {
    return;
}
let w = if !grid.shape().contains(&0) { grid[[i, 1]] } else { 1.0 };
let all = !mask.is_empty() && !grid.shape().contains(&0);
if all == !out.is_empty() {
    y[i] = w;
}
if out.is_empty() {
    y[i] = x[i];
    return;
}
out[i] = w * x[i] + out.len() as f32;
if !loss.is_empty() {
    atomic_add(&mut loss[0], x[i]);
}
