//! Functions, as calls with placeholders.

use eval::World;
use functions as built_in;
use hir::{DefinitionKind, Name};
use project::{Db, DefinitionId};
use rustc_hash::FxHashSet;
use symbols::callees::{CallSignature, Callee, KnownArguments};
use symbols::recorded_value::{self, Evaluated};
use syntax::{Language, SyntaxNode};
use types::assign::Fit;
use types::{Type, Value};

use super::bolt;
use crate::context::FollowingCode;
use crate::item::{CompletionItem, CompletionKind};
use crate::{CompletionRequest, environment, rank, usage};

/// Returns all functions.
///
/// After the dot of a method call (`method`, with the receiver if known), those that accept the receiver come
/// first.
pub(crate) fn items(
    request: &CompletionRequest<'_>,
    method: Option<Option<&SyntaxNode>>,
) -> Vec<CompletionItem> {
    let (db, file) = (request.db, request.file);
    let following = request.context.following;
    let receiver = method.flatten().and_then(|node| Some((Evaluated::around(db, file, node)?, node)));
    let list = |value: Option<&Value>, world: Option<&World<'_>>| {
        callees(request)
            .into_iter()
            .filter_map(|callee| item(db, callee, method.is_some(), value.zip(world), following))
            .collect::<Vec<_>>()
    };
    let with_receiver = receiver.and_then(|(evaluated, node)| {
        compile::with_world(db, evaluated.definition, |world| {
            let value = evaluated.value(node).map(|recorded| recorded_value::value_of(&recorded, world));
            list(value.as_ref(), Some(world))
        })
    });
    let mut items = with_receiver.unwrap_or_else(|| list(None, None));
    if method.is_none()
        && let Some(usage) = usage::usage(request)
    {
        for item in &mut items {
            item.weight = usage.get(item.label.as_str()).copied().unwrap_or(0);
        }
    }
    let known: FxHashSet<String> = items.iter().map(|it| it.label.clone()).collect();
    let others = in_ruby(request).into_iter().chain(of_plans(request));
    items.extend(others.filter(|(name, _)| !known.contains(name.as_str())).map(|(name, module)| {
        let has_arguments = method.is_some() || has_arguments(&name, following);
        let snippet = (!has_arguments).then(|| format!("{name}($1)"));
        let tier = if method.is_some() { 2 } else { 1 };
        let item = CompletionItem::new(CompletionKind::Function, name.to_string());
        let item = item.tier(tier).snippet(snippet).detail(module.to_string());
        if module == bolt::MODULE && method.is_none() { bolt::ranked_function(item) } else { item }
    }));
    items
}

/// Returns the Ruby functions of the environments, with their modules. Reads no files.
fn in_ruby(request: &CompletionRequest<'_>) -> Vec<(Name, Name)> {
    let mut found = Vec::new();
    for environment in request.file.environments(request.db).iter().copied() {
        for (name, file) in project::ruby_functions(request.db, environment) {
            let module = environment::own_module(request.db, *file);
            found.push((name.clone(), module.unwrap_or_default()));
        }
    }
    found
}

/// Returns Bolt's functions, which are only available in plans, but not in their `apply` blocks.
fn of_plans(request: &CompletionRequest<'_>) -> Vec<(Name, Name)> {
    if request.language != Language::Plan || request.has_catalog() {
        return Vec::new();
    }
    let functions = plugins::built_in::bolt::functions().iter();
    functions.map(|it| (Name::new(&*it.name), Name::new_static(bolt::MODULE))).collect()
}

/// Returns the functions for the beginning of a statement, those with side effects first.
pub(crate) fn statements(request: &CompletionRequest<'_>) -> Vec<CompletionItem> {
    let statement = |item: CompletionItem| {
        let is_action = matches!(
            &*item.label,
            "include"
                | "contain"
                | "require"
                | "notice"
                | "warning"
                | "fail"
                | "realize"
                | "create_resources"
                | "ensure_packages"
                | "ensure_resource"
                | "ensure_resources"
                | "each"
                | "tag"
                | "debug"
                | "info"
                | "err"
                | "return"
                | "assert_private"
                | "stdlib::ensure_packages"
        );
        let tier = if is_action { 1 } else { 3 };
        let tier = if item.detail.as_deref() == Some(bolt::MODULE) { 0 } else { tier };
        item.tier(tier)
    };
    let has_catalog = request.has_catalog();
    let items = items(request, None).into_iter();
    items.filter(|it| has_catalog || !changes_catalog(&it.label)).map(statement).collect()
}

/// Returns true for functions that add to the catalog, which plans do not have.
fn changes_catalog(name: &str) -> bool {
    matches!(
        name.strip_prefix("stdlib::").unwrap_or(name),
        "include"
            | "contain"
            | "require"
            | "realize"
            | "tag"
            | "create_resources"
            | "ensure_packages"
            | "ensure_resource"
            | "ensure_resources"
    )
}

/// Returns all functions that a file can call and that may match the typed word.
fn callees(request: &CompletionRequest<'_>) -> Vec<Callee> {
    // `import` is only defined to report its removal.
    let own = built_in::all_built_in().filter(|it| it.name != "import");
    let mut callees: Vec<Callee> = own.map(Callee::BuiltIn).collect();
    let defined = environment::definitions(request.db, request.file, DefinitionKind::Function);
    let defined = defined.into_iter().map(|it| DefinitionId::new(request.db, it.file, it.key));
    callees.extend(defined.map(Callee::Puppet));
    // The evaluator knows the signatures of most stdlib functions, which rank methods by their receiver.
    let in_ruby: FxHashSet<Name> =
        in_ruby(request).into_iter().filter(|(_, module)| module == "stdlib").map(|(name, _)| name).collect();
    let of_stdlib = built_in::all_of_stdlib().filter(|it| in_ruby.contains(it.name));
    callees.extend(of_stdlib.map(Callee::BuiltIn));
    callees.retain(|it| rank::may_fit(&it.name(request.db), &request.context.typed));
    callees.sort_by_cached_key(|it| it.name(request.db));
    callees
}

fn item(
    db: &dyn Db,
    callee: Callee,
    is_method: bool,
    receiver: Option<(&Value, &World<'_>)>,
    following: FollowingCode,
) -> Option<CompletionItem> {
    let name = callee.name(db);
    // The parameters of Puppet functions are only resolved with the documentation, because that parses their
    // file.
    let signatures = match callee {
        Callee::BuiltIn(_) => callee.signatures(db),
        Callee::Puppet(_) | Callee::Ruby { .. } | Callee::Bolt(_) => Vec::new(),
    };
    let takes_one = |it: &CallSignature| !it.parameters.is_empty();
    if is_method && !signatures.is_empty() && !signatures.iter().any(takes_one) {
        return None;
    }
    let fits = |it: &CallSignature| {
        let Some((value, world)) = receiver else { return true };
        let arguments =
            KnownArguments { values: vec![Some(value.clone())], lambda: None, is_complete: false };
        it.fits(&arguments, world) != Fit::Never
    };
    // Functions that accept any value are less likely to be meant.
    let accepts_anything =
        |it: &CallSignature| it.parameters.first().is_some_and(|it| it.ty == Some(Type::Any));
    let fitting = signatures.iter().find(|it| fits(it));
    let rank = match (is_method && receiver.is_some(), fitting) {
        (true, Some(signature)) => u8::from(accepts_anything(signature)),
        (true, None) => 2 + u8::from(!signatures.is_empty()),
        (false, _) => 1,
    };
    let snippet = match callee {
        _ if has_arguments(&name, following) => None,
        Callee::BuiltIn(_) => call_snippet(&name, &snippet_signature(&signatures, fits)?, is_method),
        Callee::Puppet(_) | Callee::Ruby { .. } | Callee::Bolt(_) => {
            (!is_method).then(|| format!("{name}($1)"))
        }
    };
    let module = match callee {
        Callee::BuiltIn(function) if built_in::of_stdlib(function.name).is_some() => "stdlib",
        Callee::BuiltIn(_) => "puppet",
        Callee::Puppet(_) | Callee::Ruby { .. } | Callee::Bolt(_) => environment::module_of(&name),
    };
    let item = CompletionItem::new(CompletionKind::Function, name.to_string());
    Some(item.tier(rank).snippet(snippet).detail(module))
}

/// Returns true if the arguments or the lambda of a call are written already.
fn has_arguments(name: &str, following: FollowingCode) -> bool {
    match following {
        FollowingCode::Parenthesis | FollowingCode::Lambda => true,
        // Only some functions take arguments without parentheses.
        _ => following.is_argument() && syntax::STATEMENT_CALLS.contains(&name),
    }
}

/// Returns the signature for the snippet of a call: the first that matches; of those with blocks the one with
/// the fewest block parameters, unless a hash is iterated.
fn snippet_signature(
    signatures: &[CallSignature],
    fits: impl Fn(&CallSignature) -> bool,
) -> Option<CallSignature> {
    let fitting: Vec<&CallSignature> = signatures.iter().filter(|it| fits(it)).collect();
    let all: Vec<&CallSignature> = if fitting.is_empty() { signatures.iter().collect() } else { fitting };
    let first = all.first()?;
    let is_hash = |it: &CallSignature| {
        matches!(it.parameters.first().and_then(|it| it.ty.as_ref()), Some(Type::Hash(_)))
    };
    if all.len() < signatures.len() && is_hash(first) {
        return Some((*first).clone());
    }
    let block_size = |it: &CallSignature| it.block.as_ref().and_then(|it| it.sizes).map_or(0, |(min, _)| min);
    let with_block = all.iter().filter(|it| it.block.is_some() && first.block.is_some());
    let shortest = with_block.min_by_key(|it| block_size(it));
    Some((*shortest.unwrap_or(first)).clone())
}

/// Returns the snippet of a call with placeholders.
fn call_snippet(name: &str, signature: &CallSignature, is_method: bool) -> Option<String> {
    if !is_method && (hir::takes_class_names(name) || matches!(name, "realize" | "tag")) {
        return Some(format!("{name} $1"));
    }
    let given = usize::from(is_method);
    let wants_more = signature.parameters.iter().skip(given).any(|it| !it.is_optional);
    let list = match (wants_more, is_method) {
        (true, _) => "($1)",
        (false, true) => "",
        (false, false) if signature.parameters.is_empty() => "()",
        (false, false) => "($1)",
    };
    let next = if list.contains("$1") { 2 } else { 1 };
    let block = signature.block.as_ref().filter(|it| !it.is_optional);
    let lambda = match (block.and_then(|it| it.sizes), name) {
        (Some((1, _)), _) => format!(" |\\$${{{next}:value}}| {{ $0 }}"),
        (Some((2, _)), "reduce") => format!(" |\\$${{{next}:memo}}, \\$${{{}:value}}| {{ $0 }}", next + 1),
        (Some((2, _)), _) => format!(" |\\$${{{next}:key}}, \\$${{{}:value}}| {{ $0 }}", next + 1),
        _ => String::new(),
    };
    let snippet = format!("{name}{list}{lambda}");
    (snippet != name).then_some(snippet)
}
