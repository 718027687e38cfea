/** Settings of a register that change receipts, as data: where each stands, whether it is right, what a wrong one does. */
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import type { DocumentTags } from "./fiscal-driver.js";

export interface ReceiptSetting {
  /** Where a service engineer finds it. */
  readonly place: FaultText;
  /** As it is read. */
  readonly value: string;
  /** The values that leave receipts as they are sent. */
  readonly right: readonly string[];
  /** What the wrong value does, and how it is mended. */
  readonly effect: FaultText;
  /** The receipts that a wrong value would change: they wait until it is right. Null = it is only shown. */
  readonly changes: ChangedReceipts | null;
}

export type ChangedReceipts =
  | { readonly kind: "all" }
  /** Receipts with a line at one of these rates (tag 1199). */
  | { readonly kind: "rates"; readonly rates: readonly number[] }
  /** Receipts that their buyer gets on paper alone. */
  | { readonly kind: "without-contact" };

export function isRight({ value, right }: Pick<ReceiptSetting, "value" | "right">): boolean {
  return right.includes(value);
}

/** Whether the setting is wrong and changes a receipt that sends this. */
export function changesReceipt(setting: ReceiptSetting, sent: DocumentTags): boolean {
  const { changes } = setting;
  if (changes === null || isRight(setting)) return false;
  switch (changes.kind) {
    case "all":
      return true;
    case "rates":
      return sent.items.some((item) => changes.rates.includes(Number(item[1199])));
    case "without-contact":
      return sent.head[1008] === undefined;
  }
}
