let value = tid();
let value_1: Vec3 = m[[value, 0]] * 2.0;
let index: usize = m.shape()[0] - 1;
m[[index, value]] += value_1;
m[[value, 1]] *= 2.0;
let value_2: Vec3 = n[1].col(value);
*n[0].col_mut(value) += value_2;
let value_3: f32 = c[1];
atomic_add(&mut c[0], value_3);
