//! Locations of values in data files.

use eval::{DataValue, Evaluator};
use hiera::lookup::{LookupRequest, StepOutcome};
use hiera::merge::Answer;
use project::{Db, Environment, File};
use syntax::TextRange;

use super::lookups::NodeLookups;
use super::{CompileRequest, FileReader};

/// Returns the first location of each value in the data files of the project. Omits values that are from
/// elsewhere, and those whose lookup has another result without the variables of the node.
pub(super) fn locate(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
    reader: Option<&dyn FileReader>,
    values: &[DataValue],
) -> Vec<(File, TextRange)> {
    if values.is_empty() {
        return Vec::new();
    }
    let scope = NodeLookups { db, environment, request, reader };
    let located = scope.run(|program, world, main| {
        let location = |data: &DataValue| {
            let question = LookupRequest { names: vec![data.key.clone()], ..LookupRequest::default() };
            let (found, explanation) = Evaluator::new(world).explain_lookup(main, &question);
            let is_same = found.is_ok_and(|answer| answer == Answer::Found(data.value.clone()));
            let mut steps = explanation.steps.iter().filter(|_| is_same);
            let step = steps.find(|step| matches!(step.outcome, StepOutcome::Found(_)))?;
            let file = program.data_file(step.path.as_deref()?)?;
            let entry = project::hiera_data(db, file).entry(&data.key)?.value.range;
            Some((file, entry))
        };
        values.iter().filter_map(location).collect()
    });
    located.unwrap_or_default()
}
