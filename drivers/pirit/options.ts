import { z } from "zod";
import { flag } from "../driver-parts.js";

export const piritOptionsSchema = z.strictObject({
  password: z
    .string()
    .regex(/^[\x20-\x7e]{4}$/, "four characters")
    .default("PIRI")
    .describe("Password of the link: four characters, item 20 of the register's settings."),
  unlistedTaxRows: flag(
    "Tax rows 6 to 9 (5 %, 7 %, 5/105, 7/107) are used although the register's settings do not list them.",
  ),
  internetFlag: z
    .number()
    .int()
    .min(1)
    .max(255)
    .nullable()
    .default(1)
    .describe(
      "Value for the flags field of command 31 that stands for tag 1125: 1 by the maker's manual of FM16, on other models proven by the document of the first such receipt; null = no internet receipts.",
    ),
  dollarInCodes: z
    .enum(["refuse", "plain", "escaped"])
    .default("refuse")
    .describe("How a literal $ inside a goods or marking code is sent: not at all, as it is, or as $24."),
});

export type PiritOptions = z.infer<typeof piritOptionsSchema>;
