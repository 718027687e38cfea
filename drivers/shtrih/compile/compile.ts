/** Compiles orders into programs, one for each effect that needs its own witness (`program.ts`). Pure. */
import { type LocalTime, partsOf } from "@fiscald/shared/local-time.js";
import type { Cashier, PaperLine, Receipt, ReportKind } from "@fiscald/shared/receipt/receipt.js";
import { isOfSums, requireCorrection } from "../../compile/corrections.js";
import { compileOrder } from "../../compile/service-parts.js";
import type { CompileContext } from "../../fiscal-driver.js";
import { fiscalProgram, type Program, plainProgram } from "../../program.js";
import { commands } from "../protocol/commands.js";
import { compileCorrection } from "./compile-correction.js";
import { paperSteps } from "./compile-paper.js";
import { compileReceipt } from "./compile-receipt.js";
import { cashierTags } from "./compile-tags.js";
import {
  awaitPrinter,
  type CompilerSetup,
  fiscal,
  paperContextOf,
  type ShtrihCommand,
  type ShtrihStep,
  send,
  switchPaper,
} from "./steps.js";

type ShtrihProgram = Program<ShtrihCommand>;

export function compile(receipt: Receipt, context: CompileContext, setup: CompilerSetup): readonly ShtrihProgram[] {
  const { identity } = setup.facts;
  const { operatorPassword, adminPassword } = setup.options;
  return compileOrder(receipt, context, {
    sale(sale) {
      requireCorrection(sale, identity);
      return (isOfSums(sale, identity) ? compileCorrection : compileReceipt)(sale, context, setup);
    },
    openShift: (cashier) => openShiftProgram(cashier, setup),
    cash({ direction, sum }) {
      const row = direction === "in" ? commands.cashIn : commands.cashOut;
      const step = fiscal(`cash-${direction}`, row.encode({ password: operatorPassword, sum }));
      return fiscalProgram({ type: "cash", direction, sum }, ready(setup), step);
    },
    report: (report) => (report === "z" ? zProgram(context.cashier, setup) : reportProgram(report, setup)),
    setTime: () => plainProgram({ type: "set-time" }, timeSteps(context.localTime, adminPassword)),
    print: (lines, number) => printProgram(lines, number, context, setup),
  });
}

/** The document's tags name the cashier; without them the register puts its own operator there. */
function openShiftProgram(cashier: Cashier | null, setup: CompilerSetup): ShtrihProgram {
  const { operatorPassword, adminPassword } = setup.options;
  const begin = commands.beginOpenShift.encode({ password: adminPassword });
  const step = fiscal("open-shift", commands.openShift.encode({ password: operatorPassword }));
  return fiscalProgram({ type: "shift-open" }, beforeShift(send("begin-shift", begin), cashier, setup), step);
}

function zProgram(cashier: Cashier | null, setup: CompilerSetup): ShtrihProgram {
  const password = setup.options.adminPassword;
  const begin = send("begin-z-report", commands.beginCloseShift.encode({ password }));
  const step = fiscal("z-report", commands.zReport.encode({ password }));
  return fiscalProgram({ type: "report", report: "z" }, beforeShift(begin, cashier, setup), step);
}

function beforeShift(begin: ShtrihStep, cashier: Cashier | null, setup: CompilerSetup): readonly ShtrihStep[] {
  if (cashier === null) return ready(setup);
  const named = [begin, ...cashierTags(cashier, setup.options.adminPassword)];
  return [...ready(setup), ...named.map((step) => ({ ...step, optional: true, group: "cashier" }))];
}

function reportProgram(report: Exclude<ReportKind, "z">, setup: CompilerSetup): ShtrihProgram {
  const rows = {
    x: commands.xReport,
    sections: commands.sectionReport,
    cashiers: commands.cashierReport,
    hours: commands.hourReport,
  };
  const request = rows[report].encode({ password: setup.options.adminPassword });
  return plainProgram({ type: "report", report }, [...ready(setup), send(`${report}-report`, request)]);
}

/** The date comes first: between 22h (set date) and 23h (confirm date) the register waits for the same date again. */
function timeSteps(time: LocalTime, password: number): readonly ShtrihStep[] {
  const { year, month, day, hour, minute, second } = partsOf(time);
  return [
    awaitPrinter,
    send("set-date", commands.setDate.encode({ password, year, month, day })),
    send("confirm-date", commands.confirmDate.encode({ password, year, month, day })),
    send("set-time", commands.setTime.encode({ password, hour, minute, second })),
  ];
}

function printProgram(
  lines: readonly PaperLine[],
  number: number,
  context: CompileContext,
  setup: CompilerSetup,
): ShtrihProgram {
  const { steps, warnings } = paperSteps(lines, `paper ${number}`, paperContextOf(context, setup));
  return plainProgram({ type: "print" }, [...ready(setup), ...steps], warnings);
}

function ready({ printIsOff, facts, options }: CompilerSetup): readonly ShtrihStep[] {
  return [awaitPrinter, ...(printIsOff ? switchPaper(true, facts, options.adminPassword) : [])];
}
