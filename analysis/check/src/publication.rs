//! What of the findings is shown: the user's levels, and comments that hide findings.

use codes::Code;
use project::{Db, Environment, File, LintLevel};
use rustc_hash::FxHashMap;

use crate::location_fix::add_right_name;
use crate::rule_table::is_name_of;
use crate::suppressions::suppressions;
use crate::{
    Breadth, Diagnostic, catalog_diagnostics, evaluation_diagnostics, semantic_diagnostics,
    style_diagnostics, syntax_diagnostics,
};

/// From now on answers about single files and definitions are forgotten where that is asked for
/// ([`salsa::Database::trigger_lru_eviction`]), but for those of so many files that were asked last. For a workspace that is looked
/// through once.
pub fn set_lru_capacities(db: &mut dyn Db, files: usize) {
    project::set_lru_capacities(db, files);
    compile::set_lru_capacities(db, files);
    crate::rules::set_lru_capacities(db, files);
    crate::file_findings::set_lru_capacities(db, files);
    crate::suppressions::set_lru_capacities(db, files);
    crate::syntax_rules::set_lru_capacities(db, files);
    crate::semantic_rules::set_lru_capacities(db, files);
    crate::evaluation_rules::set_lru_capacities(db, files);
}

/// A part of the findings of a file; each is worked out by itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tier {
    /// Syntax and static rules: what the text alone shows.
    Syntax,
    /// Names, and what is declared elsewhere.
    Names,
    /// What values show.
    Evaluation,
    /// What the checks of style find.
    Style,
    /// What compiling the classes of the module shows, on each platform: for the moment behind a save.
    Catalogs,
}

impl Tier {
    /// All of them, the quickest first.
    pub const ALL: [Tier; 5] = [Tier::Syntax, Tier::Names, Tier::Evaluation, Tier::Style, Tier::Catalogs];
    /// Those that are quick enough to follow each change.
    pub const LIVE: [Tier; 4] = [Tier::Syntax, Tier::Names, Tier::Evaluation, Tier::Style];
}

/// The findings of one tier in a file as the user wants to see them, by position.
pub fn diagnostics(db: &dyn Db, file: File, tier: Tier) -> Vec<Diagnostic> {
    limited(shown(db, file, tier))
}

/// The same for what compiles show, with less than all of them.
pub fn diagnostics_of_compiles(db: &dyn Db, file: File, breadth: Breadth) -> Vec<Diagnostic> {
    limited(as_wanted(db, file, catalog_diagnostics(db, file, breadth).to_vec()))
}

/// The findings in a file that say how they can be mended, as far as the user wants to see them, without those of compiles.
pub fn fixable_diagnostics(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let found = Tier::LIVE.into_iter().flat_map(|tier| shown(db, file, tier));
    found.filter(|it| it.data.is_some()).collect()
}

/// All findings of a tier that are to be shown.
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
        Tier::Catalogs => catalog_diagnostics(db, file, Breadth::All).to_vec(),
    };
    as_wanted(db, file, found)
}

/// Those of some findings in a file that the user wants to see, as he wants to see them.
fn as_wanted(db: &dyn Db, file: File, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
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
        if environment.is_some_and(|it| is_quiet(db, it, file, diagnostic.code)) {
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

/// A file has at most so many findings of one rule: nobody reads more.
const MAX_OF_A_RULE: usize = 100;

/// The first findings of each rule; the last of them says how many there are besides.
fn limited(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut counts: FxHashMap<Code, usize> = FxHashMap::default();
    let mut kept = Vec::new();
    let mut last: FxHashMap<Code, usize> = FxHashMap::default();
    for diagnostic in found {
        let count = counts.entry(diagnostic.code).or_default();
        *count += 1;
        if *count <= MAX_OF_A_RULE {
            last.insert(diagnostic.code, kept.len());
            kept.push(diagnostic);
        }
    }
    for (code, count) in counts.into_iter().filter(|(_, count)| *count > MAX_OF_A_RULE) {
        let more = format!(" (and {} more like this in the file)", count - MAX_OF_A_RULE);
        kept[last[&code]].message.push_str(&more);
    }
    kept
}

/// What the user wants of a rule; its names in puppet-lint work too.
pub(crate) fn level(db: &dyn Db, environment: Environment, code: Code) -> Option<LintLevel> {
    let levels = environment.lint_levels(db);
    if levels.is_empty() {
        return None;
    }
    let by_code = levels.get(code.as_str());
    by_code
        .or_else(|| levels.iter().find(|(name, _)| is_name_of(code, name)).map(|(_, level)| level))
        .copied()
}

/// Does the user want to hear nothing of a rule in a file?
fn is_quiet(db: &dyn Db, environment: Environment, file: File, code: Code) -> bool {
    let mut quiet = environment.rule_options(db).quiet.iter();
    quiet.any(|(pattern, codes)| {
        codes.contains(&code) && lint::path_fits(pattern.as_bytes(), file.path(db).as_str().as_bytes())
    })
}
