/** The answers of the set-up page: what `fiscald init` asks, and also closing time and time zone. */
import { basename, dirname, resolve } from "node:path";
import { driverNames } from "@fiscald/drivers/registry.js";
import { z } from "zod";
import { idText, timeOfDay, timeZone, webAddress } from "../config/field-types.js";
import { authEntry, authKinds, newSecret, type RegisterEntry, registerEntry, urlsOf } from "./entries.js";
import { freeName, type NewConfig } from "./write-config.js";

const anything = z.record(z.string(), z.unknown());

export const registerAnswer = z.strictObject({
  title: z.string().min(1).max(128),
  driver: z.literal(driverNames),
  connection: anything,
  options: anything.default({}),
  /** The group of registers; empty = none. */
  group: z.string().max(64).default(""),
  cashier: z.string().max(64).default(""),
  taxSystem: z.string().max(32).default(""),
});
export type RegisterAnswer = z.output<typeof registerAnswer>;

export const setupAnswers = z.strictObject({
  site: z.strictObject({
    orders: webAddress,
    id: idText,
    auth: z.enum(authKinds),
    user: z.string().max(200).default(""),
    /** Name of the HTTP header. */
    header: z.string().max(200).default(""),
    /** Empty: a new secret is made. */
    secret: z.string().max(500).default(""),
  }),
  registers: z.array(registerAnswer).min(1).max(50),
  timeZone,
  closeShiftAt: timeOfDay.nullable(),
});
export type SetupAnswers = z.output<typeof setupAnswers>;

export interface SetupConfig {
  readonly config: NewConfig;
  /** The secret that the site must be given; null = none. */
  readonly secret: string | null;
}

/** Makes the config, unwritten. `dataFolder`: where an installed program keeps its data; null = beside the config. */
export function configOf(answers: SetupAnswers, path: string, dataFolder: string | null): SetupConfig {
  const { site, registers, timeZone: zone, closeShiftAt } = answers;
  const folder = dirname(path);
  const file = freeName(folder, `${site.id}-secret`);
  const auth = authEntry(site.auth, { user: site.user, name: site.header }, file);
  const secret = auth === null ? null : site.secret || newSecret(site.auth);
  return {
    secret,
    config: {
      path,
      dataFolder,
      oldConfig: resolve(folder, freeName(folder, `${basename(path)}.old`)),
      site: { id: site.id, urls: urlsOf(site.orders), ...(auth === null ? {} : { auth }) },
      registers: registers.map((answer, index) => {
        return entryOf(answer, `till-${index + 1}`, { sites: [site.id], timeZone: zone, closeShiftAt });
      }),
      secrets: secret === null ? [] : [{ file, value: secret }],
    },
  };
}

/** The settings that all registers of a shop share. */
export interface ShopSettings {
  readonly sites: readonly string[];
  readonly timeZone: string;
  readonly closeShiftAt: string | null;
}

export function entryOf(answer: RegisterAnswer, id: string, shop: ShopSettings): RegisterEntry {
  const { title, group, cashier, taxSystem, ...access } = answer;
  const { sites, timeZone: zone, closeShiftAt } = shop;
  return {
    ...registerEntry(access, { id, title, group }, sites),
    ...(cashier === "" ? {} : { cashier: { name: cashier } }),
    ...(taxSystem === "" ? {} : { taxSystem }),
    timeZone: zone,
    ...(closeShiftAt === null ? {} : { closeShiftAt }),
  };
}
