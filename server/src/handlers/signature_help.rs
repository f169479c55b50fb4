//! `textDocument/signatureHelp`.

use ide::Cancellable;
use lsp_types::{
    ActiveParameter, Documentation, ParameterInformation, ParameterInformationLabel, Position, SignatureHelp,
    SignatureHelpParams, SignatureInformation,
};
use tower_lsp::jsonrpc::Result;

use super::hover::markup;
use crate::lsp::{QuestionFile, Server, Snapshot};

pub(super) async fn signature_help(
    server: &Server,
    params: SignatureHelpParams,
) -> Result<Option<SignatureHelp>> {
    let params = params.text_document_position_params;
    let position = params.position;
    let question = move |snapshot: &Snapshot, file: &QuestionFile| answer(snapshot, file, position);
    Ok(server.ask("textDocument/signatureHelp", &params.text_document.uri, question).await?.flatten())
}

fn answer(
    snapshot: &Snapshot,
    file: &QuestionFile,
    position: Position,
) -> Cancellable<Option<SignatureHelp>> {
    let converter = file.converter(snapshot);
    let found = snapshot.analysis.signature_help(file.id, converter.offset(position))?;
    Ok(found.map(|help| {
        let active = help.signatures.get(help.active).and_then(|it| it.active_parameter);
        SignatureHelp {
            signatures: help.signatures.into_iter().map(|it| signature(snapshot, it)).collect(),
            active_signature: Some(help.active as u32),
            active_parameter: active.map(|it| ActiveParameter::Int(it as u32)),
        }
    }))
}

fn signature(snapshot: &Snapshot, signature: ide::Signature) -> SignatureInformation {
    // Clients find the parameter in the label by its text; places in the label are in UTF-16 for all of them.
    let parameters = signature.parameters.iter().map(|range| ParameterInformation {
        label: ParameterInformationLabel::String(
            signature.label.get(range.clone()).unwrap_or_default().to_owned(),
        ),
        documentation: None,
    });
    let parameters = parameters.collect();
    let documentation = signature
        .documentation
        .map(|text| Documentation::MarkupContent(markup(text, snapshot.features.documents_in_markdown)));
    SignatureInformation {
        label: signature.label,
        documentation,
        parameters: Some(parameters),
        active_parameter: signature.active_parameter.map(|it| ActiveParameter::Int(it as u32)),
    }
}
