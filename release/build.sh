#!/usr/bin/env bash
# Builds the files of a release into target/release-files: a static Linux binary, the list of its crates (SBOM), the VS
# Code package that contains it, the man page, shell completions, and checksums. The build is reproducible: the same source
# and compilers give the same bytes in any folder.
#
#   release/build.sh
#
# The binary is linked statically against glibc, which needs only the usual toolchain (and libc.a of libc6-dev):
# release/cross.sh.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
case $(uname -m) in
  aarch64) platform=linux-arm64 ;;
  *) platform=linux-x64 ;;
esac
target=$(uname -m)-unknown-linux-gnu
output=$root/target/release-files
rm -rf "$output"
mkdir -p "$output/completions"

binary=$(release/cross.sh "$target")
if ldd "$binary" 2>/dev/null | grep -q '=>'; then
  echo "error: the binary is not static" >&2
  exit 1
fi
version=$("$binary" --version | cut -d' ' -f2)
install -m 755 "$binary" "$output/puppet-analyzer"
tar -C "$output" --sort=name --mtime="@${SOURCE_DATE_EPOCH:-0}" --owner=0 --group=0 --numeric-owner -c puppet-analyzer |
  gzip -n >"$output/puppet-analyzer-$version-$platform.tar.gz"
rm "$output/puppet-analyzer"
release/sbom.sh "$target" "$output/puppet-analyzer-$version-$platform.cdx.json"

for shell in bash zsh fish; do
  "$binary" completions "$shell" >"$output/completions/puppet-analyzer.$shell"
done
mkdir -p "$output/man"
"$binary" man --output "$output/man"
package=$output/puppet-analyzer-$version-$platform.vsix
# The archive format has no dates before 1980.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-315532800} TZ=UTC editors/vscode/package.sh "$binary" "$platform" "$package"
# Checked only here: an unoptimized binary, such as CI's, is a tenth larger than the published one.
if [ "$(stat -c %s "$package")" -ge 10000000 ]; then
  echo "error: the editor's package is larger than 10 MB" >&2
  exit 1
fi

(cd "$output" && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS)
ls -l "$output"
