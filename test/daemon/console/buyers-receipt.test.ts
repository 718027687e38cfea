import { receiptLinkPresets } from "@fiscald/daemon/config/receipt-link-presets.js";
import { codeForBuyer, linkForBuyer } from "@fiscald/daemon/console/buyers-receipt.js";
import type { Job } from "@fiscald/daemon/store/job.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial, toRegisterId } from "@fiscald/shared/ids.js";
import { barcodeShape } from "@fiscald/shared/paper/barcode-shape.js";
import { makeDocument, makeJob } from "../../support/make-job.js";
import { makeSnapshot } from "../../support/make-snapshot.js";

const document = makeDocument({ fn: toFnSerial("9999078900000001"), fd: 42, fiscalSign: "1234567890" });
const job: Job = { ...makeJob(), register: toRegisterId("till"), state: "printed", total: kopecks(125_050), document };
const numbers = "t=20261120T1405&s=1250.50&fn=9999078900000001&i=42&fp=1234567890&n=1";

function till(receiptLink: string | null, kkm: string | null = "0000000000000001") {
  const snapshot = makeSnapshot({}, { kkm });
  return [{ ...snapshot, settings: { ...snapshot.settings, receiptLink } }];
}

/** The white border is left out. */
const modulesOf = (data: string) =>
  barcodeShape({ symbology: "qr", data })?.bars.map(({ x, y }) => `${x + 4} ${y + 4}`);
const modulesIn = (svg: string | null) => [...(svg ?? "").matchAll(/M(\d+ \d+)h1v1/g)].map(([, place]) => place);

test("a receipt of a register with an OFD in its settings has the link and a QR code of the link", () => {
  const registers = till(receiptLinkPresets["1-ofd"]);
  expect(linkForBuyer(job, registers)).toBe(`https://consumer.1-ofd.ru/v1?${numbers}`);
  expect(modulesIn(codeForBuyer(job, registers))).toEqual(modulesOf(`https://consumer.1-ofd.ru/v1?${numbers}`));
});

test.each([
  ["without an OFD in its settings", till(null)],
  ["that was never connected", till(receiptLinkPresets["1-ofd"], null)],
  ["that is no longer in the settings", []],
] as const)("a receipt of a register %s has no link, and its QR code holds the receipt's numbers", (_, registers) => {
  expect(linkForBuyer(job, registers)).toBeNull();
  expect(modulesIn(codeForBuyer(job, registers))).toEqual(modulesOf(numbers));
});

test("an order without a document has neither a link nor a QR code", () => {
  const waiting: Job = { ...job, document: null };
  const registers = till(receiptLinkPresets["1-ofd"]);
  expect([linkForBuyer(waiting, registers), codeForBuyer(waiting, registers)]).toEqual([null, null]);
});
