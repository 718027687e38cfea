/** Commands of shifts, cash, receipts and marking codes (reference, section 8.1 to 8.6 and 8.10). */
import { type Kopecks, kopecks, type Quantity } from "@fiscald/shared/amounts.js";
import type { ByteReader, ByteWriter } from "../../codec/byte-cursor.js";
import { act, type Password, password, read, row } from "./command-row.js";

/** "Compute it yourself" or "absent" in five-byte sums. */
const NOT_GIVEN = [0xff, 0xff, 0xff, 0xff, 0xff];
const PAYMENT_TYPES = 16;

export interface ItemParameters {
  /** 1 sale, 2 sale return. */
  readonly operation: number;
  readonly quantity: Quantity;
  readonly price: Kopecks;
  /** May differ by a kopeck from price x quantity; ours never does. */
  readonly sum: Kopecks;
  readonly taxCode: number;
  readonly department: number;
  /** Tag 1214. */
  readonly method: number;
  /** Tag 1212. */
  readonly subject: number;
  readonly name: string;
}

/** Tag 2003 and the fields that the check of measured goods needs. */
export interface MarkCheck {
  /** 1 piece sold, 2 measured sold, 3 piece returned, 4 measured returned. */
  readonly plannedStatus: number;
  readonly mark: Uint8Array;
  readonly tags: Uint8Array;
}

export const receiptCommands = {
  xReport: row({ ...act, name: "40 X report", code: [0x40], timeout: "report" }),
  sectionReport: row({ ...act, name: "42 sections report", code: [0x42], timeout: "report" }),
  cashierReport: row({ ...act, name: "44 cashiers report", code: [0x44], timeout: "report" }),
  hourReport: row({ ...act, name: "45 hours report", code: [0x45], timeout: "report" }),
  zReport: row({ ...act, name: "41 Z report", code: [0x41], timeout: "report" }),
  openShift: row({ ...act, name: "E0 open shift", code: [0xe0], timeout: "openShift" }),
  beginOpenShift: row({ ...act, name: "FF41 begin shift opening", code: [0xff, 0x41] }),
  beginCloseShift: row({ ...act, name: "FF42 begin shift closing", code: [0xff, 0x42] }),
  shiftParameters: row({
    ...read,
    name: "FF40 shift parameters",
    code: [0xff, 0x40],
    answer: (r) => ({ open: r.u8() === 1, shift: r.u16(), receipt: r.u16() }),
  }),
  cashIn: row({ ...act, name: "50 cash in", code: [0x50], request: sumRequest }),
  cashOut: row({ ...act, name: "51 cash out", code: [0x51], request: sumRequest }),

  openReceipt: row({
    ...act,
    name: "8D open receipt",
    code: [0x8d],
    request: (w, p: Password & { readonly type: number }) => password(w, p).u8(p.type),
  }),
  registerItem: row({
    ...act,
    name: "FF46 item",
    code: [0xff, 0x46],
    request: (w, p: Password & ItemParameters) =>
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
  }),
  subtotal: row({ ...read, name: "89 subtotal", code: [0x89], answer: (r) => money(r.skip(1)) }),
  closeReceipt: row({
    ...act,
    name: "FF45 close receipt",
    code: [0xff, 0x45],
    request: (w, p: Password & { readonly sums: ReadonlyMap<number, Kopecks>; readonly taxSystem: number }) => {
      password(w, p);
      for (let type = 1; type <= PAYMENT_TYPES; type += 1) w.uint(p.sums.get(type) ?? 0, 5);
      // No rounding; the taxes are counted by the register.
      return w
        .u8(0)
        .raw(new Array(6 * 5).fill(0))
        .u8(p.taxSystem);
    },
    answer: (r) => ({ change: money(r), fd: r.u32(), fiscalSign: r.u32() }),
  }),
  cancelReceipt: row({ ...act, name: "88 cancel receipt", code: [0x88], repeatable: true }),
  sendTag: row({ ...act, name: "FF0C tag", code: [0xff, 0x0c], request: tagRequest }),
  sendItemTag: row({ ...act, name: "FF4D item tag", code: [0xff, 0x4d], request: tagRequest }),
  beginLongTag: row({
    ...act,
    name: "FF32 begin long data",
    code: [0xff, 0x32],
    request: (w, p: Password & { readonly size: number }) => password(w, p).u16(p.size),
  }),
  longTagBlock: row({
    ...act,
    name: "FF33 long data",
    code: [0xff, 0x33],
    request: (w, p: Password & { readonly offset: number; readonly data: Uint8Array }) =>
      password(w, p).u16(p.offset).u8(p.data.length).raw(p.data),
  }),
  sendLongTag: row({ ...act, name: "FF64 send long data", code: [0xff, 0x64] }),

  checkMark: row({
    ...act,
    name: "FF61 check mark",
    code: [0xff, 0x61],
    timeout: "marking",
    request: (w, p: Password & MarkCheck) =>
      password(w, p).u8(p.plannedStatus).u8(0).u8(p.mark.length).u8(p.tags.length).raw(p.mark).raw(p.tags),
    answer: (r) => {
      const local = r.u8();
      r.skip(1 + 1);
      const length = r.u8();
      const online = length >= 2 ? { driveAnswer: r.u8(), result: r.u8() } : null;
      // With any other answer of the drive the byte after it is a reason, not a result. An autonomous register asks
      // no server.
      return { local, online: online?.driveAnswer === 0 ? online.result : null, standsAlone: length === 0 };
    },
  }),
  decideMark: row({
    ...act,
    name: "FF69 decide on mark",
    code: [0xff, 0x69],
    request: (w, p: Password & { readonly decision: "reject" | "accept" | "clear" }) =>
      password(w, p).u8({ reject: 0, accept: 1, clear: 2 }[p.decision]),
  }),
  bindMark: row({
    ...act,
    name: "FF67 bind mark",
    code: [0xff, 0x67],
    timeout: "marking",
    request: (w, p: Password & { readonly mark: Uint8Array }) => password(w, p).u8(p.mark.length).raw(p.mark),
  }),
} as const;

function money(reader: ByteReader): Kopecks {
  return kopecks(reader.uint(5));
}

function tagRequest(w: ByteWriter, p: Password & { readonly tlv: Uint8Array }): ByteWriter {
  return password(w, p).raw(p.tlv);
}

function sumRequest(w: ByteWriter, p: Password & { readonly sum: Kopecks }): ByteWriter {
  return password(w, p).uint(p.sum, 5);
}
