/** The command line that `fiscald-site check-site` and `fiscald check-site` share. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Kopecks, kopecks, parseRoubles } from "../amounts.js";
import { type Command, InvalidArgumentError, Option } from "../command-line.js";
import { Fault, toFault } from "../fault.js";
import type { SiteAuth } from "../http/auth-headers.js";
import { createWebhook } from "../http/webhook-headers.js";
import { toInn, toKkm } from "../ids.js";
import { defaultRules } from "../receipt/check-receipt.js";
import { exampleRegister, type PlayedRegister, type SiteToCheck, type TestOrder } from "./site-to-check.js";

export const siteFlagsSchema = z.object({
  testOrder: z.string().optional(),
  total: z.number().optional(),
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

export function addSiteFlags(command: Command): Command {
  return command
    .option("--test-order <id>", "this order is a test: it is reported as printed; any other one as failed")
    .option("--total <roubles>", "what the test order costs, to be compared with its receipt", readTotal)
    .option("--json", "as JSON, with every request and answer")
    .option("--junit <file>", "also writes a report in JUnit's XML")
    .option("--auth <kind>", "how the calls prove themselves: signature, bearer, basic, header=NAME or none")
    .option("--secret-file <file>", "holds the secret (basic: USER:PASSWORD); default: FISCAL_SECRET")
    .option("--result <url>", "address of the print result; default: the same address")
    .option("--sync <url>", "address of the list of registers, or none", readAddress)
    .option("--activity <url>", "address of connects and disconnects, or none", readAddress)
    .option("--zreport <url>", "address of Z reports, or none", readAddress)
    .addOption(
      new Option("--encoding <name>", "how calls are encoded; default: as the site understands them").choices([
        "json",
        "form",
      ]),
    )
    .addOption(new Option("--format <name>", "format of the orders").choices(["auto", "task-table", "online"]))
    .option("--result-action <word>", "`action` of the print result; default: orderConfirm")
    .option("--kkm <number>", "the register that is played")
    .option("--inn <number>", "its taxpayer; default: any")
    .option("--taxes <ids>", "its tax rows, such as 1,2,4; default: 1 to 6", readIds);
}

/** Flags that describe a site, and so make no sense for one that is described elsewhere. */
export const addressFlags = [
  ...(["auth", "secretFile", "result", "sync", "activity", "zreport", "encoding", "format", "resultAction"] as const),
  ...(["kkm", "inn", "taxes"] as const),
] satisfies readonly (keyof SiteFlags)[];

function readTotal(text: string): Kopecks {
  const total = parseRoubles(text);
  if (total === null) throw new InvalidArgumentError("This is a sum such as 240.00.");
  return total;
}

function readAddress(text: string): string {
  if (text === "none" || isWebAddress(text)) return text;
  throw new InvalidArgumentError("This is an address such as https://shop.example/fiscal, or none.");
}

function readIds(text: string): readonly number[] {
  if (!/^\d{1,3}(,\d{1,3})*$/.test(text)) throw new InvalidArgumentError("These are numbers such as 1,2,4.");
  return text.split(",").map(Number);
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** Throws `usage.wrong`. */
export function siteFromFlags(
  url: string,
  flags: SiteFlags,
  env: Readonly<Record<string, string | undefined>>,
): SiteToCheck {
  for (const address of [url, flags.result ?? url]) {
    if (!isWebAddress(address)) throw wrong(`${address} is no address: it begins with http:// or https://`);
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
  if (kind !== "none" && secret === "") throw wrong("there is no secret: set FISCAL_SECRET, or name a --secret-file");
  if (name !== "") return { kind: "header", name, value: secret };
  switch (kind) {
    case "none":
      return { kind };
    case "bearer":
      return { kind, token: secret };
    case "signature":
      if (createWebhook(secret) === null) throw wrong("the secret of a signature is base64, with or without whsec_");
      return { kind, secret };
    case "basic": {
      const [, user, password] = /^([^:]+):(.*)$/s.exec(secret) ?? [];
      if (user === undefined || password === undefined) throw wrong("the secret of basic is USER:PASSWORD");
      return { kind, user, password };
    }
    default:
      throw wrong("--auth is signature, bearer, basic, header=NAME or none");
  }
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw toFault(error, "usage.wrong", { place: file });
  }
}

export function registerFromFlags({ kkm, inn, taxes }: SiteFlags): PlayedRegister {
  const { tables } = exampleRegister;
  const known = new Map(tables.taxes.map((row) => [row.id, row]));
  const rows = taxes?.map((id) => known.get(id) ?? { id, title: `НДС, строка ${id}`, vat: null });
  return {
    ...exampleRegister,
    ...(kkm === undefined ? {} : { kkm: toKkm(kkm) }),
    ...(inn === undefined ? {} : { inn: toInn(inn) }),
    tables: { ...tables, taxes: rows ?? tables.taxes },
  };
}

export function orderFromFlags({ testOrder, total }: SiteFlags): TestOrder {
  return { orderId: testOrder ?? null, total: total === undefined ? null : kopecks(total) };
}

function wrong(message: string): Fault {
  return new Fault("usage.wrong", { message });
}
