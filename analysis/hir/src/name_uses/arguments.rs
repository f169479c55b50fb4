//! Names that functions are given, mostly as strings.

use syntax::ast::{self, AstNode, Expr};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange};

use super::naming::{ArgumentNaming, argument_naming};
use super::{Access, AttributeOwner, NameUseKind, NameUseWalk, WalkPosition};
use crate::{Name, ReferenceKind, fold_name};

/// So many steps into a value are noted of one name, each with all that stands before it.
const MAX_STEPS: usize = 100;

/// Data types whose strings in brackets are no titles.
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

/// The text of a literal (a string, bare word or name) and where it stands, without quotes; `None` for anything else and
/// for strings whose text is not what is written.
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

/// The elements of a list, or what else stands there.
fn elements(node: &SyntaxNode) -> Vec<SyntaxNode> {
    match Expr::cast(node.clone()) {
        Some(Expr::ArrayExpr(_)) => node.children().flat_map(|it| elements(&it)).collect(),
        Some(Expr::ParenExpr(paren)) => paren.expr().map(|it| elements(it.syntax())).unwrap_or_default(),
        Some(_) => vec![node.clone()],
        None => Vec::new(),
    }
}

/// The entries of a hash, or of a bare hash in a list of arguments.
fn entries(node: &SyntaxNode) -> Vec<ast::KeyedEntry> {
    match Expr::cast(node.clone()) {
        Some(Expr::HashExpr(hash)) => hash.entries().collect(),
        Some(Expr::ParenExpr(paren)) => paren.expr().map(|it| entries(it.syntax())).unwrap_or_default(),
        _ => ast::KeyedEntry::cast(node.clone()).into_iter().collect(),
    }
}

impl NameUseWalk<'_> {
    /// The function that a call names, and the names among its arguments.
    pub(super) fn call(&mut self, node: &SyntaxNode, place: WalkPosition) {
        let (name, receiver, arguments) = if let Some(call) = ast::CallExpr::cast(node.clone()) {
            match call.functor() {
                Some(Expr::QualifiedName(name)) => (name.token(), None, call.arguments()),
                Some(Expr::QualifiedReference(ty)) if fold_name(&ty.text()) == "deferred" => {
                    let arguments = call.arguments();
                    let first = arguments.and_then(|it| it.syntax().children().next());
                    first.inspect(|it| self.literal_name(it, NameUseKind::Function, Access::Call, place));
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
        self.function(&token, place);
        let receiver = receiver.map(|it| it.syntax().clone());
        let listed = arguments.into_iter().flat_map(|it| it.syntax().children().collect::<Vec<_>>());
        let arguments: Vec<SyntaxNode> = receiver.into_iter().chain(listed).collect();
        self.arguments(&fold_name(token.text()), &arguments, place);
    }

    fn function(&mut self, token: &SyntaxToken, place: WalkPosition) {
        self.add_folded(token.text_range(), NameUseKind::Function, token.text(), Access::Call, place);
    }

    fn arguments(&mut self, function: &str, arguments: &[SyntaxNode], place: WalkPosition) {
        let Some(naming) = argument_naming(function) else { return };
        let first = &arguments[..arguments.len().min(1)];
        match naming {
            ArgumentNaming::Each(kind) => self.literal_names(arguments, kind, Access::Read, place),
            ArgumentNaming::First(kind, access) => self.literal_names(first, kind, *access, place),
            ArgumentNaming::Defined => self.defined(arguments, place),
            ArgumentNaming::ResourceTitles => self.declared_resources(arguments, true, place),
            ArgumentNaming::ResourceHash => self.declared_resources(arguments, false, place),
            ArgumentNaming::EppTemplate => {
                self.literal_names(first, &NameUseKind::EppTemplate, Access::Read, place);
                if let Some((path, _)) = first.first().and_then(literal) {
                    let owner = AttributeOwner::Template(path.as_str().into());
                    self.hash_attributes(&arguments[1..], &owner, place);
                }
            }
            ArgumentNaming::ServedFiles => self.served_files(arguments.iter().flat_map(elements), place),
            ArgumentNaming::ServedFile => self.served_files(first.iter().cloned(), place),
            ArgumentNaming::HieraKey => self.looked_up(first, place),
            ArgumentNaming::Plan => {
                self.run(arguments, NameUseKind::Plan, AttributeOwner::Plan, place);
            }
            ArgumentNaming::Task => {
                self.run(arguments, NameUseKind::Task, AttributeOwner::Task, place);
            }
            ArgumentNaming::InlineErb => {
                arguments.iter().for_each(|it| self.inline_template(it, false, place))
            }
            ArgumentNaming::InlineEpp => {
                arguments.iter().for_each(|it| self.inline_template(it, true, place))
            }
            ArgumentNaming::FactPath => self.dug_fact(arguments, 1, place),
            ArgumentNaming::FactKeys => self.dug_fact(arguments, usize::MAX, place),
        }
    }

    /// A plan or task, and its parameters.
    fn run(
        &mut self,
        arguments: &[SyntaxNode],
        kind: NameUseKind,
        owner: fn(Name) -> AttributeOwner,
        place: WalkPosition,
    ) {
        let Some((first, rest)) = arguments.split_first() else { return };
        self.literal_names(std::slice::from_ref(first), &kind, Access::Call, place);
        if let Some((name, _)) = literal(first) {
            self.hash_attributes(rest, &owner(fold_name(&name)), place);
        }
    }

    /// All literals among nodes, lists taken apart, as names of a kind.
    fn literal_names(
        &mut self,
        nodes: &[SyntaxNode],
        kind: &NameUseKind,
        access: Access,
        place: WalkPosition,
    ) {
        for name in nodes.iter().flat_map(elements) {
            self.literal_name(&name, kind.clone(), access, place);
        }
    }

    /// Paths that begin with a module.
    fn served_files(&mut self, paths: impl Iterator<Item = SyntaxNode>, place: WalkPosition) {
        for path in paths {
            if literal(&path).is_some_and(|(text, _)| text.contains('/') && !text.starts_with('/')) {
                self.literal_name(&path, NameUseKind::ServedFile, Access::Read, place);
            }
        }
    }

    /// `lookup('key')`, `lookup({ 'name' => 'key' })`
    fn looked_up(&mut self, first: &[SyntaxNode], place: WalkPosition) {
        first.iter().flat_map(elements).for_each(|it| self.hiera_key(&it, place));
        for entry in first.iter().flat_map(entries) {
            let key = entry.key().and_then(|it| literal(it.syntax()));
            if key.is_some_and(|(text, _)| text == "name")
                && let Some(value) = entry.value()
            {
                elements(value.syntax()).iter().for_each(|it| self.hiera_key(it, place));
            }
        }
    }

    /// `a::b.c.d` names the key `a::b`, and what `a::b.c` and `a::b.c.d` are within its value.
    fn hiera_key(&mut self, node: &SyntaxNode, place: WalkPosition) {
        let Some((text, range)) = literal(node) else { return };
        let is_plain = !text.contains(['\'', '"']) && text.split('.').all(|part| !part.is_empty());
        let dots = text.match_indices('.').map(|(at, _)| at).filter(|_| is_plain).take(MAX_STEPS);
        let mut start = 0;
        for end in dots.chain([text.len()]) {
            let range = TextRange::new(range.start + start as u32, range.start + end as u32);
            self.add(range, NameUseKind::HieraKey, &text[..end], Access::Read, place);
            start = end + 1;
        }
    }

    /// `$facts.get('os.family')`, `$facts.dig('os', 'family')`
    fn dug_fact(&mut self, arguments: &[SyntaxNode], most: usize, place: WalkPosition) {
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
            self.add(range, NameUseKind::Fact, &path, Access::Read, place);
        }
    }

    /// The variables in the literal texts of a template that stands in the code itself.
    fn inline_template(&mut self, argument: &SyntaxNode, is_epp: bool, place: WalkPosition) {
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
                    self.add_variable(range, &name, Access::Read, place);
                }
                continue;
            }
            for found in super::erb::erb_name_uses(token.text()) {
                let range = TextRange::new(start + found.range.start, start + found.range.end);
                self.add(range, found.kind, &found.name, found.access, place);
            }
        }
    }

    /// `defined('a', '$b')`
    fn defined(&mut self, arguments: &[SyntaxNode], place: WalkPosition) {
        for argument in arguments.iter().flat_map(elements) {
            let Some((text, range)) = literal(&argument) else { continue };
            match text.strip_prefix('$') {
                Some(name) => {
                    self.add_variable(TextRange::new(range.start + 1, range.end), name, Access::Read, place);
                }
                None if is_name(&text) => {
                    self.add_folded(range, NameUseKind::ClassOrResourceType, &text, Access::Read, place);
                }
                None => {}
            }
        }
    }

    /// `create_resources('type', { 'title' => { 'attribute' => 1 } }, { 'attribute' => 1 })` and its kin
    fn declared_resources(&mut self, arguments: &[SyntaxNode], lists_titles: bool, place: WalkPosition) {
        let Some((ty, rest)) = arguments.split_first() else { return };
        let Some((name, _)) = literal(ty) else { return };
        let name = fold_name(&name);
        let is_class = ReferenceKind::is_class(&name);
        if !is_class && is_name(&name) {
            self.literal_name(ty, NameUseKind::ResourceType, Access::Read, place);
        } else if !is_class {
            return;
        }
        let owner_of = |title: &str| match is_class {
            true => AttributeOwner::Class(fold_name(title)),
            false => AttributeOwner::ResourceType(name.clone()),
        };
        let Some((titles, defaults)) = rest.split_first() else { return };
        if lists_titles {
            let names: Vec<SyntaxNode> = elements(titles);
            let first = names.first().and_then(literal).map(|(text, _)| text).unwrap_or_default();
            for title in names {
                self.declared_title(&title, &name, place);
            }
            self.hash_attributes(defaults, &owner_of(&first), place);
            return;
        }
        for entry in entries(titles) {
            let Some(title) = entry.key().map(|it| it.syntax().clone()) else { continue };
            self.declared_title(&title, &name, place);
            let owner = owner_of(&literal(&title).map(|(text, _)| text).unwrap_or_default());
            if let Some(value) = entry.value() {
                self.hash_attributes(std::slice::from_ref(value.syntax()), &owner, place);
            }
        }
        if !is_class {
            self.hash_attributes(defaults, &owner_of(""), place);
        }
    }

    /// The keys of literal hashes, as attributes.
    pub(super) fn hash_attributes(
        &mut self,
        nodes: &[SyntaxNode],
        owner: &AttributeOwner,
        place: WalkPosition,
    ) {
        for entry in nodes.iter().flat_map(entries) {
            let Some((name, range)) = entry.key().and_then(|it| literal(it.syntax())) else { continue };
            if name.starts_with('_') && matches!(owner, AttributeOwner::Plan(_) | AttributeOwner::Task(_)) {
                continue;
            }
            self.add(range, NameUseKind::Attribute(owner.clone()), &name, Access::Write, place);
        }
    }

    pub(super) fn class_name(&mut self, node: &SyntaxNode, access: Access, place: WalkPosition) {
        for name in elements(node) {
            self.literal_name(&name, NameUseKind::Class, access, place);
        }
    }

    /// A title in `Type['title']`.
    pub(super) fn title(&mut self, node: &SyntaxNode, ty: &str, access: Access, place: WalkPosition) {
        if TYPES_WITH_STRINGS.contains(&ty) {
            return;
        }
        for title in elements(node) {
            if let Some((text, range)) = literal(&title) {
                self.add(range, NameUseKind::Title { resource_type: ty.into() }, &text, access, place);
            }
        }
    }

    pub(super) fn declared_title(&mut self, node: &SyntaxNode, ty: &str, place: WalkPosition) {
        match ReferenceKind::of(ty) {
            ReferenceKind::Class => self.class_name(node, Access::Read, place),
            _ => self.title(node, ty, Access::Declaration, place),
        }
    }

    /// A literal as a name of the given kind.
    pub(super) fn literal_name(
        &mut self,
        node: &SyntaxNode,
        kind: NameUseKind,
        access: Access,
        place: WalkPosition,
    ) {
        let Some((text, range)) = literal(node) else { return };
        match kind {
            NameUseKind::Variable(_) => {
                // `getvar('a::b.c')`: what follows the dot is a key.
                let name = text.split('.').next().unwrap_or_default();
                if name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b':') {
                    let range = TextRange::new(range.start, range.start + name.len() as u32);
                    self.add_variable(range, name, access, place);
                }
            }
            NameUseKind::Class
            | NameUseKind::ResourceType
            | NameUseKind::Function
            | NameUseKind::Plan
            | NameUseKind::Task => {
                if is_name(&text) {
                    self.add_folded(range, kind, &text, access, place);
                }
            }
            _ => self.add(range, kind, &text, access, place),
        }
    }

    /// `'puppet:///modules/module/path'`
    pub(super) fn served_file_url(&mut self, node: &SyntaxNode, place: WalkPosition) {
        const PREFIX: &str = "puppet:///modules/";
        let Some((text, range)) = literal(node) else { return };
        if let Some(path) = text.strip_prefix(PREFIX).filter(|it| !it.is_empty()) {
            let range = TextRange::new(range.start + PREFIX.len() as u32, range.end);
            self.add(range, NameUseKind::ServedFile, path, Access::Read, place);
        }
    }
}

/// Is a text a name of a class, type or function, in any case?
fn is_name(text: &str) -> bool {
    let text = text.strip_prefix("::").unwrap_or(text);
    let is_segment = |segment: &str| {
        segment.bytes().next().is_some_and(|b| b.is_ascii_alphabetic())
            && segment.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    text.split("::").all(is_segment)
}
