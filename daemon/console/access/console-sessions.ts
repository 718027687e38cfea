/** How a browser gets in: a one-time link, made with the token, opens a session that a cookie names. */
import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Clock } from "@fiscald/shared/clock.js";
import type { Request, RequestHandler, Response } from "express";
import { LRUCache } from "lru-cache";
import { isSameToken } from "./console-token.js";
import type { Role } from "./roles.js";

const COOKIE = "fiscald_session";
const LINK_MS = 5 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** The page of the till's operator stays open; an administrator's session is for the trouble at hand. */
const SESSION_MS: Readonly<Record<Role, number>> = { administrator: DAY_MS, operator: 30 * DAY_MS };
const MAX_LINKS = 100;
const roles: readonly Role[] = ["administrator", "operator"];

export interface ConsoleSessions {
  /** A path on the console that opens one session of that role, within five minutes. */
  createLink(role: Role): string;
  /** `GET /enter?key=...`: sets the cookie and goes to the page; 401 for a used, old or unknown key. */
  readonly enter: RequestHandler;
  /** Null: the request names no open session. */
  roleOf(request: Pick<Request, "headers">): Role | null;
}

export interface SessionOptions {
  /** Wall clock: a session outlives the daemon's run. */
  readonly clock: Pick<Clock, "now">;
  /** Signs the sessions: another administrator's token ends them all. */
  readonly secret: string;
  /** The cookie goes by HTTPS only. */
  readonly isSecure: boolean;
}

/** Links are kept in memory; a session is its cookie, signed, and so survives a restart of the daemon. */
export function createConsoleSessions({ clock, secret, isSecure }: SessionOptions): ConsoleSessions {
  const links = new LRUCache<string, { readonly role: Role; readonly until: number }>({ max: MAX_LINKS });

  function enter({ query }: Request, response: Response): void {
    const hash = digest(typeof query["key"] === "string" ? query["key"] : "");
    const link = links.get(hash);
    links.delete(hash);
    if (link === undefined || link.until < clock.now()) {
      response.status(401).type("html").send(usedLink);
      return;
    }
    const rules = { httpOnly: true, sameSite: "strict", secure: isSecure, path: "/" } as const;
    const maxAge = SESSION_MS[link.role];
    response.cookie(COOKIE, sessionOf(link.role, clock.now() + maxAge), { ...rules, maxAge });
    response.set("Cache-Control", "no-store").redirect(303, "/");
  }

  function sessionOf(role: Role, until: number): string {
    const signature = createHmac("sha256", secret).update(`session ${role} ${until}`).digest("base64url");
    return `${role}.${until}.${signature}`;
  }

  return {
    createLink(role) {
      const key = randomBytes(32).toString("base64url");
      links.set(digest(key), { role, until: clock.now() + LINK_MS });
      return `/enter?key=${key}`;
    },
    enter,
    roleOf({ headers }) {
      const cookie = cookieOf(headers.cookie ?? "");
      const [name, until = ""] = cookie.split(".");
      const role = roles.find((known) => known === name);
      if (role === undefined || !isSameToken(cookie, sessionOf(role, Number(until)))) return null;
      return Number(until) < clock.now() ? null : role;
    },
  };
}

/** Only hashes are stored and compared, so the time of a comparison reveals nothing of a secret. */
function digest(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

function cookieOf(header: string): string {
  const pairs = header.split(";").map((pair) => pair.trim().split("="));
  return pairs.find(([name]) => name === COOKIE)?.[1] ?? "";
}

const usedLink = `<!doctype html><html lang="ru"><meta charset="utf-8"><title>fiscald</title>
<h1>Ссылка уже использована или устарела</h1>
<p>Получите новую: <code>fiscald console</code></p>
<p lang="en">This link was used or is too old. Make a new one: <code>fiscald console</code></p></html>`;
