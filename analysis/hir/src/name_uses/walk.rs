//! Walk over the tree that records the names in each node.

use syntax::ast::{self, AstNode, Expr};
use syntax::{Parse, SyntaxKind, SyntaxNode, SyntaxToken, TextRange};

use super::{Access, NameUseKind, NameUseWalk, WalkPosition};
use crate::{DefinitionKind, ReferenceKind, type_sets};

/// Hash variables that contain facts.
const FACT_HASHES: &[(&str, NameUseKind)] = &[
    ("facts", NameUseKind::Fact),
    ("trusted", NameUseKind::TrustedFact),
    ("server_facts", NameUseKind::ServerFact),
];

impl NameUseWalk<'_> {
    pub(super) fn file(&mut self, parse: &Parse) {
        let root = parse.syntax();
        let position = WalkPosition { definition: 0, scope: self.open_scope(None) };
        if let Some(list) = parse.tree().epp_parameters() {
            self.documented_template(&root, &list, position);
        }
        self.children(&root, position);
    }

    pub(super) fn children(&mut self, node: &SyntaxNode, position: WalkPosition) {
        for child in node.children() {
            self.node(&child, position);
        }
    }

    fn node(&mut self, node: &SyntaxNode, position: WalkPosition) {
        use SyntaxKind::*;
        match node.kind() {
            CLASS_DEFINITION | DEFINED_TYPE | FUNCTION_DEFINITION | PLAN_DEFINITION | NODE_DEFINITION
            | TYPE_ALIAS | TYPE_MAPPING | TYPE_DEFINITION => return self.definition(node, position),
            LAMBDA | APPLY_EXPR => {
                let scope = self.open_scope(Some(position.scope));
                return self.children(node, WalkPosition { scope, ..position });
            }
            INHERITS_CLAUSE => self.inherited(node, position),
            PARAMETER => {
                let parameter = ast::Parameter::cast(node.clone()).and_then(|it| it.variable());
                parameter.inspect(|token| self.variable(token, Access::Declaration, position));
            }
            ASSIGNMENT_EXPR => return self.assignment(node, position),
            VARIABLE_EXPR => {
                let token = ast::VariableExpr::cast(node.clone()).and_then(|it| it.token());
                token.inspect(|token| self.variable(token, Access::Read, position));
            }
            INTERPOLATION => self.lone_name(node, position),
            QUALIFIED_REFERENCE => self.reference(node, position),
            ACCESS_EXPR => self.access(node, position),
            CALL_EXPR | METHOD_CALL_EXPR | STATEMENT_CALL => self.call(node, position),
            RESOURCE_EXPR => self.resource(node, position),
            RESOURCE_DEFAULTS | RESOURCE_OVERRIDE | COLLECT_EXPR | UNTITLED_RESOURCE => {
                self.resource_like(node, position);
            }
            LITERAL_STRING | INTERPOLATED_STRING => self.served_file_url(node, position),
            _ => {}
        }
        self.children(node, position);
    }

    fn definition(&mut self, node: &SyntaxNode, position: WalkPosition) {
        // Definitions at locations that the language does not allow are not in the table.
        let Some((index, entry)) = self.definitions.entry(node) else { return self.children(node, position) };
        if !self.enters_definitions {
            return;
        }
        let inner = WalkPosition { definition: index as u32 + 1, scope: self.open_scope(None) };
        let kind = match entry.key.kind {
            DefinitionKind::Class => Some(NameUseKind::Class),
            DefinitionKind::DefinedType => Some(NameUseKind::DefinedType),
            DefinitionKind::Function => Some(NameUseKind::Function),
            DefinitionKind::Plan => Some(NameUseKind::Plan),
            DefinitionKind::TypeAlias | DefinitionKind::TypeDefinition => Some(NameUseKind::Type),
            DefinitionKind::Main | DefinitionKind::Node | DefinitionKind::TypeMapping => None,
        };
        if let (Some(kind), Some(token)) = (kind, entry.node.name().and_then(|it| it.token())) {
            let lead = if token.text().starts_with("::") { 2 } else { 0 };
            let range = token.text_range();
            let range = TextRange::new(range.start + lead, range.end);
            self.add(range, kind, &entry.key.name, Access::Declaration, inner);
        }
        self.documented_definition(&entry.node, inner);
        let alias = ast::TypeAlias::cast(node.clone());
        let types = alias.and_then(|it| type_sets::type_set_of(&it)).map(|(_, hash)| hash);
        for (name, _) in types.iter().flat_map(type_sets::names_of_types) {
            let full = crate::fold_name(&format!("{}::{name}", entry.key.name));
            self.type_set.insert(crate::fold_name(&name), full);
        }
        for (name, range) in types.iter().flat_map(type_sets::names_of_types) {
            if let Some(full) = self.type_set.get(&crate::fold_name(&name)).cloned() {
                self.add(range, NameUseKind::Type, &full, Access::Write, inner);
            }
        }
        self.children(node, inner);
        self.type_set.clear();
    }

    fn inherited(&mut self, node: &SyntaxNode, position: WalkPosition) {
        let is_class = node.parent().is_some_and(|it| it.kind() == SyntaxKind::CLASS_DEFINITION);
        let name = ast::InheritsClause::cast(node.clone()).and_then(|it| it.name());
        if let (true, Some(token)) = (is_class, name.and_then(|it| it.token())) {
            self.add_folded(token.text_range(), NameUseKind::Class, token.text(), Access::Read, position);
        }
    }

    fn variable(&mut self, token: &SyntaxToken, access: Access, position: WalkPosition) {
        let range = token.text_range();
        match token.text().strip_prefix('$') {
            Some(name) => {
                self.add_variable(TextRange::new(range.start + 1, range.end), name, access, position)
            }
            None => self.add_variable(range, token.text(), access, position),
        }
    }

    /// Records a lone name in an interpolation as a variable.
    fn lone_name(&mut self, node: &SyntaxNode, position: WalkPosition) {
        let name = ast::Interpolation::cast(node.clone()).and_then(|it| it.expr());
        if let Some(Expr::QualifiedName(name)) = name {
            name.token().inspect(|token| self.variable(token, Access::Read, position));
        }
    }

    fn assignment(&mut self, node: &SyntaxNode, position: WalkPosition) {
        let Some(assignment) = ast::AssignmentExpr::cast(node.clone()) else { return };
        let lhs = assignment.lhs();
        let new = match &lhs {
            Some(Expr::VariableExpr(variable)) => variable.name(),
            _ => None,
        };
        let new = new.filter(|name| !self.is_declared(position.scope, name));
        let first = self.plain.len();
        for child in node.children() {
            match &lhs {
                Some(lhs) if *lhs.syntax() == child => self.assigned(lhs, position),
                _ => self.node(&child, position),
            }
        }
        if let Some(name) = new {
            self.mark_reads_before_set(first, &name, position.scope);
        }
    }

    fn assigned(&mut self, lhs: &Expr, position: WalkPosition) {
        match lhs {
            Expr::VariableExpr(variable) => {
                variable.token().inspect(|token| self.variable(token, Access::Write, position));
            }
            Expr::ArrayExpr(list) => {
                list.syntax().children().filter_map(Expr::cast).for_each(|it| self.assigned(&it, position));
            }
            other => self.node(other.syntax(), position),
        }
    }

    fn reference(&mut self, node: &SyntaxNode, position: WalkPosition) {
        let Some(token) = ast::QualifiedReference::cast(node.clone()).and_then(|it| it.token()) else {
            return;
        };
        if let Some(full) = self.type_set.get(&crate::fold_name(token.text())).cloned() {
            let entry = node.parent().and_then(ast::KeyedEntry::cast);
            let is_key = entry.and_then(|it| it.key()).is_some_and(|key| key.syntax() == node);
            if !is_key {
                self.add(token.text_range(), NameUseKind::Type, &full, Access::Read, position);
            }
            return;
        }
        let parent = node.parent().map(|it| it.kind());
        let is_resource_type =
            matches!(parent, Some(SyntaxKind::RESOURCE_DEFAULTS | SyntaxKind::COLLECT_EXPR));
        let kind = if is_resource_type { NameUseKind::ResourceType } else { NameUseKind::Type };
        self.add_folded(token.text_range(), kind, token.text(), Access::Read, position);
    }

    fn access(&mut self, node: &SyntaxNode, position: WalkPosition) {
        let Some(access) = ast::AccessExpr::cast(node.clone()) else { return };
        let keys = || access.keys().into_iter().flat_map(|it| it.syntax().children().collect::<Vec<_>>());
        match access.lhs() {
            Some(Expr::QualifiedReference(reference)) => {
                let ty = crate::fold_name(&reference.text());
                match ReferenceKind::of(&ty) {
                    ReferenceKind::Class => {
                        keys().for_each(|key| self.class_name(&key, Access::Read, position))
                    }
                    ReferenceKind::Resource => self.generic_resource(&keys().collect::<Vec<_>>(), position),
                    ReferenceKind::OfType => {
                        keys().for_each(|key| self.title(&key, &ty, Access::Read, position))
                    }
                }
            }
            Some(lhs) => self.fact_path(&access, &lhs, position),
            None => {}
        }
    }

    /// Records the names of `Resource['file', 'title']`.
    fn generic_resource(&mut self, keys: &[SyntaxNode], position: WalkPosition) {
        let Some((ty, titles)) = keys.split_first() else { return };
        self.literal_name(ty, NameUseKind::ResourceType, Access::Read, position);
        if let Some((text, _)) = super::arguments::literal(ty) {
            let ty = crate::fold_name(&text);
            titles.iter().for_each(|title| self.title(title, &ty, Access::Read, position));
        }
    }

    /// Records the last segment of `$facts['a']['b']`.
    fn fact_path(&mut self, access: &ast::AccessExpr, lhs: &Expr, position: WalkPosition) {
        let Some((kind, mut path)) = fact_path_of(lhs) else { return };
        let Some(keys) = access.keys() else { return };
        let children: Vec<SyntaxNode> = keys.syntax().children().collect();
        let [key] = &children[..] else { return };
        let Some((part, range)) = super::arguments::literal(key) else { return };
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(&part);
        self.add(range, kind, &path, Access::Read, position);
    }
}

/// Returns the kind of fact of an expression, and the path to it.
fn fact_path_of(expr: &Expr) -> Option<(NameUseKind, String)> {
    match expr {
        Expr::VariableExpr(variable) => {
            let name = variable.name()?;
            let name = name.strip_prefix("::").unwrap_or(&name);
            let (_, kind) = FACT_HASHES.iter().find(|(hash, _)| *hash == name)?;
            Some((kind.clone(), String::new()))
        }
        Expr::AccessExpr(access) => {
            let (kind, mut path) = fact_path_of(&access.lhs()?)?;
            let children: Vec<SyntaxNode> = access.keys()?.syntax().children().collect();
            let [key] = &children[..] else { return None };
            let part = match Expr::cast(key.clone())? {
                Expr::LiteralNumber(number) => number.syntax().text().to_owned(),
                _ => super::arguments::literal(key)?.0,
            };
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(&part);
            Some((kind, path))
        }
        Expr::ParenExpr(paren) => fact_path_of(&paren.expr()?),
        _ => None,
    }
}
