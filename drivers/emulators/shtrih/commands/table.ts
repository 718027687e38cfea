import { secondsBetween } from "@fiscald/shared/local-time.js";
import { fixedText, integer, withDate, withTimeOfDay } from "../bytes.js";
import { type CommandContext, type CommandRow, fail, type Outcome, ok, outcomeOf } from "../command-table.js";

/** Setting with the date that 22h (set date) has set and 23h (confirm date) has not confirmed yet. */
const DATE_KEY = "date-to-confirm";

export const tableCommands: readonly CommandRow[] = [
  { code: 0x1e, name: "write-table", password: "sys", min: 4, modes: [2, 3, 4, 6, 8], ms: 10, run: writeTable },
  {
    code: 0x1f,
    name: "read-table",
    password: "sys",
    min: 4,
    ms: 5,
    run: ({ device, fields }) => {
      const value = device.readField(fields.integer(1), fields.integer(2), fields.integer(1));
      return value === null ? fail(0x5d) : ok(value);
    },
  },
  {
    code: 0x2d,
    name: "table-info",
    password: "sys",
    min: 1,
    run: ({ device, fields }) => {
      const table = device.tables.get(fields.integer(1));
      if (table === undefined) return fail(0x5d);
      return ok(fixedText(table.name, 40), integer(table.rows, 2), [table.fields.length]);
    },
  },
  {
    code: 0x21,
    name: "set-time",
    password: "sys",
    min: 3,
    modes: [4],
    run: ({ device, fields }) => {
      const time = withTimeOfDay(device.core.now(), fields.take(3));
      return time === null ? fail(0x33) : outcomeOf(device.core.setTime(time));
    },
  },
  {
    code: 0x22,
    name: "set-date",
    password: "sys",
    min: 3,
    modes: [4],
    run: ({ device, fields }) => {
      const bytes = fields.take(3);
      if (withDate(device.core.now(), bytes) === null) return fail(0x7d);
      device.core.setMakerSetting(DATE_KEY, Buffer.from(bytes).toString("hex"));
      return ok();
    },
  },
  { code: 0x23, name: "confirm-date", password: "sys", min: 3, modes: [6], run: confirmDate },
];

function writeTable({ device, fields }: CommandContext): Outcome {
  if (device.core.receipt !== null && device.settings["write-table-in-receipt"] === "refused") return fail(0x73);
  const [table, row, number] = [fields.integer(1), fields.integer(2), fields.integer(1)];
  const field = device.tables.get(table)?.fields[number - 1];
  if (field === undefined || device.readField(table, row, number) === null) return fail(0x5d);
  // The name of cash and the drive's own facts cannot be written.
  if (field.readOnly || (table === 5 && row === 1)) return fail(0x7a);
  if (table === 6 && device.core.shift !== "closed") return fail(0xc7);
  const value = fields.rest();
  if (field.type === "BIN" && value.length !== field.size) return fail(0x7e);
  const padded = new Uint8Array(field.size);
  padded.set(value.subarray(0, field.size));
  device.writeField(table, row, number, padded);
  return ok();
}

function confirmDate({ device, fields }: CommandContext): Outcome {
  const bytes = fields.take(3);
  if (device.core.makerSetting(DATE_KEY) !== Buffer.from(bytes).toString("hex")) return fail(0x7c);
  const { core } = device;
  const time = withDate(core.now(), bytes);
  if (time === null) return fail(0x7d);
  core.dropMakerSetting(DATE_KEY);
  core.advanceClock(secondsBetween(core.now(), time));
  return ok();
}
