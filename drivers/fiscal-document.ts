/** A document of the fiscal drive as a register gives it back, and the tags that a program sends or a document has. */
import type { Kopecks } from "@fiscald/shared/amounts.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import type { Operation } from "@fiscald/shared/receipt/receipt.js";

export interface FiscalDocument {
  readonly fd: number;
  /** `unknown`: the drive has a document of this number, but what kind it is could not be read. */
  readonly type: "receipt" | "correction" | "shift-open" | "shift-close" | "other" | "unknown";
  readonly operation: Operation | "other" | null;
  readonly total: Kopecks | null;
  readonly fiscalSign: string;
  readonly time: LocalTime | null;
  readonly shift: number | null;
  readonly receiptNumber: number | null;
  /** Order mark: value of tag 1086; null = the document has none. */
  readonly mark: string | null;
  /** `full`: lines and order mark are as in the drive. `header`: only the fields above the lines. */
  readonly body: "full" | "header" | "unreadable";
  readonly items: readonly DocumentItem[];
  readonly contact: string | null;
  /**
   * All tags that a program may send and that could be read, for the comparison with those that it did send. The tags
   * never decide which order a document belongs to: a register that alters a receipt has printed it. Absent: not read.
   */
  readonly tags?: DocumentTags;
}

/** Values by tag: money in kopecks, quantities in millionths, texts as they are, 1 where presence alone counts. */
export type TagValues = Readonly<Record<number, string | number>>;

/** `items`: one for each tag 1059 (item). */
export interface DocumentTags {
  readonly head: TagValues;
  readonly items: readonly TagValues[];
}

export interface DocumentItem {
  readonly name: string;
  readonly price: Kopecks;
  /** Millionths, as far as the drive keeps them. */
  readonly quantity: number;
  readonly sum: Kopecks;
}
