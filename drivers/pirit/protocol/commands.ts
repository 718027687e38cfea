/** The command set (PIRIT protocol, 4 to 9): a row for each command, with the fields in their order on the wire. */
import type { Kopecks, Quantity } from "@fiscald/shared/amounts.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import type { AgentData, Buyer, Industry } from "@fiscald/shared/receipt/receipt.js";
import { noFields, order, question, quickQuestion, row } from "./command-rows.js";
import { errors, hasBit } from "./device-errors.js";
import type { FieldReader, FieldWriter } from "./fields.js";

/** Department of every document; items have a section of their own. */
const DEPARTMENT = 1;
const MAX_OPERATOR = 77;
/** Longest field of phones, in characters: several phones are one field. */
export const MAX_PHONES = 40;
export const MAX_TEXT = 72;

export type Status = Readonly<ReturnType<typeof readStatus>>;

const correctionTypes = { saleCorrection: 9, returnCorrection: 11 } as const;
export const documentTypes = { none: 0, service: 1, sale: 2, saleReturn: 3, cashIn: 4, cashOut: 5, ...correctionTypes };
/** State of a document that the drive has and whose print is not finished. */
export const CLOSED_IN_DRIVE = 8;

function readStatus(reader: FieldReader) {
  const [fatal, flags, document] = [reader.integer(), reader.integer(), reader.integer()];
  return {
    fatal,
    started: !hasBit(flags, 0),
    shiftOpen: hasBit(flags, 2),
    shiftExpired: hasBit(flags, 3),
    archiveClosed: hasBit(flags, 4),
    registered: !hasBit(flags, 5),
    closingUnfinished: hasBit(flags, 8),
    /** The open document (PIRIT protocol, 4). */
    document: { type: document & 0x0f, state: document >> 4 },
  };
}

/** Name, or INN and name joined by `&`. */
export interface Operator {
  readonly operator: string;
}

export interface ItemExtras {
  /** Tag 1162 (goods code) in bytes that a field may have; empty = none. */
  readonly goodsCode: Uint8Array;
  readonly agent: {
    readonly type: number;
    readonly supplierInn: string;
    readonly supplierPhones: readonly string[];
    readonly supplierName: string;
    readonly data: AgentData;
  } | null;
  /** Tag 1191 (additional requisite of the item); empty = none. */
  readonly additional: string;
  /** Tag 1260 (industry requisite), in format 1.2. */
  readonly industry: Industry | null;
}

export interface Item {
  readonly name: string;
  readonly quantity: Quantity;
  readonly price: Kopecks;
  readonly tax: number;
  /** Section of the item; 0: the document's department. */
  readonly section: number;
  /** Tag 1197 (unit) as text or tag 2108 (measure) as a number, by the format of the registration. */
  readonly unit: string;
  readonly method: number;
  readonly subject: number;
  readonly country: string;
  readonly customs: string;
  /** Tag 1229 (excise). */
  readonly excise?: Kopecks;
}

export interface Mark {
  readonly code: Uint8Array;
  /** Tag 2003 or 2110 (planned or final status): 1 piece sold, 3 piece returned. */
  readonly status: number;
  /** Tag 2108 (measure). */
  readonly measure: number;
}

export interface Closing {
  readonly cutFlag: number;
  /** Tag 1008 (buyer's address); empty = none. */
  readonly contact: string;
  readonly flags: number;
  /** Tag 1187 (place of payment); empty = the registration's. */
  readonly place: string;
  /** Tags 1085 (name) and 1086 (value) of the user requisite. */
  readonly requisite: { readonly name: string; readonly value: string } | null;
  /** Tags 1227 (buyer) and 1228 (buyer's INN), and in format 1.2 the others inside 1256; null = none. */
  readonly buyer: Buyer | null;
}

export const plainClosing: Closing = { cutFlag: 0, contact: "", flags: 0, place: "", requisite: null, buyer: null };

export type ClosedReceipt = Readonly<ReturnType<typeof readClosing>>;

/** The whole document of FFD 1.05; in FFD 1.2 the fields up to `number` open a correction. */
export interface SumsCorrection extends OpenCorrection {
  /** By `typeClose`, 0 to 4. */
  readonly payments: readonly Kopecks[];
  /** VAT at 20 % and 10 %, turnover at 0 % and without VAT, tax of 20/120 and 10/110. */
  readonly rates: readonly Kopecks[];
  /** Tags 1227 (buyer) and 1228 (buyer's INN); null = none. */
  readonly buyer: Buyer | null;
}

export interface OpenCorrection extends Operator {
  /** Bit 0 by an order, bits 2 to 4 number of the tax system, bit 5 the sums by rate follow, bit 6 a return. */
  readonly mask: number;
  /** Tag 1178, as `2026-07-14`. */
  readonly date: string;
  /** Tag 1179; empty = none. */
  readonly number: string;
}

/** The register's payment types by our `typeClose` (PIRIT protocol, 6: command 47). */
export const paymentTypes: ReadonlyMap<number, number> = new Map([
  [0, 0],
  [1, 1],
  [2, 13],
  [3, 14],
  [4, 15],
]);

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

const byText = (reader: FieldReader) => reader.text();
const byInteger = (reader: FieldReader) => reader.integer();
const byMoney = (reader: FieldReader) => reader.money();
const byTime = (reader: FieldReader) => reader.dateTime();
const sixteenSums = (reader: FieldReader): readonly Kopecks[] => Array.from({ length: 16 }, () => reader.money());
const number = (writer: FieldWriter, value: number) => writer.integer(value);
const sum = (writer: FieldWriter, value: Kopecks) => writer.money(value);
const time = (writer: FieldWriter, value: LocalTime) => writer.dateTime(value);
const operator = (writer: FieldWriter, p: Operator) => writer.text(p.operator, MAX_OPERATOR);

function itemFields(w: FieldWriter, p: Item): FieldWriter {
  w.text(p.name, 128).empty().quantity(p.quantity).money(p.price).integer(p.tax).empty();
  if (p.section === 0) w.empty();
  else w.integer(p.section);
  w.empty().text(p.unit, 16).empty();
  w.integer(p.method).integer(p.subject).text(p.country, 3).text(p.customs, 32);
  return p.excise === undefined ? w : w.money(p.excise);
}

function extraFields(w: FieldWriter, { goodsCode, agent, additional, industry }: ItemExtras): FieldWriter {
  w.raw(goodsCode).text(additional, 64).empty();
  if (agent === null && industry === null) return w;
  if (agent === null) w.empty(4);
  else {
    w.integer(agent.type).text(agent.supplierInn, 12);
    w.text(agent.supplierPhones.join(","), MAX_PHONES).text(agent.supplierName, 256);
  }
  const data = agent?.data ?? {};
  if (Object.keys(data).length > 0 || industry !== null) agentFields(w, data);
  if (industry === null) return w;
  return w
    .text(industry.authority, 3)
    .text(dateField(industry.date), 8)
    .text(industry.number, 32)
    .text(industry.value, 256);
}

function agentFields(w: FieldWriter, data: AgentData): void {
  w.text(data.transferAddress ?? "", 256)
    .text(data.transferInn ?? "", 12)
    .text(data.transferName ?? "", 64)
    .text(data.transferPhones?.join(",") ?? "", MAX_PHONES)
    .text(data.operation ?? "", 24)
    .text(data.agentPhones?.join(",") ?? "", MAX_PHONES)
    .text(data.operatorPhones?.join(",") ?? "", MAX_PHONES);
}

function dateField(date: string): string {
  return date.replaceAll(".", "");
}

function closingFields(w: FieldWriter, p: Closing): FieldWriter {
  w.integer(p.cutFlag).text(p.contact, 64).integer(p.flags).text(p.place, 256).empty(2);
  if (p.requisite !== null) w.text(p.requisite.name, 64).text(p.requisite.value, 256);
  else if (p.buyer !== null) w.empty(2);
  return p.buyer === null ? w : buyerFields(w, p.buyer);
}

function sumsFields(w: FieldWriter, p: SumsCorrection): FieldWriter {
  operator(w, p);
  for (const paid of p.payments) w.money(paid);
  basisFields(w, p).empty();
  for (const one of p.rates) w.money(one);
  w.empty();
  return p.buyer === null ? w : w.text(p.buyer.name ?? "", 256).text(p.buyer.inn ?? "", 12);
}

function basisFields(w: FieldWriter, { mask, date, number: order }: OpenCorrection): FieldWriter {
  const [year = "", month = "", day = ""] = date.split("-");
  return w
    .integer(mask)
    .text(`${day}${month}${year.slice(2)}`, 6)
    .text(order, 32);
}

function buyerFields(w: FieldWriter, { name, inn, ...more }: Buyer): FieldWriter {
  w.text(name ?? "", 256).text(inn ?? "", 12);
  if (Object.keys(more).length === 0) return w;
  return w
    .text(dateField(more.birthDate ?? ""), 8)
    .text(more.citizenship ?? "", 3)
    .text(more.documentCode ?? "", 2)
    .text(more.documentData ?? "", 64)
    .text(more.address ?? "", 256);
}

function readClosing(reader: FieldReader) {
  reader.skip(3);
  const [fd, fiscalSign, shift] = [reader.integer(), reader.integer(), reader.integer()];
  return { fd, fiscalSign, shift, receiptNumber: reader.integer(), time: reader.dateTime() };
}

export const commands = {
  status: quickQuestion("00 status", readStatus),
  printerState: row({
    name: "04 printer state",
    repeatable: true,
    timeout: "status",
    request: noFields,
    answer: byInteger,
    alsoDone: [errors.printerNotReady],
  }),
  errorReason: quickQuestion("06/1 error reason", byInteger),
  startWork: order("10 start of work", time),
  readSetting: question("11 read setting", byText, (w, p: { readonly item: number; readonly index: number }) =>
    w.integer(p.item).integer(p.index),
  ),
  clock: quickQuestion("13 clock", byTime),
  setClock: order("14 set clock", time),

  saleSums: question("01/3 sale sums", sixteenSums),
  returnSums: question("01/5 return sums", sixteenSums),
  receiptCounts: question("01/7 receipt counts", (r) => ({ sales: r.integer(), returns: r.integer() })),
  cashSums: question("01/8 cash sums", (r) => ({ cashIn: r.skip(2).money(), cashOut: r.money() })),
  lastReport: question("01/12 last report", (r) => {
    r.skip(3);
    return { saleCount: r.integer(), sales: r.money(), returnCount: r.integer(), returns: r.money() };
  }),
  serial: question("02/1 serial number", byText),
  inn: question("02/3 INN", byText),
  kkm: question("02/4 registration number", byText),
  cash: question("02/7 cash in the drawer", byMoney),
  driveExpiry: question("02/14 drive expiry", (r) => r.date()),
  shiftOpenedAt: question("02/17 shift opening", byTime),
  columns: question("02/18 columns", byInteger, number),
  model: question("02/21 model", byInteger),
  taxSystems: question("02/23 tax systems", byInteger),
  firmware: question("02/70 firmware", byText),
  currentSum: question("03/1 current receipt", byMoney),

  driveSerial: question("78/1 drive serial", byText),
  driveState: question("78/2 drive state", (r) => ({
    state: r.integer(),
    document: r.integer(),
    warnings: r.integer(),
  })),
  lastFd: question("78/3 last document", byInteger),
  shift: question("78/6 shift", (r) => ({ number: r.integer(), open: r.integer() === 1, receipts: r.integer() })),
  unsent: question("78/7 exchange with the OFD", (r) => ({
    state: r.integer(),
    count: r.integer(),
    firstFd: r.integer(),
    firstAt: r.left > 0 ? r.dateTime() : null,
  })),
  archivedDocument: question("78/11 archived document", (r) => r.skip(1).hex(), number),
  driveVersion: question("78/14 drive version", (r) => ({ version: r.text(), serial: r.integer(), ffd: r.integer() })),
  beginReadTags: question("78/15 tags of a document", (r) => ({ form: r.integer(), size: r.integer() }), number),
  /** Each answer is the next piece: a repeated query would skip one. */
  readTags: row({ name: "78/16 piece of tags", repeatable: false, request: noFields, answer: (r) => r.hex() }),
  freeMemory: question("78/18 free memory", byInteger),
  format: question("78/22 format of documents", byInteger),

  xReport: order("20 X report", operator, "document"),
  closeShift: order("21 close shift", (w, p: Operator) => operator(w, p).integer(0), "document"),
  openShift: order("23 open shift", operator, "slow"),
  openDocument: order(
    "30 open document",
    (w, p: Operator & { readonly mode: number; readonly taxSystem: number | null }) => {
      operator(w.integer(p.mode).integer(DEPARTMENT), p).empty();
      return p.taxSystem === null ? w.empty() : w.integer(p.taxSystem);
    },
  ),
  correctBySums: order("58 correction by sums", sumsFields, "document"),
  openCorrection: order("58 open correction", (w, p: OpenCorrection) => basisFields(operator(w, p).empty(5), p)),
  closeDocument: order("31 close document", closingFields, "document"),
  /** The answer for a sale or a return has the numbers of the document. */
  closeReceipt: row({
    name: "31 close receipt",
    repeatable: false,
    timeout: "document",
    request: closingFields,
    answer: readClosing,
  }),
  cancelDocument: order("32 cancel document"),
  itemExtras: order("24 item extras", extraFields),
  item: order("42 item", itemFields),
  compareTotal: question("52 compare total", () => null, sum),
  payment: order("47 payment", (w, p: { readonly type: number; readonly sum: Kopecks }) =>
    w.integer(p.type).money(p.sum),
  ),
  cashSum: order("48 cash sum", (w, value: Kopecks) => w.empty().money(value)),

  receiptTag: order(
    "57 receipt tag",
    (w, p: { readonly tag: number; readonly title: string; readonly value: string }) =>
      w.integer(p.tag).integer(0).text(p.title, 72).text(p.value),
  ),

  cut: order("34 cut"),
  serviceText: order("40 text", (w, p: PrintedText) => w.text(p.text, MAX_TEXT).integer(p.attributes)),
  receiptText: order("49 text", (w, p: PrintedText) => w.integer(0).integer(p.attributes).text(p.text, MAX_TEXT)),
  barcode: order("41 bar code", (w, p: Barcode) =>
    w.integer(p.textPlace).integer(p.width).integer(p.height).integer(p.type).raw(p.data),
  ),

  clearMarks: order("79/3 clear marks"),
  checkMark: row({
    name: "79/1 check mark",
    repeatable: false,
    timeout: "slow",
    request: (w, p: Mark & { readonly quantity: Quantity }) =>
      w.raw(p.code).integer(0).integer(p.status).quantity(p.quantity).integer(p.measure).integer(0),
    answer: byInteger,
  }),
  acceptMark: order("79/2 accept mark", (w, accept: boolean) => w.integer(accept ? 1 : 0)),
  bindMark: order("79/15 bind mark", (w, p: Mark & { readonly result: number }) =>
    w.raw(p.code).integer(p.status).integer(0).integer(p.result).integer(p.measure),
  ),
} as const;
