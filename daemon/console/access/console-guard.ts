import type { Fault } from "@fiscald/shared/fault.js";
import { findLocalRefusal } from "@fiscald/shared/http/local-guard.js";
import type { RequestHandler } from "express";
import { usageError } from "../api-errors.js";
import { faultView } from "../views.js";
import type { ConsoleSessions } from "./console-sessions.js";
import { isSameToken } from "./console-token.js";

/** Accepts only callers on this machine, with the console's address as their host, and JSON bodies. */
export function guardHost(host: string): RequestHandler {
  return (request, response, next) => {
    const refusal = findLocalRefusal(request, [host]);
    if (refusal === null) next();
    else response.status(refusal.status).json(usageError(refusal.message));
  };
}

/** Without a usable token every request is refused with the reason. */
export function refuseAll(fault: Fault): RequestHandler {
  return (_request, response) => {
    response.status(503).json({ error: faultView(fault) });
  };
}

/**
 * Lets callers in that have the token, or a browser's session. `limitGuesses` counts only the others: guesses do not slow
 * down a caller with the right token.
 */
export function guardToken(token: string, sessions: ConsoleSessions, limitGuesses: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    const [, received = ""] = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
    if (isSameToken(received, token) || sessions.isOpen(request)) {
      next();
      return;
    }
    const message = "send the console's token as `Authorization: Bearer`, or open the page by `fiscald console`";
    await limitGuesses(request, response, () => {
      response.status(401).set("WWW-Authenticate", "Bearer").json(usageError(message));
    });
  };
}
