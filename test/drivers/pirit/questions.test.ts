import { pirit } from "../contract/maker-subjects.js";
import { sale } from "../contract/receipts.js";
import { type ContractWorld, inWorld } from "../contract/world.js";
import { heard } from "./subject.js";

/** Receipt and printer, clock, shift and drive. */
const STATE = ["status", "printer-state", "clock", "drive-status", "drive-status"];
/** The drive's warnings, its life and free memory, the OFD queue, the shift's opening, the drawer. */
const GAUGES = ["drive-status", "device-info", "drive-status", "device-info"];
const DRAWER_AND_MEMORY = ["device-info", "shift-counters", "drive-status"];
const LAST_DOCUMENT = ["drive-status"];
const ALL = [...STATE, ...GAUGES, ...DRAWER_AND_MEMORY, ...LAST_DOCUMENT];

async function namesOf(world: ContractWorld, forReceipt: boolean): Promise<readonly string[]> {
  const names = heard(world);
  await world.live(world.driver.readState(world.signal, { forReceipt }));
  return names;
}

test("values that no receipt on a PIRIT depends on are read again only after a minute, a new shift or a new connection", () =>
  inWorld(pirit(), async (world) => {
    await world.connect();
    expect(await namesOf(world, true)).toEqual(ALL);
    await world.clock.advance(59_999);
    expect(await namesOf(world, true)).toEqual([...STATE, ...LAST_DOCUMENT]);
    expect(await namesOf(world, false)).toEqual(ALL);
    await world.openShift();
    expect(await namesOf(world, true)).toEqual(ALL);
    expect(await namesOf(world, true)).toEqual([...STATE, ...LAST_DOCUMENT]);
    await world.clock.advance(60_001);
    expect(await namesOf(world, true)).toEqual(ALL);
    await world.connect();
    expect(await namesOf(world, true)).toEqual(ALL);
  }));

test("a PIRIT's reading for a receipt has the shift's opening time, and a full reading also has the drawer's present sum", () =>
  inWorld(pirit(), async (world) => {
    await world.openShift();
    const { shiftOpenedAt } = await world.readState();
    expect(shiftOpenedAt).not.toBeNull();
    await world.print(sale());
    const forReceipt = await world.live(world.driver.readState(world.signal, { forReceipt: true }));
    expect(forReceipt.shiftOpenedAt).toBe(shiftOpenedAt);
    expect((await world.readState()).drawer?.cash).toBe(world.register.core.cash);
    expect(world.register.core.cash).toBeGreaterThan(0);
  }));
