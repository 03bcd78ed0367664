//- sizes beyond the language
fn k(x: &[Vector<f32, 17>], m: &[Matrix<f32, 2, 0>], b: &[Vector<bool, 2>], i: &[Matrix<i32, 2, 2>], n: &[Vector<f32, N>], v: &[Vector<f32>], y: &mut [f32]) {
    y[tid()] = 0.0;
}

//- an alias and a misspelled name
fn k(x: &[Vec6], q: &[Quaternion], y: &mut [f32]) {
    y[tid()] = 0.0;
}

//- parts
fn k(x: &[Vector<f32, 6>], m: &[Matrix<f32, 2, 6>], y: &mut [f32]) {
    let i = tid();
    let a = x[i].x;
    let b = m[i].x_axis;
    let c = x[i][6];
    let d = m[i].col(6);
    let e = m[i].row(2);
}

//- products and sums of other sizes
fn k(v: Vector<f32, 6>, m: Matrix<f32, 2, 6>, n: Matrix<f32, 2, 3>, y: &mut [f32]) {
    let a = m * n;
    let b = n * v;
    let c = v + Vec3::X;
    let d = m.determinant();
    let e = m * m;
    let f: Matrix<f32, 2, 3> = m;
}

//- constructors
fn k(y: &mut [f32]) {
    let a = Vector::<f32, 6>::new(1.0, 2.0);
    let b = Vector::new(1.0, 2.0);
    let c = Matrix::<f32, 2, 3>::from_cols(Vec2::X, Vec2::Y);
    let d = Matrix::<f32, 2, 3>::from_diagonal(Vec3::X);
    let e = Vector::<f32, 6>::X;
    let f = Matrix::<f32, 2, 3>::IDENTITY;
    let g = Vector::<f32, 20>::splat(0.0);
}
