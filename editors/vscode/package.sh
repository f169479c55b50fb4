#!/usr/bin/env bash
# Builds the extension's package for one platform, with the server inside.
#
#   editors/vscode/package.sh [SERVER [TARGET [OUTPUT]]]
#
# SERVER: the binary to include (target/release/puppet-analyzer). TARGET: VS Code's name of the platform (linux-x64).
# OUTPUT: the file to write (target/puppet-analyzer-TARGET.vsix). With REPACK=no, it is not recompressed, which takes a minute.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
server=$(realpath "${1:-$root/target/release/puppet-analyzer}")
target=${2:-linux-x64}
mkdir -p "$root/target"
output=$(realpath -m "${3:-$root/target/puppet-analyzer-$target.vsix}")
[ -f "$server" ] || { echo "error: no server at $server (cargo build --release -p puppet-analyzer)" >&2; exit 2; }

cd "$here"
[ -d node_modules ] || npm ci --no-audit --no-fund --loglevel=error
npm run --silent check
npm run --silent build
rm -rf server
mkdir server
case $target in win32-*) name=puppet-analyzer.exe ;; *) name=puppet-analyzer ;; esac
install -m 755 "$server" "server/$name"
cp "$root/CHANGELOG.md" .
npx --no-install vsce package --target "$target" --no-dependencies --out "$output"
rm -rf server CHANGELOG.md
[ "${REPACK:-yes}" = yes ] || exit 0
tools=$root/target/tools/repack
[ -x "$tools/bin/python" ] && "$tools/bin/python" -c 'import zopfli.zlib' 2>/dev/null || {
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check --requirement repack-requirements.txt
}
"$tools/bin/python" ./repack.py "$output"
