//! Names of revisions: `HEAD~3`, `main`, `v1.0^{commit}`, `5b0c1d2`.

use anyhow::Context;

use crate::objects::ObjectKind;
use crate::{ObjectName, Repository, small_file};

/// Fewer digits name no object.
const MIN_DIGITS: usize = 4;

/// Tags of tags.
const MAX_TAGS: usize = 64;

impl Repository {
    /// The commit that a revision is.
    ///
    /// # Errors
    /// When there is none, or it is named in a way that is not known here.
    pub fn commit(&self, revision: &str) -> anyhow::Result<ObjectName> {
        let end = revision.find(['~', '^']).unwrap_or(revision.len());
        let (name, mut steps) = revision.split_at(end);
        let named = self.named(name)?.with_context(|| self.no_revision(revision))?;
        let mut commit = self.peeled(named)?;
        while let Some(sign) = steps.chars().next() {
            steps = &steps[1..];
            if let Some(kind) = steps.strip_prefix('{').filter(|_| sign == '^') {
                let (kind, behind) = kind.split_once('}').with_context(|| unknown_form(revision))?;
                anyhow::ensure!(matches!(kind, "" | "commit" | "0"), unknown_form(revision));
                steps = behind;
                continue;
            }
            let end = steps.find(|c: char| !c.is_ascii_digit()).unwrap_or(steps.len());
            let (digits, behind) = steps.split_at(end);
            anyhow::ensure!(behind.is_empty() || behind.starts_with(['~', '^']), unknown_form(revision));
            steps = behind;
            let count: usize = if digits.is_empty() { 1 } else { digits.parse()? };
            match sign {
                '~' => {
                    for _ in 0..count {
                        commit = self.parent(&commit, 1).with_context(|| self.no_revision(revision))?;
                    }
                }
                _ if count == 0 => {}
                _ => commit = self.parent(&commit, count).with_context(|| self.no_revision(revision))?,
            }
        }
        Ok(commit)
    }

    /// The commit that is checked out; `None` before the first.
    pub fn head(&self) -> anyhow::Result<Option<ObjectName>> {
        self.whole_reference("HEAD")
    }

    /// What a name without steps stands for.
    fn named(&self, name: &str) -> anyhow::Result<Option<ObjectName>> {
        let name = if name == "@" { "HEAD" } else { name };
        if let Some((branch, question)) = name.strip_suffix('}').and_then(|it| it.split_once("@{")) {
            let branch = if matches!(branch, "" | "@") { "HEAD" } else { branch };
            return match question.parse::<usize>() {
                Ok(count) => self.earlier(branch, count),
                Err(_) if ["u", "upstream"].contains(&question.to_ascii_lowercase().as_str()) => {
                    self.upstream(branch)
                }
                Err(_) => anyhow::bail!(unknown_form(name)),
            };
        }
        let is_hex = name.len() >= MIN_DIGITS && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hex && name.len() == self.objects.name_length() * 2 {
            return Ok(ObjectName::from_hex(name));
        }
        if let Some(found) = self.reference(name)? {
            return Ok(Some(found));
        }
        // `git describe` writes `v1.0-3-g5b0c1d2`.
        let described = name.rsplit_once("-g").map(|(_, digits)| digits);
        let described =
            described.filter(|it| it.len() >= MIN_DIGITS && it.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(digits) = Some(name).filter(|_| is_hex).or(described) else { return Ok(None) };
        let found = self.objects.with_prefix(&digits.to_ascii_lowercase())?;
        anyhow::ensure!(found.len() < 2, "`{name}` names several objects");
        Ok(found.first().copied())
    }

    /// What a branch was before its last changes, as its log says.
    fn earlier(&self, branch: &str, count: usize) -> anyhow::Result<Option<ObjectName>> {
        for before in ["", "refs/heads/", "refs/remotes/"] {
            let name = format!("{before}{branch}");
            if !(name == "HEAD" || name.starts_with("refs/")) || self.reference(&name)?.is_none() {
                continue;
            }
            let folder = if name == "HEAD" { &self.own } else { &self.common };
            let log = small_file::text_if_there(&folder.join("logs").join(&name))?.unwrap_or_default();
            let lines: Vec<&str> = log.lines().collect();
            let word = |line: &str, index: usize| line.split(' ').nth(index).and_then(ObjectName::from_hex);
            let found = lines.len().checked_sub(count + 1).and_then(|at| word(lines[at], 1));
            return Ok(found);
        }
        Ok(None)
    }

    /// The branch that a branch follows.
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

    /// The commit that an object is, or that a tag names.
    fn peeled(&self, name: ObjectName) -> anyhow::Result<ObjectName> {
        let mut name = name;
        for _ in 0..MAX_TAGS {
            match self.any_object(&name)? {
                (ObjectKind::Commit, _) => return Ok(name),
                (ObjectKind::Tag, bytes) => {
                    name = header(&bytes, "object", 1).context("a tag names nothing")?
                }
                (kind, _) => anyhow::bail!("the object {} is a {kind}, not a commit", name.short()),
            }
        }
        anyhow::bail!("a tag has no end")
    }

    /// The n-th parent of a commit.
    fn parent(&self, commit: &ObjectName, which: usize) -> anyhow::Result<ObjectName> {
        let bytes = self.object(commit, ObjectKind::Commit)?;
        let parent = header(&bytes, "parent", which);
        let parent =
            parent.with_context(|| format!("the commit {} has no parent {which}", commit.short()))?;
        self.object(&parent, ObjectKind::Commit)?;
        Ok(parent)
    }

    pub(crate) fn no_revision(&self, revision: &str) -> String {
        let why = match self.is_shallow() {
            true => {
                ": the clone is shallow, so older revisions are not here (`git fetch --unshallow` brings them)"
            }
            false => "",
        };
        format!("there is no revision `{revision}` in {}{why}", self.top.display())
    }
}

fn unknown_form(revision: &str) -> String {
    format!("`{revision}` names no revision in a way that is known here: give a branch, a tag or a commit")
}

/// The n-th object that a header of a commit or tag names.
pub(crate) fn header(bytes: &[u8], name: &str, which: usize) -> Option<ObjectName> {
    let headers = bytes.split(|byte| *byte == b'\n').take_while(|line| !line.is_empty());
    let lines = headers.filter_map(|line| std::str::from_utf8(line).ok());
    let mut objects = lines.filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    objects.nth(which.checked_sub(1)?).and_then(ObjectName::from_hex)
}
