import { z } from "zod";
import { flag } from "../driver-parts.js";

export const atolOptionsSchema = z.strictObject({
  deviceId: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe("Id of the register in the print service (`GET /api/v2/devices`); null = its default register."),
  user: z.string().min(1).nullable().default(null).describe("User of the print service (HTTP Basic); null = none."),
  password: z.string().nullable().default(null).describe("Password of that user."),
  internetByParameter: flag(
    "Tag 1125 is sent as `customParameters` 1125, proven by the document of the first such receipt; false = no internet receipts.",
    true,
  ),
  pictures: flag(
    "Unconfirmed: pictures, and texts with looks that its fonts lack, are sent as `pixels`, one byte for each dot, 1 = black.",
  ),
  markingParamsAsList: flag(
    "Unconfirmed: `params` of beginMarkingCodeValidation is a list of one instead of an object.",
  ),
});

export type AtolOptions = z.infer<typeof atolOptionsSchema>;

/** The waits of this driver in ms; tests and fault campaigns shorten them. */
export const atolTimeouts = {
  connectMs: 3_000,
  /** For the service's whole answer to one HTTP request. */
  requestMs: 5_000,
  quickMs: 10_000,
  /** For the final status of a job that makes a document, whether or not the service's queue is blocked. */
  documentMs: 60_000,
  markMs: 20_000,
  /** For the final status of every request whose outcome is not known. */
  fenceMs: 20_000,
  /** Between two questions about a job; the first wait is a tenth of this. */
  pollMs: 1_000,
};
export type AtolTimeouts = Readonly<typeof atolTimeouts>;
