//! Command that adds a module to `metadata.json`, after a completion from that module.

use ide::Cancellable;
use lsp_types::{Command, LspAny, Uri, WorkspaceEdit};
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::{Error, Result};

use super::rename::workspace_edit;
use crate::server_commands::ADD_DEPENDENCY;
use crate::{RequestFile, Server, Snapshot};

/// Argument of [`ADD_DEPENDENCY`].
#[derive(Deserialize, Serialize)]
struct AddDependencyArgument {
    /// File of the module that gets the dependency.
    uri: Uri,
    /// Name of the required module, without its author.
    module: String,
}

/// Returns the command that a client executes after it accepted a completion.
pub(super) fn command(uri: &Uri, module: &str) -> Command {
    let argument = AddDependencyArgument { uri: uri.clone(), module: module.to_owned() };
    Command {
        title: format!("Add dependency `{module}` to `metadata.json`"),
        tooltip: None,
        command: ADD_DEPENDENCY.to_owned(),
        arguments: Some(serde_json::to_value(argument).into_iter().collect()),
    }
}

pub(super) async fn execute(server: &Server, argument: LspAny) -> Result<()> {
    let AddDependencyArgument { uri, module } = serde_json::from_value(argument)
        .map_err(|error| Error::invalid_params(format!("invalid argument of `{ADD_DEPENDENCY}`: {error}")))?;
    let request = move |snapshot: &Snapshot, file: &RequestFile| edit(snapshot, file, &module);
    if let Some(edit) = server.ask("workspace/executeCommand", &uri, request).await?.flatten() {
        server.apply_edit(edit);
    }
    Ok(())
}

fn edit(snapshot: &Snapshot, file: &RequestFile, module: &str) -> Cancellable<Option<WorkspaceEdit>> {
    match snapshot.analysis.add_dependency(file.id, module)? {
        Some(change) => workspace_edit(snapshot, change).map(Some),
        None => Ok(None),
    }
}
