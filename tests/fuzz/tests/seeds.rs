//! Seeds of the fuzz targets: they pass, and they reach the code that they are meant for.

use std::fs;
use std::path::{Path, PathBuf};

use fuzz_targets::TARGETS;

fn seeds_of(target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|it| it.expect("a seed").path()).collect()
}

#[test]
fn every_target_accepts_its_seeds() {
    for (name, target, stack) in TARGETS {
        let seeds = seeds_of(name);
        assert!(!seeds.is_empty(), "{name} has no seeds");
        for seed in seeds {
            let bytes = fs::read(&seed).expect("a readable seed");
            let thread = std::thread::Builder::new().stack_size(*stack);
            let run = thread.spawn(move || target(&bytes)).expect("a thread");
            assert!(run.join().is_ok(), "{}", seed.display());
        }
    }
}

/// The numbers of index entries and of blobs, in this order.
#[test]
fn git_seeds_are_valid_repositories() {
    let expected =
        [("loose", (0, 6)), ("pack", (0, 6)), ("index", (4, 0)), ("index4", (3, 0)), ("settings", (0, 0))];
    for (seed, contents) in expected {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/git").join(seed);
        assert_eq!(fuzz_targets::git_contents(&fs::read(path).expect("a seed")), contents, "{seed}");
    }
}
