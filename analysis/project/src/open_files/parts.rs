//! Parts of open files with several definitions. Each top-level definition is a part that is parsed and
//! analyzed separately, as if it were a file. Results of a part are in its own offsets: an edit recomputes
//! only the results of the part that it touches, and for all others only their offset.
//!
//! A file that cannot be split without a difference is kept whole: [`file_parts`] is empty for it.

use std::sync::Arc;

use hir::{
    BodySourceMap, DefinitionKey, DefinitionKind, DefinitionRanges, ItemSummary, LoweredDefinition,
    LoweredFile, NameUse, NameUseKind, VariableBinding,
};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{AstNode, Language, Parse, SyntaxKind, TextRange};

use crate::queries::module_of;
use crate::{Db, DefinitionId, File, FileKind, file_kind, language, parse};

/// Top-level definition with its contents and the comments before it.
#[salsa::tracked(debug)]
pub struct FilePart<'db> {
    #[returns(copy)]
    pub file: File,
    #[returns(ref)]
    pub key: DefinitionKey,
    #[tracked]
    #[returns(ref)]
    pub text: Arc<str>,
    /// Offset of the part in the file. Only read by code that reports locations in the file.
    #[tracked]
    #[returns(copy)]
    pub start: u32,
}

/// Maximum number of definitions in a file that is split into parts.
const MAX_DEFINITIONS: usize = 1000;

/// Returns the parts of a file in source order; empty for a file that is not open or cannot be split.
pub fn file_parts(db: &dyn Db, file: File) -> &[FilePart<'_>] {
    // Avoids memoizing anything for the many files that are not open.
    if file.is_open_in_editor(db) { parts_of_open_file(db, file) } else { &[] }
}

#[salsa::tracked(returns(ref))]
fn parts_of_open_file(db: &dyn Db, file: File) -> Vec<FilePart<'_>> {
    let candidates = candidate_parts(db, file);
    if candidates.len() < 2 {
        return Vec::new();
    }
    let parse = parse(db, file);
    let mut names = FxHashSet::default();
    let mut count = 0;
    let is_separable = |part: &FilePart<'_>| {
        let shape = part_shape(db, *part);
        count += shape.keys.len();
        let range = range_in_file(db, *part);
        // Error recovery may parse the definition differently when it sees more of the text.
        let errors = parse.errors().iter().filter(|it| range.contains(it.range.start));
        let relative_errors =
            errors.map(|it| (it.code, it.range.start - range.start, it.range.end - range.start));
        // A class and a defined type of the same name conflict.
        let own_name = |key: &DefinitionKey| match key.kind {
            DefinitionKind::DefinedType => (DefinitionKind::Class, key.name.clone()),
            kind => (kind, key.name.clone()),
        };
        shape.keys.first() == Some(part.key(db))
            && relative_errors.eq(shape.errors.iter().copied())
            && shape.keys.iter().all(|key| key.ordinal == 0 && names.insert(own_name(key)))
    };
    let all_separable = candidates.iter().all(is_separable);
    if all_separable && count <= MAX_DEFINITIONS { candidates.clone() } else { Vec::new() }
}

/// Returns the part that a definition belongs to; `None` for the main program, and in a file without parts.
pub(crate) fn part_of(db: &dyn Db, definition: DefinitionId) -> Option<FilePart<'_>> {
    if !definition.file(db).is_open_in_editor(db) || definition.key(db).kind == DefinitionKind::Main {
        return None;
    }
    part_by_definition(db, definition.file(db)).get(&definition).copied()
}

#[salsa::tracked(returns(ref))]
fn part_by_definition(db: &dyn Db, file: File) -> FxHashMap<DefinitionId, FilePart<'_>> {
    let mut found = FxHashMap::default();
    for part in file_parts(db, file) {
        found.extend(part_definitions(db, *part).into_iter().map(|definition| (definition, *part)));
    }
    found
}

/// Returns the range of a part in its file.
pub fn range_in_file(db: &dyn Db, part: FilePart<'_>) -> TextRange {
    TextRange::new(part.start(db), part.start(db) + part.text(db).len() as u32)
}

/// Returns the top-level definitions of a file as parts, whether or not they can be analyzed separately.
#[salsa::tracked(returns(ref))]
fn candidate_parts(db: &dyn Db, file: File) -> Vec<FilePart<'_>> {
    let is_manifest = file_kind(db, file) == FileKind::Manifest && language(db, file) != Language::Epp;
    let text = file.contents(db).text().filter(|_| !file.is_large(db) && is_manifest);
    let Some(text) = text else { return Vec::new() };
    let parse = parse(db, file);
    let definitions = file.last_trees(db).definitions(&parse);
    if definitions.len() < 2 {
        return Vec::new();
    }
    let Some(ranges) = ranges_of_parts(&parse, &text).filter(|it| it.len() == definitions.len()) else {
        return Vec::new();
    };
    let part = |(key, range): (DefinitionKey, TextRange)| {
        let text = file.last_trees(db).text(&key, &text[range.as_range()]);
        FilePart::new(db, file, key, text, range.start)
    };
    definitions.into_iter().zip(ranges).map(part).collect()
}

/// Returns the ranges of the parts of a tree; each starts on the line after the previous element. `None` if
/// the parts cannot be separated.
fn ranges_of_parts(parse: &Parse, text: &str) -> Option<Vec<TextRange>> {
    let mut ranges = Vec::new();
    // Start of the next part, set once the current line has ended.
    let mut start = Some(0);
    for (kind, range) in parse.top_elements() {
        if kind.is_trivia() {
            let text = &text[range.as_range()];
            // A tag would belong to both sides.
            if start.is_none() && text.contains("@param") {
                return None;
            }
            if start.is_none() && text.contains('\n') {
                let is_whitespace = kind == SyntaxKind::WHITESPACE;
                let line_end = text.find('\n').filter(|_| is_whitespace);
                start = Some(line_end.map_or(range.end, |at| range.start + at as u32 + 1));
            }
            continue;
        }
        // The text of a heredoc that began in an earlier element.
        if kind == SyntaxKind::HEREDOC_BODY {
            return None;
        }
        if syntax::ast::Definition::can_cast(kind) {
            ranges.push(TextRange::new(start.unwrap_or(range.start), range.end));
        }
        start = None;
    }
    Some(ranges)
}

/// Parses a part separately.
#[salsa::tracked(returns(clone), lru = 1024)]
pub fn part_parse(db: &dyn Db, part: FilePart<'_>) -> Parse {
    let (text, language) = (part.text(db), language(db, part.file(db)));
    part.file(db).last_trees(db).parse(Some(part.key(db)), text, language)
}

/// Properties of a part that must agree with its file.
#[derive(Clone, PartialEq, Eq, Debug)]
struct PartShape {
    keys: Vec<DefinitionKey>,
    /// Code, start and end of each syntax error.
    errors: Vec<(codes::Code, u32, u32)>,
}

#[salsa::tracked(returns(ref))]
fn part_shape(db: &dyn Db, part: FilePart<'_>) -> PartShape {
    let parse = part_parse(db, part);
    let summary = part_summary(db, part);
    let is_alone = parse.syntax().children().count() == 1;
    let keys = summary.definitions.iter().skip(1).map(|it| it.key.clone());
    PartShape {
        keys: if is_alone { keys.collect() } else { Vec::new() },
        errors: parse.errors().iter().map(|it| (it.code, it.range.start, it.range.end)).collect(),
    }
}

#[salsa::tracked(returns(ref))]
pub(crate) fn part_summary(db: &dyn Db, part: FilePart<'_>) -> ItemSummary {
    let _span = tracing::info_span!("item_summary").entered();
    hir::summarize(&part_parse(db, part))
}

#[salsa::tracked(returns(ref), no_eq, lru = 1024)]
pub(crate) fn lowered_part(db: &dyn Db, part: FilePart<'_>) -> LoweredFile {
    let _span = tracing::info_span!("lowered_file").entered();
    hir::lower_file(&part_parse(db, part))
}

/// Lowers the main program of a file that has parts.
#[salsa::tracked(returns(ref), no_eq, lru = 64)]
pub(crate) fn lowered_main(db: &dyn Db, file: File) -> LoweredDefinition {
    hir::lower_main(&parse(db, file))
}

/// Returns the names in a part, in its offsets; its first definition has the number 0.
#[salsa::tracked(returns(clone), lru = 1024)]
pub fn part_name_uses(db: &dyn Db, part: FilePart<'_>) -> Arc<[NameUse]> {
    let mut uses = hir::name_uses(&part_parse(db, part));
    hir::insert_module_name(&mut uses, || module_of(db, part.file(db)));
    // Only the main program precedes it, which is empty.
    uses.iter_mut().for_each(|it| it.definition = it.definition.saturating_sub(1));
    uses.into()
}

/// Returns the names in the main program of a file that has parts.
#[salsa::tracked(returns(clone), lru = 64)]
pub fn main_name_uses(db: &dyn Db, file: File) -> Arc<[NameUse]> {
    let mut uses = hir::main_name_uses(&parse(db, file));
    hir::insert_module_name(&mut uses, || module_of(db, file));
    uses.into()
}

#[salsa::tracked(returns(ref))]
fn part_definition_ranges(db: &dyn Db, part: FilePart<'_>) -> Vec<DefinitionRanges> {
    hir::definition_ranges(&part_parse(db, part))
}

/// Returns the definitions of a part; the first is the part itself.
pub fn part_definitions(db: &dyn Db, part: FilePart<'_>) -> Vec<DefinitionId> {
    let keys = part_shape(db, part).keys.iter();
    keys.map(|key| DefinitionId::new(db, part.file(db), key.clone())).collect()
}

/// Returns the source map of a definition, relative to the part it belongs to.
pub fn source_map_in_part(db: &dyn Db, part: FilePart<'_>, definition: DefinitionId) -> Arc<BodySourceMap> {
    let lowered = lowered_part(db, part).get(definition.key(db));
    lowered.map(|it| it.source_map.clone()).unwrap_or_default()
}

/// Computes [`crate::item_summary`] of a file that has parts.
pub(crate) fn summary_of_parts(db: &dyn Db, parts: &[FilePart<'_>]) -> ItemSummary {
    let mut definitions = vec![hir::DefinitionSummary::of_main_program()];
    for part in parts {
        let before = definitions.len() as u32;
        let own = part_summary(db, *part).definitions.iter().skip(1).cloned();
        definitions.extend(own.map(|mut it| {
            it.parent = it.parent.map(|parent| parent - 1 + before);
            it
        }));
    }
    ItemSummary::new(definitions)
}

/// Computes [`crate::name_uses`] of a file that has parts.
pub(crate) fn name_uses_of_parts(db: &dyn Db, file: File, parts: &[FilePart<'_>]) -> Vec<NameUse> {
    let mut uses = main_name_uses(db, file).to_vec();
    let mut variables = next_variable(&uses);
    let mut definitions = 1;
    for part in parts {
        let start = part.start(db);
        let first = uses.len();
        uses.extend(part_name_uses(db, *part).iter().cloned().map(|mut it| {
            it.range = it.range.shifted(start);
            it.definition += definitions;
            if let NameUseKind::Variable(VariableBinding::Local { variable, .. }) = &mut it.kind {
                *variable += variables;
            }
            it
        }));
        variables = variables.max(next_variable(&uses[first..]));
        definitions += part_shape(db, *part).keys.len() as u32;
    }
    uses.sort_by_key(|it| (it.range.start, it.range.end));
    uses
}

/// Returns a variable number that none of the uses has.
fn next_variable(uses: &[NameUse]) -> u32 {
    let number = |it: &NameUse| match it.kind {
        NameUseKind::Variable(VariableBinding::Local { variable, .. }) => Some(variable + 1),
        _ => None,
    };
    uses.iter().filter_map(number).max().unwrap_or(0)
}

/// Computes [`crate::definition_ranges`] of a file that has parts.
pub(crate) fn ranges_of_definitions(
    db: &dyn Db,
    file: File,
    parts: &[FilePart<'_>],
) -> Vec<DefinitionRanges> {
    let length = file.contents(db).length() as u32;
    let mut ranges = vec![DefinitionRanges { full: TextRange::new(0, length), name: TextRange::empty(0) }];
    for part in parts {
        let start = part.start(db);
        let own = part_definition_ranges(db, *part).iter().skip(1);
        ranges.extend(
            own.map(|it| DefinitionRanges { full: it.full.shifted(start), name: it.name.shifted(start) }),
        );
    }
    ranges
}
