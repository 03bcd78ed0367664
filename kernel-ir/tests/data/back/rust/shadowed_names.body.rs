let a = x[0];
let a = a + r#type;
let a_1 = 2.0 * a;
x[1] = a;
for x in 0..x.len() as i32 {}
x[0] = a_1;
