//- first values, and none
let i = tid();
let w = [0.25, x[i], 0.25];
let mut v = [Vec3::splat(x[i]), Vec3::new(x[i], 1.0, 2.0)];
let mut b = [false; 2];
b[0] = x[i] > 0.0;
b[1] = b[0];
let mut count = [0usize; 2];
let mut m = [Mat3::ZERO; 2];
for j in 0..3 {
    count[j % 2] += 1;
    v[j % 2].x *= w[j];
    v[j % 2][j] -= w[j];
    *m[j % 2].col_mut(j) = v[0];
    m[1].y_axis.y += 1.0;
}
if b[count[0] % 2] {
    y[i] = v[count[1] % 2].x + m[0].z_axis.x;
}

//- a table of literals
let i = tid();
let w: [f32; 2] = [0.25, 0.5];
y[i] = w[i % 2];
