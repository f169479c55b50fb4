//! puppet-lint's own configuration, as the lowest layer: `.puppet-lint.rc` in the three locations that
//! puppet-lint reads, the `Rakefile` and the `Gemfile`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ide::{FilePath, LintLevel, PuppetLintConfiguration, rules_named};

use super::{Config, MAX_FILE_SIZE, read_root_file, repository_root};
use crate::path_policy::read_regular_text;

/// Files of a repository that configure puppet-lint.
pub const PUPPET_LINT_FILES: [&str; 4] = [".puppet-lint.rc", "Rakefile", "Gemfile", "Gemfile.lock"];

/// Returns the folder whose puppet-lint configuration applies to `folder`: the nearest one upwards within its
/// Git work tree, environment, or module that has a configuration.
pub fn puppet_lint_folder(folder: &Path) -> PathBuf {
    let limit = repository_root(folder).or_else(|| crate::project_around(&folder.join("any")));
    let limit = limit.unwrap_or_else(|| folder.to_owned());
    let mut folders = folder.ancestors().take_while(|it| it.starts_with(&limit));
    let is_configured = |it: &&Path| PUPPET_LINT_FILES.iter().any(|name| it.join(name).is_file());
    folders.find(is_configured).unwrap_or(folder).to_owned()
}

/// Reads the puppet-lint configuration of a folder and of the user.
pub fn read_puppet_lint(root: &Path) -> PuppetLintConfiguration {
    let mut configuration = PuppetLintConfiguration::default();
    let [rc, rakefile, gemfile, lock] = PUPPET_LINT_FILES;
    let home = std::env::home_dir().filter(|it| it.is_absolute());
    let of_user = [Some("/etc/puppet-lint.rc".into()), home.map(|it| it.join(rc))];
    for file in of_user.into_iter().flatten() {
        if let Ok(text) = read_regular_text(&file, MAX_FILE_SIZE) {
            configuration.read_rc(&text);
        }
    }
    configuration.refused.clear();
    let of_root = |name: &str| read_root_file(&root.join(name)).ok();
    if let Some(text) = of_root(rakefile) {
        configuration.read_rakefile(&text);
    }
    if let Some(text) = of_root(rc) {
        configuration.read_rc(&text);
    }
    for file in std::mem::take(&mut configuration.loaded) {
        let path = root.join(&file);
        if let Some(text) = path.starts_with(root).then(|| read_root_file(&path).ok()).flatten() {
            configuration.read_ruby(&text);
        }
    }
    if let Some(text) = of_root(gemfile) {
        configuration.read_gemfile(&text);
    }
    if let Some(text) = of_root(lock) {
        configuration.read_gemfile_lock(&text);
    }
    configuration
}

/// Applies a puppet-lint configuration on top of `config`, if puppet-lint is used.
pub(super) fn apply(configuration: &PuppetLintConfiguration, config: &mut Config, root: &FilePath) {
    if !configuration.is_used {
        return;
    }
    let levels = Arc::make_mut(&mut config.settings.lint_levels);
    for check in configuration.checks().filter(|it| it.is_own_rule() && it.code.is_off()) {
        levels.insert(check.code.as_str().to_owned(), LintLevel::Warning);
    }
    let options = Arc::make_mut(&mut config.settings.rule_options);
    if let Some(spaces) = configuration.chars_per_indent {
        options.chars_per_indent = spaces;
    }
    config.format.last_indent = configuration.chars_per_indent.or(config.format.last_indent);
    options.indents_each_bracket = configuration.indents_each_bracket();
    if let Some(names) = &configuration.top_scope_variables {
        options.top_scope_variables.clone_from(names);
    }
    for pattern in configuration.ignored_paths.iter().flatten() {
        let style = rules_named("pedantic").into_iter().filter(|it| it.is_style()).collect();
        options.quiet.push((pattern_below(root, pattern), style));
    }
    for option in &configuration.refused {
        let message = format!("ignoring `{option}` in the .puppet-lint.rc of `{}`", root.to_native());
        config.ignored.push(message);
    }
}

/// Turns a pattern for paths below a folder into one for absolute paths.
pub(super) fn pattern_below(root: &FilePath, pattern: &str) -> String {
    if pattern.starts_with('/') {
        pattern.to_owned()
    } else {
        format!("{}/{}", root.as_str().trim_end_matches('/'), pattern.trim_start_matches("./"))
    }
}
