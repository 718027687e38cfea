/** One question that a register refuses, or answers wrongly once, is no change of its registration or settings. */
import { closeTills, openTill, type EmulatedTill as Till } from "../../../support/emulated-till.js";
import { waitFor } from "../../../support/wait-for.js";

const DRIVE_FAILURE = 4;
const OSN = 1;
afterEach(closeTills);

/** Reads the state until the identity has been read once more. */
async function readIdentityAgain({ bench, driver }: Till): Promise<void> {
  const read = driver.readIdentity?.bind(driver);
  let readings = 0;
  driver.readIdentity = async (signal) => {
    const identity = await read?.(signal);
    readings += 1;
    if (identity === undefined) throw new Error("this driver has no identity to read again");
    return identity;
  };
  await waitFor("the identity is read again", async () => {
    await bench.clock.advance(10_000);
    await bench.settled();
    return readings > 0;
  });
  // A connection that was closed would be made again in this time.
  for (let more = 0; more < 3; more += 1) {
    await bench.clock.advance(10_000);
    await bench.settled();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function refuse({ emulator }: Till, command: string): void {
  emulator.faults.add({ effect: "error", code: DRIVE_FAILURE, when: { command } });
}

/** The first reading from now on has other tax systems. */
function misread({ driver }: Till): void {
  const read = driver.readIdentity?.bind(driver);
  let isFirst = true;
  driver.readIdentity = async (signal) => {
    const identity = await read?.(signal);
    if (identity === undefined) throw new Error("this driver has no identity to read again");
    const taxSystems = isFirst ? 2 : identity.taxSystems;
    isFirst = false;
    return { ...identity, taxSystems };
  };
}

test.each<[string, (till: Till) => void]>([
  ["the registration is refused once", (till) => refuse(till, "last-registration")],
  ["a register's setting is refused once", (till) => refuse(till, "read-table")],
  ["the registration is misread once", misread],
])("a register stays connected when %s at the tenth state read", async (_what, disturb) => {
  const till = await openTill("shtrih", { fields: { "table.17.1.71": "01" } });
  await till.bench.start();
  disturb(till);
  await readIdentityAgain(till);
  expect(till.bench.told.connections).toEqual([expect.stringContaining(" connected")]);
  expect(till.bench.log.join("\n")).not.toContain("have changed");
  expect(till.bench.fleet.snapshots()[0]).toMatchObject({
    identity: { taxSystems: OSN },
    receiptSettings: expect.arrayContaining([expect.objectContaining({ value: "1" })]),
  });
});

test("tax systems that could not be read at the connect are known from the tenth state read on, without a new connection", async () => {
  const till = await openTill("shtrih");
  refuse(till, "last-registration");
  await till.bench.start();
  const known = () => till.bench.fleet.snapshots()[0]?.identity?.taxSystems;
  expect(known()).toBe(0);
  await readIdentityAgain(till);
  await till.bench.settled();
  expect(known()).toBe(OSN);
  expect(till.bench.told.connections).toEqual([expect.stringContaining(" connected")]);
  expect(till.bench.log.join("\n")).not.toContain("have changed");
});
