#!/usr/bin/env bash
# Builds and runs the named tests: scripts/t.sh shared/amounts drivers/link
cd "$(dirname "$0")/.." || exit 1
npm run --silent build
exec node --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js "${@/#/test/dist/}"
