//! Options that Bolt accepts in its files.

use std::sync::LazyLock;

/// Option of a file, or of a hash in it.
#[derive(Debug)]
pub struct BoltOption {
    pub name: &'static str,
    pub kinds: Vec<BoltOptionKind>,
    pub minimum: Option<i64>,
    /// Accepted strings; empty if all are.
    pub accepted: Vec<&'static str>,
    /// Name of the group that has the options of a hash.
    pub group: Option<&'static str>,
    pub options: Vec<BoltOption>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoltOptionKind {
    Any,
    Array,
    Boolean,
    Hash,
    Integer,
    String,
}

impl BoltOptionKind {
    fn of(word: &str) -> Option<BoltOptionKind> {
        Some(match word {
            "any" => BoltOptionKind::Any,
            "array" => BoltOptionKind::Array,
            "bool" => BoltOptionKind::Boolean,
            "hash" => BoltOptionKind::Hash,
            "int" => BoltOptionKind::Integer,
            "string" => BoltOptionKind::String,
            _ => return None,
        })
    }

    /// Returns the kind with its article.
    pub fn describe(self) -> &'static str {
        match self {
            BoltOptionKind::Any => "any value",
            BoltOptionKind::Array => "an array",
            BoltOptionKind::Boolean => "`true` or `false`",
            BoltOptionKind::Hash => "a hash",
            BoltOptionKind::Integer => "an integer",
            BoltOptionKind::String => "a string",
        }
    }
}

/// Empty if the table is malformed; the tests of `check` make sure that it is not.
static FILES: LazyLock<Vec<BoltOption>> =
    LazyLock::new(|| read(include_str!("../../data/bolt_options.txt")).unwrap_or_default());

/// Returns the options of a file of Bolt, or of a group of options that several share.
pub fn options_of(file: &str) -> Option<&'static BoltOption> {
    FILES.iter().find(|it| it.name == file)
}

/// Reads the table. Each line is deeper by one step at most than the one above it.
fn read(text: &'static str) -> Option<Vec<BoltOption>> {
    let mut open: Vec<BoltOption> = vec![option("root hash")?];
    for line in text.lines().filter(|it| !it.trim().is_empty() && !it.starts_with('#')) {
        let depth = (line.len() - line.trim_start().len()) / 2 + 1;
        while open.len() > depth {
            let last = open.pop()?;
            open.last_mut()?.options.push(last);
        }
        (open.len() == depth).then_some(())?;
        open.push(match line.strip_prefix("file ") {
            Some(name) => BoltOption { name, ..option("file hash")? },
            None => option(line.trim())?,
        });
    }
    while open.len() > 1 {
        let last = open.pop()?;
        open.last_mut()?.options.push(last);
    }
    Some(open.pop()?.options)
}

fn option(line: &'static str) -> Option<BoltOption> {
    let mut words = line.split(' ');
    let name = words.next()?;
    let kinds = words.next()?.split('|').map(BoltOptionKind::of).collect::<Option<_>>()?;
    let mut option =
        BoltOption { name, kinds, minimum: None, accepted: Vec::new(), group: None, options: Vec::new() };
    for word in words {
        match (word.strip_prefix("min="), word.strip_prefix('=')) {
            (Some(minimum), _) => option.minimum = Some(minimum.parse().ok()?),
            (_, Some(group)) => option.group = Some(group),
            _ => option.accepted.push(word),
        }
    }
    Some(option)
}
