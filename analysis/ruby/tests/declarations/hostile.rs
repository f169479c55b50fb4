//! Malicious files: the analysis must terminate without a panic, on the small stacks of test threads.

fn read(text: &str) {
    for path in ["lib/puppet/functions/x.rb", "lib/facter/x.rb"] {
        let file = ruby::read_declarations(path, text);
        let functions = file.functions.iter().map(|it| it.range);
        let types = file.resource_types.iter().map(|it| it.range);
        for range in functions.chain(types) {
            assert!(text.get(range.as_range()).is_some());
        }
    }
}

#[test]
fn nesting() {
    for (open, close) in [
        ("(a", ")"),
        ("f(", ")"),
        ("x[", "]"),
        ("a=", ""),
        ("a ", ""),
        ("a&&", ""),
        ("->{", "}"),
        ("if x;", "end;"),
        ("begin;", "end;"),
        ("a{|b|", "}"),
        ("\"#{", "}\""),
        ("x ?", ":1"),
        ("1**", ""),
    ] {
        // The longest files that are parsed on this thread's stack.
        for end in [close, ""] {
            let depth = 3_900 / (open.len() + end.len());
            read(&format!("{}1{}", open.repeat(depth), end.repeat(depth)));
        }
    }
    for depth in [150, 12_000] {
        for (open, close) in [
            ("(", ")"),
            ("[", "]"),
            ("{ a => ", "}"),
            ("!", ""),
            ("-", ""),
            ("x.each { |y| ", "}"),
            ("if x; ", " end"),
            ("module A; ", " end;"),
            ("\"#{", "}\""),
            ("a ", ""),
            ("a = ", ""),
            ("def a; ", " end;"),
            ("x ? ", " : 1"),
            ("not ", ""),
            ("->() { ", "}"),
            ("1 ** ", ""),
            ("x => [", "]"),
        ] {
            for end in [close, ""] {
                let inner = format!("{}1{}", open.repeat(depth), end.repeat(depth));
                read(&format!("Puppet::Type.newtype(:x) do\n newparam(:a) {{ desc {inner} }}\nend"));
            }
        }
        read(&format!("x = 1{}", " + 1".repeat(depth)));
        read(&format!("x{}", ".a".repeat(depth)));
        read(&format!("{} 1", "A::".repeat(depth)));
    }
}

#[test]
fn excessive_work() {
    let list = format!("[{}]", "1, ".repeat(900));
    let body = [
        "loop { newparam(:x) }".to_string(),
        "def a; a; end\n a".to_string(),
        "def a; b; b; end\n def b; a; a; end\n a".to_string(),
        format!("L = {list}\n L.each {{ L.each {{ L.each {{ L.uniq }} }} }}"),
        format!("L = {list}\n x = L\n L.each {{ x = x + x }}"),
        "s = 'x' * 1000\n 30.times { s = s + s }\n desc s".to_string(),
        "s = 'x' * 1000000000000".to_string(),
        "x = -> { x.call }\n x.call".to_string(),
        "class A < A; newvalues(:a); end\n newparam(:x, :parent => A)".to_string(),
        "include X".repeat(10_000),
        "if x then y = 1 end\n".repeat(10_000),
        (0..5_000).map(|n| format!("v{n} = 1\n")).collect::<String>()
            + &"if x then y = 1 end\n".repeat(2_000),
    ];
    for body in body {
        read(&format!("Puppet::Type.newtype(:x) do\n{body}\nend"));
        read(&format!("Puppet::Functions.create_function(:x) do\n{body}\nend"));
        read(&body);
    }
}

#[test]
fn malformed_files() {
    let texts = [
        "Puppet::Functions.create_function(:x) do\n dispatch :x do\n param 'Any', :",
        "Puppet::Type.newtype(",
        "Puppet::Type.newtype(:é) do\n newparam(:ü) { desc 'ß' }\n",
        "\u{0}\u{1}\u{feff}",
        "# encoding: utf-16\nputs 'x'",
        "# encoding: ascii-8bit\n# é\nPuppet::Type.newtype(:x) { desc \"\\xff\\u00e9\" }",
        "__END__\nPuppet::Type.newtype(:x)",
        "=begin\n=end\nPuppet::Type.newtype :x",
        "Puppet::Type.newtype(*x, **y, &z)",
        "Puppet::Type.newtype(:x, &:foo)",
        "Puppet::Functions.create_function(:x, *y, &z)",
        "Puppet::ResourceApi.register_type(**x)",
        "Puppet::ResourceApi.register_type(name: 'x', attributes: { **y, z: 1, 1 => {} })",
        "Facter.add(*x)",
        "Puppet::Type.newtype(:x) do newparam(:a, :parent => nil) { newvalues(nil, 1.5, 10 ** 20, [1]) } end",
    ];
    for text in texts {
        read(text);
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            read(&text[..end]);
        }
    }
}
