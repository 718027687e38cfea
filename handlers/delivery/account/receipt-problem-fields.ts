/** Maps the kit's problems with a receipt to the fields of its order; pure. */
import { faultOfProblems, type OrderProblem, problemsIn } from "@fiscald/shared/exchange/order-problem.js";
import type { Fault } from "@fiscald/shared/fault.js";
import { toTaskTable } from "@fiscald/shared/receipt/formats/to-task-table.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { invalidAll } from "../http/api-errors.js";
import { markField, markingCodeOf } from "../orders/receipt-policy.js";
import type { StoredItem, StoredOrder } from "../orders/stored-order.js";
import { partsOf } from "./order-receipt.js";
import { type GivenLine, isSameGood } from "./refundable.js";

export interface MadeReceipt {
  readonly order: StoredOrder;
  readonly receipt: SaleReceipt;
  readonly lines: readonly GivenLine[];
}

/** Places of problems become fields of the order. A fault without places stays as it is. */
export function atOrder(fault: Fault, made: MadeReceipt): Fault {
  if (fault.details.problems === undefined) return fault;
  const [first, ...others] = problemsIn(fault).map(
    (one): OrderProblem => ({ ...one, path: placeOf(one.path, made), message: messageOf(one, made) }),
  );
  return first === undefined ? fault : faultOfProblems([first, ...others]);
}

export function atFields(fault: Fault, place = ""): Fault | null {
  if (fault.details.problems === undefined) return null;
  const problems = problemsIn(fault).map(({ path, message }) => ({ place: `${place}${path}`, message }));
  return problems.length === 0 ? null : invalidAll(problems);
}

/** If the order gives a contact and the receipt has none, the contact cannot be read. */
function messageOf({ path, message }: OrderProblem, { order }: MadeReceipt): string {
  const given = path === "contact" ? (order.client?.email ?? "") + (order.phone ?? "") : "";
  return given.trim() === "" ? ofText(message) : `cannot be read, and ${message}`;
}

/** Codes are plain text in an order, and base64 in a receipt. */
function ofText(message: string): string {
  return message.replace(/^must be base64 of (1 to \d+ bytes), not .*/s, "must have $1");
}

const ofOrder: ReadonlyMap<string, string> = new Map([
  ["lines", "goods"],
  ["taskTable", "goods"],
  ["internet.url", "internetPaymentUrl"],
]);

/** The kit names a place by the receipt's line or by the task table's row. */
function placeOf(path: string, made: MadeReceipt): string {
  const [, list, number, field = ""] = /^(lines|taskTable)\[(\d+)\]\.(?:param\.)?(\w+)/.exec(path) ?? [];
  if (list === undefined) return path === "contact" ? contactField(made.order) : (ofOrder.get(path) ?? path);
  const position = list === "lines" ? Number(number) : positionInReceipt(Number(number), made);
  if (typeof position === "string") return position;
  return field.startsWith("supplier") || field === "agentType" ? "supplierId" : goodsPlace(position, field, made);
}

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
  return lines.map(({ line, of }) => {
    const find = (isIt: (item: StoredItem) => boolean) => goods.findIndex((item, at) => !found.has(at) && isIt(item));
    const same = find((item) => isSame(item, of));
    // A refund order's own marking code replaces the one of its sale.
    const isOwn = (item: StoredItem) => isSameGood(item, of) && markingCodeOf(item) === line.markingCode;
    const index = same >= 0 ? same : find(isOwn);
    found.add(index);
    return index;
  });
}

/** Amounts may differ, because a courier may have taken back a part of a position. */
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

function fieldOf(field: string, item: StoredItem): string {
  if (field === "data") return item.goodId === null ? "description" : "goodId";
  if (field === "markingCode") return markField(item);
  return itemFields.get(field) ?? "";
}
