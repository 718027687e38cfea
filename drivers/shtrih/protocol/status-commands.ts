/** Commands of the register itself: identity, state, tables and clock (reference, sections 6, 7.1, 7.3). */
import { kopecks } from "@fiscald/shared/amounts.js";
import { type LocalTime, localTimeOf } from "@fiscald/shared/local-time.js";
import type { ByteReader, ByteWriter } from "../../codec/byte-cursor.js";
import { act, type Password, password, read, row } from "./command-row.js";
import { readModelParameters } from "./model-parameters.js";

export interface TableField {
  readonly table: number;
  readonly row: number;
  readonly field: number;
}

export const statusCommands = {
  shortStatus: row({
    ...read,
    name: "10 short status",
    code: [0x10],
    timeout: "status",
    answer: (r) => {
      const fixed = { operator: r.u8(), flags: r.u16(), mode: r.u8(), submode: r.u8() };
      const rest = r.rest();
      const operations = (rest[0] ?? 0) | ((rest[5] ?? 0) << 8);
      return { ...fixed, operations, printResult: rest[9] ?? null };
    },
  }),
  longStatus: row({
    ...read,
    name: "11 long status",
    code: [0x11],
    timeout: "status",
    answer: (r) => {
      const operator = r.u8();
      const firmware = r.text(2, "cp1251");
      const build = r.u16();
      r.skip(3 + 1 + 2);
      const state = { flags: r.u16(), mode: r.u8(), submode: r.u8() };
      r.skip(1 + 2 + 2 + 3);
      const clock = readClock(r);
      r.skip(1);
      const version = `${firmware.split("").join(".")} build ${build}`;
      return { operator, firmware: version, build, ...state, clock, serial: r.u32() };
    },
  }),
  /** The register's own words for one of its errors. */
  errorText: row({
    ...read,
    name: "6B error text",
    code: [0x6b],
    timeout: "status",
    request: (w, p: { readonly error: number }) => w.u8(p.error),
    answer: (r) => r.text(r.remaining, "cp1251"),
  }),
  deviceType: row({
    ...read,
    name: "FC device type",
    code: [0xfc],
    timeout: "status",
    request: (w) => w,
    answer: (r) => ({
      type: r.u8(),
      subtype: r.u8(),
      protocol: r.u8(),
      subprotocol: r.u8(),
      model: r.u8(),
      language: r.u8(),
      name: r.text(r.remaining, "cp1251"),
    }),
  }),
  modelParameters: row({
    ...read,
    name: "F7 model parameters",
    code: [0xf7],
    timeout: "status",
    request: (w) => w.u8(1),
    answer: readModelParameters,
  }),
  fontParameters: row({
    ...read,
    name: "26 font parameters",
    code: [0x26],
    request: (w, p: Password & { readonly font: number }) => password(w, p).u8(p.font),
    answer: (r) => ({ printWidth: r.u16(), charWidth: r.u8(), charHeight: r.u8(), fontCount: r.u8() }),
  }),
  moneyRegister: row({
    ...read,
    name: "1A money register",
    code: [0x1a],
    request: (w, p: Password & { readonly register: number }) => password(w, p).u8(p.register),
    answer: (r) => kopecks(r.skip(1).uint(6)),
  }),

  readTable: row({
    ...read,
    name: "1F read table",
    code: [0x1f],
    request: (w, p: Password & TableField) => tableField(password(w, p), p),
    answer: (r) => r.rest(),
  }),
  writeTable: row({
    ...act,
    name: "1E write table",
    code: [0x1e],
    repeatable: true,
    request: (w, p: Password & TableField & { readonly value: Uint8Array }) =>
      tableField(password(w, p), p).raw(p.value),
  }),
  tableInfo: row({
    ...read,
    name: "2D table info",
    code: [0x2d],
    request: (w, p: Password & { readonly table: number }) => password(w, p).u8(p.table),
    answer: (r) => ({ rows: r.skip(40).u16() }),
  }),
  setTime: row({
    ...act,
    name: "21 set time",
    code: [0x21],
    repeatable: true,
    request: (w, p: Password & { readonly hour: number; readonly minute: number; readonly second: number }) =>
      password(w, p).u8(p.hour).u8(p.minute).u8(p.second),
  }),
  setDate: row({ ...act, name: "22 set date", code: [0x22], request: dmyRequest }),
  confirmDate: row({ ...act, name: "23 confirm date", code: [0x23], request: dmyRequest }),
} as const;

/** Null when it shows no date at all. */
function readClock(r: ByteReader): LocalTime | null {
  const [day, month, year] = [r.u8(), r.u8(), r.u8()];
  return localTimeOf({ day, month, year: 2000 + year, hour: r.u8(), minute: r.u8(), second: r.u8() });
}

function tableField(writer: ByteWriter, { table, row: tableRow, field }: TableField): ByteWriter {
  return writer.u8(table).u16(tableRow).u8(field);
}

function dmyRequest(
  w: ByteWriter,
  p: Password & { readonly year: number; readonly month: number; readonly day: number },
) {
  return password(w, p)
    .u8(p.day)
    .u8(p.month)
    .u8(p.year - 2000);
}
