#![doc = include_str!("page.md")]

use codes::Code;
use std::collections::BTreeMap;

use hir::{Access, Name, NameUseKind};
use project::{File, FileRole, ModuleTree, module_named, served_file, template_file};
use smol_str::SmolStr;
use syntax::{Severity, SyntaxElement, TextRange};

use super::reach::{Reach, reach};
use super::unknown::{self, NameVerdict, UnknownName};
use crate::UnknownNameKind;
use crate::context::RuleContext;
use eval::similar::similar;

pub(super) fn check(context: &mut RuleContext<'_>) {
    for at in 0..context.uses.len() {
        let it = &context.uses[at];
        if it.access != Access::Read {
            continue;
        }
        let (folder, kind) = match it.kind {
            NameUseKind::EppTemplate | NameUseKind::ErbTemplate => ("templates", UnknownNameKind::Template),
            NameUseKind::ServedFile => ("files", UnknownNameKind::ServedFile),
            _ => continue,
        };
        let (path, range) = (it.name.clone(), it.range);
        let Some((module_name, rest)) = path.split_once('/') else { continue };
        if module_name.is_empty() || rest.is_empty() || rest.contains("..") {
            continue;
        }
        let (db, file) = (context.db, context.file);
        let is_there = match kind {
            UnknownNameKind::Template => has_template(context, &it.kind, &path),
            _ => served_file(db, file, &path).is_some(),
        };
        if is_there {
            continue;
        }
        let Some(module) = module_named(db, file, module_name) else {
            // Mount points of the file server may have any name, and the path of a template may be absolute.
            let is_name =
                module_name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
            if is_name && kind == UnknownNameKind::Template {
                check_without_module(context, &path, module_name, rest, range);
            }
            continue;
        };
        let reach = reach(context, range);
        // Bolt resolves `module/scripts/x` relative to the module instead of its `files` folder.
        let is_script = rest.starts_with("scripts/") && !is_in_url(context, range);
        if reach == Reach::Asked || is_script || !project::has_known_name(db, module) {
            continue;
        }
        let prefix = format!("{folder}/");
        let files = module.files(db);
        if project::closed_folder(db, module, &format!("{prefix}{rest}")).is_some() {
            continue;
        }
        if is_of_hidden_module(context, module, &prefix, rest) || comes_from_outside(files, &prefix, rest) {
            continue;
        }
        let known = files.keys().filter_map(|it| it.strip_prefix(prefix.as_str()));
        let similar: Vec<_> =
            similar(rest, known).iter().map(|it| format!("{module_name}/{it}").into()).collect();
        // The agent resolves URLs, not the compiler.
        let severity = if is_in_url(context, range) { Severity::Warning } else { reach.severity() };
        let message = format!("file `{folder}/{rest}` not found in module `{module_name}`");
        let code = Code::UnknownFile;
        unknown::report(context, UnknownName { code, range, severity, message, kind, name: path, similar });
    }
}

/// Returns true if the path is in a `puppet:///modules/` URL.
fn is_in_url(context: &RuleContext<'_>, range: syntax::TextRange) -> bool {
    let literal = context.tree().covering_element(range);
    literal.is_some_and(|it| match it {
        SyntaxElement::Token(token) => token.text().contains("puppet:///"),
        SyntaxElement::Node(node) => node.text().contains("puppet:///"),
    })
}

/// Returns true if the template of a call exists. `epp` adds a missing file extension.
fn has_template(context: &RuleContext<'_>, kind: &NameUseKind, path: &str) -> bool {
    let is_short = *kind == NameUseKind::EppTemplate && !path.ends_with(".epp");
    let extension = if is_short { ".epp" } else { "" };
    template_file(context.db, context.file, &format!("{path}{extension}")).is_some()
}

/// Reports a template of an unknown module if the name of the module seems to be misspelled.
fn check_without_module(
    context: &mut RuleContext<'_>,
    path: &Name,
    module_name: &str,
    rest: &str,
    range: TextRange,
) {
    let module = Name::new(module_name);
    let meant = in_similar_module(context, module_name, rest);
    match meant.filter(|_| !unknown::is_expected(context, &module)) {
        Some(meant) => {
            let message = format!("module `{module_name}` not found");
            let (code, severity, kind) = (Code::UnknownFile, Severity::Warning, UnknownNameKind::Template);
            let (name, similar) = (path.clone(), vec![meant]);
            unknown::report(context, UnknownName { code, range, severity, message, kind, name, similar });
        }
        None => unknown::note_module(context, NameVerdict::ModuleMissing(module), range),
    }
}

/// Returns the same template in a module with a similar name.
fn in_similar_module(context: &RuleContext<'_>, module: &str, rest: &str) -> Option<Name> {
    let modules = context.environment.modules(context.db);
    let template = format!("templates/{rest}");
    let has_it =
        |name: &Name| modules.get(name).is_some_and(|it| it.files(context.db).contains_key(&*template));
    let meant = similar(module, modules.keys().map(|it| it.as_str())).into_iter().find(has_it)?;
    Some(format!("{meant}/{rest}").into())
}

/// Returns true if the file is in a module that is shadowed by another one of the same name, and that module
/// has the path.
fn is_of_hidden_module(context: &RuleContext<'_>, found: ModuleTree, prefix: &str, rest: &str) -> bool {
    let FileRole::Module { module: own, .. } = context.file.role(context.db) else { return false };
    let has = |path: &str| own.files(context.db).contains_key(path);
    *own != found
        && own.name(context.db) == found.name(context.db)
        && (has(&format!("{prefix}{rest}")) || has(&format!("{prefix}{rest}.epp")))
}

/// Returns true if the whole folder of a served file is missing. Such folders are filled by other programs,
/// with certificates for example.
fn comes_from_outside(files: &BTreeMap<SmolStr, File>, prefix: &str, rest: &str) -> bool {
    let Some((folder, _)) = rest.rsplit_once('/').filter(|_| prefix == "files/") else { return false };
    let folder = format!("{prefix}{folder}/");
    !files.keys().any(|it| it.starts_with(&folder))
}
