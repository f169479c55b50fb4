//! Runs every fuzz target for a while with mutated seeds: `mutations SEEDS SECONDS [TARGET...]`.
//! `SEEDS` is a folder with one subfolder per target. The last input is kept in `target/mutations`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use fuzz_targets::mutation::{SeededRandom, mutated};
use fuzz_targets::{TARGETS, Target};

/// Time limit per input; an input that takes longer is taken for an endless loop, even on a busy
/// machine.
const INPUT_TIME_LIMIT: Duration = Duration::from_secs(60);

/// Target that is running.
struct Running {
    name: &'static str,
    tried: Arc<AtomicU64>,
    /// Receiver of `true` on success.
    ended: mpsc::Receiver<bool>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seeds, seconds, only @ ..] = arguments.as_slice() else {
        eprintln!("usage: mutations SEEDS SECONDS [TARGET...]");
        return ExitCode::from(2);
    };
    let seconds = Duration::from_secs(seconds.parse().unwrap_or(60));
    let wanted = |name: &str| only.is_empty() || only.iter().any(|it| it == name);
    let mut has_failed = false;
    let running: Vec<Running> = TARGETS
        .iter()
        .filter(|(name, ..)| wanted(name))
        .filter_map(|(name, target, stack)| {
            let started = start(name, *target, *stack, Path::new(seeds).join(name), seconds);
            started.map_err(|error| eprintln!("{name}: {error}")).ok()
        })
        .collect();
    for it in running {
        let passed = wait(&it, seconds);
        let said = if passed { "nothing found" } else { "FAILED; the input is in target/mutations" };
        println!("{}: {} inputs: {said}", it.name, it.tried.load(Ordering::Relaxed));
        has_failed |= !passed;
    }
    if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Runs a target on a thread with the stack size that it needs.
fn start(
    name: &'static str,
    target: Target,
    stack: usize,
    seeds: PathBuf,
    time: Duration,
) -> std::io::Result<Running> {
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(&seeds)? {
        texts.push((entry.as_ref().map(|it| it.file_name()).ok(), std::fs::read(entry?.path())?));
    }
    texts.sort();
    let texts: Vec<Vec<u8>> = texts.into_iter().map(|(_, text)| text).collect();
    std::fs::create_dir_all("target/mutations")?;
    let mut last = std::fs::File::create(Path::new("target/mutations").join(name))?;
    let (sender, ended) = mpsc::channel();
    let tried = Arc::new(AtomicU64::new(0));
    let count = tried.clone();
    let run = move || {
        let mut chance = SeededRandom::new(1);
        let started = Instant::now();
        let mut passed = true;
        while passed && started.elapsed() < time {
            let bytes = mutated(&texts, &mut chance);
            note(&mut last, &bytes);
            passed = std::panic::catch_unwind(|| target(&bytes)).is_ok();
            count.fetch_add(1, Ordering::Relaxed);
        }
        let _ = sender.send(passed);
    };
    std::thread::Builder::new().name(name.to_owned()).stack_size(stack).spawn(run)?;
    Ok(Running { name, tried, ended })
}

/// Writes the current input to the file, so that it survives a crash.
fn note(file: &mut std::fs::File, bytes: &[u8]) {
    use std::io::Seek;
    let _ =
        file.rewind().and_then(|()| file.write_all(bytes)).and_then(|()| file.set_len(bytes.len() as u64));
}

/// Waits for a target. Returns false if it failed or if one input took too long.
fn wait(running: &Running, time: Duration) -> bool {
    let mut before = u64::MAX;
    let mut patience = time + INPUT_TIME_LIMIT;
    loop {
        match running.ended.recv_timeout(patience) {
            Ok(passed) => return passed,
            Err(mpsc::RecvTimeoutError::Disconnected) => return false,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let tried = running.tried.load(Ordering::Relaxed);
                if tried == before {
                    return false;
                }
                (before, patience) = (tried, INPUT_TIME_LIMIT);
            }
        }
    }
}
