//! Hover: type, value and documentation at a position.

mod keywords;
mod markdown;

use std::cell::RefCell;

use eval::{RecordedValue, World};
use output::markdown::code_span;
use project::{Db, DefinitionId, File, FileKind, NameKind};
use symbols::callees::{self, CallSignature, Callee};
use symbols::descriptions::{self, Description, Hover};
use symbols::recorded_value::{self, Evaluated};
use symbols::symbol::{self, Symbol};
use symbols::{computed_names, erb, hiera_config, hiera_data, metadata_json, parameters, puppetfile};
use syntax::ast::{self, Expr};
use syntax::{AstNode, SyntaxKind, SyntaxNode, SyntaxToken, TextRange};
use types::{Type, Value};

use self::markdown::Markdown;
use crate::calls::{CallSite, Functor};

/// Maximum length of displayed types, in characters. [`MAX_VALUE_LENGTH`] is the same for values.
pub(crate) const MAX_TYPE_LENGTH: usize = 400;
pub(crate) const MAX_VALUE_LENGTH: usize = 160;

pub(crate) fn hover(db: &dyn Db, file: File, offset: u32) -> Option<Hover> {
    if file.is_large(db) {
        return None;
    }
    match project::file_kind(db, file) {
        FileKind::ModuleMetadata => return metadata_json::hover(db, file, offset),
        FileKind::Puppetfile => return puppetfile::hover(db, file, offset),
        FileKind::Data => return hiera_data::hover(db, file, offset),
        FileKind::ErbTemplate => return erb::hover(db, file, offset),
        FileKind::HieraConfiguration => return hiera_config::hover(db, file, offset),
        _ => {}
    }
    let parse = project::parse(db, file);
    let token = token_at(parse.tree().syntax(), offset)?;
    let parent = token.parent()?;
    let evaluated = Evaluated::around(db, file, &parent)?;
    let found = compile::with_world(db, evaluated.definition, |world| {
        let data = RefCell::new(hiera_data::values_of_parameter(db, file, offset));
        let ctx = HoverContext { db, file, evaluated: &evaluated, world, data };
        let found = ctx
            .definition_name(&token, &parent)
            .or_else(|| keywords::hover(&token, &parent))
            .or_else(|| ctx.token(&token, &parent, offset))
            .or_else(|| ctx.attribute_of_value(&token, &parent))?;
        Some(match ctx.data.take() {
            Some(values) => Hover { markdown: format!("{}\n\n{values}", found.markdown), ..found },
            None => found,
        })
    })??;
    Some(found)
}

/// Returns the most significant token that touches `offset`.
pub(crate) fn token_at(root: &SyntaxNode, offset: u32) -> Option<SyntaxToken> {
    let weight = |token: &SyntaxToken| match token.kind() {
        SyntaxKind::WHITESPACE | SyntaxKind::COMMENT | SyntaxKind::BLOCK_COMMENT => 0,
        SyntaxKind::NAME | SyntaxKind::CLASSREF | SyntaxKind::VARIABLE => 3,
        // At the end of a word, prefer the word to the bracket after it.
        _ if token.text_range().start < offset => 2,
        _ => 1,
    };
    root.tokens_at(offset).max_by_key(weight).filter(|token| weight(token) > 0)
}

struct HoverContext<'h, 'w> {
    db: &'h dyn Db,
    file: File,
    evaluated: &'h Evaluated,
    world: &'h World<'w>,
    /// Data of the parameter at the offset, until it is shown: after its value, before its documentation.
    data: RefCell<Option<String>>,
}

impl HoverContext<'_, '_> {
    /// Hover for the name in the header of a definition.
    fn definition_name(&self, token: &SyntaxToken, parent: &SyntaxNode) -> Option<Hover> {
        let name = ast::DefinitionName::cast(parent.clone())?;
        let outer = parent.parent()?;
        let range = token.text_range();
        if let Some(class) = ast::InheritsClause::cast(outer.clone()) {
            let definition =
                project::resolve_in_file(self.db, self.file, NameKind::Class, &class.name()?.text())?;
            return self.definition(definition, range);
        }
        let node = ast::Definition::cast(outer)?;
        if let ast::Definition::TypeAlias(_) = node {
            return self.named_type(&name.text(), range);
        }
        let definition = recorded_value::definition_around(self.db, self.file, node.syntax())?;
        self.definition(definition, range)
    }

    /// Hover for a literal value: the attribute that it is given to.
    fn attribute_of_value(&self, token: &SyntaxToken, parent: &SyntaxNode) -> Option<Hover> {
        let literal = Expr::cast(parent.clone()).filter(is_literal)?;
        let attribute = ast::Attribute::cast(literal.syntax().parent()?)?;
        let name = attribute.name_token()?;
        let (symbol, _) = symbol::symbol_at(self.db, self.file, name.text_range().start)?;
        let about = descriptions::of_symbol(self.db, self.file, &symbol)?;
        Some(self.described(about, token.text_range(), &[]))
    }

    fn token(&self, token: &SyntaxToken, parent: &SyntaxNode, offset: u32) -> Option<Hover> {
        let range = token.text_range();
        if let Some(call) = parent.ancestors().take(2).find_map(CallSite::cast)
            && let Some(Functor::Function { name, token: of_call }) = call.functor()
            && of_call == *token
        {
            return self.function(&call, &name, range);
        }
        if let Some(parameter) = ast::Parameter::cast(parent.clone())
            && token.kind() == SyntaxKind::VARIABLE
        {
            return self.parameter(&parameter, range);
        }
        if token.kind() == SyntaxKind::CLASSREF {
            return self.type_reference(parent);
        }
        if let Some(hover) = hiera_data::hover_of_key(self.db, self.file, offset) {
            return Some(hover);
        }
        match symbol::symbol_at(self.db, self.file, offset) {
            Some((symbol, range)) => self.symbol(&symbol, range, token, parent),
            None => self.computed_name(offset).or_else(|| self.expression(token, parent)),
        }
    }

    /// Hover for the symbols that a string with interpolations may name.
    fn computed_name(&self, offset: u32) -> Option<Hover> {
        let (symbols, string) = computed_names::symbols_at(self.db, self.file, offset)?;
        let mut found = symbols.iter().filter_map(|symbol| match symbol {
            Symbol::HieraKey(key) => hiera_data::about_key_in(self.db, self.file, key),
            symbol => {
                let about = descriptions::of_symbol(self.db, self.file, symbol)?;
                Some(self.described(about, string.text_range(), &[]).markdown)
            }
        });
        let markdown = found.by_ref().collect::<Vec<_>>().join("\n\n");
        (!markdown.is_empty()).then(|| Hover { range: string.text_range(), markdown })
    }

    /// Returns the hover for a resolved symbol, with its value, if it has one, at the hovered location.
    fn symbol(
        &self,
        symbol: &Symbol,
        range: TextRange,
        token: &SyntaxToken,
        parent: &SyntaxNode,
    ) -> Option<Hover> {
        match symbol {
            Symbol::Variable { definition, name } => self.variable(*definition, name, range, token, parent),
            Symbol::LambdaVariable { .. } | Symbol::HieraKey(_) => self.expression(token, parent),
            Symbol::Resource { resource_type, title } => Some(self.resource(resource_type, title, range)),
            Symbol::Definition(definition) => self.definition(*definition, range),
            _ => match descriptions::of_symbol(self.db, self.file, symbol) {
                Some(about) => Some(self.described(about, range, &[])),
                None => self.expression(token, parent),
            },
        }
    }

    fn described(&self, about: Description, range: TextRange, more: &[String]) -> Hover {
        let mut markdown = Markdown::default();
        markdown.code(&about.code);
        self.data.take().iter().for_each(|values| markdown.text(values));
        about.text.iter().chain(more).for_each(|text| markdown.text(text));
        Hover { range, markdown: markdown.finish() }
    }

    /// Hover for a variable of a definition's scope, with its value here or where it is assigned.
    fn variable(
        &self,
        definition: DefinitionId,
        name: &str,
        range: TextRange,
        token: &SyntaxToken,
        parent: &SyntaxNode,
    ) -> Option<Hover> {
        let parameter = descriptions::of_parameter(self.db, definition, name);
        let is_own = definition == self.evaluated.definition;
        let here = self.expression(token, parent).filter(|it| it.range.contains_range(range));
        if is_own && here.is_none() && self.evaluated.is_set_at(parent) {
            return None;
        }
        let is_variable = ast::VariableExpr::can_cast(parent.kind());
        let range = if is_variable { parent.text_range() } else { token.text_range() };
        let owner = project::signature(self.db, definition).as_ref().filter(|_| !is_own);
        let mut markdown = Markdown::default();
        let is_unknown = self.evaluated.value(parent).is_some_and(|it| self.is_anything(&it));
        match (here, &parameter) {
            // The inferred type is `Any`: the declared type says more.
            (_, Some(about)) if is_own && is_unknown => markdown.code(&about.code),
            (Some(here), _) if is_own => markdown.text(&here.markdown),
            (here, parameter) => {
                let elsewhere = Evaluated::new(self.db, definition);
                let recorded = elsewhere.variable_value(name);
                match (parameter, recorded) {
                    (Some(about), _) => markdown.code(&about.code),
                    (None, Some(recorded)) => {
                        let ty = recorded_value::type_of(&recorded, self.world);
                        let ty = recorded_value::short_type(&ty, MAX_TYPE_LENGTH, self.world);
                        markdown.code(&format!("${name}: {ty}"));
                        if let Some(values) = recorded_value::known_values(&recorded) {
                            markdown.text(&format!("Value: {}", self.values(&values)));
                        }
                    }
                    (None, None) => markdown.text(&here?.markdown),
                }
            }
        }
        self.data.take().iter().for_each(|values| markdown.text(values));
        if let Some(text) = parameter.as_ref().and_then(|it| it.text.as_ref()) {
            markdown.text(text);
        }
        if let Some(owner) = owner.filter(|it| !it.name.is_empty()) {
            let kind = if parameter.is_some() { "Parameter" } else { "Variable" };
            markdown.text(&format!("{kind} of {}", code_span(&owner.name)));
        }
        Some(Hover { range, markdown: markdown.finish() })
    }

    /// Hover for a resource reference.
    fn resource(&self, resource_type: &str, title: &str, range: TextRange) -> Hover {
        let mut reference = String::new();
        for (index, part) in resource_type.split("::").enumerate() {
            let mut letters = part.chars();
            let first = letters.next().map(|it| it.to_ascii_uppercase());
            reference.push_str(if index > 0 { "::" } else { "" });
            reference.extend(first);
            reference.push_str(letters.as_str());
        }
        let about = descriptions::of_resource_type(self.db, self.file, resource_type);
        // The first paragraph of a long documentation is enough here.
        let text = about.and_then(|it| it.text).map(|text| first_paragraph(&text).to_owned());
        self.described(Description { code: format!("{reference}['{title}']"), text }, range, &[])
    }

    fn function(&self, call: &CallSite, name: &str, range: TextRange) -> Option<Hover> {
        let callee = callees::find(self.db, self.file, name)?;
        let name = callee.name(self.db);
        let signatures = callee.signatures(self.db);
        let arguments = call.arguments(None, Some(self.evaluated), self.world);
        let applying = callees::applicable_signature(&signatures, &arguments, self.world);
        let mut markdown = Markdown::default();
        self.add_result(call, &mut markdown);
        let label = |signature: &CallSignature| match callee {
            Callee::BuiltIn(_) | Callee::Ruby { .. } | Callee::Bolt(_) => signature.label(&name).0,
            Callee::Puppet(_) => format!("function {}", signature.label(&name).0),
        };
        if let Some(signature) = applying.and_then(|index| signatures.get(index)) {
            markdown.code(&label(signature));
        }
        let others = signatures.iter().enumerate().filter(|(index, _)| Some(*index) != applying);
        let others: Vec<String> = others.map(|(_, signature)| label(signature)).collect();
        if applying.is_none() {
            markdown.code(&others.join("\n"));
        }
        if let Some(documentation) = callee.documentation(self.db) {
            markdown.text(&documentation);
        }
        if applying.is_some() && !others.is_empty() {
            markdown.text("Other signatures:");
            markdown.code(&others.join("\n"));
        }
        Some(Hover { range, markdown: markdown.finish() })
    }

    /// Adds the value that a call returns, or the reason why it is unknown.
    fn add_result(&self, call: &CallSite, markdown: &mut Markdown) {
        if let Some(recorded) = self.evaluated.value(call.syntax())
            && !matches!(&recorded, RecordedValue::Values(values) if *values == [Value::Undef])
        {
            markdown.text(&format!("Result: {}", self.value_text(&recorded)));
        }
        if let Some(reason) = self.evaluated.ruby_reason(call.syntax()) {
            let location = match reason.line {
                0 => reason.path.to_string(),
                line => format!("{}:{line}", reason.path),
            };
            markdown.text(&format!(
                "Result is unknown because of {} in {}",
                code_span(&reason.what),
                code_span(&location)
            ));
        }
    }

    /// Hover for a definition, showing its signature.
    fn definition(&self, definition: DefinitionId, range: TextRange) -> Option<Hover> {
        if let Some(about) = descriptions::of_definition(self.db, definition) {
            return Some(self.described(about, range, &[]));
        }
        let signature = project::signature(self.db, definition).as_ref()?.clone();
        if definition.key(self.db).kind == hir::DefinitionKind::TypeAlias {
            return self.named_type(&signature.name, range);
        }
        let call = Callee::Puppet(definition).signatures(self.db).pop()?;
        let mut markdown = Markdown::default();
        markdown.code(&format!("function {}", call.label(&signature.name).0));
        if let Some(documentation) = callees::documentation(self.db, definition) {
            markdown.text(&documentation);
        }
        Some(Hover { range, markdown: markdown.finish() })
    }

    fn parameter(&self, node: &ast::Parameter, range: TextRange) -> Option<Hover> {
        let (parameter, recorded) = self.evaluated.parameter(node)?;
        let mut markdown = Markdown::default();
        if recorded.as_ref().is_some_and(|it| self.is_anything(it))
            && let Some(ty) = node.type_expr()
        {
            markdown.code(&format!("{} ${}", parameters::one_line(ty.syntax().text()), parameter.name));
        } else {
            let ty = match &recorded {
                Some(recorded) => {
                    format!(
                        ": {}",
                        recorded_value::short_type(
                            &recorded_value::type_of(recorded, self.world),
                            MAX_TYPE_LENGTH,
                            self.world
                        )
                    )
                }
                None => String::new(),
            };
            markdown.code(&format!("${}{ty}", parameter.name));
            markdown.code(&descriptions::aliases_in(self.db, self.file, &ty));
        }
        let default = parameter.default.and_then(|default| self.evaluated.summary.value(default));
        if let Some(values) = default.and_then(recorded_value::known_values) {
            markdown.text(&format!("Default: {}", self.values(&values)));
        }
        if let Some(values) = recorded.as_ref().and_then(recorded_value::known_values) {
            markdown.text(&format!("Value: {}", self.values(&values)));
        }
        self.data.take().iter().for_each(|values| markdown.text(values));
        if let Some(documentation) = self.parameter_documentation(&parameter.name, node) {
            markdown.text(&documentation);
        }
        Some(Hover { range, markdown: markdown.finish() })
    }

    /// Returns the `@param` documentation of a definition's parameter.
    fn parameter_documentation(&self, name: &str, node: &ast::Parameter) -> Option<String> {
        let list = node.syntax().parent()?;
        if ast::Lambda::can_cast(list.parent()?.kind()) {
            return None;
        }
        descriptions::of_parameter(self.db, self.evaluated.definition, name)?.text
    }

    /// Hover for a type reference, including its arguments in brackets.
    fn type_reference(&self, node: &SyntaxNode) -> Option<Hover> {
        let outer = node.parent().and_then(ast::AccessExpr::cast);
        let outer = outer.filter(|it| it.lhs().is_some_and(|lhs| lhs.syntax() == node));
        let whole = outer.map_or_else(|| node.clone(), |it| it.syntax().clone());
        let name = ast::QualifiedReference::cast(node.clone())?.token()?.text().to_owned();
        if let Some(about) = descriptions::of_bolt_type(self.db, self.file, &name) {
            return Some(self.described(about, node.text_range(), &[]));
        }
        let recorded = self.evaluated.value(&whole).or_else(|| self.evaluated.value(node));
        let ty = match recorded {
            Some(RecordedValue::Values(values)) => match &values[..] {
                [Value::Type(ty)] => Some((**ty).clone()),
                _ => None,
            },
            _ => None,
        };
        let range = whole.text_range();
        let of_set = symbol::symbol_at(self.db, self.file, node.text_range().start);
        if let Some((Symbol::SetType { set, name }, range)) = of_set {
            let name = format!("{}::{name}", Callee::Puppet(set).name(self.db));
            return match self.world.type_by_name(&name)? {
                Type::Alias(_) => self.named_type(&name, range),
                ty => Some(self.type_hover(&ty, &name, range)),
            };
        }
        match ty.or_else(|| self.world.type_by_name(&name)) {
            Some(Type::Alias(_)) => self.named_type(&name, range),
            Some(ty) => Some(self.type_hover(&ty, &name, range)),
            None => {
                let about = descriptions::of_resource_type(self.db, self.file, &hir::fold_name(&name))?;
                Some(self.described(about, range, &[]))
            }
        }
    }

    fn type_hover(&self, ty: &Type, name: &str, range: TextRange) -> Hover {
        let mut markdown = Markdown::default();
        let text = recorded_value::short_type(ty, MAX_TYPE_LENGTH, self.world);
        markdown.code(&text);
        markdown.code(&descriptions::aliases_in(self.db, self.file, &text));
        if let Type::Resource(_) = ty
            && let Some(about) = descriptions::of_resource_type(self.db, self.file, &hir::fold_name(name))
            && let Some(text) = about.text
        {
            markdown.text(first_paragraph(&text));
            return Hover { range, markdown: markdown.finish() };
        }
        let summary = match ty {
            Type::Class(_) => Some("Reference to a class in the catalog."),
            Type::Resource(_) => Some("Reference to a resource or resource type."),
            Type::Object(_) => data_type_documentation(name).or(Some("Object type.")),
            _ => data_type_documentation(name),
        };
        if let Some(summary) = summary {
            markdown.text(summary);
        }
        Hover { range, markdown: markdown.finish() }
    }

    /// Hover for a type alias: its expansion, the expansions of the aliases it uses, and the comment above
    /// it.
    fn named_type(&self, name: &str, range: TextRange) -> Option<Hover> {
        if let Some(about) = descriptions::of_type_alias(self.db, self.file, name) {
            return Some(self.described(about, range, &[]));
        }
        let ty = self.world.type_by_name(name)?;
        let mut markdown = Markdown::default();
        let text = types::display::expanded_type_text(&ty, self.world);
        let text = match text.split_once(" = ") {
            Some((alias, expansion)) => {
                let short: String = expansion.chars().take(MAX_TYPE_LENGTH).collect();
                let dots = if short.len() < expansion.len() { "…" } else { "" };
                format!("type {alias} = {short}{dots}")
            }
            None => text,
        };
        markdown.code(&text);
        Some(Hover { range, markdown: markdown.finish() })
    }

    /// Hover for the smallest expression around a token that has a recorded value.
    fn expression(&self, token: &SyntaxToken, parent: &SyntaxNode) -> Option<Hover> {
        for node in parent.ancestors() {
            if is_statement(node.kind()) {
                return None;
            }
            let Some(expr) = Expr::cast(node.clone()) else { continue };
            if is_literal(&expr) {
                return None;
            }
            let Some(recorded) = self.evaluated.value(&node) else {
                // A variable that was never evaluated is not explained by the expression around it.
                match expr {
                    Expr::VariableExpr(_) => return None,
                    _ => continue,
                }
            };
            let is_text = matches!(expr, Expr::InterpolatedString(_) | Expr::Heredoc(_));
            if is_text && recorded_value::known_values(&recorded).is_none() {
                return None;
            }
            let mut markdown = Markdown::default();
            let ty = recorded_value::short_type(
                &recorded_value::type_of(&recorded, self.world),
                MAX_TYPE_LENGTH,
                self.world,
            );
            markdown.code(&match &expr {
                Expr::VariableExpr(_) => format!("${}: {ty}", token.text().trim_start_matches('$')),
                _ => ty.clone(),
            });
            markdown.code(&descriptions::aliases_in(self.db, self.file, &ty));
            if let Some(values) = recorded_value::known_values(&recorded) {
                markdown.text(&format!("Value: {}", self.values(&values)));
            }
            return Some(Hover { range: node.text_range(), markdown: markdown.finish() });
        }
        None
    }

    fn is_anything(&self, recorded: &RecordedValue) -> bool {
        recorded_value::type_of(recorded, self.world) == Type::Any
    }

    fn value_text(&self, recorded: &RecordedValue) -> String {
        match recorded_value::known_values(recorded) {
            Some(values) => self.values(&values),
            None => code_span(&recorded_value::short_type(
                &recorded_value::type_of(recorded, self.world),
                MAX_TYPE_LENGTH,
                self.world,
            )),
        }
    }

    /// Formats values as `a` or `b`.
    fn values(&self, values: &[Value]) -> String {
        let texts = values
            .iter()
            .map(|value| code_span(&recorded_value::short_value(value, MAX_VALUE_LENGTH, self.world)));
        texts.collect::<Vec<_>>().join(" or ")
    }
}

/// Returns whether an expression is its own value, so that a hover would only repeat it.
fn is_literal(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::LiteralString(_)
            | Expr::LiteralNumber(_)
            | Expr::LiteralBoolean(_)
            | Expr::LiteralUndef(_)
            | Expr::LiteralDefault(_)
            | Expr::LiteralRegex(_)
            | Expr::QualifiedName(_)
    )
}

/// Returns whether a node's own tokens (keywords, attribute names, brackets) are not part of an expression.
pub(crate) fn is_statement(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    ast::Definition::can_cast(kind)
        || ast::AttributeOperation::can_cast(kind)
        || matches!(
            kind,
            BLOCK
                | IF_EXPR
                | UNLESS_EXPR
                | CASE_EXPR
                | CASE_OPTION
                | LAMBDA
                | PARAMETER
                | PARAMETER_LIST
                | RESOURCE_EXPR
                | RESOURCE_BODY
                | RESOURCE_DEFAULTS
                | RESOURCE_OVERRIDE
                | UNTITLED_RESOURCE
                | COLLECT_EXPR
        )
}

fn first_paragraph(text: &str) -> &str {
    text.split("\n\n").next().unwrap_or(text)
}

/// Returns the documentation of a built-in data type.
fn data_type_documentation(name: &str) -> Option<&'static str> {
    plugins::built_in::data_type(name).map(|it| it.documentation)
}
