import { type PresentFacts, whyNotPrinted } from "@fiscald/daemon/console/why/why-not-printed.js";
import { makeJob } from "../../support/make-job.js";
import { makeSnapshot } from "../../support/make-snapshot.js";

const paused = { ...makeSnapshot({}), pausedSince: 5 };
const facts: PresentFacts = {
  isRunning: true,
  storeFault: null,
  registers: [paused],
  sites: [],
  closing: new Set(),
  queue: [],
  doubtReason: () => null,
};

test.each([
  ["site", "register-paused"],
  ["operator", "waits-for-turn"],
  ["schedule", "waits-for-turn"],
] as const)("a job of source %s that waits for a paused register: %s", (source, kind) => {
  const job = makeJob({ source, register: paused.settings.id, state: "queued" });
  expect(whyNotPrinted({ kind: "job", job }, facts)).toMatchObject([{ kind }]);
});
