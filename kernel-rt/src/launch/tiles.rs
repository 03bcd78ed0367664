//! The extents of the arrays that a kernel loads tiles from.

use crate::error::LaunchError;
use kernel_ir::analysis::TileFit;

/// Checks the extent of the array `param` along an axis.
///
/// # Errors
/// [`LaunchError::TileExtent`].
pub fn cover(
    kernel: &'static str,
    param: &'static str,
    axis: u8,
    extent: usize,
    fit: TileFit,
) -> Result<(), LaunchError> {
    if fit.admits(extent) {
        return Ok(());
    }
    let needed = match fit {
        TileFit::Multiple(step) => format!("a multiple of {step}"),
        TileFit::AtLeast(least) => format!("at least {least}"),
    };
    Err(LaunchError::TileExtent { kernel, param, axis, extent, needed })
}
