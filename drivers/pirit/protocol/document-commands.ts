/** Commands of shifts, reports, receipts and cash: 20 to 32, 42 to 52. */
import type { Kopecks, Quantity } from "@fiscald/shared/amounts.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import { act, noFields, nothing, read, row } from "./command-rows.js";
import type { FieldWriter } from "./fields.js";

/** Every document belongs to a department; sections of items are their own. */
const DEPARTMENT = 1;
const MAX_OPERATOR = 77;

export interface Operator {
  /** Name, or INN and name joined by `&`. */
  readonly operator: string;
}

export interface ItemExtras {
  /** Tag 1162, bytes as a field may hold them; empty = none. */
  readonly goodsCode: Uint8Array;
  readonly agent: {
    readonly type: number;
    readonly supplierInn: string;
    readonly supplierPhones: readonly string[];
    readonly supplierName: string;
  } | null;
}

export interface Item {
  readonly name: string;
  readonly quantity: Quantity;
  readonly price: Kopecks;
  readonly tax: number;
  /** 0: the document's department. */
  readonly section: number;
  /** Tag 1197 as text or tag 2108 as a number, by the format of the registration. */
  readonly unit: string;
  readonly method: number;
  readonly subject: number;
  readonly country: string;
  readonly customs: string;
}

/** Cut flag of 31: 1 = service documents are not cut. */
export interface Closing {
  readonly cutFlag: number;
  /** Tag 1008. */
  readonly contact: string;
  readonly flags: number;
  /** Tag 1187. */
  readonly place: string;
  /** Tags 1085 and 1086. */
  readonly requisite: { readonly name: string; readonly value: string } | null;
}

export interface ClosedReceipt {
  readonly fd: number;
  readonly fiscalSign: number;
  readonly shift: number;
  readonly receiptNumber: number;
  readonly time: LocalTime | null;
}

export const documentCommands = {
  xReport: row({ ...act, name: "20 X report", code: "20", timeout: "document", request: operator, answer: nothing }),
  closeShift: row({
    ...act,
    name: "21 close shift",
    code: "21",
    timeout: "document",
    request: (w, p: Operator) => operator(w, p).integer(0),
    answer: nothing,
  }),
  openShift: row({ ...act, name: "23 open shift", code: "23", timeout: "slow", request: operator, answer: nothing }),
  openDocument: row({
    ...act,
    name: "30 open document",
    code: "30",
    request: (w, p: Operator & { readonly mode: number; readonly taxSystem: number | null }) => {
      operator(w.integer(p.mode).integer(DEPARTMENT), p).empty();
      return p.taxSystem === null ? w.empty() : w.integer(p.taxSystem);
    },
    answer: nothing,
  }),
  closeDocument: row({
    ...act,
    name: "31 close document",
    code: "31",
    timeout: "document",
    request: closingFields,
    answer: nothing,
  }),
  /** 31 for a sale or a return: its answer has the numbers of the document. */
  closeReceipt: row({
    ...act,
    name: "31 close receipt",
    code: "31",
    timeout: "document",
    request: closingFields,
    answer: (r): ClosedReceipt => {
      r.skip(3);
      const numbers = { fd: r.integer(), fiscalSign: r.integer(), shift: r.integer(), receiptNumber: r.integer() };
      return { ...numbers, time: r.dateTime() };
    },
  }),
  cancelDocument: row({ ...act, name: "32 cancel document", code: "32", request: noFields, answer: nothing }),
  itemExtras: row({
    ...act,
    name: "24 item extras",
    code: "24",
    request: (w, p: ItemExtras) => {
      w.raw(p.goodsCode).empty(2);
      if (p.agent === null) return w;
      const { type, supplierInn, supplierPhones, supplierName } = p.agent;
      return w.integer(type).text(supplierInn, 12).text(supplierPhones.join(","), 40).text(supplierName, 256);
    },
    answer: nothing,
  }),
  item: row({ ...act, name: "42 item", code: "42", request: itemFields, answer: nothing }),
  compareTotal: row({
    ...read,
    name: "52 compare total",
    code: "52",
    request: (w, sum: Kopecks) => w.money(sum),
    answer: nothing,
  }),
  payment: row({
    ...act,
    name: "47 payment",
    code: "47",
    request: (w, p: { readonly type: number; readonly sum: Kopecks }) => w.integer(p.type).money(p.sum),
    answer: nothing,
  }),
  cashSum: row({
    ...act,
    name: "48 cash sum",
    code: "48",
    request: (w, sum: Kopecks) => w.empty().money(sum),
    answer: nothing,
  }),
} as const;

function operator(writer: FieldWriter, p: Operator): FieldWriter {
  return writer.text(p.operator, MAX_OPERATOR);
}

function itemFields(w: FieldWriter, p: Item): FieldWriter {
  w.text(p.name, 128).empty().quantity(p.quantity).money(p.price).integer(p.tax).empty();
  if (p.section === 0) w.empty();
  else w.integer(p.section);
  w.empty().text(p.unit, 16).empty();
  return w.integer(p.method).integer(p.subject).text(p.country, 3).text(p.customs, 32);
}

function closingFields(w: FieldWriter, p: Closing): FieldWriter {
  w.integer(p.cutFlag).text(p.contact, 64).integer(p.flags).text(p.place, 256).empty(2);
  return p.requisite === null ? w : w.text(p.requisite.name, 64).text(p.requisite.value, 256);
}
