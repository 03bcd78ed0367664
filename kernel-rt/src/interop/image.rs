//! Images of the crate `image`.
//!
//! An image is an [`Array2`](crate::Array2) of pixels, indexed by row and column: `f32` for grey, `Vec2` for grey and
//! alpha, `Vec3` for red, green and blue, `Vec4` with alpha too. Components are from 0 to 1. They are the numbers of the
//! file, divided by the largest one: nothing is converted between colour spaces, so those of most files are in sRGB.
//!
//! ```
//! use kernel_rt::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let red = Array2::from_vec([1, 2], vec![Vec3::X; 2])?;
//! let image = red.into_image()?;
//! assert_eq!((image.width(), image.height()), (2, 1));
//! # Ok(())
//! # }
//! ```

use super::InteropError;
use crate::array::{Array, UniformElement};
use crate::value::{Vec2, Vec3, Vec4};
use ::image::{DynamicImage, ImageBuffer, ImageReader, Luma, LumaA, Rgb, Rgba};
use bytemuck::Pod;
use std::path::Path;

/// The name of the format in errors.
const FORMAT: &str = "image";

/// An element that is a pixel.
pub trait Pixel: UniformElement<Scalar = f32> + Pod {
    /// The pixel of the crate `image`.
    type Color: ::image::Pixel<Subpixel = f32>;

    /// The pixels of an image, converted to this form.
    #[doc(hidden)]
    fn pixels_of(image: &DynamicImage) -> ImageBuffer<Self::Color, Vec<f32>>;

    /// The image whose pixels have these bytes as components; `None` if they are too few.
    #[doc(hidden)]
    fn from_bytes(width: u32, height: u32, bytes: Vec<u8>) -> Option<DynamicImage>;
}

macro_rules! pixels {
    ($($ty:ty: $color:ident, $pixels_of:ident, $bytes:ident;)*) => {$(
        impl Pixel for $ty {
            type Color = $color<f32>;

            fn pixels_of(image: &DynamicImage) -> ImageBuffer<$color<f32>, Vec<f32>> {
                image.$pixels_of()
            }

            fn from_bytes(width: u32, height: u32, bytes: Vec<u8>) -> Option<DynamicImage> {
                ImageBuffer::from_raw(width, height, bytes).map(DynamicImage::$bytes)
            }
        }
    )*};
}

pixels! {
    f32: Luma, to_luma32f, ImageLuma8;
    Vec2: LumaA, to_luma_alpha32f, ImageLumaA8;
    Vec3: Rgb, to_rgb32f, ImageRgb8;
    Vec4: Rgba, to_rgba32f, ImageRgba8;
}

impl<P: Pixel> Array<P, 2> {
    /// A copy of an image, converted to pixels of this type. A missing alpha is 1; a missing colour is grey; grey of a
    /// colour is its luminance.
    pub fn copy_from_image(image: &DynamicImage) -> Array<P, 2> {
        let shape = [image.height() as usize, image.width() as usize];
        let pixels = P::pixels_of(image).into_raw();
        Array::from_vec(shape, P::from_scalars(pixels)).expect("an image has the pixels of its size")
    }

    /// An array with the pixels of an image, without a copy.
    pub fn from_image(image: ImageBuffer<P::Color, Vec<f32>>) -> Array<P, 2> {
        let shape = [image.height() as usize, image.width() as usize];
        let mut scalars = image.into_raw();
        // The vector of an image may be longer than its pixels.
        scalars.truncate(shape[0] * shape[1] * P::ir_type().components());
        Array::from_vec(shape, P::from_scalars(scalars)).expect("an image has the pixels of its size")
    }

    /// The array as an image. The elements are copied only if another library owns their memory.
    ///
    /// # Errors
    /// [`InteropError::Malformed`] if an extent is 2³² or more.
    pub fn into_image(self) -> Result<ImageBuffer<P::Color, Vec<f32>>, InteropError> {
        let (width, height) = self.size()?;
        let scalars = bytemuck::allocation::cast_vec(self.into_vec());
        Ok(ImageBuffer::from_raw(width, height, scalars).expect("an array has the pixels of its shape"))
    }

    /// A copy of the array as an image with 8 bits for each component. Numbers below 0 and NaN become 0, those above 1
    /// become 255.
    ///
    /// # Errors
    /// [`InteropError::Malformed`] if an extent is 2³² or more.
    pub fn to_image8(&self) -> Result<DynamicImage, InteropError> {
        let (width, height) = self.size()?;
        let scalars = P::scalars_of(self.as_slice());
        // The cast of NaN is 0.
        let bytes = scalars.iter().map(|scalar| (scalar.clamp(0.0, 1.0) * 255.0).round() as u8).collect();
        Ok(P::from_bytes(width, height, bytes).expect("an array has the pixels of its shape"))
    }

    /// Reads the image file at `path`, and converts it as [`Array::copy_from_image`] does. The format is that of the
    /// contents: PNG, and those whose features of the crate `image` the program enables.
    ///
    /// # Errors
    /// [`InteropError::Image`] if it is no image, of an unknown format, or larger than the limits of the crate `image`;
    /// [`InteropError::Io`] if the file cannot be opened.
    pub fn load_image(path: impl AsRef<Path>) -> Result<Array<P, 2>, InteropError> {
        let image = ImageReader::open(path)?.with_guessed_format()?.decode()?;
        Ok(Array::copy_from_image(&image))
    }

    /// Writes the array to a new image file at `path`, or over the one there, as [`Array::to_image8`] makes it. The ending
    /// of the path, such as `.png`, decides the format.
    ///
    /// # Errors
    /// [`InteropError::Image`] if the format is unknown or cannot have such pixels, or writing fails;
    /// [`InteropError::Malformed`] if an extent is 2³² or more.
    pub fn save_image(&self, path: impl AsRef<Path>) -> Result<(), InteropError> {
        Ok(self.to_image8()?.save(path)?)
    }

    /// Width and height.
    fn size(&self) -> Result<(u32, u32), InteropError> {
        let [height, width] = self.shape();
        match (width.try_into(), height.try_into()) {
            (Ok(width), Ok(height)) => Ok((width, height)),
            _ => Err(InteropError::Malformed {
                format: FORMAT,
                problem: format!("an image of {width} by {height} pixels is too large"),
            }),
        }
    }
}
