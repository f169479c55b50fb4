//! Options that ignore differences, and the configuration of octocatalog-diff.

use std::path::Path;
use std::str::FromStr;

use comparison::octocatalog::config::{self, CONFIG_FILE, OctoConfig};
use comparison::octocatalog::{CheckedReference, DiffFilter, DiffRules, IgnoreRule, OctoDefaults};
use disk::path_policy::read_regular_text;

use super::format::DiffFormat;
use crate::files::display_path;
use crate::terminal;

/// Maximum size of a configuration file in bytes.
const MAX_CONFIG_SIZE: u64 = 1 << 20;

/// Options that ignore differences.
#[derive(clap::Args, Debug)]
pub(super) struct RuleArguments {
    /// Ignore differences, in the grammar of octocatalog-diff: `Type[Title]` with `*` in the title,
    /// `Type[Title]::parameters::NAME`, with `=>VALUE` or `=~>REGEX` to ignore some values, or `Type`; may be
    /// repeated
    #[arg(long, value_name = "RULE,...", value_delimiter = ',', value_parser = IgnoreRule::parse)]
    ignore: Vec<IgnoreRule>,

    /// Ignore differences of attributes, such as `parameters::owner`
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = IgnoreRule::of_attribute)]
    ignore_attr: Vec<IgnoreRule>,

    /// Ignore differences of resources with one of these tags, or with `TAG__TYPE`
    #[arg(long, value_name = "TAG,...", value_delimiter = ',')]
    ignore_tags: Vec<String>,

    /// Drop differences without an effect: AbsentFile, EquivalentArrayNoDatatypes, JSON, SingleItemArray, YAML
    #[arg(long, value_name = "FILTER,...", value_delimiter = ',', value_parser = DiffFilter::from_str)]
    filters: Vec<DiffFilter>,

    /// Do not read ignores and filters from `.octocatalog-diff.cfg.rb`
    #[arg(long)]
    no_octocatalog_config: bool,

    /// Do not compare the contents of files in modules
    #[arg(long)]
    no_compare_file_text: bool,

    /// Compare the contents of files in modules, which is the default if both catalogs are compiled; with `force` and
    /// `--format octocatalog`, also if one of them is from a file
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "compiled",
        conflicts_with = "no_compare_file_text"
    )]
    compare_file_text: Option<CompareFileText>,

    /// Tags of files whose contents in modules are not compared
    #[arg(long, value_name = "TAG,...", value_delimiter = ',', conflicts_with = "no_compare_file_text")]
    compare_file_text_ignore_tags: Vec<String>,

    /// References that must be to resources of the catalog after the change, if it is from a file (compiles check all):
    /// before, require, subscribe, notify
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', overrides_with = "no_validate_references")]
    validate_references: Vec<CheckedReference>,

    /// Do not check references, whatever `.octocatalog-diff.cfg.rb` says
    #[arg(long, overrides_with = "validate_references")]
    no_validate_references: bool,

    /// With `--format octocatalog`: report differences of tags
    #[arg(long)]
    include_tags: bool,

    /// With `--format octocatalog`: report all parameters of files that become absent
    #[arg(long)]
    no_suppress_absent_file_details: bool,

    /// With `--format octocatalog`: text of the header
    #[arg(long, value_name = "TEXT", conflicts_with = "default_header")]
    header: Option<String>,

    /// With `--format octocatalog`: add the header `diff BASE/NODE current/NODE`
    #[arg(long)]
    default_header: bool,
}

/// Comparison of the contents of files in modules.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum CompareFileText {
    /// If both catalogs are compiled
    Compiled,
    /// If one of the catalogs is compiled
    Force,
}

/// Rules of a run.
#[derive(Debug)]
pub(super) struct RunRules {
    pub(super) rules: DiffRules,
    pub(super) defaults: OctoDefaults,
    pub(super) header: Header,
    pub(super) compares_file_text: bool,
    /// True to compare the contents of files of a compiled catalog with a catalog from a file.
    pub(super) forces_file_text: bool,
    /// Tags of files whose contents are not compared.
    pub(super) file_text_ignore_tags: Vec<String>,
    /// References of catalogs from files that are checked.
    pub(super) checked_references: Vec<CheckedReference>,
}

impl RunRules {
    /// Creates rules that ignore nothing, whatever the configuration says.
    pub(super) fn none() -> RunRules {
        RunRules {
            rules: DiffRules::default(),
            defaults: OctoDefaults::default(),
            header: Header::None,
            compares_file_text: true,
            forces_file_text: false,
            file_text_ignore_tags: Vec::new(),
            checked_references: Vec::new(),
        }
    }
}

/// Header in the format of octocatalog-diff.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Header {
    None,
    /// Names of the sides.
    Default(String, String),
    Text(String),
}

impl Header {
    /// Returns the header of a node.
    pub(super) fn of_node(&self, node: &str) -> Option<String> {
        match self {
            Header::None => None,
            Header::Default(from, to) => Some(format!("diff {from}/{node} {to}/{node}")),
            Header::Text(text) => Some(text.clone()),
        }
    }
}

impl RuleArguments {
    /// Reads the configuration in a folder and combines it with the options. `sides` are the names of the sides in
    /// the default header.
    pub(super) fn read(
        &self,
        folder: &Path,
        format: DiffFormat,
        sides: (&str, &str),
    ) -> anyhow::Result<RunRules> {
        let of_format = [
            (self.include_tags, "--include-tags"),
            (self.no_suppress_absent_file_details, "--no-suppress-absent-file-details"),
            (self.header.is_some(), "--header"),
            (self.default_header, "--default-header"),
            (self.compare_file_text == Some(CompareFileText::Force), "--compare-file-text=force"),
        ];
        for (is_given, name) in of_format {
            anyhow::ensure!(
                !is_given || format == DiffFormat::Octocatalog,
                "`{name}` requires `--format octocatalog`"
            );
        }
        let config = if self.no_octocatalog_config { OctoConfig::default() } else { read_config(folder) };
        let mut checked_references = [config.checked_references, self.validate_references.clone()].concat();
        checked_references.retain(|_| !self.no_validate_references);
        let mut rules = config.rules;
        rules.ignored.extend(self.ignore.iter().chain(&self.ignore_attr).cloned());
        rules.ignored_tags.extend(self.ignore_tags.iter().cloned());
        rules.filters.splice(0..0, self.filters.iter().copied());
        let defaults = OctoDefaults {
            includes_tags: self.include_tags || config.includes_tags == Some(true),
            suppresses_absent_files: !self.no_suppress_absent_file_details
                && config.suppresses_absent_files != Some(false),
        };
        let header = match (&self.header, self.default_header) {
            (Some(text), _) => Header::Text(text.clone()),
            (None, true) => Header::Default(sides.0.to_owned(), sides.1.to_owned()),
            (None, false) => Header::None,
        };
        Ok(RunRules {
            rules,
            defaults,
            header,
            compares_file_text: !self.no_compare_file_text,
            forces_file_text: self.compare_file_text == Some(CompareFileText::Force),
            file_text_ignore_tags: self.compare_file_text_ignore_tags.clone(),
            checked_references,
        })
    }
}

/// Reads the configuration in a folder, and prints which parts of it apply.
fn read_config(folder: &Path) -> OctoConfig {
    let path = folder.join(CONFIG_FILE);
    if !path.exists() {
        return OctoConfig::default();
    }
    let shown = display_path(&path);
    match read_regular_text(&path, MAX_CONFIG_SIZE) {
        Ok(text) => {
            let config = config::read(&text);
            let DiffRules { ignored, ignored_tags, filters } = &config.rules;
            let count = ignored.len() + ignored_tags.len() + filters.len();
            terminal::print_to_stderr(&format!(
                "ignores and filters read from `{shown}`: {count} (--no-octocatalog-config to leave them out)\n"
            ));
            for setting in &config.unread {
                terminal::print_to_stderr(&format!("not read from `{shown}`: {setting}\n"));
            }
            config
        }
        Err(failure) => {
            terminal::print_to_stderr(&format!("cannot read `{shown}`: {failure}\n"));
            OctoConfig::default()
        }
    }
}
