/** The fields of a config that a person can change on the set-up page. `fiscald init` asks for the same fields. */
import { z } from "zod";
import { problemPath } from "../config/config-problem.js";
import type { Messages } from "../messages/messages.js";
import { setupTexts } from "../messages/texts/setup.js";
import { secretKeys, taxSystemNames } from "./entries.js";

export type JsonPath = readonly (string | number)[];

export interface SetupField {
  /** Such as `registers[0].cashier.name`. */
  readonly path: string;
  readonly label: FieldLabel;
  readonly kind: "text" | "url" | "number" | "time" | "password" | "choice";
  /** The choices besides the present value; empty: any text. */
  readonly choices: readonly string[];
  /** The value in the file, or the default; empty: there is none, or the value is a secret. */
  readonly value: string;
}

export type FieldLabel = Extract<
  keyof Messages["setup"],
  | ("orders" | "user" | "header" | "newSecret" | "registerTitle" | "path" | "baudRate" | "address" | "port" | "url")
  | ("cashier" | "cashierInn" | "taxSystem" | "group" | "timeZone" | "closeShiftAt")
>;

export interface ConfigField extends SetupField {
  readonly place: JsonPath;
  write(config: unknown, value: string): unknown;
}

export interface SetupSection<Field = SetupField> {
  readonly kind: "site" | "register";
  readonly id: string;
  readonly fields: readonly Field[];
}

const entry = z.looseObject({ id: z.string() });
const siteEntry = entry.extend({
  urls: z.looseObject({ orders: z.string() }),
  auth: z.looseObject({ kind: z.string() }).default({ kind: "none" }),
});
const registerEntry = entry.extend({
  sites: z.array(z.string()),
  connection: z.looseObject({ kind: z.string() }),
  cashier: z
    .looseObject({ name: z.string(), inn: z.string().default("") })
    .nullable()
    .default(null),
  timeZone: z.string().default("Europe/Moscow"),
  closeShiftAt: z.string().nullable().default(null),
});
const rawConfig = z.looseObject({ sites: z.array(siteEntry), registers: z.array(registerEntry) });

export function registersIn(config: unknown) {
  return rawConfig.parse(config).registers;
}

/** The place behind the last entry of a list adds an entry. */
export function withValue(config: unknown, [key, ...rest]: JsonPath, value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof key === "number") {
    const list = z.array(z.unknown()).parse(config);
    return list.toSpliced(key, 1, withValue(list[key], rest, value));
  }
  const entries = z.record(z.string(), z.unknown()).parse(config);
  return { ...entries, [key]: withValue(entries[key], rest, value) };
}

/** `config` is the file's config, and has no mistakes. */
export function configSections(config: unknown): readonly SetupSection<ConfigField>[] {
  const { sites, registers } = rawConfig.parse(config);
  return [
    ...sites.map((site, index) => ({ kind: "site" as const, id: site.id, fields: siteFields(site, index) })),
    ...registers.map((register, index) => ({
      ...{ kind: "register" as const, id: register.id },
      fields: registerFields(register, index),
    })),
  ];
}

const secretKeyOf: Readonly<Record<string, string>> = secretKeys;

function siteFields({ urls, auth }: z.output<typeof siteEntry>, index: number): readonly ConfigField[] {
  const at = (...rest: JsonPath): JsonPath => ["sites", index, ...rest];
  const secretKey = secretKeyOf[auth.kind];
  return [
    {
      ...field(at("urls", "orders"), "orders", urls.orders, "url"),
      // Most sites have one address for all calls, so the new address replaces all equal addresses.
      write: (whole, value) =>
        Object.keys(urls)
          .filter((key) => urls[key] === urls.orders)
          .reduce((changed, key) => withValue(changed, at("urls", key), value), whole),
    },
    ...(auth.kind === "basic" ? [field(at("auth", "user"), "user", auth["user"])] : []),
    ...(auth.kind === "header" ? [field(at("auth", "name"), "header", auth["name"])] : []),
    ...(secretKey === undefined ? [] : [field(at("auth", secretKey), "newSecret", "", "password")]),
  ];
}

function registerFields(register: z.output<typeof registerEntry>, index: number): readonly ConfigField[] {
  const { connection, cashier } = register;
  const at = (...rest: JsonPath): JsonPath => ["registers", index, ...rest];
  const optional = (key: string, label: FieldLabel, kind: SetupField["kind"] = "text"): ConfigField => ({
    ...field(at(key), label, register[key], kind),
    write: (whole, value) => withValue(whole, at(key), value || null),
  });
  const inConnection = (key: string, label: FieldLabel) => field(at("connection", key), label, connection[key]);
  const number = (key: "baudRate" | "port", usual: number) =>
    field(at("connection", key), key, connection[key] ?? usual, "number");
  const connections: Readonly<Record<string, readonly ConfigField[]>> = {
    serial: [inConnection("path", "path"), number("baudRate", 115_200)],
    tcp: [inConnection("host", "address"), number("port", 7778)],
    http: [inConnection("url", "url")],
  };
  return [
    optional("title", "registerTitle"),
    ...(connections[connection.kind] ?? []),
    {
      ...field(at("cashier", "name"), "cashier", cashier?.name),
      write: (whole, value) => withValue(whole, at("cashier"), value === "" ? null : { ...cashier, name: value }),
    },
    {
      ...field(at("cashier", "inn"), "cashierInn", cashier?.inn),
      write: (whole, value) =>
        withValue(whole, at("cashier"), { name: "", ...registersIn(whole)[index]?.cashier, inn: value }),
    },
    { ...optional("taxSystem", "taxSystem", "choice"), choices: taxSystemNames(ALL_TAX_SYSTEMS) },
    optional("group", "group"),
    { ...field(at("timeZone"), "timeZone", register.timeZone, "choice"), choices: Object.keys(setupTexts.zones) },
    optional("closeShiftAt", "closeShiftAt", "time"),
  ];
}

const ALL_TAX_SYSTEMS = 0xff;

/** The check of the config reports an empty value. */
function field(
  place: JsonPath,
  label: SetupField["label"],
  value: unknown,
  kind: SetupField["kind"] = "text",
): ConfigField {
  return {
    ...{ path: problemPath(place), place, label, kind, choices: [], value: value == null ? "" : String(value) },
    write: (whole, wanted) =>
      withValue(whole, place, kind === "number" && /^\d+$/.test(wanted) ? Number(wanted) : wanted),
  };
}
