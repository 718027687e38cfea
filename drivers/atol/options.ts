import { z } from "zod";

/** `registers[].options` of this driver. */
export const atolOptionsSchema = z.strictObject({
  deviceId: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe("Id of the register in the print service (`GET /api/v2/devices`); null = its default register."),
  user: z.string().min(1).nullable().default(null).describe("User of the print service (HTTP Basic); null = none."),
  password: z.string().nullable().default(null).describe("Password of that user."),
  internetByParameter: z
    .boolean()
    .default(true)
    .describe(
      "Tag 1125 is sent as `customParameters` 1125, proven by the document of the first such receipt; false = no internet receipts.",
    ),
  pictures: z
    .boolean()
    .default(false)
    .describe(
      "Unconfirmed: pictures, and texts with looks that its fonts lack, are sent as `pixels`, one byte for each dot, 1 = black.",
    ),
  markingParamsAsList: z
    .boolean()
    .default(false)
    .describe("Unconfirmed: `params` of beginMarkingCodeValidation is a list of one instead of an object."),
});

export type AtolOptions = z.infer<typeof atolOptionsSchema>;
