/** Entries of a new config. Their values are checked when the config is written. */
import { randomBytes } from "node:crypto";
import type { FoundRegister } from "@fiscald/drivers/discover/discover.js";
import { idText } from "../config/field-types.js";
import { taxSystems } from "../config/register-schema.js";

export const authKinds = ["none", "basic", "bearer", "header", "signature"] as const;
export type AuthKind = (typeof authKinds)[number];

/** An entry of `registers` as it is written to the config. */
export type RegisterEntry = Readonly<Record<string, unknown>> & { readonly id: string };

export type RegisterAccess = Pick<FoundRegister, "driver" | "options"> & {
  readonly connection: Readonly<Record<string, unknown>>;
};

export interface EntryNames {
  readonly id: string;
  readonly title: string;
  /** Empty = none. */
  readonly group: string;
}

export function registerEntry(
  { driver, connection, options }: RegisterAccess,
  { id, title, group }: EntryNames,
  sites: readonly string[],
): RegisterEntry {
  return {
    id,
    title,
    driver,
    connection,
    ...(Object.keys(options).length === 0 ? {} : { options }),
    sites,
    ...(group === "" ? {} : { group }),
  };
}

/** The config's names of those that a register is registered for: bits of FFD tag 1062. */
export function taxSystemNames(bits: number): readonly string[] {
  return Object.entries(taxSystems).flatMap(([name, bit]) => ((bits & bit) === 0 ? [] : [name]));
}

export interface AuthNames {
  /** Of `basic`. */
  readonly user: string;
  /** The header of `header`. */
  readonly name: string;
}

/** The key of the secret. */
export const secretKeys = { basic: "password", bearer: "token", header: "value", signature: "secret" } as const;

/** Where the daemon finds what it proves to the site who it is with; null = it does not. */
export function authEntry(kind: AuthKind, { user, name }: AuthNames, file: string): Record<string, unknown> | null {
  if (kind === "none") return null;
  const names = { basic: { user }, header: { name }, bearer: {}, signature: {} };
  return { kind, ...names[kind], [secretKeys[kind]]: { fromFile: file } };
}

export function newSecret(kind: AuthKind): string {
  return `${kind === "signature" ? "whsec_" : ""}${randomBytes(24).toString("base64")}`;
}

/** One address for all calls. */
export function urlsOf(orders: string) {
  return { orders, result: orders, sync: orders, activity: orders, zreport: orders };
}

/** `https://www.shop.example/fiscal` -> `shop`; `site` for an IP address. */
export function nameOfHost(address: string): string {
  const { hostname } = new URL(address);
  const first = /^[\d.]+$|^\[/.test(hostname) ? "site" : (hostname.replace(/^www\./, "").split(".")[0] ?? "");
  return idText.safeParse(first).success ? first : "site";
}
