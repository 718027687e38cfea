/** Commands of the register itself: identity, state, tables and clock (Shtrih-M protocol, 6, 7.1, 7.3). */
import { kopecks } from "@fiscald/shared/amounts.js";
import { type LocalTime, localTimeOf } from "@fiscald/shared/local-time.js";
import type { ByteReader, ByteWriter } from "../../codec/byte-cursor.js";
import { order, type Password, password, question } from "./command-row.js";
import { readModelParameters } from "./model-parameters.js";

export interface TableField {
  readonly table: number;
  readonly row: number;
  readonly field: number;
}

export const statusCommands = {
  shortStatus: question(
    "10 short status",
    password,
    (r) => {
      const fixed = { operator: r.u8(), flags: r.u16(), mode: r.u8(), submode: r.u8() };
      const rest = r.rest();
      const operations = (rest[0] ?? 0) | ((rest[5] ?? 0) << 8);
      return { ...fixed, operations, printResult: rest[9] ?? null };
    },
    "status",
  ),
  longStatus: question(
    "11 long status",
    password,
    (r) => {
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
    "status",
  ),
  errorText: question(
    "6B error text",
    (w, p: { readonly error: number }) => w.u8(p.error),
    (r) => r.text(r.remaining, "cp1251"),
    "status",
  ),
  deviceType: question(
    "FC device type",
    (w) => w,
    (r) => ({
      type: r.u8(),
      subtype: r.u8(),
      protocol: r.u8(),
      subprotocol: r.u8(),
      model: r.u8(),
      language: r.u8(),
      name: r.text(r.remaining, "cp1251"),
    }),
    "status",
  ),
  modelParameters: question("F7 model parameters", (w) => w.u8(1), readModelParameters, "status"),
  fontParameters: question(
    "26 font parameters",
    (w, p: Password & { readonly font: number }) => password(w, p).u8(p.font),
    (r) => ({ printWidth: r.u16(), charWidth: r.u8(), charHeight: r.u8(), fontCount: r.u8() }),
  ),
  moneyRegister: question(
    "1A money register",
    (w, p: Password & { readonly register: number }) => password(w, p).u8(p.register),
    (r) => kopecks(r.skip(1).uint(6)),
  ),

  readTable: question(
    "1F read table",
    (w, p: Password & TableField) => tableField(password(w, p), p),
    (r) => r.rest(),
  ),
  writeTable: order(
    "1E write table",
    (w, p: Password & TableField & { readonly value: Uint8Array }) => tableField(password(w, p), p).raw(p.value),
    { repeatable: true },
  ),
  tableInfo: question(
    "2D table info",
    (w, p: Password & { readonly table: number }) => password(w, p).u8(p.table),
    (r) => ({ rows: r.skip(40).u16() }),
  ),
  setTime: order(
    "21 set time",
    (w, p: Password & { readonly hour: number; readonly minute: number; readonly second: number }) =>
      password(w, p).u8(p.hour).u8(p.minute).u8(p.second),
    { repeatable: true },
  ),
  setDate: order("22 set date", dmyRequest),
  confirmDate: order("23 confirm date", dmyRequest),
} as const;

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
