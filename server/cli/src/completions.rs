//! `completions`: completion scripts for shells.

use clap::CommandFactory;

use super::{CommandLine, CommandOutcome, terminal};

pub(super) const EXAMPLES: &str = "\
Examples:
  puppet-analyzer completions bash > ~/.local/share/bash-completion/completions/puppet-analyzer
  puppet-analyzer completions zsh > ~/.zfunc/_puppet-analyzer
  puppet-analyzer completions fish > ~/.config/fish/completions/puppet-analyzer.fish";

/// Prints the completion script for a shell.
pub(super) fn run(shell: clap_complete::Shell) -> anyhow::Result<CommandOutcome> {
    let mut program = CommandLine::command();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, "puppet-analyzer", &mut script);
    let mut script = String::from_utf8(script)?;
    match shell {
        // clap_complete derives two different names from a program name with a hyphen, so that nothing after a
        // command would be completed.
        clap_complete::Shell::Bash => script = script.replace("puppet__subcmd__analyzer", "puppet__analyzer"),
        clap_complete::Shell::Fish => script += &fish_values(&program),
        _ => {}
    }
    terminal::print_bytes(script.as_bytes())?;
    Ok(CommandOutcome::Clean)
}

/// Returns completions of the values of positional arguments, which clap_complete does not generate for fish.
fn fish_values(program: &clap::Command) -> String {
    let mut lines = String::new();
    for command in program.get_subcommands() {
        let values = command.get_positionals().flat_map(clap::Arg::get_possible_values);
        for value in values {
            let (command, value) = (command.get_name(), value.get_name());
            let condition = format!("__fish_puppet_analyzer_using_subcommand {command}");
            lines += &format!("complete -c puppet-analyzer -n \"{condition}\" -f -a \"{value}\"\n");
        }
    }
    lines
}
