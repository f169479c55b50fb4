//! `stats --memory`: memory usage after a `check`, by kind.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use disk::Folders;
use disk::config::Config;
use ide::{DiskState, MemoryPart};
use measure::memory::Share;
use serde::Serialize;

use super::arguments::StatsArguments;
use crate::workspace::{self, Workspace};
use crate::{CommandOutcome, files, terminal};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Memory {
    files: usize,
    manifests: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resident_bytes: Option<u64>,
    /// Resident part of the executable, including constants.
    #[serde(skip_serializing_if = "Option::is_none")]
    program_bytes: Option<u64>,
    /// Allocations by innermost span, at the largest measurement between two slices.
    allocated: Vec<PrintedPart>,
    /// Approximate number of bytes added by the allocator's size classes.
    rounding_bytes: usize,
    /// Contents of the database without the targets of pointers: another view of a part of the allocations.
    parts: Vec<PrintedPart>,
}

#[derive(Serialize)]
struct PrintedPart {
    name: String,
    count: usize,
    bytes: usize,
}

impl From<Share> for PrintedPart {
    fn from(share: Share) -> PrintedPart {
        let name = share.span.unwrap_or("in no span").to_owned();
        PrintedPart { name, count: share.allocations, bytes: share.bytes }
    }
}

fn sum(shares: &[Share]) -> usize {
    shares.iter().map(|share| share.bytes).sum()
}

pub(super) fn run(arguments: &StatsArguments) -> anyhow::Result<CommandOutcome> {
    measure::memory::count();
    let config = Config::load(&workspace::settings_folder(&arguments.paths))?;
    disk::set_memory_limit(workspace::TEXTS_IN_MEMORY);
    let find = tracing::info_span!("find_files").entered();
    let excluded = &config.settings.excluded_paths;
    let folders = Folders::default();
    let (paths, _) = files::find_files_in(&folders, &arguments.paths, excluded, files::is_checked_file);
    drop(find);
    let trusted = config.trusted(&arguments.paths);
    let texts = paths.iter().filter_map(|path| {
        let _span = tracing::info_span!("read_text").entered();
        let text: Arc<str> = files::read_found_text(path, &trusted).ok()?.into();
        let state = DiskState::Text(text);
        let state = match workspace::absolute_path(path) {
            Some(absolute) => disk::packed(state, &absolute),
            None => state,
        };
        Some((path.clone(), state))
    });
    let mut workspace = Workspace::read_once(&config, &arguments.paths, texts, &folders);
    let allocated = check_all_files(&mut workspace, &paths)?;
    let (peak_bytes, resident_bytes) = (peak_memory(), memory_of_process("VmRSS:"));
    let part = |MemoryPart { name, count, bytes }: MemoryPart| PrintedPart { name, count, bytes };
    let memory = Memory {
        files: paths.len(),
        manifests: paths.iter().filter(|path| path.extension().is_some_and(|it| it == "pp")).count(),
        peak_bytes,
        resident_bytes,
        program_bytes: memory_of_process("RssFile:"),
        rounding_bytes: allocated.iter().map(|share| share.rounded_bytes - share.bytes).sum(),
        allocated: allocated.into_iter().map(PrintedPart::from).collect(),
        parts: workspace.memory_parts().into_iter().map(part).collect(),
    };
    let output = if arguments.json { serde_json::to_string_pretty(&memory)? + "\n" } else { table(&memory) };
    terminal::print_text(&output, false)?;
    Ok(CommandOutcome::Clean)
}

/// Checks files like `check`. Returns the largest measurement, taken before the results of each slice are
/// evicted.
fn check_all_files(workspace: &mut Workspace, paths: &[PathBuf]) -> anyhow::Result<Vec<Share>> {
    let mut allocated = Vec::new();
    let mut rest = paths;
    while !rest.is_empty() {
        let slice;
        (slice, rest) = rest.split_at(workspace.slice_length(rest.iter().map(PathBuf::as_path)));
        let analysis = workspace.analysis();
        for path in slice {
            if let Some(file) = workspace::file(&analysis, path) {
                analysis.all_diagnostics(file)?;
            }
        }
        drop(analysis);
        let now = measure::memory::shares();
        if sum(&now) > sum(&allocated) {
            allocated = now;
        }
        workspace.evict();
    }
    Ok(allocated)
}

/// Formats all parts above 1 % of the total. The rest is summarized in three lines: the executable, rounding,
/// and free memory of the allocator.
fn table(memory: &Memory) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{:<44}{:>10}", "files", memory.files);
    let _ = writeln!(out, "{:<44}{:>10}", "manifests", memory.manifests);
    for (name, bytes) in [("peak memory", memory.peak_bytes), ("memory now", memory.resident_bytes)] {
        if let Some(bytes) = bytes {
            let _ = writeln!(out, "{name:<44}{:>10.1} MB", bytes as f64 / 1e6);
        }
    }
    let allocated: usize = memory.allocated.iter().map(|part| part.bytes).sum();
    let whole = memory.peak_bytes.unwrap_or(allocated as u64).max(1);
    section(&mut out, whole, "allocated in the span", &memory.allocated);
    let program = memory.program_bytes.unwrap_or_default();
    line(&mut out, whole, "the program itself", "", program);
    let rounding = memory.rounding_bytes as u64;
    line(&mut out, whole, "rounded up by the allocator", "", rounding);
    let rest = whole.saturating_sub(allocated as u64 + program + rounding);
    line(&mut out, whole, "free memory of the allocator", "", rest);
    section(&mut out, whole, "of that, in the database itself", &memory.parts);
    out
}

/// Formats the parts above 1 % of the total, and the rest in one line.
fn section(out: &mut String, whole: u64, title: &str, parts: &[PrintedPart]) {
    let _ = writeln!(out, "\n{title:<44}{:>10}{:>12}{:>8}", "count", "MB", "%");
    let mut small = 0;
    for part in parts {
        if part.bytes as u64 * 100 >= whole {
            line(out, whole, &part.name, &part.count.to_string(), part.bytes as u64)
        } else {
            small += part.bytes as u64
        }
    }
    line(out, whole, "smaller parts", "", small);
}

fn line(out: &mut String, whole: u64, name: &str, count: &str, bytes: u64) {
    let share = bytes as f64 * 100.0 / whole as f64;
    let _ = writeln!(out, "{name:<44}{count:>10}{:>12.1}{share:>8.1}", bytes as f64 / 1e6);
}

/// Returns the peak memory usage of this process in bytes; `None` if the system does not provide it.
pub(super) fn peak_memory() -> Option<u64> {
    memory_of_process("VmHWM:")
}

/// Returns a value of `/proc/self/status` in bytes.
pub(super) fn memory_of_process(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|it| it.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
