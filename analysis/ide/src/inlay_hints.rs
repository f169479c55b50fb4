//! Inlay hints: values and types shown inline.

pub(crate) mod hint;
mod platforms;

use eval::{RecordedValue, World};
use hir::{DefinitionKind, Expr, VariableRef};
use project::{Db, DefinitionId, File};
use symbols::hiera_data;
use symbols::recorded_value::{self, Evaluated};
use syntax::{AstNode, SyntaxNode, TextRange, ast};
use types::{Type, Value};

use self::hint::{InlayHint, InlayHintKind, MAX_HINT_LENGTH, is_literal};
use platforms::platform_hints;

/// Kinds of hints to compute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct InlayHintSettings {
    /// Known values of variables that are not assigned a literal.
    pub values: bool,
    /// Types of variables, and of lambda parameters without a declared type.
    pub types: bool,
    /// Values that Hiera provides for class parameters.
    pub data: bool,
    /// Values of class variables on the platforms that the module supports.
    pub platforms: bool,
}

/// Maximum length of a type that is inserted into code, in characters.
const MAX_INSERTION_LENGTH: usize = 200;

pub(crate) fn inlay_hints(
    db: &dyn Db,
    file: File,
    range: TextRange,
    settings: InlayHintSettings,
) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    if file.is_large(db) || settings == InlayHintSettings::default() {
        return hints;
    }
    let parse = project::parse(db, file);
    for definition in project::definitions(db, file) {
        let own = project::body_source_map(db, definition).definition();
        if own.is_none_or(|own| own.range.end < range.start || range.end < own.range.start) {
            continue;
        }
        if settings.data && definition.key(db).kind == DefinitionKind::Class {
            data(db, definition, parse.tree().syntax(), range, &mut hints);
        }
        if settings.platforms && definition.key(db).kind == DefinitionKind::Class {
            platform_hints(db, definition, parse.tree().syntax(), range, &mut hints);
        }
        if !settings.types && !settings.values {
            continue;
        }
        let evaluated = Evaluated::new(db, definition);
        compile::with_world(db, definition, |world| {
            let ctx = HintContext { evaluated: &evaluated, range, settings, world };
            ctx.assignments(&mut hints);
            if settings.types {
                ctx.lambda_parameters(parse.tree().syntax(), &mut hints);
            }
        });
    }
    hints.sort_by_key(|it| it.offset);
    hints
}

/// Adds a hint after each class parameter that gets its value from Hiera.
fn data(db: &dyn Db, class: DefinitionId, root: &SyntaxNode, range: TextRange, hints: &mut Vec<InlayHint>) {
    let node = project::body_source_map(db, class).definition().and_then(|it| it.to_node(root));
    let list = node.and_then(ast::Definition::cast).and_then(|it| it.parameters());
    for parameter in list.iter().flat_map(ast::ParameterList::parameters) {
        let own = parameter.syntax().text_range();
        if own.end < range.start || range.end < own.start {
            continue;
        }
        let value =
            parameter.name().and_then(|name| hiera_data::short_value(db, class, &name, MAX_HINT_LENGTH));
        if let Some(value) = value {
            let text = format!("hiera: {value}");
            hints.push(InlayHint { offset: own.end, kind: InlayHintKind::Data, text, insertion: None });
        }
    }
}

struct HintContext<'h, 'w> {
    evaluated: &'h Evaluated,
    range: TextRange,
    settings: InlayHintSettings,
    world: &'h World<'w>,
}

impl HintContext<'_, '_> {
    fn assignments(&self, hints: &mut Vec<InlayHint>) {
        for (id, expr) in self.evaluated.body.exprs.iter() {
            let Expr::Assignment { lhs, rhs, .. } = expr else { continue };
            if !matches!(
                self.evaluated.body[*lhs],
                Expr::Variable(VariableRef::Slot(_) | VariableRef::Free(_))
            ) {
                continue;
            }
            let (Some(recorded), Some(whole)) =
                (self.evaluated.summary.value(id), self.evaluated.map.node(id))
            else {
                continue;
            };
            let end = whole.range.end;
            if end < self.range.start || self.range.end < whole.range.start {
                continue;
            }
            let is_written = is_literal(self.evaluated, *rhs);
            if self.settings.types
                && !is_written
                && let Some(variable) = self.evaluated.map.node(*lhs)
                && let Some(text) = self.type_text(recorded)
            {
                let (offset, kind) = (variable.range.end, InlayHintKind::TypeAfter);
                hints.push(InlayHint { offset, kind, text: format!(": {text}"), insertion: None });
            }
            if self.settings.values
                && !is_written
                && let Some([value]) = recorded_value::known_values(recorded).as_deref()
                && *value != Value::Undef
            {
                let text = format!("= {}", recorded_value::short_value(value, MAX_HINT_LENGTH, self.world));
                hints.push(InlayHint { offset: end, kind: InlayHintKind::Value, text, insertion: None });
            }
        }
    }

    fn lambda_parameters(&self, root: &syntax::SyntaxNode, hints: &mut Vec<InlayHint>) {
        for (id, expr) in self.evaluated.body.exprs.iter() {
            let Expr::Lambda { parameters, .. } = expr else { continue };
            if parameters.iter().all(|it| it.type_expr.is_some()) {
                continue;
            }
            let Some(pointer) = self.evaluated.map.node(id) else { continue };
            if pointer.range.end < self.range.start || self.range.end < pointer.range.start {
                continue;
            }
            let lambda = pointer.to_node(root).and_then(ast::Lambda::cast);
            let nodes = lambda.and_then(|it| it.parameters()).into_iter().flat_map(|it| it.parameters());
            for (parameter, node) in parameters.iter().zip(nodes.collect::<Vec<_>>()) {
                let recorded = self.evaluated.summary.parameter(parameter.slot);
                if parameter.type_expr.is_none()
                    && let Some(recorded) = recorded
                    && let Some(text) = self.type_text(recorded)
                {
                    let offset = node.syntax().text_range().start;
                    let insertion = self.insertable_type(recorded);
                    hints.push(InlayHint { offset, kind: InlayHintKind::TypeBefore, text, insertion });
                }
            }
        }
    }

    /// Returns the whole text of a recorded type; `None` if it is not the notation of a type in code.
    fn insertable_type(&self, recorded: &RecordedValue) -> Option<String> {
        let text = recorded_value::short_type(
            &recorded_value::type_of(recorded, self.world),
            MAX_INSERTION_LENGTH,
            self.world,
        );
        let parse = syntax::parse(&format!("function f({text} $x) {{}}"), syntax::Language::Manifest);
        let is_whole = !text.contains('…') && !text.contains(['\n', '$', '#']);
        (is_whole && parse.errors().is_empty()).then_some(text)
    }

    /// Returns the display text of a recorded type; `None` if it carries no information.
    fn type_text(&self, recorded: &RecordedValue) -> Option<String> {
        match recorded_value::type_of(recorded, self.world) {
            Type::Any | Type::Undef => None,
            ty => Some(recorded_value::short_type(&ty, MAX_HINT_LENGTH, self.world)),
        }
    }
}
