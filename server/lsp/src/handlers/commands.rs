//! `workspace/executeCommand`.

use lsp_types::{ExecuteCommandParams, LspAny};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use tower_lsp::jsonrpc::{Error, Result};

use super::{add_dependency, show_commands};
use crate::{Server, server_commands};

pub(super) async fn execute(server: &Server, params: ExecuteCommandParams) -> Result<Option<LspAny>> {
    let command = params.command.as_str();
    let argument = params.arguments.into_iter().flatten().next().unwrap_or_default();
    match command {
        server_commands::ADD_DEPENDENCY => add_dependency::execute(server, argument).await.map(|()| None),
        server_commands::SHOW_CATALOG => {
            result(&show_commands::show_catalog(server, parsed(command, argument)?).await?)
        }
        server_commands::SHOW_GRAPH => {
            result(&show_commands::show_graph(server, parsed(command, argument)?).await?)
        }
        server_commands::EVALUATE => {
            result(&show_commands::evaluate(server, parsed(command, argument)?).await?)
        }
        _ => Err(Error::invalid_params(format!("unknown command `{command}`"))),
    }
}

/// Parses the argument of a command. A user may enter the command without one.
fn parsed<T: DeserializeOwned>(command: &str, argument: LspAny) -> Result<T> {
    let argument = if argument.is_null() { json!({}) } else { argument };
    serde_json::from_value(argument)
        .map_err(|error| Error::invalid_params(format!("invalid argument of `{command}`: {error}")))
}

fn result(answer: &impl Serialize) -> Result<Option<LspAny>> {
    serde_json::to_value(answer).map(Some).map_err(|_| Error::internal_error())
}
