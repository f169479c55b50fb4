#!/usr/bin/env bash
# Records what the program does most, so that release/cross.sh makes that fast (profile-guided optimisation). Writes
# release/profile/TARGET-rustc-VERSION.profdata.xz, which counts for this compiler alone. To be done before a release: code that has changed
# since is as fast as without it.
#
#   release/profile.sh [MODULES]
#
# MODULES: the folder of modules that is worked on. Without it, tests/conformance/fetch-corpus.sh gets Debian's modules. Needs llvm-profdata of the
# LLVM that the compiler has: `rustup component add llvm-tools`, or Debian's package llvm-22.
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
  echo "error: llvm-profdata is not here; Debian has it in the package llvm-${llvm%%.*}, rustup in its component llvm-tools" >&2
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
# Findings are no failure, and nobody reads the output. Where there is much to do one thread does it: two that count at once lose counts.
record() { "$binary" "$@" >/dev/null 2>&1 || [ $? -eq 1 ]; }
# `check` is what takes longest where there is much.
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
