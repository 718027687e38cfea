import { Fault } from "../fault.js";
import type { FaultText } from "../fault-codes/fault-row.js";
import { callTexts, networkReason } from "./call-texts.js";

const nameNotFound = new Set(["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL", "EAI_NODATA", "EAI_NONAME"]);
const certificateCode =
  /^(CERT_|ERR_TLS|ERR_SSL|ERR_OSSL|EPROTO|UNABLE_TO_(GET|VERIFY)_)|SELF_SIGNED_CERT|^(HOSTNAME_MISMATCH|INVALID_CA)$/;

/** Statuses of something on the way to the site: 407 of a proxy, 511 of a network that wants a login. */
const proxyStatuses = new Set([407, 511]);

/** The fault for an error of the network below HTTP; the system's own code stays in the message. */
export function toNetworkFault(error: unknown, place: string): Fault {
  const code = codeOf(error);
  const detail = messageOf(error);
  const message = callTexts.at(place, { en: detail || callTexts.noConnection.en, ru: networkReason(code, detail) });
  const options = { message, place, details: { code }, cause: error };
  if (nameNotFound.has(code)) return new Fault("site.dns", options);
  // A certificate that is not valid yet means that this machine's clock is behind.
  if (code === "CERT_NOT_YET_VALID") return new Fault("site.clock", options);
  if (certificateCode.test(code)) return new Fault("site.tls", options);
  if (code === "ETIMEDOUT") return new Fault("site.timeout", options);
  return new Fault("site.unreachable", options);
}

export interface AnsweredStatus {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The fault for a status other than 2xx, else null. Redirects are never followed: the fault names the target. */
export function statusFault({ status, text, headers }: AnsweredStatus, url: string): Fault | null {
  if (status >= 200 && status < 300) return null;
  const place = placeOf(url);
  const details = { status, answer: text.slice(0, 500) };
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    return new Fault("site.http-status", { message: redirectText(url, status, headers.location), place, details });
  }
  if (status === 401 || status === 403) {
    return new Fault("site.unauthorized", { message: callTexts.answered(place, status), place, details });
  }
  if (proxyStatuses.has(status))
    return new Fault("site.proxy", { message: callTexts.answered(place, status), place, details });
  const message = status === 404 ? callTexts.noPage(place, status) : callTexts.answered(place, status);
  return new Fault("site.http-status", { message, place, details });
}

function redirectText(url: string, status: number, location: string): FaultText {
  const place = placeOf(url);
  if (!URL.canParse(location, url)) return callTexts.pointsNowhere(place, status);
  const target = new URL(location, url);
  const downgrades = url.startsWith("https:") && target.protocol === "http:";
  return (downgrades ? callTexts.pointsToPlain : callTexts.redirects)(place, status, placeOf(target.href));
}

/** The address without its query, which may hold a secret: `https://shop.example/fiscal`. */
export function placeOf(url: string): string {
  if (!URL.canParse(url)) return "an unreadable address";
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  if ("errors" in error && Array.isArray(error.errors) && error.errors.length > 0) return codeOf(error.errors[0]);
  return "cause" in error ? codeOf(error.cause) : "";
}

function messageOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return String(error);
  const message = "message" in error && typeof error.message === "string" ? error.message : "";
  if (message !== "") return message;
  // Several addresses of one name were tried: the error is an AggregateError without a text of its own.
  if ("errors" in error && Array.isArray(error.errors)) return error.errors.map(messageOf).join("; ");
  return codeOf(error);
}

/** Whether the connection was refused before the first byte of the request. */
export function isBeforeRequest({ code }: Fault): boolean {
  return code === "site.tls" || code === "site.clock";
}
