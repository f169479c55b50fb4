#!/usr/bin/env bash
# Records a profile of the program for release/cross.sh (profile-guided optimization). Writes
# release/profile/TARGET-rustc-VERSION.profdata.xz, which is valid for this compiler only. Run this before a release: code
# that has changed since does not benefit from it.
#
#   release/profile.sh [MODULES]
#
# MODULES: folder of modules to process. Without it, tests/conformance/fetch-corpus.sh fetches Debian's modules. Needs
# llvm-profdata of the compiler's LLVM version: `rustup component add llvm-tools`, or Debian's package llvm-22.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
output=$root/target/profile
target=$(uname -m)-unknown-linux-gnu
field() { rustc -vV | sed -n "s/^$1: //p"; }
llvm=$(field 'LLVM version')
tool=$(rustc --print sysroot)/lib/rustlib/$(field host)/bin/llvm-profdata
[ -x "$tool" ] || tool=llvm-profdata-${llvm%%.*}
if ! command -v "$tool" >/dev/null; then
  echo "error: llvm-profdata not found; it is in Debian's package llvm-${llvm%%.*}, rustup in its component llvm-tools" >&2
  exit 2
fi
if [ $# -gt 0 ]; then
  modules=$(realpath "$1")
else
  modules=$output/corpus/modules
  bash tests/conformance/fetch-corpus.sh "$output/corpus"
fi

rm -rf "$output/recorded"
binary=$(RECORD_INTO=$output/recorded CARGO_TARGET_DIR=$output release/cross.sh "$target")
# Findings are not a failure, and the output is not needed. Large runs use one thread, since two that count at once lose
# counts.
record() { "$binary" "$@" >/dev/null 2>&1 || [ $? -eq 1 ]; }
# `check` dominates large workloads.
for _ in 1 2 3 4 5; do record check --threads 1 "$modules"; done
record check --compile --threads 1 "$modules/apache"
record check --compile --threads 1 examples/control-repo
record lint --no-config "$modules"
record format --check "$modules/apache"
python3 tests/keystrokes.py "$binary" "$modules" --lines 505,3109 --samples 60 --workspace

mkdir -p release/profile
profile=$output/$target-rustc-$(field release).profdata
"$tool" merge -o "$profile" "$output"/recorded/*.profraw
rm -f release/profile/"$target"-*
xz -9 -c "$profile" >"release/profile/${profile##*/}.xz"
ls -l release/profile
