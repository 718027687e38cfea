/** Corrections (form 31): FFD 1.05 has sums by rate, later formats have positions (54-fz 18). Pure. */
import { type Kopecks, kopecks, vatInside } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import { type VatCode, vatRates } from "@fiscald/shared/receipt/vat.js";
import { ByteWriter } from "../codec/byte-cursor.js";
import { byteTag, encodeTlv, stringTag } from "../codec/tlv.js";
import type { CompileContext, Identity } from "../fiscal-driver.js";
import { requireTaxRow } from "./receipt-tags.js";
import { unsupported } from "./requisites.js";

const FFD_105 = "1.05";
const MAX_ORDER = 32;

export function isOfSums({ correction }: SaleReceipt, { ffd }: Pick<Identity, "ffd">): boolean {
  return correction !== undefined && ffd === FFD_105;
}

/**
 * Fault `receipt.unsupported` for a correction that the register's format does not have. In FFD 1.05 a correction is
 * only for a sale that was made without the register; ordinary receipts put a wrong receipt right.
 */
export function requireCorrection(receipt: SaleReceipt, { ffd }: Pick<Identity, "ffd">): void {
  if (receipt.correction === undefined) return;
  if (ffd === null) unsupported(unfitTexts.correctionFormatUnknown);
  if (ffd !== FFD_105) return;
  if (receipt.operation === "return" || receipt.requisites?.additional !== undefined) {
    unsupported(unfitTexts.correction105);
  }
}

/** The tax inside the positions of each rate, rounded once; at 0 % and without VAT the sum itself. */
export function sumsByRate(
  receipt: SaleReceipt,
  context: Pick<CompileContext, "tables" | "defaultTax">,
): ReadonlyMap<VatCode, Kopecks> {
  const turnover = new Map<VatCode, number>();
  for (const [index, item] of itemsOf(receipt).entries()) {
    const { vat, title } = requireTaxRow(item, context, `items[${index}]`);
    if (vat === null) throw new Fault("device.tax-unknown", { message: unfitTexts.rateUnknown(item.name, title) });
    turnover.set(vat, (turnover.get(vat) ?? 0) + item.total);
  }
  return new Map(
    [...turnover].map(([vat, sum]) => {
      const percent = vatRates[vat].percent ?? 0;
      return [vat, percent === 0 ? kopecks(sum) : vatInside(kopecks(sum), percent)];
    }),
  );
}

export function warnOfSums(receipt: SaleReceipt): readonly string[] {
  const lost = itemsOf(receipt).filter(({ agent, markingCode }) => agent !== null || markingCode !== null);
  if (lost.length === 0) return [];
  const names = lost.map(({ name }) => `"${name}"`).join(", ");
  return [`a correction of FFD 1.05 has sums alone: the agents and marking codes of ${names} are not in it`];
}

/** Tags 1178 (day of the settlement, midnight without a zone) and 1179 (number of the tax office's order). */
export function correctionBasisTags({ correction }: SaleReceipt): readonly (readonly [tag: number, tlv: Uint8Array])[] {
  if (correction === undefined) return [];
  const seconds = new ByteWriter().u32(Date.parse(`${correction.date}T00:00:00Z`) / 1000).done();
  const day = [1178, encodeTlv(1178, seconds)] as const;
  if (correction.type === "self") return [day];
  return [day, [1179, stringTag(1179, correction.number, MAX_ORDER, "correction.number")]];
}

/** Tag 1173 (why the correction is made). */
export function typeTag({ correction }: SaleReceipt): readonly (readonly [tag: number, tlv: Uint8Array])[] {
  return correction === undefined ? [] : [[1173, byteTag(1173, correctionTypes[correction.type])]];
}

/** Tag 1173 (why the correction is made). */
export const correctionTypes = { self: 0, instruction: 1 } as const;
