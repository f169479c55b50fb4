#!/usr/bin/env bash
# Builds the program for a platform, as it is published, and prints where the binary is. The same source and compilers give the same bytes
# in any folder.
#
#   release/cross.sh TARGET
#
# TARGET, and what is needed for it beside rustup, a C compiler and `rustup target add TARGET` (which this script runs):
#
#   x86_64-unknown-linux-gnu    static; nothing more, if that is the kind of this machine
#   aarch64-unknown-linux-gnu   static; Debian's gcc-aarch64-linux-gnu
#   x86_64-pc-windows-gnu       Debian's gcc-mingw-w64-x86-64-posix
#   x86_64-apple-darwin         is only checked, without the allocator: that one, and linking, need what Apple alone has. Other C code is
#   aarch64-apple-darwin        built by the Python package ziglang, which is put into target/zig
#
# Where release/profile.sh has recorded for this platform and compiler what the program does most, that is made fast, and all else small.
# With RECORD_INTO=FOLDER the program is made that records it: at its end it writes into the folder what it has done.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
targets='x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu x86_64-pc-windows-gnu x86_64-apple-darwin aarch64-apple-darwin'
case " $targets " in
  *" ${1-none} "*) target=$1 ;;
  *) echo "usage: release/cross.sh TARGET, where TARGET is one of: $targets" >&2; exit 2 ;;
esac
output=${CARGO_TARGET_DIR:-$root/target}

needs() {
  command -v "$1" >/dev/null || { echo "error: $1 is not here; Debian has it in the package $2" >&2; exit 2; }
}

if command -v rustup >/dev/null; then rustup --quiet target add "$target" >&2; fi
host=$(rustc -vV | sed -n 's/^host: //p')
commit=$(rustc -vV | sed -n 's/^commit-hash: //p')

# No path of this machine gets into the binary. With --target the flags do not reach build scripts and macros.
cargo_home=${CARGO_HOME:-$HOME/.cargo}
flags=(
  "--remap-path-prefix=$root=/puppet-analyzer"
  "--remap-path-prefix=$output=/target"
  "--remap-path-prefix=$cargo_home=/cargo"
  "--remap-path-prefix=$(rustc --print sysroot)/lib/rustlib/src/rust=/rustc/$commit"
)
version=$(rustc -vV | sed -n 's/^release: //p')
profile=release/profile/$target-rustc-$version.profdata
if [ -n "${RECORD_INTO-}" ]; then
  flags+=("-Cprofile-generate=$RECORD_INTO")
elif [ -f "$profile.xz" ]; then
  needs xz xz-utils
  mkdir -p "$output/$target"
  # Named after what is in it: cargo builds again where a flag is another, and does not look into the file.
  unpacked=$output/$target/$(sha256sum <"$profile.xz" | cut -c 1-16).profdata
  xz -dc "$profile.xz" >"$unpacked"
  # What takes the last tenth of the time is not worth a larger binary, and what takes the last hundredth is seldom. Code that has changed
  # since the record is made as if there were none.
  flags+=("-Cprofile-use=$unpacked")
  for argument in profile-summary-cutoff-hot=900000 profile-summary-cutoff-cold=990000 inline-cold-callsite-threshold=0 \
    pgso-cold-code-only=false pgso-lwss-only=false pgso-cutoff-instr-prof=930000 no-pgo-warn-mismatch; do
    flags+=("-Cllvm-args=-$argument")
  done
elif [[ $target = x86_64-*-linux-* ]]; then
  echo "note: there is no $profile.xz, so the binary is slower than it could be: release/profile.sh makes it" >&2
fi
c_flags="-ffile-prefix-map=$cargo_home=/cargo -ffile-prefix-map=$output=/target"
# The C code of the allocator has the date of its build in it. 0, as in the packages: a source without its history must give the same.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-0}
name=puppet-analyzer
action=build
variable=${target//-/_}
case $target in
  *-linux-gnu)
    # What records cannot be static.
    if [ -z "${RECORD_INTO-}" ]; then flags+=(-C target-feature=+crt-static); fi
    if [ "$target" != "$host" ]; then
      compiler=${target/-unknown/}-gcc
      needs "$compiler" "gcc-$(sed "s/-unknown//; s/_/-/" <<<"$target")"
      export "CC_$variable=$compiler" "CARGO_TARGET_${variable^^}_LINKER=$compiler"
    fi
    # Relocations in the short form make the binary smaller by a sixteenth. Debian's linker for aarch64 does not know it.
    if [[ $target = x86_64-* ]]; then flags+=(-C link-arg=-Wl,-z,pack-relative-relocs); fi
    # The allocator works with pages of its size or smaller: kernels for aarch64 have 4, 16 or 64 KB (2^16 bytes).
    if [[ $target = aarch64-* ]]; then export JEMALLOC_SYS_WITH_LG_PAGE=16; fi
    ;;
  *-windows-gnu)
    needs x86_64-w64-mingw32-gcc-posix gcc-mingw-w64-x86-64-posix
    # The linker would write the time of the build into the file.
    flags+=(-C link-arg=-Wl,--no-insert-timestamp)
    export "CC_$variable=x86_64-w64-mingw32-gcc-posix" "CARGO_TARGET_${variable^^}_LINKER=x86_64-w64-mingw32-gcc-posix"
    name=$name.exe
    ;;
  *-apple-darwin)
    action=check
    zig=$output/zig
    if [ ! -x "$zig/bin/cargo-zigbuild" ]; then
      { python3 -m venv "$zig" && "$zig/bin/pip" install --quiet ziglang==0.15.2 cargo-zigbuild==0.24.0; } >&2
    fi
    ;;
esac
export "CFLAGS_$variable=$c_flags"
CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f'; echo "${flags[*]}")
export CARGO_ENCODED_RUSTFLAGS

if [ $action = check ]; then
  PATH="$zig/bin:$PATH" cargo-zigbuild check --locked --release --target "$target" -p cli -p lsp >&2
  echo "$target: checked"
else
  cargo build --locked --release --target "$target" -p puppet-analyzer >&2
  echo "$output/$target/release/$name"
fi
