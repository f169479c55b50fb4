//! Unterminated quotes are reported exactly once, at the quote itself, within any brackets.

use syntax::{Language, Severity, parse};

/// Checks that the only error is at the quote marked with `«`. Other errors of the text are consequences and
/// must not be reported.
fn check(source: &str) {
    let quote = source.find('«').expect("the mark «");
    let text = source.replacen('«', "", 1);
    let parse = parse(&text, Language::Manifest);
    assert_eq!(parse.syntax().text(), text);
    let errors: Vec<_> = parse.errors().iter().filter(|it| it.severity() == Severity::Error).collect();
    let reported: Vec<_> = errors.iter().map(|it| (it.code.as_str(), it.range.start as usize)).collect();
    assert_eq!(reported, [("unclosed-string", quote)], "{source}\n{errors:#?}");
}

/// Pairs of brackets with surrounding code.
const BRACKETS: [(&str, &str); 19] = [
    ("f(", ")"),
    ("f('a', ", ")"),
    ("$a = (", ")"),
    ("$a = [", "]"),
    ("$a = ['a', ", "]"),
    ("$a = { 'a' => ", " }"),
    ("$a = { ", " => 1 }"),
    ("$a[", "]"),
    ("A[", "]"),
    ("notify { ", ": }"),
    ("notify { 'a': message => ", " }"),
    ("notify { 'a':\n  message => ", ",\n}"),
    ("if $a { ", " }"),
    ("case $a { ", ": { } }"),
    ("$a ? { b => ", " }"),
    ("A <| a == ", " |>"),
    ("class a($p = ", ") { }"),
    ("f() |$p = ", "| { }"),
    ("class a { notice(", ") }"),
];

#[test]
fn unterminated_quotes_in_brackets_are_reported() {
    for (open, close) in BRACKETS {
        for quote in ['\'', '"'] {
            let other = if quote == '\'' { '"' } else { '\'' };
            check(&format!("{open}«{quote}x{close}"));
            check(&format!("{open}«{quote}x{close}\nnotice(1)\n"));
            check(&format!("{open}«{quote}x\n{close}\nnotice(1)\n"));
            check(&format!("{open}«{quote}x{close}\nnotice({quote}y{quote})\n"));
            check(&format!("{open}\n  «{quote}x\n{close}\nnotice({quote}y{quote})\n$z = {quote}z{quote}\n"));
            check(&format!("{open}x«{quote}{close}\nnotice(1)\n"));
            check(&format!("{open}«{quote}x{other}{close}"));
        }
    }
}

#[test]
fn unterminated_quotes_among_other_strings_are_reported() {
    check("f(«'x, 'b')");
    check("f('a', {«'x => 'b' })\nnotice('y')\n");
    check("f({\n  «'x => {\n    'b' => 1,\n  }\n})\n");
    check("file {\n  '/a':\n    content => «'root;\n  '/b':\n    content => 'root';\n}\n");
    check("file {\n  '/a':\n    mode => «'0755;\n}\n\n$x = '/b | tee c'\n");
    check("f('a', «'x, 'b')\nnotice('y')");
    check("$a = ['a', «\"x, \"b\"]");
    check("f(«'x (y))");
    check("f(«\"${x} y)\n");
    check("f(«\"${x} y)\nnotice(\"z\")");
    check("\"${f(«'x)}\"");
    check("\"${f(«'x\n)}\"\nnotice(1)");
    check("if $a == «'x {\n  notice('y')\n}\n");
    check("$a = «'x;\n$b = 'y'\n");
    check("$a = «'x\\'");
}

#[test]
fn terminated_strings_are_not_reported() {
    fn check(source: &str) {
        let parse = parse(source, Language::Manifest);
        let errors: Vec<_> = parse.errors().iter().filter(|it| it.severity() == Severity::Error).collect();
        assert!(errors.is_empty(), "{source}\n{errors:#?}");
    }
    for escape in ["\\q", "\\(", "\\u1"] {
        for operator in ["=", "=>", "->", "+", "-", "(", "[", "{", ",", "|", "<|", "@", "and", "in", "."] {
            check(&format!("\"a {escape}\nb {operator}\""));
            check(&format!("\"\n{escape}{operator}\""));
            check(&format!("notice(\"{escape}\n{operator}\")"));
            check(&format!("notice(\"${{a}}{escape}\n{operator}\")\n$b = \"c\""));
        }
    }
    check("'''");
    check("\"${x}\"\"");
    check("$a = '''\n$b = 'c'");
}
