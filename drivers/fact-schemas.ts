/** Facts of a register as JSON: in the answers of the reference register, and in the daemon's database. */
import { kopecks } from "@fiscald/shared/amounts.js";
import { readBy } from "@fiscald/shared/exchange/lenient-fields.js";
import { toFnSerial, toInn, toKkm } from "@fiscald/shared/ids.js";
import { parseLocalTime } from "@fiscald/shared/local-time.js";
import { z } from "zod";

export const money = z.int().transform((value) => kopecks(value));
export const fn = z.string().transform(toFnSerial);
export const time = z.string().transform(readBy(parseLocalTime, "not a local time"));

export const identitySchema = z.object({
  kkm: z.string().transform(toKkm),
  inn: z.string().transform(toInn),
  fn,
  /** Tag 1013 (serial number of the register). */
  serial: z.string(),
  /** The maker's name of the model, for the `device` field of activity calls. */
  model: z.string(),
  firmware: z.string(),
  /** Format of documents (FFD) that the register is registered for: "1.05", "1.1", "1.2"; null = unknown. */
  ffd: z.string().nullable(),
  /** Bits of tag 1062 (tax systems that the register is registered for). 0 = unknown. */
  taxSystems: z.int(),
});

/** `number`: of the open shift, or of the last closed one. */
export const shiftState = z.object({ number: z.int(), state: z.enum(["closed", "open", "expired"]) });
/** Cash in and out since the shift began, or since the register's first day: only differences count. */
export const drawer = z.object({ cash: money, cashIn: money, cashOut: money });

export const documentFields = {
  fd: z.int(),
  operation: z.enum(["sale", "return", "other"]).nullable(),
  total: money.nullable(),
  fiscalSign: z.string(),
  shift: z.int().nullable(),
  receiptNumber: z.int().nullable(),
  mark: z.string().nullable(),
  contact: z.string().nullable(),
  items: z.array(z.object({ name: z.string(), price: money, quantity: z.number(), sum: money })),
};
