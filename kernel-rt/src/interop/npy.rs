//! NumPy's files: `.npy` for one array, `.npz` for several by name.
//!
//! ```
//! use kernel_rt::prelude::*;
//! use kernel_rt::interop::npy::{NpzReader, NpzWriter};
//! use std::io::Cursor;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let a = Array2::from_vec([2, 2], vec![1.0, 2.0, 3.0, 4.0])?;
//! let mut npz = NpzWriter::new(Cursor::new(Vec::new()));
//! npz.write("a", &a)?;
//! let file = npz.finish()?;
//! assert_eq!(NpzReader::new(file)?.read::<f64, 2>("a")?, a);
//! # Ok(())
//! # }
//! ```
//!
//! # Why the header is read here
//!
//! The crates `npyz` and `ndarray-npy` read these files too. `npyz` 0.9 panics on a shape whose product overflows,
//! `ndarray-npy` 0.10 allocates what the header promises, and both bring a parser of Python literals with about fifteen
//! crates. The header is one dictionary of three keys, which `Header::parse` reads. The archive is the crate `zip`.

use super::InteropError;
use super::layout::{array_shape, column_major, gather, in_order, numpy_name, row_major, scalar_shape, scalar_strides};
use crate::array::{Array, Element, UniformElement};
use kernel_ir::ir::{Scalar, Shape};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

const MAGIC: &[u8] = b"\x93NUMPY";
/// The size of the longest header that is read, in bytes; NumPy reads no longer ones either. That of a plain array takes
/// about a hundred.
const LONGEST: usize = 10_000;
/// NumPy aligns the data of a file to this number of bytes.
const ALIGNMENT: usize = 64;

impl<T: UniformElement, const N: usize> Array<T, N> {
    /// Reads an array from a `.npy` file: of either byte order, in row-major or column-major order. The last axes are
    /// those of the elements. What follows the array in the file stays unread.
    ///
    /// # Errors
    /// [`InteropError::Type`] if the scalars have another type; [`InteropError::Shape`] if the axes are others;
    /// [`InteropError::OnDevice`] if a byte of a `bool` is neither 0 nor 1; [`InteropError::Malformed`] or
    /// [`InteropError::Truncated`] if it is no such file; [`InteropError::Io`] if reading fails.
    pub fn read_npy(mut reader: impl Read) -> Result<Array<T, N>, InteropError> {
        let header = Header::read(&mut reader)?;
        let is_swapped = header.byte_order::<T>()?;
        let shape = array_shape::<T, N>(&header.shape)?;
        let size = size_of::<T::Scalar>();
        let expected = shape_len(&header.shape) * size;
        let mut bytes = Vec::new();
        // The vector grows with what is there, not with what the header promises.
        reader.take(expected as u64).read_to_end(&mut bytes)?;
        if bytes.len() < expected {
            return Err(InteropError::Truncated { expected, found: bytes.len() });
        }
        let strides = if header.is_fortran { column_major(&header.shape) } else { row_major(&header.shape) };
        gather(shape, &strides, |offset| {
            let scalar = &mut bytes[offset as usize * size..][..size];
            // Each scalar is read once, so it may be turned around in its place.
            if is_swapped {
                scalar.reverse();
            }
            bytemuck::pod_read_unaligned(scalar)
        })
    }

    /// Reads an array from the `.npy` file at `path`, as [`Array::read_npy`] does.
    ///
    /// # Errors
    /// Those of [`Array::read_npy`]; [`InteropError::Io`] if the file cannot be opened.
    pub fn load_npy(path: impl AsRef<Path>) -> Result<Array<T, N>, InteropError> {
        Array::read_npy(BufReader::new(opened(path.as_ref())?))
    }

    /// Writes the array as a `.npy` file, in row-major order. The last axes are those of the elements.
    ///
    /// # Errors
    /// [`InteropError::Io`] if writing fails; [`InteropError::Malformed`] for `bf16`, which NumPy does not have.
    pub fn write_npy(&self, mut writer: impl Write) -> Result<(), InteropError> {
        let shape = scalar_shape::<T>(&self.shape());
        writer.write_all(&Header::text(T::ir_type().scalar(), &shape)?)?;
        let scalars = T::scalars_of(self.as_slice());
        match T::ir_type().shape {
            Shape::Matrix(..) => {
                let rows = in_order(&shape, &scalar_strides::<T>(&self.shape()), |offset| scalars[offset as usize]);
                writer.write_all(&<T::Scalar as Element>::to_memory(&rows))?;
            }
            Shape::Scalar | Shape::Vector(_) | Shape::Quat | Shape::Struct(_) | Shape::Tile(..) => {
                writer.write_all(&<T::Scalar as Element>::to_memory(scalars))?
            }
        }
        writer.flush()?;
        Ok(())
    }

    /// Writes the array to a new `.npy` file at `path`, or over the one there.
    ///
    /// # Errors
    /// [`InteropError::Io`] if writing fails.
    pub fn save_npy(&self, path: impl AsRef<Path>) -> Result<(), InteropError> {
        self.write_npy(BufWriter::new(created(path.as_ref())?))
    }
}

/// The number of scalars; the caller has checked that it fits.
fn shape_len(shape: &[usize]) -> usize {
    crate::array::volume(shape).unwrap_or(0)
}

/// An open `.npz` file: arrays by name.
pub struct NpzReader<R>(ZipArchive<R>);

fn opened(path: &Path) -> Result<File, InteropError> {
    File::open(path).map_err(|error| at(path, &error))
}

fn created(path: &Path) -> Result<File, InteropError> {
    File::create(path).map_err(|error| at(path, &error))
}

/// The error with the path of the file.
fn at(path: &Path, error: &io::Error) -> InteropError {
    InteropError::Io(io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

impl NpzReader<BufReader<File>> {
    /// Opens the `.npz` file at `path`.
    ///
    /// # Errors
    /// [`InteropError::Malformed`] if it is no archive; [`InteropError::Io`] if the file cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, InteropError> {
        NpzReader::new(BufReader::new(opened(path.as_ref())?))
    }
}

impl<R: Read + Seek> NpzReader<R> {
    /// Reads the names of the arrays.
    ///
    /// # Errors
    /// [`InteropError::Malformed`] if it is no archive; [`InteropError::Io`] if reading fails.
    pub fn new(reader: R) -> Result<NpzReader<R>, InteropError> {
        Ok(NpzReader(ZipArchive::new(reader).map_err(of_archive)?))
    }

    /// The names of the arrays, in the order of the file.
    pub fn names(&self) -> Vec<String> {
        self.0.file_names().filter_map(|file| file.strip_suffix(".npy")).map(str::to_owned).collect()
    }

    /// Reads the array with this name, as [`Array::read_npy`] does.
    ///
    /// # Errors
    /// [`InteropError::NoSuchArray`] if there is none; otherwise those of [`Array::read_npy`].
    pub fn read<T: UniformElement, const N: usize>(&mut self, name: &str) -> Result<Array<T, N>, InteropError> {
        let available = self.names();
        if !available.iter().any(|other| other == name) {
            return Err(InteropError::NoSuchArray { name: name.to_owned(), available });
        }
        let mut file = self.0.by_name(&format!("{name}.npy")).map_err(of_archive)?;
        let array = Array::read_npy(&mut file)?;
        // The archive checks its checksum at the end of the file.
        match file.read(&mut [0])? {
            0 => Ok(array),
            _ => Err(malformed("npz", format!("`{name}` has data behind its array"))),
        }
    }
}

/// A `.npz` file that is being written, without compression, as by `numpy.savez`.
pub struct NpzWriter<W: Write + Seek>(ZipWriter<W>);

impl NpzWriter<BufWriter<File>> {
    /// A new file at `path`, or one in the place of that there.
    ///
    /// # Errors
    /// [`InteropError::Io`] if the file cannot be created.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, InteropError> {
        Ok(NpzWriter::new(BufWriter::new(created(path.as_ref())?)))
    }
}

impl<W: Write + Seek> NpzWriter<W> {
    /// An archive without arrays so far.
    pub fn new(writer: W) -> NpzWriter<W> {
        NpzWriter(ZipWriter::new(writer))
    }

    /// Adds an array.
    ///
    /// # Errors
    /// [`InteropError::Malformed`] if the archive has an array of this name; [`InteropError::Io`] if writing fails.
    pub fn write<T: UniformElement, const N: usize>(
        &mut self,
        name: &str,
        array: &Array<T, N>,
    ) -> Result<(), InteropError> {
        // Files of 4 GiB and more need larger fields.
        let options = SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Stored)
            .large_file(std::mem::size_of_val(array.as_slice()) >= 1 << 31);
        self.0.start_file(format!("{name}.npy"), options).map_err(of_archive)?;
        array.write_npy(&mut self.0)
    }

    /// Writes the end of the archive, and returns the writer.
    ///
    /// # Errors
    /// [`InteropError::Io`] if writing fails.
    pub fn finish(self) -> Result<W, InteropError> {
        let mut writer = self.0.finish().map_err(of_archive)?;
        writer.flush()?;
        Ok(writer)
    }
}

fn of_archive(error: ZipError) -> InteropError {
    match error {
        ZipError::Io(error) => error.into(),
        error => malformed("npz", error),
    }
}

fn malformed(format: &'static str, problem: impl ToString) -> InteropError {
    InteropError::Malformed { format, problem: problem.to_string() }
}

/// The header of a `.npy` file.
#[derive(Debug, PartialEq)]
struct Header {
    /// The type of the scalars, as in `<f4`.
    descr: String,
    is_fortran: bool,
    shape: Vec<usize>,
}

impl Header {
    fn read(reader: &mut impl Read) -> Result<Header, InteropError> {
        let ended = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => malformed("npy", "the file ends inside its header"),
            _ => error.into(),
        };
        let mut start = [0; 8];
        reader.read_exact(&mut start).map_err(ended)?;
        if !start.starts_with(MAGIC) {
            return Err(malformed("npy", "the file does not begin as NumPy's files do"));
        }
        let mut size = [0; 4];
        let width = match start[6] {
            1 => 2,
            2 | 3 => 4,
            version => return Err(malformed("npy", format!("version {version} is unknown"))),
        };
        reader.read_exact(&mut size[..width]).map_err(ended)?;
        let size = u32::from_le_bytes(size) as usize;
        if size > LONGEST {
            return Err(malformed("npy", format!("a header of {size} bytes is longer than {LONGEST}")));
        }
        let mut text = vec![0; size];
        reader.read_exact(&mut text).map_err(ended)?;
        let text = std::str::from_utf8(&text).map_err(|_| malformed("npy", "the header is not text"))?;
        Header::parse(text).map_err(|problem| malformed("npy", problem))
    }

    /// Reads the dictionary `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`.
    fn parse(text: &str) -> Result<Header, String> {
        let mut literal = Literal { rest: text };
        let (mut descr, mut is_fortran, mut shape) = (None, None, None);
        literal.expect("{")?;
        while !literal.takes("}") {
            let key = literal.string()?;
            literal.expect(":")?;
            match key {
                "descr" => descr = Some(literal.string()?.to_owned()),
                "fortran_order" => is_fortran = Some(literal.boolean()?),
                "shape" => shape = Some(literal.integers()?),
                key => return Err(format!("the header has an unknown key `{key}`")),
            }
            if !literal.takes(",") {
                literal.expect("}")?;
                break;
            }
        }
        match (descr, is_fortran, shape) {
            _ if !literal.rest.trim().is_empty() => Err("the header has text behind its dictionary".to_owned()),
            (Some(descr), Some(is_fortran), Some(shape)) => Ok(Header { descr, is_fortran, shape }),
            _ => Err("the header lacks one of the keys `descr`, `fortran_order` and `shape`".to_owned()),
        }
    }

    /// Checks the type of the scalars, and returns whether their bytes are in the other order than here.
    fn byte_order<T: UniformElement>(&self) -> Result<bool, InteropError> {
        let scalar = T::ir_type().scalar();
        let other = if cfg!(target_endian = "little") { '>' } else { '<' };
        match self.descr.split_at_checked(1) {
            Some(("<" | ">" | "=" | "|", name)) if name == code(scalar)? => Ok(self.descr.starts_with(other)),
            _ => {
                let named = numpy_names().find(|(code, _)| self.descr.get(1..) == Some(code));
                let found = named.map_or_else(|| self.descr.clone(), |(_, name)| name.to_owned());
                Err(InteropError::Type { expected: numpy_name(scalar).to_owned(), found })
            }
        }
    }

    /// The start of a file up to its data, as NumPy writes it.
    ///
    /// # Errors
    /// [`InteropError::Malformed`] if NumPy has no such type.
    fn text(scalar: Scalar, shape: &[usize]) -> Result<Vec<u8>, InteropError> {
        // One byte has no order.
        let order = match scalar.bits() {
            Some(8) => '|',
            _ if cfg!(target_endian = "little") => '<',
            _ => '>',
        };
        let extents: String = shape.iter().map(|extent| format!("{extent}, ")).collect();
        let extents = match shape {
            [_] => extents.trim_end(),
            _ => extents.trim_end_matches(", "),
        };
        let mut text =
            format!("{{'descr': '{order}{}', 'fortran_order': False, 'shape': ({extents}), }}", code(scalar)?);
        let before = MAGIC.len() + 4;
        while !(before + text.len() + 1).is_multiple_of(ALIGNMENT) {
            text.push(' ');
        }
        text.push('\n');
        // Four extents of elements of two axes have at most 120 digits.
        let size = u16::try_from(text.len()).expect("the header is short");
        Ok([MAGIC, &[1, 0], &size.to_le_bytes(), text.as_bytes()].concat())
    }
}

/// The name of a scalar type in a header, without the byte order.
///
/// # Errors
/// [`InteropError::Malformed`] if NumPy has no such type.
fn code(scalar: Scalar) -> Result<&'static str, InteropError> {
    Ok(match scalar {
        Scalar::Bool => "b1",
        Scalar::I8 => "i1",
        Scalar::U8 => "u1",
        Scalar::I16 => "i2",
        Scalar::U16 => "u2",
        Scalar::I32 => "i4",
        Scalar::U32 => "u4",
        Scalar::I64 => "i8",
        Scalar::U64 | Scalar::Index => "u8",
        Scalar::F16 => "f2",
        Scalar::BF16 => {
            return Err(malformed("npy", "NumPy has no type `bfloat16`; convert the elements to `f32`"));
        }
        Scalar::F32 => "f4",
        Scalar::F64 => "f8",
    })
}

/// The codes and names of types that files often have, for messages.
fn numpy_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    let scalars = Scalar::ALL.into_iter().filter(|scalar| *scalar != Scalar::Index);
    scalars.filter_map(|scalar| Some((code(scalar).ok()?, numpy_name(scalar))))
}

/// A reader of Python literals.
struct Literal<'a> {
    rest: &'a str,
}

impl<'a> Literal<'a> {
    /// Whether `token` is next; if so, it is consumed.
    fn takes(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.takes(token) {
            return Ok(());
        }
        let found: String = self.rest.chars().take(10).collect();
        Err(format!("the header has `{}` where `{token}` must be", found.escape_debug()))
    }

    /// A string without escapes.
    fn string(&mut self) -> Result<&'a str, String> {
        let quote = if self.takes("\"") { "\"" } else { "'" };
        if quote == "'" {
            self.expect("'").map_err(|_| "the header has a structured type or no type; only plain numbers are read")?;
        }
        let (text, rest) = self.rest.split_once(quote).ok_or("the header has a string without an end")?;
        self.rest = rest;
        Ok(text)
    }

    fn boolean(&mut self) -> Result<bool, String> {
        if self.takes("True") {
            return Ok(true);
        }
        self.expect("False").map(|()| false)
    }

    /// A tuple of numbers that are not negative.
    fn integers(&mut self) -> Result<Vec<usize>, String> {
        let mut found = Vec::new();
        self.expect("(")?;
        while !self.takes(")") {
            self.rest = self.rest.trim_start();
            let digits = self.rest.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(self.rest.len());
            let (number, rest) = self.rest.split_at(digits);
            let number = number.parse().map_err(|_| format!("the header has an extent that is no size: `{number}`"))?;
            found.push(number);
            self.rest = rest;
            // Python 2 has written long integers.
            self.takes("L");
            if !self.takes(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_that_of_numpy() {
        let text = Header::text(Scalar::F32, &[2, 3]).unwrap();
        let expected = "\u{93}NUMPY\u{1}\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
        let expected: Vec<u8> = expected.chars().map(|sign| sign as u8).collect();
        assert!(text.starts_with(&expected) && text.ends_with(b"  \n") && text.len() == 128, "{text:?}");
        for (shape, shown) in [(&[][..], "()"), (&[7], "(7,)"), (&[7, 0, 2], "(7, 0, 2)")] {
            let text = Header::text(Scalar::I64, shape).unwrap();
            assert!(String::from_utf8_lossy(&text).contains(&format!("'shape': {shown}, }}")), "{shown}");
            let expected = Header { descr: "<i8".to_owned(), is_fortran: false, shape: shape.to_vec() };
            assert_eq!(Header::read(&mut &text[..]).unwrap(), expected);
        }
    }

    #[test]
    fn what_is_no_header_is_an_error() {
        for (text, problem) in [
            ("", "where `{` must be"),
            ("{'shape': (2,)", "where `}` must be"),
            ("{'shape': (2,)}", "lacks one of the keys"),
            ("{'descr': [('x', '<f4')], 'shape': ()}", "structured type"),
            ("{'descr': '<f4, }", "without an end"),
            ("{'shape': (2, -3)}", "no size"),
            ("{'shape': (99999999999999999999)}", "no size"),
            ("{'shape': ((((((((", "no size"),
            ("{'fortran_order': Maybe}", "where `False` must be"),
            ("{'other': 1}", "unknown key"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': ()} + 1", "behind its dictionary"),
        ] {
            let found = Header::parse(text).unwrap_err();
            assert!(found.contains(problem), "{text}: {found}");
        }
    }
}
