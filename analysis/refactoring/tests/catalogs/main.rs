//! Refactorings and safe fixes preserve catalogs. Each kind of refactoring is applied at random positions of
//! real modules, and the class or defined type around the position is compiled before and after. `safe_fixes`
//! does the same with the fixes of whole files.
//!
//! `PUPPET_CORPUS` is a folder of modules (`tests/conformance/fetch-corpus.sh` fetches them) to use besides the
//! module below.
//! `REFACTORINGS` is the number of applications of each kind (20 by default), `REFACTORING_KIND` limits the
//! kinds to those whose name contains it, and `REFACTORING_SEED` selects other positions. Kinds with fewer
//! positions are applied at all of them. Progress, differences and figures are printed:
//! `cargo test -p refactoring --test catalogs -- --nocapture`.

mod safe_fixes;

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use compile::{CompileRequest, EntryPoint, ProjectCompilation};
use fixture::Fixture;
use project::testing::{TestWorkspace, fixture_batch};
use project::vfs::{ChangeBatch, DiskState, FilePath};
use project::{Environment, File, FileRole};
use refactoring::{CodeAction, SourceEdit, assists};
use syntax::SyntaxKind::{self, *};
use syntax::ast::{self, Definition, Expr};
use syntax::{AstNode, Language, SyntaxNode, TextRange};

/// Kind of refactoring: the start of its title, where it may be offered, and whether it moves resources to
/// another definition.
struct Kind {
    title: &'static str,
    sites: fn(&SyntaxNode) -> Vec<TextRange>,
    moves_resources: bool,
}

const KINDS: &[Kind] = &[
    Kind { title: "Extract to variable", sites: expressions, moves_resources: false },
    Kind { title: "Inline variable", sites: assigned, moves_resources: false },
    Kind { title: "Extract to defined type", sites: statement_runs, moves_resources: true },
    Kind { title: "Extract to class", sites: statement_runs, moves_resources: true },
    Kind { title: "Convert selector to `case`", sites: selectors, moves_resources: false },
    Kind { title: "Convert `case` to selector", sites: cases, moves_resources: false },
    Kind { title: "Convert `case` to `if`", sites: cases, moves_resources: false },
    Kind { title: "Convert `if` to `case`", sites: ifs, moves_resources: false },
    Kind { title: "Convert to `class { }`", sites: includes, moves_resources: false },
    Kind { title: "Convert to `include`", sites: class_resources, moves_resources: false },
    Kind { title: "Use single quotes", sites: double_quoted, moves_resources: false },
    Kind { title: "Use double quotes", sites: single_quoted, moves_resources: false },
    Kind { title: "Use single quotes in the whole file", sites: double_quoted, moves_resources: false },
    Kind { title: "Use double quotes in the whole file", sites: single_quoted, moves_resources: false },
];

/// Maximum number of positions whose refactorings are computed before the first one of them is applied: an edit makes
/// the next computation search files again.
const MAX_BATCH: usize = 2000;

/// Time between two lines of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(30);

const ENVIRONMENT: &str = "//- environment: roots=/modules module_path=/modules version=7";

/// Module in which each kind can be applied.
const MODULE: &str = r#"
//- environment: roots=/modules module_path=/modules
//- /modules/web/metadata.json
{ "name": "me-web", "version": "1.0.0", "operatingsystem_support": [
  { "operatingsystem": "Debian", "operatingsystemrelease": ["12"] }
] }
//- /modules/web/manifests/init.pp
class web (Integer $port = 80, Optional[String] $user = undef) {
  $root = '/var/www'
  $family = $facts['os']['family']
  $conf = $family ? {
    'Debian' => '/etc/apache2',
    /^(Red|x)Hat$/ => "/etc/${1}",
    default  => '/etc/httpd',
  }
  case $family {
    'Debian', 'Ubuntu': { $package = 'apache2' }
    default: { $package = 'httpd' }
  }
  if $family == 'Debian' {
    $service = 'apache2'
  } elsif $family == 'RedHat' or $family == 'Suse' {
    # Comments in blocks are kept.
    $service = 'httpd'
  } else {
    $service = 'web'
  }
  include web::install
  class { 'web::log': }
  file { "${root}/index.html":
    content => "port ${port} of ${facts['networking']['fqdn']}\n",
    owner   => $user,
  }
  file { ["${conf}/a.conf", "/etc/b's"]:
    ensure => file,
    mode   => "0644",
    notify => Service[$service],
  }
  service { $service: ensure => 'running' }
  package { $package: }
}
//- /modules/web/manifests/install.pp
class web::install { $names = ["a-${title}", 'b'] $names.each |$name| { notify { $name: message => downcase('X') } } }
//- /modules/web/manifests/log.pp
class web::log {
  case $facts['kernel'] {
    'Linux': {
      notify { 'linux': }
    }
    default: {
      notify { 'other': }
    }
  }
}
//- /modules/web/manifests/thing.pp
define web::thing ($path) {
  $full = "/srv/${path}"
  file { $full: content => "it's ${full}" }
}
"#;

#[test]
fn refactorings_preserve_catalogs() {
    on_deep_stack(|| {
        let count = number("REFACTORINGS", 20);
        check(&mut Workspace::new(TestWorkspace::new(MODULE)), count, true);
        match std::env::var_os("PUPPET_CORPUS").map(PathBuf::from) {
            Some(folder) => check(&mut Workspace::new(read_modules(&folder, "")), count, false),
            None => println!("skipped: PUPPET_CORPUS names no folder with modules"),
        }
    });
}

/// Applies each kind up to `count` times and compares the catalogs.
fn check(workspace: &mut Workspace, count: usize, needs_all: bool) {
    let wanted = std::env::var("REFACTORING_KIND").unwrap_or_default();
    let mut differences = String::new();
    for kind in KINDS.iter().filter(|it| it.title.contains(&wanted)) {
        let start = Instant::now();
        let result = workspace.run(kind, count);
        println!(
            "{:38} {:6} applied, {:6} compiled, {:3} differences ({} of {} positions, {} s)",
            kind.title,
            result.applied,
            result.compiled,
            result.differences.len(),
            result.tried,
            result.positions,
            start.elapsed().as_secs()
        );
        assert!(!needs_all || result.compiled > 0, "`{}` is never offered", kind.title);
        for it in result.differences.iter().take(10) {
            let _ = writeln!(differences, "{}\n{it}", kind.title);
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

#[derive(Default)]
struct Outcome {
    positions: usize,
    /// Positions at which the kind was looked for.
    tried: usize,
    applied: usize,
    /// Applications whose definition compiled before.
    compiled: usize,
    differences: Vec<String>,
}

struct Workspace {
    inner: TestWorkspace,
    environment: Environment,
    /// Manifests of modules without syntax errors.
    files: Vec<File>,
    /// Results before a change, by definition.
    before: HashMap<(String, bool), Option<String>>,
}

impl Workspace {
    fn new(inner: TestWorkspace) -> Workspace {
        let environment = inner.environment(None);
        let mut files = inner.files();
        files.retain(|file| {
            matches!(file.role(&inner.db), FileRole::Module { .. })
                && file.path(&inner.db).to_string().contains("/manifests/")
                && project::language(&inner.db, *file) == Language::Manifest
                && project::parse(&inner.db, *file).errors().is_empty()
        });
        Workspace { inner, environment, files, before: HashMap::new() }
    }

    fn run(&mut self, kind: &Kind, count: usize) -> Outcome {
        let mut sites: Vec<(File, TextRange)> = Vec::new();
        for file in &self.files {
            let root = project::parse(&self.inner.db, *file).syntax();
            sites.extend((kind.sites)(&root).into_iter().map(|range| (*file, range)));
        }
        shuffle(&mut sites, number("REFACTORING_SEED", 1) as u64);
        let mut outcome = Outcome { positions: sites.len(), ..Outcome::default() };
        let mut reported = Instant::now();
        for batch in sites.chunks_mut((4 * count).clamp(1, MAX_BATCH)) {
            // Adjacent positions share trees.
            batch.sort_by(|(a, of_a), (b, of_b)| {
                let path = |file: &File| file.path(&self.inner.db);
                (path(a), of_a.start).cmp(&(path(b), of_b.start))
            });
            let batch = &*batch;
            let offered: Vec<_> =
                batch.iter().map(|(file, range)| self.offered(kind, *file, *range)).collect();
            self.create_empty(&offered);
            for ((file, range), action) in batch.iter().zip(offered) {
                if outcome.compiled == count {
                    return outcome;
                }
                outcome.tried += 1;
                if let Some(action) = action {
                    self.apply(kind, *file, *range, &action, &mut outcome);
                }
                if reported.elapsed() > PROGRESS_INTERVAL {
                    reported = Instant::now();
                    println!("{}: {} compiled, {} tried", kind.title, outcome.compiled, outcome.tried);
                }
            }
        }
        outcome
    }

    /// Creates the files of refactorings without code, which are kept: each new file takes as long as reading
    /// the layout of all modules.
    fn create_empty(&mut self, actions: &[Option<CodeAction>]) {
        let created = actions.iter().flatten().flat_map(|it| &it.change.creates);
        let mut disk: Vec<_> =
            created.map(|(path, _)| (path.clone(), DiskState::Text(Arc::from("")))).collect();
        disk.sort_by(|(a, _), (b, _)| a.cmp(b));
        disk.dedup_by(|(a, _), (b, _)| a == b);
        self.inner.apply(ChangeBatch { disk, ..ChangeBatch::default() });
    }

    /// Returns the refactoring of a kind at a position.
    fn offered(&self, kind: &Kind, file: File, range: TextRange) -> Option<CodeAction> {
        let is_meant = |it: &CodeAction| {
            it.title.starts_with(kind.title) && it.title.ends_with("file") == kind.title.ends_with("file")
        };
        assists(&self.inner.db, file, range).into_iter().find(is_meant)
    }

    fn apply(
        &mut self,
        kind: &Kind,
        file: File,
        range: TextRange,
        action: &CodeAction,
        outcome: &mut Outcome,
    ) {
        outcome.applied += 1;
        let db = &self.inner.db;
        let original = project::text(db, file).expect("a text");
        let entries = entries(&project::parse(db, file).syntax(), range);
        let mut compiled: Vec<(EntryPoint, String)> = Vec::new();
        for (name, entry) in entries {
            let key = (name, kind.moves_resources);
            if !self.before.contains_key(&key) {
                let result = self.compile(file, &entry, kind.moves_resources);
                self.before.insert(key.clone(), result);
            }
            if let Some(Some(before)) = self.before.get(&key) {
                compiled.push((entry, before.clone()));
            }
        }
        if compiled.is_empty() {
            return;
        }
        outcome.compiled += 1;
        let path = file.path(db).clone();
        let mut edited = original.to_string();
        for (_, edits) in &action.change.edits {
            apply_edits(&mut edited, edits);
        }
        let texts = |created: bool| {
            let text = if created { edited.as_str().into() } else { original.clone() };
            let mut disk = vec![(path.clone(), DiskState::Text(text))];
            for (path, text) in &action.change.creates {
                disk.push((path.clone(), DiskState::Text(if created { text.as_str() } else { "" }.into())));
            }
            ChangeBatch { disk, ..ChangeBatch::default() }
        };
        self.inner.apply(texts(true));
        for (entry, before) in compiled {
            let after =
                self.compile(file, &entry, kind.moves_resources).unwrap_or_else(|| "fails".to_owned());
            if before != after {
                let difference = difference(&path, &original, &edited, action, &before, &after);
                println!("{}\n{difference}", kind.title);
                outcome.differences.push(difference);
            }
        }
        self.inner.apply(texts(false));
    }

    /// Compiles a definition; `None` if that fails.
    fn compile(&self, file: File, entry: &EntryPoint, moves_resources: bool) -> Option<String> {
        let db = &self.inner.db;
        let FileRole::Module { module, .. } = file.role(db) else { return None };
        let (facts, _) = compile::class_platforms(db, self.environment, Some(*module)).into_iter().next()?;
        let request = compile::class_request(db, self.environment, &"main".into(), facts)?;
        let request = CompileRequest { entry: entry.clone(), ..request };
        let compiled = compile::compile_project(db, self.environment, &request, None);
        compiled.error(db).is_none().then(|| format_catalog(&compiled, moves_resources))
    }
}

/// Formats a catalog without locations. If resources move to another definition, also without their order,
/// tags and containers.
fn format_catalog(compiled: &ProjectCompilation, moves_resources: bool) -> String {
    let catalog = &compiled.compilation.catalog;
    let is_extracted = |text: &str| text.to_ascii_lowercase().contains("::extracted");
    let mut lines: Vec<String> = Vec::new();
    for it in &catalog.resources {
        let title = it.title.as_deref().unwrap_or("?");
        if moves_resources && (is_extracted(&it.type_name) || it.is_class() && is_extracted(title)) {
            continue;
        }
        let mut parameters: Vec<String> = it
            .parameters
            .iter()
            .map(|(name, value)| format!("{name}={}", format_value(name, value)))
            .collect();
        parameters.sort();
        let mut line =
            format!("{}[{title}] {} {} {parameters:?}", it.type_name, it.is_exported, it.is_possible);
        if !moves_resources {
            let _ = write!(line, " {:?} {:?}", it.tags, it.sensitive);
        }
        lines.push(line);
    }
    if moves_resources {
        lines.sort();
    } else {
        lines.push(format!("{:?} {:?}", catalog.edges, catalog.classes));
    }
    let logs = compiled.compilation.logs.iter();
    let mut logs: Vec<String> = logs.map(|log| format!("{:?} {}", log.level, log.message)).collect();
    if moves_resources {
        logs.sort();
    }
    lines.extend(logs);
    lines.join("\n")
}

/// Formats a value; one with unknown parts without details, since its type may be inferred more or less exactly.
fn format_value(name: &str, value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}");
    if text.contains("Unknown(") {
        return "unknown".to_owned();
    }
    if !matches!(name, "before" | "notify" | "require" | "subscribe") {
        return text;
    }
    // Relationships have no order.
    let mut references: Vec<&str> =
        text.split("String(").map(|it| it.trim_end_matches([',', ' ', ')', ']'])).collect();
    references.sort_unstable();
    references.join(" ")
}

/// Returns the code that declares the definition around a position, with its name.
fn entries(root: &SyntaxNode, range: TextRange) -> Vec<(String, EntryPoint)> {
    let definitions = root.descendants().filter_map(Definition::cast);
    let around = definitions.filter(|it| it.syntax().text_range().contains_range(range));
    let mut found = Vec::new();
    for definition in around {
        let Some(name) = definition.qualified_name() else { continue };
        match definition {
            Definition::ClassDefinition(_) => {
                let entry = EntryPoint::ClassWithAnyParameters(hir::fold_name(&name));
                found.push((name, entry));
            }
            Definition::DefinedType(_) => {
                let required =
                    definition.parameters().into_iter().flat_map(|it| it.parameters().collect::<Vec<_>>());
                let mut code = format!("{name} {{ 'example':");
                for parameter in required.filter(|it| it.default().is_none()) {
                    let name = parameter.name().unwrap_or_default();
                    let _ = write!(code, " {name} => $facts['unknown_{name}'],");
                }
                code.push_str(" }");
                found.push((name, EntryPoint::Code(code.into())));
            }
            _ => {}
        }
    }
    found
}

fn difference(
    path: &FilePath,
    original: &str,
    edited: &str,
    action: &CodeAction,
    before: &str,
    after: &str,
) -> String {
    let mut text = format!("=== {path}\n");
    let _ = writeln!(text, "{}", changed_lines(original, edited));
    for (path, created) in &action.change.creates {
        let _ = writeln!(text, "+++ {path}\n{created}");
    }
    let _ = writeln!(text, "--- catalogs\n{}", changed_lines(before, after));
    text
}

/// Returns the lines in which two texts differ, after their common start and before their common end.
fn changed_lines(before: &str, after: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let (start, end) = syntax::common_ends(&a, &b);
    let shown = |lines: &[&str], sign: &str| {
        let lines = lines.get(start..lines.len().saturating_sub(end)).unwrap_or_default();
        let cut = |line: &str| line.chars().take(600).collect::<String>();
        lines.iter().take(20).map(|line| format!("{sign} {}\n", cut(line))).collect::<String>()
    };
    format!("{}{}", shown(&a, "-"), shown(&b, "+"))
}

fn apply_edits(text: &mut String, edits: &[SourceEdit]) {
    for edit in edits.iter().rev() {
        text.replace_range(edit.range.as_range(), &edit.text);
    }
}

fn expressions(root: &SyntaxNode) -> Vec<TextRange> {
    let is_candidate = |it: &SyntaxNode| Expr::can_cast(it.kind()) && it.kind() != VARIABLE_EXPR;
    root.descendants().filter(is_candidate).map(|it| it.text_range()).collect()
}

fn assigned(root: &SyntaxNode) -> Vec<TextRange> {
    let targets = root.descendants().filter_map(ast::AssignmentExpr::cast).filter_map(|it| it.lhs());
    targets.map(|it| TextRange::empty(it.syntax().text_range().end)).collect()
}

/// Returns the ranges of one to four adjacent statements.
fn statement_runs(root: &SyntaxNode) -> Vec<TextRange> {
    let mut runs = Vec::new();
    for block in root.descendants().filter(|it| it.kind() == BLOCK) {
        let statements: Vec<TextRange> =
            block.children().filter(|it| Expr::can_cast(it.kind())).map(|it| it.text_range()).collect();
        for length in 1..=4 {
            runs.extend(statements.windows(length).map(|run| run[0].cover(run[length - 1])));
        }
    }
    runs
}

fn starts(root: &SyntaxNode, kinds: &[SyntaxKind]) -> Vec<TextRange> {
    let nodes = root.descendants().filter(|it| kinds.contains(&it.kind()));
    nodes.map(|it| TextRange::empty(it.text_range().start)).collect()
}

fn selectors(root: &SyntaxNode) -> Vec<TextRange> {
    let assignments = root.descendants().filter_map(ast::AssignmentExpr::cast);
    let with_selector = assignments.filter(|it| matches!(it.rhs(), Some(Expr::SelectorExpr(_))));
    with_selector.map(|it| TextRange::empty(it.syntax().text_range().start)).collect()
}

fn cases(root: &SyntaxNode) -> Vec<TextRange> {
    starts(root, &[CASE_EXPR])
}

fn ifs(root: &SyntaxNode) -> Vec<TextRange> {
    starts(root, &[IF_EXPR])
}

fn includes(root: &SyntaxNode) -> Vec<TextRange> {
    let calls = root.descendants().filter(|it| matches!(it.kind(), STATEMENT_CALL | CALL_EXPR));
    let of_include = calls.filter(|it| it.first_token().is_some_and(|it| it.text() == "include"));
    of_include.map(|it| TextRange::empty(it.text_range().start)).collect()
}

fn class_resources(root: &SyntaxNode) -> Vec<TextRange> {
    let resources = root.descendants().filter(|it| it.kind() == RESOURCE_EXPR);
    let of_class = resources.filter(|it| it.first_token().is_some_and(|it| it.kind() == CLASS_KW));
    of_class.map(|it| TextRange::empty(it.text_range().start)).collect()
}

fn strings(root: &SyntaxNode, kind: SyntaxKind) -> Vec<TextRange> {
    let tokens = root.descendants_with_tokens().filter(|it| it.kind() == kind);
    tokens.map(|it| TextRange::empty(it.text_range().start + 1)).collect()
}

fn double_quoted(root: &SyntaxNode) -> Vec<TextRange> {
    strings(root, DQ_STRING)
}

fn single_quoted(root: &SyntaxNode) -> Vec<TextRange> {
    strings(root, SQ_STRING)
}

/// Reads the text files below a folder of modules into an environment with further settings.
fn read_modules(folder: &Path, settings: &str) -> TestWorkspace {
    let mut workspace = TestWorkspace::empty();
    let header = format!("{ENVIRONMENT}{settings}\n//- /modules/none.pp\n");
    let mut batch = fixture_batch(&Fixture::parse(&header), true);
    let mut paths = Vec::new();
    collect(folder, &mut paths);
    paths.sort();
    for path in paths {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let relative = path.strip_prefix(folder).unwrap_or(&path);
        let Some(path) = FilePath::from_native(&format!("/modules/{}", relative.display())) else { continue };
        batch.disk.push((path, DiskState::Text(text.as_str().into())));
    }
    workspace.apply(batch);
    workspace
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        if path.is_dir() {
            collect(&path, paths);
        } else if matches!(extension, "pp" | "epp" | "erb" | "rb" | "yaml" | "json") {
            paths.push(path);
        }
    }
}

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).ok().and_then(|it| it.parse().ok()).unwrap_or(default)
}

/// Shuffles positions with a xorshift generator.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for index in (1..items.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        items.swap(index, (state % (index as u64 + 1)) as usize);
    }
}

/// Runs `work` with the stack that evaluation needs.
fn on_deep_stack(work: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, work);
        if let Err(panic) = thread.expect("a thread").join() {
            std::panic::resume_unwind(panic);
        }
    });
}
