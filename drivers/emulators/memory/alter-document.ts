import { type Kopecks, kopecks, vatInside } from "@fiscald/shared/amounts.js";
import { isVatCode, vatRates } from "@fiscald/shared/receipt/vat.js";
import { z } from "zod";
import { operations, type StoredDocument, type StoredLine, type StoredPayment } from "./documents.js";
import type { FiscalTag } from "./fiscal-tag.js";

const tag = z.int().min(1000).max(9999);

export const alterationSchema = z.strictObject({
  /** A value that is replaced wherever it occurs: in tags 1199 (rate), 1214 (method), 1055 (tax system) and others. */
  change: z.array(z.strictObject({ tag, from: z.int(), to: z.int() })).optional(),
  /** Codes of tag 1199 (rate) by the department of the line, instead of the sent codes. */
  departmentRates: z.record(z.string(), z.int().min(1).max(12)).optional(),
  nameLength: z.int().min(1).optional(),
  drop: z.array(tag).optional(),
  /** `total`: total and first payment lose their kopecks. `lines`: the last line gives a kopeck to the first. */
  rounding: z.enum(["total", "lines"]).optional(),
});
export type Alteration = z.infer<typeof alterationSchema>;

const ROUBLE = 100;
/** Tags of the payment sums, by typeClose 0 to 4. */
const paymentTags = [1031, 1081, 1215, 1216, 1217];

export function alterDocument(document: StoredDocument, alteration: Alteration): StoredDocument {
  if (document.type !== "receipt" && document.type !== "correction") return document;
  const { drop = [] } = alteration;
  const changed = (tagOf: number, value: number) =>
    alteration.change?.find(({ tag: other, from }) => other === tagOf && from === value)?.to ?? value;
  const lines = document.lines.map((line) => alterLine(line, alteration, changed));
  const operation = document.operation === null ? 0 : operations.indexOf(document.operation) + 1;
  return {
    ...document,
    ...rounded(document, alteration),
    operation: operations[changed(1054, operation) - 1] ?? document.operation,
    taxSystem: document.taxSystem === null || drop.includes(1055) ? null : changed(1055, document.taxSystem),
    lines: alteration.rounding === "lines" ? movedKopeck(lines) : lines,
    tags: document.tags.filter((other) => !drop.includes(other.tag)).map((other) => alterTag(other, changed)),
  };
}

type Changed = (tag: number, value: number) => number;

function alterLine(line: StoredLine, alteration: Alteration, changed: Changed): StoredLine {
  const { nameLength, departmentRates, drop = [] } = alteration;
  const vat = departmentRates?.[line.department] ?? changed(1199, line.vat);
  const percent = isVatCode(vat) ? vatRates[vat].percent : null;
  return {
    ...line,
    name: nameLength === undefined ? line.name : line.name.slice(0, nameLength),
    vat,
    vatSum: vat === line.vat ? line.vatSum : percent === null ? kopecks(0) : vatInside(line.sum, percent),
    subject: changed(1212, line.subject),
    method: changed(1214, line.method),
    tags: line.tags.filter((other) => !drop.includes(other.tag)).map((other) => alterTag(other, changed)),
    mark: drop.includes(1163) ? null : line.mark,
  };
}

function alterTag(other: FiscalTag, changed: Changed): FiscalTag {
  return "number" in other ? { tag: other.tag, number: changed(other.tag, other.number) } : other;
}

/** Where `change` names a kind of payment, its sums go to the other kind. */
function rounded(
  { total, payments }: StoredDocument,
  { rounding, change = [] }: Alteration,
): Pick<StoredDocument, "total" | "payments"> {
  const kinds = payments.map((payment): StoredPayment => {
    const to = change.find(({ tag: from }) => from === paymentTags[payment.typeClose])?.to;
    const typeClose = to === undefined ? -1 : paymentTags.indexOf(to);
    return typeClose < 0 ? payment : { ...payment, typeClose };
  });
  if (rounding !== "total" || total === null) return { total, payments: kinds };
  const off = total % ROUBLE;
  return {
    total: kopecks(total - off),
    payments: kinds.map((payment, index) => (index === 0 ? { ...payment, sum: less(payment.sum, off) } : payment)),
  };
}

function movedKopeck(lines: readonly StoredLine[]): readonly StoredLine[] {
  if (lines.length < 2) return lines;
  return lines.map((line, index) => {
    if (index === 0) return { ...line, sum: less(line.sum, -1) };
    return index === lines.length - 1 ? { ...line, sum: less(line.sum, 1) } : line;
  });
}

function less(sum: Kopecks, kopecksLess: number): Kopecks {
  return kopecks(sum - kopecksLess);
}
