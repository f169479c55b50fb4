#!/usr/bin/env python3
"""Compiles every class and node of control repositories with real Puppet and with us, and compares the catalogs.

    tests/repositories.py PATH... [--binary target/release/conformance] [--work DIR] [--facts FILE...] [--modules DIR...]
                          [--modulepath a:b] [--hiera FILE] [--preamble FILE] [--match TEXT] [--show N] [--ours-again]

PATH is a control repository, or any folder with modules; nothing in it is changed. It is linked into a separate folder
below DIR (default target/repositories), with an environment.conf that Puppet can use on this machine:

    module path  that of the repository, or --modulepath ('.' is the repository itself), without folders of the server, followed by
                 the folders of --modules (such as target/corpus/modules) for modules that the repository does not contain
    Hiera        that of the repository, or --hiera. Encrypted levels are read as plain data. A repository without configuration gets
                 one without levels, since the global layer of a server is unknown and Puppet has none here
    classes      each one that is at its autoload path, compiled separately: `include CLASS`, after the code of --preamble
    nodes        those that the main manifest names; for a regular expression a matching name, for `default` any other
    facts        each set of --facts separately (files that the example `write_fact_sets` of the crate `facts` writes); default
                 Debian 12. Names of the node are filled in

Puppet's answers are cached in DIR, and so are ours, unless `--ours-again` is given. Printed for each repository:

    alike      both compile it, or neither does
    false      only Puppet compiles it; `missed`: only we do. `open` are those where something in our catalog is unknown
    resources  of the catalogs that both compile: the same resources
    params     of the parameters of Puppet's resources: the same, unknown to us (or of a resource that is only possible), and different
    edges, line  the same relationships; for an error in both, the same line
    set aside  Puppet was too slow, or lacks a type here that its own packages have (yumrepo and similar ones)

Differences of one kind, identified by its first letters, are printed once. Exits with 0 if there is no false error.
"""
import argparse, collections, json, pathlib, random, re, subprocess, sys

sys.dont_write_bytecode = True
from line_program import LineProgram, is_unknown  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = HERE / 'conformance' / 'catalogs'
SETTINGS = {'strict': 'warning', 'strict_variables': False}
# Types of the modules that Puppet's own packages include; Debian's package leaves some of them out.
PACKAGED_TYPES = re.compile(r"Unknown resource type: '(yumrepo|zfs|zpool|k5login|scheduled_task|nagios_\w+|mcx|macauthorization|computer)'")
NO_LEVELS = 'version: 5\nhierarchy: []\n'
# The end of a line about a difference is specific to it; this many characters at its start identify the kind.
KIND_LENGTH = 60
KINDS = ['false', 'missed', 'resources', 'wrong', 'unknown', 'edges', 'line']


# ---- the environment

def setting(text, name):
    found = re.search(rf'^{name}\s*=\s*(.*)', text, re.M)
    return found and found.group(1).strip().strip('\'"')


def plain_hiera(text):
    """Returns the configuration with encrypted levels read as plain data."""
    text = re.sub(r'lookup_key:(\s*)["\']?eyaml_lookup_key["\']?', r'data_hash:\1yaml_data', text)
    return re.sub(r'^( *)options:[^\n]*\n(?:\1 +\S.*\n|\s*\n)*', lambda it: '' if 'pkcs7' in it.group() or 'gpg' in it.group() else it.group(), text, flags=re.M)


def link(path, target):
    if path.is_symlink() or path.exists():
        path.unlink()
    path.symlink_to(target)


def prepare(repository, folder, arguments):
    """Creates the environment of a repository and returns its module folders."""
    folder.mkdir(parents=True, exist_ok=True)
    for entry in repository.iterdir():
        if entry.name not in ('environment.conf', 'hiera.yaml', '.git'):
            link(folder / entry.name, entry)
    given = repository / 'environment.conf'
    text = given.read_text() if given.exists() else ''
    folders = []
    for name in (arguments.modulepath or setting(text, 'modulepath') or 'modules').split(':'):
        if name == '.':
            link(folder / 'whole_repository', repository)
            name = 'whole_repository'
        if not name.startswith(('/', '$')):
            folders.append(name)
    for number, modules in enumerate(arguments.modules):
        link(folder / f'further_modules{number}', pathlib.Path(modules).resolve())
        folders.append(f'further_modules{number}')
    manifest = setting(text, 'manifest')
    manifest = f'manifest = {manifest}\n' if manifest and not manifest.startswith(('/', '$')) else ''
    (folder / 'environment.conf').write_text(f'modulepath = {":".join(folders)}\n{manifest}')
    hiera = arguments.hiera or repository / 'hiera.yaml'
    (folder / 'hiera.yaml').write_text(plain_hiera(hiera.read_text()) if hiera.exists() else NO_LEVELS)
    return [folder / it for it in folders if not it.startswith('further_modules')], folder / (setting(manifest, 'manifest') or 'manifests')


# ---- the questions

def classes_of(folders):
    """Returns the classes at their autoload paths, in an order that depends only on their names."""
    names = set()
    for folder in folders:
        for module in sorted(it for it in folder.glob('*/manifests') if it.is_dir()):
            for path in module.rglob('*.pp'):
                rest = path.relative_to(module).with_suffix('').parts
                name = '::'.join([module.parent.name, *(() if rest == ('init',) else rest)])
                if re.search(rf'^\s*class\s+(::)?{re.escape(name)}\b(?!::)', path.read_text(errors='replace'), re.M):
                    names.add(name)
    names = sorted(names)
    random.Random(1).shuffle(names)
    return names


def sample_of(pattern):
    """Returns a name that the regular expression of a node matches, or None."""
    def written(parts):
        return ''.join(one(kind, what) for kind, what in parts)

    def one(kind, what):
        kind = str(kind)
        if kind == 'LITERAL':
            return chr(what)
        if kind in ('MAX_REPEAT', 'MIN_REPEAT', 'POSSESSIVE_REPEAT'):
            return written(what[2]) * max(what[0], min(1, what[1]))
        if kind == 'SUBPATTERN':
            return written(what[3])
        if kind == 'BRANCH':
            return written(what[1][0])
        if kind == 'IN':
            first = what[0]
            return {'LITERAL': lambda: chr(first[1]), 'RANGE': lambda: chr(first[1][0])}.get(str(first[0]), lambda: '1')()
        return 'x' if kind in ('ANY', 'NOT_LITERAL') else ''

    try:
        parser = getattr(re, '_parser', None) or __import__('sre_parse')
        name = written(parser.parse(pattern.replace('\\A', '^').replace('\\z', '$').replace('\\h', '[0-9a-f]').replace('\\/', '/')))
    except (re.error, RecursionError, OverflowError):
        return None
    return name.lower() if re.fullmatch(r'[\w.-]+', name) else None


def nodes_of(manifest):
    """Returns the nodes of the main manifest by name."""
    names, is_any = set(), False
    for path in [manifest] if manifest.is_file() else sorted(manifest.rglob('*.pp')):
        text = re.sub(r'(?m)^\s*#.*$', '', path.read_text(errors='replace'))
        for matched in re.finditer(r'^\s*node\s+([^{]*(?:\{\d[^{]*)*)\{', text, re.M):
            for quoted, pattern, bare in re.findall(r'[\'"]([^\'"]+)[\'"]|/((?:[^/\\]|\\.)+)/|([\w.-]+)', matched.group(1)):
                is_any = is_any or bare == 'default'
                name = quoted or (bare if bare not in ('default', 'inherits') else None) or (pattern and sample_of(pattern))
                if name:
                    names.add(name)
        is_any = is_any or bool(re.search(r'^(include|lookup|hiera_include|contain|\$\w+\s*=|if|case)\b', text, re.M))
    return sorted(names) + (['somebody.example.com'] if is_any else [])


def names_of_node(facts, name):
    """Returns the facts that contain the name of a node."""
    host, _, domain = name.partition('.')
    names = {'fqdn': name, 'hostname': host, 'domain': domain, 'clientcert': name}
    structured = {**facts.get('networking', {}), 'fqdn': name, 'hostname': host, 'domain': domain}
    return {**{key: value for key, value in names.items() if key in facts}, **({'networking': structured} if 'networking' in facts else {})}


def questions_of(folders, manifest, arguments):
    preamble = arguments.preamble.read_text() if arguments.preamble else ''
    asked = []
    for path in arguments.facts:
        facts, on = json.loads(path.read_text()), f'@{path.stem}' if len(arguments.facts) > 1 else ''
        common = {'facts': str(path), 'settings': SETTINGS}
        for name in classes_of(folders):
            asked.append({'id': f'class {name}{on}', 'class': name, 'preamble': preamble, 'more_facts': {'compiled_class': name}, **common})
        for name in nodes_of(manifest):
            asked.append({'id': f'node {name}{on}', 'node': name, 'more_facts': names_of_node(facts, name), **common})
    return [it for it in asked if arguments.match in it['id']]


# ---- the programs that answer

def answers_in(path):
    return {it['id']: it for it in map(json.loads, path.read_text().splitlines())} if path.exists() else {}


def ask_us(folder, questions, path, arguments):
    answered, known = answers_in(path), {}
    program = LineProgram(arguments.binary, arguments.timeout)
    with path.open('a') as out:
        for it in questions:
            if it['id'] in answered:
                continue
            if it['facts'] not in known:
                known[it['facts']] = json.loads(pathlib.Path(it['facts']).read_text())
            code = '' if it.get('node') else f'{it["preamble"]}\ninclude $compiled_class'
            answer = program.ask({'id': it['id'], 'kind': 'catalog', 'environment': str(folder), 'code': code, 'settings': it['settings'],
                                  'facts': {**known[it['facts']], **it['more_facts']}, 'node': it.get('node') or 'node1.example.com'})
            out.write(json.dumps({**answer, 'id': it['id']}) + '\n')


def ask_puppet(folder, questions, asked, answers):
    asked.write_text(''.join(json.dumps(it) + '\n' for it in questions))
    subprocess.run(['ruby', HERE / 'conformance' / 'repositories.rb', folder, asked, answers], check=True)
    return answers_in(answers)


def ask_both(folder, questions, arguments):
    """Returns Puppet's answers and ours by name. If only one side compiles, Puppet is run again in a separate environment."""
    asked, theirs, ours = (folder.parent / f'{folder.name}.{it}' for it in ('questions', 'puppet', 'ours'))
    said = ask_puppet(folder, questions, asked, theirs)
    if arguments.ours_again:
        ours.unlink(missing_ok=True)
    ask_us(folder, questions, ours, arguments)
    our = answers_in(ours)
    doubtful = [{**it, 'alone': True} for it in questions if said[it['id']]['ok'] != bool(our[it['id']].get('ok'))]
    return ask_puppet(folder, doubtful, asked, theirs) if doubtful else said, our


# ---- the comparison

def by_reference(catalog):
    return {(it['type'], it['title']): it for it in catalog['resources']}


def brief(value, most=230):
    return ' '.join(str(value).split())[:most]


def at_place(error):
    return f'{brief(error.get("message"))} @{(error.get("file") or "")[-60:]}:{error.get("line")}'


class Comparison:
    def __init__(self, name):
        self.name, self.counts, self.differences = name, collections.Counter(), collections.defaultdict(list)

    def note(self, kind, name, text):
        self.differences[kind].append((name, text))

    def add(self, name, theirs, ours):
        if not theirs['ok'] and ('not done in' in theirs['error']['message'] or PACKAGED_TYPES.search(theirs['error']['message'])):
            self.counts['set aside'] += 1
            return
        self.counts['asked'] += 1
        if theirs['ok'] != bool(ours.get('ok')):
            kind, error = ('false', ours.get('error') or {}) if theirs['ok'] else ('missed', theirs['error'])
            self.counts[kind] += 1
            self.counts['open missed'] += kind == 'missed' and is_open(ours['catalog'])
            return self.note(kind, name, at_place(error) + (' (open)' if kind == 'missed' and is_open(ours['catalog']) else ''))
        self.counts['alike'] += 1
        if theirs['ok']:
            return self.add_catalogs(name, theirs['catalog'], ours['catalog'])
        if theirs['error'].get('line'):
            self.counts['lines'] += 1
            self.counts['same line'] += (is_same := str(ours['error'].get('line')) == str(theirs['error']['line']))
            if not is_same:
                self.note('line', name, f'{at_place(theirs["error"])} || {at_place(ours["error"])}')

    def add_catalogs(self, name, theirs, ours):
        self.counts['catalogs'] += 1
        known, said = by_reference(theirs), by_reference(ours)
        extra = [('possible ' if said[it].get('possible') else '') + '%s[%s]' % it for it in said if it not in known]
        missing = ['%s[%s]' % it for it in known if it not in said or said[it].get('possible')]
        self.counts['same resources'] += not extra and not missing
        if extra or missing:
            self.note('resources', name, f'{len(extra)} more {extra[:3]}, {len(missing)} missing {missing[:3]}')
        for reference in known.keys() & said.keys():
            self.add_parameters(name, '%s[%s]' % reference, known[reference]['params'], said[reference])
        edges = [sorted(map(tuple, it['edges'])) for it in (theirs, ours)]
        self.counts['same edges'] += edges[0] == edges[1]
        if edges[0] != edges[1] and not extra and not missing:
            more, less = set(edges[1]) - set(edges[0]), set(edges[0]) - set(edges[1])
            self.note('edges', name, f'more {sorted(more)[:2]}, missing {sorted(less)[:2]}')

    def add_parameters(self, name, reference, theirs, resource):
        ours = resource['params']
        for parameter in sorted(theirs.keys() | ours.keys()):
            value, said = theirs.get(parameter), ours.get(parameter)
            # There may be several possible resources of one name, with different parameters.
            kind = 'same' if value == said else 'unknown' if is_unknown(said) or resource.get('possible') else 'wrong'
            self.counts['params'] += 1
            self.counts[f'{kind} params'] += 1
            if kind != 'same':
                self.note(kind, name, f'{reference} {parameter}: {brief(said, 90)} instead of {brief(value, 90)}')

    def share(self, part, whole):
        return f'{100 * self.counts[part] / self.counts[whole]:.2f} %' if self.counts[whole] else '-'

    def show(self, most):
        count = self.counts
        print(f'{self.name}: {count["asked"]} asked ({count["set aside"]} set aside), alike {self.share("alike", "asked")}, false {count["false"]}, missed {count["missed"]} '
              f'({count["open missed"]} open), {count["catalogs"]} catalogs, resources {self.share("same resources", "catalogs")}, '
              f'params {self.share("same params", "params")} (unknown {self.share("unknown params", "params")}, wrong '
              f'{self.share("wrong params", "params")}), edges {self.share("same edges", "catalogs")}, line {self.share("same line", "lines")}')
        for kind in KINDS:
            shown = {}
            for name, text in self.differences[kind]:
                shown.setdefault(text[:KIND_LENGTH], [name, text, 0])[2] += 1
            if shown and most:
                print(f'  {kind}: {len(self.differences[kind])}')
            for name, text, times in sorted(shown.values(), key=lambda it: -it[2])[:most]:
                print(f'    {times} x {name}: {text}')


def is_open(catalog):
    return any(it.get('possible') or is_unknown(it['title']) or is_unknown(it['params']) for it in catalog['resources'])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('repositories', nargs='+', type=pathlib.Path, metavar='PATH')
    parser.add_argument('--binary', default='target/release/conformance')
    parser.add_argument('--work', type=pathlib.Path, default=pathlib.Path('target/repositories'))
    parser.add_argument('--facts', type=pathlib.Path, nargs='+', default=[])
    parser.add_argument('--modules', nargs='+', default=[])
    parser.add_argument('--modulepath')
    parser.add_argument('--hiera', type=pathlib.Path)
    parser.add_argument('--preamble', type=pathlib.Path)
    parser.add_argument('--match', default='', help='only classes and nodes whose names contain this')
    parser.add_argument('--show', type=int, default=10, help='differences to print of each kind')
    parser.add_argument('--timeout', type=float, default=120)
    parser.add_argument('--ours-again', action='store_true', help='discard our cached answers')
    arguments = parser.parse_args()
    work = arguments.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    if not arguments.facts:
        recorded = [json.loads((RECORDED / it).read_text()) for it in ('facts.json', 'legacy_facts.json')]
        arguments.facts = [work / 'debian.json']
        arguments.facts[0].write_text(json.dumps({**recorded[0], **recorded[1]}))
    total = 0
    for repository in arguments.repositories:
        name = repository.resolve().name
        folder = work / name
        questions = questions_of(*prepare(repository.resolve(), folder, arguments), arguments)
        answers = ask_both(folder, questions, arguments)
        for kind in ('class', 'node'):
            comparison = Comparison(f'{name}, {kind}')
            for it in questions:
                if it['id'].startswith(kind):
                    comparison.add(it['id'], *(answer[it['id']] for answer in answers))
            if comparison.counts['asked']:
                comparison.show(arguments.show)
            total += comparison.counts['false']
    sys.exit(1 if total else 0)


if __name__ == '__main__':
    main()
