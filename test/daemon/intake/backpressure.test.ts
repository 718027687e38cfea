import { hasRoom } from "@fiscald/daemon/intake/backpressure.js";
import type { RegisterPhase } from "@fiscald/daemon/registers/register-machine.js";
import { toRegisterId } from "@fiscald/shared/ids.js";
import { benchSettings } from "../../support/register-bench.js";

const own = toRegisterId("till-1");
const till = (id: string, phase: RegisterPhase, group: string | null, pausedSince: number | null = null) => ({
  ...{ phase, pausedSince },
  settings: benchSettings({ id: toRegisterId(id), group }),
});

test.each<[string, number, RegisterPhase, string | null, boolean]>([
  ["with nineteen jobs waiting", 19, "offline", null, true],
  ["not with twenty", 20, "offline", null, false],
  ["with twenty, while another register of its group is free", 20, "ready", "hall", true],
  ["not while that one is busy itself", 20, "busy", "hall", false],
  ["not while that one cannot be asked", 20, "offline", "hall", false],
  ["not because of a free register of another group", 20, "ready", "yard", false],
  ["not because of a free register of no group", 20, "ready", null, false],
])("a site is asked for a register %s", (_, waiting, phase, group, expected) => {
  expect(hasRoom(own, waiting, [till("till-1", "offline", "hall"), till("till-2", phase, group)])).toBe(expected);
});

test("a register of no group shares no room with another one of no group", () => {
  expect(hasRoom(own, 20, [till("till-1", "ready", null), till("till-2", "ready", null)])).toBe(false);
});

test("a site is asked for a paused register only while another one of its group is ready and not paused", () => {
  const paused = till("till-1", "ready", "hall", 5);
  expect(hasRoom(own, 0, [paused])).toBe(false);
  expect(hasRoom(own, 0, [paused, till("till-2", "ready", "hall")])).toBe(true);
  expect(hasRoom(own, 0, [paused, till("till-2", "offline", "hall")])).toBe(false);
  expect(hasRoom(own, 0, [paused, till("till-2", "ready", "hall", 6)])).toBe(false);
});
