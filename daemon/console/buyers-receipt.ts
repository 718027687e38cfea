import { barcodeShape } from "@fiscald/shared/paper/barcode-shape.js";
import { qrText } from "@fiscald/shared/paper/layout-receipt.js";
import type { RegisterSnapshot } from "../registers/register-snapshot.js";
import { receiptLink } from "../sites/receipt-link.js";
import type { Job } from "../store/job.js";

/** White modules that a scanner needs around the code. */
const QUIET_ZONE = 4;

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

/** A QR code in SVG: the link, or without a link the numbers for the tax office's app; null: no receipt. */
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
