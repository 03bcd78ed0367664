//- phases of registers and of shared arrays
let mut acc = [0.0f32; 64];
let mut line = [0.0f32; 64];
for t in 0..64 {
    acc[t] = x[tid() * 64 + t];
}
for t in 0..64 {
    line[t] = acc[t];
}
let mut half = 32;
while half > 0 {
    for t in 0..64 {
        if t < half {
            line[t] += line[t + half];
        }
    }
    half /= 2;
}
sums[tid()] = line[0];

//- an array that begins with zeros, and what the whole block reads and writes
let mut near = [0.0f32; 40];
let steady: [f32; 2] = [1.0, 2.0];
near[3] = y[tid()];
for t in 0..32 {
    near[t + 1] += steady[t % 2];
}
let first = near[1];
if near[2] > first {
    y[tid()] = first;
} else {
    for t in 0..32 {
        near[t] = 0.0;
    }
}
while near[n] < first {
    for t in 0..32 {
        near[t] += 1.0;
    }
    if y[n] > 3.0 {
        return;
    }
}
atomic_add(&mut c[0], 1);
kernel_print!("{}", first);
