import { randomBytes } from "node:crypto";
import { type DriverName, driverRows } from "@fiscald/drivers/registry.js";
import type { SiteAuth } from "@fiscald/shared/http/auth-headers.js";
import { z } from "zod";
import { configId } from "../config/field-types.js";
import { taxSystemBits } from "../config/register-schema.js";
import type { SecretFile } from "./write-config.js";

export const authKinds = ["none", "basic", "bearer", "header", "signature"] as const;
export type AuthKind = (typeof authKinds)[number];

/** The bits are those of tag 1062 (tax systems); the names are the config's. */
export function taxSystemNames(bits: number): readonly string[] {
  return Object.entries(taxSystemBits).flatMap(([name, bit]) => ((bits & bit) === 0 ? [] : [name]));
}

const optionsNode = z.looseObject({ properties: z.record(z.string(), z.unknown()).default({}) });

/** A register that refuses the usual users and passwords is opened with these options. */
export function loginOptions(driver: DriverName): readonly string[] {
  const { properties } = optionsNode.parse(z.toJSONSchema(driverRows[driver].options, { io: "input" }));
  return Object.keys(properties).filter((key) => isPasswordOption(key) || /user/i.test(key));
}

export function isPasswordOption(option: string): boolean {
  return /password/i.test(option);
}

/** Users become options, and passwords become files beside the config. An empty value is left out. */
export function loginEntry(login: Readonly<Record<string, string>>, fileOf: (option: string) => string) {
  const options: Record<string, unknown> = {};
  const secrets: SecretFile[] = [];
  for (const [key, value] of Object.entries(login)) {
    if (value === "") continue;
    const file = fileOf(key);
    options[key] = isPasswordOption(key) ? { fromFile: file } : value;
    if (isPasswordOption(key)) secrets.push({ file, value });
  }
  return { options, secrets };
}

export interface AuthNames {
  /** Only for the kind `basic`. */
  readonly user: string;
  /** The name of the HTTP header, only for the kind `header`. */
  readonly name: string;
}

export const secretKeys = { basic: "password", bearer: "token", header: "value", signature: "secret" } as const;

/** `file` holds the secret. Null: the daemon does not prove to the site who it is. */
export function authEntry(kind: AuthKind, { user, name }: AuthNames, file: string): Record<string, unknown> | null {
  if (kind === "none") return null;
  const names = { basic: { user }, header: { name }, bearer: {}, signature: {} };
  return { kind, ...names[kind], [secretKeys[kind]]: { fromFile: file } };
}

/** For calls of the site before the config is written. */
export function authNow(kind: AuthKind, { user, name }: AuthNames, secret: string): SiteAuth {
  switch (kind) {
    case "none":
      return { kind };
    case "basic":
      return { kind, user, password: secret };
    case "bearer":
      return { kind, token: secret };
    case "header":
      return { kind, name, value: secret };
    case "signature":
      return { kind, secret };
  }
}

export function newSecret(kind: AuthKind): string {
  return `${kind === "signature" ? "whsec_" : ""}${randomBytes(24).toString("base64")}`;
}

export function urlsOf(orders: string) {
  return { orders, result: orders, sync: orders, activity: orders, zreport: orders };
}

/** Such as `shop` for `https://www.shop.example/fiscal`; `site` for an IP address. */
export function nameOfHost(address: string): string {
  const { hostname } = new URL(address);
  const first = /^[\d.]+$|^\[/.test(hostname) ? "site" : (hostname.replace(/^www\./, "").split(".")[0] ?? "");
  return configId.safeParse(first).success ? first : "site";
}
