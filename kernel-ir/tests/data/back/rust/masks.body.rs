let i = tid();
mask[i] = x[i] > 0.0 || fixed;
mask[i] &= !grid[[i, 0]];
mask[i] ^= true;
grid[[i, 1]] = mask[i] == grid[[i, 0]];
let kept = grid[[i, 1]];
grid[[i, 0]] = false;
if mask[i] && kept {
    out[i] = mask[i] as u32 + 1;
}
