/** Commands of marking codes: 79. */
import type { Quantity } from "@fiscald/shared/amounts.js";
import { act, nothing, row } from "./command-rows.js";

export interface Mark {
  /** Bytes as a field may hold them. */
  readonly code: Uint8Array;
  /** Tag 2003 or 2110: 1 piece sold, 3 piece returned. */
  readonly status: number;
  /** Tag 2108. */
  readonly measure: number;
}

export const markingCommands = {
  clearMarks: row({ ...act, name: "79/3 clear marks", code: "79", request: (w) => w.integer(3), answer: nothing }),
  checkMark: row({
    ...act,
    name: "79/1 check mark",
    code: "79",
    timeout: "slow",
    request: (w, p: Mark & { readonly quantity: Quantity }) =>
      w.integer(1).raw(p.code).integer(0).integer(p.status).quantity(p.quantity).integer(p.measure).integer(0),
    answer: (r) => r.skip(1).integer(),
  }),
  acceptMark: row({
    ...act,
    name: "79/2 accept mark",
    code: "79",
    request: (w, accept: boolean) => w.integer(2).integer(accept ? 1 : 0),
    answer: nothing,
  }),
  bindMark: row({
    ...act,
    name: "79/15 bind mark",
    code: "79",
    request: (w, p: Mark & { readonly result: number }) =>
      w.integer(15).raw(p.code).integer(p.status).integer(0).integer(p.result).integer(p.measure),
    answer: nothing,
  }),
} as const;
