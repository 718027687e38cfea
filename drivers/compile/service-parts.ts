/** Splits a service job into parts: each action is a program, and so is the paper between two actions. Pure. */
import { Fault } from "@fiscald/shared/fault.js";
import type {
  Cashier,
  CashLine,
  PaperLine,
  Receipt,
  ReportKind,
  SaleReceipt,
  ServiceJob,
  ServiceLine,
} from "@fiscald/shared/receipt/receipt.js";
import type { CompileContext } from "../fiscal-driver.js";
import type { Program } from "../program.js";

/** One maker's programs. Each has one effect, with a witness of its own (`program.ts`). */
export interface OrderCompiler<C> {
  sale(receipt: SaleReceipt): Program<C>;
  openShift(cashier: Cashier | null): Program<C>;
  cash(line: CashLine): Program<C>;
  report(report: ReportKind): Program<C>;
  setTime(): Program<C>;
  /** `number`: place of the paper among the parts of the job, from 1. */
  print(lines: readonly PaperLine[], number: number): Program<C>;
}

/** In a closed shift the opening of a shift precedes the receipt. Fault `device.shift-expired`. */
export function compileOrder<C>(
  receipt: Receipt,
  context: CompileContext,
  compiler: OrderCompiler<C>,
): readonly Program<C>[] {
  if (receipt.kind === "service") {
    return serviceParts(receipt, context).map((part, index) =>
      part.kind === "paper" ? compiler.print(part.lines, index + 1) : compileAction(part.line, compiler),
    );
  }
  if (context.shift === "expired") throw new Fault("device.shift-expired");
  const sale = compiler.sale(receipt);
  return context.shift === "closed" ? [compiler.openShift(receipt.cashier ?? context.cashier), sale] : [sale];
}

function compileAction<C>(line: ActionLine, compiler: OrderCompiler<C>): Program<C> {
  switch (line.type) {
    case "cash":
      return compiler.cash(line);
    case "report":
      return compiler.report(line.report);
    case "sync-time":
      return compiler.setTime();
  }
}

type ActionLine = Exclude<ServiceLine, PaperLine>;

export type ServicePart =
  | { readonly kind: "paper"; readonly lines: readonly PaperLine[] }
  | { readonly kind: "action"; readonly line: ActionLine };

/**
 * Conditions of later lines are checked before the first line has an effect: cash must not move for a job that cannot
 * be finished. Faults: `device.shift-open` for a clock that would be set while the shift is open, `device.shift-closed`
 * for a report after another action when no shift is open. Finished parts are not checked.
 */
export function serviceParts(
  { lines }: ServiceJob,
  { shift: before, doneParts = 0 }: Pick<CompileContext, "shift" | "doneParts">,
): readonly ServicePart[] {
  const parts: ServicePart[] = [];
  let paper: PaperLine[] = [];
  let shift = before;
  const flush = () => {
    if (paper.length > 0) parts.push({ kind: "paper", lines: paper });
    paper = [];
  };
  for (const line of lines) {
    if (!isAction(line)) {
      paper.push(line);
      continue;
    }
    flush();
    const isDone = parts.length < doneParts;
    const isFirst = !parts.some(({ kind }) => kind === "action");
    parts.push({ kind: "action", line });
    if (isDone) continue;
    if (line.type === "sync-time" && shift !== "closed") throw new Fault("device.shift-open");
    if (line.type === "report" && shift === "closed" && !isFirst) throw new Fault("device.shift-closed");
    if (line.type === "report" && line.report === "z") shift = "closed";
  }
  flush();
  return parts;
}

const actionTypes: Readonly<Record<ActionLine["type"], true>> = { cash: true, report: true, "sync-time": true };

function isAction(line: ServiceLine): line is ActionLine {
  return Object.hasOwn(actionTypes, line.type);
}
