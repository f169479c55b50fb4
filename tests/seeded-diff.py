#!/usr/bin/env python3
"""Makes small changes to a repository, one at a time, and lists those that change Puppet's catalogs while `diff` reports no
difference.

    tests/seeded-diff.py FOLDER --program target/release/puppet-analyzer [--count 200] [--seed N] [--kind KIND]
        [--node NODE ...] [--include CLASS ...] [--modules FOLDER] [--facts FILE] [--show]

FOLDER is a control repository, or a module; a module needs --include, the classes that the node declares, and --modules, the
folder with the modules that it depends on. The repository is copied and committed. Every change is compiled with real Puppet
(tests/conformance/catalog_digests.rb, version 7) for each node; if a catalog changes, or compiles no longer, `diff` for these
nodes must not end with exit code 0. Exits with 1 if it does. Kinds:

    literal    a string, number, or boolean in a manifest
    default    a default value of a parameter
    removed    an attribute of a resource is removed
    hiera      a value or an entry of a data file
    template   text of an EPP or ERB template
    file       contents of a file that modules serve
    function   a string in a function, written in Puppet or Ruby
"""
import argparse, collections, json, pathlib, random, re, shutil, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent / 'conformance'
NOT_COPIED = shutil.ignore_patterns('.git', 'spec', 'doc', 'docs', 'locales', 'releasenotes', '.github')
STRING = r"'(?:[^'\\\n]|\\.)*'|\"[^\"\\\n$]*\""
VALUE = rf'({STRING}|\b\d+\b|\btrue\b|\bfalse\b)'


def other_value(random, text):
    """Returns a different literal of the same kind."""
    if text in ('true', 'false'):
        return 'false' if text == 'true' else 'true'
    if text.isdigit():
        return str(int(text) + random.choice([1, 7, 100]))
    inner = text[1:-1]
    changed = random.choice([inner + 'x', 'y' + inner, inner[:-1]]) if inner else 'z'
    return text[0] + changed + text[0]


def replaced(text, match, new, group=0):
    return text[:match.start(group)] + new + text[match.end(group):]


def in_code(text, match):
    """Returns false for a match in a comment."""
    return '#' not in text[text.rfind('\n', 0, match.start()) + 1:match.start()]


def change_by(pattern, group=1, flags=re.M):
    def change(random, text):
        found = [it for it in re.finditer(pattern, text, flags) if in_code(text, it)]
        if not found:
            return None
        match = random.choice(found)
        return replaced(text, match, other_value(random, match.group(group)), group)
    return change


def remove_attribute(random, text):
    found = [it for it in re.finditer(r'^[ \t]+[a-z_]+[ \t]*=>[^\n{\[(]*,[ \t]*\n', text, re.M)]
    if not found:
        return None
    return replaced(text, random.choice(found), '')


def change_data(random, text):
    entries = [it for it in re.finditer(r'^[ ]*(?:- |[^\s#][^\n]*?: )(?P<value>[^\n#&*|>{\[]+)$', text, re.M)]
    if not entries:
        return None
    match = random.choice(entries)
    value = match.group('value').strip()
    if random.random() < 0.2:
        return replaced(text, match, '')
    if value[:1] in '\'"' and value[-1:] == value[:1] and len(value) > 1:
        new = other_value(random, value)
    else:
        new = other_value(random, value) if value in ('true', 'false') or value.isdigit() else value + 'x'
    return replaced(text, match, new, 'value')


def change_template(random, text):
    lines = text.splitlines(keepends=True)
    plain = [at for at, line in enumerate(lines) if line.strip() and '<%' not in line and '%>' not in line]
    if not plain:
        return None
    at = random.choice(plain)
    lines[at] = random.choice([lines[at].rstrip('\n') + ' x\n', 'y' + lines[at], ''])
    return ''.join(lines)


def change_file(random, text):
    return random.choice([text + 'added\n', text[1:], 'x' + text])


KINDS = {
    'literal': (re.compile(r'manifests/.*\.pp$'), change_by(rf'(?:=>|\(|,|==|\[)[ \t]*{VALUE}')),
    'default': (re.compile(r'manifests/.*\.pp$'), change_by(rf'^[ \t]+(?:[A-Z][^\n$]*)?\$\w+[ \t]*=[ \t]*{VALUE}')),
    'removed': (re.compile(r'manifests/.*\.pp$'), remove_attribute),
    'hiera': (re.compile(r'(?:^|/)(?:data|hieradata)/.*\.ya?ml$'), change_data),
    'template': (re.compile(r'templates/.*\.(?:epp|erb)$'), change_template),
    'file': (re.compile(r'(?:^|/)files/'), change_file),
    'function': (re.compile(r'(?:functions/.*\.pp|lib/puppet/(?:functions|parser/functions)/.*\.rb)$'),
                 change_by(rf'({STRING})')),
}


class Puppet:
    def __init__(self, modulepath):
        command = ['ruby', 'catalog_digests.rb', *modulepath]
        self.process = subprocess.Popen(command, cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self.modulepath = modulepath

    def catalogs(self, environment, nodes, facts):
        answers = []
        for node in nodes:
            asked = {'environment': str(environment), 'modulepath': self.modulepath, 'node': node, 'facts': str(facts)}
            self.process.stdin.write(json.dumps(asked) + '\n')
            self.process.stdin.flush()
            line = self.process.stdout.readline()
            if not line:
                sys.exit('Puppet ended')
            answers.append(line)
        return answers


def git(folder, *arguments):
    names = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
    subprocess.run(['git', *names, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def nodes_of(environment):
    """Returns the names of the node definitions, and a name that none of them has."""
    text = '\n'.join(path.read_text() for path in (environment / 'manifests').glob('**/*.pp'))
    names = re.findall(r"^\s*node\s+'([^']+)'", text, re.M)
    return (names or []) + ['node1.example.com']


def prepare(given, work):
    """Copies the repository. Returns the folder of the environment and the folder in which files are changed."""
    environment = work / 'environments' / 'production'
    folder = pathlib.Path(given.folder).resolve()
    if given.include:
        name = folder.name.split('-')[-1]
        changed = environment / 'modules' / name
        shutil.copytree(folder, changed, ignore=NOT_COPIED)
        for other in sorted(pathlib.Path(given.modules).iterdir()) if given.modules else []:
            if other.is_dir() and other.name != name:
                shutil.copytree(other, environment / 'modules' / other.name, ignore=NOT_COPIED)
        (environment / 'manifests').mkdir()
        (environment / 'manifests' / 'site.pp').write_text(''.join(f'include {it}\n' for it in given.include))
        (environment / 'environment.conf').write_text('modulepath = modules\n')
    else:
        changed = environment
        shutil.copytree(folder, environment, ignore=NOT_COPIED)
    git(environment, 'init', '--quiet')
    git(environment, 'add', '--force', '.')
    git(environment, 'commit', '--quiet', '--message', 'base')
    return environment, changed


def module_folders(environment):
    conf = environment / 'environment.conf'
    found = re.search(r'^\s*modulepath\s*=\s*(.*)$', conf.read_text(), re.M) if conf.exists() else None
    names = [it for it in (found.group(1) if found else 'modules').split(':') if not it.startswith(('$', '/'))]
    return [str(environment / it) for it in names]


def changes(changed, given):
    """Yields files with a changed text, of the kinds in turn."""
    rng = random.Random(given.seed)
    paths = sorted(str(it.relative_to(changed)) for it in changed.glob('**/*') if it.is_file() and '.git' not in it.parts)
    kinds = [(kind, [it for it in paths if pattern.search(it)], change) for kind, (pattern, change) in KINDS.items()
             if given.kind in (None, kind)]
    kinds = [it for it in kinds if it[1]]
    seen, tries = set(), 0
    while kinds and tries < 200 * given.count:
        for kind, files, change in kinds:
            tries += 1
            path = rng.choice(files)
            try:
                text = (changed / path).read_text()
            except UnicodeDecodeError:
                continue
            new = change(rng, text)
            if new is None or new == text or (path, new) in seen:
                continue
            seen.add((path, new))
            yield kind, changed / path, text, new


def first_difference(before, after):
    for number, (old, new) in enumerate(zip(before.splitlines() + [''], after.splitlines() + ['']), 1):
        if old != new:
            return f'{number}: {old.strip()} -> {new.strip()}'
    return 'end of the file'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('folder')
    parser.add_argument('--program', required=True)
    parser.add_argument('--count', type=int, default=200, help='number of changes that change a catalog')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--kind', choices=KINDS)
    parser.add_argument('--node', action='append')
    parser.add_argument('--include', action='append')
    parser.add_argument('--modules')
    parser.add_argument('--facts', default=str(HERE / 'catalogs' / 'facts.json'))
    parser.add_argument('--show', action='store_true')
    given = parser.parse_args()
    program = str(pathlib.Path(given.program).resolve())
    with tempfile.TemporaryDirectory() as work:
        environment, changed = prepare(given, pathlib.Path(work))
        puppet = Puppet(module_folders(environment))
        nodes = given.node or nodes_of(environment)
        facts = pathlib.Path(given.facts).resolve()
        before = puppet.catalogs(environment, nodes, facts)
        print(f'{len(nodes)} nodes, {sum("digest" in it for it in before)} compile', flush=True)
        counts, silent, unchanged = collections.Counter(), [], 0
        for kind, path, text, new in changes(changed, given):
            path.write_text(new)
            after = puppet.catalogs(environment, nodes, facts)
            if after == before:
                unchanged += 1
            else:
                command = [program, 'diff', *nodes, '--facts', str(facts), '--puppet-version', '7', '--environment', '.']
                run = subprocess.run(command, cwd=environment, capture_output=True, text=True)
                counts[kind, run.returncode] += 1
                place = f'{kind} {path.relative_to(environment)}:{first_difference(text, new)}'
                if run.returncode == 0:
                    silent.append(place)
                    print(f'silent: {place}', flush=True)
                elif given.show or run.returncode not in (1, 3):
                    print(f'{run.returncode}: {place}\n{run.stdout}{run.stderr}', flush=True)
            path.write_text(text)
            if sum(counts.values()) >= given.count:
                break
        for (kind, code), count in sorted(counts.items()):
            print(f'{kind}: exit code {code}: {count}')
        print(f'{sum(counts.values())} changes of catalogs, {len(silent)} silent; {unchanged} other changes')
        sys.exit(1 if silent else 0)


main()
