//! Survival of a source after a mistake: one token that is missing, doubled, or swapped with the
//! next one.

use std::collections::HashMap;

use syntax::ast::{
    AssignmentExpr, AstNode, ClassDefinition, DefinedType, Definition, Expr, FunctionDefinition,
    NodeDefinition, Parameter, PlanDefinition, ResourceExpr, StatementCall, TypeAlias, TypeDefinition,
    TypeMapping,
};
use syntax::{Language, LineMap, Parse, Severity, SyntaxKind, SyntaxNode, TextRange};
use validation::{ValidationSettings, validate};

use crate::shape;

/// Change made to a token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mistake {
    Deleted,
    Doubled,
    Swapped,
}

impl Mistake {
    pub const ALL: [Mistake; 3] = [Mistake::Deleted, Mistake::Doubled, Mistake::Swapped];

    pub fn from_name(name: &str) -> Option<Mistake> {
        Mistake::ALL.into_iter().find(|it| it.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Mistake::Deleted => "deleted",
            Mistake::Doubled => "doubled",
            Mistake::Swapped => "swapped",
        }
    }
}

/// Entry of an outline, name that is referenced elsewhere, or independent statement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Feature {
    pub kind: SyntaxKind,
    pub name: String,
    /// Tree without trivia.
    shape: String,
}

/// Range of a feature, and range of the source of its name: for a resource body, the type before
/// the braces.
type Extent = (TextRange, TextRange);

/// Source without errors, in which mistakes are made.
pub struct Healthy {
    pub text: String,
    pub language: Language,
    pub tokens: Vec<(SyntaxKind, TextRange)>,
    /// Kind of the parent node of each token.
    pub holders: Vec<SyntaxKind>,
    features: Vec<(Feature, Extent)>,
    static_findings: usize,
}

/// Result of a mistake.
pub struct Survival {
    pub mistake: Mistake,
    pub token: (SyntaxKind, TextRange),
    /// Kind of the parent node of the token.
    pub holder: SyntaxKind,
    /// Number of features outside the mistake.
    pub expected: usize,
    /// Features that lost their kind or name.
    pub gone: Vec<Feature>,
    /// Features whose tree changed.
    pub changed: Vec<Feature>,
    /// Line, column, and message of each error.
    pub errors: Vec<String>,
    /// Number of new findings of the static rules.
    pub static_findings: usize,
}

impl Healthy {
    pub fn new(text: String, language: Language) -> Option<Healthy> {
        let parse = syntax::parse(&text, language);
        if parse.errors().iter().any(|it| it.severity() == Severity::Error) {
            return None;
        }
        let root = parse.syntax();
        let (tokens, holders) = root
            .descendants_with_tokens()
            .filter_map(|it| it.as_token().cloned())
            .filter(|it| !it.kind().is_trivia())
            .map(|it| {
                ((it.kind(), it.text_range()), it.parent().map_or(SyntaxKind::SOURCE_FILE, |it| it.kind()))
            })
            .unzip();
        let static_findings = static_findings(&parse);
        Some(Healthy { text, language, tokens, holders, features: features(&root), static_findings })
    }

    /// Makes a mistake at a token and measures the result.
    pub fn survive(&self, mistake: Mistake, token: usize) -> Survival {
        let (kind, range) = self.tokens[token];
        let own = &self.text[range.as_range()];
        let (broken, put) = match (mistake, self.tokens.get(token + 1)) {
            (Mistake::Deleted, _) => (range, String::new()),
            (Mistake::Swapped, Some((_, next))) => {
                let between = &self.text[range.end as usize..next.start as usize];
                let put = format!("{}{between}{own}", &self.text[next.as_range()]);
                (TextRange::new(range.start, next.end), put)
            }
            _ => (range, format!("{own} {own}")),
        };
        let mut text = self.text.clone();
        text.replace_range(broken.as_range(), &put);
        let parse = syntax::parse(&text, self.language);

        let mut found: HashMap<(SyntaxKind, String), Vec<String>> = HashMap::new();
        for (feature, _) in features(&parse.syntax()) {
            found.entry((feature.kind, feature.name)).or_default().push(feature.shape);
        }
        let is_apart = |it: &TextRange| it.end <= broken.start || it.start >= broken.end;
        let is_outside = |(own, named_by): &Extent| is_apart(own) && is_apart(named_by);
        let others: Vec<&Feature> = self
            .features
            .iter()
            .filter(|(_, extent)| is_outside(extent))
            .map(|(feature, _)| feature)
            .collect();
        let mut rest = Vec::new();
        // Equal features come first, so that of two with the same name the right one is matched.
        for feature in &others {
            let shapes = found.get_mut(&(feature.kind, feature.name.clone()));
            match shapes.and_then(|it| {
                it.iter().position(|shape| *shape == feature.shape).map(|at| it.swap_remove(at))
            }) {
                Some(_) => {}
                None => rest.push((*feature).clone()),
            }
        }
        let (changed, gone) = rest.into_iter().partition(|feature| {
            found.get_mut(&(feature.kind, feature.name.clone())).is_some_and(|it| it.pop().is_some())
        });
        let lines = LineMap::new(&text);
        let errors = parse.errors().iter().filter(|it| it.severity() == Severity::Error);
        let errors = errors.map(|it| {
            let line = lines.line(it.range.start);
            let column = it.range.start - lines.line_start(line) + 1;
            format!("{}:{column}: {} [{}]", line + 1, it.message, it.code)
        });
        Survival {
            mistake,
            token: (kind, range),
            holder: self.holders[token],
            expected: others.len(),
            gone,
            changed,
            errors: errors.collect(),
            static_findings: static_findings(&parse).saturating_sub(self.static_findings),
        }
    }
}

fn static_findings(parse: &Parse) -> usize {
    validate(parse, &ValidationSettings::default())
        .iter()
        .filter(|it| it.severity() == Severity::Error)
        .count()
}

/// Collects the definitions, parameters, resources, assignments, and statement calls of a tree with
/// their ranges.
fn features(root: &SyntaxNode) -> Vec<(Feature, Extent)> {
    let mut features = Vec::new();
    for node in root.descendants() {
        let mut add_named = |node: &SyntaxNode, name: String, named_by: TextRange| {
            let feature = Feature { kind: node.kind(), name, shape: shape(node) };
            features.push((feature, (node.text_range(), named_by)));
        };
        let mut add = |node: &SyntaxNode, name: String| add_named(node, name, node.text_range());
        if let Some(parameter) = Parameter::cast(node.clone()) {
            add(&node, parameter.name().unwrap_or_default().to_string());
        } else if let Some(assignment) = AssignmentExpr::cast(node.clone()) {
            if let Some(Expr::VariableExpr(variable)) = assignment.lhs() {
                add(&node, variable.name().unwrap_or_default().to_string());
            }
        } else if let Some(resource) = ResourceExpr::cast(node.clone()) {
            let type_expr = resource.type_expr();
            let named_by = type_expr.as_ref().map_or(node.text_range(), |it| it.syntax().text_range());
            let type_name = text_of(type_expr);
            for body in resource.bodies() {
                add_named(body.syntax(), format!("{type_name}[{}]", text_of(body.title())), named_by);
            }
        } else if let Some(call) = StatementCall::cast(node.clone()) {
            add(&node, call.name().map(|it| it.syntax().text().to_string()).unwrap_or_default());
        } else if let Some(definition) = Definition::cast(node.clone()) {
            add(&node, definition_name(&definition));
        }
    }
    features
}

fn text_of(expr: Option<Expr>) -> String {
    expr.map(|it| it.syntax().text().to_string()).unwrap_or_default()
}

fn definition_name(definition: &Definition) -> String {
    let name = match definition {
        Definition::ClassDefinition(it) => ClassDefinition::name(it),
        Definition::DefinedType(it) => DefinedType::name(it),
        Definition::FunctionDefinition(it) => FunctionDefinition::name(it),
        Definition::PlanDefinition(it) => PlanDefinition::name(it),
        Definition::TypeAlias(it) => TypeAlias::name(it),
        Definition::TypeDefinition(it) => TypeDefinition::name(it),
        Definition::NodeDefinition(it) => {
            return NodeDefinition::hosts(it).map(|it| it.syntax().text().to_string()).unwrap_or_default();
        }
        Definition::TypeMapping(it) => return text_of(TypeMapping::type_expr(it)),
    };
    name.map(|it| it.syntax().text().to_string()).unwrap_or_default()
}
