import { listen, tillsOf, useBenches } from "../../../support/benches.js";
import { createScriptedDevice, createTill, receiptsOn, type ScriptedDevice } from "../../../support/scripted-driver.js";

const { open, openTill } = useBenches();

const namesOn = (device: ScriptedDevice) => receiptsOn(device).map(({ items }) => items[0]?.name);

test("a register whose print does not finish is shown as printing and only read, and prints again afterwards", async () => {
  const { device, bench: opened } = openTill();
  opened.startQueue();
  await opened.settled();
  device.print = "printing";
  const calls = listen(device);
  opened.queue("A");
  // The print is seen long before the warning, so that the warning can count the time.
  await opened.clock.advance(8_000);
  expect(opened.fleet.snapshots()).toMatchObject([{ state: { print: "printing" } }]);
  await opened.clock.advance(592_000);
  // The daemon sends nothing that prints, cancels or continues.
  expect(new Set(calls)).toEqual(new Set(["read-state"]));
  expect(opened.job(1).state).toBe("queued");
  expect(opened.told.connections).toEqual(["till-1 connected"]);
  device.print = "idle";
  await opened.runQueue();
  expect(namesOn(device)).toEqual(["A"]);
});

test("a halted print is continued as soon as the register asks for it, and the orders are printed once", async () => {
  const { device, bench: opened } = openTill();
  opened.startQueue();
  await opened.settled();
  device.print = "printing";
  opened.queue("A");
  await opened.clock.advance(150_000);
  device.print = "unfinished";
  const calls = listen(device);
  await opened.runQueue();
  expect(calls.filter((name) => name === "finish-print")).toHaveLength(1);
  expect(namesOn(device)).toEqual(["A"]);
});

test("orders of a register whose print does not finish move to another register of the group", async () => {
  const [one, two] = [createScriptedDevice(), createTill(2)];
  const opened = open({ registers: tillsOf([one, two], { group: "hall" }) });
  opened.startQueue();
  await opened.settled();
  one.print = "printing";
  opened.queue("A");
  await opened.clock.advance(120_000);
  expect([namesOn(one), namesOn(two)]).toEqual([[], ["A"]]);
});
