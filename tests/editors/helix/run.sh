#!/usr/bin/env bash
# Types scripts of tests/editors/typing in a real Helix with the built server and the configuration of editors/helix.
#
#   tests/editors/helix/run.sh [SERVER] [SCRIPT...]        SERVER defaults to target/release/puppet-analyzer
#
# Helix is in no registry: HX=/path/to/hx, or `hx` on the PATH; otherwise nothing is run. HELIX_RUNTIME is the folder `runtime` of its
# sources if it is not beside the program. The grammar comes from crates.io.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
server=$(realpath "${1:-$root/target/release/puppet-analyzer}")
shift || true
[ -x "$server" ] || { echo "error: no server at $server (cargo build --release -p puppet-analyzer)" >&2; exit 2; }
hx=${HX:-$(command -v hx || true)}
if [ -z "$hx" ]; then
  echo 'skipped: no Helix (`hx` on the PATH, or HX)'
  exit 0
fi
typing=$root/tests/editors/typing
scripts=("$@")
[ ${#scripts[@]} -gt 0 ] || scripts=("$typing/class.script" "$typing/role.script" "$typing/plan.script")

# pyte, a terminal without a screen, is kept between runs.
python=$root/target/editors/helix/bin/python
if [ ! -x "$python" ]; then
  python3 -m venv "$root/target/editors/helix"
  "$root/target/editors/helix/bin/pip" install --quiet pyte==0.8.2
fi

# A copy, since the session edits files. The user's own configuration is not read.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$root/examples/control-repo" "$work/control-repo"
runtime=$work/home/config/helix/runtime
mkdir -p "$runtime/grammars" "$work/bin"
cp "$root/editors/helix/languages.toml" "$work/home/config/helix/languages.toml"
cp -r "$root/editors/helix/queries" "$runtime/queries"
ln -s "$server" "$work/bin/puppet-analyzer"

# Helix would clone the grammar.
manifest=$(cargo metadata --manifest-path "$root/Cargo.toml" --format-version 1 --locked |
  python3 -c 'import json, sys; print(next(it["manifest_path"] for it in json.load(sys.stdin)["packages"] if it["name"] == "tree-sitter-puppet"))')
grammar=$(dirname "$manifest")/src
cc -shared -fPIC -O1 -I"$grammar" "$grammar/parser.c" -o "$runtime/grammars/puppet.so"

"$hx" --version
export HOME=$work/home XDG_CONFIG_HOME=$work/home/config XDG_CACHE_HOME=$work/home/cache PATH=$work/bin:$PATH
if ! timeout 900 "$python" "$here/session.py" "$hx" "$work/control-repo" "${scripts[@]}"; then
  echo "--- the editor's log:" >&2
  tail -n 20 "$XDG_CACHE_HOME/helix/helix.log" >&2 || true
  exit 1
fi
