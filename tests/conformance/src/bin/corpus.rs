//! Compares our parser with the recorded results of real Puppet for every file of the corpus:
//! `corpus [DIR]`.
//!
//! DIR is the output folder of `fetch-corpus.sh` (default `target/corpus`). Prints a line for each
//! file that differs in acceptance, in the syntax tree, in the source that the tree reproduces, or
//! in its version, and then exits with 1.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use conformance::{Question, answer};
use sha2::{Digest, Sha256};

fn main() -> ExitCode {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::args()
        .nth(1)
        .map_or_else(|| here.join("../../target/corpus"), PathBuf::from)
        .join("modules");
    let recorded = match std::fs::read_to_string(here.join("corpus.tsv")) {
        Ok(recorded) => recorded,
        Err(error) => {
            eprintln!("corpus.tsv: {error}");
            return ExitCode::from(2);
        }
    };
    let (mut count, mut differences) = (0, 0);
    for line in recorded.lines() {
        let [path, sha, outcome, pn, _first_error] = line.split('\t').collect::<Vec<_>>()[..] else {
            eprintln!("malformed row in corpus.tsv: {line}");
            return ExitCode::from(2);
        };
        count += 1;
        if let Err(difference) = check(&folder.join(path), sha, outcome == "ok", pn) {
            differences += 1;
            println!("{path}: {difference}");
        }
    }
    println!("{count} files, {differences} differ");
    if count > 2000 && differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn check(path: &Path, sha: &str, accepted: bool, pn: &str) -> Result<(), String> {
    let bytes =
        std::fs::read(path).map_err(|error| format!("{error}; run tests/conformance/fetch-corpus.sh"))?;
    if digest(&bytes) != sha {
        return Err("differs from the recorded version".to_owned());
    }
    let text = String::from_utf8(bytes).map_err(|error| error.to_string())?;
    let is_template = path.extension().is_some_and(|it| it == "epp");
    let language = if is_template { syntax::Language::Epp } else { syntax::Language::Manifest };
    if syntax::parse(&text, language).syntax().text() != text {
        return Err("the tree does not reproduce the file".to_owned());
    }
    let ours = answer(&text, &Question { is_template, strict: "warning".to_owned(), ..Question::default() });
    match (accepted, &ours.pn) {
        (true, Some(ours)) if digest(ours.as_bytes()) == pn => Ok(()),
        (true, Some(_)) => Err("different syntax tree".to_owned()),
        (true, None) => {
            let error = ours.findings.iter().find(|it| it.is_error);
            Err(error.map_or_else(
                || "rejected".to_owned(),
                |it| format!("rejected: {}:{} {}", it.line, it.column, it.message),
            ))
        }
        (false, Some(_)) => Err("accepted, but Puppet rejects it".to_owned()),
        (false, None) => Ok(()),
    }
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
