//! Method tables, and entry points for evaluation.

use std::sync::{Arc, LazyLock};

use plugins::code::RubyProgram;
use plugins::erb::ErbTemplate;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::host::Host;
use super::interpreter::{Foundation, Interpreter, StopReason};
use super::methods::{MethodRow, MethodTables, ObjectKinds};
use super::puppet::facts::{FactFile, FactOutcome};
use super::puppet::functions::{FunctionCall, FunctionOutcome};
use super::puppet::resource_types::{GivenResource, ResourceOutcome};
use super::value::{Object, Stop};
use super::watched::Era;
use super::{library, methods, puppet};

static TABLES: &[&[MethodRow]] = &[
    methods::arrays::TABLE,
    methods::mutations::TABLE,
    methods::constants::TABLE,
    methods::hashes::TABLE,
    methods::json::TABLE,
    methods::kernel::TABLE,
    methods::numbers::TABLE,
    methods::patterns::TABLE,
    methods::procs::TABLE,
    methods::ranges::TABLE,
    methods::scope::TABLE,
    methods::sets::TABLE,
    puppet::compiler::TABLE,
    library::addresses::TABLE,
    library::shell::TABLE,
    library::uris::TABLE,
    puppet::resources::TABLE,
    library::others::VERSION_TABLE,
    methods::slices::TABLE,
    methods::strings::TABLE,
    methods::searches::TABLE,
    methods::sorting::TABLE,
    methods::enumerations::TABLE,
    methods::objects::TABLE,
];

pub(super) static METHODS: MethodTables = MethodTables {
    find,
    of_module: library::find,
    has_module: library::has_module,
    call_on_module: methods::modules::call,
    is_body_method: methods::modules::is_known,
    in_function: puppet::functions::find_in_function,
};

/// Renders a template.
///
/// # Errors
/// Returns the reason why it could not be rendered, with the offset in the template if it is known.
pub fn render<'h>(host: &'h mut dyn Host, template: &'h ErbTemplate) -> Result<String, (Stop, Option<u32>)> {
    Interpreter::new(host, &METHODS, Object::Main).render(template)
}

/// Calls a function that a file defines.
pub fn call_function(host: &mut dyn Host, call: &FunctionCall<'_>) -> FunctionOutcome {
    Interpreter::new(host, &METHODS, Object::Main).load_and_call(call)
}

/// Evaluated types of a file, ready to validate resources.
pub struct PreparedType(Foundation);

/// Evaluates the file of a type.
///
/// # Errors
/// Returns the reason why it cannot be evaluated.
pub fn prepare_type(host: &mut dyn Host, program: &Arc<RubyProgram>) -> Result<PreparedType, StopReason> {
    let mut ruby = Interpreter::new(host, &METHODS, Object::Main);
    ruby.define_types(program)?;
    ruby.load_providers();
    Ok(PreparedType(ruby.into_foundation()))
}

impl PreparedType {
    /// Applies the type to a resource. Also returns true if the type's state is unchanged; otherwise it must
    /// not be used again.
    pub fn check_resource(
        &self,
        host: &mut dyn Host,
        given: &GivenResource<'_>,
    ) -> (Result<ResourceOutcome, StopReason>, bool) {
        let era = Era::begin();
        let outcome = Interpreter::on(&self.0, host, &METHODS).check_resource(given);
        (outcome, era.leaves_others_unchanged())
    }
}

/// Evaluated file with functions, ready for many calls.
pub struct PreparedFunctions(Foundation);

/// Evaluates a file with functions; `None` if that fails.
pub fn prepare_functions(host: &mut dyn Host, program: &Arc<RubyProgram>) -> Option<PreparedFunctions> {
    let _era = Era::begin();
    let mut ruby = Interpreter::new(host, &METHODS, Object::Main);
    ruby.load_functions(program).ok()?;
    Some(PreparedFunctions(ruby.into_foundation()))
}

impl PreparedFunctions {
    /// Calls a function. Also returns true if the file's state is unchanged; otherwise it must not be used again.
    pub fn call(&self, host: &mut dyn Host, call: &FunctionCall<'_>) -> (FunctionOutcome, bool) {
        let era = Era::begin();
        let outcome = Interpreter::on(&self.0, host, &METHODS).run_function(call);
        (outcome, era.leaves_others_unchanged())
    }
}

/// Evaluates the facts that files add, by name. The host provides Facter's own facts.
pub fn facts_of_files(host: &mut dyn Host, files: &[FactFile]) -> Vec<(SmolStr, FactOutcome)> {
    Interpreter::new(host, &METHODS, Object::Main).facts_of_files(files)
}

/// Finds the method that accepts `count` arguments, else any method of that name.
fn find(kind: ObjectKinds, name: &str, count: usize) -> Option<&'static MethodRow> {
    static BY_NAME: LazyLock<FxHashMap<&'static str, Vec<&'static MethodRow>>> = LazyLock::new(|| {
        let mut by_name: FxHashMap<&'static str, Vec<&'static MethodRow>> = FxHashMap::default();
        for method in TABLES.iter().copied().flatten() {
            by_name.entry(method.name).or_default().push(method);
        }
        by_name
    });
    let mut candidates = BY_NAME.get(name)?.iter().copied().filter(|method| method.kinds & kind != 0);
    let first = candidates.next()?;
    let fits = |method: &&MethodRow| (method.fewest..=method.most).contains(&count);
    Some(if fits(&first) { first } else { candidates.find(fits).unwrap_or(first) })
}
