import type { Refusal } from "../memory/refusals.js";

/** Fields of a good answer, or an error. `reason`: the extended reason that query 06/1 then answers. */
export type Outcome =
  | { readonly data: readonly string[] }
  | { readonly error: number; readonly reason: number; readonly data?: readonly string[] };

export function ok(...data: readonly (string | number)[]): Outcome {
  return { data: data.map(String) };
}

export function fail(error: number, reason = 0): Outcome {
  return { error, reason };
}

export function wrongState(reason: number): Outcome {
  return fail(0x01, reason);
}

export function badFormat(reason = 0): Outcome {
  return fail(0x03, reason);
}

/** Error and extended reason of each refusal (PIRIT protocol, 10). */
const refusals: Readonly<Record<Refusal, readonly [error: number, reason: number]>> = {
  "shift-open": [0x0f, 0],
  "shift-closed": [0x01, 20],
  "shift-expired": [0x0a, 0],
  "receipt-open": [0x01, 9],
  "no-receipt": [0x01, 8],
  "no-lines": [0x01, 26],
  "too-many-lines": [0x4e, 0],
  "tax-unknown": [0x03, 48],
  "tax-system-unknown": [0x03, 43],
  "sum-mismatch": [0x03, 47],
  "value-out-of-range": [0x03, 47],
  "total-out-of-range": [0x03, 47],
  "payments-below-total": [0x01, 14],
  "cashless-above-total": [0x03, 56],
  "zero-total": [0x01, 26],
  "not-enough-cash": [0x0e, 0],
  "paper-out": [0x08, 0],
  "cover-open": [0x09, 0],
  "print-halted": [0x01, 15],
  "nothing-halted": [0x01, 8],
  "clock-behind": [0x0c, 0],
  "drive-full": [0x46, 0],
  "drive-expired": [0x45, 0],
  "ofd-blocked": [0x54, 0],
  "no-document": [0x48, 0],
  "bad-sign": [0x03, 76],
  "mark-unchecked": [0x7e, 0],
  "mark-rejected": [0x7e, 0],
};

export function refuse(refusal: Refusal): Outcome {
  return fail(...refusals[refusal]);
}
