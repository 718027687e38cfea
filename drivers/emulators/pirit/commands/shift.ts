/** Shift and reports: commands 20 (X report), 21 (Z report), 23 (open shift). Their answers have no data. */
import type { FiscalTag } from "../../memory/fiscal-tag.js";
import { type CommandRow, command } from "../command-table.js";
import { cashierTags, type PiritDevice } from "../device.js";
import type { Fields } from "../fields.js";
import { type Outcome, wrongState } from "../outcomes.js";
import { rememberReport } from "./query.js";

const CLOSING_MS = 366;
const NO_CASHIER = 33;
const OPERATOR_BYTES = 77;

export const shiftCommands: readonly CommandRow[] = [
  command({ code: "20", name: "x-report", needs: "print", ms: 50, read: readOperator, run: printXReport }),
  command({ code: "21", name: "close-shift", needs: "work", ms: CLOSING_MS, read: readReport, run: closeShift }),
  command({ code: "23", name: "open-shift", needs: "print", ms: CLOSING_MS, read: readReport, run: openShift }),
];

function readOperator(fields: Fields): string {
  return fields.text(OPERATOR_BYTES);
}

function readReport(fields: Fields): { readonly operator: string; readonly tags: readonly FiscalTag[] } {
  const operator = fields.text(OPERATOR_BYTES);
  return { operator, tags: cashierTags(operator) };
}

function openShift(device: PiritDevice, { operator, tags }: ReturnType<typeof readReport>): Outcome {
  if (device.document !== null) return wrongState(9);
  if (operator === "") return wrongState(NO_CASHIER);
  const opened = device.core.openShift({ paper: device.printsDocuments, tags });
  if (!opened.ok && opened.refusal === "shift-open") return wrongState(9);
  // Neither 21 nor 31 would continue the stopped print of a shift's opening: the next print continues it.
  return device.afterPrint(opened);
}

function closeShift(device: PiritDevice, { operator, tags }: ReturnType<typeof readReport>): Outcome {
  const { core } = device;
  if (device.haltedDocument?.type === "shift-close") return device.afterPrint(core.continuePrint());
  const refusal = device.printerRefusal;
  if (refusal !== null) return refusal;
  if (device.document !== null) return wrongState(9);
  if (operator === "") return wrongState(NO_CASHIER);
  return device.afterPrint(core.closeShift({ paper: device.printsDocuments, tags }), () => rememberReport(device));
}

function printXReport(device: PiritDevice): Outcome {
  if (device.document !== null) return wrongState(9);
  return device.afterPrint(device.core.printReport("ОТЧЕТ БЕЗ ГАШЕНИЯ"), () => rememberReport(device));
}
