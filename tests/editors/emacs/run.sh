#!/usr/bin/env bash
# Plays a session in a real Emacs, once with Eglot and once with lsp-mode.
#
#   tests/editors/emacs/run.sh [SERVER]        SERVER defaults to target/release/puppet-analyzer
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
server=$(realpath "${1:-$root/target/release/puppet-analyzer}")
[ -x "$server" ] || { echo "error: no server at $server (cargo build --release -p puppet-analyzer)" >&2; exit 2; }

packages=(emacs-nox elpa-eglot elpa-lsp-mode elpa-puppet-mode)
if ! dpkg -s "${packages[@]}" >/dev/null 2>&1; then
  if [ "$(id -u)" -eq 0 ]; then as_root=(env); else as_root=(sudo); fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"
fi

failed=0
for client in eglot lsp-mode; do
  # A copy, since the session edits files. The user's own configuration is not read.
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cp -r "$root/examples/control-repo" "$work/control-repo"
  git -C "$work/control-repo" init -q
  mkdir -p "$work/home"
  echo "--- $client"
  HOME=$work/home PUPPET_ANALYZER=$server REPOSITORY=$work/control-repo CLIENT=$client \
    timeout 900 emacs -q --batch -l "$root/editors/emacs/puppet-analyzer.el" -l "$here/session.el" 2>"$work/log" || {
    failed=1
    tail -n 30 "$work/log"
  }
  rm -rf "$work"
done
exit $failed
