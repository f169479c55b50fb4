//! Compiles a class twice: with reused results, and from scratch. A difference is a bug in the reuse. For
//! tests.

use std::fmt::Write;

use project::{Db, DefinitionId, Environment};

use crate::checked_facts::{FactSetId, all_platforms};

use crate::class_checks::outcomes::{class_outcome, facts_of_class, outcome, representative};
use crate::class_checks::requests::class_request;
use crate::compile_request::{ProjectCompilation, compile_catalog};

/// Textual results of compiling a class with a fact set: catalog, messages and failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReuseComparison {
    /// Result with the representative fact set, and the variables of precomputed classes.
    pub reused: String,
    /// Result with the fact set itself, without any reuse.
    pub fresh: String,
}

/// Interval of the platforms that are compared although the module does not support them.
const OTHER_PLATFORMS: usize = 16;

/// Compiles a class both ways, for each fact set that it is compiled with, and some other platforms.
pub fn compare_reuse(db: &dyn Db, environment: Environment, class: DefinitionId) -> Vec<ReuseComparison> {
    let sets = facts_of_class(db, environment, class);
    let others = all_platforms().filter(|id| !sets.contains(id)).step_by(OTHER_PLATFORMS);
    let all = sets.iter().copied().chain(others);
    all.filter_map(|facts| compare_with_facts(db, environment, class, facts)).collect()
}

fn compare_with_facts(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
) -> Option<ReuseComparison> {
    let request = |facts| class_request(db, environment, &class.key(db).name, facts);
    // State leaked into memoized results would show in the next compile.
    let remembered = class_outcome(db, environment, class, facts);
    let first = *representative(db, environment, class, facts);
    let reused = compile_catalog(db, environment, &request(first)?, Some(first));
    let fresh = compile_catalog(db, environment, &request(facts)?, None);
    Some(ReuseComparison {
        reused: format!("{remembered:?}\n{}", format_compile(&reused)),
        fresh: format!("{:?}\n{}", outcome(&fresh), format_compile(&fresh)),
    })
}

/// Formats all that a compile shows, without the numbers of units, which depend on the order of loading.
fn format_compile(compiled: &ProjectCompilation) -> String {
    let compilation = &compiled.compilation;
    let mut text = String::new();
    let catalog = &compilation.catalog;
    for resource in &catalog.resources {
        let place = resource.place.and_then(|place| compiled.expr_location(place));
        let places: Vec<_> =
            resource.parameter_places.iter().map(|it| compiled.expr_location((*it)?)).collect();
        let parameter_places = Vec::new();
        let resource = eval::CatalogResource { place: None, parameter_places, ..resource.clone() };
        let _ = writeln!(text, "{resource:?} {place:?} {places:?}");
    }
    let _ = writeln!(text, "{:?} {:?}", catalog.classes, catalog.edges);
    for log in &compilation.logs {
        let _ = writeln!(text, "{:?} {} {:?}", log.level, log.message, compiled.expr_location(log.place));
    }
    for finding in &compilation.findings {
        let error = &finding.error;
        let place = compiled.expr_location(error.place);
        let _ = writeln!(text, "{:?} {:?} {} {place:?}", finding.certainty, error.code, error.message);
    }
    text
}
