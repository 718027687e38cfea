/** The fields of every fault. */

/**
 * `repeat`: retried automatically. `after-help`: goes on once a person has helped. `never`. `unsure`: the outcome is
 * unknown.
 */
export type RetryClass = "repeat" | "after-help" | "never" | "unsure";
/** 0 success, 1 wrong value, 2 unknown action, 3 something missing, 4 anything else. */
export type ResultCode = 0 | 1 | 2 | 3 | 4;

export interface FaultText {
  readonly en: string;
  readonly ru: string;
}

export interface FaultRow {
  readonly retry: RetryClass;
  readonly resultCode: ResultCode;
  /** The cause, one sentence. */
  readonly text: FaultText;
  /** What to do, one sentence. */
  readonly hint: FaultText;
}

export function row(
  retry: RetryClass,
  resultCode: ResultCode,
  text: readonly [string, string],
  hint: readonly [string, string],
): FaultRow {
  return { retry, resultCode, text: { en: text[0], ru: text[1] }, hint: { en: hint[0], ru: hint[1] } };
}
