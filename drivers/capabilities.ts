import type { ReportKind } from "@fiscald/shared/receipt/receipt.js";

/**
 * Features of a model, as data. A missing fiscal feature is a fault before the first byte; a missing style degrades.
 */
export interface Capabilities {
  readonly maker: string;
  /** Null: no printer at all. */
  readonly paper: PaperCapabilities | null;
  readonly fiscal: FiscalCapabilities;
  readonly reports: readonly ReportKind[];
  /**
   * `steps`, the default: a lasting connection on which a receipt is built up, so that it can be left open halfway.
   * `whole`: each request contains a whole receipt: nothing is left open, and no idle connection can break.
   */
  readonly exchange?: "steps" | "whole";
  /**
   * Tags of features that no reference of the maker confirms. Where such a tag is absent beside a right total, it was not
   * registered.
   */
  readonly unconfirmedTags?: readonly number[];
  /** Whether `documentsSince` gives lines and mark (`full`) or only totals (`header`). */
  readonly documentBodies: "full" | "header";
}

/** Tag 1125, the sign of internet receipts, by maker: sent by default, and proven by the document of the first one. */
export const unconfirmedTags = { atol: [1125], pirit: [1125] } as const satisfies Readonly<
  Record<string, readonly number[]>
>;

export interface PaperCapabilities {
  /** Characters per line by font number 0 to 3 (a missing font is the nearest smaller number). */
  readonly columns: readonly number[];
  /** Styles that are printed, by the register's fonts or drawn. */
  readonly styles: readonly ("bold" | "italic" | "doubleHeight" | "underline" | "overline" | "negative" | "rotation")[];
  readonly barcodes: readonly ("ean13" | "code39" | "qr")[];
  /** True: styles that its fonts lack are sent as pictures, for which `compile` needs `CompileContext.paintText`. */
  readonly drawsText?: boolean;
  /** Null: no pictures. */
  readonly image: { readonly maxWidth: number; readonly maxHeight: number } | null;
  readonly cut: boolean;
  /** Which registered receipts it prints once more, as a copy: any of its drive, or the last document. Absent: none. */
  readonly copies?: "any" | "last";
  readonly header: boolean;
  readonly footer: boolean;
}

export interface FiscalCapabilities {
  /** Tag 1125 by a way that the maker's reference confirms or a setting allows. */
  readonly internet: boolean;
  /** Tag 1084 {1085, 1086}. */
  readonly orderMark: boolean;
  readonly goodsCode: boolean;
  readonly marking: boolean;
  /** A marked position, which is never split, may be a kopeck away from price x quantity. */
  readonly roundedMarks: boolean;
  readonly electronicOnly: boolean;
  readonly maxItems: number;
}
