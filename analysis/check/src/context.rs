//! What a rule looks at: one file with its definitions, and a place for what is found.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hir::{Body, BodySourceMap, DefinitionKey, ExprId, Name, NameUse};
use project::{Db, DefinitionId, Environment, File, FileKind, PuppetVersion};
use syntax::{Severity, SyntaxNode, TextRange};

use crate::Diagnostic;

/// A file that rules look at.
pub(crate) struct Context<'db> {
    pub(crate) db: &'db dyn Db,
    pub(crate) file: File,
    pub(crate) environment: Environment,
    /// The main program first.
    pub(crate) definitions: Vec<Definition<'db>>,
    /// Every name that is written in the file, by position.
    pub(crate) uses: Arc<[NameUse]>,
    /// Modules that are used and not there, each with the first place.
    pub(crate) missing_modules: BTreeMap<Name, TextRange>,
    /// Variables that the main manifest sets, when somebody has asked.
    pub(crate) top_scope: OnceCell<BTreeSet<Name>>,
    tree: OnceCell<SyntaxNode>,
    /// Statements that hold a syntax error: nothing in them can be believed.
    broken: Vec<TextRange>,
    found: Vec<Diagnostic>,
}

/// One definition of the file.
pub(crate) struct Definition<'db> {
    pub(crate) id: DefinitionId,
    pub(crate) key: &'db DefinitionKey,
    pub(crate) body: Arc<Body>,
    pub(crate) map: Arc<BodySourceMap>,
    /// Is there a syntax error in it? Then what it does not say proves nothing.
    pub(crate) is_broken: bool,
}

impl Definition<'_> {
    /// Where an expression stands.
    pub(crate) fn range(&self, expr: ExprId) -> Option<TextRange> {
        Some(self.map.node(expr)?.range)
    }
}

impl<'db> Context<'db> {
    /// `None` for a file that is no manifest or EPP template, has no text, is too large, or lies in no environment.
    pub(crate) fn new(db: &'db dyn Db, file: File) -> Option<Context<'db>> {
        let is_code = matches!(project::file_kind(db, file), FileKind::Manifest | FileKind::EppTemplate);
        if !is_code || file.is_large(db) || file.contents(db).text().is_none() {
            return None;
        }
        let environment = *file.environments(db).first()?;
        let tree = OnceCell::new();
        let errors: Vec<TextRange> = crate::syntax_diagnostics(db, file)
            .iter()
            .filter(|it| it.severity == Severity::Error && crate::rules::is_syntax_error(it.code))
            .map(|it| it.range)
            .collect();
        let broken = if errors.is_empty() {
            Vec::new()
        } else {
            let root = tree.get_or_init(|| project::parse_once(db, file).syntax());
            errors.iter().map(|range| statement_around(root, *range)).collect()
        };
        let definitions = project::definitions(db, file).into_iter().map(|id| {
            let map = project::body_source_map(db, id);
            let whole = map.definition().map(|it| it.range);
            let is_broken =
                errors.iter().any(|error| whole.is_some_and(|it| it.intersects_or_touches(*error)));
            Definition { id, key: id.key(db), body: project::body(db, id), map, is_broken }
        });
        let definitions = definitions.collect();
        Some(Context {
            db,
            file,
            environment,
            definitions,
            uses: project::name_uses(db, file),
            missing_modules: BTreeMap::new(),
            top_scope: OnceCell::new(),
            tree,
            broken,
            found: Vec::new(),
        })
    }

    /// The root of the file's tree. Ask only where something is to be said: the tree of a closed file is made for this.
    pub(crate) fn tree(&self) -> &SyntaxNode {
        self.tree.get_or_init(|| project::parse_once(self.db, self.file).syntax())
    }

    /// The node of an expression.
    pub(crate) fn node(&self, definition: &Definition<'_>, expr: ExprId) -> Option<SyntaxNode> {
        definition.map.node(expr)?.to_node(self.tree())
    }

    /// The node of a definition.
    pub(crate) fn definition_node(&self, definition: &Definition<'_>) -> Option<SyntaxNode> {
        definition.map.definition()?.to_node(self.tree())
    }

    pub(crate) fn version(&self) -> PuppetVersion {
        self.environment.puppet_version(self.db)
    }

    /// Takes a finding in, unless it stands in a statement with a syntax error.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        if !self.broken.iter().any(|range| range.intersects_or_touches(diagnostic.range)) {
            self.found.push(diagnostic);
        }
    }

    /// All that was found, by position.
    pub(crate) fn finish(mut self) -> Arc<[Diagnostic]> {
        self.found.sort_by_key(|it| (it.range.start, it.range.end, it.severity, it.code));
        self.found.dedup();
        self.found.into()
    }
}

/// The statement that an error stands in.
fn statement_around(root: &SyntaxNode, error: TextRange) -> TextRange {
    use syntax::SyntaxKind::*;
    let Some(element) = root.covering_element(error) else { return error };
    let mut node = match element {
        syntax::SyntaxElement::Node(node) => node,
        syntax::SyntaxElement::Token(token) => match token.parent() {
            Some(node) => node,
            None => return error,
        },
    };
    loop {
        let Some(parent) = node.parent() else { return node.text_range() };
        if matches!(parent.kind(), BLOCK | SOURCE_FILE) && node.kind() != BLOCK {
            return node.text_range();
        }
        node = parent;
    }
}
