/** Names a problem as the builders do: `items[0].price`, not `taskTable[1].param.price`. */
import { type OrderProblem, underNames } from "@fiscald/shared/exchange/order-problem.js";
import { buyerPlaces } from "./receipt-input.js";

/** The builder's name for line, position or payment `number` of the body; undefined = the builder added the line. */
export type PlaceOfLine = (list: "table" | "items" | "payments", number: number) => string | undefined;

/** Fields of the wire, and the options of the builders that become them. */
const options: ReadonlyMap<string, string> = new Map([
  ["discountType", "discount"],
  ["discountValue", "discount"],
  ["itemType", "subject"],
  ["paymentMode", "method"],
  ["agentType", "agent.type"],
  ["supplierName", "agent.supplierName"],
  ["supplierInn", "agent.supplierInn"],
  ["supplierPhone", "agent.supplierPhones"],
  ["customDeclarationCode", "customsDeclaration"],
  ["agentData", "agent.data"],
  ...buyerPlaces,
  ["summ", "sum"],
  ["typeClose", "kind"],
  ["barCodeType", "type"],
  ["barCodeHeight", "heightMm"],
  ["barCodePrintText", "printText"],
  ["reportType", "kind"],
  ["external_id", "orderId"],
  ["internetPaymentUrl", "internetUrl"],
  ["isInternetPayment", "internetUrl"],
  ["clientContact", "contact"],
  ["cashierName", "cashier.name"],
  ["cashierINN", "cashier.inn"],
  ["paymentPlace", "settlementPlace"],
  ["correctionInfo.base_date", "of"],
  ["correctionInfo.base_number", "by.order"],
  ["service.inn", "inn"],
  ["receipt.attributes", "contact"],
  ["receipt.attributes.email", "contact"],
  ["receipt.attributes.phone", "contact"],
  ["receipt.total", "items"],
  ["receipt.items", "items"],
  ["receipt.payments", "payments"],
]);

/** The option that is meant when a problem names the whole table, by the problem's code. */
const partsOfTable: ReadonlyMap<string, string> = new Map([
  ["receipt.no-payments", "payments"],
  ["receipt.payments-mismatch", "payments"],
  ["receipt.internet", "contact"],
  ["order.missing-value", "lines"],
  ["order.too-large", "lines"],
]);

export function inBuilderWords<T>(read: () => T, placeOfLine: PlaceOfLine): T {
  return underNames((problem) => ownPlace(problem, placeOfLine), read);
}

const lists = { taskTable: "table", "receipt.items": "items", "receipt.payments": "payments" } as const;

function ownPlace({ path, code }: OrderProblem, placeOfLine: PlaceOfLine): string {
  if (path === "taskTable") return partsOfTable.get(code) ?? "items";
  for (const [name, list] of Object.entries(lists)) {
    const [, number, field = ""] = path.startsWith(`${name}[`) ? (/\[(\d+)\](?:\.param)?(.*)$/.exec(path) ?? []) : [];
    if (number === undefined) continue;
    const place = placeOfLine(list, Number(number)) ?? "receipt";
    return `${place}${ownField(field, list, place)}`;
  }
  return options.get(path) ?? path;
}

/** For example `.supplierPhone[0]` becomes `.agent.supplierPhones[0]`. */
function ownField(field: string, list: string, place: string): string {
  const [, name, rest = ""] = /^\.(\w+)(.*)$/.exec(field) ?? [];
  if (name === undefined) return "";
  if (name === "vat") return ".tax";
  if (name === "data") return place.startsWith("items") ? ".name" : place.startsWith("barcode") ? ".data" : "";
  // In the online format the `sum` of a position is what its discount or markup has left.
  const own = list === "items" && name === "sum" ? "discount" : (options.get(name) ?? name);
  return `.${list === "payments" && name === "type" ? "kind" : own}${rest}`;
}
