/** Compiles a receipt or a service job into programs of few steps: one POST has a whole receipt. Pure. */
import { toRoublesNumber } from "@fiscald/shared/amounts.js";
import type { Cashier, PaperLine, Receipt, ReportKind } from "@fiscald/shared/receipt/receipt.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import { requireCashier } from "../../compile/fiscal-texts.js";
import { DrawingBudget } from "../../compile/paper-parts.js";
import { unsupported } from "../../compile/requisites.js";
import { compileOrder } from "../../compile/service-parts.js";
import type { CompileContext } from "../../fiscal-driver.js";
import { type FiscalKind, fiscalProgram, plainProgram } from "../../program.js";
import type { Fields, Task } from "../protocol/tasks.js";
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
  return compileOrder(receipt, context, {
    sale: (sale) => compileSale(sale, operatorOf(sale.cashier ?? context.cashier), context, setup),
    openShift: (cashier) => effect({ type: "shift-open" }, { type: "openShift", operator: operatorOf(cashier) }),
    cash({ direction, sum }) {
      const type = direction === "in" ? "cashIn" : "cashOut";
      const task: Task = { type, operator: operatorOf(context.cashier), cashSum: toRoublesNumber(sum) };
      return effect({ type: "cash", direction, sum }, task);
    },
    report: (kind) => report(kind, operatorOf(context.cashier)),
    setTime() {
      const task: Task = { type: "setDateTime", dateTime: serviceTime(context.localTime) };
      return plainProgram({ type: "set-time" }, [jobStep(task)]);
    },
    print: (lines) => printing(lines, context, setup),
  });
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

function report(kind: ReportKind, operator: Fields): AtolProgram {
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

/** A program of one fiscal task, which is posted under a name that was stored before the run. */
function effect(kind: FiscalKind, task: Task): AtolProgram {
  const check: AtolStep = { name: "check", command: { kind: "check", shift: "any" }, repeatable: true };
  const step: AtolStep = { name: task.type, command: { kind: "named-job", task }, repeatable: false };
  return fiscalProgram(kind, [check], step);
}

function jobStep(task: Task): AtolStep {
  return { name: task.type, command: { kind: "job", task }, repeatable: false };
}

/** The cashier's fields. Without them the maker's driver refuses every task that makes a document (its error 172). */
function operatorOf(cashier: Cashier | null): Fields {
  if (cashier === null) unsupported(unfitTexts.cashierMissing);
  requireCashier(cashier, textFields);
  const { name } = cashier;
  return cashier.inn === null || cashier.inn === "" ? { name } : { name, vatin: cashier.inn };
}
