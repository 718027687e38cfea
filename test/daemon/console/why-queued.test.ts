import { whyJob } from "@fiscald/daemon/console/why/present-facts.js";
import { type PresentFacts, whyNotPrinted } from "@fiscald/daemon/console/why/why-not-printed.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toRegisterId } from "@fiscald/shared/ids.js";
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

test("a receipt that its register cannot print names the register of its group that it waits for, and what that lacks", () => {
  const makeOf = (id: string, group: string) => {
    const snapshot = makeSnapshot({}, { id });
    return { ...snapshot, settings: { ...snapshot.settings, group } };
  };
  const offline = { phase: "offline", fault: new Fault("link.timeout", { message: "" }) } as const;
  const registers = [makeOf("till-1", "hall"), makeOf("till-2", "hall"), { ...makeOf("till-3", "hall"), ...offline }];
  const fault = { code: "device.tax-unknown", message: "there is no tax row 77" } as const;
  const job = makeJob({ source: "site", register: toRegisterId("till-1"), state: "queued", fault });
  const [cause] = whyJob(job, { ...facts, registers: [...registers, { ...makeOf("till-4", "yard"), ...offline }] });
  expect(cause).toMatchObject({
    text: { ru: expect.stringMatching(/^Касса till-1 не может .*ставки\. Он ждёт кассу till-3 той же группы\. \S/) },
    next: { ru: expect.not.stringMatching(/sync|повторится/) },
  });
});
