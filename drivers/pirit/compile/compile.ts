/** Compiles orders into programs, one for each effect that needs its own witness (`program.ts`). Pure. */
import type { LocalTime } from "@fiscald/shared/local-time.js";
import type { Cashier, CashLine, PaperLine, Receipt, ReportKind } from "@fiscald/shared/receipt/receipt.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import { isOfSums, requireCorrection } from "../../compile/corrections.js";
import { unsupported } from "../../compile/requisites.js";
import { compileOrder } from "../../compile/service-parts.js";
import type { CompileContext } from "../../fiscal-driver.js";
import { fiscalProgram, type Program, plainProgram } from "../../program.js";
import { commands, documentTypes, plainClosing } from "../protocol/commands.js";
import { compileCorrection } from "./compile-correction.js";
import { paperSteps } from "./compile-paper.js";
import { compileReceipt } from "./compile-receipt.js";
import { type CompilerSetup, fiscal, operatorOf, type PiritCommand, type PiritStep, prepare, send } from "./steps.js";

type PiritProgram = Program<PiritCommand>;

/** Cut flag of a service document (slip): it is cut only where the order asks for it. */
const NO_CUT = 1;

export function compile(receipt: Receipt, context: CompileContext, setup: CompilerSetup): readonly PiritProgram[] {
  const { identity } = setup.facts;
  return compileOrder(receipt, context, {
    sale(sale) {
      requireCorrection(sale, identity);
      return (isOfSums(sale, identity) ? compileCorrection : compileReceipt)(sale, context, setup);
    },
    openShift(cashier) {
      const step = fiscal("open-shift", commands.openShift.encode({ operator: operatorOf(cashier) }));
      return fiscalProgram({ type: "shift-open" }, [prepare()], step);
    },
    cash: (line) => cashProgram(line, context.cashier),
    report: (report) => reportProgram(report, context.cashier),
    setTime: () => setTimeProgram(context.localTime),
    print: (lines, number) => printProgram(lines, number, context, setup),
  });
}

/** A register whose clock is behind its last document starts to work only with the right time. */
function setTimeProgram(time: LocalTime): PiritProgram {
  const set: PiritStep = { name: "set-time", command: { kind: "set-clock", time }, repeatable: true };
  return plainProgram({ type: "set-time" }, [prepare(time), set]);
}

/** Cash in or out is a document of its own; closing the document moves the drawer. */
function cashProgram({ direction, sum }: CashLine, cashier: Cashier | null): PiritProgram {
  const type = direction === "in" ? documentTypes.cashIn : documentTypes.cashOut;
  const before = [prepare(), openSlip(type, cashier), send("cash-sum", commands.cashSum.encode(sum))];
  const step = fiscal(`cash-${direction}`, commands.closeDocument.encode(plainClosing));
  return fiscalProgram({ type: "cash", direction, sum }, before, step);
}

function openSlip(mode: number, cashier: Cashier | null): PiritStep {
  const request = commands.openDocument.encode({ mode, operator: operatorOf(cashier), taxSystem: null });
  return send("open-document", request, { opensReceipt: true });
}

function reportProgram(report: ReportKind, cashier: Cashier | null): PiritProgram {
  const operator = { operator: operatorOf(cashier) };
  switch (report) {
    case "z":
      return fiscalProgram(
        { type: "report", report },
        [prepare()],
        fiscal("z-report", commands.closeShift.encode(operator)),
      );
    case "x":
      return plainProgram({ type: "report", report }, [prepare(), send("x-report", commands.xReport.encode(operator))]);
    default:
      unsupported(unfitTexts.noReport(report));
  }
}

/** Slips of text. The cutter works outside documents only, so a cut begins a new slip. */
function printProgram(
  lines: readonly PaperLine[],
  number: number,
  context: CompileContext,
  setup: CompilerSetup,
): PiritProgram {
  const steps: PiritStep[] = [];
  const warnings: PiritProgram["warnings"][number][] = [];
  let slip: PaperLine[] = [];
  const flush = () => {
    const printed = paperSteps(slip, `paper ${number}.${steps.length}`, { ...setup, place: "service" });
    warnings.push(...printed.warnings);
    if (printed.steps.length > 0) {
      const close = send("close-document", commands.closeDocument.encode({ ...plainClosing, cutFlag: NO_CUT }));
      steps.push(openSlip(documentTypes.service, context.cashier), ...printed.steps, close);
    }
    slip = [];
  };
  for (const line of lines) {
    if (line.type !== "cut") {
      slip.push(line);
      continue;
    }
    flush();
    steps.push(...paperSteps([line], `cut ${number}.${steps.length}`, { ...setup, place: "service" }).steps);
  }
  flush();
  return plainProgram({ type: "print" }, [prepare(), ...steps], [...new Set(warnings)]);
}
