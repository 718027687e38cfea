/**
 * JSON tasks under the names of the maker's manual. Money is in roubles, quantities are in units. The types have only
 * the fields that the driver reads; the golden frames in the tests fix all others.
 */
import type { Sign } from "@fiscald/shared/receipt/receipt.js";
import type { QueryType } from "./answers.js";

export type Fields = Readonly<Record<string, unknown>>;

export type Task = ReceiptTask | OtherTask;

interface OtherTask extends Fields {
  readonly type:
    | QueryType
    | "openShift"
    | "closeShift"
    | "reportX"
    | "reportDepartments"
    | "cashIn"
    | "cashOut"
    | "nonFiscal"
    | "setDateTime"
    | "printFnDocument"
    | "getFnDocument"
    | "continuePrint"
    | "beginMarkingCodeValidation"
    | "getMarkingCodeValidationStatus"
    | "acceptMarkingCode"
    | "declineMarkingCode"
    | "cancelMarkingCodeValidation"
    | "clearMarkingCodeValidationResult";
}

export const receiptTasks = {
  sale: "sell",
  return: "sellReturn",
  "sale-correction": "sellCorrection",
  "return-correction": "sellReturnCorrection",
} as const satisfies Readonly<Record<Sign, string>>;

export interface ReceiptTask extends Fields {
  readonly type: (typeof receiptTasks)[Sign];
  /** Absent in a correction of FFD 1.05, which has `taxes` instead. */
  readonly items?: readonly ReceiptItem[];
}

export type ReceiptItem = PositionItem | PaperItem;

export interface PositionItem extends Fields {
  readonly type: "position";
  readonly quantity: number;
  readonly measurementUnit?: string | number;
  /** The marking code; `itemInfoCheckResult` is added after the check of the code. */
  readonly imcParams?: Fields;
}

export interface PaperItem extends Fields {
  readonly type: "text" | "barcode" | "pixels" | "userAttribute" | "additionalAttribute";
}

export type AtolCommand =
  /** Reads the state. Fails where the register could not print now. */
  | { readonly kind: "check"; readonly shift: "open" | "any" }
  | { readonly kind: "check-mark"; readonly place: number; readonly params: Fields }
  /** Runs the task that is the program's point of no return, under a uuid that was stored before. */
  | { readonly kind: "named-job"; readonly task: Task }
  | { readonly kind: "job"; readonly task: Task }
  /** Checks whether the drive's document has tag 1125 (internet payment). */
  | { readonly kind: "confirm-internet" }
  /** Continues the print if the answer said that the document was registered but not printed. */
  | { readonly kind: "finish-print" };
