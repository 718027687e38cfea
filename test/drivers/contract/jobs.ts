import type { PaperLine, ServiceJob, ServiceLine } from "@fiscald/shared/receipt/receipt.js";

export function service(lines: readonly ServiceLine[]): ServiceJob {
  return {
    kind: "service",
    orderId: null,
    receiptId: null,
    kkm: null,
    format: "task-table",
    cancelFirst: false,
    lines,
  };
}

/** Plain printing. */
export function printing(lines: readonly PaperLine[]): ServiceJob {
  return service(lines);
}
