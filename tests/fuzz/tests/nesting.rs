//! Sources that nest 200,000 levels deep, in every supported language, on the default stack of a
//! thread. Code, which is parsed by recursion up to its limit, and evaluation have the stack size
//! of the product.

use std::sync::Arc;

use ide::{AnalysisHost, ChangeBatch, FilePath};

const LEVELS: usize = 200_000;
const STACK: usize = 2 << 20;

/// Function that processes a source.
type Reader = fn(&str);

/// Strings that open a level, form the center, and close a level.
type Nesting = (&'static str, &'static str, &'static str);

const CODE: &[Nesting] = &[
    ("[", "1", "]"),
    ("(", "1", ")"),
    ("{ a => ", "1", "}"),
    ("Array[", "Any", "]"),
    ("f(", "1", ")"),
    ("\"${", "1", "}\""),
    ("\"${[", "1", "]}\""),
    ("!", "1", ""),
    ("- ", "1", ""),
    ("*", "1", ""),
    ("1 + ", "1", ""),
    ("1 and ", "1", ""),
    ("1 == ", "1", ""),
    ("$a = ", "1", ""),
    ("Notify['a'] -> ", "Notify['b']", ""),
    ("x", "", ".f"),
    ("x", "", "[0]"),
    ("x", "", ".f |$a| { 1 }"),
    ("if 1 { ", "1", " }"),
    ("if 1 { } elsif 1 { } else { ", "1", " }"),
    ("unless 1 { ", "1", " }"),
    ("case 1 { 1: { ", "1", " } }"),
    ("$a ? { 1 => ", "1", " }"),
    ("f() |$a| { ", "1", " }"),
    ("class a { ", "1", " }"),
    ("node a { ", "1", " }"),
    ("function a() { ", "1", " }"),
    ("class a ($b = ", "1", ") { }"),
    ("file { 'a': b => ", "1", " }"),
    ("file { ", "'a'", ": }"),
    ("File <| a == ", "1", " |>"),
    ("File <| (", "a == 1", ") |>"),
    ("@", "a { 'b': }", ""),
    ("/* ", "", " */"),
    ("@(A", "", ""),
    ("}", "", ""),
    ("]", "", ")"),
];

const EPP: &[Nesting] =
    &[("<% if 1 { %>", "x", "<% } %>"), ("<%= [", "1", "] %>"), ("<%", "", "%>"), ("<%- |", "", "| -%>")];

const DATA: &[Nesting] = &[
    ("[", "1", "]"),
    ("{a: ", "1", "}"),
    ("{\"a\": ", "1", "}"),
    ("a {", "b = 1", "}"),
    ("a = [", "1", "]"),
    ("a.", "b = 1", ""),
    ("a = ${", "b", "}"),
    ("- ", "a", ""),
    ("? ", "a", ""),
    ("a: &a ", "b", ""),
    ("!a ", "b", ""),
    ("\"%{lookup('", "a", "')}\""),
    ("(", "1", ")"),
];

const ERB: &[Nesting] = &[
    ("<% if @a %>", "x", "<% end %>"),
    ("<%= [", "1", "] %>"),
    ("<%= ", "1", " %>"),
    ("<% [1].each do |x| %>", "", "<% end %>"),
    ("<% if 1 %><% elsif 2 %>", "", ""),
];

const RUBY: &[Nesting] = &[
    ("[", "1", "]"),
    ("(", "1", ")"),
    ("{a: ", "1", "}"),
    ("1 + ", "1", ""),
    ("x", "", ".y"),
    ("if x\n", "1\n", "end\n"),
    ("def x\n", "1\n", "end\n"),
    ("module A\n", "1\n", "end\n"),
    ("Puppet::Type.newtype(:a) do\n", "newparam(:b)\n", "end\n"),
    ("!", "1", ""),
    ("\"#{", "1", "}\""),
    ("x { ", "1", " }"),
    ("x ? 1 : ", "2", ""),
    ("begin\n", "1\n", "rescue\nend\n"),
    ("a = ", "1", ""),
    ("not ", "1", ""),
];

const PATTERNS: &[Nesting] = &[
    ("(", "a", ")"),
    ("(?:", "a", ")*"),
    ("[", "a", "]"),
    ("[a&&[", "b", "]]"),
    ("(?=", "a", ")"),
    ("a|", "b", ""),
    ("(?<a>", "b", ")"),
    ("", "a", "{2}"),
    ("", "a", "*"),
    ("%<a", "", ">d"),
    ("Array[", "Any", "]"),
    ("Struct[{a => ", "Any", "}]"),
    ("Callable[", "Any", "]"),
    (">=1 ", "1", ""),
    ("1.", "1", ""),
    ("/", "a", "/"),
];

const MESSAGES: &[Nesting] =
    &[("[", "1", "]"), ("{\"a\":", "1", "}"), ("\n", "", ""), ("Content-Length: 1\r\n", "", "")];

fn code(text: &str) {
    for name in ["lexer", "parser"] {
        fuzz_targets::run(name, text.as_bytes());
    }
}

fn of_target<const TARGET: usize>(text: &str) {
    fuzz_targets::run(["epp", "data", "ruby", "texts", "frames", "project"][TARGET], text.as_bytes());
}

/// Reads a message frame around `text`.
fn message(text: &str) {
    let frame = format!("Content-Length: {}\r\n\r\n{text}", text.len());
    fuzz_targets::run("frames", frame.as_bytes());
    fuzz_targets::run("frames", format!("{{\"ms\":1,\"from\":\"client\",\"message\":{text}}}\n").as_bytes());
}

/// Computes all diagnostics of a manifest.
fn analysis(text: &str) {
    let Some(path) = FilePath::from_native("/work/manifests/site.pp") else { return };
    let mut host = AnalysisHost::new();
    let buffers = vec![(path.clone(), Some(Arc::from(text)))];
    host.apply(ChangeBatch { buffers, ..ChangeBatch::default() });
    let analysis = host.analysis();
    let Some(file) = analysis.file_id(&path) else { return };
    let _ = analysis.syntax_diagnostics(file);
    let _ = analysis.document_symbols(file);
    let _ = analysis.folding_ranges(file);
    let _ = analysis.semantic_tokens(file, None);
    let _ = analysis.class_statuses(file);
    let _ = analysis.all_diagnostics(file);
}

fn check(kind: &'static str, nestings: &'static [Nesting], stack: usize, read: Reader) {
    let run = move || {
        for (open, middle, close) in nestings {
            eprintln!("{kind}: {open}{middle}{close}");
            read(&[&open.repeat(LEVELS), *middle, &close.repeat(LEVELS)].concat());
            // Levels that are opened and never closed.
            read(&open.repeat(LEVELS));
        }
    };
    let thread = std::thread::Builder::new().stack_size(stack).spawn(run).expect("a thread");
    thread.join().expect("no panic");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes a minute and a half in a build that is not optimised")]
fn code_nests() {
    check("code", CODE, ide::STACK_SIZE, code);
}

#[test]
fn templates_nest() {
    check("EPP", EPP, STACK, of_target::<0>);
    check("ERB", ERB, STACK, of_target::<2>);
}

#[test]
fn data_nests() {
    check("data", DATA, STACK, of_target::<1>);
}

#[test]
fn ruby_nests() {
    check("Ruby", RUBY, STACK, of_target::<2>);
}

#[test]
fn patterns_types_and_formats_nest() {
    check("patterns", PATTERNS, STACK, of_target::<3>);
}

#[test]
fn messages_nest() {
    check("messages", MESSAGES, STACK, message);
}

#[test]
fn files_of_a_project_nest() {
    check("project", DATA, ide::STACK_SIZE, of_target::<5>);
}

#[test]
fn evaluation_nests() {
    check("analysis", CODE, ide::STACK_SIZE, analysis);
}
