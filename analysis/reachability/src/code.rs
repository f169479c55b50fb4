//! MentionedNames in manifests and EPP templates, by definition.

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{self, AstNode, AttributeOperation, Expr};
use syntax::{Parse, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken, TextRange};

use hir::{NameUseKind, fold_name};

use crate::mentions::{MentionSet, MentionedNames};
use crate::pattern::PatternKind;
use crate::values::{AssignedVariables, StringResolver, ValuePart, constant, constants};

/// Returns what each definition mentions, in the order of [`hir::definition_ranges`].
pub(crate) fn mentions_in_code(parse: &Parse, module: Option<&str>) -> Vec<MentionedNames> {
    let ranges: Vec<TextRange> = hir::definition_ranges(parse).iter().map(|it| it.full).collect();
    let by_range = ranges.iter().enumerate().skip(1).map(|(index, range)| (*range, index)).collect();
    let mut walk = CodeWalk {
        by_range,
        module,
        found: ranges.iter().map(|_| MentionSet::default()).collect(),
        variables: ranges.iter().map(|_| AssignedVariables::default()).collect(),
        of_known_kind: FxHashSet::default(),
    };
    let root = parse.syntax();
    let is_template = root.descendants_with_tokens().any(|it| it.kind() == SyntaxKind::EPP_TEXT);
    if let Some(main) = walk.variables.first_mut() {
        main.is_open = is_template;
    }
    walk.declare(&root, 0);
    walk.node(&root, 0);
    walk.found.into_iter().map(MentionSet::finish).collect()
}

struct CodeWalk<'a> {
    by_range: FxHashMap<TextRange, usize>,
    module: Option<&'a str>,
    found: Vec<MentionSet>,
    variables: Vec<AssignedVariables>,
    /// Ranges of arguments that are names of a known kind: `template("a/${x}")` reads no other files.
    of_known_kind: FxHashSet<TextRange>,
}

impl CodeWalk<'_> {
    fn definition_of(&self, node: &SyntaxNode, current: usize) -> usize {
        let is_definition = ast::Definition::can_cast(node.kind());
        let inner = is_definition.then(|| self.by_range.get(&node.text_range()).copied()).flatten();
        inner.unwrap_or(current)
    }

    /// Records the variables of all definitions.
    fn declare(&mut self, node: &SyntaxNode, current: usize) {
        let current = self.definition_of(node, current);
        if let Some(assignment) = ast::AssignmentExpr::cast(node.clone()) {
            let names = assignment.lhs().into_iter().flat_map(|it| variables_in(it.syntax()));
            names.for_each(|name| self.variables[current].add(&name, assignment.rhs()));
        } else if let Some(parameter) = ast::Parameter::cast(node.clone()) {
            let name = parameter.name().unwrap_or_default();
            let lambda =
                node.parent().and_then(|it| it.parent()).filter(|it| it.kind() == SyntaxKind::LAMBDA);
            match lambda.and_then(|it| it.parent()) {
                Some(call) => {
                    let collections = call.children().filter(|it| it.kind() != SyntaxKind::LAMBDA);
                    let mut values: Vec<Expr> = Vec::new();
                    for child in collections {
                        match ast::ArgumentList::cast(child.clone()) {
                            Some(list) => values.extend(list.syntax().children().filter_map(Expr::cast)),
                            None => values.extend(Expr::cast(child)),
                        }
                    }
                    // The function itself is no value.
                    if call.kind() == SyntaxKind::CALL_EXPR && !values.is_empty() {
                        values.remove(0);
                    }
                    self.variables[current].add(&name, None);
                    values.into_iter().for_each(|it| self.variables[current].add(&name, Some(it)));
                }
                None => {
                    let ty = parameter.type_expr();
                    self.variables[current].add_parameter(&name, parameter.default(), ty.as_ref());
                }
            }
        } else if node.kind() == SyntaxKind::INHERITS_CLAUSE {
            self.variables[current].is_open = true;
        }
        node.children().for_each(|it| self.declare(&it, current));
    }

    fn node(&mut self, node: &SyntaxNode, current: usize) {
        use SyntaxKind::*;
        let outer = current;
        let current = self.definition_of(node, current);
        match node.kind() {
            // The name of a definition is no use of it.
            DEFINITION_NAME if node.parent().is_some_and(|it| it.kind() != INHERITS_CLAUSE) => return,
            CALL_EXPR | METHOD_CALL_EXPR | STATEMENT_CALL => self.call(node, current),
            RESOURCE_EXPR => self.resource(node, current),
            ATTRIBUTE => self.attribute(node, current),
            INTERPOLATED_STRING if !self.of_known_kind.contains(&node.text_range()) => {
                self.computed(node, PatternKind::Any, current);
            }
            HOST_LIST => return,
            _ => {}
        }
        for element in node.children_with_tokens() {
            match element {
                SyntaxElement::Node(child) => self.node(&child, current),
                SyntaxElement::Token(token) => self.token(&token, current),
            }
        }
        debug_assert!(outer <= self.found.len());
    }

    fn token(&mut self, token: &SyntaxToken, current: usize) {
        use SyntaxKind::*;
        let found = &mut self.found[current];
        match token.kind() {
            NAME | WORD | CLASSREF => found.word(token.text()),
            VARIABLE => {
                let name = token.text().trim_start_matches('$');
                if let Some((scope, _)) = name.rsplit_once("::") {
                    found.word(scope);
                    found.word(name);
                }
            }
            SQ_STRING | DQ_STRING => {
                let text = token.text();
                found.string(text.get(1..text.len().saturating_sub(1)).unwrap_or(text));
            }
            STRING_TEXT => {
                let is_interpolation =
                    |it: Option<SyntaxElement>| it.is_some_and(|it| it.as_node().is_some());
                let follows = is_interpolation(token.prev_sibling_or_token());
                let precedes = is_interpolation(token.next_sibling_or_token());
                found.fragment(token.text(), follows, precedes);
            }
            kind if kind.is_keyword() => found.word(token.text()),
            _ => {}
        }
    }

    /// Records what an expression of a known kind may name.
    fn computed(&mut self, node: &SyntaxNode, kind: PatternKind, current: usize) {
        let Some(expr) = Expr::cast(node.clone()) else { return };
        let resolver = StringResolver { variables: &self.variables[current], module: self.module };
        let strings = resolver.strings(&expr);
        for parts in strings {
            match constant(&parts) {
                Some(text) if kind != PatternKind::Any || matches!(expr, Expr::InterpolatedString(_)) => {
                    self.found[current].string(&text);
                    self.found[current].word(&text);
                }
                Some(_) => {}
                None if parts == [ValuePart::Elsewhere] => {}
                None => {
                    let (constants, facts) = constants(&parts);
                    self.found[current].pattern_of_facts(kind, constants, facts, node.text_range());
                }
            }
        }
    }

    fn call(&mut self, node: &SyntaxNode, current: usize) {
        let (name, receiver, arguments) = if let Some(call) = ast::CallExpr::cast(node.clone()) {
            match call.functor() {
                Some(Expr::QualifiedName(name)) => (name.text(), None, call.arguments()),
                Some(Expr::QualifiedReference(ty)) => (ty.text(), None, call.arguments()),
                _ => return,
            }
        } else if let Some(call) = ast::MethodCallExpr::cast(node.clone()) {
            let name = call.name_token().map(|it| it.text().to_owned()).unwrap_or_default();
            (name, call.receiver(), call.arguments())
        } else if let Some(call) = ast::StatementCall::cast(node.clone()) {
            (call.name().map(|it| it.text()).unwrap_or_default(), None, call.arguments())
        } else {
            return;
        };
        let function = fold_name(&name);
        let receiver = receiver.map(|it| it.syntax().clone());
        let listed = arguments.into_iter().flat_map(|it| it.syntax().children().collect::<Vec<_>>());
        for (index, argument) in receiver.into_iter().chain(listed).enumerate() {
            let kind = match hir::kind_of_argument(&function, index) {
                _ if function == "deferred" && index == 0 => PatternKind::Function,
                Some(NameUseKind::Class) => PatternKind::Class,
                Some(NameUseKind::ResourceType) => PatternKind::ResourceType,
                Some(NameUseKind::Function) => PatternKind::Function,
                Some(NameUseKind::EppTemplate | NameUseKind::ErbTemplate) => PatternKind::Template,
                Some(NameUseKind::ServedFile) => PatternKind::File,
                Some(NameUseKind::HieraKey) => PatternKind::HieraKey,
                _ => continue,
            };
            self.of_known_kind.insert(argument.text_range());
            self.computed(&argument, kind, current);
        }
    }

    fn resource(&mut self, node: &SyntaxNode, current: usize) {
        let Some(resource) = ast::ResourceExpr::cast(node.clone()) else { return };
        match resource.type_expr() {
            Some(Expr::QualifiedName(name)) if name.text() == "class" => {
                let titles = resource.bodies().filter_map(|it| it.title());
                titles.for_each(|it| self.computed(it.syntax(), PatternKind::Class, current));
            }
            Some(Expr::AccessExpr(access)) => {
                let keys =
                    access.keys().into_iter().flat_map(|it| it.syntax().children().collect::<Vec<_>>());
                keys.for_each(|it| self.computed(&it, PatternKind::ResourceType, current));
            }
            Some(Expr::QualifiedName(_) | Expr::QualifiedReference(_)) | None => {}
            Some(other) => self.computed(other.syntax(), PatternKind::ResourceType, current),
        }
    }

    fn attribute(&mut self, node: &SyntaxNode, current: usize) {
        let Some(AttributeOperation::Attribute(attribute)) = AttributeOperation::cast(node.clone()) else {
            return;
        };
        let name = attribute.name_token();
        if name.is_some_and(|it| it.text() == "source" || it.text().ends_with("_source"))
            && let Some(value) = attribute.value()
        {
            self.computed(value.syntax(), PatternKind::File, current);
        }
    }
}

/// Returns the names of the variables that the left side of an assignment sets.
fn variables_in(node: &SyntaxNode) -> Vec<String> {
    let all = std::iter::once(node.clone()).chain(node.descendants());
    let mut names: Vec<String> = all.filter_map(ast::VariableExpr::cast).filter_map(|it| it.name()).collect();
    names.dedup();
    names
}
