//! Revision names: `HEAD~3`, `main`, `v1.0^{commit}`, `5b0c1d2`.

use anyhow::Context;

use crate::object::ObjectKind;
use crate::{ObjectName, Repository, small_file};

/// Minimum number of digits of an abbreviated object name.
const MIN_DIGITS: usize = 4;

/// Maximum number of nested tags.
const MAX_TAGS: usize = 64;

impl Repository {
    /// Resolves a revision to a commit.
    ///
    /// # Errors
    /// Fails if the revision does not exist, or uses unsupported syntax.
    pub fn commit(&self, revision: &str) -> anyhow::Result<ObjectName> {
        let end = revision.find(['~', '^']).unwrap_or(revision.len());
        let (name, mut steps) = revision.split_at(end);
        let named = self.resolve_name(name)?.with_context(|| self.unknown_name(revision))?;
        let mut commit = self.peel_to_commit(named)?;
        while let Some(sign) = steps.chars().next() {
            steps = &steps[1..];
            if let Some(kind) = steps.strip_prefix('{').filter(|_| sign == '^') {
                let (kind, rest) = kind.split_once('}').with_context(|| unsupported_syntax(revision))?;
                anyhow::ensure!(matches!(kind, "" | "commit" | "0"), unsupported_syntax(revision));
                steps = rest;
                continue;
            }
            let end = steps.find(|c: char| !c.is_ascii_digit()).unwrap_or(steps.len());
            let (digits, rest) = steps.split_at(end);
            anyhow::ensure!(rest.is_empty() || rest.starts_with(['~', '^']), unsupported_syntax(revision));
            steps = rest;
            let count: usize = if digits.is_empty() { 1 } else { digits.parse()? };
            match sign {
                '~' => {
                    for _ in 0..count {
                        commit = self.parent(&commit, 1).with_context(|| self.unknown_revision(revision))?;
                    }
                }
                _ if count == 0 => {}
                _ => commit = self.parent(&commit, count).with_context(|| self.unknown_revision(revision))?,
            }
        }
        Ok(commit)
    }

    /// Returns the checked-out commit; `None` before the first commit.
    pub fn head(&self) -> anyhow::Result<Option<ObjectName>> {
        self.whole_reference("HEAD")
    }

    /// Resolves a name without `~` and `^` suffixes.
    fn resolve_name(&self, name: &str) -> anyhow::Result<Option<ObjectName>> {
        let name = if name == "@" { "HEAD" } else { name };
        if let Some((branch, suffix)) = name.strip_suffix('}').and_then(|it| it.split_once("@{")) {
            let branch = if matches!(branch, "" | "@") { "HEAD" } else { branch };
            return match suffix.parse::<usize>() {
                Ok(count) => self.resolve_reflog(branch, count),
                Err(_) if ["u", "upstream"].contains(&suffix.to_ascii_lowercase().as_str()) => {
                    self.upstream(branch)
                }
                Err(_) => anyhow::bail!(unsupported_syntax(name)),
            };
        }
        let is_hex = name.len() >= MIN_DIGITS && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hex && name.len() == self.objects.name_length() * 2 {
            return Ok(ObjectName::from_hex(name));
        }
        if let Some(found) = self.reference(name)? {
            return Ok(Some(found));
        }
        // `git describe` prints `v1.0-3-g5b0c1d2`.
        let described = name.rsplit_once("-g").map(|(_, digits)| digits);
        let described =
            described.filter(|it| it.len() >= MIN_DIGITS && it.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(digits) = Some(name).filter(|_| is_hex).or(described) else { return Ok(None) };
        let found = self.objects.with_prefix(&digits.to_ascii_lowercase())?;
        anyhow::ensure!(found.len() < 2, "ambiguous object name `{name}`");
        Ok(found.first().copied())
    }

    /// Resolves `branch@{count}` with the reflog.
    fn resolve_reflog(&self, branch: &str, count: usize) -> anyhow::Result<Option<ObjectName>> {
        for before in ["", "refs/heads/", "refs/remotes/"] {
            let name = format!("{before}{branch}");
            if !(name == "HEAD" || name.starts_with("refs/")) || self.reference(&name)?.is_none() {
                continue;
            }
            let folder = if name == "HEAD" { &self.own } else { &self.common };
            let log = small_file::read_optional_text(&folder.join("logs").join(&name))?.unwrap_or_default();
            let lines: Vec<&str> = log.lines().collect();
            let word = |line: &str, index: usize| line.split(' ').nth(index).and_then(ObjectName::from_hex);
            let found = lines.len().checked_sub(count + 1).and_then(|at| word(lines[at], 1));
            return Ok(found);
        }
        Ok(None)
    }

    /// Resolves the upstream branch of a branch.
    fn upstream(&self, branch: &str) -> anyhow::Result<Option<ObjectName>> {
        let whole = match branch {
            "HEAD" => self.target("HEAD")?.unwrap_or_default(),
            branch => format!("refs/heads/{branch}"),
        };
        let Some(short) = whole.strip_prefix("refs/heads/") else { return Ok(None) };
        let setting = |name: &str| self.config.get(&format!("branch.{short}.{name}"));
        let (Some(remote), Some(merged)) = (setting("remote"), setting("merge")) else { return Ok(None) };
        match (remote, merged.strip_prefix("refs/heads/")) {
            (".", _) => self.whole_reference(merged),
            (remote, Some(branch)) => self.reference(&format!("refs/remotes/{remote}/{branch}")),
            _ => Ok(None),
        }
    }

    /// Peels tags down to a commit.
    fn peel_to_commit(&self, name: ObjectName) -> anyhow::Result<ObjectName> {
        let mut name = name;
        for _ in 0..MAX_TAGS {
            match self.any_object(&name)? {
                (ObjectKind::Commit, _) => return Ok(name),
                (ObjectKind::Tag, bytes) => {
                    name = header(&bytes, "object", 1).context("tag has no target")?
                }
                (kind, _) => anyhow::bail!("object {} is a {kind}, not a commit", name.short()),
            }
        }
        anyhow::bail!("tags are nested too deeply")
    }

    /// Returns the n-th parent of a commit.
    fn parent(&self, commit: &ObjectName, n: usize) -> anyhow::Result<ObjectName> {
        let bytes = self.object(commit, ObjectKind::Commit)?;
        let parent = header(&bytes, "parent", n);
        let parent = parent.with_context(|| format!("commit {} has no parent {n}", commit.short()))?;
        self.object(&parent, ObjectKind::Commit)?;
        Ok(parent)
    }

    fn unknown_revision(&self, revision: &str) -> String {
        format!("unknown revision `{revision}` in repository `{}`", self.top.display())
    }

    /// Returns the error message for a name that no reference and no object has.
    fn unknown_name(&self, revision: &str) -> String {
        let help = if self.is_shallow() {
            "; the clone is shallow\nhelp: run `git fetch --unshallow` to fetch older revisions"
        } else {
            ""
        };
        format!("{}{help}", self.unknown_revision(revision))
    }
}

fn unsupported_syntax(revision: &str) -> String {
    format!("unsupported revision syntax `{revision}`\nhelp: use a branch, a tag or a commit")
}

/// Returns the n-th object named by headers of this name in a commit or tag.
pub(crate) fn header(bytes: &[u8], name: &str, n: usize) -> Option<ObjectName> {
    let headers = bytes.split(|byte| *byte == b'\n').take_while(|line| !line.is_empty());
    let lines = headers.filter_map(|line| std::str::from_utf8(line).ok());
    let mut objects = lines.filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    objects.nth(n.checked_sub(1)?).and_then(ObjectName::from_hex)
}
