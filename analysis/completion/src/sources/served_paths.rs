//! Paths of templates and of files that modules serve.

use project::{FileRole, ModuleTree};
use rustc_hash::FxHashSet;

use crate::item::{CompletionItem, CompletionKind, quoted};
use crate::{CompletionRequest, environment};

/// Returns paths such as `module/name.erb` for `template()` and similar functions.
pub(crate) fn templates(request: &CompletionRequest<'_>, extensions: &[&str]) -> Vec<CompletionItem> {
    let fits = |path: &str| {
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        // Many ERB templates have the file extension of their output.
        extensions.contains(&extension) || extensions.contains(&"erb") && extension != "epp"
    };
    let mut items = paths(request, "templates/", CompletionKind::Template, |module, path| {
        fits(path).then(|| format!("{module}/{path}"))
    });
    let preferred = extensions.first().copied().unwrap_or_default();
    for item in &mut items {
        if !item.label.ends_with(preferred) {
            item.tier += 1;
        }
    }
    items
}

/// Returns paths such as `module/name` for `file()`.
pub(crate) fn files(request: &CompletionRequest<'_>) -> Vec<CompletionItem> {
    paths(request, "files/", CompletionKind::ServedFile, |module, path| Some(format!("{module}/{path}")))
}

/// Returns URLs such as `puppet:///modules/module/name`.
pub(crate) fn urls(request: &CompletionRequest<'_>) -> Vec<CompletionItem> {
    paths(request, "files/", CompletionKind::ServedFile, |module, path| {
        Some(format!("puppet:///modules/{module}/{path}"))
    })
}

fn paths(
    request: &CompletionRequest<'_>,
    folder: &str,
    kind: CompletionKind,
    written: impl Fn(&str, &str) -> Option<String>,
) -> Vec<CompletionItem> {
    let own = environment::own_module(request.db, request.file);
    let in_quotes = request.context.in_quotes;
    // Text that begins with the module's name as a variable is completed in the same way.
    let by_variable = request.context.typed.contains("${module_name}");
    let own_path = match request.file.role(request.db) {
        FileRole::Module { relative, .. } => relative.strip_prefix("manifests/"),
        _ => None,
    };
    let own_path = own_path.and_then(|it| it.strip_suffix(".pp")).unwrap_or_default();
    // Most templates are used only once.
    let text = project::text(request.db, request.file).unwrap_or_default();
    let used: FxHashSet<&str> = text.split(['\'', '"']).filter(|it| it.contains('/')).collect();
    let mut items = Vec::new();
    for (name, module) in modules(request) {
        let is_own = own.as_ref() == Some(&name);
        let shown = if by_variable && is_own { "${module_name}" } else { name.as_str() };
        for path in below(request, module, folder) {
            let likeness = if is_own { likeness(own_path, &path) } else { 0 };
            let Some(path) = written(shown, &path) else { continue };
            let tier = match likeness {
                0 if !is_own => 4,
                0 | 1 => 2,
                _ => 0,
            };
            let tier = if used.contains(path.as_str()) { tier + 1 } else { tier };
            let text = quoted(&path, in_quotes);
            let item = CompletionItem::new(kind, path).text(text).detail(name.to_string());
            items.push(item.tier(tier).weight(likeness).once());
        }
    }
    items
}

/// Returns the number of parts of a manifest's path that the path of a file shares: two for
/// `mod/mime.conf.erb` and `mod/mime`.
fn likeness(own: &str, path: &str) -> u32 {
    let words = |text: &str| text.split(['/', '.', '_', '-']).map(str::to_owned).collect::<Vec<_>>();
    let path = words(path);
    let own = words(own);
    let same = own.iter().filter(|word| path.contains(word)).count() as u32;
    // The last part is the most significant.
    let last = own.last().is_some_and(|last| !last.is_empty() && path.contains(last));
    same + if last { 2 } else { 0 }
}

/// Returns the modules, the file's own first; only the first one of each name.
fn modules(request: &CompletionRequest<'_>) -> Vec<(hir::Name, ModuleTree)> {
    let mut modules: Vec<(hir::Name, ModuleTree)> = Vec::new();
    if let FileRole::Module { module, .. } = request.file.role(request.db) {
        modules.push((module.name(request.db).clone(), *module));
    }
    for environment in request.file.environments(request.db).iter() {
        for (name, module) in environment.modules(request.db).iter() {
            if !modules.iter().any(|(known, _)| known == name) {
                modules.push((name.clone(), *module));
            }
        }
    }
    modules
}

fn below(request: &CompletionRequest<'_>, module: ModuleTree, folder: &str) -> Vec<String> {
    let files = module.files(request.db);
    let inside =
        files.range(smol_str::SmolStr::new(folder)..).take_while(|(path, _)| path.starts_with(folder));
    inside.map(|(path, _)| path[folder.len()..].to_owned()).collect()
}
