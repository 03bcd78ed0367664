//! Bindings of NVRTC, loaded at run time.
//!
//! `cudarc` is not used here: it searches NVRTC on the loader's path, once, and panics without it. This module takes a
//! path, and reports a missing library as an error.

use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr;

/// `nvrtcResult`. 0 is success.
type Status = c_int;
/// `nvrtcProgram`.
type Handle = *mut c_void;

/// The functions in use, with their types from `nvrtc.h`.
pub(super) struct Api {
    version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> Status,
    error: unsafe extern "C" fn(Status) -> *const c_char,
    create: unsafe extern "C" fn(
        *mut Handle,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> Status,
    destroy: unsafe extern "C" fn(*mut Handle) -> Status,
    compile: unsafe extern "C" fn(Handle, c_int, *const *const c_char) -> Status,
    log_size: unsafe extern "C" fn(Handle, *mut usize) -> Status,
    log: unsafe extern "C" fn(Handle, *mut c_char) -> Status,
    ptx_size: unsafe extern "C" fn(Handle, *mut usize) -> Status,
    ptx: unsafe extern "C" fn(Handle, *mut c_char) -> Status,
    /// Keeps the library loaded, so that the function pointers stay valid.
    _library: Library,
}

/// The result of a compilation.
pub(super) struct Compiled {
    /// The PTX. `None` if there were errors.
    pub(super) ptx: Option<String>,
    /// The errors and warnings.
    pub(super) log: String,
}

impl Api {
    /// Loads the library at `path`.
    ///
    /// # Errors
    /// It cannot be loaded, or lacks a function.
    pub(super) fn open(path: &Path) -> Result<Api, String> {
        let wrong = |error: libloading::Error| format!("`{}` cannot be loaded: {error}", path.display());
        // SAFETY: loading runs initialisers of NVIDIA's library, because the path leads to what the install script put
        // there.
        let library = unsafe { Library::new(path) }.map_err(wrong)?;
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: the field that it is assigned to has the type that `nvrtc.h` declares for the function, and
                // the library lives as long as the field.
                *unsafe { library.get($name) }.map_err(wrong)?
            };
        }
        Ok(Api {
            version: function!(b"nvrtcVersion\0"),
            error: function!(b"nvrtcGetErrorString\0"),
            create: function!(b"nvrtcCreateProgram\0"),
            destroy: function!(b"nvrtcDestroyProgram\0"),
            compile: function!(b"nvrtcCompileProgram\0"),
            log_size: function!(b"nvrtcGetProgramLogSize\0"),
            log: function!(b"nvrtcGetProgramLog\0"),
            ptx_size: function!(b"nvrtcGetPTXSize\0"),
            ptx: function!(b"nvrtcGetPTX\0"),
            _library: library,
        })
    }

    /// The version, such as `13.5`.
    pub(super) fn version(&self) -> Result<String, String> {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: both pointers are to integers that outlive the call.
        self.succeed(unsafe { (self.version)(&mut major, &mut minor) })?;
        Ok(format!("{major}.{minor}"))
    }

    /// Compiles `source`.
    ///
    /// # Errors
    /// The library does not work. Errors in `source` are not an error here but a result.
    pub(super) fn compile(&self, source: &str, name: &str, options: &[String]) -> Result<Compiled, String> {
        let text = |text: &str| CString::new(text).map_err(|_| "the text has a zero byte in it".to_owned());
        let (source, name) = (text(source)?, text(name)?);
        let options = options.iter().map(|option| text(option)).collect::<Result<Vec<_>, _>>()?;
        let pointers: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        let mut program = Program { api: self, handle: ptr::null_mut() };
        // SAFETY: the handle is written through a pointer to it; the texts outlive the call, which copies them; with no
        // headers, the lists of headers may be null.
        self.succeed(unsafe {
            (self.create)(&mut program.handle, source.as_ptr(), name.as_ptr(), 0, ptr::null(), ptr::null())
        })?;
        let count = c_int::try_from(pointers.len()).map_err(|error| error.to_string())?;
        // SAFETY: the program was created above; `pointers` are `count` texts that outlive the call.
        let status = unsafe { (self.compile)(program.handle, count, pointers.as_ptr()) };
        let log = self.text(program.handle, self.log_size, self.log)?;
        let ptx = match status {
            0 => Some(self.text(program.handle, self.ptx_size, self.ptx)?),
            _ if !log.trim().is_empty() => None,
            status => return Err(self.message(status)),
        };
        Ok(Compiled { ptx, log })
    }

    /// A text of a program: the library gives its size first, then its bytes.
    fn text(
        &self,
        program: Handle,
        size: unsafe extern "C" fn(Handle, *mut usize) -> Status,
        get: unsafe extern "C" fn(Handle, *mut c_char) -> Status,
    ) -> Result<String, String> {
        let mut bytes = 0;
        // SAFETY: `program` was created and compiled; the size is written to a live variable.
        self.succeed(unsafe { size(program, &mut bytes) })?;
        let mut text = vec![0u8; bytes];
        // SAFETY: the buffer has the size that the library asks for, which counts the zero at the end.
        self.succeed(unsafe { get(program, text.as_mut_ptr().cast()) })?;
        Ok(String::from_utf8_lossy(&text).trim_end_matches('\0').to_owned())
    }

    fn succeed(&self, status: Status) -> Result<(), String> {
        if status == 0 { Ok(()) } else { Err(self.message(status)) }
    }

    fn message(&self, status: Status) -> String {
        // SAFETY: the function takes every status and gives a text that is never freed.
        let text = unsafe { CStr::from_ptr((self.error)(status)) };
        format!("NVRTC: {}", text.to_string_lossy())
    }
}

/// A program that is destroyed on drop.
struct Program<'a> {
    api: &'a Api,
    handle: Handle,
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: the handle is of a program that was created, and nothing uses it after this.
            unsafe { (self.api.destroy)(&mut self.handle) };
        }
    }
}
