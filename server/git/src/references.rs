//! References, loose and packed.

use std::path::Path;

use crate::{ObjectName, Repository, small_file};

/// Maximum number of symbolic references that are followed.
const MAX_STEPS: usize = 8;

/// Prefixes and suffixes that Git tries for a short name, in order.
const SEARCH_PATHS: [(&str, &str); 6] = [
    ("", ""),
    ("refs/", ""),
    ("refs/tags/", ""),
    ("refs/heads/", ""),
    ("refs/remotes/", ""),
    ("refs/remotes/", "/HEAD"),
];

impl Repository {
    /// Resolves a short or full reference name.
    pub(crate) fn reference(&self, name: &str) -> anyhow::Result<Option<ObjectName>> {
        if !is_name(name) {
            return Ok(None);
        }
        for (before, after) in SEARCH_PATHS {
            // Only names in capitals are references directly below `.git`.
            let is_special = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
            if before.is_empty() && !name.starts_with("refs/") && !is_special {
                continue;
            }
            if let Some(found) = self.whole_reference(&format!("{before}{name}{after}"))? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Resolves a full reference name, following symbolic references.
    pub(crate) fn whole_reference(&self, name: &str) -> anyhow::Result<Option<ObjectName>> {
        let mut name = name.to_owned();
        for _ in 0..MAX_STEPS {
            let Some(text) = self.reference_text(&name)? else { return Ok(None) };
            match text.strip_prefix("ref:").map(str::trim) {
                Some(target) if is_name(target) => name = target.to_owned(),
                Some(_) => return Ok(None),
                // `FETCH_HEAD` has more text after the name.
                None => return Ok(text.split_whitespace().next().and_then(ObjectName::from_hex)),
            }
        }
        Ok(None)
    }

    /// Returns the target of a symbolic reference, such as the branch of `HEAD`.
    pub(crate) fn target(&self, name: &str) -> anyhow::Result<Option<String>> {
        let text = self.reference_text(name)?;
        Ok(text.and_then(|it| it.strip_prefix("ref:").map(|target| target.trim().to_owned())))
    }

    fn reference_text(&self, name: &str) -> anyhow::Result<Option<String>> {
        let of_checkout = ["refs/bisect/", "refs/worktree/", "refs/rewritten/"];
        let is_own = !name.starts_with("refs/") || of_checkout.iter().any(|it| name.starts_with(it));
        let path = if is_own { &self.own } else { &self.common }.join(name);
        if path.is_file() {
            return small_file::read_optional_text(&path);
        }
        self.packed_reference(&self.common.join("packed-refs"), name)
    }

    fn packed_reference(&self, path: &Path, name: &str) -> anyhow::Result<Option<String>> {
        let text = small_file::read_optional_text(path)?.unwrap_or_default();
        let lines = text.lines().filter(|line| !line.starts_with(['#', '^']));
        let mut lines = lines.filter_map(|line| line.split_once(' '));
        Ok(lines.find(|(_, known)| *known == name).map(|(object, _)| object.to_owned()))
    }
}

/// Returns true for valid reference names. They cannot lead outside of the repository.
fn is_name(name: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    let is_letter = |c: char| !c.is_control() && !" ~^:?*[\\".contains(c);
    name.split('/').all(is_part)
        && name.chars().all(is_letter)
        && !name.contains("..")
        && !name.contains("@{")
}
