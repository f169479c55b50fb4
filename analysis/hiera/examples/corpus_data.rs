//! Reads every data file of the corpus and compares the result with Ruby's: `cargo run -p hiera --example
//! corpus_data DIR`. `DIR` contains the modules.

#[path = "../tests/recorded/show.rs"]
mod show;

use std::path::{Path, PathBuf};

use hiera::{DataFormat, data};
use sha2::{Digest, Sha256};

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn main() -> std::process::ExitCode {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let modules =
        std::env::args().nth(1).map_or_else(|| here.join("../../target/corpus/modules"), PathBuf::from);
    let recorded = std::fs::read_to_string(here.join("../../tests/conformance/hiera/corpus.tsv"));
    let recorded = recorded.expect("the recording exists");
    let (mut read, mut differing) = (0, 0);
    for line in recorded.lines() {
        let [path, of_file, expected] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        let Ok(text) = std::fs::read_to_string(modules.join(path)) else {
            println!("{path}: cannot be read");
            differing += 1;
            continue;
        };
        if digest(text.as_bytes()) != of_file {
            println!("{path}: not the file that was recorded");
            differing += 1;
            continue;
        }
        read += 1;
        let format = DataFormat::of_path(path).unwrap_or(DataFormat::Yaml);
        let data = data::read(format, &text);
        let finding = data.findings.iter().find(|finding| finding.kind.is_fatal());
        let found = match (&data.root, finding) {
            (_, Some(_)) => "error".to_owned(),
            (Some(root), None) if !root.value.is_undef() => digest(show::show(&root.value).as_bytes()),
            _ => digest(b"false"),
        };
        if found != expected {
            println!("{path}: read differently ({finding:?})");
            differing += 1;
        }
    }
    println!("{read} files read, {differing} differ");
    std::process::ExitCode::from(u8::from(differing > 0))
}
