/** The command line that `fiscald-site check-site` and `fiscald check-site` share. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Kopecks, kopecks, parseRoubles } from "../amounts.js";
import { type Command, choiceOf, wrongValue } from "../command-line.js";
import { Fault, messageOf } from "../fault.js";
import type { SiteAuth } from "../http/auth-headers.js";
import { createWebhook } from "../http/webhook-headers.js";
import { toInn, toKkm } from "../ids.js";
import { defaultRules } from "../receipt/check-receipt.js";
import { findingTexts, flagTexts } from "./finding-texts.js";
import type { BothLanguages, Language } from "./findings.js";
import { exampleRegister, type PlayedRegister, type SiteToCheck, type TestOrder } from "./site-to-check.js";

export const siteFlagsSchema = z.object({
  testOrder: z.string().optional(),
  total: z.number().optional(),
  operation: z.enum(["sell", "sell_refund"]).optional(),
  strict: z.boolean().optional(),
  json: z.boolean().optional(),
  junit: z.string().optional(),
  lang: z.string().optional(),
  auth: z.string().optional(),
  secretFile: z.string().optional(),
  result: z.string().optional(),
  sync: z.string().optional(),
  activity: z.string().optional(),
  zreport: z.string().optional(),
  encoding: z.enum(["json", "form"]).optional(),
  format: z.enum(["auto", "task-table", "online"]).optional(),
  resultAction: z.string().optional(),
  kkm: z.string().optional(),
  inn: z.string().optional(),
  taxes: z.array(z.number()).optional(),
});

export type SiteFlags = z.output<typeof siteFlagsSchema>;

export function addSiteFlags(command: Command, language: Language): Command {
  return command
    .option("--test-order <id>", flagTexts.testOrder[language])
    .option("--total <roubles>", flagTexts.total[language], readTotal)
    .addOption(choiceOf("--operation <name>", flagTexts.operation[language], ["sell", "sell_refund"]))
    .option("--strict", flagTexts.strict[language])
    .option("--json", flagTexts.json[language])
    .option("--junit <file>", flagTexts.junit[language])
    .option("--auth <kind>", flagTexts.auth[language])
    .option("--secret-file <file>", flagTexts.secretFile[language])
    .option("--result <url>", flagTexts.result[language])
    .option("--sync <url>", flagTexts.sync[language], readAddress)
    .option("--activity <url>", flagTexts.activity[language], readAddress)
    .option("--zreport <url>", flagTexts.zreport[language], readAddress)
    .addOption(choiceOf("--encoding <name>", flagTexts.encoding[language], ["json", "form"]))
    .addOption(choiceOf("--format <name>", flagTexts.format[language], ["auto", "task-table", "online"]))
    .option("--result-action <word>", flagTexts.resultAction[language])
    .option("--kkm <number>", flagTexts.kkm[language])
    .option("--inn <number>", flagTexts.inn[language])
    .option("--taxes <ids>", flagTexts.taxes[language], readIds);
}

/** Flags that describe a site. They make no sense for a site that the config describes. */
export const addressFlags = [
  ...(["auth", "secretFile", "result", "sync", "activity", "zreport", "encoding", "format", "resultAction"] as const),
  ...(["kkm", "inn", "taxes"] as const),
] satisfies readonly (keyof SiteFlags)[];

function readTotal(text: string): Kopecks {
  const total = parseRoubles(text);
  if (total === null) throw wrongValue(flagTexts.sum);
  return total;
}

function readAddress(text: string): string {
  if (text === "none" || isWebAddress(text)) return text;
  throw wrongValue(flagTexts.address);
}

function readIds(text: string): readonly number[] {
  if (!/^\d{1,3}(,\d{1,3})*$/.test(text)) throw wrongValue(flagTexts.numbers);
  return text.split(",").map(Number);
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** Fault `usage.wrong`. */
export function siteFromFlags(
  url: string,
  flags: SiteFlags,
  env: Readonly<Record<string, string | undefined>>,
): SiteToCheck {
  for (const address of [url, flags.result ?? url]) {
    if (!isWebAddress(address)) throw wrong(findingTexts.noAddress(address));
  }
  const at = (flag: string | undefined) => (flag === "none" ? null : (flag ?? url));
  const activity = at(flags.activity);
  return {
    urls: {
      orders: url,
      result: flags.result ?? url,
      sync: at(flags.sync),
      connected: activity,
      disconnected: activity,
      zreport: at(flags.zreport),
    },
    auth: authFromFlags(flags, env),
    encoding: flags.encoding ?? "auto",
    format: flags.format ?? "auto",
    rules: defaultRules,
    resultAction: flags.resultAction ?? "orderConfirm",
    resultExtras: true,
    tls: {},
  };
}

function authFromFlags(flags: SiteFlags, env: Readonly<Record<string, string | undefined>>): SiteAuth {
  const secret = flags.secretFile === undefined ? (env.FISCAL_SECRET ?? "") : readSecret(flags.secretFile);
  const kind = flags.auth ?? (secret === "" ? "none" : "signature");
  const [, name = ""] = /^header=([!#$%&'*+.^_`|~0-9A-Za-z-]+)$/.exec(kind) ?? [];
  if (kind !== "none" && secret === "") throw wrong(findingTexts.secretMissing);
  if (name !== "") return { kind: "header", name, value: secret };
  switch (kind) {
    case "none":
      return { kind };
    case "bearer":
      return { kind, token: secret };
    case "signature":
      if (createWebhook(secret) === null) throw wrong(findingTexts.secretNotBase64);
      return { kind, secret };
    case "basic": {
      const [, user, password] = /^([^:]+):(.*)$/s.exec(secret) ?? [];
      if (user === undefined || password === undefined) throw wrong(findingTexts.basicSecret);
      return { kind, user, password };
    }
    default:
      throw wrong(findingTexts.authKinds);
  }
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    const message = findingTexts.unreadable(file, messageOf(error));
    throw new Fault("usage.wrong", { message, place: file, cause: error });
  }
}

export function registerFromFlags({ kkm, inn, taxes }: SiteFlags): PlayedRegister {
  const { tables } = exampleRegister;
  const known = new Map(tables.taxes.map((row) => [row.id, row]));
  const rows = taxes?.map((id) => known.get(id) ?? { id, title: `НДС, строка ${id}`, vat: null });
  return {
    ...exampleRegister,
    ...(kkm === undefined ? {} : { kkm: toKkm(kkm), rows: rows === undefined ? "withheld" : "stated" }),
    ...(inn === undefined ? {} : { inn: toInn(inn) }),
    tables: { ...tables, taxes: rows ?? tables.taxes },
  };
}

export function orderFromFlags({ testOrder, total, operation }: SiteFlags): TestOrder {
  return {
    orderId: testOrder ?? null,
    total: total === undefined ? null : kopecks(total),
    operation: operation === undefined ? null : operation === "sell" ? "sale" : "return",
  };
}

function wrong(message: BothLanguages): Fault {
  return new Fault("usage.wrong", { message });
}
