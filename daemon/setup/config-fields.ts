/** The fields of a config that the set-up page lets a person change: those that `fiscald init` asks for. */
import { z } from "zod";
import { problemPath } from "../config/config-problem.js";
import type { Messages } from "../messages/messages.js";
import { setupTexts } from "../messages/texts/setup.js";
import { type JsonPath, setInJson } from "./edit-json.js";
import { secretKeys, taxSystemNames } from "./entries.js";

export interface SetupField {
  /** The field's path, such as `registers[0].cashier.name`. */
  readonly path: string;
  readonly label: FieldLabel;
  readonly kind: "text" | "url" | "number" | "time" | "password" | "choice";
  /** The values to choose from, beside the present one; empty = any text. */
  readonly choices: readonly string[];
  /** The value in the file, else the default; "" = none. A secret is never shown. */
  readonly value: string;
}

/** Keys of the set-up page's texts that name a field. */
export type FieldLabel = Extract<
  keyof Messages["setup"],
  | ("orders" | "user" | "header" | "newSecret" | "registerTitle" | "path" | "baudRate" | "address" | "port" | "url")
  | ("cashier" | "cashierInn" | "taxSystem" | "group" | "timeZone" | "closeShiftAt")
>;

export interface ConfigField extends SetupField {
  readonly place: JsonPath;
  /** Returns the config's text with another value of this field. */
  write(text: string, value: string): string;
}

/** The fields of one site or one register. */
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
  connection: z.looseObject({ kind: z.string() }),
  cashier: z.looseObject({ name: z.string(), inn: z.string().default("") }).nullish(),
  timeZone: z.string().default("Europe/Moscow"),
});
const rawConfig = z.looseObject({ sites: z.array(siteEntry), registers: z.array(registerEntry) });

function readRaw(text: string): z.output<typeof rawConfig> {
  return rawConfig.parse(JSON.parse(text.replace(/^\uFEFF/, "")));
}

/** `text`: of a config that was found right. */
export function configSections(text: string): readonly SetupSection<ConfigField>[] {
  const { sites, registers } = readRaw(text);
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
      // Most sites have one address for all calls: it is changed everywhere.
      write: (text, value) =>
        Object.keys(urls)
          .filter((key) => urls[key] === urls.orders)
          .reduce((changed, key) => setInJson(changed, at("urls", key), value), text),
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
    write: (text, value) => setInJson(text, at(key), value || null),
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
      write(text, value) {
        if (cashier == null || value === "")
          return setInJson(text, at("cashier"), value === "" ? null : { name: value });
        return setInJson(text, at("cashier", "name"), value);
      },
    },
    {
      ...field(at("cashier", "inn"), "cashierInn", cashier?.inn),
      write(text, value) {
        const hasCashier = readRaw(text).registers[index]?.cashier != null;
        return setInJson(hasCashier ? text : setInJson(text, at("cashier"), { name: "" }), at("cashier", "inn"), value);
      },
    },
    { ...optional("taxSystem", "taxSystem", "choice"), choices: taxSystemNames(ALL_TAX_SYSTEMS) },
    optional("group", "group"),
    { ...field(at("timeZone"), "timeZone", register.timeZone, "choice"), choices: Object.keys(setupTexts.zones) },
    optional("closeShiftAt", "closeShiftAt", "time"),
  ];
}

const ALL_TAX_SYSTEMS = 0xff;

/** A field that may not be empty: the check of the config says when it is. */
function field(
  place: JsonPath,
  label: SetupField["label"],
  value: unknown,
  kind: SetupField["kind"] = "text",
): ConfigField {
  return {
    ...{ path: problemPath(place), place, label, kind, choices: [], value: value == null ? "" : String(value) },
    write: (text, wanted) =>
      setInJson(text, place, kind === "number" && /^\d+$/.test(wanted) ? Number(wanted) : wanted),
  };
}
