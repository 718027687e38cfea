/** Short ways to write an order of either format. The types are loose, because tests write broken orders too. */
import type { OrderProblem } from "@fiscald/shared/exchange/order-problem.js";
import { problemsIn } from "@fiscald/shared/exchange/order-problem.js";
import { type ReadOrder, type ReadOrderOptions, readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { type ItemLine, itemsOf, type Receipt, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";

export const sell = { type: "OpenCheckSell" };
export const refund = { type: "OpenCheckReturn" };
export const close = { type: "CloseCheck" };
export const cancel = { type: "CancelCheck" };
export const tea = { type: "Registration", data: "Чай", param: { price: 100, quantity: 1 } };

export function item(param: object, data: unknown = "Чай"): object {
  return { type: "Registration", data, param };
}

export function pay(summ: unknown, typeClose: unknown = 1): object {
  return { type: "Payment", param: { summ, typeClose } };
}

export function table(taskTable: unknown, head: object = {}): object {
  return { response: { orderId: "A-1", taskTable, ...head } };
}

/** The sale of one position, paid in full unless the test says otherwise. */
export function saleOf(param: object, paid: unknown): object {
  return table([sell, item(param), pay(paid), close]);
}

export function online(receipt: object = {}, root: object = {}): object {
  return {
    external_id: "B-1",
    receipt: {
      items: [{ name: "Чай", price: 100, quantity: 2, sum: 200 }],
      total: 200,
      payments: [{ type: 1, sum: 200 }],
      ...receipt,
    },
    ...root,
  };
}

export function read(order: unknown, options: Partial<ReadOrderOptions> = {}): ReadOrder {
  return readOrder(typeof order === "string" ? order : JSON.stringify(order), { format: "auto", ...options });
}

/** The order must be readable. */
export function receiptFrom(order: unknown, options: Partial<ReadOrderOptions> = {}): Receipt {
  const answer = read(order, options);
  if (answer.kind === "receipt") return answer.receipt;
  throw new Error(`expected a receipt, got ${answer.kind}: ${answer.kind === "broken" ? answer.fault.message : ""}`);
}

export function saleFrom(order: unknown, options: Partial<ReadOrderOptions> = {}): SaleReceipt {
  const receipt = receiptFrom(order, options);
  if (receipt.kind === "receipt") return receipt;
  throw new Error("expected a receipt, got a service job");
}

/** The order must be refused. */
export function problemsFrom(order: unknown, options: Partial<ReadOrderOptions> = {}): readonly OrderProblem[] {
  const answer = read(order, options);
  if (answer.kind === "broken") return problemsIn(answer.fault);
  throw new Error(`expected a refusal, got ${JSON.stringify(answer)}`);
}

/** The refused order's problems in short: "3 taskTable[1].param.price". */
export function refusalsOf(order: unknown): readonly string[] {
  return problemsFrom(order).map(({ resultCode, path }) => `${resultCode} ${path}`);
}

export function itemOf(receipt: SaleReceipt): ItemLine {
  const [line] = itemsOf(receipt);
  if (line === undefined) throw new Error("no item");
  return line;
}
