//- functions that are no kernels 1
const fn k() {}

//- functions that are no kernels 2
async fn k() {}

//- functions that are no kernels 3
unsafe fn k() {}

//- functions that are no kernels 4
extern "C" fn k() {}

//- functions that are no kernels 5
fn k<T>(a: T) {}

//- functions that are no kernels 6
fn k() where f32: Copy {}

//- functions that are no kernels 7
fn k() -> f32 { 1.0 }

//- functions that are no kernels 8
fn k(self) {}

//- functions that are no kernels 9
struct K;

//- functions that are no kernels 10
fn k();

//- parameters that a kernel cannot take
fn k(a: u128, b: &f32, c: &mut Vec3, d: [f32; 3], e: Vec<f32>, #[domain(false..true)] f: &[bool], g: &[usize], h: (f32, f32), i: &Array5<f32>,
j: [f32], l: Array2<f32>, (m, n): (f32, f32), o: &[&[f32]], mut p: &mut [f32], q: &str, r: Option<f32>,
s: &[isize], t: &'static [f32], _: f32, u: impl Fn(), v: &mut Array2) {}

//- shapes and domains that make no sense
fn k(#[domain(0..1)] a: f32, #[domain(1.0..0.0)] b: f32, #[domain(3)] c: i32, #[domain(..1)] d: i32,
#[domain(5..5)] e: i32, #[shape(2)] f: f32, #[shape(2, 2)] g: &[f32], h: &Array2<f32>, #[shape(i)] l: &[f32],
i: i32, #[shape(dim1)] m: &[f32], #[domain(-1..3)] o: u32, #[domain(0..5_000_000_000)] p: i32,
#[domain(0.0..1.0)] #[domain(0.0..1.0)] q: f32, #[domain(true..false)] r: bool, #[shape()] s: &[f32],
#[domain(0.0..=1.0)] t: f32, #[domain(0.0..1.0 / 0.0)] u: f32, #[domain(0.0..1.0)] v: i32,
#[cfg(test)] w: f32, #[shape(foo())] x: &[f32]) {}
