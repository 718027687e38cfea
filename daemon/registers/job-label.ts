import { type ServiceLine, signOf } from "@fiscald/shared/receipt/receipt.js";
import type { Job } from "../store/job.js";

/** For people: `sale`, `return`, `z-report`, `cash-in`; several parts are joined with commas. */
export function jobLabel({ receipt }: Job): string {
  if (receipt.kind === "receipt") return signOf(receipt);
  const labels = new Set(receipt.lines.map(lineLabel));
  return labels.size === 0 ? "service" : [...labels].join(", ");
}

function lineLabel(line: ServiceLine): string {
  switch (line.type) {
    case "report":
      return `${line.report}-report`;
    case "cash":
      return `cash-${line.direction}`;
    case "sync-time":
      return "sync-time";
    case "text":
    case "barcode":
    case "image":
    case "header":
    case "footer":
    case "cut":
      return "text";
  }
}

/** The job's service lines for the log; undefined for a receipt, whose sum is in the log line already. */
export function serviceOf(job: Job): string | undefined {
  return job.kind === "service" ? jobLabel(job) : undefined;
}
