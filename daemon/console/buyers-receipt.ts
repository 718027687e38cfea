/** What a buyer gets: the receipt as it is registered, its page at the OFD, and a code to scan. */
import { barcodeShape } from "@fiscald/shared/paper/barcode-shape.js";
import { qrText } from "@fiscald/shared/paper/layout-receipt.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { taxIdOfRate, vatCodes, vatRates } from "@fiscald/shared/receipt/vat.js";
import type { RegisterSnapshot } from "../registers/register-snapshot.js";
import { receiptLink } from "../sites/receipt-link.js";
import type { Job } from "../store/job.js";
import { differencesIn, type Journal } from "../store/journal.js";

/** White modules that a scanner needs around the code. */
const QUIET_ZONE = 4;

const RATE = 1199;

/** The receipt with the rates that its register put in place of those that were sent (exactly-once 14). */
export function asRegistered({ id, receipt, taxes }: Job, journal: Pick<Journal, "ofJob">): Receipt {
  const rates = differencesIn(journal.ofJob(id)).filter(({ tag }) => tag === RATE);
  if (receipt.kind !== "receipt" || rates.length === 0) return receipt;
  const registered = (tax: number | null): number | null => {
    const vat = taxes.find((meaning) => meaning.id === tax)?.vat ?? null;
    const read = vat === null ? undefined : rates.find(({ sent }) => sent === vatRates[vat].title)?.read;
    const code = vatCodes.find((one) => vatRates[one].title === read);
    return code === undefined ? tax : taxIdOfRate(code);
  };
  const lines = receipt.lines.map((line) => (line.type === "item" ? { ...line, tax: registered(line.tax) } : line));
  return { ...receipt, lines };
}

/** Null: the config names no OFD for the register, or nothing is registered. */
export function linkForBuyer(
  { document, operation, total, register: id }: Job,
  snapshots: readonly RegisterSnapshot[],
): string | null {
  const register = snapshots.find(({ settings }) => settings.id === id);
  const template = register?.settings.receiptLink ?? null;
  if (template === null || register?.identity == null) return null;
  if (document === null || operation === null || total === null) return null;
  return receiptLink(template, { names: register.identity, document, operation, total });
}

/** The link as a QR code in SVG; without a link, the numbers that the tax office's app reads. Null: no receipt. */
export function codeForBuyer(job: Job, snapshots: readonly RegisterSnapshot[]): string | null {
  const { document, operation, total } = job;
  if (document === null || operation === null || total === null) return null;
  const { time, fn, fd, fiscalSign: fp } = document;
  const data = linkForBuyer(job, snapshots) ?? qrText({ time, sum: total, fn, fd, fp, operation });
  const shape = barcodeShape({ symbology: "qr", data });
  if (shape === null) return null;
  const size = shape.width + 2 * QUIET_ZONE;
  const modules = shape.bars.map(({ x, y }) => `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${modules}"/></svg>`;
}
