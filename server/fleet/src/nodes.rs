//! Facts of the nodes of a fleet: a snapshot, an archive of PuppetDB, or a folder with one file per node.

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, bail, ensure};
use facts::FactSet;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use crate::archive::{self, ArchiveReader};
use crate::container::{self, ContainerKind, LineReader, MAX_LINE, hex};
use crate::node_name;
use crate::shard::Shard;

/// Snapshots of nodes: one line per node with `certname`, `facts`, and `trusted`.
pub const SNAPSHOT: ContainerKind = ContainerKind {
    name: "puppet-analyzer-nodes",
    version: 1,
    shown: "a snapshot of nodes",
    is_private: true,
};

/// Snapshots of nodes with exported resources: the nodes are followed by one line with `exported` and `certname`
/// per node that exports something.
pub const SNAPSHOT_WITH_EXPORTS: ContainerKind = ContainerKind { version: 2, ..SNAPSHOT };

/// Versions of snapshots that are read.
const SNAPSHOTS: [ContainerKind; 2] = [SNAPSHOT, SNAPSHOT_WITH_EXPORTS];

/// Start of a line with exported resources.
const EXPORTED_START: &str = "{\"exported\":";

/// Endings of the files of a folder.
const ENDINGS: [&str; 3] = ["json", "yaml", "yml"];

/// Name of a file in the format of a line of a snapshot.
const SNAPSHOT_FILE: &str = "snapshot.json";

/// Number of files that a thread reads at a time.
const FILES_PER_BATCH: usize = 64;

/// Maximum number of nodes of the setting `nodes`, whose facts stay in memory.
pub const MAX_NODES: usize = 256;

/// Number of nodes whose facts and results are in memory at a time.
const CHUNK_NODES: usize = 512;

/// Maximum size of the facts that are in memory at a time, in bytes.
const CHUNK_BYTES: usize = 64 << 20;

/// Maximum size of the selected facts of a snapshot that stay in memory, so that it is read only once, in bytes.
const MAX_KEPT_BYTES: usize = CHUNK_BYTES;

/// Selection of nodes by their names.
#[derive(Clone, Debug)]
pub struct SelectedNodes {
    pub shard: Shard,
    /// Names; all if empty.
    pub names: BTreeSet<String>,
}

impl SelectedNodes {
    /// Returns true if a node is selected.
    pub fn contains(&self, certname: &str) -> bool {
        self.shard.contains(certname) && (self.names.is_empty() || self.names.contains(certname))
    }

    fn is_everything(&self) -> bool {
        self.shard == Shard::WHOLE && self.names.is_empty()
    }

    /// Returns true if facts can be skipped: their node has a known name and is not selected.
    fn excludes(&self, file_name: &str, text: &str) -> bool {
        !self.is_everything() && node_name::of_facts(file_name, text).is_some_and(|it| !self.contains(&it))
    }
}

impl Default for SelectedNodes {
    fn default() -> SelectedNodes {
        SelectedNodes { shard: Shard::WHOLE, names: BTreeSet::new() }
    }
}

/// Facts of nodes.
pub struct NodeSet {
    source: NodeSource,
    selection: SelectedNodes,
    /// Number of nodes, selected by their shard or not.
    total: usize,
    /// Checksum of all facts.
    pub digest: String,
}

enum NodeSource {
    Snapshot {
        path: PathBuf,
        reader: Box<LineReader>,
        /// Number of nodes that are left.
        left: usize,
    },
    Archive {
        path: PathBuf,
        reader: Box<ArchiveReader>,
        left: usize,
    },
    /// Selected lines of a snapshot that are left, in reverse order.
    Lines {
        path: PathBuf,
        lines: Vec<String>,
    },
    /// Files that are left, in reverse order.
    Folder(Vec<PathBuf>),
}

/// Nodes of a snapshot, found while it is checked.
struct ScannedNodes {
    /// Number of all nodes.
    count: usize,
    /// Lines of the selected nodes; `None` if they are too large.
    selected: Option<Vec<String>>,
    /// Size of the selected lines.
    bytes: usize,
}

impl ScannedNodes {
    fn new(selection: &SelectedNodes) -> ScannedNodes {
        let selected = (!selection.is_everything()).then(Vec::new);
        ScannedNodes { count: 0, selected, bytes: 0 }
    }

    fn add(&mut self, line: String, selection: &SelectedNodes) {
        if line.starts_with(EXPORTED_START) {
            return;
        }
        self.count += 1;
        if let Some(lines) = &mut self.selected
            && !selection.excludes(SNAPSHOT_FILE, &line)
        {
            self.bytes += line.len();
            lines.push(line);
            if self.bytes > MAX_KEPT_BYTES {
                self.selected = None;
            }
        }
    }
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
        NodeSet::open_selected(path, SelectedNodes::default(), 1)
    }

    /// Opens a snapshot or a folder and skips nodes that are not selected, if their names are known before their
    /// facts are parsed. The caller still has to apply the selection. The files of a folder are read on several
    /// threads.
    ///
    /// # Errors
    /// Like [`NodeSet::open`].
    pub fn open_selected(path: &Path, selection: SelectedNodes, threads: usize) -> anyhow::Result<NodeSet> {
        let shown = path.display();
        if path.is_dir() {
            return NodeSet::of_folder(path, selection, threads);
        }
        ensure!(path.exists(), "`{shown}` not found");
        if archive::is_archive(path) {
            return NodeSet::of_archive(path, selection).with_context(|| format!("cannot use `{shown}`"));
        }
        if !container::is_container(path) {
            bail!(
                "`{shown}` is neither a folder of fact files, a snapshot written by `facts fetch`, nor an archive of PuppetDB"
            );
        }
        let mut scanned = ScannedNodes::new(&selection);
        let reader = LineReader::open_visited(path, &SNAPSHOTS, |line| scanned.add(line, &selection))?;
        let (path, digest) = (path.to_owned(), reader.checksum.clone());
        let total = scanned.count;
        let source = match scanned.selected {
            Some(mut lines) => {
                lines.reverse();
                NodeSource::Lines { path, lines }
            }
            None => NodeSource::Snapshot { path, reader: Box::new(reader), left: scanned.count },
        };
        Ok(NodeSet { source, selection, total, digest })
    }

    fn of_archive(path: &Path, selection: SelectedNodes) -> anyhow::Result<NodeSet> {
        let mut reader = ArchiveReader::open(path)?;
        let mut scanned = ScannedNodes::new(&selection);
        let mut hash = Sha256::new();
        while let Some(text) = reader.next_facts()? {
            hash.update(Sha256::digest(&text));
            scanned.add(text, &selection);
        }
        let total = scanned.count;
        ensure!(total > 0, "it has no facts");
        let path = path.to_owned();
        let source = match scanned.selected {
            Some(mut lines) => {
                lines.reverse();
                NodeSource::Lines { path, lines }
            }
            None => {
                let reader = Box::new(ArchiveReader::open(&path)?);
                NodeSource::Archive { path, reader, left: total }
            }
        };
        Ok(NodeSet { source, selection, total, digest: hex(&hash.finalize()) })
    }

    fn of_folder(path: &Path, selection: SelectedNodes, threads: usize) -> anyhow::Result<NodeSet> {
        let files = files_of_nodes(path)?;
        ensure!(!files.is_empty(), "no fact files (`NODE.json`, `NODE.yaml`) in `{}`", path.display());
        let total = files.len();
        if selection.is_everything() {
            let digest = digest_of_files(&files)?;
            let source = NodeSource::Folder(files.into_iter().rev().collect());
            return Ok(NodeSet { source, selection, total, digest });
        }
        let examined = examine_files(&files, &selection, threads)?;
        let mut hash = Sha256::new();
        files.iter().zip(&examined).for_each(|(file, it)| add_to_digest(&mut hash, file, &it.hash));
        let mut selected: Vec<PathBuf> = files
            .into_iter()
            .zip(examined)
            .filter(|(_, it)| it.may_be_selected)
            .map(|(file, _)| file)
            .collect();
        selected.reverse();
        let (source, digest) = (NodeSource::Folder(selected), hex(&hash.finalize()));
        Ok(NodeSet { source, selection, total, digest })
    }

    /// Returns the selection that nodes are skipped by.
    pub fn selection(&self) -> &SelectedNodes {
        &self.selection
    }

    /// Returns the number of nodes of all shards: those of all facts, or those that are named.
    pub fn count(&self) -> usize {
        let names: BTreeSet<String> = self.selection.names.iter().map(|it| it.to_lowercase()).collect();
        if names.is_empty() { self.total } else { names.len() }
    }

    /// Returns the number of nodes that have not been read.
    pub fn remaining(&self) -> usize {
        match &self.source {
            NodeSource::Snapshot { left, .. } | NodeSource::Archive { left, .. } => *left,
            NodeSource::Lines { lines, .. } => lines.len(),
            NodeSource::Folder(files) => files.len(),
        }
    }

    /// Returns the next nodes; none at the end.
    ///
    /// # Errors
    /// Fails if a file cannot be read.
    pub fn next_chunk(&mut self) -> anyhow::Result<Vec<RawNode>> {
        let (mut chunk, mut bytes) = (Vec::new(), 0);
        while chunk.len() < CHUNK_NODES && bytes < CHUNK_BYTES {
            let Some(node) = self.next_node()? else { break };
            bytes += node.length();
            chunk.push(node);
        }
        Ok(chunk)
    }

    /// Returns the next node; `None` at the end.
    ///
    /// # Errors
    /// Fails if a file cannot be read.
    pub fn next_node(&mut self) -> anyhow::Result<Option<RawNode>> {
        match &mut self.source {
            NodeSource::Snapshot { path, reader, left } => {
                while let Some(next) = left.checked_sub(1) {
                    *left = next;
                    let Some(text) = reader.next_line()? else { return Ok(None) };
                    if !self.selection.excludes(SNAPSHOT_FILE, &text) {
                        return Ok(Some(RawNode::of_snapshot(path, text)));
                    }
                }
                Ok(None)
            }
            NodeSource::Archive { path, reader, left } => {
                while let Some(next) = left.checked_sub(1) {
                    *left = next;
                    let text =
                        reader.next_facts().with_context(|| format!("cannot read `{}`", path.display()))?;
                    let text =
                        text.with_context(|| format!("`{}` changed while it was read", path.display()))?;
                    if !self.selection.excludes(SNAPSHOT_FILE, &text) {
                        return Ok(Some(RawNode::of_archive(path, text)));
                    }
                }
                Ok(None)
            }
            NodeSource::Lines { path, lines } => Ok(lines.pop().map(|text| RawNode::of_snapshot(path, text))),
            NodeSource::Folder(files) => {
                let Some(file) = files.pop() else { return Ok(None) };
                let place = format!("`{}`", file.display());
                let text = text_of(&file).with_context(|| format!("cannot read {place}"))?;
                Ok(Some(RawNode { place, file_name: name_of_file(&file), text }))
            }
        }
    }
}

/// Result of reading a file once, before its facts are parsed.
#[derive(Clone)]
struct ExaminedFile {
    /// Checksum of the contents.
    hash: [u8; 32],
    /// False if the file belongs to a node that is not selected.
    may_be_selected: bool,
}

/// Reads all files on several threads.
fn examine_files(
    files: &[PathBuf],
    selection: &SelectedNodes,
    threads: usize,
) -> anyhow::Result<Vec<ExaminedFile>> {
    let next = AtomicUsize::new(0);
    let take_batch = || {
        let first = next.fetch_add(FILES_PER_BATCH, Ordering::Relaxed);
        let batch = files.get(first..).filter(|it| !it.is_empty())?;
        let examined = batch.iter().take(FILES_PER_BATCH).map(|file| examine_file(file, selection));
        Some(examined.collect::<anyhow::Result<Vec<_>>>().map(|it| (first, it)))
    };
    let mut batches = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1))
            .map(|_| scope.spawn(|| std::iter::from_fn(take_batch).collect::<anyhow::Result<Vec<_>>>()))
            .collect();
        let join = |thread: thread::ScopedJoinHandle<'_, anyhow::Result<_>>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        let batches: anyhow::Result<Vec<Vec<_>>> = threads.into_iter().map(join).collect();
        batches.map(|it| it.concat())
    })?;
    batches.sort_by_key(|(first, _)| *first);
    Ok(batches.into_iter().flat_map(|(_, examined)| examined).collect())
}

fn examine_file(file: &Path, selection: &SelectedNodes) -> anyhow::Result<ExaminedFile> {
    let context = || format!("cannot read `{}`", file.display());
    let mut bytes = Vec::new();
    File::open(file)
        .and_then(|it| it.take(MAX_LINE as u64 + 1).read_to_end(&mut bytes))
        .with_context(context)?;
    if bytes.len() > MAX_LINE {
        // Reading the facts fails; the checksum covers the whole file nevertheless.
        return Ok(ExaminedFile { hash: hash_of_file(file)?, may_be_selected: true });
    }
    let text = std::str::from_utf8(&bytes);
    let is_excluded = text.is_ok_and(|text| selection.excludes(&name_of_file(file), text));
    Ok(ExaminedFile { hash: Sha256::digest(&bytes).into(), may_be_selected: !is_excluded })
}

fn has_exports(reader: &LineReader) -> bool {
    reader.header["version"] == SNAPSHOT_WITH_EXPORTS.version
}

/// Passes each line with exported resources of a snapshot to `receive`.
///
/// # Errors
/// Fails if the snapshot cannot be read or has no exported resources, or if `receive` fails.
pub fn exported_lines(
    path: &Path,
    mut receive: impl FnMut(&str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let shown = path.display();
    let without = "help: write the snapshot with `facts fetch --exported`";
    ensure!(!path.is_dir(), "`{shown}` is a folder, which has no exported resources\n{without}");
    let mut reader = LineReader::open_any(path, &SNAPSHOTS)?;
    ensure!(has_exports(&reader), "`{shown}` has no exported resources\n{without}");
    while let Some(line) = reader.next_line()? {
        if line.starts_with(EXPORTED_START) {
            receive(&line)?;
        }
    }
    Ok(())
}

/// What a snapshot has of the data of PuppetDB.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Debug)]
#[serde(default)]
pub struct SnapshotScope {
    /// True if it has all nodes.
    pub has_all_nodes: bool,
    /// True if no fact is left out or masked.
    pub has_all_facts: bool,
}

/// Returns the scope of a snapshot. That of a snapshot by an older version of the program is unknown, and so nothing is
/// certain to be complete.
///
/// # Errors
/// Fails if the snapshot cannot be read.
pub fn scope_of(path: &Path) -> anyhow::Result<SnapshotScope> {
    let reader = LineReader::open_any(path, &SNAPSHOTS)?;
    Ok(serde_json::from_value(reader.header["scope"].clone()).unwrap_or_default())
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
        add_to_digest(&mut hash, file, &hash_of_file(file)?);
    }
    Ok(hex(&hash.finalize()))
}

fn add_to_digest(hash: &mut Sha256, file: &Path, hash_of_file: &[u8; 32]) {
    hash.update(name_of_file(file));
    hash.update("\n");
    hash.update(hash_of_file);
}

fn hash_of_file(file: &Path) -> anyhow::Result<[u8; 32]> {
    let context = || format!("cannot read `{}`", file.display());
    let mut reader = BufReader::new(File::open(file).with_context(context)?);
    let mut hash = Sha256::new();
    std::io::copy(&mut reader, &mut HashWriter(&mut hash)).with_context(context)?;
    Ok(hash.finalize().into())
}

fn name_of_file(file: &Path) -> String {
    file.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default()
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
    fn of_archive(path: &Path, text: String) -> RawNode {
        let place = format!("archive `{}`", path.display());
        RawNode { place, file_name: SNAPSHOT_FILE.to_owned(), text }
    }

    fn of_snapshot(path: &Path, text: String) -> RawNode {
        let place = format!("snapshot `{}`", path.display());
        RawNode { place, file_name: SNAPSHOT_FILE.to_owned(), text }
    }

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

    /// Returns the ending and the contents of a file with the facts, which name the node `certname`.
    fn as_file(&self, certname: &str) -> (&str, String) {
        let ending = self.file_name.rsplit_once('.').map_or("json", |(_, ending)| ending);
        let json: Option<serde_json::Map<String, Json>> = serde_json::from_str(&self.text).ok();
        let stored = json.and_then(|mut json| {
            let key =
                ["values", "facts"].into_iter().find(|key| json.get(*key).is_some_and(Json::is_object))?;
            json.remove(key).filter(|facts| facts.get("href").is_none())
        });
        let Some(Json::Object(mut facts)) = stored else { return (ending, self.text.clone()) };
        facts.insert("clientcert".to_owned(), certname.into());
        (ending, serde_json::json!({ "name": certname, "values": facts }).to_string())
    }
}

/// Facts of nodes as files, for programs that read files of facts.
#[derive(Default, Debug)]
pub struct NodeFiles {
    /// Paths below that of the snapshot or folder, which need not exist, with their contents.
    pub files: Vec<(PathBuf, String)>,
    /// Number of all nodes.
    pub total: usize,
}

impl NodeFiles {
    /// Reads the first nodes of a snapshot or a folder, at most `limit`.
    ///
    /// # Errors
    /// Fails if a file cannot be read, is malformed, or has nodes with impossible names.
    pub fn read(path: &Path, limit: usize) -> anyhow::Result<NodeFiles> {
        let mut nodes = NodeSet::open(path)?;
        let mut found = NodeFiles { files: Vec::new(), total: nodes.remaining() };
        let mut seen = SeenNames::default();
        while found.files.len() < limit
            && let Some(raw) = nodes.next_node()?
        {
            let FleetNode { certname, set } = raw.parse()?;
            seen.add(&certname)?;
            let is_name = !certname.starts_with('.') && !certname.contains(['/', '\\', ':']);
            ensure!(is_name, "{} has the invalid node name {certname:?}", raw.place);
            if !set.facts.is_empty() {
                let (ending, text) = raw.as_file(&certname);
                found.files.push((path.join(format!("{certname}.{ending}")), text));
            }
        }
        Ok(found)
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
