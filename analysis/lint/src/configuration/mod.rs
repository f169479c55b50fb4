//! puppet-lint's configuration in a repository: its `.puppet-lint.rc`, `Rakefile` and `Gemfile`, which are
//! parsed and never executed.

mod gemfile;
mod rakefile;

use crate::{CHECKS, CheckOrigin, StyleCheck};

/// Settings of puppet-lint that affect its findings. Later settings override earlier ones.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PuppetLintConfiguration {
    /// True if the repository uses puppet-lint.
    pub is_used: bool,
    /// Checks that are turned on or off, in order.
    switches: Vec<(String, bool)>,
    /// If set, only these checks run.
    only: Option<Vec<String>>,
    /// Checks of plugins that are installed along with puppet-lint.
    plugins: Vec<&'static str>,
    /// Number of spaces per level of indentation.
    pub chars_per_indent: Option<u32>,
    /// Top-scope variables that are not facts.
    pub top_scope_variables: Option<Vec<String>>,
    /// Patterns of excluded files, in the syntax of `File.fnmatch`.
    pub ignored_paths: Option<Vec<String>>,
    /// Ruby files that puppet-lint would load.
    pub loaded: Vec<String>,
    /// Options that are ignored because they would write a file.
    pub refused: Vec<String>,
}

impl PuppetLintConfiguration {
    /// Reads a `.puppet-lint.rc`, which has one argument per line. Unknown arguments are skipped.
    pub fn read_rc(&mut self, text: &str) {
        self.is_used = true;
        let mut lines = text.lines().map(str::trim).filter(|it| !it.is_empty());
        while let Some(line) = lines.next() {
            let (name, value) = match line.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value)),
                _ => (line, None),
            };
            let mut value = || value.or_else(|| lines.next()).unwrap_or_default();
            match name {
                "--only-checks" => self.only = Some(list(value())),
                "--ignore-paths" => self.ignored_paths = Some(list(value())),
                "--top-scope-variables" => self.top_scope_variables = Some(list(value())),
                "--chars-per-indent" => {
                    self.chars_per_indent = value().parse().ok().or(self.chars_per_indent)
                }
                "-l" | "--load" => self.loaded.push(value().to_owned()),
                "-f" | "--fix" => self.refused.push(name.to_owned()),
                "--codeclimate-report-file" => {
                    value();
                    self.refused.push(name.to_owned());
                }
                _ => {
                    if let Some(check) = name.strip_prefix("--").and_then(|it| it.strip_suffix("-check")) {
                        let off = check.strip_prefix("no-");
                        self.switches.push((off.unwrap_or(check).to_owned(), off.is_none()));
                    }
                }
            }
        }
    }

    /// Reads the puppet-lint configuration in a `Rakefile` or in a Ruby file that puppet-lint loads.
    pub fn read_ruby(&mut self, text: &str) {
        rakefile::read(text, self);
    }

    /// Reads the plugins of puppet-lint in a `Gemfile`.
    pub fn read_gemfile(&mut self, text: &str) {
        self.plugins.extend(gemfile::checks(text));
    }

    /// Returns the enabled checks.
    pub fn checks(&self) -> impl Iterator<Item = &'static StyleCheck> {
        CHECKS.iter().filter(|it| self.is_enabled(it))
    }

    fn is_enabled(&self, check: &StyleCheck) -> bool {
        if let Some(only) = &self.only {
            return only.iter().any(|it| it == check.name);
        }
        let switch = self.switches.iter().rev().find(|(name, _)| name == check.name);
        let is_installed = check.origin == CheckOrigin::PuppetLint || self.plugins.contains(&check.name);
        switch.map_or(check.is_default && is_installed, |(_, on)| *on)
    }
}

fn list(text: &str) -> Vec<String> {
    text.split(',').filter(|it| !it.is_empty()).map(str::to_owned).collect()
}
