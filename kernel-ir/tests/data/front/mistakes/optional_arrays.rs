//- arrays that may be absent
fn k(a: Option<&[f32]>, #[shape(dim0, 2)] b: Option<&mut Array2<f32>>, x: &mut [f32]) {
    let i = tid();
    x[i] = a[i];
    b[[i, 0]] = 1.0;
    let n = a.len();
    let m = b.shape()[0];
    let c = a.unwrap();
    let d = a;
    match a {
        _ => {}
    }
    if a == b {}
    atomic_add(&mut b[[0, 0]], 1.0);
    for j in 0..a.len() {}
    if let Some(a) = a {
        x[i] = a[i];
    } else {
        x[i] = a[i];
    }
    if a.is_some() {
        x[i] = a[i];
    }
}

//- patterns
fn k(a: Option<&[f32]>, n: i32, x: &mut [f32]) {
    let i = tid();
    if let Some(_) = a {}
    if let None = a {}
    if let Some(mut b) = a {
        x[i] = b[i];
    }
    if let 3 = n {}
    if let Some(y) = n {
        x[i] = y[i];
    }
    while let Some(a) = a {}
    let Some(b) = a else { x[i] = 0.0; };
    let Some(c) = n else { return };
    let t = let Some(a) = a;
    if i > 0 || let Some(a) = a {}
}

//- unwrapped arrays are read only where the parameter is
fn k(a: Option<&[f32]>) {
    if let Some(a) = a {
        a[tid()] = 1.0;
    }
}

//- other optional parameters
fn k(a: Option<f32>, b: Option<[f32]>, c: Option<&f32>, d: &Option<&[f32]>, mut e: Option<&[f32]>, f: Option<Option<&[f32]>>, g: Option) {}

//- sizes of optional arrays
fn k(a: Option<&[f32]>, #[shape(4, 4)] b: Option<&Array2<f32>>, #[shape(a.len())] x: &[f32], #[shape(b.shape()[1])] y: &[f32]) {}
