import { resolve } from "node:path";
import { connectionSchema } from "@fiscald/drivers/connection.js";
import { driverNames } from "@fiscald/drivers/registry.js";
import { wrongFormat } from "@fiscald/shared/format-texts.js";
import { type Kkm, toInn, toKkm, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { TaxSystem } from "@fiscald/shared/receipt/receipt.js";
import { issueOf } from "@fiscald/shared/texts.js";
import { z } from "zod";
import { configReasons } from "../messages/reasons/config-reasons.js";
import {
  type ConfigSurroundings,
  configId,
  documentText,
  driverOptions,
  flagWithDefault,
  limitedNumber,
  orNull,
  timeOfDay,
  timeZone,
  webAddress,
} from "./field-types.js";
import { isReceiptLinkPlaceholder, isReceiptLinkPreset, receiptLinkPresets } from "./receipt-link-presets.js";

/** Bits of tag 1055 (tax system), by the config's names. */
export const taxSystemBits = {
  osn: 1,
  "usn-income": 2,
  "usn-income-expense": 4,
  eshn: 16,
  patent: 32,
} as const satisfies Record<string, TaxSystem>;

export function registerSchema(surroundings: ConfigSurroundings) {
  // State files of emulators are named relative to the config, like every path in the config.
  const connection = connectionSchema.transform((known) =>
    known.kind === "emulator" && known.statePath !== null
      ? { ...known, statePath: resolve(surroundings.folder, known.statePath) }
      : known,
  );

  const receiptLink = z.union(
    [
      z.strictObject({ preset: z.string().describe(`One of ${Object.keys(receiptLinkPresets).join(", ")}`) }),
      z.strictObject({ template: webAddress.describe("Own template, such as `https://ofd.example/{fn}/{fd}/{fp}`") }),
    ],
    { error: wrongFormat("receiptLink") },
  );

  return z.strictObject({
    id: configId.transform(toRegisterId).describe("Name of the register in logs, commands and the database"),
    renamedFrom: orNull(configId.transform(toRegisterId)).describe(
      "Former `id` of this register: its history goes on under the new one",
    ),
    title: orNull(z.string().min(1).max(128)).describe("Name for people and for the site; null = id"),
    driver: z.enum(driverNames).describe("The maker's protocol"),
    connection: connection.describe("How the register is connected"),
    expectKkm: orNull(
      z
        .string()
        .min(1)
        .transform((text): Kkm => toKkm(text)),
    ).describe("Registration number that must be found there; null = any, remembered from then on"),
    sites: z
      .array(configId.transform(toSiteId))
      .min(1)
      .describe("Ids of the sites whose orders it prints and who hear of it"),
    group: orNull(configId).describe("Registers of one group stand in for one another; null = none"),
    cashier: z
      .strictObject({
        name: documentText(64).describe("Tag 1021: position and surname"),
        inn: z
          .string()
          .regex(/^(\d{12})?$/, wrongFormat("innOrEmpty"))
          .default("")
          .transform((text) => (text === "" ? null : toInn(text)))
          .describe("Tag 1203"),
      })
      .nullable()
      .prefault(null)
      .describe("Cashier on receipts that name none"),
    taxSystem: orNull(
      z
        .enum(["osn", "usn-income", "usn-income-expense", "eshn", "patent"])
        .transform((name): TaxSystem => taxSystemBits[name]),
    ).describe("Tax system of receipts that name none; null = the register's only one"),
    defaultTax: orNull(z.int().min(0).max(255)).describe("Tax id of positions without one, where the model needs one"),
    orderMark: flagWithDefault(true).describe("Puts the order number into tag 1084, where the model can"),
    options: driverOptions(surroundings).prefault({}).describe("The driver's own options; passwords may be secrets"),
    moveAfterSeconds: limitedNumber(1, 86_400, 30).describe(
      "How long a job waits for this register before another of the group takes it",
    ),
    timeZone: timeZone.default("Europe/Moscow").describe("Zone of the place where the register stands"),
    closeShiftAt: orNull(timeOfDay).describe("When the shift is closed each day; null = only before 24 hours are over"),
    printPaper: flagWithDefault(true).describe("False: receipts go to the buyer electronically where the law allows"),
    receiptLink: receiptLink
      .transform((link, context): string => {
        if ("template" in link) {
          const unknown = [...link.template.matchAll(/\{([^}]*)\}/g)].find(
            ([, name = ""]) => !isReceiptLinkPlaceholder(name),
          );
          if (unknown === undefined) return link.template;
          context.addIssue({ ...issueOf(configReasons.placeholder({ name: String(unknown[0]) })), path: ["template"] });
          return z.NEVER;
        }
        if (isReceiptLinkPreset(link.preset)) return receiptLinkPresets[link.preset];
        const known = Object.keys(receiptLinkPresets).join(", ");
        context.addIssue({ ...issueOf(configReasons.oneOf({ names: known })), path: ["preset"] });
        return z.NEVER;
      })
      .nullable()
      .prefault(null)
      .describe("Web page of the receipt, sent as OFDLink: a preset of an OFD or an own template; null = none"),
  });
}

export type RegisterConfig = z.output<ReturnType<typeof registerSchema>>;
