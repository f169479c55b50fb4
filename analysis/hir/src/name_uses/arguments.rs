//! Names passed to functions, mostly as strings.

use syntax::ast::{self, AstNode, Expr, StringPart};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange};

use super::naming::{ArgumentNaming, argument_naming};
use super::{Access, AttributeOwner, NameUseKind, NameUseWalk, OWN_MODULE, WalkPosition};
use crate::{Name, ReferenceKind, fold_name};

/// Maximum number of recorded path segments of one name. Each is recorded with all preceding segments.
const MAX_STEPS: usize = 100;

/// Data types whose string arguments are not titles.
const TYPES_WITH_STRINGS: &[&str] = &[
    "collection",
    "enum",
    "error",
    "init",
    "notundef",
    "object",
    "optional",
    "pattern",
    "runtime",
    "semver",
    "semverrange",
    "sensitive",
    "struct",
    "timespan",
    "timestamp",
    "type",
    "typereference",
    "typeset",
    "uri",
    "variant",
];

/// Returns the value of a literal (a string, bare word or name) and its range without quotes. Returns `None`
/// for any other expression and for strings whose value differs from the source text.
pub(super) fn literal(node: &SyntaxNode) -> Option<(String, TextRange)> {
    let range = node.text_range();
    match Expr::cast(node.clone())? {
        Expr::QualifiedName(name) => Some((name.text(), range)),
        Expr::LiteralString(string) => {
            let value = string.value();
            let written = string.token()?.text().len() as u32;
            let quotes = if string.token()?.text().starts_with(['\'', '"']) { 1 } else { 0 };
            let is_plain = value.len() as u32 + 2 * quotes == written;
            is_plain.then(|| (value, TextRange::new(range.start + quotes, range.end - quotes)))
        }
        Expr::ParenExpr(paren) => literal(paren.expr()?.syntax()),
        _ => None,
    }
}

/// Returns the path of a file in a module like [`literal`], and also that of a string whose only interpolation
/// is `${module_name}`, which stays in the path as [`OWN_MODULE`].
fn literal_path(node: &SyntaxNode) -> Option<(String, TextRange)> {
    let string = match Expr::cast(node.clone())? {
        Expr::InterpolatedString(string) => string,
        Expr::ParenExpr(paren) => return literal_path(paren.expr()?.syntax()),
        _ => return literal(node),
    };
    let mut path = String::new();
    for part in string.parts() {
        match part {
            StringPart::Text(text) => path.push_str(&text),
            StringPart::Expr(Expr::VariableExpr(variable)) if variable.name()? == "module_name" => {
                path.push_str(OWN_MODULE);
            }
            StringPart::Expr(_) | StringPart::Missing => return None,
        }
    }
    let range = node.text_range();
    let is_plain = node.text().starts_with('"') && !node.text().contains('\\');
    (is_plain && path.matches(OWN_MODULE).count() == 1)
        .then(|| (path, TextRange::new(range.start + 1, range.end.saturating_sub(1).max(range.start + 1))))
}

/// Returns the elements of an array, flattened, or the node itself.
fn elements(node: &SyntaxNode) -> Vec<SyntaxNode> {
    match Expr::cast(node.clone()) {
        Some(Expr::ArrayExpr(_)) => node.children().flat_map(|it| elements(&it)).collect(),
        Some(Expr::ParenExpr(paren)) => paren.expr().map(|it| elements(it.syntax())).unwrap_or_default(),
        Some(_) => vec![node.clone()],
        None => Vec::new(),
    }
}

/// Returns the entries of a hash, or of a bare hash in an argument list.
fn entries(node: &SyntaxNode) -> Vec<ast::KeyedEntry> {
    match Expr::cast(node.clone()) {
        Some(Expr::HashExpr(hash)) => hash.entries().collect(),
        Some(Expr::ParenExpr(paren)) => paren.expr().map(|it| entries(it.syntax())).unwrap_or_default(),
        _ => ast::KeyedEntry::cast(node.clone()).into_iter().collect(),
    }
}

impl NameUseWalk<'_> {
    /// Records the function name of a call and the names among its arguments.
    pub(super) fn call(&mut self, node: &SyntaxNode, position: WalkPosition) {
        let (name, receiver, arguments) = if let Some(call) = ast::CallExpr::cast(node.clone()) {
            match call.functor() {
                Some(Expr::QualifiedName(name)) => (name.token(), None, call.arguments()),
                Some(Expr::QualifiedReference(ty)) if fold_name(&ty.text()) == "deferred" => {
                    let arguments = call.arguments();
                    let first = arguments.and_then(|it| it.syntax().children().next());
                    first.inspect(|it| self.literal_name(it, NameUseKind::Function, Access::Call, position));
                    return;
                }
                _ => return,
            }
        } else if let Some(call) = ast::MethodCallExpr::cast(node.clone()) {
            (call.name_token(), call.receiver(), call.arguments())
        } else if let Some(call) = ast::StatementCall::cast(node.clone()) {
            (call.name().and_then(|it| it.token()), None, call.arguments())
        } else {
            return;
        };
        let Some(token) = name else { return };
        self.function(&token, position);
        let receiver = receiver.map(|it| it.syntax().clone());
        let listed = arguments.into_iter().flat_map(|it| it.syntax().children().collect::<Vec<_>>());
        let arguments: Vec<SyntaxNode> = receiver.into_iter().chain(listed).collect();
        self.arguments(&fold_name(token.text()), &arguments, position);
    }

    fn function(&mut self, token: &SyntaxToken, position: WalkPosition) {
        self.add_folded(token.text_range(), NameUseKind::Function, token.text(), Access::Call, position);
    }

    fn arguments(&mut self, function: &str, arguments: &[SyntaxNode], position: WalkPosition) {
        let Some(naming) = argument_naming(function) else { return };
        let first = &arguments[..arguments.len().min(1)];
        match naming {
            ArgumentNaming::Each(kind) => self.literal_names(arguments, kind, Access::Read, position),
            ArgumentNaming::First(kind, access) => self.literal_names(first, kind, *access, position),
            ArgumentNaming::Defined => self.defined(arguments, position),
            ArgumentNaming::ResourceTitles => self.declared_resources(arguments, true, position),
            ArgumentNaming::ResourceHash => self.declared_resources(arguments, false, position),
            ArgumentNaming::EppTemplate => {
                self.literal_names(first, &NameUseKind::EppTemplate, Access::Read, position);
                if let Some((path, _)) = first.first().and_then(literal_path) {
                    let owner = AttributeOwner::Template(path.as_str().into());
                    self.hash_attributes(&arguments[1..], &owner, position);
                }
            }
            ArgumentNaming::ServedFiles => self.served_files(arguments.iter().flat_map(elements), position),
            ArgumentNaming::ServedFile => self.served_files(first.iter().cloned(), position),
            ArgumentNaming::HieraKey => self.lookup_keys(first, position),
            ArgumentNaming::Plan => {
                self.run(arguments, NameUseKind::Plan, AttributeOwner::Plan, position);
            }
            ArgumentNaming::Task => {
                self.run(arguments, NameUseKind::Task, AttributeOwner::Task, position);
            }
            ArgumentNaming::InlineErb => {
                arguments.iter().for_each(|it| self.inline_template(it, false, position))
            }
            ArgumentNaming::InlineEpp => {
                arguments.iter().for_each(|it| self.inline_template(it, true, position))
            }
            ArgumentNaming::FactPath => self.facts_of_call(arguments, 1, position),
            ArgumentNaming::FactKeys => self.facts_of_call(arguments, usize::MAX, position),
        }
    }

    /// Records a plan or task and its parameters.
    fn run(
        &mut self,
        arguments: &[SyntaxNode],
        kind: NameUseKind,
        owner: fn(Name) -> AttributeOwner,
        position: WalkPosition,
    ) {
        let Some((first, rest)) = arguments.split_first() else { return };
        self.literal_names(std::slice::from_ref(first), &kind, Access::Call, position);
        if let Some((name, _)) = literal(first) {
            self.hash_attributes(rest, &owner(fold_name(&name)), position);
        }
    }

    /// Records all literals among nodes, with arrays flattened, as names of a kind.
    fn literal_names(
        &mut self,
        nodes: &[SyntaxNode],
        kind: &NameUseKind,
        access: Access,
        position: WalkPosition,
    ) {
        for name in nodes.iter().flat_map(elements) {
            self.literal_name(&name, kind.clone(), access, position);
        }
    }

    /// Records paths that begin with a module.
    fn served_files(&mut self, paths: impl Iterator<Item = SyntaxNode>, position: WalkPosition) {
        for path in paths {
            if literal_path(&path).is_some_and(|(text, _)| text.contains('/') && !text.starts_with('/')) {
                self.literal_name(&path, NameUseKind::ServedFile, Access::Read, position);
            }
        }
    }

    /// Records the keys of `lookup('key')` and `lookup({ 'name' => 'key' })`.
    fn lookup_keys(&mut self, first: &[SyntaxNode], position: WalkPosition) {
        first.iter().flat_map(elements).for_each(|it| self.hiera_key(&it, position));
        for entry in first.iter().flat_map(entries) {
            let key = entry.key().and_then(|it| literal(it.syntax()));
            if key.is_some_and(|(text, _)| text == "name")
                && let Some(value) = entry.value()
            {
                elements(value.syntax()).iter().for_each(|it| self.hiera_key(it, position));
            }
        }
    }

    /// Records `a::b.c.d`: the key `a::b`, and the paths `a::b.c` and `a::b.c.d` within its value.
    fn hiera_key(&mut self, node: &SyntaxNode, position: WalkPosition) {
        let Some((text, range)) = literal(node) else { return };
        let is_plain = !text.contains(['\'', '"']) && text.split('.').all(|part| !part.is_empty());
        let dots = text.match_indices('.').map(|(at, _)| at).filter(|_| is_plain).take(MAX_STEPS);
        let mut start = 0;
        for end in dots.chain([text.len()]) {
            let range = TextRange::new(range.start + start as u32, range.start + end as u32);
            self.add(range, NameUseKind::HieraKey, &text[..end], Access::Read, position);
            start = end + 1;
        }
    }

    /// Records the facts of `$facts.get('os.family')` and `$facts.dig('os', 'family')`.
    fn facts_of_call(&mut self, arguments: &[SyntaxNode], most: usize, position: WalkPosition) {
        let Some((receiver, keys)) = arguments.split_first() else { return };
        let Some(Expr::VariableExpr(variable)) = Expr::cast(receiver.clone()) else { return };
        let name = variable.name().unwrap_or_default();
        if name.strip_prefix("::").unwrap_or(&name) != "facts" {
            return;
        }
        let mut path = String::new();
        for key in keys.iter().take(most.min(MAX_STEPS)) {
            let Some((part, range)) = literal(key) else { return };
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(&part);
            self.add(range, NameUseKind::Fact, &path, Access::Read, position);
        }
    }

    /// Records the variables in the literal text of an inline template.
    fn inline_template(&mut self, argument: &SyntaxNode, is_epp: bool, position: WalkPosition) {
        let heredoc = ast::Heredoc::cast(argument.clone()).and_then(|it| it.body());
        let node = heredoc.map_or_else(|| argument.clone(), |it| it.syntax().clone());
        for token in node.descendants_with_tokens().filter_map(|it| it.into_token()) {
            if !matches!(
                token.kind(),
                SyntaxKind::SQ_STRING | SyntaxKind::DQ_STRING | SyntaxKind::STRING_TEXT
            ) {
                continue;
            }
            let start = token.text_range().start;
            if is_epp {
                for (at, name) in super::erb::epp_variables(token.text()) {
                    let range = TextRange::new(start + at, start + at + name.len() as u32);
                    self.add_variable(range, &name, Access::Read, position);
                }
                continue;
            }
            for found in super::erb::erb_name_uses(token.text()) {
                let range = TextRange::new(start + found.range.start, start + found.range.end);
                self.add(range, found.kind, &found.name, found.access, position);
            }
        }
    }

    /// Records the names of `defined('a', '$b')`.
    fn defined(&mut self, arguments: &[SyntaxNode], position: WalkPosition) {
        for argument in arguments.iter().flat_map(elements) {
            let Some((text, range)) = literal(&argument) else { continue };
            match text.strip_prefix('$') {
                Some(name) => {
                    self.add_variable(
                        TextRange::new(range.start + 1, range.end),
                        name,
                        Access::Read,
                        position,
                    );
                }
                None if is_name(&text) => {
                    self.add_folded(range, NameUseKind::ClassOrResourceType, &text, Access::Read, position);
                }
                None => {}
            }
        }
    }

    /// Records the names of `create_resources('type', { 'title' => { 'attribute' => 1 } }, { 'attribute' => 1
    /// })` and similar functions.
    fn declared_resources(&mut self, arguments: &[SyntaxNode], lists_titles: bool, position: WalkPosition) {
        let Some((ty, rest)) = arguments.split_first() else { return };
        let Some((name, _)) = literal(ty) else { return };
        let name = fold_name(&name);
        let is_class = ReferenceKind::is_class(&name);
        if !is_class && is_name(&name) {
            self.literal_name(ty, NameUseKind::ResourceType, Access::Read, position);
        } else if !is_class {
            return;
        }
        let owner_of = |title: &str| {
            if is_class {
                AttributeOwner::Class(fold_name(title))
            } else {
                AttributeOwner::ResourceType(name.clone())
            }
        };
        let Some((titles, defaults)) = rest.split_first() else { return };
        if lists_titles {
            let names: Vec<SyntaxNode> = elements(titles);
            let first = names.first().and_then(literal).map(|(text, _)| text).unwrap_or_default();
            for title in names {
                self.declared_title(&title, &name, position);
            }
            self.hash_attributes(defaults, &owner_of(&first), position);
            return;
        }
        for entry in entries(titles) {
            let Some(title) = entry.key().map(|it| it.syntax().clone()) else { continue };
            self.declared_title(&title, &name, position);
            let owner = owner_of(&literal(&title).map(|(text, _)| text).unwrap_or_default());
            if let Some(value) = entry.value() {
                self.hash_attributes(std::slice::from_ref(value.syntax()), &owner, position);
            }
        }
        if !is_class {
            self.hash_attributes(defaults, &owner_of(""), position);
        }
    }

    /// Records the keys of literal hashes as attributes.
    pub(super) fn hash_attributes(
        &mut self,
        nodes: &[SyntaxNode],
        owner: &AttributeOwner,
        position: WalkPosition,
    ) {
        for entry in nodes.iter().flat_map(entries) {
            let Some((name, range)) = entry.key().and_then(|it| literal(it.syntax())) else { continue };
            if name.starts_with('_') && matches!(owner, AttributeOwner::Plan(_) | AttributeOwner::Task(_)) {
                continue;
            }
            self.add(range, NameUseKind::Attribute(owner.clone()), &name, Access::Write, position);
        }
    }

    pub(super) fn class_name(&mut self, node: &SyntaxNode, access: Access, position: WalkPosition) {
        for name in elements(node) {
            self.literal_name(&name, NameUseKind::Class, access, position);
        }
    }

    /// Records a title in `Type['title']`.
    pub(super) fn title(&mut self, node: &SyntaxNode, ty: &str, access: Access, position: WalkPosition) {
        if TYPES_WITH_STRINGS.contains(&ty) {
            return;
        }
        for title in elements(node) {
            if let Some((text, range)) = literal(&title) {
                self.add(range, NameUseKind::Title { resource_type: ty.into() }, &text, access, position);
            }
        }
    }

    pub(super) fn declared_title(&mut self, node: &SyntaxNode, ty: &str, position: WalkPosition) {
        match ReferenceKind::of(ty) {
            ReferenceKind::Class => self.class_name(node, Access::Read, position),
            _ => self.title(node, ty, Access::Declaration, position),
        }
    }

    /// Records a literal as a name of the given kind.
    pub(super) fn literal_name(
        &mut self,
        node: &SyntaxNode,
        kind: NameUseKind,
        access: Access,
        position: WalkPosition,
    ) {
        let is_path =
            matches!(kind, NameUseKind::EppTemplate | NameUseKind::ErbTemplate | NameUseKind::ServedFile);
        let found = if is_path { literal_path(node) } else { literal(node) };
        let Some((text, range)) = found else { return };
        match kind {
            NameUseKind::Variable(_) => {
                // `getvar('a::b.c')`: the part after the dot is a key.
                let name = text.split('.').next().unwrap_or_default();
                if name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b':') {
                    let range = TextRange::new(range.start, range.start + name.len() as u32);
                    self.add_variable(range, name, access, position);
                }
            }
            NameUseKind::Class
            | NameUseKind::ResourceType
            | NameUseKind::Function
            | NameUseKind::Plan
            | NameUseKind::Task => {
                if is_name(&text) {
                    self.add_folded(range, kind, &text, access, position);
                }
            }
            _ => self.add(range, kind, &text, access, position),
        }
    }

    /// Records `'puppet:///modules/module/path'`.
    pub(super) fn served_file_url(&mut self, node: &SyntaxNode, position: WalkPosition) {
        const PREFIX: &str = "puppet:///modules/";
        let Some((text, range)) = literal_path(node) else { return };
        if let Some(path) = text.strip_prefix(PREFIX).filter(|it| !it.is_empty()) {
            let range = TextRange::new(range.start + PREFIX.len() as u32, range.end);
            self.add(range, NameUseKind::ServedFile, path, Access::Read, position);
        }
    }
}

/// Returns true if the text is a name of a class, type or function, in any case.
fn is_name(text: &str) -> bool {
    let text = text.strip_prefix("::").unwrap_or(text);
    let is_segment = |segment: &str| {
        segment.bytes().next().is_some_and(|b| b.is_ascii_alphabetic())
            && segment.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    text.split("::").all(is_segment)
}
