//! Facts of the nodes of a fleet: a snapshot, or a folder with one file per node.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use facts::FactSet;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use crate::container::{self, ContainerKind, LineReader, MAX_LINE, hex};

/// Snapshots of nodes: one line per node with `certname`, `facts`, and `trusted`.
pub const SNAPSHOT: ContainerKind = ContainerKind {
    name: "puppet-analyzer-nodes",
    version: 1,
    shown: "a snapshot of nodes",
    is_private: true,
};

/// Endings of the files of a folder.
const ENDINGS: [&str; 3] = ["json", "yaml", "yml"];

/// Facts of nodes.
pub struct NodeSet {
    source: NodeSource,
    /// Checksum of all facts.
    pub digest: String,
}

enum NodeSource {
    Snapshot {
        path: PathBuf,
        reader: Box<LineReader>,
    },
    /// Files that are left, in reverse order.
    Folder(Vec<PathBuf>),
}

/// Facts of a node that have not been parsed.
#[derive(Debug)]
pub struct RawNode {
    /// Path of a file, or description of a line.
    place: String,
    /// Name of a file with its ending, which determines the format.
    file_name: String,
    text: String,
}

/// Facts of a node.
#[derive(Debug)]
pub struct FleetNode {
    pub certname: String,
    pub set: FactSet,
}

impl NodeSet {
    /// Opens a snapshot or a folder.
    ///
    /// # Errors
    /// Fails if a file cannot be read, if a snapshot is incomplete, or if there are no nodes.
    pub fn open(path: &Path) -> anyhow::Result<NodeSet> {
        let shown = path.display();
        if path.is_dir() {
            return NodeSet::of_folder(path);
        }
        ensure!(path.exists(), "`{shown}` not found");
        if !container::is_container(path) {
            bail!("`{shown}` is neither a folder of fact files nor a snapshot written by `facts fetch`");
        }
        let reader = LineReader::open(path, SNAPSHOT)?;
        let digest = reader.checksum.clone();
        Ok(NodeSet {
            source: NodeSource::Snapshot { path: path.to_owned(), reader: Box::new(reader) },
            digest,
        })
    }

    fn of_folder(path: &Path) -> anyhow::Result<NodeSet> {
        let mut files = files_of_nodes(path)?;
        ensure!(!files.is_empty(), "no fact files (`NODE.json`, `NODE.yaml`) in `{}`", path.display());
        let digest = digest_of_files(&files)?;
        files.reverse();
        Ok(NodeSet { source: NodeSource::Folder(files), digest })
    }

    /// Returns the number of nodes that have not been read.
    pub fn remaining(&self) -> usize {
        match &self.source {
            NodeSource::Snapshot { reader, .. } => reader.remaining(),
            NodeSource::Folder(files) => files.len(),
        }
    }

    /// Returns the next node; `None` at the end.
    ///
    /// # Errors
    /// Fails if a file cannot be read.
    pub fn next_node(&mut self) -> anyhow::Result<Option<RawNode>> {
        match &mut self.source {
            NodeSource::Snapshot { path, reader } => {
                let Some(text) = reader.next_line()? else { return Ok(None) };
                let place = format!("snapshot `{}`", path.display());
                Ok(Some(RawNode { place, file_name: "snapshot.json".to_owned(), text }))
            }
            NodeSource::Folder(files) => {
                let Some(file) = files.pop() else { return Ok(None) };
                let place = format!("`{}`", file.display());
                let text = text_of(&file).with_context(|| format!("cannot read {place}"))?;
                let name = file.file_name().map(|it| it.to_string_lossy().into_owned());
                Ok(Some(RawNode { place, file_name: name.unwrap_or_default(), text }))
            }
        }
    }
}

/// Returns the files of a folder that belong to nodes, sorted.
///
/// # Errors
/// Fails if the folder cannot be read.
pub fn files_of_nodes(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let context = || format!("cannot read `{}`", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(context)? {
        let file = entry.with_context(context)?.path();
        let ending = file.extension().and_then(|it| it.to_str()).unwrap_or_default();
        if ENDINGS.contains(&ending) && file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// Returns the file of a node in a folder.
pub fn file_of_node(folder: &Path, certname: &str) -> Option<PathBuf> {
    let is_name = !certname.contains(['/', '\\']);
    let mut files = ENDINGS.iter().map(|ending| folder.join(format!("{certname}.{ending}")));
    files.find(|file| is_name && file.is_file())
}

/// Returns a checksum of the names and contents of files.
///
/// # Errors
/// Fails if a file cannot be read.
pub fn digest_of_files(files: &[PathBuf]) -> anyhow::Result<String> {
    let mut hash = Sha256::new();
    for file in files {
        let context = || format!("cannot read `{}`", file.display());
        let mut reader = BufReader::new(File::open(file).with_context(context)?);
        let mut of_file = Sha256::new();
        std::io::copy(&mut reader, &mut HashWriter(&mut of_file)).with_context(context)?;
        hash.update(file.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default());
        hash.update("\n");
        hash.update(of_file.finalize());
    }
    Ok(hex(&hash.finalize()))
}

fn text_of(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(MAX_LINE as u64 + 1).read_to_string(&mut text)?;
    ensure!(text.len() <= MAX_LINE, "it exceeds {MAX_LINE} bytes");
    Ok(text)
}

/// Writer into a checksum.
struct HashWriter<'h>(&'h mut Sha256);

impl std::io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl RawNode {
    /// Creates a node from an element of PuppetDB's `inventory`.
    pub fn of_inventory(element: &Json) -> RawNode {
        let (place, file_name) = ("PuppetDB".to_owned(), "inventory.json".to_owned());
        RawNode { place, file_name, text: element.to_string() }
    }

    /// Returns the length in bytes.
    pub fn length(&self) -> usize {
        self.text.len()
    }

    /// Parses the facts.
    ///
    /// # Errors
    /// Fails if they are malformed.
    pub fn parse(&self) -> anyhow::Result<FleetNode> {
        let set = facts::read(&self.file_name, &self.text);
        let set = set.with_context(|| format!("cannot read facts from {}", self.place))?;
        let certname = set.certname.clone().unwrap_or_else(|| set.name.clone()).to_string();
        ensure!(!certname.is_empty(), "{} has no name of a node", self.place);
        Ok(FleetNode { certname, set })
    }
}

/// Names that were seen, to reject nodes that occur more than once.
#[derive(Default)]
pub struct SeenNames(HashSet<String>);

impl SeenNames {
    /// Adds a name.
    ///
    /// # Errors
    /// Fails if it is already known.
    pub fn add(&mut self, certname: &str) -> anyhow::Result<()> {
        ensure!(self.0.insert(certname.to_lowercase()), "node `{certname}` occurs more than once");
        Ok(())
    }

    /// Returns true if a name was added.
    pub fn contains(&self, certname: &str) -> bool {
        self.0.contains(&certname.to_lowercase())
    }
}
