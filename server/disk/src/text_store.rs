//! Storage for texts of large workspaces outside of memory, in an unnamed temporary file.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use ide::{ByteStore, DiskState, FilePath};
use rustc_hash::FxHashMap;

/// Maximum number of bytes that stay in memory uncompressed. Only the excess is compressed and written to
/// disk; most workspaces never reach it.
static MAX_MEMORY: AtomicUsize = AtomicUsize::new(16 << 20);

/// Allocation unit in bytes. Rounding up lets freed slots be reused.
const UNIT: usize = 256;

static STORE: LazyLock<Arc<dyn ByteStore>> =
    LazyLock::new(|| Arc::new(TextStore::new(MAX_MEMORY.load(Ordering::Relaxed))));

/// Sets the number of bytes that stay in memory uncompressed, for short-lived processes that read all texts.
/// Takes effect only before the first text is read.
pub fn set_memory_limit(bytes: usize) {
    MAX_MEMORY.store(bytes, Ordering::Relaxed);
}

/// Returns a compact version of a state, for a file that is not used soon.
pub fn packed(state: DiskState, path: &FilePath) -> DiskState {
    let _span = tracing::info_span!("pack_text").entered();
    state.packed(path, &STORE)
}

struct TextStore {
    max_memory: usize,
    /// `None` if no temporary file can be created: then everything stays in memory.
    file: OnceLock<Option<File>>,
    allocation: Mutex<StoreAllocation>,
}

/// Allocation state.
#[derive(Default)]
struct StoreAllocation {
    /// Number of bytes that stay in memory.
    in_memory: usize,
    /// Length of the file.
    end: u64,
    /// Free offsets, by the number of units.
    free: FxHashMap<usize, Vec<u64>>,
}

impl TextStore {
    fn new(max_memory: usize) -> TextStore {
        TextStore { max_memory, file: OnceLock::new(), allocation: Mutex::default() }
    }

    /// Locks the allocation state. It is consistent even after a panic.
    fn allocation(&self) -> std::sync::MutexGuard<'_, StoreAllocation> {
        self.allocation.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn allocate(&self, length: usize) -> u64 {
        let mut room = self.allocation();
        let units = length.div_ceil(UNIT);
        let free = room.free.get_mut(&units).and_then(Vec::pop);
        free.unwrap_or_else(|| {
            let offset = room.end;
            room.end += (units * UNIT) as u64;
            offset
        })
    }
}

impl ByteStore for TextStore {
    fn keeps_in_memory(&self, length: usize) -> bool {
        let mut room = self.allocation();
        let has_room = room.in_memory + length <= self.max_memory;
        if has_room {
            room.in_memory += length;
        }
        has_room
    }

    fn keep(&self, bytes: &[u8]) -> Option<u64> {
        let offset = self.allocate(bytes.len());
        // The file has no name, or none that others can open, and is only readable by its owner.
        let file = self.file.get_or_init(|| {
            let file = tempfile::tempfile();
            file.inspect_err(|error| tracing::warn!("no temporary file for texts: {error}")).ok()
        });
        match write_at(file.as_ref()?, bytes, offset) {
            Ok(()) => Some(offset),
            Err(_) => {
                self.release(offset, bytes.len());
                None
            }
        }
    }

    fn read(&self, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        let file = self.file.get().and_then(Option::as_ref).ok_or(io::ErrorKind::NotFound)?;
        let mut bytes = vec![0; length];
        read_at(file, &mut bytes, offset)?;
        Ok(bytes)
    }

    fn release(&self, offset: u64, length: usize) {
        self.allocation().free.entry(length.div_ceil(UNIT)).or_default().push(offset);
    }
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(unix)]
pub(crate) fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn write_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_write(file, bytes, offset)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            written => (bytes, offset) = (&bytes[written..], offset + written as u64),
        }
    }
    Ok(())
}

#[cfg(windows)]
pub(crate) fn read_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => (bytes, offset) = (&mut bytes[read..], offset + read as u64),
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "text_store_tests.rs"]
mod tests;
