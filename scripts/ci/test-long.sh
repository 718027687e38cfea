#!/usr/bin/env bash
# Before a release, by hand: hundreds of cases of the fault campaign, the money model, the whole site's side on PostgreSQL,
# and all tests on Node 24.
# PostgreSQL's parts need FISCALD_TEST_POSTGRES.
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-$(date +%Y%m%d)}
report=$(mktemp)

npm run fault-campaign -- --part cuts --cases 40 --seed "$seed"
npm run fault-campaign -- --part service --cases 40 --seed "$seed"
npm run fault-campaign -- --part random --cases 300 --seed "$seed"
npm run money-model -- --runs 600 --seed "$seed"
npm run two-nodes -- --receipts 10000 --seed "$seed"
node --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js --selectProjects added --config jest.config.js \
  --testRegex 'test/dist/(handlers|tools/(money-model|two-nodes))/.*\.test\.js$'
bash scripts/ci/on-node.sh 24 "fast added" "$report"
