import { formatRoubles, type Kopecks } from "../amounts.js";
import type { FnSerial } from "../ids.js";
import type { LocalTime } from "../local-time.js";
import type { Operation } from "../receipt/receipt.js";

export interface QrFacts {
  /** Tag 1012. */
  readonly time: LocalTime;
  /** Tag 1020. */
  readonly sum: Kopecks;
  readonly fn: FnSerial;
  readonly fd: number;
  /** Tag 1077, decimal text. */
  readonly fp: string;
  readonly operation: Operation;
}

/**
 * Text of a receipt's QR code: `t=20261120T1405&s=1250.50&fn=..&i=42&fp=..&n=1`, in this order of keys and with time
 * to the minute (domain 6.1).
 */
export function qrText({ time, sum, fn, fd, fp, operation }: QrFacts): string {
  const minute = time.slice(0, 16).replace(/[-:]/g, "");
  return `t=${minute}&s=${formatRoubles(sum)}&fn=${fn}&i=${fd}&fp=${fp}&n=${operation === "sale" ? 1 : 2}`;
}
