//! Functions.

use ruby_prism::{CallNode, DefNode, Node};

use super::literals::scrubbed;

use super::source::{RubySource, arguments, calls_in_block, pairs, statements_of_block};
use crate::docstring::{DocTag, Docstring};
use crate::{
    DocumentedFunction, DocumentedFunctionApi, DocumentedSignature, ModuleReference, dedented, defaults,
    signature,
};

/// Signature under construction.
#[derive(Default)]
struct SignatureDraft {
    docstring: Docstring,
    /// Names with `*` or `&`, and default values.
    parameters: Vec<(String, Option<String>)>,
}

/// Form in which a parameter takes arguments.
#[derive(Clone, Copy, Default)]
struct ParameterForm {
    is_optional: bool,
    is_repeated: bool,
    is_block: bool,
}

impl SignatureDraft {
    fn add(&mut self, name: &str, type_text: Option<&str>, default: Option<&str>, form: ParameterForm) {
        let prefix = match (form.is_repeated, form.is_block) {
            (true, _) => "*",
            (_, true) => "&",
            _ => "",
        };
        let full_name = format!("{prefix}{name}");
        let tag = self.docstring.tag_mut("param", Some(name));
        let documented = tag.as_ref().and_then(|it| it.types.as_ref()?.first().cloned());
        let type_text = type_text.map(str::to_owned).or(documented).unwrap_or_else(|| "Any".to_owned());
        let type_text = if form.is_optional { format!("Optional[{type_text}]") } else { type_text };
        match tag {
            Some(tag) => {
                tag.name = Some(full_name.clone());
                tag.types = Some(vec![type_text]);
            }
            None => self.docstring.tags.push(DocTag::implied("param", Some(&full_name), &type_text)),
        }
        let default = default.map(|it| match it {
            "nil" => "undef".to_owned(),
            ":default" => "default".to_owned(),
            _ => it.to_owned(),
        });
        self.parameters.push((full_name, default));
    }

    fn finish(mut self) -> SignatureDraft {
        add_return_tag(&mut self.docstring);
        self
    }
}

fn add_return_tag(docstring: &mut Docstring) {
    match docstring.tag_mut("return", None) {
        Some(tag) => _ = tag.types.get_or_insert_with(|| vec!["Any".to_owned()]),
        None => docstring.tags.push(DocTag::implied("return", None, "Any")),
    }
}

/// Documents `Puppet::Functions.create_function`.
pub(super) fn read_v4(ruby: &RubySource<'_>, call: &CallNode<'_>, reference: &mut ModuleReference) {
    let Some(name) = arguments(call).first().and_then(|it| ruby.literal(it)) else { return };
    let mut docstring = Docstring::parse(ruby.comment(&call.location()));
    docstring.tags.retain(|it| !matches!(it.tag.as_str(), "param" | "return" | "overload"));
    let statements = statements_of_block(call);
    let mut drafts: Vec<SignatureDraft> =
        statements.iter().filter_map(Node::as_call_node).filter_map(|it| dispatch(ruby, &it)).collect();
    if drafts.is_empty() {
        let own = name.rsplit("::").next().unwrap_or_default();
        let mut methods = statements.iter().rev().filter_map(Node::as_def_node);
        let method = methods.find(|it| it.name().as_slice() == own.as_bytes());
        drafts.extend(method.map(|it| of_method(ruby, &it)));
    }
    let mut values = Vec::new();
    let signatures = match <[SignatureDraft; 1]>::try_from(drafts) {
        // The tags of a single signature belong to the function.
        Ok([draft]) => {
            docstring.tags.extend(draft.docstring.tags);
            values = draft.parameters;
            vec![DocumentedSignature {
                text: signature(&name, &values, &docstring),
                docstring: docstring.clone(),
            }]
        }
        Err(drafts) if drafts.is_empty() => {
            vec![DocumentedSignature { text: format!("{name}()"), docstring: docstring.clone() }]
        }
        Err(drafts) => drafts
            .into_iter()
            .map(|it| DocumentedSignature {
                text: signature(&name, &it.parameters, &it.docstring),
                docstring: it.docstring,
            })
            .collect(),
    };
    reference.functions.push(DocumentedFunction {
        place: ruby.place(call),
        api: DocumentedFunctionApi::Ruby4,
        docstring,
        signatures,
        defaults: defaults(&values),
        source: dedented(ruby.text(&call.location())),
        name,
    });
}

/// Reads `dispatch :name do ... end`.
fn dispatch(ruby: &RubySource<'_>, call: &CallNode<'_>) -> Option<SignatureDraft> {
    let is_dispatch = call.name().as_slice() == b"dispatch" && arguments(call).len() == 1;
    if !is_dispatch || call.block().is_none_or(|it| it.as_block_node().is_none()) {
        return None;
    }
    let docstring = Docstring::parse(ruby.comment(&call.location()));
    let mut draft = SignatureDraft { docstring, ..SignatureDraft::default() };
    let mut block = None;
    for call in calls_in_block(call) {
        let method = String::from_utf8_lossy(call.name().as_slice()).into_owned();
        let values = arguments(&call);
        match method.as_str() {
            "return_type" => {
                let Some(type_text) = values.first().and_then(|it| ruby.literal(it)) else { continue };
                if draft.docstring.tag_mut("return", None).is_none() {
                    draft.docstring.tags.push(DocTag::implied("return", None, "Any"));
                }
                if let Some(tag) = draft.docstring.tag_mut("return", None) {
                    tag.types = Some(vec![type_text]);
                }
            }
            "block_param" | "required_block_param" | "optional_block_param" => {
                block.get_or_insert((call, method));
            }
            "param"
            | "required_param"
            | "optional_param"
            | "repeated_param"
            | "optional_repeated_param"
            | "required_repeated_param" => {
                let [type_text, name] = values.as_slice() else { continue };
                let (type_text, Some(name)) = (ruby.literal(type_text), ruby.literal(name)) else { continue };
                let form = ParameterForm {
                    is_optional: method.contains("optional"),
                    is_repeated: method.contains("repeated"),
                    is_block: false,
                };
                draft.add(&name, type_text.as_deref(), None, form);
            }
            _ => {}
        }
    }
    if let Some((call, method)) = block {
        add_block(ruby, &mut draft, &call, method.contains("optional"));
    }
    Some(draft.finish())
}

fn add_block(ruby: &RubySource<'_>, draft: &mut SignatureDraft, call: &CallNode<'_>, is_optional: bool) {
    let values = arguments(call);
    let literals: Vec<Option<String>> = values.iter().map(|it| ruby.literal(it)).collect();
    let (type_text, name) = match literals.as_slice() {
        [] => ("Callable", "block"),
        [Some(name)] => ("Callable", name.as_str()),
        [Some(type_text), Some(name)] => (type_text.as_str(), name.as_str()),
        _ => return,
    };
    let form = ParameterForm { is_optional, is_repeated: false, is_block: true };
    draft.add(name, Some(type_text), None, form);
}

/// Reads the method with the name of the function, which Puppet calls without a `dispatch`.
fn of_method(ruby: &RubySource<'_>, method: &DefNode<'_>) -> SignatureDraft {
    let docstring = Docstring::parse(ruby.comment(&method.location()));
    let mut draft = SignatureDraft { docstring, ..SignatureDraft::default() };
    let Some(parameters) = method.parameters() else { return draft.finish() };
    let plain = ParameterForm::default();
    for required in &parameters.requireds() {
        draft.add(ruby.node_text(&required), None, None, plain);
    }
    for optional in parameters.optionals().iter().filter_map(|it| it.as_optional_parameter_node()) {
        let (name, default) = (ruby.text(&optional.name_loc()), ruby.node_text(&optional.value()));
        draft.add(name, None, Some(default), ParameterForm { is_optional: true, ..plain });
    }
    let rest = parameters.rest().and_then(|it| it.as_rest_parameter_node()).and_then(|it| it.name_loc());
    if let Some(name) = rest {
        draft.add(ruby.text(&name), None, None, ParameterForm { is_repeated: true, ..plain });
    }
    if let Some(name) = parameters.block().and_then(|it| it.as_block_parameter_node()?.name_loc()) {
        draft.add(ruby.text(&name), None, None, ParameterForm { is_block: true, ..plain });
    }
    draft.finish()
}

/// Documents `newfunction`.
pub(super) fn read_v3(ruby: &RubySource<'_>, call: &CallNode<'_>, reference: &mut ModuleReference) {
    let values = arguments(call);
    let Some(name) = values.first().and_then(|it| ruby.literal(it)) else { return };
    let options = values.get(1).map(pairs).unwrap_or_default();
    let doc = options.iter().find(|(key, _)| ruby.literal(key).as_deref() == Some("doc"));
    let doc = doc.and_then(|(_, value)| ruby.literal(value)).map(|it| scrubbed(&it));
    let mut docstring = match &doc {
        Some(doc) => Docstring::parse(doc),
        None => Docstring::parse(ruby.comment(&call.location())),
    };
    for tag in docstring.tags.iter_mut().filter(|it| it.tag == "param") {
        if tag.types.as_ref().is_none_or(Vec::is_empty) {
            tag.types = Some(vec!["Any".to_owned()]);
        }
    }
    let parameters: Vec<(String, Option<String>)> =
        docstring.tags("param").filter_map(|it| Some((it.name.clone()?, None))).collect();
    add_return_tag(&mut docstring);
    reference.functions.push(DocumentedFunction {
        place: ruby.place(call),
        api: DocumentedFunctionApi::Ruby3,
        signatures: vec![DocumentedSignature {
            text: signature(&name, &parameters, &docstring),
            docstring: docstring.clone(),
        }],
        docstring,
        defaults: Vec::new(),
        source: dedented(ruby.text(&call.location())),
        name,
    });
}
