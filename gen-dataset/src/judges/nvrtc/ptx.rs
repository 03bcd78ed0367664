//! Counts atomics in PTX.

use kernel_ir::analysis::grid_reductions;
use kernel_ir::ir::PlaceRoot;
use kernel_ir::verify::VerifiedKernel;
use std::collections::HashMap;

/// The number of atomics in each entry of a batch that was compiled without optimisation, by the number of its
/// namespace. Atomic instructions count, and calls of functions that contain one.
pub(super) fn atomics(ptx: &str) -> HashMap<usize, usize> {
    let mut found = HashMap::new();
    let mut entry = None;
    for line in ptx.lines() {
        if let Some((_, name)) = line.split_once(".entry ") {
            entry = namespace(name);
        }
        if line == "}" {
            entry = None;
        }
        let line = line.trim_start();
        // `red` is an atomic whose result is unused.
        // A predicate `@%p1` may precede the instruction.
        let instruction = line.strip_prefix('@').and_then(|rest| rest.split_once(' ')).map_or(line, |(_, rest)| rest);
        let instruction = instruction.trim_start();
        let is_atomic = ["atom.", "red."].iter().any(|name| instruction.starts_with(name));
        // A call may span several lines. One of them begins with the mangled name of the function.
        let is_callee = ["call", "_Z"].iter().any(|start| instruction.starts_with(start));
        let calls_atomic = is_callee && instruction.contains("atomic");
        if let Some(entry) = entry
            && (is_atomic || calls_atomic)
        {
            *found.entry(entry).or_default() += 1;
        }
    }
    found
}

/// The number of the kernel in a mangled name `_ZN8kernel_3…`.
fn namespace(mangled: &str) -> Option<usize> {
    let (_, rest) = mangled.split_once("kernel_")?;
    // The length of the function's name follows the namespace, and it is in digits too. The length of the namespace
    // tells where the number ends.
    let length: usize = mangled.strip_prefix("_ZN")?.split("kernel_").next()?.parse().ok()?;
    rest.get(..length.checked_sub("kernel_".len())?)?.parse().ok()
}

/// Checks that a kernel with `found` atomics in its PTX has at least those of its text. Some statements need several.
///
/// # Errors
/// The numbers found and expected, if there are too few.
pub(super) fn check_atomics(kernel: &VerifiedKernel, found: usize) -> Result<(), String> {
    let wanted = atomics_wanted(kernel);
    if found >= wanted {
        return Ok(());
    }
    Err(format!("{found} atomic instructions in PTX, where there should be {wanted}"))
}

/// The number of atomics in the CUDA text of the kernel: one for each atomic statement, or one for each element of a
/// grid reduction, because a block adds up its threads first.
pub(super) fn atomics_wanted(kernel: &VerifiedKernel) -> usize {
    let sums = grid_reductions(kernel);
    let mut wanted = sums.values().map(|elements| elements.len()).sum();
    kernel.walk_stmts(&mut |stmt| {
        if let Some((_, place)) = stmt.atomic() {
            let is_reduced = matches!(place.root, PlaceRoot::Element { array, .. } if sums.contains_key(&array));
            wanted += usize::from(!is_reduced);
        }
    });
    wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atomics_are_counted_by_kernel() {
        let ptx = "\
.visible .entry _ZN8kernel_39histogramEj(
	atom.global.add.u32 	%r1, [%rd1], 1;
	@%p1 red.global.add.f32 	[%rd1], %f1;
.visible .entry _ZN9kernel_125saxpyEj(
	add.f32 	%f1, %f2, %f3;
	red.global.add.f32 	[%rd1], %f1;
	call.uni (retval0),
	_Z9atomicAddPff,
	(param0, param1);
	ld.param.u32 	%r3, [_ZN9kernel_1259atomic_maxEj_param_0];
}
.func  (.param .b32 func_retval0) _Z9atomicAddPff(
	atom.add.f32 	%f2, [%rd1], %f1;
";
        assert_eq!(atomics(ptx), HashMap::from([(3, 2), (12, 2)]));
    }
}
