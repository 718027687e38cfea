/** exactly-once 9: a job that its register refuses forever fails after ten tries, or is tried ever more seldom. */

import { kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { type FaultCode, faultCodes, isFaultCode } from "@fiscald/shared/fault-codes.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { closeShift, useBenches } from "../../../support/benches.js";
import { makeReceipt } from "../../../support/make-job.js";
import { createScriptedDevice, type RunFault, type ScriptedDevice } from "../../../support/scripted-driver.js";

const { openOn, openTill } = useBenches();
const areas = ["link.", "device.", "register.", "receipt.", "order.", "job.", "config."];
const codes = Object.keys(faultCodes)
  .filter(isFaultCode)
  .filter((code) => areas.some((area) => code.startsWith(area)));
const QUARTER_MINUTES = 40;

/** Faults that block the register or are waited for, visibly, are never counted (exactly-once 9). */
function isNeverCounted(code: FaultCode): boolean {
  const waits: readonly FaultCode[] = ["device.printing", "device.print-unfinished", "device.marking-unavailable"];
  // The register is well and refuses only this job.
  const ofJob: readonly FaultCode[] = ["device.unknown-error", "device.not-enough-cash"];
  if (waits.includes(code)) return true;
  if (faultCodes[code].retry === "after-help") return !ofJob.includes(code);
  return faultCodes[code].retry === "repeat" && /^(link|register)\./.test(code);
}

/** These faults contradict our own sums: a byte was damaged on the wire, so the job is tried often. */
const ofTheWire: readonly string[] = [
  "device.subtotal-mismatch",
  "device.cashless-above-total",
  "device.payments-below-total",
];

/** Ten minutes of a register that does this forever. */
async function pester(device: ScriptedDevice, receipt: Receipt = makeReceipt()) {
  const bench = openOn(device);
  const { id } = bench.queue(receipt);
  for (let quarter = 0; quarter < QUARTER_MINUTES; quarter += 1) await bench.clock.advance(15_000);
  await bench.settled();
  const { state } = bench.job(id);
  return { bench, id, state, tries: bench.stores.attempts.ofJob(id).length, changes: bench.journal().length };
}

function refusing(fault: RunFault): ScriptedDevice {
  const device = createScriptedDevice();
  device.onCall = (name) => void (name === "run" && device.faults.splice(0, 1, fault));
  return device;
}

test.each(codes)(
  "a job at a register that refuses with %s forever fails, or waits with uncounted tries",
  async (code: FaultCode) => {
    const { state, tries, changes } = await pester(refusing({ kind: "refuse", fault: new Fault(code) }));
    expect([code, state]).toEqual([code, isNeverCounted(code) ? "queued" : "failed"]);
    if (ofTheWire.includes(code)) expect(tries).toBe(10);
    expect(tries).toBeLessThanOrEqual(state === "failed" ? 10 : 40);
    expect(changes).toBeLessThan(400);
  },
);

/** The register's refusal of the last step proves nothing: the receipt is queued again once it is not found. */
test.each(["device.payments-below-total", "device.shift-expired"] as const)(
  "a receipt that the register refuses to close with %s forever is tried ten times",
  async (code) => {
    const { bench, state, tries } = await pester(refusing({ kind: "before", fault: new Fault(code) }));
    expect([state, tries]).toEqual(["failed", 10]);
    expect(bench.journal().includes("shift closing queued")).toBe(code === "device.shift-expired");
  },
);

test("a scheduled closing of a shift that is refused with device.shift-expired forever never fails", async () => {
  const { device, bench } = openTill();
  await bench.sell(makeReceipt());
  const refusal: RunFault = { kind: "refuse", fault: new Fault("device.shift-expired") };
  device.onCall = (name) => void (name === "run" && device.faults.splice(0, 1, refusal));
  closeShift(bench);
  for (let minute = 0; minute < 15; minute += 1) await bench.clock.advance(60_000);
  expect(bench.job(2).state).toBe("queued");
});

test.each([
  ["loses each command before it is executed", refusing({ kind: "before" }), {}],
  ["leaves each receipt open", refusing({ kind: "open" }), {}],
  ["never finishes printing", createScriptedDevice({ print: "printing" }), {}],
  ["has another program's receipt open", createScriptedDevice(), { openReceipt: true }],
  ["has no paper", createScriptedDevice({ blockedBy: new Fault("device.paper-out") }), {}],
  ["is unplugged", createScriptedDevice({ unplugged: true }), {}],
])(
  "a job is tried less and less often at a register that %s forever",
  async (_, device, { openReceipt = false }: { readonly openReceipt?: boolean }) => {
    if (openReceipt) device.openReceipt = { operation: "sale", subtotal: kopecks(100) };
    const { state, tries, changes } = await pester(device);
    expect(["queued", "unsure"]).toContain(state);
    expect(tries).toBeLessThanOrEqual(40);
    expect(changes).toBeLessThan(400);
  },
);

test("a failed job that the operator retries gets ten tries again", async () => {
  const { bench, id, tries } = await pester(refusing({ kind: "refuse", fault: new Fault("device.shift-expired") }));
  bench.operator.retry(id, "the clock is right now");
  for (let quarter = 0; quarter < QUARTER_MINUTES; quarter += 1) await bench.clock.advance(15_000);
  expect(bench.stores.attempts.ofJob(id)).toHaveLength(2 * tries);
});
