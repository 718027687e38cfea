/** A service job, part by part: each action is a program of its own, the paper between two actions is another. Pure. */
import { Fault } from "@fiscald/shared/fault.js";
import type { PaperLine, ServiceJob, ServiceLine } from "@fiscald/shared/receipt/receipt.js";
import type { CompileContext } from "./fiscal-driver.js";

export type ActionLine = Exclude<ServiceLine, PaperLine>;

export type ServicePart =
  | { readonly kind: "paper"; readonly lines: readonly PaperLine[] }
  | { readonly kind: "action"; readonly line: ActionLine };

/** Fault `device.shift-open` for a clock that would be set while the shift is open; not for what is done already. */
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
    parts.push({ kind: "action", line });
    if (isDone) continue;
    if (line.type === "sync-time" && shift !== "closed") throw new Fault("device.shift-open");
    if (line.type === "report" && line.report === "z") shift = "closed";
  }
  flush();
  return parts;
}

function isAction(line: ServiceLine): line is ActionLine {
  return line.type === "cash" || line.type === "report" || line.type === "sync-time";
}
