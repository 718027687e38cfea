/** Maps the kit's problems with a receipt to the fields of its order; pure. */
import { faultOfProblems, type OrderProblem, problemsIn } from "@fiscald/shared/exchange/order-problem.js";
import type { Fault } from "@fiscald/shared/fault.js";
import { toTaskTable } from "@fiscald/shared/receipt/formats/to-task-table.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { invalidAll } from "../http/api-errors.js";
import type { StoredItem, StoredOrder } from "../orders/stored-order.js";
import { partsOf } from "./order-receipt.js";
import type { GivenLine } from "./refundable.js";

export interface MadeReceipt {
  readonly order: StoredOrder;
  readonly receipt: SaleReceipt;
  /** The lines of the receipt, each with the order's position that it was made of. */
  readonly lines: readonly GivenLine[];
}

/** The fault with the places of its problems as fields of the order; a fault without places stays as it is. */
export function atOrder(fault: Fault, made: MadeReceipt): Fault {
  if (fault.details.problems === undefined) return fault;
  const [first, ...others] = problemsIn(fault).map(
    (one): OrderProblem => ({ ...one, path: placeOf(one.path, made), message: messageOf(one, made) }),
  );
  return first === undefined ? fault : faultOfProblems([first, ...others]);
}

/** The fault as a status 422 at the fields of the request; null for a fault that names no fields. */
export function atFields(fault: Fault, place = ""): Fault | null {
  if (fault.details.problems === undefined) return null;
  const problems = problemsIn(fault).map(({ path, message }) => ({ place: `${place}${path}`, message }));
  return problems.length === 0 ? null : invalidAll(problems);
}

/** A contact that the order gives and no receipt has is one that cannot be read. */
function messageOf({ path, message }: OrderProblem, { order }: MadeReceipt): string {
  const given = path === "contact" ? (order.client?.email ?? "") + (order.phone ?? "") : "";
  return given.trim() === "" ? ofText(message) : `cannot be read, and ${message}`;
}

/** The message for an order's field: codes are plain text in an order, while the receipt has them in base64. */
function ofText(message: string): string {
  return message.replace(/^must be base64 of (1 to \d+ bytes), not .*/s, "must have $1");
}

const ofOrder: ReadonlyMap<string, string> = new Map([
  ["lines", "goods"],
  ["taskTable", "goods"],
  ["internet.url", "internetPaymentUrl"],
]);

/** The order's field for a place in the receipt, which the kit names by line or by row of the task table. */
function placeOf(path: string, made: MadeReceipt): string {
  const [, list, number, field = ""] = /^(lines|taskTable)\[(\d+)\]\.(?:param\.)?(\w+)/.exec(path) ?? [];
  if (list === undefined) return path === "contact" ? contactField(made.order) : (ofOrder.get(path) ?? path);
  const position = list === "lines" ? Number(number) : positionInReceipt(Number(number), made);
  if (typeof position === "string") return position;
  return field.startsWith("supplier") || field === "agentType" ? "supplierId" : goodsPlace(position, field, made);
}

/** The field of the contact that the order gives; the e-mail's field where it gives none. */
function contactField({ phone, client }: StoredOrder): string {
  return (client?.email ?? "").trim() === "" && (phone ?? "").trim() !== "" ? "phone" : "client.email";
}

/** The position that a task table's row was made of; a field's name where the row belongs to no position. */
function positionInReceipt(row: number, { receipt, order }: MadeReceipt): number | string {
  const { taskTable } = toTaskTable(receipt).response;
  const type = taskTable[row]?.type;
  if (type === "Payment") return "payments";
  if (type === "ClientContact") return contactField(order);
  return row - taskTable.findIndex((line) => line.type === "Registration" || line.type === "Return");
}

function goodsPlace(position: number, field: string, { order, lines }: MadeReceipt): string {
  const indexes = goodsOf(lines, order.goods);
  const index = lines.flatMap((line, number) => partsOf([line]).map(() => indexes[number] ?? -1))[position] ?? -1;
  const item = order.goods[index];
  if (item === undefined) return "goods";
  const name = fieldOf(field, item);
  return `goods[${index}]${name === "" ? "" : `.${name}`}`;
}

/** The index of each line's position in the order; -1 for none. Equal positions are assigned one after another. */
function goodsOf(lines: readonly GivenLine[], goods: readonly StoredItem[]): readonly number[] {
  const found = new Set<number>();
  return lines.map(({ of }) => {
    const index = goods.findIndex((item, at) => !found.has(at) && isSame(item, of));
    found.add(index);
    return index;
  });
}

/** Whether two positions differ only in their amounts, because a courier may have taken a part of one back. */
function isSame(one: StoredItem, other: StoredItem): boolean {
  const withoutAmounts = (item: StoredItem) => ({ ...item, count: 0, total: 0, discountTotal: 0 });
  return JSON.stringify(withoutAmounts(one)) === JSON.stringify(withoutAmounts(other));
}

const itemFields: ReadonlyMap<string, string> = new Map([
  ["unit", "unit"],
  ["goodsCode", "vedCode"],
  ["countryCode", "countryCode"],
  ["customDeclarationCode", "customDeclarationCode"],
  ["price", "price"],
  ["quantity", "count"],
  ["discountValue", "discountTotal"],
  ["tax", "taxId"],
]);

/** The order's field that a field of the line comes from. Empty where the order has no such field. */
function fieldOf(field: string, { markBinaryValue, goodId }: StoredItem): string {
  if (field === "data") return goodId === null ? "description" : "goodId";
  if (field === "markingCode") return markBinaryValue === null ? "markValue" : "markBinaryValue";
  return itemFields.get(field) ?? "";
}
