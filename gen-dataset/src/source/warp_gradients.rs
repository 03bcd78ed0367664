//! The registered kernels for which Warp's own gradients are right, as measured.
//!
//! The table is a file with lines `right family::name` and `wrong family::name`. The test `warp_gradients` measures
//! again and compares. With `UPDATE_EXPECT=1` it writes the table, and `docs/warp-gradients.md` with the figures.

use kernel_rt::KernelInfo;

/// The measured table.
pub const TABLE: &str = include_str!("warp_gradients.txt");

/// Whether Warp's gradients of this kernel are right. `None` if they were not measured.
pub fn reliable(info: &KernelInfo) -> Option<bool> {
    let name = format!("{}::{}", info.family, info.name);
    let verdict = TABLE.lines().filter_map(|line| line.split_once(' ')).find(|(_, kernel)| *kernel == name)?.0;
    Some(verdict == "right")
}
