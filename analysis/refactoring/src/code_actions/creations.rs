//! Fixes that create the missing file where Puppet's autoloader looks for it.

use check::{FixData, UnknownNameKind};
use hir::DefinitionKind;
use project::vfs::FilePath;
use project::{Db, File};
use syntax::ast::{self, AttributeOperation};
use syntax::{AstNode, TextRange};

use super::subject::FixSubject;
use crate::{CodeAction, SourceChange};

pub(super) fn fixes(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let Some(FixData::UnknownName { kind, name, .. }) = &subject.diagnostic.data else { return None };
    let (db, file) = (subject.db, subject.file);
    let name = name.strip_prefix("::").unwrap_or(name);
    let (_, help) = codes::split_message(&subject.diagnostic.message);
    if help.iter().any(|it| it.starts_with("move it to")) {
        return None;
    }
    let (path, what, text) = match kind {
        UnknownNameKind::Class => {
            let path = autoload_path(db, file, DefinitionKind::Class, name)?;
            let head = format!("# @summary\nclass {name}");
            (path, format!("class `{name}`"), format!("{}{{\n}}\n", with_parameters(&head, &given(subject))))
        }
        UnknownNameKind::ResourceType if name.contains("::") => {
            let name = hir::fold_name(name);
            let path = autoload_path(db, file, DefinitionKind::DefinedType, &name)?;
            let head = format!("# @summary\ndefine {name}");
            let text = format!("{}{{\n}}\n", with_parameters(&head, &given(subject)));
            (path, format!("defined type `{name}`"), text)
        }
        UnknownNameKind::Function if name.contains("::") => {
            let path = autoload_path(db, file, DefinitionKind::Function, name)?;
            let count = argument_count(subject);
            let parameters: Vec<String> = (1..=count).map(|at| format!("Any $argument{at}")).collect();
            let text = format!("# @summary\nfunction {name}({}) >> Any {{\n}}\n", parameters.join(", "));
            (path, format!("function `{name}`"), text)
        }
        UnknownNameKind::DataType if name.contains("::") => {
            let path = autoload_path(db, file, DefinitionKind::TypeAlias, &hir::fold_name(name))?;
            let name = hir::capitalized(name);
            (path, format!("type `{name}`"), format!("# @summary\ntype {name} = Any\n"))
        }
        UnknownNameKind::Template | UnknownNameKind::ServedFile => {
            let (module, inner) = name.split_once('/')?;
            let module = project::module_named(db, file, module)?;
            let folder = if *kind == UnknownNameKind::Template { "templates" } else { "files" };
            let path = module.root(db).join(&format!("{folder}/{inner}"));
            let text = if inner.ends_with(".epp") { "<%- | | -%>\n" } else { "" };
            (path, format!("`{folder}/{inner}`"), text.to_owned())
        }
        _ => return None,
    };
    let change = SourceChange { creates: vec![(path, text)], ..SourceChange::default() };
    Some(subject.fix(format!("Create {what}"), change))
}

/// Returns the path at which Puppet looks first for a definition (`name` in lower case); `None` if its module
/// does not exist.
pub(crate) fn autoload_path(db: &dyn Db, file: File, kind: DefinitionKind, name: &str) -> Option<FilePath> {
    let (module, inner) = name.split_once("::").unwrap_or((name, "init"));
    let folder = match kind {
        DefinitionKind::Class | DefinitionKind::DefinedType => "manifests",
        DefinitionKind::Function => "functions",
        DefinitionKind::TypeAlias => "types",
        DefinitionKind::Plan => "plans",
        _ => return None,
    };
    let module = project::module_named(db, file, module)?;
    Some(module.root(db).join(&format!("{folder}/{}.pp", inner.replace("::", "/"))))
}

fn with_parameters(head: &str, names: &[String]) -> String {
    if names.is_empty() {
        return format!("{head} ");
    }
    let parameters: String = names.iter().map(|name| format!("  Any ${name},\n")).collect();
    format!("{head} (\n{parameters}) ")
}

/// Returns the attributes in the underlined declaration, without metaparameters.
fn given(subject: &FixSubject<'_>) -> Vec<String> {
    let parse = project::parse(subject.db, subject.file);
    let root = parse.tree().syntax().clone();
    let range = subject.diagnostic.range;
    let resource = root.descendants().filter_map(ast::ResourceExpr::cast).find(|resource| {
        let names_type = resource.type_expr().is_some_and(|it| it.syntax().text_range().intersects(range));
        let names_class =
            || resource.bodies().any(|body| title_range(&body).is_some_and(|it| it.intersects(range)));
        names_type || names_class()
    });
    let mut names = Vec::new();
    for body in resource.iter().flat_map(|it| it.bodies().collect::<Vec<_>>()) {
        for operation in body.operations() {
            let AttributeOperation::Attribute(attribute) = operation else { continue };
            let Some(name) = attribute.name_token() else { continue };
            let name = name.text().to_owned();
            if plugins::built_in::metaparameter(&name).is_none() && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

fn title_range(body: &ast::ResourceBody) -> Option<TextRange> {
    Some(body.title()?.syntax().text_range())
}

/// Returns the number of arguments of the underlined call.
fn argument_count(subject: &FixSubject<'_>) -> usize {
    let parse = project::parse(subject.db, subject.file);
    let root = parse.tree().syntax().clone();
    let token = root.tokens_at(subject.diagnostic.range.start).last();
    let mut around = token
        .and_then(|it| it.parent())
        .into_iter()
        .flat_map(|it| it.ancestors().take(3).collect::<Vec<_>>());
    let list = around.find_map(|node| node.children().find_map(ast::ArgumentList::cast));
    list.map_or(0, |it| it.arguments().len())
}
