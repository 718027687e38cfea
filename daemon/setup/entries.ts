/** Entries of a new config. Their values are checked when the config is written. */
import { randomBytes } from "node:crypto";
import type { FoundRegister } from "@fiscald/drivers/discover/discover.js";
import { idText } from "../config/field-types.js";

export const authKinds = ["none", "basic", "bearer", "header", "signature"] as const;
export type AuthKind = (typeof authKinds)[number];

/** An entry of `registers` as it is written to the config. */
export type RegisterEntry = Readonly<Record<string, unknown>> & { readonly id: string };

export type RegisterAccess = Pick<FoundRegister, "driver" | "options"> & {
  readonly connection: Readonly<Record<string, unknown>>;
};

export interface RegisterNames {
  readonly id: string;
  readonly title: string;
  /** Empty = none. */
  readonly group: string;
}

export function registerEntry(
  { driver, connection, options }: RegisterAccess,
  { id, title, group }: RegisterNames,
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

/** The config's names for the bits of FFD tag 1062. */
const taxSystems = [
  ["osn", 1],
  ["usn-income", 2],
  ["usn-income-expense", 4],
  ["eshn", 16],
  ["patent", 32],
] as const;

/** Those that a register is registered for. */
export function taxSystemNames(bits: number): readonly string[] {
  return taxSystems.flatMap(([name, bit]) => ((bits & bit) === 0 ? [] : [name]));
}

export interface AuthNames {
  /** Of `basic`. */
  readonly user: string;
  /** The header of `header`. */
  readonly name: string;
}

/** Where the daemon finds what it proves to the site who it is with; null = it does not. */
export function authEntry(kind: AuthKind, { user, name }: AuthNames, file: string) {
  const source = { fromFile: file };
  switch (kind) {
    case "none":
      return null;
    case "basic":
      return { kind, user, password: source };
    case "bearer":
      return { kind, token: source };
    case "header":
      return { kind, name, value: source };
    case "signature":
      return { kind, secret: source };
  }
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
