/** Commands of the status, the settings and the clock: 00 to 14. */
import type { LocalTime } from "@fiscald/shared/local-time.js";
import { act, noFields, nothing, read, row } from "./command-rows.js";
import { errors } from "./device-errors.js";

export const statusCommands = {
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
