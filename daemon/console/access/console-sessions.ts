/** How a browser gets in: a one-time link, made with the token, opens a session that a cookie names. */
import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "@fiscald/shared/clock.js";
import type { Request, RequestHandler, Response } from "express";
import { LRUCache } from "lru-cache";
import type { Role } from "./console-token.js";

const COOKIE = "fiscald_session";
const LINK_MS = 5 * 60_000;
/** A till is switched off at night: each morning has its own link. */
const SESSION_MS = 24 * 60 * 60_000;
const MAX_KEPT = 100;

export interface ConsoleSessions {
  /** A path on the console that opens one session of that role, within five minutes. */
  createLink(role: Role): string;
  /** `GET /enter?key=...`: sets the cookie and goes to the page; 401 for a used, old or unknown key. */
  readonly enter: RequestHandler;
  /** Null: the request names no open session. */
  roleOf(request: Pick<Request, "headers">): Role | null;
}

/** In memory: a restart of the daemon ends all sessions. */
export function createConsoleSessions(
  clock: Pick<Clock, "monotonic">,
  { isSecure }: { readonly isSecure: boolean },
): ConsoleSessions {
  // The cache takes a time of 0 for none.
  const perf = { now: () => 1 + clock.monotonic() };
  const kept = (ttl: number) => new LRUCache<string, Role>({ max: MAX_KEPT, ttl, perf, ttlResolution: 0 });
  const links = kept(LINK_MS);
  const sessions = kept(SESSION_MS);

  function enter({ query }: Request, response: Response): void {
    const hash = digest(typeof query["key"] === "string" ? query["key"] : "");
    const role = links.get(hash);
    if (role === undefined) {
      response.status(401).type("html").send(usedLink);
      return;
    }
    links.delete(hash);
    const session = newSecret();
    sessions.set(digest(session), role);
    const rules = { httpOnly: true, sameSite: "strict", secure: isSecure, path: "/" } as const;
    response.cookie(COOKIE, session, { ...rules, maxAge: SESSION_MS });
    response.set("Cache-Control", "no-store").redirect(303, "/");
  }

  return {
    createLink(role) {
      const key = newSecret();
      links.set(digest(key), role);
      return `/enter?key=${key}`;
    },
    enter,
    roleOf: ({ headers }) => sessions.get(digest(cookieOf(headers.cookie ?? ""))) ?? null,
  };
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Only hashes are kept and compared, so that no comparison tells how much of a secret was right. */
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
