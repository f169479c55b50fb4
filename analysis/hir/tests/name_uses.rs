//! Name uses of a text, one per line: the source text, the name and its kind.

use expect_test::{Expect, expect};
use hir::{Access, AttributeOwner, NameUse, NameUseKind, VariableBinding};
use syntax::Language;

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&shown(text, &hir::name_uses(&syntax::parse(text, Language::Manifest))));
}

fn check_epp(text: &str, expected: Expect) {
    expected.assert_eq(&shown(text, &hir::name_uses(&syntax::parse(text, Language::Epp))));
}

fn check_erb(text: &str, expected: Expect) {
    expected.assert_eq(&shown(text, &hir::erb_name_uses(text)));
}

fn shown(text: &str, uses: &[NameUse]) -> String {
    let lines = uses.iter().map(|it| {
        let written = &text[it.range.as_range()];
        let name = if written == it.name { String::new() } else { format!(" = {}", it.name) };
        let access = match it.access {
            Access::Read => String::new(),
            other => format!(" {other:?}").to_lowercase(),
        };
        format!("{written}{name}: {}{access}\n", kind(&it.kind))
    });
    lines.collect()
}

fn kind(kind: &NameUseKind) -> String {
    match kind {
        NameUseKind::Variable(VariableBinding::Local { variable, of_lambda }) => {
            format!("variable {variable}{}", if *of_lambda { " of a lambda" } else { "" })
        }
        NameUseKind::Variable(VariableBinding::Free) => "free variable".to_owned(),
        NameUseKind::Variable(VariableBinding::Qualified { scope }) => format!("variable in `{scope}`"),
        NameUseKind::Attribute(owner) => match owner {
            AttributeOwner::Class(name) => format!("attribute of class {name}"),
            AttributeOwner::ResourceType(name) => format!("attribute of {name}"),
            AttributeOwner::Template(name) => format!("parameter of template {name}"),
            AttributeOwner::Plan(name) => format!("parameter of plan {name}"),
            AttributeOwner::Task(name) => format!("parameter of task {name}"),
        },
        NameUseKind::Title { resource_type } => format!("title of {resource_type}"),
        NameUseKind::Provider { resource_type } => format!("provider of {resource_type}"),
        other => format!("{other:?}"),
    }
}

#[test]
fn definitions_have_qualified_names() {
    check(
        "class a inherits ::c { class b::d { define e { } } }\nfunction a::f() { }\ntype A::T = String\n",
        expect![[r#"
            a: Class declaration
            c: Class
            b::d = a::b::d: Class declaration
            e = a::b::d::e: DefinedType declaration
            a::f: Function declaration
            A::T = a::t: Type declaration
            String = string: Type
        "#]],
    );
}

#[test]
fn variables_are_bound_to_the_scope_that_sets_them() {
    check(
        "class a($x) {\n  $y = $x\n  [1].each |$x| { notice(\"${x} $y ${z[1]} ${a::b::c} $::t\") }\n  [$p, [$q]] = [1, [2]]\n  $p + $1\n}\n$y",
        expect![[r#"
            a: Class declaration
            x: variable 0 declaration
            y: variable 1 write
            x: variable 0
            each: Function call
            x: variable 2 of a lambda declaration
            notice: Function call
            x: variable 2 of a lambda
            y: variable 1
            z: free variable
            a::b: Class
            c: variable in `a::b`
            t: variable in ``
            p: variable 3 write
            q: variable 4 write
            p: variable 3
            y: free variable
        "#]],
    );
}

#[test]
fn comments_name_parameters() {
    check(
        "# A class.\n# @param x text\n# @param [Hash[String, Any]] opts more\n# @option opts [String] :key text\n# @param gone text\nclass a($x, $opts) { }\n",
        expect![[r#"
            x: variable 0 documentation
            opts: variable 1 documentation
            opts: variable 1 documentation
            a: Class declaration
            x: variable 0 declaration
            opts: variable 1 declaration
        "#]],
    );
    check_epp(
        "<%# @param x text -%>\n<%- | String $x | -%>\n<%= $x %> <% $y = 1 %> <%= $y %>",
        expect![[r#"
            x: variable 0 documentation
            String = string: Type
            x: variable 0 declaration
            x: variable 0
            y: variable 1 write
            y: variable 1
        "#]],
    );
}

#[test]
fn class_names() {
    check(
        "include a, '::B::c', Class['d']\n['e', f].contain\nClass['g', ['h']] -> Class[i]\nclass { ['j', '::k']: p => 1 }\ncreate_resources('class', { 'l' => { 'p' => 1 } })\ndefined('m', '$n', 'File[x]')",
        expect![[r#"
            include: Function call
            a: Class
            B::c = b::c: Class
            Class = class: Type
            d: Class
            e: Class
            f: Class
            contain: Function call
            Class = class: Type
            g: Class
            h: Class
            Class = class: Type
            i: Class
            j: Class
            k: Class
            p: attribute of class j write
            create_resources: Function call
            l: Class
            p: attribute of class l write
            defined: Function call
            m: ClassOrResourceType
            n: free variable
        "#]],
    );
}

#[test]
fn resources_have_types_attributes_and_titles() {
    check(
        "file { default: mode => 1; '/x': * => { 'owner' => 2 }, provider => posix }\n@::a::b { \"t$x\": c => 1 }\nFile { mode => 1 }\nA::B['t'] { c +> 1 }\nPackage <| title == 'x' and tag != 'y' |> { ensure => 1 }\nResource['a::b', 't']\ncreate_resources(a::b, { 't' => { c => 1 } }, { d => 2 })\nensure_resource('user', 'u', { 'uid' => 1 })\nensure_resources('user', { 'v' => { 'uid' => 1 } })",
        expect![[r#"
            file: ResourceType
            mode: attribute of file write
            /x: title of file declaration
            owner: attribute of file write
            provider: attribute of file write
            posix: provider of file
            a::b: ResourceType
            x: free variable
            c: attribute of a::b write
            File = file: ResourceType
            mode: attribute of file write
            A::B = a::b: Type
            t: title of a::b
            c: attribute of a::b write
            Package = package: ResourceType
            x: title of package
            tag: attribute of package
            ensure: attribute of package write
            Resource = resource: Type
            a::b: ResourceType
            t: title of a::b
            create_resources: Function call
            a::b: ResourceType
            t: title of a::b declaration
            c: attribute of a::b write
            d: attribute of a::b write
            ensure_resource: Function call
            user: ResourceType
            u: title of user declaration
            uid: attribute of user write
            ensure_resources: Function call
            user: ResourceType
            v: title of user declaration
            uid: attribute of user write
        "#]],
    );
}

#[test]
fn function_calls() {
    check(
        "f(1)\n$x.a::g |$y| { $y }\nnotice 'x'\nDeferred('h', [])\ncall('a::i', 1)",
        expect![[r#"
            f: Function call
            x: free variable
            a::g: Function call
            y: variable 0 of a lambda declaration
            y: variable 0 of a lambda
            notice: Function call
            Deferred = deferred: Type
            h: Function call
            call: Function call
            a::i: Function call
        "#]],
    );
}

#[test]
fn type_names() {
    check(
        "function f(A::B $x, Enum['y'] $y) >> Optional[C] { $x ? { D => 1 } }",
        expect![[r#"
            f: Function declaration
            A::B = a::b: Type
            x: variable 0 declaration
            Enum = enum: Type
            y: variable 1 declaration
            Optional = optional: Type
            C = c: Type
            x: variable 0
            D = d: Type
        "#]],
    );
}

#[test]
fn facts_are_paths() {
    check(
        "$facts['os']['family']\n\"${facts['a'][0]['b']}\"\n$facts.dig('c', 'd')\n$facts.get('e.f')\n$trusted['certname']\nfact('g')\n$facts[$x]['y']",
        expect![[r#"
            facts: free variable
            os: Fact
            family = os.family: Fact
            facts: free variable
            a: Fact
            b = a.0.b: Fact
            facts: free variable
            dig: Function call
            c: Fact
            d = c.d: Fact
            facts: free variable
            get: Function call
            e.f: Fact
            trusted: free variable
            certname: TrustedFact
            fact: Function call
            g: Fact
            facts: free variable
            x: free variable
        "#]],
    );
}

#[test]
fn files_and_keys_are_strings() {
    check(
        "epp('m/x.epp', { 'p' => 1 })\ntemplate('m/x.erb', 'm/y')\nfile('m/f', '/abs')\n$s = 'puppet:///modules/m/g'\nlookup('a::b')\nlookup({ 'name' => 'c::d' })\nhiera('e', 1)\nlookup('f::g.h.0')\ngetvar('a::b.c')\nrun_plan('m::p', 't', 'q' => 1, '_catch' => 2)\nrun_task('m', $t, r => 1)",
        expect![[r#"
            epp: Function call
            m/x.epp: EppTemplate
            p: parameter of template m/x.epp write
            template: Function call
            m/x.erb: ErbTemplate
            m/y: ErbTemplate
            file: Function call
            m/f: ServedFile
            s: variable 0 write
            m/g: ServedFile
            lookup: Function call
            a::b: HieraKey
            lookup: Function call
            c::d: HieraKey
            hiera: Function call
            e: HieraKey
            lookup: Function call
            f::g: HieraKey
            h = f::g.h: HieraKey
            0 = f::g.h.0: HieraKey
            getvar: Function call
            a: Class
            b: variable in `a`
            run_plan: Function call
            m::p: Plan call
            q: parameter of plan m::p write
            run_task: Function call
            m: Task call
            t: free variable
            r: parameter of task m write
        "#]],
    );
}

#[test]
fn strings_with_escapes_or_interpolation_are_not_names() {
    check(
        "include 'a\\'b', \"a$x\"\nclass { 'x y': }",
        expect![[r#"
        include: Function call
        x: free variable
    "#]],
    );
}

#[test]
fn inline_templates() {
    check(
        "$x = inline_template(\"<%= @a %>\", @(E))\n  $no <%= @b + scope['c::d'] %>\n  | E\ninline_epp('<% $e.each |$f| { %> <%= $x %>')",
        expect![[r#"
            x: variable 0 write
            inline_template: Function call
            a: ErbVariable
            b: ErbVariable
            c: Class
            d: variable in `c`
            inline_epp: Function call
            e: free variable
            f: free variable
            x: variable 0
        "#]],
    );
}

#[test]
fn erb_templates() {
    check_erb(
        "@no <%= @a %> <% if scope['x::y'] -%> <%# @no %> <%= scope.lookupvar('::z') + scope[\"c\"] %> <%%= @no %> <%= scope.function_f([@@no]) %> <%= scope.call_function('g::h', @b) %> a@no <% @",
        expect![[r#"
            a: ErbVariable
            x: Class
            y: variable in `x`
            z: variable in ``
            c: ErbVariable
            f: Function call
            g::h: Function call
            b: ErbVariable
        "#]],
    );
}
