//! Zed extension: starts the server from the `PATH`, or the one in the settings.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, serde_json, Command, LanguageServerId, Result, Worktree};

struct PuppetAnalyzer;

impl zed::Extension for PuppetAnalyzer {
    fn new() -> PuppetAnalyzer {
        PuppetAnalyzer
    }

    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let binary = LspSettings::for_worktree(id.as_ref(), worktree)?.binary;
        let (path, arguments) = binary.map_or((None, None), |it| (it.path, it.arguments));
        let command = path
            .or_else(|| worktree.which("puppet-analyzer"))
            .ok_or("`puppet-analyzer` not found; put it on the `PATH` or set `lsp.puppet-analyzer.binary.path`")?;
        let args = arguments.unwrap_or_else(|| vec!["lsp".to_owned()]);
        Ok(Command { command, args, env: worktree.shell_env() })
    }

    fn language_server_initialization_options(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        Ok(LspSettings::for_worktree(id.as_ref(), worktree)?.initialization_options)
    }

    fn language_server_workspace_configuration(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        let settings = LspSettings::for_worktree(id.as_ref(), worktree)?.settings;
        Ok(settings.map(|it| serde_json::json!({ "puppet-analyzer": it })))
    }
}

zed::register_extension!(PuppetAnalyzer);
