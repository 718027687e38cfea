/** A document of the fiscal drive as a register returns it, and the tags that a program sends or a document has. */
import type { Kopecks } from "@fiscald/shared/amounts.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import type { Operation } from "@fiscald/shared/receipt/receipt.js";

export interface FiscalDocument {
  readonly fd: number;
  /** `unknown`: the drive has a document of this number, but its type could not be read. */
  readonly type: "receipt" | "correction" | "shift-open" | "shift-close" | "other" | "unknown";
  readonly operation: Operation | "other" | null;
  readonly total: Kopecks | null;
  readonly fiscalSign: string;
  readonly time: LocalTime | null;
  readonly shift: number | null;
  readonly receiptNumber: number | null;
  /** Order mark (tag 1086). Null: the document has none. */
  readonly mark: string | null;
  /** `full`: lines and order mark were read. `header`: only the fields above the lines. */
  readonly body: "full" | "header" | "unreadable";
  readonly items: readonly DocumentItem[];
  readonly contact: string | null;
  /**
   * All readable tags that a program may send, to compare them with the sent tags. They never decide which order a
   * document belongs to, because a register may alter a receipt that it prints. Absent: the tags were not read.
   */
  readonly tags?: DocumentTags;
}

/** Values by tag: money in kopecks, quantities in millionths, texts as they are, 1 where only presence counts. */
export type TagValues = Readonly<Record<number, string | number>>;

/** `items`: one for each tag 1059 (item). */
export interface DocumentTags {
  readonly head: TagValues;
  readonly items: readonly TagValues[];
}

export interface DocumentItem {
  readonly name: string;
  readonly price: Kopecks;
  /** In millionths, as far as the drive stores them. */
  readonly quantity: number;
  readonly sum: Kopecks;
}
