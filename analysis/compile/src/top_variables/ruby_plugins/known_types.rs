//! The types that a thread has looked at resources of last. A type's file is evaluated once for many resources, as long as none of them
//! changes what the file has made.

use std::cell::RefCell;
use std::sync::Arc;

use plugins::code::RubyProgram;
use ruby::{GivenResource, PreparedType, ResourceOutcome, StopReason};
use smol_str::SmolStr;
use types::NoTypes;

use super::{LibraryFiles, PluginHost, Providers};

/// So many types are kept by each thread.
const MAX_COUNT: usize = 16;

/// The file of a type, evaluated for a platform and a Puppet.
struct KnownType {
    program: Arc<RubyProgram>,
    is_windows: bool,
    puppet_version: Option<u32>,
    /// What the file has required, and what was found.
    required: Vec<(String, Option<Arc<RubyProgram>>)>,
    /// The types whose providers it knows, each with its files.
    providers: Vec<(String, Providers)>,
    /// How much work may be done for each resource.
    steps_left: usize,
    /// Or why the file is not understood.
    prepared: Result<PreparedType, StopReason>,
}

thread_local! {
    /// The one that was asked last stands last.
    static KNOWN: RefCell<Vec<KnownType>> = const { RefCell::new(Vec::new()) };
}

/// What a type makes of a resource.
///
/// # Errors
/// Why the type's file is not understood.
pub(super) fn check_resource(
    mut host: PluginHost<'_>,
    program: &Arc<RubyProgram>,
    given: &GivenResource<'_>,
) -> Result<ResourceOutcome, StopReason> {
    let known = taken(&host, program).unwrap_or_else(|| KnownType::new(&host, program));
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

/// A type that is known, which nobody else has until it is put back.
fn taken(host: &PluginHost<'_>, program: &Arc<RubyProgram>) -> Option<KnownType> {
    let known = KNOWN.with_borrow_mut(|all| {
        let is_it = |it: &KnownType| {
            Arc::ptr_eq(&it.program, program)
                && (it.is_windows, it.puppet_version) == (host.is_windows, host.puppet_version)
        };
        Some(all.remove(all.iter().position(is_it)?))
    })?;
    known.is_right_for(host.files).then_some(known)
}

fn put_back(known: KnownType) {
    let oldest = KNOWN.with_borrow_mut(|all| {
        all.push(known);
        (all.len() > MAX_COUNT).then(|| all.remove(0))
    });
    drop(oldest);
}

impl KnownType {
    fn new(host: &PluginHost<'_>, program: &Arc<RubyProgram>) -> KnownType {
        let mut host =
            PluginHost::without_facts(host.files, &NoTypes, (host.is_windows, host.puppet_version));
        let prepared = ruby::prepare_type(&mut host, program);
        KnownType {
            program: program.clone(),
            is_windows: host.is_windows,
            puppet_version: host.puppet_version,
            required: host.required,
            providers: host.asked_providers,
            steps_left: host.steps,
            prepared,
        }
    }

    /// Are the files that it has required and those of its providers the same?
    fn is_right_for(&self, files: &dyn LibraryFiles) -> bool {
        let has_required =
            |(path, known): &(String, Option<Arc<RubyProgram>>)| match (files.library_file(path), known) {
                (Some(found), Some(known)) => Arc::ptr_eq(&found, known),
                (found, known) => found.is_none() && known.is_none(),
            };
        let has_providers = |(resource_type, known): &(String, Providers)| {
            let found = files.providers(resource_type);
            let is_same = |((name, program), (known_name, known)): (&(SmolStr, _), &(SmolStr, _))| {
                name == known_name && Arc::ptr_eq(program, known)
            };
            found.len() == known.len() && found.iter().zip(known).all(is_same)
        };
        self.required.iter().all(has_required) && self.providers.iter().all(has_providers)
    }
}
