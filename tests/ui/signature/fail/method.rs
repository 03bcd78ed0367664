use kernel_rt::prelude::*;

struct Solver;

impl Solver {
    #[kernel]
    fn broken(&self, out: &mut [f32]) {
        out[tid()] = 1.0;
    }
}

fn main() {}
