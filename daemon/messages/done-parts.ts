import { type ServicePart, serviceParts } from "@fiscald/drivers/compile/service-parts.js";
import { formatRoubles } from "@fiscald/shared/amounts.js";
import type { ServiceJob } from "@fiscald/shared/receipt/receipt.js";

/** Such as `внесение 7.00, X-отчёт`; empty: no part is finished. */
export function doneInWords(job: ServiceJob, doneParts: number): string {
  const parts = serviceParts(job, { shift: "closed", doneParts: Number.POSITIVE_INFINITY }).slice(0, doneParts);
  return parts.map(partInWords).join(", ");
}

const reportWords = {
  x: "X-отчёт",
  z: "Z-отчёт",
  sections: "отчёт по секциям",
  cashiers: "отчёт по кассирам",
  hours: "отчёт по часам",
} as const;

function partInWords(part: ServicePart): string {
  if (part.kind === "paper") return "печать текста";
  const { line } = part;
  switch (line.type) {
    case "cash":
      return `${line.direction === "in" ? "внесение" : "выплата"} ${formatRoubles(line.sum)}`;
    case "report":
      return reportWords[line.report];
    case "sync-time":
      return "установка времени";
  }
}
