//! Findings as they are displayed, after applying the configured levels and suppression comments.

use std::cell::LazyCell;

use codes::Code;
use project::{Db, Environment, File, LintLevel};
use rustc_hash::FxHashMap;
use syntax::{Severity, TextFinding, TextRange};

use crate::context::Section;
use crate::location_fix::add_right_name;
use crate::rule_table::level;
use crate::suppressions::suppressions;
use crate::unused_rules::unused_items;
use crate::{
    Breadth, Diagnostic, catalog_diagnostics, evaluation_diagnostics, semantic_diagnostics,
    style_diagnostics, syntax_diagnostics, syntax_errors, syntax_rules,
};

/// Sets the LRU capacity of the queries for single files and definitions to the last `files` used.
///
/// Values are evicted by [`salsa::Database::trigger_lru_eviction`]. This is meant for a workspace that is
/// checked once.
pub fn set_lru_capacities(db: &mut dyn Db, files: usize) {
    project::set_lru_capacities(db, files);
    compile::set_lru_capacities(db, files);
    reachability::set_lru_capacities(db, files);
    crate::rules::set_lru_capacities(db, files);
    crate::file_findings::set_lru_capacities(db, files);
    crate::suppressions::set_lru_capacities(db, files);
    crate::syntax_rules::set_lru_capacities(db, files);
    crate::semantic_rules::set_lru_capacities(db, files);
    crate::evaluation_rules::set_lru_capacities(db, files);
}

/// Group of the findings of a file that is computed independently of the others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tier {
    /// Syntax errors and static rules, which only need the text.
    Syntax,
    /// Rules on names and declarations, which need other files.
    Names,
    /// Rules on values.
    Evaluation,
    /// Style checks.
    Style,
    /// Compiles of the module's classes on each platform, and what no node can reach; computed after a save.
    Catalogs,
    /// Breaking and other changes of a later version. Only the analysis of that version knows it: [`diagnostics`] has
    /// none, and [`crate::UpgradePath::hints`] selects them.
    Upgrade,
}

impl Tier {
    /// All tiers with the findings of one version, fastest first.
    pub const ALL: [Tier; 5] = [Tier::Syntax, Tier::Names, Tier::Evaluation, Tier::Style, Tier::Catalogs];
    /// Tiers that are fast enough to run after each change.
    pub const LIVE: [Tier; 4] = [Tier::Syntax, Tier::Names, Tier::Evaluation, Tier::Style];
}

/// Returns the findings of one tier in a file at their configured levels, by position.
pub fn diagnostics(db: &dyn Db, file: File, tier: Tier) -> Vec<Diagnostic> {
    limited(shown(db, file, tier))
}

/// Returns the findings of compiles in a file like [`diagnostics`], limited to `breadth`; in an editor also what no
/// node can reach.
pub fn diagnostics_of_compiles(db: &dyn Db, file: File, breadth: Breadth) -> Vec<Diagnostic> {
    let mut found = catalog_diagnostics(db, file, breadth).to_vec();
    if breadth == Breadth::Nearby {
        found.extend(unused_items(db, file));
    }
    limited(apply_settings(db, file, found))
}

/// Returns the items in a file that no node of a control repository can reach, which [`Tier::Catalogs`] includes.
pub fn unused_diagnostics(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    limited(apply_settings(db, file, unused_items(db, file)))
}

/// Returns the findings in a file that have a fix, at their configured levels, except those of compiles.
pub fn fixable_diagnostics(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let found = Tier::LIVE.into_iter().flat_map(|tier| shown(db, file, tier));
    found.filter(|it| it.data.is_some()).collect()
}

/// Returns the findings of a tier at their configured levels.
fn shown(db: &dyn Db, file: File, tier: Tier) -> Vec<Diagnostic> {
    let found: Vec<Diagnostic> = match tier {
        Tier::Syntax => {
            let mut found: Vec<_> = syntax_diagnostics(db, file).iter().map(Diagnostic::from).collect();
            add_right_name(db, file, &mut found);
            found
        }
        Tier::Names => semantic_diagnostics(db, file).to_vec(),
        Tier::Evaluation => evaluation_diagnostics(db, file).to_vec(),
        Tier::Style => style_diagnostics(db, file).to_vec(),
        Tier::Upgrade => Vec::new(),
        Tier::Catalogs => {
            let mut found = catalog_diagnostics(db, file, Breadth::All).to_vec();
            found.extend(unused_items(db, file));
            found
        }
    };
    apply_settings(db, file, found)
}

/// Applies the configured levels and suppression comments to findings in a file.
pub fn apply_settings(db: &dyn Db, file: File, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if found.is_empty() {
        return found;
    }
    let environment = file.environments(db).first().copied();
    let suppressions = suppressions(db, file);
    let lines = (!suppressions.is_empty()).then(|| project::line_map(db, file));
    let shown = found.into_iter().filter_map(|diagnostic| {
        if diagnostic.code.is_fixed() {
            return Some(diagnostic);
        }
        if environment.is_some_and(|it| is_turned_off_in(db, it, file, diagnostic.code)) {
            return None;
        }
        let wanted = environment.and_then(|environment| level(db, environment, diagnostic.code));
        if let Some(lines) = &lines
            && suppressions.hide(diagnostic.code, lines.line(diagnostic.range.start))
        {
            return None;
        }
        match wanted.or(diagnostic.code.is_off().then_some(LintLevel::Off)) {
            Some(level) => diagnostic.at_level(level),
            None => Some(diagnostic),
        }
    });
    shown.collect()
}

/// Rules that skip definitions with a syntax error.
const NEED_WHOLE_DEFINITIONS: [Code; 14] = [
    Code::DetachedDocumentation,
    Code::DoubleNegation,
    Code::DuplicateDefinition,
    Code::IncompleteModuleData,
    Code::ParamTagType,
    Code::RequiredParameterAfterOptional,
    Code::SensitiveDefault,
    Code::UndocumentedParameter,
    Code::UnknownDocTag,
    Code::UnknownParamTag,
    Code::UnreachableCode,
    Code::UntitledExample,
    Code::UnusedParameter,
    Code::UnusedVariable,
];

/// Finding of an earlier text that the current one lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MissingFinding {
    pub code: Code,
    /// Its location in the current text.
    pub range: TextRange,
}

/// Returns for each finding whether a tier may lack it only because of a syntax error. Rules skip the
/// statements with an error, and some of them the definition or the file around it.
pub fn are_muted(db: &dyn Db, file: File, tier: Tier, missing: &[MissingFinding]) -> Vec<bool> {
    let errors = LazyCell::new(|| {
        let found = syntax_diagnostics(db, file);
        let is_error = |it: &&TextFinding| it.severity() == Severity::Error && it.code.is_fixed();
        found.iter().filter(is_error).map(|it| it.range).collect::<Vec<_>>()
    });
    let broken = LazyCell::new(|| Section::Whole(file).broken_statements(db));
    let is_muted = |it: &MissingFinding| match tier {
        _ if it.code.is_fixed() => follows_unclosed(db, file, it.range),
        _ if errors.is_empty() => false,
        Tier::Catalogs => false,
        Tier::Style | Tier::Upgrade => true,
        Tier::Syntax if syntax_rules::UNRELIABLE_AFTER_ERRORS.contains(&it.code) => true,
        Tier::Names if it.code == Code::UnknownVariable => !is_set(db, file, it.range),
        Tier::Syntax | Tier::Names | Tier::Evaluation => {
            let needs_definition = NEED_WHOLE_DEFINITIONS.contains(&it.code);
            (needs_definition && is_in_broken_definition(db, file, it.range, &errors))
                || touches_any(&broken, it.range)
        }
    };
    missing.iter().map(is_muted).collect()
}

/// Returns true if a range follows an unclosed string or comment, after which everything is read differently.
fn follows_unclosed(db: &dyn Db, file: File, range: TextRange) -> bool {
    let precedes = |it: &Diagnostic| {
        it.severity() == Severity::Error && it.code.is_unclosed() && it.range.start < range.start
    };
    match syntax_errors(db, file) {
        // These are published first, so the rules should not run for them.
        Some(errors) => errors.iter().any(precedes),
        None => syntax_diagnostics(db, file).iter().map(Diagnostic::from).any(|it| precedes(&it)),
    }
}

fn touches_any(ranges: &[TextRange], range: TextRange) -> bool {
    ranges.iter().any(|it| it.intersects_or_touches(range))
}

/// Returns true if the definition around a range, or the one that its comment belongs to, contains an error.
fn is_in_broken_definition(db: &dyn Db, file: File, range: TextRange, errors: &[TextRange]) -> bool {
    let definitions = || project::definition_ranges(db, file).iter().skip(1).map(|it| it.full);
    let innermost = definitions().rfind(|it| it.intersects_or_touches(range));
    // A tag of a comment belongs to the next definition.
    let owner = innermost.or_else(|| definitions().find(|it| it.start >= range.end));
    owner.is_none_or(|owner| touches_any(errors, owner))
}

/// Returns true if the file sets the variable that is read at `range`.
fn is_set(db: &dyn Db, file: File, range: TextRange) -> bool {
    let uses = project::name_uses(db, file);
    let is_variable = |it: &&hir::NameUse| matches!(it.kind, hir::NameUseKind::Variable(_));
    let read = uses.iter().filter(is_variable).find(|it| it.range.intersects_or_touches(range));
    let mut set = uses.iter().filter(is_variable).filter(|it| it.access == hir::Access::Write);
    read.is_some_and(|read| set.any(|it| it.name == read.name))
}

/// Maximum number of findings of one rule per file.
const MAX_FINDINGS_PER_RULE: usize = 100;

/// Keeps the first findings of each rule. The last one of them states the number of those left out.
fn limited(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut counts: FxHashMap<Code, usize> = FxHashMap::default();
    let mut kept = Vec::new();
    let mut last: FxHashMap<Code, usize> = FxHashMap::default();
    for diagnostic in found {
        let count = counts.entry(diagnostic.code).or_default();
        *count += 1;
        if *count <= MAX_FINDINGS_PER_RULE {
            last.insert(diagnostic.code, kept.len());
            kept.push(diagnostic);
        }
    }
    for (code, count) in counts.into_iter().filter(|(_, count)| *count > MAX_FINDINGS_PER_RULE) {
        let more = format!(" (and {} more in this file)", count - MAX_FINDINGS_PER_RULE);
        codes::append_to_problem(&mut kept[last[&code]].message, &more);
    }
    kept
}

/// Returns true if a per-file setting turns the rule off in this file.
fn is_turned_off_in(db: &dyn Db, environment: Environment, file: File, code: Code) -> bool {
    let mut quiet = environment.rule_options(db).quiet.iter();
    quiet.any(|(pattern, codes)| {
        codes.contains(&code) && lint::path_fits(pattern.as_bytes(), file.path(db).as_str().as_bytes())
    })
}
