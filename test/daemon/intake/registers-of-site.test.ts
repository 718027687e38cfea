/** What a site's intake learns of its registers while they are away, connected, and used by other programs. */
import { registersOfSite } from "@fiscald/daemon/intake/registers-of-site.js";
import { toSiteId } from "@fiscald/shared/ids.js";
import { TILL, useBenches } from "../../support/benches.js";
import type { Bench } from "../../support/register-bench.js";

const { openTill } = useBenches();
const MINUTE = 60_000;

function registersOf(bench: Bench, site = "shop") {
  return registersOfSite(toSiteId(site), { ...bench, events: { taxListsOf: () => [] } });
}

test("an unknown number may be that of a register that was never connected, and is found when the register is connected", async () => {
  const { bench, device } = openTill({ unplugged: true });
  await bench.start();
  const known = (site?: string) => {
    const registers = registersOf(bench, site);
    return [registers.findRegister(device.identity.kkm), registers.unseenRegister()];
  };
  expect([known(), known("cafe")]).toEqual([
    [null, TILL],
    [null, null],
  ]);
  device.unplugged = false;
  await bench.clock.advance(MINUTE);
  expect([known(), known("cafe")]).toEqual([
    [TILL, null],
    [null, null],
  ]);
});

test("a receipt belongs to the open shift until somebody closes the shift at the register", async () => {
  const { bench, device } = openTill();
  const job = await bench.sell("A-1");
  expect(registersOf(bench).isInOpenShift(job)).toBe(true);
  device.shift = { ...device.shift, state: "closed" };
  await bench.clock.advance(MINUTE);
  expect(registersOf(bench).isInOpenShift(job)).toBe(false);
});
