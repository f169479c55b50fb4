//! Results of the nodes of a shard, in a file.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::container::{ContainerKind, LineReader, LineWriter, hex};
use crate::shard::Shard;

/// Files with the results of a shard.
pub const RESULTS: ContainerKind = ContainerKind {
    name: "puppet-analyzer-diff",
    version: 2,
    shown: "a result of `diff --output`",
    is_private: false,
};

/// Side of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum FleetSide {
    Base,
    Head,
    Both,
}

/// Reason that a node was not compared completely.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum FailureStatus {
    /// The compile fails.
    Failed,
    /// Something was not evaluated.
    Open,
}

/// A failure of a node.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Debug)]
pub struct NodeFailure {
    pub side: FleetSide,
    pub status: FailureStatus,
    pub reason: String,
}

/// Header shared by all shards of a run.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct RunKey {
    /// Version of the program.
    pub program: String,
    /// Base revision as the user named it.
    pub base: String,
    /// Checksum of the code and data of both sides, and of the options.
    pub code: String,
    /// Checksum of the facts.
    pub nodes: String,
    /// Number of nodes in all shards.
    pub count: usize,
    /// True if the changes are in the format of octocatalog-diff.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_octocatalog: bool,
}

/// First line of a file.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct ResultHeader {
    pub run: RunKey,
    pub shard: Shard,
}

/// Changes of a catalog, as JSON.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct ChangeSet {
    /// Checksum of everything in `json`.
    pub id: String,
    /// Checksum without the locations in the code. Nodes with the same key have the same changes.
    pub key: String,
    /// Array of changes.
    pub json: String,
}

/// Result of a node.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct NodeResult {
    pub node: String,
    /// Id of the changes, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<NodeFailure>,
    /// Number of changes that rules ignore.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ignored: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "required by serde")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A line after the first one.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(untagged)]
pub enum ResultLine {
    Changes(ChangeSet),
    Node(NodeResult),
    /// Limitation that affects all nodes.
    Limitation {
        limitation: String,
    },
    /// Last line.
    End {
        end: ListedNodes,
    },
}

/// Nodes of a file, to notice that some are missing.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct ListedNodes {
    pub count: usize,
    /// Checksum of their names.
    pub names: String,
}

/// Nodes that have been written or read.
#[derive(Default)]
struct NodeList {
    count: usize,
    names: Sha256,
}

impl NodeList {
    fn add(&mut self, node: &str) {
        self.count += 1;
        self.names.update(node);
        self.names.update("\n");
    }

    fn listed(&self) -> ListedNodes {
        ListedNodes { count: self.count, names: hex(&self.names.clone().finalize()) }
    }
}

/// Writer of the results of a shard.
pub struct ResultWriter {
    lines: LineWriter,
    known: HashSet<String>,
    nodes: NodeList,
}

impl ResultWriter {
    /// Creates a file.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn create(path: &Path, header: &ResultHeader) -> anyhow::Result<ResultWriter> {
        let header = json!({ "run": header.run, "shard": header.shard });
        let lines = LineWriter::create(path, RESULTS, &header)?;
        Ok(ResultWriter { lines, known: HashSet::new(), nodes: NodeList::default() })
    }

    /// Adds changes, unless they are known.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn add_changes(&mut self, changes: ChangeSet) -> anyhow::Result<()> {
        if self.known.insert(changes.id.clone()) {
            self.lines.line(&ResultLine::Changes(changes))
        } else {
            Ok(())
        }
    }

    /// Adds the result of a node, after its changes.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn add_node(&mut self, result: NodeResult) -> anyhow::Result<()> {
        self.nodes.add(&result.node);
        self.lines.line(&ResultLine::Node(result))
    }

    /// Adds a limitation that affects all nodes.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn add_limitation(&mut self, limitation: String) -> anyhow::Result<()> {
        self.lines.line(&ResultLine::Limitation { limitation })
    }

    /// Completes the file.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn finish(mut self) -> anyhow::Result<()> {
        self.lines.line(&ResultLine::End { end: self.nodes.listed() })?;
        self.lines.finish().map(drop)
    }
}

/// Reader of the results of a shard.
pub struct ResultReader {
    lines: LineReader,
    pub header: ResultHeader,
    nodes: NodeList,
    /// True once the last line has been read.
    has_ended: bool,
}

impl ResultReader {
    /// Opens a file.
    ///
    /// # Errors
    /// Fails if it is not a complete file of results.
    pub fn open(path: &Path) -> anyhow::Result<ResultReader> {
        let lines = LineReader::open(path, RESULTS)?;
        let header = serde_json::from_value(lines.header.clone());
        let header = header.with_context(|| format!("`{}` is not {}", path.display(), RESULTS.shown))?;
        Ok(ResultReader { lines, header, nodes: NodeList::default(), has_ended: false })
    }

    /// Returns true if a file is complete and has the results of a run.
    pub fn is_of(path: &Path, header: &ResultHeader) -> bool {
        let Ok(mut reader) = ResultReader::open(path) else { return false };
        if reader.header != *header {
            return false;
        }
        loop {
            match reader.next_line() {
                Ok(Some(_)) => {}
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    }

    /// Returns the next line before the last one; `None` at the end.
    ///
    /// # Errors
    /// Fails if the line is malformed, or if the nodes are not those that the last line lists.
    pub fn next_line(&mut self) -> anyhow::Result<Option<ResultLine>> {
        let Some(line) = self.lines.next_line()? else {
            ensure!(self.has_ended, "it has no list of nodes at its end");
            return Ok(None);
        };
        ensure!(!self.has_ended, "it continues after its end");
        match serde_json::from_str(&line)? {
            ResultLine::End { end } => {
                let (found, listed) = (self.nodes.count, end.count);
                ensure!(found == listed, "it has {found} of {listed} nodes: the file was changed");
                ensure!(self.nodes.listed() == end, "it has other nodes than it lists: the file was changed");
                self.has_ended = true;
                self.next_line()
            }
            ResultLine::Node(result) => {
                self.nodes.add(&result.node);
                Ok(Some(ResultLine::Node(result)))
            }
            line => Ok(Some(line)),
        }
    }
}
