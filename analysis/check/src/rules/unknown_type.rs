#![doc = include_str!("../../pages/unknown-type.md")]

use codes::{Code, Milder};
use hir::{Access, NameUseKind};
use hir::{DefinitionKind, Name};
use plugins::built_in::{self, bolt};
use project::NameKind;

use super::similar::suggestion;
use super::unknown::{self, Unknown, Verdict};
use super::unknown_resource_type;
use crate::context::Context;
use crate::{Data, Diagnostic, Missing};

pub(super) fn check(context: &mut Context<'_>) {
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
            [Verdict::Silent, _] | [_, Verdict::Silent] => continue,
            [Verdict::Missing, verdict] | [verdict, _] => verdict,
        };
        let known = |context: &Context<'_>| known_names(context, &name);
        let Some(found) = unknown::unknown(context, verdict, &name, range, known) else { continue };
        let Unknown { severity, similar } = found;
        let written = capitalised(&name);
        let similar: Vec<Name> = similar.iter().map(|it| capitalised(it)).collect();
        let message = format!("there is no type '{written}'{}", suggestion(&similar));
        let data = Data::UnknownName { kind: Missing::DataType, name: written, similar };
        context.report(
            Diagnostic::new(Code::UnknownType, range, message)
                .milder(Milder::Uncertain, severity)
                .with_data(data),
        );
    }
}

fn is_known(context: &Context<'_>, name: &str) -> bool {
    let (db, file) = (context.db, context.file);
    built_in::data_type(name).is_some()
        || matches!(name, "class" | "resource" | "type" | "pcore")
        || project::resolve_in_file(db, file, NameKind::TypeAlias, name).is_some()
        || project::type_set_member(db, file, name).is_some()
        || project::ruby_data_type(db, file, name).is_some()
        || project::resolve_resource_type(db, file, name).is_some()
        || bolt::is_type(name)
}

fn known_names(context: &Context<'_>, name: &str) -> Vec<Name> {
    let mut names = unknown::names_like(context, DefinitionKind::TypeAlias, name);
    names.extend(unknown_resource_type::known_names(context, name));
    if !name.contains("::") {
        names.extend(built_in::data_types().iter().map(|it| Name::new(it.name.to_ascii_lowercase())));
    }
    names
}

/// A name as types are written.
fn capitalised(name: &str) -> Name {
    if let Some(known) = built_in::data_type(name) {
        return Name::new(known.name);
    }
    let parts = name.split("::").map(|part| {
        let mut letters = part.chars();
        let first = letters.next().map(|it| it.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    Name::new(parts.collect::<Vec<_>>().join("::"))
}
