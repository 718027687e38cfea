import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTempFolder } from "../../../support/temp-folder.js";
import { answerLimits } from "../processes/answer-limits.js";
import { HURRY, HURRY_TOGETHER, hurriedClock } from "../processes/hurried-clock.js";
import { findMakers } from "../processes/makers.js";
import { useCampaign } from "../worlds/campaign-bench.js";
import { openCutWorld } from "../worlds/cut-world.js";
import { LATE_MS } from "./cut-cases.js";
import { judgeAgain, runPlainCase, warmUp } from "./run-world-case.js";
import { namesIn } from "./world-case.js";

const bench = useCampaign();
const folder = useTempFolder();

test("the campaign reports a second document that is registered after a case has passed", async () => {
  const [row] = findMakers("reference");
  if (row === undefined) throw new Error("no reference register");
  const world = await openCutWorld({ ...bench(), row, tills: 2 });
  try {
    await warmUp(world);
    const one = { name: "quiet", operation: "sale", faults: [], kills: false } as const;
    const placed = world.tills.map((till) => ({ till, one, number: 0 }));
    expect(await Promise.all(placed.map(runPlainCase))).toEqual([null, null]);
    const late = { operation: "sale", totalKopecks: 6_075, name: "c000000 строка 1" };
    await world.tills[1]?.emulator.post("/receipts", late);
    const judged = placed.map(async (one) => (await judgeAgain(one, await one.till.receipts())).failure);
    const [first, second] = await Promise.all(judged);
    expect(first).toBeNull();
    expect(second).toMatchObject({ name: "quiet", verdict: { doubled: ["c000000"] } });
    // The stored log of the failure is about its own till only.
    expect(second?.log).toContain("till-2");
    expect(second?.log).not.toMatch(/"till-1"/);
  } finally {
    await world.close();
  }
});

test.each([
  ["a register", false, ["status", "ordinary", "document", "slow", "quickMs", "documentMs"]],
  ["a print service", true, ["requestMs"]],
] as const)(
  "the fault of a late execution lasts longer than the driver of %s waits for any answer",
  (_, hasService, names) => {
    const limits = answerLimits(hasService);
    for (const name of names) expect(LATE_MS).toBeGreaterThan(((limits[name] ?? Number.NaN) * HURRY) / HURRY_TOGETHER);
  },
);

test("a case counts as done when the last line about it in the resume file says that it passed", () => {
  const file = join(folder(), "resume");
  writeFileSync(file, "a\nb\nc FAILED\nb FAILED\nc\n");
  const names = namesIn(file);
  expect(["a", "b", "c"].filter((name) => names.has(name))).toEqual(["a", "c"]);
});

test("a hurried clock whose speed changes never goes back and never jumps", () => {
  const clock = hurriedClock(20);
  const before = clock.monotonic();
  clock.hurry(2);
  const between = clock.monotonic();
  clock.hurry(20);
  const after = clock.monotonic();
  const A_SLOW_MACHINE_MS = 60_000;
  expect(between).toBeGreaterThanOrEqual(before);
  expect(after).toBeGreaterThanOrEqual(between);
  expect(after - before).toBeLessThan(A_SLOW_MACHINE_MS);
});
