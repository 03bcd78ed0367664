//! Files of NumPy, without NumPy. `python.rs` exchanges them with it.

use crate::samples::{sample, with_all};
use kernel_rt::interop::InteropError;
use kernel_rt::interop::npy::{NpzReader, NpzWriter};
use kernel_rt::prelude::*;
use std::io::Cursor;

fn written<T: UniformElement, const N: usize>(array: &Array<T, N>) -> Vec<u8> {
    let mut file = Vec::new();
    array.write_npy(&mut file).unwrap();
    file
}

fn goes_in_and_out<T: UniformElement>() {
    let a = sample::<T>();
    let file = written(&a);
    assert_eq!(Array2::<T>::read_npy(&file[..]).unwrap(), a);
    let empty = Array::<T, 3>::zeros([2, 0, 3]);
    assert_eq!(Array::<T, 3>::read_npy(&written(&empty)[..]).unwrap(), empty);
    for len in 0..file.len() {
        let error = Array2::<T>::read_npy(&file[..len]).unwrap_err();
        match error {
            InteropError::Malformed { .. } => assert!(len < 128, "{error}"),
            InteropError::Truncated { expected, found } => {
                assert_eq!((expected, found), (file.len() - 128, len - 128));
            }
            error => panic!("{len}: {error}"),
        }
    }
}

#[test]
fn every_element_type_goes_in_and_out() {
    with_all!(goes_in_and_out());
}

#[test]
fn every_number_of_axes_goes_in_and_out() {
    let elements: Vec<i64> = (0..24).collect();
    let a = Array::from(elements);
    assert_eq!(Array::<i64, 1>::read_npy(&written(&a)[..]).unwrap(), a);
    let a = a.reshape([2, 3, 4]).unwrap();
    assert_eq!(Array3::<i64>::read_npy(&written(&a)[..]).unwrap(), a);
    let a = a.reshape([2, 3, 2, 2]).unwrap();
    assert_eq!(Array4::<i64>::read_npy(&written(&a)[..]).unwrap(), a);
    let a = Array::<f32, 0>::from_vec([], vec![0.5]).unwrap();
    assert_eq!(Array::<f32, 0>::read_npy(&written(&a)[..]).unwrap(), a);
}

/// A file of this header and these data.
fn file(header: &str, data: &[u8]) -> Vec<u8> {
    let size = u16::try_from(header.len()).unwrap();
    [b"\x93NUMPY\x01\x00", &size.to_le_bytes()[..], header.as_bytes(), data].concat()
}

#[test]
fn other_layouts_and_byte_orders_are_read() {
    let fortran = file(
        "{'descr': '<i4', 'fortran_order': True, 'shape': (2, 2), }\n",
        &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0],
    );
    assert_eq!(Array2::<i32>::read_npy(&fortran[..]).unwrap().as_slice(), [1, 3, 2, 4]);
    let big = file("{'shape': (2,), 'fortran_order': False, 'descr': '>u4'}", &[0, 0, 0, 1, 0, 0, 1, 0]);
    assert_eq!(Array::<u32, 1>::read_npy(&big[..]).unwrap().as_slice(), [1, 256]);
    let old = file("{'descr': \"<u8\", 'fortran_order': False, 'shape': (1L,)}", &[7, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(Array::<u64, 1>::read_npy(&old[..]).unwrap().as_slice(), [7]);
    // Only the array is read.
    let two = [&written(&sample::<f32>())[..], &written(&sample::<f64>())].concat();
    let mut reader = &two[..];
    assert_eq!(Array2::<f32>::read_npy(&mut reader).unwrap(), sample());
    assert_eq!(Array2::<f64>::read_npy(&mut reader).unwrap(), sample());
}

#[test]
fn what_does_not_fit_is_an_error() {
    let header = |descr: &str, shape: &str| {
        file(&format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}}}"), &[])
    };
    for (file, problem) in [
        (header("<f8", "(2, 2)"), "the array takes `float32`, and the data are `float64`"),
        (header("|u1", "(2, 2)"), "the array takes `float32`, and the data are `uint8`"),
        (header("|O", "(2, 2)"), "the array takes `float32`, and the data are `|O`"),
        (header("é", "(2, 2)"), "the data are `é`"),
        (header("", "(2, 2)"), "the data are ``"),
        (header("<f4", "(4,)"), "the array has 2 axes, and the data have the shape [4]"),
        (header("<f4", "(2, 2)"), "the file ends after 0 of 16 bytes of data"),
        (header("<f4", "(1152921504606846976, 1)"), "ends after 0 of 4611686018427387904 bytes"),
        (header("<f4", "(1152921504606846976, 1152921504606846976)"), "more bytes than `usize` can count"),
        (header("<f4", "(2305843009213693952, 1)"), "more bytes than `usize` can count"),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff{".to_vec(), "a header of 4294967295 bytes is longer than 10000"),
        (b"\x93NUMPY\x09\x00\x10\x00".to_vec(), "version 9 is unknown"),
        (b"\x93NUMPY\x01\x00\x02\x00\xff\xff".to_vec(), "the header is not text"),
        (b"PK\x03\x04 and so on".to_vec(), "does not begin as NumPy's files do"),
        (vec![], "the file ends inside its header"),
    ] {
        let error = Array2::<f32>::read_npy(&file[..]).unwrap_err().to_string();
        assert!(error.contains(problem) && !error.contains('\n'), "{}: {error}", String::from_utf8_lossy(&file));
    }
    let error = Array2::<Vec3>::read_npy(&header("<f4", "(2, 2, 4)")[..]).unwrap_err().to_string();
    assert_eq!(error, "the array has 2 axes and elements of shape [3], and the data have the shape [2, 2, 4]");
}

#[test]
fn a_byte_that_is_no_bool_is_an_error() {
    let header = "{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}";
    assert_eq!(Array::<bool, 1>::read_npy(&file(header, &[1, 0, 1])[..]).unwrap().as_slice(), [true, false, true]);
    assert!(written(&Array::from(vec![true])).windows(14).any(|part| part == b"'descr': '|b1'"));
    let error = Array::<bool, 1>::read_npy(&file(header, &[1, 2, 1])[..]).unwrap_err().to_string();
    assert_eq!(error, "an array of `bool` has an element whose byte is neither 0 nor 1");
}

/// Files with one byte changed are read or refused.
#[test]
fn damaged_files_never_panic() {
    let whole = written(&sample::<Mat2>());
    let mut npz = NpzWriter::new(Cursor::new(Vec::new()));
    npz.write("a", &sample::<Mat2>()).unwrap();
    let archive = npz.finish().unwrap().into_inner();
    for bit in 0..8 {
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 1 << bit;
            _ = Array2::<Mat2>::read_npy(&damaged[..]);
        }
        for place in 0..archive.len() {
            let mut damaged = archive.clone();
            damaged[place] ^= 1 << bit;
            _ = NpzReader::new(Cursor::new(damaged)).and_then(|mut npz| npz.read::<Mat2, 2>("a"));
        }
    }
}

#[test]
fn archives_have_arrays_by_name() {
    let mut npz = NpzWriter::new(Cursor::new(Vec::new()));
    npz.write("weights", &sample::<f32>()).unwrap();
    npz.write("places", &sample::<DVec3>()).unwrap();
    let error = npz.write("places", &sample::<f32>()).unwrap_err();
    assert!(matches!(error, InteropError::Malformed { .. }), "{error:?}");
    let file = npz.finish().unwrap().into_inner();
    let mut npz = NpzReader::new(Cursor::new(file.clone())).unwrap();
    assert_eq!(npz.names(), ["weights", "places"]);
    assert_eq!(npz.read::<DVec3, 2>("places").unwrap(), sample());
    assert_eq!(npz.read::<f32, 2>("weights").unwrap(), sample());
    let error = npz.read::<f32, 2>("bias").unwrap_err();
    assert_eq!(error.to_string(), "the archive has no array `bias`; it has `weights`, `places`");
    for len in (0..file.len()).step_by(7) {
        let error = NpzReader::new(Cursor::new(&file[..len])).map(|_| ()).unwrap_err();
        assert!(matches!(error, InteropError::Malformed { format: "npz", .. } | InteropError::Io(_)), "{error:?}");
    }
    // A changed number does not fit the checksum.
    let place = file.windows(4).position(|bytes| bytes == 2.5f32.to_le_bytes()).unwrap();
    let mut damaged = file.clone();
    damaged[place] ^= 1;
    let error = NpzReader::new(Cursor::new(damaged)).unwrap().read::<f32, 2>("weights").unwrap_err();
    assert!(matches!(error, InteropError::Io(_)), "{error:?}");
}

#[test]
fn files_have_paths() {
    let folder = tempfile::tempdir().unwrap();
    let (npy, npz) = (folder.path().join("a.npy"), folder.path().join("a.npz"));
    sample::<Vec4>().save_npy(&npy).unwrap();
    assert_eq!(Array2::<Vec4>::load_npy(&npy).unwrap(), sample());
    let mut writer = NpzWriter::create(&npz).unwrap();
    writer.write("a", &sample::<Vec4>()).unwrap();
    writer.finish().unwrap();
    assert_eq!(NpzReader::open(&npz).unwrap().read::<Vec4, 2>("a").unwrap(), sample());
    assert!(matches!(Array2::<f32>::load_npy(folder.path().join("b.npy")), Err(InteropError::Io(_))));
    assert!(matches!(NpzReader::open(&npy), Err(InteropError::Malformed { .. })));
}
