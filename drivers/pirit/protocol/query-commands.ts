/** Queries of counters and facts: 01, 02 and 03. */
import type { Kopecks } from "@fiscald/shared/amounts.js";
import { query, read, row } from "./command-rows.js";
import type { FieldReader } from "./fields.js";

const sixteenSums = (reader: FieldReader): readonly Kopecks[] => Array.from({ length: 16 }, () => reader.money());

export const queryCommands = {
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
