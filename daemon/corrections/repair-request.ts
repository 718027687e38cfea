import { parseQuantity, parseRoubles } from "@fiscald/shared/amounts.js";
import { toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { refusalTexts } from "@fiscald/shared/receipt/texts/refusal-texts.js";
import { isVatCode } from "@fiscald/shared/receipt/vat.js";
import { issueOf } from "@fiscald/shared/texts.js";
import { z } from "zod";
import { repairCases } from "./what-the-law-wants.js";

const name = z.string().trim().min(1).max(128);
const vat = z.int().refine(isVatCode, "no code of a rate");
const roubles = z.string().transform((text, context) => {
  const sum = parseRoubles(text.trim().replace(",", "."));
  if (sum !== null && sum >= 0) return sum;
  context.addIssue({ code: "custom", message: "no sum like 123.45" });
  return z.NEVER;
});
const quantity = z.string().transform((text, context) => {
  const count = parseQuantity(text.trim().replace(",", "."));
  if (count !== null && count >= 0) return count;
  context.addIssue({ code: "custom", message: "no quantity like 1.5" });
  return z.NEVER;
});
/** The first day on which registers of the present kind were in use. */
const FIRST_DAY = "2016-07-15";
const day = z.iso.date().superRefine((text, context) => {
  if (text < FIRST_DAY) context.addIssue(issueOf(refusalTexts.dayTooEarly(FIRST_DAY)));
});
const order = z.string().trim().min(1).max(128).transform(toOrderId);

export const repairRequest = z.strictObject({
  case: z.enum(repairCases),
  /** The job of the wrong receipt, or of the order that got no receipt; null = `missed` describes the settlement. */
  job: z.int().min(1).nullable().default(null),
  /** A settlement unknown to this daemon, or in the case `twice` a receipt of another program. */
  missed: z
    .strictObject({
      register: z.string().transform(toRegisterId),
      /** The site that gave the order its number. */
      site: z.string().transform(toSiteId).nullable().default(null),
      order,
      /** Tag 1077 (fiscal sign) of another program's receipt, as its paper shows it. */
      sign: z
        .string()
        .trim()
        .regex(/^(?=.*[1-9])\d{1,10}$/)
        .nullable()
        .default(null),
      contact: z.string().trim().min(1).max(64).nullable().default(null),
      /** The address of the shop, if the buyer paid on the internet. */
      internet: z.string().trim().min(1).max(256).nullable().default(null),
    })
    .nullable()
    .default(null),
  /** Tag 1178 (day of the settlement). */
  date: day.nullable().default(null),
  /** Tag 1179: the number of the tax office's order for the correction; null = the shop corrects of its own accord. */
  instruction: z.string().trim().min(1).max(32).nullable().default(null),
  /** The rates of the wrong receipt's lines as its paper shows them; null or absent = as they were sent. */
  onPaper: z.array(vat.nullable()).max(1000).default([]),
  /** The right values of a line of the receipt. What is not named stays, and quantity 0 leaves the line out. */
  edits: z
    .array(
      z.strictObject({
        line: z.int().min(1),
        name: name.exactOptional(),
        price: roubles.exactOptional(),
        quantity: quantity.exactOptional(),
        vat: vat.exactOptional(),
      }),
    )
    .max(1000)
    .default([]),
  added: z
    .array(z.strictObject({ name, price: roubles, quantity, vat }))
    .max(1000)
    .default([]),
  /** How the buyer paid; empty = as the receipt says, if that fits. A single payment needs no sum. */
  payments: z
    .array(z.strictObject({ typeClose: z.int().min(0).max(4), sum: roubles.exactOptional() }))
    .max(5)
    .default([]),
});

export type RepairRequest = z.output<typeof repairRequest>;
