/** The options of the commands: how each is typed, and how its value is read. A command's row names its options. */
import { wrongValue } from "@fiscald/shared/command-line.js";
import { z } from "zod";
import { commandReasons } from "../messages/reasons/command-reasons.js";

const text = z.string().optional();
const number = z.number().optional();
const flag = z.boolean().default(false);
const texts = z.array(z.string()).default([]);

export interface OptionRow {
  readonly flags: string;
  readonly schema: z.ZodType;
  readonly parse?: (value: string) => unknown;
}

export const optionRows = {
  config: { flags: "--config <path>", schema: text },
  lang: { flags: "--lang <language>", schema: text },
  json: { flags: "--json", schema: flag },
  out: { flags: "--out <path>", schema: text },
  host: { flags: "--host <host[:port]>", schema: texts },
  port: { flags: "--port <path>", schema: texts },
  schema: { flags: "--schema", schema: flag },
  on: { flags: "--on <date>", schema: text },
  operator: { flags: "--operator", schema: flag },
  state: { flags: "--state <state>", schema: text },
  site: { flags: "--site <id>", schema: text },
  register: { flags: "--register <id>", schema: text },
  order: { flags: "--order <id>", schema: text },
  follow: { flags: "-f, --follow", schema: flag },
  level: { flags: "--level <level>", schema: text },
  days: { flags: "--days <count>", schema: number, parse: wholeNumber },
  undo: { flags: "--undo", schema: flag },
  lost: { flags: "--lost", schema: flag },
  dryRun: { flags: "--dry-run", schema: flag },
  since: { flags: "--since <time>", schema: text },
  items: { flags: "--items <items>", schema: text },
  fixes: { flags: "--fixes", schema: flag },
  asCorrection: { flags: "--as-correction", schema: flag },
  case: { flags: "--case <word>", schema: text },
  document: { flags: "--document <fd>", schema: number, parse: wholeNumber },
  date: { flags: "--date <date>", schema: text },
  set: { flags: "--set <name=value>", schema: texts },
  pay: { flags: "--pay <kind>", schema: texts },
  add: { flags: "--add <line>", schema: texts },
  at: { flags: "--at <register>", schema: text },
  contact: { flags: "--contact <text>", schema: text },
  internet: { flags: "--internet <address>", schema: text },
  instruction: { flags: "--instruction <number>", schema: text },
  printed: { flags: "--printed <fd>", schema: number, parse: wholeNumber },
  notPrinted: { flags: "--not-printed", schema: flag },
  checked: { flags: "--checked <fd>", schema: texts },
  fn: { flags: "--fn <serial>", schema: text },
  sign: { flags: "--sign <number>", schema: text },
  shift: { flags: "--shift <number>", schema: number, parse: wholeNumber },
  time: { flags: "--time <time>", schema: text },
  receiptNumber: { flags: "--receipt-number <number>", schema: number, parse: wholeNumber },
  orders: { flags: "--orders [jobs...]", schema: z.union([z.literal(true), z.array(z.string())]).optional() },
  yes: { flags: "--yes", schema: flag },
  reason: { flags: "--reason <text>", schema: text },
} as const satisfies Record<string, OptionRow>;

export type OptionName = keyof typeof optionRows;
type Schemas<Rows extends Record<string, OptionRow>> = { [Key in keyof Rows]: Rows[Key]["schema"] };

export function isRepeated({ schema }: OptionRow): boolean {
  return schema === texts;
}

export const cliOptions = z.object(schemasOf(optionRows));
export type CliOptions = z.output<typeof cliOptions>;

function schemasOf<Rows extends Record<string, OptionRow>>(rows: Rows): Schemas<Rows>;
function schemasOf(rows: Record<string, OptionRow>): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(rows).map(([name, { schema }]) => [name, schema]));
}

export function wholeNumber(text: string): number {
  // An empty text is refused. A script's empty variable would give 0, which means "no document" and "cash".
  if (!/^\d{1,15}$/.test(text)) throw wrongValue(commandReasons.wholeNumber);
  return Number(text);
}
