/** A one-time link, made with the token, opens a session that a cookie names. */
import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Clock } from "@fiscald/shared/clock.js";
import type { Request, RequestHandler, Response } from "express";
import { LRUCache } from "lru-cache";
import type { MetaStore } from "../../store/database/meta-store.js";
import { isSameToken } from "./console-token.js";
import type { Role } from "./roles.js";

const LINK_MS = 5 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** The operator's page at the till stays open for long. An administrator's session is for one trouble and ends soon. */
const SESSION_MS: Readonly<Record<Role, number>> = { administrator: DAY_MS, operator: 30 * DAY_MS };
const MAX_LINKS = 100;
const LEFT = "session-left.";
const roles: readonly Role[] = ["administrator", "operator"];

export type ConsoleSessions = ReturnType<typeof createConsoleSessions>;

export interface SessionOptions {
  /** A session outlives the daemon's run, so this is the wall clock. */
  readonly clock: Pick<Clock, "now">;
  /** Signs the sessions, so that a new administrator's token ends all of them. */
  readonly secret: string;
  /** Also signs the operator's sessions, so that a new token ends them; null: there is no operator's token. */
  readonly operatorSecret: string | null;
  readonly isSecure: boolean;
  /** Stores the sessions that were ended early; null: no session can be ended early. */
  readonly memory: MetaStore | null;
}

/** Links are kept in memory. A session is only its signed cookie, so it survives a restart of the daemon. */
export function createConsoleSessions(options: SessionOptions) {
  const { clock, secret, operatorSecret, isSecure, memory } = options;
  // Browsers keep one cookie of a name for all ports of a host, so each daemon and each role has its own name.
  const cookieName = (role: Role) => `fiscald_${role}_${digest(`cookie ${secret}`).slice(0, 8)}`;
  const rules = { httpOnly: true, sameSite: "strict", secure: isSecure, path: "/" } as const;
  const links = new LRUCache<string, { readonly role: Role; readonly until: number }>({ max: MAX_LINKS });

  function enter(...[{ query }, response, next]: Parameters<RequestHandler>): void {
    const hash = digest(typeof query["key"] === "string" ? query["key"] : "");
    const link = links.get(hash);
    links.delete(hash);
    if (link === undefined || link.until < clock.now()) {
      next();
      return;
    }
    open(link.role, response);
    response.set("Cache-Control", "no-store").redirect(303, "/");
  }

  function open(role: Role, response: Response): void {
    const maxAge = SESSION_MS[role];
    response.cookie(cookieName(role), sessionOf(role, clock.now() + maxAge), { ...rules, maxAge });
  }

  function sessionOf(role: Role, until: number): string {
    const key = role === "operator" ? `${secret} ${operatorSecret ?? ""}` : secret;
    const signature = createHmac("sha256", key).update(`session ${role} ${until}`).digest("base64url");
    return `${role}.${until}.${signature}`;
  }

  function openCookie(role: Role, { headers }: Pick<Request, "headers">): OpenCookie | null {
    const cookie = cookiesOf(headers.cookie ?? "").get(cookieName(role)) ?? "";
    const until = Number(cookie.split(".")[1]);
    if (!isSameToken(cookie, sessionOf(role, until)) || until < clock.now()) return null;
    const key = `${LEFT}${digest(cookie)}`;
    return (memory?.get(key) ?? null) === null ? { key, until } : null;
  }

  function leave(request: Request, response: Response): void {
    const left = openCookie("administrator", request);
    if (left !== null && memory !== null) {
      for (const [hash, until] of memory.withPrefix(LEFT)) {
        if (Number(until) < clock.now()) memory.remove(`${LEFT}${hash}`);
      }
      memory.set(left.key, String(left.until));
    }
    response.clearCookie(cookieName("administrator"), rules).json({ left: "administrator" });
  }

  return {
    /** The path opens one session, within five minutes. */
    createLink(role: Role): string {
      const key = randomBytes(32).toString("base64url");
      links.set(digest(key), { role, until: clock.now() + LINK_MS });
      return `/enter?key=${key}`;
    },
    /**
     * `GET /enter?key=...` sets the cookie and goes to the page. A used, old or unknown key goes on to the next
     * handler, which counts it as a guess. Pictures on a foreign page can use up the guesses, but a right key is still
     * accepted.
     */
    enter,
    /** For a browser that has just proved its right in another way than by a link. */
    open,
    /** `POST /api/leave` ends the administrator session of this browser, with all copies of its cookie. */
    leave,
    /** The administrator's role if the request has open sessions of both; null: the request has no open session. */
    roleOf: (request: Pick<Request, "headers">): Role | null =>
      roles.find((role) => openCookie(role, request) !== null) ?? null,
  };
}

interface OpenCookie {
  readonly key: string;
  readonly until: number;
}

export const refuseLink: RequestHandler = (_request, response) => void response.status(401).type("html").send(usedLink);

/** Only hashes are stored and compared, so the time of a comparison reveals nothing about a secret. */
function digest(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

function cookiesOf(header: string): ReadonlyMap<string, string> {
  return new Map(header.split(";").map((pair) => [pair.split("=")[0]?.trim() ?? "", pair.split("=")[1]?.trim() ?? ""]));
}

const usedLink = `<!doctype html><html lang="ru"><meta charset="utf-8"><title>fiscald</title>
<h1>Ссылка уже использована или устарела</h1>
<p>Откройте страницу заново. Windows: меню «Пуск», папка fiscald, «Страница оператора». Linux: <code>sudo fiscald console</code>. При первой настройке новая ссылка стоит в окне, где была эта.</p>
<p lang="en">This link was used or is too old. Open the page again. Windows: Start menu, fiscald, Operator's page. Linux: <code>sudo fiscald console</code>. During the first set-up a new link stands in the window of this one.</p></html>`;
