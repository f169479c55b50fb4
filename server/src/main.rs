//! Entry point: dispatches the command line and starts the language server.

use std::process::ExitCode;

use cli::ServerCommand;
use lsp::LspOptions;

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: measure::Counted<tikv_jemallocator::Jemalloc> =
    measure::Counted(tikv_jemallocator::Jemalloc);

#[cfg(not(target_os = "linux"))]
#[global_allocator]
static ALLOCATOR: measure::Counted<mimalloc::MiMalloc> = measure::Counted(mimalloc::MiMalloc);

fn main() -> ExitCode {
    cli::run(std::env::args_os(), |command| match command {
        ServerCommand::Lsp { log, profile, record } => lsp::run(&LspOptions { log, profile, record }),
        ServerCommand::Replay { file } => lsp::replay(&file),
    })
}
