import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial } from "@fiscald/shared/ids.js";
import { localTimeOf } from "@fiscald/shared/local-time.js";
import { qrText } from "@fiscald/shared/paper/qr-text.js";

const time = localTimeOf({ year: 2026, month: 11, day: 20, hour: 14, minute: 5, second: 59 });
if (time === null) throw new Error("no such time");
const facts = { time, sum: kopecks(125050), fn: toFnSerial("9999078900001234"), fd: 42, fp: "1234567890" } as const;

test("says the six facts of a sale in the fixed order, time to the minute", () => {
  expect(qrText({ ...facts, operation: "sale" })).toBe(
    "t=20261120T1405&s=1250.50&fn=9999078900001234&i=42&fp=1234567890&n=1",
  );
});

test("a return is of type 2", () => {
  expect(qrText({ ...facts, operation: "return" })).toMatch(/&n=2$/);
});

test("a sum below a rouble keeps its leading zero", () => {
  expect(qrText({ ...facts, sum: kopecks(5), operation: "sale" })).toContain("&s=0.05&");
});
