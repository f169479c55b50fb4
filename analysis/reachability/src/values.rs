//! Values that an expression may have, as far as its definition shows them: strings with constant parts.

use rustc_hash::FxHashMap;
use syntax::ast::{self, AstNode, Expr, StringPart};
use syntax::{SyntaxKind, SyntaxNode};

use hir::Name;

/// ValuePart of a string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ValuePart {
    Text(String),
    /// A value that other code, data, or a title has, and that is mentioned there.
    Elsewhere,
    /// A fact, or an element of `$trusted`: `facts.os.family`, `trusted.extensions.pp_role`.
    Fact(String),
    /// Any other value that nothing in the project contains.
    Anything,
}

/// A string in parts.
pub(crate) type Parts = Vec<ValuePart>;

/// Maximum number of strings that an expression is resolved to.
const MAX_STRINGS: usize = 32;

/// Maximum nesting of the expressions that are followed.
const MAX_DEPTH: usize = 12;

/// Functions whose result consists of what they are passed.
const PASS_ON: &[&str] = &[
    "any2array",
    "capitalize",
    "concat",
    "convert_to",
    "deep_merge",
    "delete",
    "delete_undef_values",
    "difference",
    "downcase",
    "each",
    "filter",
    "flatten",
    "grep",
    "intersection",
    "keys",
    "map",
    "merge",
    "pick",
    "pick_default",
    "reduce",
    "reverse_each",
    "shell_split",
    "slice",
    "sort",
    "split",
    "strip",
    "then",
    "union",
    "unique",
    "unwrap",
    "values",
    "with",
    "dig",
    "get",
    "any2array",
    "array",
    "lest",
    "swapcase",
    "hash",
    "zip",
    "max",
    "min",
    "first",
    "chomp",
    "lstrip",
    "rstrip",
    "prefix_all",
    "tree_each",
    "compact",
    "reject",
    "upcase",
];

/// Functions that return data.
const LOOKUPS: &[&str] = &["lookup", "hiera", "hiera_array", "hiera_hash", "getvar", "loadyaml", "loadjson"];

/// AssignedVariables of a definition.
#[derive(Default)]
pub(crate) struct AssignedVariables {
    /// Assigned values, defaults of parameters, and the collections that lambdas iterate over.
    values: FxHashMap<Name, Vec<Expr>>,
    /// Names that others set: parameters.
    from_elsewhere: FxHashMap<Name, ()>,
    /// Values that the types of parameters allow.
    choices: FxHashMap<Name, Vec<String>>,
    /// True if unknown variables are set by others: in templates, and in classes that inherit.
    pub(crate) is_open: bool,
}

impl AssignedVariables {
    pub(crate) fn add(&mut self, name: &str, value: Option<Expr>) {
        self.values.entry(name.into()).or_default().extend(value);
    }

    pub(crate) fn add_parameter(&mut self, name: &str, default: Option<Expr>, ty: Option<&Expr>) {
        if let Some(choices) = ty.and_then(choices) {
            self.choices.insert(name.into(), choices);
        }
        self.from_elsewhere.insert(name.into(), ());
        self.add(name, default);
    }
}

/// Resolves expressions of a definition.
pub(crate) struct StringResolver<'a> {
    pub(crate) variables: &'a AssignedVariables,
    pub(crate) module: Option<&'a str>,
}

impl StringResolver<'_> {
    /// Returns the strings that an expression may be or contain.
    pub(crate) fn strings(&self, expr: &Expr) -> Vec<Parts> {
        let mut found = Vec::new();
        self.expr(expr, 0, &mut found);
        if found.len() > MAX_STRINGS {
            return vec![vec![ValuePart::Anything]];
        }
        found
    }

    fn expr(&self, expr: &Expr, depth: usize, found: &mut Vec<Parts>) {
        if depth > MAX_DEPTH || found.len() > MAX_STRINGS {
            found.push(vec![ValuePart::Anything]);
            return;
        }
        let depth = depth + 1;
        match expr {
            Expr::LiteralString(it) => found.push(vec![ValuePart::Text(it.value())]),
            Expr::QualifiedName(it) => found.push(vec![ValuePart::Text(it.text())]),
            Expr::InterpolatedString(it) => self.interpolated(it.parts(), depth, found),
            Expr::VariableExpr(it) => self.variable(&it.name().unwrap_or_default(), depth, found),
            Expr::ArrayExpr(_) | Expr::HashExpr(_) | Expr::ParenExpr(_) | Expr::UnaryExpr(_) => {
                self.children(expr.syntax(), depth, found);
            }
            Expr::BinaryExpr(it) => {
                if let Some(ast::BinaryOperator::Add | ast::BinaryOperator::ShiftLeft) = it.operator() {
                    self.children(it.syntax(), depth, found);
                }
            }
            Expr::AccessExpr(it) => match fact_path(it) {
                Some(path) => found.push(vec![ValuePart::Fact(path)]),
                None => it.lhs().iter().for_each(|lhs| self.expr(lhs, depth, found)),
            },
            Expr::IfExpr(_) | Expr::UnlessExpr(_) | Expr::CaseExpr(_) => {
                let blocks = expr.syntax().descendants().filter_map(ast::Block::cast);
                let last = blocks.filter_map(|it| it.statements().last());
                last.for_each(|it| self.expr(&it, depth, found));
            }
            Expr::SelectorExpr(it) => {
                it.entries().filter_map(|it| it.value()).for_each(|it| self.expr(&it, depth, found));
            }
            Expr::CallExpr(it) => {
                let name = match it.functor() {
                    Some(Expr::QualifiedName(name)) => name.text(),
                    _ => String::new(),
                };
                self.call(&name, arguments(it.arguments()), it.lambda(), depth, found);
            }
            Expr::MethodCallExpr(it) => {
                let name = it.name_token().map(|it| it.text().to_owned()).unwrap_or_default();
                let passed = it.receiver().into_iter().chain(arguments(it.arguments())).collect();
                self.call(&name, passed, it.lambda(), depth, found);
            }
            Expr::AssignmentExpr(it) => it.rhs().iter().for_each(|it| self.expr(it, depth, found)),
            Expr::LiteralNumber(_)
            | Expr::LiteralBoolean(_)
            | Expr::LiteralUndef(_)
            | Expr::LiteralDefault(_)
            | Expr::LiteralRegex(_)
            | Expr::QualifiedReference(_) => {}
            _ => found.push(vec![ValuePart::Anything]),
        }
    }

    fn children(&self, node: &SyntaxNode, depth: usize, found: &mut Vec<Parts>) {
        for child in node.children() {
            match Expr::cast(child.clone()) {
                Some(expr) => self.expr(&expr, depth, found),
                None if child.kind() == SyntaxKind::KEYED_ENTRY => self.children(&child, depth, found),
                None => {}
            }
        }
    }

    fn interpolated(&self, parts: Vec<StringPart>, depth: usize, found: &mut Vec<Parts>) {
        let mut strings: Vec<Parts> = vec![Vec::new()];
        for part in parts {
            let mut choices = Vec::new();
            match part {
                StringPart::Text(text) => choices.push(vec![ValuePart::Text(text)]),
                StringPart::Missing => continue,
                StringPart::Expr(expr) => self.expr(&expr, depth, &mut choices),
            }
            if choices.is_empty() || strings.len() * choices.len() > MAX_STRINGS {
                choices = vec![vec![ValuePart::Anything]];
            }
            let with = |string: &Parts| -> Vec<Parts> {
                choices.iter().map(|it| string.iter().chain(it).cloned().collect()).collect()
            };
            strings = strings.iter().flat_map(with).collect();
        }
        found.extend(strings);
    }

    fn variable(&self, name: &str, depth: usize, found: &mut Vec<Parts>) {
        let plain = name.strip_prefix("::").unwrap_or(name);
        match plain {
            "module_name" => {
                let module = self.module.map(|it| ValuePart::Text(it.to_owned()));
                return found.push(vec![module.unwrap_or(ValuePart::Anything)]);
            }
            "title" | "name" => return found.push(vec![ValuePart::Elsewhere]),
            "facts" | "trusted" | "server_facts" | "caller_module_name" => {
                return found.push(vec![ValuePart::Anything]);
            }
            _ if plain.contains("::") => return found.push(vec![ValuePart::Elsewhere]),
            _ => {}
        }
        if let Some(choices) = self.variables.choices.get(plain).filter(|_| name == plain) {
            return found.extend(choices.iter().map(|it| vec![ValuePart::Text(it.clone())]));
        }
        let is_parameter = self.variables.from_elsewhere.contains_key(plain);
        let values = self.variables.values.get(plain).filter(|_| name == plain);
        if is_parameter || (values.is_none() && self.variables.is_open) {
            found.push(vec![ValuePart::Elsewhere]);
        }
        match values {
            Some(values) => values.iter().for_each(|it| self.expr(it, depth, found)),
            None if self.variables.is_open || is_parameter => {}
            // Facts are variables of the top scope too.
            None => found.push(vec![ValuePart::Fact(format!("facts.{plain}"))]),
        }
    }

    fn call(
        &self,
        function: &str,
        passed: Vec<Expr>,
        lambda: Option<ast::Lambda>,
        depth: usize,
        found: &mut Vec<Parts>,
    ) {
        let function = function.strip_prefix("stdlib::").unwrap_or(function);
        if LOOKUPS.contains(&function) {
            found.push(vec![ValuePart::Elsewhere]);
            return passed.iter().skip(1).for_each(|it| self.expr(it, depth, found));
        }
        if PASS_ON.contains(&function) {
            passed.iter().for_each(|it| self.expr(it, depth, found));
            let result = lambda.and_then(|it| it.body()).and_then(|it| it.statements().last());
            return result.iter().for_each(|it| self.expr(it, depth, found));
        }
        match (function, passed.first()) {
            // Their results are contents, not names.
            ("template" | "epp" | "inline_template" | "inline_epp" | "file" | "find_file", _) => {}
            ("sprintf", Some(Expr::LiteralString(format))) => found.push(formatted(&format.value())),
            ("regsubst", Some(subject)) => self.substituted(subject, &passed[1..], depth, found),
            ("prefix" | "suffix", Some(list)) => {
                let mut added = Vec::new();
                passed.get(1).iter().for_each(|it| self.expr(it, depth, &mut added));
                let mut inner = Vec::new();
                self.expr(list, depth, &mut inner);
                for (text, element) in added.iter().flat_map(|text| inner.iter().map(move |it| (text, it))) {
                    let (a, b) = if function == "prefix" { (text, element) } else { (element, text) };
                    found.push(a.iter().chain(b).cloned().collect());
                }
            }
            _ => found.push(vec![ValuePart::Anything]),
        }
    }
}

impl StringResolver<'_> {
    /// Adds the results of `regsubst`, which are known in part if it only adds a text to an end.
    fn substituted(&self, subject: &Expr, rest: &[Expr], depth: usize, found: &mut Vec<Parts>) {
        let [Expr::LiteralString(pattern), Expr::LiteralString(added), ..] = rest else {
            return found.push(vec![ValuePart::Anything]);
        };
        let added = added.value();
        let mut subjects = Vec::new();
        self.expr(subject, depth, &mut subjects);
        let text = ValuePart::Text(added.clone());
        let is_whole = matches!(
            pattern.value().as_str(),
            ".*" | ".+" | "(.*)" | "(.+)" | "^.*$" | "^.+$" | "^(.*)$" | "^(.+)$"
        );
        for subject in subjects {
            found.push(match pattern.value().as_str() {
                _ if is_whole => {
                    let mut parts = Vec::new();
                    for (index, text) in added.replace("\\1", "\\0").split("\\0").enumerate() {
                        if index > 0 {
                            parts.extend(subject.iter().cloned());
                        }
                        parts.push(ValuePart::Text(text.to_owned()));
                    }
                    parts
                }
                _ if added.contains('\\') => vec![ValuePart::Anything],
                "^" | "\\A" => std::iter::once(text.clone()).chain(subject).collect(),
                "$" | "\\Z" | "\\z" => subject.into_iter().chain([text.clone()]).collect(),
                _ => vec![ValuePart::Anything],
            });
        }
    }
}

/// Returns the strings that a type `Enum['a', 'b']` or `Optional[Enum['a', 'b']]` allows.
fn choices(ty: &Expr) -> Option<Vec<String>> {
    let Expr::AccessExpr(access) = ty else { return None };
    let Some(Expr::QualifiedReference(name)) = access.lhs() else { return None };
    let keys: Vec<Expr> = access.keys()?.syntax().children().filter_map(Expr::cast).collect();
    match (name.text().to_ascii_lowercase().as_str(), keys.as_slice()) {
        ("optional", [inner]) => choices(inner),
        ("enum", keys) if !keys.is_empty() => {
            let text = |it: &Expr| match it {
                Expr::LiteralString(it) => Some(it.value()),
                Expr::QualifiedName(it) => Some(it.text()),
                _ => None,
            };
            keys.iter().map(text).collect()
        }
        _ => None,
    }
}

/// Returns the path of `$facts['os']['family']` or `$trusted['extensions']['x']`.
fn fact_path(access: &ast::AccessExpr) -> Option<String> {
    let keys = access.keys()?.syntax().children().collect::<Vec<_>>();
    let [key] = keys.as_slice() else { return None };
    let key = match Expr::cast(key.clone())? {
        Expr::LiteralString(key) => key.value(),
        Expr::QualifiedName(key) => key.text(),
        _ => return None,
    };
    let before = match access.lhs()? {
        Expr::AccessExpr(inner) => fact_path(&inner)?,
        Expr::VariableExpr(variable) => {
            let name = variable.name()?;
            let name = name.strip_prefix("::").unwrap_or(&name);
            matches!(name, "facts" | "trusted").then(|| name.to_owned())?
        }
        _ => return None,
    };
    Some(format!("{before}.{key}"))
}

fn arguments(list: Option<ast::ArgumentList>) -> Vec<Expr> {
    let mut found = Vec::new();
    for node in list.iter().flat_map(|it| it.syntax().children()) {
        if let Some(entry) = ast::KeyedEntry::cast(node.clone()) {
            found.extend(entry.value());
        } else {
            found.extend(Expr::cast(node));
        }
    }
    found
}

/// Returns the parts of a format string.
fn formatted(format: &str) -> Parts {
    let mut parts = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        parts.push(ValuePart::Text(rest[..at].to_owned()));
        let directive = &rest[at + 1..];
        if let Some(after) = directive.strip_prefix('%') {
            parts.push(ValuePart::Text("%".to_owned()));
            rest = after;
            continue;
        }
        parts.push(ValuePart::Anything);
        let length = directive.find(|c: char| c.is_ascii_alphabetic()).map_or(directive.len(), |it| it + 1);
        rest = &directive[length..];
    }
    parts.push(ValuePart::Text(rest.to_owned()));
    parts
}

/// Returns the only text of a string without unknown parts.
pub(crate) fn constant(parts: &[ValuePart]) -> Option<String> {
    parts.iter().map(|it| if let ValuePart::Text(text) = it { Some(text.as_str()) } else { None }).collect()
}

/// Returns the constant parts of a string, at least two if it has unknown parts, and the facts between them, if all
/// unknown parts are facts.
pub(crate) fn constants(parts: &[ValuePart]) -> (Vec<String>, Option<Vec<String>>) {
    let mut found = vec![String::new()];
    let mut facts = Some(Vec::new());
    for part in parts {
        match part {
            ValuePart::Text(text) => {
                if let Some(last) = found.last_mut() {
                    last.push_str(text);
                }
            }
            ValuePart::Fact(path) => {
                facts.iter_mut().for_each(|it| it.push(path.clone()));
                found.push(String::new());
            }
            ValuePart::Elsewhere | ValuePart::Anything => {
                facts = None;
                found.push(String::new());
            }
        }
    }
    (found, facts)
}
