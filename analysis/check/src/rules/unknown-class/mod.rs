#![doc = include_str!("page.md")]

use codes::Code;
use hir::{Access, DefinitionKind, NameUseKind};
use project::{FileRole, NameKind};
use syntax::{Severity, TextRange};

use super::unknown::{self, NameAdvice, UnknownName};
use crate::UnknownNameKind;
use crate::context::RuleContext;

pub(super) fn check(context: &mut RuleContext<'_>) {
    for at in 0..context.uses.len() {
        let it = &context.uses[at];
        let is_use = it.kind == NameUseKind::Class
            && matches!(it.access, Access::Read | Access::Call | Access::Declaration);
        // The scope of a variable is handled by the rule on variables, and the head of a definition declares
        // its name.
        if !is_use || unknown::is_scope_of_variable(context, at) || unknown::is_own_head(context, at) {
            continue;
        }
        let (name, range) = (it.name.clone(), it.range);
        if name.is_empty()
            || project::resolve_in_file(context.db, context.file, NameKind::Class, &name).is_some()
        {
            continue;
        }
        let verdict = unknown::verdict(context, NameKind::Class, &name);
        let known = |context: &RuleContext<'_>| unknown::similar_names(context, DefinitionKind::Class, &name);
        let Some(found) = unknown::unknown(context, verdict, &name, range, known) else { continue };
        let NameAdvice { mut severity, mut similar } = found;
        let mut message = format!("unknown class `{name}`");
        if let Some(misplaced) = misplaced(context, &name) {
            if may_be_loaded(context, &misplaced, range) {
                continue;
            }
            // Code elsewhere may load the file first, except before the code of a node.
            if !matches!(context.file.role(context.db), FileRole::MainManifest) {
                severity = severity.max(Severity::Warning);
            }
            let Misplaced { path, right_path, .. } = misplaced;
            let problem = format!("{message}: it is defined in `{path}`, where Puppet does not look for it");
            message = codes::with_help(problem, format!("move it to `{right_path}`"));
            similar.clear();
        }
        let code = Code::UnknownClass;
        unknown::report(
            context,
            UnknownName { code, range, severity, message, kind: UnknownNameKind::Class, name, similar },
        );
    }
}

/// Class in a file of its module where Puppet does not look for it.
struct Misplaced {
    /// Path of the file in the module's folder, and the one where Puppet looks.
    path: String,
    right_path: String,
    /// Classes for which Puppet loads the file: this one, and those below its name.
    loaded_for: String,
}

fn misplaced(context: &RuleContext<'_>, name: &str) -> Option<Misplaced> {
    let (db, environment) = (context.db, context.environment);
    let found = project::definitions_in_manifests(db, environment, DefinitionKind::Class, name, |_| true);
    let definition = found.into_iter().next()?;
    let FileRole::Module { module, relative } = definition.file(db).role(db) else { return None };
    let module = module.name(db);
    let (right_module, below) = name.split_once("::").unwrap_or((name, "init"));
    let own = relative.strip_prefix("manifests/")?.strip_suffix(".pp")?;
    Some(Misplaced {
        path: format!("{module}/{relative}"),
        right_path: format!("{right_module}/manifests/{}.pp", below.replace("::", "/")),
        loaded_for: match own {
            "init" => module.to_string(),
            own => format!("{module}::{}", own.replace('/', "::")),
        },
    })
}

/// Returns true if a class is used before `range` for which Puppet loads the file.
fn may_be_loaded(context: &RuleContext<'_>, misplaced: &Misplaced, range: TextRange) -> bool {
    let class = misplaced.loaded_for.as_str();
    let is_loading =
        |name: &str| name.strip_prefix(class).is_some_and(|it| it.is_empty() || it.starts_with("::"));
    let before = context.uses.iter().take_while(|it| it.range.start < range.start);
    before.filter(|it| it.kind == NameUseKind::Class).any(|it| is_loading(&it.name))
}
