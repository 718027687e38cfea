/** A command as the emulator's own table describes it, by the maker's papers and not by the driver's table. */
import type { CoreAnswer, Refusal } from "../memory/refusals.js";
import { type Fields, joined } from "./bytes.js";
import type { ShtrihDevice } from "./device.js";

export interface CommandContext {
  readonly device: ShtrihDevice;
  /** Row of table 2 that the password belongs to; 0 = the command has none. */
  readonly operator: number;
  readonly fields: Fields;
  readonly code: number;
}

/** The data that follow the error byte of a good answer, or the error. */
export type Outcome = { readonly data: Uint8Array } | { readonly error: number };

export interface CommandRow {
  /** Code of one byte, or of two bytes in the group FFxx. */
  readonly code: number;
  /** Common name for faults and logs. */
  readonly name: string;
  /** Whose password the command needs. `op`: any operator's; `adm`: that of operator 29 or 30; `sys`: that of 30. */
  readonly password: "none" | "op" | "adm" | "sys";
  /** Shortest parameters in bytes, without code and password. */
  readonly min?: number;
  readonly max?: number;
  /** Modes in which the command is allowed. Absent: any mode. */
  readonly modes?: readonly number[];
  /** `print`: puts something on paper; `document`: makes a fiscal document, on paper unless that is switched off. */
  readonly paper?: "print" | "document";
  /** True: the operator's number comes between error and data. */
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

/** The fiscal memory's answer as an outcome: its refusal, or what `done` makes of its value. */
export function outcomeOf<T>(answer: CoreAnswer<T>, done: (value: T) => Outcome = () => ok()): Outcome {
  return answer.ok ? done(answer.value) : refuse(answer.refusal);
}
