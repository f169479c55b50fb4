#![doc = include_str!("page.md")]

use codes::Code;
use hir::{DefinitionKey, DefinitionKind, HostMatch, Name};
use project::{File, FileRole, NameKind};
use rustc_hash::FxHashMap;
use syntax::TextRange;
use syntax::ast::{AstNode, Definition as DefinitionNode};

use crate::Diagnostic;
use crate::context::{RuleContext, SectionDefinition};

/// Maximum number of duplicates reported per file.
pub(crate) const MAX_DUPLICATE_DEFINITIONS: usize = 50;

const OTHER_LABEL: &str = "also defined here";

pub(super) fn check(context: &mut RuleContext<'_>) {
    let mut found = Vec::new();
    let own = OwnNames::of(context);
    for definition in &context.definitions {
        // More duplicates usually have a single cause.
        if found.len() >= MAX_DUPLICATE_DEFINITIONS {
            break;
        }
        if definition.is_broken || !has_a_name(definition.key.kind) || definition.key.name.is_empty() {
            continue;
        }
        if let Some(message) = eval::refused_alias(definition.key) {
            found.extend(at_name(context, definition, Code::ReservedTypeName, message));
            continue;
        }
        let Some((file, key)) = first_definition(context, &own, definition.key) else { continue };
        if file == context.file && key == *definition.key {
            continue;
        }
        let message = format!("duplicate definition of `{}`", definition.key.name);
        let Some(diagnostic) = at_name(context, definition, Code::DuplicateDefinition, message) else {
            continue;
        };
        found.push(match (file == context.file, range_of(context, file, &key)) {
            (_, None) => diagnostic,
            (true, Some(other)) => diagnostic.with_related(other, OTHER_LABEL),
            (false, Some(other)) => {
                diagnostic.with_related_in(file.path(context.db).clone(), other, OTHER_LABEL)
            }
        });
    }
    check_nodes(context, &mut found);
    found.into_iter().for_each(|diagnostic| context.report(diagnostic));
}

/// Returns a diagnostic at the name of a definition.
fn at_name(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    code: Code,
    message: String,
) -> Option<Diagnostic> {
    let node = DefinitionNode::cast(context.definition_node(definition)?)?;
    Some(Diagnostic::new(code, node.name()?.syntax().text_range(), message))
}

/// Reports nodes with the name of another node or a class. Puppet keeps the nodes of all main manifests in
/// one namespace with the classes.
fn check_nodes(context: &RuleContext<'_>, found: &mut Vec<Diagnostic>) {
    let has_nodes = context.definitions.iter().any(|it| it.key.kind == DefinitionKind::Node);
    if !has_nodes || !matches!(context.file.role(context.db), FileRole::MainManifest) {
        return;
    }
    let db = context.db;
    let range = |file, index: usize| Some(project::definition_ranges(db, file).get(index)?.name);
    let mut seen: FxHashMap<Name, (File, usize)> = FxHashMap::default();
    for file in context.environment.main_manifests(db).iter().copied() {
        for (index, node) in project::item_summary(db, file).definitions.iter().enumerate() {
            let hosts = node.hosts.iter().filter(|_| node.key.kind == DefinitionKind::Node);
            let is_own = context.definitions.iter().any(|it| file == context.file && *it.key == node.key);
            for (host, name) in hosts.filter_map(|host| Some((host, host.key()?))) {
                let earlier = seen.get(&name).copied();
                let class = || project::resolve(db, context.environment, NameKind::Class, &name);
                let message = match (earlier, host) {
                    (Some(_), HostMatch::Regex(pattern)) => Some(format!(
                        "duplicate node `/{pattern}/`; Puppet only compares letters, digits and dots"
                    )),
                    (Some(_), _) => Some(format!("duplicate node `{name}`")),
                    (None, HostMatch::Name(_)) if class().is_some() => {
                        Some(format!("node `{name}` has the same name as a class"))
                    }
                    _ => None,
                };
                seen.entry(name).or_insert((file, index));
                let Some((message, at)) = message.zip(range(file, index)).filter(|_| is_own) else {
                    continue;
                };
                let diagnostic = Diagnostic::new(Code::DuplicateDefinition, at, message);
                let other = earlier.and_then(|(file, index)| Some((file, range(file, index)?)));
                found.push(match other {
                    None => diagnostic,
                    Some((other, range)) if other == file => diagnostic.with_related(range, OTHER_LABEL),
                    Some((other, range)) => {
                        diagnostic.with_related_in(other.path(db).clone(), range, OTHER_LABEL)
                    }
                });
            }
        }
        if file == context.file || found.len() >= MAX_DUPLICATE_DEFINITIONS {
            return;
        }
    }
}

fn has_a_name(kind: DefinitionKind) -> bool {
    matches!(
        kind,
        DefinitionKind::Class
            | DefinitionKind::DefinedType
            | DefinitionKind::Function
            | DefinitionKind::Plan
            | DefinitionKind::TypeAlias
    )
}

/// Returns a representative of the kinds of definitions that share a namespace.
fn rival_kind(kind: DefinitionKind) -> DefinitionKind {
    match kind {
        DefinitionKind::DefinedType => DefinitionKind::Class,
        kind => kind,
    }
}

/// Definitions of the file by name, the first two of each.
struct OwnNames<'c>(FxHashMap<(DefinitionKind, &'c Name), (&'c DefinitionKey, Option<&'c DefinitionKey>)>);

impl<'c> OwnNames<'c> {
    fn of(context: &RuleContext<'c>) -> OwnNames<'c> {
        let mut names = FxHashMap::default();
        for key in context.definitions.iter().map(|it| it.key) {
            let (first, second) =
                names.entry((rival_kind(key.kind), &key.name)).or_insert((key, None::<&DefinitionKey>));
            *second = second.or(Some(key).filter(|it| *it != *first));
        }
        OwnNames(names)
    }

    /// Returns the first definition of the same name other than `key`.
    fn other_than(&self, key: &DefinitionKey) -> Option<&'c DefinitionKey> {
        let (first, second) = self.0.get(&(rival_kind(key.kind), &key.name))?;
        [Some(*first), *second].into_iter().flatten().find(|it| *it != key)
    }
}

/// Returns another definition of the same name that Puppet may load instead: one in the same file, the same
/// module (each module owns its names) or the main manifest.
fn first_definition(
    context: &RuleContext<'_>,
    own: &OwnNames<'_>,
    key: &DefinitionKey,
) -> Option<(File, DefinitionKey)> {
    let db = context.db;
    let is_same =
        |other: &DefinitionKey| other.name == key.name && rival_kind(other.kind) == rival_kind(key.kind);
    // A file that is divided into parts has no duplicate names.
    if let Some(other) = own.other_than(key) {
        return Some((context.file, other.clone()));
    }
    match context.file.role(db) {
        FileRole::Module { module, relative } => {
            // The autoloader only finds names in this folder. Copies in tests and examples are never loaded
            // together.
            if !relative.starts_with("manifests/") {
                return None;
            }
            let definitions = project::module_definitions(db, *module).iter();
            let mut others = definitions.filter(|(file, other)| *file != context.file && is_same(other));
            others.find(|(file, _)| is_autoloaded(db, *file)).cloned()
        }
        FileRole::MainManifest => {
            let files = context.environment.main_manifests(db).iter().copied();
            let mut others = files
                .filter(|file| *file != context.file)
                .flat_map(|file| project::defined_names(db, file).iter().map(move |other| (file, other)));
            others.find(|(_, other)| is_same(other)).map(|(file, other)| (file, other.clone()))
        }
        FileRole::Loose => None,
    }
}

fn is_autoloaded(db: &dyn project::Db, file: File) -> bool {
    matches!(file.role(db), FileRole::Module { relative, .. } if relative.starts_with("manifests/"))
}

/// Returns the range of a definition's name in its file.
fn range_of(context: &RuleContext<'_>, file: File, key: &DefinitionKey) -> Option<TextRange> {
    let db = context.db;
    let definitions = project::item_summary(db, file).definitions.iter();
    let index = definitions.enumerate().find(|(_, it)| it.key == *key)?.0 as u32;
    let uses = project::name_uses(db, file);
    let head = uses.iter().find(|it| it.definition == index && it.access == hir::Access::Declaration)?;
    Some(head.range)
}
