//! States a file is in while it is typed: each gives one error, at the place a person would point at, and what stands
//! around the broken statement stays in the tree.

use syntax::ast::{AssignmentExpr, AstNode, Definition, Parameter, ResourceExpr};
use syntax::{Language, Parse, parse};
use validation::{ValidationSettings, validate};

/// `source` marks the error's range with `«` and `»`. Each of the `kept` (a parameter or assigned variable with `$`, a
/// definition, a resource type) must be in the tree.
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
fn braces_and_brackets_that_are_never_closed() {
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
fn a_bracket_on_a_line_that_is_indented_wrongly_closes() {
    let mail = "class a {\n  file {\n    'x':\n      mode => '1';\n}\n\n  service { 'y':\n    ensure => running\n    «enable» => true,\n  }\n  $z = 1\n}\n";
    check(mail, "a file service $z");
    // It may as well be the one of what is around.
    let lost = "class a {\n  if $b {\n    case $c {\n      default: {\n        $d = 1\n\n    }\n    «$e» = 1\n  } else {\n    $f = 1\n  }\n}\n";
    check(lost, "a $d $f");
}

#[test]
fn strings_that_are_never_closed() {
    check("class a {\n  $x = «'abc»\n  $y = 1\n}\nclass b { }\n", "a $x $y b");
    check("class a {\n  $x = «\"abc»\n  $y = \"d\"\n}\nclass b { }\n", "a $x $y b");
    check("class a {\n  $x = «\"abc ${d} e»\n  $y = \"f ${g}\"\n}\nclass b { }\n", "a $x $y b");
    check("class a {\n  file { «'/x:»\n    mode => '0644',\n  }\n  $y = 'z'\n}\n", "a $y");
    check("class a {\n  $x = \"abc «${»d\"\n  $y = 1\n}\n", "a $x $y");
    check("class a {\n  $x = \"abc «${»\"\n  $y = \"d\"\n}\n", "a $x $y");
}

#[test]
fn heredocs_that_are_never_closed() {
    check("class a {\n  $x = «@(END)»\n    some text\n    more, 'of it\n  $y = 1\n}\n", "a $x $y");
    check("class a {\n  $x = «@(END)»\n  $y = 1\n}\n", "a $x $y");
    check("class a {\n  $x = «@(END»\n  $y = 1\n}\n", "a $x $y");
}

#[test]
fn half_an_attribute() {
    check("class a {\n  file { 'x':\n    «ensu»\n    mode => '1',\n  }\n  $y = 1\n}\n", "a file $y");
    check("class a {\n  file { 'x':\n    ensure «=>»\n    mode => '1',\n  }\n  $y = 1\n}\n", "a file $y");
    check("class a {\n  file { 'x':\n    ensure => present,\n    «mo»\n  }\n  $y = 1\n}\n", "a file $y");
    check("class a {\n  file { 'x':\n    ensure «=>»\n  }\n  $y = 1\n}\n", "a file $y");
    check("file { 'x': ensure => «,» mode => '1' }\n$y = 1\n", "file $y");
}

#[test]
fn something_is_missing_between_two_things() {
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
fn brackets_that_tell_what_is_missing() {
    check("class a {\n  $x «{»\n    'a': { $y = 1 }\n    default: { $z = 2 }\n  }\n}\n", "a $y $z");
    check("class a (\n  $x = [«,»\n  $y = 1,\n) {\n  $z = 1\n}\n", "a $x $y $z");
}

#[test]
fn the_beginning_of_something() {
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
fn keywords_that_are_missing() {
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
fn a_bracket_that_a_default_lacks_costs_that_parameter_alone() {
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
