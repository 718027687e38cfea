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

const makeOf = (id: string, group: string) => {
  const snapshot = makeSnapshot({}, { id });
  return { ...snapshot, settings: { ...snapshot.settings, group } };
};
const offline = { phase: "offline", fault: new Fault("link.timeout", { message: "" }) } as const;

test("a receipt that its register cannot print names the register of its group that it waits for, and what that lacks", () => {
  const registers = [makeOf("till-1", "hall"), makeOf("till-2", "hall"), { ...makeOf("till-3", "hall"), ...offline }];
  const fault = { code: "device.tax-unknown", message: "there is no tax row 77" } as const;
  const job = makeJob({ source: "site", register: toRegisterId("till-1"), state: "queued", fault });
  const [cause] = whyJob(job, { ...facts, registers: [...registers, { ...makeOf("till-4", "yard"), ...offline }] });
  expect(cause).toMatchObject({
    text: { ru: expect.stringMatching(/^Касса till-1 не может .*ставки\. Он ждёт кассу till-3 той же группы\. \S/) },
    next: { ru: expect.not.stringMatching(/sync|повторится/) },
  });
});

test.each([
  [
    "a register of its group that was not read since the start is named: the order may be printed there",
    "hall",
    0,
    "waits-for-reading",
  ],
  ["behind another order it waits for its turn", "hall", 1, "waits-for-turn"],
  ["a register that shares neither its group nor its sites is not waited for", "yard", 0, "waits-for-turn"],
])("the first order of a register that is ready: %s", (_, group, ahead, kind) => {
  const register = toRegisterId("till-1");
  const other = makeOf("till-2", group);
  const unread = { ...other, ...offline, recovered: false, settings: { ...other.settings, sites: [] } };
  const job = makeJob({ id: 2, source: "site", register, state: "queued" });
  const queue =
    ahead === 0
      ? [{ id: 2, register }]
      : [
          { id: 1, register },
          { id: 2, register },
        ];
  const [cause] = whyJob(job, { ...facts, registers: [makeOf("till-1", "hall"), unread], queue });
  expect(cause).toMatchObject({ kind });
  if (kind === "waits-for-reading")
    expect(cause?.text.ru).toMatch(/^Касса till-1 ждёт ответа кассы till-2: .* Касса не ответила вовремя\.$/);
});
