#!/usr/bin/env bash
# Plays a session in a real Kakoune with kak-lsp.
#
#   tests/editors/kakoune/run.sh [SERVER]        SERVER defaults to target/release/puppet-analyzer
#
# Kakoune comes from Debian, kak-lsp from crates.io into target/editors/kakoune, where it is kept.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
server=$(realpath "${1:-$root/target/release/puppet-analyzer}")
[ -x "$server" ] || { echo "error: no server at $server (cargo build --release -p puppet-analyzer)" >&2; exit 2; }

if ! command -v kak >/dev/null; then
  if [ "$(id -u)" -eq 0 ]; then as_root=(env); else as_root=(sudo); fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends kakoune
fi
home=$root/target/editors/kakoune
if [ ! -x "$home/bin/kak-lsp" ]; then
  # Optimizing it would take longer than the rest of the test.
  CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 cargo install --quiet --locked --debug --version 22.0.0 --root "$home" kak-lsp
fi

# A copy, since the session edits files. The user's own configuration is not read.
work=$(mktemp -d)
cp -r "$root/examples/control-repo" "$work/control-repo"
mkdir -p "$work/home" "$work/run"
export HOME=$work/home XDG_CONFIG_HOME=$work/home/config XDG_RUNTIME_DIR=$work/run PATH=$home/bin:$PATH TERM=dumb
session=puppet-analyzer-$$

# Runs Kakoune commands in its window; has no effect until there is one.
kakoune() { printf "evaluate-commands -client client0 %%{ %s }\n" "$1" | kak -p "$session" 2>/dev/null || true; }

# Prints the value of a Kakoune expression in its window.
value_of() {
  rm -f "$work/answer"
  kakoune "echo -to-file $work/answer.new -- \"$1\"; nop %sh{mv $work/answer.new $work/answer}"
  for _ in $(seq 100); do
    [ ! -e "$work/answer" ] || { cat "$work/answer"; return; }
    sleep 0.05
  done
}

failed=0
# step WHAT EXPRESSION PATTERN [COMMANDS]: waits until the value of the expression matches the pattern; runs the commands
# at the start, and again every ten seconds.
step() {
  local found=
  local end=$((SECONDS + 180)) next=$SECONDS
  while [ $SECONDS -lt $end ]; do
    if [ -n "${4:-}" ] && [ $SECONDS -ge $next ]; then
      kakoune "$4"
      next=$((SECONDS + 10))
    fi
    found=$(value_of "$2")
    if grep -q "$3" <<<"$found"; then
      echo "ok: $1"
      return
    fi
    sleep 0.1
  done
  echo "FAILED: $1: $found"
  failed=$((failed + 1))
}

# The text of a hover is stored in an option, too.
mkdir -p "$XDG_CONFIG_HOME/kak"
cat >"$XDG_CONFIG_HOME/kak/kakrc" <<KAKRC
evaluate-commands %sh{kak-lsp}
source $root/editors/kakoune/puppet-analyzer.kak
set-option global puppet_analyzer_command '$server'
declare-option str shown_hover
define-command -hidden -override -params 4 lsp-show-hover %{ set-option global shown_hover %arg{2} }
KAKRC
manifests=$work/control-repo/site-modules/profile/manifests
kak -ui dummy -s "$session" "$manifests/broken_syntax.pp" >"$work/log" 2>&1 &
editor=$!
trap 'kill $editor 2>/dev/null || true; wait $editor 2>/dev/null || true; rm -rf "$work"' EXIT

step 'Kakoune has started' '%val{bufname}' 'broken_syntax.pp$'
step 'a broken file has diagnostics' '%opt{lsp_diagnostic_error_count}' '^3$'
# Kakoune itself sends the change after a pause in typing.
edit="execute-keys %{3gxc  String \$owner = 'app',<ret><esc>}; lsp-did-change"
step 'an edit removes one' '%opt{lsp_diagnostic_error_count}' '^2$' "$edit"
kakoune "edit! $manifests/broken_syntax.pp"
base="edit $manifests/base.pp"
step 'a good file has no errors' '%val{bufname}:%opt{lsp_diagnostic_error_count}' 'base.pp:0$' "$base"
step 'hover shows a type' '%opt{shown_hover}' 'chronyd' "$base; execute-keys '17g5l'; lsp-hover"
step 'the definition is in another file' '%val{buffile}' 'motd/manifests/init.pp$' "$base; execute-keys '38g14l'; lsp-definition"
kakoune 'write-all; kill!'

if [ $failed -gt 0 ]; then
  tail -n 20 "$work/log"
  echo "$failed failed"
  exit 1
fi
echo 'all passed'
