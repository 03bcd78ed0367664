//- tiles in Rust
let mut t = [0.0f32; 192];
for t_1 in 0..32 {
    for r in 0..6 {
        let i: usize = (r * 32 + t_1) / 24;
        let j: usize = (r * 32 + t_1) % 24;
        t[r * 32 + t_1] = x[[tid() * 8 + i, j]];
    }
}
let mut row = [0.0f32; 24];
for t in 0..32 {
    if t < 24 {
        row[t] = if t < v.len() { v[t] } else { 1.0 };
    }
}
let mut lower = [0.0f32; 192];
for t_1 in 0..32 {
    for r in 0..6 {
        let i: usize = (r * 32 + t_1) / 24;
        let j: usize = (r * 32 + t_1) % 24;
        lower[r * 32 + t_1] = if j <= i { t[r * 32 + t_1].max(s) } else { -1.0 };
    }
}
for t in 0..32 {
    for r in 0..6 {
        let i: usize = (r * 32 + t) / 24;
        let j: usize = (r * 32 + t) % 24;
        if tid() * 8 + i < y.shape()[0] && j < y.shape()[1] {
            y[[tid() * 8 + i, j]] = (lower[r * 32 + t] - row[j]) / s;
        }
    }
}
for t_1 in 0..32 {
    if t_1 < 24 {
        let mut total = t[t_1];
        for k in 1..8 {
            total = total + t[k * 24 + t_1];
        }
        if t_1 < sums.len() {
            atomic_add(&mut sums[t_1], total);
        }
    }
}
let mut totals = [0.0f32; 192];
for t_1 in 0..32 {
    for r in 0..6 {
        totals[r * 32 + t_1] = t[r * 32 + t_1];
    }
}
let mut half = 128;
while half > 0 {
    for t in 0..32 {
        for r in 0..4 {
            if r * 32 + t < half && r * 32 + t + half < 192 {
                totals[r * 32 + t] = totals[r * 32 + t].max(totals[r * 32 + t + half]);
            }
        }
    }
    half = half / 2;
}
let total = totals[0];
let mut totals = [0.0f32; 192];
for t_1 in 0..32 {
    for r in 0..6 {
        totals[r * 32 + t_1] = -t[r * 32 + t_1];
    }
}
let mut half = 128;
while half > 0 {
    for t in 0..32 {
        for r in 0..4 {
            if r * 32 + t < half && r * 32 + t + half < 192 {
                totals[r * 32 + t] = totals[r * 32 + t] + totals[r * 32 + t + half];
            }
        }
    }
    half = half / 2;
}
let total_1 = totals[0];
all[tid()] = total - total_1;
let mut p = [0.0f32; 64];
for t in 0..32 {
    for r in 0..2 {
        p[r * 32 + t] = s;
    }
}
let mut operand = [0.0f32; 192];
for t in 0..32 {
    for r in 0..6 {
        let i: usize = (r * 32 + t) / 8;
        let j: usize = (r * 32 + t) % 8;
        operand[r * 32 + t] = w[[i, j]];
    }
}
for t_1 in 0..32 {
    for r in 0..2 {
        let i: usize = (r * 32 + t_1) / 8;
        let j: usize = (r * 32 + t_1) % 8;
        let mut total = 0.0;
        for k in 0..24 {
            total += t[i * 24 + k] * operand[k * 8 + j];
        }
        p[r * 32 + t_1] += total;
    }
}
for t in 0..32 {
    if t < 1 {
        p[t] *= 2.0;
    }
}
for t in 0..32 {
    for r in 0..2 {
        let i: usize = (r * 32 + t) / 8;
        let j: usize = (r * 32 + t) % 8;
        if tid() * 8 + i < z.shape()[0] && j < z.shape()[1] {
            z[[tid() * 8 + i, j]] = p[r * 32 + t];
        }
    }
}
