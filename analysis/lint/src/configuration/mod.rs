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
    /// Versions of the gems that determine what checks report.
    versions: gemfile::GemVersions,
    /// True if the `Rakefile` loads the tasks of `voxpupuli-test`.
    uses_vox_tasks: bool,
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
            let Ok(name) = full_option_name(name) else { continue };
            match name.as_str() {
                "--only-checks" => self.only = Some(list(value())),
                "--ignore-paths" => {
                    let paths = list(value()).into_iter().flat_map(rakefile::also_without_folders);
                    self.ignored_paths = Some(paths.collect());
                }
                "--top-scope-variables" => self.top_scope_variables = Some(list(value())),
                "--chars-per-indent" => {
                    self.chars_per_indent = value().parse().ok().or(self.chars_per_indent)
                }
                "-l" | "--load" => self.loaded.push(value().to_owned()),
                "-f" | "--fix" => self.refused.push(name),
                "--codeclimate-report-file" => {
                    value();
                    self.refused.push(name);
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

    /// Reads a `Rakefile`: the tasks that it loads, and the puppet-lint configuration in it.
    pub fn read_rakefile(&mut self, text: &str) {
        rakefile::read_loaded_tasks(text, self);
        self.read_ruby(text);
    }

    /// Reads the plugins of puppet-lint in a `Gemfile`, and the versions that it allows.
    pub fn read_gemfile(&mut self, text: &str) {
        self.plugins.extend(gemfile::checks(text));
        self.versions.read_gemfile(text);
        self.ignore_types_of_older_tasks();
    }

    /// Reads the versions in a `Gemfile.lock`, which replace those of the `Gemfile`.
    pub fn read_gemfile_lock(&mut self, text: &str) {
        self.versions.read_lock(text);
        self.ignore_types_of_older_tasks();
    }

    fn ignore_types_of_older_tasks(&mut self) {
        if self.uses_vox_tasks && self.versions.vox_tasks_are_those_of_spec_helper() {
            rakefile::read_tasks_of_spec_helper(self);
            self.uses_vox_tasks = false;
        }
    }

    /// Returns true if each bracket that is open at the end of a line indents the next one.
    pub fn indents_each_bracket(&self) -> bool {
        self.versions.strict_indent().is_some_and(|it| it < 4)
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
        let is_plugin = || self.plugins.contains(&check.name) && self.versions.include(check.name);
        let is_installed = check.origin == CheckOrigin::PuppetLint || is_plugin();
        switch.map_or(check.is_default && is_installed, |(_, on)| *on)
    }
}

/// Long options of puppet-lint and of the `lint` command, without those for single checks.
const LONG_OPTIONS: [&str; 24] = [
    "--chars-per-indent",
    "--codeclimate-report-file",
    "--config",
    "--docs-allowed-styles",
    "--error-level",
    "--fail-on-warnings",
    "--fix",
    "--help",
    "--ignore-paths",
    "--json",
    "--list-checks",
    "--load",
    "--load-from-puppet",
    "--log-format",
    "--no-config",
    "--only-checks",
    "--relative",
    "--sarif",
    "--show-ignored",
    "--top-scope-variables",
    "--unsafe-fixes",
    "--version",
    "--with-context",
    "--with-filename",
];

/// Returns the full name of an option: as Ruby's `OptionParser`, puppet-lint accepts any unambiguous beginning
/// of a long option. A name that begins no option is returned as it is.
///
/// # Errors
/// Returns the options that begin with an ambiguous name.
pub fn full_option_name(name: &str) -> Result<String, Vec<String>> {
    if !name.starts_with("--") || name.len() < 3 || LONG_OPTIONS.contains(&name) {
        return Ok(name.to_owned());
    }
    let switches =
        CHECKS.iter().flat_map(|it| ["--no-", "--"].map(|prefix| format!("{prefix}{}-check", it.name)));
    let options = LONG_OPTIONS.iter().map(|it| (*it).to_owned()).chain(switches);
    let mut found: Vec<String> = options.filter(|it| it.starts_with(name)).collect();
    match found.len() {
        0 => Ok(name.to_owned()),
        1 => Ok(found.remove(0)),
        _ if found.iter().any(|it| it == name) => Ok(name.to_owned()),
        _ => Err(found),
    }
}

fn list(text: &str) -> Vec<String> {
    text.split(',').filter(|it| !it.is_empty()).map(str::to_owned).collect()
}
