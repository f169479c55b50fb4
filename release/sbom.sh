#!/usr/bin/env bash
# Writes the crates of a platform's binary with versions, licenses, and checksums, in CycloneDX's JSON format.
#
#   release/sbom.sh TARGET OUTPUT
#
# Installs cargo-cyclonedx into target/tools. The same source gives the same bytes in any folder.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
if [ $# -ne 2 ]; then
  echo 'usage: release/sbom.sh TARGET OUTPUT' >&2
  exit 2
fi
output=$(realpath -m "$2")
cd "$root"
cargo install --quiet --debug --locked --root target/tools --version 0.5.9 cargo-cyclonedx
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# It writes a file next to the manifest of each crate, so it runs on a copy of the files that cargo needs.
find . \( -name target -o -name node_modules -o -name .git \) -prune -o -type f \( -name Cargo.toml -o -name Cargo.lock -o -name '*.rs' \) -print0 |
  tar -c --null -T - | tar -x -C "$work"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-0} "$root/target/tools/bin/cargo-cyclonedx" cyclonedx --quiet --manifest-path "$work/server/Cargo.toml" \
  --format json --spec-version 1.5 --target "$1" --override-filename sbom
cmp "$root/Cargo.lock" "$work/Cargo.lock"
mkdir -p "$(dirname "$output")"
sed "s,$work,/puppet-analyzer,g" "$work/server/sbom.json" >"$output"
