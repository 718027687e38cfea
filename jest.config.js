import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `npm run test:all` runs them (jest.added.config.js). */
const MINUTES_LONG = [
  "campaign/(cuts|service|random|self-test)",
  "crash/.*",
  "e2e/(?!first-start|order-to-result).*",
  "handlers/nodes/.*",
  "handlers/delivery/(nodes|account/nodes-money|endpoints/fuzz)",
  "daemon/why-not-printed",
  "daemon/registers/recovery/(pirit-facts|bad-service-answers)",
  "drivers/(atol/earlier-answers|discover/(discover|foreign-makers))",
  "handlers/delivery/model/.*",
  // Whole programs, each started some times.
  "daemon/(cli/(init/init|terminal/broken-pipe)|console/page/(page|page-in-trouble|setup|setup-change))",
  "docs/(guides|first-receipts|handlers-reference|own-store|packed-packages|protocol-page)",
  "drivers/emulators/emulator-process",
  "handlers/cli/(serve|check-site)",
  "site-check/check-site",
  "support/tool-options",
];
export const ADDED = `/test/dist/(${MINUTES_LONG.join("|")})\\.test\\.js$`;

// A database's syncs cost nothing in memory: temporary folders go there where a gigabyte is free. jest's own cache stays.
const cacheDirectory = join(tmpdir(), "fiscald-jest");
const memory = "/dev/shm";
if (existsSync(memory)) {
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize > 1e9) process.env.TMPDIR = memory;
}

/** Tests run on the built files: `tsc -b` first, then jest without any transform. */
export default {
  rootDir: ".",
  cacheDirectory,
  roots: ["<rootDir>/test/dist"],
  testMatch: ["**/*.test.js"],
  testPathIgnorePatterns: ["/node_modules/", "/test/dist/packages/", ADDED],
  testEnvironment: "node",
  transform: {},
  // A hung test ends here; a slow machine must not.
  testTimeout: 300_000,
  // Half of the tests wait for child processes: every core gets a worker.
  maxWorkers: "100%",
  // Modules of finished test files stay in a worker's memory: with gigabytes of them its exit takes longer than jest waits.
  workerIdleMemoryLimit: "256MB",
  testSequencer: "<rootDir>/jest.sequencer.js",
  // The repository's workspaces are symbolic links below node_modules.
  modulePathIgnorePatterns: ["<rootDir>/(shared|drivers|daemon|handlers)/package.json"],
};
