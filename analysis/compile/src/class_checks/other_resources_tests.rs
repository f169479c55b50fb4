use super::{ChangedType, changed_types};

#[track_caller]
fn check(text: &str, expected: bool) {
    assert_eq!(changed_types(text).next().is_some(), expected, "{text}");
}

#[test]
fn defaults_overrides_and_collectors_are_found() {
    for text in [
        "File { mode => '0644' }",
        "Apache::Vhost{ port => 80 }",
        "::File\n{\n  mode => '0644',\n}",
        "File # all of them\n{ mode => '0644' }",
        "File['/x'] { mode => '0644' }",
        "File['/x', \"/${y[0]}\"] { mode => '0644' }",
        "File['a]b'] { mode => '0644' }",
        "File[\"it's\"] { mode => '0644' }",
        "Resource[$type, $title] { mode => '0644' }",
        "Resource['file'] { mode => '0644' }",
        "Class['a']['b'] { x => 1 }",
        "$reference['x'] { mode => '0644' }",
        "f('x')['y'] { mode => '0644' }",
        "User <| |> { ensure => absent }",
        "User <<| tag == 'x' |>> { ensure => absent }",
    ] {
        check(text, true);
    }
}

#[test]
fn other_code_is_not() {
    for text in [
        "class a(Optional[Array[String]] $x = []) { file { '/x': } }",
        "class a inherits a::params { }",
        "case $facts['os']['family'] { 'Debian': { } default: { } }",
        "if $a['b'] == $c['d'] { }\nelsif $e['f'] { } else { }",
        "unless $a and $b['c'] { }",
        "if 'x' in $a['b'] { }",
        "$x = $facts['os']['family'] ? { default => 1 }",
        "$list.each |$x| { notify { $x: } }",
        "file { ['/a', '/b']: ensure => file }",
        "concat::fragment { 'x': content => { 'a' => 1 } }",
        "node 'x' { }\nnode default { }",
        "User <| |>",
        "class a { Package <| tag == 'x' |> ~> Service <<| |>> }",
        "$x = { 'a' => { } }",
    ] {
        check(text, false);
    }
}

#[test]
fn types_are_named_as_written() {
    for (text, expected) in [
        ("File { mode => '0644' }", ChangedType::Named("File")),
        ("::Apache::Vhost['x'] { port => 80 }", ChangedType::Named("Apache::Vhost")),
        ("User <| |> { ensure => absent }", ChangedType::Named("User")),
        ("User<<| tag == 'x' or title == \"y\" |>>{ ensure => absent }", ChangedType::Named("User")),
        ("User <| title == '<|' |> { ensure => absent }", ChangedType::Unknown),
        ("$reference['x'] { mode => '0644' }", ChangedType::Unknown),
        ("File # all\n{ mode => '0644' }", ChangedType::Unknown),
    ] {
        assert_eq!(changed_types(text).next(), Some(expected), "{text}");
    }
}
