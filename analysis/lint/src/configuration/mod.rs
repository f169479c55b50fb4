//! What a repository says of puppet-lint: its `.puppet-lint.rc`, its `Rakefile` and its `Gemfile`, which are read and never run.

mod gemfile;
mod rakefile;

use crate::{CHECKS, CheckOrigin, StyleCheck};

/// What puppet-lint's settings say, as far as it matters to what is found. What is read later counts more.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PuppetLintConfiguration {
    /// Is there anything that says that puppet-lint is used?
    pub is_there: bool,
    /// Checks that are turned on and off, in their order.
    switches: Vec<(String, bool)>,
    /// Only these look.
    only: Option<Vec<String>>,
    /// The checks of plugins that are installed with puppet-lint.
    plugins: Vec<&'static str>,
    /// How many blanks a level takes.
    pub chars_per_indent: Option<u32>,
    /// Variables of the top scope that are no facts.
    pub top_scope_variables: Option<Vec<String>>,
    /// Files that are not looked at: patterns as `File.fnmatch` has them.
    pub ignored_paths: Option<Vec<String>>,
    /// Ruby files that puppet-lint would load.
    pub loaded: Vec<String>,
    /// Options that are not obeyed, as they would write a file.
    pub refused: Vec<String>,
}

impl PuppetLintConfiguration {
    /// Reads a `.puppet-lint.rc`: an argument on each line. What is not known is passed over.
    pub fn read_rc(&mut self, text: &str) {
        self.is_there = true;
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

    /// Reads what a `Rakefile`, or a Ruby file that puppet-lint loads, sets of puppet-lint's configuration.
    pub fn read_ruby(&mut self, text: &str) {
        rakefile::read(text, self);
    }

    /// Reads a `Gemfile`: which plugins come with puppet-lint.
    pub fn read_gemfile(&mut self, text: &str) {
        self.plugins.extend(gemfile::checks(text));
    }

    /// The checks that look.
    pub fn checks(&self) -> impl Iterator<Item = &'static StyleCheck> {
        CHECKS.iter().filter(|it| self.looks(it))
    }

    fn looks(&self, check: &StyleCheck) -> bool {
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
