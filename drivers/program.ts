/**
 * A receipt or service action compiled into plain steps around one point of no return, the fiscal step.
 *
 * - A failure before the fiscal step leads to the fence, then to `not-printed`.
 * - After any failure at the fiscal step the fiscal memory decides (recovery), never the answer's error code.
 * - A failure after the fiscal step is `printed`, with a warning.
 */
import type { Kopecks } from "@fiscald/shared/amounts.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import {
  documentTypeOf,
  type Operation,
  type ReportKind,
  type SaleReceipt,
  totalOf,
} from "@fiscald/shared/receipt/receipt.js";
import type { DocumentTags } from "./fiscal-document.js";

export interface Program<C = unknown> {
  readonly kind: ProgramKind;
  readonly steps: readonly Step<C>[];
  /** Index into `steps`. Null: the program has no lasting effect and may be repeated. */
  readonly fiscalStep: number | null;
  readonly witness: Witness;
  readonly sent?: DocumentTags;
  /** What this model cannot print as ordered; one line for each. In English alone: only the log has it. */
  readonly warnings: readonly (string | FaultText)[];
}

export type ProgramKind =
  | { readonly type: "receipt"; readonly operation: Operation; readonly total: Kopecks }
  | { readonly type: "shift-open" }
  | { readonly type: "cash"; readonly direction: "in" | "out"; readonly sum: Kopecks }
  | { readonly type: "report"; readonly report: ReportKind }
  | { readonly type: "print" }
  | { readonly type: "set-time" };

/** What proves later that the fiscal step took effect. */
export type Witness =
  /** A receipt or correction after the baseline's last document. `mark`: its order mark; null = none. */
  | {
      readonly kind: "receipt";
      readonly document: "receipt" | "correction";
      readonly operation: Operation;
      readonly total: Kopecks;
      readonly mark: string | null;
    }
  /** A document of a shift's opening after the last document of the baseline. */
  | { readonly kind: "shift-open" }
  /** The closing document of the baseline's shift. */
  | { readonly kind: "shift-close" }
  /** The drawer's own totals, compared before and after. */
  | { readonly kind: "drawer"; readonly direction: "in" | "out"; readonly sum: Kopecks }
  /** Nothing proves the step: it may simply be repeated. */
  | { readonly kind: "none" };

export interface Step<C = unknown> {
  /** For logs and the fault campaign: "open-receipt", "item 2", "close-receipt". */
  readonly name: string;
  readonly command: C;
  /** True: the link may send the step again by itself after a failure. */
  readonly repeatable: boolean;
  /** The register's subtotal must equal this sum, else the receipt is cancelled. */
  readonly expectSubtotal?: Kopecks;
  /** From this step on a failure cancels an open receipt. Earlier an open receipt is another program's. */
  readonly opensReceipt?: boolean;
  /** True: a failure of this step is a warning, and the receipt goes on. */
  readonly optional?: boolean;
  /** Optional steps that make sense together only (a picture): after one has failed the others are left out. */
  readonly group?: string;
}

export type FiscalKind =
  | Extract<ProgramKind, { readonly type: "shift-open" | "cash" }>
  | { readonly type: "report"; readonly report: "z" };

export function fiscalProgram<C>(kind: FiscalKind, before: readonly Step<C>[], step: Step<C>): Program<C> {
  return { kind, witness: witnessOf(kind), steps: [...before, step], fiscalStep: before.length, warnings: [] };
}

function witnessOf(kind: FiscalKind): Witness {
  if (kind.type === "cash") return { kind: "drawer", direction: kind.direction, sum: kind.sum };
  return { kind: kind.type === "report" ? "shift-close" : "shift-open" };
}

export function receiptProgram<C>(
  receipt: SaleReceipt,
  mark: string | null,
  steps: { readonly before: readonly Step<C>[]; readonly step: Step<C>; readonly after?: readonly Step<C>[] },
  warnings: Program["warnings"],
): Program<C> {
  const { before, step, after = [] } = steps;
  const ours = { operation: receipt.operation, total: totalOf(receipt) };
  return {
    kind: { type: "receipt", ...ours },
    steps: [...before, step, ...after],
    fiscalStep: before.length,
    witness: { kind: "receipt", document: documentTypeOf(receipt), ...ours, mark },
    warnings,
  };
}

export function plainProgram<C>(
  kind: ProgramKind,
  steps: readonly Step<C>[],
  warnings: Program["warnings"] = [],
): Program<C> {
  return { kind, steps, fiscalStep: null, witness: { kind: "none" }, warnings };
}
