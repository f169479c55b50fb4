//! Fixes that add code: missing parameters and dependencies.

use check::{FixData, UnknownNameKind};
use hir::{AttributeOwner, NameUseKind};
use project::{DefinitionId, FileRole, NameKind};
use symbols::recorded_value::{self, Evaluated};
use symbols::{parameters, symbol};
use syntax::ast::{self, AttributeOperation};
use syntax::{AstNode, TextRange};

use super::{CodeAction, FixSubject, one_edit};

pub(super) fn fixes(subject: &FixSubject<'_>) -> Option<CodeAction> {
    match &subject.diagnostic.data {
        Some(FixData::MissingParameters(missing)) => {
            let given: Vec<(&str, &'static str)> = missing
                .iter()
                .map(|(name, ty)| (name.as_str(), placeholder(ty.as_deref().unwrap_or(""))))
                .collect();
            attributes(subject, &given)
        }
        Some(FixData::UnknownName { kind: UnknownNameKind::Attribute, name, .. }) => parameter(subject, name),
        Some(FixData::MissingDependency { module }) => dependency(subject, module),
        _ => None,
    }
}

/// Adds attributes to the resource whose title is underlined.
fn attributes(subject: &FixSubject<'_>, given: &[(&str, &'static str)]) -> Option<CodeAction> {
    let parse = project::parse(subject.db, subject.file);
    let root = parse.tree().syntax().clone();
    let range = subject.diagnostic.range;
    let mut bodies = root.descendants().filter_map(ast::ResourceBody::cast);
    let body =
        bodies.find(|body| body.title().is_some_and(|it| it.syntax().text_range().intersects(range)))?;
    let whole = body.syntax().text_range();
    let text = subject.text.get(whole.as_range())?;
    let title_end = body.title()?.syntax().text_range().end;
    let (insertion, is_first) = match body.operations().last() {
        Some(last) => (last.syntax().text_range().end, false),
        None => {
            let colon = subject.text.get(title_end as usize..)?.find(':')? as u32;
            (title_end + colon + 1, true)
        }
    };
    let is_long = text.contains('\n') || is_first;
    let indent = match body.operations().last() {
        Some(last) => indentation(subject.text, last.syntax().text_range().start),
        None => format!("{}  ", indentation(subject.text, whole.start)),
    };
    let mut added = String::new();
    for (index, (name, value)) in given.iter().enumerate() {
        if index > 0 || !is_first {
            added.push(',');
        }
        match is_long {
            true => added.push_str(&format!("\n{indent}")),
            false => added.push(' '),
        }
        added.push_str(&format!("{name} => {value}"));
    }
    if is_first {
        added.push(',');
        if !text.contains('\n') {
            added.push_str(&format!("\n{}", indentation(subject.text, whole.start)));
        }
    }
    let names: Vec<String> = given.iter().map(|(name, _)| format!("`{name}`")).collect();
    let noun = if names.len() == 1 { "parameter" } else { "parameters" };
    let title = format!("Add missing {noun} {}", names.join(", "));
    Some(subject.edit(title, TextRange::empty(insertion), added))
}

/// Returns the indentation of the line that contains `offset`.
fn indentation(text: &str, offset: u32) -> String {
    let before = text.get(..offset as usize).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    text[line..].chars().take_while(|it| matches!(it, ' ' | '\t')).collect()
}

/// Returns a placeholder value of a type.
fn placeholder(type_text: &str) -> &'static str {
    let head = type_text.split(['[', ' ']).next().unwrap_or_default();
    match head {
        "Boolean" => "false",
        "Integer" | "Numeric" => "0",
        "Float" => "0.0",
        "Array" | "Tuple" | "Collection" => "[]",
        "Hash" | "Struct" => "{}",
        "Optional" | "Undef" | "Any" | "" => "undef",
        "Variant" => placeholder(type_text.split_once('[').map_or("", |(_, inner)| inner)),
        _ => "''",
    }
}

/// Adds the missing parameter to the class or defined type.
fn parameter(subject: &FixSubject<'_>, name: &str) -> Option<CodeAction> {
    let (db, file) = (subject.db, subject.file);
    let name_use = symbol::name_use_at(db, file, subject.diagnostic.range.start)?;
    let definition = match &name_use.kind {
        NameUseKind::Attribute(AttributeOwner::Class(owner)) => {
            project::resolve_in_file(db, file, NameKind::Class, owner)?
        }
        NameUseKind::Attribute(AttributeOwner::ResourceType(owner)) => {
            project::resolve_in_file(db, file, NameKind::DefinedType, owner)?
        }
        _ => return None,
    };
    let declared = format!("{} ${name}", value_type(subject).unwrap_or_else(|| "Any".to_owned()));
    let (insertion, text) = parameter_insertion(subject, definition, &declared)?;
    let owner = project::signature(db, definition).as_ref()?.name.clone();
    let change = one_edit(definition.file(db), TextRange::empty(insertion), text);
    Some(subject.fix(format!("Add parameter `${name}` to `{owner}`"), change))
}

/// Returns the offset in a signature at which a parameter can be inserted, and the text to insert.
fn parameter_insertion(
    subject: &FixSubject<'_>,
    definition: DefinitionId,
    declared: &str,
) -> Option<(u32, String)> {
    let parse = project::parse_once(subject.db, definition.file(subject.db));
    let node = parameters::find(&parse.tree(), definition.key(subject.db))?;
    let Some(list) = node.parameters() else {
        let end = node.name()?.syntax().text_range().end;
        return Some((end, format!(" (\n  {declared},\n)")));
    };
    let is_long = list.syntax().text().contains('\n');
    Some(match list.parameters().last() {
        Some(last) => {
            let end = last.syntax().text_range().end;
            (end, if is_long { format!(",\n  {declared}") } else { format!(", {declared}") })
        }
        None => (list.syntax().text_range().start + 1, declared.to_owned()),
    })
}

/// Returns the type of the value assigned to the underlined attribute.
fn value_type(subject: &FixSubject<'_>) -> Option<String> {
    let parse = project::parse(subject.db, subject.file);
    let root = parse.tree().syntax().clone();
    let range = subject.diagnostic.range;
    let attribute = root
        .descendants()
        .filter_map(AttributeOperation::cast)
        .find(|it| it.syntax().text_range().start == range.start)?;
    let AttributeOperation::Attribute(attribute) = attribute else { return None };
    let value = attribute.value()?;
    let evaluated = Evaluated::around(subject.db, subject.file, value.syntax())?;
    let recorded = evaluated.value(value.syntax())?;
    compile::with_world(subject.db, evaluated.definition, |world| {
        recorded_value::short_type(&recorded_value::type_of(&recorded, world), 200, world)
    })
}

/// Adds a module to the dependencies in the `metadata.json` of the module.
fn dependency(subject: &FixSubject<'_>, module: &str) -> Option<CodeAction> {
    let (db, file) = (subject.db, subject.file);
    let FileRole::Module { module: own, .. } = file.role(db) else { return None };
    let metadata_file = project::metadata_file(db, *own)?;
    let text = project::text(db, metadata_file)?;
    let needed = project::module_named(db, file, module)?;
    let of_needed = project::module_metadata(db, project::metadata_file(db, needed)?);
    let name = of_needed.name()?.text;
    let version = of_needed.version().map(|it| format!(", \"version_requirement\": \">= {}\"", it.text));
    let entry = format!("{{ \"name\": \"{}\"{} }}", name.replace('-', "/"), version.unwrap_or_default());
    let list = project::module_metadata(db, metadata_file).data.entry("dependencies")?.value.range;
    let inside = text.get(list.as_range())?.strip_prefix('[')?.strip_suffix(']')?;
    let end = list.start + 1 + inside.trim_end().len() as u32;
    let (range, added) = match inside.trim().is_empty() {
        true => (TextRange::new(list.start + 1, list.end - 1), format!("\n    {entry}\n  ")),
        false => (TextRange::empty(end), format!(",\n    {entry}")),
    };
    let change = one_edit(metadata_file, range, added);
    Some(subject.fix(format!("Add dependency `{name}` to `metadata.json`"), change))
}
