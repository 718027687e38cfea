/**
 * Whether a retry helps. `repeat`: it happens automatically. `after-help`: the work goes on once a person has helped.
 * `never`: no retry helps. `unsure`: the outcome is unknown.
 */
export type RetryClass = "repeat" | "after-help" | "never" | "unsure";
/** The protocol's result codes: 0 success, 1 wrong value, 2 unknown action, 3 something missing, 4 anything else. */
export type ResultCode = 0 | 1 | 2 | 3 | 4;

export interface FaultText {
  readonly en: string;
  readonly ru: string;
}

export interface FaultRow {
  readonly retry: RetryClass;
  readonly resultCode: ResultCode;
  readonly text: FaultText;
  readonly hint: FaultText;
  /** True: the hint says that the job goes on, which is wrong for a job that has failed for good. */
  readonly hintGoesOn: boolean;
}

type Pair = readonly [en: string, ru: string];
type Hint = Pair | readonly [...Pair, "goes-on"];

/** The site's resultCode is 4 unless a row has its own. */
function rowsOf(retry: RetryClass) {
  return (text: Pair, [en, ru, goesOn]: Hint, resultCode: ResultCode = 4): FaultRow => {
    const hintGoesOn = goesOn !== undefined;
    return { retry, resultCode, text: { en: text[0], ru: text[1] }, hint: { en, ru }, hintGoesOn };
  };
}

export const repeat = rowsOf("repeat");
export const afterHelp = rowsOf("after-help");
export const never = rowsOf("never");
export const unsure = rowsOf("unsure");

/** Hints that several faults share, in English and Russian. */

export const fixOrder = [
  "Correct the order on the site and send it again.",
  "Исправьте заказ на сайте и отправьте его снова.",
] as const;
export const fixRequest = [
  "Correct the request and send it again.",
  "Исправьте запрос и отправьте его снова.",
] as const;
export const retriesByItself = [
  "Nothing: it is tried again by itself.",
  "Ничего делать не нужно: повтор произойдёт сам.",
  "goes-on",
] as const;
/** Hints for a job that failed for good, in place of the fault's own hint: nothing retries the job automatically. */
export const givenUp = [
  "The job was given up: once the cause is gone, print it with `fiscald retry JOB`.",
  "Устраните причину и наберите `fiscald retry ЗАДАНИЕ`: без этого задание не напечатается.",
] as const;
export const callService = [
  "Call the service engineer of the register.",
  "Вызовите сервисного инженера кассы.",
] as const;
export const reportUs = [
  "Send the support file of the page Help. On the command line: `fiscald support-bundle`.",
  "Отправьте файл для поддержки со страницы «Помощь». В командной строке: `fiscald support-bundle`.",
] as const;
