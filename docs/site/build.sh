#!/usr/bin/env bash
# Builds the documentation site in target/site: the pages of src and those generated from the binary. With mdBook on the
# PATH, the HTML is written to target/site/book.
#
#   docs/site/build.sh [BINARY]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
binary=$(realpath "${1:-$root/target/release/puppet-analyzer}")
site=$root/target/site
rm -rf "$site"
mkdir -p "$site"
cp -r "$here/book.toml" "$here/puppet.js" "$here/src" "$site"
python3 "$here/reference.py" "$binary" "$site/src"
if command -v mdbook >/dev/null; then
  mdbook build "$site"
else
  echo "mdBook not found; the pages are in $site/src"
fi
