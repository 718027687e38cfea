import { Fault } from "@fiscald/shared/fault.js";
import { type ItemLine, itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import type { CompileContext } from "../fiscal-driver.js";
import { spell } from "./fields.js";

/** Tag 1171 as one field of command 24: several phones joined by commas. */
const MAX_PHONES = 40;

/**
 * Fault `receipt.unsupported` for a text that is longer than the field which carries it: what reaches the tax office is
 * never cut. The name of an item (1030) alone may be, by its format.
 */
export function requireLengths(
  receipt: SaleReceipt,
  { mark, cashier }: Pick<CompileContext, "mark" | "cashier">,
): void {
  requireLength("contact", 1008, receipt.contact, 64);
  requireLength("settlementPlace", 1187, receipt.settlementPlace, 256);
  requireLength("internet.url", 1187, receipt.internet?.url ?? null, 256);
  requireLength("cashier.name", 1021, (receipt.cashier ?? cashier)?.name ?? null, 64);
  requireLength("the order mark", 1086, mark, 256);
  for (const [index, item] of itemsOf(receipt).entries()) requireItem(item, `items[${index}]`);
}

function requireItem({ agent, unit, customsDeclaration }: ItemLine, path: string): void {
  requireLength(`${path}.unit`, 1197, unit, 16);
  requireLength(`${path}.customsDeclaration`, 1231, customsDeclaration, 32);
  if (agent === null) return;
  requireLength(`${path}.agent.supplierName`, 1225, agent.supplierName, 256);
  requireLength(`${path}.agent.supplierPhones`, 1171, agent.supplierPhones.join(","), MAX_PHONES);
}

function requireLength(path: string, tag: number, text: string | null, most: number): void {
  const length = text === null ? 0 : spell(text).length;
  if (length <= most) return;
  const message = `${path} is ${length} characters, this register's field for tag ${tag} takes ${most}`;
  throw new Fault("receipt.unsupported", { message, place: path });
}
