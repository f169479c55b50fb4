//! Request handlers, one file per feature: convert the parameters, query `ide`, convert the result.

mod add_dependency;
mod call_hierarchy;
mod catalog;
mod catalog_graph;
mod code_actions;
mod code_lenses;
pub(crate) mod commands;
mod completion;
mod definition;
pub(crate) mod diagnostics;
mod document_highlights;
mod document_links;
mod document_symbols;
mod documents;
mod environments;
mod evaluate;
mod file_changes;
mod file_text;
mod folding_ranges;
mod formatting;
mod hover;
mod inlay_hints;
mod locations;
mod references;
mod rename;
mod selection_ranges;
pub(crate) mod semantic_tokens;
mod show_commands;
mod signature_help;
mod syntax_tree;
mod type_hierarchy;
mod workspace;
pub(crate) mod workspace_diagnostics;
mod workspace_symbols;

use tower_lsp::LspServiceBuilder;
use tower_lsp::jsonrpc::Result;

use crate::Server;

/// Registers the handlers of all methods. `tower-lsp` responds to unknown methods with an error.
pub(crate) fn register(builder: LspServiceBuilder<Server>) -> LspServiceBuilder<Server> {
    register_extensions(builder)
        .custom_method("textDocument/didOpen", documents::open)
        .custom_method("textDocument/didChange", documents::change)
        .custom_method("textDocument/didSave", documents::save)
        .custom_method("textDocument/didClose", documents::close)
        .custom_method("textDocument/diagnostic", diagnostics::diagnostics)
        .custom_method("workspace/diagnostic", workspace_diagnostics::workspace_diagnostics)
        .custom_method("textDocument/documentSymbol", document_symbols::document_symbols)
        .custom_method("textDocument/foldingRange", folding_ranges::folding_ranges)
        .custom_method("textDocument/formatting", formatting::document)
        .custom_method("textDocument/rangeFormatting", formatting::range)
        .custom_method("textDocument/rangesFormatting", formatting::ranges)
        .custom_method("textDocument/onTypeFormatting", formatting::on_type)
        .custom_method("textDocument/hover", hover::hover)
        .custom_method("textDocument/completion", completion::completion)
        .custom_method("completionItem/resolve", completion::resolve)
        .custom_method("textDocument/signatureHelp", signature_help::signature_help)
        .custom_method("textDocument/definition", definition::definition)
        .custom_method("textDocument/declaration", definition::declaration)
        .custom_method("textDocument/typeDefinition", definition::type_definition)
        .custom_method("textDocument/implementation", definition::implementation)
        .custom_method("textDocument/references", references::references)
        .custom_method("textDocument/documentHighlight", document_highlights::document_highlights)
        .custom_method("textDocument/documentLink", document_links::document_links)
        .custom_method("textDocument/codeAction", code_actions::code_actions)
        .custom_method("codeAction/resolve", code_actions::resolve)
        .custom_method("textDocument/codeLens", code_lenses::code_lenses)
        .custom_method("codeLens/resolve", code_lenses::resolve)
        .custom_method("textDocument/prepareCallHierarchy", call_hierarchy::prepare)
        .custom_method("callHierarchy/incomingCalls", call_hierarchy::incoming)
        .custom_method("callHierarchy/outgoingCalls", call_hierarchy::outgoing)
        .custom_method("textDocument/prepareTypeHierarchy", type_hierarchy::prepare)
        .custom_method("typeHierarchy/supertypes", type_hierarchy::supertypes)
        .custom_method("typeHierarchy/subtypes", type_hierarchy::subtypes)
        .custom_method("textDocument/prepareRename", rename::prepare)
        .custom_method("textDocument/rename", rename::rename)
        .custom_method("workspace/willRenameFiles", rename::will_rename_files)
        .custom_method("workspace/willCreateFiles", file_changes::will_create)
        .custom_method("workspace/willDeleteFiles", file_changes::will_delete)
        .custom_method("workspace/didCreateFiles", file_changes::did_create)
        .custom_method("workspace/executeCommand", commands::execute)
        .custom_method("workspace/symbol", workspace_symbols::workspace_symbols)
        .custom_method("textDocument/inlayHint", inlay_hints::inlay_hints)
        .custom_method("inlayHint/resolve", inlay_hints::resolve)
        .custom_method("textDocument/selectionRange", selection_ranges::selection_ranges)
        .custom_method("textDocument/semanticTokens/full", semantic_tokens::full)
        .custom_method("textDocument/semanticTokens/full/delta", semantic_tokens::delta)
        .custom_method("textDocument/semanticTokens/range", semantic_tokens::range)
        .custom_method("workspace/didChangeConfiguration", workspace::configuration)
        .custom_method("workspace/didChangeWatchedFiles", workspace::watched_files)
        .custom_method("workspace/didChangeWorkspaceFolders", workspace::folders)
        .custom_method("window/workDoneProgress/cancel", workspace::cancel_progress)
}

/// Registers the handlers of protocol extensions.
fn register_extensions(builder: LspServiceBuilder<Server>) -> LspServiceBuilder<Server> {
    builder
        .custom_method("puppet-analyzer/evaluate", evaluate::evaluate)
        .custom_method("puppet-analyzer/syntaxTree", syntax_tree::syntax_tree)
        .custom_method("puppet-analyzer/catalog", catalog::catalog)
        .custom_method("puppet-analyzer/catalogGraph", catalog_graph::catalog_graph)
        .custom_method("puppet-analyzer/environments", environments::environments)
        .custom_method("puppet-analyzer/facts", environments::facts)
        .custom_method("puppet-analyzer/fileText", file_text::file_text)
        .custom_method("puppet-analyzer/waitUntilIdle", wait_until_idle)
        .custom_method("puppet-analyzer/waitUntilPublished", wait_until_published)
}

/// Handles `puppet-analyzer/waitUntilIdle`, a protocol extension for tests and replays.
async fn wait_until_idle(server: &Server) -> Result<()> {
    server.wait_until_idle().await
}

/// Handles `puppet-analyzer/waitUntilPublished`, a protocol extension for tests: diagnostics that are withheld
/// while the user types stay withheld.
async fn wait_until_published(server: &Server) -> Result<()> {
    server.wait_until_published().await
}
