//! `textDocument/signatureHelp`.

use ide::Cancellable;
use lsp_types::{
    ActiveParameter, Documentation, ParameterInformation, ParameterInformationLabel, SignatureHelp,
    SignatureHelpParams, SignatureInformation,
};
use tower_lsp::jsonrpc::Result;

use super::hover::markup;
use crate::{RequestFile, Server, Snapshot};

pub(super) async fn signature_help(
    server: &Server,
    params: SignatureHelpParams,
) -> Result<Option<SignatureHelp>> {
    let at = params.text_document_position_params;
    Ok(server.ask_at("textDocument/signatureHelp", at, answer).await?.flatten())
}

fn answer(snapshot: &Snapshot, file: &RequestFile, offset: u32) -> Cancellable<Option<SignatureHelp>> {
    let found = snapshot.analysis.signature_help(file.id, offset)?;
    Ok(found.map(|help| {
        let active = help.signatures.get(help.active).and_then(|it| it.active_parameter);
        SignatureHelp {
            signatures: help.signatures.into_iter().map(|it| signature(snapshot, it)).collect(),
            active_signature: Some(help.active as u32),
            active_parameter: active.map(|it| ActiveParameter::Int(it as u32)),
        }
    }))
}

fn signature(snapshot: &Snapshot, signature: ide::ShownSignature) -> SignatureInformation {
    let renders_markdown = snapshot.features.documents_in_markdown;
    let documented = |text: String| Documentation::MarkupContent(markup(text, renders_markdown));
    let mut about = signature.parameter_documentation.into_iter();
    let parameters = signature.parameters.iter().map(|range| ParameterInformation {
        label: parameter_label(&signature.label, range.clone(), snapshot.features.takes_label_offsets),
        documentation: about.next().flatten().map(documented),
    });
    let parameters = parameters.collect();
    SignatureInformation {
        documentation: signature.documentation.map(documented),
        parameters: Some(parameters),
        active_parameter: signature.active_parameter.map(|it| ActiveParameter::Int(it as u32)),
        label: signature.label,
    }
}

/// Returns the label of a parameter: UTF-16 offsets (regardless of the position encoding), or a substring for
/// clients without offset support.
fn parameter_label(
    label: &str,
    range: std::ops::Range<usize>,
    takes_offsets: bool,
) -> ParameterInformationLabel {
    let text = label.get(range.clone()).unwrap_or_default();
    if !takes_offsets {
        return ParameterInformationLabel::String(text.to_owned());
    }
    let units = |text: &str| text.encode_utf16().count() as u32;
    let start = units(label.get(..range.start).unwrap_or_default());
    ParameterInformationLabel::Tuple((start, start + units(text)))
}
