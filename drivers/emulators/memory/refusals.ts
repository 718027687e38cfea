/** Why the fake fiscal memory refuses a call; each maker's protocol has its own error codes for these reasons. */
export type Refusal =
  | "shift-open"
  | "shift-closed"
  | "shift-expired"
  | "receipt-open"
  | "no-receipt"
  | "no-lines"
  | "too-many-lines"
  | "tax-unknown"
  | "tax-system-unknown"
  | "sum-mismatch"
  | "value-out-of-range"
  | "total-out-of-range"
  | "payments-below-total"
  | "cashless-above-total"
  | "zero-total"
  | "not-enough-cash"
  | "paper-out"
  | "cover-open"
  | "print-halted"
  | "nothing-halted"
  | "clock-behind"
  | "drive-full"
  | "drive-expired"
  | "ofd-blocked"
  | "no-document"
  /** Format 1.05 corrects sales and purchases alone. */
  | "bad-sign"
  | "mark-unchecked"
  | "mark-rejected";

export type CoreAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal };

export function done<T>(value: T): CoreAnswer<T> {
  return { ok: true, value };
}

export function refused(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal };
}
