//! Signatures to display.

/// Signatures that apply to a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignatureHelp {
    pub signatures: Vec<ShownSignature>,
    /// Index of the signature that fits the arguments best.
    pub active: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownSignature {
    /// `name(Type $parameter) >> Type`
    pub label: String,
    /// Byte ranges of the parameters in the label.
    pub parameters: Vec<std::ops::Range<usize>>,
    /// Markdown documentation of each parameter; may be shorter than `parameters` if none is documented.
    pub parameter_documentation: Vec<Option<String>>,
    /// Index of the parameter at the cursor; `None` if the signature takes no more arguments.
    pub active_parameter: Option<usize>,
    /// Markdown.
    pub documentation: Option<String>,
}
