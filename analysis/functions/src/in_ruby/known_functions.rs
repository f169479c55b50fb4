//! Cache of the files with functions that each thread has evaluated. A file is evaluated once for many calls, as long as
//! none of them modifies what it created.

use std::cell::RefCell;
use std::sync::Arc;

use plugins::code::RubyProgram;
use ruby::{FunctionCall, FunctionOutcome, Host, PreparedFunctions, RequiredFile, Stop};
use rustc_hash::FxHashMap;

use super::loading_host::LoadingHost;

/// Maximum number of files that each thread keeps.
const MAX_KNOWN_FILES: usize = 256;

/// Evaluated file.
struct KnownFile {
    program: Arc<RubyProgram>,
    /// `None` if evaluating the file may depend on the call.
    prepared: Option<PreparedFile>,
}

struct PreparedFile {
    functions: PreparedFunctions,
    /// Files that were required, each with the result.
    required: Vec<(String, Option<RequiredFile>)>,
    /// Number of steps of the evaluation.
    steps: usize,
}

/// Address of a program, and the version of Puppet.
type ProgramKey = (usize, Option<u32>);

thread_local! {
    static KNOWN: RefCell<FxHashMap<ProgramKey, KnownFile>> = RefCell::default();
}

/// Calls a function that a file defines.
pub(super) fn call_function(host: &mut dyn Host, call: &FunctionCall<'_>) -> FunctionOutcome {
    let key = (Arc::as_ptr(&call.program).addr(), host.puppet_version());
    // Removed for exclusive use until it is put back.
    let known = KNOWN.with_borrow_mut(|all| all.remove(&key));
    let known = known.filter(|it| it.is_valid_for(host, &call.program));
    let known = known.unwrap_or_else(|| KnownFile::new(host, &call.program));
    let Some(prepared) = &known.prepared else {
        put_back(key, known);
        return ruby::call_function(host, call);
    };
    if let Err(exit) = host.step(prepared.steps) {
        put_back(key, known);
        return FunctionOutcome { result: Err(Stop::Exit(exit)), reason: None, assumes_constant: false };
    }
    let (outcome, is_unchanged) = prepared.functions.call(host, call);
    if is_unchanged {
        put_back(key, known);
    }
    outcome
}

fn put_back(key: ProgramKey, known: KnownFile) {
    let dropped = KNOWN.with_borrow_mut(|all| {
        let dropped = if all.len() >= MAX_KNOWN_FILES { std::mem::take(all) } else { FxHashMap::default() };
        all.insert(key, known);
        dropped
    });
    drop(dropped);
}

impl KnownFile {
    fn new(host: &mut dyn Host, program: &Arc<RubyProgram>) -> KnownFile {
        let mut host = LoadingHost::new(host);
        let functions = ruby::prepare_functions(&mut host, program);
        let functions = functions.filter(|_| !host.has_depended_on_call());
        let LoadingHost { required, steps, .. } = host;
        let prepared = functions.map(|functions| PreparedFile { functions, required, steps });
        KnownFile { program: program.clone(), prepared }
    }

    /// Returns true if this is the evaluated program, and the required files are unchanged.
    fn is_valid_for(&self, host: &mut dyn Host, program: &Arc<RubyProgram>) -> bool {
        let mut is_same = |(path, known): &(String, Option<RequiredFile>)| match (host.required(path), known)
        {
            (None, None) | (Some(RequiredFile::Unknown), Some(RequiredFile::Unknown)) => true,
            (Some(RequiredFile::Program(found)), Some(RequiredFile::Program(known))) => {
                Arc::ptr_eq(&found, known)
            }
            _ => false,
        };
        Arc::ptr_eq(&self.program, program)
            && self.prepared.as_ref().is_none_or(|it| it.required.iter().all(&mut is_same))
    }
}
