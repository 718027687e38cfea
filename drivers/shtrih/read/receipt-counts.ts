import type { FnSerial } from "@fiscald/shared/ids.js";

interface Count {
  readonly fn: FnSerial;
  readonly lastFd: number;
  readonly shift: number;
  readonly isOpen: boolean;
  readonly receipts: number;
}

/**
 * Computes a receipt's number in its shift (tag 1042) without a query: the drive numbers receipts one by one, and no
 * other receipt lies between the last known document and the next one. Belongs to one connection.
 */
export class ReceiptCounts {
  private last: Count | null = null;

  note(count: Count): void {
    this.last = count;
  }

  /** Shift and number of the receipt `fd`. Null: it is not the next document of that drive in that open shift. */
  nextAfter({ fn, fd }: { readonly fn: FnSerial; readonly fd: number }): {
    readonly shift: number;
    readonly receipt: number;
  } | null {
    const { last } = this;
    if (last === null || !last.isOpen || last.fn !== fn || fd !== last.lastFd + 1) return null;
    return { shift: last.shift, receipt: last.receipts + 1 };
  }
}
