import type { RequestHandler } from "express";
import { wrongUse } from "./api-errors.js";
import { isSameToken } from "./console-token.js";

/**
 * Only names of this machine and the address that was asked: a page of another site that has its own name point here (DNS
 * rebinding) sends that name, and a page that posts here from elsewhere sends its origin.
 */
export function guardHost(host: string): RequestHandler {
  const names = new Set(["localhost", "127.0.0.1", "[::1]", host.includes(":") ? `[${host}]` : host.toLowerCase()]);
  return (request, response, next) => {
    const asked = request.headers.host ?? "";
    const { origin } = request.headers;
    const name = asked.replace(/:\d+$/, "").toLowerCase();
    const knownName = names.has(name) || name === ownAddress(request.socket.localAddress);
    if (knownName && (origin === undefined || origin === `http://${asked}`)) {
      next();
      return;
    }
    response.status(403).json(wrongUse("this name or origin is not allowed here"));
  };
}

/** As it stands in a `Host` header. A console on all addresses (`0.0.0.0`, `::`) is asked by one of them. */
function ownAddress(address = ""): string {
  const plain = address.replace(/^::ffff:/, "");
  return plain.includes(":") ? `[${plain}]` : plain;
}

/** `limitGuesses` comes before the refusal: whoever has the token is not kept waiting by those who guess. */
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
