#!/usr/bin/env python3
"""Puts mistakes that only show up in evaluation into real classes, one at a time, and counts those that the server reports.

    tests/seeded-catalog-mistakes.py ask MODULES --program target/release/puppet-analyzer [--show] [--kind KIND] [--target 90]
    tests/seeded-catalog-mistakes.py make MODULES FACTS [--count 200] [--seed N]

MODULES is the folder of modules that tests/conformance/fetch-corpus.sh fetches. `ask` puts each mistake of
tests/conformance/catalogs/mistakes.jsonl into a copy of the modules, saves the file in a session with the server, and
looks for a new finding at one of the mistake's locations: the changed statement, the location that Puppet reports, or
the parameter that gets the value. Exits with 0 if at least `--target` percent are found.

`make` writes that file. Every mistake in it is verified with real Puppet: the class compiles on the platform, and with
the mistake it does not, or its relationships form a cycle. Mistakes that are already in the file stay. FACTS is the
output of the example `write_fact_sets` of the crate `facts` for version 7. Kinds:

    option     an option of a `case` about the operating system is misspelled
    value      a value in a branch for a platform has another type
    assignment an assignment in such a branch is missing
    hiera      a lookup of a key that no data has, on one platform or on all
    data       a key is missing from a module's data
    duplicate  a resource that another class declares
    cycle      a relationship that closes a cycle
    undefined  a required parameter of a defined type is undef on one platform
    reference  a relationship with a missing resource; only a whole catalog can show it, so there is a node with the class
"""
import argparse, collections, hashlib, itertools, json, os, pathlib, random, re, shutil, subprocess, sys, tempfile, time

sys.dont_write_bytecode = True
from lsp_session import Session  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent / 'conformance'
MISTAKES = HERE / 'catalogs' / 'mistakes.jsonl'
NOT_COPIED = shutil.ignore_patterns('.git', 'spec', 'doc', 'docs', 'locales', 'releasenotes')
FAMILIES = ['Debian', 'RedHat', 'Suse', 'FreeBSD', 'Archlinux', 'Gentoo', 'Solaris', 'windows']
BUILT_IN = ['Package', 'File', 'Service', 'User', 'Group', 'Exec']


# ---- text

def code_only(text):
    """Returns the source with comments replaced by spaces, so that offsets stay valid."""
    return re.sub(r'(?m)(^|\s)#.*$', lambda it: ' ' * len(it.group()), text)


def line_of(text, offset):
    return text.count('\n', 0, offset) + 1


def offset_of(text, line):
    at = 0
    for _ in range(line - 1):
        at = text.find('\n', at) + 1
    return at


def closing(code, opened):
    """Returns the offset of the bracket that closes the one at `opened`, ignoring quoted text."""
    depth, quote, at = 0, None, opened
    while at < len(code):
        c = code[at]
        if quote:
            if c == '\\':
                at += 1
            elif c == quote:
                quote = None
        elif c in '\'"':
            quote = c
        elif c in '{[(':
            depth += 1
        elif c in '}])':
            depth -= 1
            if not depth:
                return at
        at += 1
    return len(code) - 1


def statement(text, line):
    """Returns the first and last line of the statement that starts at a line, up to the end of the brackets that open
    there.
    """
    code = code_only(text)
    start = offset_of(text, line)
    end = code.find('\n', start)
    opened = re.compile(r'[{(\[]').search(code, start, end if end >= 0 else len(code))
    return [line, line_of(text, closing(code, opened.start()))] if opened else [line, line]


def cases_about_systems(code):
    """Yields (start, end) of `case` expressions about the operating system."""
    for match in re.finditer(r'\bcase\s+[^\n{]*(?:family|operatingsystem|\[.name.\])[^\n{]*\{', code):
        yield match.start(), closing(code, match.end() - 1)


def branches(code, start, end):
    """Yields (option start, option end, block start, block end) of the options for a family in a `case`."""
    for match in re.compile(r"^[ \t]*'?(" + '|'.join(FAMILIES) + r")'?\s*:\s*\{", re.M).finditer(code, start, end):
        yield match.start(1), match.end(1), match.end(), closing(code, match.end() - 1)


class Change:
    """Mistake in one file: replaced text, and the lines of the changed statement in the new contents."""

    def __init__(self, kind, file, text, start, end, replacement, span=None):
        self.kind, self.file, self.start, self.end, self.replacement = kind, file, start, end, replacement
        self.digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        self.text = text[:start] + replacement + text[end:]
        first = line_of(text, start)
        self.lines = span or [first, first + max(0, replacement.count('\n') - 1)]


# ---- candidate mistakes

class Corpus:
    def __init__(self, modules):
        self.modules, self.texts = modules, {}
        self.required = {}
        for path in modules.glob('*/manifests/**/*.pp'):
            code = code_only(self.text(path.relative_to(modules).as_posix()) or '')
            for match in re.finditer(r'^define\s+(?:::)?([\w:]+)\s*\((.*?)\n\)\s*\{', code, re.M | re.S):
                needed = re.findall(r'^\s*(?:[A-Z][^$\n=]*)?\$(\w+)\s*,?\s*$', match.group(2), re.M)
                self.required[match.group(1)] = needed

    def text(self, file):
        if file not in self.texts:
            try:
                self.texts[file] = (self.modules / file).read_text()
            except (OSError, UnicodeDecodeError):
                self.texts[file] = None
        return self.texts[file]

    def file_of(self, name):
        """Returns the file of a class, if it has a separate file."""
        module, *rest = name.split('::')
        file = f'{module}/manifests/{"/".join(rest) or "init"}.pp'
        text = self.text(file)
        return file if text and re.search(rf'^class\s+(?:::)?{name}\b', text, re.M) else None

    def files_of(self, name):
        """Returns the files that contribute to a class: its own and those of included and inherited classes."""
        found, left = [], [name]
        while left and len(found) < 6:
            file = self.file_of(left.pop(0))
            if file and file not in found:
                found.append(file)
                code = code_only(self.text(file))
                left += re.findall(r'\b(?:include|contain|inherits)\s+(?:::)?([a-z]\w*(?:::\w+)*)', code)
        return found

    def appended(self, kind, name, lines):
        """Adds lines before the closing brace of a class."""
        file = self.file_of(name)
        text = file and self.text(file)
        at = text.rfind('\n}') + 1 if text else 0
        return Change(kind, file, text, at, at, ''.join(f'  {line}\n' for line in lines)) if at else None

    def with_types(self, name):
        """Returns the variables that are defaults of typed parameters."""
        pattern = r'^\s*(?!Optional|Any|Variant|Data)[A-Z][^$\n]*\$\w+\s*=\s*\$(?:\w*::)*(\w+)'
        return {it for file in self.files_of(name) for it in re.findall(pattern, code_only(self.text(file)), re.M)}

    def about_platform(self, name, family):
        typed = self.with_types(name)
        for file in self.files_of(name):
            text = self.text(file)
            code = code_only(text)
            for start, end in cases_about_systems(code):
                span = [line_of(text, start), line_of(text, end)]
                for option, option_end, block, block_end in branches(code, start, end):
                    if code[option:option_end] != family:
                        continue
                    yield Change('option', file, text, option, option_end, family[:-2] + family[-1] + family[-2], span)
                    for match in re.compile(r"^[ \t]*\$(\w+)[ \t]*=[ \t]*('[^'\n]*'|true|false)[ \t]*\n", re.M).finditer(code, block, block_end):
                        if match.group(1) not in typed:
                            continue
                        wrong = "{ 'seeded' => 17 }" if match.group(2)[0] == "'" else "'seeded'"
                        yield Change('value', file, text, match.start(2), match.end(2), wrong)
                        yield Change('assignment', file, text, match.start(), match.end(), '', [span[0], span[1] - 1])

    def about_hiera(self, name, family):
        module = name.split('::')[0]
        yield self.appended('hiera', name, [f"$seeded = lookup('{module}::seeded_nothing')"])
        yield self.appended('hiera', name, [
            f"if $facts['os']['family'] == '{family}' {{", f"  $seeded = lookup('{module}::seeded', String)", '}'])
        own = self.file_of(name)
        if not own:
            return
        for path in sorted((self.modules / module / 'data').glob('**/*.yaml')):
            file = path.relative_to(self.modules).as_posix()
            text = self.text(file)
            for match in re.finditer(rf'^{name}::(\w+):[ \t]+\S.*\n', text or '', re.M):
                yield Change('data', file, text, match.start(), match.end(), '')

    def duplicates(self, name, catalog):
        own = self.file_of(name)
        for kind, title, file, line, _ in catalog['resources']:
            if kind in BUILT_IN and file and own and not file.endswith('/' + own) and re.fullmatch(r'[\w./ :@-]+', title):
                yield self.appended('duplicate', name, [f"{kind.lower()} {{ '{title}':", '}'])

    def cycles(self, name, catalog):
        for first, second in itertools.islice(orders(catalog), 200):
            if re.fullmatch(r'[\w:]+\[[\w./ :@-]+\]', first + second) or re.fullmatch(r'[^$\'"\\{}]+', first + second):
                yield self.appended('cycle', name, [f'{quoted(second)} -> {quoted(first)}'])

    def undefined(self, name, family):
        pattern = re.compile(r'^[ \t]*(?:::)?([a-z]\w*(?:::\w+)*)[ \t]*\{[ \t]*(?=[\'"$\[])', re.M)
        for file in self.files_of(name)[:1]:
            text = self.text(file)
            code = code_only(text)
            for match in pattern.finditer(code):
                needed = self.required.get(match.group(1))
                end = closing(code, code.index('{', match.start()))
                for attribute in re.finditer(r'^[ \t]*(\w+)[ \t]*=>[ \t]*([^\n{}\[\]]+?),[ \t]*$', code[match.end():end], re.M):
                    if needed and attribute.group(1) in needed:
                        start, stop = (match.end() + attribute.start(2), match.end() + attribute.end(2))
                        value = f"$facts['os']['family'] ? {{ '{family}' => undef, default => {text[start:stop]} }}"
                        span = [line_of(text, match.start(1)), line_of(text, end)]
                        yield Change('undefined', file, text, start, stop, value, span)
        module = name.split('::')[0]
        for define, needed in self.required.items():
            if define.split('::')[0] == module and len(needed) == 1:
                yield self.appended('undefined', name, [
                    f"$seeded = $facts['os']['family'] ? {{", f"  '{family}' => undef,", "  default => 'seeded',", '}',
                    f"{define} {{ 'seeded':", f'  {needed[0]} => $seeded,', '}'])

    def references(self, name, catalog):
        own = self.file_of(name)
        inside = [(kind, title) for kind, title, file, _, _ in catalog['resources']
                  if kind in BUILT_IN and own and file and file.endswith('/' + own) and re.fullmatch(r'[\w./ :@-]+', title)]
        for kind, title in inside[:2]:
            yield self.appended('reference', name, [f"Package['seeded-nothing'] -> {kind}['{title}']"])
        text = own and self.text(own)
        for match in re.finditer(r"^[ \t]*(?:require|before|notify|subscribe)[ \t]*=>[ \t]*\w+\['([\w./-]+)'\]", code_only(text or ''), re.M):
            yield Change('reference', own, text, match.start(1), match.end(1), match.group(1) + '-seeded')


def quoted(reference):
    kind, title = reference[:-1].split('[', 1)
    return f"{kind}['{title}']"


def orders(catalog):
    """Yields pairs of references whose first comes before the second by a metaparameter of a resource."""
    for kind, title, _, _, related in catalog['resources']:
        this = f'{kind}[{title}]'
        for name, others in related.items():
            for other in others:
                if not other.startswith('Stage'):
                    yield (this, other) if name in ('before', 'notify') else (other, this)


def goes_round(catalog):
    """Returns true if the relationships form a cycle, where a container represents all of its contents."""
    inside = collections.defaultdict(list)
    for container, member in catalog['edges']:
        inside[container].append(member)
    after = collections.defaultdict(set)
    for container, members in inside.items():
        for member in members:
            after['begin', container].add(('begin', member))
            after['end', member].add(('end', container))
    for kind, title, *_ in catalog['resources']:
        after['begin', f'{kind}[{title}]'].add(('end', f'{kind}[{title}]'))
    for first, second in orders(catalog):
        after['end', first].add(('begin', second))
    state = {}
    for root in list(after):
        stack = [(root, iter(after[root]))] if root not in state else []
        if stack:
            state[root] = 'open'
        while stack:
            node, others = stack[-1]
            following = next(others, None)
            if following is None:
                state[node] = 'done'
                stack.pop()
            elif state.get(following) == 'open':
                return True
            elif following not in state:
                state[following] = 'open'
                stack.append((following, iter(after[following])))
    return False


# ---- generation

class Puppet:
    def __init__(self, modules):
        command = ['ruby', str(HERE / 'ask_puppet.rb'), str(modules)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, name, folders, facts, catalog=False, same=False):
        # The code never changes, so that parsed modules can be kept.
        question = {'code': 'include $asked_class', 'more': {'asked_class': name}, 'modulepath': [str(it) for it in folders],
                    'facts': str(facts), 'catalog': catalog, 'same': same}
        self.process.stdin.write(json.dumps(question).encode() + b'\n')
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def make(arguments):
    modules, facts, rng = arguments.modules.resolve(), arguments.facts, random.Random(arguments.seed)
    corpus, puppet, puppet_of_originals = Corpus(modules), Puppet(modules), Puppet(modules)
    supported = {}
    for line in (facts / 'index.tsv').read_text().splitlines():
        module, *platforms = line.split('\t')
        supported[module] = platforms
    classes = [line.split('\t') for line in (HERE / 'catalogs' / 'classes.tsv').read_text().splitlines()]
    pairs = [(name, platform) for module, name in classes for platform in supported.get(module, [])]
    kinds = ['option', 'value', 'assignment', 'hiera', 'data', 'duplicate', 'cycle', 'undefined', 'reference']
    wanted, short = dict(zip(kinds, shares(arguments.count))), 0
    made = [json.loads(line) for line in MISTAKES.read_text().splitlines()] if MISTAKES.exists() else []
    tried = {(it['file'], it['start'], it['kind']) for it in made}
    originals, about_platform = {}, {}
    families = {it: json.loads((facts / f'{it}.json').read_text())['os']['family'] for it in {platform for _, platform in pairs}}
    per_module, in_vain = collections.Counter((it['kind'], it['class'].split('::')[0]) for it in made), collections.Counter()

    def original(name, platform):
        if (name, platform) not in originals:
            originals[name, platform] = puppet_of_originals.ask(name, [modules], facts / f'{platform}.json', catalog=True, same=True)
        return originals[name, platform]

    def candidates(kind, name, platform, family):
        if kind in ('option', 'value', 'assignment'):
            if (name, family) not in about_platform:
                about_platform[name, family] = list(corpus.about_platform(name, family))
            return about_platform[name, family]
        if kind in ('hiera', 'data'):
            return corpus.about_hiera(name, family)
        if kind == 'undefined':
            return corpus.undefined(name, family)
        compiled = original(name, platform)
        if not compiled['ok']:
            return []
        return {'duplicate': corpus.duplicates, 'cycle': corpus.cycles, 'reference': corpus.references}[kind](name, compiled['catalog'])

    with tempfile.TemporaryDirectory() as temporary:
        for kind in kinds:
            # The shortfall of one kind is added to the next.
            wanted[kind] += short
            limit = max(2, wanted[kind] // 8)
            rng.shuffle(pairs)
            for name, platform in pairs:
                if sum(it['kind'] == kind for it in made) >= wanted[kind]:
                    break
                module = name.split('::')[0]
                if per_module[kind, module] >= limit or in_vain[kind, module] >= 10:
                    continue
                options = [it for it in candidates(kind, name, platform, families[platform]) if it and it.kind == kind]
                options = [it for it in options if (it.file, it.start, it.kind) not in tried]
                for change in rng.sample(options, min(2, len(options))):
                    if not original(name, platform)['ok']:
                        in_vain[kind, module] += 1
                        break
                    tried.add((change.file, change.start, change.kind))
                    mistake = tested(change, name, platform, original(name, platform), puppet, modules, facts, pathlib.Path(temporary), corpus)
                    if mistake:
                        made.append(mistake)
                        per_module[kind, module] += 1
                        break
                    in_vain[kind, module] += 1
            MISTAKES.write_text(''.join(json.dumps(it) + '\n' for it in made))
            count = sum(it['kind'] == kind for it in made)
            short = max(0, wanted[kind] - count)
            print(f'{kind:11} {count} of {wanted[kind]}', file=sys.stderr, flush=True)
    print(f'{len(made)} mistakes', file=sys.stderr)


def shares(count):
    """Returns the number of mistakes of each kind."""
    parts = [18, 18, 14, 22, 8, 34, 30, 32, 24]
    return [count * part // sum(parts) + (index < count - sum(count * it // sum(parts) for it in parts))
            for index, part in enumerate(parts)]


def tested(change, name, platform, before, puppet, modules, facts, temporary, corpus):
    """Returns the record of a mistake if Puppet rejects it."""
    module = change.file.split('/')[0]
    copy = temporary / module
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree((modules / module).resolve(), copy, ignore=NOT_COPIED)
    (temporary / change.file).write_text(change.text)
    answer = puppet.ask(name, [temporary, modules], facts / f'{platform}.json', catalog=change.kind == 'cycle')
    shutil.rmtree(copy)
    places = [[change.file, *change.lines]]
    error = answer.get('error', {})
    message = error.get('message', '').replace(f'{temporary}/', '').replace(f'{modules}/', '')
    if change.kind == 'cycle':
        if not answer['ok'] or goes_round(before['catalog']) or not goes_round(answer['catalog']):
            return None
        message = 'a circle of relationships'
        ends = re.findall(r"([\w:]+)\['(.*?)'\]", change.replacement)
        at = [(it[2], it[3]) for it in answer['catalog']['resources'] if (it[0], it[1]) in ends and it[2]]
    elif answer['ok'] or 'Could not autoload' in message or 'seconds' in message:
        return None
    elif change.kind == 'undefined' and not re.search(r'expects a value for parameter|got Undef', message):
        return None
    else:
        at = [(error['file'], error.get('line') or 1)] if error.get('file') else []
        at += re.findall(r'\(file: ([^,)]+), line: (\d+)', message)
    texts = {change.file: change.text}
    for file, line in at:
        file = file.replace(f'{temporary}/', '').replace(f'{modules}/', '')
        text = texts.get(file) or corpus.text(file)
        if text:
            places.append([file, *statement(text, int(line))])
    declared_by = r"(?:Class\[([\w:]+)\]|([A-Z][\w:]*)\[[^\]]*\]):\s+(?:parameter|expects a value for parameter) '(\w+)'"
    for class_name, define, parameter in re.findall(declared_by, message):
        owner = class_name or define
        file = corpus.file_of(owner.lower()) or f'{owner.lower().split("::")[0]}/manifests/{"/".join(owner.lower().split("::")[1:]) or "init"}.pp'
        text = texts.get(file) or corpus.text(file)
        declared = text and re.search(rf'\${parameter}\b', code_only(text))
        if declared:
            places.append([file] + [line_of(text, declared.start())] * 2)
    unique = [it for index, it in enumerate(places) if it not in places[:index]]
    return {'kind': change.kind, 'class': name, 'platform': platform, 'file': change.file, 'digest': change.digest, 'start': change.start,
            'end': change.end, 'replacement': change.replacement, 'places': unique, 'puppet': message[:300]}


# ---- queries to the server

class Workspace:
    """Copy of the modules, and a session with the server in it."""

    def __init__(self, program, modules, folder, classes):
        self.modules = folder / 'modules'
        shutil.copytree(modules, self.modules, ignore=NOT_COPIED)
        root = self.modules
        if classes:
            root = folder
            (folder / 'manifests').mkdir()
            (folder / 'environment.conf').write_text('modulepath = modules\n')
            nodes = [f"node 'node{number}.example.com' {{\n  include {name}\n}}\n" for number, name in enumerate(sorted(classes))]
            (folder / 'manifests' / 'site.pp').write_text(''.join(nodes))
        self.session = Session([program, 'lsp'], timeout=7200)
        capabilities = {'general': {'positionEncodings': ['utf-32']}, 'textDocument': {'diagnostic': {}}}
        self.session.request('initialize', {
            'processId': None, 'rootUri': None, 'capabilities': capabilities, 'initializationOptions': {'puppetVersion': 7},
            'workspaceFolders': [{'uri': root.resolve().as_uri(), 'name': 'seeded'}],
        })
        self.session.notify('initialized', {})
        self.session.until_idle()

    def findings(self, mistake):
        """Returns the findings at the locations of a mistake: file, first and last line (1-based), code, and message."""
        found = []
        for file in dict.fromkeys(it[0] for it in mistake['places']):
            uri = (self.modules / file).resolve().as_uri()
            report = self.session.request('textDocument/diagnostic', {'textDocument': {'uri': uri}})
            for it in report.get('items', []):
                lines = [it['range'][key]['line'] + 1 for key in ('start', 'end')]
                found.append((file, *lines, it.get('code'), it['message'], it.get('severity', 1)))
        return found

    def try_out(self, mistake):
        """Tries a mistake: returns new findings at its locations, new findings anywhere, and the seconds since the save."""
        path = self.modules / mistake['file']
        text = path.read_text()
        uri = path.resolve().as_uri()
        self.session.open(uri, text)
        self.session.until_idle()
        before = {it[3:] for it in self.findings(mistake)}
        changed = text[:mistake['start']] + mistake['replacement'] + text[mistake['end']:]
        path.write_text(changed)
        start = time.perf_counter()
        self.session.change(uri, 2, [{'text': changed}])
        self.session.notify('textDocument/didSave', {'textDocument': {'uri': uri}})
        self.session.until_idle()
        seconds = time.perf_counter() - start
        new = [it for it in self.findings(mistake) if it[3:] not in before]
        path.write_text(text)
        self.session.notify('textDocument/didClose', {'textDocument': {'uri': uri}})
        self.session.notify('workspace/didChangeWatchedFiles', {'changes': [{'uri': uri, 'type': 2}]})
        self.session.said.clear()
        at_place = [it for it in new if any(it[0] == file and it[1] <= last and first <= it[2] for file, first, last in mistake['places'])]
        return at_place, new, seconds


def ask(arguments):
    mistakes = [json.loads(line) for line in MISTAKES.read_text().splitlines()]
    mistakes = [it for it in mistakes if not arguments.kind or it['kind'] == arguments.kind]
    modules = arguments.modules.resolve()
    for it in mistakes:
        if hashlib.sha256((modules / it['file']).read_text().encode()).hexdigest()[:16] != it['digest']:
            sys.exit(f'{it["file"]} is not the file in which the mistakes were made: the corpus has other versions')
    seen, total, severities, slowest = collections.Counter(), collections.Counter(), collections.Counter(), 0.0
    for needs_node in (False, True):
        chosen = [it for it in mistakes if (it['kind'] == 'reference') == needs_node]
        if not chosen:
            continue
        with tempfile.TemporaryDirectory() as folder:
            workspace = Workspace(arguments.program, modules, pathlib.Path(folder), {it['class'] for it in chosen} if needs_node else None)
            for mistake in chosen:
                hits, new, seconds = workspace.try_out(mistake)
                total[mistake['kind']] += 1
                seen[mistake['kind']] += bool(hits)
                slowest = max(slowest, seconds)
                severities[min((it[5] for it in hits), default=0)] += 1
                if arguments.show and not hits:
                    print(f'{mistake["kind"]}: {mistake["class"]} on {mistake["platform"]}: {mistake["places"]}: {mistake["puppet"]}')
                    for it in new[:3]:
                        print(f'    instead: {it[0]}:{it[1]}: {it[4]}')
            workspace.session.stop()
    for kind in total:
        print(f'{kind:11} {seen[kind]:4} of {total[kind]:4}  {100 * seen[kind] / total[kind]:5.1f} %')
    count, found = sum(total.values()), sum(seen.values())
    print(f'{"all":11} {found:4} of {count:4}  {100 * found / max(1, count):5.1f} %')
    print(f'errors {severities[1]}, warnings {severities[2]}, hints {severities[3] + severities[4]}; slowest: {slowest:.1f} s after saving')
    sys.exit(0 if 100 * found >= arguments.target * count else 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest='command', required=True)
    asking = commands.add_parser('ask')
    asking.add_argument('modules', type=pathlib.Path)
    asking.add_argument('--program', default='target/release/puppet-analyzer')
    asking.add_argument('--kind')
    asking.add_argument('--target', type=float, default=90)
    asking.add_argument('--show', action='store_true', help='print the mistakes that were not found')
    making = commands.add_parser('make')
    making.add_argument('modules', type=pathlib.Path)
    making.add_argument('facts', type=pathlib.Path)
    making.add_argument('--count', type=int, default=200)
    making.add_argument('--seed', type=int, default=1)
    arguments = parser.parse_args()
    {'ask': ask, 'make': make}[arguments.command](arguments)


if __name__ == '__main__':
    main()
