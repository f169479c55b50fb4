//! What a piece of a file is worth, evaluated by itself.

use std::sync::Arc;

use eval::World;
use hir::{Access, NameUse, NameUseKind, VariableBinding};
use project::{Db, File, FunctionTarget, NameKind};
use rustc_hash::FxHashSet;
use symbols::recorded_value::{self, Evaluated};
use syntax::{AstNode, SyntaxElement, SyntaxNode, TextRange};
use types::{Origin, Type, Value};
use validation::PuppetVersion;
use validation::Strict;

/// A piece of a file with all that its evaluation needs: no snapshot waits for it.
#[derive(Debug)]
pub struct PreparedEvaluation {
    settings: eval::EvaluationSettings,
    has_stdlib: bool,
    /// Texts with the functions and types that are named, directly or by each other.
    definitions: Vec<(String, Arc<str>)>,
    /// What the variables around it are worth there.
    variables: Vec<(String, Value)>,
    /// The type of the expression that the piece is, as the definition around it was evaluated.
    recorded_type: Option<String>,
    text: String,
    start: u32,
}

/// What came of a piece of code.
#[derive(Clone, PartialEq, Debug)]
pub struct EvaluatedCode {
    /// The value of the last expression in Puppet's notation; `None` where it is not known, or there was an error.
    pub value: Option<String>,
    /// Its type; `None` where there was an error.
    pub ty: Option<String>,
    /// What it logged: the level in Puppet's word, and the message.
    pub logs: Vec<(&'static str, String)>,
    pub diagnostics: Vec<EvaluationDiagnostic>,
}

/// Why a piece of code has no value.
#[derive(Clone, PartialEq, Debug)]
pub struct EvaluationDiagnostic {
    pub code: check::Code,
    pub message: String,
    /// In the file of the piece; `None` for what is elsewhere.
    pub range: Option<TextRange>,
}

/// More work than this is not done for a piece of code, in [`eval::Bounds::steps`].
const STEPS: u64 = 2_000_000;

/// More texts are not looked into for functions and types.
const MAX_TEXTS: usize = 200;

pub(crate) fn prepare(db: &dyn Db, file: File, range: TextRange) -> PreparedEvaluation {
    let text = project::text(db, file).unwrap_or_default();
    let end = (range.end as usize).min(text.len());
    let selected = text.get(range.start as usize..end).unwrap_or_default().to_owned();
    PreparedEvaluation {
        settings: settings(db, file),
        has_stdlib: has_stdlib(db, file),
        definitions: named_definitions(db, file, range),
        variables: variables(db, file, range),
        recorded_type: recorded_type(db, file, range),
        text: selected,
        start: range.start,
    }
}

fn settings(db: &dyn Db, file: File) -> eval::EvaluationSettings {
    let mut settings = eval::EvaluationSettings::version_8();
    if let Some(environment) = file.environments(db).first() {
        if environment.puppet_version(db) == PuppetVersion::V7 {
            settings = eval::EvaluationSettings::version_7();
        }
        settings.strict = match environment.strict(db) {
            validation::Strict::Off => Strict::Off,
            validation::Strict::Warning => Strict::Warning,
            validation::Strict::Error => Strict::Error,
        };
    }
    settings.bounds.steps = STEPS;
    settings
}

fn has_stdlib(db: &dyn Db, file: File) -> bool {
    file.environments(db).iter().any(|environment| environment.modules(db).contains_key("stdlib"))
}

/// The texts that define the functions and types that a range names, and what those name.
fn named_definitions(db: &dyn Db, file: File, range: TextRange) -> Vec<(String, Arc<str>)> {
    let mut seen = FxHashSet::default();
    let mut waiting = defining_files(db, file, |it| range.contains_range(it.range));
    let mut texts = Vec::new();
    while let Some(next) = waiting.pop() {
        if texts.len() == MAX_TEXTS || !seen.insert(next) {
            continue;
        }
        if let Some(text) = project::text(db, next) {
            texts.push((next.path(db).to_native(), text));
            waiting.extend(defining_files(db, next, |_| true));
        }
    }
    texts
}

/// The files with the functions and types that the uses in a file name.
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

/// The variables that a range reads, and what they are worth there: values where those are known, else types.
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
        let worth = || {
            let node = node_at(parse.tree().syntax(), name_use.range)?;
            let evaluated = Evaluated::around(db, file, &node)?;
            let worth = evaluated.worth(&node)?;
            compile::with_world(db, evaluated.definition, |world| recorded_value::value_of(&worth, world))
        };
        let value = worth().unwrap_or_else(|| Value::unknown(Type::Any, Origin::MissingDefinition));
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
    let worth = evaluated.worth(&node)?;
    compile::with_world(db, evaluated.definition, |world| {
        types::display::type_text(&recorded_value::type_of(&worth, world), world)
    })
}

/// The smallest node that holds a range.
fn node_at(root: &SyntaxNode, range: TextRange) -> Option<SyntaxNode> {
    match root.covering_element(range)? {
        SyntaxElement::Node(node) => Some(node),
        SyntaxElement::Token(token) => token.parent(),
    }
}

impl PreparedEvaluation {
    /// Evaluates the code. Needs a stack of [`crate::STACK_SIZE`]; ends after a limited amount of work.
    pub fn run(self) -> EvaluatedCode {
        let mut session = functions::session(self.settings);
        session.program.has_stdlib = self.has_stdlib;
        for (name, text) in &self.definitions {
            // What is wrong there is told there; here it is missing.
            let _ = session.define(name, text);
        }
        for (name, value) in self.variables {
            match name.contains("::") {
                true => session.program.set_global(name, value),
                false => session.set_variable(name, value),
            }
        }
        let own = session.sources().len();
        let evaluation = session.evaluate("selection", &self.text);
        let logs = evaluation.logs.iter().map(|log| (log.level.text(), log.message.clone())).collect();
        let (mut value, mut ty, mut diagnostics) = (None, None, Vec::new());
        match &evaluation.result {
            Ok(result) => session.with_world(|world| {
                value = result.is_known().then(|| types::text::to_notation(result, world));
                // The evaluator knows more of facts and other modules than the piece by itself says.
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
