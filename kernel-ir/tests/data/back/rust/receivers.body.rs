let i = tid();
let count: i32 = 4;
for k in 0..count {
    x[i] += x[i].powi(k.saturating_sub(1));
}
