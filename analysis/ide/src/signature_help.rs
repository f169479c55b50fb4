//! Signature help for calls, and for the attributes of resources.

mod resources;
pub(crate) mod signature;

use eval::World;
use project::{Db, File};
use symbols::callees::{self, CallSignature, KnownArguments};
use symbols::recorded_value::{self, Evaluated};
use syntax::ast::{self, AccessOrCallArgument};
use syntax::{AstNode, SyntaxKind, SyntaxNode};
use types::assign::Fit;
use types::{Type, Value};

use self::signature::{ShownSignature, SignatureHelp};
use crate::calls::{CallSite, Functor};

pub(crate) fn signature_help(db: &dyn Db, file: File, offset: u32) -> Option<SignatureHelp> {
    if file.is_large(db) {
        return None;
    }
    let parse = project::parse(db, file);
    let root = parse.tree().syntax().clone();
    let call = call_around(&root, offset);
    let resource = completion::resource_around(&root, offset);
    let call_start = call.as_ref().and_then(CallSite::list).map(|it| it.syntax().text_range().start);
    match (call, resource) {
        (call, Some((resource, attribute, start))) if call_start.is_none_or(|call| call < start) => {
            resources::signature_help(db, file, &resource, attribute.as_deref())
                .or_else(|| of_call(db, file, call?, offset))
        }
        (call, _) => of_call(db, file, call?, offset),
    }
}

fn of_call(db: &dyn Db, file: File, call: CallSite, offset: u32) -> Option<SignatureHelp> {
    let definition = recorded_value::definition_around(db, file, call.syntax())?;
    let evaluated = Evaluated::new(db, definition);
    compile::with_world(db, definition, |world| {
        let (name, signatures, documentation) = signatures(db, file, &call, &evaluated, world)?;
        if signatures.is_empty() {
            return None;
        }
        let comment = match call.functor() {
            Some(Functor::Function { name, .. }) => {
                callees::find(db, file, &name).and_then(|it| it.comment(db))
            }
            _ => None,
        };
        let tags = comment.map(|it| plugins::documentation::parse(&it)).unwrap_or_default();
        let arguments = call.arguments(Some(offset), Some(&evaluated), world);
        let index = argument_index(&call, offset);
        let shown = signatures.iter().map(|signature| {
            let (label, parameters) = signature.label(&name);
            let active_parameter = signature.parameter_at(index);
            let names = signature.parameters.iter().map(|it| it.name.as_str());
            let parameter_documentation = names.map(|name| documented(&tags, name)).collect();
            let documentation = documentation.clone();
            ShownSignature { label, parameters, parameter_documentation, active_parameter, documentation }
        });
        let listed = call.list().map_or(0, |list| list.arguments().len());
        let written = usize::from(call.receiver().is_some()) + listed;
        Some(SignatureHelp {
            signatures: shown.collect(),
            active: active(&signatures, &arguments, index, written, world),
        })
    })?
}

/// Returns the `@param` documentation of a parameter.
fn documented(tags: &plugins::documentation::StringsDoc, name: &str) -> Option<String> {
    tags.param(name).map(|it| it.text.clone()).filter(|it| !it.is_empty())
}

/// Returns the innermost call whose arguments contain `offset`, closed or not.
fn call_around(root: &SyntaxNode, offset: u32) -> Option<CallSite> {
    let mut token = root.tokens_at(offset).next()?;
    // Only trivia can follow an unclosed list.
    while matches!(token.kind(), SyntaxKind::WHITESPACE | SyntaxKind::COMMENT) {
        token = token.prev_token()?;
    }
    for node in token.ancestors() {
        if matches!(node.kind(), SyntaxKind::LAMBDA | SyntaxKind::BLOCK) && contains(&node, offset) {
            return None;
        }
        let Some(list) = ast::ArgumentList::cast(node.clone()) else { continue };
        let Some(open) = list.syntax().token(SyntaxKind::L_PAREN) else {
            // `include a, ` has no parentheses; `x[ ]` is not a call.
            if let Some(call @ CallSite::Statement(_)) = node.parent().and_then(CallSite::cast) {
                return Some(call);
            }
            continue;
        };
        let is_inside = open.text_range().end <= offset
            && list
                .syntax()
                .token(SyntaxKind::R_PAREN)
                .is_none_or(|close| offset <= close.text_range().start);
        if is_inside {
            return node.parent().and_then(CallSite::cast);
        }
    }
    None
}

fn contains(node: &SyntaxNode, offset: u32) -> bool {
    let range = node.text_range();
    range.start < offset && offset < range.end
}

/// Returns the index of the argument at an offset, including the receiver.
fn argument_index(call: &CallSite, offset: u32) -> usize {
    let receiver = usize::from(call.receiver().is_some());
    let Some(list) = call.list() else { return receiver };
    let commas = list.syntax().tokens().filter(|it| it.kind() == SyntaxKind::COMMA);
    let before = commas.filter(|comma| comma.text_range().end <= offset).count();
    // Adjacent `key => value` pairs form one argument.
    let joined: usize = list
        .arguments()
        .iter()
        .map(|argument| match argument {
            AccessOrCallArgument::BareHash(entries) => {
                let ends = entries.iter().filter(|entry| entry.syntax().text_range().end < offset).count();
                ends.min(entries.len().saturating_sub(1))
            }
            AccessOrCallArgument::Expr(_) => 0,
        })
        .sum();
    receiver + before.saturating_sub(joined)
}

fn signatures(
    db: &dyn Db,
    file: File,
    call: &CallSite,
    evaluated: &Evaluated,
    world: &World<'_>,
) -> Option<(String, Vec<CallSignature>, Option<String>)> {
    match call.functor()? {
        Functor::Function { name, .. } => {
            let callee = callees::find(db, file, &name)?;
            Some((callee.name(db).to_string(), callee.signatures(db), callee.documentation(db)))
        }
        Functor::Type(node) => {
            let recorded = evaluated.value(&node)?;
            let Value::Type(ty) = recorded_value::value_of(&recorded, world) else { return None };
            let signatures = types::constructor::new_signatures(&ty, world)?;
            let name = match &*ty {
                Type::Alias(name) => name.to_string(),
                ty => types::display::type_text(ty, world),
            };
            Some((name, callees::constructor(&signatures, world), None))
        }
    }
}

/// Returns the first signature that fits the arguments before the cursor and takes one at the cursor, preferring
/// those that take as many arguments as are written. If none fits, returns the one that fits most of them,
/// preferring those that do not require a missing block.
fn active(
    signatures: &[CallSignature],
    arguments: &KnownArguments,
    index: usize,
    written: usize,
    world: &World<'_>,
) -> usize {
    let rank = |signature: &CallSignature| {
        let takes_fewer = written > 0 && signature.parameter_at(written - 1).is_none();
        let takes_it = index == 0 || signature.parameter_at(index).is_some();
        let rank = match (takes_it, signature.fits(arguments, world)) {
            (true, Fit::Always) => 0,
            (true, Fit::Maybe) => 1,
            _ => 2,
        };
        let fitting = signature.fitting_arguments(arguments, world);
        let lacks_block =
            arguments.lambda.is_none() && signature.block.as_ref().is_some_and(|it| !it.is_optional);
        if rank < 2 {
            (takes_fewer, rank, false, 0)
        } else {
            (takes_fewer, 2, lacks_block, usize::MAX - fitting)
        }
    };
    (0..signatures.len()).min_by_key(|at| rank(&signatures[*at])).unwrap_or(0)
}
