import { type LocalTime, secondsBetween } from "@fiscald/shared/local-time.js";
import { type CommandRow, command, nothing } from "../command-table.js";
import type { PiritDevice } from "../device.js";
import { dateField, timeField } from "../fields.js";
import { readSetting, writeSetting } from "../items.js";
import { badFormat, fail, type Outcome, ok } from "../outcomes.js";

const MAX_GAP_SECONDS = 8 * 60;
const DAY_SECONDS = 24 * 3600;

export const statusCommands: readonly CommandRow[] = [
  command({
    code: "00",
    name: "status",
    ms: 2,
    read: nothing,
    run: (device) => ok(0, device.flags, device.documentStatus),
  }),
  command({ code: "04", name: "printer-state", ms: 2, read: nothing, run: printerState }),
  command({
    code: "06",
    name: "error-info",
    ms: 2,
    read: (fields) => fields.integer(),
    run: ({ reason }, query) => (query === 1 ? ok(1, reason, reason === 0 ? "" : `ПРИЧИНА ${reason}`) : badFormat(66)),
  }),
  command({ code: "10", name: "start-work", ms: 20, read: (fields) => fields.dateTime(), run: startWork }),
  command({
    code: "11",
    name: "read-setting",
    read: (fields) => ({ item: fields.integer(), index: fields.integer() }),
    run: (device, { item, index }) => {
      const value = readSetting(device, item, index);
      return value === null ? badFormat(66) : ok(value);
    },
  }),
  command({
    code: "12",
    name: "write-setting",
    read: (fields) => ({ item: fields.integer(), index: fields.integer(), value: fields.text() }),
    run: (device, { item, index, value }) => (writeSetting(device, item, index, value) ? ok() : badFormat(38)),
  }),
  command({
    code: "13",
    name: "clock",
    ms: 2,
    read: nothing,
    run: ({ core }) => ok(dateField(core.now()), timeField(core.now())),
  }),
  command({ code: "14", name: "set-time", needs: "work", read: (fields) => fields.dateTime(), run: setTime }),
];

function printerState(device: PiritDevice): Outcome {
  const mask = device.printerMask;
  if (mask === 0 || device.settings["printer-status-error"] === "00") return ok(mask);
  return { error: 0x09, reason: 0, data: [String(mask)] };
}

function startWork(device: PiritDevice, time: LocalTime | null): Outcome {
  const { core } = device;
  if (time === null) return badFormat(39);
  if (isBeforeLastDocument(device, time)) return fail(0x0c);
  device.started = true;
  const gap = secondsBetween(core.now(), time);
  if (Math.abs(gap) >= MAX_GAP_SECONDS) return fail(0x0b);
  core.advanceClock(gap);
  return ok();
}

function setTime(device: PiritDevice, time: LocalTime | null): Outcome {
  const { core } = device;
  if (time === null) return badFormat(39);
  if (core.shift !== "closed") return fail(0x0f);
  if (isBeforeLastDocument(device, time)) return fail(0x0c);
  const leaps = secondsBetween(core.now(), time) > DAY_SECONDS && device.doubtedTime !== time;
  device.doubtedTime = leaps ? time : null;
  if (leaps) return fail(0x0a);
  core.setTime(time);
  return ok();
}

function isBeforeLastDocument({ core }: PiritDevice, time: LocalTime): boolean {
  return core.lastDocumentAt !== null && secondsBetween(core.lastDocumentAt, time) < 0;
}
