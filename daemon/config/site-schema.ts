import { kopecks } from "@fiscald/shared/amounts.js";
import { wrongFormat } from "@fiscald/shared/format-texts.js";
import { toInn, toSiteId } from "@fiscald/shared/ids.js";
import type { ReceiptRules } from "@fiscald/shared/receipt/check-receipt.js";
import { givenFields } from "@fiscald/shared/receipt/receipt.js";
import { z } from "zod";
import {
  type ConfigSurroundings,
  configId,
  fileTextField,
  flagWithDefault,
  oneOf,
  orNull,
  secretField,
  timeZone,
  webAddress,
} from "./field-types.js";

export function siteSchema(surroundings: ConfigSurroundings) {
  const secret = secretField(surroundings);
  const fileText = fileTextField(surroundings);
  const optionalAddress = orNull(webAddress);

  const urls = z.strictObject({
    orders: webAddress.describe("Is asked for paid orders"),
    result: webAddress.describe("Gets each print result"),
    sync: optionalAddress.describe("Gets the list of registers; null = not sent"),
    activity: optionalAddress.describe("Gets KKMConnected and KKMDisconnected; null = not sent"),
    connected: optionalAddress.describe("Gets KKMConnected instead of `activity`"),
    disconnected: optionalAddress.describe("Gets KKMDisconnected instead of `activity`"),
    zreport: optionalAddress.describe("Gets ZReport after a shift is closed; null = not sent"),
    error: optionalAddress.describe("Gets a report of each order that could not be read; null = only logged"),
  });

  const auth = z
    .discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("none") }),
      z.strictObject({
        kind: z.literal("basic"),
        user: z.string().min(1).describe("HTTP Basic"),
        password: secret.describe("HTTP Basic"),
      }),
      z.strictObject({ kind: z.literal("bearer"), token: secret.describe("Sent as `Authorization: Bearer`") }),
      z.strictObject({
        kind: z.literal("header"),
        name: z
          .string()
          .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, wrongFormat("headerName"))
          .describe("Header of its own"),
        value: secret.describe("Value of that header"),
      }),
      z.strictObject({ kind: z.literal("signature"), secret: secret.describe("Base64, with or without `whsec_`") }),
    ])
    .default({ kind: "none" });

  return z.strictObject({
    id: configId.transform(toSiteId).describe("Name of the site in the database, in logs and commands"),
    urls: urls.describe("Addresses of the site's handlers; may all be the same"),
    pollEverySeconds: z
      .number()
      .min(0.2)
      .max(3600)
      .default(5)
      .describe("Pause between two order polls of one register when nothing waits"),
    receiptFormat: oneOf(["auto", "task-table", "online"], "auto").describe(
      "Format of the orders; auto = recognised by the fields",
    ),
    bodyEncoding: oneOf(["json", "form"], "json").describe(
      "How calls are encoded; form = fields with PHP's brackets, for older sites",
    ),
    resultAction: z.string().min(1).max(64).default("orderConfirm").describe("Value of `action` in the print result"),
    resultExtras: flagWithDefault(true).describe("False: the result has only the protocol's own fields and `orderId`"),
    sessionSumm: oneOf(["net", "sales"], "net").describe(
      "`sessionSumm` of ZReport: sales less returns, or sales alone",
    ),
    reportFailedClose: flagWithDefault(false).describe(
      "True: a shift that could not be closed is reported too, with resultCode 4",
    ),
    tellOperatorReturns: flagWithDefault(false).describe(
      "True: the site gets results of returns and corrections made by a person at the till (`by: operator`); a site with the kit always does",
    ),
    requireContactForInternet: flagWithDefault(true).describe(
      "False: an internet receipt without the buyer's contact is printed",
    ),
    strictPaper: flagWithDefault(true).describe(
      "Prints paper for a buyer without contact even when the order says not to",
    ),
    rates: z
      .strictObject({
        allow20: flagWithDefault(false).describe(
          "True: sales at 20 % are printed, of goods that were shipped before 2026",
        ),
      })
      .prefault({})
      .describe("Rates of VAT"),
    marked: z
      .strictObject({
        requirePermit: flagWithDefault(false).describe(
          "True: marked goods are sold only with the answer of the marking system (tag 1260)",
        ),
      })
      .prefault({})
      .describe("Marked goods"),
    corrections: oneOf(["refuse", "approve"], "refuse").describe(
      "Corrections (form 31) that the site orders: refused, or each waits until a person approves it",
    ),
    orderAge: z
      .strictObject({
        warnAfterHours: hours.prefault(24).describe("A sale whose `paidAt` is longer ago is printed with a warning"),
        holdAfterHours: hours.prefault(72).describe("A sale whose `paidAt` is longer ago waits for a person"),
      })
      .prefault({})
      .describe(
        "Orders that reach a register late; only `paidAt` tells their age, the online format's `timestamp` does not",
      ),
    timeZone: timeZone.default("Europe/Moscow").describe("Zone of a `paidAt` that names no offset"),
    largestReceipt: z
      .number()
      .min(1)
      .max(99_999_999)
      .transform((roubles) => kopecks(Math.round(roubles * 100)))
      .prefault(1_000_000)
      .describe("In roubles: a receipt of more waits until a person approves it"),
    inn: orNull(
      z
        .string()
        .regex(/^(\d{10}|\d{12})$/, wrongFormat("inn"))
        .transform(toInn),
    ).describe("Whose goods the site sells: `doctor` and `status` name a register of another taxpayer; null = any"),
    renamedFrom: orNull(configId.transform(toSiteId)).describe(
      "Former `id` of this site: its history goes on under the new one",
    ),
    issuer: orNull(z.string().trim().min(1).max(200)).describe(
      "Who issues the order numbers, where several shops share one address; null = the orders address tells",
    ),
    formerAddresses: z
      .array(webAddress)
      .max(20)
      .default([])
      .describe("Orders addresses that this site had before: its old receipts are recognised by them"),
    auth: auth.describe("How the daemon proves to the site who it is; left out = not at all"),
    tls: z
      .strictObject({
        caFile: orNull(fileText).describe("PEM of the authority to trust instead of the system's"),
        certFile: orNull(fileText).describe("PEM of a client certificate"),
        keyFile: orNull(fileText).describe("PEM of its key"),
      })
      .prefault({})
      .describe("Own certificates"),
  });
}

const hours = z.number().min(1).max(87_600);

export type SiteConfig = z.output<ReturnType<typeof siteSchema>>;

export function ownTlsOf({ tls: { caFile, certFile, keyFile } }: Pick<SiteConfig, "tls">) {
  return givenFields({ ca: caFile ?? undefined, cert: certFile ?? undefined, key: keyFile ?? undefined });
}

export function receiptRulesOf(site: SiteConfig): ReceiptRules {
  const { requireContactForInternet, strictPaper, rates, marked, corrections, timeZone } = site;
  const { requirePermit } = marked;
  const ofLaw = { allow20: rates.allow20, requirePermit, corrections: corrections === "approve" };
  return { requireContactForInternet, strictPaper, timeZone, ...ofLaw };
}
