/**
 * The command set (reference, sections 4 to 9), a row each: code, fields in their order on the wire, how long an answer may
 * take, whether sending twice is harmless.
 */
import type { Kopecks, Quantity } from "@fiscald/shared/amounts.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import { row } from "./command-rows.js";
import { errors } from "./device-errors.js";
import type { FieldReader, FieldWriter } from "./fields.js";

const read = { timeout: "ordinary", repeatable: true } as const;
const act = { timeout: "ordinary", repeatable: false } as const;
const nothing = () => null;
const noFields = (writer: FieldWriter) => writer;

/** A query of 01, 02, 03 or 78: the answer repeats its number. */
function query<Answer>(code: string, number: number, name: string, answer: (reader: FieldReader) => Answer) {
  return row({
    ...read,
    name: `${code}/${number} ${name}`,
    code,
    request: (writer: FieldWriter, _: null) => writer.integer(number),
    answer: (reader) => answer(reader.skip(1)),
  });
}

const sixteenSums = (reader: FieldReader): readonly Kopecks[] => Array.from({ length: 16 }, () => reader.money());

export const commands = {
  // --- status and clock
  status: row({
    ...read,
    name: "00 status",
    code: "00",
    timeout: "status",
    request: noFields,
    answer: (r) => ({ fatal: r.integer(), flags: r.integer(), document: r.integer() }),
  }),
  printerState: row({
    ...read,
    name: "04 printer state",
    code: "04",
    timeout: "status",
    request: noFields,
    answer: (r) => r.integer(),
    alsoDone: [errors.printerNotReady],
  }),
  errorReason: row({
    ...read,
    name: "06/1 error reason",
    code: "06",
    timeout: "status",
    request: (w) => w.integer(1),
    answer: (r) => r.skip(1).integer(),
  }),
  startWork: row({
    ...act,
    name: "10 start of work",
    code: "10",
    request: (w, time: LocalTime) => w.dateTime(time),
    answer: nothing,
  }),
  readSetting: row({
    ...read,
    name: "11 read setting",
    code: "11",
    request: (w, p: { readonly item: number; readonly index: number }) => w.integer(p.item).integer(p.index),
    answer: (r) => r.text(),
  }),
  clock: row({
    ...read,
    name: "13 clock",
    code: "13",
    timeout: "status",
    request: noFields,
    answer: (r) => r.dateTime(),
  }),
  setClock: row({
    ...act,
    name: "14 set clock",
    code: "14",
    request: (w, time: LocalTime) => w.dateTime(time),
    answer: nothing,
  }),

  // --- counters and facts
  saleSums: query("01", 3, "sale sums", sixteenSums),
  returnSums: query("01", 5, "return sums", sixteenSums),
  receiptCounts: query("01", 7, "receipt counts", (r) => ({ sales: r.integer(), returns: r.integer() })),
  cashSums: query("01", 8, "cash sums", (r) => {
    r.skip(2);
    return { cashIn: r.money(), cashOut: r.money() };
  }),
  lastReport: query("01", 12, "last report", (r) => {
    r.skip(3);
    return { saleCount: r.integer(), sales: r.money(), returnCount: r.integer(), returns: r.money() };
  }),
  serial: query("02", 1, "serial number", (r) => r.text()),
  inn: query("02", 3, "INN", (r) => r.text()),
  kkm: query("02", 4, "registration number", (r) => r.text()),
  cash: query("02", 7, "cash in the drawer", (r) => r.money()),
  driveExpiry: query("02", 14, "drive expiry", (r) => r.date()),
  shiftOpenedAt: query("02", 17, "shift opening", (r) => r.dateTime()),
  columns: row({
    ...read,
    name: "02/18 columns",
    code: "02",
    request: (w, font: number) => w.integer(18).integer(font),
    answer: (r) => r.skip(1).integer(),
  }),
  model: query("02", 21, "model", (r) => r.integer()),
  taxSystems: query("02", 23, "tax systems", (r) => r.integer()),
  firmware: query("02", 70, "firmware", (r) => r.text()),
  currentReceipt: query("03", 1, "current receipt", (r) => ({ sum: r.money() })),

  // --- the fiscal drive
  driveSerial: query("78", 1, "drive serial", (r) => r.text()),
  driveState: query("78", 2, "drive state", (r) => ({
    state: r.integer(),
    document: r.integer(),
    warnings: r.integer(),
  })),
  lastFd: query("78", 3, "last document", (r) => r.integer()),
  shift: query("78", 6, "shift", (r) => ({ number: r.integer(), open: r.integer() === 1, receipts: r.integer() })),
  unsent: query("78", 7, "exchange with the OFD", (r) => ({
    state: r.integer(),
    count: r.integer(),
    firstFd: r.integer(),
    firstAt: r.left > 0 ? r.dateTime() : null,
  })),
  driveVersion: query("78", 14, "drive version", (r) => ({ version: r.text(), serial: r.integer(), ffd: r.integer() })),
  /** The format that the register works by, and the newest that it can. */
  format: query("78", 22, "format of documents", (r) => r.integer()),
  archivedDocument: row({
    ...read,
    name: "78/11 archived document",
    code: "78",
    request: (w, fd: number) => w.integer(11).integer(fd),
    answer: (r) => r.skip(2).hex(),
  }),
  beginReadTags: row({
    ...read,
    name: "78/15 tags of a document",
    code: "78",
    request: (w, fd: number) => w.integer(15).integer(fd),
    answer: (r) => ({ form: r.skip(1).integer(), size: r.integer() }),
  }),
  /** Each answer is the next piece: asking twice would leave a hole. */
  readTags: row({
    ...read,
    repeatable: false,
    name: "78/16 piece of tags",
    code: "78",
    request: (w) => w.integer(16),
    answer: (r) => r.skip(1).hex(),
  }),
  freeMemory: query("78", 18, "free memory", (r) => r.integer()),

  // --- shift and reports
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

  // --- documents
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
  cut: row({ ...act, name: "34 cut", code: "34", request: noFields, answer: nothing }),
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
  serviceText: row({
    ...act,
    name: "40 text",
    code: "40",
    request: (w, p: PrintedText) => w.text(p.text, MAX_TEXT).integer(p.attributes),
    answer: nothing,
  }),
  receiptText: row({
    ...act,
    name: "49 text",
    code: "49",
    request: (w, p: PrintedText) => w.integer(0).integer(p.attributes).text(p.text, MAX_TEXT),
    answer: nothing,
  }),
  barcode: row({
    ...act,
    name: "41 bar code",
    code: "41",
    request: (w, p: Barcode) => w.integer(p.textPlace).integer(p.width).integer(p.height).integer(p.type).raw(p.data),
    answer: nothing,
  }),

  // --- marking
  clearMarks: row({ ...act, name: "79/3 clear marks", code: "79", request: (w) => w.integer(3), answer: nothing }),
  checkMark: row({
    ...act,
    name: "79/1 check mark",
    code: "79",
    timeout: "slow",
    request: (w, p: Mark & { readonly quantity: Quantity }) =>
      w.integer(1).raw(p.code).integer(0).integer(p.status).quantity(p.quantity).integer(p.measure).integer(0),
    answer: (r) => r.skip(1).integer(),
  }),
  acceptMark: row({
    ...act,
    name: "79/2 accept mark",
    code: "79",
    request: (w, accept: boolean) => w.integer(2).integer(accept ? 1 : 0),
    answer: nothing,
  }),
  bindMark: row({
    ...act,
    name: "79/15 bind mark",
    code: "79",
    request: (w, p: Mark & { readonly result: number }) =>
      w.integer(15).raw(p.code).integer(p.status).integer(0).integer(p.result).integer(p.measure),
    answer: nothing,
  }),
} as const;

/** Every document belongs to a department; sections of items are their own. */
const DEPARTMENT = 1;
/** Longest printed line. */
export const MAX_TEXT = 72;
const MAX_OPERATOR = 77;

export interface Operator {
  /** Name, or INN and name joined by `&`. */
  readonly operator: string;
}

function operator(writer: FieldWriter, p: Operator): FieldWriter {
  return writer.text(p.operator, MAX_OPERATOR);
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

function itemFields(w: FieldWriter, p: Item): FieldWriter {
  w.text(p.name, 128).empty().quantity(p.quantity).money(p.price).integer(p.tax).empty();
  if (p.section === 0) w.empty();
  else w.integer(p.section);
  w.empty().text(p.unit, 16).empty();
  return w.integer(p.method).integer(p.subject).text(p.country, 3).text(p.customs, 32);
}

export interface PrintedText {
  readonly text: string;
  /** Bits 0 to 3 font, 4 double height, 5 double width. */
  readonly attributes: number;
}

export interface Barcode {
  readonly textPlace: number;
  readonly width: number;
  readonly height: number;
  readonly type: number;
  readonly data: Uint8Array;
}

export interface Mark {
  /** Bytes as a field may hold them. */
  readonly code: Uint8Array;
  /** Tag 2003 or 2110: 1 piece sold, 3 piece returned. */
  readonly status: number;
  /** Tag 2108. */
  readonly measure: number;
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

function closingFields(w: FieldWriter, p: Closing): FieldWriter {
  w.integer(p.cutFlag).text(p.contact, 64).integer(p.flags).text(p.place, 256).empty(2);
  return p.requisite === null ? w : w.text(p.requisite.name, 64).text(p.requisite.value, 256);
}

export interface ClosedReceipt {
  readonly fd: number;
  readonly fiscalSign: number;
  readonly shift: number;
  readonly receiptNumber: number;
  readonly time: LocalTime | null;
}
