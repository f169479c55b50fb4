//! How things were in a revision of Git, read without touching the checkout.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use compile::{FileRead, FileReader};
use disk::Disk;
use ide::{DiskState, FilePath};

use crate::workspace::absolute_path;

/// A revision of the repository around a folder.
pub(super) struct BaseRevision {
    top: PathBuf,
    top_path: FilePath,
    /// The files of the revision: their objects by path.
    objects: BTreeMap<String, String>,
    /// What is there now, but not in the revision.
    added: BTreeSet<String>,
}

impl BaseRevision {
    /// Reads what a revision consists of.
    pub(super) fn read(folder: &Path, revision: &str) -> anyhow::Result<BaseRevision> {
        anyhow::ensure!(!revision.starts_with('-'), "`{revision}` is no revision");
        let top = git(folder, &["rev-parse", "--show-toplevel"])?;
        let top = PathBuf::from(String::from_utf8(top)?.trim_end());
        let commit = git(&top, &["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")])
            .with_context(|| format!("there is no revision `{revision}`"))?;
        let commit = String::from_utf8(commit)?.trim_end().to_owned();
        let listing = git(&top, &["ls-tree", "-r", "-z", "--full-tree", &commit])?;
        let mut objects = BTreeMap::new();
        for line in listing.split(|byte| *byte == 0) {
            // `100644 blob 5b0c...\tmanifests/site.pp`
            let Ok(line) = std::str::from_utf8(line) else { continue };
            let Some((about, path)) = line.split_once('\t') else { continue };
            let mut about = about.split(' ');
            if let (Some(mode), Some("blob"), Some(object)) = (about.next(), about.next(), about.next())
                && mode != "120000"
            {
                objects.insert(path.to_owned(), object.to_owned());
            }
        }
        let now = git(&top, &["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
        let now = now.split(|byte| *byte == 0).filter_map(|path| std::str::from_utf8(path).ok());
        let is_new = |path: &&str| !path.is_empty() && !objects.contains_key(*path);
        let added = now.filter(is_new).map(str::to_owned).collect();
        // Links on the way to the folder are kept, as the analysis knows files by the paths that users write.
        let prefix = String::from_utf8(git(folder, &["rev-parse", "--show-prefix"])?)?;
        let written = absolute_path(folder).context("the path of the folder is not UTF-8")?;
        let depth = prefix.trim_end().split('/').filter(|part| !part.is_empty()).count();
        let mut top_path = written;
        for _ in 0..depth {
            top_path = top_path.parent().context("the repository has no folder")?;
        }
        Ok(BaseRevision { top, top_path, objects, added })
    }

    /// The files that were different then, with their contents. Only those that matter to Puppet are read.
    pub(super) fn states(&self) -> anyhow::Result<Vec<(FilePath, DiskState)>> {
        let mut states: Vec<(FilePath, DiskState)> =
            self.added.iter().map(|path| (self.top_path.join(path), DiskState::Missing)).collect();
        let wanted: Vec<(FilePath, &str)> = self
            .objects
            .iter()
            .map(|(path, object)| (self.top_path.join(path), object.as_str()))
            .filter(|(path, _)| ide::is_interesting(path))
            .collect();
        let mut objects = Objects::open(&self.top)?;
        for (path, object) in wanted {
            // A file whose text is never wanted only has to exist.
            let state = match ide::wants_text(&path, 0) {
                false => DiskState::Unread,
                true => match DiskState::of_bytes(objects.read(object)?) {
                    DiskState::Text(text) if !ide::wants_text(&path, text.len() as u64) => DiskState::Unread,
                    state => state,
                },
            };
            states.push((path, state));
        }
        Ok(states)
    }

    /// Reads files as they were; those outside of the repository as they are.
    pub(super) fn reader(&self, disk: Disk) -> anyhow::Result<BaseReader<'_>> {
        Ok(BaseReader { base: self, disk, objects: Mutex::new(Objects::open(&self.top)?) })
    }
}

pub(super) struct BaseReader<'b> {
    base: &'b BaseRevision,
    disk: Disk,
    objects: Mutex<Objects>,
}

impl FileReader for BaseReader<'_> {
    fn read(&self, path: &str) -> FileRead {
        let Some(file) = FilePath::from_normalised(path) else { return FileRead::Unknown };
        let Some(below) = file.strip_prefix(&self.base.top_path) else { return self.disk.read(path) };
        match self.base.objects.get(below) {
            Some(object) => {
                let mut objects = self.objects.lock().unwrap_or_else(PoisonError::into_inner);
                objects.read(object).map_or(FileRead::Unknown, |bytes| FileRead::Content(bytes.into()))
            }
            None if self.base.added.contains(below) => FileRead::Missing,
            None => self.disk.read(path),
        }
    }
}

/// A process of Git that hands out objects.
struct Objects {
    process: std::process::Child,
    input: std::process::ChildStdin,
    output: BufReader<std::process::ChildStdout>,
}

impl Objects {
    fn open(folder: &Path) -> anyhow::Result<Objects> {
        let mut process = Command::new("git")
            .args(["cat-file", "--batch"])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot run git")?;
        let input = process.stdin.take().context("git takes no input")?;
        let output = BufReader::new(process.stdout.take().context("git gives no output")?);
        Ok(Objects { process, input, output })
    }

    fn read(&mut self, object: &str) -> anyhow::Result<Vec<u8>> {
        writeln!(self.input, "{object}")?;
        self.input.flush()?;
        // `5b0c... blob 123`, that many bytes, and the end of a line.
        let mut header = String::new();
        self.output.read_line(&mut header)?;
        let size = header.trim_end().rsplit(' ').next().and_then(|size| size.parse::<u64>().ok());
        let size = size.with_context(|| format!("git does not have the object {object}"))?;
        let mut bytes = Vec::new();
        (&mut self.output).take(size).read_to_end(&mut bytes)?;
        let mut end = [0];
        self.output.read_exact(&mut end)?;
        Ok(bytes)
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What git prints.
fn git(folder: &Path, arguments: &[&str]) -> anyhow::Result<Vec<u8>> {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .context("cannot run git")?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        anyhow::bail!("git {}: {}", arguments.join(" "), reason.trim());
    }
    Ok(output.stdout)
}
