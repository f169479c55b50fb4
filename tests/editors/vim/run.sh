#!/usr/bin/env bash
# Plays a session in a real Vim with ALE.
#
#   tests/editors/vim/run.sh [SERVER]        SERVER defaults to target/release/puppet-analyzer
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
server=$(realpath "${1:-$root/target/release/puppet-analyzer}")
[ -x "$server" ] || { echo "error: no server at $server (cargo build --release -p puppet-analyzer)" >&2; exit 2; }

if ! dpkg -s vim vim-ale >/dev/null 2>&1; then
  if [ "$(id -u)" -eq 0 ]; then as_root=(env); else as_root=(sudo); fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends vim vim-ale
fi

# A copy, since the session edits files. The user's own configuration is not read.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$root/examples/control-repo" "$work/control-repo"
mkdir -p "$work/home"
code=0
HOME=$work/home PUPPET_ANALYZER=$server REPOSITORY=$work/control-repo CONFIGURATION=$root/editors/vim/puppet_analyzer.vim \
  SAID=$work/said timeout 900 vim -N -u "$here/session.vim" -i NONE --not-a-term -n >/dev/null 2>"$work/log" </dev/null || code=$?
cat "$work/said" || tail -n 20 "$work/log"
exit $code
