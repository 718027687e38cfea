import type { ReportKind } from "@fiscald/shared/receipt/receipt.js";

/** Features of a model. A missing fiscal feature is a fault before the first byte; a missing style is printed plain. */
export interface Capabilities {
  readonly maker: string;
  /** Null: no printer at all. */
  readonly paper: PaperCapabilities | null;
  readonly fiscal: FiscalCapabilities;
  readonly reports: readonly ReportKind[];
  /**
   * `steps` (default): a receipt is built up over a lasting connection, so it can be left open halfway. `whole`: each
   * request has a whole receipt, so no receipt is left open and no idle connection can break.
   */
  readonly exchange?: "steps" | "whole";
  /** Tags that no source confirms for this maker. If a document lacks such a tag, the register did not take it. */
  readonly unconfirmedTags?: readonly number[];
  /** `full`: `documentsSince` gives lines and order mark. `header`: only totals. */
  readonly documentBodies: "full" | "header";
}

/** Tag 1125 (internet payment) is sent; the first document with this tag shows whether the register took it. */
export const unconfirmedTags = { atol: [1125], pirit: [1125] } as const satisfies Readonly<
  Record<string, readonly number[]>
>;

export interface PaperCapabilities {
  /** Characters per line by font number 0 to 3. Instead of a missing font the nearest smaller number counts. */
  readonly columns: readonly number[];
  readonly styles: readonly ("bold" | "italic" | "doubleHeight" | "underline" | "overline" | "negative" | "rotation")[];
  readonly barcodes: readonly ("ean13" | "code39" | "qr")[];
  /** True: styles that the register's fonts lack are sent as pictures; `compile` needs `CompileContext.paintText`. */
  readonly drawsText?: boolean;
  /** Null: no pictures. */
  readonly image: { readonly maxWidth: number; readonly maxHeight: number } | null;
  readonly cut: boolean;
  /** Which registered receipts the model can copy on paper: any receipt of its drive, or the last one. Absent: none. */
  readonly copies?: "any" | "last";
  readonly header: boolean;
  readonly footer: boolean;
}

export interface FiscalCapabilities {
  /** True: the register takes tag 1125 (internet payment) in a way that a source confirms or a setting allows. */
  readonly internet: boolean;
  /** True: the register takes tag 1084 (user requisite: name 1085, value 1086), which carries the order mark. */
  readonly orderMark: boolean;
  readonly goodsCode: boolean;
  readonly marking: boolean;
  /** The sum of a position with a marking code, which is never split, may be a kopeck away from price x quantity. */
  readonly roundedMarks: boolean;
  readonly electronicOnly: boolean;
  readonly maxItems: number;
}
