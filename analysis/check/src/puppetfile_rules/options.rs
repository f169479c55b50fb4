//! Options of the modules in a `Puppetfile`.

use codes::Code;
use plugins::puppetfile::{PuppetfileModule, PuppetfileModuleOption, PuppetfileValueKind};
use scalars::semver::Version;

use super::{diagnostic, forge_version, with_suggestion};
use crate::metadata_rules::is_similar;
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
    if source.is_none() && is_certain && module.excess_argument.is_none() {
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
    if source == Some(Source::Git) {
        revisions(module, found);
    }
    for option in &module.options {
        install_path(option, found);
        unencrypted(option, found);
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
    let mut first: Option<&PuppetfileModuleOption> = None;
    for option in module.options.iter().filter(|it| GIT_REVISIONS.contains(&&*it.name)) {
        if let Some(first) = first {
            let message = format!("options `{}` and `{}` exclude each other", first.name, option.name);
            let finding = diagnostic(Code::PuppetfileOption, option.name_range, message, false);
            found.push(finding.with_related(first.name_range, "other option"));
        }
        first = first.or(Some(option));
        if option.value.kind == PuppetfileValueKind::Symbol && option.value.text != "control_branch" {
            let text = &option.value.text;
            let message = codes::with_help(
                format!("option `{}` must be a string", option.name),
                format!("use `'{text}'`"),
            );
            let fix = FixData::ReplaceWith { range: option.value.range, text: format!("'{text}'").into() };
            let finding = diagnostic(Code::PuppetfileOption, option.value.range, message, false);
            found.push(finding.with_data(fix));
        }
        if option.name == "commit"
            && option.value.kind == PuppetfileValueKind::String
            && Version::parse(&option.value.text).is_ok()
        {
            let message = format!("`{}` is a version, not a commit", option.value.text);
            found.push(diagnostic(Code::PuppetfileOption, option.value.range, message, false));
        }
    }
}

/// Reports an installation path outside of the environment, which r10k refuses.
fn install_path(option: &PuppetfileModuleOption, found: &mut Vec<Diagnostic>) {
    if option.name != "install_path" || option.value.kind != PuppetfileValueKind::String {
        return;
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
    // An absolute path may be the one of the environment.
    if leaves {
        let message = format!("`{path}` is outside of the environment");
        found.push(diagnostic(Code::PuppetfileOption, option.value.range, message, true));
    }
}

fn unencrypted(option: &PuppetfileModuleOption, found: &mut Vec<Diagnostic>) {
    let is_source = matches!(&*option.name, "git" | "svn" | "source");
    let protocol = ["http", "git"]
        .into_iter()
        .find(|it| option.value.text.strip_prefix(it).is_some_and(|rest| rest.starts_with("://")));
    let Some(protocol) = protocol.filter(|_| is_source && option.value.kind == PuppetfileValueKind::String)
    else {
        return;
    };
    let message = codes::with_help(
        format!("`{protocol}://` is not encrypted, so the module can be replaced on its way"),
        "use `https://` or SSH",
    );
    let start = option.value.range.start + 1;
    let range = syntax::TextRange::new(start, start + protocol.len() as u32);
    let fix = FixData::ReplaceWith { range, text: "https".into() };
    found.push(Diagnostic::new(Code::PuppetfileSource, option.value.range, message).with_data(fix));
}
