//! Golden files: the emitted texts of one kernel of each family. A person who knows CUDA or Warp should find them
//! natural.
//!
//! `UPDATE_EXPECT=1 cargo test -p tests goldens` rewrites the files. Read the diff before committing it.

use expect_test::expect_file;
use kernel_ir::back::c::{self, Dialect};
use kernel_ir::text;
use kernel_ir::verify::verify;
use kernel_rt::{KernelInfo, registered_kernels};

/// A kernel of every family, and two with device functions.
const CHOSEN: [(&str, &str); 15] = [
    ("arithmetic", "saxpy"),
    ("atomic", "running_extremes"),
    ("combined", "ray_triangle"),
    ("control_flow", "first_above"),
    ("loop", "pendulum"),
    ("math", "black_scholes_call"),
    ("math", "orbit_radius"),
    ("matrix", "matmul"),
    ("multi_conditional", "hsv_to_rgb"),
    ("nested_loop", "edit_distance"),
    ("random_math", "fractal_noise"),
    ("random_math", "value_noise_2d"),
    ("reduction", "log_sum_exp"),
    ("scalar_param", "adam_update"),
    ("vector", "spring_forces"),
];

fn cuda(info: &KernelInfo) -> &'static str {
    info.text("cuda").expect("every kernel has a CUDA text")
}

fn cpp(info: &KernelInfo) -> &'static str {
    info.text("cpp").expect("every kernel has a C++ text")
}

#[test]
fn one_kernel_of_each_family() {
    let kernels = registered_kernels();
    for (family, name) in CHOSEN {
        let chosen = |module: &str| module.starts_with("kernels::");
        let info = kernels
            .iter()
            .find(|info| (info.family, info.name) == (family, name) && chosen(info.module))
            .unwrap_or_else(|| panic!("there is no kernel {family}::{name}"));
        for (ending, text) in [("cu", cuda(info)), ("cpp", cpp(info)), ("py", info.python)] {
            expect_file![format!("goldens/{family}_{name}.{ending}")].assert_eq(text);
        }
    }
}

/// The macro writes both texts at once and shares what it can. Each text must equal the one that is written alone, also
/// where the dialects differ or reserve different names.
#[test]
fn cuda_and_cpp_at_once_are_what_each_is_alone() {
    for info in registered_kernels() {
        let forward = (info.ir, cuda(info), cpp(info));
        let backward =
            info.backward.map(|backward| (backward.ir, backward.text("cuda").unwrap(), backward.text("cpp").unwrap()));
        for (ir, cuda, cpp) in [forward].into_iter().chain(backward) {
            let kernel = verify(text::parse(ir).unwrap()).unwrap();
            assert_eq!(c::write(&kernel, Dialect::Cuda), cuda, "{}", info.name);
            assert_eq!(c::write(&kernel, Dialect::Cpp), cpp, "{}", info.name);
        }
    }
}
