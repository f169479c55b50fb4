//! Findings in a `Puppetfile`: what r10k rejects or warns about, and what contradicts the deployed modules.
//!
//! The file is a Ruby program, so only what every evaluation meets is an error.

mod deployment;
mod modules;
mod options;
mod upgrade;

use codes::{Code, DowngradeReason};
use plugins::puppetfile::{
    Puppetfile, PuppetfileCall, PuppetfileCallProblem, PuppetfileModule, PuppetfileWord,
};
use project::{Db, File, FileRole};
use syntax::Severity;

use self::modules::{forge_version, name, with_suggestion};
use crate::metadata_rules::similar::is_similar;
use crate::{Diagnostic, FixData};

/// Methods of r10k and librarian-puppet.
const KEYWORDS: [&str; 7] = ["mod", "forge", "forgeapi", "moduledir", "exclusion", "metadata", "modulefile"];

/// Methods that every Ruby object has.
const RUBY_METHODS: &str = "Array Complex Float Hash Integer Rational String __callee__ __dir__ __method__ __send__ at_exit \
    autoload autoload? binding block_given? caller caller_locations catch class define_singleton_method \
    display dup enum_for eval exec extend fail fork format freeze frozen? gets global_variables hash \
    inspect instance_eval instance_exec instance_of? instance_variable_defined? instance_variable_get \
    instance_variable_set instance_variables is_a? iterator? itself kind_of? lambda load local_variables \
    loop method methods nil? object_id open p pp print printf private proc public public_send putc puts \
    raise rand readline readlines require require_relative respond_to? select send singleton_class sleep \
    spawn sprintf srand syscall system tap test then throw to_enum to_s trap warn yield_self";

/// Methods that end the evaluation.
const ENDS_EVALUATION: [&str; 5] = ["raise", "fail", "abort", "exit", "exit!"];

/// Returns the findings in a `Puppetfile`.
pub(crate) fn puppetfile_diagnostics(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let puppetfile = project::puppetfile_of(db, file);
    let mut found = Vec::new();
    if let Some((message, range)) = &puppetfile.syntax_error {
        found.push(Diagnostic::new(Code::PuppetfileSyntax, *range, message));
    }
    // What follows a syntax error cannot be read reliably.
    let end = puppetfile.broken_from.unwrap_or(u32::MAX);
    let is_for_librarian = puppetfile.is_for_librarian || has_lock(db, file);
    if !is_for_librarian {
        found.extend(puppetfile.invalid_calls.iter().map(invalid_call));
    }
    // r10k uses the location of its own configuration unless that allows another one.
    let forges = puppetfile.forges.iter().filter_map(options::unencrypted_location);
    found.extend(forges.map(|it| it.downgraded(DowngradeReason::Tolerated, Severity::Hint)));
    let words = puppetfile.words.iter().filter(|it| it.range.end <= end);
    found.extend(words.filter_map(|it| word(puppetfile, it)));
    for module in puppetfile.modules.iter().filter(|it| it.range.end <= end) {
        found.extend(name(module, is_for_librarian));
        if let Some(version) = &module.version {
            found.extend(forge_version(version, is_for_librarian));
        }
        options::check(module, is_for_librarian, &mut found);
    }
    duplicates(puppetfile, &mut found);
    deployment::check(db, file, puppetfile, &mut found);
    upgrade::check(db, file, puppetfile, &mut found);
    found.sort_by_key(|it| (it.range.start, it.range.end, it.code));
    found
}

fn word(puppetfile: &Puppetfile, word: &PuppetfileWord) -> Option<Diagnostic> {
    let text = word.text.as_str();
    if word.is_unconditional && ENDS_EVALUATION.contains(&text) {
        let message = format!("`{text}` ends the evaluation of the Puppetfile");
        return Some(Diagnostic::new(Code::PuppetfileSyntax, word.range, message));
    }
    let is_known = KEYWORDS.contains(&text)
        || RUBY_METHODS.split(' ').any(|it| it == text)
        || ENDS_EVALUATION.contains(&text);
    if is_known {
        return None;
    }
    let similar = KEYWORDS.iter().find(|known| is_similar(text, known));
    if puppetfile.runs_other_code && similar.is_none() {
        return None;
    }
    let message = with_suggestion(format!("unknown Puppetfile keyword `{text}`"), similar);
    let mut diagnostic = Diagnostic::new(Code::PuppetfileUnknownWord, word.range, message);
    if puppetfile.runs_other_code {
        diagnostic = diagnostic.downgraded(DowngradeReason::Uncertain, Severity::Hint);
    }
    diagnostic.data = similar.map(|known| FixData::ReplaceWith { range: word.range, text: (*known).into() });
    Some(diagnostic)
}

/// Returns true if librarian-puppet has written the resolved versions beside the file.
fn has_lock(db: &dyn Db, file: File) -> bool {
    let FileRole::Module { module, relative } = file.role(db) else { return false };
    relative == "Puppetfile" && module.files(db).contains_key("Puppetfile.lock")
}

fn invalid_call(call: &PuppetfileCall) -> Diagnostic {
    let keyword = &call.keyword;
    let message = match call.problem {
        PuppetfileCallProblem::MissingArgument => format!("missing argument of `{keyword}`"),
        PuppetfileCallProblem::ExcessArgument => format!("`{keyword}` accepts only one argument"),
        PuppetfileCallProblem::NotAString => format!("the first argument of `{keyword}` must be a string"),
    };
    Diagnostic::new(Code::PuppetfileSyntax, call.range, message)
}

fn duplicates(puppetfile: &Puppetfile, found: &mut Vec<Diagnostic>) {
    let always: Vec<&PuppetfileModule> = puppetfile.modules.iter().filter(|it| it.is_unconditional).collect();
    for (index, module) in always.iter().enumerate() {
        let name = project::installed_name(module);
        let Some(first) = always[..index].iter().find(|it| project::installed_name(it) == name) else {
            continue;
        };
        let message = format!("duplicate module `{name}`");
        let diagnostic = Diagnostic::new(Code::PuppetfileDuplicate, module.name_range, message);
        found.push(diagnostic.with_related(first.name_range, "first declared here"));
    }
}
