#!/usr/bin/env python3
"""Puts security defects into real manifests, one per file, and counts those that the rules of the group `security` report.

    tests/seeded-weaknesses.py target/release/puppet-analyzer FOLDER... [--count 100] [--seed N] [--target 85] [--keep DIR]

Each FOLDER is a module folder or a control repository. The manifests are copied; each gets at most one defect of the kinds
in KINDS, which follow the definitions of the CWE entries. An existing value is changed where a manifest has one (`mode`,
URLs), otherwise a parameter, a variable, or a resource is added to a class or defined type. A defect is found if there is
a finding of its rule on its lines. `--keep` writes the changed manifests and `planted.json` to a folder, for other
tools. Exits with 0 if at least `--target` percent are found.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

WORDS = "Kestrel maple9 Orbit violet77 Tundra quartz nimbus4 Hazel Falcon3 copper".split()
HEAD = re.compile(r"^(?:class|define)\s+(?:::)?([\w:]+)\s*(\((?:[^()]|\([^()]*\))*\))?[^{]*\{[ \t]*$", re.M)
MODE = re.compile(r"(\bmode\s*=>\s*)'0?(?:644|640|600|755|750|700)'")
HTTPS = re.compile(r"'https://(?!localhost|127\.)[\w.-]+\.\w+/[^'\s]*'")
STRONG = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"


class Site:
    """A place for a defect: the body of a class or defined type."""

    def __init__(self, rng, text):
        self.rng, self.text = rng, text
        self.heads = list(HEAD.finditer(text))
        self.name = self.heads[0].group(1).split("::")[-1] if self.heads else "main"

    def secret(self, length=20):
        return "".join(self.rng.choice(STRONG) for _ in range(length))

    def password(self):
        return self.rng.choice(WORDS) + self.rng.choice(["", "!", "-2", "42", "_x"])

    def prefix(self):
        return self.rng.choice(["", f"{self.name}_", "db_", "admin_", "ldap_", "mysql_", "service_"])

    def in_body(self, code):
        """Returns the text with a statement at the beginning of a body, and the offsets of the statement."""
        at = self.rng.choice(self.heads).end()
        code = "\n" + "\n".join("  " + line for line in code.splitlines())
        return self.text[:at] + code + self.text[at:], at + 1, at + len(code)

    def replaced(self, pattern, replacement):
        """Returns the text with one match replaced, or None if there is no match."""
        code = re.sub(r"(?m)^\s*#.*$", lambda it: " " * len(it.group()), self.text)
        found = list(pattern.finditer(code))
        if not found:
            return None
        match = self.rng.choice(found)
        new = replacement(match)
        return self.text[: match.start()] + new + self.text[match.end():], match.start(), match.start() + len(new)

    def named(self, name, value):
        """Returns code that gives a value a name: a variable, an entry of a hash, or an attribute."""
        return self.rng.choice(
            [
                f"${name} = {value}",
                f"$settings_for_x = {{ '{name}' => {value}, 'port' => 80 }}",
                f"acme::instance {{ 'x':\n  {name} => {value},\n}}",
                f"$facts_x = $facts['os']['family'] ? {{ 'Debian' => undef, default => undef }}\n${name} = {value}",
            ]
        )


def hardcoded_password(s):
    name = s.prefix() + s.rng.choice(["password", "passwd", "pass", "pwd", "passphrase"])
    return s.in_body(s.named(name, f"'{s.password()}'"))


def hardcoded_secret(s):
    name = s.prefix() + s.rng.choice(["secret", "token", "api_key", "auth_token", "secret_key", "private_key", "client_secret"])
    return s.in_body(s.named(name, f"'{s.secret()}'"))


def empty_password(s):
    return s.in_body(s.named(s.prefix() + s.rng.choice(["password", "passwd", "pass", "pwd"]), s.rng.choice(["''", '""'])))


def private_key(s):
    kind = s.rng.choice(["RSA ", "EC ", "", "OPENSSH "])
    body = "\n".join("      " + s.secret(60) for _ in range(4))
    return s.in_body(
        f"file {{ '/etc/x/{s.name}':\n  content => @(END),\n      -----BEGIN {kind}PRIVATE KEY-----\n{body}\n"
        f"      -----END {kind}PRIVATE KEY-----\n      | END\n}}"
    )


def exposed_secret(s):
    name = s.prefix() + s.rng.choice(["password", "token", "secret", "passwd"])
    use = s.rng.choice(
        [
            f"exec {{ 'x login':\n  command => \"/usr/bin/x login -p ${{{name}}}\",\n}}",
            f"notify {{ \"password is ${{{name}}}\": }}",
            f"notice(\"using ${{{name}}}\")",
            f"file {{ '/etc/x.conf':\n  content => \"key=${{{name}}}\\n\",\n}}",
            f"$x_command = \"x -p ${{{name}}}\"\nexec {{ 'x run':\n  command => $x_command,\n  path    => '/bin',\n}}",
        ]
    )
    return s.in_body(f"${name} = lookup('x::{name}')\n{use}")


def world_writable(s):
    mode = s.rng.choice(["0666", "0777", "777", "0757", "0662", "2777", "a+rw", "ugo+rwx", "o+w", "u=rwx,go=rw"])
    changed = s.replaced(MODE, lambda match: f"{match.group(1)}'{mode}'")
    if changed is None or s.rng.random() < 0.3:
        code = [
            f"file {{ '/srv/{s.name}.dat':\n  ensure => file,\n  mode   => '{mode}',\n}}",
            f"$file_mode_x = '{mode}'\nfile {{ '/srv/{s.name}.dat':\n  mode => $file_mode_x,\n}}",
            f"exec {{ '/bin/chmod -R {mode} /srv/{s.name}': }}",
            f"File {{ mode => '{mode}' }}",
        ]
        return s.in_body(s.rng.choice(code))
    return changed


def readable_key(s):
    path = s.rng.choice(["/etc/ssl/private/{}.key", "/home/{}/.ssh/id_rsa", "/etc/{}/server.key", "/etc/x/{}-key.pem", "/etc/ssh/ssh_host_rsa_key"])
    mode = s.rng.choice(["0644", "0444", "0755", "a+r", "u=rw,go=r"])
    return s.in_body(f"file {{ '{path.format(s.name)}':\n  mode   => '{mode}',\n  source => 'puppet:///modules/x/k',\n}}")


def plain_http(s):
    changed = s.replaced(HTTPS, lambda match: match.group().replace("https:", "http:", 1))
    if changed is None:
        url = f"http://{s.rng.choice(['mirror', 'packages', 'repo'])}.{s.name.replace('_', '-')}.net/{s.rng.choice(['el9', 'x', 'debian'])}"
        code = [
            f"yumrepo {{ 'x':\n  baseurl => '{url}',\n}}",
            f"$repo_url_x = '{url}'",
            f"apt::source {{ 'x':\n  location => '{url}',\n}}",
            f"exec {{ 'wget -q {url}/x -O /tmp/x':\n  path => '/usr/bin',\n}}",
            f"$x_settings = {{ 'endpoint' => \"{url}/${{facts['os']['family']}}\" }}",
        ]
        return s.in_body(s.rng.choice(code))
    return changed


def unsigned_repository(s):
    code = [
        "yumrepo { 'x':\n  baseurl  => 'https://x.net/el9',\n  gpgcheck => 0,\n}",
        "yumrepo { 'x':\n  baseurl  => 'https://x.net/el9',\n  gpgcheck => 'no',\n}",
        "apt::source { 'x':\n  location       => 'https://x.net',\n  allow_unsigned => true,\n}",
        "exec { 'yum install -y --nogpgcheck x':\n  path => '/usr/bin',\n}",
        "package { 'x':\n  install_options => ['--allow-unauthenticated'],\n}",
        "file { '/etc/apt/sources.list.d/x.list':\n  content => \"deb [trusted=yes] https://x.net stable main\\n\",\n}",
        "$repo_x = { 'x' => { 'baseurl' => 'https://x.net', 'gpgcheck' => '0' } }",
    ]
    return s.in_body(s.rng.choice(code))


def unverified_download(s):
    url = f"https://downloads.x.net/{s.name}-{s.rng.randrange(9)}.{s.rng.choice(['tar.gz', 'zip', 'rpm', 'deb', 'tgz'])}"
    code = [
        f"archive {{ '/opt/x':\n  source => '{url}',\n}}",
        f"archive {{ '/opt/x':\n  source   => '{url}',\n  checksum => false,\n}}",
        f"exec {{ 'curl -o /tmp/x {url}':\n  path => '/usr/bin',\n}}",
        f"file {{ '/opt/x':\n  source => '{url}',\n}}",
        f"archive {{ '/opt/x':\n  source          => '{url}',\n  checksum_verify => false,\n}}",
    ]
    return s.in_body(s.rng.choice(code))


def pipe_to_shell(s):
    url = f"https://get.x.net/{s.name}"
    command = s.rng.choice(
        [
            f"curl -sSL {url} | bash",
            f"wget -qO- {url} | sudo sh",
            f"/usr/bin/curl {url} | /bin/sh -s -- --yes",
            f"bash -c \\\"$(curl -fsSL {url})\\\"",
            f"cd /tmp && curl {url} | sudo -E bash -",
            f"curl -s {url} | python3",
        ]
    )
    return s.in_body(s.rng.choice([f'exec {{ "{command}":\n  path => $x_path,\n}}', f'exec {{ \'x\':\n  command => "{command}",\n}}']))


def weak_hash(s):
    code = [
        "postgresql::server::pg_hba_rule { 'x':\n  type        => 'host',\n  auth_method => 'md5',\n}",
        "$password_hash_algorithm = 'sha1'",
        "$x_digest = md5($user_password)",
        "$settings_x = { 'hash_method' => 'MD5' }",
        "$hashed_x = pw_hash($user_password, 'MD5', 'saltsalt')",
        "$authentication_method = 'md5'",
    ]
    return s.in_body(s.rng.choice(code))


def weak_cipher(s):
    code = [
        "$ssl_protocols = 'SSLv3 TLSv1.2'",
        "$ssl_ciphers = 'HIGH:RC4-SHA:!aNULL'",
        "$settings_x = { 'ciphers' => 'aes256-ctr,arcfour,3des-cbc' }",
        "nginx::resource::server { 'x':\n  ssl_protocols => 'TLSv1 TLSv1.1 TLSv1.2',\n}",
        "$ssh_ciphers = ['aes256-ctr', '3des-cbc']",
    ]
    return s.in_body(s.rng.choice(code))


def open_bind(s):
    name = s.rng.choice(["bind_address", "listen_address", "listen", "bind_ip", "listen_addr", "bind", "http_host"])
    return s.in_body(s.named(name, s.rng.choice(["'0.0.0.0'", "'0.0.0.0:8080'"])))


def default_admin(s):
    name = s.prefix() + s.rng.choice(["user", "username", "login"])
    if name.startswith(("admin", "root")):
        name = "service_user"
    return s.in_body(f"${name} = '{s.rng.choice(['root', 'admin', 'root'])}'")


def suspicious_comment(s):
    return s.in_body(s.rng.choice(["# TODO: check the signature", "# FIXME", "# this is a hack", "# XXX remove this", "# works around a bug in x", "# todo later"]))


def shell_injection(s):
    code = [
        "exec { 'x':\n  command  => \"/opt/x --name ${facts['networking']['hostname']} | tee /tmp/x\",\n  provider => shell,\n}",
        "exec { 'x':\n  command  => \"x ${facts['custom_x']} > /tmp/x\",\n  provider => 'shell',\n}",
        "$x_run = \"x ${facts['custom_x']} > /tmp/x\"\nexec { 'x':\n  command  => $x_run,\n  provider => 'shell',\n}",
    ]
    return s.in_body(s.rng.choice(code))


KINDS = [
    hardcoded_password, hardcoded_secret, empty_password, private_key, exposed_secret, world_writable, readable_key, plain_http,
    unsigned_repository, unverified_download, pipe_to_shell, weak_hash, weak_cipher, open_bind, default_admin, suspicious_comment,
    shell_injection,
]


def findings(program, folder):
    """Counts the findings of the group by path, code, and line."""
    command = [program, "check", "--select", "security", "--format", "json", "."]
    output = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout
    found = collections.Counter()
    for it in json.loads(output):
        if it.get("code", "").startswith("security-"):
            found[it["file"], it["code"], it["line"]] += 1
    return found


def plant(rng, folders, count, target):
    """Copies manifests into a folder, with defects in some of them. Returns the defects."""
    candidates = []
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*.pp")):
            if not path.is_file() or path.is_symlink() or path.stat().st_size > 40_000:
                continue
            try:
                text = path.read_text()
            except UnicodeDecodeError:
                continue
            if HEAD.search(text) and "spec" not in path.parts:
                candidates.append((path, text))
    rng.shuffle(candidates)
    planted = []
    for number, (path, text) in enumerate(candidates[:count]):
        kind = KINDS[number % len(KINDS)]
        changed, start, end = kind(Site(rng, text))
        copy = target / f"m{number}" / "manifests" / "init.pp"
        copy.parent.mkdir(parents=True)
        copy.write_text(changed)
        planted.append(
            {
                "path": str(copy.relative_to(target)),
                "code": "security-" + kind.__name__.replace("_", "-"),
                "first": changed.count("\n", 0, start) + 1,
                "last": changed.count("\n", 0, end) + 1,
                "text": changed[start:end],
                "from": str(path),
            }
        )
    return planted


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", type=float, default=85)
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        planted = plant(random.Random(arguments.seed), arguments.folders, arguments.count, folder)
        after = findings(arguments.program.resolve(), folder)
        totals, found = collections.Counter(), collections.Counter()
        for defect in planted:
            totals[defect["code"]] += 1
            lines = range(defect["first"], defect["last"] + 1)
            defect["found"] = any(after[defect["path"], defect["code"], line] for line in lines)
            found[defect["code"]] += defect["found"]
            if not defect["found"]:
                print(f"not found: {defect['code']} in {defect['from']}\n{defect['text']}\n")
        if arguments.keep:
            (folder / "planted.json").write_text(json.dumps(planted, indent=1))
    for code in sorted(totals):
        print(f"{code:32} {found[code]:3} of {totals[code]}")
    percent = 100 * found.total() / max(1, totals.total())
    print(f"{found.total()} of {totals.total()} found: {percent:.0f} %")
    return 0 if percent >= arguments.target else 1


if __name__ == "__main__":
    sys.exit(main())
