/** Switches (`--unconfirmed`) for facts that the maker's papers leave open. The first value is the default. */
import { z } from "zod";

export const shtrihSettings = z.object({
  /** Reaction to a byte that is neither ENQ nor STX while idle (Shtrih-M protocol, 15). */
  "garbage-in-idle": z.literal(["nak", "ignored"]),
  /** A command that comes before the previous answer was acknowledged (Shtrih-M protocol, 15). */
  "command-before-ack": z.literal(["ignored", "executed"]),
  /** The answer that waits for its ACK when the host disconnects and connects again. */
  "answer-after-reconnect": z.literal(["kept", "forgotten"]),
  /** What happens to the open receipt in a power cut (Shtrih-M protocol, 15). */
  "receipt-after-power-cut": z.literal(["kept", "dropped"]),
  /** FF46h (item) with no receipt open (Shtrih-M protocol, 8.3). */
  "item-opens-receipt": z.literal(["no", "yes"]),
  /** Whether the operation of FF46h (item) must match the type of 8Dh (open receipt) (Shtrih-M protocol, 15). */
  "item-operation": z.literal(["must-match", "any"]),
  /** FF3Ah and FF3Bh (read a document) while a receipt prints; needs realistic timing (Shtrih-M protocol, 12). */
  "read-while-printing": z.literal(["refused", "allowed"]),
  /** Whether FF01h (drive status) shows an open receipt as the present document (Shtrih-M protocol, 8.8). */
  "current-document": z.literal(["receipt", "none"]),
  /** Whether firmware of a format after 1.05 makes corrections with positions (F7h, flag 48). */
  "item-corrections": z.literal(["yes", "no"]),
  /** The mode after FF35h (begin correction): that of an open document, or the mode before. */
  "correction-mode": z.literal(["document", "unchanged"]),
  /** The error after the last tag of a document that FF3Bh reads (Shtrih-M protocol, 8.8). */
  "tlv-end": z.literal(["08", "34"]),
  /** How many tags one answer of FF3Bh has (Shtrih-M protocol, 8.8). */
  "tlv-per-read": z.literal(["one", "many"]),
  /** Bytes of the answer to E0h (open shift) (Shtrih-M protocol, 8.1). */
  "open-shift-answer": z.literal(["3", "2"]),
  /** Tax byte of 7/107 (Shtrih-M protocol, 8.5). */
  "vat-7-107": z.literal(["88", "90"]),
  /** 1Eh (write table) while a receipt is open (Shtrih-M protocol, 7.1). */
  "write-table-in-receipt": z.literal(["refused", "allowed"]),
  /** Bytes of the answer to an unknown command of the FF group (Shtrih-M protocol, 2.1). */
  "unknown-ff-answer": z.literal(["3", "2"]),
  /** `registered`: the register was registered with a place of payment (tag 1187), and accepts none in a receipt. */
  "place-of-settlement": z.literal(["of-the-receipt", "registered"]),
});

export type ShtrihSettings = z.infer<typeof shtrihSettings>;
