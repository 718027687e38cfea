import { userPropertyOf } from "@fiscald/drivers/compile/requisites.js";
import type { CompileContext } from "@fiscald/drivers/fiscal-driver.js";
import type { StoredDocument, StoredLine } from "@fiscald/emulators/memory/documents.js";
import { type FiscalTag, numberOf, textOf } from "@fiscald/emulators/memory/fiscal-tag.js";
import { kopecks, multiply } from "@fiscald/shared/amounts.js";
import { measureOf } from "@fiscald/shared/receipt/measure.js";
import { type ItemLine, itemsOf, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";

type Spell = (text: string) => string;

/** Every fiscal field of the document in the register's memory is the receipt's; names in the register's characters. */
export function expectDocument(
  document: StoredDocument,
  receipt: SaleReceipt,
  context: CompileContext,
  spell: Spell,
): void {
  expect(document).toMatchObject({ type: "receipt", operation: receipt.operation, total: totalOf(receipt) });
  expectItems(document.lines, itemsOf(receipt), context, spell);
  expect(paymentsOf(document)).toEqual(wantedPayments(receipt));
  const cashier = receipt.cashier ?? context.cashier;
  expect({
    contact: textOf(document.tags, 1008),
    internet: numberOf(document.tags, 1125) === 1,
    place: textOf(document.tags, 1187),
    cashier: textOf(document.tags, 1021),
    cashierInn: textOf(document.tags, 1203),
    taxSystem: document.taxSystem,
    mark: orderMark(document.tags),
  }).toEqual({
    contact: receipt.contact,
    internet: receipt.internet !== null,
    place: receipt.internet?.url ?? receipt.settlementPlace,
    cashier: cashier?.name ?? null,
    cashierInn: cashier?.inn ?? null,
    taxSystem: receipt.taxSystem ?? context.taxSystem ?? document.taxSystem,
    mark: userPropertyOf(receipt, context)?.value ?? null,
  });
}

/** A position may be split; its parts are exact, stand together and add up. */
function expectItems(
  lines: readonly StoredLine[],
  items: readonly ItemLine[],
  context: CompileContext,
  spell: Spell,
): void {
  let next = 0;
  for (const item of items) {
    const parts: StoredLine[] = [];
    let sum = 0;
    while (next < lines.length && (parts.length === 0 || sum < item.total)) {
      const line = lines[next];
      if (line === undefined) break;
      parts.push(line);
      sum += line.sum;
      next += 1;
    }
    expect(parts.map(({ price }) => price)).toEqual(parts.map(({ price }) => allowedPrice(price, item, parts.length)));
    for (const part of parts) {
      // A marked position is never split: if no price gives its sum exactly, the sum stays a kopeck off.
      const off = Math.abs(part.sum - multiply(part.price, part.quantity));
      expect({ ...facts(part, item), exact: off <= (item.markingCode === null ? 0 : 1) }).toEqual({
        ...wantedFacts(item, context, spell),
        exact: true,
      });
    }
    expect(sum).toBe(item.total);
    expect(parts.reduce((total, { quantity }) => total + quantity, 0)).toBe(item.quantity);
  }
  expect(lines.slice(next)).toEqual([]);
}

/**
 * The order's price stays wherever it makes the total. A discount is spread over the pieces: each costs the exact share
 * or the next whole kopeck, and a position of one piece costs its sum.
 */
function allowedPrice(price: number, { price: ordered, quantity, total }: ItemLine, parts: number): number {
  const rounded = (BigInt(ordered) * BigInt(quantity) * 2n + 1_000_000n) / 2_000_000n;
  if (rounded === BigInt(total)) {
    expect(parts).toBe(1);
    return ordered;
  }
  const floor = Number((BigInt(total) * 1_000_000n) / BigInt(quantity));
  return price === floor + 1 ? price : floor;
}

/** A format before 1.2 has no code of the measure, but its name in tag 1197. */
function facts(line: StoredLine, item: ItemLine) {
  const { name, vat, subject, method, department, mark, tags } = line;
  const supplier = tags.find(({ tag }) => tag === 1224);
  const supplierTags = supplier !== undefined && "items" in supplier ? supplier.items : [];
  return {
    name,
    vat,
    subject,
    method,
    department,
    markingCode: mark,
    unit: item.unit === null ? null : textOf(tags, 1197),
    measure: numberOf(tags, 2108) ?? measureOf(textOf(tags, 1197)),
    agent: numberOf(tags, 1222),
    supplier: textOf(supplierTags, 1225),
    supplierPhones: supplierTags.flatMap((tag) => (tag.tag === 1171 && "text" in tag ? [tag.text] : [])),
    supplierInn: textOf(tags, 1226)?.trim() ?? null,
    goodsCode: hexOf(tags, 1162),
    country: textOf(tags, 1230),
    customs: textOf(tags, 1231),
  };
}

function wantedFacts(item: ItemLine, context: CompileContext, spell: Spell) {
  const tax = item.tax ?? context.defaultTax;
  const { agent } = item;
  return {
    name: spell(item.name),
    vat: context.tables.taxes.find(({ id }) => id === tax)?.vat ?? 6,
    subject:
      item.markingCode === null
        ? item.subject
        : (new Map([
            [1, 33],
            [2, 31],
          ]).get(item.subject) ?? item.subject),
    method: item.method,
    department: item.department,
    markingCode: item.markingCode === null ? null : Buffer.from(item.markingCode, "base64").toString("hex"),
    unit: item.unit,
    measure: item.measure,
    agent: agent?.type ?? null,
    supplier: agent?.supplierName ?? null,
    supplierPhones: agent?.supplierPhones ?? [],
    supplierInn: agent === null ? null : (agent.supplierInn ?? "000000000000"),
    goodsCode: item.goodsCode === null ? null : Buffer.from(item.goodsCode, "base64").toString("hex"),
    country: item.countryCode,
    customs: item.customsDeclaration,
  };
}

function paymentsOf({ payments }: StoredDocument): Readonly<Record<number, number>> {
  return sumsByType(payments.map(({ typeClose, sum }) => [typeClose, sum]));
}

function wantedPayments(receipt: SaleReceipt): Readonly<Record<number, number>> {
  const change = receipt.payments.reduce((sum, payment) => sum + payment.sum, 0) - totalOf(receipt);
  return sumsByType(
    receipt.payments.map(({ typeClose, sum }) => [typeClose, typeClose === 0 ? kopecks(sum - change) : sum]),
  );
}

function sumsByType(entries: readonly (readonly [number, number])[]): Readonly<Record<number, number>> {
  const sums: Record<number, number> = {};
  for (const [typeClose, sum] of entries) sums[typeClose] = (sums[typeClose] ?? 0) + sum;
  return sums;
}

function orderMark(tags: readonly FiscalTag[]): string | null {
  const requisite = tags.find(({ tag }) => tag === 1084);
  return requisite !== undefined && "items" in requisite ? textOf(requisite.items, 1086) : null;
}

function hexOf(tags: readonly FiscalTag[], wanted: number): string | null {
  const found = tags.find(({ tag }) => tag === wanted);
  return found !== undefined && "hex" in found ? found.hex : null;
}
