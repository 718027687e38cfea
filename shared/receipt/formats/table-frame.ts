/** The frame of a task table: the lines that open and close the receipt, or a service job that has no receipt. */
import { type OrderProblem, problem } from "../../exchange/order-problem.js";
import type { TaskLineType } from "../../exchange/task-table.js";
import type { FaultText } from "../../fault-codes/fault-row.js";
import { asItIs } from "../../texts.js";
import type { Sign } from "../receipt.js";
import { refusalTexts } from "../texts/refusal-texts.js";

export type TableFrame =
  | { readonly kind: "service"; readonly cancelFirst: boolean }
  | {
      readonly kind: "receipt";
      readonly cancelFirst: boolean;
      readonly sign: Sign;
      readonly cancelledByOrder: boolean;
    };

interface FrameLine {
  readonly type: TaskLineType;
}

export const openings = {
  sale: "OpenCheckSell",
  return: "OpenCheckReturn",
  "sale-correction": "OpenCheckSellCorrection",
  "return-correction": "OpenCheckReturnCorrection",
} as const satisfies Readonly<Record<Sign, TaskLineType>>;
const openLines: ReadonlyMap<TaskLineType, Sign> = new Map([
  [openings.sale, "sale"],
  [openings.return, "return"],
  [openings["sale-correction"], "sale-correction"],
  [openings["return-correction"], "return-correction"],
]);
const receiptLines: ReadonlySet<TaskLineType> = new Set([
  ...openLines.keys(),
  "CloseCheck",
  "Registration",
  "Return",
  "Payment",
  "ClientContact",
]);
const serviceLines: ReadonlySet<TaskLineType> = new Set(["CashIncome", "CashOutcome", "Report", "SyncTime"]);

/** If there are problems, the frame is only the best guess. */
export function frameOf(lines: readonly FrameLine[]): {
  readonly frame: TableFrame;
  readonly problems: readonly OrderProblem[];
} {
  const cancelFirst = lines[0]?.type === "CancelCheck";
  if (lines.length === 0) {
    const empty = problem("order.missing-value", "taskTable", refusalTexts.noLines);
    return { frame: { kind: "service", cancelFirst }, problems: [empty] };
  }
  if (!lines.some(({ type }) => receiptLines.has(type))) {
    return { frame: { kind: "service", cancelFirst }, problems: strayCancels(lines, lines.length) };
  }
  const start = cancelFirst ? 1 : 0;
  const sign = openLines.get(lines[start]?.type ?? "Cut");
  const last = lines.at(-1)?.type;
  const cancelledByOrder = last === "CancelCheck" && lines.length > start + 1;
  const frame = { kind: "receipt", cancelFirst, sign: sign ?? "sale", cancelledByOrder } as const;
  const problems = [
    ...openingProblems(lines, start),
    ...strayCancels(lines, cancelledByOrder ? lines.length - 1 : lines.length),
    ...closingProblems(lines, cancelledByOrder),
    ...mixingProblems(lines),
    ...(sign === "sale" || sign === "sale-correction" ? strayReturns(lines) : []),
  ];
  return { frame, problems };
}

function framing(position: number, text: FaultText): OrderProblem {
  return problem("receipt.framing", `taskTable[${position}]`, text);
}

function openingProblems(lines: readonly FrameLine[], start: number): readonly OrderProblem[] {
  const opens = lines.flatMap(({ type }, position) => (openLines.has(type) ? [position] : []));
  const [first, ...others] = opens;
  const opening = first === start ? [] : [framing(start, refusalTexts.notOpened(nameAt(lines, start)))];
  return [...opening, ...others.map((position) => framing(position, refusalTexts.secondReceipt))];
}

function strayCancels(lines: readonly FrameLine[], end: number): readonly OrderProblem[] {
  return lines
    .slice(0, end)
    .flatMap(({ type }, position) =>
      type === "CancelCheck" && position > 0 ? [framing(position, refusalTexts.strayCancel)] : [],
    );
}

function closingProblems(lines: readonly FrameLine[], cancelledByOrder: boolean): readonly OrderProblem[] {
  const close = lines.findIndex(({ type }) => type === "CloseCheck");
  const last = lines.length - 1;
  if (close === -1) return cancelledByOrder ? [] : [framing(last, refusalTexts.notClosed(nameAt(lines, last)))];
  return close === last ? [] : [framing(close + 1, refusalTexts.afterClose(nameAt(lines, close + 1)))];
}

function mixingProblems(lines: readonly FrameLine[]): readonly OrderProblem[] {
  return lines.flatMap(({ type }, position) =>
    serviceLines.has(type) ? [framing(position, refusalTexts.besideReceipt(type))] : [],
  );
}

function strayReturns(lines: readonly FrameLine[]): readonly OrderProblem[] {
  return lines.flatMap(({ type }, position) =>
    type === "Return" ? [framing(position, refusalTexts.strayReturn)] : [],
  );
}

function nameAt(lines: readonly FrameLine[], position: number): FaultText {
  const type = lines[position]?.type;
  return type === undefined ? refusalTexts.nothing : asItIs(type);
}
