//! What may be written at a place: functions and data types.

use std::sync::Arc;

use eval::World;
use eval::functions as built_in;
use hir::DefinitionKind;
use project::{Db, DefinitionId, Environment, File, NameKind};
use syntax::{AstNode, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, ast};
use types::assign::Fit;
use types::{Type, Value};

use crate::facts::{self, Evaluated};
use crate::functions::{self, Arguments, CallSignature, Callee};
use crate::type_words;

/// What may be written at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completions {
    /// What they replace: the part of a word in front of the cursor.
    pub range: TextRange,
    /// The best first.
    pub items: Vec<CompletionItem>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompletionItem {
    pub label: String,
    pub kind: CompletionKind,
    /// Items with a lower rank come first.
    pub rank: u8,
    /// What is inserted, where that is not the label: with places to fill in, as LSP's snippets have them.
    pub snippet: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompletionKind {
    Function,
    Type,
}

/// More about an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompletionDetails {
    /// A line or a few of code.
    pub detail: String,
    /// Markdown.
    pub documentation: Option<String>,
}

/// Where the cursor stands.
enum Place {
    Expression,
    Type,
    /// Behind the dot of a call.
    Method(Option<SyntaxNode>),
}

pub(crate) fn completions(db: &dyn Db, file: File, offset: u32) -> Option<Completions> {
    if file.is_large(db) {
        return None;
    }
    let parse = project::parse(db, file);
    let root = parse.tree().syntax().clone();
    let (range, place, is_followed) = place(&root, offset)?;
    let mut items = Vec::new();
    if !matches!(place, Place::Type) {
        items.extend(function_items(db, file, &place, is_followed));
    }
    if !matches!(place, Place::Method(_)) {
        items.extend(type_items(db, file));
    }
    items.sort_by(|a, b| (a.rank, &a.label).cmp(&(b.rank, &b.label)));
    items.dedup_by(|a, b| a.label == b.label);
    Some(Completions { range, items })
}

pub(crate) fn details(
    db: &dyn Db,
    file: File,
    kind: CompletionKind,
    name: &str,
) -> Option<CompletionDetails> {
    match kind {
        CompletionKind::Function => {
            let callee = functions::find(db, file, name)?;
            let labels = callee.signatures(db).iter().map(|it| it.label(name).0).collect::<Vec<_>>();
            Some(CompletionDetails { detail: labels.join("\n"), documentation: callee.documentation(db) })
        }
        CompletionKind::Type => {
            if let Some(words) = type_words::documentation(name) {
                return Some(CompletionDetails {
                    detail: name.to_owned(),
                    documentation: Some(words.to_owned()),
                });
            }
            let definition = project::resolve_in_file(db, file, NameKind::TypeAlias, name)?;
            let detail = eval::with_world(db, definition, |world| {
                let ty = world.type_by_name(name)?;
                Some(format!("type {}", types::display::expanded_type_text(&ty, world)))
            });
            let detail = detail.flatten().unwrap_or_else(|| name.to_owned());
            Some(CompletionDetails { detail, documentation: functions::documentation(db, definition) })
        }
    }
}

/// The range to replace, what may stand there, and whether an argument list follows already. `None` where nothing of
/// ours may stand.
fn place(root: &SyntaxNode, offset: u32) -> Option<(TextRange, Place, bool)> {
    let left = root.tokens_at(offset).find(|token| token.text_range().start < offset);
    let is_followed = root.tokens_at(offset).any(|token| {
        token.text_range().start == offset
            && matches!(token.kind(), SyntaxKind::L_PAREN | SyntaxKind::L_BRACK)
    });
    let Some(left) = left else { return Some((TextRange::empty(offset), Place::Expression, is_followed)) };
    if is_no_code(&left, offset) {
        return None;
    }
    let word = is_word(&left).then(|| left.clone());
    let range = match &word {
        Some(word) => TextRange::new(word.text_range().start, offset),
        None => TextRange::empty(offset),
    };
    let before = match &word {
        Some(word) => word.prev_token(),
        None => Some(left),
    };
    let before = significant(before);
    // The name of an attribute is no expression.
    if word.as_ref().and_then(SyntaxToken::parent).is_some_and(|it| it.kind() == SyntaxKind::ATTRIBUTE) {
        return None;
    }
    let place = match before {
        Some(before) => place_behind(&before)?,
        None => Place::Expression,
    };
    Some((range, place, is_followed))
}

fn significant(mut token: Option<SyntaxToken>) -> Option<SyntaxToken> {
    use SyntaxKind::*;
    while let Some(blank) =
        token.as_ref().filter(|it| matches!(it.kind(), WHITESPACE | COMMENT | BLOCK_COMMENT))
    {
        token = blank.prev_token();
    }
    token
}

/// Is a token text, or something else that completion has nothing to say about?
fn is_no_code(token: &SyntaxToken, offset: u32) -> bool {
    use SyntaxKind::*;
    let ends_here = token.text_range().end == offset;
    match token.kind() {
        COMMENT => !(ends_here && token.text().ends_with('\n')),
        SQ_STRING | DQ_STRING => {
            let quote = token.text().chars().next();
            !(ends_here && token.text().len() > 1 && token.text().chars().last() == quote)
        }
        BLOCK_COMMENT | REGEX | EPP_COMMENT => !ends_here,
        STRING_TEXT | DQ_START | HEREDOC_START | HEREDOC_END | NUMBER | VARIABLE | EPP_TEXT | EPP_TRIMMED
        | EPP_CLOSE | EPP_CLOSE_EXPR | EPP_EMPTY_TEXT | ERROR_TOKEN | AT | AT_AT => true,
        _ => false,
    }
}

fn is_word(token: &SyntaxToken) -> bool {
    let is_named = matches!(token.kind(), SyntaxKind::NAME | SyntaxKind::WORD | SyntaxKind::CLASSREF);
    is_named || token.text().bytes().all(|it| it.is_ascii_lowercase())
}

/// What may stand behind a token.
fn place_behind(before: &SyntaxToken) -> Option<Place> {
    use SyntaxKind::*;
    let parent = before.parent()?;
    match (before.kind(), parent.kind()) {
        (DOT, _) => {
            let receiver = ast::MethodCallExpr::cast(parent).and_then(|it| it.receiver());
            Some(Place::Method(receiver.map(|it| it.syntax().clone())))
        }
        (DEFINE_KW | FUNCTION_KW | NODE_KW | PLAN_KW | INHERITS_KW, _) => None,
        (CLASS_KW | TYPE_KW, CLASS_DEFINITION | TYPE_ALIAS | TYPE_DEFINITION | TYPE_MAPPING | ERROR) => None,
        (AT | AT_AT, _) => None,
        (L_BRACE, RESOURCE_EXPR)
            if parent.children().next().is_some_and(|it| it.kind() == QUALIFIED_REFERENCE) =>
        {
            None
        }
        (L_PAREN | LINE_START_PAREN | COMMA, PARAMETER_LIST) => Some(Place::Type),
        (PIPE, PARAMETER_LIST) if parent.first_token().as_ref() == Some(before) => Some(Place::Type),
        (SHIFT_RIGHT, RETURN_TYPE) | (EQ, TYPE_ALIAS) => Some(Place::Type),
        (COLON | COMMA, RESOURCE_BODY) => None,
        (L_BRACE | COMMA, RESOURCE_DEFAULTS | RESOURCE_OVERRIDE | UNTITLED_RESOURCE | COLLECT_EXPR) => None,
        (L_BRACK | COMMA, ARGUMENT_LIST) => {
            let access = parent.parent().and_then(ast::AccessExpr::cast);
            match access.and_then(|it| it.lhs()) {
                Some(ast::Expr::QualifiedReference(_)) => Some(Place::Type),
                _ => Some(Place::Expression),
            }
        }
        (VARIABLE, PARAMETER) => None,
        _ => Some(Place::Expression),
    }
}

fn function_items(db: &dyn Db, file: File, place: &Place, is_followed: bool) -> Vec<CompletionItem> {
    let method = match place {
        Place::Method(receiver) => Some(receiver.as_ref()),
        _ => None,
    };
    let receiver = method.flatten().and_then(|node| Some((Evaluated::around(db, file, node)?, node)));
    let list = |value: Option<&Value>, world: Option<&World<'_>>| {
        callees(db, file)
            .into_iter()
            .filter_map(|callee| item(db, callee, method.is_some(), value.zip(world), is_followed))
            .collect::<Vec<_>>()
    };
    let with_receiver = receiver.and_then(|(evaluated, node)| {
        eval::with_world(db, evaluated.definition, |world| {
            let value = evaluated.fact(node).map(|fact| facts::value_of(&fact, world));
            list(value.as_ref(), Some(world))
        })
    });
    with_receiver.unwrap_or_else(|| list(None, None))
}

/// All functions that a file can call.
fn callees(db: &dyn Db, file: File) -> Vec<Callee> {
    let mut callees: Vec<Callee> = built_in::all_built_in().map(Callee::BuiltIn).collect();
    callees.extend(definitions(db, file, DefinitionKind::Function).into_iter().map(Callee::Puppet));
    if functions::has_stdlib(db, file) {
        callees.extend(built_in::all_of_stdlib().map(Callee::BuiltIn));
    }
    callees
}

fn item(
    db: &dyn Db,
    callee: Callee,
    is_method: bool,
    receiver: Option<(&Value, &World<'_>)>,
    is_followed: bool,
) -> Option<CompletionItem> {
    let name = callee.name(db);
    // A function in Puppet is asked for its parameters only when its documentation is: that would parse its file.
    let signatures = match callee {
        Callee::BuiltIn(_) => callee.signatures(db),
        Callee::Puppet(_) => Vec::new(),
    };
    let takes_one = |it: &CallSignature| !it.parameters.is_empty();
    if is_method && !signatures.is_empty() && !signatures.iter().any(takes_one) {
        return None;
    }
    let fits = |it: &CallSignature| {
        let Some((value, world)) = receiver else { return true };
        let arguments = Arguments { values: vec![Some(value.clone())], lambda: None, is_complete: false };
        it.fits(&arguments, world) != Fit::Never
    };
    // What takes anything is the less likely meant.
    let says_little = |it: &CallSignature| it.parameters.first().is_some_and(|it| it.ty == Some(Type::Any));
    let fitting = signatures.iter().find(|it| fits(it));
    let rank = match (is_method && receiver.is_some(), fitting) {
        (true, Some(signature)) => u8::from(says_little(signature)),
        (true, None) => 2 + u8::from(!signatures.is_empty()),
        (false, _) => 0,
    };
    let snippet = match callee {
        _ if is_followed => None,
        Callee::BuiltIn(_) => call_snippet(&name, &snippet_signature(&signatures, fits)?, is_method),
        Callee::Puppet(_) => (!is_method).then(|| format!("{name}($1)")),
    };
    Some(CompletionItem { label: name.to_string(), kind: CompletionKind::Function, rank, snippet })
}

/// The signature to write a call for: the first that fits; of blocks the shortest, unless it is a hash that is walked.
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

/// The call with places to fill in.
fn call_snippet(name: &str, signature: &CallSignature, is_method: bool) -> Option<String> {
    if matches!(name, "include" | "contain" | "require" | "realize" | "tag") && !is_method {
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

fn type_items(db: &dyn Db, file: File) -> Vec<CompletionItem> {
    let built_in = type_words::TYPES.iter().map(|it| CompletionItem {
        label: it.name.to_owned(),
        kind: CompletionKind::Type,
        rank: 1,
        snippet: it.wants_arguments.then(|| format!("{}[$1]", it.name)),
    });
    let aliases =
        definitions(db, file, DefinitionKind::TypeAlias).into_iter().map(|definition| CompletionItem {
            label: Callee::Puppet(definition).name(db).to_string(),
            kind: CompletionKind::Type,
            rank: 1,
            snippet: None,
        });
    built_in.chain(aliases).collect()
}

/// The functions or type aliases of a file and its environments.
fn definitions(db: &dyn Db, file: File, kind: DefinitionKind) -> Vec<DefinitionId> {
    let own = project::defined_names(db, file).iter().filter(|key| key.kind == kind);
    let mut found: Vec<_> = own.map(|key| DefinitionId::new(db, file, key.clone())).collect();
    for environment in file.environments(db).iter().copied() {
        let all = environment_definitions(db, environment);
        found.extend(all.iter().filter(|it| it.key(db).kind == kind));
    }
    found
}

/// The functions and type aliases that an environment's modules and main manifest define. Only files that may hold some
/// are read.
#[salsa::tracked(returns(clone))]
fn environment_definitions(db: &dyn Db, environment: Environment) -> Arc<[DefinitionId]> {
    let mut files: Vec<File> = environment.main_manifests(db).to_vec();
    for module in environment.modules(db).values() {
        let own = module.files(db).iter();
        let own = own.filter(|(path, _)| path.starts_with("functions/") || path.starts_with("types/"));
        files.extend(own.map(|(_, file)| *file));
    }
    let mut found = Vec::new();
    for file in files {
        let keys = project::defined_names(db, file).iter();
        let keys =
            keys.filter(|key| matches!(key.kind, DefinitionKind::Function | DefinitionKind::TypeAlias));
        found.extend(keys.map(|key| DefinitionId::new(db, file, key.clone())));
    }
    found.into()
}
