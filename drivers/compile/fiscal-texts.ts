/** Texts of fiscal documents: spelled for an 8-bit code page, never cut: a text longer than its tag is refused (domain 2). */
import { Fault } from "@fiscald/shared/fault.js";
import { unitOf } from "@fiscald/shared/receipt/measure.js";
import { type Cashier, type ItemLine, itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { type CodePage, charactersLost } from "../codec/code-pages.js";
import type { CompileContext } from "../fiscal-driver.js";

/** `spell`: a text as the register holds it. Fault `receipt.unsupported`: an address with other letters is another address, and the receipt would go to a stranger. */
export function requireExactAddresses({ contact, internet }: SaleReceipt, spell: (text: string) => string): void {
  for (const [place, text] of [
    ["contact", contact],
    ["internet.url", internet?.url ?? null],
  ] as const) {
    if (text === null || spell(text) === text.normalize("NFC")) continue;
    const message = `${place} "${text}" has letters that the register cannot hold: it would become "${spell(text)}"`;
    throw new Fault("receipt.unsupported", { message, place });
  }
}

/** One warning for each name with letters that the register cannot write. */
export function warnOfLostLetters(receipt: SaleReceipt, page: CodePage): readonly string[] {
  return itemsOf(receipt).flatMap(({ name }) => {
    const lost = charactersLost(name, page);
    return lost === "" ? [] : [`"${name}": the register has no ${lost} and writes ? instead`];
  });
}

export interface TextFields {
  /** A text as the register holds it. */
  readonly spell: (text: string) => string;
  /** Characters of one field for all phones of a supplier, joined by commas; null = each phone has its own. */
  readonly joinedPhones: number | null;
}

const MAX_PHONE = 19;

/**
 * Fault `receipt.unsupported` with the path of the text and its limit. The name of an item (1030) alone may be cut, by its
 * format.
 */
export function requireLengths(
  receipt: SaleReceipt,
  { mark, cashier }: Pick<CompileContext, "mark" | "cashier">,
  fields: TextFields,
): void {
  const require = checkBy(fields);
  require("contact", 1008, receipt.contact, 64);
  require("settlementPlace", 1187, receipt.settlementPlace, 256);
  require("internet.url", 1187, receipt.internet?.url ?? null, 256);
  requireCashier(receipt.cashier ?? cashier, fields);
  require("the order mark", 1086, mark, 256);
  for (const [index, item] of itemsOf(receipt).entries()) requireItem(item, `items[${index}]`, fields);
}

/** Also for documents without other fields of ours. */
export function requireCashier(cashier: Cashier | null, fields: TextFields): void {
  checkBy(fields)("cashier.name", 1021, cashier?.name ?? null, 64);
}

function requireItem({ agent, unit, customsDeclaration }: ItemLine, path: string, fields: TextFields): void {
  const require = checkBy(fields);
  require(`${path}.unit`, 1197, unit, 16);
  require(`${path}.customsDeclaration`, 1231, customsDeclaration, 32);
  if (agent === null) return;
  require(`${path}.agent.supplierName`, 1225, agent.supplierName, 256);
  const phones = `${path}.agent.supplierPhones`;
  if (fields.joinedPhones !== null) require(phones, 1171, agent.supplierPhones.join(","), fields.joinedPhones);
  else for (const phone of agent.supplierPhones) require(phones, 1171, phone, MAX_PHONE);
}

function checkBy({ spell }: TextFields) {
  return (path: string, tag: number, text: string | null, most: number): void => {
    const length = text === null ? 0 : spell(text).length;
    if (length <= most) return;
    const message = `${path} is ${length} characters, this register's field for tag ${tag} takes ${most}`;
    throw new Fault("receipt.unsupported", { message, place: path });
  };
}

const OTHER_MEASURE = 255;

/**
 * Tag 1197 of formats before 1.2: the order's own text, or the name of a measure that the order gives as a code. Null
 * = pieces. Fault `receipt.unsupported` for the code "other", which has no name.
 */
export function printedUnit({ unit, measure }: Pick<ItemLine, "unit" | "measure">, path: string): string | null {
  if (unit !== null) return unit;
  if (measure !== OTHER_MEASURE) return unitOf(measure);
  throw new Fault("receipt.unsupported", {
    message: `${path}.measure is 255 (other), which format 1.05 writes as a text: the order must name the unit`,
    place: `${path}.unit`,
  });
}
