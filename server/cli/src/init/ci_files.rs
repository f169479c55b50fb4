//! Jobs for CI systems, and hooks for pre-commit.

use super::look::RepositoryFacts;
use super::{CiSystem, NewFile};

/// Returns the hooks for pre-commit.
pub(super) fn pre_commit() -> NewFile {
    NewFile {
        path: ".pre-commit-config.yaml",
        text: with_version(include_str!("templates/pre-commit.yaml")),
        note: Some("run `pre-commit install`"),
    }
}

/// Returns the job for a CI system. Modules of a `Puppetfile` are installed before the check.
pub(super) fn job(system: CiSystem, facts: &RepositoryFacts) -> NewFile {
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
    NewFile { path, text: with_version(&text), note }
}

/// Inserts the version of the program into a template.
fn with_version(text: &str) -> String {
    text.replace("@VERSION@", env!("CARGO_PKG_VERSION"))
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
