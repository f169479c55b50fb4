#!/usr/bin/env python3
"""Runs `facts fetch` against a real PuppetDB with TLS and client certificates.

    tests/fleet/puppetdb.py [BINARY [NODES]]

Needs Debian's packages `puppetdb` and `postgresql`, and root, since PostgreSQL refuses to run as root and gets its own user; prints what is
missing and succeeds otherwise. Both servers run in a temporary folder on free ports, and end with the script. NODES inventories (10,000) are
loaded by the command API. First, real Puppet compiles the nodes in exported/ with PuppetDB, if `puppet-terminus-puppetdb` is installed; the
catalogs must be those in the files there, which UPDATE_EXPECT=1 writes. Then the snapshot must have all of them, stay below 200 MB, and be the
same if PuppetDB is killed and started again in the middle; a release build must take at most 1.3 times as long as `curl` for all inventories in
one request. Exits with 1 if a check fails.
"""
import contextlib
import glob
import hashlib
import http.client
import json
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
JAR = pathlib.Path("/usr/share/puppetdb/puppetdb.jar")
NOW = "2026-01-01T00:00:00.000Z"
LATER = "2100-01-01T00:00:00.000Z"
CONFIG = """[global]
vardir = {folder}/var
logging-config = {folder}/logback.xml
[database]
subname = //127.0.0.1:{database_port}/puppetdb
username = postgres
password = unused
[jetty]
host = 127.0.0.1
port = {plain_port}
ssl-host = 127.0.0.1
ssl-port = {port}
ssl-key = {folder}/server.key
ssl-cert = {folder}/server.pem
ssl-ca-cert = {folder}/ca.pem
[puppetdb]
disable-update-checking = true
"""
LOGBACK = """<configuration><appender name="FILE" class="ch.qos.logback.core.FileAppender"><file>{folder}/puppetdb.log</file>
<encoder><pattern>%d %-5p [%c{{2}}] %m%n</pattern></encoder></appender><root level="warn"><appender-ref ref="FILE"/></root></configuration>
"""


def missing():
    """Returns what the test needs and this machine lacks."""
    needed = {"puppetdb": JAR.exists(), "postgresql": bool(programs("initdb")), "root": os.geteuid() == 0}
    needed.update({name: bool(shutil.which(name)) for name in ["java", "openssl", "curl", "runuser"]})
    return [name for name, found in needed.items() if not found]


def programs(name):
    return sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class PuppetDb:
    """PostgreSQL and PuppetDB in a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.database_port, self.plain_port, self.port = free_port(), free_port(), free_port()
        self.database = self.server = None

    def __enter__(self):
        try:
            self.certificates()
            self.start_database()
            values = vars(self)
            (self.folder / "logback.xml").write_text(LOGBACK.format(**values))
            settings = self.folder / "conf.d"
            settings.mkdir()
            (self.folder / "var").mkdir()
            (settings / "config.ini").write_text(CONFIG.format(**values))
            shutil.copy("/etc/puppetdb/conf.d/auth.conf", settings)
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.stop()
        if self.database:
            self.database.terminate()
            self.database.wait()

    def certificates(self):
        """Creates a CA, and certificates of the server and of a client."""
        def openssl(*arguments):
            subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)

        new_key = ["-newkey", "rsa:2048", "-nodes"]
        openssl("req", "-x509", *new_key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Test CA")
        for name in ["server", "client"]:
            openssl("req", *new_key, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
            extensions = self.folder / f"{name}.ext"
            extensions.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
            openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                    "-days", "2", "-extfile", extensions.name, "-out", f"{name}.pem")

    def start_database(self):
        data = self.folder / "database"
        data.mkdir()
        shutil.chown(data, "postgres", "postgres")
        self.folder.chmod(0o755)
        as_user = ["runuser", "-u", "postgres", "--"]
        subprocess.run([*as_user, programs("initdb")[-1], "-D", data, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"],
                       check=True, capture_output=True, cwd="/")
        settings = ["fsync=off", "listen_addresses=127.0.0.1", f"port={self.database_port}",
                    f"unix_socket_directories={data}", "synchronous_commit=off", "max_wal_size=256MB"]
        command = [programs("postgres")[-1], "-D", data]
        for setting in settings:
            command += ["-c", setting]
        log = (self.folder / "postgresql.log").open("w")
        # `runuser` would not pass signals on.
        user = {"user": "postgres", "group": "postgres", "extra_groups": []}
        self.database = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", **user)
        for statement in ["create database puppetdb", "create extension pg_trgm"]:
            database = "postgres" if "database" in statement else "puppetdb"
            call = [programs("psql")[-1], "-h", "127.0.0.1", "-p", str(self.database_port), "-U", "postgres", "-c", statement,
                    database]
            wait_for(lambda: subprocess.run(call, capture_output=True).returncode == 0, 60, "PostgreSQL")

    def start(self):
        command = ["java", "-Xmx512m", "-cp", JAR, "clojure.main", "-m", "puppetlabs.puppetdb.core", "services", "--config",
                   self.folder / "conf.d", "--bootstrap-config", "/etc/puppetdb/bootstrap.cfg"]
        log = (self.folder / "java.log").open("a")
        # Reports of crashes go to the folder as well.
        environment = {**os.environ, "JAVA_TOOL_OPTIONS": f"-Djava.io.tmpdir={self.folder}"}
        self.server = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder, env=environment)
        wait_for(self.is_running, 300, "PuppetDB")

    def is_running(self):
        if self.server.poll() is not None:
            sys.exit(f"PuppetDB ended:\n{(self.folder / 'java.log').read_text()[-3000:]}")
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
            status = self.get("/status/v1/services/puppetdb-status")
            return status["state"] == "running"
        return False

    def stop(self):
        """Kills PuppetDB."""
        if self.server and self.server.poll() is None:
            self.server.kill()
            self.server.wait()

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.plain_port, timeout=120)

    def get(self, path):
        connection = self.connection()
        connection.request("GET", path)
        reply = connection.getresponse()
        body = reply.read().decode()
        if reply.status != 200:
            raise OSError(f"status {reply.status}: {body[:500]}")
        return json.loads(body)

    def load(self, command, version, payloads):
        """Submits commands, each a certname and its payload, and waits until PuppetDB has processed them."""
        connection = self.connection()
        count = 0
        for certname, payload in payloads:
            query = urllib.parse.urlencode(
                {"command": command, "version": version, "certname": certname, "producer-timestamp": NOW})
            connection.request("POST", f"/pdb/cmd/v1?{query}", json.dumps(payload), {"Content-Type": "application/json"})
            reply = connection.getresponse()
            body = reply.read()
            if reply.status != 200:
                sys.exit(f"PuppetDB refuses {command}: {reply.status} {body[:500]}")
            count += 1
        return count

    def count(self, query):
        """Returns the count of a query; -1 if PuppetDB is too busy."""
        try:
            return self.get(f"/pdb/query/v4?{urllib.parse.urlencode({'query': query})}")[0]["count"]
        except OSError as error:
            print(f"{query}: {error}")
            time.sleep(5)
            return -1

    def options(self):
        files = {"--cacert": "ca.pem", "--cert": "client.pem", "--key": "client.key"}
        url = f"https://localhost:{self.port}"
        return ["--puppetdb", url, *(part for option, name in files.items() for part in [option, str(self.folder / name)])]


def wait_for(is_done, seconds, name):
    end = time.monotonic() + seconds
    while not is_done():
        if time.monotonic() > end:
            sys.exit(f"{name} did not start in {seconds} s")
        time.sleep(0.2)


def facts(number):
    """Returns facts of a node, about 15 KB as those of a small server."""
    numbers = random.Random(number)
    name = certname(number)
    address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    interface = {"ip": address, "mac": "02:00:%02x:%02x:%02x:01" % (number >> 16 & 255, number >> 8 & 255, number & 255),
                 "mtu": 1500, "netmask": "255.0.0.0", "network": "10.0.0.0",
                 "bindings": [{"address": address, "netmask": "255.0.0.0", "network": "10.0.0.0"}]}
    mount = {"available": "9.07 GiB", "available_bytes": 9738506240, "capacity": "21.02%", "device": "/dev/sda1",
             "filesystem": "ext4", "options": ["rw", "relatime", "errors=remount-ro"], "size": "11.48 GiB",
             "size_bytes": 12326002688, "used": "2.41 GiB", "used_bytes": numbers.randrange(1 << 31)}
    values = {
        "os": {"name": "Debian", "family": "Debian", "architecture": "amd64", "release": {"full": "12.5", "major": "12", "minor": "5"},
               "distro": {"codename": "bookworm", "id": "Debian", "description": "Debian GNU/Linux 12 (bookworm)"}},
        "networking": {"fqdn": name, "hostname": name.split(".")[0], "domain": "example.com", "ip": address, "primary": "eth0",
                       "interfaces": {f"eth{index}": interface for index in range(4)}},
        "processors": {"count": 8, "isa": "unknown", "models": ["Intel(R) Xeon(R) Gold 6230 CPU @ 2.10GHz"] * 8},
        "mountpoints": {f"/srv/{index}": mount for index in range(12)},
        "ssh": {kind: {"key": numbers.randbytes(180).hex(), "type": kind, "fingerprints": {"sha256": numbers.randbytes(32).hex()}}
                for kind in ["rsa", "ecdsa", "ed25519"]},
        "trusted": {"certname": name, "authenticated": "remote", "hostname": name.split(".")[0], "domain": "example.com",
                    "extensions": {"pp_role": f"role{number % 30}"}, "external": {}},
        "uptime": numbers.randrange(10_000_000), "clientcert": name, "virtual": "kvm",
    }
    values.update({f"custom_{index}": f"value {index} of a fact of the site" for index in range(60)})
    return values


def certname(number):
    return f"node{number:06}.example.com"


def factsets(count):
    for number in range(count):
        name = certname(number)
        yield name, {"certname": name, "environment": "production", "producer_timestamp": NOW, "producer": "server.example.com",
                     "values": facts(number)}


def catalogs(count):
    """Yields catalogs with an exported resource each."""
    for number in range(count):
        name = certname(number)
        host = {"type": "Host", "title": name, "exported": True, "file": None, "line": None, "tags": ["host", "node"],
                "aliases": [], "parameters": {"ip": facts(number)["networking"]["ip"], "tag": "fleet"}}
        yield name, {"certname": name, "version": "1", "environment": "production", "transaction_uuid": None, "catalog_uuid": None,
                     "code_id": None, "job_id": None, "producer_timestamp": NOW, "producer": "server.example.com", "edges": [],
                     "resources": [host]}


def exporting_nodes(folder):
    """Writes the facts of the nodes in exported/."""
    folder.mkdir()
    for name in ["db1", "lb1", "web1", "web2", "web3"]:
        fqdn = f"{name}.example.com"
        values = {"os": {"name": "Debian", "family": "Debian", "release": {"major": "12", "full": "12.5"}},
                  "networking": {"fqdn": fqdn, "ip": f"10.0.0.{name[-1]}"}}
        (folder / f"{fqdn}.json").write_text(json.dumps({"name": fqdn, "values": values}))
    return folder


def check_exports(server):
    """Compiles the code in exported/ with real Puppet and compares the catalogs with the recorded ones."""
    terminus = pathlib.Path("/usr/lib/ruby/vendor_ruby/puppet/indirector/resource/puppetdb.rb")
    if not terminus.exists() or not shutil.which("ruby"):
        print("not compiled by real Puppet: no puppet-terminus-puppetdb")
        return []
    failures = []
    folder = server.folder / "puppet"
    folder.mkdir()
    nodes = exporting_nodes(folder / "facts")
    manifest = folder / "environments" / "production" / "manifests" / "site.pp"
    manifest.parent.mkdir(parents=True)
    for code in sorted((HERE / "exported").glob("*.pp")):
        shutil.copy(code, manifest)
        address = f"http://127.0.0.1:{server.plain_port}"
        command = ["ruby", HERE / "exported.rb", folder, folder / "environments", nodes, address, "4"]
        out = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        found = {name: normalized(catalog) for name, catalog in json.loads(out).items()}
        recorded = code.with_suffix(".json")
        if os.environ.get("UPDATE_EXPECT"):
            recorded.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
        elif json.loads(recorded.read_text()) != found:
            failures.append(f"real Puppet compiles other catalogs of {code.name}")
    names = [path.stem for path in sorted(nodes.iterdir())]
    server.load("deactivate_node", 3, ((name, {"certname": name, "producer_timestamp": LATER}) for name in names))
    wait_for(lambda: server.count("nodes[count()]{}") == 0, 300, "the deactivation")
    print(f"real Puppet compiled {len(names)} nodes of {len(list((HERE / 'exported').glob('*.pp')))} programs")
    return failures


def normalized(catalog):
    if "error" in catalog:
        return {"error": catalog["error"]}
    resources = (it for it in catalog["resources"] if it["type"] not in ["Class", "Node", "Stage"])
    return {"resources": {f"{it['type']}[{it['title']}]": it.get("parameters") or {} for it in resources}}


def measured(command):
    """Runs a command; returns its output, seconds, and peak memory in MB."""
    start = time.monotonic()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command[:3]} failed")
    return out, time.monotonic() - start, usage.ru_maxrss / 1024


def with_curl(server):
    """Requests all inventories with curl, in one request; returns the seconds and the number of nodes."""
    output = server.folder / "inventory.json"
    address = f"https://localhost:{server.port}/pdb/query/v4/inventory"
    command = ["curl", "--fail", "--silent", "--compressed", "--output", output, "--cacert", server.folder / "ca.pem", "--cert",
               server.folder / "client.pem", "--key", server.folder / "client.key", address]
    _, seconds, _ = measured(command)
    return seconds, occurrences(output, b'"timestamp"')


def occurrences(path, text):
    """Counts a text in a file without holding it, since a child's peak memory includes that of this process."""
    count, rest = 0, b""
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            part = rest + part
            count += part.count(text)
            rest = part[-len(text) + 1:]
    return count


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def check_restart(server, fetch, whole):
    """Kills PuppetDB in the middle of a fetch and starts it again."""
    output = server.folder / "restarted.snapshot"
    before = set(server.folder.glob(".puppet-analyzer-*"))
    process = subprocess.Popen([*fetch, "--output", str(output)], stdout=subprocess.PIPE, text=True)

    def is_halfway():
        partial = set(server.folder.glob(".puppet-analyzer-*")) - before
        return process.poll() is not None or any(it.stat().st_size > whole.stat().st_size // 4 for it in partial)

    wait_for(is_halfway, 120, "the middle of the fetch")
    if process.poll() is not None:
        print("not killed in the middle: the fetch was too fast")
        return []
    server.stop()
    start = time.monotonic()
    server.start()
    seconds = time.monotonic() - start
    if process.wait() != 0:
        return [f"the fetch fails if PuppetDB is away for {seconds:.0f} s"]
    print(f"PuppetDB killed in the middle, back after {seconds:.0f} s: {process.stdout.read().strip()}")
    return [] if digest(output) == digest(whole) else ["the snapshot after a restart differs"]


def main(binary, count):
    lacking = missing()
    if lacking:
        print(f"skipped: no {', '.join(lacking)}")
        return 0
    with tempfile.TemporaryDirectory() as folder, PuppetDb(pathlib.Path(folder)) as server:
        failures = check_exports(server)
        start = time.monotonic()
        server.load("replace_facts", 5, factsets(count))
        server.load("replace_catalog", 9, catalogs(count))
        wait_for(lambda: server.count("inventory[count()]{}") == count, 3600, "the inventory")
        wait_for(lambda: server.count("resources[count()]{exported = true}") == count, 3600, "the catalogs")
        print(f"loaded {count} nodes in {time.monotonic() - start:.0f} s")
        return report(server, binary, count, failures)


def report(server, binary, count, failures):
    whole = server.folder / "nodes.snapshot"
    fetch = [str(binary), "facts", "fetch", *server.options()]
    rows = []
    for _ in range(3):
        curl, received = with_curl(server)
        out, ours, memory = measured([*fetch, "--output", whole])
        rows.append((ours, curl, memory))
        print(f"facts fetch: {ours:.2f} s, {memory:.0f} MB; curl: {curl:.2f} s for {received} nodes; {out.strip()}")
        if f"wrote {count} nodes" not in out or received != count:
            failures.append("nodes are missing")
    ours, curl, _ = sorted(rows)[1]
    # Unoptimized builds are several times slower.
    if "release" in pathlib.Path(binary).parts and ours > 1.3 * curl:
        failures.append(f"facts fetch takes {ours / curl:.2f} times as long as curl")
    if max(row[2] for row in rows) > 200:
        failures.append("facts fetch needs more than 200 MB")
    failures += check_restart(server, fetch, whole)
    exported = server.folder / "exported.snapshot"
    out, seconds, memory = measured([*fetch, "--exported", "--output", exported])
    print(f"with exported resources: {seconds:.2f} s, {memory:.0f} MB; {out.strip()}")
    if f"wrote {count} nodes and {count} exported resources" not in out:
        failures.append("exported resources are missing")
    for failure in failures:
        print(f"failed: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    built = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "target" / "debug" / "puppet-analyzer"
    sys.exit(main(built.resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 10_000))
