/** Receipt and service job -> programs. One POST carries a whole receipt, so a program has few steps. Pure. */

import { toRoublesNumber } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { PaperLine, Receipt, ReportKind, SaleReceipt, ServiceJob } from "@fiscald/shared/receipt/receipt.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import { requireCashier } from "../../compile/fiscal-texts.js";
import { DrawingBudget } from "../../compile/paper-parts.js";
import { unsupported } from "../../compile/requisites.js";
import { type ActionLine, serviceParts } from "../../compile/service-parts.js";
import type { CompileContext } from "../../fiscal-driver.js";
import { type FiscalKind, fiscalProgram, plainProgram } from "../../program.js";
import type { OperatorInfo, Task } from "../protocol/tasks.js";
import { paperItems } from "./compile-paper.js";
import {
  type AtolProgram,
  type AtolStep,
  type CompilerSetup,
  compileSale,
  serviceTime,
  textFields,
} from "./compile-receipt.js";

export function compile(receipt: Receipt, context: CompileContext, setup: CompilerSetup): readonly AtolProgram[] {
  if (receipt.kind === "service") return compileService(receipt, context, setup);
  if (context.shift === "expired") throw new Fault("device.shift-expired");
  const operator = operatorOf(receipt, context);
  const sale = compileSale(receipt, operator, context, setup);
  if (context.shift === "open") return [sale];
  return [effect({ type: "shift-open" }, { type: "openShift", operator }), sale];
}

/** Each effect that needs its own witness (`program.ts`) is a program; the plain lines between are another. */
function compileService(job: ServiceJob, context: CompileContext, setup: CompilerSetup): readonly AtolProgram[] {
  return serviceParts(job, context).map((part) =>
    part.kind === "paper" ? printing(part.lines, context, setup) : action(part.line, context),
  );
}

function action(line: ActionLine, context: CompileContext): AtolProgram {
  switch (line.type) {
    case "cash": {
      const { direction, sum } = line;
      const operator = operatorOf(null, context);
      const task: Task = { type: direction === "in" ? "cashIn" : "cashOut", operator, cashSum: toRoublesNumber(sum) };
      return effect({ type: "cash", direction, sum }, task);
    }
    case "report":
      return report(line.report, operatorOf(null, context));
    case "sync-time": {
      const task: Task = { type: "setDateTime", dateTime: serviceTime(context.localTime) };
      return plainProgram({ type: "set-time" }, [jobStep(task)]);
    }
  }
}

function printing(
  lines: readonly PaperLine[],
  { images, paintText = null }: CompileContext,
  { capabilities }: CompilerSetup,
): AtolProgram {
  const { steps: items, warnings } = paperItems(lines, {
    capabilities,
    images,
    paintText,
    drawing: new DrawingBudget(),
  });
  const task: Task = { type: "nonFiscal", items, printFooter: lines.some(({ type }) => type === "footer") };
  return plainProgram({ type: "print" }, [jobStep(task)], warnings);
}

function report(kind: ReportKind, operator: OperatorInfo): AtolProgram {
  switch (kind) {
    case "z":
      return effect({ type: "report", report: kind }, { type: "closeShift", operator });
    case "x":
      return plainProgram({ type: "report", report: kind }, [jobStep({ type: "reportX", operator })]);
    case "sections":
      return plainProgram({ type: "report", report: kind }, [jobStep({ type: "reportDepartments", operator })]);
    case "cashiers":
    case "hours":
      unsupported(unfitTexts.noReport(kind));
  }
}

/** A program of one fiscal task, which is posted under a name that was stored before. */
function effect(kind: FiscalKind, task: Task): AtolProgram {
  const check: AtolStep = { name: "check", command: { kind: "check", shift: "any" }, repeatable: true };
  const step: AtolStep = { name: task.type, command: { kind: "named-job", task }, repeatable: false };
  return fiscalProgram(kind, [check], step);
}

function jobStep(task: Task): AtolStep {
  return { name: task.type, command: { kind: "job", task }, repeatable: false };
}

/** The operator, compulsory in every task that leaves a document (the driver's error 172). */
function operatorOf(receipt: SaleReceipt | null, context: CompileContext): OperatorInfo {
  const cashier = receipt?.cashier ?? context.cashier;
  if (cashier === null) unsupported(unfitTexts.cashierMissing);
  requireCashier(cashier, textFields);
  const { name } = cashier;
  return cashier.inn === null || cashier.inn === "" ? { name } : { name, vatin: cashier.inn };
}
