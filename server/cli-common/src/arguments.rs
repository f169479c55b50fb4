//! Arguments that several commands share.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use disk::config::{Config, FILE_NAME, RepositorySettings, puppet_lint_folder, settings_folder};

use crate::{files, terminal};

/// Sources of settings.
#[derive(clap::Args, Clone, Debug)]
pub struct SettingsArguments {
    /// Read the settings from FILE instead of the nearest `puppet-analyzer.toml`
    #[arg(long, value_name = "FILE", conflicts_with = "isolated")]
    pub config: Option<PathBuf>,

    /// Ignore all settings files
    #[arg(long)]
    pub isolated: bool,
}

impl SettingsArguments {
    /// Loads the settings that apply to a folder.
    pub fn config_in(&self, folder: &Path) -> anyhow::Result<Config> {
        let config = match &self.config {
            _ if self.isolated => Config::default(),
            Some(file) => Config::load_file(file, folder)?,
            None => Config::load(folder)?,
        };
        for line in self.files_in(folder) {
            terminal::verbose::say(|| format!("settings: {line}"));
        }
        Ok(config)
    }

    /// Lists the settings files that apply to a folder, each with its kind.
    pub fn files_in(&self, folder: &Path) -> Vec<String> {
        let folder = &std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let files = match &self.config {
            _ if self.isolated => return vec!["none, because of `--isolated`".to_owned()],
            Some(file) => {
                RepositorySettings::read(&std::path::absolute(file).unwrap_or_else(|_| file.clone()))
            }
            None => match settings_folder(folder) {
                Some(folder) => RepositorySettings::read(&folder.join(FILE_NAME)),
                None => RepositorySettings::default(),
            },
        };
        let mut lines = Vec::new();
        if let Some((file, _)) = disk::config::user_file() {
            lines.push(format!("user: {}", files::display_path(&file)));
        }
        let lint = puppet_lint_folder(folder);
        for name in disk::config::PUPPET_LINT_FILES.iter().filter(|it| lint.join(it).is_file()) {
            lines.push(format!("puppet-lint: {}", files::display_path(&lint.join(name))));
        }
        lines.extend(files.files().map(|(file, _)| format!("repository: {}", file.to_native())));
        if lines.is_empty() {
            lines.push("no settings files".to_owned());
        }
        lines
    }
}

/// Parallelism of a command.
#[derive(clap::Args, Clone, Debug)]
pub struct ThreadArguments {
    /// Number of threads [default: one per core, at least 2]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

impl ThreadArguments {
    /// Returns the number of threads.
    pub fn count(&self) -> usize {
        self.threads.unwrap_or_else(files::default_threads)
    }

    /// Returns true if the number is given.
    pub fn is_given(&self) -> bool {
        self.threads.is_some()
    }
}

#[derive(clap::Args, Clone, Debug)]
pub struct VersionArguments {
    #[command(flatten)]
    pub source: SettingsArguments,

    /// Puppet version whose defaults apply [default: from `puppet-analyzer.toml`, otherwise 8]
    #[arg(long, value_enum, value_name = "VERSION")]
    pub puppet_version: Option<VersionArgument>,

    /// Puppet setting `strict` [default: from `puppet-analyzer.toml`, otherwise error for Puppet 8, warning
    /// for 7]
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub strict: Option<StrictArgument>,
}

impl VersionArguments {
    /// Loads the settings of a folder and applies these options on top.
    pub fn config_in(&self, folder: &Path) -> anyhow::Result<Config> {
        let mut config = self.source.config_in(folder)?;
        let settings = &mut config.settings;
        if let Some(version) = self.puppet_version {
            settings.puppet_version = version.into();
        }
        if let Some(strict) = self.strict {
            settings.strict = Some(strict.into());
        }
        Ok(config)
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum VersionArgument {
    #[value(name = "7")]
    Seven,
    #[value(name = "8")]
    Eight,
    /// OpenVox 9
    #[value(name = "9")]
    Nine,
}

impl From<VersionArgument> for ide::PuppetVersion {
    fn from(version: VersionArgument) -> ide::PuppetVersion {
        match version {
            VersionArgument::Seven => ide::PuppetVersion::V7,
            VersionArgument::Eight => ide::PuppetVersion::V8,
            VersionArgument::Nine => ide::PuppetVersion::V9,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum StrictArgument {
    Off,
    Warning,
    Error,
}

impl From<StrictArgument> for ide::Strict {
    fn from(level: StrictArgument) -> ide::Strict {
        match level {
            StrictArgument::Off => ide::Strict::Off,
            StrictArgument::Warning => ide::Strict::Warning,
            StrictArgument::Error => ide::Strict::Error,
        }
    }
}

#[derive(clap::Args, Debug)]
pub struct AnswerArguments {
    /// Folder of an installed Puppet whose documentation is shown, or `none` [default: the usual locations]
    #[arg(long, value_name = "DIR")]
    pub installed_puppet: Option<String>,

    /// Workspace folder
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub root: PathBuf,

    /// Ask a background server, which keeps the analysis for the next question. It is started if necessary,
    /// and ends after ten minutes without a question
    #[arg(long)]
    pub daemon: bool,

    /// Output format: one line per location, beginning with `file:line:column`, or JSON
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnswerFormat {
    /// Human-readable text
    Text,
    /// JSON
    Json,
}
