//! Compilation of CUDA text to machine code by NVRTC.

use super::cache::Cache;
use super::error::BACKEND;
use crate::error::DeviceError;
use cudarc::nvrtc::{result, sys};
use std::ffi::{CStr, CString, c_char};

/// The options of every compilation, without the architecture. `--fmad=false` keeps exact kernels equal to the CPU.
const OPTIONS: [&str; 2] = ["--std=c++17", "--fmad=false"];

/// The headers that emitted text may include, by name. NVRTC comes without headers, and a user need not install them.
const HEADERS: [(&CStr, &str); 2] =
    [(c"cuda_fp16.h", include_str!("headers/cuda_fp16.h")), (c"cuda_bf16.h", include_str!("headers/cuda_bf16.h"))];

/// The machine code of `source` for the architecture `arch`, from the cache or compiled.
pub(super) fn cubin(kernel: &str, source: &str, arch: &str) -> Result<Vec<u8>, DeviceError> {
    let version = version()?;
    let headers = HEADERS.into_iter().filter(|_| source.starts_with("#include")).map(|(_, text)| text);
    let key: Vec<&str> = OPTIONS.into_iter().chain(headers).chain([arch, &version, source]).collect();
    Cache::of_user().get_or(&key, || compile(kernel, source, arch))
}

fn version() -> Result<String, DeviceError> {
    let (mut major, mut minor) = (0, 0);
    // SAFETY: both pointers are valid for the call.
    unsafe { sys::nvrtcVersion(&raw mut major, &raw mut minor) }.result().map_err(|error| DeviceError::Driver {
        backend: BACKEND,
        call: "nvrtcVersion",
        message: error.to_string(),
    })?;
    Ok(format!("NVRTC {major}.{minor}"))
}

fn compile(kernel: &str, source: &str, arch: &str) -> Result<Vec<u8>, DeviceError> {
    let refused = |log: String| DeviceError::Compile { compiler: "NVRTC", kernel: kernel.to_owned(), log };
    let text = CString::new(source).map_err(|error| refused(error.to_string()))?;
    let name = CString::new(format!("{kernel}.cu")).map_err(|error| refused(error.to_string()))?;
    let program = create(&text, &name).map_err(refused)?;
    let options: Vec<String> =
        OPTIONS.into_iter().map(str::to_owned).chain([format!("--gpu-architecture={arch}")]).collect();
    // SAFETY: the program was created above and is destroyed below.
    let compiled = unsafe {
        let compiled = result::compile_program(program, &options).and_then(|()| cubin_of(program));
        compiled.map_err(|error| match result::get_program_log(program) {
            Ok(log) => refused(with_line(&text_of(&log), source)),
            Err(_) => refused(error.to_string()),
        })
    };
    // SAFETY: the program is not used any more. An error here only leaks memory, and does not affect the result.
    let _ = unsafe { result::destroy_program(program) };
    compiled
}

/// A program of this text and name, with [`HEADERS`].
fn create(text: &CStr, name: &CStr) -> Result<sys::nvrtcProgram, String> {
    let texts = HEADERS.map(|(_, text)| CString::new(text).expect("a header has no zero"));
    let (contents, names) = (texts.each_ref().map(|text| text.as_ptr()), HEADERS.map(|(name, _)| name.as_ptr()));
    let mut program = std::ptr::null_mut();
    // SAFETY: all texts end in a zero and live longer than the call, which copies them. The arrays are as long as it is
    // told.
    let created = unsafe {
        let count = HEADERS.len() as i32;
        sys::nvrtcCreateProgram(
            &raw mut program,
            text.as_ptr(),
            name.as_ptr(),
            count,
            contents.as_ptr(),
            names.as_ptr(),
        )
    };
    created.result().map(|()| program).map_err(|error| error.to_string())
}

/// # Safety
/// `program` is compiled and not destroyed.
unsafe fn cubin_of(program: sys::nvrtcProgram) -> Result<Vec<u8>, result::NvrtcError> {
    let mut size = 0;
    // SAFETY: by the contract of this function for `program`. The buffer has the size that NVRTC requires.
    unsafe {
        sys::nvrtcGetCUBINSize(program, &raw mut size).result()?;
        let mut cubin = vec![0_u8; size];
        sys::nvrtcGetCUBIN(program, cubin.as_mut_ptr().cast::<c_char>()).result()?;
        Ok(cubin)
    }
}

/// The text of an NVRTC log, which ends at the first zero.
fn text_of(log: &[c_char]) -> String {
    let bytes: Vec<u8> = log.iter().map(|&c| c.cast_unsigned()).take_while(|&byte| byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The log, with the line of the emitted text that its first message refers to.
fn with_line(log: &str, source: &str) -> String {
    let number = log.split_once(".cu(").and_then(|(_, rest)| rest.split_once(')')?.0.parse::<usize>().ok());
    let line = number.and_then(|number| source.lines().nth(number.checked_sub(1)?).map(|line| (number, line)));
    match line {
        Some((number, line)) => format!("{}\nline {number}: {}", log.trim_end(), line.trim()),
        None => log.trim_end().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_followed_by_the_line_that_it_is_about() {
        let source = "using index_t = unsigned int;\n    y[i] = z;\n";
        let log = "k.cu(2): error: identifier \"z\" is undefined\n\n";
        assert_eq!(with_line(log, source), "k.cu(2): error: identifier \"z\" is undefined\nline 2: y[i] = z;");
        assert_eq!(with_line("out of memory", source), "out of memory");
    }
}
