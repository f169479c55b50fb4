//! Functions that read data, files and templates of the environment. Specification: the chapters on Hiera and
//! templates.

use codes::Code;
use std::sync::Arc;

use eval::{BuiltInFunction, Call, MachineFile, ModuleFolder, Outcome, TemplateScope, Unit};
use hiera::DataFindingKind;
use hiera::data::DataFormat;
use hiera::lookup::{DataFile, LookupRequest};
use hiera::merge::Answer;
use hir::DefinitionKind;
use smol_str::{SmolStr, format_smolstr};
use types::assign::Fit;
use types::{HashValue, Origin, Type, Value};
use validation::{ExpectedNamespace, Strict, ValidationSettings, logged_warnings, validate};

use super::named_files::{FileContent, find_file};
use super::support::{function, known, open};

/// Code of a lookup that finds nothing.
pub const MISSING_DATA: Code = Code::MissingData;

pub(super) static TABLE: &[BuiltInFunction] = &[
    function(
        "lookup",
        "Looks up a key in Hiera data, and checks the value against a type; a default or a block replaces a missing value.",
        &[
            open(
                "(Variant[String, Array[String]] $name, Type $value_type = Any, Variant[String[1], Hash[String, Scalar]] $merge = 'first')",
                lookup,
            ),
            open(
                "(Variant[String, Array[String]] $name, Optional[Type] $value_type, Optional[Variant[String[1], Hash[String, Scalar]]] $merge, Any $default_value)",
                lookup,
            ),
            open(
                "(Variant[String, Array[String]] $name, Type $value_type = Any, Variant[String[1], Hash[String, Scalar]] $merge = 'first', Callable[Variant[String, Array[String]]] &$block)",
                lookup,
            ),
            open(
                "(Struct[{name => Variant[String, Array[String]], value_type => Optional[Type], default_value => Optional[Any], override => Optional[Hash[String, Any]], default_values_hash => Optional[Hash[String, Any]], merge => Optional[Variant[String[1], Hash[String, Scalar]]]}] $options_hash, Optional[Callable[Variant[String, Array[String]]]] &$block)",
                lookup,
            ),
            open(
                "(Variant[String, Array[String]] $name, Struct[{value_type => Optional[Type], default_value => Optional[Any], override => Optional[Hash[String, Any]], default_values_hash => Optional[Hash[String, Any]], merge => Optional[Variant[String[1], Hash[String, Scalar]]]}] $options_hash, Optional[Callable[Variant[String, Array[String]]]] &$block)",
                lookup,
            ),
        ],
    ),
    function("hiera", "Looks up a key in Hiera data. Deprecated: use `lookup`.", &hiera(hiera_value)),
    function(
        "hiera_array",
        "Returns all values of a key in Hiera data, in one array. Deprecated: use `lookup`.",
        &hiera(hiera_array),
    ),
    function(
        "hiera_hash",
        "Returns all values of a key in Hiera data, merged into one hash. Deprecated: use `lookup`.",
        &hiera(hiera_hash),
    ),
    function(
        "hiera_include",
        "Includes the classes listed in Hiera data. Deprecated: use `lookup` and `include`.",
        &hiera(hiera_include),
    ),
    function(
        "yaml_data",
        "Reads data from a YAML file, on behalf of Hiera.",
        &[open("(Struct[{path => String[1]}] $options, Puppet::LookupContext $context) >> Hash", |call| {
            data_of_provider(call, DataFormat::Yaml)
        })],
    ),
    function(
        "json_data",
        "Reads data from a JSON file, on behalf of Hiera.",
        &[open("(Struct[{path => String[1]}] $options, Puppet::LookupContext $context) >> Hash", |call| {
            data_of_provider(call, DataFormat::Json)
        })],
    ),
    function(
        "hocon_data",
        "Reads data from a HOCON file, on behalf of Hiera.",
        &[open("(Struct[{path => String[1]}] $options, Puppet::LookupContext $context) >> Hash", |call| {
            data_of_provider(call, DataFormat::Hocon)
        })],
    ),
    function(
        "eyaml_lookup_key",
        "Reads a key from a YAML file with encrypted values, on behalf of Hiera.",
        &[known("(String[1] $key, Hash[String[1], Any] $options, Puppet::LookupContext $context)", |_| {
            Ok(Value::unknown(Type::Any, Origin::Ruby))
        })],
    ),
    function(
        "find_file",
        "Returns the path of the first existing file, given as `module/file` or by its absolute path.",
        &[
            known("(String *$paths) >> Optional[String]", |call| find(call, "files")),
            known("(Array[String] *$paths_array) >> Optional[String]", |call| find_in_array(call, "files")),
        ],
    ),
    function(
        "find_template",
        "Returns the path of the first existing template, given as `module/template` or by its absolute path.",
        &[
            known("(String *$paths) >> Optional[String]", |call| find(call, "templates")),
            known("(Array[String] *$paths_array) >> Optional[String]", |call| {
                find_in_array(call, "templates")
            }),
        ],
    ),
    function(
        "module_directory",
        "Returns the folder of the first existing module.",
        &[
            known("(String *$names) >> Optional[String]", module_directory),
            known("(Array[String] *$names) >> Optional[String]", module_directory),
        ],
    ),
    function(
        "binary_file",
        "Returns the content of a module's file as a `Binary`.",
        &[known("(String $path) >> Binary", binary_file)],
    ),
    function(
        "epp",
        "Renders an EPP template of a module, given as `module/template.epp`.",
        &[open(
            "(String $path, Hash[Pattern[/^\\w+$/], Any] $parameters = {}) >> Variant[String, Sensitive[String]]",
            epp,
        )],
    ),
    function(
        "inline_epp",
        "Renders a string as an EPP template.",
        &[open(
            "(String $template, Hash[Pattern[/^\\w+$/], Any] $parameters = {}) >> Variant[String, Sensitive[String]]",
            inline_epp,
        )],
    ),
];

type LookupImplementation = fn(&mut Call) -> Outcome;

/// Returns the overloads of the legacy Hiera functions.
const fn hiera(call: LookupImplementation) -> [eval::Overload; 5] {
    [
        open("(Tuple[String, Any, Any, 1, 3] $args)", call),
        open("(String $key)", call),
        open("(String $key, Any $default, Any $override = undef)", call),
        open("(String $key, Callable[1, 1] &$default_block)", call),
        open("(String $key, Any $override, Callable[1, 1] &$default_block)", call),
    ]
}

/// Parameters of a call of `lookup`.
struct LookupParameters {
    request: Option<LookupRequest>,
    value_type: Option<Value>,
    default: Option<Value>,
}

fn question(call: &Call) -> LookupParameters {
    let arguments = call.arguments.as_slice();
    let (name, options) = match arguments {
        [Value::Hash(options)] => (options.get_text("name").cloned(), Some(options)),
        [name, Value::Hash(options)] => (Some(name.clone()), Some(options)),
        _ => (arguments.first().cloned(), None),
    };
    let option = |key: &str, index: usize| match options {
        Some(options) => options.get_text(key).cloned(),
        None => arguments.get(index).cloned(),
    };
    let (value_type, merge, default) =
        (option("value_type", 1), option("merge", 2), option("default_value", 3));
    let hash = |key: &str| match options.and_then(|options| options.get_text(key)) {
        None | Some(Value::Undef) => Some(HashValue::default()),
        Some(Value::Hash(hash)) => Some((**hash).clone()),
        Some(_) => None,
    };
    let names = match &name {
        Some(Value::String(name)) => Some(vec![name.clone()]),
        Some(Value::Array(names)) => {
            names.iter().map(|name| name.as_str().map(SmolStr::from)).collect::<Option<Vec<_>>>()
        }
        _ => None,
    };
    let request = match (names, hash("override"), hash("default_values_hash")) {
        (Some(names), Some(overrides), Some(default_values)) => {
            Some(LookupRequest { names, merge, overrides, default_values, ..LookupRequest::default() })
        }
        _ => None,
    };
    LookupParameters { request, value_type, default }
}

fn lookup(call: &mut Call) -> Outcome {
    let LookupParameters { request, value_type, default } = question(call);
    let ty = match &value_type {
        Some(Value::Type(ty)) => (**ty).clone(),
        Some(Value::Unknown(unknown)) => match &unknown.ty {
            Type::Type(Some(ty)) => (**ty).clone(),
            _ => Type::Any,
        },
        _ => Type::Any,
    };
    let unknown = Value::unknown(ty.clone(), Origin::Fact);
    let found = match &request {
        Some(request) => call.evaluator.look_up(call.site, request)?,
        None => None,
    };
    let names = request.map(|request| request.names).unwrap_or_default();
    match found.map(|found| found.answer) {
        None | Some(Answer::Unknown(_)) => run_default_block(call, unknown, default),
        Some(Answer::Found(value)) => of_type(call, "value in the data", &ty, value),
        Some(Answer::Missing) => missing(call, &names, &ty, default),
    }
}

/// Returns the result of a lookup without a value: that of the block, or the default.
fn missing(call: &mut Call, names: &[SmolStr], ty: &Type, default: Option<Value>) -> Outcome {
    if call.block.is_some() {
        let name = match call.argument(0) {
            Value::Hash(options) => options.get_text("name").cloned().unwrap_or(Value::Undef),
            name => name.clone(),
        };
        let value = call.call_block(&[name])?;
        return of_type(call, "value of the block", ty, value);
    }
    if default.is_some() && call.evaluator.world.program.has_external_data() {
        note_external_data(call, names);
        return run_default_block(call, Value::unknown(ty.clone(), Origin::Fact), default);
    }
    match default {
        Some(default) => of_type(call, "default value", ty, default),
        None if call.evaluator.world.program.has_external_data() => {
            note_external_data(call, names);
            Ok(Value::unknown(ty.clone(), Origin::Fact))
        }
        // With node-specific data, it is unknown which node this is.
        None if call.evaluator.world.settings.is_part && names.iter().any(|it| has_data(call, it)) => {
            Ok(Value::unknown(ty.clone(), Origin::Fact))
        }
        None => {
            let names = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            Err(call.fail(MISSING_DATA, format!("no value for {names} in Hiera data")))
        }
    }
}

/// Records that data outside of the project may have a value.
fn note_external_data(call: &Call, names: &[SmolStr]) {
    names.first().into_iter().for_each(|name| call.evaluator.world.program.note_external_data(name));
}

/// Returns true if any data has the key. Of a dotted name, the first segment is the key.
fn has_data(call: &Call, name: &str) -> bool {
    let program = call.evaluator.world.program;
    let root = name.split('.').next().unwrap_or(name).trim_matches(['\'', '"']);
    program.has_data_key(name) || program.has_data_key(root)
}

fn of_type(call: &Call, subject: &str, ty: &Type, value: Value) -> Outcome {
    if types::assign::fits(ty, &value, call.env()) != Fit::Never {
        return Ok(value);
    }
    let actual = types::infer::infer_set(&value, call.env());
    let message = types::mismatch::describe_mismatch(subject, ty, &actual, call.env());
    Err(call.fail(Code::TypeMismatch, message))
}

/// Replaces a missing value by the result of the block, or by the default.
fn run_default_block(call: &mut Call, found: Value, default: Option<Value>) -> Outcome {
    let key = match call.argument(0) {
        Value::Hash(options) => options.get_text("name").cloned().unwrap_or(Value::Undef),
        key => key.clone(),
    };
    let has_default = default.is_some();
    if call.block.is_none() && !has_default {
        return Ok(found);
    }
    let default = default.unwrap_or(Value::Undef);
    call.fork(2, Origin::Fact, |call, branch| match branch {
        0 => Ok(found.clone()),
        _ if has_default => Ok(default.clone()),
        _ => call.call_block(std::slice::from_ref(&key)),
    })
}

/// Implements a legacy Hiera function with its merge behavior and the type of its result.
fn hiera_data(call: &mut Call, merge: &str, ty: Type) -> Outcome {
    let name = call.function.name;
    if call.evaluator.world.settings.strict != Strict::Off {
        call.warn_once(&format!("The function '{name}' is deprecated in favor of using 'lookup'."));
    }
    let arguments = match (call.block, call.arguments.as_slice()) {
        (None, [Value::Array(arguments)]) => arguments.to_vec(),
        (_, arguments) => arguments.to_vec(),
    };
    let default = if call.block.is_none() { arguments.get(1).cloned() } else { None };
    let names: Vec<SmolStr> =
        arguments.first().and_then(Value::as_str).map(SmolStr::from).into_iter().collect();
    if names.is_empty() {
        // It is unknown which argument is the default.
        return run_default_block(call, Value::unknown(Type::Any, Origin::Fact), default);
    }
    let merge = Some(Value::string(merge));
    let request =
        LookupRequest { names: names.clone(), merge, is_hiera_function: true, ..LookupRequest::default() };
    let found = call.evaluator.look_up(call.site, &request)?;
    match found.map(|found| found.answer) {
        None | Some(Answer::Unknown(_)) => run_default_block(call, Value::unknown(ty, Origin::Fact), default),
        Some(Answer::Found(value)) => Ok(value),
        Some(Answer::Missing) => missing(call, &names, &Type::Any, default),
    }
}

fn hiera_value(call: &mut Call) -> Outcome {
    hiera_data(call, "first", Type::Any)
}

fn hiera_array(call: &mut Call) -> Outcome {
    hiera_data(call, "unique", Type::array_of(Type::Any))
}

fn hiera_hash(call: &mut Call) -> Outcome {
    hiera_data(call, "hash", Type::hash_of(Type::Any, Type::Any))
}

fn hiera_include(call: &mut Call) -> Outcome {
    let classes = hiera_data(call, "unique", Type::array_of(Type::Any))?;
    match &classes {
        Value::Undef => Err(call.refuse("no value for the classes to include in Hiera data")),
        Value::Array(names) if names.is_empty() => Ok(Value::Undef),
        Value::Hash(entries) if entries.is_empty() => Ok(Value::Undef),
        Value::String(name) if name.is_empty() => Ok(Value::Undef),
        Value::Array(_) | Value::String(_) => {
            call.evaluator.call_function(call.site, "include", vec![classes], None)
        }
        Value::Unknown(_) => {
            call.evaluator.call_function(call.site, "include", vec![classes.clone()], None)?;
            Ok(classes)
        }
        _ => Err(call.refuse("value for the classes to include in Hiera data is not a list of names")),
    }
}

/// Implements one of Hiera's own backend functions. A file outside of the known data may exist nevertheless.
fn data_of_provider(call: &mut Call, format: DataFormat) -> Outcome {
    let anything = Ok(Value::unknown(Type::hash_of(Type::Any, Type::Any), Origin::Ruby));
    let options = call.argument(0).as_hash();
    let Some(path) = options.and_then(|options| options.get_text("path")?.as_str()) else { return anything };
    let sources = call.evaluator.world.program.data_sources();
    let Some(DataFile::Read(data)) = sources.map(|sources| sources.data(path, format)) else {
        return anything;
    };
    match data.hash() {
        // Symbols as keys become strings.
        Ok(_) if data.findings.iter().any(|it| it.kind != DataFindingKind::DuplicateKey) => anything,
        Ok(_) => match data.root.as_ref().map(|root| &root.value) {
            Some(hash @ Value::Hash(_)) => Ok(hash.clone()),
            _ => anything,
        },
        Err(failure) => Err(call.refuse(format!("cannot read `{path}`: {}", failure.message))),
    }
}

/// Returns the strings among the arguments, including those in arrays.
fn texts(call: &Call) -> Vec<String> {
    let of_value = |value: &Value| value.as_str().map(str::to_owned);
    call.arguments
        .iter()
        .flat_map(|argument| match argument {
            Value::Array(elements) => elements.iter().filter_map(of_value).collect::<Vec<_>>(),
            argument => of_value(argument).into_iter().collect(),
        })
        .collect()
}

/// The signature accepts several arrays, the function itself only one.
fn find_in_array(call: &mut Call, folder: &str) -> Outcome {
    match call.arguments.len() {
        0 | 1 => find(call, folder),
        _ => Err(call.refuse("expected a single array of paths")),
    }
}

fn find(call: &mut Call, folder: &str) -> Outcome {
    let mut may_be_found = false;
    for path in texts(call) {
        if path.starts_with('/') {
            match call.evaluator.world.program.machine_file(&path) {
                MachineFile::Content(_) | MachineFile::Unread if !may_be_found => {
                    return Ok(Value::string(path));
                }
                MachineFile::Missing => {}
                _ => may_be_found = true,
            }
            continue;
        }
        let (module, file) = path.split_once('/').unwrap_or_default();
        // Puppet finds folders as well.
        let is_folder = !module.is_empty()
            && call.evaluator.world.program.has_module_folder(module, &format!("{folder}/{file}"));
        let found = if is_folder { None } else { Some(find_file(call, &path, folder)) };
        match found {
            None | Some(FileContent::Content(_)) => {
                if let (false, ModuleFolder::At(at)) =
                    (may_be_found, call.evaluator.world.program.module_folder(module))
                {
                    return Ok(Value::string(format!("{at}/{folder}/{file}")));
                }
                let ty = if may_be_found {
                    Type::STRING
                } else {
                    Type::String(types::IntegerRange::new(1, i64::MAX))
                };
                return Ok(Value::unknown(ty, Origin::Fact));
            }
            Some(FileContent::Unknown) => may_be_found = true,
            Some(FileContent::Missing) => {}
        }
    }
    if may_be_found {
        Ok(Value::unknown(Type::optional(Type::STRING), Origin::Fact))
    } else {
        Ok(Value::Undef)
    }
}

fn module_directory(call: &mut Call) -> Outcome {
    for name in texts(call) {
        match call.evaluator.world.program.module_folder(&name) {
            ModuleFolder::At(at) => return Ok(Value::String(at)),
            ModuleFolder::Missing => {}
            ModuleFolder::Unclear => {
                return Ok(Value::unknown(Type::optional(Type::STRING), Origin::Fact));
            }
        }
    }
    Ok(Value::Undef)
}

fn binary_file(call: &mut Call) -> Outcome {
    match find_file(call, call.string(0), "files") {
        FileContent::Content(file) => Ok(Value::Binary(file.content)),
        FileContent::Unknown => Ok(Value::unknown(Type::Binary, Origin::MissingDefinition)),
        FileContent::Missing => Err(call.refuse(format!("file `{}` not found", call.string(0)))),
    }
}

fn unknown_text(call: &Call) -> Value {
    call.unknown(Type::variant([Type::STRING, Type::Sensitive(Some(Arc::new(Type::STRING)))]))
}

/// Returns the parameters passed to a template. An error is located at the call.
fn parameters(call: &Call) -> Result<Option<Arc<HashValue>>, Value> {
    match call.arguments.get(1) {
        None => Ok(None),
        Some(Value::Hash(parameters)) => Ok(Some(parameters.clone())),
        Some(_) => Err(unknown_text(call)),
    }
}

fn epp(call: &mut Call) -> Outcome {
    let Value::String(mut path) = call.argument(0).clone() else { return Ok(unknown_text(call)) };
    let is_absolute = path.starts_with('/') || path.get(1..2) == Some(":");
    if !is_absolute && !path.ends_with(".epp") {
        path = format_smolstr!("{path}.epp");
    }
    let content = match find_file(call, &path, "templates") {
        FileContent::Content(file) => file.content,
        FileContent::Unknown => return Ok(Value::unknown(Type::STRING, Origin::MissingDefinition)),
        FileContent::Missing => {
            return Err(call.fail_at(0, eval::RUNTIME_ERROR, format!("template `{path}` not found")));
        }
    };
    let Ok(text) = std::str::from_utf8(&content) else {
        return Ok(Value::unknown(Type::STRING, Origin::Template));
    };
    render(call, &format!("template `{path}`"), text, TemplateScope::Top)
}

fn inline_epp(call: &mut Call) -> Outcome {
    let Value::String(text) = call.argument(0).clone() else { return Ok(unknown_text(call)) };
    render(call, "template", &text, TemplateScope::Caller)
}

/// Renders a template. `what` names it in messages.
fn render(call: &mut Call, what: &str, text: &str, scope: TemplateScope) -> Outcome {
    let given = match parameters(call) {
        Ok(given) => given,
        Err(unknown) => return Ok(unknown),
    };
    let unit = template(call, what, text)?;
    let at = call.site;
    call.evaluator.log_template_warnings(at, &unit);
    call.evaluator.render_template(at, &unit, given.as_deref(), scope)
}

/// Parses a template, at most once per run and source text.
fn template(call: &mut Call, what: &str, text: &str) -> Outcome<Arc<Unit>> {
    if let Some(unit) = call.evaluator.templates.unit(text) {
        return Ok(unit.clone());
    }
    call.step(text.len())?;
    let parse = syntax::parse(text, syntax::Language::Epp);
    let is_error = |it: &&syntax::TextFinding| it.severity() == syntax::Severity::Error;
    let mut found = Vec::new();
    if !parse.errors().iter().any(|it| is_error(&it)) {
        let settings = &call.evaluator.world.settings;
        let (strict, version) = (settings.strict, settings.version);
        found = validate(&parse, &ValidationSettings { strict, version, location: ExpectedNamespace::Free });
    }
    if let Some(failure) = parse.errors().iter().chain(&found).find(is_error) {
        let line = crate::in_ruby::templates::line_of(text, failure.range.start);
        return Err(call.refuse(format!("syntax error in line {line} of {what}: {}", failure.message)));
    }
    let lowered = hir::lower_file(&parse);
    let main = lowered.definitions.iter().find(|definition| definition.key.kind == DefinitionKind::Main);
    let Some(main) = main else { return Err(call.refuse(format!("syntax error in {what}"))) };
    let templates = &mut call.evaluator.templates;
    let (id, name, kind) = (templates.next_id(), main.name.clone(), main.key.kind);
    let unit = Arc::new(Unit::new(id, name, kind, main.body.clone()));
    templates.add_unit(text, unit.clone(), logged_warnings(&parse, &found));
    Ok(unit)
}
