import type { ReportKind } from "@fiscald/shared/receipt/receipt.js";

/** Features of a model. A missing fiscal feature is a fault before the first byte; a missing style degrades. */
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
  /** Tags that no source confirms for this maker. A document that lacks such a tag was registered without it. */
  readonly unconfirmedTags?: readonly number[];
  /** Whether `documentsSince` gives lines and order mark (`full`) or only totals (`header`). */
  readonly documentBodies: "full" | "header";
}

/** Tag 1125 (internet payment) is sent, and the document of the first such receipt shows if the register took it. */
export const unconfirmedTags = { atol: [1125], pirit: [1125] } as const satisfies Readonly<
  Record<string, readonly number[]>
>;

export interface PaperCapabilities {
  /** Characters per line by font number 0 to 3; a missing font is the nearest smaller number. */
  readonly columns: readonly number[];
  /** Styles that are printed, by the register's fonts or drawn. */
  readonly styles: readonly ("bold" | "italic" | "doubleHeight" | "underline" | "overline" | "negative" | "rotation")[];
  readonly barcodes: readonly ("ean13" | "code39" | "qr")[];
  /** True: styles that the register's fonts lack are sent as pictures; `compile` needs `CompileContext.paintText`. */
  readonly drawsText?: boolean;
  /** Null: no pictures. */
  readonly image: { readonly maxWidth: number; readonly maxHeight: number } | null;
  readonly cut: boolean;
  /** The registered receipts that the model can copy on paper: any of its drive, or the last one. Absent: none. */
  readonly copies?: "any" | "last";
  readonly header: boolean;
  readonly footer: boolean;
}

export interface FiscalCapabilities {
  /** The register takes tag 1125 (internet payment) in a way that a source confirms or a setting allows. */
  readonly internet: boolean;
  /** The register takes tag 1084 (user requisite: name 1085, value 1086), in which the order mark goes. */
  readonly orderMark: boolean;
  readonly goodsCode: boolean;
  readonly marking: boolean;
  /** The sum of a position with a marking code, which is never split, may be a kopeck away from price x quantity. */
  readonly roundedMarks: boolean;
  readonly electronicOnly: boolean;
  readonly maxItems: number;
}
