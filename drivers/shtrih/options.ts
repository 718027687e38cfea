import { wrongFormat } from "@fiscald/shared/format-texts.js";
import { z } from "zod";
import { flag } from "../driver-parts.js";
import { defaultLinkTimeouts } from "../link/exchange-machine.js";

const number = z.number().int().min(0).max(0xffff_ffff);
/** Passwords from a file or a variable are text. */
const password = z.union([number, z.string().regex(/^\d+$/, wrongFormat("number")).transform(Number).pipe(number)], {
  error: wrongFormat("password"),
});

export const shtrihOptionsSchema = z.strictObject({
  operatorPassword: password
    .prefault(30)
    .describe("Password of the operator who opens and closes receipts (table 2 of the register)."),
  adminPassword: password.prefault(30).describe("Password of administrator 30 (table 2 of the register)."),
  link: z.enum(["v1", "v2", "auto"]).default("auto").describe("Link protocol; auto asks v1 first, then v2."),
  enquiry: z
    .enum(["needed", "always"])
    .default("needed")
    .describe(
      "Link protocol 1: when ENQ asks the register whether it is idle; needed: at the connect, after any trouble and before a command of the same kind; always: before each command.",
    ),
  tagsBeforeItem: z
    .enum(["auto", "yes", "no"])
    .default("auto")
    .describe(
      "Whether tags and marking code of an item are sent before the item (cash core, Mobile-F) or behind it; auto: by what the register says of its model.",
    ),
  nanoTaxCodes: flag(
    "22 % and 22/122 are sent as 90h and A0h instead of CBh and CCh; on by itself where the register calls itself NANO-F.",
  ),
  correctionV3: flag(
    "5 % and 7 % in a correction of FFD 1.05 go by FF77h; its answer is in no paper of the maker, and no register has confirmed it.",
  ),
  correctionV4: flag(
    "22 % in a correction of FFD 1.05, and 5 % and 7 % without `correctionV3`, go by FF7Ch; unconfirmed: its layout is inferred, it is in no paper of the maker, and no register has answered it.",
  ),
  tax7of107As90: flag("7/107 is sent as 90h instead of 88h; the maker's own texts disagree."),
});

export type ShtrihOptions = z.infer<typeof shtrihOptionsSchema>;

const answerTimeouts = { status: 3_000, ordinary: 30_000, report: 65_000, openShift: 120_000, marking: 40_000 };
export type AnswerTimeout = keyof typeof answerTimeouts;

/** In ms (Shtrih-M protocol, 2.4); tests and fault campaigns shorten the waits. */
export const shtrihTimeouts = {
  ...defaultLinkTimeouts,
  ...answerTimeouts,
  printing: 60_000,
  /** Between two readings of the state of a device that is printing. */
  printPoll: 200,
};
export type ShtrihTimeouts = Readonly<typeof shtrihTimeouts>;
