#!/usr/bin/env bash
# Uses the HTML report of `diff` in Chromium, with a comparison of 10,000 generated nodes.
#
#   tests/fleet/report.sh [REPORT]
#
# REPORT is a page written by `diff --format html`; only pictures of it are taken. playwright-core comes from npm and Chromium from Debian; pages
# and screenshots are written to target/fleet/report.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
wanted=()
command -v "${CHROMIUM:-chromium}" >/dev/null || wanted+=(chromium)
command -v npm >/dev/null || wanted+=(nodejs npm)
if [ ${#wanted[@]} -gt 0 ]; then
  if [ "$(id -u)" -eq 0 ]; then as_root=(env); else as_root=(sudo); fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${wanted[@]}"
fi

home=$root/target/fleet/report
mkdir -p "$home"
# The same version as in the sessions of VS Code.
version=$(node -p 'require(process.argv[1]).dependencies["playwright-core"]' "$root/tests/editors/vscode/package.json")
if [ ! -d "$home/node_modules/playwright-core" ]; then
  (cd "$home" && echo '{}' >package.json && npm install --ignore-scripts --no-audit --no-fund --loglevel=error "playwright-core@$version")
fi
[ $# -gt 0 ] && page=("$(realpath "$1")") || page=()
cp "$here/report.mjs" "$home/"
cd "$home"
timeout 900 node report.mjs "$root/server/fleet/src/page" "$home" "${page[@]}"
