/** Commands of shifts, cash, receipts and marking codes (Shtrih-M protocol, 8.1 to 8.6 and 8.10). */
import { type Kopecks, kopecks, type Quantity } from "@fiscald/shared/amounts.js";
import type { ByteReader, ByteWriter } from "../../codec/byte-cursor.js";
import { order, type Password, password, question, row } from "./command-row.js";

/** A five-byte sum for "compute it yourself" or "absent". */
const NOT_GIVEN = [0xff, 0xff, 0xff, 0xff, 0xff];
const PAYMENT_TYPES = 16;

export interface ItemParameters {
  /** 1 sale, 2 return of a sale. */
  readonly operation: number;
  readonly quantity: Quantity;
  readonly price: Kopecks;
  /** May differ by a kopeck from price x quantity; this driver sends the exact product. */
  readonly sum: Kopecks;
  readonly taxCode: number;
  readonly department: number;
  /** Tag 1214 (method of settlement). */
  readonly method: number;
  /** Tag 1212 (subject of settlement). */
  readonly subject: number;
  readonly name: string;
}

/** Tag 2003 (planned status), and the fields that the check of measured goods needs. */
export interface MarkCheck {
  /** 1 piece sold, 2 measured sold, 3 piece returned, 4 measured returned. */
  readonly plannedStatus: number;
  readonly mark: Uint8Array;
  readonly tags: Uint8Array;
}

/** A correction of FFD 1.05 is one command: sums by kind of payment and by rate, no positions. */
export interface SumsCorrection {
  /** 0 = of the taxpayer's own accord, 1 = by an order. */
  readonly type: number;
  /** 1 sale, 3 purchase. */
  readonly operation: number;
  readonly total: Kopecks;
  /** Cash, electronic, prepayment, credit, counter-provision. */
  readonly payments: readonly number[];
  /** VAT at 20 % and 10 %, turnover at 0 % and without VAT, tax of 20/120 and 10/110; then what FF77h and FF7Ch add. */
  readonly rates: readonly number[];
  readonly taxSystem: number;
}

export const receiptCommands = {
  xReport: order("40 X report", password, { timeout: "report" }),
  sectionReport: order("42 sections report", password, { timeout: "report" }),
  cashierReport: order("44 cashiers report", password, { timeout: "report" }),
  hourReport: order("45 hours report", password, { timeout: "report" }),
  zReport: order("41 Z report", password, { timeout: "report" }),
  openShift: order("E0 open shift", password, { timeout: "openShift" }),
  beginOpenShift: order("FF41 begin shift opening", password),
  beginCloseShift: order("FF42 begin shift closing", password),
  shiftParameters: question("FF40 shift parameters", password, (r) => ({
    open: r.u8() === 1,
    shift: r.u16(),
    receipt: r.u16(),
  })),
  cashIn: order("50 cash in", sumRequest),
  cashOut: order("51 cash out", sumRequest),

  openReceipt: order("8D open receipt", (w, p: Password & { readonly type: number }) => password(w, p).u8(p.type)),
  registerItem: order("FF46 item", (w, p: Password & ItemParameters) =>
    password(w, p)
      .u8(p.operation)
      .uint(p.quantity, 6)
      .uint(p.price, 5)
      .uint(p.sum, 5)
      .raw(NOT_GIVEN)
      .u8(p.taxCode)
      .u8(p.department)
      .u8(p.method)
      .u8(p.subject)
      .text(p.name, "cp1251", 128),
  ),
  subtotal: question("89 subtotal", password, (r) => money(r.skip(1))),
  closeReceipt: row(
    "FF45 close receipt",
    (w, p: Password & { readonly sums: ReadonlyMap<number, Kopecks>; readonly taxSystem: number }) => {
      password(w, p);
      for (let type = 1; type <= PAYMENT_TYPES; type += 1) w.uint(p.sums.get(type) ?? 0, 5);
      // No rounding; the register computes the taxes.
      return w
        .u8(0)
        .raw(new Array(6 * 5).fill(0))
        .u8(p.taxSystem);
    },
    (r) => ({ change: money(r), fd: r.u32(), fiscalSign: r.u32() }),
  ),
  beginCorrection: order("FF35 begin correction", password),
  correctionV2: order("FF4A correction by sums", sumsRequest),
  correctionV3: order("FF77 correction by sums, with 5 and 7 %", sumsRequest),
  correctionV4: order("FF7C correction by sums, with 22 %", sumsRequest),
  cancelReceipt: order("88 cancel receipt", password, { repeatable: true }),
  sendTag: order("FF0C tag", tagRequest),
  sendItemTag: order("FF4D item tag", tagRequest),
  beginLongTag: order("FF32 begin long data", (w, p: Password & { readonly size: number }) =>
    password(w, p).u16(p.size),
  ),
  longTagBlock: order("FF33 long data", (w, p: Password & { readonly offset: number; readonly data: Uint8Array }) =>
    password(w, p).u16(p.offset).u8(p.data.length).raw(p.data),
  ),
  sendLongTag: order("FF64 send long data", password),

  checkMark: row(
    "FF61 check mark",
    (w, p: Password & MarkCheck) =>
      password(w, p).u8(p.plannedStatus).u8(0).u8(p.mark.length).u8(p.tags.length).raw(p.mark).raw(p.tags),
    (r) => {
      const local = r.u8();
      r.skip(1 + 1);
      const length = r.u8();
      const online = length >= 2 ? { driveAnswer: r.u8(), result: r.u8() } : null;
      // When the drive answered anything but 0, the byte after it is a reason, not a result. An autonomous register
      // asks no server.
      return { local, online: online?.driveAnswer === 0 ? online.result : null, standsAlone: length === 0 };
    },
    { timeout: "marking" },
  ),
  decideMark: order("FF69 decide on mark", (w, p: Password & { readonly decision: "reject" | "accept" | "clear" }) =>
    password(w, p).u8({ reject: 0, accept: 1, clear: 2 }[p.decision]),
  ),
  bindMark: order(
    "FF67 bind mark",
    (w, p: Password & { readonly mark: Uint8Array }) => password(w, p).u8(p.mark.length).raw(p.mark),
    { timeout: "marking" },
  ),
} as const;

function money(reader: ByteReader): Kopecks {
  return kopecks(reader.uint(5));
}

function sumsRequest(w: ByteWriter, p: Password & SumsCorrection): ByteWriter {
  password(w, p).u8(p.type).u8(p.operation);
  for (const sum of [p.total, ...p.payments, ...p.rates]) w.uint(sum, 5);
  return w.u8(p.taxSystem);
}

function tagRequest(w: ByteWriter, p: Password & { readonly tlv: Uint8Array }): ByteWriter {
  return password(w, p).raw(p.tlv);
}

function sumRequest(w: ByteWriter, p: Password & { readonly sum: Kopecks }): ByteWriter {
  return password(w, p).uint(p.sum, 5);
}
