/**
 * The issuer names the shop that issues a site's order numbers. It is a part of the order mark (exactly-once 2), so
 * that equal numbers of two shops on one register are two orders. It is made from the address for orders, unless
 * `sites[].issuer` gives another name.
 */
import { shortHash } from "@fiscald/shared/receipt/order-mark.js";

export interface IssuerSource {
  readonly issuer: string | null;
  readonly urls: { readonly orders: string };
}

/** Names of query parameters that look like secrets. A changed secret must not change the issuer. */
const secretName = /key|token|secret|pass|pwd|auth|sign|hash/i;

export function issuerOf({ issuer, urls }: IssuerSource): string {
  return shortHash(issuer ?? plainAddress(urls.orders));
}

/** 8 hex digits. */
export function issuerOfAddress(url: string): string {
  return shortHash(plainAddress(url));
}

export function parametersLeftOut({ issuer, urls }: IssuerSource): readonly string[] {
  if (issuer !== null) return [];
  return [...new URL(urls.orders).searchParams.keys()].filter((name) => secretName.test(name));
}

/** Host in lower case, port unless usual, path, query. The result stays when the scheme or a secret changes. */
function plainAddress(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  const query = new URLSearchParams([...searchParams].filter(([name]) => !secretName.test(name))).toString();
  return `${host}${pathname.replace(/\/+$/, "")}${query === "" ? "" : `?${query}`}`;
}
