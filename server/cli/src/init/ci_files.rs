//! Jobs for CI systems, and hooks for pre-commit.

use std::str::FromStr;

use super::look::{CiSystem, RepositoryFacts};

/// Returns the hooks for pre-commit.
pub(super) fn pre_commit(revision: &Revision) -> NewFile {
    NewFile {
        path: ".pre-commit-config.yaml",
        text: revision.insert(include_str!("templates/pre-commit.yaml")),
        note: Some("run `pre-commit install`"),
    }
}

/// Returns the job for a CI system. Modules of a `Puppetfile` are installed before the check.
pub(super) fn job(system: CiSystem, facts: &RepositoryFacts, revision: &Revision) -> NewFile {
    let (path, text, note) = match system {
        CiSystem::Github => {
            (".github/workflows/puppet-analyzer.yml", include_str!("templates/github.yaml"), None)
        }
        CiSystem::Gitlab if facts.uses(CiSystem::Gitlab) => (
            ".gitlab/puppet-analyzer.yml",
            include_str!("templates/gitlab.yaml"),
            Some("add to .gitlab-ci.yml: `include: { local: .gitlab/puppet-analyzer.yml }`"),
        ),
        CiSystem::Gitlab => (".gitlab-ci.yml", include_str!("templates/gitlab.yaml"), None),
        CiSystem::Jenkins => ("Jenkinsfile", include_str!("templates/Jenkinsfile"), None),
    };
    let text = if facts.has_puppetfile() { text.to_owned() } else { without_modules(text) };
    NewFile { path, text: revision.insert(&text), note }
}

/// Revision of puppet-analyzer that the files use.
#[derive(Clone, Debug)]
pub(super) struct Revision(String);

impl Default for Revision {
    /// Returns the release of this version, which may not be published.
    fn default() -> Revision {
        Revision(concat!("v", env!("CARGO_PKG_VERSION")).to_owned())
    }
}

impl FromStr for Revision {
    type Err = String;

    fn from_str(text: &str) -> Result<Revision, String> {
        let is_allowed = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '-' | '_' | '/');
        if !text.is_empty() && !text.starts_with('-') && text.chars().all(is_allowed) {
            Ok(Revision(text.to_owned()))
        } else {
            Err("expected a tag, a branch or a commit".to_owned())
        }
    }
}

impl Revision {
    /// Returns the version if this is the tag of a release, which can be downloaded.
    pub(super) fn release(&self) -> Option<&str> {
        self.0.strip_prefix('v').filter(|it| it.starts_with(|first: char| first.is_ascii_digit()))
    }

    /// Inserts the revision into a template. Other revisions than releases are built from source.
    fn insert(&self, text: &str) -> String {
        let text = text.replace("@REVISION@", &self.0);
        let is_build_line = |line: &&str| line.contains("build-from-source");
        match self.release() {
            Some(version) => {
                let lines = text.split_inclusive('\n').filter(|it| !is_build_line(it));
                lines.collect::<String>().replace("@VERSION@", version)
            }
            None => text,
        }
    }
}

/// Removes the lines that install modules: those between the marks, and the marks themselves.
fn without_modules(text: &str) -> String {
    let mut is_skipped = false;
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        is_skipped |= line.contains("Install the modules");
        if !is_skipped {
            out.push_str(line);
        }
        is_skipped &= !line.contains("puppetfile install");
    }
    out
}

/// A file to write, with its path relative to the repository.
pub(super) struct NewFile {
    pub(super) path: &'static str,
    pub(super) text: String,
    /// Further step that makes the file effective.
    pub(super) note: Option<&'static str>,
}
