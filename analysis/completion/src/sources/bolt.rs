//! Completion in plans: the names of tasks and plans, and their parameters.

use hir::{DefinitionKind, NameUseKind};
use project::NameKind;
use symbols::parameters;

use super::values::key_item;
use crate::context::Expectation;
use crate::item::{CompletionItem, CompletionKind, quoted};
use crate::{CompletionRequest, environment};

/// Parameter of a task or plan.
struct RunParameter {
    name: String,
    type_text: String,
    is_required: bool,
}

pub(crate) fn tasks(request: &CompletionRequest<'_>) -> Vec<CompletionItem> {
    named(request, project::task_names(request.db, request.file), "task")
}

pub(crate) fn plans(request: &CompletionRequest<'_>) -> Vec<CompletionItem> {
    let all = environment::definitions(request.db, request.file, DefinitionKind::Plan);
    named(request, all.into_iter().map(|it| it.name), "plan")
}

fn named(
    request: &CompletionRequest<'_>,
    names: impl IntoIterator<Item = hir::Name>,
    detail: &str,
) -> Vec<CompletionItem> {
    let item = |name: hir::Name| {
        let text = quoted(&name, request.context.in_quotes);
        CompletionItem::new(CompletionKind::Value, name.to_string()).text(text).detail(detail).tier(0)
    };
    names.into_iter().map(item).collect()
}

/// Returns the parameters that are not set yet of the task or plan that gets a hash as argument; `None` for
/// other hashes.
pub(crate) fn keys(
    request: &CompletionRequest<'_>,
    hash: &Expectation,
    given: &[String],
) -> Option<Vec<CompletionItem>> {
    let parameters = parameters_for(request, hash)?;
    let left = parameters.iter().filter(|it| !given.contains(&it.name));
    let in_quotes = request.context.in_quotes;
    Some(left.map(|it| key_item(&it.name, &it.type_text, it.is_required, in_quotes)).collect())
}

/// Returns the source text of a parameter's type.
pub(crate) fn type_text(request: &CompletionRequest<'_>, hash: &Expectation, name: &str) -> Option<String> {
    let parameters = parameters_for(request, hash)?;
    parameters.into_iter().find(|it| it.name == name).map(|it| it.type_text)
}

fn parameters_for(request: &CompletionRequest<'_>, hash: &Expectation) -> Option<Vec<RunParameter>> {
    let Expectation::Argument { function, index: 1.., earlier } = hash else { return None };
    let (db, file, name) = (request.db, request.file, earlier.first()?);
    match hir::kind_of_argument(function, 0)? {
        NameUseKind::Plan => {
            let plan = project::resolve_in_file(db, file, NameKind::Plan, name)?;
            let all = parameters::parameters(db, plan);
            let parameter = |it: &parameters::ParameterText| RunParameter {
                name: it.name.to_string(),
                type_text: it.type_text.clone(),
                is_required: it.is_required(),
            };
            Some(all.iter().map(parameter).collect())
        }
        NameUseKind::Task => {
            let metadata = project::task_metadata(db, project::task_file(db, file, name)?);
            let parameter = |it: &project::TaskParameter| RunParameter {
                name: it.name.to_string(),
                type_text: it.type_text.clone().unwrap_or_default().to_string(),
                is_required: it.is_required(),
            };
            Some(metadata.parameters.as_deref()?.iter().map(parameter).collect())
        }
        _ => None,
    }
}
