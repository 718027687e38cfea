/** A row of the emulator's command table, which follows the maker's papers and not the driver's table. */
import type { CoreAnswer, Refusal } from "../memory/refusals.js";
import { type Fields, joined } from "./bytes.js";
import type { ShtrihDevice } from "./device.js";

export interface CommandContext {
  readonly device: ShtrihDevice;
  /** Row of table 2 that the password belongs to; 0 = the command has no password. */
  readonly operator: number;
  readonly fields: Fields;
  readonly code: number;
}

/** The data after the error byte of a good answer, or the error. */
export type Outcome = { readonly data: Uint8Array } | { readonly error: number };

export interface CommandRow {
  /** One byte, or two bytes in the group FFxx. */
  readonly code: number;
  /** Name that all makers share, for faults and logs. */
  readonly name: string;
  /** Whose password the command needs. `op`: any operator's; `adm`: operator 29's or 30's; `sys`: operator 30's. */
  readonly password: "none" | "op" | "adm" | "sys";
  /** Least length of the parameters in bytes, without code and password. */
  readonly min?: number;
  readonly max?: number;
  readonly modes?: readonly number[];
  /** `print`: prints on paper. `document`: makes a fiscal document, on paper unless paper is switched off. */
  readonly paper?: "print" | "document";
  /** True: the operator's number stands between error and data. */
  readonly operatorByte?: boolean;
  readonly ms?: number;
  run(context: CommandContext): Outcome;
}

export function ok(...parts: readonly (Uint8Array | readonly number[])[]): Outcome {
  return { data: joined(...parts) };
}

export function fail(error: number): Outcome {
  return { error };
}

/** Error numbers of the refusals (Shtrih-M protocol, 10). */
const refusalCodes: Readonly<Record<Refusal, number>> = {
  "shift-open": 0x3c,
  "shift-closed": 0x3d,
  "shift-expired": 0x4e,
  "receipt-open": 0x4a,
  "no-receipt": 0x55,
  "no-lines": 0x8e,
  "too-many-lines": 0x4b,
  "tax-unknown": 0x33,
  "tax-system-unknown": 0x33,
  "sum-mismatch": 0x33,
  "value-out-of-range": 0x33,
  "total-out-of-range": 0x5f,
  "payments-below-total": 0x45,
  "cashless-above-total": 0x4d,
  "zero-total": 0x8e,
  "not-enough-cash": 0x46,
  "paper-out": 0x6b,
  "cover-open": 0x6b,
  "print-halted": 0x58,
  "nothing-halted": 0x72,
  "clock-behind": 0x07,
  "drive-full": 0x06,
  "drive-expired": 0x05,
  "ofd-blocked": 0x15,
  "no-document": 0x08,
  "bad-sign": 0x5e,
  "mark-unchecked": 0xac,
  "mark-rejected": 0xa1,
};

export function refuse(refusal: Refusal): Outcome {
  return fail(refusalCodes[refusal]);
}

export function outcomeOf<T>(answer: CoreAnswer<T>, done: (value: T) => Outcome = () => ok()): Outcome {
  return answer.ok ? done(answer.value) : refuse(answer.refusal);
}
