#![doc = include_str!("page.md")]

use codes::{Code, DowngradeReason};
use std::collections::BTreeSet;

use hir::{Access, AttributeOwner, DefinitionKind, NameUse, NameUseKind, VariableBinding};
use plugins::built_in::{self, Fact};
use project::{Db, Environment, FileRole};
use rustc_hash::FxHashSet;
use syntax::{Severity, SyntaxKind, TextRange};

use super::legacy_fact::is_legacy_fact;
use super::unknown::{self, UnknownName};
use super::{legacy_fact, unknown_variable};
use crate::context::RuleContext;
use crate::{Diagnostic, FixData, UnknownNameKind};
use eval::similar::similar;

pub(super) fn check(context: &mut RuleContext<'_>) {
    for at in 0..context.uses.len() {
        let it = &context.uses[at];
        if it.access != Access::Read {
            continue;
        }
        let (name, range) = (it.name.clone(), it.range);
        match &it.kind {
            NameUseKind::Fact => {
                if !name.contains('.') && is_legacy(context, &name) {
                    legacy_fact::report(context, &name, range);
                } else {
                    check_path(context, at, &name, range);
                }
            }
            NameUseKind::Variable(VariableBinding::Free)
                if is_legacy(context, &name) && !is_passed_to_template(context, &name) =>
            {
                legacy_fact::report(context, &name, range);
            }
            NameUseKind::Variable(VariableBinding::Qualified { scope })
                if scope.is_empty() && is_legacy(context, &name) =>
            {
                legacy_fact::report(context, &name, range);
            }
            NameUseKind::ErbVariable if is_legacy(context, &name) && !is_set(context, at) => {
                context.report(legacy_fact::in_test(context.version(), &name, range, '@'));
            }
            kind @ (NameUseKind::Variable(_) | NameUseKind::ErbVariable) if name == "facts" => {
                let is_erb = *kind == NameUseKind::ErbVariable;
                if let Some((name, range)) = key_in_string(context, range)
                    && is_legacy(context, &name)
                {
                    let sigil = if is_erb { '@' } else { '$' };
                    context.report(legacy_fact::in_test(context.version(), &name, range, sigil));
                }
            }
            _ => {}
        }
    }
    crate::upgrade::computed_facts(context);
}

/// Returns true if the definition of a use, or a class that it inherits from, may set a variable of its name.
fn is_set(context: &RuleContext<'_>, at: usize) -> bool {
    let it = &context.uses[at];
    let Some(definition) = context.definitions.get(it.definition as usize) else { return true };
    let is_inherited = || {
        let (mut names, mut seen) = (BTreeSet::new(), FxHashSet::default());
        let id = definition.id;
        let is_complete =
            unknown_variable::variables_of_class(context.db, context.file, id, &mut names, &mut seen);
        !is_complete || names.contains(&it.name)
    };
    definition.body.slots.iter().any(|slot| slot.name == it.name)
        || definition.key.kind == DefinitionKind::Class && is_inherited()
}

/// Returns the key that the code of an inline template reads from the hash of facts at `range`, with its range:
/// `inline_epp('<%= $facts["fqdn"] %>')`.
fn key_in_string(context: &RuleContext<'_>, range: TextRange) -> Option<(String, TextRange)> {
    let element = context.tree().covering_element(range)?;
    let token = element.as_token()?;
    if !matches!(token.kind(), SyntaxKind::SQ_STRING | SyntaxKind::DQ_STRING | SyntaxKind::STRING_TEXT) {
        return None;
    }
    let start = token.text_range().start;
    let rest = token.text().get((range.end - start) as usize..)?;
    let key = ["['", "[\"", "[\\'", "[\\\""].iter().find_map(|it| rest.strip_prefix(it))?;
    let length = key.bytes().take_while(|it| it.is_ascii_alphanumeric() || *it == b'_').count();
    let at = range.end + (rest.len() - key.len()) as u32;
    Some((key[..length].to_owned(), TextRange::new(at, at + length as u32)))
}

/// Returns true if the file is an EPP template, and a call in its module passes it a variable of that name.
fn is_passed_to_template(context: &RuleContext<'_>, name: &str) -> bool {
    let FileRole::Module { module, relative } = context.file.role(context.db) else { return false };
    let Some(path) = relative.strip_prefix("templates/").filter(|it| it.ends_with(".epp")) else {
        return false;
    };
    let db = context.db;
    let is_template = |of: &str| {
        let called = of.split_once('/').filter(|(of_module, _)| *of_module == module.name(db).as_str());
        called.is_some_and(|(_, called)| called == path || path.strip_suffix(".epp") == Some(called))
    };
    let is_passed = |it: &NameUse| match &it.kind {
        NameUseKind::Attribute(AttributeOwner::Template(of)) => it.name == name && is_template(of),
        _ => false,
    };
    let mut manifests = module.files(db).iter().filter(|(path, _)| path.starts_with("manifests/"));
    manifests.any(|(_, file)| project::name_uses(db, *file).iter().any(is_passed))
}

/// Returns true if the name is a legacy fact and no module defines a fact of this name.
fn is_legacy(context: &RuleContext<'_>, name: &str) -> bool {
    is_legacy_fact(context.db, context.environment, name)
}

/// Checks a path such as `os.family`, read by `$facts['os']['family']`. Its prefixes are separate uses.
fn check_path(context: &mut RuleContext<'_>, at: usize, path: &str, range: TextRange) {
    let mut parts = path.split('.');
    let Some(first) = parts.next() else { return };
    if unknown_variable::is_custom_fact(context.db, context.environment, first)
        || compile::may_be_computed_fact(context.db, context.environment, first)
    {
        return;
    }
    let Some(fact) = built_in::fact(first) else {
        if parts.next().is_none() {
            if let Some(meant) = of_the_same_parts(context, at) {
                report(context, first, vec![meant], range, "unknown fact");
                return;
            }
            let names =
                built_in::facts().iter().map(|it| it.name.as_str()).filter(|it| !it.contains(['*', '#']));
            let custom = project::custom_facts(context.db, context.environment).iter();
            let similar = similar(first, names.chain(custom.map(|(_, it)| it.name.as_str())));
            // External facts may have any name, and modules that are not installed may define facts.
            if similar.is_empty() || unknown::lacks_modules(context) {
                return;
            }
            report(context, first, similar, range, "unknown fact");
        }
        return;
    };
    if let Some(unknown) = unknown_key_of(fact, parts) {
        let problem = unknown.problem();
        report(context, &unknown.name, unknown.similar, range, &problem);
    }
}

/// Key that a built-in fact does not have.
pub(crate) struct UnknownKey {
    fact: hir::Name,
    pub(crate) name: hir::Name,
    similar: Vec<hir::Name>,
}

impl UnknownKey {
    fn problem(&self) -> String {
        format!("fact `{}` has no key", self.fact)
    }

    /// Creates the finding for a file without code; `range` is the range of the key.
    pub(crate) fn diagnostic(self, range: TextRange) -> Diagnostic {
        let message = format!("{} `{}`", self.problem(), self.name);
        let message = unknown::with_suggestion(message, self.similar.first());
        let (kind, severity) = (UnknownNameKind::Fact, severity(&self.similar));
        Diagnostic::new(Code::UnknownFact, range, message)
            .downgraded(DowngradeReason::Uncertain, severity)
            .with_data(FixData::UnknownName { kind, name: self.name, similar: self.similar })
    }
}

/// Returns the last key of a path such as `os.family` if the built-in fact before it does not have the key.
pub(crate) fn unknown_key(db: &dyn Db, environment: Environment, path: &str) -> Option<UnknownKey> {
    let mut parts = path.split('.');
    let first = parts.next()?;
    let fact = built_in::fact(first).filter(|_| !unknown_variable::is_custom_fact(db, environment, first))?;
    unknown_key_of(fact, parts)
}

fn unknown_key_of<'p>(fact: &'static Fact, parts: impl Iterator<Item = &'p str>) -> Option<UnknownKey> {
    let mut fact = fact;
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        // The keys of the fact are arbitrary or unknown.
        if fact.parts.is_empty() || fact.parts.iter().any(|it| it.name == "*") {
            return None;
        }
        let Some(inner) = find(&fact.parts, part) else {
            let similar = similar(part, fact.parts.iter().map(|it| it.name.as_str()));
            let unknown = UnknownKey { fact: fact.name.clone(), name: part.into(), similar };
            return parts.peek().is_none().then_some(unknown);
        };
        fact = inner;
    }
    None
}

/// Returns the built-in fact that differs from the unknown name in one letter and has all keys that are read:
/// `os` for `oa.release.major`.
///
/// The uses of the longer paths follow the use of the fact.
fn of_the_same_parts(context: &RuleContext<'_>, at: usize) -> Option<hir::Name> {
    let name = &context.uses[at].name;
    let part = |it: &NameUse| it.name.strip_prefix(name.as_str())?.strip_prefix('.').map(str::to_owned);
    let parts = context.uses[at + 1..]
        .iter()
        .map_while(|it| part(it).filter(|_| it.kind == NameUseKind::Fact))
        .last()?;
    let is_near = |fact: &Fact| {
        fact.name.len() == name.len()
            && fact.name.bytes().zip(name.bytes()).filter(|(a, b)| a != b).count() == 1
    };
    let has_parts =
        |fact: &'static Fact| parts.split('.').try_fold(fact, |fact, part| find(&fact.parts, part)).is_some();
    built_in::facts().iter().find(|it| is_near(it) && has_parts(it)).map(|it| it.name.clone())
}

fn find<'a>(parts: &'a [Fact], name: &str) -> Option<&'a Fact> {
    parts.iter().find(|it| it.name == name)
}

fn report(
    context: &mut RuleContext<'_>,
    name: &str,
    similar: Vec<hir::Name>,
    range: TextRange,
    problem: &str,
) {
    let severity = severity(&similar);
    let message = format!("{problem} `{name}`");
    let code = Code::UnknownFact;
    unknown::report(
        context,
        UnknownName {
            code,
            range,
            severity,
            message,
            kind: UnknownNameKind::Fact,
            name: name.into(),
            similar,
        },
    );
}

fn severity(similar: &[hir::Name]) -> Severity {
    if similar.is_empty() { Severity::Hint } else { Severity::Warning }
}
