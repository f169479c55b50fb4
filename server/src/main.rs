//! The program: the command line, and the servers that it starts.

use std::process::ExitCode;

use cli::ServerCommand;
use lsp::LspOptions;

fn main() -> ExitCode {
    cli::run(std::env::args_os(), |command| match command {
        ServerCommand::Lsp { log, profile, record } => lsp::run(&LspOptions { log, profile, record }),
        ServerCommand::Replay { file } => lsp::replay(&file),
    })
}
