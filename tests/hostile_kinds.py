"""Malicious repositories, one function each: their files, and the inputs of the commands run on them. Standard library only.

A function gets the folder of the repository (with `manifests/site.pp`, `hiera.yaml`, `data`, and a module `evil`) and writes the files
that its name describes. Its return value, if any, overrides the defaults in `ASKED`. Repositories that attack the same code in the same
way are one kind.
"""

import json
import os

# Default inputs, unless the kind sets others.
ASKED = {"open": "manifests/site.pp", "key": "bomb", "eval": "manifests/site.pp"}

# Text outside the repository and in the environment of the program. No output may contain it.
SECRET = "marked-secret-7391"

KINDS = {}


def kind(function):
    KINDS[function.__name__.replace("_", "-")] = function
    return function


def write(root, path, text):
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text if isinstance(text, bytes) else text.encode())


def site(root, code):
    """Writes the main manifest, which is also evaluated and opened."""
    write(root, "manifests/site.pp", code)


def evil(root, code, name="init"):
    write(root, f"modules/evil/manifests/{name}.pp", code)


def common(root, text, ending="yaml"):
    write(root, f"data/common.{ending}", text)


def levels(root, *rows):
    text = "version: 5\ndefaults:\n  datadir: data\n  data_hash: yaml_data\nhierarchy:\n"
    write(root, "hiera.yaml", text + "".join(f"  - {row}\n" for row in rows))


def json_level(root):
    levels(root, '{name: j, path: common.json, data_hash: json_data}')


def hocon_level(root):
    levels(root, '{name: h, path: common.conf, data_hash: hocon_data}')


def doubling(first, step, times):
    """Returns `$v0 = first` followed by variables that are each computed from the previous one."""
    rows = [f"$v0 = {first}"] + [f"$v{n} = {step.replace('@', f'$v{n - 1}')}" for n in range(1, times)]
    return "\n".join(rows) + "\n"


# Types and values with shared parts


def last_of(times, *uses):
    return "".join(use.replace("@", f"$v{times - 1}") + "\n" for use in uses)


@kind
def shared_tuple(root):
    site(root, doubling("Integer", "Tuple[@, @]", 40) + last_of(40, 'notice("x ${@}")', "notice(1 =~ @)"))


@kind
def shared_tuple_shown(root):
    site(root, doubling("Integer", "Tuple[@, @]", 30) + last_of(30, "$s = String(@)", "notify { 'x': message => @ }"))


@kind
def shared_struct(root):
    site(root, doubling("Integer", "Struct[{a => @, b => @}]", 40) + last_of(40, "notice({a => 1} =~ @)", "notice(@)"))


@kind
def shared_variant(root):
    site(root, doubling("Integer", "Variant[Array[@], Hash[String, @]]", 40) + last_of(40, "notice([] =~ @)", "notice(@)"))


@kind
def shared_callable(root):
    site(root, doubling("Integer", "Callable[@, @]", 40) + last_of(40, "notice(@)", "notice(@ == Type[@])"))


@kind
def shared_types_compared(root):
    one = doubling("Integer", "Tuple[@, @]", 32)
    site(root, one + one.replace("$v", "$w") + "notice($v31 == $w31)\nnotice($v31 < $w31)\nnotice($v31 =~ Type[$w31])\n")


@kind
def shared_types_as_keys(root):
    one = doubling("Integer", "Tuple[@, @]", 32)
    site(root, one + one.replace("$v", "$w") + "$h = { $v31 => 1, $w31 => 2 }\nnotice($h[$w31])\nnotice([$v31, $w31].unique)\n")


@kind
def shared_types_joined(root):
    one = doubling("Integer", "Tuple[@, @]", 32)
    two = doubling("String", "Tuple[@, @]", 32).replace("$v", "$w")
    site(root, one + two + "notice(type([$v31, $w31]))\nnotice(type([$v31, $w31], 'generalized'))\n")


@kind
def shared_type_of_parameter(root):
    code = doubling("Integer", "Tuple[@, @]", 32) + "class { 'evil': a => $v31 }\n"
    evil(root, "class evil (Type[Tuple[Integer, 2, 4]] $a) { notice($a) }\n")
    site(root, code)


@kind
def shared_alias_files(root):
    write(root, "modules/evil/types/t0.pp", "type Evil::T0 = Integer\n")
    for n in range(1, 40):
        write(root, f"modules/evil/types/t{n}.pp", f"type Evil::T{n} = Tuple[Evil::T{n - 1}, Evil::T{n - 1}]\n")
    evil(root, "class evil (Evil::T39 $a = [1, 2]) { notice($a) }\n")
    site(root, "class { 'evil': a => [[1], [2]] }\nnotice(Evil::T39)\nnotice([1, 2] =~ Evil::T39)\n")
    return {"open": "modules/evil/manifests/init.pp"}


@kind
def shared_arrays(root):
    uses = ("notice(@.length)", "notice(type(@))", "notice(@.flatten)", 'notice("${@}")', "notice(@ == @)")
    site(root, doubling("[1]", "[@, @]", 40) + last_of(40, *uses))


@kind
def shared_hashes(root):
    uses = ("notice(type(@))", "notice(@ =~ Data)", "notice(@.to_json)", "notify { 'x': message => @ }")
    site(root, doubling("{a => 1}", "{a => @, b => @}", 40) + last_of(40, *uses))


@kind
def shared_arrays_as_parameters(root):
    evil(root, "class evil (Array[Array[Integer]] $a, Data $b) { file { '/x': content => \"${b}\" } }\n")
    site(root, doubling("[1]", "[@, @]", 34) + "class { 'evil': a => $v33, b => $v33 }\n")


@kind
def shared_arrays_compared(root):
    one = doubling("[1]", "[@, @]", 34)
    site(root, one + one.replace("$v", "$w") + "notice($v33 == $w33)\nnotice($v33 in [$w33])\nnotice([$v33, $w33].unique)\n")


@kind
def doubled_text(root):
    site(root, doubling("'0123456789'", '"${@}${@}"', 40))


@kind
def doubled_array(root):
    site(root, doubling("[1, 2]", "@ + @", 40) + last_of(40, "notice(@.length)"))


@kind
def deep_type(root):
    site(root, "$x = " + "Array[" * 200_000 + "Integer" + "]" * 200_000 + "\n")


@kind
def type_nested_by_steps(root):
    site(root, doubling("Integer", "Array[@]", 8_000) + last_of(8_000, "notice(@)", "notice([] =~ @)"))


@kind
def value_nested_by_steps(root):
    uses = ("notice(@)", "notice(type(@))", "notice(@ == 1)", "notice(@.flatten)")
    site(root, doubling("1", "[@]", 8_000) + last_of(8_000, *uses))


@kind
def large_enumeration(root):
    names = ", ".join(f"'name{n}'" for n in range(30_000))
    site(root, f"$t = Enum[{names}]\n$u = Enum[{names}]\nnotice($t == $u)\nnotice('x' =~ $t)\nnotice(Variant[$t, $u])\n")


@kind
def large_variant(root):
    names = ", ".join(f"Tuple[Integer[{n}], String]" for n in range(4_000))
    site(root, f"$t = Variant[{names}]\n$u = Variant[{names}]\nnotice($t == $u)\nnotice($t < $u)\nnotice([1] =~ $t)\n")


# Data


def laughs(times=30):
    rows = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, times)]
    return "\n".join(rows) + f"\nbomb: *a{times - 1}\n"


@kind
def yaml_laughs(root):
    common(root, laughs())
    evil(root, "class evil (Data $a = lookup('bomb')) { notify { 'x': message => $a } }\n")
    site(root, "include evil\nnotice(lookup('bomb'))\n")
    return {"open": "data/common.yaml"}


@kind
def yaml_laughs_for_a_class(root):
    common(root, laughs().replace("bomb:", "evil::a:"))
    evil(root, "class evil (Array[String] $a) { notify { 'x': message => \"${a}\" } }\n")
    site(root, "include evil\n")
    return {"key": "evil::a"}


@kind
def yaml_laughs_with_merge(root):
    rows = ["a0: &a0 {k: v}"] + [f"a{n}: &a{n} {{l: *a{n - 1}, r: *a{n - 1}}}" for n in range(1, 30)]
    common(root, "\n".join(rows) + "\nlookup_options:\n  bomb: {merge: deep}\nbomb: *a29\n")
    write(root, "data/other.yaml", "bomb: {l: {l: {}}}\n")
    levels(root, "{name: o, path: other.yaml}", "{name: c, path: common.yaml}")
    site(root, "notice(lookup('bomb'))\n")


@kind
def yaml_merge_keys(root):
    rows = ["a0: &a0 {k0: v}"] + [f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}, *a{n - 1}], k{n}: v}}" for n in range(1, 200)]
    common(root, "\n".join(rows) + "\nbomb: *a199\n")


@kind
def yaml_laughs_in_facts(root):
    write(root, "facts.yaml", laughs())
    write(root, "puppet-analyzer.toml", 'fact-files = ["facts.yaml"]\n')
    site(root, "notice($facts['bomb'])\nnotice(\"${facts}\")\n")


@kind
def yaml_laughs_in_configuration(root):
    write(root, "hiera.yaml", laughs() + "version: 5\nhierarchy: *a29\n")


@kind
def yaml_that_holds_itself(root):
    common(root, "bomb: &a [*a, *a]\nother: &b {x: *b}\n? &c [*c]\n: 1\n")
    site(root, "notice(lookup('bomb'))\nnotice(lookup('other'))\n")


@kind
def deep_yaml(root):
    common(root, "bomb: " + "[" * 200_000 + "\n")
    write(root, "data/map.yaml", "bomb: " + "{a: " * 200_000 + "\n")
    write(root, "data/blocks.yaml", "bomb:\n  " + "- " * 200_000 + "x\n")
    write(root, "data/keys.yaml", "? " * 200_000 + "x\n")
    levels(root, "{name: a, path: map.yaml}", "{name: b, path: blocks.yaml}", "{name: k, path: keys.yaml}", "{name: c, path: common.yaml}")


@kind
def equal_yaml_keys(root):
    common(root, "same: 1\n" * 10_000 + "bomb: 1\n")
    return {"open": "data/common.yaml"}


@kind
def broken_yaml_lines(root):
    common(root, "a: b: c\n" * 20_000 + "bomb: 1\n")
    return {"open": "data/common.yaml"}


@kind
def large_yaml(root):
    common(root, "".join(f"key{n}: [a, b, {{c: 'd'}}]\n" for n in range(300_000)) + "bomb: 1\n")


@kind
def deep_json(root):
    json_level(root)
    common(root, '{"bomb": ' + "[" * 200_000, "json")
    write(root, "modules/evil/metadata.json", '{"name": ' * 200_000)
    write(root, "modules/evil/tasks/t.json", '{"parameters": ' * 200_000)


@kind
def equal_json_keys(root):
    json_level(root)
    common(root, "{" + '"same": 1, ' * 20_000 + '"bomb": 1}', "json")
    return {"open": "data/common.json"}


@kind
def hocon_doubling(root):
    hocon_level(root)
    rows = ["a0 = [x, x]"] + [f"a{n} = ${{a{n - 1}}} ${{a{n - 1}}}" for n in range(1, 40)]
    common(root, "\n".join(rows) + "\nbomb = ${a39}\n", "conf")


@kind
def hocon_doubling_text(root):
    hocon_level(root)
    rows = ['a0 = "xxxxxxxx"'] + [f"a{n} = ${{a{n - 1}}}${{a{n - 1}}}" for n in range(1, 40)]
    common(root, "\n".join(rows) + "\nbomb = ${a39}\n", "conf")


@kind
def hocon_doubling_hashes(root):
    hocon_level(root)
    rows = ["a0 = {x: 1}"] + [f"a{n} = {{l: ${{a{n - 1}}}, r: ${{a{n - 1}}}}}" for n in range(1, 40)]
    common(root, "\n".join(rows) + "\nbomb = ${a39}\n", "conf")


@kind
def hocon_dots(root):
    hocon_level(root)
    common(root, "a." * 170_000 + "b = 1\nbomb = 1\n", "conf")


@kind
def hocon_dots_in_substitution(root):
    hocon_level(root)
    common(root, "bomb = ${" + "a." * 170_000 + "b}\n", "conf")


@kind
def deep_hocon(root):
    hocon_level(root)
    common(root, "bomb = " + "{a = " * 200_000, "conf")
    write(root, "data/lists.conf", "bomb = " + "[" * 200_000)
    return {"open": "data/common.conf"}


@kind
def hocon_chain(root):
    hocon_level(root)
    rows = ["a0 = 1"] + [f"a{n} = ${{a{n - 1}}}" for n in range(1, 20_000)]
    common(root, "\n".join(rows) + "\nbomb = ${a19999}\nc = ${d}\nd = ${c}\n", "conf")


@kind
def hocon_equal_keys(root):
    hocon_level(root)
    common(root, "".join(f"a.b.c{n % 7} = {{x: {n}}}\n" for n in range(20_000)) + "bomb = 1\n", "conf")


@kind
def hocon_appends(root):
    hocon_level(root)
    common(root, "bomb = [x]\n" + "bomb = ${bomb} ${bomb}\n" * 60 + "other += 1\n" * 20_000, "conf")


@kind
def lookups_that_double(root):
    rows = ["a0: xxxxxxxx"] + [f"a{n}: \"%{{lookup('a{n - 1}')}}%{{lookup('a{n - 1}')}}\"" for n in range(1, 40)]
    common(root, "\n".join(rows) + "\nbomb: \"%{lookup('a39')}\"\n")
    site(root, "notice(lookup('bomb'))\n")


@kind
def aliases_that_double(root):
    rows = ["a0: [x]"] + [f"a{n}: [\"%{{alias('a{n - 1}')}}\", \"%{{alias('a{n - 1}')}}\"]" for n in range(1, 40)]
    common(root, "\n".join(rows) + "\nbomb: \"%{alias('a39')}\"\n")
    site(root, "notice(lookup('bomb'))\n")


@kind
def chain_of_lookups(root):
    rows = ["a0: x"] + [f"a{n}: \"%{{lookup('a{n - 1}')}}\"" for n in range(1, 10_000)]
    common(root, "\n".join(rows) + "\nbomb: \"%{lookup('a9999')}\"\nround: \"%{lookup('round')}\"\n")
    site(root, "notice(lookup('bomb'))\nnotice(lookup('round'))\n")


@kind
def many_levels(root):
    rows = "".join(f"  - {{name: l{n}, paths: ['%{{facts.x}}/{n}.yaml', '{n}.yaml']}}\n" for n in range(5_000))
    write(root, "hiera.yaml", "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n" + rows)
    site(root, "".join(f"notice(lookup('a{n}', default_value => 1))\n" for n in range(100)))


@kind
def equal_level_names(root):
    write(root, "hiera.yaml", "version: 5\nhierarchy:\n" + "  - {name: same, path: x.yaml, bad: 1}\n" * 5_000)
    return {"open": "hiera.yaml"}


@kind
def globs(root):
    levels(root, "{name: g, glob: '" + "{a,b,c}" * 30 + ".yaml'}", "{name: s, glob: '" + "**/" * 40 + "*.yaml'}", "{name: t, glob: '" + "*a" * 60 + "'}")
    for n in range(200):
        write(root, f"data/{'a' * 60}{n}.yaml", "bomb: 1\n")
    for n in range(30):
        write(root, "data/" + "d/" * n + "x.yaml", "bomb: 1\n")


@kind
def mapped_paths(root):
    levels(root, "{name: m, mapped_paths: [many, v, '%{v}/%{v}.yaml']}")
    site(root, "$many = Array(Integer[1, 100000])\nnotice(lookup('bomb'))\n")


# References to files outside the repository


def secret_levels(root, folder):
    levels(
        root,
        f"{{name: a, datadir: '{folder}', path: secret.yaml}}",
        f"{{name: b, datadir: '{folder}', glob: '**/*'}}",
        "{name: c, path: common.yaml}",
    )
    site(root, "notice(lookup('token'))\nnotify { lookup('token', default_value => 'x'): }\n")
    return {"key": "token"}


@kind
def data_outside(root):
    return secret_levels(root, "../outside")


@kind
def data_through_link(root):
    os.symlink("../outside", root / "linked")
    return secret_levels(root, "linked")


@kind
def data_everywhere(root):
    return secret_levels(root, "/")


@kind
def data_in_proc(root):
    levels(root, "{name: a, datadir: /proc/self, path: environ}", "{name: b, datadir: /proc, glob: '**/status'}")
    site(root, "notice(lookup('TOKEN'))\n")
    return {"key": "TOKEN"}


@kind
def files_outside(root):
    outside = root.parent / "outside"
    names = [f"{outside}/secret.yaml", "../outside/secret.yaml", "/proc/self/environ", "evil/../../../../outside/secret.yaml", "evil/link"]
    calls = "".join(f"notice({f}('{name}'))\n" for name in names for f in ("file", "template", "epp", "binary_file"))
    (root / "modules/evil/files").mkdir(parents=True)
    os.symlink(f"{outside}/secret.yaml", root / "modules/evil/files/link")
    for n, name in enumerate(names):
        evil(root, f"class evil::c{n} {{ notify {{ file('{name}', '/nowhere'): }} }}\n", f"c{n}")
    site(root, calls + "include evil::c0, evil::c1, evil::c2, evil::c3, evil::c4\n")


@kind
def facts_in_devices(root):
    write(root, "puppet-analyzer.toml", 'fact-files = ["/dev/zero", "/dev/random", "/proc/self/environ", "../outside/secret.yaml"]\n')
    site(root, "notice(\"${facts}\")\n")


@kind
def data_in_devices(root):
    levels(root, "{name: z, datadir: /dev, path: zero}", "{name: l, path: link.yaml}", "{name: c, path: common.yaml}")
    os.symlink("/dev/zero", root / "data/link.yaml")


@kind
def manifests_in_devices(root):
    os.symlink("/dev/zero", root / "manifests/zero.pp")
    os.symlink("/proc/self/environ", root / "manifests/environ.pp")
    os.symlink("/dev/zero", root / "modules/evil/metadata.json")
    os.symlink("/dev/zero", root / "Puppetfile")
    os.symlink("/dev/zero", root / "environment.conf")


@kind
def pipes(root):
    for name in ("manifests/pipe.pp", "data/pipe.yaml", "modules/evil/metadata.json", "Puppetfile", "environment.conf", "facts.yaml"):
        os.mkfifo(root / name)
    os.mkfifo(root / "modules/evil/manifests/init.pp")
    levels(root, "{name: p, path: pipe.yaml}", "{name: c, path: common.yaml}")
    write(root, "puppet-analyzer.toml", 'fact-files = ["facts.yaml"]\n')
    site(root, "include evil\n")


@kind
def ignore_files_in_devices(root):
    def after(root):
        os.symlink("/dev/zero", root / ".ignore")
        os.mkfifo(root / ".gitignore")
        os.mkfifo(root / ".puppet-lint.rc")
        os.symlink("/proc/self/pagemap", root / "modules/evil/.gitignore")
        write(root, "manifests/.ignore", "*x*y*z*\n" * 200_000)

    return {"after": after}


@kind
def modules_everywhere(root):
    write(root, "environment.conf", "modulepath = /:/proc:/usr:modules\nmanifest = /\n")


@kind
def module_that_is_everything(root):
    os.symlink("/", root / "modules/root")
    os.symlink("/proc", root / "modules/proc")
    os.symlink("../..", root / "modules/evil/manifests/up")
    os.symlink(".", root / "modules/evil/manifests/here")
    site(root, "include root\ninclude evil\n")


@kind
def settings_that_name_programs(root):
    program = root / "program"
    write(root, "program", f"#!/bin/sh\ntouch {root.parent}/ran\n")
    program.chmod(0o755)
    rows = [f'{name} = "{program}"' for name in ("installed-puppet",)]
    write(root, "puppet-analyzer.toml", "\n".join(rows) + "\n")
    levels(root, f"{{name: e, lookup_key: eyaml_lookup_key, path: common.yaml, options: {{pkcs7_private_key: '{program}'}}}}")
    site(root, f"notice(generate('{program}'))\nexec {{ '{program}': }}\n")


@kind
def git_settings_that_name_programs(root):
    program = root / "program"
    write(root, "program", f"#!/bin/sh\ntouch {root.parent}/ran\n")
    program.chmod(0o755)
    git = "[core]\n  repositoryformatversion = 0\n  bare = {0}\n  fsmonitor = {1}\n  sshCommand = {1}\n  pager = {1}\n  hooksPath = {2}\n"
    git += "[diff]\n  external = {1}\n[filter \"x\"]\n  smudge = {1}\n  clean = {1}\n  process = {1}\n"
    git += "[extensions]\n  partialClone = origin\n[remote \"origin\"]\n  url = ssh://example.com/x\n  promisor = true\n  uploadpack = {1}\n"
    write(root, ".gitattributes", "* filter=x diff=x\n")
    write(root, "modules/evil/HEAD", "ref: refs/heads/main\n")
    write(root, "modules/evil/config", git.format("true", program, root))
    for name in ("objects", "refs"):
        write(root, f"modules/evil/{name}/keep", "")
    return {"git": git.format("false", program, root), "environments": [".", "modules/evil"]}


# Chains


@kind
def chain_of_functions(root):
    for n in range(12_000):
        write(root, f"modules/evil/functions/f{n}.pp", f"function evil::f{n}($x) {{ evil::f{n + 1}($x) }}\n")
    write(root, "modules/evil/functions/f12000.pp", "function evil::f12000($x) { $x }\n")
    site(root, "notice(evil::f0(1))\n")


@kind
def chain_of_functions_in_a_file(root):
    code = "".join(f"function f{n}($x) {{ f{n + 1}($x) }}\n" for n in range(12_000))
    site(root, code + "function f12000($x) { $x }\nnotice(f0(1))\n")


@kind
def chain_of_aliases(root):
    for n in range(3_000):
        write(root, f"modules/evil/types/t{n}.pp", f"type Evil::T{n} = Evil::T{n + 1}\n")
    write(root, "modules/evil/types/t3000.pp", "type Evil::T3000 = Integer\n")
    evil(root, "class evil (Evil::T0 $a) { notice($a) }\n")
    site(root, "notice(1 =~ Evil::T0)\nclass { 'evil': a => 'x' }\n")


@kind
def chain_of_aliases_in_a_file(root):
    code = "".join(f"type T{n} = Array[T{n + 1}]\n" for n in range(3_000))
    site(root, code + "type T3000 = Integer\nnotice(1 =~ T0)\nnotice([[[1]]] =~ T0)\nnotice(T0)\n")


@kind
def chain_of_inherits(root):
    for n in range(5_000):
        evil(root, f"class evil::c{n} inherits evil::c{n + 1} {{ notice($x) }}\n", f"c{n}")
    evil(root, "class evil::c5000 { $x = 1 }\n", "c5000")
    site(root, "include evil::c0\nnotice($evil::c0::x)\n")


@kind
def chain_of_inherits_in_a_file(root):
    code = "".join(f"class c{n} inherits c{n + 1} {{ notice($x) }}\n" for n in range(5_000))
    site(root, code + "class c5000 { $x = 1 }\ninclude c0\n")


@kind
def chain_of_includes(root):
    for n in range(5_000):
        evil(root, f"class evil::c{n} {{ include evil::c{n + 1} }}\n", f"c{n}")
    evil(root, "class evil::c5000 { include evil::c0 }\n", "c5000")
    site(root, "include evil::c0\n")


@kind
def chain_of_variables(root):
    for n in range(5_000):
        evil(root, f"class evil::c{n} {{ include evil::c{n + 1} $x = $evil::c{n + 1}::x }}\n", f"c{n}")
    evil(root, "class evil::c5000 { $x = 1 }\n", "c5000")
    site(root, "include evil::c0\nnotice($evil::c0::x)\n")


@kind
def chain_of_defined_types(root):
    code = "".join(f"define d{n} {{ d{n + 1} {{ $title: }} }}\n" for n in range(5_000))
    site(root, code + "define d5000 { notice($title) }\nd0 { 'x': }\n")


@kind
def endless_defined_type(root):
    site(root, "define d { d { \"${title}x\": } }\nd { 'x': }\n")


@kind
def storm_of_defined_types(root):
    code = "".join(f"define d{n} {{ d{n + 1} {{ [\"${{title}}a\", \"${{title}}b\"]: }} }}\n" for n in range(40))
    site(root, code + "define d40 { notify { $title: } }\nd0 { 'x': }\n")


@kind
def storm_of_defined_types_in_a_module(root):
    for n in range(40):
        evil(root, f"define evil::d{n} {{ evil::d{n + 1} {{ [\"${{title}}a\", \"${{title}}b\"]: }} }}\n", f"d{n}")
    evil(root, "define evil::d40 { notify { $title: } }\n", "d40")
    evil(root, "class evil { evil::d0 { 'x': } }\n")
    site(root, "include evil\n")


@kind
def storm_of_functions(root):
    code = "".join(f"function f{n}($x) {{ [f{n + 1}($x), f{n + 1}($x)] }}\n" for n in range(40))
    site(root, code + "function f40($x) { $x }\nnotice(f0(1))\n")


@kind
def endless_functions(root):
    write(root, "modules/evil/functions/f.pp", "function evil::f($x) { evil::f($x + 1) }\n")
    site(root, "function g($x) { [g($x), g($x)] }\nnotice(g(1))\nnotice(evil::f(1))\n")


@kind
def nested_loops(root):
    loops = "".join(f"Integer[1, 1000].each |$i{n}| {{ " for n in range(5))
    site(root, loops + "notice(1)" + " }" * 5 + "\nInteger[1, 99999999999].map |$x| { $x }\n")


@kind
def unknown_conditions(root):
    ifs = "".join(f"if $facts['x{n}'] {{ $a{n} = [1, {n}] }} else {{ $a{n} = '{n}' }}\n" for n in range(600))
    uses = "".join(f"$b{n} = [$a{n}, $b{n - 1}]\n" for n in range(1, 600))
    evil(root, "class evil ($b0) {\n" + ifs + uses + "notice($b599)\n}\n")
    site(root, "include evil\n")
    return {"open": "modules/evil/manifests/init.pp"}


@kind
def nested_unknown_conditions(root):
    code = "notice(1)"
    for n in range(60):
        code = f"if $facts['x{n}'] {{ $a{n} = 1\n{code} }} else {{ $a{n} = 2 }}\n"
    evil(root, "class evil {\n" + code + "\n}\n")
    site(root, "include evil\n")
    return {"open": "modules/evil/manifests/init.pp"}


@kind
def functions_under_unknown_conditions(root):
    code = "".join(f"function evil::f{n}($x) {{ if $x {{ evil::f{n + 1}($facts[$x]) }} else {{ evil::f{n + 1}($facts['{n}']) }} }}\n" for n in range(30))
    evil(root, code + "function evil::f30($x) { $x }\nclass evil { notice(evil::f0($facts['x'])) }\n")
    site(root, "include evil\n")


# Templates


def templates(root, text):
    write(root, "modules/evil/templates/t.erb", text)
    evil(root, "class evil { file { '/x': content => template('evil/t.erb') } }\n")
    site(root, f"include evil\nnotice(inline_template('<%= 1 %>'))\n")
    return {"open": "modules/evil/manifests/init.pp"}


@kind
def erb_sum(root):
    return templates(root, "<%= " + "1+" * 500_000 + "1 %>\n")


@kind
def erb_calls(root):
    return templates(root, "<%= x" + ".to_s" * 200_000 + " %>\n")


@kind
def erb_brackets(root):
    return templates(root, "<%= " + "[" * 200_000 + "1" + "]" * 200_000 + " %>\n" + "<% " + "(" * 100_000 + " %>")


@kind
def erb_conditions(root):
    return templates(root, "<% if @a %>" * 50_000 + "x" + "<% end %>" * 50_000)


@kind
def erb_otherwise(root):
    return templates(root, "<% if @a %>" + "<% elsif @b %>x" * 50_000 + "<% end %>")


@kind
def erb_loops(root):
    return templates(root, "<% 1.upto(1000000000) do |i| %>x<% end %><% a = 'x' * 1000000000 %><%= a %>")


@kind
def erb_doubling(root):
    return templates(root, "<% a = 'xxxxxxxx' %>" + "<% a = a + a %>" * 60 + "<%= a %>" + "<% b = [1] %>" + "<% b = [b, b] %>" * 60 + "<%= b %>")


@kind
def epp_nested(root):
    write(root, "modules/evil/templates/t.epp", "<% if $a { %>" * 100_000 + "x" + "<% } %>" * 100_000)
    write(root, "modules/evil/templates/self.epp", "<%= epp('evil/self.epp') %><%= epp('evil/self.epp') %>")
    evil(root, "class evil { file { '/x': content => epp('evil/t.epp') } file { '/y': content => epp('evil/self.epp') } }\n")
    site(root, "include evil\n")
    return {"open": "modules/evil/manifests/init.pp"}


# Resources


def titles(prefix, count):
    return "[" + ", ".join(f"'{prefix}{n}'" for n in range(count)) + "]"


@kind
def arrows(root):
    site(root, f"notify {{ {titles('a', 3000)}: }} -> notify {{ {titles('b', 3000)}: }} ~> notify {{ {titles('c', 3000)}: }}\n")


@kind
def arrows_of_references(root):
    code = f"notify {{ {titles('a', 3000)}: }}\nnotify {{ {titles('b', 3000)}: }}\n"
    code += f"$a = Notify[{titles('a', 3000)}]\n$b = Notify[{titles('b', 3000)}]\n"
    site(root, code + "$a -> $b\n" * 20 + f"Notify[{titles('a', 3000)}] -> Notify[{titles('b', 3000)}]\n")


@kind
def arrows_of_collectors(root):
    site(root, f"notify {{ {titles('a', 3000)}: }}\nexec {{ {titles('/b', 3000)}: }}\n" + "Notify <| |> -> Exec <| |>\n" * 20 + "Notify <| title != 'x' |> ~> Exec <| |>\n")


@kind
def required_by_all(root):
    site(root, f"$r = Notify[{titles('a', 3000)}]\nnotify {{ {titles('a', 3000)}: }}\nexec {{ {titles('/b', 3000)}: require => $r }}\n")


@kind
def many_collectors(root):
    code = f"@notify {{ {titles('a', 2000)}: tag => 'x' }}\n"
    site(root, code + "".join(f"Notify <| title == 'a{n}' or (tag == 'x' and message == '{n}') |> {{ withpath => true }}\n" for n in range(2_000)))


@kind
def collectors_that_feed_themselves(root):
    site(root, "define d { @d { \"${title}x\": } }\n@d { 'x': }\nD <| |>\n")


@kind
def many_resources(root):
    site(root, "Integer[1, 100000].each |$n| { notify { \"n${n}\": message => 'x' } }\n")


@kind
def many_virtual_resources(root):
    site(root, "Integer[1, 4000].each |$n| { @user { \"n${n}\": } realize(User[\"n${n}\"]) }\n")


@kind
def many_containers(root):
    code = "".join(f"class c{n} {{ contain c{n + 1} notify {{ 'c{n}': }} }}\n" for n in range(1_500))
    site(root, code + "class c1500 { notify { 'last': } }\ncontain c0\nNotify['c0'] -> Class['c1500']\n")


@kind
def ring_of_arrows(root):
    code = "".join(f"notify {{ 'n{n}': require => Notify['n{(n + 1) % 20000}'] }}\n" for n in range(20_000))
    site(root, code)


# Findings


@kind
def equal_hash_keys(root):
    site(root, "$h = {\n" + "  'same' => 1,\n" * 10_000 + "}\nnotice($h)\n")


@kind
def equal_attributes(root):
    site(root, "notify { 'x':\n" + "  message => 1,\n" * 10_000 + "}\n")


@kind
def equal_cases(root):
    site(root, "case $facts['x'] {\n" + "  'same': { notice(1) }\n" * 10_000 + "}\n")


@kind
def equal_resources(root):
    site(root, "notify { 'same': }\n" * 5_000)


@kind
def equal_definitions(root):
    evil(root, "class evil { }\n" * 5_000 + "define evil::d { }\n" * 5_000)
    return {"open": "modules/evil/manifests/init.pp"}


@kind
def equal_parameters(root):
    evil(root, "class evil (\n" + "  $same,\n" * 5_000 + ") { }\n")
    return {"open": "modules/evil/manifests/init.pp"}


@kind
def misspelt_classes(root):
    for n in range(500):
        evil(root, f"class evil::something::name{n} {{ }}\n", f"something/name{n}")
    site(root, "".join(f"include evil::something::nmae{n}\n" for n in range(3_000)))


@kind
def misspelt_variables(root):
    rows = "".join(f"$variable_name_{n} = 1\n" for n in range(2_000))
    site(root, "class x {\n" + rows + "".join(f"notice($varaible_name_{n})\n" for n in range(2_000)) + "}\ninclude x\n")


@kind
def misspelt_functions(root):
    site(root, "".join(f"notcie{n}(1)\n" for n in range(3_000)) + "class x { " + "".join(f"notify {{ 'a{n}': mesage => 1 }}\n" for n in range(3_000)) + "}\n")


@kind
def findings_on_one_line(root):
    site(root, "class x { " + "".join(f"$a{n} = 08 " for n in range(30_000)) + "}\n")


@kind
def warnings_on_one_line(root):
    site(root, "class x { " + "".join(f"$a{n} = $b{n} " for n in range(20_000)) + "}\n")


@kind
def unused_variables(root):
    site(root, "class x {\n" + "".join(f"$a{n} = 1\n" for n in range(20_000)) + "}\n")


@kind
def syntax_errors(root):
    site(root, "class x {\n" + "  file { => ) 'x }\n" * 20_000)


@kind
def long_errors(root):
    text = "x" * 20_000
    site(root, "".join(f"notice(1 + '{text}{n}')\ninclude {text}{n}\n" for n in range(100)))


# Source text


@kind
def deep_code(root):
    pieces = ["(", "[", "{", "!", "-", "1+", "1.a.", "$a -> ", "if 1 {", "'x' => ", "F[", "f(", "\"${", "$a ? { 1 => ", "class a {", "1 =~ ", "*"]
    for n, piece in enumerate(pieces):
        write(root, f"modules/evil/manifests/deep{n}.pp", "$x = " + piece * 100_000)
    site(root, "$x = " + "[" * 200_000 + "]" * 200_000)


@kind
def long_operators(root):
    rows = ["1" + " + 1" * 60_000, "[1]" + " + [1]" * 20_000, "[]" + ".flatten" * 60_000, "'x'" + " and 'x'" * 60_000, "1" + " == 1" * 20_000]
    site(root, "".join(f"$v{n} = {row}\n" for n, row in enumerate(rows)) + "Notify['x']" + " -> Notify['x']" * 20_000 + "\n")


@kind
def long_conditions(root):
    site(root, "if $x == 1 { notice(1) }" + " elsif $x == 2 { notice(2) }" * 20_000 + "\n")


@kind
def long_cases(root):
    site(root, "case $facts['x'] {\n" + "".join(f"  'a{n}': {{ $a = {n} }}\n" for n in range(10_000)) + "}\nnotice($a)\n")


@kind
def heredocs(root):
    site(root, "".join(f"$a{n} = @(END{n}/L)\n  text ${{a}}\n  | END{n}\n" for n in range(10_000)) + "$b = " + "@(A) + " * 5_000)


@kind
def patterns(root):
    rows = ["'" + "a" * 40 + "!' =~ /^(a+)+$/", "'" + "a" * 5_000 + "' =~ /(a|a?)+b/", "'x' =~ /" + "(" * 5_000 + ")" * 5_000 + "/"]
    rows += ["'x' =~ /" + "a{1000}" * 10 + "/", "'x' =~ /((((a{1,200}){1,200}){1,200}){1,200})/", "regsubst('" + "a" * 30_000 + "', '(?=a*)', 'xxxxxxxxxx', 'G')"]
    rows += ["'" + "a" * 30_000 + "' =~ /(?=(a*))\\1(b|a)*c/"]
    site(root, "".join(f"notice({row})\n" for row in rows))


@kind
def large_formats(root):
    rows = ["sprintf('%999999999d', 1)", "sprintf('%.999999999f', 1.0)", "String(1, '%999999999d')", "Integer('9' )", "'x' * 3"]
    rows += ["range(1, 1000000000)", "String([1], {Array => {format => '%(999999999a'}})", "Array(Integer[1, 1000000000])", "Integer('" + "9" * 100_000 + "')"]
    rows += ["Timespan('" + "9" * 10_000 + "')", "SemVer('" + "9" * 10_000 + ".0.0')", "1 << 62 << 62", "'a'.match('" + "a?" * 5_000 + "')"]
    site(root, "".join(f"notice({row})\n" for row in rows))
    return {"evals": rows}


@kind
def large_file(root):
    site(root, "notify { 'x': message => 'y' }\n" * 700_000)
    write(root, "modules/evil/lib/facter/x.rb", "x = [1, 2]\n" * 700_000)


@kind
def long_line(root):
    site(root, "$x = [" + "'abc', " * 200_000 + "]\nnotice($x)\n")


@kind
def long_names(root):
    name = "::".join(["a" * 50] * 2_000)
    site(root, f"include {name}\nclass {name} {{ }}\nnotice(${name}::x)\n" + f"notice({'::A' * 20_000})\n")


@kind
def odd_bytes(root):
    write(root, "manifests/nul.pp", b"notice('a\0b')\n\0\0")
    write(root, "manifests/latin.pp", b"notice('\xe4\xff\xfe')\n")
    write(root, "manifests/utf16.pp", "notice('x')\n".encode("utf-16"))
    write(root, "manifests/controls.pp", "notice('\x1b[2J\u202e\u2028') \x85 \x7f\n")
    write(root, "data/common.yaml", b"bomb: \xff\xfe\n\0: x\n")
    for number, name in enumerate([b"a\n::error::x.pp", b"\x1b]0;x\x07.pp", b"\xff\xfe.pp", "\u202epp.x.pp".encode(), b"'$(touch ran).pp"]):
        with open(os.fsencode(root / "manifests") + b"/" + name, "wb") as file:
            file.write(b"notice($undefined%d)\nclass {\n" % number)


# Ruby, and the rest of a module


@kind
def ruby_nested(root):
    lib = "modules/evil/lib/"
    write(root, lib + "facter/a.rb", "Facter.add(:a) { setcode { " + "[" * 100_000 + " } }\n")
    write(root, lib + "facter/b.rb", "x = " + "1 + " * 200_000 + "1\nFacter.add(:b) { setcode { x } }\n")
    write(root, lib + "facter/c.rb", "x" + ".y" * 200_000 + "\n")
    write(root, lib + "facter/d.rb", "if x\n" * 50_000)
    write(root, lib + "puppet/functions/evil/e.rb", "Puppet::Functions.create_function(:'evil::e') do\n" + "dispatch :x do\n param 'String', :a\n" * 20_000)
    write(root, lib + "puppet/type/e.rb", "Puppet::Type.newtype(:e) do\n" + "".join(f"newparam(:p{n})\n" for n in range(10_000)) + "end\n")
    write(root, lib + "puppet/functions/evil/g.rb", "Puppet::Functions.create_function(:'evil::g') do\n dispatch(:x) { param '" + "Array[" * 50_000 + "', :a }\nend\n")
    site(root, "e { 'x': p1 => 1 }\nnotice(evil::e('x'))\nnotice(evil::g('x'))\nnotice($facts['a'])\n")


@kind
def ruby_loops(root):
    loops = "".join(f"(1..1000).each do |a{n}|\n" for n in range(6))
    code = "Puppet::Type.newtype(:e) do\n" + loops + "newparam(\"p#{a0}#{a1}#{a2}\")\n" + "end\n" * 6
    code += "x = 'a' * 1000000000\ny = x + x\n" + "y = y + y\n" * 60 + "newparam(y)\nend\n"
    write(root, "modules/evil/lib/puppet/type/e.rb", code)
    site(root, "e { 'x': p1 => 1 }\n")


@kind
def ruby_requires(root):
    lib = "modules/evil/lib/"
    for n in range(3_000):
        write(root, f"{lib}puppet_x/r{n}.rb", f"require 'puppet_x/r{n + 1}'\nrequire_relative 'r{(n * 7) % 3000}'\nmodule R{n} include R{n + 1} end\n")
    write(root, lib + "puppet/type/e.rb", "require 'puppet_x/r0'\nPuppet::Type.newtype(:e) do\n include R0\n newparam(:name)\nend\n")
    site(root, "e { 'x': p1 => 1 }\n")


@kind
def documents_of_modules(root):
    write(root, "modules/evil/metadata.json", json.dumps({"name": "a-evil", "version": "9" * 10_000 + ".0.0", "dependencies": [{"name": "a-b", "version_requirement": ">= 1 " * 1_000}] * 3_000}))
    write(root, "Puppetfile", "mod 'a/b', " * 20_000 + "\n" + "mod 'a-c', :git => '" + "(" * 50_000 + "\n" + "mod 'same-same', '1.0.0'\n" * 5_000)
    write(root, "environment.conf", "modulepath = " + ":".join(["modules"] * 20_000) + "\n" + "manifest = $x\n" * 20_000)
    write(root, "puppet-analyzer.toml", "a = " + "[" * 100_000 + "\n")
    for n in range(300):
        write(root, f"modules/evil/tasks/t{n}.json", json.dumps({"parameters": {f"p{m}": {"type": "Optional[" * 50 + "String" + "]" * 50} for m in range(20)}}))
    return {"open": "Puppetfile"}


@kind
def many_small_files(root):
    for n in range(15_000):
        write(root, f"modules/m{n % 300}/manifests/c{n}.pp", f"class m{n % 300}::c{n} {{ }}\n")


@kind
def deep_folders(root):
    place = root / "modules/evil/manifests"
    here = os.getcwd()
    os.chdir(place)
    for _ in range(1_500):
        os.mkdir("deeper")
        os.chdir("deeper")
    write_here = open("x.pp", "w")
    write_here.write("class evil::x { }\n")
    write_here.close()
    os.chdir(here)


@kind
def many_nodes(root):
    site(root, "".join(f"node 'n{n}.example.com' {{ notify {{ 'x': }} }}\nnode /^(n{n}|a+)+$/ {{ }}\n" for n in range(3_000)) + "node default { }\n")


@kind
def many_parameters(root):
    evil(root, "class evil (\n" + "".join(f"  String $p{n} = 'x${{p{max(n - 1, 0)}}}',\n" for n in range(3_000)) + ") { }\n")
    common(root, "".join(f"evil::p{n}: 'x'\nevil::q{n}: 1\n" for n in range(3_000)) + "bomb: 1\n")
    site(root, "include evil\n")
    return {"open": "modules/evil/manifests/init.pp"}
