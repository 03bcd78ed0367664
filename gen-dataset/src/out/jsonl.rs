//! Tables as JSON Lines, plain or compressed with zstd.

use super::writer::{TableWriter, ZSTD_LEVEL};
use crate::error::Error;
use crate::files::{StagedFile, line};
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// Writes one JSON object per line.
pub(crate) struct Lines(pub(crate) StagedFile);

impl TableWriter for Lines {
    fn write(&mut self, row: Value) -> Result<(), Error> {
        self.0.write(&line(&row)?)
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        self.0.finish().map(drop)
    }
}

/// Writes compressed JSON Lines.
pub(crate) struct CompressedLines {
    encoder: zstd::Encoder<'static, StagedFile>,
    path: PathBuf,
}

impl CompressedLines {
    /// Opens the file.
    pub(crate) fn create(path: &Path) -> Result<CompressedLines, Error> {
        let file = StagedFile::create(path.to_owned())?;
        let encoder = zstd::Encoder::new(file, ZSTD_LEVEL).and_then(|mut encoder| {
            encoder.include_checksum(true)?;
            Ok(encoder)
        });
        Ok(CompressedLines { encoder: encoder.map_err(Error::io("write", path))?, path: path.to_owned() })
    }
}

impl TableWriter for CompressedLines {
    fn write(&mut self, row: Value) -> Result<(), Error> {
        self.encoder.write_all(&line(&row)?).map_err(Error::io("write", &self.path))
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        self.encoder.finish().map_err(Error::io("write", &self.path))?.finish().map(drop)
    }
}

/// The lines of the file at `path`, which may be compressed.
pub(crate) fn lines_of(path: &Path) -> Result<impl Iterator<Item = Result<Vec<u8>, Error>> + use<>, Error> {
    let name = path.as_os_str().as_encoded_bytes();
    let file = BufReader::new(File::open(path).map_err(Error::io("read", path))?);
    let lines: Box<dyn Read> = match name.ends_with(b".zst") {
        true => Box::new(zstd::Decoder::with_buffer(file).map_err(Error::io("read", path))?),
        false => Box::new(file),
    };
    Ok(read_lines(BufReader::new(lines), path.to_owned()))
}

/// The lines of a text, each with its newline.
pub(crate) fn read_lines(mut text: impl BufRead, path: PathBuf) -> impl Iterator<Item = Result<Vec<u8>, Error>> {
    let mut is_over = false;
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        match text.read_until(b'\n', &mut line) {
            _ if is_over => None,
            Ok(0) => None,
            Ok(_) => Some(Ok(line)),
            Err(error) => {
                is_over = true;
                Some(Err(Error::Invalid(format!("`{}` is damaged: {error}; make it again", path.display()))))
            }
        }
    })
}
