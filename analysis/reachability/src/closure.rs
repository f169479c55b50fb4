//! Follows mentions: from the roots, then from what computed names may reach, from plans, and from tests.

use std::cmp::Reverse;

use hir::Name;
use project::File;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use syntax::TextRange;

use crate::items::{ItemIndex, ItemKind, UnitMentions, UnitRole};
use crate::pattern::{FactTable, NamePattern, PatternKind, is_module_name};

/// Ways in which an item is reached, the surest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum ReachKind {
    Used,
    /// Computed names, or something outside of the repository, may reach it.
    Open(usize),
    /// Only plans and tasks reach it.
    Plan,
    /// Only tests reach it.
    Test,
}

/// Reason why items are open, with the location that may reach them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum OpenCause {
    Computed { file: File, range: TextRange, kind: PatternKind },
    UnreadTemplate(File),
    UnreadData(File),
    Outside(String),
}

/// Items that values in data may name.
const NAMED_IN_DATA: [ItemKind; 6] = [
    ItemKind::Class,
    ItemKind::DefinedType,
    ItemKind::DataType,
    ItemKind::Template,
    ItemKind::File,
    ItemKind::HieraKey,
];

/// Names of items by what mentions them.
struct NameTable {
    /// Classes, defined types, functions, and data types by folded name; keys and paths as written.
    words: FxHashMap<Name, Vec<usize>>,
    /// Templates and files by the path in their module.
    paths: FxHashMap<Name, Vec<usize>>,
}

impl NameTable {
    fn new(items: &ItemIndex) -> NameTable {
        let mut words: FxHashMap<Name, Vec<usize>> = FxHashMap::default();
        let mut paths: FxHashMap<Name, Vec<usize>> = FxHashMap::default();
        for (index, item) in items.all.iter().enumerate() {
            if let (ItemKind::Template | ItemKind::File, Some((_, path))) =
                (item.kind, item.name.split_once('/'))
            {
                paths.entry(path.into()).or_default().push(index);
            }
        }
        let mut add = |word: &str, item: usize| {
            let known = words.entry(word.into()).or_default();
            if known.last() != Some(&item) {
                known.push(item);
            }
        };
        for (index, item) in items.all.iter().enumerate() {
            add(&item.name, index);
            match item.kind {
                ItemKind::Template => {
                    let stem = item.name.strip_suffix(".epp").unwrap_or(&item.name);
                    add(stem, index);
                    folders(&item.name).for_each(|it| add(it, index));
                }
                ItemKind::File => {
                    folders(&item.name).for_each(|it| add(it, index));
                    add(&format!("{}/", item.module), index);
                }
                _ => {}
            }
        }
        NameTable { words, paths }
    }
}

/// Returns the folders of a path below its module.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').skip(1).map(|(at, _)| &path[..at])
}

/// State of the search.
pub(crate) struct ReachSearch<'i> {
    items: &'i ItemIndex,
    facts: Option<&'i FactTable>,
    names: NameTable,
    pub(crate) reached: Vec<Option<ReachKind>>,
    pub(crate) causes: Vec<OpenCause>,
    /// Units that are still to be followed, with how they are reached.
    queue: Vec<(usize, ReachKind)>,
    /// Patterns of used units, applied when everything that is used is known.
    waiting: Vec<(NamePattern, File)>,
    /// Templates and data files that could not be read.
    unread: Vec<OpenCause>,
    seen: FxHashSet<(PatternKind, Box<[SmolStr]>)>,
    /// Words in the code that nodes use or may use.
    pub(crate) live_words: FxHashSet<Name>,
}

impl<'i> ReachSearch<'i> {
    /// Begins a search. `facts` are those of all nodes, if they are known.
    pub(crate) fn new(items: &'i ItemIndex, facts: Option<&'i FactTable>) -> ReachSearch<'i> {
        ReachSearch {
            items,
            facts,
            names: NameTable::new(items),
            reached: vec![None; items.all.len()],
            causes: Vec::new(),
            queue: Vec::new(),
            waiting: Vec::new(),
            unread: Vec::new(),
            seen: FxHashSet::default(),
            live_words: FxHashSet::default(),
        }
    }

    /// Marks everything that the main manifests and the given words reach by name.
    pub(crate) fn follow_roots(&mut self, words: &[Name]) {
        self.start(UnitRole::Root, ReachKind::Used);
        words.iter().for_each(|word| self.word(&hir::fold_name(word), ReachKind::Used));
        self.run();
    }

    /// Marks what the computed names in used code may reach.
    pub(crate) fn follow_patterns(&mut self) {
        // Names that the facts of all nodes determine are used.
        let mut rest = Vec::new();
        while let Some((pattern, file)) = self.waiting.pop() {
            if self.words_of_facts(&pattern, ReachKind::Used) {
                self.run();
            } else {
                rest.push((pattern, file));
            }
        }
        rest.sort_by_key(|(pattern, _)| (Reverse(pattern.kind), pattern.range));
        for (pattern, file) in rest {
            self.pattern(&pattern, file, None);
        }
        for unread in std::mem::take(&mut self.unread) {
            let kinds: &[ItemKind] = match unread {
                OpenCause::UnreadData(_) => &NAMED_IN_DATA,
                _ => &[ItemKind::Function, ItemKind::HieraKey],
            };
            let cause = self.cause(unread);
            self.all_of(kinds, ReachKind::Open(cause));
        }
        self.run();
    }

    /// Marks the names that a pattern has with the facts of all nodes. Returns false if they are unknown.
    fn words_of_facts(&mut self, pattern: &NamePattern, reach: ReachKind) -> bool {
        let Some(names) = self.facts.and_then(|it| it.names(pattern)) else { return false };
        for name in names {
            self.word(&hir::fold_name(&name), reach);
            self.word(&name.into(), reach);
        }
        true
    }

    /// Marks items as open for a reason.
    pub(crate) fn open(&mut self, items: impl Iterator<Item = usize>, reason: String) {
        let cause = self.cause(OpenCause::Outside(reason));
        items.for_each(|it| self.item(it, ReachKind::Open(cause)));
        self.run();
    }

    pub(crate) fn follow_plans(&mut self) {
        self.start(UnitRole::Plan, ReachKind::Plan);
        self.run();
    }

    pub(crate) fn follow_tests(&mut self) {
        self.start(UnitRole::Test, ReachKind::Test);
        self.run();
    }

    fn start(&mut self, role: UnitRole, reach: ReachKind) {
        let of_role = self.items.units.iter().enumerate().filter(|(_, it)| it.role == role);
        self.queue.extend(of_role.map(|(index, _)| (index, reach)));
    }

    fn cause(&mut self, cause: OpenCause) -> usize {
        let known = self.causes.iter().position(|it| *it == cause);
        known.unwrap_or_else(|| {
            self.causes.push(cause);
            self.causes.len() - 1
        })
    }

    fn run(&mut self) {
        while let Some((unit, reach)) = self.queue.pop() {
            let unit = &self.items.units[unit];
            match unit.mentions {
                UnitMentions::UnreadTemplate => self.unread.push(OpenCause::UnreadTemplate(unit.file)),
                UnitMentions::UnreadData => self.unread.push(OpenCause::UnreadData(unit.file)),
                _ => {}
            }
            let Some(mentions) = unit.mentions.get() else { continue };
            for word in &mentions.words {
                if matches!(reach, ReachKind::Used | ReachKind::Open(_)) {
                    self.live_words.insert(word.clone());
                }
                self.word(word, reach);
            }
            for pattern in &mentions.patterns {
                if reach != ReachKind::Used && self.words_of_facts(pattern, reach) {
                    continue;
                }
                match reach {
                    ReachKind::Used => self.waiting.push((pattern.clone(), unit.file)),
                    ReachKind::Open(_) => self.pattern(pattern, unit.file, None),
                    ReachKind::Plan => self.pattern(pattern, unit.file, Some(ReachKind::Plan)),
                    ReachKind::Test => {}
                }
            }
        }
    }

    fn word(&mut self, word: &Name, reach: ReachKind) {
        if let Some(found) = self.names.words.get(word) {
            found.clone().into_iter().for_each(|item| self.item(item, reach));
            return;
        }
        // A module that is missing may be one that has another name here.
        let Some((module, path)) = word.split_once('/') else { return };
        let is_missing = is_module_name(module) && !self.items.modules.contains(module);
        let Some(found) = self.names.paths.get(path).filter(|_| is_missing) else {
            return;
        };
        let found = found.clone();
        let reach = match reach {
            ReachKind::Used => {
                let reason =
                    format!("a path in module `{module}`, which is missing, may be that of the item");
                ReachKind::Open(self.cause(OpenCause::Outside(reason)))
            }
            reach => reach,
        };
        found.into_iter().for_each(|item| self.item(item, reach));
    }

    fn item(&mut self, item: usize, reach: ReachKind) {
        if self.reached[item].is_some() {
            return;
        }
        self.reached[item] = Some(reach);
        self.queue.extend(self.items.units_of[item].iter().map(|unit| (*unit, reach)));
        if let Some(outer) = self.items.enclosing.get(&item) {
            self.item(*outer, reach);
        }
        for key in self.items.parameters.get(&item).into_iter().flatten() {
            if let Some(key) = self.items.index.get(&(ItemKind::HieraKey, key.clone())) {
                self.item(*key, reach);
            }
        }
    }

    fn all_of(&mut self, kinds: &[ItemKind], reach: ReachKind) {
        let items = self.items;
        let of_kinds = items.all.iter().enumerate().filter(|(_, it)| kinds.contains(&it.kind));
        of_kinds.for_each(|(index, _)| self.item(index, reach));
    }

    /// Marks what a computed name may be.
    fn pattern(&mut self, pattern: &NamePattern, file: File, reach: Option<ReachKind>) {
        if !self.seen.insert((pattern.kind, pattern.parts.clone())) {
            return;
        }
        let kinds: &[ItemKind] = match pattern.kind {
            PatternKind::Any => &[
                ItemKind::Class,
                ItemKind::DefinedType,
                ItemKind::Function,
                ItemKind::DataType,
                ItemKind::Template,
                ItemKind::File,
                ItemKind::HieraKey,
            ],
            PatternKind::Class => &[ItemKind::Class],
            PatternKind::ResourceType => &[ItemKind::DefinedType, ItemKind::Class],
            PatternKind::Function => &[ItemKind::Function],
            PatternKind::Template => &[ItemKind::Template],
            PatternKind::File => &[ItemKind::File],
            PatternKind::HieraKey => &[ItemKind::HieraKey],
        };
        let parts = pattern.parts.iter().map(|it| hir::fold_name(it)).collect();
        let folded = NamePattern { parts, ..pattern.clone() };
        let items = self.items;
        let matches = |item: &crate::Item| match item.kind {
            ItemKind::Template | ItemKind::File => {
                let is_short = || item.name.strip_suffix(".epp").is_some_and(|it| pattern.matches(it));
                pattern.matches(&item.name) || is_short() || folders(&item.name).any(|it| pattern.matches(it))
            }
            ItemKind::HieraKey => pattern.matches(&item.name) || of_keys_root(pattern, &item.name),
            _ => folded.matches(&item.name),
        };
        let found = items.all.iter().enumerate().filter(|(_, it)| kinds.contains(&it.kind) && matches(it));
        let found: Vec<usize> =
            found.map(|(index, _)| index).filter(|it| self.reached[*it].is_none()).collect();
        if found.is_empty() {
            return;
        }
        let reach = reach.unwrap_or_else(|| {
            let cause = OpenCause::Computed { file, range: pattern.range, kind: pattern.kind };
            ReachKind::Open(self.cause(cause))
        });
        found.into_iter().for_each(|it| self.item(it, reach));
    }
}

/// Returns true if a pattern such as `users_*.admins` may look up the key `users_x`.
fn of_keys_root(pattern: &NamePattern, key: &str) -> bool {
    let Some((at, part)) = pattern.parts.iter().enumerate().find(|(_, it)| it.contains('.')) else {
        return false;
    };
    if at == 0 {
        return false;
    }
    let mut parts: Vec<SmolStr> = pattern.parts[..at].to_vec();
    parts.push(part.split('.').next().unwrap_or_default().into());
    NamePattern { parts: parts.into(), ..pattern.clone() }.matches(key)
}
