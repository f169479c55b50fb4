//! Cache of the types that each thread has checked resources against most recently. A type's file is
//! evaluated once for many resources, as long as none of them modifies its state.

use std::cell::RefCell;
use std::sync::Arc;

use plugins::code::RubyProgram;
use ruby::{GivenResource, PreparedType, ResourceOutcome, StopReason};
use smol_str::SmolStr;
use types::NoTypes;

use super::{LibraryFiles, PluginHost, Providers};

/// Maximum number of types that each thread keeps.
const MAX_KNOWN_TYPES: usize = 64;

/// File of a type, evaluated for a platform and a Puppet version.
struct KnownType {
    program: Arc<RubyProgram>,
    is_windows: bool,
    puppet_version: Option<u32>,
    /// Files that were required, each with the result.
    required: Vec<(String, Option<Arc<RubyProgram>>)>,
    /// Types whose providers were requested, each with the result.
    providers: Vec<(String, Providers)>,
    /// Step limit for each resource.
    steps_left: usize,
    /// The evaluated type, or the reason why its file cannot be evaluated.
    prepared: Result<PreparedType, StopReason>,
}

thread_local! {
    /// Known types, the most recently used one last.
    static KNOWN: RefCell<Vec<KnownType>> = const { RefCell::new(Vec::new()) };
}

/// Checks a resource against its type.
///
/// # Errors
///
/// Returns the reason if the type's file cannot be evaluated.
pub(super) fn check_resource(
    mut host: PluginHost<'_>,
    program: &Arc<RubyProgram>,
    given: &GivenResource<'_>,
) -> Result<ResourceOutcome, StopReason> {
    let known = take_known(&host, program).unwrap_or_else(|| KnownType::new(&host, program));
    host.steps = known.steps_left;
    let (outcome, is_unchanged) = match &known.prepared {
        Ok(prepared) => prepared.check_resource(&mut host, given),
        Err(reason) => (Err(reason.clone()), true),
    };
    if is_unchanged {
        put_back(known);
    }
    outcome
}

/// Removes a known type from the cache for exclusive use until it is put back.
fn take_known(host: &PluginHost<'_>, program: &Arc<RubyProgram>) -> Option<KnownType> {
    let known = KNOWN.with_borrow_mut(|all| {
        let is_it = |it: &KnownType| {
            Arc::ptr_eq(&it.program, program)
                && (it.is_windows, it.puppet_version) == (host.is_windows, host.puppet_version)
        };
        Some(all.remove(all.iter().position(is_it)?))
    })?;
    known.is_valid_for(host.files).then_some(known)
}

fn put_back(known: KnownType) {
    let oldest = KNOWN.with_borrow_mut(|all| {
        all.push(known);
        (all.len() > MAX_KNOWN_TYPES).then(|| all.remove(0))
    });
    drop(oldest);
}

impl KnownType {
    fn new(host: &PluginHost<'_>, program: &Arc<RubyProgram>) -> KnownType {
        let mut host = PluginHost::without_facts(host.files, &NoTypes, host.is_windows, host.puppet_version);
        let prepared = ruby::prepare_type(&mut host, program);
        KnownType {
            program: program.clone(),
            is_windows: host.is_windows,
            puppet_version: host.puppet_version,
            required: host.required,
            providers: host.requested_providers,
            steps_left: host.steps,
            prepared,
        }
    }

    /// Returns true if the required files and the providers are unchanged.
    fn is_valid_for(&self, files: &dyn LibraryFiles) -> bool {
        requires_alike(&self.required, files) && provides_alike(&self.providers, files)
    }
}

/// Returns true if required files are still the same.
pub(super) fn requires_alike(
    required: &[(String, Option<Arc<RubyProgram>>)],
    files: &dyn LibraryFiles,
) -> bool {
    required.iter().all(|(path, known)| match (files.library_file(path), known) {
        (Some(found), Some(known)) => Arc::ptr_eq(&found, known),
        (found, known) => found.is_none() && known.is_none(),
    })
}

/// Returns true if the providers of types are still the same.
pub(super) fn provides_alike(providers: &[(String, Providers)], files: &dyn LibraryFiles) -> bool {
    providers.iter().all(|(resource_type, known)| {
        let found = files.providers(resource_type);
        let is_same = |((name, program), (known_name, known)): (&(SmolStr, _), &(SmolStr, _))| {
            name == known_name && Arc::ptr_eq(program, known)
        };
        found.len() == known.len() && found.iter().zip(known).all(is_same)
    })
}
