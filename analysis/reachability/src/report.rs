//! Verdicts on all items of an environment.

use std::sync::Arc;

use hir::Name;
use project::{Db, Environment, File};
use smol_str::SmolStr;
use syntax::TextRange;

use super::verdict::UseVerdict;
use crate::closure::{OpenCause, ReachKind, ReachSearch};
use crate::items::{Item, ItemIndex, ItemKind, TextReader, foreign_modules, own_modules};
use crate::modules::{OUTSIDE, is_production, lacks_modules};
use crate::pattern::{FactTable, PatternKind};
use crate::{levels, modules};

/// Items of an environment, and whether its nodes reach them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Reachability {
    /// All items of the repository itself, and modules that are unused or open, by kind and location.
    pub items: Vec<(Item, UseVerdict)>,
    /// Locations that open reasons name, by reason.
    pub origins: Vec<(SmolStr, File, TextRange)>,
    /// Modules in the repository that others maintain, and whose items are not listed.
    pub foreign_modules: Vec<Name>,
}

/// Classification of nodes from outside of the repository, as far as it is known.
#[derive(Clone, Default, Debug)]
pub struct ReachabilityRoots {
    /// Classes that a node classifier assigns, in all.
    pub classes: Vec<Name>,
    /// True if the classes of all nodes are known: from the repository, or from `classes`.
    pub are_complete: bool,
    /// Facts of all nodes, if they are known.
    pub facts: Option<FactTable>,
}

/// Returns true if an environment is that of a control repository, and not a module or a loose folder.
pub fn is_control_repository(db: &dyn Db, environment: Environment) -> bool {
    let Some(tree) = project::environment_tree(db, environment) else { return false };
    let files = tree.files(db);
    let has = |name: &str| files.contains_key(name);
    let is_repository = has("environment.conf") || has("Puppetfile");
    // The test fixtures of a module may look like a repository.
    let root = environment.root(db).as_ref();
    let is_outside_tests = root.is_some_and(|it| !it.as_str().contains("/spec/fixtures"));
    is_outside_tests && (is_repository || (has("hiera.yaml") && !has("metadata.json")))
}

/// Returns the paths of the facts in computed names of an environment, which [`FactTable`] should have.
pub fn facts_in_names(db: &dyn Db, environment: Environment) -> Vec<SmolStr> {
    let items = ItemIndex::new(db, environment, &|_| None);
    let mentions = items.units.iter().filter_map(|it| it.mentions.get());
    let facts = mentions.flat_map(|it| it.patterns.iter()).filter_map(|it| it.facts.as_ref());
    let mut paths: Vec<SmolStr> = facts.flatten().cloned().collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// Returns what the nodes of an environment reach. `read` reads templates that are not part of the project.
pub fn reachability(
    db: &dyn Db,
    environment: Environment,
    roots: &ReachabilityRoots,
    read: TextReader<'_>,
) -> Reachability {
    let _span = tracing::info_span!("reachability").entered();
    let own = own_modules(db, environment);
    let unread = levels::unused(db, environment, &own);
    let mut items = ItemIndex::new(db, environment, read);
    items.other_data(db, environment, &unread, read);
    let mut closure = ReachSearch::new(&items, roots.facts.as_ref());
    closure.follow_roots(&roots.classes);
    closure.follow_patterns();
    let is_classified_outside = open_by_classifier(&mut closure, &items, roots);
    open_by_missing_modules(db, environment, &mut closure, &items);
    closure.follow_patterns();
    closure.follow_plans();
    closure.follow_tests();
    let mut found =
        Reachability { foreign_modules: foreign_modules(db, environment), ..Reachability::default() };
    let reasons = reasons(db, &closure, &mut found);
    for (item, reach) in items.all.iter().zip(&closure.reached).filter(|(item, _)| item.is_own) {
        let verdict = match reach {
            Some(ReachKind::Used) => UseVerdict::Used,
            Some(ReachKind::Open(cause)) => UseVerdict::Open(reasons[*cause].clone()),
            Some(ReachKind::Plan) => UseVerdict::Open("only plans and tasks use it".into()),
            Some(ReachKind::Test) => UseVerdict::Unused { only_tests: true },
            None => match items.unsound.get(&item.module) {
                Some(_) if item.kind == ItemKind::HieraKey => {
                    UseVerdict::Open("code has syntax errors".into())
                }
                _ => UseVerdict::Unused { only_tests: false },
            },
        };
        found.items.push((item.clone(), verdict));
    }
    let not_examined = UseVerdict::Open("its keys are unknown: the file is too large or unreadable".into());
    let own_unread = items.unread_data.iter().filter(|it| it.is_own);
    found.items.extend(own_unread.map(|it| (it.clone(), not_examined.clone())));
    found.items.extend(unread.into_iter().map(|it| (it, UseVerdict::Unused { only_tests: false })));
    found.items.extend(modules::judged(db, environment, &items, &closure, &own, is_classified_outside));
    found.items.sort_by(|(a, _), (b, _)| {
        let key = |it: &Item| (it.kind, it.locations.first().map(|it| it.file.path(db).as_str().to_owned()));
        (key(a), a.locations.first().map(|it| it.range.start))
            .cmp(&(key(b), b.locations.first().map(|it| it.range.start)))
    });
    found
}

/// Marks the classes that a node classifier may assign, if the repository does not classify all nodes. Returns true
/// in that case.
fn open_by_classifier(closure: &mut ReachSearch<'_>, items: &ItemIndex, roots: &ReachabilityRoots) -> bool {
    if roots.are_complete {
        return false;
    }
    let classes = (0..items.all.len()).filter(|it| items.all[*it].kind == ItemKind::Class);
    let classes: Vec<usize> = classes.collect();
    let is_reached = |item: &&usize| is_production(closure.reached[**item]);
    let is_role = |item: &&usize| matches!(items.all[**item].module.as_str(), "role" | "roles");
    let own: Vec<&usize> = classes.iter().filter(|it| items.all[**it].is_own).collect();
    let considered: Vec<&usize> = if own.is_empty() { classes.iter().collect() } else { own };
    let reached = considered.iter().filter(|it| is_reached(it)).count();
    let mut roles = classes.iter().filter(is_role).peekable();
    let lacks_roles = roles.peek().is_some() && !roles.any(|it| is_reached(&it));
    // Repositories have old classes, but seldom more than used ones.
    // Puppet Enterprise classifies nodes in its console too.
    let is_enterprise = items.all.iter().any(|it| it.name.starts_with("puppet_enterprise::"));
    let factor = if items.classifies_nodes { 3 } else { 2 };
    let is_plausible = reached > 0 && reached * factor >= considered.len();
    let is_known = is_plausible && !lacks_roles && (items.classifies_nodes || !is_enterprise);
    if considered.is_empty() || is_known {
        return false;
    }
    let rest: Vec<usize> = classes.iter().filter(|it| !is_reached(it)).copied().collect();
    closure.open(rest.into_iter(), OUTSIDE.to_owned());
    true
}

/// Marks the keys of modules that are not installed.
fn open_by_missing_modules(
    db: &dyn Db,
    environment: Environment,
    closure: &mut ReachSearch<'_>,
    items: &ItemIndex,
) {
    let expected = project::expected_modules(db, environment);
    let has_list = project::puppetfile(db, environment).is_some();
    let present = environment.modules(db);
    let lacks_modules = lacks_modules(db, environment);
    let own = own_modules(db, environment);
    let mut open: std::collections::BTreeMap<Name, Vec<usize>> = std::collections::BTreeMap::new();
    for (index, item) in items.all.iter().enumerate() {
        if closure.reached[index].is_some() {
            continue;
        }
        let module: Name = match item.kind {
            ItemKind::HieraKey => item.name.split("::").next().unwrap_or_default().into(),
            _ => continue,
        };
        if module == item.name {
            continue;
        }
        let is_of_enterprise = module.starts_with("pe_") || module == "puppet_enterprise";
        let is_missing = !present.contains_key(&module)
            && (!has_list
                || expected.contains(&module)
                || is_of_enterprise
                || closure.live_words.contains(&module));
        // A missing module may include the class of another one.
        let is_of_others = present.contains_key(&module) && lacks_modules && !own.contains(&&module);
        if is_missing || is_of_others {
            open.entry(module).or_default().push(index);
        }
    }
    for (module, keys) in open {
        let reason = if present.contains_key(&module) {
            "modules that are not installed may use its class".to_owned()
        } else {
            format!("module `{module}` is not installed")
        };
        closure.open(keys.into_iter(), reason);
    }
}

/// Describes the reasons why items are open.
fn reasons(db: &dyn Db, closure: &ReachSearch<'_>, found: &mut Reachability) -> Vec<SmolStr> {
    let mut reasons = Vec::new();
    for cause in &closure.causes {
        let (text, origin) = match cause {
            OpenCause::Outside(reason) => (reason.clone(), None),
            OpenCause::UnreadTemplate(file) => {
                ("a template that is not read may use it".to_owned(), Some((*file, TextRange::empty(0))))
            }
            OpenCause::UnreadData(file) => {
                ("a data file that is not read may name it".to_owned(), Some((*file, TextRange::empty(0))))
            }
            OpenCause::Computed { file, range, kind } => {
                (computed(db, *file, *range, *kind), Some((*file, *range)))
            }
        };
        let text: SmolStr = text.into();
        if let Some((file, range)) = origin {
            found.origins.push((text.clone(), file, range));
        }
        reasons.push(text);
    }
    reasons
}

/// Maximum length of code in a reason, in characters.
const MAX_CODE: usize = 60;

fn computed(db: &dyn Db, file: File, range: TextRange, kind: PatternKind) -> String {
    let text = project::text(db, file).unwrap_or_default();
    let code = text.get(range.as_range()).unwrap_or_default();
    let mut line: String = code.lines().next().unwrap_or_default().chars().take(MAX_CODE).collect();
    if line.len() < code.len() {
        line.push('…');
    }
    if line.is_empty() {
        return "may be named by computed names in Ruby code".to_owned();
    }
    let what = match kind {
        PatternKind::Any | PatternKind::HieraKey => "the string",
        PatternKind::Class => "the class name",
        PatternKind::ResourceType => "the resource type",
        PatternKind::Function => "the function name",
        PatternKind::Template => "the template",
        PatternKind::File => "the path",
    };
    format!("may be named by {what} `{line}`")
}

/// Returns what the nodes of an environment reach, judged by its files alone.
#[salsa::tracked(returns(clone))]
pub fn unused_items(db: &dyn Db, environment: Environment) -> Arc<Reachability> {
    Arc::new(reachability(db, environment, &ReachabilityRoots::default(), &|_| None))
}
