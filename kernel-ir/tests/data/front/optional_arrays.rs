//- every form of a test
fn k(a: Option<&[f32]>, mut b: Option<&mut [f32]>, #[shape(dim0, 2)] c: std::option::Option<&mut Array2<i32>>, x: &mut [f32]) {
    let i = tid();
    if let Some(a) = a {
        x[i] += a[i];
    }
    if let Some(known) = &a {
        x[i] += known[known.len() - 1];
    } else {
        x[i] -= 1.0;
    }
    if let Some(b) = &mut b {
        b[i] = x[i];
    }
    if let Some(b) = b.as_deref_mut() {
        b[i] += 1.0;
    }
    if let Some(b) = b.as_mut() {
        b[i] *= 2.0;
    }
    if let Some(Some) = (a) {
        x[i] = Some[0];
    }
    if let Option::Some(c) = c {
        c[[i, 1]] = c.shape()[1] as i32;
    }
}

//- presence is a value
fn k(a: Option<&[f32]>, b: Option<&[f32]>, x: &mut [f32], n: i32) {
    let i = tid();
    let both = a.is_some() && b.is_some();
    if both || n > 3 && a.is_none() {
        x[i] = 1.0;
    }
    if a.is_some() == b.is_some() {
        x[i] = 2.0;
    }
    x[i] = if let Some(a) = a { a[i] } else if let Some(b) = b { b[i] } else { 3.0 };
}

//- conditions with several tests
fn k(a: Option<&[f32]>, b: Option<&[f32]>, x: &mut [f32]) {
    let i = tid();
    if let Some(a) = a && a[i] > 0.0 && let Some(b) = b {
        x[i] = a[i] * b[i];
    }
    if i > 3 && let Some(a) = a {
        x[i] = a[i];
    }
}

//- what is absent leaves
fn k(a: Option<&[f32]>, b: Option<&mut [f32]>, x: &mut [f32]) {
    let i = tid();
    for j in 0..4 {
        let Some(a) = a else { continue };
        x[j] += a[i];
    }
    let Some(b) = b else {
        x[i] = 0.0;
        return;
    };
    b[i] = x[i];
    let x = b.len();
}

//- a name is unwrapped in its branch only
fn k(a: Option<&[f32]>, x: &mut [f32]) {
    let i = tid();
    if let Some(a) = a {
        let a = a[i];
        x[i] = a;
    }
    if a.is_some() {
        x[i] = 1.0;
    }
}

//- shapes and domains
fn k(n: usize, #[shape(n, 2)] #[domain(1..n)] a: Option<&Array2<i32>>, #[domain(0.0..1.0)] b: Option<&mut [Vec3]>) {
    let i = tid();
    if let Some(b) = b && let Some(a) = a {
        b[i].x = a[[i, 0]] as f32;
    }
}
