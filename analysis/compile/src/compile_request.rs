//! Compiles of the project: requests, and outcomes with their locations.

mod data_values;
mod fleet_exports;
mod fleet_queries;
pub(crate) mod lookups;
mod request;
mod unknown_input;

use codes::Code;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use eval::{
    Compilation, CompileStart, EvaluationError, EvaluationSettings, Evaluator, ExprPlace, Loading, LogEntry,
    LogLevel, NodeClass, RESERVED_FOR_NODES, RefusedResource, UNLOADABLE_FILE, UnitId, ValueRecorder, World,
    anchor, compile_with,
};
use hir::{DefinitionKey, DefinitionKind, Name};
use project::{Db, DefinitionId, Environment, File};
use rustc_hash::{FxHashMap, FxHasher};
use smol_str::{SmolStr, format_smolstr};
use syntax::{ColumnUnit, Language, LineMap, SyntaxKind, SyntaxNode, TextRange};
use types::{HashValue, Origin, Type, Value};

use crate::checked_facts::FactSetId;
use crate::class_checks::attributes_of_all;
use crate::compile_program::node_reads::NodeRead;
use crate::compile_program::{CompileProgram, PrecomputedClasses};
use crate::loading::{CodeText, LoadFinding};
use crate::platform_reads::PlatformRead;
use crate::summaries::{ExprLocation, parameter_types};

use super::puppet_settings::settings_of;
use crate::project_program::units::UnitSource;
pub use fleet_exports::FleetExports;
pub use fleet_queries::{FleetQueries, QueriedTypes, QueryAnswer, QueryAnswers};
pub use request::{CompileRequest, EntryPoint, Facts, FileRead, FileReader, GlobalHiera, ParsedData};
pub use unknown_input::UnknownInput;

/// Source location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SourceRange {
    /// `None` for the text that was compiled.
    pub file: Option<File>,
    pub range: TextRange,
    /// Line that Puppet reports, 1-based.
    pub line: u32,
    /// Column that Puppet reports, 1-based, in characters.
    pub column: u32,
}

/// Error that ended a compile, with its location.
#[derive(Clone, PartialEq, Debug)]
pub struct CompileError {
    pub code: Code,
    pub message: String,
    pub place: Option<SourceRange>,
    /// Parts at fault, if more exact than the location that Puppet reports: arguments, attributes, defaults.
    pub parts: Vec<SourceRange>,
    /// Calls, includes and declarations that led there, innermost first.
    pub calls: Vec<SourceRange>,
    /// Location of the first of duplicate declarations or definitions.
    pub earlier: Option<SourceRange>,
}

/// Source of a template.
#[derive(Debug)]
enum TemplateSource {
    File(DefinitionId),
    /// String computed by the program.
    Text(SmolStr),
}

/// Result of a compile. Locations are resolved lazily.
#[derive(Debug)]
pub struct ProjectCompilation {
    pub compilation: Compilation,
    sources: Vec<UnitSource>,
    /// Templates that were rendered.
    templates: FxHashMap<UnitId, TemplateSource>,
    code: Option<CodeText>,
    load_finding: Option<LoadFinding>,
    /// Locations of the values in data files that made the compile fail.
    data_at_fault: Vec<(File, TextRange)>,
    /// Platform properties that the compile of a module's class has read.
    pub(crate) platform_reads: Arc<[PlatformRead]>,
    /// Properties of the node that the compile has read, if [`CompileRequest::records_reads`].
    pub node_reads: Arc<[NodeRead]>,
    /// Unknown inputs on which the outcome may depend.
    pub unknown_inputs: Vec<UnknownInput>,
    /// Hashes of the files and data that the compile has read.
    input_hashes: Vec<u64>,
}

impl ProjectCompilation {
    /// Returns true if the compile was aborted at a limit.
    pub fn has_reached_limit(&self) -> bool {
        let code = self.compilation.error.as_ref().map(|error| error.code);
        code.is_some_and(is_limit)
    }

    /// Returns the amount of work: the steps of the program, plus a cost for each resource.
    pub fn work(&self) -> u64 {
        const BASE_WORK: u64 = 100;
        const WORK_PER_RESOURCE: u64 = 10;
        BASE_WORK + self.compilation.steps + WORK_PER_RESOURCE * self.compilation.resources as u64
    }

    /// Returns true if the compile ended without deciding whether Puppet would fail: at a limit, or at a
    /// value about which nothing is known.
    pub fn is_undecided(&self) -> bool {
        let error = self.compilation.error.as_ref().or(self.compilation.cycle.as_ref());
        self.load_finding.is_none()
            && (self.has_reached_limit() || error.is_some_and(|error| error.is_silent))
    }

    /// Returns the definitions that fail for some of the unknown values, in words, if the compile succeeds.
    pub fn possible_failures(&self) -> impl Iterator<Item = String> {
        let failures = self.compilation.possible_failures.iter().filter(|_| self.compilation.error.is_none());
        failures.map(|(name, message)| {
            let name = if name.is_empty() { "main manifest".to_owned() } else { format!("`{name}`") };
            format!("{name} fails for some of the unknown values: {}", codes::single_line(message))
        })
    }

    /// Returns the reasons why the outcome is inconclusive: unknown inputs, a required file that cannot be
    /// loaded, and undecided failures.
    pub fn inconclusive_reasons(&self) -> Vec<String> {
        let mut reasons: Vec<String> = self.unknown_inputs.iter().map(ToString::to_string).collect();
        let error = self.compilation.error.as_ref().filter(|_| self.is_undecided());
        if let Some(error) = error {
            let may_fail = if self.has_reached_limit() { "" } else { "may fail: " };
            reasons.push(format!("{may_fail}{}", error.message));
        } else if let Some(finding) = &self.load_finding {
            reasons.push(format!("required file cannot be loaded: {}", codes::single_line(&finding.message)));
        }
        reasons.extend(self.possible_failures());
        reasons
    }

    /// Returns the error that ended the compile, if any: an evaluation error, or a file that Puppet would not
    /// load.
    pub fn error(&self, db: &dyn Db) -> Option<CompileError> {
        if let Some(finding) = &self.load_finding {
            let place = self.source_range(db, finding.file, finding.range, finding.range.start);
            let (code, message) = (finding.code, finding.message.clone());
            // The location that needed the file, and its callers.
            let stop = self.compilation.error.as_ref().filter(|error| error.code == UNLOADABLE_FILE);
            let stop = stop.map(|error| self.located_error(db, error));
            let calls = stop.into_iter().flat_map(|stop| stop.place.into_iter().chain(stop.calls)).collect();
            let earlier =
                finding.earlier.map(|(file, range)| self.source_range(db, file, range, range.start));
            return Some(CompileError {
                code,
                message,
                place: Some(place),
                parts: Vec::new(),
                calls,
                earlier,
            });
        }
        self.compilation.error.as_ref().map(|error| self.located_error(db, error))
    }

    /// Returns the dependency cycle, if any. Its calls are the other relationships of the cycle, then the
    /// resources.
    pub fn cycle(&self, db: &dyn Db) -> Option<CompileError> {
        self.compilation.cycle.as_ref().map(|error| self.located_error(db, error))
    }

    /// Returns the resources that no agent accepts.
    pub fn refused(&self, db: &dyn Db) -> Vec<CompileError> {
        self.compilation.refused.iter().map(|it| self.located_error(db, &it.error)).collect()
    }

    /// Returns the other findings, including those that depend on unknown values.
    pub fn findings(&self, db: &dyn Db) -> Vec<CompileError> {
        let findings = self.compilation.findings.iter();
        findings.map(|finding| self.located_error(db, &finding.error)).collect()
    }

    fn located_error(&self, db: &dyn Db, error: &EvaluationError) -> CompileError {
        // At a limit the call stack is deep, and locating a call parses its file again.
        let max_calls = if is_limit(error.code) { MAX_CALLS_AT_LIMIT } else { usize::MAX };
        let calls: Vec<SourceRange> =
            error.calls.iter().take(max_calls).filter_map(|place| self.locate(db, *place)).collect();
        // In an inline template, the call that renders it.
        let place = self.locate(db, error.place).or_else(|| calls.first().copied());
        let earlier = error.earlier.first().and_then(|place| self.locate(db, *place));
        let of_code = error.parts.iter().filter_map(|part| self.locate_part(db, *part, error));
        let of_data = self.data_at_fault.iter().filter(|_| !error.data.is_empty());
        let of_data = of_data.map(|(file, range)| self.source_range(db, Some(*file), *range, range.start));
        let parts = of_code.chain(of_data).collect();
        let message = match self.line_of_text(error.place) {
            Some(line) => format!("line {line} of the template: {}", error.message),
            None => error.message.clone(),
        };
        CompileError { code: error.code, message, place, parts, calls, earlier }
    }

    /// Locates a part at fault: the name of an attribute rather than its value, if the value is not wrong.
    fn locate_part(&self, db: &dyn Db, part: ExprPlace, error: &EvaluationError) -> Option<SourceRange> {
        let found = self.locate(db, part)?;
        let Some(file) = found.file else { return Some(found) };
        let range = match error.code {
            _ if error.is_about_names() => name_of_attribute(db, file, found.range),
            Code::UnknownClass => inherited_name(db, file, found.range).unwrap_or(found.range),
            _ => found.range,
        };
        Some(self.source_range(db, Some(file), range, range.start))
    }

    /// Returns true if the compile finished.
    pub fn is_ok(&self) -> bool {
        self.load_finding.is_none() && self.compilation.error.is_none()
    }

    /// Returns the text that was compiled instead of the main manifest.
    pub fn code(&self) -> Option<&str> {
        self.code.as_ref().map(CodeText::text)
    }

    /// Returns the files of the definitions and templates that the compile used.
    pub fn code_files(&self, db: &dyn Db) -> Vec<File> {
        let definitions = self.sources.iter().filter_map(|source| match source {
            UnitSource::Definition(definition) => Some(definition.file(db)),
            UnitSource::Code(_) => None,
        });
        let templates = self.templates.values().filter_map(|template| match template {
            TemplateSource::File(template) => Some(template.file(db)),
            TemplateSource::Text(_) => None,
        });
        definitions.chain(templates).collect()
    }

    /// Returns a hash of the definitions, templates, other files of modules, and data that the compile used. It is
    /// independent of layout and comments in manifests.
    pub fn code_fingerprint(&self, db: &dyn Db) -> u64 {
        let hash_of = |value: &dyn Fn(&mut FxHasher)| {
            let mut hasher = FxHasher::default();
            value(&mut hasher);
            hasher.finish()
        };
        let definitions = self.sources.iter().filter_map(|source| match source {
            UnitSource::Definition(definition) => Some(project::body(db, *definition)),
            UnitSource::Code(_) => None,
        });
        let mut hashes: Vec<u64> = definitions.map(|body| hash_of(&|it| body.hash(it))).collect();
        hashes.extend(self.templates.values().map(|template| match template {
            TemplateSource::File(file) => hash_of(&|it| project::text(db, file.file(db)).hash(it)),
            TemplateSource::Text(text) => hash_of(&|it| text.hash(it)),
        }));
        hashes.extend(&self.input_hashes);
        hashes.sort_unstable();
        hash_of(&|it| hashes.hash(it))
    }

    /// Returns the project's expression at a place; `None` for one in an inline template, or in the text that
    /// was compiled.
    pub(crate) fn expr_location(&self, place: ExprPlace) -> Option<ExprLocation> {
        match self.source(place.unit)? {
            UnitSource::Definition(definition) => Some(ExprLocation { definition, expr: place.expr }),
            UnitSource::Code(_) => None,
        }
    }

    /// Returns true if a required file cannot be loaded.
    pub(crate) fn has_load_finding(&self) -> bool {
        self.load_finding.is_some()
    }

    /// Returns the source of a unit; `None` for an inline template.
    fn source(&self, unit: UnitId) -> Option<UnitSource> {
        match self.templates.get(&unit) {
            Some(TemplateSource::File(template)) => Some(UnitSource::Definition(*template)),
            Some(TemplateSource::Text(_)) => None,
            None => self.sources.get(unit.0 as usize).copied(),
        }
    }

    /// Returns the location of an expression; `None` for one in an inline template, and for expressions that
    /// the compiler itself adds.
    pub fn locate(&self, db: &dyn Db, place: ExprPlace) -> Option<SourceRange> {
        let (file, pointer, parse) = match self.source(place.unit)? {
            UnitSource::Definition(definition) => {
                let pointer = project::body_source_map(db, definition).node(place.expr)?;
                let file = definition.file(db);
                (Some(file), pointer, project::parse_once(db, file))
            }
            UnitSource::Code(index) => {
                let code = self.code.as_ref()?;
                (None, code.definition(index)?.source_map.node(place.expr)?, code.parse().clone())
            }
        };
        let node = pointer.to_node(&parse.syntax());
        let at = node.and_then(|node| anchor(&node)).unwrap_or(pointer.range.start);
        Some(self.source_range(db, file, pointer.range, at))
    }

    /// Returns the 1-based line of an expression in an inline template.
    fn line_of_text(&self, place: ExprPlace) -> Option<u32> {
        let TemplateSource::Text(text) = self.templates.get(&place.unit)? else { return None };
        let parse = syntax::parse(text, Language::Epp);
        let lowered = hir::lower_file(&parse);
        let main = lowered.definitions.iter().find(|it| it.key.kind == DefinitionKind::Main)?;
        let pointer = main.source_map.node(place.expr)?;
        let node = pointer.to_node(&parse.syntax());
        let at = node.and_then(|node| anchor(&node)).unwrap_or(pointer.range.start);
        Some(LineMap::new(text).line_column(text, at, ColumnUnit::Utf32).line + 1)
    }

    fn source_range(&self, db: &dyn Db, file: Option<File>, range: TextRange, anchor: u32) -> SourceRange {
        let place = match file {
            Some(file) => {
                let text = project::text(db, file).unwrap_or_default();
                project::line_map(db, file).line_column(&text, anchor, ColumnUnit::Utf32)
            }
            None => {
                let text = self.code().unwrap_or_default();
                LineMap::new(text).line_column(text, anchor, ColumnUnit::Utf32)
            }
        };
        SourceRange { file, range, line: place.line + 1, column: place.column + 1 }
    }
}

/// Maximum number of innermost calls that are reported for a limit.
const MAX_CALLS_AT_LIMIT: usize = 16;

fn is_limit(code: Code) -> bool {
    matches!(code, Code::TooManySteps | Code::TooDeep | Code::TooLarge | Code::RegexpLimit)
}

/// Returns the name after `inherits` of the class with a given body.
fn inherited_name(db: &dyn Db, file: File, body: TextRange) -> Option<TextRange> {
    let tree = project::parse_once(db, file);
    let class = tree.syntax().covering_element(body)?.parent()?;
    let is_class = class.kind() == SyntaxKind::CLASS_DEFINITION;
    let mut clauses = class.children().filter(|it| is_class && it.kind() == SyntaxKind::INHERITS_CLAUSE);
    let name = clauses.next()?.children().next()?;
    Some(name.text_range())
}

/// Returns the name before the value of an attribute; the value itself if there is none.
pub fn name_of_attribute(db: &dyn Db, file: File, value: TextRange) -> TextRange {
    let tree = project::parse_once(db, file);
    let element = tree.syntax().covering_element(value);
    let is_attribute =
        |it: &SyntaxNode| matches!(it.kind(), SyntaxKind::ATTRIBUTE | SyntaxKind::ATTRIBUTE_SPLAT);
    let attribute = element.and_then(|it| it.parent()?.ancestors().find(is_attribute));
    let name = attribute.filter(|it| it.kind() == SyntaxKind::ATTRIBUTE).and_then(|it| it.first_token());
    name.map_or(value, |name| name.text_range())
}

/// Compiles a catalog of an environment. Deterministic in database, request and files.
pub fn compile_project(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
    reader: Option<&dyn FileReader>,
) -> ProjectCompilation {
    compile_for(db, environment, request, reader, CompilePurpose::Catalog { class_facts: None }).0
}

/// Compiles everything except the catalog. `class_facts` is the fact set if a class of a module is compiled.
pub(crate) fn compile_for_errors(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
    class_facts: Option<FactSetId>,
) -> ProjectCompilation {
    compile_for(db, environment, request, None, CompilePurpose::Errors { class_facts }).0
}

/// Compiles a catalog. With `class_facts`, does so like the memoized compiles of classes.
pub(crate) fn compile_catalog(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
    class_facts: Option<FactSetId>,
) -> ProjectCompilation {
    compile_for(db, environment, request, None, CompilePurpose::Catalog { class_facts }).0
}

/// Maximum number of steps of a precomputed class: these are repeated for each platform, and the results are
/// kept.
const MAX_PRECOMPUTED_STEPS: u64 = 10_000;

/// Returns the variables that a class of a module sets with a fact set; `None` if it fails, may fail, logs
/// something, takes long, or has effects other than variables with values.
pub(crate) fn variables_of_class(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
    class: DefinitionId,
    facts: FactSetId,
) -> Option<FxHashMap<Name, Value>> {
    let precomputed = PrecomputedClasses { facts, except: Some(class) };
    let (program, mut settings, entry) = prepare(db, environment, request, None, Some(precomputed));
    if program.has_load_finding() {
        return None;
    }
    settings.bounds.steps = settings.bounds.steps.min(MAX_PRECOMPUTED_STEPS);
    let world = World::new(&program, settings);
    let (compilation, evaluator) = compile_with(create_evaluator(db, &world), &entry);
    let is_silent = compilation.logs.is_empty() && compilation.findings.is_empty();
    match compilation.error {
        None if is_silent && !program.has_load_finding() && !program.has_unknown_inputs() => {
            evaluator.variables_of_class(&class.key(db).name)
        }
        _ => None,
    }
}

/// Compiles a catalog of an environment to record the values of the expressions of one definition; `None` if
/// a required file cannot be loaded.
pub(crate) fn compile_recorded(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
    focus: DefinitionId,
) -> Option<ValueRecorder> {
    compile_for(db, environment, request, None, CompilePurpose::Values(focus)).1
}

/// Purpose of a compile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CompilePurpose {
    Catalog {
        class_facts: Option<FactSetId>,
    },
    Errors {
        class_facts: Option<FactSetId>,
    },
    /// Values of the expressions of a definition.
    Values(DefinitionId),
}

/// Prepares the program, the settings and the entry of a compile.
fn prepare<'db>(
    db: &'db dyn Db,
    environment: Environment,
    request: &'db CompileRequest,
    reader: Option<&'db dyn FileReader>,
    precomputed: Option<PrecomputedClasses>,
) -> (CompileProgram<'db>, EvaluationSettings, CompileStart) {
    let code = match &request.entry {
        EntryPoint::MainManifest => None,
        EntryPoint::Class(name) => Some(CodeText::new(db, environment, &format!("include {name}"))),
        EntryPoint::ClassWithAnyParameters(_) => Some(CodeText::new(db, environment, "")),
        EntryPoint::Code(text) => Some(CodeText::new(db, environment, text)),
    };
    let program = CompileProgram::new(db, environment, request, code, reader, precomputed);
    let mut settings = request.settings.unwrap_or_else(|| settings_of(db, environment));
    let mut entry = program.entry();
    entry.node_name = request.node_name.clone();
    entry.classes.clone_from(&request.node_classes);
    let is_set = |name: &&str| request.node_parameters.get_text(name).is_some();
    entry.reserved = RESERVED_FOR_NODES.into_iter().find(is_set).map(Name::new);
    if let EntryPoint::ClassWithAnyParameters(name) = &request.entry {
        let parameters = unknown_parameters(db, environment, name);
        entry.classes.push(NodeClass { name: name.clone(), parameters });
        settings.is_part = true;
    }
    (program, settings, entry)
}

fn create_evaluator<'w>(db: &'w dyn Db, world: &'w World<'w>) -> Evaluator<'w> {
    Evaluator::new(world).cancel_when(|| {
        db.unwind_if_revision_cancelled();
        false
    })
}

fn compile_for(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
    reader: Option<&dyn FileReader>,
    purpose: CompilePurpose,
) -> (ProjectCompilation, Option<ValueRecorder>) {
    let precomputed = match purpose {
        CompilePurpose::Errors { class_facts } | CompilePurpose::Catalog { class_facts } => {
            class_facts.map(|facts| PrecomputedClasses { facts, except: None })
        }
        CompilePurpose::Values(_) => None,
    };
    let (mut program, settings, entry) = prepare(db, environment, request, reader, precomputed);
    let (mut compilation, templates, recorder) = if program.has_load_finding() {
        (unloaded(&program, &entry), Default::default(), None)
    } else {
        run(db, &program, settings, &entry, purpose)
    };
    if settings.is_part && !settings.declares_all {
        compilation.refused.retain(|it| !may_be_completed(db, environment, it));
    }
    let data = match (&purpose, &compilation.error) {
        (CompilePurpose::Catalog { .. }, Some(error)) => error.data.as_slice(),
        _ => &[],
    };
    let data_at_fault = data_values::locate(db, environment, request, reader, data);
    let (platform_reads, unknown_inputs) = (program.take_reads(), program.take_unknown_inputs());
    let (node_reads, input_hashes) = (program.take_node_reads(), program.take_input_hashes());
    let (sources, code, load_finding) = program.into_parts();
    let found = ProjectCompilation {
        compilation,
        sources,
        templates,
        code,
        load_finding,
        data_at_fault,
        platform_reads,
        node_reads,
        unknown_inputs,
        input_hashes,
    };
    (found, recorder)
}

/// Returns true if the code that declares a part of a node may set a missing attribute of a resource, because
/// some code of the environment sets it on all resources of the type.
fn may_be_completed(db: &dyn Db, environment: Environment, refused: &RefusedResource) -> bool {
    let is_set = |type_name: &Name| {
        let attributes = attributes_of_all(db, environment).get(type_name);
        attributes.is_some_and(|set| refused.missing.iter().any(|it| set.contains(*it)))
    };
    !refused.missing.is_empty() && is_set(&refused.type_name)
}

/// Returns the compilation of a program that Puppet refuses to load: the warnings that it logs before.
fn unloaded(program: &CompileProgram<'_>, entry: &CompileStart) -> Compilation {
    let mut compilation = Compilation::default();
    if let Some(main) = entry.main.last() {
        let place = ExprPlace { unit: main.id, expr: main.body.root };
        let warnings = program.take_load_warnings().into_iter();
        let level = LogLevel::Warning;
        compilation.logs.extend(warnings.map(|message| LogEntry { level, message, place }));
    }
    compilation
}

/// Compiles; also returns the sources of templates, and the values of expressions.
fn run(
    db: &dyn Db,
    program: &CompileProgram<'_>,
    settings: EvaluationSettings,
    entry: &CompileStart,
    purpose: CompilePurpose,
) -> (Compilation, FxHashMap<UnitId, TemplateSource>, Option<ValueRecorder>) {
    let world = World::new(program, settings);
    let mut evaluator = create_evaluator(db, &world);
    if let CompilePurpose::Values(definition) = purpose {
        evaluator.diagnostics.recorder = Some(ValueRecorder::new(program.focused(definition)));
    }
    let (mut compilation, mut evaluator) = compile_with(evaluator, entry);
    if matches!(purpose, CompilePurpose::Catalog { .. }) {
        compilation.catalog = evaluator.catalog_as_data();
    }
    let recorder = evaluator.diagnostics.recorder.take();
    let templates = evaluator.templates.units();
    let main = |file: File| DefinitionId::new(db, file, DefinitionKey::main());
    let source = |text: &SmolStr| match program.template(text) {
        Some(file) => TemplateSource::File(main(file)),
        None => TemplateSource::Text(text.clone()),
    };
    let templates = templates.map(|(text, unit)| (unit.id, source(text))).collect();
    (compilation, templates, recorder)
}

/// Returns unknown values for the required parameters of a class, without those that data may set.
fn unknown_parameters(db: &dyn Db, environment: Environment, class: &str) -> HashValue {
    let mut parameters = HashValue::default();
    let Some(definition) = project::resolve(db, environment, project::NameKind::Class, class) else {
        return parameters;
    };
    let Some(signature) = project::signature(db, definition) else { return parameters };
    let types = parameter_types(db, definition);
    let data = project::data_key_index(db, environment);
    for (index, parameter) in signature.parameters.iter().enumerate() {
        let key = format_smolstr!("{}::{}", hir::fold_name(class), parameter.name);
        if !parameter.has_default && !data.contains_key(&key) {
            let ty = types.get(index).cloned().flatten().unwrap_or(Type::Any);
            let value = Value::unknown(ty, Origin::Parameter);
            parameters.insert(Value::String(parameter.name.clone()), value);
        }
    }
    parameters
}

/// Returns the sorted names of the classes that an environment defines in its modules and main manifest.
pub fn classes_of(db: &dyn Db, environment: Environment) -> Vec<Name> {
    let index = project::environment_index(db, environment);
    let classes = index.keys().filter(|(kind, _)| *kind == DefinitionKind::Class);
    let mut names: Vec<Name> = classes.map(|(_, name)| name.clone()).collect();
    names.sort_unstable();
    names
}
