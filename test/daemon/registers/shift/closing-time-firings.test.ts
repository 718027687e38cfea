/** Firings of the real timer with a clock that runs 600 times as fast. */
import { join } from "node:path";
import { startChild } from "../../../support/child-process.js";
import { fakeTime, hasFakeTime, needsFakeTime } from "../../../support/fake-time.js";
import { root } from "../../../support/read-imports.js";

/**
 * How many minutes earlier the clock begins where the machine is too slow to have everything ready when it should be.
 */
const LEADS = [0, 60, 240, 960];
const READY_MINUTES = 10;
const child = join(root, "test/dist/daemon/registers/shift/closing-time-child.js");

/** `ZONE at TIME`, and when each fired: by a clock that starts there, or earlier, and runs 600 times as fast. */
async function firings(from: string, minutes: number, closings: readonly (readonly [string, string])[]) {
  const registers = closings.map(([timeZone, closeShiftAt]) => ({
    id: `${timeZone} at ${closeShiftAt}`,
    closeShiftAt,
    timeZone,
  }));
  const begins = Date.parse(`${from.replace(" ", "T")}Z`);
  const args = [child, JSON.stringify([registers, begins + minutes * 60_000])];
  for (const lead of LEADS) {
    const start = new Date(begins - lead * 60_000).toISOString().slice(0, 19).replace("T", " ");
    const process = startChild(args, { env: fakeTime(`@${start} x600`) });
    const [, ready = ""] = await process.line(/^ready (\S+)/);
    if (Date.parse(ready) > begins + READY_MINUTES * 60_000) {
      process.signal("SIGKILL");
      await process.ended;
      continue;
    }
    expect(await process.ended).toBe(0);
    return [...process.output().matchAll(/^closing (.+) fired (\S+)$/gm)].map(([, id = "", at = ""]) => ({ id, at }));
  }
  throw new Error("the machine is too slow for a clock that is 600 times as fast");
}

const withFakeTime = hasFakeTime ? describe : describe.skip;

withFakeTime(`the closing time comes, in real firings,${needsFakeTime}`, () => {
  // Each waits for a clock of its own, and costs nothing meanwhile.
  test.concurrent.each([
    [
      "by winter time",
      "2026-11-20 19:55:00",
      "2026-11-20T20:50:00Z",
      [
        ["Europe/Moscow", "23:50"],
        ["Asia/Kamchatka", "08:50"],
        ["Europe/Berlin", "21:50"],
        ["America/New_York", "15:50"],
      ],
    ],
    [
      "by summer time",
      "2026-07-20 19:55:00",
      "2026-07-20T20:50:00Z",
      [
        ["Europe/Moscow", "23:50"],
        ["Asia/Kamchatka", "08:50"],
        ["Europe/Berlin", "22:50"],
        ["America/New_York", "16:50"],
      ],
    ],
    // The hour from two to three comes twice: 02:30 is at 00:30 and at 01:30 UTC. It is taken once.
    ["in the night when clocks go back", "2026-10-25 00:10:00", "2026-10-25T01:30:00Z", [["Europe/Berlin", "02:30"]]],
  ] as const)("%s, once for each register", async (_, from, expected, closings) => {
    const minutes = (Date.parse(expected) - Date.parse(`${from.replace(" ", "T")}Z`)) / 60_000 + 20;
    const fired = await firings(from, minutes, closings);
    expect(fired.map(({ id }) => id).sort()).toEqual(closings.map(([zone, time]) => `${zone} at ${time}`).sort());
    // How much later is the machine's business: a second of a busy one is ten minutes there.
    for (const { at } of fired) expect(Date.parse(at)).toBeGreaterThanOrEqual(Date.parse(expected));
  });
});
