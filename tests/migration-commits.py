#!/usr/bin/env python3
"""Measures how much of public commits that migrate modules to Puppet 8 or stdlib 9 `check --upgrade-to` finds and makes.

    tests/migration-commits.py LIST REPOSITORIES [--binary target/release/puppet-analyzer] [--work DIR] [--to 9] [--match TEXT]
                               [--show KIND] [--jobs N]

LIST has one line per commit: repository (`owner/name`), a tab, the commit. REPOSITORIES is a folder with bare clones
(`owner+name/repo` or `owner+name.git`). For each commit, its parent is written to a separate folder, `check --upgrade-to` lists
the findings, and `--fix --unsafe-fixes` edits a copy. An edit is a line of the parent that the commit removes, with something that
an upgrade breaks: a legacy fact, a function or type that stdlib removed or moved, or an upper bound of a version that excludes
the new one. A bare `$hostname` or `@hostname` counts only if the commit replaces it with a structured fact. Printed per kind:

    found    a finding is on the line
    made     the fixed line has the replacement of the commit, or one with the same meaning: other notation of the same fact, the
             type of a parameter or a call of `assert_type`, `stdlib::f()` or the same function of Puppet
    other    the line was changed to something else; `left`: it was not changed
    dropped  lines that the commit deletes without a replacement; they only count as edits to be found

`--show` prints the edits of one outcome (`missed`, `other`, `left`). Exits with 0 if 95 % are found and 80 % made.
"""
import argparse, collections, concurrent.futures, difflib, json, pathlib, re, shutil, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FACTS = ROOT / 'analysis/plugins/data/facts.txt'
# Seconds for each run.
LIMIT = 600
PATHS = ['*.pp', '*.epp', '*.erb', 'lib/*.rb', 'data/*.yaml', 'hiera.yaml', 'spec/*.rb', 'metadata.json']
MOVED = ('batch_escape ensure_packages fqdn_rand_string fqdn_rotate has_interface_with merge os_version_gte parsehocon '
         'powershell_escape seeded_rand seeded_rand_string shell_escape to_json to_json_pretty to_python to_ruby to_toml to_yaml '
         'type_of validate_domain_name validate_email_address')
REMOVED = ('dig44 has_key hash is_absolute_path is_array is_bool is_domain_name is_email_address is_float is_function_available '
           'is_hash is_integer is_ip_address is_ipv4_address is_ipv6_address is_mac_address is_numeric is_string private '
           'sprintf_hash try_get_value type3x validate_absolute_path validate_array validate_bool validate_hash validate_integer '
           'validate_ip_address validate_ipv4_address validate_ipv6_address validate_numeric validate_re validate_slength '
           'validate_string validate_legacy hiera hiera_array hiera_hash hiera_include')
CALL = r'(?<![\w:$@.\'-])(?:{})(?=\s*\(|\s+[\'"$\[])'
REMOVED_CALL = re.compile(CALL.format(REMOVED.replace(' ', '|')))
MOVED_CALL = re.compile(CALL.format(MOVED.replace(' ', '|')))
COMPATIBLE = re.compile(r'Stdlib::Compat::\w+')
BOUND = re.compile(r'"version_requirement"\s*:\s*"([^"]*)"')


def legacy_facts():
    """Returns patterns of names of legacy facts and what replaces them."""
    rows = re.findall(r'^legacy (\S+) .*?(?: = \$facts(\S+).*)?$', FACTS.read_text(), re.M)
    wild = {'*': r'[a-z]+\d\w*', '#': r'\d+'}
    return {re.sub(r'[*#]', lambda it: wild[it.group()], name): path for name, path in rows}


LEGACY = legacy_facts()
NAME = '(?P<name>' + '|'.join(sorted(LEGACY, key=len, reverse=True)) + ')'
KEY = rf'''[\['"(:]+{NAME}['"\])]+'''
# Reads of legacy facts that cannot be anything else.
CERTAIN = {
    'manifest': [rf'\$(?:::|{{::){NAME}\b(?!::)', rf'\$(?:::)?{{?(?:::)?facts{KEY}', rf'(?<![\w:])fact\((?:[\'"]){NAME}[\'"]\)'],
    'template': [rf'@facts{KEY}', rf'scope(?:\.lookupvar)?[\[( ]+[\'"](?:::){NAME}[\'"]'],
    'data': [rf'%{{(?:::){NAME}}}', rf'%{{(?:::)?facts\.{NAME}}}'],
    'spec': [rf'\b\w*facts\[:?[\'"]?{NAME}[\'"]?\]'],
    'ruby': [rf'lookupvar\([\'"](?:::){NAME}[\'"]\)'],
}
# Reads that may be of other variables.
LIKELY = {
    'manifest': [rf'\${{?{NAME}\b(?!::)(?!\s*(?:=[^>=~]|\())'],
    'template': [rf'@{NAME}\b', rf'scope(?:\.lookupvar)?[\[( ]+[\'"]{NAME}[\'"]'],
    'data': [rf'%{{{NAME}}}'],
    'spec': [rf'(?<![\w:]):{NAME}\s*=>', rf'(?<![\w:.]){NAME}:\s', rf'[\'"]{NAME}[\'"]\s*=>'],
    'ruby': [],
}


def kind_of(path):
    if path.startswith('spec/'):
        return 'spec'
    if path.endswith(('.pp', '.epp')):
        return 'manifest'
    return {'.erb': 'template', '.rb': 'ruby', '.yaml': 'data', '.json': 'bounds'}[pathlib.Path(path).suffix]


def facts_in(patterns, line):
    return collections.Counter(it['name'] for pattern in patterns for it in re.finditer(pattern, line))


def structured(text):
    """Returns the structured facts that a text reads, as `os.family`."""
    found = re.findall(r'''facts\W?(?:\[['":]?\w+['"]?\]|\.\w+|\.dig\([^)]*\)|\.get\([^)]*\))+|\bfact\(['"][\w.]+''', text)
    keys = lambda it: re.findall(r'\w+', re.sub(r'^\w*facts?|\bdig\b|\bget\b', '', it))
    return collections.Counter('.'.join(keys(it)) for it in found)


def triggers(kind, line, replacement):
    """Returns what an upgrade breaks in a line, by name; `replacement` is the text that replaces it."""
    if kind == 'bounds':
        return collections.Counter()
    code = re.sub(r'(^|\s)#(?!{).*', '', line) if kind in ('manifest', 'ruby') else line
    found = collections.Counter(f'fact {name}' for name in facts_in(CERTAIN[kind], code).elements())
    if re.search(r'\bfacts\b|\bfact\(', replacement) or kind == 'spec' and re.search(r'\bos\b|networking', replacement):
        found += collections.Counter(f'fact {it}' for it in facts_in(LIKELY[kind], code).elements())
    if kind == 'manifest':
        found += collections.Counter(f'removed {it}' for it in REMOVED_CALL.findall(code))
        found += collections.Counter(f'removed {it}' for it in COMPATIBLE.findall(code))
        found += collections.Counter(f'moved {it}' for it in MOVED_CALL.findall(code) if f'stdlib::{it}' in replacement)
    return found


def canonical(line):
    """Returns a line in one notation."""
    line = re.sub(r'\s+', '', line).rstrip(',').replace('Stdlib::Ip::', 'Stdlib::IP::')
    line = re.sub(r'''\$\{?(?:::)?facts((?:\[['"]?\w+['"]?\])+)\}?''', lambda it: f'FACT({".".join(re.findall(r"[a-z_0-9A-Z]+", it[1]))})', line)
    line = re.sub(r'''(?:\$facts\.|\$)?(?:fact|facts\.get|get)\(['"]([\w.]+)['"]\)''', r'FACT(\1)', line)
    line = re.sub(r'''\$facts\.dig\(([^)]*)\)''', lambda it: f'FACT({".".join(re.findall(r"[a-z_0-9A-Z]+", it[1]))})', line)
    line = re.sub(r'([(,=])"(FACT\([\w.]+\))"', r'\1\2', line)
    return line.replace('"', "'").replace('$::', '$').replace('(', '').replace(')', '').replace('{', '').replace('}', '')


TYPES = r'(?:Stdlib::[\w:]+|[A-Z]\w*(?:\[[^\]]*\])*)'


def replacements(line):
    """Returns the parts of a line that replace what an upgrade breaks, in one notation."""
    line, found = line.replace('Stdlib::Ip::', 'Stdlib::IP::'), structured(line)
    found += collections.Counter(f'is {it}' for it in re.findall(rf'=~\s*({TYPES})', line))
    found += collections.Counter(f'is {it}' for it in re.findall(rf'\.is_a\(({TYPES})\)', line))
    found += collections.Counter(re.findall(r'stdlib::\w+|\bin\s+\$[\w:]+(?:\[[^\]]*\])*|\blookup\([\'"][^\'"]*', line))
    found += collections.Counter(re.findall(rf'(?<![\w:~] )(?<![\w:])(?:{TYPES})(?=\s+\$)', line))
    return found


class Edit:
    """A removed line with the line that replaces it, if any."""

    def __init__(self, commit, path, number, line, replacement, what):
        self.commit, self.path, self.number, self.line, self.replacement, self.what = commit, path, number, line, replacement, what

    def is_made(self, fixed):
        """Returns true if the fixed lines have the replacement of the commit, or one with the same meaning."""
        if kind_of(self.path) == 'bounds':
            return upper_bound(fixed) == upper_bound(self.replacement or '') if self.replacement else False
        if self.replacement is None:
            return self.is_asserted(fixed)
        if canonical(fixed) == canonical(self.replacement):
            return True
        if kind_of(self.path) == 'spec':
            return self.is_structured(fixed)
        before = replacements(self.line)
        ours, theirs = replacements(fixed) - before, replacements(self.replacement) - before
        return bool(ours) and (ours == theirs or not theirs - ours)

    def is_structured(self, fixed):
        """Returns true if the line of a test has the keys of structured facts, and no legacy fact is left."""
        names = [it.split(' ', 1)[1] for it in self.what if it.startswith('fact ')]
        paths = [next((path for name, path in LEGACY.items() if re.fullmatch(name, it)), None) for it in names]
        keys = [key for path in paths if path for key in re.findall(r"'(\w+)'", path)]
        left = facts_in(CERTAIN['spec'] + LIKELY['spec'], fixed)
        return bool(keys) and all(key in fixed for key in keys) and not any(it in left for it in names)

    def is_asserted(self, fixed):
        """Returns true if the line checks a parameter, and both the fix and the commit check its type instead."""
        return 'validate_' in self.line and ('assert_type' in fixed or not fixed.strip())


def upper_bound(line):
    found = BOUND.search(line)
    found = re.search(r'<\s*(\d+)', found[1] if found else '')
    return found and int(found[1])


def git(repository, *arguments):
    return subprocess.run(['git', f'--git-dir={repository}', *arguments], capture_output=True, check=True).stdout


def repository_of(folder, name):
    base = folder / name.replace('/', '+', 1)
    return next(it for it in (base / 'repo/.git', base / 'repo', base.with_name(base.name + '.git')) if it.is_dir())


def hunks(repository, commit):
    """Yields path, number of the first removed line, removed lines, and added lines."""
    text = git(repository, 'show', '--format=', '-U0', '--no-renames', commit, '--', *PATHS).decode(errors='replace')
    path, hunk = None, None
    for line in text.splitlines():
        if line.startswith('--- '):
            if hunk:
                yield hunk
            path, hunk = (line[6:] if line.startswith('--- a/') else None), None
        elif line.startswith('@@'):
            if hunk:
                yield hunk
            hunk = (path, int(re.match(r'@@ -(\d+)', line)[1]), [], []) if path else None
        elif hunk and line.startswith('-'):
            hunk[2].append(line[1:])
        elif hunk and line.startswith('+') and not line.startswith('+++'):
            hunk[3].append(line[1:])
    if hunk:
        yield hunk


def paired(removed, added):
    """Returns the line that replaces each removed line, or None."""
    if len(removed) == len(added):
        return added
    free, found = list(range(len(added))), []
    for line in removed:
        ratio = {it: difflib.SequenceMatcher(None, line.strip(), added[it].strip(), autojunk=False).ratio() for it in free}
        best = max(ratio, key=ratio.get, default=None)
        is_pair = best is not None and ratio[best] > 0.5
        found.append(added[best] if is_pair else None)
        if is_pair:
            free.remove(best)
    return found


def edits_of(repository, commit):
    found, deleted = [], set(git(repository, 'show', '--format=', '--name-only', '--no-renames', '--diff-filter=D', commit).decode().split('\n'))
    for path, first, removed, added in hunks(repository, commit):
        if path in deleted:
            continue
        for at, (line, replacement) in enumerate(zip(removed, paired(removed, added))):
            before = triggers(kind_of(path), line, replacement or ''.join(added))
            what = before - triggers(kind_of(path), replacement or '', replacement or '')
            if kind_of(path) == 'bounds':
                old, new = upper_bound(line), upper_bound(replacement or '')
                if not old or not new or new <= old or old not in (8, 9) or not re.search(r'puppet"|openvox"|stdlib"', removed[at - 1] + line):
                    continue
                what = collections.Counter(['bound'])
            if what:
                found.append(Edit(commit, path, first + at, line, replacement, sorted(what)))
    return found


def export(repository, commit, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    archive = subprocess.Popen(['git', f'--git-dir={repository}', 'archive', f'{commit}^'], stdout=subprocess.PIPE)
    subprocess.run(['tar', 'x', '-C', folder], stdin=archive.stdout)
    return archive.wait() == 0


def name_of(folder, repository):
    try:
        return re.split('[-/]', json.loads((folder / 'metadata.json').read_text())['name'])[-1]
    except (OSError, ValueError, KeyError):
        return re.split(r'[-+]', repository)[-1]


def run(binary, folder, *arguments):
    command = [binary, 'check', '--hints', *arguments, '.']
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, errors='replace', timeout=LIMIT)


def lines_after(before, after):
    """Returns the fixed text of each line, by its number."""
    found = {}
    for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        for at in range(a, b):
            same_size = b - a == d - c
            found[at + 1] = after[c + at - a] if same_size else '\n'.join(after[c:d])
    return found


def measure(row, arguments):
    name, commit = row
    repository = repository_of(arguments.repositories, name)
    edits = edits_of(repository, commit)
    if not edits:
        return name, commit, []
    outer = arguments.work / f'{name.replace("/", "+")}-{commit[:10]}'
    shutil.rmtree(outer, ignore_errors=True)
    if not export(repository, commit, outer / 'm'):
        print(f'{name} {commit}: cannot be read')
        return name, commit, []
    folder = outer / name_of(outer / 'm', name)
    if folder != outer / 'm':
        (outer / 'm').rename(folder)
    version = ['--upgrade-to', str(arguments.to)]
    listed = run(arguments.binary, folder, *version, '--format', 'json')
    findings = collections.defaultdict(list)
    for it in json.loads(listed.stdout or '[]'):
        if 'line' in it:
            for line in range(it['line'], it.get('endLine', it['line']) + 1):
                findings[it['file'], line].append(f"{it['code']}: {it['message']}")
    before = {it.path: (folder / it.path).read_text(errors='replace').splitlines() for it in edits}
    try:
        run(arguments.binary, folder, *version, '--fix', '--unsafe-fixes')
    except subprocess.TimeoutExpired:
        print(f'{name} {commit}: not fixed in {LIMIT} seconds')
    fixed = {path: lines_after(lines, (folder / path).read_text(errors='replace').splitlines()) for path, lines in before.items()}
    outcomes = []
    for it in edits:
        line = fixed[it.path].get(it.number, '')
        said = [text for text in findings.get((it.path, it.number), []) if not text.startswith(('style', 'documentation', 'missing-doc'))]
        is_changed = line.strip() != it.line.strip()
        made = 'dropped' if it.replacement is None and 'validate_' not in it.line else 'made' if is_changed and it.is_made(line) else 'other' if is_changed else 'left'
        # A rule states the number of findings after the first hundred in a file.
        outcomes.append((kind_of(it.path), bool(said) or is_changed, made, it, line, said))
    shutil.rmtree(outer)
    return name, commit, outcomes


def show(name, outcome):
    kind, found, made, it, line, said = outcome
    print(f'{name} {it.commit[:10]} {it.path}:{it.number} {kind} {"found" if found else "MISSED"} {made}: {", ".join(it.what)}')
    print(f'  -      {it.line.strip()}\n  theirs {(it.replacement or "").strip()}\n  ours   {line.strip()}')
    if said:
        print(f'  said   {said[0]}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('list', type=pathlib.Path)
    parser.add_argument('repositories', type=pathlib.Path)
    parser.add_argument('--binary', type=pathlib.Path, default=ROOT / 'target/release/puppet-analyzer')
    parser.add_argument('--work', type=pathlib.Path, default=ROOT / 'target/migration-commits')
    parser.add_argument('--to', type=int, default=9)
    parser.add_argument('--match', default='')
    parser.add_argument('--show', choices=['missed', 'other', 'left', 'dropped', 'made'], action='append', default=[])
    parser.add_argument('--jobs', type=int, default=2)
    arguments = parser.parse_args()
    arguments.binary = arguments.binary.resolve()
    rows = [line.split('\t')[:2] for line in arguments.list.read_text().splitlines() if line and line[0] != '#' and arguments.match in line]
    counts, with_edits = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for name, commit, outcomes in pool.map(lambda row: measure(row, arguments), rows):
            with_edits += bool(outcomes)
            for outcome in outcomes:
                counts[outcome[0], 'found' if outcome[1] else 'missed'] += 1
                counts[outcome[0], outcome[2]] += 1
                if outcome[2] in arguments.show or not outcome[1] and 'missed' in arguments.show:
                    show(name, outcome)
    sys.exit(report(counts, with_edits, len(rows)))


def report(counts, with_edits, commits):
    kinds = sorted({kind for kind, _ in counts})
    print(f'{with_edits} of {commits} commits have edits')
    print(f'{"":10}{"edits":>7}{"found":>7}{"made":>7}{"other":>7}{"left":>7}{"dropped":>9}')
    total = collections.Counter()
    for kind in [*kinds, 'all']:
        of = total if kind == 'all' else collections.Counter({what: counts[kind, what] for what in ('found', 'missed', 'made', 'other', 'left', 'dropped')})
        edits = of['found'] + of['missed']
        print(f'{kind:10}{edits:7}{of["found"]:7}{of["made"]:7}{of["other"]:7}{of["left"]:7}{of["dropped"]:9}')
        total += of if kind != 'all' else collections.Counter()
    edits, to_make = total['found'] + total['missed'], total['made'] + total['other'] + total['left']
    found, made = total['found'] / max(edits, 1), total['made'] / max(to_make, 1)
    print(f'found {found:.1%} of {edits}, made {made:.1%} of {to_make}')
    return 0 if found >= 0.95 and made >= 0.80 else 1


if __name__ == '__main__':
    main()
