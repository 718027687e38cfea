import { existsSync, statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

// A database's syncs cost nothing in memory: temporary folders go there where a gigabyte is free. jest's own cache stays.
const cacheDirectory = join(tmpdir(), "fiscald-jest");
const memory = "/dev/shm";
if (existsSync(memory)) {
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize > 1e9) process.env.TMPDIR = memory;
}

/** Tests run on the built files: `node scripts/build.js` first, then jest without any transform. */
const shared = {
  rootDir: import.meta.dirname,
  cacheDirectory,
  roots: ["<rootDir>/test/dist"],
  testEnvironment: "node",
  transform: {},
  // The repository's workspaces are symbolic links below node_modules.
  modulePathIgnorePatterns: ["<rootDir>/(shared|drivers|daemon|handlers)/package.json"],
};

export default {
  // A hung test ends here; a slow machine must not. jest reads it here alone, and in no project.
  testTimeout: 300_000,
  // The fast ones wait for child processes half of their time: every core gets a worker. The others wait for longer.
  maxWorkers: Math.ceil(availableParallelism() * (process.argv.includes("fast") ? 1 : 1.5)),
  // Modules of finished test files stay in a worker's memory: with gigabytes of them its exit takes longer than jest waits.
  workerIdleMemoryLimit: "256MB",
  testSequencer: "<rootDir>/jest.sequencer.js",
  /** A suite's name says where it runs; `tier` is read by test/support/tier.ts. */
  projects: [
    // `npm test`.
    { ...shared, displayName: "fast", testRegex: "(?<!\\.(slow|package))\\.test\\.js$", globals: { tier: "fast" } },
    // What `npm run test:all` adds: *.slow is minutes long; *.both runs here on PostgreSQL, or what it left out above.
    { ...shared, displayName: "added", testRegex: "\\.(slow|both)\\.test\\.js$", globals: { tier: "added" } },
    // `npm run test:package` installs what `npm run package` made, on this machine: as root, on Debian.
    { ...shared, displayName: "package", testRegex: "\\.package\\.test\\.js$" },
  ],
};
