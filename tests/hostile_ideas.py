"""More malicious repositories, which target this program specifically. As in `hostile_kinds`, each function is a kind."""

import hashlib
import json
import os
import struct
import zlib

from hostile_kinds import KINDS, common, doubling, evil, hocon_level, json_level, kind, last_of, levels, site, templates, titles, write


# LSP messages


def talks(*messages, **asked):
    """Sends messages after the first requests, as pairs of a method and parameters; those with an id get a response."""
    return {"messages": messages, **asked}


def document(root, path="manifests/site.pp"):
    return {"uri": (root / path).as_uri()}


@kind
def absurd_positions(root):
    site(root, "class x { notice('é😀') }\n")
    numbers = (0, -1, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 63, 1.5)
    places = [{"line": line, "character": character} for line in numbers for character in numbers]
    edits = [{"range": {"start": a, "end": b}, "text": "x"} for a, b in zip(places, reversed(places))]
    change = {"textDocument": {**document(root), "version": 2}, "contentChanges": edits * 20}
    questions = [("textDocument/hover", {"textDocument": document(root), "position": place}, True) for place in places]
    return talks(("textDocument/didChange", change, False), *questions)


@kind
def many_edits(root):
    site(root, "$x = [\n" + "  'abc',\n" * 20_000 + "]\n")
    places = [{"line": n * 7 % 20_000, "character": n % 9} for n in range(5_000)]
    edits = [{"range": {"start": place, "end": place}, "text": "'" if n % 3 else "{"} for n, place in enumerate(places)]
    change = {"textDocument": {**document(root), "version": 2}, "contentChanges": edits}
    return talks(("textDocument/didChange", change, False), ("textDocument/documentSymbol", {"textDocument": document(root)}, True))


@kind
def edits_one_by_one(root):
    site(root, "class x {\n" + "  $a = 'abc'\n" * 2_000 + "}\n")
    place = {"line": 1000, "character": 3}
    change = lambda n: {"textDocument": {**document(root), "version": n + 2}, "contentChanges": [{"range": {"start": place, "end": place}, "text": "'\"{("[n % 4]}]}
    return talks(*(("textDocument/didChange", change(n), False) for n in range(300)), ("textDocument/foldingRange", {"textDocument": document(root)}, True))


@kind
def deep_settings(root):
    value = 1
    for _ in range(400):
        value = {"puppet-analyzer": [value]}
    return talks(("workspace/didChangeConfiguration", {"settings": value}, False), ("workspace/symbol", {"query": "x" * 100_000}, True))


@kind
def odd_uris(root):
    uris = ["file:///proc/self/environ", "file:///dev/zero", "file:////", "untitled:" + "x" * 500_000, "file://host/a", "file:///%00", "file:///" + "../" * 5_000 + "etc/passwd", "x:"]
    opened = [("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "puppet", "version": 1, "text": "include a\n"}}, False) for uri in uris]
    watched = ("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 1} for uri in uris]}, False)
    asked = [("textDocument/definition", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 8}}, True) for uri in uris[:2]]
    return talks(*opened, watched, *asked)


@kind
def many_documents(root):
    opened = [
        ("textDocument/didOpen", {"textDocument": {"uri": (root / f"manifests/d{n}.pp").as_uri(), "languageId": "puppet", "version": 1, "text": f"class d{n} {{ include d{n + 1} }}\n"}}, False)
        for n in range(600)
    ]
    return talks(*opened, ("textDocument/hover", {"textDocument": document(root), "position": {"line": 0, "character": 1}}, True))


@kind
def long_ways_to_select(root):
    site(root, "$x = " + "[" * 400 + "1" + "]" * 400 + "\n")
    places = [{"line": 0, "character": n} for n in range(800)] * 10
    return talks(("textDocument/selectionRange", {"textDocument": document(root), "positions": places}, True))


@kind
def wide_characters_on_one_line(root):
    site(root, "class x { " + "".join(f"$a{n} = '😀é' + $b{n} " for n in range(5_000)) + "}\n")
    tokens = ("textDocument/semanticTokens/full", {"textDocument": document(root)}, True)
    return talks(tokens, ("textDocument/foldingRange", {"textDocument": document(root)}, True))


# Git repositories


def in_git(function):
    """Registers a kind that writes into an existing Git repository."""

    def written(root):
        return {"after": function}

    KINDS[function.__name__.replace("_", "-")] = written
    return function


def loose(root, kind_name, data, declared=None):
    """Writes a loose object and returns its name."""
    header = f"{kind_name} {len(data) if declared is None else declared}\0".encode()
    name = hashlib.sha1(header + data).hexdigest()
    write(root, f".git/objects/{name[:2]}/{name[2:]}", zlib.compress(header + data, 9))
    return name


def commit_of(root, tree):
    text = f"tree {tree}\nauthor a <a@example.com> 0 +0000\ncommitter a <a@example.com> 0 +0000\n\nx\n"
    name = loose(root, "commit", text.encode())
    write(root, ".git/HEAD", name + "\n")
    write(root, ".git/config", "[core]\n  repositoryformatversion = 0\n")
    write(root, ".git/refs/heads/main", name + "\n")
    return name


def entry(mode, name, object_name):
    return f"{mode} {name}\0".encode() + bytes.fromhex(object_name)


@in_git
def git_object_that_unpacks_to_gigabytes(root):
    packed = zlib.compressobj(9)
    data = packed.compress(b"blob 3000000000\0") + b"".join(packed.compress(b"x" * (1 << 20)) for _ in range(600)) + packed.flush()
    name = "ab" * 20
    write(root, f".git/objects/{name[:2]}/{name[2:]}", data)
    commit_of(root, loose(root, "tree", entry("100644", "site.pp", name)))


@in_git
def git_trees_in_trees(root):
    tree = loose(root, "tree", b"")
    for _ in range(5_000):
        tree = loose(root, "tree", entry("40000", "d", tree))
    commit_of(root, tree)


@in_git
def git_trees_that_double(root):
    blob = loose(root, "blob", b"class x { }\n")
    tree = loose(root, "tree", entry("100644", "x.pp", blob))
    for _ in range(40):
        tree = loose(root, "tree", entry("40000", "a", tree) + entry("40000", "b", tree))
    commit_of(root, tree)


@in_git
def git_references_in_rings(root):
    write(root, ".git/config", "[core]\n  repositoryformatversion = 0\n")
    write(root, ".git/HEAD", "ref: refs/heads/a\n")
    for n in range(3_000):
        write(root, f".git/refs/heads/{'a' if n == 0 else n}", f"ref: refs/heads/{(n + 1) % 3_000 or 'a'}\n")
    write(root, ".git/packed-refs", "# pack-refs\n" + "0" * 40 + " refs/heads/x\n" * 100_000)
    write(root, ".git/objects/info/alternates", "../objects\n../../.git/objects\n" * 1_000)


@in_git
def git_index_of_absurd_size(root):
    commit_of(root, loose(root, "tree", b""))
    write(root, ".git/index", b"DIRC" + struct.pack(">II", 2, 0xFFFFFFFF) + b"\xff" * 4_000)
    write(root, ".git/objects/pack/pack-" + "a" * 40 + ".idx", b"\xfftOc" + struct.pack(">I", 2) + b"\xff" * 1024 + b"\0" * 4_000)
    write(root, ".git/objects/pack/pack-" + "a" * 40 + ".pack", b"PACK" + struct.pack(">II", 2, 0xFFFFFFFF) + b"\xff" * 4_000)


@in_git
def git_names_that_lead_out(root):
    blob = loose(root, "blob", b"notice(1)\n")
    names = ["..", "../../outside/x.pp", "/etc/passwd", ".git", "a\nb", "", "x" * 100_000]
    commit_of(root, loose(root, "tree", b"".join(entry("100644", name, blob) for name in names) + entry("120000", "link", blob)))


# Data


@kind
def interpolations_that_do_not_end(root):
    common(root, 'bomb: "' + "%{" * 200_000 + '"\nother: "' + "%{lookup('" * 50_000 + '"\nthird: "' + "%{a." * 100_000 + '}"\n')
    site(root, "notice(lookup('bomb'))\nnotice(lookup('other', default_value => 1))\nnotice(lookup('third', default_value => 1))\n")


@kind
def interpolations_of_facts(root):
    common(root, 'bomb: "' + "%{facts.os.family}%{facts.networking.fqdn}" * 30_000 + '"\n')
    site(root, "notice(lookup('bomb'))\n")


@kind
def keys_with_dots(root):
    common(root, "bomb: {" + "a: {" * 90 + "}" * 91 + "\n")
    site(root, "notice(lookup('bomb" + ".a" * 100_000 + "', default_value => 1))\n")
    return {"key": "bomb" + ".a" * 20_000}


@kind
def patterns_of_lookup_options(root):
    common(root, "lookup_options:\n" + "".join(f"  '^(k{n}|a+)+$': {{merge: deep}}\n" for n in range(3_000)) + "bomb: 1\n" + "".join(f"evil::p{n}: 1\n" for n in range(200)))
    evil(root, "class evil (\n" + "".join(f"  $p{n} = 2,\n" for n in range(200)) + ") { }\n")
    site(root, "include evil\n" + "".join(f"notice(lookup('a{n}{'a' * 40}!', default_value => 1))\n" for n in range(100)))


@kind
def wide_hashes_merged(root):
    rows = "bomb:\n" + "".join(f"  k{n}: {{a: [1, 2], b: {{c: {n}}}}}\n" for n in range(20_000)) + "lookup_options: {bomb: {merge: {strategy: deep, knockout_prefix: '--', merge_hash_arrays: true}}}\n"
    common(root, rows)
    for n in range(4):
        write(root, f"data/l{n}.yaml", rows)
    levels(root, *(f"{{name: l{n}, path: l{n}.yaml}}" for n in range(4)), "{name: c, path: common.yaml}")
    site(root, "notice(lookup('bomb').length)\n")


@kind
def wide_arrays_made_one(root):
    rows = "bomb: [" + ", ".join(f"'x{n}'" for n in range(20_000)) + "]\nlookup_options: {bomb: {merge: unique}}\n"
    common(root, rows)
    write(root, "data/other.yaml", rows.replace("'x", "'y"))
    levels(root, "{name: o, path: other.yaml}", "{name: c, path: common.yaml}")
    site(root, "notice(lookup('bomb').length)\n")


@kind
def lookup_in_its_own_paths(root):
    levels(root, "{name: a, path: \"%{lookup('bomb')}.yaml\"}", "{name: b, paths: [\"%{alias('x')}\", '%{::a.b}', \"%{lookup('a')}\"]}", "{name: c, path: common.yaml}")
    common(root, "bomb: \"%{lookup('bomb2')}\"\nbomb2: \"%{lookup('bomb')}\"\na: \"%{lookup('a')}\"\n")
    site(root, "notice(lookup('bomb', default_value => 1))\n")


@kind
def yaml_of_odd_forms(root):
    common(root, "bomb: |9\n" + " " * 200_000 + "x\na: >-\n" + "\n" * 200_000 + "b: !!binary " + "A" * 100_000 + "\nc: !ruby/object:Gem::Requirement {a: 1}\nd: 1" + "0" * 100_000 + "\ne: 0x" + "f" * 100_000 + "\nf: 2001-99-99T99:99:99Z\ng: 1e" + "9" * 50_000 + "\nh: \"" + "\\U0010FFFF" * 10_000 + "\"\n" + "--- &a\n" * 5_000)
    return {"open": "data/common.yaml"}


@kind
def yaml_keys_that_are_collections(root):
    common(root, "".join(f"? [{', '.join('a' * 20)}, {n}]\n: {{? {{a: {n}}} : b}}\n" for n in range(5_000)) + "bomb: 1\n")
    return {"open": "data/common.yaml"}


@kind
def json_numbers_and_escapes(root):
    json_level(root)
    common(root, '{"bomb": [' + "1" * 200_000 + ", 1e" + "9" * 100_000 + ', "' + "\\ud800" * 50_000 + '", ' + ",".join(["-0"] * 50_000) + "]}", "json")
    site(root, "notice(lookup('bomb'))\n")


@kind
def hocon_includes(root):
    hocon_level(root)
    common(root, 'include "common.conf"\n' * 5_000 + 'include file("/proc/self/environ")\ninclude url("http://192.0.2.1/")\nbomb = ${bomb}${bomb}${HOME}${TOKEN}\n', "conf")
    site(root, "notice(lookup('bomb', default_value => 1))\n")


@kind
def facts_of_absurd_shape(root):
    rows = "".join(f'"f{n}": {{"a": [{n}, {{"b": "{n}"}}]}},\n' for n in range(50_000))
    write(root, "facts.json", "{" + rows + '"' + "a." * 50_000 + '": 1, "networking": [], "os": "x", "clientcert": {"a": 1}}')
    write(root, "puppet-analyzer.toml", 'fact-files = ["facts.json"]\n')
    site(root, "notice($facts['f1'])\nnotice($f1)\n$facts.each |$k, $v| { if $k == 1 { notice($v) } }\n")


@kind
def fixtures_and_ignores(root):
    write(root, "modules/evil/.fixtures.yml", "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 30)) + "fixtures: {repositories: *a29}\n")
    write(root, ".ignore", "[" * 100_000 + "\n")
    write(root, "puppet-analyzer.toml", "exclude = [" + ", ".join(f"'x{n}/**'" for n in range(3_000)) + "]\n[lint]\n" + "".join(f"x{n} = 'error'\n" for n in range(3_000)))
    for n in range(300):
        write(root, f"modules/evil/manifests/{'a' * 100}{n}.pp", f"class evil::{'a' * 100}{n} {{ }}\n")
    # Git itself takes hours to match these.
    ignored = "{a,b}" * 2_000 + "\n" + "**/" * 3_000 + "x\n" + "!x" * 50_000 + "\n" + "*a" * 3_000 + "b\n"
    return {"after": lambda root: write(root, ".gitignore", ignored)}


# Code


@kind
def a_quote_on_each_line(root):
    site(root, "$x = 'a\n" * 50_001)


@kind
def titles_without_colons(root):
    site(root, "file { 'a' 'a' : " * 20_000)


@kind
def brackets_that_do_not_match(root):
    site(root, "class x {\n" + "  $a = [ (\n  } ] {\n" * 15_000)
    write(root, "manifests/other.pp", "  if $x {\n" * 3_000 + "}}\n" * 9_000)
    write(root, "manifests/arrows.pp", "a => { b => [\n" * 20_000)


@kind
def strings_in_strings(root):
    site(root, "$x = " + '"${' * 100_000 + "\n" + "$y = " + '"${[' * 300 + "1" + ']}"' * 300 + "\n" + '$z = "' + "${a}" * 50_000 + '"\n')


@kind
def heredocs_that_do_not_end(root):
    site(root, "".join(f"$a{n} = @(\"E{n}\")\n  ${{x}}\n" for n in range(5_000)) + "$b = [" + ", ".join(f"@(F{n})" for n in range(3_000)) + "]\n")


@kind
def documentation(root):
    evil(root, "# A class.\n" + "".join(f"# @param p{n} {'word ' * 20}\n# @option p{n} [Hash] :k{n}\n" for n in range(10_000)) + "class evil ($p1) { }\n")
    site(root, "include evil\n")
    return {"open": "modules/evil/manifests/init.pp"}


@kind
def comments_that_hide(root):
    site(root, "".join(f"# lint:ignore:unknown-variable lint:ignore:x{n}\nnotice($undefined{n}) # lint:ignore\n" for n in range(15_000)) + "# lint:endignore\n" * 5_000)


@kind
def wide_branches(root):
    ifs = "".join(f"  $a{n} = {n}\n" for n in range(8_000))
    cases = "".join(f"  'x{n}': {{ $c{n} = {n} }}\n" for n in range(3_000))
    evil(root, "class evil {\nif $facts['x'] {\n" + ifs + "} else {\n" + ifs + "}\ncase $facts['y'] {\n" + cases + "}\nnotice($a1, $c1)\n}\n")
    site(root, "include evil\n")
    return {"open": "modules/evil/manifests/init.pp"}


@kind
def recursive_aliases(root):
    for n in range(60):
        others = ", ".join(f"Array[Evil::T{m}], Hash[String, Evil::T{m}]" for m in range(60) if m % 7 == n % 7)
        write(root, f"modules/evil/types/t{n}.pp", f"type Evil::T{n} = Variant[Integer, Tuple[Evil::T{(n + 1) % 60}, Evil::T{(n + 2) % 60}], {others}]\n")
    site(root, doubling("[1]", "[@, { 'a' => @ }]", 24) + last_of(24, "notice(@ =~ Evil::T0)", "notice(Evil::T0 == Evil::T1)", "notice(Evil::T0 < Evil::T1)", "notice(Type[Evil::T2] =~ Type[Evil::T3])"))


@kind
def chain_of_twenty_thousand_aliases(root):
    code = "".join(f"type T{n} = Variant[T{n + 1}, Undef]\n" for n in range(20_000))
    site(root, code + "type T20000 = Integer\nnotice(1 =~ T0)\nnotice(T0)\n")


@kind
def ring_of_aliases(root):
    code = "".join(f"type T{n} = T{(n + 1) % 300}\ntype V{n} = Variant[V{(n + 1) % 300}, V{(n + 7) % 300}]\n" for n in range(300))
    site(root, code + "notice(1 =~ T0)\nnotice(T150)\nnotice(1 =~ V0)\n[1].each |T7 $x| { notice($x) }\n")


@kind
def chain_of_object_types(root):
    code = "".join(f"type O{n} = Object[{{parent => O{n + 1}, attributes => {{a{n} => Integer}}}}]\n" for n in range(1_000))
    site(root, code + "type O1000 = Object[{attributes => {z => Integer}}]\nnotice(O0)\n$o = O0(1, 2)\nnotice($o.z)\n")


@kind
def type_sets(root):
    members = ", ".join(f"T{n} => Array[T{n + 1}]" for n in range(2_000))
    write(root, "modules/evil/types/set.pp", f"type Evil::Set = TypeSet[{{pcore_version => '1.0.0', types => {{{members}, T2000 => Integer}}, references => {{A => {{name => 'Evil::Set', version_range => '1.x'}}}}}}]\n")
    site(root, "notice(Evil::Set::T0)\nnotice([] =~ Evil::Set::T1)\n")


@kind
def large_patterns(root):
    rows = [f"notice('a' =~ /(a|b{n}){{1,900}}(c[d-z]{{1,200}})*/)" for n in range(1_500)]
    rows += [f"notice('{'ab' * 200}'.regsubst('(?<n{n}>a)(?=b)', '\\\\k<n{n}>x', 'G'))" for n in range(300)]
    site(root, "\n".join(rows) + "\n")


@kind
def patterns_that_backtrack(root):
    text = "a" * 25_000
    rows = [f"'{text}'.match(/^(?=(a|aa)+$)(a*)*b/)", f"'{text}'.split(/(?<=a)(?=a)/).length", f"'{text}'.regsubst('(a*)*?(?!a)b', 'x', 'G')", f"'{text}' =~ /(?<!a)\\1?(a+)+\\1c/"]
    site(root, "".join(f"notice({row})\n" for row in rows * 20))


@kind
def formats_with_widths(root):
    rows = ["sprintf('%*d', 999999999, 1)", "sprintf('%" + "0" * 100_000 + "d', 1)", "sprintf('" + "%1000000s" * 1_000 + "', *Array(Integer[1, 1000]))", "String(1, '%#999999999b')", "String('x', '%-999999999s')"]
    rows += ["String([[1]], '%#999999999a')", "String({a => {b => 1}}, {Hash => {format => '%#999999h', separator => '" + "x" * 100_000 + "'}})", "Timestamp('2020-01-01').strftime('%999999999N')", "Timestamp('2020-01-01').strftime('" + "%10000Y" * 5_000 + "')"]
    rows += ["Timespan(1).strftime('%-999999999D')", "sprintf('%999999999$d', 1)", "sprintf('%<a>999999999s', {a => 1})", "String(1.5, '%.999999999e')", "String(Integer, '%999999999p')", "'x'.center(999999999)", "'ab'.str2bool", "Binary('" + "A" * 400_000 + "').String('%999999999b')"]
    site(root, "".join(f"notice({row})\n" for row in rows))
    # Maximum length of the arguments of a process.
    return {"evals": [row for row in rows if len(row) < 100_000]}


@kind
def epp_in_turns(root):
    for a, b in (("a", "b"), ("b", "a")):
        write(root, f"modules/evil/templates/{a}.epp", f"<%- |$x = 1| -%>\n<%= epp('evil/{b}.epp', {{x => [$x, $x]}}) %><%= inline_epp('<%= epp(\"evil/{b}.epp\") %>') %>\n")
    write(root, "modules/evil/templates/wide.epp", "<%- |" + ", ".join(f"$p{n} = [$p{max(n - 1, 0)}, $p{max(n - 1, 0)}]" for n in range(60)) + "| -%>\n<%= $p59 %>\n")
    evil(root, "class evil { notice(epp('evil/a.epp')) notice(epp('evil/wide.epp')) }\n")
    site(root, "include evil\n")
    return {"open": "modules/evil/templates/wide.epp"}


@kind
def erb_that_formats(root):
    rows = ["'%0999999999d' % 1", "'x' * (1 << 40)", "'x'.center(10**9)", "(1..10**9).inject { |a, b| a + b }", "'a,' * 100000 + 'b'.gsub(/(a*)*b/) { 'x' * 1000 }", "10**10**8", "(1..10**9).to_a.length", "'x'.ljust(10**9, 'ab')", "Array.new(10**9) { |i| i }", "['x'] * 10**9", "2**64**64", "1 << 10**9", "'x' =~ /(a+)+$/", "scope.function_template(['evil/t.erb'])", "[1, 2, 3].permutation.to_a", "Hash.new { |h, k| h[k] = h[k + 1] }[1]"]
    return templates(root, "".join(f"<%= {row} %>\n" for row in rows) + "<% loop do %>x<% end %><% while true %>x<% end %>")


@kind
def lambdas_in_lambdas(root):
    site(root, "with(1) |$a| { " * 200 + "notice($a)" + " }" * 200 + "\n" + "$f = [1, 2].reduce([]) |$m, $x| { [$m, $m, $x] }\n" + "Integer[1, 40].reduce([1]) |$m, $x| { [$m, $m] }\n" + "notice(Integer[1, 100000].step(2).map |$x| { [$x] * 1 }.flatten.length)\n" + "notice(Integer[1, 2000].slice(2).map |$a| { $a }.tree_each({order => 'breadth_first'}).map |$x| { $x }.length)\n")


@kind
def collectors_that_append(root):
    site(root, f"@notify {{ {titles('a', 200)}: tag => ['t'] }}\n" + "Notify <| |> { tag +> ['x', 'y', 'z'] }\n" * 300 + "Notify <| tag == 't' or tag != 'x' and (title == 'a' or title != 'b') |> { message +> ['m'] }\n" * 100)


@kind
def arrows_of_collectors_that_find_nothing(root):
    site(root, " -> ".join(["Exec <| title == 'x' |>"] * 400) + "\n" + "Exec <| |> -> Notify <| |>\n" * 3_000)


@kind
def files_below_files(root):
    site(root, "".join(f"file {{ '/{'/'.join('d' * (n % 200 + 1))}/f{n}': ensure => file, require => File['/{'/'.join('d' * ((n + 1) % 200 + 1))}/f{(n + 1) % 3_000}'] }}\n" for n in range(3_000)))


@kind
def create_resources_of_many(root):
    site(root, "$h = Integer[1, 30000].reduce({}) |$m, $n| { $m + { \"n${n}\" => { message => 'x' } } }\ncreate_resources(notify, $h)\n" + "$g = Hash(Integer[1, 30000].map |$n| { [\"g${n}\", { message => [$n] }] })\ncreate_resources(notify, $g, { loglevel => 'info' })\n")


@kind
def texts_that_are_types(root):
    deep = "Array[" * 5_000 + "]" * 5_000
    wide = "Variant[" + ", ".join(f"Enum[a{n}]" for n in range(5_000)) + "]"
    site(root, f"notice(Type('{deep}'))\nnotice(assert_type('{wide}', 'x'))\n'{wide}' -> Notify['x']\ncreate_resources('{deep}', {{}})\nnotice('x' =~ Type[{wide}])\nnotice(Init['{wide}'])\n")


@kind
def puppetfile_of_rings(root):
    write(root, "Puppetfile", "".join(f"a{n} = \"#{{a{n + 1}}}#{{a{n + 1}}}\"\n" for n in range(2_000)) + "mod \"a/#{a0}\", :latest\n" + "def x; x; x; end\nx\n" + "mod 'a/b', " + "{" * 20_000 + "\n" + "eval(File.read('/proc/self/environ'))\n`touch ran`\n")
    return {"open": "Puppetfile"}


@kind
def versions_of_modules(root):
    ranges = [">=1.0.0 " * 20_000, " || ".join(f"1.{n}.x" for n in range(10_000)), "9" * 50_000, "1.0.0-" + "a." * 50_000, "~> " * 30_000, "1.0.0+" + "b" * 100_000]
    dependencies = [{"name": f"a-d{n}", "version_requirement": text} for n, text in enumerate(ranges * 20)]
    write(root, "modules/evil/metadata.json", json.dumps({"name": "a-evil", "version": "1.0.0", "dependencies": dependencies, "operatingsystem_support": [{"operatingsystem": "Debian", "operatingsystemrelease": ["9" * 1_000] * 5_000}] * 20}))
    write(root, "modules/d1/metadata.json", json.dumps({"name": "a-d1", "version": "1." + "0" * 10_000}))
    return {"open": "modules/evil/metadata.json"}


# Costs that add up over all compilations


@kind
def classes_that_include_all(root):
    for n in range(3_000):
        evil(root, "class evil::c%d { Integer[0, 2999].each |$n| { include \"evil::c${n}\" } }\n" % n, f"c{n}")
    site(root, "include evil::c0\n")


@kind
def nodes_that_include_all(root):
    for n in range(400):
        evil(root, f"class evil::c{n} {{ notify {{ 'c{n}': }} }}\n", f"c{n}")
    site(root, "class all { Integer[0, 399].each |$n| { include \"evil::c${n}\" } }\n" + "".join(f"node 'n{n}.example.com' {{ include all }}\n" for n in range(1_000)))


@kind
def classes_that_work_much(root):
    for n in range(300):
        evil(root, "class evil::c%d { $x = Integer[1, 30000].map |$n| { $n * 2 } }\n" % n, f"c{n}")
    site(root, "include evil::c0\n")


@kind
def aliases_in_many_files(root):
    for n in range(100):
        code = "".join(f"type Evil::T{n}::A{m} = Variant[Evil::T{n}::A{m + 1}, Undef]\n" for m in range(90))
        write(root, f"modules/evil/types/t{n}.pp", code + f"type Evil::T{n}::A90 = Integer\n")
    site(root, "notice(1 =~ Evil::T0::A0)\n")


@kind
def program_for_all_nodes(root):
    site(root, "Integer[1, 100000].each |$n| { notify { \"n${n}\": } }\nlookup('classes', {default_value => []}).include\n")


@kind
def module_called_environment(root):
    write(root, "modules/environment/manifests/init.pp", "class environment { }\n" * 3_000)
    write(root, "modules/environment/functions/f.pp", "function environment::f() { environment::f() }\n")
    site(root, "include environment\nenvironment::f()\n")


@kind
def links_in_rings(root):
    for n in range(200):
        os.symlink(f"l{(n + 1) % 200}", root / f"modules/l{n}")
    os.symlink("../modules", root / "modules/evil/manifests/modules")
    os.symlink("site.pp", root / "manifests/self.pp")
    os.symlink("self2.pp", root / "manifests/self2.pp")
    (root / "modules/evil/lib").mkdir(exist_ok=True)
    os.symlink("..", root / "modules/evil/lib/facter")
