import { Fault } from "@fiscald/shared/fault.js";
import { findLocalRefusal } from "@fiscald/shared/http/local-guard.js";
import type { Request, RequestHandler } from "express";
import { usageError } from "../api-errors.js";
import { faultView } from "../views.js";
import type { ConsoleSessions } from "./console-sessions.js";
import { isSameToken } from "./console-token.js";
import { mayAct, mayRead, type Role } from "./roles.js";

export function guardHost(names: readonly string[]): RequestHandler {
  return (request, response, next) => {
    const refusal = findLocalRefusal(request, names);
    if (refusal === null) next();
    else response.status(refusal.status).json(usageError(refusal.message));
  };
}

export interface ConsoleTokens {
  readonly administrator: string;
  /** Null: there is no operator's role. */
  readonly operator: string | null;
}

/** `limitGuesses` counts only callers without a token or a session, so that guesses slow down nobody else. */
export function guardToken(
  tokens: ConsoleTokens,
  sessions: ConsoleSessions,
  limitGuesses: RequestHandler,
): RequestHandler {
  return async (request, response, next) => {
    const role = roleByToken(request, tokens) ?? sessions.roleOf(request);
    if (role === null) {
      const message = "send the console's token as `Authorization: Bearer`, or open the page by `fiscald console`";
      await limitGuesses(request, response, () => {
        response.status(401).set("WWW-Authenticate", "Bearer").json(usageError(message));
      });
      return;
    }
    const isReading = request.method === "GET" || request.method === "HEAD";
    if (isReading ? mayRead(role, request.path) : mayAct(role, request.path)) {
      response.locals["role"] = role;
      next();
    } else response.status(403).json({ error: faultView(new Fault("daemon.not-allowed")) });
  };
}

function roleByToken(request: Request, { administrator, operator }: ConsoleTokens): Role | null {
  const [, received = ""] = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  if (isSameToken(received, administrator)) return "administrator";
  return operator !== null && isSameToken(received, operator) ? "operator" : null;
}
