//! Client capabilities that matter here, and the capabilities of the server.

use lsp_types::{
    ChangeNotifications, ClientCapabilities, CodeActionKind, CodeActionOptions, CodeLensOptions,
    CompletionClientCapabilities, CompletionOptions, DiagnosticOptions, DiagnosticProvider,
    DocumentLinkOptions, DocumentOnTypeFormattingOptions, DocumentRangeFormattingOptions,
    ExecuteCommandOptions, FileOperationFilter, FileOperationOptions, FileOperationPattern,
    FileOperationPatternKind, FileOperationRegistrationOptions, Full, InitializeParams, InitializeResult,
    InlayHintOptions, MarkupKind, RenameOptions, ResourceOperationKind, SaveOptions, SemanticTokensFullDelta,
    SemanticTokensLegend, SemanticTokensOptions, SemanticTokensOptionsRange, ServerCapabilities, ServerInfo,
    SignatureHelpOptions, TextDocumentSync, TextDocumentSyncKind, TextDocumentSyncOptions,
    WorkspaceFoldersServerCapabilities, WorkspaceOptions,
};
use syntax::ColumnUnit;

use crate::server_commands::COMMANDS;
use crate::{convert, semantic_tokens};

/// Features of a client. The default is a client without any capabilities.
#[derive(Clone, Debug)]
pub(crate) struct ClientFeatures {
    pub(crate) column_unit: ColumnUnit,
    /// The client pulls diagnostics and supports refresh requests, so diagnostics are not pushed.
    pub(crate) pulls_diagnostics: bool,
    pub(crate) shows_related_information: bool,
    pub(crate) shows_symbol_trees: bool,
    /// The client accepts `LocationLink`s, which include the range of the origin.
    pub(crate) follows_links: bool,
    /// The client supports versioned `documentChanges`.
    pub(crate) changes_documents: bool,
    /// The client can rename files in a workspace edit.
    pub(crate) renames_files: bool,
    /// The client requests the edit of a code action when the user chooses it.
    pub(crate) resolves_code_actions: bool,
    /// The client can create files in a workspace edit.
    pub(crate) creates_files: bool,
    /// The client reports files only before it creates them.
    pub(crate) announces_new_files_only: bool,
    /// The client has the command [`SHOW_REFERENCES`].
    pub(crate) shows_references: bool,
    /// The client has the command [`SHOW_CATALOG`]; `shows_graphs` is the same for [`SHOW_GRAPH`].
    pub(crate) shows_catalogs: bool,
    pub(crate) shows_graphs: bool,
    /// The client supports `window/showDocument`.
    pub(crate) shows_documents: bool,
    pub(crate) refreshes_code_lenses: bool,
    pub(crate) folds_whole_lines_only: bool,
    pub(crate) max_folding_ranges: usize,
    pub(crate) tokens_may_span_lines: bool,
    /// The client has a detailed grammar, which lexical tokens would override.
    pub(crate) has_grammar: bool,
    /// The client renders Markdown in hovers; otherwise they are sent as plain text.
    pub(crate) hovers_in_markdown: bool,
    pub(crate) documents_in_markdown: bool,
    pub(crate) takes_snippets: bool,
    pub(crate) takes_commit_characters: bool,
    /// The client sends `textDocument/onTypeFormatting`, whose edits drop a second comma.
    pub(crate) formats_on_type: bool,
    /// The client requests completions a moment after a word was typed, wherever the cursor is by then, and does not
    /// distinguish this from a request by hand.
    pub(crate) completes_after_pauses: bool,
    /// The client has the command [`TRIGGER_SUGGEST`].
    pub(crate) lists_values: bool,
    /// The client can replace the whole word at the cursor instead of the part before it.
    pub(crate) takes_replacing_completions: bool,
    pub(crate) completion_defaults: CompletionDefaults,
    /// The client shows a description next to the label of a completion.
    pub(crate) shows_label_details: bool,
    pub(crate) marks_deprecated_completions: bool,
    /// The client locates parameters in a signature label by offset; otherwise by substring.
    pub(crate) takes_label_offsets: bool,
    pub(crate) refreshes_inlay_hints: bool,
    /// The client requests the edits of an inlay hint when the user accepts it.
    pub(crate) resolves_inlay_hints: bool,
    pub(crate) shows_progress: bool,
    pub(crate) answers_configuration: bool,
    pub(crate) registers_configuration: bool,
    pub(crate) registers_file_watchers: bool,
}

/// Properties of completion items that the client accepts once for a whole list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompletionDefaults {
    pub(crate) edit_range: bool,
    pub(crate) insert_text_format: bool,
    pub(crate) data: bool,
}

impl CompletionDefaults {
    fn new(completion: Option<&CompletionClientCapabilities>) -> CompletionDefaults {
        let list = completion.and_then(|it| it.completion_list.as_ref()?.item_defaults.as_deref());
        let has = |name: &str| list.is_some_and(|it| it.iter().any(|it| it == name));
        CompletionDefaults {
            edit_range: has("editRange"),
            insert_text_format: has("insertTextFormat"),
            data: has("data"),
        }
    }
}

impl ClientFeatures {
    /// Returns the features of a client with its capabilities, and with what only its name says.
    pub(crate) fn of_client(params: &InitializeParams) -> ClientFeatures {
        let info = params.client_info.as_ref();
        ClientFeatures {
            completes_after_pauses: info.is_some_and(|it| it.name == "helix"),
            ..ClientFeatures::new(&params.capabilities)
        }
    }

    pub(crate) fn new(client: &ClientCapabilities) -> ClientFeatures {
        let workspace = client.workspace.as_ref();
        let document = client.text_document.as_ref();
        let general = client.general.as_ref();
        let pull = document.and_then(|it| it.diagnostic.as_ref());
        let push = document.and_then(|it| it.publish_diagnostics.as_ref());
        let related = match pull {
            Some(pull) => pull.diagnostics_capabilities.related_information,
            None => push.and_then(|it| it.diagnostics_capabilities.related_information),
        };
        let folding = document.and_then(|it| it.folding_range.as_ref());
        let symbols = document.and_then(|it| it.document_symbol.as_ref());
        let edits = workspace.and_then(|it| it.workspace_edit.as_ref());
        let definition = document.and_then(|it| it.definition.as_ref());
        let tokens = document.and_then(|it| it.semantic_tokens.as_ref());
        let hover = document.and_then(|it| it.hover.as_ref());
        let completion = document.and_then(|it| it.completion.as_ref());
        let item = completion.and_then(|it| it.completion_item.as_ref());
        let signature = document.and_then(|it| it.signature_help.as_ref());
        let signature = signature.and_then(|it| it.signature_information.as_ref());
        let hints = workspace.and_then(|it| it.inlay_hint.as_ref());
        let lenses = workspace.and_then(|it| it.code_lens.as_ref());
        let refresh = workspace.and_then(|it| it.diagnostics.as_ref());
        let configuration = workspace.and_then(|it| it.did_change_configuration.as_ref());
        let watched_files = workspace.and_then(|it| it.did_change_watched_files.as_ref());
        let file_operations = workspace.and_then(|it| it.file_operations.as_ref());
        let operations = edits.and_then(|it| it.resource_operations.as_ref());
        ClientFeatures {
            column_unit: convert::column_unit(general.and_then(|it| it.position_encodings.as_deref())),
            pulls_diagnostics: pull.is_some() && is(refresh.and_then(|it| it.refresh_support)),
            shows_related_information: is(related),
            shows_symbol_trees: is(symbols.and_then(|it| it.hierarchical_document_symbol_support)),
            follows_links: is(definition.and_then(|it| it.link_support)),
            resolves_code_actions: resolves_code_actions(client),
            changes_documents: is(edits.and_then(|it| it.document_changes)),
            renames_files: operations.is_some_and(|it| it.contains(&ResourceOperationKind::Rename)),
            announces_new_files_only: file_operations
                .is_some_and(|it| is(it.will_create) && !is(it.did_create)),
            creates_files: operations.is_some_and(|it| it.contains(&ResourceOperationKind::Create)),
            completes_after_pauses: false,
            lists_values: has_command(client, TRIGGER_SUGGEST),
            shows_references: has_command(client, SHOW_REFERENCES),
            shows_catalogs: has_command(client, SHOW_CATALOG),
            shows_graphs: has_command(client, SHOW_GRAPH),
            shows_documents: client
                .window
                .as_ref()
                .and_then(|it| it.show_document.as_ref())
                .is_some_and(|it| it.support),
            refreshes_code_lenses: is(lenses.and_then(|it| it.refresh_support)),
            folds_whole_lines_only: is(folding.and_then(|it| it.line_folding_only)),
            max_folding_ranges: folding.and_then(|it| it.range_limit).map_or(usize::MAX, |it| it as usize),
            tokens_may_span_lines: is(tokens.and_then(|it| it.multiline_token_support)),
            has_grammar: has_grammar(client),
            hovers_in_markdown: accepts_markdown(hover.and_then(|it| it.content_format.as_deref())),
            documents_in_markdown: accepts_markdown(item.and_then(|it| it.documentation_format.as_deref())),
            takes_snippets: is(item.and_then(|it| it.snippet_support)),
            formats_on_type: document.is_some_and(|it| it.on_type_formatting.is_some()),
            takes_commit_characters: is(item.and_then(|it| it.commit_characters_support)),
            takes_replacing_completions: is(item.and_then(|it| it.insert_replace_support)),
            completion_defaults: CompletionDefaults::new(completion),
            shows_label_details: is(item.and_then(|it| it.label_details_support)),
            takes_label_offsets: is(signature
                .and_then(|it| it.parameter_information.as_ref())
                .and_then(|it| it.label_offset_support)),
            marks_deprecated_completions: item.is_some_and(|it| it.tag_support.is_some()),
            resolves_inlay_hints: resolves_inlay_hints(client),
            refreshes_inlay_hints: is(hints.and_then(|it| it.refresh_support)),
            shows_progress: is(client.window.as_ref().and_then(|it| it.work_done_progress)),
            answers_configuration: is(workspace.and_then(|it| it.configuration)),
            registers_configuration: is(configuration.and_then(|it| it.dynamic_registration)),
            registers_file_watchers: is(watched_files.and_then(|it| it.dynamic_registration)),
        }
    }
}

impl Default for ClientFeatures {
    fn default() -> ClientFeatures {
        ClientFeatures::new(&ClientCapabilities::default())
    }
}

/// Client command that shows a list of locations. Its arguments are those of VS Code's
/// `editor.action.showReferences`: a URI, a position, and locations.
pub(crate) const SHOW_REFERENCES: &str = "puppet-analyzer.showReferences";

/// Client commands that show the catalog of a class, as text and as a graph. Their argument is an object with
/// `class` and optionally `platform`.
pub(crate) const SHOW_CATALOG: &str = "puppet-analyzer.showCatalog";
pub(crate) const SHOW_GRAPH: &str = "puppet-analyzer.showGraph";

/// Client command of VS Code that requests completions at the cursor.
pub(crate) const TRIGGER_SUGGEST: &str = "editor.action.triggerSuggest";

/// Kind of the code action that fixes what a later version of Puppet breaks or changes in a file.
pub(crate) const SOURCE_UPGRADE: &str = "source.upgrade";

/// Returns whether the client announces a command in `experimental.commands.commands`, a list of names.
fn has_command(client: &ClientCapabilities, name: &str) -> bool {
    let experimental = client.experimental.as_ref().and_then(|it| serde_json::to_value(it).ok());
    let commands = experimental.as_ref().and_then(|it| it.pointer("/commands/commands")?.as_array());
    commands.is_some_and(|it| it.iter().any(|it| it == name))
}

/// Returns whether the client announces `experimental.grammar`. The standard `augmentsSyntaxTokens` is also set
/// by clients without a grammar for Puppet.
fn has_grammar(client: &ClientCapabilities) -> bool {
    let experimental = client.experimental.as_ref().and_then(|it| serde_json::to_value(it).ok());
    experimental.is_some_and(|it| it.pointer("/grammar") == Some(&serde_json::Value::Bool(true)))
}

/// Returns whether the client keeps the data of code actions and resolves their edits.
fn resolves_code_actions(client: &ClientCapabilities) -> bool {
    let actions = client.text_document.as_ref().and_then(|it| it.code_action.as_ref());
    actions.is_some_and(|it| {
        let resolved = it.resolve_support.as_ref().map(|it| &it.properties[..]).unwrap_or_default();
        is(it.data_support) && resolved.iter().any(|it| it == "edit")
    })
}

/// Returns whether the client keeps the data of inlay hints and resolves their edits.
fn resolves_inlay_hints(client: &ClientCapabilities) -> bool {
    let hints = client.text_document.as_ref().and_then(|it| it.inlay_hint.as_ref());
    let resolved = hints.and_then(|it| it.resolve_support.as_ref());
    resolved.is_some_and(|it| it.properties.iter().any(|it| it == "textEdits"))
}

fn is(capability: Option<bool>) -> bool {
    capability == Some(true)
}

/// Returns whether the client accepts Markdown, which is also assumed if it lists no formats.
fn accepts_markdown(formats: Option<&[MarkupKind]>) -> bool {
    formats.is_none_or(|formats| formats.contains(&MarkupKind::Markdown))
}

fn inlay_hint_options() -> InlayHintOptions {
    InlayHintOptions { resolve_provider: Some(true), ..InlayHintOptions::default() }
}

fn code_action_options() -> CodeActionOptions {
    CodeActionOptions {
        code_action_kinds: Some(vec![
            CodeActionKind::QuickFix,
            CodeActionKind::RefactorExtract,
            CodeActionKind::RefactorInline,
            CodeActionKind::RefactorRewrite,
            CodeActionKind::SourceFixAll,
            CodeActionKind::Source,
            CodeActionKind::from(SOURCE_UPGRADE),
        ]),
        resolve_provider: Some(true),
        ..CodeActionOptions::default()
    }
}

/// Builds the response to `initialize`.
pub(super) fn initialize_result(features: &ClientFeatures) -> InitializeResult {
    let capabilities = ServerCapabilities {
        position_encoding: Some(convert::position_encoding(features.column_unit)),
        text_document_sync: Some(TextDocumentSync::Options(synchronization_options())),
        document_symbol_provider: Some(true.into()),
        folding_range_provider: Some(true.into()),
        selection_range_provider: Some(true.into()),
        hover_provider: Some(true.into()),
        definition_provider: Some(true.into()),
        declaration_provider: Some(true.into()),
        type_definition_provider: Some(true.into()),
        implementation_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        document_link_provider: Some(DocumentLinkOptions::default()),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(true),
            ..CodeLensOptions::default()
        }),
        code_action_provider: Some(code_action_options().into()),
        call_hierarchy_provider: Some(true.into()),
        type_hierarchy_provider: Some(true.into()),
        workspace_symbol_provider: Some(true.into()),
        document_formatting_provider: Some(true.into()),
        document_range_formatting_provider: Some(
            DocumentRangeFormattingOptions {
                ranges_support: Some(true),
                ..DocumentRangeFormattingOptions::default()
            }
            .into(),
        ),
        document_on_type_formatting_provider: Some(on_type_formatting_options()),
        rename_provider: Some(
            RenameOptions { prepare_provider: Some(true), ..RenameOptions::default() }.into(),
        ),
        completion_provider: Some(completion_options()),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: COMMANDS.map(str::to_owned).into(),
            ..ExecuteCommandOptions::default()
        }),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(["(", ",", "{", ":", ">"].map(str::to_owned).into()),
            ..SignatureHelpOptions::default()
        }),
        inlay_hint_provider: Some(inlay_hint_options().into()),
        semantic_tokens_provider: Some(semantic_token_options().into()),
        diagnostic_provider: features
            .pulls_diagnostics
            .then(|| DiagnosticProvider::from(diagnostic_options())),
        workspace: Some(workspace_options(features)),
        experimental: Some(serde_json::json!({ "catalog": true })),
        ..ServerCapabilities::default()
    };
    let version = env!("CARGO_PKG_VERSION").to_owned();
    InitializeResult {
        capabilities,
        server_info: Some(ServerInfo { name: "puppet-analyzer".to_owned(), version: Some(version) }),
    }
}

fn on_type_formatting_options() -> DocumentOnTypeFormattingOptions {
    DocumentOnTypeFormattingOptions {
        first_trigger_character: "}".to_owned(),
        more_trigger_character: Some([")", "]", ">", "\n", ",", ";"].map(str::to_owned).into()),
    }
}

fn diagnostic_options() -> DiagnosticOptions {
    DiagnosticOptions {
        identifier: Some("puppet-analyzer".to_owned()),
        inter_file_dependencies: true,
        // Clients that see this capability poll the whole workspace every other second, even while the user
        // types. They may still send the request without it.
        workspace_diagnostics: false,
        ..DiagnosticOptions::default()
    }
}

fn semantic_token_options() -> SemanticTokensOptions {
    let (token_types, token_modifiers) = semantic_tokens::legend();
    SemanticTokensOptions {
        legend: SemanticTokensLegend { token_types, token_modifiers },
        range: Some(SemanticTokensOptionsRange::Bool(true)),
        full: Some(Full::SemanticTokensFullDelta(SemanticTokensFullDelta { delta: Some(true) })),
        ..SemanticTokensOptions::default()
    }
}

fn synchronization_options() -> TextDocumentSyncOptions {
    TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::Incremental),
        save: Some(SaveOptions { include_text: Some(false) }.into()),
        ..TextDocumentSyncOptions::default()
    }
}

fn completion_options() -> CompletionOptions {
    CompletionOptions {
        trigger_characters: Some(["$", ":", "'", "\"", "[", ".", "@", "/"].map(str::to_owned).into()),
        resolve_provider: Some(true),
        ..CompletionOptions::default()
    }
}

fn workspace_options(features: &ClientFeatures) -> WorkspaceOptions {
    WorkspaceOptions {
        workspace_folders: Some(WorkspaceFoldersServerCapabilities {
            supported: Some(true),
            change_notifications: Some(ChangeNotifications::Bool(true)),
        }),
        file_operations: Some(FileOperationOptions {
            will_rename: Some(FileOperationRegistrationOptions { filters: files_with_names() }),
            will_delete: Some(FileOperationRegistrationOptions { filters: files_with_names() }),
            // The file exists when the server learns of it, so an edit cannot get lost.
            did_create: (!features.announces_new_files_only).then(defining_files),
            will_create: features.announces_new_files_only.then(defining_files),
            ..FileOperationOptions::default()
        }),
        ..WorkspaceOptions::default()
    }
}

/// Glob of the files that Puppet loads by the names of their definitions.
const DEFINING_FILES: &str = "**/{manifests,functions,types,plans}/**/*.pp";

fn defining_files() -> FileOperationRegistrationOptions {
    let filters = vec![file_filter(DEFINING_FILES, FileOperationPatternKind::File)];
    FileOperationRegistrationOptions { filters }
}

/// Returns the filters for files and folders that code refers to by name.
fn files_with_names() -> Vec<FileOperationFilter> {
    vec![
        file_filter(DEFINING_FILES, FileOperationPatternKind::File),
        file_filter("**/{templates,files}/**", FileOperationPatternKind::File),
        // A folder may be a whole module.
        file_filter("**", FileOperationPatternKind::Folder),
    ]
}

fn file_filter(glob: &str, kind: FileOperationPatternKind) -> FileOperationFilter {
    FileOperationFilter {
        scheme: Some("file".to_owned()),
        pattern: FileOperationPattern { glob: glob.to_owned(), matches: Some(kind), options: None },
    }
}

/// Returns the initial workspace folders. Of the deprecated alternatives, the newest one that is present
/// wins.
#[expect(deprecated, reason = "used by clients without workspace folders")]
pub(super) fn workspace_folders(params: &InitializeParams) -> Vec<ide::FilePath> {
    use lsp_types::{RootPath, WorkspaceFolders};
    match &params.workspace_folders_initialize_params.workspace_folders {
        Some(WorkspaceFolders::WorkspaceFolderList(folders)) => {
            return folders.iter().filter_map(|it| convert::file_path(&it.uri)).collect();
        }
        Some(WorkspaceFolders::Null) | None => {}
    }
    let root_path = match &params.root_path {
        Some(RootPath::String(path)) => ide::FilePath::from_native(path),
        Some(RootPath::Null) | None => None,
    };
    params.root_uri.as_ref().and_then(convert::file_path).or(root_path).into_iter().collect()
}
