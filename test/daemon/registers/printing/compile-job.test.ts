import { painterFor, refuseClockJump } from "@fiscald/daemon/registers/printing/compile-job.js";
import type { Capabilities } from "@fiscald/drivers/fiscal-driver.js";
import { referenceCapabilities } from "@fiscald/drivers/reference/driver.js";
import { plainStyle, type TextLine, type TextStyle } from "@fiscald/shared/receipt/receipt.js";
import { makeItem, makeJob, makeReceipt, makeService } from "../../../support/make-job.js";
import { local } from "../../../support/make-snapshot.js";
import { createTestLogger } from "../../../support/test-logger.js";

const { paper } = referenceCapabilities;
const drawing: Capabilities = {
  ...referenceCapabilities,
  paper: paper === null ? null : { ...paper, drawsText: true },
};
const paint = () => ({ width: 8, height: 1, rows: Uint8Array.of(0) });

async function ask(look: Partial<TextStyle>, capabilities = drawing, load = async () => paint) {
  const warnings: string[] = [];
  const text: TextLine = { type: "text", content: { kind: "text", text: "а" }, style: { ...plainStyle, ...look } };
  const receipt = makeReceipt({ lines: [makeItem(), text] });
  const painter = await painterFor(
    receipt,
    capabilities,
    createTestLogger((line) => warnings.push(line)),
    load,
  );
  return { loaded: painter !== null, warnings };
}

test.each<[string, Partial<TextStyle>, boolean]>([
  ["a slant", { italic: true }, true],
  ["a rotation", { rotation: 2 }, true],
  ["another font", { font: 1 }, true],
  ["nothing but alignment and spacing", { alignment: "right", maxLineSpacing: true, wrap: false }, false],
])("a text with %s (%p) needs the painter of texts: %p", async (_title, look, loaded) => {
  expect((await ask(look)).loaded).toBe(loaded);
});

test("the painter of texts is not loaded for a register that draws no texts", async () => {
  expect((await ask({ italic: true }, referenceCapabilities)).loaded).toBe(false);
});

test("a painter of texts that cannot be loaded gives a warning, and texts are printed plain", async () => {
  const result = await ask({ italic: true }, drawing, () => Promise.reject(new Error("no font")));
  expect(result.loaded).toBe(false);
  expect(result.warnings.join()).toContain("texts are printed plain");
});

const syncTime = makeJob({ receipt: makeService([{ type: "sync-time" }]) });
const noon = local("2026-11-21T12:00:00");

test.each([
  ["2026-11-21T11:50:00", null],
  ["2026-11-21T12:10:00", null],
  ["2026-11-21T12:10:01", "device.clock-jump"],
  ["2026-11-20T12:00:00", "device.clock-jump"],
  ["2027-11-21T12:00:00", "device.clock-jump"],
])("an order to set a register's clock from noon to %s is allowed or gives the fault: %s", (ours, code) => {
  const act = () => refuseClockJump(syncTime, noon, local(ours));
  if (code === null) expect(act).not.toThrow();
  else expect(act).toThrow(expect.objectContaining({ code }));
});

test("a large jump of the clock is allowed for a person, for a receipt, and for a register that tells no time", () => {
  const far = local("2030-01-01T00:00:00");
  expect(() => refuseClockJump({ ...syncTime, forced: true }, noon, far)).not.toThrow();
  expect(() => refuseClockJump(makeJob(), noon, far)).not.toThrow();
  expect(() => refuseClockJump(syncTime, null, far)).not.toThrow();
});
