//! Completion in plans: functions, members of results and targets, the names of tasks and plans, and their
//! parameters.

use hir::{DefinitionKind, NameUseKind};
use plugins::built_in;
use project::NameKind;
use symbols::parameters;
use syntax::ast::{self, Expr};
use syntax::{AstNode, Language, SyntaxKind, SyntaxNode};

use super::values::key_item;
use crate::context::position::Expectation;
use crate::context::unquoted;
use crate::item::{CompletionItem, CompletionKind, quoted};
use crate::{CompletionRequest, environment};

/// Name of the module that provides the functions and types of plans.
pub(crate) const MODULE: &str = "bolt";

/// Functions that most plans use, the most frequent one first.
const FREQUENT_FUNCTIONS: &[&str] = &[
    "run_task",
    "run_command",
    "run_plan",
    "out::message",
    "run_script",
    "apply_prep",
    "get_targets",
    "upload_file",
    "fail_plan",
    "catch_errors",
    "wait_until_available",
];

/// Ranks a function of plans before those of manifests.
pub(crate) fn ranked_function(item: CompletionItem) -> CompletionItem {
    let rank = FREQUENT_FUNCTIONS.iter().position(|it| *it == item.label);
    let weight = rank.map_or(0, |rank| (FREQUENT_FUNCTIONS.len() - rank) as u32);
    item.tier(0).weight(weight).once()
}

/// Returns the attributes and methods of Bolt's objects: those of the receiver's type, or of all types if it is
/// unknown.
pub(crate) fn members(request: &CompletionRequest<'_>, receiver: Option<&SyntaxNode>) -> Vec<CompletionItem> {
    if request.language != Language::Plan {
        return Vec::new();
    }
    let known = receiver.and_then(|it| type_of_receiver(request, it));
    let types = built_in::bolt::types().iter().map(|it| it.name.as_str());
    let types = types.filter(|it| known.as_deref().is_none_or(|known| known == *it));
    let tier = u8::from(known.is_none());
    let members = types.flat_map(|ty| built_in::bolt::members(ty).iter().map(move |it| (ty, it)));
    let item = |(ty, member): (&str, &built_in::bolt::BoltMember)| {
        let kind = if member.is_method { CompletionKind::Function } else { CompletionKind::Attribute };
        CompletionItem::new(kind, member.name.to_string()).detail(ty).tier(tier).once()
    };
    members.filter(|(_, it)| it.name != "[]").map(item).collect()
}

/// Returns the name of the object type of an expression, if that is known.
fn type_of_receiver(request: &CompletionRequest<'_>, receiver: &SyntaxNode) -> Option<String> {
    let mut receiver = Expr::cast(receiver.clone())?;
    if let Expr::VariableExpr(variable) = &receiver {
        let name = variable.name()?;
        let assignments = request.root.descendants().filter_map(ast::AssignmentExpr::cast);
        let before = assignments.filter(|it| it.syntax().text_range().end <= request.offset);
        let is_target = |lhs: Option<Expr>| matches!(lhs, Some(Expr::VariableExpr(target)) if target.name().as_ref() == Some(&name));
        receiver = before.filter(|it| is_target(it.lhs())).last()?.rhs()?;
    }
    let callee = match receiver {
        Expr::CallExpr(call) => call.functor()?.syntax().text().to_owned(),
        _ => return None,
    };
    let function = built_in::bolt::function(callee.trim_start_matches("::"))?;
    let result = function.signatures.first()?.return_type.as_deref()?;
    (!built_in::bolt::members(result).is_empty()).then(|| result.to_owned())
}

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
    Some(left.map(|it| key_item(request, &it.name, &it.type_text, it.is_required)).collect())
}

/// Returns the parameters that may follow as named arguments: `run_task('a::b', $targets, 'name' => 1)`.
pub(crate) fn named_arguments(
    request: &CompletionRequest<'_>,
    argument: &Expectation,
) -> Option<Vec<CompletionItem>> {
    let Expectation::Argument { function, index, .. } = argument else { return None };
    // The second argument of a task is its targets.
    let first = if hir::kind_of_argument(function, 0)? == NameUseKind::Task { 2 } else { 1 };
    if *index < first {
        return None;
    }
    keys(request, argument, &given_names(request))
}

/// Returns the names before arrows in the argument list around the cursor, except for the one being written.
fn given_names(request: &CompletionRequest<'_>) -> Vec<String> {
    let token = request.root.tokens_at(request.context.range.start).next();
    let list = token.and_then(|it| it.ancestors().find(|it| it.kind() == SyntaxKind::ARGUMENT_LIST));
    let tokens: Vec<_> =
        list.iter().flat_map(|it| it.descendants_with_tokens()).filter_map(|it| it.into_token()).collect();
    let tokens: Vec<_> = tokens.iter().filter(|it| !it.kind().is_trivia()).collect();
    let pairs = tokens.windows(2).filter(|pair| pair[1].kind() == SyntaxKind::FAT_ARROW);
    let others = pairs.map(|pair| pair[0]).filter(|it| !it.text_range().contains_inclusive(request.offset));
    others.map(|it| unquoted(it.text()).to_owned()).collect()
}

/// Returns the source text of a parameter's type.
pub(crate) fn type_text(request: &CompletionRequest<'_>, hash: &Expectation, name: &str) -> Option<String> {
    let parameters = parameters_for(request, hash)?;
    parameters.into_iter().find(|it| it.name == name).map(|it| it.type_text)
}

fn parameters_for(request: &CompletionRequest<'_>, hash: &Expectation) -> Option<Vec<RunParameter>> {
    let Expectation::Argument { function, index: 1.., earlier, .. } = hash else { return None };
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
