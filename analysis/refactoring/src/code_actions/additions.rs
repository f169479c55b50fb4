//! Fixes that add code (missing parameters and dependencies), and the alignment of arrows.

use check::{FixData, UnknownNameKind};
use hir::{AttributeOwner, NameUseKind};
use project::{Db, DefinitionId, File, NameKind};
use symbols::recorded_value::{self, Evaluated};
use symbols::{parameters, symbol};
use syntax::ast::{self, AttributeOperation};
use syntax::{AstNode, SyntaxNode, TextRange};

use super::subject::{FixSubject, one_edit};
use crate::lines::{after_entry, indentation, indentation_step};
use crate::{CodeAction, CodeActionKind, SourceChange, SourceEdit};
use symbols::FileId;

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

/// Adds attributes to the resource whose title is underlined, with aligned arrows.
fn attributes(subject: &FixSubject<'_>, given: &[(&str, &'static str)]) -> Option<CodeAction> {
    let root = project::parse(subject.db, subject.file).syntax();
    let range = subject.diagnostic.range;
    let mut bodies = root.descendants().filter_map(ast::ResourceBody::cast);
    let body =
        bodies.find(|body| body.title().is_some_and(|it| it.syntax().text_range().intersects(range)))?;
    let names: Vec<String> = given.iter().map(|(name, _)| format!("`{name}`")).collect();
    let noun = if names.len() == 1 { "parameter" } else { "parameters" };
    let title = format!("Add missing {noun} {}", names.join(", "));
    let edits = match body.operations().last() {
        Some(last) => after_attributes(subject, &body, &last, given),
        None => first_attributes(subject, &body, given)?,
    };
    let change = SourceChange { edits: vec![(FileId(subject.file), edits)], ..SourceChange::default() };
    Some(subject.fix(title, change))
}

/// Adds the first attributes of a resource, each on a separate line.
fn first_attributes(
    subject: &FixSubject<'_>,
    body: &ast::ResourceBody,
    given: &[(&str, &'static str)],
) -> Option<Vec<SourceEdit>> {
    let whole = body.syntax().text_range();
    let title_end = body.title()?.syntax().text_range().end;
    let rest = subject.text.get(title_end as usize..)?;
    let colon = rest.find(':')? as u32;
    let start = title_end + colon + 1;
    let after = subject.text.get(start as usize..)?;
    let spaces = after.len() - after.trim_start().len();
    let outer = indentation(subject.text, whole.start);
    let step = indentation_step(subject.text);
    let width = given.iter().map(|(name, _)| name.len()).max()?;
    let mut added = String::new();
    for (name, value) in given {
        added.push_str(&format!("\n{outer}{step}{name:width$} => {value},"));
    }
    // Comments and further bodies stay on their lines.
    let ends_body = after[spaces..].starts_with('}');
    let range = TextRange::new(start, if ends_body { start + spaces as u32 } else { start });
    if ends_body {
        added.push_str(&format!("\n{outer}"));
    }
    Some(vec![SourceEdit { range, text: added }])
}

/// Adds attributes after the last one of a resource.
fn after_attributes(
    subject: &FixSubject<'_>,
    body: &ast::ResourceBody,
    last: &AttributeOperation,
    given: &[(&str, &'static str)],
) -> Vec<SourceEdit> {
    let text = subject.text;
    let last = last.syntax().text_range();
    let is_long = text.get(body.syntax().text_range().as_range()).is_some_and(|it| it.contains('\n'));
    if !is_long {
        let added: Vec<String> = given.iter().map(|(name, value)| format!(", {name} => {value}")).collect();
        return vec![SourceEdit { range: TextRange::empty(last.end), text: added.concat() }];
    }
    let arrows = arrows(body.syntax(), text);
    let name_length = |end: u32| end as usize - indentation_end(text, end);
    let lengths = arrows.iter().map(|(end, _)| name_length(*end));
    let width = lengths.chain(given.iter().map(|(name, _)| name.len())).max().unwrap_or_default();
    let mut edits = Vec::new();
    for (end, arrow) in arrows {
        let padding = " ".repeat(width + 1 - name_length(end));
        if text.get(end as usize..arrow as usize) != Some(&padding) {
            edits.push(SourceEdit { range: TextRange::new(end, arrow), text: padding });
        }
    }
    let indent = indentation(text, last.start);
    let added = |before: &str, after: &str| -> String {
        let line =
            |(name, value): &(&str, &str)| format!("{before}\n{indent}{name:width$} => {value}{after}");
        given.iter().map(line).collect()
    };
    match after_entry(text, last.end) {
        Some((end, lacks_comma)) => {
            if lacks_comma {
                edits.push(SourceEdit { range: TextRange::empty(last.end), text: ",".to_owned() });
            }
            edits.push(SourceEdit { range: TextRange::empty(end), text: added("", ",") });
        }
        None => edits.push(SourceEdit { range: TextRange::empty(last.end), text: added(",", "") }),
    }
    join_touching(edits)
}

/// Sorts edits, and joins insertions at the same offset.
fn join_touching(mut edits: Vec<SourceEdit>) -> Vec<SourceEdit> {
    edits.sort_by_key(|it| (it.range.start, it.range.end));
    edits.dedup_by(|later, first| {
        let is_same = later.range == first.range && later.range.start == later.range.end;
        if is_same {
            first.text.push_str(&later.text);
        }
        is_same
    });
    edits
}

/// Returns the offset after the indentation of the line that contains `offset`.
fn indentation_end(text: &str, offset: u32) -> usize {
    let line = text[..offset as usize].rfind('\n').map_or(0, |at| at + 1);
    line + indentation(text, offset).len()
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

/// Adds the missing parameter to the class or defined type, as an optional one.
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
    // Other declarations do not set it.
    let ty = match value_type(subject) {
        Some(ty) if ty != "Any" && !ty.starts_with("Optional[") => format!("Optional[{ty}]"),
        ty => ty.unwrap_or_else(|| "Any".to_owned()),
    };
    let declared = format!("{ty} ${name} = undef");
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
    let text = parse.text();
    let Some(list) = node.parameters() else {
        let end = node.name()?.syntax().text_range().end;
        let (outer, step) = (indentation(text, end), indentation_step(text));
        return Some((end, format!(" (\n{outer}{step}{declared},\n{outer})")));
    };
    let is_long = list.syntax().text().contains('\n');
    Some(match list.parameters().last() {
        Some(last) => {
            let range = last.syntax().text_range();
            let indent = indentation(text, range.start);
            match after_entry(text, range.end).filter(|_| is_long) {
                // The comma after the last parameter is followed by the new one.
                Some((end, false)) => (end, format!("\n{indent}{declared},")),
                _ if is_long => (range.end, format!(",\n{indent}{declared}")),
                _ => (range.end, format!(", {declared}")),
            }
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
    let needed = project::module_named(subject.db, subject.file, module)?;
    let name = project::module_metadata(subject.db, project::metadata_file(subject.db, needed)?).name()?.text;
    let change = crate::add_dependency(subject.db, subject.file, module)?;
    Some(subject.fix(format!("Add dependency `{name}` to `metadata.json`"), change))
}

/// Returns an action that aligns the arrows of the resource or hash around `range`.
pub(super) fn aligned_arrows(db: &dyn Db, file: File, text: &str, range: TextRange) -> Option<CodeAction> {
    let parse = project::parse(db, file);
    let root = parse.tree().syntax().clone();
    let token = root.tokens_at(range.start).last()?;
    let list = token.parent()?.ancestors().find(|node| !arrows(node, text).is_empty())?;
    let arrows = arrows(&list, text);
    let column = |offset: u32| {
        let line = text[..offset as usize].rfind('\n').map_or(0, |at| at + 1);
        text[line..offset as usize].chars().count()
    };
    let line = |offset: u32| text[..offset as usize].matches('\n').count();
    let mut lines: Vec<usize> = arrows.iter().map(|(_, arrow)| line(*arrow)).collect();
    lines.dedup();
    // Arrows that share a line cannot be aligned.
    if lines.len() != arrows.len() || arrows.len() < 2 {
        return None;
    }
    let width = arrows.iter().map(|(end, _)| column(*end)).max()? + 1;
    let mut edits = Vec::new();
    for (end, arrow) in arrows {
        let padding = " ".repeat(width - column(end));
        if text[end as usize..arrow as usize] != padding {
            edits.push(SourceEdit { range: TextRange::new(end, arrow), text: padding });
        }
    }
    (!edits.is_empty())
        .then(|| super::subject::rewrite(file, CodeActionKind::RefactorRewrite, "Align arrows", edits))
}

/// Returns the offsets at which the names of a list end and their arrows begin, if only whitespace separates
/// them.
fn arrows(node: &SyntaxNode, text: &str) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for child in node.children() {
        let (start, end) = if let Some(entry) = ast::KeyedEntry::cast(child.clone()) {
            let Some(key) = entry.key() else { continue };
            (key.syntax().text_range().end, child.text_range().end)
        } else if let Some(AttributeOperation::Attribute(attribute)) = AttributeOperation::cast(child.clone())
        {
            let Some(name) = attribute.name_token() else { continue };
            (name.text_range().end, child.text_range().end)
        } else {
            continue;
        };
        let Some(rest) = text.get(start as usize..end as usize) else { continue };
        let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if rest[spaces..].starts_with("=>") || rest[spaces..].starts_with("+>") {
            found.push((start, start + spaces as u32));
        }
    }
    found
}
