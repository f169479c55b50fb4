#!/usr/bin/env bash
# Builds the release binary for a platform and prints its path. The same source and compilers give the same bytes in any
# folder.
#
#   release/cross.sh TARGET
#
# TARGET, and its requirements besides rustup, a C compiler, and `rustup target add TARGET` (which this script runs):
#
#   x86_64-unknown-linux-gnu    static; nothing more on a machine of this platform
#   aarch64-unknown-linux-gnu   static; Debian's gcc-aarch64-linux-gnu
#   x86_64-pc-windows-gnu       Debian's gcc-mingw-w64-x86-64-posix
#   x86_64-apple-darwin         only checked, without the allocator, since that and linking need Apple's SDK. Other C code is built by
#   aarch64-apple-darwin        the Python package ziglang, which is installed into target/zig
#
# If release/profile.sh has recorded a profile for this platform and compiler, hot code is optimized for speed and
# everything else for size. With RECORD_INTO=FOLDER, builds an instrumented binary that writes its profile into the folder
# when it exits.
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
  command -v "$1" >/dev/null || { echo "error: $1 not found; it is in Debian's package $2" >&2; exit 2; }
}

if command -v rustup >/dev/null; then rustup --quiet target add "$target" >&2; fi
host=$(rustc -vV | sed -n 's/^host: //p')
commit=$(rustc -vV | sed -n 's/^commit-hash: //p')

# Keeps paths of this machine out of the binary. With --target, the flags do not apply to build scripts and macros.
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
  # Named after its contents: cargo rebuilds when a flag changes, but does not look into the file.
  unpacked=$output/$target/$(sha256sum <"$profile.xz" | cut -c 1-16).profdata
  xz -dc "$profile.xz" >"$unpacked"
  # The last tenth of the run time does not justify a larger binary, and code of the last hundredth is cold. Code that has
  # changed since the recording is compiled as if there were no profile.
  flags+=("-Cprofile-use=$unpacked")
  for argument in profile-summary-cutoff-hot=900000 profile-summary-cutoff-cold=990000 inline-cold-callsite-threshold=0 \
    pgso-cold-code-only=false pgso-lwss-only=false pgso-cutoff-instr-prof=930000 no-pgo-warn-mismatch; do
    flags+=("-Cllvm-args=-$argument")
  done
elif [[ $target = x86_64-*-linux-* ]]; then
  echo "note: $profile.xz not found, so the binary is slower; run release/profile.sh to create it" >&2
fi
c_flags="-ffile-prefix-map=$cargo_home=/cargo -ffile-prefix-map=$output=/target"
# The C code of the allocator contains its build date. 0, as in the packages: a source without history must give the same
# bytes.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-0}
name=puppet-analyzer
action=build
variable=${target//-/_}
case $target in
  *-linux-gnu)
    # An instrumented binary cannot be static.
    if [ -z "${RECORD_INTO-}" ]; then flags+=(-C target-feature=+crt-static); fi
    if [ "$target" != "$host" ]; then
      compiler=${target/-unknown/}-gcc
      needs "$compiler" "gcc-$(sed "s/-unknown//; s/_/-/" <<<"$target")"
      export "CC_$variable=$compiler" "CARGO_TARGET_${variable^^}_LINKER=$compiler"
    fi
    # Packed relocations make the binary smaller by a sixteenth. Debian's linker for aarch64 does not support them.
    if [[ $target = x86_64-* ]]; then flags+=(-C link-arg=-Wl,-z,pack-relative-relocs); fi
    # Maximum page size that the allocator supports: kernels for aarch64 have pages of 4, 16, or 64 KB (2^16 bytes).
    if [[ $target = aarch64-* ]]; then export JEMALLOC_SYS_WITH_LG_PAGE=16; fi
    ;;
  *-windows-gnu)
    needs x86_64-w64-mingw32-gcc-posix gcc-mingw-w64-x86-64-posix
    # The linker would write the build time into the file.
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
