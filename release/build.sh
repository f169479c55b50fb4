#!/usr/bin/env bash
# Builds the files of a release into target/release-files: an archive with a static Linux binary, its man pages, and its
# shell completions; the list of its crates (SBOM); the VS Code package that contains it; and checksums. The build is
# reproducible: the same source and compilers give the same bytes in any folder.
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
mkdir -p "$output"

binary=$(release/cross.sh "$target")
if ldd "$binary" 2>/dev/null | grep -q '=>'; then
  echo "error: the binary is not static" >&2
  exit 1
fi
version=$("$binary" --version | cut -d' ' -f2)
release/packages.py "$binary" "$output" archive
release/sbom.sh "$target" "$output/puppet-analyzer-$version-$platform.cdx.json"

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
