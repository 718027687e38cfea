/** The page's view of a receipt. */
import type { ReceiptState } from "../print-server/receipts/receipt-tables.js";
import type { StoredReceipt } from "../print-server/receipts/stored-receipt.js";

export interface ReceiptView {
  readonly orderId: string | null;
  readonly state: ReceiptState;
  /** Kopecks. */
  readonly total: number | null;
  readonly info: string | null;
  readonly kkm: string | null;
  readonly fn: string | null;
  readonly fdNumber: string | null;
  readonly fiscalSign: string | null;
  readonly shiftNumber: string | null;
  readonly link: string | null;
  /** From payment to the result, milliseconds. */
  readonly tookMs: number | null;
  /** Whether the register's own tape can be had. */
  readonly hasTape: boolean;
}

export function viewOf(stored: StoredReceipt, canReadTapes: boolean): ReceiptView {
  const { orderId, state, total, result, createdAt, finishedAt } = stored;
  return {
    orderId,
    state,
    total,
    info: result?.resultInfo ?? null,
    kkm: result?.kkm ?? null,
    fn: result?.fn ?? null,
    fdNumber: result?.fdNumber ?? null,
    fiscalSign: result?.fiscalSign ?? null,
    shiftNumber: result?.shiftNumber ?? null,
    link: webAddress(result?.link ?? null),
    tookMs: finishedAt === null ? null : finishedAt - createdAt,
    hasTape: canReadTapes && state === "printed",
  };
}

/** The link becomes an `href`: nothing but a web address may. */
function webAddress(link: string | null): string | null {
  return link !== null && /^https?:\/\//i.test(link) ? link : null;
}

/** Nothing more will happen to it by itself. */
export function isSettled({ state }: ReceiptView): boolean {
  return state === "printed" || state === "failed" || state === "replaced";
}
