#!/usr/bin/env bash
# Puts the documentation site together in target/site: the chapters, and what the binary says of itself. With mdBook on the
# PATH, HTML of it in target/site/book.
#
#   docs/site/build.sh [BINARY]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
binary=$(realpath "${1:-$root/target/release/puppet-analyzer}")
site=$root/target/site
rm -rf "$site"
mkdir -p "$site"
cp -r "$here/book.toml" "$here/src" "$site"
python3 "$here/reference.py" "$binary" "$site/src"
if command -v mdbook >/dev/null; then
  mdbook build "$site"
else
  echo "mdBook is not here: the chapters are in $site/src"
fi
