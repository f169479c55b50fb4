//! Loading of required files.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::super::host::RequiredFile;
use super::super::interpreter::{FOLDER, Interpreter};
use super::super::library::files::resolved_path;
use super::super::value::{Object, Ruby, unsupported};

/// Maximum number of required files.
const MAX_REQUIRED_FILES: usize = 64;

/// Libraries shipped with Ruby or Puppet, whose supported parts are in the tables.
static LIBRARIES: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| include_str!("libraries.txt").lines().collect());

/// Ruby files below `lib/puppet` that both Puppet 7 and Puppet 8 have.
static PUPPET_FILES: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| include_str!("puppet_files.txt").lines().collect());

fn is_known_library(path: &str) -> bool {
    let below = path.strip_prefix("puppet/").map(|below| below.strip_suffix(".rb").unwrap_or(below));
    LIBRARIES.contains(path) || below.is_some_and(|below| PUPPET_FILES.contains(below))
}

impl Interpreter<'_> {
    /// Evaluates `require 'path'`.
    pub(in super::super) fn require(&mut self, path: &str) -> Ruby {
        let below = path.strip_prefix(FOLDER).map(|path| path.trim_start_matches('/'));
        if below.is_none() {
            // The server may have a library that only some versions of Puppet have; a function that requires a
            // missing one does not exist.
            let is_of_puppet =
                path.starts_with("puppet/") && !path.starts_with("puppet/functions") && !self.takes_libraries;
            let is_of_utilities = ["puppet/util/", "puppet/pops/"].iter().any(|it| path.starts_with(it));
            if is_known_library(path) || is_of_puppet && is_of_utilities {
                return Ok(Object::Boolean(true));
            }
            if let Some(found) = self.require_file(path)? {
                return Ok(found);
            }
            if is_of_puppet {
                return Ok(Object::Boolean(true));
            }
            // A library may be missing, and its definitions are not evaluated.
            if self.template.is_some() || self.takes_libraries && self.rescuing == 0 {
                self.has_unknown_library = true;
                return Ok(Object::Unknown(types::Origin::Template));
            }
            return unsupported();
        }
        let below = below.unwrap_or_default();
        let below = below.strip_prefix("lib/").unwrap_or(below);
        self.require_file(below)?.map_or_else(unsupported, Ok)
    }

    /// Evaluates `require_relative 'path'`.
    pub(in super::super) fn require_relative(&mut self, path: &str) -> Ruby {
        let Some(file) = self.files.get(self.file as usize) else { return unsupported() };
        let (whole, _) = resolved_path(&format!("{}/../{path}", file.path));
        let below = whole.strip_prefix("lib/").unwrap_or(&whole);
        self.require_file(below)?.map_or_else(unsupported, Ok)
    }

    /// Loads a file relative to the `lib` folder of any module.
    fn require_file(&mut self, path: &str) -> Ruby<Option<Object>> {
        let path: SmolStr = path.strip_suffix(".rb").unwrap_or(path).into();
        if self.required.contains(&path) {
            return Ok(Some(Object::Boolean(false)));
        }
        if self.required.len() >= MAX_REQUIRED_FILES {
            return unsupported();
        }
        let program = match self.host.required(&path) {
            None => return Ok(None),
            Some(RequiredFile::Unknown) => return unsupported(),
            Some(RequiredFile::Program(program)) => program,
        };
        self.required.insert(path);
        self.run_file(program)?;
        Ok(Some(Object::Boolean(true)))
    }
}
