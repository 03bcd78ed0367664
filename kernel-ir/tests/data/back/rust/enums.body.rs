#[derive(Clone, Copy)]
struct Shape {
    pub value: i32,
}
#[derive(Clone, Copy)]
struct Unit {
    pub value: u16,
}
fn area(shape: Shape, x: f32) -> f32 {
    if shape.value == 0 || shape.value == 2 { x } else if shape.value == 1 { x * x } else { 0.0 }
}
const USUAL: Shape = Shape { value: 1 };
let i = tid();
let matched = shapes[i];
let unit = if out[i] > 1.0 { Unit { value: 1 } } else { Unit { value: 1000 } };
if matched.value == 0 {
    out[i] = area(kind, out[i]);
} else if matched.value == 1 || matched.value == 3 {
    out[i] = unit.value as f32;
} else {
    if kind as i32 == matched.value && shapes[0] as i32 != 2 {
        out[i] = 2.0;
    }
    if (kind as i32) < matched.value && numbers[i] == 3 {
        out[i] = matched.value as f32;
    }
}
next[i] = if matched.value == USUAL.value { USUAL } else { Shape { value: numbers[i] } };
if numbers[i] == 5 {
    next[i] = Shape { value: 2 };
    next[i] = ::kernel_rt::__private::variant(1);
}
