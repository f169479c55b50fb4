#!/usr/bin/env python3
"""Makes small changes to a repository, one at a time, and lists those that change Puppet's catalogs while `diff` reports no
difference.

    tests/seeded-diff.py FOLDER --program target/release/puppet-analyzer [--count 200] [--seed N] [--kind KIND ...]
        [--nodes N] [--classes N] [--node NODE ...] [--include CLASS ...] [--modulepath a:b] [--modules FOLDER ...]
        [--hiera FILE] [--facts FILE] [--minutes N] [--show]

FOLDER is a control repository, or a module; a module needs --include, the classes that the node declares. It is copied and
committed with an environment.conf that Puppet can use on this machine:

    module path  that of the repository, or --modulepath ('.' is the repository itself), without folders of the server, followed by
                 the modules of --modules that the repository does not contain
    Hiera        that of the repository, or --hiera. Encrypted levels are read as plain data
    nodes        --node, or at most --nodes of those that the main manifest names, and one for each of at most --classes classes,
                 which declares that class; without those that Puppet cannot compile. With --nodes 0, the main manifest is left out

Only files that Puppet reads for one of these nodes are changed, since others change nothing. Every change is compiled with real
Puppet (tests/conformance/catalog_digests.rb, version 7) for one of the nodes that read the file; if its catalog changes, or
compiles no longer, `diff` for this node must not end with exit code 0. Exits with 1 if it does. A run ends when --count changes of
each kind changed a catalog, when no other change is found, or after --minutes. Kinds:

    literal    a string, number, or boolean in a manifest
    default    a default value of a parameter
    removed    an attribute of a resource is removed
    hiera      a value or an entry of a data file
    template   text, or a string in the code, of an EPP or ERB template
    file       contents of a file that modules serve
    function   a string, number, name, or line of code in a function, written in Puppet or Ruby
"""
import argparse, collections, json, pathlib, random, re, shutil, subprocess, sys, tempfile, time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
CONFORMANCE = HERE / 'conformance'
sys.path.insert(0, str(HERE))
from repositories import NO_LEVELS, classes_of, names_of_node, nodes_of, plain_hiera, setting  # noqa: E402

NOT_COPIED = shutil.ignore_patterns('.git', 'spec', 'doc', 'docs', 'locales', 'releasenotes', '.github')
STRING = r"'(?:[^'\\\n]|\\.)*'|\"[^\"\\\n$#]*\""
VALUE = rf'({STRING}|\b\d+\b|\btrue\b|\bfalse\b)'
# Number of changes of a kind without an effect after which a run looks no further for this kind.
MAX_WITHOUT_EFFECT = 400


# ---- the changes

def other_value(rng, text):
    """Returns a different literal of the same kind."""
    if text in ('true', 'false'):
        return 'false' if text == 'true' else 'true'
    if text.isdigit():
        return str(int(text) + rng.choice([1, 7, 100]))
    inner = text[1:-1]
    changed = rng.choice([inner + 'x', 'y' + inner, inner[:-1]]) if inner else 'z'
    return text[0] + changed + text[0]


def replaced(text, match, new, group=0):
    return text[:match.start(group)] + new + text[match.end(group):]


def in_code(text, match):
    """Returns false for a match in a comment."""
    return '#' not in text[text.rfind('\n', 0, match.start()) + 1:match.start()]


def change_by(pattern, group=1, flags=re.M):
    def change(rng, text):
        found = [it for it in re.finditer(pattern, text, flags) if in_code(text, it)]
        if not found:
            return None
        match = rng.choice(found)
        return replaced(text, match, other_value(rng, match.group(group)), group)
    return change


def change_function(rng, text):
    if rng.random() < 0.5:
        return change_by(VALUE)(rng, text)
    if rng.random() < 0.7:
        found = [it for it in re.finditer(r'(?<![\w$@:\'"])[A-Za-z_]\w*(?=[ .(:,)\n])', text) if in_code(text, it)]
        match = rng.choice(found) if found else None
        return match and replaced(text, match, match.group() + 'x')
    found = [it for it in re.finditer(r'^[ \t]*[^#\s][^\n]*\n', text, re.M)]
    return replaced(text, rng.choice(found), '') if found else None


def remove_attribute(rng, text):
    found = [it for it in re.finditer(r'^[ \t]+[a-z_]+[ \t]*=>[^\n{\[(]*,[ \t]*\n', text, re.M)]
    if not found:
        return None
    return replaced(text, rng.choice(found), '')


def change_data(rng, text):
    entries = [it for it in re.finditer(r'^[ ]*(?:- |[^\s#][^\n]*?: )(?P<value>[^\n#&*|>{\[]+)$', text, re.M)]
    if not entries:
        return None
    match = rng.choice(entries)
    value = match.group('value').strip()
    if rng.random() < 0.2:
        return replaced(text, match, '')
    is_literal = value in ('true', 'false') or value.isdigit() or (value[:1] in '\'"' and value[-1:] == value[:1] and len(value) > 1)
    return replaced(text, match, other_value(rng, value) if is_literal else value + 'x', 'value')


def change_template(rng, text):
    found = [it for code in re.finditer(r'<%(?!#)(.*?)%>', text, re.S) for it in re.finditer(rf'({STRING})', text[:code.end()])
             if it.start() > code.start()]
    if found and rng.random() < 0.3:
        match = rng.choice(found)
        return replaced(text, match, other_value(rng, match.group(1)))
    lines = text.splitlines(keepends=True)
    plain = [at for at, line in enumerate(lines) if line.strip() and '<%' not in line and '%>' not in line]
    if not plain:
        return None
    at = rng.choice(plain)
    lines[at] = rng.choice([lines[at].rstrip('\n') + ' x\n', 'y' + lines[at], ''])
    return ''.join(lines)


def change_file(rng, text):
    return rng.choice([text + 'added\n', text[1:], 'x' + text])


KINDS = {
    'literal': (re.compile(r'manifests/.*\.pp$'), change_by(rf'(?:=>|\(|,|==|\[)[ \t]*{VALUE}')),
    'default': (re.compile(r'manifests/.*\.pp$'), change_by(rf'^[ \t]+(?:[A-Z][^\n$]*)?\$\w+[ \t]*=[ \t]*{VALUE}')),
    'removed': (re.compile(r'manifests/.*\.pp$'), remove_attribute),
    'hiera': (re.compile(r'(?:^|/)(?:data|hieradata\w*)/.*\.(?:ya?ml|eyaml)$'), change_data),
    'template': (re.compile(r'templates/.*\.(?:epp|erb)$'), change_template),
    'file': (re.compile(r'(?:^|/)files/'), change_file),
    'function': (re.compile(r'(?:functions/.*\.pp|lib/puppet/(?:functions|parser/functions)/.*\.rb)$'), change_function),
}


# ---- the repository

def git(folder, *arguments):
    names = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
    subprocess.run(['git', *names, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def copy(folder, target):
    shutil.copytree(folder, target, ignore=NOT_COPIED, ignore_dangling_symlinks=True, dirs_exist_ok=True)


def prepare(given, environment):
    """Copies the repository. Returns its module folders, below the environment."""
    folder = pathlib.Path(given.folder).resolve()
    environment.mkdir(parents=True)
    folders = ['modules']
    if given.include:
        copy(folder, environment / 'modules' / folder.name.split('-')[-1])
        (environment / 'manifests').mkdir()
        (environment / 'manifests' / 'site.pp').write_text(''.join(f'include {it}\n' for it in given.include))
    elif given.modulepath == '.':
        copy(folder, environment / 'modules')
        (environment / 'manifests').mkdir()
    else:
        copy(folder, environment)
        conf = environment / 'environment.conf'
        named = given.modulepath or setting(conf.read_text() if conf.exists() else '', 'modulepath') or 'modules'
        folders = [it for it in named.split(':') if not it.startswith(('/', '$'))]
    if given.modules:
        folders.append('further_modules')
    own = {it.name for name in folders if (environment / name).is_dir() for it in (environment / name).iterdir()}
    for other in (it for modules in given.modules for it in sorted(pathlib.Path(modules).iterdir())):
        if other.is_dir() and other.name not in own:
            own.add(other.name)
            copy(other, environment / 'further_modules' / other.name)
    (environment / 'manifests').mkdir(exist_ok=True)
    (environment / 'environment.conf').write_text(f'modulepath = {":".join(folders)}\n')
    hiera = pathlib.Path(given.hiera) if given.hiera else environment / 'hiera.yaml'
    (environment / 'hiera.yaml').write_text(plain_hiera(hiera.read_text()) if hiera.exists() else NO_LEVELS)
    return [environment / it for it in folders]


def names_of_nodes(given, environment, folders):
    """Returns the names of the nodes to compile, after adding nodes for classes to the main manifest."""
    rng = random.Random(given.seed)
    names = given.node or (['node1.example.com'] if given.include else nodes_of(environment / 'manifests'))
    if not given.node:
        names = sorted(rng.sample(names, min(given.nodes, len(names))))
    if not names:
        shutil.rmtree(environment / 'manifests')
        (environment / 'manifests').mkdir()
    classes = classes_of(folders)[:given.classes]
    added = [f'class{number}.example.com' for number in range(len(classes))]
    text = ''.join(f"node '{name}' {{\n  include {it}\n}}\n" for name, it in zip(added, classes))
    if text:
        (environment / 'manifests' / 'zz_classes.pp').write_text(text)
    return names + added


def remove_unread(environment, folders, read):
    """Removes modules that no catalog needs, which neither side then has to load."""
    needed = {pathlib.PurePath(path).parts[:len(folder.relative_to(environment).parts) + 1] for path in read for folder in folders
              if not path.endswith('metadata.json')}
    for folder in folders:
        for module in list(folder.iterdir()) if folder.is_dir() else []:
            if module.is_dir() and not module.is_symlink() and module.relative_to(environment).parts not in needed:
                shutil.rmtree(module)


class Puppet:
    def __init__(self, environment, folders, facts, work):
        self.environment, self.folders, self.work = environment, [str(it) for it in folders], work
        self.facts = json.loads(pathlib.Path(facts).read_text())
        self.process = subprocess.Popen(['ruby', 'catalog_digests.rb', *self.folders], cwd=CONFORMANCE, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def facts_of(self, node):
        path = self.work / f'{node}.json'
        if not path.exists():
            path.write_text(json.dumps({**self.facts, **names_of_node(self.facts, node)}))
        return str(path)

    def catalog(self, node, keep=False):
        asked = {'environment': str(self.environment), 'modulepath': self.folders, 'node': node, 'facts': self.facts_of(node), 'keep': keep}
        self.process.stdin.write(json.dumps(asked) + '\n')
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit('Puppet ended')
        return json.loads(line)


def compiled_nodes(puppet, names):
    """Returns the answers for the nodes that Puppet compiles."""
    answers = {name: puppet.catalog(name, keep=True) for name in names}
    return {name: answer for name, answer in answers.items() if 'digest' in answer}


# ---- the run

class Run:
    def __init__(self, given, environment, puppet, nodes):
        self.given, self.environment, self.puppet, self.nodes = given, environment, puppet, nodes
        self.program = str(pathlib.Path(given.program).resolve())
        self.rng = random.Random(given.seed)
        self.counts, self.unchanged, self.silent, self.seen = collections.Counter(), collections.Counter(), [], set()
        self.readers = collections.defaultdict(list)
        for name, answer in nodes.items():
            for path in answer['read']:
                self.readers[path].append(name)

    def changed_text(self, path, change):
        """Returns the text of a file before and after a new change, or None."""
        try:
            text = (self.environment / path).read_bytes().decode()
        except UnicodeDecodeError:
            return None
        new = change(self.rng, text)
        if new is None or new == text or (path, new) in self.seen:
            return None
        self.seen.add((path, new))
        return text, new

    def attempt(self, kind, path, change):
        """Makes a change and compares its effects. Returns whether the catalog changed, or None if there is no change."""
        texts = self.changed_text(path, change)
        if not texts:
            return None
        node, file = self.rng.choice(self.readers[path]), self.environment / path
        file.write_bytes(texts[1].encode())
        after = self.puppet.catalog(node)
        is_changed = after.get('digest') != self.nodes[node]['digest']
        if is_changed:
            self.compare(kind, node, f'{kind} {path}:{first_difference(*texts)}', after)
        file.write_bytes(texts[0].encode())
        return is_changed

    def compare(self, kind, node, place, after):
        command = [self.program, 'diff', node, '--facts', self.puppet.facts_of(node), '--puppet-version', '7', '--environment', '.']
        run = subprocess.run(command, cwd=self.environment, capture_output=True, text=True)
        self.counts[kind, run.returncode] += 1
        if run.returncode == 0:
            self.silent.append(place)
            print(f'silent: {node}: {place} {after.get("error", "")}', flush=True)
        elif self.given.show or run.returncode not in (1, 3):
            print(f'{run.returncode}: {node}: {place}\n{run.stdout}{run.stderr}', flush=True)

    def all_kinds(self):
        """Makes changes of each kind in turn."""
        left = {}
        for kind, (pattern, change) in KINDS.items():
            paths = [it for it in sorted(self.readers) if pattern.search(it) and 'zz_classes' not in it]
            if paths and (not self.given.kind or kind in self.given.kind):
                left[kind] = (paths, change)
        end = time.monotonic() + 60 * self.given.minutes
        found, without = collections.Counter(), collections.Counter()
        while left and time.monotonic() < end:
            for kind, (paths, change) in list(left.items()):
                is_changed = self.attempt(kind, self.rng.choice(paths), change)
                found[kind] += is_changed is True
                without[kind] = 0 if is_changed else without[kind] + 1
                self.unchanged[kind] += is_changed is False
                if found[kind] >= self.given.count or without[kind] >= MAX_WITHOUT_EFFECT:
                    del left[kind]

    def show(self):
        for kind in KINDS:
            codes = {code: count for (it, code), count in sorted(self.counts.items()) if it == kind}
            if codes:
                print(f'{kind}: {sum(codes.values())} changes of catalogs (by exit code of diff: {codes}), '
                      f'{codes.get(0, 0)} silent; {self.unchanged[kind]} without effect')
        print(f'{sum(self.counts.values())} changes of catalogs, {len(self.silent)} silent')


def first_difference(before, after):
    for number, (old, new) in enumerate(zip(before.splitlines() + [''], after.splitlines() + ['']), 1):
        if old != new:
            return f'{number}: {old.strip()} -> {new.strip()}'
    return 'end of the file'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder')
    parser.add_argument('--program', required=True)
    parser.add_argument('--count', type=int, default=200, help='number of changes of each kind that change a catalog')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--kind', choices=KINDS, action='append')
    parser.add_argument('--nodes', type=int, default=20)
    parser.add_argument('--classes', type=int, default=0)
    parser.add_argument('--node', action='append')
    parser.add_argument('--include', action='append')
    parser.add_argument('--modulepath')
    parser.add_argument('--modules', nargs='+', default=[])
    parser.add_argument('--hiera')
    parser.add_argument('--facts', default=str(CONFORMANCE / 'catalogs' / 'facts.json'))
    parser.add_argument('--minutes', type=float, default=60)
    parser.add_argument('--show', action='store_true')
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        environment = work / 'environments' / 'production'
        folders = prepare(given, environment)
        names = names_of_nodes(given, environment, folders)
        puppet = Puppet(environment, folders, given.facts, work)
        nodes = compiled_nodes(puppet, names)
        print(f'{len(names)} nodes, {len(nodes)} compile', flush=True)
        remove_unread(environment, folders, {path for it in nodes.values() for path in it['read']})
        git(environment, 'init', '--quiet')
        git(environment, 'add', '--force', '.')
        git(environment, 'commit', '--quiet', '--message', 'base')
        again = {name: puppet.catalog(name) for name in nodes}
        nodes = {name: answer for name, answer in again.items() if answer.get('digest') == nodes[name]['digest']}
        run = Run(given, environment, puppet, nodes)
        print(f'{len(nodes)} alike again without unread modules, {len(run.readers)} files', flush=True)
        run.all_kinds()
        run.show()
        sys.exit(1 if run.silent else 0)


if __name__ == '__main__':
    main()
