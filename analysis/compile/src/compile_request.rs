//! Compiles of the project: what is asked, and what comes of it with its places.

mod open_part;

use codes::Code;
use std::sync::Arc;

use eval::{
    Compilation, CompileStart, EvaluationError, EvaluationSettings, Evaluator, ExprPlace, LogEntry, LogLevel,
    NodeClass, Program, RESERVED_FOR_NODES, UNLOADABLE_FILE, UnitId, ValueRecorder, World, anchor,
    compile_with,
};
use hiera::lookup::{Explanation, LookupRequest};
use hiera::merge::Answer;
use hir::{DefinitionKey, DefinitionKind, Name};
use project::{Db, DefinitionId, Environment, File};
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};
use syntax::{ColumnUnit, Language, LineMap, SyntaxKind, SyntaxNode, TextRange};
use types::{HashValue, Origin, Type, Value};

use crate::checked_facts::FactSetId;
use crate::compile_program::{CompileProgram, SettledClasses};
use crate::loading::{CodeText, LoadFinding};
use crate::platform_reads::PlatformRead;
use crate::project_program::UnitSource;
use crate::summaries::{ExprLocation, parameter_types, settings_of};

pub use open_part::OpenPart;

/// What to compile, and for whom.
#[derive(Clone, Debug)]
pub struct CompileRequest {
    pub entry: EntryPoint,
    /// The name of the node: its certname.
    pub node_name: Name,
    pub facts: Facts,
    /// Variables of the top scope that an external node classifier gives. They win over facts of the same name.
    pub node_parameters: HashValue,
    /// Classes that an external node classifier gives.
    pub node_classes: Vec<NodeClass>,
    /// `$trusted['extensions']`
    pub trusted_extensions: HashValue,
    /// What the server says of itself: `servername`, `serverip`, `serverversion`.
    pub server_facts: HashValue,
    /// What `$environment` is.
    pub environment_name: Name,
    /// What the settings of the environment say, where it is `None`.
    pub settings: Option<EvaluationSettings>,
    /// May there be definitions that the project does not have, because it is not whole? Else, as for Puppet, what is not
    /// there is missing.
    pub is_incomplete: bool,
    /// Is the name of the node invented? Then nobody knows what it is, nor which data are for it alone.
    pub has_invented_node: bool,
    pub global_hiera: Option<GlobalHiera>,
    /// Is the server the machine that this runs on? Then absolute paths are looked for here; else nobody knows what is there.
    pub reads_this_machine: bool,
}

impl CompileRequest {
    /// A compile for a node of which nothing is known, by a server like any other.
    pub fn new(entry: EntryPoint) -> CompileRequest {
        let server = [("servername", "puppet"), ("serverip", "127.0.0.1")];
        CompileRequest {
            entry,
            node_name: Name::default(),
            facts: Facts::Unknown,
            node_parameters: HashValue::default(),
            node_classes: Vec::new(),
            trusted_extensions: HashValue::default(),
            server_facts: server
                .into_iter()
                .map(|(name, value)| (Value::string(name), Value::string(value)))
                .collect(),
            environment_name: Name::new("production"),
            settings: None,
            is_incomplete: false,
            has_invented_node: false,
            global_hiera: None,
            reads_this_machine: false,
        }
    }
}

/// Where a compile begins.
#[derive(Clone, PartialEq, Debug)]
pub enum EntryPoint {
    /// The main manifest of the environment, with the node definition that fits.
    MainManifest,
    /// `include` of a class, in the place of the main manifest.
    Class(Name),
    /// A class whose required parameters have unknown values of their types, unless data has them.
    ClassWithAnyParameters(Name),
    /// A text, in the place of the main manifest.
    Code(Arc<str>),
}

/// The facts of a node.
#[derive(Clone, PartialEq, Debug)]
pub enum Facts {
    /// Nothing but their types is known.
    Unknown,
    /// Those of a platform, without what modules add. Of the facts that modules of the environment add `of_modules` holds
    /// some; the others are not known.
    Platform { facts: Arc<HashValue>, of_modules: Arc<HashValue> },
    /// All of them.
    Given(Arc<HashValue>),
}

/// The `hiera.yaml` of the whole machine.
#[derive(Clone, PartialEq, Debug)]
pub struct GlobalHiera {
    /// Where it lies; with `/`.
    pub folder: SmolStr,
    pub text: Arc<str>,
}

/// Reads what the project does not hold: bytes, texts that are too large, files outside of it.
pub trait FileReader {
    /// What is at an absolute path, with `/`.
    fn read(&self, path: &str) -> FileRead;
}

/// What a reader makes of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileRead {
    Content(Arc<[u8]>),
    Missing,
    /// It is not read: it lies outside of what may be read, or is no file, or too large.
    Unknown,
}

/// Where something stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SourceRange {
    /// `None` for the text that was compiled.
    pub file: Option<File>,
    pub range: TextRange,
    /// The line that Puppet names, from 1.
    pub line: u32,
    /// The column that Puppet names, from 1, in characters.
    pub column: u32,
}

/// What ended a compile, and where.
#[derive(Clone, PartialEq, Debug)]
pub struct CompileError {
    pub code: Code,
    pub message: String,
    pub place: Option<SourceRange>,
    /// What is at fault, where that is more exact than the place that Puppet names: arguments, attributes, defaults.
    pub parts: Vec<SourceRange>,
    /// The calls, includes and declarations that led there, innermost first.
    pub calls: Vec<SourceRange>,
    /// Where what is declared or defined twice stands first.
    pub earlier: Option<SourceRange>,
}

/// Where the text of a template is from.
#[derive(Debug)]
enum TemplateSource {
    File(DefinitionId),
    /// The program has made it.
    Text(SmolStr),
}

/// What came of a compile. Places are worked out when they are asked for.
#[derive(Debug)]
pub struct ProjectCompilation {
    pub compilation: Compilation,
    sources: Vec<UnitSource>,
    /// The templates that were rendered.
    templates: FxHashMap<UnitId, TemplateSource>,
    code: Option<CodeText>,
    load_finding: Option<LoadFinding>,
    /// What the compile of a class of a module has read of its platform.
    pub(crate) platform_reads: Arc<[PlatformRead]>,
    /// What was not looked at although the outcome may depend on it.
    pub open_parts: Vec<OpenPart>,
}

impl ProjectCompilation {
    /// Was the compile given up because it wants too much?
    pub fn has_reached_limit(&self) -> bool {
        let code = self.compilation.error.as_ref().map(|error| error.code);
        code.is_some_and(is_limit)
    }

    /// How much work it was: the steps of its programs, and what each resource costs besides.
    pub fn work(&self) -> u64 {
        const FIXED: u64 = 100;
        const OF_RESOURCE: u64 = 10;
        FIXED + self.compilation.steps + OF_RESOURCE * self.compilation.resources as u64
    }

    /// Did the compile end so that nobody knows whether Puppet would fail: at a limit, or at a value of which nothing is
    /// known?
    pub fn is_undecided(&self) -> bool {
        let error = self.compilation.error.as_ref().or(self.compilation.cycle.as_ref());
        self.load_finding.is_none()
            && (self.has_reached_limit() || error.is_some_and(|error| error.is_silent))
    }

    /// What was not looked at, each part in words: what is not here, a file that cannot be loaded where others may complete
    /// what is compiled, and why nobody knows whether Puppet would fail.
    pub fn open_words(&self) -> Vec<String> {
        let mut words: Vec<String> = self.open_parts.iter().map(ToString::to_string).collect();
        let error = self.compilation.error.as_ref().filter(|_| self.is_undecided());
        if let Some(error) = error {
            let may_fail = if self.has_reached_limit() { "" } else { "it may fail: " };
            words.push(format!("{may_fail}{}", error.message));
        } else if let Some(finding) = &self.load_finding {
            words.push(format!("a file that is needed cannot be loaded: {}", finding.message));
        }
        words
    }

    /// What ended the compile, if something did: an error of evaluation, or a file that Puppet would not load.
    pub fn error(&self, db: &dyn Db) -> Option<CompileError> {
        if let Some(finding) = &self.load_finding {
            let place = self.source_range(db, finding.file, finding.range, finding.range.start);
            let (code, message) = (finding.code, finding.message.clone());
            // Where it was needed, and what led there.
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

    /// Resources that wait for each other; its calls are the other relationships of the circle, then the resources.
    pub fn circle(&self, db: &dyn Db) -> Option<CompileError> {
        self.compilation.cycle.as_ref().map(|error| self.located_error(db, error))
    }

    /// What else is wrong, or would be if something unknown were so.
    pub fn findings(&self, db: &dyn Db) -> Vec<CompileError> {
        let findings = self.compilation.findings.iter();
        findings.map(|finding| self.located_error(db, &finding.error)).collect()
    }

    fn located_error(&self, db: &dyn Db, error: &EvaluationError) -> CompileError {
        // At a limit many have led there, and each lies in a file that has to be read again.
        let most = if is_limit(error.code) { MAX_CALLS_AT_LIMITS } else { usize::MAX };
        let calls: Vec<SourceRange> =
            error.calls.iter().take(most).filter_map(|place| self.locate(db, *place)).collect();
        // In a template that is a text of the program: the call that renders it.
        let place = self.locate(db, error.place).or_else(|| calls.first().copied());
        let earlier = error.earlier.first().and_then(|place| self.locate(db, *place));
        let parts = error.parts.iter().filter_map(|part| self.locate_part(db, *part, error)).collect();
        let message = match self.line_of_text(error.place) {
            Some(line) => format!("line {line} of the template: {}", error.message),
            None => error.message.clone(),
        };
        CompileError { code: error.code, message, place, parts, calls, earlier }
    }

    /// Where a part stands that is at fault: an attribute by its name, where its value is not what is wrong.
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

    /// Did it come to its end?
    pub fn is_ok(&self) -> bool {
        self.load_finding.is_none() && self.compilation.error.is_none()
    }

    /// The text that was compiled in the place of the main manifest.
    pub fn code(&self) -> Option<&str> {
        self.code.as_ref().map(CodeText::text)
    }

    /// The expression of the project that a place is; `None` for one of a template that is no file, and of the text that was
    /// compiled.
    pub(crate) fn located(&self, place: ExprPlace) -> Option<ExprLocation> {
        match self.source(place.unit)? {
            UnitSource::Definition(definition) => Some(ExprLocation { definition, expr: place.expr }),
            UnitSource::Code(_) => None,
        }
    }

    /// Is there something that keeps a file from being loaded?
    pub(crate) fn has_load_finding(&self) -> bool {
        self.load_finding.is_some()
    }

    /// `None` for a template that is no file.
    fn source(&self, unit: UnitId) -> Option<UnitSource> {
        match self.templates.get(&unit) {
            Some(TemplateSource::File(template)) => Some(UnitSource::Definition(*template)),
            Some(TemplateSource::Text(_)) => None,
            None => self.sources.get(unit.0 as usize).copied(),
        }
    }

    /// Where an expression stands; `None` for one of a template that is a text of the program, and for what the compiler adds
    /// itself.
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

    /// The line, from 1, where an expression stands in a template that is a text of the program.
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

/// So many of the calls that led to a limit are told, the innermost.
const MAX_CALLS_AT_LIMITS: usize = 16;

fn is_limit(code: Code) -> bool {
    matches!(code, Code::TooManySteps | Code::TooDeep | Code::TooLarge | Code::RegexpLimit)
}

/// The name behind `inherits` of the class that has a body.
fn inherited_name(db: &dyn Db, file: File, body: TextRange) -> Option<TextRange> {
    let tree = project::parse_once(db, file);
    let class = tree.syntax().covering_element(body)?.parent()?;
    let is_class = class.kind() == SyntaxKind::CLASS_DEFINITION;
    let mut clauses = class.children().filter(|it| is_class && it.kind() == SyntaxKind::INHERITS_CLAUSE);
    let name = clauses.next()?.children().next()?;
    Some(name.text_range())
}

/// The name in front of the value of an attribute; the value where there is none.
pub fn name_of_attribute(db: &dyn Db, file: File, value: TextRange) -> TextRange {
    let tree = project::parse_once(db, file);
    let element = tree.syntax().covering_element(value);
    let is_attribute =
        |it: &SyntaxNode| matches!(it.kind(), SyntaxKind::ATTRIBUTE | SyntaxKind::ATTRIBUTE_SPLAT);
    let attribute = element.and_then(|it| it.parent()?.ancestors().find(is_attribute));
    let name = attribute.filter(|it| it.kind() == SyntaxKind::ATTRIBUTE).and_then(|it| it.first_token());
    name.map_or(value, |name| name.text_range())
}

/// Compiles a catalog of an environment. The same database, request and files give the same answer.
pub fn compile_project(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
    reader: Option<&dyn FileReader>,
) -> ProjectCompilation {
    compile_for(db, environment, request, reader, Wanted::Catalog { class_facts: None }).0
}

/// Compiles, and gives everything but the catalog. `class_facts` are the facts where a class of a module is
/// compiled.
pub(crate) fn compile_for_errors(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
    class_facts: Option<FactSetId>,
) -> ProjectCompilation {
    compile_for(db, environment, request, None, Wanted::Errors { class_facts }).0
}

/// Compiles a catalog; with `class_facts`, as the compile of a class does whose outcome is remembered.
pub(crate) fn compile_catalog(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
    class_facts: Option<FactSetId>,
) -> ProjectCompilation {
    compile_for(db, environment, request, None, Wanted::Catalog { class_facts }).0
}

/// A class that takes more steps is not settled: that would be done anew for each platform, and be kept.
const MAX_STEPS_OF_SETTLED: u64 = 10_000;

/// The variables that a class of a module sets with some facts; `None` where it fails, may do so, says
/// something, takes long, or leaves more behind than variables with values.
pub(crate) fn variables_of_class(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
    class: DefinitionId,
    facts: FactSetId,
) -> Option<FxHashMap<Name, Value>> {
    let settled = SettledClasses { facts, except: Some(class) };
    let (program, mut settings, entry) = prepared(db, environment, request, None, Some(settled));
    if program.has_load_finding() {
        return None;
    }
    settings.bounds.steps = settings.bounds.steps.min(MAX_STEPS_OF_SETTLED);
    let world = World::new(&program, settings);
    let (compilation, evaluator) = compile_with(evaluator_of(db, &world), &entry);
    let is_silent = compilation.logs.is_empty() && compilation.findings.is_empty();
    match compilation.error {
        None if is_silent && !program.has_load_finding() && !program.has_open_parts() => {
            evaluator.variables_of_class(&class.key(db).name)
        }
        _ => None,
    }
}

/// Compiles a catalog of an environment for what the expressions of one definition are worth meanwhile; `None` where a
/// file that is needed cannot be loaded.
pub(crate) fn compile_recorded(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
    focus: DefinitionId,
) -> Option<ValueRecorder> {
    compile_for(db, environment, request, None, Wanted::Values(focus)).1
}

/// What a compile is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    Catalog {
        class_facts: Option<FactSetId>,
    },
    Errors {
        class_facts: Option<FactSetId>,
    },
    /// What the expressions of a definition are worth.
    Values(DefinitionId),
}

/// The program, the settings and the entry of a compile.
fn prepared<'db>(
    db: &'db dyn Db,
    environment: Environment,
    request: &'db CompileRequest,
    reader: Option<&'db dyn FileReader>,
    settled: Option<SettledClasses>,
) -> (CompileProgram<'db>, EvaluationSettings, CompileStart) {
    let code = match &request.entry {
        EntryPoint::MainManifest => None,
        EntryPoint::Class(name) => Some(CodeText::new(db, environment, &format!("include {name}"))),
        EntryPoint::ClassWithAnyParameters(_) => Some(CodeText::new(db, environment, "")),
        EntryPoint::Code(text) => Some(CodeText::new(db, environment, text)),
    };
    let program = CompileProgram::new(db, environment, request, code, reader, settled);
    let mut settings = request.settings.unwrap_or_else(|| settings_of(db, environment));
    let mut entry = program.entry();
    entry.node_name = request.node_name.clone();
    entry.classes.clone_from(&request.node_classes);
    let is_set = |name: &&str| request.node_parameters.get_text(name).is_some();
    entry.reserved = RESERVED_FOR_NODES.into_iter().find(is_set).map(Name::new);
    if let EntryPoint::ClassWithAnyParameters(name) = &request.entry {
        let parameters = any_parameters(db, environment, name);
        entry.classes.push(NodeClass { name: name.clone(), parameters });
        settings.is_part = true;
    }
    (program, settings, entry)
}

fn evaluator_of<'w>(db: &'w dyn Db, world: &'w World<'w>) -> Evaluator<'w> {
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
    wanted: Wanted,
) -> (ProjectCompilation, Option<ValueRecorder>) {
    let settled = match wanted {
        Wanted::Errors { class_facts } | Wanted::Catalog { class_facts } => {
            class_facts.map(|facts| SettledClasses { facts, except: None })
        }
        Wanted::Values(_) => None,
    };
    let (mut program, settings, entry) = prepared(db, environment, request, reader, settled);
    let (compilation, templates, recorder) = match program.has_load_finding() {
        true => (unloaded(&program, &entry), Default::default(), None),
        false => run(db, &program, settings, &entry, wanted),
    };
    let (platform_reads, open_parts) = (program.take_reads(), program.take_open_parts());
    let (sources, code, load_finding) = program.into_parts();
    let found = ProjectCompilation {
        compilation,
        sources,
        templates,
        code,
        load_finding,
        platform_reads,
        open_parts,
    };
    (found, recorder)
}

/// What comes of a program that Puppet refuses to load: what it logs before.
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

/// Compiles, and says from which files templates were read, and what expressions were worth.
fn run(
    db: &dyn Db,
    program: &CompileProgram<'_>,
    settings: EvaluationSettings,
    entry: &CompileStart,
    wanted: Wanted,
) -> (Compilation, FxHashMap<UnitId, TemplateSource>, Option<ValueRecorder>) {
    let world = World::new(program, settings);
    let mut evaluator = evaluator_of(db, &world);
    if let Wanted::Values(definition) = wanted {
        evaluator.recorder = Some(ValueRecorder::new(program.focused(definition)));
    }
    let (mut compilation, mut evaluator) = compile_with(evaluator, entry);
    if matches!(wanted, Wanted::Catalog { .. }) {
        compilation.catalog = evaluator.catalog_as_data();
    }
    let recorder = evaluator.recorder.take();
    let templates = evaluator.template_units.iter();
    let main = |file: File| DefinitionId::new(db, file, DefinitionKey::main());
    let source = |text: &SmolStr| match program.template(text) {
        Some(file) => TemplateSource::File(main(file)),
        None => TemplateSource::Text(text.clone()),
    };
    let templates = templates.map(|(text, unit)| (unit.id, source(text))).collect();
    (compilation, templates, recorder)
}

/// Values of the types of the parameters that a class must be given, those left out that data may have.
fn any_parameters(db: &dyn Db, environment: Environment, class: &str) -> HashValue {
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

/// What Hiera of an environment says of a key, and how it came to that. The scope is the top one of the request's node.
///
/// # Errors
/// What Puppet fails at, as the message.
pub fn look_up_key(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
    key: &str,
    merge: Option<Value>,
    reader: Option<&dyn FileReader>,
) -> (Result<Answer, String>, Explanation) {
    let (found, explanation, is_open) = look_up_as(db, environment, request, key, merge.clone(), reader);
    match is_open && !request.is_incomplete {
        // What is not here may say otherwise.
        true => {
            let incomplete = CompileRequest { is_incomplete: true, ..request.clone() };
            let (found, explanation, _) = look_up_as(db, environment, &incomplete, key, merge, reader);
            (found, explanation)
        }
        false => (found, explanation),
    }
}

/// What Hiera says of a key, how it came to that, and whether something was not looked at.
fn look_up_as(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
    key: &str,
    merge: Option<Value>,
    reader: Option<&dyn FileReader>,
) -> (Result<Answer, String>, Explanation, bool) {
    let code = CodeText::new(db, environment, "");
    let program = CompileProgram::new(db, environment, request, Some(code), reader, None);
    let settings = request.settings.unwrap_or_else(|| settings_of(db, environment));
    let question = LookupRequest {
        names: vec![key.into()],
        merge,
        shows_what_is_behind: true,
        ..LookupRequest::default()
    };
    let entry = program.entry();
    let world = World::new(&program, settings);
    let Some(main) = entry.main.first() else {
        return (Ok(Answer::Missing), Explanation::default(), false);
    };
    let (found, explanation) = Evaluator::new(&world).explain_lookup(main, &question);
    (found, explanation, program.has_open_parts())
}

/// The names of the classes that an environment defines in its modules and main manifest, sorted.
pub fn classes_of(db: &dyn Db, environment: Environment) -> Vec<Name> {
    let index = project::environment_index(db, environment);
    let classes = index.keys().filter(|(kind, _)| *kind == DefinitionKind::Class);
    let mut names: Vec<Name> = classes.map(|(_, name)| name.clone()).collect();
    names.sort_unstable();
    names
}
