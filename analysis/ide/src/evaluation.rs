//! Evaluation of a selected piece of code.

mod enclosing_expression;
mod expression_types;

use std::sync::Arc;

use eval::World;
use hir::{Access, Name, NameUse, NameUseKind, VariableBinding};
use project::{Db, File, FunctionTarget, NameKind};
use rustc_hash::FxHashSet;
use symbols::recorded_value::{self, Evaluated};
use syntax::{AstNode, SyntaxElement, SyntaxNode, TextRange};
use types::{Origin, Type, Value};
use validation::Strict;

pub(crate) use enclosing_expression::enclosing_expression;
pub(crate) use expression_types::expression_type;

/// A piece of a file with everything that its evaluation needs, so that it runs without a snapshot.
#[derive(Debug)]
pub struct PreparedEvaluation {
    settings: eval::EvaluationSettings,
    has_stdlib: bool,
    /// Paths and contents of the files that define the functions and types that the piece uses, directly or
    /// transitively.
    definitions: Vec<(String, Arc<str>)>,
    /// Folded names of what the piece uses and that exists, but is not evaluated here: classes, resource types, and
    /// functions in Ruby.
    unavailable: FxHashSet<Name>,
    /// Values of the variables that the piece reads, at its location.
    variables: Vec<(String, Value)>,
    /// Type of the selected expression, as recorded when the definition around it was evaluated.
    recorded_type: Option<String>,
    text: String,
    start: u32,
}

/// Result of evaluating a piece of code.
#[derive(Clone, PartialEq, Debug)]
pub struct EvaluatedCode {
    /// Value of the last expression in Puppet's notation; `None` if it is unknown or there was an error.
    pub value: Option<String>,
    /// Type of the last expression; `None` if there was an error.
    pub ty: Option<String>,
    /// Logged messages, each with its Puppet log level.
    pub logs: Vec<(&'static str, String)>,
    pub diagnostics: Vec<EvaluationDiagnostic>,
}

/// An error that prevented the evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct EvaluationDiagnostic {
    pub code: check::Code,
    pub message: String,
    /// Range in the file of the piece; `None` if the error is elsewhere.
    pub range: Option<TextRange>,
}

/// Maximum amount of work for a piece of code, in the unit of [`eval::Bounds::steps`].
const STEP_LIMIT: u64 = 2_000_000;

/// Maximum number of files that are searched for functions and types.
const MAX_FILES: usize = 200;

pub(crate) fn prepare(db: &dyn Db, file: File, range: TextRange) -> PreparedEvaluation {
    let text = project::text(db, file).unwrap_or_default();
    let end = (range.end as usize).min(text.len());
    let selected = text.get(range.start as usize..end).unwrap_or_default().to_owned();
    PreparedEvaluation {
        settings: settings(db, file),
        has_stdlib: has_stdlib(db, file),
        definitions: named_definitions(db, file, range),
        unavailable: unavailable_names(db, file, range),
        variables: variables(db, file, range),
        recorded_type: recorded_type(db, file, range),
        text: selected,
        start: range.start,
    }
}

fn settings(db: &dyn Db, file: File) -> eval::EvaluationSettings {
    let mut settings = eval::EvaluationSettings::version_8();
    if let Some(environment) = file.environments(db).first() {
        settings = eval::EvaluationSettings::of(environment.puppet_version(db));
        settings.strict = match environment.strict(db) {
            validation::Strict::Off => Strict::Off,
            validation::Strict::Warning => Strict::Warning,
            validation::Strict::Error => Strict::Error,
        };
    }
    settings.bounds.steps = STEP_LIMIT;
    settings
}

fn has_stdlib(db: &dyn Db, file: File) -> bool {
    file.environments(db).iter().any(|environment| environment.modules(db).contains_key("stdlib"))
}

/// Returns the paths and contents of the files that define the functions and types used in `range`,
/// transitively.
fn named_definitions(db: &dyn Db, file: File, range: TextRange) -> Vec<(String, Arc<str>)> {
    let mut seen = FxHashSet::default();
    let mut waiting = defining_files(db, file, |it| range.contains_range(it.range));
    let mut texts = Vec::new();
    while let Some(next) = waiting.pop() {
        if texts.len() == MAX_FILES || !seen.insert(next) {
            continue;
        }
        if let Some(text) = project::text(db, next) {
            texts.push((next.path(db).to_native(), text));
            waiting.extend(defining_files(db, next, |_| true));
        }
    }
    texts
}

/// Returns the files that define the functions and types used in `file`.
fn defining_files(db: &dyn Db, file: File, is_meant: impl Fn(&NameUse) -> bool) -> Vec<File> {
    let uses = project::name_uses(db, file);
    let meant = uses.iter().filter(|it| it.access != Access::Declaration && is_meant(it));
    let definition = |it: &NameUse| match it.kind {
        NameUseKind::Function => match project::resolve_function(db, file, &it.name)? {
            FunctionTarget::Puppet(definition) => Some(definition),
            FunctionTarget::Ruby { .. } => None,
        },
        NameUseKind::Type => project::resolve_in_file(db, file, NameKind::TypeAlias, &it.name),
        _ => None,
    };
    meant.filter_map(definition).map(|it| it.file(db)).collect()
}

/// Returns the names in `range` that [`defining_files`] finds no code for, although they exist.
fn unavailable_names(db: &dyn Db, file: File, range: TextRange) -> FxHashSet<Name> {
    let uses = project::name_uses(db, file);
    let exists = |it: &&NameUse| match it.kind {
        NameUseKind::Class | NameUseKind::ResourceType | NameUseKind::ClassOrResourceType => {
            symbols::symbol::resolve(db, file, it).is_some()
        }
        NameUseKind::Type => project::resolve_in_file(db, file, NameKind::TypeAlias, &it.name).is_none(),
        NameUseKind::Function => {
            matches!(project::resolve_function(db, file, &it.name), Some(FunctionTarget::Ruby { .. }))
        }
        _ => false,
    };
    let inside = uses.iter().filter(|it| range.contains_range(it.range));
    inside.filter(exists).map(|it| hir::fold_name(&it.name)).collect()
}

/// Returns the variables that `range` reads, with their values at that location; unknown values carry a type
/// only.
fn variables(db: &dyn Db, file: File, range: TextRange) -> Vec<(String, Value)> {
    let parse = project::parse(db, file);
    let uses = project::name_uses(db, file);
    let mut found: Vec<(String, Value)> = Vec::new();
    let is_variable =
        |it: &&NameUse| matches!(it.kind, NameUseKind::Variable(_)) && range.contains_range(it.range);
    let is_set_here = |name: &str| {
        uses.iter()
            .filter(is_variable)
            .any(|it| matches!(it.access, Access::Write | Access::Declaration) && it.name == name)
    };
    for name_use in uses.iter().filter(is_variable) {
        let name = name_use.name.as_str();
        if found.iter().any(|(known, _)| known == name) || is_set_here(name) {
            continue;
        }
        let known_value = || {
            let node = node_at(parse.tree().syntax(), name_use.range)?;
            let evaluated = Evaluated::around(db, file, &node)?;
            let recorded = evaluated.value(&node)?;
            compile::with_world(db, evaluated.definition, |world| recorded_value::value_of(&recorded, world))
        };
        let value = known_value().unwrap_or_else(|| Value::unknown(Type::Any, Origin::MissingDefinition));
        let name = match &name_use.kind {
            NameUseKind::Variable(VariableBinding::Qualified { scope }) if !scope.is_empty() => {
                format!("{scope}::{name}")
            }
            _ => name.to_owned(),
        };
        found.push((name, value));
    }
    found
}

fn recorded_type(db: &dyn Db, file: File, range: TextRange) -> Option<String> {
    let parse = project::parse(db, file);
    let node = node_at(parse.tree().syntax(), range).filter(|it| it.text_range() == range)?;
    let evaluated = Evaluated::around(db, file, &node)?;
    let recorded = evaluated.value(&node)?;
    compile::with_world(db, evaluated.definition, |world| {
        types::display::type_text(&recorded_value::type_of(&recorded, world), world)
    })
}

/// Returns the smallest node that contains `range`.
fn node_at(root: &SyntaxNode, range: TextRange) -> Option<SyntaxNode> {
    match root.covering_element(range)? {
        SyntaxElement::Node(node) => Some(node),
        SyntaxElement::Token(token) => token.parent(),
    }
}

impl PreparedEvaluation {
    /// Evaluates the code. Needs a stack of [`crate::STACK_SIZE`] bytes; ends after a limited amount of work.
    pub fn run(self) -> EvaluatedCode {
        let mut session = functions::session(self.settings);
        session.program.has_stdlib = self.has_stdlib;
        session.program.unavailable = self.unavailable;
        for (name, text) in &self.definitions {
            // Errors in that file are reported there; here its definitions are merely missing.
            let _ = session.define(name, text);
        }
        for (name, value) in self.variables {
            if name.contains("::") {
                session.program.set_global(name, value)
            } else {
                session.set_variable(name, value)
            }
        }
        let own = session.sources().len();
        let evaluation = session.evaluate("selection", &self.text);
        let logs = evaluation.logs.iter().map(|log| (log.level.name(), log.message.clone())).collect();
        let (mut value, mut ty, mut diagnostics) = (None, None, Vec::new());
        match &evaluation.result {
            Ok(result) => session.with_world(|world| {
                value = result.is_known().then(|| types::text::to_notation(result, world));
                // Evaluating the whole definition gives a more precise type, as it knows facts and other
                // modules.
                let recorded = self.recorded_type.filter(|_| value.is_none());
                ty = Some(recorded.unwrap_or_else(|| type_text(result, world)));
            }),
            Err(found) => {
                let in_file =
                    |range: TextRange| TextRange::new(range.start + self.start, range.end + self.start);
                diagnostics.extend(found.iter().map(|diagnostic| EvaluationDiagnostic {
                    code: diagnostic.code,
                    message: diagnostic.message.clone(),
                    range: diagnostic.location.filter(|it| it.source == own).map(|it| in_file(it.range)),
                }));
            }
        }
        EvaluatedCode { value, ty, logs, diagnostics }
    }
}

fn type_text(value: &Value, world: &World<'_>) -> String {
    types::display::type_text(&types::infer::infer_set(value, world), world)
}
