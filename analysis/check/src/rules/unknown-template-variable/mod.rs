#![doc = include_str!("page.md")]

use codes::{Code, DowngradeReason};
use std::collections::BTreeSet;

use compile::{may_be_computed_fact, may_be_set_in_ruby, variables_of_manifest};
use eval::similar::similar;
use hir::{DefinitionKind, Name, NameUseKind};
use plugins::built_in;
use plugins::erb::{ErbTemplate, ScopeRead, VariableUseKind};
use project::{Db, DefinitionId, Environment, File, FileRole};
use rustc_hash::FxHashSet;
use syntax::Severity;

use super::legacy_fact;
use super::unknown::with_suggestion;

use super::legacy_fact::is_legacy_fact;
use super::unknown_variable::{EVERYWHERE, is_unset_for_upgrade, not_set_for_upgrade, variables_of_class};
use crate::Diagnostic;
use project::mentions::{is_read_by_several_modules, is_read_of_top_scope};
use project::template_mentions::{is_named_by_other_module, mentions_in_module};

/// Reports legacy facts that a template reads.
///
/// `@name` may be a variable of the code that renders the template, so it is only reported if that code sets no such
/// variable. If it is unknown, none of the module may, and common words are not reported.
pub(crate) fn check_legacy_facts(
    db: &dyn Db,
    file: File,
    template: &ErbTemplate,
    found: &mut Vec<Diagnostic>,
) {
    let Some(environment) = file.environments(db).first().copied() else { return };
    let is_set_by_main_manifest = |name: &str| {
        let manifests = environment.main_manifests(db);
        manifests.iter().any(|it| variables_of_manifest(db, *it).iter().any(|it| it == name))
    };
    let is_legacy = |name: &str| is_legacy_fact(db, environment, name) && !is_set_by_main_manifest(name);
    let version = environment.puppet_version(db);
    for it in template.fact_reads.iter().filter(|it| is_legacy_fact(db, environment, &it.name)) {
        found.push(legacy_fact::in_template(version, &it.name, it.range));
    }
    for it in &template.scope_reads {
        let Some(name) = it.name.strip_prefix("::").filter(|it| is_legacy(it)) else { continue };
        found.push(legacy_fact::in_template(version, name, it.range));
    }
    let reads = template.uses.iter().filter(|it| it.kind != VariableUseKind::Write);
    let reads = reads.map(|it| (&it.name, it.range, false));
    let by_name = template.scope_reads.iter().map(|it| (&it.name, it.range, false));
    let tests = template.scope_tests.iter().map(|it| (&it.name, it.range, true));
    let mut reads = reads.chain(by_name).chain(tests).filter(|(name, ..)| is_legacy(name)).peekable();
    if reads.peek().is_none() {
        return;
    }
    let renderers = certain_renderers(db, environment, file);
    let is_certain = renderers.is_some();
    let renderers = renderers.or_else(|| definitions_of_module(db, environment, file));
    let Some(known) = renderers.and_then(|it| variables_of(db, &it)) else { return };
    let is_written =
        |name: &Name| template.uses.iter().any(|it| it.kind == VariableUseKind::Write && it.name == *name);
    let is_free = |name: &Name| {
        !known.contains(name) && !is_written(name) && (is_certain || !legacy_fact::is_common_word(name))
    };
    for (name, range, is_test) in reads.filter(|(name, ..)| is_free(name)) {
        found.push(if is_test {
            legacy_fact::in_test(version, name, range, '@')
        } else {
            legacy_fact::in_template(version, name, range)
        });
    }
}

/// Reports reads of top-scope variables by name (`scope['::x']`) that nothing in the project sets, to prepare an
/// upgrade to a version in which they are errors.
pub(crate) fn check_for_upgrade(
    db: &dyn Db,
    file: File,
    template: &ErbTemplate,
    found: &mut Vec<Diagnostic>,
) {
    let Some(environment) = file.environments(db).first().copied() else { return };
    for it in &template.scope_reads {
        let Some(name) = it.name.strip_prefix("::").filter(|it| !it.contains("::")) else { continue };
        let is_test = |test: &ScopeRead| test.name.strip_prefix("::").unwrap_or(&test.name) == name;
        if template.scope_tests.iter().any(is_test) || !is_unset_for_upgrade(db, file, environment, name) {
            continue;
        }
        let message = not_set_for_upgrade("$::", "@", name);
        let diagnostic = Diagnostic::new(Code::UnknownTemplateVariable, it.range, message);
        found.push(diagnostic.downgraded(DowngradeReason::Uncertain, Severity::Hint));
    }
}

/// Reports variables of a template that none of its callers set. Does nothing if the callers are not known
/// for certain.
pub(crate) fn check(db: &dyn Db, file: File, template: &ErbTemplate, found: &mut Vec<Diagnostic>) {
    let is_asked = template.uses.iter().any(|it| it.kind == VariableUseKind::Read);
    let Some(environment) = file.environments(db).first().copied().filter(|_| is_asked) else { return };
    let Some(renderers) = certain_renderers(db, environment, file) else { return };
    let Some(mut known) = variables_of(db, &renderers) else { return };
    known
        .extend(environment.main_manifests(db).iter().flat_map(|it| variables_of_manifest(db, *it).to_vec()));
    let own = template.uses.iter().filter(|it| it.kind == VariableUseKind::Write);
    known.extend(own.map(|it| it.name.clone()));
    for it in template.uses.iter().filter(|it| it.kind == VariableUseKind::Read) {
        let name = it.name.as_str();
        let is_there = known.contains(&it.name)
            // An instance variable of the template object.
            || name.starts_with("__")
            || built_in::metaparameter(name).is_some()
            || may_be_set_in_ruby(db, environment, name)
            || may_be_computed_fact(db, environment, name)
            || is_read_of_top_scope(db, environment, name)
            || EVERYWHERE.contains(&name)
            || built_in::variable(name).is_some()
            || built_in::fact(name).is_some()
            || !project::custom_facts_named(db, environment, name).is_empty();
        if is_there {
            continue;
        }
        let similar = similar(name, known.iter().map(|it| it.as_str()));
        if similar.is_empty() && is_read_by_several_modules(db, environment, name) {
            continue;
        }
        let scope = match renderers.as_slice() {
            [only] => format!("{}, which renders this template", describe(db, *only)),
            _ => "all definitions that render this template".to_owned(),
        };
        let message = with_suggestion(format!("unknown variable `${name}` in {scope}"), similar.first());
        // A node classifier or an external fact may define a variable of any name.
        let severity = if similar.is_empty() { Severity::Hint } else { Severity::Warning };
        let diagnostic = Diagnostic::new(Code::UnknownTemplateVariable, it.range, message);
        found.push(diagnostic.downgraded(DowngradeReason::Uncertain, severity));
    }
}

fn describe(db: &dyn Db, definition: DefinitionId) -> String {
    let key = definition.key(db);
    let kind = if key.kind == DefinitionKind::Class { "class" } else { "defined type" };
    format!("{kind} `{}`", key.name)
}

/// Returns the variables of definitions; `None` if they are not completely known.
fn variables_of(db: &dyn Db, definitions: &[DefinitionId]) -> Option<BTreeSet<Name>> {
    let mut names = BTreeSet::new();
    for definition in definitions {
        let file = definition.file(db);
        let is_complete = match definition.key(db).kind {
            DefinitionKind::Class => {
                variables_of_class(db, file, *definition, &mut names, &mut FxHashSet::default())
            }
            DefinitionKind::DefinedType => {
                !crate::syntax_diagnostics(db, file).iter().any(|it| it.code.is_fixed())
            }
            _ => false,
        };
        if !is_complete {
            return None;
        }
        names.extend(project::body(db, *definition).slots.iter().map(|it| it.name.clone()));
    }
    Some(names)
}

/// Returns the classes and defined types of the module of a template; `None` if other modules name the template.
fn definitions_of_module(db: &dyn Db, environment: Environment, template: File) -> Option<Vec<DefinitionId>> {
    let FileRole::Module { module, relative } = template.role(db) else { return None };
    let name = format!("{}/{}", module.name(db), relative.strip_prefix("templates/")?);
    if is_named_by_other_module(db, environment, *module, &name) {
        return None;
    }
    let files =
        module.files(db).values().filter(|it| project::file_kind(db, **it) == project::FileKind::Manifest);
    let all = files.flat_map(|it| project::definitions(db, *it));
    let renders =
        |it: &DefinitionId| matches!(it.key(db).kind, DefinitionKind::Class | DefinitionKind::DefinedType);
    Some(all.filter(renders).collect())
}

/// Returns the classes and defined types that render a template; `None` unless every mention of it is a call
/// with its literal name.
fn certain_renderers(db: &dyn Db, environment: Environment, template: File) -> Option<Vec<DefinitionId>> {
    let FileRole::Module { module, relative } = template.role(db) else { return None };
    let path = relative.strip_prefix("templates/")?;
    let name = format!("{}/{path}", module.name(db));
    let mut renderers = Vec::new();
    for mention in mentions_in_module(db, *module, path) {
        let file = mention.file;
        let mut calls = 0;
        for it in project::name_uses(db, file).iter() {
            if it.kind == NameUseKind::ErbTemplate && it.name == name {
                calls += 1;
                let summary = project::item_summary(db, file);
                let key = summary.definitions.get(it.definition as usize)?.key.clone();
                let definition = DefinitionId::new(db, file, key);
                if !renderers.contains(&definition) {
                    renderers.push(definition);
                }
            }
        }
        let is_manifest = project::file_kind(db, file) == project::FileKind::Manifest;
        if !is_manifest || calls != mention.count || mention.may_be_made {
            return None;
        }
    }
    let is_certain = !renderers.is_empty() && !is_named_by_other_module(db, environment, *module, &name);
    is_certain.then_some(renderers)
}
