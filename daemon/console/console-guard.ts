import type { Fault } from "@fiscald/shared/fault.js";
import { findLocalRefusal } from "@fiscald/shared/http/local-guard.js";
import type { RequestHandler } from "express";
import { wrongUse } from "./api-errors.js";
import { isSameToken } from "./console-token.js";
import { faultView } from "./views.js";

/** Only callers of this machine and of the address that was asked, and bodies in JSON. */
export function guardHost(host: string): RequestHandler {
  return (request, response, next) => {
    const refusal = findLocalRefusal(request, [host]);
    if (refusal === null) next();
    else response.status(refusal.status).json(wrongUse(refusal.message));
  };
}

/** Without a token every call is refused, and the answer says why. */
export function refuseAll(fault: Fault): RequestHandler {
  return (_request, response) => {
    response.status(503).json({ error: faultView(fault) });
  };
}

/** `limitGuesses` runs before the refusal only: a caller with the right token is never limited by others' guesses. */
export function guardToken(token: string, limitGuesses: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    const [, given = ""] = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
    if (isSameToken(given, token)) {
      next();
      return;
    }
    const message = "send the console's token as `Authorization: Bearer`";
    await limitGuesses(request, response, () => {
      response.status(401).set("WWW-Authenticate", "Bearer").json(wrongUse(message));
    });
  };
}
