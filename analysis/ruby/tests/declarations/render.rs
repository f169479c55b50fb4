//! Textual rendering of the definitions in a file.

use plugins::{
    FunctionApi, ParameterKind, ResourceApi, ResourceAttribute, ResourceAttributeKind, RubyFile,
    RubyFunction, RubyResourceType, TitlePattern, TitlePatterns, WrittenSignature,
};

macro_rules! piece {
    ($out:expr, $($arguments:tt)*) => { $out.push_str(&format!($($arguments)*)) };
}

macro_rules! line {
    ($out:expr, $($arguments:tt)*) => {{
        $out.push_str(&format!($($arguments)*));
        $out.push('\n');
    }};
}

pub(crate) fn file(file: &RubyFile, text: &str) -> String {
    let mut out = String::new();
    for it in &file.functions {
        function(&mut out, it, text);
    }
    for it in &file.resource_types {
        resource_type(&mut out, "type", it, text);
    }
    for it in &file.type_additions {
        resource_type(&mut out, "addition to", it, text);
    }
    for it in &file.metaparameters {
        attribute(&mut out, it, text);
    }
    for it in &file.providers {
        let at = &text[it.range.as_range()];
        line!(
            out,
            "provider {} of {} at {at:?}{}",
            it.name,
            it.resource_type,
            documentation(&it.documentation)
        );
    }
    for it in &file.facts {
        let at = &text[it.range.as_range()];
        line!(out, "fact {} at {at:?}{}", it.name, documentation(&it.documentation));
    }
    for it in &file.data_types {
        let at = &text[it.range.as_range()];
        line!(out, "data type {} at {at:?}{}", it.name, documentation(&it.documentation));
        line!(out, "  interface {:?}", it.interface);
    }
    out
}

fn documentation(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" {text:?}") }
}

fn function(out: &mut String, it: &RubyFunction, text: &str) {
    let api = match it.api {
        FunctionApi::V4 => "4".to_string(),
        FunctionApi::V3 { is_statement: true, arity } => format!("3 statement {arity}"),
        FunctionApi::V3 { is_statement: false, arity } => format!("3 value {arity}"),
    };
    let open = if it.is_incomplete { " open" } else { "" };
    let at = &text[it.range.as_range()];
    line!(out, "function {} ({api}){open} at {at:?}{}", it.name, documentation(&it.documentation));
    if let Some(refusal) = &it.refusal {
        line!(out, "  refused: {refusal}");
    }
    for (name, definition) in &it.local_types {
        line!(out, "  local type {name} = {definition}");
    }
    for it in &it.signatures {
        signature(out, it, text);
    }
}

fn signature(out: &mut String, it: &WrittenSignature, text: &str) {
    let mut parts: Vec<String> = Vec::new();
    for parameter in &it.parameters {
        let sign = match parameter.kind {
            ParameterKind::Required => "",
            ParameterKind::Optional => "?",
            ParameterKind::Repeated => "*",
            ParameterKind::RequiredRepeated => "+",
        };
        parts.push(format!("{} {}{sign}", parameter.type_text, parameter.name));
    }
    if let Some(block) = &it.block {
        let sign = if block.is_required { "" } else { "?" };
        parts.push(format!("&{} {}{sign}", block.type_text, block.name));
    }
    let result = it.return_type.as_ref().map_or(String::new(), |it| format!(" >> {it}"));
    let at = &text[it.range.as_range()];
    line!(out, "  ({}){result} at {at:?}{}", parts.join(", "), documentation(&it.documentation));
}

fn resource_type(out: &mut String, kind: &str, it: &RubyResourceType, text: &str) {
    let open = if it.is_incomplete { " open" } else { "" };
    let api = if it.api == ResourceApi::ResourceApi { " (Resource API)" } else { "" };
    let mut patterns = match &it.title_patterns {
        TitlePatterns::Usual => String::new(),
        TitlePatterns::Listed(_) => " with title patterns".to_owned(),
        TitlePatterns::Unknown => " with unknown title patterns".to_owned(),
    };
    if !it.is_isomorphic {
        patterns.push_str(" not isomorphic");
    }
    let at = &text[it.range.as_range()];
    let name = &it.name;
    line!(out, "{kind} {name}{api}{open}{patterns} at {at:?}{}", documentation(&it.documentation));
    if let TitlePatterns::Listed(listed) = &it.title_patterns {
        for TitlePattern { pattern, parts } in listed {
            let parts: Vec<String> = parts
                .iter()
                .map(|it| format!("{}{}", it.attribute, if it.is_verbatim { "" } else { "?" }))
                .collect();
            line!(out, "  title /{pattern}/ {}", parts.join(" "));
        }
    }
    for feature in &it.features {
        line!(out, "  feature {}{}", feature.name, documentation(&feature.documentation));
    }
    // Omit the attribute that every type gets; a separate test covers it.
    for it in it.attributes.iter().filter(|it| it.name != "provider") {
        attribute(out, it, text);
    }
}

fn attribute(out: &mut String, it: &ResourceAttribute, text: &str) {
    let kind = match it.kind {
        ResourceAttributeKind::Property => "property",
        ResourceAttributeKind::Parameter => "parameter",
        ResourceAttributeKind::ReadOnly => "read-only",
    };
    let mut line = format!("  {kind} {}", it.name);
    let at = &text[it.range.as_range()];
    if at != it.name {
        piece!(line, " at {at:?}");
    }
    let words = [
        (it.is_name_variable, "namevar"),
        (it.is_required, "required"),
        (it.kind == ResourceAttributeKind::Property && it.takes_array, "array"),
    ];
    for (_, word) in words.iter().filter(|(is_so, _)| *is_so) {
        piece!(line, " {word}");
    }
    if let Some(type_text) = &it.type_text {
        piece!(line, " {type_text}");
    }
    let mut values: Vec<String> = it.values.iter().map(ToString::to_string).collect();
    values.extend(it.value_aliases.iter().map(|(alias, value)| format!("{alias}={value}")));
    values.extend(it.value_patterns.iter().map(|pattern| format!("/{pattern}/")));
    if !values.is_empty() || it.values_are_closed {
        piece!(line, " {}[{}]", if it.values_are_closed { "only" } else { "" }, values.join(" "));
    }
    if let Some(default) = &it.default {
        piece!(line, " default {default}");
    }
    if !it.required_features.is_empty() {
        piece!(line, " needs {}", it.required_features.join(" "));
    }
    line!(out, "{line}{}", documentation(&it.documentation));
}
