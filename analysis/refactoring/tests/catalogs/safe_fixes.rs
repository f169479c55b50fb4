//! Safe fixes preserve catalogs: all safe fixes of a manifest are applied, as `check --fix` does, and its
//! classes and defined types are compiled before and after.
//!
//! `SAFE_FIXES` is the number of changed manifests to compare in `PUPPET_CORPUS` (60 by default).

use std::path::PathBuf;
use std::sync::Arc;

use check::{FixData, rule_table};
use project::testing::TestWorkspace;
use project::vfs::{ChangeBatch, DiskState};
use project::{File, LintLevel};
use refactoring::SourceEdit;
use syntax::AstNode;
use syntax::ast::Definition;

use super::{
    ENVIRONMENT, Workspace, apply_edits, changed_lines, entries, number, on_deep_stack, read_modules, shuffle,
};

/// Maximum number of rounds. Fixes that touch others are applied in a later round.
const MAX_ROUNDS: usize = 10;

/// Module with findings of many rules.
const MODULE: &str = r#"
//- /modules/web/metadata.json
{ "name": "me-web", "version": "1.0.0", "operatingsystem_support": [
  { "operatingsystem": "Debian", "operatingsystemrelease": ["12"] }
] }
//- /modules/web/manifests/init.pp
class web ($port = "80", $w = { "os" => { "family" => "Deb" } }, $user = undef) {
  # a variable and the text after it
  notify { "access": message => "$w[os][family] ${w['os']}" }
  notify { "method": message => "$port.length" }
  notify { "name": message => "${port}" }
  notify { "plain": message => "text with 'quotes' and \$dollar" }
  notify { "escaped": message => "tab\tand\\backslash" }
  file { "/tmp/a":
    mode => "0644",
      owner=>$user,
    ensure => present,
    content => "$port\n"
  }
  file { "/tmp/b": ensure => "link", target => "/tmp/a" ; "/tmp/c": ensure => file }
  if $::osfamily == "Debian" { notify { "debian": } } else { notify { "other": } }
  $selected = $port ? { "80" => "http", default => "other" }
  notify { "selected ${selected}": }
  $list = [ "a","b" ]
  $list.each |$it| { notify { "item $it": } }
  notify { "ids $title-$port $user $::fqdn": }
  notify { "unquoted-$port": message => "$::{port}" }
  /* a comment
   * of two lines */
  Notify["plain"] -> Notify["name"]
}
//- /modules/web/manifests/thing.pp
define web::thing ($path, $ensure = "present") {
  file { "$path": ensure => $ensure, mode => 644 }
  notify { "${title} is in ${path}": tag => ["a", "b"], }
}
"#;

#[test]
fn safe_fixes_preserve_catalogs() {
    on_deep_stack(|| {
        let module = format!("{ENVIRONMENT}{}{MODULE}", all_rules());
        let (changed, compared) = compare(&mut Workspace::new(TestWorkspace::new(&module)), usize::MAX);
        assert!(changed == 2 && compared == 2, "{changed} files changed, {compared} definitions compared");
        match std::env::var_os("PUPPET_CORPUS").map(PathBuf::from) {
            Some(folder) => {
                let count = number("SAFE_FIXES", 60);
                compare(&mut Workspace::new(read_modules(&folder, &all_rules())), count);
            }
            None => println!("skipped: PUPPET_CORPUS names no folder with modules"),
        }
    });
}

/// Returns the environment setting that turns on the rules that are off by default.
fn all_rules() -> String {
    let off = rule_table().iter().filter(|rule| rule.level() == LintLevel::Off);
    let levels: Vec<String> = off.map(|rule| format!("{}:warning", rule.code)).collect();
    format!(" lint={}", levels.join(","))
}

/// Fixes up to `count` manifests that have safe fixes. Returns the number of fixed manifests and compared
/// definitions.
fn compare(workspace: &mut Workspace, count: usize) -> (usize, usize) {
    let mut files = workspace.files.clone();
    shuffle(&mut files, number("REFACTORING_SEED", 1) as u64);
    let (mut changed, mut compared) = (0, 0);
    let mut differences = Vec::new();
    for file in files {
        if changed == count {
            break;
        }
        let Some(before) = compile_all(workspace, file) else { continue };
        let original = project::text(&workspace.inner.db, file).expect("a text");
        let fixed = fix(workspace, file);
        if fixed == original {
            continue;
        }
        changed += 1;
        for ((name, before), (_, after)) in
            before.iter().zip(compile_all(workspace, file).unwrap_or_default())
        {
            let Some(before) = before else { continue };
            compared += 1;
            let (before, after) = (with_modes(before), with_modes(after.as_deref().unwrap_or("fails")));
            if before != after {
                let path = file.path(&workspace.inner.db);
                let (texts, catalogs) = (changed_lines(&original, &fixed), changed_lines(&before, &after));
                differences.push(format!("=== {name} in {path}\n{texts}--- catalogs\n{catalogs}"));
            }
        }
        set_text(workspace, file, original);
    }
    println!(
        "safe fixes: {changed} manifests fixed, {compared} definitions compiled, {} differences",
        differences.len()
    );
    differences.truncate(10);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    (changed, compared)
}

/// Compiles the classes and defined types of a manifest; `None` if it has none.
fn compile_all(workspace: &Workspace, file: File) -> Option<Vec<(String, Option<String>)>> {
    let root = project::parse(&workspace.inner.db, file).syntax();
    let definitions = root.descendants().filter_map(Definition::cast);
    let mut found: Vec<_> = definitions.flat_map(|it| entries(&root, it.syntax().text_range())).collect();
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    found.dedup_by(|(a, _), (b, _)| a == b);
    let compiled = found.into_iter().map(|(name, entry)| (name, workspace.compile(file, &entry, false)));
    Some(compiled.collect::<Vec<_>>()).filter(|it| !it.is_empty())
}

/// Applies all safe fixes and returns the text. A round that does not parse is undone.
fn fix(workspace: &mut Workspace, file: File) -> Arc<str> {
    let mut text = project::text(&workspace.inner.db, file).expect("a text");
    for _ in 0..MAX_ROUNDS {
        let edits = safe_edits(workspace, file);
        let mut next = text.to_string();
        apply_edits(&mut next, &edits);
        if *next == *text {
            break;
        }
        let before = std::mem::replace(&mut text, next.into());
        set_text(workspace, file, text.clone());
        if !project::parse(&workspace.inner.db, file).errors().is_empty() {
            set_text(workspace, file, before.clone());
            return before;
        }
    }
    text
}

/// Returns the edits of the safe fixes, without those that touch others.
fn safe_edits(workspace: &Workspace, file: File) -> Vec<SourceEdit> {
    let mut taken: Vec<SourceEdit> = Vec::new();
    for diagnostic in check::fixable_diagnostics(&workspace.inner.db, file) {
        let Some(FixData::Edits { edits, is_safe: true, .. }) = diagnostic.data else { continue };
        let touches = |range: syntax::TextRange| taken.iter().any(|it| it.range.intersects_or_touches(range));
        if !edits.iter().any(|(range, _)| touches(*range)) {
            taken.extend(
                edits.iter().map(|(range, text)| SourceEdit { range: *range, text: text.to_string() }),
            );
        }
    }
    taken.sort_by_key(|it| (it.range.start, it.range.end));
    taken
}

/// Returns a formatted catalog in which `644`, `'644'`, and `'0644'` are the same mode: fixes only change the
/// notation.
fn with_modes(catalog: &str) -> String {
    let mut out = String::new();
    let mut rest = catalog;
    while let Some((before, after)) = rest.split_once("\"mode=") {
        let (value, end) = after.split_once(")\"").unwrap_or((after, ""));
        let digits: String = value.chars().filter(char::is_ascii_digit).collect();
        let is_octal = ["Integer(", "String("].iter().any(|it| value.starts_with(it)) && !digits.is_empty();
        let shown = if is_octal { format!("{digits:0>4}") } else { value.to_owned() };
        out.push_str(&format!("{before}\"mode={shown})\""));
        rest = end;
    }
    out + rest
}

fn set_text(workspace: &mut Workspace, file: File, text: Arc<str>) {
    let path = file.path(&workspace.inner.db).clone();
    let disk = vec![(path, DiskState::Text(text))];
    workspace.inner.apply(ChangeBatch { disk, ..ChangeBatch::default() });
}
