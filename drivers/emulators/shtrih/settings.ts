/**
 * Facts that the maker's manual marks as unconfirmed and that a driver could depend on, as switches of the
 * emulator (`--unconfirmed NAME=VALUE`). The first value of a row is the default.
 */
import { z } from "zod";
import { chooseSettings } from "../device/emulated-model.js";

/** No enums: those put values that are whole numbers first. */
const settingsSchema = z.object({
  /** Section 15: reaction to a byte that is neither ENQ nor STX while idle. */
  "garbage-in-idle": z.literal(["nak", "ignored"]),
  /** Section 15: a command before the previous answer was acknowledged. */
  "command-before-ack": z.literal(["ignored", "executed"]),
  /** An answer that waits for its ACK when the host hangs up and connects again. */
  "answer-after-reconnect": z.literal(["kept", "forgotten"]),
  /** Section 15: the open receipt after a power cut. */
  "receipt-after-power-cut": z.literal(["kept", "dropped"]),
  /** Section 8.3: FF46h with no receipt open. */
  "item-opens-receipt": z.literal(["no", "yes"]),
  /** Section 15: whether the operation of FF46h must match the type of 8Dh. */
  "item-operation": z.literal(["must-match", "any"]),
  /** Section 12: FF3Ah and FF3Bh while a closed receipt prints (needs realistic timing). */
  "read-while-printing": z.literal(["refused", "allowed"]),
  /** Section 8.8: the document in FF01h's answer while a receipt is open. */
  "current-document": z.literal(["receipt", "none"]),
  /** Section 8.8: what ends a document that is read by FF3Bh. */
  "tlv-end": z.literal(["08", "34"]),
  /** Section 8.8: TLV per call of FF3Bh. */
  "tlv-per-read": z.literal(["one", "many"]),
  /** Section 8.1: bytes of the answer to E0h. */
  "open-shift-answer": z.literal(["3", "2"]),
  /** Section 8.5: code of 7/107. */
  "vat-7-107": z.literal(["88", "90"]),
  /** Section 7.1: 1Eh while a receipt is open. */
  "write-table-in-receipt": z.literal(["refused", "allowed"]),
  /** Section 2.1: answer to an unknown command of the FF group. */
  "unknown-ff-answer": z.literal(["3", "2"]),
  /**
   * Domain 5.5: whether the register was registered with a place of settlement (tag 1187), and accepts none in a
   * receipt.
   */
  "place-of-settlement": z.literal(["of-the-receipt", "registered"]),
});

export type ShtrihSettings = z.infer<typeof settingsSchema>;

export const unconfirmedSettings: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(settingsSchema.shape).map(([name, { values }]) => [name, [...values]]),
);

/** Fault `usage.wrong` for an unknown name or value. */
export function shtrihSettings(given: Readonly<Record<string, string>>): ShtrihSettings {
  return settingsSchema.parse(Object.fromEntries(chooseSettings(unconfirmedSettings, given)));
}
