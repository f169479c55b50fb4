//! Classes of a module, and those that its other classes declare or refer to.

use crate::class_checks::finding::CompileFinding;
use hir::{Body, DefinitionKind, Expr, Name, ReferenceKind, StringPart};
use project::{Db, DefinitionId, ModuleTree};
use rustc_hash::FxHashSet;

/// Classes of a module that its code refers to outside of their definitions.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct InnerClasses {
    /// Classes that may be declared there: parts of other classes, which know where they work.
    pub(super) declared: FxHashSet<Name>,
    /// Classes that are only referred to or tested for: users declare them.
    referred: FxHashSet<Name>,
    /// Prefixes of computed names, which end in `::`, and suffixes, which begin with it.
    computed: FxHashSet<Name>,
}

impl InnerClasses {
    /// Returns true if a class may fail on some platforms because other classes know where it works.
    /// Deliberate failures are common in pairs of classes that exclude each other and check for each other.
    pub(super) fn may_know(&self, class: &str, finding: &CompileFinding) -> bool {
        self.declared.contains(class)
            || self.computed.iter().any(|part| class.starts_with(&**part) || class.ends_with(&**part))
            || finding.may_be_intended() && self.referred.contains(class)
    }
}

#[salsa::tracked(returns(ref))]
pub(super) fn inner_classes(db: &dyn Db, module: ModuleTree) -> InnerClasses {
    let module_name = module.name(db);
    let is_own = |name: &str| {
        name.strip_prefix(module_name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let mut inner = InnerClasses::default();
    for (path, file) in module.files(db).iter() {
        if !path.starts_with("manifests/") {
            continue;
        }
        for definition in project::definitions(db, *file) {
            let own_name = &definition.key(db).name;
            let body = project::body(db, definition);
            inner.computed.extend(computed_names(&body).filter(|it| it.starts_with("::") || is_own(it)));
            for (text, is_reference) in named_classes(&body) {
                let name = hir::fold_name(text);
                if !is_own(&name) || name == *own_name {
                    continue;
                }
                if is_reference {
                    inner.referred.insert(name)
                } else {
                    inner.declared.insert(name)
                };
            }
        }
    }
    inner
}

/// Returns the strings in a body that may be class names, and whether they only refer to the class.
pub(super) fn named_classes(body: &Body) -> impl Iterator<Item = (&str, bool)> {
    let mut references = FxHashSet::default();
    for (_, expr) in body.exprs.iter() {
        let names = match expr {
            Expr::Access { lhs, keys } => {
                matches!(&body[*lhs], Expr::TypeReference(name) if ReferenceKind::is_class(name))
                    .then_some(keys)
            }
            Expr::Call { functor, arguments, .. } => {
                matches!(&body[*functor], Expr::Name(name) if name == "defined").then_some(arguments)
            }
            _ => None,
        };
        for name in names.into_iter().flat_map(|names| names.iter()) {
            references.insert(*name);
            if let Expr::Array(elements) = &body[*name] {
                references.extend(elements.iter().copied());
            }
        }
    }
    let texts = body.exprs.iter().filter_map(move |(id, expr)| match expr {
        Expr::String(text) | Expr::Name(text) => Some((text.as_str(), references.contains(&id))),
        _ => None,
    });
    texts.chain(body.inherits.as_deref().map(|name| (name, false)))
}

/// Returns the first and last literal parts of interpolated strings that may be parts of a class name.
pub(super) fn computed_names(body: &Body) -> impl Iterator<Item = Name> {
    let is_name = |text: &str| text.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b':'));
    let parts = body.exprs.iter().filter_map(|(_, expr)| match expr {
        Expr::Interpolated(parts) => Some([parts.first(), parts.last()]),
        _ => None,
    });
    let texts = parts.flatten().flatten().filter_map(|part| match part {
        StringPart::Text(text) => Some(text),
        StringPart::Expr(_) => None,
    });
    texts
        .filter(move |it| is_name(it) && it.len() > 2 && (it.starts_with("::") || it.ends_with("::")))
        .map(|it| Name::new(it.to_ascii_lowercase()))
}

/// Returns the classes that the manifests of a module define.
pub(crate) fn classes_of_module(db: &dyn Db, module: ModuleTree) -> Vec<DefinitionId> {
    let files = module.files(db).iter().filter(|(path, _)| path.starts_with("manifests/"));
    let definitions = files.flat_map(|(_, file)| project::definitions(db, *file));
    definitions.filter(|definition| definition.key(db).kind == DefinitionKind::Class).collect()
}
