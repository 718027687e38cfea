import type { Fault } from "@fiscald/shared/fault.js";
import { findLocalRefusal } from "@fiscald/shared/http/local-guard.js";
import type { RequestHandler } from "express";
import { usageError } from "./api-errors.js";
import { isSameToken } from "./console-token.js";
import { faultView } from "./views.js";

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

/** `limitGuesses` counts only requests with a wrong token: guesses do not slow down a caller with the right one. */
export function guardToken(token: string, limitGuesses: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    const [, received = ""] = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
    if (isSameToken(received, token)) {
      next();
      return;
    }
    const message = "send the console's token as `Authorization: Bearer`";
    await limitGuesses(request, response, () => {
      response.status(401).set("WWW-Authenticate", "Bearer").json(usageError(message));
    });
  };
}
