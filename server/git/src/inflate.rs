//! Streaming zlib decompression.

use std::io::{self, BufRead, Read};

use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};

/// Decompressing reader.
pub(crate) struct Inflater<R> {
    packed: R,
    state: Box<InflateState>,
    is_at_end: bool,
}

impl<R: BufRead> Inflater<R> {
    pub(crate) fn new(packed: R) -> Inflater<R> {
        Inflater { packed, state: InflateState::new_boxed(DataFormat::Zlib), is_at_end: false }
    }

    /// Reads the whole stream, which must contain exactly `size` bytes.
    pub(crate) fn read_whole(mut self, size: u64) -> anyhow::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        // Memory is allocated as bytes arrive, so a wrong size costs nothing.
        (&mut self).take(size).read_to_end(&mut bytes)?;
        anyhow::ensure!(bytes.len() as u64 == size, "data ends after {} of {size} bytes", bytes.len());
        anyhow::ensure!(self.read(&mut [0])? == 0, "data continues after {size} bytes");
        Ok(bytes)
    }
}

impl<R: BufRead> Read for Inflater<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while !self.is_at_end && !into.is_empty() {
            let packed = self.packed.fill_buf()?;
            let has_more = !packed.is_empty();
            let result = inflate(&mut self.state, packed, into, MZFlush::None);
            self.packed.consume(result.bytes_consumed);
            match result.status {
                Ok(MZStatus::StreamEnd) => self.is_at_end = true,
                Ok(_) => {}
                // More input is needed to make progress.
                Err(MZError::Buf) if has_more || result.bytes_written > 0 => {}
                Err(_) => {
                    return Err(io::Error::new(io::ErrorKind::InvalidData, "compressed data is corrupt"));
                }
            }
            if result.bytes_written > 0 {
                return Ok(result.bytes_written);
            }
            if !has_more && !self.is_at_end {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(0)
    }
}
