//! Subjects of compiles: node definitions and classes, with the facts to compile them with.

use crate::subject::{NamedFacts, Subject};
use crate::{subject, workspace};
use compile::EntryPoint;
use ide::{Analysis, EnvironmentId, NodeMatcher};

/// Subject of one compile: a node definition, or a class and its module.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CompiledEntry {
    /// Name as written in the source.
    pub name: String,
    pub is_class: bool,
    /// Name of the node; `None` for classes and if none is known.
    node: Option<String>,
    /// True if the node name was made up to match a pattern.
    pub is_invented: bool,
}

impl CompiledEntry {
    pub fn class(name: String) -> CompiledEntry {
        CompiledEntry { name, is_class: true, node: None, is_invented: false }
    }

    /// Creates an entry for a node with this name.
    pub fn named(name: String) -> CompiledEntry {
        CompiledEntry { node: Some(name.clone()), name, is_class: false, is_invented: false }
    }

    pub fn from_matcher(matcher: NodeMatcher) -> CompiledEntry {
        let NodeMatcher { written, node, is_invented, .. } = matcher;
        CompiledEntry { name: written, is_class: false, node, is_invented }
    }

    /// Returns the module of a class.
    pub fn module(&self) -> Option<String> {
        self.is_class.then(|| module_of(&self.name).to_owned())
    }

    pub fn entry_point(&self) -> EntryPoint {
        if self.is_class {
            EntryPoint::ClassWithAnyParameters(self.name.as_str().into())
        } else {
            EntryPoint::MainManifest
        }
    }

    /// Returns the name of the node.
    pub fn node(&self) -> Option<&str> {
        self.node.as_deref()
    }
}

/// Returns the name of the module of a class.
pub fn module_of(class: &str) -> &str {
    class.split("::").next().unwrap_or_default()
}

/// Returns the node definitions of an environment. If there are none, returns the top-level code of the main
/// manifest and the classes below the selected folder.
pub fn entries(
    subject: &Subject,
    analysis: &Analysis,
    environment: EnvironmentId,
) -> anyhow::Result<Vec<CompiledEntry>> {
    let nodes = analysis.nodes(environment)?;
    if !nodes.iter().all(|it| it.is_any) {
        return Ok(nodes.into_iter().map(CompiledEntry::from_matcher).collect());
    }
    let folder = subject.folder.as_deref().and_then(workspace::absolute_path);
    let is_selected = |class: &String| {
        let root = analysis.module_root(environment, module_of(class));
        root.is_some_and(|root| folder.as_ref().is_none_or(|folder| root.starts_with(folder)))
    };
    let classes = analysis.classes(environment)?.into_iter().filter(is_selected).map(CompiledEntry::class);
    // The top-level code of the main manifest goes first.
    Ok(nodes.into_iter().map(CompiledEntry::from_matcher).chain(classes).collect())
}

/// Returns the fact sets for an entry: those that the user named, otherwise those of the platforms that the
/// module of a class supports.
pub fn facts_for_entry(
    subject: &Subject,
    analysis: &Analysis,
    environment: EnvironmentId,
    entry: &CompiledEntry,
    named: &[NamedFacts],
) -> anyhow::Result<Vec<NamedFacts>> {
    if !named.is_empty() {
        return Ok(named.to_vec());
    }
    let version = subject.puppet_version();
    let root = entry.is_class.then(|| analysis.module_root(environment, module_of(&entry.name))).flatten();
    let metadata = match root {
        Some(root) => match analysis.file_id(&root.join("metadata.json")) {
            Some(file) => analysis.text(file)?,
            None => None,
        },
        None => None,
    };
    let metadata = metadata.filter(|it| it.len() <= subject.config.settings.large_file_limit);
    let platforms = facts::supported(metadata.as_deref()).platforms;
    Ok(platforms.into_iter().map(|platform| subject::platform_facts(platform, version)).collect())
}
