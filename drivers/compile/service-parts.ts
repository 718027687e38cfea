/** A service job in parts: each action is a program, the paper between two actions is another. Pure. */
import { Fault } from "@fiscald/shared/fault.js";
import type { PaperLine, ServiceJob, ServiceLine } from "@fiscald/shared/receipt/receipt.js";
import type { CompileContext } from "../fiscal-driver.js";

export type ActionLine = Exclude<ServiceLine, PaperLine>;

export type ServicePart =
  | { readonly kind: "paper"; readonly lines: readonly PaperLine[] }
  | { readonly kind: "action"; readonly line: ActionLine };

/**
 * Conditions of later lines are checked before the first line has an effect: cash must not move for a job that cannot
 * end. Faults: `device.shift-open` for a clock that would be set while the shift is open, `device.shift-closed` for a
 * report that follows another action and finds no open shift. Finished parts are not checked.
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
