//! Modules of which nothing is used.

use hir::Name;
use project::{Db, Environment, ModuleTree};
use rustc_hash::FxHashSet;
use syntax::TextRange;

use super::verdict::UseVerdict;
use crate::closure::{ReachKind, ReachSearch};
use crate::items::{Item, ItemIndex, ItemKind, ItemLocation};

/// Folders whose files nodes use without naming them.
const USED_UNNAMED: [&str; 5] =
    ["lib/facter/", "facts.d/", "lib/puppet_x/", "lib/puppetx/", "lib/puppet/provider/"];

/// Reason why classes are open if the repository does not classify all nodes.
pub(crate) const OUTSIDE: &str = "a node classifier outside of the repository may assign it";

/// Folders that make a folder a module.
const STANDARD: [&str; 8] =
    ["manifests/", "lib/", "functions/", "types/", "templates/", "files/", "facts.d/", "tasks/"];

/// Returns the modules of an environment that have code, with a verdict for those that nothing uses by name.
pub(crate) fn judged(
    db: &dyn Db,
    environment: Environment,
    items: &ItemIndex,
    closure: &ReachSearch<'_>,
    own: &[&Name],
    is_classified_outside: bool,
) -> Vec<(Item, UseVerdict)> {
    let lacks_modules = lacks_modules(db, environment);
    let mut reached: FxHashSet<&Name> = FxHashSet::default();
    for (item, reach) in items.all.iter().zip(&closure.reached) {
        if reach.is_some() && item.kind != ItemKind::HieraKey {
            reached.insert(&item.module);
        }
    }
    let modules = environment.modules(db);
    let uses_types = |module: ModuleTree| {
        let types =
            module.files(db).keys().filter_map(|it| it.strip_prefix("lib/puppet/type/")?.strip_suffix(".rb"));
        types.map(Name::from).any(|it| closure.live_words.contains(&it))
    };
    let is_used = |name: &Name, module: ModuleTree| reached.contains(name) || uses_types(module);
    let needed = dependencies(db, environment, &is_used);
    let classes = items.all.iter().filter(|it| it.kind == ItemKind::Class);
    let has_classes: FxHashSet<&Name> = classes.map(|it| &it.module).collect();
    let mut found = Vec::new();
    for (name, module) in modules.iter() {
        let is_environment = project::environment_tree(db, environment) == Some(*module);
        let is_used = is_used(name, *module) || needed.contains(name);
        let root = environment.root(db).as_ref();
        let is_inside = root.is_some_and(|root| module.root(db).starts_with(root));
        let Some((_, first)) = module.files(db).iter().next() else { continue };
        let is_module = module.files(db).keys().any(|path| STANDARD.iter().any(|it| path.starts_with(it)));
        if !is_module || is_environment || is_used || !is_inside || !items.modules.contains(name) {
            continue;
        }
        let files = module.files(db);
        let at_head = files.get("metadata.json").or_else(|| files.get("manifests/init.pp")).unwrap_or(first);
        let location = ItemLocation { file: *at_head, range: TextRange::empty(0), full: TextRange::empty(0) };
        let (kind, is_own) = (ItemKind::Module, own.contains(&name));
        let item = Item { kind, name: name.clone(), locations: vec![location], module: name.clone(), is_own };
        let adds_unnamed = files.keys().any(|path| USED_UNNAMED.iter().any(|it| path.starts_with(it)));
        let has_tasks = files.keys().any(|path| path.starts_with("tasks/") || path.starts_with("plans/"));
        let verdict = if adds_unnamed {
            UseVerdict::Open("facts, providers, and libraries are used without being named".into())
        } else if has_tasks {
            UseVerdict::Open("tasks and plans are run by Bolt".into())
        } else if is_classified_outside && has_classes.contains(name) {
            UseVerdict::Open(OUTSIDE.into())
        } else if lacks_modules && !is_own {
            UseVerdict::Open("modules that are not installed may use it".into())
        } else {
            UseVerdict::Unused { only_tests: false }
        };
        found.push((item, verdict));
    }
    found
}

/// Returns the dependencies of the modules that are used.
fn dependencies(
    db: &dyn Db,
    environment: Environment,
    is_used: &dyn Fn(&Name, ModuleTree) -> bool,
) -> FxHashSet<Name> {
    let used = environment.modules(db).iter().filter(|(name, module)| is_used(name, **module));
    used.flat_map(|(_, module)| project::module_dependencies(db, *module).iter().flatten().cloned()).collect()
}

/// Returns true if a module that the `Puppetfile` installs is missing.
pub(crate) fn lacks_modules(db: &dyn Db, environment: Environment) -> bool {
    let modules = environment.modules(db);
    environment.lacks_modules(db)
        || project::expected_modules(db, environment).iter().any(|it| !modules.contains_key(it))
}

/// Returns true if a reached item is used by catalogs, or may be.
pub(crate) fn is_production(reach: Option<ReachKind>) -> bool {
    matches!(reach, Some(ReachKind::Used | ReachKind::Open(_)))
}
