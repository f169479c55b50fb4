//! Source texts evaluated one after the other in one scope, for `puppet-analyzer eval` and its prompt.

use codes::Code;
use std::sync::Arc;

use hir::{BodySourceMap, DefinitionKind, LoweredDefinition, LoweredFile, Name};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{AssignmentExpr, AstNode, BinaryExpr, MethodCallExpr, RelationshipExpr};
use syntax::{ColumnUnit, Language, LineMap, Parse, Severity, SyntaxKind, SyntaxNode, TextRange};
use types::{HashValue, Value};
use validation::{ExpectedNamespace, Strict, ValidationSettings, validate};

use crate::catalog::CompileStart;
use crate::definitions::refused_alias;
use crate::error::{EvaluationError, Exit, ExprPlace, LogLevel};
use crate::evaluator::Evaluator;
use crate::frame::VariableState;
use crate::function::FunctionLibrary;
use crate::program::{SourceProgram, Unit, UnitId};
use crate::settings::EvaluationSettings;
use crate::world::World;

/// Top scope in which source texts are evaluated, with everything defined so far.
#[derive(Debug)]
pub struct Session {
    pub program: SourceProgram,
    pub settings: EvaluationSettings,
    /// Node of a full compile: after the main program, its definition, collectors and defined types are
    /// evaluated, too.
    pub node: Option<Name>,
    globals: FxHashMap<Name, VariableState>,
    sources: Vec<SessionText>,
    /// Source text of each [`UnitId`], by index, with the source map of its body.
    units: Vec<(usize, Arc<BodySourceMap>)>,
    /// Templates rendered by the last text, in the same form.
    templates: FxHashMap<UnitId, (usize, Arc<BodySourceMap>)>,
}

/// Evaluated source text.
#[derive(Debug)]
pub struct SessionText {
    /// Name of a file, or a placeholder.
    pub name: String,
    pub text: String,
    parse: Parse,
    lines: LineMap,
}

/// Result of evaluating a source text.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Value of the last expression, unless there was an error.
    pub result: Result<Value, Vec<SessionDiagnostic>>,
    pub logs: Vec<SessionLog>,
    /// Number of steps, in units of [`crate::settings::Bounds::steps`].
    pub steps: u64,
}

/// Error with its location.
#[derive(Clone, PartialEq, Debug)]
pub struct SessionDiagnostic {
    pub code: Code,
    pub message: String,
    pub location: Option<SessionLocation>,
    /// Enclosing calls, innermost first.
    pub calls: Vec<SessionLocation>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct SessionLog {
    pub level: LogLevel,
    pub message: String,
    pub location: Option<SessionLocation>,
}

/// Location in one of the source texts of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionLocation {
    /// Index of the source text in the session.
    pub source: usize,
    pub range: TextRange,
    /// 1-based line that Puppet reports (the operator of an operation); the column is in characters.
    pub line: u32,
    pub column: u32,
}

impl Session {
    /// Returns a session whose programs use a library of functions.
    pub fn new(settings: EvaluationSettings, library: &'static dyn FunctionLibrary) -> Session {
        let mut program = SourceProgram::new(library);
        program.set_strict_data(settings.strict == Strict::Error);
        // The main program is evaluated like a class of that name.
        for name in ["title", "name"] {
            program.set_global(name, Value::string("main"));
        }
        Session {
            program,
            settings,
            node: None,
            globals: FxHashMap::default(),
            sources: Vec::new(),
            units: Vec::new(),
            templates: FxHashMap::default(),
        }
    }

    /// Sets the top-scope variables that exist before a program begins, as `puppet apply` does: the given
    /// facts, which are all facts there are, and `$trusted` of a node without a certificate.
    pub fn set_top_variables(&mut self, environment: &str, facts: HashValue) {
        for (name, value) in facts.iter() {
            if let Some(name) = name.as_str() {
                self.program.set_global(name, value.clone());
            }
        }
        let hash = |entries: Vec<(&str, Value)>| {
            Value::hash(entries.into_iter().map(|(name, value)| (Value::string(name), value)))
        };
        let nothing = || hash(Vec::new());
        let trusted = vec![
            ("authenticated", Value::string("local")),
            ("certname", Value::Undef),
            ("extensions", nothing()),
            ("hostname", Value::Undef),
            ("domain", Value::Undef),
            ("external", nothing()),
        ];
        let environment = Value::string(environment);
        for (name, value) in [
            ("facts", Value::Hash(Arc::new(facts))),
            ("trusted", hash(trusted)),
            ("server_facts", hash(vec![("environment", environment.clone())])),
            ("environment", environment),
            ("module_name", Value::string("")),
        ] {
            self.program.set_global(name, value);
        }
    }

    /// Returns the source texts so far, by [`SessionLocation::source`].
    pub fn sources(&self) -> &[SessionText] {
        &self.sources
    }

    /// Calls `run` with the types of the program.
    pub fn with_world<T>(&self, run: impl FnOnce(&World) -> T) -> T {
        run(&World::new(&self.program, self.settings))
    }

    /// Sets a top-scope variable.
    pub fn set_variable(&mut self, name: impl Into<Name>, value: Value) {
        self.globals.insert(name.into(), VariableState::Set(value));
    }

    /// Adds the definitions of a source text, without evaluating its main program.
    ///
    /// # Errors
    /// Syntax errors and errors of the static rules.
    pub fn define(&mut self, name: &str, text: &str) -> Result<(), Vec<SessionDiagnostic>> {
        self.load(name, text, Language::Manifest).0.map(|_| ())
    }

    /// Evaluates a source text in the scope that the previous ones left.
    ///
    /// Code that is evaluated late, such as the bodies of defined types, is evaluated only if
    /// [`Session::node`] is set.
    pub fn evaluate(&mut self, name: &str, text: &str) -> Evaluation {
        let (loaded, mut logs) = self.load(name, text, Language::Manifest);
        let unit = match loaded {
            Ok(unit) => unit,
            Err(diagnostics) => return Evaluation { result: Err(diagnostics), logs, steps: 0 },
        };
        let (result, run_logs, steps, globals, templates) = {
            let world = World::new(&self.program, self.settings);
            let mut evaluator = Evaluator::new(&world);
            evaluator.variables.globals = std::mem::take(&mut self.globals);
            let mut result = evaluator.evaluate_main(&unit);
            if let (Some(node_name), Ok(_)) = (&self.node, &result) {
                let entry = CompileStart {
                    nodes: self.program.nodes().to_vec(),
                    node_name: node_name.clone(),
                    ..CompileStart::default()
                };
                result = evaluator.compile_late_parts(&entry).and(result);
            }
            let steps = evaluator.steps();
            let Evaluator { mut diagnostics, variables, templates, .. } = evaluator;
            (result, diagnostics.take_logs(), steps, variables.globals, templates)
        };
        self.globals = globals;
        self.templates.clear();
        for (text, unit) in templates.units() {
            self.add_template(text, unit.id);
        }
        logs.extend(run_logs.into_iter().map(|log| SessionLog {
            level: log.level,
            message: log.message,
            location: self.location(log.place),
        }));
        let result = result.map_err(|exit| match exit {
            Exit::Error(error) => vec![self.diagnostic(&error)],
            // `evaluate_main` turns all other jumps into errors.
            _ => Vec::new(),
        });
        Evaluation { result, logs, steps }
    }

    /// Registers a template, to resolve locations in it.
    fn add_template(&mut self, text: &str, unit: UnitId) {
        let parse = syntax::parse(text, Language::Epp);
        let lowered = hir::lower_file(&parse);
        let main = lowered.definitions.iter().find(|it| it.key.kind == DefinitionKind::Main);
        let Some(main) = main else { return };
        self.templates.insert(unit, (self.sources.len(), main.source_map.clone()));
        let lines = LineMap::new(text);
        self.sources.push(SessionText { name: "template".to_owned(), text: text.to_owned(), parse, lines });
    }

    fn load(
        &mut self,
        name: &str,
        text: &str,
        language: Language,
    ) -> (Result<Arc<Unit>, Vec<SessionDiagnostic>>, Vec<SessionLog>) {
        let parse = syntax::parse(text, language);
        let source = self.sources.len();
        let lines = LineMap::new(text);
        let strict = self.settings.strict;
        let mut findings = parse.errors().to_vec();
        if findings.iter().all(|it| it.severity() != Severity::Error) {
            let version = self.settings.version;
            let settings = ValidationSettings { strict, version, location: ExpectedNamespace::Free };
            findings.extend(validate(&parse, &settings));
        }
        let lowered = hir::lower_file(&parse);
        self.sources.push(SessionText { name: name.to_owned(), text: text.to_owned(), parse, lines });
        self.units.extend(lowered.definitions.iter().map(|it| (source, it.source_map.clone())));
        let main = self.program.add(&lowered);
        let mut diagnostics = Vec::new();
        for (definition, code, message) in wrong_definitions(&lowered) {
            let root = definition.source_map.node(definition.body.root);
            let location = root.map(|at| self.location_of_range(source, at.range, at.range.start));
            diagnostics.push(SessionDiagnostic { code, message, location, calls: Vec::new() });
        }
        let mut logs = Vec::new();
        for finding in findings {
            let location = Some(self.location_of_range(source, finding.range, finding.range.start));
            if finding.severity() == Severity::Error {
                let (code, message) = (finding.code, finding.message);
                diagnostics.push(SessionDiagnostic { code, message, location, calls: Vec::new() });
            } else {
                logs.push(SessionLog { level: LogLevel::Warning, message: finding.message, location });
            }
        }
        let missing = || {
            vec![SessionDiagnostic {
                code: Code::RuntimeError,
                message: "source has no main program".into(),
                location: None,
                calls: Vec::new(),
            }]
        };
        (if diagnostics.is_empty() { main.ok_or_else(missing) } else { Err(diagnostics) }, logs)
    }

    fn diagnostic(&self, error: &EvaluationError) -> SessionDiagnostic {
        SessionDiagnostic {
            code: error.code,
            message: error.message.clone(),
            location: self.location(error.place),
            calls: error.calls.iter().filter_map(|place| self.location(*place)).collect(),
        }
    }

    /// Returns the source location of an expression.
    pub fn location(&self, place: ExprPlace) -> Option<SessionLocation> {
        let UnitId(index) = place.unit;
        let (source, map) = self.units.get(index as usize).or_else(|| self.templates.get(&place.unit))?;
        let pointer = map.node(place.expr)?;
        let start = self.sources[*source].parse.syntax();
        let anchor = pointer.to_node(&start).and_then(|node| anchor(&node)).unwrap_or(pointer.range.start);
        Some(self.location_of_range(*source, pointer.range, anchor))
    }

    fn location_of_range(&self, source: usize, range: TextRange, anchor: u32) -> SessionLocation {
        let text = &self.sources[source];
        let place = text.lines.line_column(&text.text, anchor, ColumnUnit::Utf32);
        SessionLocation { source, range, line: place.line + 1, column: place.column + 1 }
    }
}

/// Returns the definitions that Puppet rejects because of their names, with the reasons.
fn wrong_definitions(lowered: &LoweredFile) -> Vec<(&LoweredDefinition, Code, String)> {
    let mut seen = FxHashSet::default();
    let mut wrong = Vec::new();
    for definition in &lowered.definitions {
        let (kind, name) = (definition.key.kind, &definition.key.name);
        let kind = match kind {
            DefinitionKind::Class | DefinitionKind::DefinedType => DefinitionKind::Class,
            DefinitionKind::Function | DefinitionKind::TypeAlias => kind,
            _ => continue,
        };
        if let Some(message) = refused_alias(&definition.key) {
            wrong.push((definition, Code::ReservedTypeName, message));
        } else if !seen.insert((kind, name.clone())) {
            let message = format!("duplicate definition of `{}`", definition.name);
            wrong.push((definition, Code::DuplicateDefinition, message));
        }
    }
    wrong
}

/// Returns the offset that Puppet reports for an expression, if that is not its beginning.
pub fn anchor(node: &SyntaxNode) -> Option<u32> {
    if let Some(binary) = BinaryExpr::cast(node.clone()) {
        return Some(binary.operator_token()?.text_range().start);
    }
    if AssignmentExpr::cast(node.clone()).is_some() || RelationshipExpr::cast(node.clone()).is_some() {
        let operand = node.children().next()?;
        let is_behind = |token: &syntax::SyntaxToken| token.text_range().start >= operand.text_range().end;
        return Some(
            node.tokens().find(|token| is_behind(token) && !token.kind().is_trivia())?.text_range().start,
        );
    }
    if MethodCallExpr::cast(node.clone()).is_some() {
        let parenthesis = node.descendants_with_tokens().filter_map(syntax::SyntaxElement::into_token);
        let receiver_end = node.children().next()?.text_range().end;
        let mut after = parenthesis.filter(|token| token.text_range().start >= receiver_end);
        let dot = after.find(|token| token.kind() == SyntaxKind::DOT)?;
        let open = after.filter(|token| !token.kind().is_trivia()).nth(1);
        let open = open.filter(|token| token.text() == "(");
        return Some(open.unwrap_or(dot).text_range().start);
    }
    None
}
