//! Our verdicts on a source and its variants, and those recorded from Puppet:
//! `conformance/layouts.tsv`.

use std::collections::HashMap;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use syntax::{Language, LineMap, Severity};
use validation::{PuppetVersion, Strict, ValidationSettings, validate};

use crate::{Layout, Source, program};

/// Returns the first 16 hexadecimal digits of the SHA-256.
pub fn digest(text: &str) -> String {
    Sha256::digest(text)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the verdict of the parser and the static rules on a source: the digest of its PN, or the
/// first error.
pub fn verdict(text: &str, language: Language) -> Result<String, String> {
    let parse = syntax::parse(text, language);
    let mut diagnostics = parse.errors().to_vec();
    if diagnostics.iter().all(|it| it.severity() != Severity::Error) {
        diagnostics.extend(validate(
            &parse,
            &ValidationSettings {
                strict: Strict::Warning,
                version: PuppetVersion::V7,
                ..ValidationSettings::default()
            },
        ));
    }
    match diagnostics.iter().filter(|it| it.severity() == Severity::Error).min_by_key(|it| it.range) {
        None => Ok(digest(&syntax::pn::to_pn(&parse))),
        Some(error) => {
            let lines = LineMap::new(text);
            let line = lines.line(error.range.start);
            let column = error.range.start - lines.line_start(line) + 1;
            Err(format!("{}:{column}: {} [{}]", line + 1, error.message, error.code))
        }
    }
}

/// Source in its original form and in all layouts.
pub struct Subject {
    /// Path, or the name of a generated program.
    pub name: String,
    pub seed: u64,
    pub language: Language,
    /// Variants by layout name; the original is called `original`.
    pub variants: Vec<(&'static str, String)>,
}

impl Subject {
    pub fn new(name: String, seed: u64, text: String, language: Language, layouts: &[Layout]) -> Subject {
        let source = Source::read(&text, language);
        let mut variants = vec![("original", text)];
        if let Some(source) = source {
            variants.extend(layouts.iter().map(|it| (it.name(), source.lay(*it, seed))));
        }
        Subject { name, seed, language, variants }
    }

    /// Generates the program of a seed. Every fifth is a template, every fifth a plan.
    pub fn of_program(seed: u64, layouts: &[Layout]) -> Subject {
        let language = match seed % 5 {
            3 => Language::Epp,
            4 => Language::Plan,
            _ => Language::Manifest,
        };
        Subject::new(format!("program {seed}"), seed, program(language, seed), language, layouts)
    }

    /// Returns one digest for all variants.
    pub fn digest(&self) -> String {
        let digests: Vec<String> = self.variants.iter().map(|(_, text)| digest(text)).collect();
        digest(&digests.join(" "))
    }

    /// Returns the variants and our verdicts, for the script that adds Puppet's.
    pub fn to_json(&self) -> Value {
        let variants: Vec<Value> = self
            .variants
            .iter()
            .map(|(layout, text)| {
                let ours = verdict(text, self.language);
                let (pn, error) = (ours.as_ref().ok(), ours.as_ref().err());
                json!({ "layout": layout, "text": text, "pn": pn, "error": error })
            })
            .collect();
        let language = match self.language {
            Language::Manifest => "manifest",
            Language::Epp => "epp",
            Language::Plan => "plan",
        };
        json!({
            "name": self.name,
            "seed": self.seed,
            "language": language,
            "digest": self.digest(),
            "variants": variants,
        })
    }

    /// Returns one line for each variant on which our verdict differs from Puppet's.
    pub fn differences(&self, recorded: &Recorded) -> Vec<String> {
        if self.digest() != recorded.digest {
            return vec![format!("{}: these are not the texts that were recorded", self.name)];
        }
        let mut differences = Vec::new();
        for (layout, text) in &self.variants {
            let puppet = recorded.changes.get(*layout).unwrap_or(&recorded.original);
            let difference = match (puppet.as_str(), verdict(text, self.language)) {
                ("error", Err(_)) | ("?", Ok(_)) => continue,
                ("error", Ok(_)) => "accepted, but Puppet rejects it".to_owned(),
                (_, Err(error)) => format!("rejected: {error}"),
                (pn, Ok(ours)) if ours == *pn => continue,
                _ => "another tree".to_owned(),
            };
            differences.push(format!("{} {layout} {}: {difference}", self.name, self.seed));
        }
        differences
    }
}

/// Recorded verdicts of Puppet on a source: that on the original, and those on layouts that differ
/// from it. A verdict is `error`, `?` if Puppet cannot print the tree, or the digest of its PN.
pub struct Recorded {
    pub name: String,
    pub seed: u64,
    /// Digest of the subject, see [`Subject::digest`].
    pub digest: String,
    pub original: String,
    pub changes: HashMap<String, String>,
}

/// Parses the lines of `layouts.tsv`.
pub fn read_recorded(text: &str) -> Result<Vec<Recorded>, String> {
    text.lines()
        .map(|line| {
            let [name, seed, digest, original, changes] = line.split('\t').collect::<Vec<_>>()[..] else {
                return Err(format!("expected five fields: {line}"));
            };
            let changes = changes.split(',').filter_map(|it| it.split_once('='));
            Ok(Recorded {
                name: name.to_owned(),
                seed: seed.parse().map_err(|_| format!("invalid seed: {line}"))?,
                digest: digest.to_owned(),
                original: original.to_owned(),
                changes: changes.map(|(layout, said)| (layout.to_owned(), said.to_owned())).collect(),
            })
        })
        .collect()
}
