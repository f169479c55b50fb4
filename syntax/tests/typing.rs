//! Intermediate states of a file being typed: each yields one error at the location of the mistake, and the
//! code around the broken statement stays in the tree.

use syntax::ast::{AssignmentExpr, AstNode, Definition, Parameter, ResourceExpr};
use syntax::{Language, Parse, parse};
use validation::{ValidationSettings, validate};

/// Checks the single error of `source`, whose range is marked with `«` and `»`. Each of the `kept` names (a
/// parameter or assigned variable with `$`, a definition, a resource type) must be in the tree.
fn check(source: &str, kept: &str) {
    check_language(source, kept, Language::Manifest);
}

fn check_language(source: &str, kept: &str, language: Language) {
    let start = source.find('«').expect("the mark «");
    let end = source.find('»').expect("the mark »") - '«'.len_utf8();
    let text = source.replace(['«', '»'], "");
    let parse = parse(&text, language);
    assert_eq!(parse.syntax().text(), text);
    let mut errors = parse.errors().to_vec();
    errors.extend(validate(&parse, &ValidationSettings::default()));
    let shown: Vec<String> = errors.iter().map(|it| format!("{:?} {}", it.range, it.message)).collect();
    assert_eq!(errors.len(), 1, "{source}\n{shown:#?}\n{}", parse.syntax().dump());
    let range = errors[0].range;
    let found = text.get(range.as_range());
    assert_eq!((range.start as usize, range.end as usize), (start, end), "{source}\n{found:?} {shown:#?}");
    let found = names(&parse);
    for name in kept.split_whitespace() {
        assert!(
            found.iter().any(|it| it == name),
            "{name} is not among {found:?}\n{source}\n{}",
            parse.syntax().dump()
        );
    }
}

fn names(parse: &Parse) -> Vec<String> {
    let mut names = Vec::new();
    for node in parse.syntax().descendants() {
        if let Some(definition) = Definition::cast(node.clone()) {
            names.extend(definition.name().map(|it| it.text()));
        } else if let Some(parameter) = Parameter::cast(node.clone()) {
            names.extend(parameter.variable().map(|it| it.text().to_owned()));
        } else if let Some(assignment) = AssignmentExpr::cast(node.clone()) {
            names.extend(assignment.lhs().map(|it| it.syntax().text().to_owned()));
        } else if let Some(resource) = ResourceExpr::cast(node) {
            names.extend(resource.type_expr().map(|it| it.syntax().text().to_owned()));
        }
    }
    names
}

#[test]
fn unclosed_braces_and_brackets() {
    check("class a «{»\n  $x = 1\n", "a $x");
    check("class a {\n  if $b «{»\n    $x = 1\n}\nclass c { $y = 2 }\n", "a $x c $y");
    check(
        "class a {\n  file { 'x':\n    mode => '1',\n\n  «package» { 'y': }\n  $z = 1\n}\n",
        "a file package $z",
    );
    check("$x = [1, 2\n«$y» = 3\n", "$x $y");
    check("$x = { a => 1, b => 2\n«$y» = 3\n", "$x $y");
    check("class a (\n  $x = 1,\n  $y\n«{» \n  $z = 1\n}\n", "a $x $y $z");
    check("notice(1, f(2)\n«notice»(3)\nclass a { $x = 1 }\n", "a $x");
    check("define a($x «{»\n  $y = 1\n}\n", "a $x $y");
    check("if $a {\n  $x = 1\n«else» {\n  $y = 1\n}\n", "$x $y");
}

#[test]
fn wrongly_indented_closing_brackets() {
    let mail = "class a {\n  file {\n    'x':\n      mode => '1';\n}\n\n  service { 'y':\n    ensure => running\n    «enable» => true,\n  }\n  $z = 1\n}\n";
    check(mail, "a file service $z");
    // The bracket may also belong to the enclosing block.
    let lost = "class a {\n  if $b {\n    case $c {\n      default: {\n        $d = 1\n\n    }\n    «$e» = 1\n  } else {\n    $f = 1\n  }\n}\n";
    check(lost, "a $d $f");
}

/// A bracket at the end of a line whose next line is indented no deeper has no contents.
#[test]
fn stray_opening_brackets() {
    for bracket in ["{", "[", "("] {
        check(
            &format!(
                "class a {{\n  file {{\n    'x':\n      mode => '1', «{bracket}»\n      owner => 'o';\n    'y':\n      mode => '2',\n  }}\n  $z = 1\n}}\n"
            ),
            "a file $z",
        );
        check(
            &format!(
                "class a {{\n  File {{\n    mode => '1', «{bracket}»\n    owner => 'o',\n  }}\n  $z = 1\n}}\n"
            ),
            "a $z",
        );
        check(
            &format!("class a {{\n  $x = {{\n    b => 1, «{bracket}»\n    c => 2,\n  }}\n  $z = 1\n}}\n"),
            "a $x $z",
        );
        check(&format!("class a {{\n  $x = [\n    1, «{bracket}»\n    2,\n  ]\n  $z = 1\n}}\n"), "a $x $z");
        check(
            &format!(
                "class a (\n  $x = 1,«{bracket}»\n  $y = 2,\n  String $v = 's',\n) {{\n  $z = 1\n}}\nclass b {{ }}\n"
            ),
            "a $x $y $v $z b",
        );
    }
}

#[test]
fn unterminated_strings() {
    check("class a {\n  $x = «'abc»\n  $y = 1\n}\nclass b { }\n", "a $x $y b");
    check("class a {\n  $x = «\"abc»\n  $y = \"d\"\n}\nclass b { }\n", "a $x $y b");
    check("class a {\n  $x = «\"abc ${d} e»\n  $y = \"f ${g}\"\n}\nclass b { }\n", "a $x $y b");
    check("class a {\n  file { «'/x:»\n    mode => '0644',\n  }\n  $y = 'z'\n}\n", "a $y");
    check("class a {\n  $x = \"abc «${»d\"\n  $y = 1\n}\n", "a $x $y");
    check("class a {\n  $x = \"abc «${»\"\n  $y = \"d\"\n}\n", "a $x $y");
}

#[test]
fn unterminated_heredocs() {
    check("class a {\n  $x = «@(END)»\n    some text\n    more, 'of it\n  $y = 1\n}\n", "a $x $y");
    check("class a {\n  $x = «@(END)»\n  $y = 1\n}\n", "a $x $y");
    check("class a {\n  $x = «@(END»\n  $y = 1\n}\n", "a $x $y");
}

#[test]
fn incomplete_attributes() {
    check("class a {\n  file { 'x':\n    «ensu»\n    mode => '1',\n  }\n  $y = 1\n}\n", "a file $y");
    check("class a {\n  file { 'x':\n    ensure «=>»\n    mode => '1',\n  }\n  $y = 1\n}\n", "a file $y");
    check("class a {\n  file { 'x':\n    ensure => present,\n    «mo»\n  }\n  $y = 1\n}\n", "a file $y");
    check("class a {\n  file { 'x':\n    ensure «=>»\n  }\n  $y = 1\n}\n", "a file $y");
    check("file { 'x': ensure => «,» mode => '1' }\n$y = 1\n", "file $y");
}

#[test]
fn missing_separators() {
    check("file { 'x':\n  ensure => file\n  «mode» => '1',\n}\n$y = 1\n", "file $y");
    check("file { 'x' «ensure» => file, mode => '1' }\n$y = 1\n", "file $y");
    check("$x = [1 «2», 3]\n$y = 1\n", "$x $y");
    check("$x = { a => 1 «b» => 2 }\n$y = 1\n", "$x $y");
    check("class a ($x = 1 «$z» = 2) {\n  $y = 1\n}\n", "a $x $z $y");
    check("notice(1 «2»)\n$y = 1\n", "$y");
    check("case $x {\n  1 «{» $y = 1 }\n  default: { $z = 1 }\n}\n", "$y $z");
    check("$x = $y ? { 1 => 2 «3» => 4 }\n$z = 1\n", "$x $z");
    check("file { 'x': mode => '1' «'y'»: mode => '2' }\n$z = 1\n", "file $z");
}

#[test]
fn missing_tokens_revealed_by_brackets() {
    check("class a {\n  $x «{»\n    'a': { $y = 1 }\n    default: { $z = 2 }\n  }\n}\n", "a $y $z");
    check("class a (\n  $x = [«,»\n  $y = 1,\n) {\n  $z = 1\n}\n", "a $x $y $z");
}

#[test]
fn incomplete_statements() {
    check("class a {\n  $x = 1\n  «include» \n}\n", "a $x");
    check("class a {\n  $x = «$»\n  $y = 1\n}\n", "a $x $y");
    check("class a {\n  notice($x«.»)\n  $y = 1\n}\n", "a $y");
    check("class a {\n  $x = $b«[]»\n  $y = 1\n}\n", "a $x $y");
    check("class «a»\n\nclass b { $x = 1 }\n", "b $x");
    check("«class»\n\ndefine b { $x = 1 }\n", "b $x");
    check("function f($x) «>>» {\n  $y = 1\n}\n", "f $x $y");
    check("$x.each |$y «{» $z = 1 }\n", "$y $z");
    check("if «{»\n  $x = 1\n}\n$y = 1\n", "$x $y");
    check("$x = 1 «+»\n}\n".trim_end_matches("}\n"), "$x");
    check("File <| title == 'x' \n«$y» = 1\n", "$y");
    check("type A «=»\n\nclass b { }\n", "b");
    check("$x ? «{ }»\n", "");
    check("class a {\n  Foo«::»\n  $y = 1\n}\n", "a $y");
    check("class a {\n  $y = 1\n}\n«}»\nclass b { }\n", "a $y b");
}

#[test]
fn missing_keywords() {
    check("b()\n «elsif» c { }", "");
    check("if a { b()\n «elsif» c { }} else { }", "");
    check("«foo»($x = 1) {\n  include bar\n  $y = 2\n}\n", "$x $y");
    check("foo «{»\n  include bar\n  $y = 2\n}\n", "$y");
    check("class a {\n  $x == 1 «{»\n    $y = 2\n  }\n  $z = 1\n}\n", "a $y $z");
}

#[test]
fn templates() {
    let check = |source: &str, kept: &str| check_language(source, kept, Language::Epp);
    check("<% if $x «{» -%>\ntext\n<% $y = 1 %>", "$y");
    check("a <%= $x + «%>» b <% $y = 1 %>", "$y");
    check("a <%= $x «$z» %> b <% $y = 1 %>", "$y");
    check("a «<%» $x = 1 ", "$x");
    check("a «<%#» $x = 1 ", "");
    check("«<%=  %>» b <% $y = 1 %>", "$y");
}

#[test]
fn an_unbalanced_default_affects_only_its_parameter() {
    let class = |default: &str| {
        format!(
            "class a (\n  $b = 1,\n  String $c = {default},\n  Optional[String] $d = lookup('d'),\n  $e = lookup('e'),\n) {{\n  $f = 1\n}}\n"
        )
    };
    let kept = "a $b $c $d $e $f";
    check(&class("lookup«'c'»)"), kept);
    check(&class("lookup('c'«").replace("«,", "«,»"), kept);
    check(&class("lookup('c', 'default_value' => 1«}»)"), kept);
    check(&class("lookup('c', { 'default_value' => 1«)»"), kept);
    check(&class("[1, 2«").replace("«,", "«,»"), kept);
}
