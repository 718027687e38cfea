/** The states of a job, as a person reads them. */
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

/** The state in a Russian sentence: «отклонён». What is no state is shown as it is. */
export function stateInRussian(state: JobStateName): string {
  return `«${rows[state]?.[1] ?? state}»`;
}
