import type { FaultText } from "@fiscald/shared/fault-codes/fault-row.js";

export const jobStateRows = {
  queued: ["waits", "ждёт"],
  held: ["waits for a decision", "ждёт решения"],
  printing: ["prints", "печатается"],
  unsure: ["outcome unknown", "исход неизвестен"],
  printed: ["printed", "напечатан"],
  failed: ["not printed", "не напечатан"],
  refused: ["refused", "отклонён"],
  cancelled: ["cancelled", "отменён"],
} as const;

export type JobStateName = keyof typeof jobStateRows;

const rows: Readonly<Record<string, readonly [en: string, ru: string] | undefined>> = jobStateRows;

/** The state's code, or in Russian its word. A text that is no state is shown unchanged. */
export function inState(state: JobStateName): FaultText {
  return { en: state, ru: `«${rows[state]?.[1] ?? state}»` };
}
