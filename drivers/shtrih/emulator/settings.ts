/**
 * Facts that protocols/shtrih-m.md marks as unconfirmed and that a driver could depend on, as switches of the
 * emulator (`--unconfirmed NAME=VALUE`). The first value of a row is the default.
 */
import { z } from "zod";
import { chooseSettings } from "../../emulator/emulated-model.js";

export const unconfirmedSettings = {
  /** Section 15: reaction to a byte that is neither ENQ nor STX while idle. */
  "garbage-in-idle": ["nak", "ignored"],
  /** Section 15: a command before the previous answer was acknowledged. */
  "command-before-ack": ["ignored", "executed"],
  /** An answer that waits for its ACK when the host hangs up and connects again. */
  "answer-after-reconnect": ["kept", "forgotten"],
  /** Section 15: the open receipt after a power cut. */
  "receipt-after-power-cut": ["kept", "dropped"],
  /** Section 8.3: FF46h with no receipt open. */
  "item-opens-receipt": ["no", "yes"],
  /** Section 15: whether the operation of FF46h must match the type of 8Dh. */
  "item-operation": ["must-match", "any"],
  /** Section 12: FF3Ah and FF3Bh while a closed receipt prints (needs realistic timing). */
  "read-while-printing": ["refused", "allowed"],
  /** Section 8.8: the document in FF01h's answer while a receipt is open. */
  "current-document": ["receipt", "none"],
  /** Section 8.8: what ends a document that is read by FF3Bh. */
  "tlv-end": ["08", "34"],
  /** Section 8.8: TLV per call of FF3Bh. */
  "tlv-per-read": ["one", "many"],
  /** Section 8.1: bytes of the answer to E0h. */
  "open-shift-answer": ["3", "2"],
  /** Section 8.8: bytes of the count in FF3Fh. */
  "unconfirmed-count": ["2", "4"],
  /** Section 8.5: code of 7/107. */
  "vat-7-107": ["88", "90"],
  /** Section 7.1: 1Eh while a receipt is open. */
  "write-table-in-receipt": ["refused", "allowed"],
  /** Section 2.1: answer to an unknown command of the FF group. */
  "unknown-ff-answer": ["3", "2"],
  /**
   * Domain 5.5: whether the register was registered with a place of settlement (tag 1187), and accepts none in a
   * receipt.
   */
  "place-of-settlement": ["of-the-receipt", "registered"],
} as const satisfies Record<string, readonly string[]>;

export type ShtrihSettings = z.infer<typeof settingsSchema>;

/** Fault `usage.wrong` for an unknown name or value. */
export function shtrihSettings(given: Readonly<Record<string, string>>): ShtrihSettings {
  const chosen = chooseSettings(unconfirmedSettings, given);
  return settingsSchema.parse(Object.fromEntries(chosen));
}

const settingsSchema = z.object({
  "garbage-in-idle": z.enum(unconfirmedSettings["garbage-in-idle"]),
  "command-before-ack": z.enum(unconfirmedSettings["command-before-ack"]),
  "answer-after-reconnect": z.enum(unconfirmedSettings["answer-after-reconnect"]),
  "receipt-after-power-cut": z.enum(unconfirmedSettings["receipt-after-power-cut"]),
  "item-opens-receipt": z.enum(unconfirmedSettings["item-opens-receipt"]),
  "item-operation": z.enum(unconfirmedSettings["item-operation"]),
  "read-while-printing": z.enum(unconfirmedSettings["read-while-printing"]),
  "current-document": z.enum(unconfirmedSettings["current-document"]),
  "tlv-end": z.enum(unconfirmedSettings["tlv-end"]),
  "tlv-per-read": z.enum(unconfirmedSettings["tlv-per-read"]),
  "open-shift-answer": z.enum(unconfirmedSettings["open-shift-answer"]),
  "unconfirmed-count": z.enum(unconfirmedSettings["unconfirmed-count"]),
  "vat-7-107": z.enum(unconfirmedSettings["vat-7-107"]),
  "write-table-in-receipt": z.enum(unconfirmedSettings["write-table-in-receipt"]),
  "unknown-ff-answer": z.enum(unconfirmedSettings["unknown-ff-answer"]),
  "place-of-settlement": z.enum(unconfirmedSettings["place-of-settlement"]),
});
