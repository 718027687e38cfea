import { kopecks } from "@fiscald/shared/amounts.js";
import type { StoredDocument } from "../../memory/documents.js";
import type { CoreAnswer } from "../../memory/refusals.js";
import { integer } from "../bytes.js";
import { type CommandContext, type CommandRow, fail, type Outcome, ok, outcomeOf } from "../command-table.js";
import type { ShtrihDevice } from "../device.js";

const opening = { modes: [4], paper: "document", ms: 366 } as const;
const cash = { password: "op", operatorByte: true, modes: [2, 3, 4], min: 5, paper: "print", ms: 50 } as const;
const report = { password: "adm", operatorByte: true, paper: "print", modes: [2, 3, 4], ms: 50 } as const;

export const shiftCommands: readonly CommandRow[] = [
  {
    ...opening,
    code: 0xe0,
    name: "open-shift",
    password: "op",
    run: (context) =>
      outcomeOf(makeShiftDocument("openShift", context), () =>
        context.device.settings["open-shift-answer"] === "3" ? ok([context.operator]) : ok(),
      ),
  },
  {
    code: 0xff41,
    name: "begin-open-shift",
    password: "sys",
    modes: [4],
    run: ({ device }) => beginShiftDocument(device, "opening"),
  },
  {
    code: 0xff42,
    name: "begin-close-shift",
    password: "sys",
    modes: [2, 3],
    run: ({ device }) => beginShiftDocument(device, "closing"),
  },
  {
    ...opening,
    modes: [2, 3],
    code: 0x41,
    name: "close-shift",
    password: "adm",
    operatorByte: true,
    run: (context) => outcomeOf(makeShiftDocument("closeShift", context)),
  },
  {
    code: 0xff40,
    name: "shift-state",
    password: "sys",
    run: ({ device }) => {
      const { shift, shiftRecord } = device.core;
      return ok([shift === "closed" ? 0 : 1], integer(shiftRecord.number, 2), integer(shiftRecord.receipts, 2));
    },
  },
  { ...cash, code: 0x50, name: "cash-in", run: (context) => moveCash(context, "in") },
  { ...cash, code: 0x51, name: "cash-out", run: (context) => moveCash(context, "out") },
  {
    ...report,
    code: 0x40,
    name: "x-report",
    modes: [2, 3],
    run: ({ device }) => printReport(device, "СУТОЧНЫЙ ОТЧЁТ БЕЗ ГАШЕНИЯ"),
  },
  { ...report, code: 0x42, name: "section-report", run: ({ device }) => printReport(device, "ОТЧЁТ ПО СЕКЦИЯМ") },
  { ...report, code: 0x44, name: "cashier-report", run: ({ device }) => printReport(device, "ОТЧЁТ ПО КАССИРАМ") },
  { ...report, code: 0x45, name: "hour-report", run: ({ device }) => printReport(device, "ПОЧАСОВОЙ ОТЧЁТ") },
];

/** Also called by the first receipt, which opens its shift. */
export function makeShiftDocument(
  action: "openShift" | "closeShift",
  { device, operator }: Pick<CommandContext, "device" | "operator">,
): CoreAnswer<StoredDocument> {
  const made = device.core[action]({ paper: device.printsDocuments, tags: device.cashierTags(operator) });
  if (made.ok) {
    device.shiftDocument = "none";
    device.documentMade();
  }
  return made;
}

function beginShiftDocument(device: ShtrihDevice, document: ShtrihDevice["shiftDocument"]): Outcome {
  device.shiftDocument = document;
  return ok();
}

function moveCash({ device, fields }: CommandContext, direction: "in" | "out"): Outcome {
  const sum = kopecks(fields.integer(5));
  if (sum === 0) return fail(0x33);
  return outcomeOf(device.core.moveCash(direction, sum), (number) => ok(integer(number % 10_000, 2)));
}

function printReport({ core }: ShtrihDevice, title: string): Outcome {
  return outcomeOf(core.printReport(title));
}
