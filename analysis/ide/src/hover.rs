//! What the thing at a place is, and what it is worth.

use eval::{Fact, World};
use project::{Db, DefinitionId, File, FileKind, NameKind};
use syntax::ast::{self, Expr};
use syntax::{AstNode, SyntaxKind, SyntaxNode, SyntaxToken, TextRange};
use types::{Type, Value};

use crate::calls::{CallSite, Functor};
use crate::facts::{self, Evaluated};
use crate::functions::{self, CallSignature, Callee};
use crate::hiera_data;
use crate::metadata_json;

/// What to show about a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// What it is about.
    pub range: TextRange,
    /// Markdown.
    pub markdown: String,
}

/// Longer types and values are cut off, in characters.
const MOST_TYPE: usize = 400;
const MOST_VALUE: usize = 160;

pub(crate) fn hover(db: &dyn Db, file: File, offset: u32) -> Option<Hover> {
    if file.is_large(db) {
        return None;
    }
    match project::file_kind(db, file) {
        FileKind::ModuleMetadata => return metadata_json::hover(db, file, offset),
        FileKind::Puppetfile => return metadata_json::hover_puppetfile(db, file, offset),
        FileKind::Data => return hiera_data::hover(db, file, offset),
        FileKind::HieraConfiguration => return None,
        _ => {}
    }
    let parse = project::parse(db, file);
    let token = token_at(parse.tree().syntax(), offset)?;
    let parent = token.parent()?;
    let evaluated = Evaluated::around(db, file, &parent)?;
    let found = eval::with_world(db, evaluated.definition, |world| {
        let hovering = Hovering { db, file, evaluated: &evaluated, world };
        hovering.definition_name(&token, &parent).or_else(|| hovering.token(&token, &parent))
    })??;
    Some(match hiera_data::values_of_parameter(db, file, offset) {
        Some(values) => Hover { markdown: format!("{}\n\n{values}", found.markdown), ..found },
        None => found,
    })
}

/// The token that touches an offset and says most.
fn token_at(root: &SyntaxNode, offset: u32) -> Option<SyntaxToken> {
    let weight = |token: &SyntaxToken| match token.kind() {
        SyntaxKind::WHITESPACE | SyntaxKind::COMMENT | SyntaxKind::BLOCK_COMMENT => 0,
        SyntaxKind::NAME | SyntaxKind::CLASSREF | SyntaxKind::VARIABLE => 3,
        // At the end of a word that is what is meant, not the bracket behind it.
        _ if token.text_range().start < offset => 2,
        _ => 1,
    };
    root.tokens_at(offset).max_by_key(weight).filter(|token| weight(token) > 0)
}

struct Hovering<'h, 'w> {
    db: &'h dyn Db,
    file: File,
    evaluated: &'h Evaluated,
    world: &'h World<'w>,
}

impl Hovering<'_, '_> {
    /// The name in the head of a definition.
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
        let definition = facts::definition_around(self.db, self.file, node.syntax())?;
        self.definition(definition, range)
    }

    fn token(&self, token: &SyntaxToken, parent: &SyntaxNode) -> Option<Hover> {
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
        if let Some(resource) = parent.parent().and_then(ast::ResourceExpr::cast)
            && resource.type_expr().is_some_and(|it| it.syntax() == parent)
        {
            return self.resource_type(token.text(), range);
        }
        if let Some(name) = class_name(token, parent) {
            let definition = project::resolve_in_file(self.db, self.file, NameKind::Class, &name)?;
            return self.definition(definition, range);
        }
        if token.kind() == SyntaxKind::CLASSREF {
            return self.type_reference(parent);
        }
        self.expression(token, parent)
    }

    fn function(&self, call: &CallSite, name: &str, range: TextRange) -> Option<Hover> {
        let callee = functions::find(self.db, self.file, name)?;
        let name = callee.name(self.db);
        let signatures = callee.signatures(self.db);
        let arguments = call.arguments(None, Some(self.evaluated), self.world);
        let applying = functions::applying(&signatures, &arguments, self.world);
        let mut markdown = Markdown::default();
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
            markdown.text("Other ways to call it:");
            markdown.code(&others.join("\n"));
        }
        if let Some(fact) = self.evaluated.fact(call.syntax())
            && !matches!(&fact, Fact::Values(values) if *values == [Value::Undef])
        {
            markdown.text(&format!("Here: {}", self.worth(&fact)));
        }
        Some(Hover { range, markdown: markdown.finish() })
    }

    /// A definition as it looks from outside.
    fn definition(&self, definition: DefinitionId, range: TextRange) -> Option<Hover> {
        let signature = project::signature(self.db, definition).as_ref()?.clone();
        let call = Callee::Puppet(definition).signatures(self.db).pop()?;
        let word = match definition.key(self.db).kind {
            hir::DefinitionKind::Class => "class",
            hir::DefinitionKind::DefinedType => "define",
            hir::DefinitionKind::Function => "function",
            hir::DefinitionKind::Plan => "plan",
            _ => return None,
        };
        let mut text = format!("{word} {}", signature.name);
        if call.parameters.is_empty() && word != "function" {
        } else if call.parameters.len() < 3 {
            text = format!("{word} {}", call.label(&signature.name).0);
        } else {
            text.push_str("(\n");
            for parameter in &call.parameters {
                text.push_str(&format!("  {},\n", parameter.text()));
            }
            text.push(')');
            if !call.returns.is_empty() {
                text.push_str(&format!(" >> {}", call.returns));
            }
        }
        let mut markdown = Markdown::default();
        markdown.code(&text);
        if let Some(documentation) = functions::documentation(self.db, definition) {
            markdown.text(&documentation);
        }
        Some(Hover { range, markdown: markdown.finish() })
    }

    fn resource_type(&self, name: &str, range: TextRange) -> Option<Hover> {
        match project::resolve_in_file(self.db, self.file, NameKind::DefinedType, name) {
            Some(definition) => self.definition(definition, range),
            None => {
                let mut markdown = Markdown::default();
                markdown.code(name);
                markdown.text("A resource type.");
                Some(Hover { range, markdown: markdown.finish() })
            }
        }
    }

    fn parameter(&self, node: &ast::Parameter, range: TextRange) -> Option<Hover> {
        let (parameter, fact) = self.evaluated.parameter(node)?;
        let mut markdown = Markdown::default();
        let ty = match &fact {
            Some(fact) => {
                format!(": {}", facts::short_type(&facts::type_of(fact, self.world), MOST_TYPE, self.world))
            }
            None => String::new(),
        };
        markdown.code(&format!("${}{ty}", parameter.name));
        if let Some(documentation) = self.parameter_documentation(&parameter.name, node) {
            markdown.text(&documentation);
        }
        let default = parameter.default.and_then(|default| self.evaluated.summary.fact(default));
        if let Some(values) = default.and_then(facts::known_values) {
            markdown.text(&format!("Default: {}", self.values(&values)));
        }
        if let Some(values) = fact.as_ref().and_then(facts::known_values) {
            markdown.text(&format!("Value: {}", self.values(&values)));
        }
        Some(Hover { range, markdown: markdown.finish() })
    }

    /// What the definition's `@param` says.
    fn parameter_documentation(&self, name: &str, node: &ast::Parameter) -> Option<String> {
        let list = node.syntax().parent()?;
        if ast::Lambda::can_cast(list.parent()?.kind()) {
            return None;
        }
        let summary =
            project::item_summary(self.db, self.file).get(self.evaluated.definition.key(self.db))?;
        let documentation = summary.documentation.as_ref()?;
        let mut lines = documentation.lines().skip_while(|line| {
            let words = line.trim_start().strip_prefix("@param").map(|rest| rest.split_whitespace());
            !words.is_some_and(|mut words| words.any(|word| word == name))
        });
        let first = lines.next()?.trim_start().strip_prefix("@param")?.trim();
        let first = first.split_once(name).map_or("", |(_, rest)| rest).trim_matches([' ', ']']);
        let rest =
            lines.take_while(|line| line.starts_with([' ', '\t']) && !line.trim_start().starts_with('@'));
        let text: Vec<&str> =
            [first].into_iter().chain(rest.map(str::trim)).filter(|it| !it.is_empty()).collect();
        (!text.is_empty()).then(|| text.join("\n"))
    }

    /// A type by its name, with what stands in the brackets behind it.
    fn type_reference(&self, node: &SyntaxNode) -> Option<Hover> {
        let outer = node.parent().and_then(ast::AccessExpr::cast);
        let outer = outer.filter(|it| it.lhs().is_some_and(|lhs| lhs.syntax() == node));
        let whole = outer.map_or_else(|| node.clone(), |it| it.syntax().clone());
        let name = ast::QualifiedReference::cast(node.clone())?.token()?.text().to_owned();
        let fact = self.evaluated.fact(&whole).or_else(|| self.evaluated.fact(node));
        let ty = match fact {
            Some(Fact::Values(values)) => match &values[..] {
                [Value::Type(ty)] => Some((**ty).clone()),
                _ => None,
            },
            _ => None,
        };
        let range = whole.text_range();
        match ty.or_else(|| self.world.type_by_name(&name)) {
            Some(Type::Alias(_)) => self.named_type(&name, range),
            Some(ty) => Some(self.type_hover(&ty, &name, range)),
            None => {
                let lower = hir::fold_name(&name);
                let definition = project::resolve_in_file(self.db, self.file, NameKind::DefinedType, &lower)?;
                self.definition(definition, range)
            }
        }
    }

    fn type_hover(&self, ty: &Type, name: &str, range: TextRange) -> Hover {
        let mut markdown = Markdown::default();
        markdown.code(&facts::short_type(ty, MOST_TYPE, self.world));
        let words = match ty {
            Type::Class(_) => Some("A reference to a class of the catalog."),
            Type::Resource(_) => Some("A reference to a resource, or to a resource type."),
            Type::Object(_) => data_type_words(name).or(Some("An object type.")),
            _ => data_type_words(name),
        };
        if let Some(words) = words {
            markdown.text(words);
        }
        Hover { range, markdown: markdown.finish() }
    }

    /// An alias: what it stands for, and the comment above it.
    fn named_type(&self, name: &str, range: TextRange) -> Option<Hover> {
        let ty = self.world.type_by_name(name)?;
        let mut markdown = Markdown::default();
        let text = types::display::expanded_type_text(&ty, self.world);
        let text = match text.split_once(" = ") {
            Some((alias, expansion)) => {
                let short: String = expansion.chars().take(MOST_TYPE).collect();
                let dots = if short.len() < expansion.len() { "…" } else { "" };
                format!("type {alias} = {short}{dots}")
            }
            None => text,
        };
        markdown.code(&text);
        let definition = project::resolve_in_file(self.db, self.file, NameKind::TypeAlias, name);
        if let Some(documentation) = definition.and_then(|it| functions::documentation(self.db, it)) {
            markdown.text(&documentation);
        }
        Some(Hover { range, markdown: markdown.finish() })
    }

    /// The smallest expression around a token that has a worth.
    fn expression(&self, token: &SyntaxToken, parent: &SyntaxNode) -> Option<Hover> {
        for node in parent.ancestors() {
            if is_statement(node.kind()) {
                return None;
            }
            let Some(expr) = Expr::cast(node.clone()) else { continue };
            let Some(fact) = self.evaluated.fact(&node) else {
                // What was never evaluated is not explained by what is around it.
                match expr {
                    Expr::VariableExpr(_) => return None,
                    _ => continue,
                }
            };
            let mut markdown = Markdown::default();
            let ty = facts::short_type(&facts::type_of(&fact, self.world), MOST_TYPE, self.world);
            markdown.code(&match &expr {
                Expr::VariableExpr(_) => format!("${}: {ty}", token.text().trim_start_matches('$')),
                _ => ty,
            });
            if let Some(values) = facts::known_values(&fact) {
                markdown.text(&format!("Value: {}", self.values(&values)));
            }
            return Some(Hover { range: node.text_range(), markdown: markdown.finish() });
        }
        None
    }

    fn worth(&self, fact: &Fact) -> String {
        match facts::known_values(fact) {
            Some(values) => self.values(&values),
            None => inline_code(&facts::short_type(&facts::type_of(fact, self.world), MOST_TYPE, self.world)),
        }
    }

    /// `a` or `b`
    fn values(&self, values: &[Value]) -> String {
        let texts =
            values.iter().map(|value| inline_code(&facts::short_value(value, MOST_VALUE, self.world)));
        texts.collect::<Vec<_>>().join(" or ")
    }
}

/// Is a node one whose own words (keywords, names of attributes, brackets) are no expression?
fn is_statement(kind: SyntaxKind) -> bool {
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

/// The class that a word names: behind `include` and its like, and as the title of `class { }`.
fn class_name(token: &SyntaxToken, parent: &SyntaxNode) -> Option<String> {
    let text = token.text().trim_matches(['\'', '"']);
    if let Some(body) = parent.parent().and_then(ast::ResourceBody::cast) {
        let resource = body.syntax().parent().and_then(ast::ResourceExpr::cast)?;
        let is_class = resource.type_expr().is_some_and(|it| it.syntax().text() == "class");
        let is_title = body.title().is_some_and(|it| it.syntax() == parent);
        return (is_class && is_title).then(|| text.to_owned());
    }
    let list = parent.parent().and_then(ast::ArgumentList::cast)?;
    let call = list.syntax().parent().and_then(CallSite::cast)?;
    match call.functor()? {
        Functor::Function { name, .. } if matches!(name.as_str(), "include" | "require" | "contain") => {
            Some(text.to_owned())
        }
        _ => None,
    }
}

#[derive(Default)]
struct Markdown {
    parts: Vec<String>,
}

impl Markdown {
    fn code(&mut self, text: &str) {
        if !text.is_empty() {
            self.parts.push(format!("```puppet\n{text}\n```"));
        }
    }

    fn text(&mut self, text: &str) {
        self.parts.push(text.to_owned());
    }

    fn finish(self) -> String {
        self.parts.join("\n\n")
    }
}

/// A text as code within a line, whatever backquotes it holds.
fn inline_code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// What a data type of Puppet is.
fn data_type_words(name: &str) -> Option<&'static str> {
    plugins::built_in::data_type(name).map(|it| it.documentation)
}
