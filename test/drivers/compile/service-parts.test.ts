import { serviceParts } from "@fiscald/drivers/compile/service-parts.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { plainStyle, type ServiceJob, type ServiceLine } from "@fiscald/shared/receipt/receipt.js";
import { makeReceipt } from "../../support/make-job.js";

const { kkm, orderId, receiptId, format, cancelFirst } = makeReceipt();
const job = (...lines: readonly ServiceLine[]): ServiceJob => ({
  kind: "service",
  kkm,
  orderId,
  receiptId,
  format,
  cancelFirst,
  lines,
});
const text = { type: "text", content: { kind: "text", text: "a" }, style: plainStyle } as const;
const z = { type: "report", report: "z" } as const;
const syncTime = { type: "sync-time" } as const;

test("texts between the actions of a service job stay together in one part", () => {
  expect(serviceParts(job(text, text, z, text), { shift: "open" }).map((part) => part.kind)).toEqual([
    "paper",
    "action",
    "paper",
  ]);
});

test("a service job sets the clock only while the shift is closed, and the job itself may have closed the shift", () => {
  expect(() => serviceParts(job(syncTime), { shift: "open" })).toThrow(
    expect.objectContaining({ code: "device.shift-open" }),
  );
  expect(serviceParts(job(syncTime), { shift: "closed" })).toHaveLength(1);
  expect(serviceParts(job(z, syncTime), { shift: "open" })).toHaveLength(2);
});

test("a report after another action is refused at once in a closed shift; a report alone is left to the register to decide", () => {
  const [x, cash] = [
    { type: "report", report: "x" } as const,
    { type: "cash", direction: "in", sum: kopecks(700) } as const,
  ];
  const closed = expect.objectContaining({ code: "device.shift-closed" });
  expect(() => serviceParts(job(cash, x), { shift: "closed" })).toThrow(closed);
  expect(() => serviceParts(job(z, x), { shift: "open" })).toThrow(closed);
  expect(serviceParts(job(cash, x), { shift: "open" })).toHaveLength(2);
  expect(serviceParts(job(x), { shift: "closed" })).toHaveLength(1);
});

test("the parts of a service job that are done are not checked again against the present shift", () => {
  expect(serviceParts(job(syncTime, text), { shift: "open", doneParts: 1 })).toHaveLength(2);
  const twice = job(syncTime, text, syncTime);
  expect(() => serviceParts(twice, { shift: "open", doneParts: 2 })).toThrow(
    expect.objectContaining({ code: "device.shift-open" }),
  );
  // The shift that the job closed was opened again.
  expect(() => serviceParts(job(z, syncTime), { shift: "open", doneParts: 1 })).toThrow(
    expect.objectContaining({ code: "device.shift-open" }),
  );
});
