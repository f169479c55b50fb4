//! Files of JSON lines, compressed with zstd. The first line has the format and its version, the last one the
//! number of lines between them and the checksum of everything before it.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

/// Maximum length of a line in bytes.
pub const MAX_LINE: usize = 256 << 20;

/// Compression level of zstd: fast, since most of the data is written once and read once.
const LEVEL: i32 = 3;

/// First bytes of a zstd frame.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Kind of file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContainerKind {
    /// Value of the key `format` in the first line.
    pub name: &'static str,
    pub version: u32,
    /// Description for messages: `a snapshot of nodes`.
    pub shown: &'static str,
    /// True if only the user may read the file.
    pub is_private: bool,
}

/// Last line of a file.
#[derive(Serialize, Deserialize, Debug)]
struct FileEnd {
    /// Number of lines without the first and the last one.
    lines: u64,
    sha256: String,
}

/// Writer of a file. Without [`LineWriter::finish`], nothing remains of it.
pub struct LineWriter {
    path: PathBuf,
    encoder: zstd::Encoder<'static, NamedTempFile>,
    hash: Sha256,
    lines: u64,
}

impl LineWriter {
    /// Creates a file with further keys of the first line.
    ///
    /// # Errors
    /// Fails if the folder cannot be written.
    pub fn create(path: &Path, kind: ContainerKind, header: &Json) -> anyhow::Result<LineWriter> {
        let parent = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".puppet-analyzer-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = if kind.is_private { 0o600 } else { 0o666 };
            builder.permissions(std::fs::Permissions::from_mode(mode));
        }
        let context = || format!("cannot write `{}`", path.display());
        let file = builder.tempfile_in(parent).with_context(context)?;
        let encoder = zstd::Encoder::new(file, LEVEL).with_context(context)?;
        let mut writer = LineWriter { path: path.to_owned(), encoder, hash: Sha256::new(), lines: 0 };
        let mut first = serde_json::json!({ "format": kind.name, "version": kind.version });
        if let (Some(first), Some(header)) = (first.as_object_mut(), header.as_object()) {
            first.extend(header.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        writer.write(&first.to_string())?;
        Ok(writer)
    }

    /// Adds a line.
    ///
    /// # Errors
    /// Fails if the line cannot be written or is too long.
    pub fn line(&mut self, line: &impl Serialize) -> anyhow::Result<()> {
        let line = serde_json::to_string(line)?;
        ensure!(line.len() <= MAX_LINE, "line of {} bytes exceeds the limit of {MAX_LINE}", line.len());
        self.lines += 1;
        self.write(&line)
    }

    fn write(&mut self, line: &str) -> anyhow::Result<()> {
        self.hash.update(line);
        self.hash.update("\n");
        let written = self.encoder.write_all(line.as_bytes()).and_then(|()| self.encoder.write_all(b"\n"));
        written.with_context(|| format!("cannot write `{}`", self.path.display()))
    }

    /// Writes the last line and moves the file to its place, which it replaces as a whole. Returns its checksum.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn finish(mut self) -> anyhow::Result<String> {
        let sha256 = hex(&self.hash.finalize_reset());
        let end = serde_json::to_string(&FileEnd { lines: self.lines, sha256: sha256.clone() })?;
        self.write(&end)?;
        let path = self.path;
        let context = || format!("cannot write `{}`", path.display());
        let file = self.encoder.finish().with_context(context)?;
        file.as_file().sync_all().with_context(context)?;
        file.persist(&path).map_err(|failure| failure.error).with_context(context)?;
        Ok(sha256)
    }
}

/// Reader of a file whose end has been checked.
pub struct LineReader {
    path: PathBuf,
    lines: RawLines,
    /// Lines that are left.
    left: u64,
    pub header: Json,
    /// Checksum of the contents.
    pub checksum: String,
}

/// Returns true if a file begins like one that this module writes.
pub fn is_container(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == MAGIC
}

impl LineReader {
    /// Opens a file after reading it once to check that it is whole.
    ///
    /// # Errors
    /// Fails if the file is of another kind or version, is truncated, or was changed.
    pub fn open(path: &Path, kind: ContainerKind) -> anyhow::Result<LineReader> {
        LineReader::open_any(path, &[kind])
    }

    /// Opens a file of one of several versions.
    ///
    /// # Errors
    /// Like [`LineReader::open`].
    pub fn open_any(path: &Path, versions: &[ContainerKind]) -> anyhow::Result<LineReader> {
        LineReader::open_visited(path, versions, |_| ())
    }

    /// Like [`LineReader::open_any`], and passes each line to `visit` while the file is checked, so that it need not be
    /// read again. What `visit` was given is only valid if the file is usable.
    ///
    /// # Errors
    /// Like [`LineReader::open`].
    pub fn open_visited(
        path: &Path,
        versions: &[ContainerKind],
        visit: impl FnMut(String),
    ) -> anyhow::Result<LineReader> {
        let shown = path.display();
        let file = File::open(path).with_context(|| format!("cannot read `{shown}`"))?;
        let (header, end) =
            check(file, versions, visit).with_context(|| format!("`{shown}` is not a usable file"))?;
        let mut lines = RawLines::new(File::open(path)?)?;
        lines.next()?;
        Ok(LineReader { path: path.to_owned(), lines, left: end.lines, header, checksum: end.sha256 })
    }

    /// Returns the number of lines that are left.
    pub fn remaining(&self) -> usize {
        usize::try_from(self.left).unwrap_or(usize::MAX)
    }

    /// Returns the next line; `None` at the end.
    ///
    /// # Errors
    /// Fails if the file changes while it is read.
    pub fn next_line(&mut self) -> anyhow::Result<Option<String>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let line = self.lines.next().with_context(|| format!("cannot read `{}`", self.path.display()))?;
        line.map(Some).with_context(|| format!("`{}` changed while it was read", self.path.display()))
    }
}

/// Reads a file to its end; returns the first and the last line, and passes those between them to `visit`.
fn check(
    file: File,
    versions: &[ContainerKind],
    mut visit: impl FnMut(String),
) -> anyhow::Result<(Json, FileEnd)> {
    let truncated = "it is truncated";
    let kind = versions.last().context("no version of the file is known")?;
    let mut lines = RawLines::new(file)?;
    let is_other = || format!("it is truncated, or not {}", kind.shown);
    let first = lines.next().with_context(is_other)?.context(truncated)?;
    let header: Json = serde_json::from_str(&first).with_context(|| format!("not {}", kind.shown))?;
    ensure!(header["format"] == kind.name, "not {}", kind.shown);
    let version = &header["version"];
    let known: Vec<String> = versions.iter().map(|it| it.version.to_string()).collect();
    ensure!(
        versions.iter().any(|it| *version == it.version),
        "it has version {version}, but this program reads version {}",
        known.join(" or ")
    );
    let mut hash = Sha256::new();
    let mut last = first;
    let mut count = 0u64;
    while let Some(line) = lines.next().context(truncated)? {
        hash.update(&last);
        hash.update("\n");
        let earlier = std::mem::replace(&mut last, line);
        if count > 0 {
            visit(earlier);
        }
        count += 1;
    }
    let end: FileEnd = serde_json::from_str(&last).context(truncated)?;
    ensure!(end.lines + 1 == count, truncated);
    ensure!(end.sha256 == hex(&hash.finalize()), "its checksum is wrong: the file was changed");
    Ok((header, end))
}

/// Lines of a compressed file.
struct RawLines {
    reader: BufReader<zstd::Decoder<'static, BufReader<File>>>,
}

impl RawLines {
    fn new(file: File) -> io::Result<RawLines> {
        Ok(RawLines { reader: BufReader::new(zstd::Decoder::new(file)?) })
    }

    /// Returns the next line without its line break.
    fn next(&mut self) -> anyhow::Result<Option<String>> {
        let mut bytes = Vec::new();
        self.reader.by_ref().take(MAX_LINE as u64 + 2).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        ensure!(bytes.pop() == Some(b'\n'), "a line is incomplete or exceeds {MAX_LINE} bytes");
        Ok(Some(String::from_utf8(bytes)?))
    }
}

/// Returns bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
