/** Whether a document's lines are a receipt's lines, as far as a fiscal drive keeps them. */
import type { DocumentItem } from "@fiscald/drivers/fiscal-driver.js";
import { itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";

/** `respelt`: the same but for characters that no register's code page holds. `unclear`: it could be them, cut short. */
export type LineComparison = "same" | "respelt" | "unclear" | "other";

interface NamedSum {
  readonly name: string;
  readonly sum: number;
}

/**
 * Positions are compared by name and sum; one that the driver had split in two counts as one. A name that the register's
 * code page cannot hold, or that the register may have cut short, never proves that the receipt is another one.
 */
export function compareLines(receipt: SaleReceipt, items: readonly DocumentItem[]): LineComparison {
  const ours = itemsOf(receipt).map(({ name, total }) => ({ name: normalize(name), sum: total }));
  const theirs = items.map(({ name, sum }) => ({ name: normalize(name), sum }));
  const survives = ours.every(({ name }) => survivesCodePage(name));
  if (sameSums(sumsByName(ours), sumsByName(theirs))) return survives ? "same" : "respelt";
  if (theirs.length === 0 || !survives) return "unclear";
  const allFound = ours.every(({ name }) => theirs.some((other) => couldBe(name, other.name)));
  const noneForeign = theirs.every(({ name }) => ours.some((own) => couldBe(own.name, name)));
  if (!allFound || !noneForeign) return "other";
  const cutShort = theirs.some(({ name }) => !ours.some((own) => own.name === name));
  return cutShort ? "unclear" : "other";
}

function sumsByName(lines: readonly NamedSum[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { name, sum } of lines) sums.set(name, (sums.get(name) ?? 0) + sum);
  return sums;
}

function sameSums(ours: ReadonlyMap<string, number>, theirs: ReadonlyMap<string, number>): boolean {
  return ours.size === theirs.size && [...ours].every(([name, sum]) => theirs.get(name) === sum);
}

/** What no code page of a register holds comes back as a question mark, on both sides of the comparison. */
function normalize(name: string): string {
  return name.normalize("NFC").replace(/\s+/g, " ").trim().replace(unsafe, "?");
}

/** ASCII, Russian letters and the number sign are in every code page that a register uses (CP866, CP1251). */
const unsafe = /[^\x20-\x7eА-Яа-яЁё№]/gu;

function survivesCodePage(name: string): boolean {
  return !name.includes("?");
}

function couldBe(own: string, read: string): boolean {
  return own.startsWith(read) || read.startsWith(own);
}
