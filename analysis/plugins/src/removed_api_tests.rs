use super::ruby_uses;

/// Checks what is found in a Ruby text: names, and for edits their effect on the text.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let uses = ruby_uses(text);
    let removed = uses.removed.iter().map(|it| match &it.replacement {
        Some((range, new)) => {
            let (start, end) = (range.start as usize, range.end as usize);
            format!("{}: {}", it.name, text[..start].to_owned() + new + &text[end..])
        }
        None => it.name.to_string(),
    });
    let reads = uses.scope_reads.iter().map(|it| format!("reads {}", it.name));
    let facts =
        uses.fact_reads.iter().map(|it| format!("fact {} in {}", it.name, &text[it.range.as_range()]));
    let calls = uses.calls.iter().map(|it| format!("calls {} at {}", it.name, &text[it.range.as_range()]));
    let found: Vec<String> = removed.chain(reads).chain(facts).chain(calls).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn removed_methods_and_constants() {
    check("File.exists?('/x')", &["File.exists?: File.exist?('/x')"]);
    check("::Dir.exists? x", &["Dir.exists?: ::Dir.exist? x"]);
    check("x.is_a?(Fixnum)", &["Fixnum: x.is_a?(Integer)"]);
    check("x.is_a? ::Bignum", &["Bignum: x.is_a? Integer"]);
    check("path.untaint.strip", &["untaint: path.strip"]);
    check("path.tainted?", &["tainted?"]);
    check("URI.escape(x)", &["URI.escape: URI::DEFAULT_PARSER.escape(x)"]);
    check("def m\n  Proc.new\nend", &["Proc.new"]);
    check("PSON.parse(x)", &["PSON"]);
    check("Facter.add(:a, ldapname: 'b') { }", &["ldapname"]);
}

#[test]
fn other_names() {
    let texts = [
        "File.exist?('/x')",
        "Puppet::FileSystem.exists?(x)",
        "resource.exists?",
        "My::Fixnum.new",
        "Proc.new { 1 }",
        "if RUBY_VERSION < '3'\n  x.untaint\nend",
        "x = File.respond_to?(:exists?) ? File.exists?(y) : File.exist?(y)",
        "defined?(Fixnum)",
        "def untaint; end\nx.untaint",
        "URI.parse(x)",
        "File.exists?(",
    ];
    texts.iter().for_each(|it| check(it, &[]));
}

#[test]
fn reads_of_the_scope() {
    check("lookupvar('::osfamily')", &["reads ::osfamily"]);
    check("closure_scope['osfamily']", &["reads ::osfamily"]);
    check("scope['osfamily']", &[]);
    check("lookupvar('osfamily')", &["reads osfamily"]);
    check("x['facts']['osfamily']", &[]);
    check("@facts['osfamily']", &["fact osfamily in @facts['osfamily']"]);
    check(
        "closure_scope['facts']['os']['name']",
        &["reads ::facts", "fact os in closure_scope['facts']['os']"],
    );
    check("lookupvar('::facts')['fqdn']", &["reads ::facts", "fact fqdn in lookupvar('::facts')['fqdn']"]);
    check("other['::osfamily']", &[]);
}

#[test]
fn calls_of_puppet_functions() {
    check("function_hiera(['x'])", &["calls hiera at function_hiera"]);
    check("scope.call_function('hiera', ['x'])", &["calls hiera at 'hiera'"]);
    check("call_function(name, 'hiera')", &[]);
}
