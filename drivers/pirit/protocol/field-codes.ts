/** Goods and marking codes as a field carries them: bytes below 20h as `$` and two hex digits (reference, section 2). */
import { Fault } from "@fiscald/shared/fault.js";
import type { PiritOptions } from "../options.js";

const FIRST_BYTE = 0x20;
const LAST_BYTE = 0xf0;
const DOLLAR = 0x24;

/** Fault `receipt.unsupported` for a byte that has no way into a field. */
export function codeField(base64: string, { dollarInCodes }: Pick<PiritOptions, "dollarInCodes">): Uint8Array {
  const bytes = [...Buffer.from(base64, "base64")];
  if (bytes.some((byte) => byte > LAST_BYTE)) {
    throw new Fault("receipt.unsupported", { message: "a code has bytes that the register's protocol cannot carry" });
  }
  if (dollarInCodes === "refuse" && bytes.includes(DOLLAR)) {
    throw new Fault("receipt.unsupported", {
      message: "a code has a $, and how the register takes it is not known: set the option dollarInCodes",
    });
  }
  const escapes = (byte: number) => byte < FIRST_BYTE || (byte === DOLLAR && dollarInCodes === "escaped");
  return Uint8Array.from(bytes.flatMap((byte) => (escapes(byte) ? escaped(byte) : [byte])));
}

function escaped(byte: number): readonly number[] {
  return [...Buffer.from(`$${byte.toString(16).toUpperCase().padStart(2, "0")}`, "latin1")];
}

/** Our typeClose -> the register's payment type (reference, section 6, command 47). */
export const paymentTypes: ReadonlyMap<number, number> = new Map([
  [0, 0],
  [1, 1],
  [2, 13],
  [3, 14],
  [4, 15],
]);
