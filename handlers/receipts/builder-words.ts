/** Problems of the print server's checks in the builders' words: `items[0].price`, not `taskTable[1].param.price`. */
import { type OrderProblem, underNames } from "@fiscald/shared/exchange/order-problem.js";
import { buyerPlaces } from "./receipt-input.js";

/** The builder's name of line, position or payment `number` of the body; undefined = a line of the frame. */
export type PlaceOfLine = (list: "table" | "items" | "payments", number: number) => string | undefined;

/** The builders' options by the wire's fields that they become. */
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

/** The builders' options that are meant when a problem names the whole table, by the code of the problem. */
const partsOfTable: ReadonlyMap<string, string> = new Map([
  ["receipt.no-payments", "payments"],
  ["receipt.payments-mismatch", "payments"],
  ["receipt.internet", "contact"],
  ["order.missing-value", "lines"],
  ["order.too-large", "lines"],
]);

/** Runs `read`, and names each problem that it throws at the place that the builder's caller knows. */
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

/** The builder's name of a field: `.supplierPhone[0]` is `.agent.supplierPhones[0]`. */
function ownField(field: string, list: string, place: string): string {
  const [, name, rest = ""] = /^\.(\w+)(.*)$/.exec(field) ?? [];
  if (name === undefined) return "";
  if (name === "vat") return ".tax";
  if (name === "data") return place.startsWith("items") ? ".name" : place.startsWith("barcode") ? ".data" : "";
  // The `sum` of a position in the online format is what its discount or markup has left.
  const own = list === "items" && name === "sum" ? "discount" : (options.get(name) ?? name);
  return `.${list === "payments" && name === "type" ? "kind" : own}${rest}`;
}
