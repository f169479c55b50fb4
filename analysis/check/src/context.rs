//! [`RuleContext`], the input and output of a rule: a file or a part of one with its definitions, and the
//! findings.

use std::cell::{Cell, OnceCell};
use std::iter;
use std::sync::Arc;

use hir::{Body, BodySourceMap, DefinitionKey, ExprId, Name, NameUse};
use project::{Db, DefinitionId, Environment, File, FileKind, FilePart};
use syntax::{Parse, Severity, SyntaxNode, TextRange};
use validation::PuppetVersion;

use crate::Diagnostic;
use crate::findings::{NotedModule, SectionFindings};

/// Unit of text that rules look at. All ranges are relative to its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Section<'db> {
    /// A file that is not divided into parts.
    Whole(File),
    /// The main program of a file that is divided into parts.
    Main(File),
    Part(FilePart<'db>),
    /// The code of a plan in YAML. Ranges are in that code, not in the file.
    YamlPlan(File),
}

impl<'db> Section<'db> {
    /// Returns the sections of a file.
    pub(crate) fn of_file(db: &'db dyn Db, file: File) -> Vec<Section<'db>> {
        match project::file_parts(db, file) {
            [] => vec![Section::Whole(file)],
            parts => {
                let parts = parts.iter().map(|part| Section::Part(*part));
                std::iter::once(Section::Main(file)).chain(parts).collect()
            }
        }
    }

    pub(crate) fn file(self, db: &dyn Db) -> File {
        match self {
            Section::Whole(file) | Section::Main(file) | Section::YamlPlan(file) => file,
            Section::Part(part) => part.file(db),
        }
    }

    /// Returns the offset of the section in its file.
    pub(crate) fn start(self, db: &dyn Db) -> u32 {
        match self {
            Section::Whole(_) | Section::Main(_) | Section::YamlPlan(_) => 0,
            Section::Part(part) => part.start(db),
        }
    }

    /// Returns true if the text was read and is not too large.
    fn is_readable(self, db: &dyn Db) -> bool {
        match self {
            Section::Whole(file) => !file.is_large(db) && file.contents(db).has_text(),
            Section::Main(_) | Section::Part(_) => true,
            Section::YamlPlan(file) => project::yaml_plan(db, file).is_some(),
        }
    }

    fn parse(self, db: &dyn Db) -> Parse {
        match self {
            Section::Whole(file) | Section::Main(file) => project::parse_once(db, file),
            Section::Part(part) => project::part_parse(db, part),
            Section::YamlPlan(file) => project::yaml_plan(db, file)
                .as_ref()
                .map_or_else(|| project::parse_once(db, file), |it| it.parse.clone()),
        }
    }

    fn definitions(self, db: &dyn Db) -> Vec<DefinitionId> {
        match self {
            Section::Whole(file) => project::definitions(db, file),
            Section::Main(file) => vec![DefinitionId::new(db, file, DefinitionKey::main())],
            Section::Part(part) => project::part_definitions(db, part),
            Section::YamlPlan(file) => project::yaml_plan_definitions(db, file),
        }
    }

    fn source_map(self, db: &dyn Db, definition: DefinitionId) -> Arc<BodySourceMap> {
        match self {
            Section::Whole(_) | Section::Main(_) | Section::YamlPlan(_) => {
                project::body_source_map(db, definition)
            }
            Section::Part(part) => project::source_map_in_part(db, part, definition),
        }
    }

    fn name_uses(self, db: &dyn Db) -> Arc<[NameUse]> {
        match self {
            Section::Whole(file) => project::name_uses(db, file),
            Section::Main(file) => project::main_name_uses(db, file),
            Section::Part(part) => project::part_name_uses(db, part),
            Section::YamlPlan(file) => {
                project::yaml_plan(db, file).as_ref().map_or_else(Arc::default, |it| it.name_uses.clone())
            }
        }
    }

    /// Returns the statements that contain a syntax error, in order. Their meaning is a guess.
    pub(crate) fn broken_statements(self, db: &dyn Db) -> Vec<TextRange> {
        let errors = self.syntax_errors(db);
        if errors.is_empty() {
            return Vec::new();
        }
        let root = self.parse(db).syntax();
        merge_touching(errors.iter().flat_map(|range| statements_around(&root, *range)).collect())
    }

    fn syntax_errors(self, db: &dyn Db) -> Vec<TextRange> {
        let found = match self {
            Section::Whole(file) | Section::Main(file) => crate::syntax_diagnostics(db, file),
            Section::Part(part) => crate::syntax_rules::part_diagnostics(db, part),
            Section::YamlPlan(_) => return self.parse(db).errors().iter().map(|it| it.range).collect(),
        };
        let is_error = |it: &&syntax::TextFinding| it.severity() == Severity::Error && it.code.is_fixed();
        found.iter().filter(is_error).map(|it| it.range).collect()
    }
}

/// State of the rules for one section.
pub(crate) struct RuleContext<'db> {
    pub(crate) db: &'db dyn Db,
    pub(crate) file: File,
    pub(crate) environment: Environment,
    /// Definitions of the section. In a whole file the main program comes first.
    pub(crate) definitions: Vec<SectionDefinition<'db>>,
    /// All name uses in the section, by position.
    pub(crate) uses: Arc<[NameUse]>,
    /// Index of the running rule.
    pub(crate) rule: usize,
    section: Section<'db>,
    tree: OnceCell<SyntaxNode>,
    /// Statements with a syntax error, sorted and disjoint. Findings in them are dropped.
    broken: Vec<TextRange>,
    found: SectionFindings,
    /// Number of known names that unknown names have been compared with so far.
    compared: Cell<usize>,
}

/// Maximum number of name comparisons per section. Beyond it, diagnostics have no suggestions.
const MAX_COMPARED: usize = 4_000_000;

/// Definition in a section.
pub(crate) struct SectionDefinition<'db> {
    pub(crate) id: DefinitionId,
    pub(crate) key: &'db DefinitionKey,
    pub(crate) body: Arc<Body>,
    pub(crate) map: Arc<BodySourceMap>,
    /// True if the definition contains a syntax error, so that the absence of something in it proves nothing.
    pub(crate) is_broken: bool,
}

impl SectionDefinition<'_> {
    /// Returns the range of an expression.
    pub(crate) fn range(&self, expr: ExprId) -> Option<TextRange> {
        Some(self.map.node(expr)?.range)
    }
}

impl<'db> RuleContext<'db> {
    /// Returns the context of a section; `None` if its file has no Puppet code, has no
    /// text, is too large or belongs to no environment.
    pub(crate) fn new(db: &'db dyn Db, section: Section<'db>) -> Option<RuleContext<'db>> {
        let file = section.file(db);
        let is_source = || matches!(project::file_kind(db, file), FileKind::Manifest | FileKind::EppTemplate);
        let is_code = matches!(section, Section::YamlPlan(_)) || is_source();
        if !is_code || !section.is_readable(db) {
            return None;
        }
        let environment = *file.environments(db).first()?;
        let tree = OnceCell::new();
        let errors = section.syntax_errors(db);
        let definitions = section.definitions(db).into_iter().map(|id| {
            let map = section.source_map(db, id);
            let whole = map.definition().map(|it| it.range);
            let is_broken =
                errors.iter().any(|error| whole.is_some_and(|it| it.intersects_or_touches(*error)));
            SectionDefinition { id, key: id.key(db), body: project::body(db, id), map, is_broken }
        });
        let definitions = definitions.collect();
        Some(RuleContext {
            db,
            file,
            environment,
            definitions,
            uses: section.name_uses(db),
            rule: 0,
            section,
            tree,
            broken: section.broken_statements(db),
            found: SectionFindings::default(),
            compared: Cell::new(0),
        })
    }

    /// Returns the root of the section's syntax tree.
    ///
    /// Rules should call this only to report something: closed files are parsed again for it.
    pub(crate) fn tree(&self) -> &SyntaxNode {
        self.tree.get_or_init(|| self.section.parse(self.db).syntax())
    }

    /// Returns the syntax node of an expression.
    pub(crate) fn node(&self, definition: &SectionDefinition<'_>, expr: ExprId) -> Option<SyntaxNode> {
        definition.map.node(expr)?.to_node(self.tree())
    }

    /// Returns the syntax node of a definition.
    pub(crate) fn definition_node(&self, definition: &SectionDefinition<'_>) -> Option<SyntaxNode> {
        definition.map.definition()?.to_node(self.tree())
    }

    pub(crate) fn version(&self) -> PuppetVersion {
        self.environment.puppet_version(self.db)
    }

    /// Returns the names in `known` that are similar to the unknown name `name`; none after [`MAX_COMPARED`]
    /// comparisons.
    pub(crate) fn similar<'a, K: IntoIterator<Item: AsRef<str>>>(
        &self,
        name: &str,
        known: impl FnOnce(&RuleContext<'a>) -> K,
    ) -> Vec<Name>
    where
        'db: 'a,
    {
        if self.compared.get() >= MAX_COMPARED {
            return Vec::new();
        }
        let known = known(self).into_iter().inspect(|_| self.compared.set(self.compared.get() + 1));
        eval::similar::similar(name, known)
    }

    /// Adds a diagnostic, unless it is in a statement with a syntax error.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        if !self.is_in_broken(diagnostic.range) {
            self.found.diagnostics.push(diagnostic);
        }
    }

    /// Records the use of a module that is not installed. Only the first use in the file is reported.
    pub(crate) fn note_missing_module(&mut self, module: Name, range: TextRange) {
        let noted = self.noted(module, range);
        self.found.missing_modules.push(noted);
    }

    /// Records the use of a module that the metadata do not declare. Only the first use in the file is
    /// reported.
    pub(crate) fn note_undeclared_module(&mut self, module: Name, range: TextRange) {
        let noted = self.noted(module, range);
        self.found.undeclared_modules.push(noted);
    }

    fn noted(&self, module: Name, range: TextRange) -> NotedModule {
        NotedModule { module, rule: self.rule, range, is_hidden: self.is_in_broken(range) }
    }

    fn is_in_broken(&self, range: TextRange) -> bool {
        let at = self.broken.partition_point(|it| it.end < range.start);
        self.broken.get(at).is_some_and(|it| it.intersects_or_touches(range))
    }

    /// Returns the findings of all rules.
    pub(crate) fn finish(self) -> SectionFindings {
        self.found
    }
}

/// Sorts ranges and merges those that touch.
fn merge_touching(mut ranges: Vec<TextRange>) -> Vec<TextRange> {
    ranges.sort_unstable_by_key(|it| (it.start, it.end));
    let mut merged: Vec<TextRange> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if last.intersects_or_touches(range) => *last = last.cover(range),
            _ => merged.push(range),
        }
    }
    merged
}

/// Returns the statement around a syntax error.
///
/// The preceding statement is included if the error may be its missing end: the error is at the beginning of
/// a statement, or no line break separates the two statements.
fn statements_around(root: &SyntaxNode, error: TextRange) -> Vec<TextRange> {
    let Some(node) = statement_around(root, error) else { return vec![error] };
    let is_first = node.text_range().start >= error.start;
    let between = iter::successors(node.prev_sibling_or_token(), |it| it.as_token()?.prev_sibling_or_token());
    let mut between = between.filter_map(|it| Some(it.as_token()?.text().contains('\n')));
    let continues = is_first || !between.any(|is_line_end| is_line_end);
    let before = node.prev_sibling().filter(|_| continues);
    before.into_iter().chain([node]).map(|it| it.text_range()).collect()
}

fn statement_around(root: &SyntaxNode, error: TextRange) -> Option<SyntaxNode> {
    use syntax::SyntaxKind::*;
    let mut node = match root.covering_element(error)? {
        syntax::SyntaxElement::Node(node) => node,
        syntax::SyntaxElement::Token(token) => token.parent()?,
    };
    while let Some(parent) = node.parent() {
        if matches!(parent.kind(), BLOCK | SOURCE_FILE) && node.kind() != BLOCK {
            break;
        }
        node = parent;
    }
    Some(node)
}
