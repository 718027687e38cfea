/** Shift and reports: protocols/pirit.md 6, commands 20, 21, 23, 59. None of them has data in its answer. */
import { formatRoubles } from "@fiscald/shared/amounts.js";
import type { FiscalTag } from "../../../emulator/memory/fiscal-tag.js";
import { centredRow, leftRightRows } from "../../../emulator/paper/tape.js";
import { type CommandRow, command, type Outcome, ok, refuse, wrongState } from "../command-table.js";
import { cashierTags, type PiritDevice } from "../device.js";
import type { Fields } from "../fields.js";
import { rememberReport } from "./query.js";

const CLOSING_MS = 366;
const NO_CASHIER = 33;
const OPERATOR_BYTES = 77;

export const shiftCommands: readonly CommandRow[] = [
  command({ code: "20", name: "x-report", needs: "print", ms: 50, read: readOperator, run: printXReport }),
  command({ code: "21", name: "close-shift", needs: "work", ms: CLOSING_MS, read: readReport, run: closeShift }),
  command({ code: "23", name: "open-shift", needs: "print", ms: CLOSING_MS, read: readReport, run: openShift }),
  command({
    code: "59",
    name: "settlement-report",
    needs: "print",
    ms: CLOSING_MS,
    read: readReport,
    run: (device, { tags }) => {
      const made = device.core.settlementReport({ paper: device.printsDocuments, tags });
      return made.ok ? device.afterPrint(ok()) : refuse(made.refusal);
    },
  }),
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
  if (!opened.ok) return opened.refusal === "shift-open" ? wrongState(9) : refuse(opened.refusal);
  // The paper of an opened shift is nothing that 21 or 31 would continue: it goes on with the next print.
  return device.afterPrint(ok());
}

function closeShift(device: PiritDevice, { operator, tags }: ReturnType<typeof readReport>): Outcome {
  const { core } = device;
  if (device.haltedDocument?.type === "shift-close") {
    const continued = core.continuePrint();
    return continued.ok ? device.afterPrint(ok()) : refuse(continued.refusal);
  }
  const refusal = device.printerRefusal;
  if (refusal !== null) return refusal;
  if (device.document !== null) return wrongState(9);
  if (operator === "") return wrongState(NO_CASHIER);
  const closed = core.closeShift({ paper: device.printsDocuments, tags });
  if (!closed.ok) return refuse(closed.refusal);
  rememberReport(device);
  return device.afterPrint(ok());
}

function printXReport(device: PiritDevice): Outcome {
  const { core } = device;
  if (device.document !== null) return wrongState(9);
  const { counters } = core.shiftRecord;
  const { columns } = core.tape;
  const printed = core.printSlip([
    centredRow("ОТЧЕТ БЕЗ ГАШЕНИЯ", columns, { bold: true }),
    ...leftRightRows(`ПРИХОД ${counters.sale.count}`, `=${formatRoubles(counters.sale.total)}`, columns),
    ...leftRightRows(`ВОЗВРАТ ПРИХОДА ${counters.return.count}`, `=${formatRoubles(counters.return.total)}`, columns),
    ...leftRightRows("НАЛИЧНЫЕ В КАССЕ", `=${formatRoubles(core.cash)}`, columns),
    { type: "cut" },
  ]);
  if (!printed.ok) return refuse(printed.refusal);
  rememberReport(device);
  return device.afterPrint(ok());
}
