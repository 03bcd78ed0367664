//! The CUDA driver, loaded to ask for its version.

use libloading::Library;
use std::ffi::c_int;
use std::fs;
use std::path::PathBuf;

/// `CUresult`. 0 is success.
type Status = c_int;

/// The file names of the driver's library. The first is the one that the driver itself installs.
const NAMES: [&str; 2] = ["libcuda.so.1", "libcuda.so"];

/// The version of CUDA that the driver supports, with the number of GPUs, and the path of its library.
///
/// # Errors
/// A sentence about what is missing, if there is no driver or no GPU.
pub(super) fn find() -> Result<(String, Option<PathBuf>), String> {
    // SAFETY: loading runs initialisers of NVIDIA's library, which every CUDA program runs.
    let loaded = NAMES.iter().find_map(|name| unsafe { Library::new(name) }.ok());
    let library = loaded.ok_or_else(|| format!("there is no {} on the loader's path", NAMES[0]))?;
    let mut version = 0;
    // SAFETY: `cuda.h` declares the function with this type, and it may be called before `cuInit`.
    let status = unsafe {
        function::<unsafe extern "C" fn(*mut c_int) -> Status>(&library, c"cuDriverGetVersion")?(&raw mut version)
    };
    succeed("cuDriverGetVersion", status)?;
    // SAFETY: `cuda.h` declares the function with this type; its flags must be 0.
    let status = unsafe { function::<unsafe extern "C" fn(u32) -> Status>(&library, c"cuInit")?(0) };
    succeed("cuInit", status)?;
    let mut count = 0;
    // SAFETY: `cuda.h` declares the function with this type, and `cuInit` has succeeded.
    let status = unsafe {
        function::<unsafe extern "C" fn(*mut c_int) -> Status>(&library, c"cuDeviceGetCount")?(&raw mut count)
    };
    succeed("cuDeviceGetCount", status)?;
    match count {
        0 => Err("the driver finds no GPU".to_owned()),
        count => Ok((described(version, count), loaded_from(NAMES[1]))),
    }
}

/// A version as the driver counts them, `1000·major + 10·minor`, and a number of GPUs, in words.
fn described(version: c_int, gpus: c_int) -> String {
    let plural = if gpus == 1 { "" } else { "s" };
    format!("CUDA {}.{}, {gpus} GPU{plural}", version / 1000, version % 1000 / 10)
}

/// A function of the library.
///
/// # Safety
/// `F` is the type of the function, and the function is not called after the library is closed.
unsafe fn function<F: Copy>(library: &Library, name: &std::ffi::CStr) -> Result<F, String> {
    // SAFETY: the caller asserts the type.
    let found = unsafe { library.get::<F>(name.to_bytes_with_nul()) };
    found.map(|function| *function).map_err(|error| format!("the driver's library is broken: {error}"))
}

fn succeed(call: &str, status: Status) -> Result<(), String> {
    match status {
        0 => Ok(()),
        status => Err(format!("the driver does not work: {call} returns error {status}")),
    }
}

/// The path of a library of this process whose file name begins with `name`. `None` where the system does not list the
/// files of a process.
pub(super) fn loaded_from(name: &str) -> Option<PathBuf> {
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let paths = maps.lines().filter_map(|line| Some(PathBuf::from(&line[line.find('/')?..])));
    paths.into_iter().find(|path| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_the_driver_counts_them() {
        assert_eq!(described(12_040, 1), "CUDA 12.4, 1 GPU");
        assert_eq!(described(13_000, 2), "CUDA 13.0, 2 GPUs");
    }

    #[test]
    fn a_loaded_library_has_a_path() {
        if cfg!(target_os = "linux") {
            let path = loaded_from("libc.so").expect("the program is linked with the C library");
            assert!(path.is_file(), "{}", path.display());
        }
        assert_eq!(loaded_from("libnosuchlibrary.so"), None);
    }

    #[test]
    fn an_error_of_the_driver_is_a_sentence() {
        assert_eq!(succeed("cuInit", 100).unwrap_err(), "the driver does not work: cuInit returns error 100");
    }
}
