//! Queries that depend on a single file.

use std::sync::Arc;

use codes::Code;
use hir::{
    Body, BodySourceMap, DefinitionKey, DefinitionKind, DefinitionRanges, DefinitionSummary, ItemSummary,
    KeyOrder, LoweredDefinition, LoweredFile, Name, NameUse,
};
use plugins::code::RubyProgram;
use plugins::erb::ErbTemplate;
use syntax::ast::{self, AstNode};
use syntax::{Language, LineMap, Parse, SyntaxNode, TextFinding};
use validation::{ExpectedNamespace, ValidationSettings};

use crate::bolt::yaml_plan::{is_yaml_plan, yaml_plan};
use crate::data_names::{data_name_uses, interpolated_names};
use crate::open_files::parts::{self, file_parts, part_of};

use super::inputs::ENVIRONMENT_MODULE;
use crate::vfs::{AUTOLOAD_FOLDERS, FilePath};
use crate::{Db, File, FileKind, FileRole, file_kind, recent_trees};

/// A definition of a file; the key of every query about a definition. Stays the same as long as the file has
/// a definition of this kind and name, wherever it is in the file.
#[salsa::interned(unsafe(no_lifetime), revisions = usize::MAX, debug)]
pub struct DefinitionId {
    #[returns(copy)]
    pub file: File,
    #[returns(ref)]
    pub key: DefinitionKey,
}

/// Returns the text of a file; `None` if it has no readable text.
pub fn text(db: &dyn Db, file: File) -> Option<Arc<str>> {
    file.contents(db).text()
}

/// Returns the language of a file, by its name and location.
#[salsa::tracked(returns(copy))]
pub fn language(db: &dyn Db, file: File) -> Language {
    if file.path(db).extension() == Some("epp") {
        return Language::Epp;
    }
    let is_plan = match file.role(db) {
        FileRole::Module { relative, .. } if relative.starts_with("plans/") => true,
        // A Bolt project may have no other mark that Puppet knows, and tests have their own modules.
        FileRole::Module { .. } | FileRole::Loose => is_below_plans(file.path(db)) && holds_a_plan(db, file),
        FileRole::MainManifest => false,
    };
    let tasks = || file.environments(db).first().is_some_and(|environment| environment.tasks(db));
    if is_plan || tasks() { Language::Plan } else { Language::Manifest }
}

fn is_below_plans(path: &FilePath) -> bool {
    path.parent().is_some_and(|folder| folder.as_str().split('/').any(|name| name == "plans"))
}

fn holds_a_plan(db: &dyn Db, file: File) -> bool {
    let text = file.contents(db).text();
    text.is_some_and(|text| text.lines().any(|line| line.starts_with("plan ")))
}

/// Sets the LRU capacity, in files, of the queries in this module.
pub(crate) fn set_lru_capacities(db: &mut dyn Db, files: usize) {
    item_summary::set_lru_capacity(db, 4 * files);
    documentation::set_lru_capacity(db, files);
    signature::set_lru_capacity(db, 16 * files);
    definition_ranges::set_lru_capacity(db, files);
    file_location::set_lru_capacity(db, files);
}

/// Parses a file. Trees are kept for the most recently used files. An unreadable file is parsed as empty.
// Different texts have different trees, so comparing trees would be pointless.
#[salsa::tracked(returns(clone), no_eq, lru = 64)]
pub fn parse(db: &dyn Db, file: File) -> Parse {
    match source_text(db, file) {
        Some(text) => {
            let _span = parse_span(db, file, &text);
            file.last_trees(db).parse(None, &text, language(db, file))
        }
        None => syntax::parse("", language(db, file)),
    }
}

/// Parses a file for a single use: the tree is kept only if the file is open.
pub fn parse_once(db: &dyn Db, file: File) -> Parse {
    match source_text(db, file) {
        Some(text) if !file.is_open_in_editor(db) => recent_trees::find(&text, language(db, file))
            .unwrap_or_else(|| {
                let _span = parse_span(db, file, &text);
                recent_trees::make(&text, language(db, file))
            }),
        _ => parse(db, file),
    }
}

fn parse_span(db: &dyn Db, file: File, text: &str) -> tracing::span::EnteredSpan {
    tracing::info_span!("parse", path = file.path(db).as_str(), bytes = text.len()).entered()
}

/// Returns the text of a manifest or template; `None` for other files, so that they are never parsed as
/// Puppet code.
fn source_text(db: &dyn Db, file: File) -> Option<Arc<str>> {
    if file_kind(db, file).is_source() { file.contents(db).text() } else { None }
}

fn has_source_text(db: &dyn Db, file: File) -> bool {
    file_kind(db, file).is_source() && file.contents(db).has_text()
}

/// Returns the line starts of a file.
#[salsa::tracked(returns(clone), lru = 64)]
pub fn line_map(db: &dyn Db, file: File) -> Arc<LineMap> {
    if file.is_open_in_editor(db) && has_source_text(db, file) {
        return parse(db, file).lines().clone();
    }
    let text = file.contents(db).text();
    Arc::new(LineMap::new(text.as_deref().unwrap_or_default()))
}

/// Returns the definitions of a file, without offsets; empty for a file above the size limit.
#[salsa::tracked(returns(ref), lru = 0)]
pub fn item_summary(db: &dyn Db, file: File) -> ItemSummary {
    let _span = tracing::info_span!("item_summary").entered();
    if file.is_large(db) || !has_source_text(db, file) {
        return ItemSummary::default();
    }
    match file_parts(db, file) {
        [] => hir::summarize(&parse_once(db, file)),
        parts => parts::summary_of_parts(db, parts),
    }
}

/// Returns the keys of a file's definitions, without its main program. Unaffected by edits to comments.
#[salsa::tracked(returns(ref))]
pub fn defined_names(db: &dyn Db, file: File) -> DefinedNames {
    let _span = tracing::info_span!("defined_names").entered();
    let definitions = item_summary(db, file).definitions.iter().skip(1);
    let keys: Box<[DefinitionKey]> = definitions.map(|definition| definition.key.clone()).collect();
    let order = KeyOrder::new(keys.len(), |at| &keys[at]);
    DefinedNames { keys, order }
}

/// Keys of a file's definitions, in source order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DefinedNames {
    keys: Box<[DefinitionKey]>,
    order: KeyOrder,
}

impl DefinedNames {
    /// Returns the first definition of a kind and name.
    pub(crate) fn first_of(&self, kind: DefinitionKind, name: &Name) -> Option<&DefinitionKey> {
        let wanted = DefinitionKey { kind, name: name.clone(), ordinal: 0 };
        self.keys.get(self.order.position(&wanted, self.keys.len(), |at| &self.keys[at])?)
    }
}

impl std::ops::Deref for DefinedNames {
    type Target = [DefinitionKey];

    fn deref(&self) -> &[DefinitionKey] {
        &self.keys
    }
}

/// Returns the signature of a definition, without documentation; `None` if the file has no such definition
/// (any more).
#[salsa::tracked(returns(ref), lru = 0)]
pub fn signature(db: &dyn Db, definition: DefinitionId) -> Option<Arc<DefinitionSummary>> {
    let _span = tracing::info_span!("signature").entered();
    Some(Arc::new(definition_summary(db, definition)?.without_documentation()))
}

/// Returns the comment directly above a definition.
#[salsa::tracked(returns(clone), lru = 0)]
pub fn documentation(db: &dyn Db, definition: DefinitionId) -> Option<Arc<str>> {
    definition_summary(db, definition)?.documentation.clone()
}

fn definition_summary(db: &dyn Db, definition: DefinitionId) -> Option<&DefinitionSummary> {
    if is_yaml_plan(db, definition.file(db)) {
        return yaml_plan(db, definition.file(db)).as_ref()?.summary.get(definition.key(db));
    }
    match part_of(db, definition) {
        Some(part) => parts::part_summary(db, part).get(definition.key(db)),
        None => item_summary(db, definition.file(db)).get(definition.key(db)),
    }
}

/// Lowers all definitions of a file: one walk over the tree serves all bodies and source maps.
#[salsa::tracked(returns(ref), no_eq, lru = 64)]
fn lowered_file(db: &dyn Db, file: File) -> LoweredFile {
    let _span = tracing::info_span!("lowered_file").entered();
    if file.is_large(db) || !has_source_text(db, file) {
        return LoweredFile::default();
    }
    hir::lower_file(&parse_once(db, file))
}

/// Returns the definitions of a file, its main program first.
pub fn definitions(db: &dyn Db, file: File) -> Vec<DefinitionId> {
    let definitions = item_summary(db, file).definitions.iter();
    definitions.map(|definition| DefinitionId::new(db, file, definition.key.clone())).collect()
}

/// Returns the body of a definition. Stays equal after edits that only change whitespace, comments, or other
/// definitions.
#[salsa::tracked(returns(clone), lru = 1024)]
pub fn body(db: &dyn Db, definition: DefinitionId) -> Arc<Body> {
    match lowered(db, definition) {
        Some(lowered) => lowered.body.clone(),
        None => Arc::new(Body::missing()),
    }
}

/// Returns the locations of the expressions of a definition's body.
#[salsa::tracked(returns(clone), lru = 128)]
pub fn body_source_map(db: &dyn Db, definition: DefinitionId) -> Arc<BodySourceMap> {
    let Some(lowered) = lowered(db, definition) else { return Arc::default() };
    match part_of(db, definition) {
        Some(part) => Arc::new(lowered.source_map.shifted(part.start(db))),
        None => lowered.source_map.clone(),
    }
}

/// Returns a definition as it was lowered with its file, or with its part of the file.
fn lowered(db: &dyn Db, definition: DefinitionId) -> Option<&LoweredDefinition> {
    let (file, key) = (definition.file(db), definition.key(db));
    if is_yaml_plan(db, file) {
        return yaml_plan(db, file).as_ref()?.lowered.get(key);
    }
    if file_parts(db, file).is_empty() {
        return lowered_file(db, file).get(key);
    }
    match part_of(db, definition) {
        Some(part) => parts::lowered_part(db, part).get(key),
        None => Some(parts::lowered_main(db, file)).filter(|it| it.key == *key),
    }
}

/// Returns the name of the module that a file belongs to.
pub(crate) fn module_of(db: &dyn Db, file: File) -> Option<&str> {
    match file.role(db) {
        FileRole::Module { module, .. } => Some(module.name(db).as_str()),
        FileRole::MainManifest | FileRole::Loose => None,
    }
}

/// Returns every Puppet name in a manifest, a template or Hiera's files, by position; empty for other files,
/// and for a file above the size limit.
#[salsa::tracked(returns(clone), lru = 256)]
pub fn name_uses(db: &dyn Db, file: File) -> Arc<[NameUse]> {
    let _span = tracing::info_span!("name_uses").entered();
    let Some(text) = file.contents(db).text().filter(|_| !file.is_large(db)) else { return Arc::default() };
    match file_kind(db, file) {
        FileKind::Manifest | FileKind::EppTemplate => match file_parts(db, file) {
            [] => {
                let mut uses = hir::name_uses(&parse_once(db, file));
                hir::insert_module_name(&mut uses, || module_of(db, file));
                uses.into()
            }
            parts => parts::name_uses_of_parts(db, file, parts).into(),
        },
        FileKind::ErbTemplate => hir::erb_name_uses(&text).into(),
        FileKind::Data => match hiera::DataFormat::of_path(file.path(db).as_str()) {
            Some(format) => data_name_uses(format, &text).into(),
            None => Arc::default(),
        },
        FileKind::HieraConfiguration => interpolated_names(&text).into(),
        _ => Arc::default(),
    }
}

/// Returns the parsed ERB template; `None` for a file without text, and for one above the size limit.
#[salsa::tracked(returns(clone), lru = 128)]
pub fn erb_template(db: &dyn Db, file: File) -> Option<Arc<ErbTemplate>> {
    let _span = tracing::info_span!("erb_template").entered();
    let text = file.contents(db).text().filter(|_| !file.is_large(db))?;
    Some(Arc::new(plugins::erb::read(&text)))
}

/// Returns the parsed Ruby file of a module; `None` for a file without text, and for one above the size
/// limit.
#[salsa::tracked(returns(clone), lru = 128)]
pub fn ruby_program(db: &dyn Db, file: File) -> Option<Arc<RubyProgram>> {
    let _span = tracing::info_span!("ruby_program").entered();
    let text = file.contents(db).text().filter(|_| !file.is_large(db))?;
    let FileRole::Module { relative, .. } = file.role(db) else { return None };
    Some(Arc::new(plugins::code::read(relative, &text)))
}

/// Returns the ranges of a file's definitions, in the order of [`item_summary`].
#[salsa::tracked(returns(ref), lru = 0)]
pub fn definition_ranges(db: &dyn Db, file: File) -> Box<[DefinitionRanges]> {
    if item_summary(db, file).definitions.is_empty() {
        return Box::default();
    }
    match file_parts(db, file) {
        [] => hir::definition_ranges(&parse_once(db, file)).into(),
        parts => parts::ranges_of_definitions(db, file, parts).into(),
    }
}

/// Returns the namespace that Puppet expects for definitions in a file, as far as its location determines it
/// for certain.
#[salsa::tracked(returns(ref), lru = 0)]
pub fn file_location(db: &dyn Db, file: File) -> ExpectedNamespace {
    let FileRole::Module { module, relative } = file.role(db) else { return ExpectedNamespace::Free };
    if !module.name_is_certain(db) {
        return ExpectedNamespace::Free;
    }
    location_in_module(module.name(db), relative)
}

/// Returns the settings of the static rules for a file.
pub fn validation_settings(db: &dyn Db, file: File) -> ValidationSettings {
    let environment = file.environments(db).first();
    let strict = environment.map(|it| it.strict(db)).unwrap_or_default();
    let version = environment.map(|it| it.puppet_version(db)).unwrap_or_default();
    ValidationSettings { strict, version, location: file_location(db, file).clone() }
}

/// Returns findings for the parameters of classes and defined types below a node that are named like a
/// metaparameter, in source order. Puppet refuses to declare such a definition, or only warns if the
/// parameter has a default.
pub fn parameters_like_metaparameters(root: &SyntaxNode) -> Vec<TextFinding> {
    let definitions = root.descendants().filter_map(ast::Definition::cast);
    let parameters = definitions
        .filter(|it| matches!(it, ast::Definition::ClassDefinition(_) | ast::Definition::DefinedType(_)))
        .filter_map(|it| it.parameters())
        .flat_map(|list| list.parameters());
    let found = parameters.filter_map(|parameter| {
        let name = parameter.name()?;
        plugins::built_in::metaparameter(&name)?;
        let (code, message) = match parameter.default() {
            None => {
                let problem = format!("parameter `${name}` has the name of a metaparameter");
                let message = codes::with_help(problem, "rename the parameter, or give it a default");
                (Code::ParameterLikeMetaparameter, message)
            }
            Some(_) => {
                let message = format!(
                    "parameter `${name}` has the name of a metaparameter; resources declared here inherit its value"
                );
                (Code::InheritedMetaparameter, message)
            }
        };
        Some(TextFinding::new(code, parameter.syntax().text_range(), message))
    });
    found.collect()
}

/// Returns true if a text may have a parameter that is named like a metaparameter. Few texts have such a name
/// after a `$`.
pub fn may_name_metaparameters(text: &str) -> bool {
    let names = plugins::built_in::metaparameters();
    let is_one = |variable: &str| names.iter().any(|it| variable.starts_with(it.name.as_str()));
    text.split('$').skip(1).any(is_one)
}

/// Returns the likely namespace of a file by the names of its folders, even if nothing confirms the name of
/// its module.
pub fn likely_location(db: &dyn Db, file: File) -> ExpectedNamespace {
    match file.role(db) {
        FileRole::Module { module, relative } if module.name(db) != ENVIRONMENT_MODULE => {
            location_in_module(module.name(db), relative)
        }
        _ => ExpectedNamespace::Free,
    }
}

/// Returns the expected namespace of a manifest by its path relative to the folder of `module`.
fn location_in_module(module: &Name, relative: &str) -> ExpectedNamespace {
    let relative = relative.to_ascii_lowercase();
    let Some(path) = relative.strip_suffix(".pp") else { return ExpectedNamespace::Free };
    let Some((folder, path)) = path.split_once('/') else { return ExpectedNamespace::Free };
    if AUTOLOAD_FOLDERS.contains(&folder) {
        let namespace = match path {
            "init" => module.to_string(),
            _ => format!("{module}::{}", path.replace('/', "::")),
        };
        return ExpectedNamespace::Module { namespace };
    }
    // Other folders contain examples, tests and files to be served. Files in a misspelled folder are meant
    // to be loaded, but never are.
    let is_misspelled = AUTOLOAD_FOLDERS.iter().any(|right| right.strip_suffix('s') == Some(folder));
    if is_misspelled { ExpectedNamespace::Misplaced } else { ExpectedNamespace::Free }
}
