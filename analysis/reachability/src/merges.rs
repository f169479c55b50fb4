//! Merge strategies with which code and `lookup_options` may read keys.

use hiera::lookup_options::{LOOKUP_OPTIONS, merges_of};
use hiera::merge::Strategy;
use hir::{Name, fold_name};
use project::{Contents, Db, Environment, File, FileKind, FileRole};
use syntax::ast::{self, AstNode, Expr};
use syntax::{SyntaxElement, SyntaxNode, TextRange};
use types::Value;

use crate::items::TextReader;
use crate::modules::lacks_modules;

/// Merge strategies, other than that of the first value found, with which a key may be read.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct MergeKinds {
    pub(crate) unique: bool,
    pub(crate) hash: bool,
    pub(crate) deep: bool,
    /// Reason why the key may be read with any strategy.
    pub(crate) unknown: Option<MergeReason>,
}

/// Reason why the merge strategy of a key is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MergeReason {
    pub(crate) text: String,
    /// Location of the code that the reason is about.
    pub(crate) origin: Option<(File, TextRange)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MergeKind {
    Unique,
    Hash,
    Deep,
    /// Not known.
    Any,
}

/// A call that reads keys with a merge strategy.
#[derive(Clone, PartialEq, Eq, Debug)]
struct MergingCall {
    /// `None` for any key.
    keys: Option<Box<[Name]>>,
    kind: MergeKind,
    range: TextRange,
}

/// Functions that read keys with a merge strategy, or may do so.
const MERGING_FUNCTIONS: [&str; 4] = ["lookup", "hiera_array", "hiera_hash", "hiera_include"];

impl MergeKinds {
    /// Returns true if the first value found is the only one that has an effect.
    pub(crate) fn is_first(&self) -> bool {
        *self == MergeKinds::default()
    }

    fn add(&mut self, kind: MergeKind, reason: impl FnOnce() -> MergeReason) {
        match kind {
            MergeKind::Unique => self.unique = true,
            MergeKind::Hash => self.hash = true,
            MergeKind::Deep => self.deep = true,
            MergeKind::Any if self.unknown.is_none() => self.unknown = Some(reason()),
            MergeKind::Any => {}
        }
    }
}

/// Merges of an environment.
pub(crate) struct Merges<'db> {
    db: &'db dyn Db,
    environment: Environment,
    calls: Vec<(File, MergingCall)>,
    /// Values of `lookup_options` in all data files.
    options: Vec<Value>,
    lacks_modules: bool,
}

impl<'db> Merges<'db> {
    pub(crate) fn new(db: &'db dyn Db, environment: Environment, read: TextReader<'_>) -> Merges<'db> {
        let mut files: Vec<File> = environment.main_manifests(db).to_vec();
        files.extend(environment.modules(db).values().flat_map(|tree| tree.files(db).values().copied()));
        let of_file =
            |file: File| merging_calls(db, file, read).into_iter().map(|it| (file, it)).collect::<Vec<_>>();
        let index = project::data_key_index(db, environment);
        // Keys from a top-level merge (`<<`) are not in the index.
        let with_options = [LOOKUP_OPTIONS, "<<"].into_iter().filter_map(|name| index.get(name)).flatten();
        let options = |file: &File| {
            let data = project::hiera_data(db, *file);
            data.hash().ok().and_then(|it| it.get_text(LOOKUP_OPTIONS).cloned())
        };
        Merges {
            db,
            environment,
            calls: files.into_iter().flat_map(of_file).collect(),
            options: with_options.filter_map(options).collect(),
            lacks_modules: lacks_modules(db, environment),
        }
    }

    /// Returns the merge strategies with which a key may be read.
    pub(crate) fn of_key(&self, key: &str) -> MergeKinds {
        let mut kinds = MergeKinds::default();
        let reason = |text: &str| MergeReason { text: text.to_owned(), origin: None };
        for merge in self.options.iter().flat_map(|options| merges_of(options, key)) {
            if let Some(kind) = kind_of_value(&merge) {
                kinds.add(kind, || reason("its merge strategy is computed in `lookup_options`"));
            }
        }
        for (file, call) in &self.calls {
            if call.keys.as_ref().is_none_or(|keys| keys.iter().any(|it| it == key)) {
                kinds.add(call.kind, || MergeReason {
                    text: "a lookup with a computed key or merge strategy may merge it".to_owned(),
                    origin: Some((*file, call.range)),
                });
            }
        }
        if self.may_have_other_options(key) {
            kinds.add(MergeKind::Any, || {
                reason("`lookup_options` may be in data that is not in the repository")
            });
        }
        if self.lacks_modules {
            kinds.add(MergeKind::Any, || reason("modules that are not installed may merge it"));
        }
        kinds
    }

    /// Returns true if data that is not known may have options of a key.
    fn may_have_other_options(&self, key: &str) -> bool {
        let Merges { db, environment, .. } = *self;
        let module = key.split_once("::").map(|(module, _)| module);
        let is_installed = module.is_some_and(|it| environment.modules(db).contains_key(it));
        let is_missing = module.is_some_and(|module| {
            !is_installed && project::expected_modules(db, environment).iter().any(|it| *it == *module)
        });
        let known = if is_installed { key } else { LOOKUP_OPTIONS };
        is_missing || project::may_have_unread_data(db, environment, known)
    }
}

/// Returns the kind of a `merge` option; `None` for the first value found.
fn kind_of_value(merge: &Value) -> Option<MergeKind> {
    match Strategy::of_value(merge) {
        Ok(Some(Strategy::First)) => None,
        Ok(Some(Strategy::Unique)) => Some(MergeKind::Unique),
        Ok(Some(Strategy::Hash)) => Some(MergeKind::Hash),
        Ok(Some(Strategy::Deep(_) | Strategy::ReverseDeep(_))) => Some(MergeKind::Deep),
        // Lookups fail, unless an interpolation changes the name.
        Ok(None) | Err(_) => Some(MergeKind::Any),
    }
}

/// Returns the calls in a file that read keys with a merge strategy, or may do so. `read` reads templates that are not
/// part of the project.
fn merging_calls(db: &dyn Db, file: File, read: TextReader<'_>) -> Vec<MergingCall> {
    let anything = || vec![MergingCall { keys: None, kind: MergeKind::Any, range: TextRange::empty(0) }];
    let kind = project::file_kind(db, file);
    let is_template = || match file.role(db) {
        FileRole::Module { relative, .. } => relative.starts_with("templates/"),
        FileRole::Loose | FileRole::MainManifest => false,
    };
    let is_puppet = matches!(kind, FileKind::Manifest | FileKind::EppTemplate);
    let is_ruby = matches!(kind, FileKind::ErbTemplate | FileKind::RubyPlugin);
    if *file.contents(db) == Contents::Missing || !is_puppet && !is_ruby && !is_template() {
        return Vec::new();
    }
    let known = file.contents(db).text().map(|it| it.to_string());
    let Some(text) = known.or_else(|| read(file)) else { return anything() };
    if is_puppet && !file.is_large(db) {
        let is_searched = text.contains("lookup") || text.contains("hiera_");
        return if is_searched { calls_in_code(&project::parse_once(db, file).syntax()) } else { Vec::new() };
    }
    let is_call =
        is_puppet || ["call_function", "function_lookup", "Pops::Lookup"].iter().any(|it| text.contains(it));
    let may_merge = is_call && text.contains("lookup") || text.contains("hiera_");
    if may_merge { anything() } else { Vec::new() }
}

fn calls_in_code(root: &SyntaxNode) -> Vec<MergingCall> {
    let mut found = Vec::new();
    for element in root.descendants_with_tokens() {
        match element {
            SyntaxElement::Node(node) => {
                let merge =
                    call(&node).and_then(|(function, arguments)| merge_of_call(&function, &arguments));
                let range = node.text_range();
                found.extend(merge.map(|(keys, kind)| MergingCall { keys, kind, range }));
            }
            // Code in a string: `inline_epp("<%= lookup('x') %>")`.
            SyntaxElement::Token(token) if !token.kind().is_trivia() => {
                if MERGING_FUNCTIONS.iter().any(|it| token.text().contains(&format!("{it}("))) {
                    let range = token.text_range();
                    found.push(MergingCall { keys: None, kind: MergeKind::Any, range });
                }
            }
            SyntaxElement::Token(_) => {}
        }
    }
    found
}

/// Returns the name and the texts of the arguments of a call, with the receiver of a method call first.
fn call(node: &SyntaxNode) -> Option<(String, Vec<String>)> {
    let (name, receiver, arguments) = if let Some(call) = ast::CallExpr::cast(node.clone()) {
        let name = match call.functor()? {
            Expr::QualifiedName(name) => name.text(),
            Expr::QualifiedReference(ty) => ty.text(),
            _ => return None,
        };
        (name, None, call.arguments())
    } else if let Some(call) = ast::MethodCallExpr::cast(node.clone()) {
        (call.name_token()?.text().to_owned(), call.receiver(), call.arguments())
    } else {
        let call = ast::StatementCall::cast(node.clone())?;
        (call.name()?.text(), None, call.arguments())
    };
    let receiver = receiver.map(|it| it.syntax().clone());
    let listed = arguments.into_iter().flat_map(|it| it.syntax().children().collect::<Vec<_>>());
    let texts = receiver.into_iter().chain(listed).map(|it| it.text().to_string().trim().to_owned());
    Some((fold_name(&name).to_string(), texts.collect()))
}

/// Returns the keys that a call reads with a merge strategy, and the strategy.
fn merge_of_call(function: &str, arguments: &[String]) -> Option<(Option<Box<[Name]>>, MergeKind)> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let first = arguments.first().copied().unwrap_or_default();
    match function {
        "hiera_array" | "hiera_include" => Some((literal_names(first), MergeKind::Unique)),
        "hiera_hash" => Some((literal_names(first), MergeKind::Hash)),
        "lookup" => {
            let kind = match arguments.as_slice() {
                [] => None,
                [options] if options.starts_with('{') => {
                    // The name is an option.
                    return merge_option(options).map(|kind| (None, kind));
                }
                [names] => (!is_name(names)).then_some(MergeKind::Any),
                [_, options] if options.starts_with('{') => merge_option(options),
                [_, ty] => (!is_type(ty)).then_some(MergeKind::Any),
                [_, _, merge, ..] => kind_of_text(merge),
            };
            kind.map(|kind| (literal_names(first), kind))
        }
        "call" | "deferred" => {
            let is_lookup = |it: &str| MERGING_FUNCTIONS.contains(&it.trim_matches(['\'', '"']));
            // A computed name may be that of any function.
            (is_lookup(first) || literal_names(first).is_none()).then_some((None, MergeKind::Any))
        }
        _ => None,
    }
}

/// Returns true for the text of a string, or of a list of strings.
fn is_name(text: &str) -> bool {
    text.starts_with(['\'', '"', '['])
}

/// Returns true for the text of a type, or of an argument that is left out.
fn is_type(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase()) || matches!(text, "undef" | "default")
}

/// Returns the names in the text of a string or a list of strings; `None` if they are computed.
fn literal_names(text: &str) -> Option<Box<[Name]>> {
    if !is_name(text) || text.contains(['$', '\\', '(']) {
        return None;
    }
    let names = text.split(['\'', '"', '[', ']', ',']).map(str::trim).filter(|it| !it.is_empty());
    // A dotted key reads a part of the key before the dot, unless it is quoted.
    let with_root = names.flat_map(|it| [it, it.split('.').next().unwrap_or(it)]);
    Some(with_root.map(|it| Name::new(it.trim_start_matches("::"))).collect())
}

/// Returns the kind of the option `merge` in the text of a hash; `None` if it has none, or the first value is used.
fn merge_option(hash: &str) -> Option<MergeKind> {
    let (_, rest) = hash.split_once("merge")?;
    let value = rest.trim_start_matches(['\'', '"']).trim_start().strip_prefix("=>");
    match value.map(str::trim_start) {
        Some(value) if value.starts_with(['\'', '"']) && value.matches("merge").count() == 0 => {
            let end = value[1..].find(['\'', '"']).map_or(value.len(), |at| at + 2);
            // The string may be a part of an expression.
            let is_whole = value[end..].trim_start().starts_with([',', '}']);
            if is_whole { kind_of_text(&value[..end]) } else { Some(MergeKind::Any) }
        }
        _ => Some(MergeKind::Any),
    }
}

/// Returns the kind of the text of a merge argument; `None` for the first value found.
fn kind_of_text(text: &str) -> Option<MergeKind> {
    match text.trim_matches(['\'', '"']) {
        "first" | "default" | "undef" => None,
        "unique" => Some(MergeKind::Unique),
        "hash" => Some(MergeKind::Hash),
        "deep" => Some(MergeKind::Deep),
        _ => Some(MergeKind::Any),
    }
}
