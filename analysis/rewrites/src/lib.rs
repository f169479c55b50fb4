//! Rewrites of code for later versions. Whoever applies one compares catalogs first.
//!
//! * `calls`: replaces calls of functions that no longer exist.
//! * `epp`: converts ERB templates to EPP.
//! * `params`: moves the values of a class `params` to data of the module.
//!
//! **A rewrite is complete or refused.** The reason of a refusal names the code that prevents it.

pub mod calls;
pub mod epp;
mod params;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use params::params_to_data;

/// Files of a module.
#[derive(Clone, Debug)]
pub struct ModuleTexts {
    /// Name without author.
    pub name: String,
    /// Texts by path in the module.
    pub files: BTreeMap<String, Arc<str>>,
}

/// Result of a rewrite.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ModuleRewrite {
    /// New texts by path in the module; `None` for files to delete.
    pub files: BTreeMap<String, Option<String>>,
    /// Differences in the behavior of the new module, one sentence each.
    pub notes: Vec<String>,
}

/// Reason for a refusal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RewriteRefusal {
    pub reason: String,
    /// Path in the module, and line from 1.
    pub place: Option<(String, u32)>,
}

impl RewriteRefusal {
    fn new(reason: impl Into<String>) -> RewriteRefusal {
        RewriteRefusal { reason: reason.into(), place: None }
    }

    /// Returns a refusal because of the code at an offset.
    fn at(reason: impl Into<String>, path: &str, text: &str, offset: u32) -> RewriteRefusal {
        let before = text.get(..offset as usize).unwrap_or(text);
        let line = before.matches('\n').count() as u32 + 1;
        RewriteRefusal { reason: reason.into(), place: Some((path.to_owned(), line)) }
    }
}
