#![doc = include_str!("page.md")]

use codes::Code;
use hir::{Access, NameUseKind};
use hir::{DefinitionKind, Name, ReferenceKind};
use plugins::built_in::{self, bolt};
use project::NameKind;
use syntax::{Language, Severity};

use super::unknown::{self, NameAdvice, NameVerdict, UnknownName};
use super::unknown_resource_type;
use crate::UnknownNameKind;
use crate::context::RuleContext;

pub(super) fn check(context: &mut RuleContext<'_>) {
    for at in 0..context.uses.len() {
        let it = &context.uses[at];
        if it.kind != NameUseKind::Type || !matches!(it.access, Access::Read | Access::Call) {
            continue;
        }
        let (name, range) = (it.name.clone(), it.range);
        if is_known(context, &name) {
            continue;
        }
        let verdicts =
            [NameKind::TypeAlias, NameKind::DefinedType].map(|kind| unknown::verdict(context, kind, &name));
        let verdict = match verdicts {
            [NameVerdict::Silent, _] | [_, NameVerdict::Silent] => continue,
            [NameVerdict::Missing, verdict] | [verdict, _] => verdict,
        };
        let known = |context: &RuleContext<'_>| known_names(context, &name);
        let Some(found) = unknown::unknown(context, verdict, &name, range, known) else { continue };
        let NameAdvice { mut severity, similar } = found;
        let is_plan = project::language(context.db, context.file) == Language::Plan;
        if built_in::similar_data_type(&name).is_some() || is_plan && is_misspelt_in_bolt(&name) {
            severity = severity.min(Severity::Warning);
        }
        let written = as_written(&name);
        let similar: Vec<Name> = similar.iter().map(|it| as_written(it)).collect();
        let message = format!("unknown data type `{written}`");
        let code = Code::UnknownType;
        unknown::report(
            context,
            UnknownName {
                code,
                range,
                severity,
                message,
                kind: UnknownNameKind::DataType,
                name: written,
                similar,
            },
        );
    }
}

fn is_known(context: &RuleContext<'_>, name: &str) -> bool {
    let (db, file) = (context.db, context.file);
    built_in::data_type(name).is_some()
        || ReferenceKind::of(name) != ReferenceKind::OfType
        || matches!(name, "type" | "pcore")
        || project::resolve_in_file(db, file, NameKind::TypeAlias, name).is_some()
        || project::type_set_member(db, file, name).is_some()
        || project::ruby_data_type(db, file, name).is_some()
        || project::resolve_resource_type(db, file, name).is_some()
        || bolt::is_type(name)
}

fn known_names(context: &RuleContext<'_>, name: &str) -> Vec<Name> {
    let mut names = unknown::similar_names(context, DefinitionKind::TypeAlias, name);
    names.extend(unknown_resource_type::known_names(context, name));
    if !name.contains("::") {
        names.extend(built_in::data_types().iter().map(|it| Name::new(it.name.to_ascii_lowercase())));
        if project::language(context.db, context.file) == Language::Plan {
            names.extend(types_of_bolt());
        }
    }
    names
}

/// Returns the types of Bolt without a namespace, in lowercase.
fn types_of_bolt() -> impl Iterator<Item = Name> {
    let names = bolt::types().iter().map(|it| &it.name).chain(bolt::aliases().iter().map(|it| &it.name));
    names.filter(|it| !it.contains("::")).map(|it| Name::new(it.to_ascii_lowercase()))
}

fn is_misspelt_in_bolt(name: &str) -> bool {
    !name.contains("::") && !eval::similar::similar(name, types_of_bolt()).is_empty()
}

/// Returns a name in the spelling of types.
fn as_written(name: &str) -> Name {
    let mut of_bolt =
        bolt::types().iter().map(|it| &it.name).chain(bolt::aliases().iter().map(|it| &it.name));
    if let Some(known) = of_bolt.find(|it| it.eq_ignore_ascii_case(name)) {
        return Name::new(known);
    }
    if let Some(known) = built_in::data_type(name) {
        return Name::new(known.name);
    }
    hir::capitalized(name).into()
}
