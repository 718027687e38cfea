/** Commands of the status, counters, settings and clock: 00 to 14; what the printer's mask (04) says. */
import type { Kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import { act, noFields, nothing, query, read, row } from "./command-rows.js";
import { errors } from "./device-errors.js";
import type { FieldReader } from "./fields.js";

const sixteenSums = (reader: FieldReader): readonly Kopecks[] => Array.from({ length: 16 }, () => reader.money());

/** Queries of counters and facts: 01, 02 and 03. */
const queryCommands = {
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
} as const;

export const statusCommands = {
  ...queryCommands,
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
} as const;

/** The mask of command 04 (reference, section 5). */
export const printerBits = { notReady: 0, paperOut: 1, coverOpen: 2, cutter: 3, noLink: 7 } as const;

/** What a person must do at the printer; null = nothing. */
export function printerFault(mask: number): Fault | null {
  if (mask === 0) return null;
  const code = hasBit(mask, printerBits.coverOpen)
    ? "device.cover-open"
    : hasBit(mask, printerBits.paperOut)
      ? "device.paper-out"
      : "device.printer-fault";
  return new Fault(code, { details: { printer: mask } });
}

export function hasBit(mask: number, bit: number): boolean {
  return ((mask >> bit) & 1) === 1;
}
