import type { Job } from "../store/job.js";

/** What it does, for people: `sale`, `return`, `z-report`, `cash-in`; several things of one job with commas. */
export function whatOf({ receipt }: Job): string {
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

/** For the log, beside the order: reports and cash; undefined of receipts, which their sum tells. */
export function serviceOf(job: Job): string | undefined {
  return job.kind === "service" ? whatOf(job) : undefined;
}
