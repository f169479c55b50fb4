//! Options of the modules in a `Puppetfile`.

use codes::{Code, DowngradeReason};
use plugins::puppetfile::{PuppetfileModule, PuppetfileModuleOption, PuppetfileValue, PuppetfileValueKind};
use scalars::semver::Version;
use syntax::Severity;

use super::modules::{diagnostic, forge_version, with_suggestion};
use crate::metadata_rules::similar::is_similar;
use crate::{Diagnostic, FixData};

/// Kind of source from which r10k installs a module.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Git,
    Svn,
    Local,
    Forge,
    Tarball,
    /// Only librarian-puppet has it.
    Path,
}

/// Options accepted for all sources.
const GENERAL: [&str; 6] = ["type", "source", "version", "install_path", "exclude_spec", "overrides"];
const GIT: [&str; 7] = ["git", "branch", "tag", "commit", "ref", "default_branch", "default_branch_override"];
const SVN: [&str; 5] = ["svn", "rev", "revision", "username", "password"];
/// Options of librarian-puppet.
const LIBRARIAN: [&str; 2] = ["path", "github_tarball"];

/// Options of which r10k uses the last one.
const GIT_REVISIONS: [&str; 5] = ["version", "branch", "tag", "commit", "ref"];
const SVN_REVISIONS: [&str; 3] = ["version", "rev", "revision"];

/// Values of the option `type`.
const TYPES: [&str; 5] = ["forge", "git", "local", "svn", "tarball"];

/// Schemes of the tarballs that r10k can fetch.
const TARBALL_SCHEMES: [&str; 3] = ["file", "http", "https"];

/// Lengths of a complete commit identifier in SHA-1 and SHA-256.
const COMMIT_LENGTHS: [usize; 2] = [40, 64];

impl Source {
    fn of(module: &PuppetfileModule) -> Option<Source> {
        let kind = module.option("type").map(|it| it.value.text.as_str());
        let is_present = |name| module.option(name).is_some_and(|it| it.is_symbol);
        let is_true = |it: &PuppetfileModuleOption| !matches!(&*it.value.written, "false" | "nil");
        match kind {
            _ if is_present("git") || kind == Some("git") => Some(Source::Git),
            _ if is_present("svn") || kind == Some("svn") => Some(Source::Svn),
            _ if module.option("local").is_some_and(is_true) || kind == Some("local") => Some(Source::Local),
            Some("forge") => Some(Source::Forge),
            Some("tarball") => Some(Source::Tarball),
            _ if is_present("path") || is_present("github_tarball") => Some(Source::Path),
            _ => None,
        }
    }

    fn options(self) -> &'static [&'static str] {
        match self {
            Source::Git => &GIT,
            Source::Svn => &SVN,
            Source::Local => &["local"],
            Source::Forge => &[],
            Source::Tarball => &["checksum"],
            Source::Path => &LIBRARIAN,
        }
    }

    /// Returns the name as in messages.
    fn name(self) -> &'static str {
        match self {
            Source::Git => "Git",
            Source::Svn => "Subversion",
            Source::Local => "local",
            Source::Forge => "Forge",
            Source::Tarball => "tarball",
            Source::Path => "librarian-puppet",
        }
    }
}

/// Checks the options of a module.
pub(super) fn check(module: &PuppetfileModule, is_for_librarian: bool, found: &mut Vec<Diagnostic>) {
    if let Some(range) = module.excess_argument
        && !is_for_librarian
    {
        let message = "`mod` accepts a version or options, not both";
        found.push(diagnostic(Code::PuppetfileOption, range, message, true));
    }
    if module.options.is_empty() {
        return;
    }
    let has_unknown_type =
        module.option("type").is_some_and(|it| it.value.kind == PuppetfileValueKind::Computed);
    let is_certain = !module.has_unknown_options && !has_unknown_type && !is_for_librarian;
    let source = Source::of(module);
    unknown_options(module, source, found);
    if source.is_none() && is_certain && module.excess_argument.is_none() && !unknown_type(module, found) {
        let message = codes::with_help(
            format!("no source for module `{}`", module.name),
            "use the option `git`, `svn`, `local`, or `type`",
        );
        found.push(diagnostic(Code::PuppetfileOption, module.name_range, message, true));
    }
    if source == Some(Source::Path) && !is_for_librarian {
        let message = format!("module `{}` has a source that only librarian-puppet knows", module.name);
        found.push(diagnostic(Code::PuppetfileOption, module.name_range, message, false));
    }
    if source == Some(Source::Forge)
        && let Some(version) = module.option("version")
    {
        found.extend(forge_version(&version.value, is_for_librarian));
    }
    if let Some(source) = source {
        location(module, source, is_certain, found);
    }
    match source {
        Some(Source::Git) => {
            exclusive(module, &GIT_REVISIONS, found);
            revisions(module, found);
            if is_certain && module.is_unconditional && module.excess_argument.is_none() {
                found.extend(missing_revision(module));
            }
        }
        Some(Source::Svn) => {
            exclusive(module, &SVN_REVISIONS, found);
            found.extend(credentials(module).filter(|_| is_certain));
        }
        Some(Source::Forge) => found.extend(super::modules::full_name(module, is_for_librarian)),
        _ => {}
    }
    duplicates(module, found);
    for option in &module.options {
        install_path(option, found);
        flag(option, found);
        unencrypted(option, found);
    }
}

/// Reports a type that r10k does not know; returns true if there is one.
fn unknown_type(module: &PuppetfileModule, found: &mut Vec<Diagnostic>) -> bool {
    let Some(option) = module.option("type").filter(|it| it.is_symbol) else { return false };
    let name = option.value.text.as_str();
    if TYPES.contains(&name) {
        return false;
    }
    let similar = TYPES.iter().find(|known| is_similar(name, known));
    let problem = format!("unknown type of module `{}`", option.value.written);
    let message = match similar {
        Some(known) => codes::with_help(problem, format!("did you mean `'{known}'`?")),
        None => codes::with_help(problem, "use `forge`, `git`, `local`, `svn`, or `tarball`"),
    };
    let mut finding = diagnostic(Code::PuppetfileOption, option.value.range, message, true);
    finding.data = similar
        .map(|known| FixData::ReplaceWith { range: option.value.range, text: format!("'{known}'").into() });
    found.push(finding);
    true
}

/// Checks the location from which a module is installed.
fn location(module: &PuppetfileModule, source: Source, is_certain: bool, found: &mut Vec<Diagnostic>) {
    let options: &[&str] = match source {
        Source::Git => &["git", "source"],
        Source::Svn => &["svn", "source"],
        Source::Tarball => &["source"],
        Source::Local | Source::Forge | Source::Path => return,
    };
    exclusive(module, options, found);
    let given: Vec<_> =
        module.options.iter().filter(|it| it.is_symbol && options.contains(&&*it.name)).collect();
    if given.is_empty() && is_certain {
        let message = codes::with_help(
            format!("no location of the {} module `{}`", source.name(), module.name),
            "add the option `source`",
        );
        found.push(diagnostic(Code::PuppetfileOption, module.name_range, message, true));
    }
    for option in given {
        let value = &option.value;
        let scheme = value.text.split_once("://").map(|(scheme, _)| scheme);
        let problem = match value.kind {
            PuppetfileValueKind::Computed => continue,
            PuppetfileValueKind::String if value.text.trim().is_empty() => {
                format!("option `{}` is empty", option.name)
            }
            PuppetfileValueKind::String => match scheme {
                Some(scheme) if source == Source::Tarball && !TARBALL_SCHEMES.contains(&scheme) => {
                    format!("r10k cannot fetch a tarball by `{scheme}`")
                }
                _ => continue,
            },
            _ => format!("option `{}` must be a string", option.name),
        };
        found.push(diagnostic(Code::PuppetfileOption, value.range, problem, true));
    }
}

/// Reports all but the first of several options of which r10k uses the last one.
fn exclusive(module: &PuppetfileModule, options: &[&str], found: &mut Vec<Diagnostic>) {
    let mut given = module.options.iter().filter(|it| options.contains(&&*it.name));
    let Some(first) = given.next() else { return };
    for option in given.filter(|it| it.name != first.name) {
        let message = format!("options `{}` and `{}` exclude each other", first.name, option.name);
        let finding = diagnostic(Code::PuppetfileOption, option.name_range, message, false);
        found.push(finding.with_related(first.name_range, "other option"));
    }
}

/// Reports options that Ruby overwrites.
fn duplicates(module: &PuppetfileModule, found: &mut Vec<Diagnostic>) {
    for (index, option) in module.options.iter().enumerate() {
        let is_same =
            |it: &&PuppetfileModuleOption| it.name == option.name && it.is_symbol == option.is_symbol;
        let Some(first) = module.options[..index].iter().find(is_same) else { continue };
        let message = format!("duplicate option `{}`; the last value wins", option.name);
        let finding = diagnostic(Code::PuppetfileOption, option.name_range, message, false);
        found.push(finding.with_related(first.name_range, "first given here"));
    }
}

/// Reports a module without a revision, for which r10k 4 and later have no default.
fn missing_revision(module: &PuppetfileModule) -> Option<Diagnostic> {
    let has_revision = |name: &&str| module.option(name).is_some();
    if GIT_REVISIONS.iter().any(has_revision) || module.option("default_branch").is_some() {
        return None;
    }
    let message = codes::with_help(
        format!("no revision of module `{}`; r10k 4 has no default", module.name),
        "add the option `tag`, `commit`, or `branch`",
    );
    let finding = diagnostic(Code::PuppetfileOption, module.name_range, message, false);
    Some(finding.downgraded(DowngradeReason::Tolerated, Severity::Hint))
}

/// Checks an option that is true or false.
fn flag(option: &PuppetfileModuleOption, found: &mut Vec<Diagnostic>) {
    let is_flag = matches!(
        option.value.kind,
        PuppetfileValueKind::Boolean | PuppetfileValueKind::Nil | PuppetfileValueKind::Computed
    );
    if option.name == "exclude_spec" && option.is_symbol && !is_flag {
        let message = "option `exclude_spec` must be `true` or `false`";
        found.push(diagnostic(Code::PuppetfileOption, option.value.range, message, false));
    }
}

fn unknown_options(module: &PuppetfileModule, source: Option<Source>, found: &mut Vec<Diagnostic>) {
    let of_source = source.map_or(&[][..], Source::options);
    let all = || GENERAL.iter().chain(&GIT).chain(&SVN).chain(&["local", "checksum"]);
    for option in &module.options {
        let name = option.name.as_str();
        let is_known = GENERAL.contains(&name) || of_source.contains(&name) || LIBRARIAN.contains(&name);
        if !option.is_symbol {
            let message =
                codes::with_help(format!("option `{name}` is a string"), format!("use the symbol `:{name}`"));
            let is_fatal = source.is_none();
            let fix = FixData::ReplaceWith { range: option.name_range, text: format!(":{name}").into() };
            found.push(
                diagnostic(Code::PuppetfileOption, option.name_range, message, is_fatal).with_data(fix),
            );
        } else if is_known
            || source == Some(Source::Local)
            || (source.is_none() && all().any(|it| *it == name))
        {
            continue;
        } else {
            let is_of_other = all().any(|it| *it == name);
            let problem = match source {
                Some(source) if is_of_other => {
                    format!("option `{name}` does not apply to a {} module", source.name())
                }
                _ => format!("unknown option `{name}`"),
            };
            let similar = all().find(|known| !is_of_other && is_similar(name, known));
            let message = with_suggestion(problem, similar);
            let is_fatal = source == Some(Source::Tarball);
            let mut finding = diagnostic(Code::PuppetfileOption, option.name_range, message, is_fatal);
            finding.data =
                similar.map(|known| FixData::ReplaceWith { range: option.name_range, text: (*known).into() });
            found.push(finding);
        }
    }
}

/// Checks what selects the revision of a Git module.
fn revisions(module: &PuppetfileModule, found: &mut Vec<Diagnostic>) {
    let is_revision = |it: &&PuppetfileModuleOption| {
        it.is_symbol && (GIT_REVISIONS.contains(&&*it.name) || it.name == "default_branch")
    };
    for option in module.options.iter().filter(is_revision) {
        let value = &option.value;
        match value.kind {
            PuppetfileValueKind::Nil | PuppetfileValueKind::Computed => {}
            PuppetfileValueKind::String if value.text.trim().is_empty() => {
                let message = format!("option `{}` is empty", option.name);
                found.push(diagnostic(Code::PuppetfileOption, value.range, message, true));
            }
            PuppetfileValueKind::String if option.name == "commit" => found.extend(commit(value)),
            PuppetfileValueKind::String => {}
            PuppetfileValueKind::Symbol
                if value.text == "control_branch" && option.name != "default_branch" => {}
            PuppetfileValueKind::Symbol | PuppetfileValueKind::Number => found.push(not_a_string(option)),
            PuppetfileValueKind::Boolean | PuppetfileValueKind::Collection => {
                let message = format!("option `{}` must be a string", option.name);
                found.push(diagnostic(Code::PuppetfileOption, value.range, message, false));
            }
        }
    }
}

fn not_a_string(option: &PuppetfileModuleOption) -> Diagnostic {
    let text = &option.value.text;
    let message =
        codes::with_help(format!("option `{}` must be a string", option.name), format!("use `'{text}'`"));
    let fix = FixData::ReplaceWith { range: option.value.range, text: format!("'{text}'").into() };
    diagnostic(Code::PuppetfileOption, option.value.range, message, false).with_data(fix)
}

/// Reports a revision that is not the identifier of a commit. r10k takes it as fixed and does not update the
/// module when a branch of this name moves.
fn commit(value: &PuppetfileValue) -> Option<Diagnostic> {
    let text = value.text.as_str();
    let is_hexadecimal = text.bytes().all(|it| it.is_ascii_hexdigit());
    let message = if Version::parse(text).is_ok() {
        format!("`{text}` is a version, not a commit")
    } else if !is_hexadecimal {
        format!("`{text}` is not a commit")
    } else if text.len() > COMMIT_LENGTHS[0] && text.len() != COMMIT_LENGTHS[1] {
        format!("`{text}` has {} digits; a commit has {}", text.len(), COMMIT_LENGTHS[0])
    } else {
        return None;
    };
    Some(diagnostic(Code::PuppetfileOption, value.range, message, false))
}

/// Parts of absolute paths in an environment.
const ENVIRONMENT_PATHS: [&str; 3] = ["environments", "puppet", "control"];

/// Reports one of user name and password without the other, which r10k refuses.
fn credentials(module: &PuppetfileModule) -> Option<Diagnostic> {
    let (given, missing) = match (module.option("username"), module.option("password")) {
        (Some(given), None) => (given, "password"),
        (None, Some(given)) => (given, "username"),
        _ => return None,
    };
    let message = codes::with_help(
        format!("option `{}` requires `{missing}`", given.name),
        format!("add the option `{missing}`"),
    );
    Some(diagnostic(Code::PuppetfileOption, given.name_range, message, true))
}

/// Reports an installation path outside of the environment, which r10k refuses.
fn install_path(option: &PuppetfileModuleOption, found: &mut Vec<Diagnostic>) {
    if option.name != "install_path" {
        return;
    }
    match option.value.kind {
        PuppetfileValueKind::String => {}
        PuppetfileValueKind::Nil | PuppetfileValueKind::Computed => return,
        _ => {
            let message = "option `install_path` must be a string";
            found.push(diagnostic(Code::PuppetfileOption, option.value.range, message, true));
            return;
        }
    }
    let path = option.value.text.as_str();
    let mut depth = 0i32;
    let leaves = path.split('/').any(|segment| {
        match segment {
            ".." => depth -= 1,
            "" | "." => {}
            _ => depth += 1,
        }
        depth < 0
    });
    if leaves {
        let message = format!("`{path}` is outside of the environment");
        found.push(diagnostic(Code::PuppetfileOption, option.value.range, message, true));
    } else if path.starts_with('/') && !ENVIRONMENT_PATHS.iter().any(|it| path.contains(it)) {
        // The file may only be used for one environment, which may be anywhere.
        let message = codes::with_help(
            format!("`{path}` is outside of the environment, unless it is deployed there"),
            "use a path relative to the environment",
        );
        found.push(diagnostic(Code::PuppetfileOption, option.value.range, message, false));
    }
}

fn unencrypted(option: &PuppetfileModuleOption, found: &mut Vec<Diagnostic>) {
    if matches!(&*option.name, "git" | "svn" | "source") {
        found.extend(unencrypted_location(&option.value));
    }
}

/// Reports a location without encryption.
pub(super) fn unencrypted_location(value: &PuppetfileValue) -> Option<Diagnostic> {
    let protocol = ["http", "git"]
        .into_iter()
        .find(|it| value.text.strip_prefix(it).is_some_and(|rest| rest.starts_with("://")));
    let protocol = protocol.filter(|_| value.kind == PuppetfileValueKind::String)?;
    let message = codes::with_help(
        format!("`{protocol}://` is not encrypted, so the module can be replaced on its way"),
        "use `https://` or SSH",
    );
    let start = value.range.start + 1;
    let range = syntax::TextRange::new(start, start + protocol.len() as u32);
    let fix = FixData::ReplaceWith { range, text: "https".into() };
    Some(Diagnostic::new(Code::PuppetfileSource, value.range, message).with_data(fix))
}
