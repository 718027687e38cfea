import type { Job } from "../store/job.js";

/** Label of a job for people: `sale`, `return`, `z-report`, `cash-in`; several parts with commas. */
export function jobLabel({ receipt }: Job): string {
  if (receipt.kind === "receipt") return receipt.operation;
  const words = receipt.lines.map((line) => {
    switch (line.type) {
      case "report":
        return `${line.report}-report`;
      case "cash":
        return `cash-${line.direction}`;
      case "sync-time":
        return "sync-time";
      default:
        return "text";
    }
  });
  return words.length === 0 ? "service" : [...new Set(words)].join(", ");
}

/** For the log, beside the order: reports and cash; undefined for receipts, whose sum is in the line. */
export function serviceOf(job: Job): string | undefined {
  return job.kind === "service" ? jobLabel(job) : undefined;
}
