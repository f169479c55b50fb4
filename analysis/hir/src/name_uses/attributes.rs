//! Attributes of resources, defaults, overrides and collectors.

use syntax::ast::{self, AstNode, AttributeOperation, Expr, Query};
use syntax::{SyntaxKind, SyntaxNode};

use super::arguments::literal;
use super::{Access, AttributeOwner, NameUseKind, NameUseWalk, WalkPosition};
use crate::{Name, ReferenceKind, fold_name};

impl NameUseWalk<'_> {
    /// Records the names of `type { 'title': attribute => value }`.
    pub(super) fn resource(&mut self, node: &SyntaxNode, position: WalkPosition) {
        let Some(resource) = ast::ResourceExpr::cast(node.clone()) else { return };
        let Some(ty) = resource.type_expr() else { return };
        let Some(name) = self.type_name(&ty, position) else { return };
        for body in resource.bodies() {
            let title = body.title().map(|it| it.syntax().clone());
            title.iter().for_each(|it| self.declared_title(it, &name, position));
            let owner = match ReferenceKind::of(&name) {
                ReferenceKind::Class => {
                    let title = title.as_ref().and_then(first_literal);
                    title.map(|it| AttributeOwner::Class(fold_name(&it)))
                }
                _ => Some(AttributeOwner::ResourceType(name.clone())),
            };
            if let Some(owner) = owner {
                self.operations(body.operations(), &owner, position);
            }
        }
    }

    /// Records the names of defaults, overrides, collectors and untitled resources.
    pub(super) fn resource_like(&mut self, node: &SyntaxNode, position: WalkPosition) {
        let owner_of = |ty: &Expr| match ty {
            Expr::QualifiedReference(ty) => Some(AttributeOwner::ResourceType(fold_name(&ty.text()))),
            _ => None,
        };
        if let Some(defaults) = ast::ResourceDefaults::cast(node.clone()) {
            let owner = defaults.type_expr().as_ref().and_then(owner_of);
            owner.inspect(|owner| self.operations(defaults.operations(), owner, position));
        } else if let Some(resource) = ast::ResourceOverride::cast(node.clone()) {
            let owner = resource.reference().as_ref().and_then(overridden);
            owner.inspect(|owner| self.operations(resource.operations(), owner, position));
        } else if let Some(collector) = ast::CollectExpr::cast(node.clone()) {
            let Some(owner) = collector.type_expr().as_ref().and_then(owner_of) else { return };
            let query = collector.query().and_then(|query| match query {
                Query::VirtualQuery(query) => query.expr(),
                Query::ExportedQuery(query) => query.expr(),
            });
            query.inspect(|query| self.query(query.syntax(), &owner, position));
            self.operations(collector.operations(), &owner, position);
        } else if let Some(resource) = ast::UntitledResource::cast(node.clone()) {
            let Some(name) = resource.name().filter(|_| !resource.is_statement_call()) else { return };
            let Some(name) = self.type_name(&Expr::from(name), position) else { return };
            if !ReferenceKind::is_class(&name) {
                self.operations(resource.operations(), &AttributeOwner::ResourceType(name), position);
            }
        }
    }

    /// Returns the folded name of a resource type in any notation, and records it.
    fn type_name(&mut self, ty: &Expr, position: WalkPosition) -> Option<Name> {
        let (text, token) = match ty {
            Expr::QualifiedName(name) => (name.text(), name.token()?),
            // The walk records it.
            Expr::QualifiedReference(reference) => return Some(fold_name(&reference.text())),
            _ => return None,
        };
        if token.kind() != SyntaxKind::CLASS_KW {
            self.add_folded(token.text_range(), NameUseKind::ResourceType, &text, Access::Read, position);
        }
        Some(fold_name(&text))
    }

    fn operations(
        &mut self,
        operations: impl Iterator<Item = AttributeOperation>,
        owner: &AttributeOwner,
        position: WalkPosition,
    ) {
        for operation in operations {
            match operation {
                AttributeOperation::Attribute(attribute) => self.attribute(&attribute, owner, position),
                AttributeOperation::AttributeSplat(splat) => {
                    let hash = splat.expr().map(|it| it.syntax().clone());
                    self.hash_attributes(hash.as_slice(), owner, position);
                }
            }
        }
    }

    fn attribute(&mut self, attribute: &ast::Attribute, owner: &AttributeOwner, position: WalkPosition) {
        let Some(token) = attribute.name_token() else { return };
        let kind = NameUseKind::Attribute(owner.clone());
        self.add(token.text_range(), kind, token.text(), Access::Write, position);
        if let (AttributeOwner::ResourceType(resource_type), "provider", Some(value)) =
            (owner, token.text(), attribute.value())
        {
            let kind = NameUseKind::Provider { resource_type: resource_type.clone() };
            self.literal_name(value.syntax(), kind, Access::Read, position);
        }
    }

    /// Records the attributes in the query of a collector.
    fn query(&mut self, node: &SyntaxNode, owner: &AttributeOwner, position: WalkPosition) {
        let Some(binary) = ast::BinaryExpr::cast(node.clone()) else {
            return node.children().for_each(|it| self.query(&it, owner, position));
        };
        match binary.operator() {
            Some(ast::BinaryOperator::Equal | ast::BinaryOperator::NotEqual) => {
                let Some(Expr::QualifiedName(name)) = binary.lhs() else { return };
                let text = name.text();
                let range = name.syntax().text_range();
                let (AttributeOwner::ResourceType(ty), "title", Some(value)) =
                    (owner, text.as_str(), binary.rhs())
                else {
                    let kind = NameUseKind::Attribute(owner.clone());
                    return self.add(range, kind, &text, Access::Read, position);
                };
                self.title(value.syntax(), ty, Access::Read, position);
            }
            _ => node.children().for_each(|it| self.query(&it, owner, position)),
        }
    }
}

/// Returns the owner of the attributes in `Type['title'] { }`.
fn overridden(reference: &Expr) -> Option<AttributeOwner> {
    let Expr::AccessExpr(access) = reference else { return None };
    let Expr::QualifiedReference(ty) = access.lhs()? else { return None };
    let ty = fold_name(&ty.text());
    let key = || access.keys().and_then(|keys| keys.syntax().children().find_map(|key| first_literal(&key)));
    match ReferenceKind::of(&ty) {
        ReferenceKind::Class => Some(AttributeOwner::Class(fold_name(&key()?))),
        ReferenceKind::Resource => Some(AttributeOwner::ResourceType(fold_name(&key()?))),
        ReferenceKind::OfType => Some(AttributeOwner::ResourceType(ty)),
    }
}

/// Returns the value of a literal, or of the first one in an array.
fn first_literal(node: &SyntaxNode) -> Option<String> {
    match Expr::cast(node.clone())? {
        Expr::ArrayExpr(_) => node.children().find_map(|it| first_literal(&it)),
        _ => literal(node).map(|(text, _)| text),
    }
}
