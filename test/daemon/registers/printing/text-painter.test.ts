import { painterFor } from "@fiscald/daemon/registers/printing/compile-job.js";
import type { Capabilities } from "@fiscald/drivers/fiscal-driver.js";
import { referenceCapabilities } from "@fiscald/drivers/reference/driver.js";
import { plainStyle, type TextLine, type TextStyle } from "@fiscald/shared/receipt/receipt.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
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
  ["a look", { italic: true }, true],
  ["a turn", { rotation: 2 }, true],
  ["another font", { font: 1 }, true],
  ["nothing but alignment and spacing", { alignment: "right", maxLineSpacing: true, wrap: false }, false],
])("the text painter is loaded only where it is needed, for a text with %s (%p): %p", async (_title, look, loaded) => {
  expect((await ask(look)).loaded).toBe(loaded);
});

test("the painter is not loaded for a register that draws no texts", async () => {
  expect((await ask({ italic: true }, referenceCapabilities)).loaded).toBe(false);
});

test("a painter that cannot be loaded gives a warning, not a fault", async () => {
  const result = await ask({ italic: true }, drawing, () => Promise.reject(new Error("no font")));
  expect(result.loaded).toBe(false);
  expect(result.warnings.join()).toContain("texts are printed plain");
});
