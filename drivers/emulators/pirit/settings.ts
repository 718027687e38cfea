/**
 * Facts that the maker's manual marks as unconfirmed and that a driver could depend on, as switches of the emulator
 * (`--unconfirmed NAME=VALUE`). The first value of a row is the default.
 */
import { z } from "zod";
import { chooseSettings } from "../device/emulated-model.js";

export const unconfirmedSettings = {
  /** Section 8: the rows of the rates of 2026. `new-rows`: 10 and 11 beside 20 %; `renamed`: rows 0 and 4 are 22 %. */
  "vat-22": ["new-rows", "renamed"],
  /** Section 8: whether items 40 and 41 list the rows above 5, or those can only be used by their number. */
  "listed-tax-rows": ["all", "6"],
  /** Section 14: 32 in state 4. */
  "cancel-when-paid": ["allowed", "refused"],
  /** Section 2: when an ENQ gets its ACK while a command is at work. */
  "enquiry-while-busy": ["after-answer", "at-once"],
  /** The open receipt after a power cut. */
  "receipt-after-power-cut": ["kept", "dropped"],
  /** Section 5: error of 04 when the printer is not ready. */
  "printer-status-error": ["00", "09"],
  /** Section 7: whether the block of 78/11 begins with the type of the document. */
  "archive-block": ["with-type", "without-type"],
  /** Section 7: what one answer of 78/16 carries. */
  "tlv-block": ["tag", "128-bytes"],
  /** Section 6: length of the date in the answer of 31. */
  "close-date": ["6", "8"],
  /** Section 6: the bit for tag 1125 in the flags of 31. The maker's manual of FM16 (format 1.05) names bit 0. */
  "internet-flag": ["1", "none", "2", "4"],
  /** Section 6: the field for tag 1187 in 31, which the same manual calls reserved. */
  "place-of-settlement": ["kept", "dropped"],
  /** Section 7: the answers of 01/3 and 01/5 after the shift was closed. */
  "counters-after-close": ["zero", "kept"],
} as const satisfies Record<string, readonly string[]>;

const settingsSchema = z.object({
  "vat-22": z.enum(unconfirmedSettings["vat-22"]),
  "listed-tax-rows": z.enum(unconfirmedSettings["listed-tax-rows"]),
  "cancel-when-paid": z.enum(unconfirmedSettings["cancel-when-paid"]),
  "enquiry-while-busy": z.enum(unconfirmedSettings["enquiry-while-busy"]),
  "receipt-after-power-cut": z.enum(unconfirmedSettings["receipt-after-power-cut"]),
  "printer-status-error": z.enum(unconfirmedSettings["printer-status-error"]),
  "archive-block": z.enum(unconfirmedSettings["archive-block"]),
  "tlv-block": z.enum(unconfirmedSettings["tlv-block"]),
  "close-date": z.enum(unconfirmedSettings["close-date"]),
  "internet-flag": z.enum(unconfirmedSettings["internet-flag"]),
  "place-of-settlement": z.enum(unconfirmedSettings["place-of-settlement"]),
  "counters-after-close": z.enum(unconfirmedSettings["counters-after-close"]),
});

export type PiritSettings = z.infer<typeof settingsSchema>;

/** Fault `usage.wrong` for an unknown name or value. */
export function piritSettings(given: Readonly<Record<string, string>>): PiritSettings {
  return settingsSchema.parse(Object.fromEntries(chooseSettings(unconfirmedSettings, given)));
}
