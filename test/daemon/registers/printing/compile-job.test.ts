import { shiftAtRest } from "@fiscald/daemon/registers/printing/compile-job.js";
import type { ShiftState } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";

const shift: ShiftState = { number: 3, state: "open" };
const atRest = { print: "idle", openReceipt: null, blockedBy: null, shift } as const;

test("a receipt is compiled early for a register that was at rest when it was read last, and for no other", () => {
  expect(shiftAtRest(atRest)).toBe("open");

  expect(shiftAtRest(null)).toBeNull();
  expect(shiftAtRest({ ...atRest, print: "printing" })).toBeNull();
  expect(shiftAtRest({ ...atRest, print: "unfinished" })).toBeNull();
  expect(shiftAtRest({ ...atRest, blockedBy: new Fault("device.paper-out") })).toBeNull();
});
