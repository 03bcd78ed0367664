let mut rows = [0.0f32; 24];
for t in 0..8 {
    for r in 0..3 {
        let i: usize = (r * 8 + t) / 8;
        let j: usize = (r * 8 + t) % 8;
        rows[r * 8 + t] = x[[tid() * 3 + i, j]];
    }
}
let mut wide = [0.0f32; 24];
for t in 0..8 {
    for r in 0..3 {
        wide[r * 8 + t] = rows[r * 8 + t];
    }
}
for t in 0..8 {
    for r in 0..3 {
        let i: usize = (r * 8 + t) / 12;
        let j: usize = (r * 8 + t) % 12;
        if tid() * 2 + i < y.shape()[0] && j < y.shape()[1] {
            y[[tid() * 2 + i, j]] = wide[r * 8 + t].exp();
        }
    }
}
let mut result = [0.0f32; 3];
for t in 0..8 {
    if t < 3 {
        let mut total = rows[t * 8];
        for k in 1..8 {
            total = total.max(rows[t * 8 + k]);
        }
        result[t] = total;
    }
}
let mut result_1 = [0u32; 8];
for t in 0..8 {
    if t < 3 {
        let mut total = if rows[t * 8] == result[t] { 0usize as u32 } else { 8 };
        for k in 1..8 {
            total = total.min(if rows[t * 8 + k] == result[t] { k as u32 } else { 8 });
        }
        result_1[t] = total;
    }
}
for t in 0..8 {
    if t < 3 {
        if tid() * 3 + t < best.len() {
            best[tid() * 3 + t] = result_1[t] % 8;
        }
    }
}
let mut counts = [0i32; 16];
for t in 0..8 {
    for r in 0..2 {
        if r * 8 + t < 12 {
            counts[r * 8 + t] = n[tid() * 12 + (r * 8 + t)];
        }
    }
}
let mut sums = [0i32; 12];
for t in 0..8 {
    for r in 0..2 {
        if r * 8 + t < 12 {
            sums[r * 8 + t] = counts[r * 8 + t];
        }
    }
}
let mut next = [0i32; 16];
let mut step = 1;
while step < 12 {
    for t in 0..8 {
        for r in 0..2 {
            if r * 8 + t < 12 {
                next[r * 8 + t] = sums[r * 8 + t];
                if r * 8 + t >= step {
                    next[r * 8 + t] += sums[r * 8 + t - step];
                }
            }
        }
    }
    for t in 0..8 {
        for r in 0..2 {
            if r * 8 + t < 12 {
                sums[r * 8 + t] = next[r * 8 + t];
            }
        }
    }
    step = step * 2;
}
for t in 0..8 {
    for r in 0..2 {
        if r * 8 + t < 12 {
            next[r * 8 + t] = 0;
            if r * 8 + t >= 1 {
                next[r * 8 + t] = sums[r * 8 + t - 1];
            }
        }
    }
}
let mut sums = [0i32; 12];
for t in 0..8 {
    for r in 0..2 {
        if r * 8 + t < 12 {
            sums[r * 8 + t] = counts[r * 8 + t] * 2;
        }
    }
}
let mut next_1 = [0i32; 16];
let mut step = 1;
while step < 12 {
    for t in 0..8 {
        for r in 0..2 {
            if r * 8 + t < 12 {
                next_1[r * 8 + t] = sums[r * 8 + t];
                if r * 8 + t >= step {
                    next_1[r * 8 + t] += sums[r * 8 + t - step];
                }
            }
        }
    }
    for t in 0..8 {
        for r in 0..2 {
            if r * 8 + t < 12 {
                sums[r * 8 + t] = next_1[r * 8 + t];
            }
        }
    }
    step = step * 2;
}
for t in 0..8 {
    for r in 0..2 {
        if r * 8 + t < 12 {
            if tid() * 12 + (r * 8 + t) < offsets.len() {
                offsets[tid() * 12 + (r * 8 + t)] = next[r * 8 + t] + sums[r * 8 + t];
            }
        }
    }
}
let mut values = [0.0f32; 24];
for t in 0..8 {
    for r in 0..3 {
        values[r * 8 + t] = rows[r * 8 + t];
    }
}
let mut totals = [0.0f32; 24];
for t in 0..8 {
    for r in 0..3 {
        totals[r * 8 + t] = values[r * 8 + t];
    }
}
let mut half = 16;
while half > 0 {
    for t in 0..8 {
        for r in 0..2 {
            if r * 8 + t < half && r * 8 + t + half < 24 {
                totals[r * 8 + t] = totals[r * 8 + t].min(totals[r * 8 + t + half]);
            }
        }
    }
    half = half / 2;
}
let total = totals[0];
let mut totals = [0u32; 24];
for t in 0..8 {
    for r in 0..3 {
        totals[r * 8 + t] = if values[r * 8 + t] == total { (r * 8 + t) as u32 } else { 24 };
    }
}
let mut half = 16;
while half > 0 {
    for t in 0..8 {
        for r in 0..2 {
            if r * 8 + t < half && r * 8 + t + half < 24 {
                totals[r * 8 + t] = totals[r * 8 + t].min(totals[r * 8 + t + half]);
            }
        }
    }
    half = half / 2;
}
let total = totals[0];
first[tid()] = total % 24;
