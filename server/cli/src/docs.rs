//! Arguments of `docs`.

use std::path::PathBuf;

use clap::ValueEnum;
use cli_docs::DocsRequest;

use super::{ColorChoice, CommandOutcome};

pub(super) use cli_docs::EXAMPLES;

#[derive(clap::Args, Debug)]
pub(super) struct DocsArguments {
    /// Folders of modules
    #[arg(value_name = "MODULE", default_value = ".")]
    modules: Vec<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t = PageFormat::Markdown)]
    format: PageFormat,

    /// File to write, or `-` for standard output [default: `REFERENCE.md` or `REFERENCE.html` in the folder
    /// of the module, and standard output for JSON]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Report whether `REFERENCE.md` is up to date instead of writing it
    #[arg(long, conflicts_with_all = ["output", "format"])]
    check: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum PageFormat {
    /// `REFERENCE.md`
    Markdown,
    /// The JSON document of puppet-strings
    Json,
    /// A self-contained page, with the defaults of class parameters on each platform
    Html,
}

impl From<PageFormat> for cli_docs::DocsFormat {
    fn from(format: PageFormat) -> cli_docs::DocsFormat {
        match format {
            PageFormat::Markdown => cli_docs::DocsFormat::Markdown,
            PageFormat::Json => cli_docs::DocsFormat::Json,
            PageFormat::Html => cli_docs::DocsFormat::Html,
        }
    }
}

pub(super) fn run(arguments: DocsArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let DocsArguments { modules, format, output, check } = arguments;
    cli_docs::run(&DocsRequest { modules, format: format.into(), output, check }, color)
}
