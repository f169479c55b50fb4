//! The compile of a class twice: with all that is taken over, and with nothing. What differs is a mistake of ours. For tests.

use std::fmt::Write;

use project::{Db, DefinitionId, Environment};

use crate::checked_facts::FactSetId;
use crate::class_checks::{class_outcome, class_request, facts_of_class, outcome, representative};
use crate::compile_request::{ProjectCompilation, compile_catalog};

/// What came of a class with a set of facts: its catalog, what was said, and why it failed, as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BothWays {
    /// With the facts that stand for them, and the variables of classes that are evaluated once.
    pub reused: String,
    /// With the facts themselves, everything evaluated in its place.
    pub by_itself: String,
}

/// Compiles a class both ways, for each set of facts that it is compiled with.
pub fn compile_both_ways(db: &dyn Db, environment: Environment, class: DefinitionId) -> Vec<BothWays> {
    let sets = facts_of_class(db, environment, class);
    sets.iter().filter_map(|facts| both_ways(db, environment, class, *facts)).collect()
}

fn both_ways(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
) -> Option<BothWays> {
    let request = |facts| class_request(db, environment, &class.key(db).name, facts);
    // What a compile leaves behind in what is remembered would show in the next one.
    let remembered = class_outcome(db, environment, class, facts);
    let first = *representative(db, environment, class, facts);
    let reused = compile_catalog(db, environment, &request(first)?, Some(first));
    let by_itself = compile_catalog(db, environment, &request(facts)?, None);
    Some(BothWays {
        reused: format!("{remembered:?}\n{}", text_of(&reused)),
        by_itself: format!("{:?}\n{}", outcome(&by_itself), text_of(&by_itself)),
    })
}

/// All that a compile shows. Numbers of units, which depend on the order of loading, are left out.
fn text_of(compiled: &ProjectCompilation) -> String {
    let compilation = &compiled.compilation;
    let mut text = String::new();
    let catalog = &compilation.catalog;
    for resource in &catalog.resources {
        let place = resource.place.and_then(|place| compiled.located(place));
        let resource = eval::CatalogResource { place: None, ..resource.clone() };
        let _ = writeln!(text, "{resource:?} {place:?}");
    }
    let _ = writeln!(text, "{:?} {:?}", catalog.classes, catalog.edges);
    for log in &compilation.logs {
        let _ = writeln!(text, "{:?} {} {:?}", log.level, log.message, compiled.located(log.place));
    }
    for finding in &compilation.findings {
        let error = &finding.error;
        let place = compiled.located(error.place);
        let _ = writeln!(text, "{:?} {:?} {} {place:?}", finding.certainty, error.code, error.message);
    }
    text
}
