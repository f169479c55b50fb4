//! Report on the nodes of all shards, grouped by change.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use anyhow::{Context, ensure};
use serde::Serialize;
use serde_json::json;

use crate::nodes::SeenNames;
use crate::results::{FailureStatus, NodeFailure, NodeResult, ResultLine, ResultReader, RunKey};
use crate::shard::Shard;

/// Version of the report in JSON. Keys are added without a new version.
const VERSION: u32 = 1;

/// Number of nodes by result. Each node is counted once: as failed if it fails on a side, else as changed if it
/// has a known change, else as open if it was not compared completely.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Debug)]
pub struct FleetSummary {
    pub same: usize,
    pub changed: usize,
    pub failed: usize,
    pub open: usize,
}

/// Changes that rules ignore.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Debug)]
pub struct IgnoredChanges {
    pub changes: usize,
    /// Number of nodes with such changes.
    pub nodes: usize,
}

/// Nodes with the same changes.
#[derive(Debug)]
pub struct FleetGroup {
    /// Names, sorted.
    pub nodes: Vec<String>,
    changes: StoredChanges,
}

/// Report on a fleet. The changes themselves are in a temporary file.
#[derive(Debug)]
pub struct FleetReport {
    pub summary: FleetSummary,
    pub ignored: IgnoredChanges,
    /// Groups, by falling number of nodes, then by name.
    pub groups: Vec<FleetGroup>,
    /// Failures with the names of their nodes, sorted.
    pub failures: Vec<(String, NodeFailure)>,
    /// Limitations that affect all nodes.
    pub limitations: Vec<String>,
    /// Base revision as the user named it.
    pub base: String,
    /// True if the changes are in the format of octocatalog-diff.
    pub is_octocatalog: bool,
    store: File,
}

/// Position in the temporary file.
#[derive(Clone, Copy, Debug)]
struct StoredChanges {
    offset: u64,
    length: usize,
}

/// Groups while the results are read.
#[derive(Default)]
struct Grouping {
    /// Changes by their ids, with their keys.
    stored: HashMap<String, (String, StoredChanges)>,
    /// Nodes by key, with the smallest id of their changes: it does not depend on the order of the results.
    groups: BTreeMap<String, (String, Vec<String>)>,
    seen: SeenNames,
    limitations: BTreeSet<String>,
    length: u64,
}

impl FleetReport {
    /// Reads the results of all shards of a run, in any order.
    ///
    /// # Errors
    /// Fails if a shard is missing, duplicated, incomplete, or of another run.
    pub fn merge(paths: &[PathBuf]) -> anyhow::Result<FleetReport> {
        let RunKey { base, is_octocatalog, count, .. } = ensure_complete(paths)?;
        let mut report = FleetReport {
            summary: FleetSummary::default(),
            ignored: IgnoredChanges::default(),
            groups: Vec::new(),
            failures: Vec::new(),
            limitations: Vec::new(),
            base,
            is_octocatalog,
            store: tempfile::tempfile().context("cannot create a temporary file")?,
        };
        let mut grouping = Grouping::default();
        for path in paths {
            let mut reader = ResultReader::open(path)?;
            let shard = reader.header.shard;
            let mut add = || -> anyhow::Result<()> {
                while let Some(line) = reader.next_line()? {
                    report.add(line, shard, &mut grouping)?;
                }
                Ok(())
            };
            add().with_context(|| format!("cannot use `{}`", path.display()))?;
        }
        let found = report.nodes();
        ensure!(found == count, "the results have {found} of the {count} nodes of the run");
        report.limitations = grouping.limitations.into_iter().collect();
        report.failures.sort();
        for (id, mut nodes) in grouping.groups.into_values() {
            nodes.sort();
            let changes = grouping.stored.get(&id).context("unknown changes")?.1;
            report.groups.push(FleetGroup { nodes, changes });
        }
        report.groups.sort_by(|a, b| b.nodes.len().cmp(&a.nodes.len()).then_with(|| a.nodes.cmp(&b.nodes)));
        Ok(report)
    }

    fn add(&mut self, line: ResultLine, shard: Shard, grouping: &mut Grouping) -> anyhow::Result<()> {
        let NodeResult { node, changes, failures, ignored } = match line {
            ResultLine::Changes(changes) => {
                if !grouping.stored.contains_key(&changes.id) {
                    let text = StoredChanges { offset: grouping.length, length: changes.json.len() };
                    self.store.write_all(changes.json.as_bytes()).context("cannot write a temporary file")?;
                    grouping.length += changes.json.len() as u64;
                    grouping.stored.insert(changes.id, (changes.key, text));
                }
                return Ok(());
            }
            ResultLine::Limitation { limitation } => {
                grouping.limitations.insert(limitation);
                return Ok(());
            }
            ResultLine::End { .. } => return Ok(()),
            ResultLine::Node(result) => result,
        };
        ensure!(shard.contains(&node), "node `{node}` does not belong to shard {shard}");
        grouping.seen.add(&node)?;
        let has = |status| failures.iter().any(|it| it.status == status);
        let count = match (has(FailureStatus::Failed), &changes, has(FailureStatus::Open)) {
            (true, ..) => &mut self.summary.failed,
            (false, Some(_), _) => &mut self.summary.changed,
            (false, None, true) => &mut self.summary.open,
            (false, None, false) => &mut self.summary.same,
        };
        *count += 1;
        self.ignored.changes += ignored;
        self.ignored.nodes += usize::from(ignored > 0);
        self.failures.extend(failures.into_iter().map(|failure| (node.clone(), failure)));
        if let Some(id) = changes {
            let (key, _) =
                grouping.stored.get(&id).with_context(|| format!("unknown changes of `{node}`"))?;
            let (first, nodes) =
                grouping.groups.entry(key.clone()).or_insert_with(|| (id.clone(), Vec::new()));
            if id < *first {
                *first = id;
            }
            nodes.push(node);
        }
        Ok(())
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        let FleetSummary { same, changed, failed, open } = self.summary;
        same + changed + failed + open
    }

    /// Returns true if a node was not compared completely.
    pub fn is_incomplete(&self) -> bool {
        !self.failures.is_empty() || !self.limitations.is_empty()
    }

    /// Returns the changes of a group: a JSON array.
    ///
    /// # Errors
    /// Fails if the temporary file cannot be read.
    pub fn changes(&self, group: &FleetGroup) -> io::Result<String> {
        let mut store = &self.store;
        store.seek(SeekFrom::Start(group.changes.offset))?;
        let mut bytes = vec![0; group.changes.length];
        store.read_exact(&mut bytes)?;
        String::from_utf8(bytes).map_err(io::Error::other)
    }

    /// Passes the report as JSON to `write`, in parts. Equal results have equal bytes.
    ///
    /// # Errors
    /// Fails if `write` fails, or if the temporary file cannot be read.
    pub fn write_json(&self, mut write: impl FnMut(&str) -> io::Result<()>) -> anyhow::Result<()> {
        let summary = serde_json::to_string(&self.summary)?;
        write(&format!("{{\n\"version\": {VERSION},\n\"summary\": {summary},\n"))?;
        if self.ignored.changes > 0 {
            write(&format!("\"ignored\": {},\n", serde_json::to_string(&self.ignored)?))?;
        }
        write("\"groups\": [")?;
        for (index, group) in self.groups.iter().enumerate() {
            let nodes = serde_json::to_string(&group.nodes)?;
            let comma = if index == 0 { "" } else { "," };
            write(&format!("{comma}\n{{\"nodes\": {nodes}, \"changes\": {}}}", self.changes(group)?))?;
        }
        write("\n],\n\"failures\": [")?;
        for (index, (node, failure)) in self.failures.iter().enumerate() {
            let NodeFailure { side, status, reason } = failure;
            let failure = json!({ "node": node, "side": side, "status": status, "reason": reason });
            write(&format!("{}\n{failure}", if index == 0 { "" } else { "," }))?;
        }
        let limitations = serde_json::to_string(&self.limitations)?;
        write(&format!("\n],\n\"limitations\": {limitations}\n}}\n"))?;
        Ok(())
    }
}

/// Checks that the files are all shards of one run, and returns it.
fn ensure_complete(paths: &[PathBuf]) -> anyhow::Result<RunKey> {
    let mut first = None;
    let mut known: BTreeMap<u32, &PathBuf> = BTreeMap::new();
    for path in paths {
        let header = ResultReader::open(path)?.header;
        let (run, shard) = (header.run, header.shard);
        let shown = path.display();
        let (known_run, known_count, first_path) =
            first.get_or_insert_with(|| (run.clone(), shard.count, path));
        let of_other = |what: &str| format!("`{shown}` has {what} than `{}`", first_path.display());
        ensure!(run.program == known_run.program, of_other("results of another version of the program"));
        ensure!(run.code == known_run.code, of_other("results for other code or options"));
        let has_same_nodes = run.nodes == known_run.nodes && run.count == known_run.count;
        ensure!(has_same_nodes, of_other("results for other facts"));
        ensure!(run.is_octocatalog == known_run.is_octocatalog, of_other("another format"));
        ensure!(run.base == known_run.base, of_other("another name of the base revision"));
        ensure!(shard.count == *known_count, of_other("another number of shards"));
        if let Some(other) = known.insert(shard.index, path) {
            anyhow::bail!("`{shown}` and `{}` are both shard {shard}", other.display());
        }
    }
    let (run, count, _) = first.context("no files with results given")?;
    let missing: Vec<String> =
        (1..=count).filter(|it| !known.contains_key(it)).take(10).map(|it| format!("{it}/{count}")).collect();
    let more = count as usize - known.len();
    let more = if more > missing.len() { format!(", … ({more} in all)") } else { String::new() };
    ensure!(missing.is_empty(), "missing shards: {}{more}", missing.join(", "));
    Ok(run)
}
