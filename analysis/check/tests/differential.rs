//! Random edits: after each one, every query returns the same as in a fresh database.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use check::syntax_diagnostics;
use project::testing::TestWorkspace;
use project::vfs::{ChangeBatch, DiskState, FilePath};
use project::{
    File, FileRole, NameKind, Settings, body, body_source_map, defined_names, definitions, environment_index,
    file_location, item_summary, language, line_map, parse, resolve, resolve_in_file, signature, text,
};
use salsa::Database;
use validation::PuppetVersion;
use validation::Strict;

const PATHS: [&str; 12] = [
    "/repo/environment.conf",
    "/repo/manifests/site.pp",
    "/repo/modules/a/manifests/init.pp",
    "/repo/modules/a/manifests/b.pp",
    "/repo/modules/a/manifests/b/c.pp",
    "/repo/modules/a/functions/f.pp",
    "/repo/modules/a/types/t.pp",
    "/repo/modules/a/plans/p.pp",
    "/repo/modules/a/templates/t.epp",
    "/repo/modules/b/metadata.json",
    "/repo/modules/b/manifests/init.pp",
    "/other/loose.pp",
];

const TEXTS: [&str; 12] = [
    "modulepath = modules\n",
    "modulepath = elsewhere:modules\nmanifest = manifests/site.pp\n",
    "node default { include a }\nclass main_one { $h = { k => 1, k => 2 } }\n",
    "# docs\nclass a(Integer $x = 1, String *$rest) {\n  class inner { notice $a::x }\n  $y = \"v ${x}\"\n}\n",
    "class a::b inherits a { file { '/x': ensure => file, content => epp('a/t.epp') } }\n",
    "class a::b::c { [1, 2].each |$i| { $z = $i notice(\"$z\") } }\ndefine a::d($p) { }\n",
    "function a::f(Integer $n) >> Integer { $n + 1 }\n",
    "type A::T = Variant[Integer, Enum['a', 'b']]\n",
    "plan a::p(TargetSpec $t) { apply($t) { include a } }\n",
    "<%- | $a = 1 | -%>\nHello <%= $a %>\n",
    "{ \"name\": \"me-b\" }\n",
    "class b { if $x { $y = @(END)\n  text\n  | END\n  } else { include b::missing } }\n",
];

const SNIPPETS: [&str; 24] = [
    " ",
    "\n",
    "# comment\n",
    "/* c */",
    "\t",
    "ä",
    "\r\n",
    "{",
    "}",
    "\"",
    "'",
    "$x",
    "${",
    "(",
    ")",
    "=> ",
    ",",
    "class n { }\n",
    "notice 1\n",
    "define m::n($q) { }\n",
    "@(X)\n",
    "+ 1",
    "include a\n",
    "function a::f() { }\n",
];

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Accumulated state, to create an equivalent workspace from scratch.
#[derive(Default)]
struct World {
    settings: Settings,
    roots: Vec<String>,
    disk: BTreeMap<FilePath, DiskState>,
    buffers: BTreeMap<FilePath, Arc<str>>,
}

impl World {
    fn batch(&self) -> ChangeBatch {
        ChangeBatch {
            unread_folders: Default::default(),
            settings: Some(self.settings.clone()),
            roots: Some(self.roots.clone()),
            disk: self.disk.iter().map(|(path, state)| (path.clone(), state.clone())).collect(),
            buffers: self.buffers.iter().map(|(path, text)| (path.clone(), Some(text.clone()))).collect(),
            installed: None,
            edits: Vec::new(),
        }
    }

    /// Applies a random edit to the state and returns the change.
    fn step(&mut self, random: &mut Random) -> ChangeBatch {
        let mut batch = ChangeBatch::default();
        for _ in 0..1 + random.below(3) {
            let path = FilePath::from_native(PATHS[random.below(PATHS.len())]).expect("absolute");
            match random.below(16) {
                0 => {
                    self.settings = random_settings(random);
                    batch.settings = Some(self.settings.clone());
                }
                1 => {
                    let choices =
                        [&["/repo"][..], &["/"], &["/repo/modules/a", "/other"], &[], &["/repo", "/other"]];
                    self.roots = random.pick(&choices).iter().map(|&root| root.to_owned()).collect();
                    batch.roots = Some(self.roots.clone());
                }
                2 | 3 => {
                    let state = [
                        DiskState::Missing,
                        DiskState::NotUtf8(None),
                        DiskState::Unreadable("why".to_owned()),
                    ];
                    let state = random.pick(&state).clone();
                    self.disk.insert(path.clone(), state.clone());
                    batch.disk.push((path, state));
                }
                4..=7 => {
                    let state = DiskState::Text((*random.pick(&TEXTS)).into());
                    self.disk.insert(path.clone(), state.clone());
                    batch.disk.push((path, state));
                }
                8 | 9 => {
                    self.buffers.remove(&path);
                    batch.buffers.push((path, None));
                }
                _ => {
                    let old = self.buffers.get(&path).cloned().or_else(|| match self.disk.get(&path) {
                        Some(DiskState::Text(text)) => Some(text.clone()),
                        _ => None,
                    });
                    let text: Arc<str> = edited(&old.unwrap_or_default(), random).into();
                    self.buffers.insert(path.clone(), text.clone());
                    batch.buffers.push((path, Some(text)));
                }
            }
        }
        batch
    }
}

fn random_settings(random: &mut Random) -> Settings {
    Settings {
        lint_levels: Default::default(),
        rule_options: Default::default(),
        puppet_version: *random.pick(&PuppetVersion::ALL),
        prepares_upgrade: random.below(4) == 0,
        strict: *random.pick(&[None, Some(Strict::Off), Some(Strict::Error)]),
        tasks: random.below(4) == 0,
        module_path: random
            .pick(&[vec![], vec!["modules".to_owned()], vec!["/repo/elsewhere".to_owned()]])
            .clone(),
        module_path_is_whole: random.below(4) == 0,
        fact_files: Vec::new(),
        base_module_path: random.pick(&[vec![], vec!["/other/modules".to_owned()]]).clone(),
        excluded_paths: random
            .pick(&[vec![], vec![], vec!["modules/b".to_owned()], vec!["/other".to_owned()]])
            .clone(),
        large_file_limit: *random.pick(&[60, 1000, 1_000_000]),
    }
}

fn edited(text: &str, random: &mut Random) -> String {
    let mut boundaries: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    boundaries.push(text.len());
    let start = *random.pick(&boundaries);
    let end = match random.below(3) {
        0 => {
            let later: Vec<usize> =
                boundaries.iter().copied().filter(|at| (start..start + 12).contains(at)).collect();
            *random.pick(&later)
        }
        _ => start,
    };
    let inserted = if random.below(4) == 0 { "" } else { *random.pick(&SNIPPETS) };
    format!("{}{inserted}{}", &text[..start], &text[end..])
}

/// Returns the results of all queries as text, with paths in place of handles.
fn answers(workspace: &TestWorkspace) -> String {
    let db = &workspace.db;
    let mut out = String::new();
    let path = |file: File| file.path(db).to_string();
    for file in workspace.files() {
        let place = match file.role(db) {
            FileRole::Module { module, relative } => format!("{} {relative}", module.root(db)),
            other => format!("{other:?}"),
        };
        let environments: Vec<_> = file.environments(db).iter().map(|it| it.root(db).clone()).collect();
        let _ = writeln!(out, "{} {place} {environments:?}", path(file));
        let _ = writeln!(out, "{:?} {:?} {:?}", language(db, file), text(db, file), line_map(db, file));
        let _ = writeln!(out, "{}{:?}", parse(db, file).syntax().dump(), parse(db, file).errors());
        let _ = writeln!(out, "{:?} {:?}", file_location(db, file), syntax_diagnostics(db, file));
        let _ = writeln!(out, "{:?} {:?}", item_summary(db, file), defined_names(db, file));
        for definition in definitions(db, file) {
            let _ = writeln!(out, "{:?} {:?}", definition.key(db), signature(db, definition));
            let _ = writeln!(out, "{:?}\n{:?}", body(db, definition), body_source_map(db, definition));
        }
    }
    let names = [
        (NameKind::Class, "a"),
        (NameKind::Class, "a::b"),
        (NameKind::Class, "a::b::c"),
        (NameKind::Class, "a::inner"),
        (NameKind::Class, "b"),
        (NameKind::Class, "n"),
        (NameKind::Class, "main_one"),
        (NameKind::DefinedType, "m::n"),
        (NameKind::DefinedType, "a::d"),
        (NameKind::Function, "a::f"),
        (NameKind::TypeAlias, "A::T"),
        (NameKind::Plan, "a::p"),
    ];
    for root in [None, Some("/repo"), Some("/"), Some("/other")] {
        let Some(environment) = workspace.vfs.environment(root.and_then(FilePath::from_native).as_ref())
        else {
            continue;
        };
        let index = environment_index(db, environment);
        let mut entries: Vec<String> = index
            .iter()
            .map(|(key, found)| {
                let found: Vec<_> = found.iter().map(|(file, key)| (path(*file), key)).collect();
                format!("{key:?} {found:?}")
            })
            .collect();
        entries.sort_unstable();
        // A removed environment is empty, like one that never existed.
        if entries.is_empty() {
            continue;
        }
        let _ = writeln!(out, "{root:?} {entries:#?}");
        for (kind, name) in names {
            let found = resolve(db, environment, kind, name).map(|it| (path(it.file(db)), it.key(db)));
            let _ = writeln!(out, "{kind:?} {name} {found:?}");
        }
    }
    for file in workspace.files() {
        for (kind, name) in names {
            let found = resolve_in_file(db, file, kind, name).map(|it| (path(it.file(db)), it.key(db)));
            let _ = writeln!(out, "{} {kind:?} {name} {found:?}", path(file));
        }
    }
    out
}

#[track_caller]
fn compare(seed: u64, step: usize, incremental: &str, fresh: &str) {
    if let Some((old, new)) = incremental.lines().zip(fresh.lines()).find(|(old, new)| old != new) {
        panic!("seed {seed}, step {step}:\nincremental: {old}\nfresh:       {new}");
    }
    assert_eq!(incremental.len(), fresh.len(), "seed {seed}, step {step}");
}

fn run(seed: u64, steps: usize) {
    let mut random = Random(seed);
    let mut world = World { roots: vec!["/repo".to_owned()], ..World::default() };
    for (path, text) in PATHS.iter().zip(["modulepath = modules\n"].iter().chain(&TEXTS[2..])) {
        // Files are added later to test their appearance.
        if random.below(2) == 0 {
            let path = FilePath::from_native(path).expect("absolute");
            world.disk.insert(path, DiskState::Text((*text).into()));
        }
    }
    let mut incremental = TestWorkspace::empty();
    incremental.apply(world.batch());
    for step in 0..steps {
        let mut fresh = TestWorkspace::empty();
        fresh.apply(world.batch());
        compare(seed, step, &answers(&incremental), &answers(&fresh));
        // Several changes may occur between two queries.
        for _ in 0..1 + random.below(3) {
            let batch = world.step(&mut random);
            incremental.apply(batch);
        }
        if random.below(8) == 0 {
            incremental.db.trigger_lru_eviction();
        }
    }
}

#[test]
fn queries_after_random_edits_equal_those_of_a_fresh_database() {
    for seed in 0..6 {
        run(seed, 40);
    }
}
