#![doc = include_str!("page.md")]

use codes::Code;
use hir::{Access, Body, Expr, NameUseKind};
use memchr::memmem;
use project::{Db, DefinitionId, FileRole, NameKind, ResourceTypeTarget};

use super::reach::{Reach, reach};
use super::unknown;
use crate::Diagnostic;
use crate::context::RuleContext;

pub(super) fn check(context: &mut RuleContext<'_>) {
    for at in 0..context.uses.len() {
        let it = &context.uses[at];
        let (name, range) = (it.name.clone(), it.range);
        let target = match (&it.kind, it.access) {
            (NameUseKind::Class, Access::Read | Access::Call)
                if !unknown::is_scope_of_variable(context, at) =>
            {
                project::resolve_in_file(context.db, context.file, NameKind::Class, &name)
            }
            (NameUseKind::ResourceType, Access::Read | Access::Call) => {
                match project::resolve_resource_type(context.db, context.file, &name) {
                    Some(ResourceTypeTarget::Defined(definition)) => Some(definition),
                    _ => None,
                }
            }
            _ => None,
        };
        let Some(target) = target else { continue };
        if is_of_same_module(context, target) || !is_private(context.db, target) {
            continue;
        }
        // A reference to a resource that another class declares is not a use.
        if reach(context, range) == Reach::Asked || is_reference(context, range) {
            continue;
        }
        let module = name.split("::").next().unwrap_or_default();
        let message = format!("`{name}` is private to module `{module}`");
        context.report(Diagnostic::new(Code::PrivateUse, range, message));
    }
}

fn is_of_same_module(context: &RuleContext<'_>, target: DefinitionId) -> bool {
    match (context.file.role(context.db), target.file(context.db).role(context.db)) {
        (FileRole::Module { module: own, .. }, FileRole::Module { module, .. }) => own == module,
        (_, FileRole::Module { .. }) => false,
        _ => true,
    }
}

fn is_reference(context: &RuleContext<'_>, range: syntax::TextRange) -> bool {
    let node = context.tree().covering_element(range).and_then(|it| it.parent());
    node.into_iter()
        .flat_map(|it| it.ancestors())
        .take(4)
        .any(|it| it.kind() == syntax::SyntaxKind::ACCESS_EXPR)
}

/// Returns true if the definition may only be used by its own module.
#[salsa::tracked(returns(copy))]
fn is_private(db: &dyn Db, definition: DefinitionId) -> bool {
    // Few files contain the word, and the others need not be parsed.
    let text = project::text(db, definition.file(db));
    if text.is_none_or(|text| memmem::find(text.as_bytes(), b"private").is_none()) {
        return false;
    }
    let documentation = project::documentation(db, definition);
    let says_so = documentation
        .as_deref()
        .unwrap_or_default()
        .lines()
        .any(|line| line.trim().strip_prefix("@api").is_some_and(|rest| rest.trim() == "private"));
    says_so || asserts_private(&project::body(db, definition))
}

/// Returns true if `assert_private()` is called outside of all conditions.
fn asserts_private(body: &Body) -> bool {
    let Expr::Block(statements) = &body[body.root] else { return false };
    statements.iter().any(|statement| match &body[*statement] {
        Expr::Call { functor, .. } => {
            matches!(&body[*functor], Expr::Name(name) if matches!(&**name, "assert_private" | "private" | "stdlib::assert_private"))
        }
        _ => false,
    })
}
