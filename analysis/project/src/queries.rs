//! What follows from one file alone.

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

use crate::data_names::{data_name_uses, interpolated_names};
use crate::open_files::parts::{self, file_parts, part_of};
use crate::resolve::ENVIRONMENT_MODULE;
use crate::vfs::{AUTOLOAD_FOLDERS, FilePath};
use crate::{Db, File, FileKind, FileRole, file_kind, recent_trees};

/// A definition of a file: what every query about one is asked with. Stays the same while the file has a definition of
/// this kind and name, wherever that stands.
#[salsa::interned(unsafe(no_lifetime), revisions = usize::MAX, debug)]
pub struct DefinitionId {
    #[returns(copy)]
    pub file: File,
    #[returns(ref)]
    pub key: DefinitionKey,
}

/// The text of a file; `None` where it has none that can be read.
pub fn text(db: &dyn Db, file: File) -> Option<Arc<str>> {
    file.contents(db).text()
}

/// The language a file is written in, by its name and place.
#[salsa::tracked(returns(copy))]
pub fn language(db: &dyn Db, file: File) -> Language {
    if file.path(db).extension() == Some("epp") {
        return Language::Epp;
    }
    let is_plan = match file.place(db) {
        FileRole::Module { relative, .. } => relative.starts_with("plans/"),
        // A Bolt project looks like nothing else Puppet knows, so its files are loose.
        FileRole::Loose => is_below_plans(file.path(db)) && holds_a_plan(db, file),
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

/// From now on answers about files are forgotten ([`salsa::Database::trigger_lru_eviction`]) of which an environment is not
/// made, but for those about so many files that were asked last.
pub fn set_lru_capacities(db: &mut dyn Db, files: usize) {
    item_summary::set_lru_capacity(db, 4 * files);
    documentation::set_lru_capacity(db, files);
    signature::set_lru_capacity(db, 16 * files);
    definition_ranges::set_lru_capacity(db, files);
    file_location::set_lru_capacity(db, files);
    crate::absence::set_lru_capacities(db, files);
}

/// The tree of a file, kept for the files used last. A file that cannot be read is an empty text.
// A text that differs gives a tree that differs, so comparing trees would be for nothing.
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

/// The tree of a file for one use: kept if the file is open, else made and given away.
pub fn parse_once(db: &dyn Db, file: File) -> Parse {
    match source_text(db, file) {
        Some(text) if !file.is_open(db) => {
            recent_trees::find(&text, language(db, file)).unwrap_or_else(|| {
                let _span = parse_span(db, file, &text);
                recent_trees::make(&text, language(db, file))
            })
        }
        _ => parse(db, file),
    }
}

fn parse_span(db: &dyn Db, file: File, text: &str) -> tracing::span::EnteredSpan {
    tracing::info_span!("parse", path = file.path(db).as_str(), bytes = text.len()).entered()
}

/// The text of a manifest or template; of no other file, so that nothing takes those for Puppet code.
fn source_text(db: &dyn Db, file: File) -> Option<Arc<str>> {
    if file_kind(db, file).is_source() { file.contents(db).text() } else { None }
}

fn has_source_text(db: &dyn Db, file: File) -> bool {
    file_kind(db, file).is_source() && file.contents(db).has_text()
}

/// Where the lines of a file begin.
#[salsa::tracked(returns(clone), lru = 64)]
pub fn line_map(db: &dyn Db, file: File) -> Arc<LineMap> {
    if file.is_open(db) && has_source_text(db, file) {
        return parse(db, file).lines().clone();
    }
    let text = file.contents(db).text();
    Arc::new(LineMap::new(text.as_deref().unwrap_or_default()))
}

/// What a file defines, without offsets; nothing for a file above the size limit.
#[salsa::tracked(returns(ref), lru = 0)]
pub fn item_summary(db: &dyn Db, file: File) -> ItemSummary {
    let _span = tracing::info_span!("item_summary").entered();
    if file.is_large(db) || !has_source_text(db, file) {
        return ItemSummary::default();
    }
    match file_parts(db, file) {
        [] => hir::summarise(&parse_once(db, file)),
        parts => parts::summary_of_parts(db, parts),
    }
}

/// The definitions of a file by what they are called, its main program left out. Comments do not reach it.
#[salsa::tracked(returns(ref))]
pub fn defined_names(db: &dyn Db, file: File) -> DefinedNames {
    let _span = tracing::info_span!("defined_names").entered();
    let definitions = item_summary(db, file).definitions.iter().skip(1);
    let keys: Box<[DefinitionKey]> = definitions.map(|definition| definition.key.clone()).collect();
    let order = KeyOrder::new(keys.len(), |at| &keys[at]);
    DefinedNames { keys, order }
}

/// What the definitions of a file are called, in its order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DefinedNames {
    keys: Box<[DefinitionKey]>,
    order: KeyOrder,
}

impl DefinedNames {
    /// The first definition of a kind and name.
    pub(crate) fn first_of(&self, kind: DefinitionKind, name: &Name) -> Option<&DefinitionKey> {
        let wanted = DefinitionKey { kind, name: name.clone(), ordinal: 0 };
        self.keys.get(self.order.place(&wanted, self.keys.len(), |at| &self.keys[at])?)
    }
}

impl std::ops::Deref for DefinedNames {
    type Target = [DefinitionKey];

    fn deref(&self) -> &[DefinitionKey] {
        &self.keys
    }
}

/// A definition from the outside, without its documentation; `None` when the file has no such definition (any more).
#[salsa::tracked(returns(ref), lru = 0)]
pub fn signature(db: &dyn Db, definition: DefinitionId) -> Option<Arc<DefinitionSummary>> {
    let _span = tracing::info_span!("signature").entered();
    Some(Arc::new(definition_summary(db, definition)?.without_documentation()))
}

/// The comment right above a definition.
#[salsa::tracked(returns(clone), lru = 0)]
pub fn documentation(db: &dyn Db, definition: DefinitionId) -> Option<Arc<str>> {
    definition_summary(db, definition)?.documentation.clone()
}

fn definition_summary(db: &dyn Db, definition: DefinitionId) -> Option<&DefinitionSummary> {
    match part_of(db, definition) {
        Some(part) => parts::part_summary(db, part).get(definition.key(db)),
        None => item_summary(db, definition.file(db)).get(definition.key(db)),
    }
}

/// All definitions of a file lowered: one walk over one tree serves the bodies and source maps of all.
#[salsa::tracked(returns(ref), no_eq, lru = 64)]
fn lowered_file(db: &dyn Db, file: File) -> LoweredFile {
    let _span = tracing::info_span!("lowered_file").entered();
    if file.is_large(db) || !has_source_text(db, file) {
        return LoweredFile::default();
    }
    hir::lower_file(&parse_once(db, file))
}

/// The definitions of a file, its main program first.
pub fn definitions(db: &dyn Db, file: File) -> Vec<DefinitionId> {
    let definitions = item_summary(db, file).definitions.iter();
    definitions.map(|definition| DefinitionId::new(db, file, definition.key.clone())).collect()
}

/// What a definition says. Equal after every edit that changes only blanks, comments, or other definitions.
#[salsa::tracked(returns(clone), lru = 1024)]
pub fn body(db: &dyn Db, definition: DefinitionId) -> Arc<Body> {
    match lowered(db, definition) {
        Some(lowered) => lowered.body.clone(),
        None => Arc::new(Body::missing()),
    }
}

/// Where the expressions of a definition's body stand.
#[salsa::tracked(returns(clone), lru = 128)]
pub fn body_source_map(db: &dyn Db, definition: DefinitionId) -> Arc<BodySourceMap> {
    let Some(lowered) = lowered(db, definition) else { return Arc::default() };
    match part_of(db, definition) {
        Some(part) => Arc::new(lowered.source_map.shifted(part.start(db))),
        None => lowered.source_map.clone(),
    }
}

/// A definition as it was lowered with its file, or with its part of one.
fn lowered(db: &dyn Db, definition: DefinitionId) -> Option<&LoweredDefinition> {
    let (file, key) = (definition.file(db), definition.key(db));
    if file_parts(db, file).is_empty() {
        return lowered_file(db, file).get(key);
    }
    match part_of(db, definition) {
        Some(part) => parts::lowered_part(db, part).get(key),
        None => Some(parts::lowered_main(db, file)).filter(|it| it.key == *key),
    }
}

/// Every name of Puppet that is written in a manifest, a template or Hiera's files, by position; nothing for other files
/// and for one above the size limit.
#[salsa::tracked(returns(clone), lru = 256)]
pub fn name_uses(db: &dyn Db, file: File) -> Arc<[NameUse]> {
    let _span = tracing::info_span!("name_uses").entered();
    let Some(text) = file.contents(db).text().filter(|_| !file.is_large(db)) else { return Arc::default() };
    match file_kind(db, file) {
        FileKind::Manifest | FileKind::EppTemplate => match file_parts(db, file) {
            [] => hir::name_uses(&parse_once(db, file)).into(),
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

/// What an ERB template says; `None` for a file without a text, and one above the size limit.
#[salsa::tracked(returns(clone), lru = 128)]
pub fn erb_template(db: &dyn Db, file: File) -> Option<Arc<ErbTemplate>> {
    let _span = tracing::info_span!("erb_template").entered();
    let text = file.contents(db).text().filter(|_| !file.is_large(db))?;
    Some(Arc::new(plugins::erb::read(&text)))
}

/// What a Ruby file of a module says; `None` for a file without a text, and one above the size limit.
#[salsa::tracked(returns(clone), lru = 128)]
pub fn ruby_program(db: &dyn Db, file: File) -> Option<Arc<RubyProgram>> {
    let _span = tracing::info_span!("ruby_program").entered();
    let text = file.contents(db).text().filter(|_| !file.is_large(db))?;
    let FileRole::Module { relative, .. } = file.place(db) else { return None };
    Some(Arc::new(plugins::code::read(relative, &text)))
}

/// Where the definitions of a file stand, in the order of [`item_summary`].
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

/// What may be defined in a file, as far as its place tells for certain: the namespace that Puppet expects there.
#[salsa::tracked(returns(ref), lru = 0)]
pub fn file_location(db: &dyn Db, file: File) -> ExpectedNamespace {
    let FileRole::Module { module, relative } = file.place(db) else { return ExpectedNamespace::Free };
    if !module.name_is_certain(db) {
        return ExpectedNamespace::Free;
    }
    location_in_module(module.name(db), relative)
}

/// What the static rules know of a file.
pub fn validation_settings(db: &dyn Db, file: File) -> ValidationSettings {
    let environment = file.environments(db).first();
    let strict = environment.map(|it| it.strict(db)).unwrap_or_default();
    let version = environment.map(|it| it.puppet_version(db)).unwrap_or_default();
    ValidationSettings { strict, version, location: file_location(db, file).clone() }
}

/// The parameters of the classes and defined types below a node that have the name of a metaparameter, in order: Puppet refuses
/// to make something of a definition with such a one, or, where it has a default, warns.
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
                let message =
                    "the parameter ${} has the name of a metaparameter: it needs another name, or a default";
                (Code::ParameterLikeMetaparameter, message)
            }
            Some(_) => {
                let message = "the parameter ${} has the name of a metaparameter: all that is declared in here inherits \
                               its value";
                (Code::InheritedMetaparameter, message)
            }
        };
        Some(TextFinding::new(code, parameter.syntax().text_range(), message.replace("{}", &name)))
    });
    found.collect()
}

/// May a text have a parameter with the name of a metaparameter? Few have the name of one behind a `$`.
pub fn may_name_metaparameters(text: &str) -> bool {
    let names = plugins::built_in::metaparameters();
    let is_one = |variable: &str| names.iter().any(|it| variable.starts_with(it.name.as_str()));
    text.split('$').skip(1).any(is_one)
}

/// The same as far as the names of folders tell, where nothing says that a folder is a module of that name.
pub fn likely_location(db: &dyn Db, file: File) -> ExpectedNamespace {
    match file.place(db) {
        FileRole::Module { module, relative } if module.name(db) != ENVIRONMENT_MODULE => {
            location_in_module(module.name(db), relative)
        }
        _ => ExpectedNamespace::Free,
    }
}

/// The location of a manifest by its path below the folder of the module `module`.
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
    // Elsewhere lie examples, tests and files to be served. But these are meant to be loaded, and never are.
    let is_misspelt = AUTOLOAD_FOLDERS.iter().any(|right| right.strip_suffix('s') == Some(folder));
    if is_misspelt { ExpectedNamespace::Misplaced } else { ExpectedNamespace::Free }
}
