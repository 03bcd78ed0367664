//! Images and PNG files.

use ::image::{DynamicImage, ImageBuffer, Rgb};
use kernel_rt::interop::InteropError;
use kernel_rt::interop::image::Pixel;
use kernel_rt::ir::Data;
use kernel_rt::prelude::*;

/// Pixels whose components are whole bytes.
fn pixels<P: Pixel>() -> Array2<P> {
    let scalars: Vec<f32> = (0..6 * P::ir_type().components()).map(|k| (k * 10) as f32 / 255.0).collect();
    Array2::from_vec([2, 3], P::from_data(&Data::F32(scalars)).unwrap()).unwrap()
}

fn goes_in_and_out<P: Pixel>() {
    let a = pixels::<P>();
    let address = a.as_slice().as_ptr();
    let image = a.clone().into_image().unwrap();
    assert_eq!((image.width(), image.height()), (3, 2));
    assert_eq!(Array2::<P>::from_image(image), a);
    let image = a.into_image().unwrap();
    assert_eq!(image.as_raw().as_ptr().cast(), address, "nothing is copied");
    let back = Array2::<P>::from_image(image);
    assert_eq!(back.as_slice().as_ptr(), address, "nothing is copied");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("image.png");
    back.save_image(&path).unwrap();
    assert_eq!(Array2::<P>::load_image(&path).unwrap(), back);
}

#[test]
fn every_pixel_type_goes_in_and_out() {
    goes_in_and_out::<f32>();
    goes_in_and_out::<Vec2>();
    goes_in_and_out::<Vec3>();
    goes_in_and_out::<Vec4>();
}

#[test]
fn pixels_are_indexed_by_row_and_column() {
    let image = ImageBuffer::from_fn(3, 2, |x, y| Rgb([x as f32, y as f32, 0.0]));
    let a = Array2::<Vec3>::from_image(image);
    assert_eq!((a.shape(), a[[1, 2]]), ([2, 3], Vec3::new(2.0, 1.0, 0.0)));
}

#[test]
fn images_are_converted() {
    let image = DynamicImage::from(ImageBuffer::from_pixel(1, 1, Rgb([255u8, 0, 51])));
    assert_eq!(Array2::<Vec4>::copy_from_image(&image)[[0, 0]], Vec4::new(1.0, 0.0, 0.2, 1.0));
    let grey = Array2::<f32>::copy_from_image(&image)[[0, 0]];
    assert!((0.2..0.3).contains(&grey), "{grey}");
    let deep = DynamicImage::from(ImageBuffer::from_pixel(1, 1, Rgb([u16::MAX, 0, 1])));
    assert_eq!(Array2::<Vec3>::copy_from_image(&deep)[[0, 0]], Vec3::new(1.0, 0.0, 1.0 / 65535.0));
}

#[test]
fn numbers_out_of_range_are_clamped() {
    let a = Array2::from_vec([1, 4], vec![-1.0, 0.5, 7.0, f32::NAN]).unwrap();
    assert_eq!(a.to_image8().unwrap().as_bytes(), [0, 128, 255, 0]);
}

#[test]
fn a_longer_vector_than_the_pixels_is_cut() {
    let image = ImageBuffer::<Rgb<f32>, _>::from_raw(1, 1, vec![1.0; 7]).unwrap();
    assert_eq!(Array2::<Vec3>::from_image(image).as_slice(), [Vec3::ONE]);
}

#[test]
fn what_is_no_image_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("image.png");
    assert!(matches!(Array2::<f32>::load_image(&path), Err(InteropError::Io(_))));
    pixels::<Vec3>().save_image(&path).unwrap();
    let whole = std::fs::read(&path).unwrap();
    for len in [0, 7, 20, 40, whole.len() / 2, whole.len() - 20] {
        std::fs::write(&path, &whole[..len]).unwrap();
        let error = Array2::<Vec3>::load_image(&path).unwrap_err();
        assert!(matches!(error, InteropError::Image(_) | InteropError::Io(_)), "{len}: {error:?}");
    }
    // A header of 2³¹ by 2³¹ pixels, with its checksum.
    let mut large = whole.clone();
    large[16..24].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]);
    let checksum = crc32(&large[12..29]);
    large[29..33].copy_from_slice(&checksum.to_be_bytes());
    std::fs::write(&path, &large).unwrap();
    let error = Array2::<Vec3>::load_image(&path).unwrap_err();
    assert!(matches!(error, InteropError::Image(_)), "{error:?}");
    let error = pixels::<Vec3>().save_image(folder.path().join("image.what")).unwrap_err();
    assert!(matches!(error, InteropError::Image(_)), "{error:?}");
    let error = Array2::<f32>::from_vec([1 << 33, 0], vec![]).unwrap().into_image().unwrap_err();
    assert_eq!(error.to_string(), "image: an image of 0 by 8589934592 pixels is too large");
}

/// The checksum of PNG's chunks.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    };
    !bytes.iter().fold(u32::MAX, step)
}
