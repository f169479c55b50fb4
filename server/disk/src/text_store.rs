//! Texts that do not stay in memory: those of large workspaces, in a file without a name that is gone when the process ends.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use ide::{ByteStore, DiskState, FilePath};
use rustc_hash::FxHashMap;

/// So many bytes stay in memory as they are. Only what goes beyond is packed and put on disk: most workspaces never need it.
static MAX_INSIDE: AtomicUsize = AtomicUsize::new(16 << 20);

/// What lies in the file takes a multiple of so many bytes: what is released fits for others.
const UNIT: usize = 256;

static STORE: LazyLock<Arc<dyn ByteStore>> =
    LazyLock::new(|| Arc::new(TextStore::new(MAX_INSIDE.load(Ordering::Relaxed))));

/// Lets so many bytes of texts stay in memory as they are, for who reads them all and is done soon. It is to be said before the first
/// text is read.
pub fn leave_in_memory(bytes: usize) {
    MAX_INSIDE.store(bytes, Ordering::Relaxed);
}

/// A state in less room, for a file that is not about to be looked at.
pub fn packed(state: DiskState, path: &FilePath) -> DiskState {
    let _span = tracing::info_span!("pack_text").entered();
    state.packed(path, &STORE)
}

struct TextStore {
    most_inside: usize,
    /// Nothing where there can be none: then all stays in memory.
    file: OnceLock<Option<File>>,
    room: Mutex<Room>,
}

/// Where there is room.
#[derive(Default)]
struct Room {
    /// How many bytes stay in memory.
    inside: usize,
    /// Where the file ends.
    end: u64,
    /// Places where nothing lies any more, by how many units they have.
    free: FxHashMap<usize, Vec<u64>>,
}

impl TextStore {
    fn new(most_inside: usize) -> TextStore {
        TextStore { most_inside, file: OnceLock::new(), room: Mutex::default() }
    }

    /// Nobody reads or writes the file while he holds this, and no panic can leave it half done.
    fn room(&self) -> std::sync::MutexGuard<'_, Room> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place(&self, length: usize) -> u64 {
        let mut room = self.room();
        let units = length.div_ceil(UNIT);
        let free = room.free.get_mut(&units).and_then(Vec::pop);
        free.unwrap_or_else(|| {
            let place = room.end;
            room.end += (units * UNIT) as u64;
            place
        })
    }
}

impl ByteStore for TextStore {
    fn leaves(&self, length: usize) -> bool {
        let mut room = self.room();
        let has_room = room.inside + length <= self.most_inside;
        if has_room {
            room.inside += length;
        }
        has_room
    }

    fn keep(&self, bytes: &[u8]) -> Option<u64> {
        let place = self.place(bytes.len());
        // It has no name, or none that anybody else can open, and its owner alone may read it.
        let file = self.file.get_or_init(|| {
            let file = tempfile::tempfile();
            file.inspect_err(|error| tracing::warn!("no temporary file for texts: {error}")).ok()
        });
        match write_at(file.as_ref()?, bytes, place) {
            Ok(()) => Some(place),
            Err(_) => {
                self.release(place, bytes.len());
                None
            }
        }
    }

    fn read(&self, place: u64, length: usize) -> io::Result<Vec<u8>> {
        let file = self.file.get().and_then(Option::as_ref).ok_or(io::ErrorKind::NotFound)?;
        let mut bytes = vec![0; length];
        read_at(file, &mut bytes, place)?;
        Ok(bytes)
    }

    fn release(&self, place: u64, length: usize) {
        self.room().free.entry(length.div_ceil(UNIT)).or_default().push(place);
    }
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], place: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, place)
}

#[cfg(unix)]
pub(crate) fn read_at(file: &File, bytes: &mut [u8], place: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, place)
}

#[cfg(windows)]
fn write_at(file: &File, mut bytes: &[u8], mut place: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_write(file, bytes, place)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            written => (bytes, place) = (&bytes[written..], place + written as u64),
        }
    }
    Ok(())
}

#[cfg(windows)]
pub(crate) fn read_at(file: &File, mut bytes: &mut [u8], mut place: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, place)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => (bytes, place) = (&mut bytes[read..], place + read as u64),
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "text_store_tests.rs"]
mod tests;
