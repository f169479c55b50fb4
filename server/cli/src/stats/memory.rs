//! `stats --memory`: what is kept behind a `check`, by kind.

use std::fmt::Write;
use std::sync::Arc;

use disk::config::Config;
use ide::{DiskState, MemoryPart};
use serde::Serialize;

use super::{memory_of_process, peak_memory};
use crate::workspace::{self, Workspace};
use crate::{CommandOutcome, StatsArguments, files, terminal};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Memory {
    files: usize,
    manifests: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resident_bytes: Option<u64>,
    /// What of the program's file is in memory, constants included.
    #[serde(skip_serializing_if = "Option::is_none")]
    program_bytes: Option<u64>,
    parts: Vec<PrintedPart>,
}

#[derive(Serialize)]
struct PrintedPart {
    name: String,
    count: usize,
    bytes: usize,
}

pub(super) fn run(arguments: &StatsArguments) -> anyhow::Result<CommandOutcome> {
    let config = Config::load(&workspace::settings_folder(&arguments.paths))?;
    disk::leave_in_memory(workspace::TEXTS_IN_MEMORY);
    let excluded = &config.settings.excluded_paths;
    let (paths, _) = files::find_files(&arguments.paths, excluded, files::is_checked_file);
    let trusted = config.trusted(&arguments.paths);
    let texts = paths.iter().filter_map(|path| {
        let text: Arc<str> = files::read_found_text(path, &trusted).ok()?.into();
        let state = DiskState::Text(text);
        let state = match workspace::absolute_path(path) {
            Some(absolute) => disk::packed(state, &absolute),
            None => state,
        };
        Some((path.clone(), state))
    });
    let mut workspace = Workspace::read_once(&config, &arguments.paths, texts);
    let mut rest = paths.as_slice();
    while !rest.is_empty() {
        let slice;
        (slice, rest) =
            rest.split_at(workspace.length_of_slice(rest.iter().map(std::path::PathBuf::as_path)));
        let analysis = workspace.analysis();
        for path in slice {
            if let Some(file) = workspace::file(&analysis, path) {
                analysis.all_diagnostics(file)?;
            }
        }
        drop(analysis);
        workspace.forget();
    }
    let (peak_bytes, resident_bytes) = (peak_memory(), memory_of_process("VmRSS:"));
    let part = |MemoryPart { name, count, bytes }: MemoryPart| PrintedPart { name, count, bytes };
    let memory = Memory {
        files: paths.len(),
        manifests: paths.iter().filter(|path| path.extension().is_some_and(|it| it == "pp")).count(),
        peak_bytes,
        resident_bytes,
        program_bytes: memory_of_process("RssFile:"),
        parts: workspace.memory_parts().into_iter().map(part).collect(),
    };
    let output = match arguments.json {
        true => serde_json::to_string_pretty(&memory)? + "\n",
        false => table(&memory),
    };
    terminal::print_text(&output, false)?;
    Ok(CommandOutcome::Clean)
}

/// All that takes a hundredth or more of what is in use, and the rest in three lines: what is known, the program, and what nobody counts.
fn table(memory: &Memory) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{:<44}{:>10}", "files", memory.files);
    let _ = writeln!(out, "{:<44}{:>10}", "manifests", memory.manifests);
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    for (name, bytes) in [("peak memory", memory.peak_bytes), ("memory now", memory.resident_bytes)] {
        if let Some(bytes) = bytes {
            let _ = writeln!(out, "{name:<44}{:>10.1} MB", megabytes(bytes));
        }
    }
    let counted: usize = memory.parts.iter().map(|part| part.bytes).sum();
    let whole = memory.resident_bytes.unwrap_or(counted as u64).max(1);
    let _ = writeln!(out, "\n{:<44}{:>10}{:>12}{:>8}", "part", "count", "MB", "%");
    let mut line = |name: &str, count: String, bytes: u64| {
        let share = bytes as f64 * 100.0 / whole as f64;
        let _ = writeln!(out, "{name:<44}{count:>10}{:>12.1}{share:>8.1}", megabytes(bytes));
    };
    let mut small = 0;
    for part in &memory.parts {
        match part.bytes as u64 * 100 >= whole {
            true => line(&part.name, part.count.to_string(), part.bytes as u64),
            false => small += part.bytes as u64,
        }
    }
    line("smaller parts", String::new(), small);
    let program = memory.program_bytes.unwrap_or_default();
    line("the program itself", String::new(), program);
    let rest = whole.saturating_sub(counted as u64 + program);
    line("what values point to, and free room", String::new(), rest);
    out
}
