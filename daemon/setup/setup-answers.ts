/** The answers of the set-up page and of `fiscald init`, their suggestions, and the config made from the answers. */
import { basename, dirname, resolve } from "node:path";
import { driverNames } from "@fiscald/drivers/registry.js";
import { wrongFormat } from "@fiscald/shared/format-texts.js";
import { createWebhook } from "@fiscald/shared/http/webhook-headers.js";
import { issueOf } from "@fiscald/shared/texts.js";
import { z } from "zod";
import { configId, timeOfDay, timeZone, webAddress } from "../config/field-types.js";
import { configReasons } from "../messages/reasons/config-reasons.js";
import { setupTexts } from "../messages/texts/setup.js";
import { authEntry, authKinds, loginEntry, loginOptions, newSecret, urlsOf } from "./entries.js";
import { freeName } from "./write-config.js";

/** An emulated register must be named on purpose, to `init` or in the file, so the page sets up none. */
export const setupConnections = ["serial", "tcp", "http"] as const;

export const registerAnswer = z.strictObject({
  title: z.string().min(1).max(128),
  driver: z.literal(driverNames),
  connection: z.looseObject({ kind: z.enum(setupConnections) }),
  /** Only plain values: the file of a secret is named only in a config that a person writes. */
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).default({}),
  /** Empty: the register is in no group. */
  group: z.string().max(64).default(""),
  taxSystem: z.string().max(32).default(""),
  /** For a register that refuses the usual user and passwords. */
  login: z.record(z.string(), z.string().max(200)).default({}),
});
export type RegisterAnswer = z.output<typeof registerAnswer>;

export interface NewRegister extends Omit<RegisterAnswer, "connection" | "options"> {
  readonly connection: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
}

const siteCalls = {
  orders: webAddress,
  auth: z.enum(authKinds),
  user: z.string().max(200).default(""),
  header: z.string().max(200).default(""),
  /** Empty: a new secret is to be made. */
  secret: z.string().max(500).default(""),
};
export const siteToTry = z.strictObject(siteCalls).superRefine(checkSecret);

/** A secret that cannot make a signature is refused at its question, before the whole config would be refused. */
function checkSecret(
  { auth, secret }: { readonly auth: string; readonly secret: string },
  context: z.RefinementCtx,
): void {
  if (auth === "signature" && secret !== "" && createWebhook(secret) === null)
    context.addIssue({ ...issueOf(configReasons.base64), path: ["secret"] });
}

export const setupAnswers = z.strictObject({
  site: z.strictObject({ ...siteCalls, id: configId }).superRefine(checkSecret),
  registers: z.array(registerAnswer).min(1).max(50),
  /** Empty: no cashier. */
  cashier: z.string().max(64).default(""),
  cashierInn: z
    .string()
    .regex(/^(\d{12})?$/, wrongFormat("innOrEmpty"))
    .default(""),
  timeZone,
  closeShiftAt: timeOfDay.nullable(),
});
export type SetupAnswers = z.output<typeof setupAnswers>;

export interface NewShop extends Omit<SetupAnswers, "registers"> {
  readonly registers: readonly NewRegister[];
}

/** Nothing is written. `dataFolder` holds an installed program's data; null: the data is beside the config. */
export function configOf(answers: NewShop, path: string, dataFolder: string | null) {
  const { site, registers, cashier, cashierInn, timeZone: zone, closeShiftAt } = answers;
  const folder = dirname(path);
  const file = freeName(folder, `${site.id}-secret`);
  const auth = authEntry(site.auth, { user: site.user, name: site.header }, file);
  const secret = auth === null ? null : site.secret || newSecret(site.auth);
  const shop = { cashier: cashierOf(cashier, cashierInn), timeZone: zone, closeShiftAt };
  const entries = registers.map((answer, index) => {
    return entryOf(answer, `till-${index + 1}`, { folder, sites: [site.id], ...shop });
  });
  return {
    /** The secret that a person must give to the site; null: there is none. */
    secret,
    config: {
      path,
      dataFolder,
      oldConfig: resolve(folder, freeName(folder, `${basename(path)}.old`)),
      site: { id: site.id, urls: urlsOf(site.orders), ...(auth === null ? {} : { auth }) },
      registers: entries.map(({ entry }) => entry),
      secrets: [...(secret === null ? [] : [{ file, value: secret }]), ...entries.flatMap(({ secrets }) => secrets)],
    },
  };
}

function cashierOf(name: string, inn: string): EntrySettings["cashier"] {
  return name === "" ? null : inn === "" ? { name } : { name, inn };
}

export interface EntrySettings {
  readonly cashier: { readonly name: string; readonly inn?: string | undefined } | null;
  readonly timeZone: string;
  readonly closeShiftAt: string | null;
  readonly sites: readonly string[];
  readonly folder: string;
}

export function entryOf(
  { title, driver, connection, group, taxSystem, login, ...answer }: NewRegister,
  id: string,
  { sites, folder, cashier, timeZone: zone, closeShiftAt }: EntrySettings,
) {
  const known = loginOptions(driver);
  const asked = Object.fromEntries(Object.entries(login).filter(([key]) => known.includes(key)));
  const { secrets, ...ofLogin } = loginEntry(asked, (key) => freeName(folder, `${id}-${key}`));
  const options = { ...answer.options, ...ofLogin.options };
  return {
    secrets,
    entry: {
      ...{ id, title, driver, connection },
      ...(Object.keys(options).length === 0 ? {} : { options }),
      sites,
      ...(group === "" ? {} : { group }),
      ...(taxSystem === "" ? {} : { taxSystem }),
      ...(cashier === null ? {} : { cashier }),
      timeZone: zone,
      ...(closeShiftAt === null ? {} : { closeShiftAt }),
    },
  };
}

export const usualClosing = "23:50";

/** Null: the computer's clock fits no Russian zone, for example because nobody has told the computer its zone. */
export function zoneOfComputer(zone = new Intl.DateTimeFormat().resolvedOptions().timeZone): string | null {
  const known = Object.keys(setupTexts.zones);
  const offset = offsetOf(zone);
  return known.find((one) => one === zone) ?? known.find((one) => offsetOf(one) === offset) ?? null;
}

/** The zone's present difference from UTC, such as `GMT+03:00`. */
function offsetOf(zone: string): string | undefined {
  const parts = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts();
  return parts.find(({ type }) => type === "timeZoneName")?.value;
}
