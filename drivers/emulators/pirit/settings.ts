/** Switches (`--unconfirmed`) for facts that the maker's manual leaves open. The first value is the default. */
import { z } from "zod";

export const piritSettings = z.object({
  /** VAT of 2026 (PIRIT protocol, 8). `new-rows`: rows 10 and 11 beside 20 %; `renamed`: rows 0 and 4 are 22 %. */
  "vat-22": z.literal(["new-rows", "renamed"]),
  /** Whether settings 40 and 41 list the tax rows above 5. `6`: these rows have only a number (PIRIT protocol, 8). */
  "listed-tax-rows": z.literal(["all", "6"]),
  /** Command 32 (cancel) for a document that is paid (state 4) (PIRIT protocol, 14). */
  "cancel-when-paid": z.literal(["allowed", "refused"]),
  /** When an ENQ gets its ACK while a command is at work (PIRIT protocol, 2). */
  "enquiry-while-busy": z.literal(["after-answer", "at-once"]),
  /** The open receipt after a power cut. */
  "receipt-after-power-cut": z.literal(["kept", "dropped"]),
  /** Error of command 04 (state of the printer) when the printer is not ready (PIRIT protocol, 5). */
  "printer-status-error": z.literal(["00", "09"]),
  /** Whether the block of query 78/11 (archived document) begins with the type of the document (PIRIT protocol, 7). */
  "archive-block": z.literal(["with-type", "without-type"]),
  /** What one answer of query 78/16 (piece of tags) carries (PIRIT protocol, 7). */
  "tlv-block": z.literal(["tag", "128-bytes"]),
  /** Length of the date in the answer of command 31 (close) (PIRIT protocol, 6). */
  "close-date": z.literal(["6", "8"]),
  /** The bit for tag 1125 (internet) in the flags of command 31; the manual of FM16 names bit 0 (PIRIT protocol, 6). */
  "internet-flag": z.literal(["1", "none", "2", "4"]),
  /** The field for tag 1187 (place) in command 31, which the manual of FM16 calls reserved (PIRIT protocol, 6). */
  "place-of-settlement": z.literal(["kept", "dropped"]),
  /** The answers of queries 01/3 and 01/5 (counters) after the shift was closed (PIRIT protocol, 7). */
  "counters-after-close": z.literal(["zero", "kept"]),
});

export type PiritSettings = z.infer<typeof piritSettings>;
