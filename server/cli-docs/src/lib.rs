//! The command `docs`: reference pages of modules, as puppet-strings writes them, and as HTML.
//!
//! `platforms` compiles the classes of a module for the defaults of their parameters; only HTML has them.

mod platforms;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use catalog_view::text::plural;
use disk::config::Config;
use reference::{ModuleFile, ModuleReference};

use cli_common::files::{self, FileFailure, display_path};
use cli_common::{ColorChoice, CommandOutcome, terminal, workspace};

/// Names of the pages in the folder of a module.
const PAGE: &str = "REFERENCE.md";
const HTML_PAGE: &str = "REFERENCE.html";

/// Exit codes and examples of the command's help.
pub const EXAMPLES: &str = "\
Exit codes:
  0  written, or up to date with --check
  1  --check: `REFERENCE.md` is missing or out of date
  2  usage error, or unreadable or unwritable file
  3  some definitions cannot be documented

Examples:
  puppet-analyzer docs
  puppet-analyzer docs --check modules/profile
  puppet-analyzer docs --format html modules/profile
  puppet-analyzer docs --format json --output reference.json modules/profile";

/// Pages to write or to check.
#[derive(Debug)]
pub struct DocsRequest {
    /// Folders of modules.
    pub modules: Vec<PathBuf>,
    pub format: DocsFormat,
    /// File to write, or `-` for standard output.
    pub output: Option<PathBuf>,
    /// True to check the Markdown page instead of writing it.
    pub check: bool,
}

/// Format of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DocsFormat {
    Markdown,
    Json,
    Html,
}

/// Writes or checks the pages.
///
/// # Errors
/// Fails for unreadable modules and unwritable files.
pub fn run(request: &DocsRequest, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    files::on_deep_stack(|| document(request, color))?
}

fn document(request: &DocsRequest, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    if request.output.is_some() && request.modules.len() > 1 {
        bail!("`--output` requires exactly one module");
    }
    let mut outcome = CommandOutcome::Clean;
    for module in &request.modules {
        let reference = read(module)?;
        if request.check {
            outcome = worse(outcome, check(module, &reference)?);
        } else {
            write(request, module, &reference)?;
        }
        // A page that lacks definitions is neither complete nor known to be up to date.
        for omitted in &reference.omitted {
            let folder = display_path(module);
            terminal::print_warning(color, &format!("{folder}/{omitted}: not documented"));
            outcome = worse(outcome, CommandOutcome::Inconclusive);
        }
    }
    Ok(outcome)
}

/// Returns the outcome of a run with these two parts.
fn worse(a: CommandOutcome, b: CommandOutcome) -> CommandOutcome {
    if a == CommandOutcome::Clean || b == CommandOutcome::Findings { b } else { a }
}

fn read(module: &Path) -> anyhow::Result<ModuleReference> {
    let paths = [module.to_owned()];
    if !module.is_dir() {
        bail!("no folder `{}`", display_path(module));
    }
    let config = Config::load(&workspace::settings_folder(&paths))?;
    let trusted = config.trusted(&paths);
    let has_code = |it: &Path| it.extension().is_some_and(|it| it == "pp" || it == "rb" || it == "json");
    let (found, mut failures) = files::find_files(&paths, &config.settings.excluded_paths, has_code);
    let mut texts = Vec::new();
    for path in found {
        let relative = path.strip_prefix(module).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        if ModuleReference::reads(&relative) {
            match files::read_found_text(&path, &trusted) {
                Ok(text) => texts.push((relative, text)),
                Err(failure) => failures.push(failure),
            }
        }
    }
    if let Some(FileFailure { path, reason, .. }) = failures.first() {
        bail!("cannot read `{}`: {reason}", display_path(path));
    }
    let files = texts.iter().map(|(path, text)| ModuleFile { path, text });
    let reference = ModuleReference::read(files);
    if reference.is_empty() && reference.omitted.is_empty() {
        let folder = display_path(module);
        bail!(
            "`{folder}` has nothing to document\nhelp: name the folder of a module, which contains `manifests`"
        );
    }
    Ok(reference)
}

fn write(request: &DocsRequest, module: &Path, reference: &ModuleReference) -> anyhow::Result<()> {
    let text = match request.format {
        DocsFormat::Markdown => reference.markdown(),
        DocsFormat::Json => serde_json::to_string_pretty(&reference.json())? + "\n",
        DocsFormat::Html => {
            let platforms = platforms::defaults(module, reference)?;
            reference.html(&title(module), &platforms)
        }
    };
    let output = match (&request.output, request.format) {
        (Some(output), _) => output.clone(),
        (None, DocsFormat::Markdown) => module.join(PAGE),
        (None, DocsFormat::Html) => module.join(HTML_PAGE),
        (None, DocsFormat::Json) => PathBuf::from("-"),
    };
    if output == Path::new("-") {
        return Ok(terminal::print_text(&text, false)?);
    }
    let name = display_path(&output);
    files::write(&output, text.as_bytes()).with_context(|| format!("cannot write `{name}`"))?;
    Ok(terminal::print_text(&format!("{name}: {}\n", summary(reference)), false)?)
}

/// Returns the name of a module in its `metadata.json`, or of its folder.
fn title(module: &Path) -> String {
    let text = disk::path_policy::read_regular_text(&module.join("metadata.json"), disk::MAX_FILE_SIZE);
    let metadata: Option<serde_json::Value> = text.ok().and_then(|it| serde_json::from_str(&it).ok());
    let name = metadata.as_ref().and_then(|it| it.get("name")?.as_str()).map(str::to_owned);
    let folder = || std::path::absolute(module).ok()?.file_name()?.to_str().map(str::to_owned);
    name.or_else(folder).unwrap_or_else(|| "Module".to_owned())
}

/// Returns how much is documented: `3 classes, 1 function`.
fn summary(reference: &ModuleReference) -> String {
    let counts = [
        (reference.classes.len(), "class", "classes"),
        (reference.defined_types.len(), "defined type", "defined types"),
        (reference.resource_types.len(), "resource type", "resource types"),
        (reference.functions.len(), "function", "functions"),
        (reference.type_aliases.len(), "data type", "data types"),
        (reference.tasks.len(), "task", "tasks"),
        (reference.plans.len(), "plan", "plans"),
    ];
    let counts = counts.iter().filter(|(count, ..)| *count > 0);
    let text = counts.map(|(count, one, many)| plural(*count, one, many)).collect::<Vec<_>>().join(", ");
    if text.is_empty() { "nothing".to_owned() } else { text }
}

fn check(module: &Path, reference: &ModuleReference) -> anyhow::Result<CommandOutcome> {
    let path = module.join(PAGE);
    let name = display_path(&path);
    let expected = reference.markdown();
    let (message, outcome) = match std::fs::read(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            (format!("{name}: missing; `puppet-analyzer docs` writes it\n"), CommandOutcome::Findings)
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read `{name}`")),
        Ok(found) => match first_difference(&expected, &String::from_utf8_lossy(&found)) {
            Some((line, expected)) => {
                let expected = match expected {
                    Some(expected) => format!("expected `{expected}`"),
                    None => "expected the end of the file".to_owned(),
                };
                let advice = "`puppet-analyzer docs` updates it";
                (format!("{name}:{line}: out of date: {expected}; {advice}\n"), CommandOutcome::Findings)
            }
            None => (format!("{name}: up to date\n"), CommandOutcome::Clean),
        },
    };
    terminal::print_text(&message, false)?;
    Ok(outcome)
}

/// Returns the number of the first line that differs, from 1, with the expected line; `None` for equal texts.
/// Line endings are those of the checkout, and do not matter.
fn first_difference<'t>(expected: &'t str, found: &str) -> Option<(usize, Option<&'t str>)> {
    let (mut expected, mut found) = (expected.lines(), found.lines());
    (1..)
        .map_while(|line| match (expected.next(), found.next()) {
            (None, None) => None,
            (a, b) => Some((line, a, a == b)),
        })
        .find(|(_, _, is_equal)| !is_equal)
        .map(|(line, expected, _)| (line, expected))
}
