import { asText, oneLine, showValue } from "../exchange/lenient-fields.js";
import { Fault, isFault } from "../fault.js";
import type { FaultText } from "../fault-codes/fault-row.js";
import { callTexts } from "../http/call-texts.js";
import { parseJson } from "../http/decode-body.js";
import { placeOf, statusFault } from "../http/http-faults.js";
import type { HttpAnswer } from "../http/post-json.js";

export type Delivery =
  | { readonly kind: "delivered" }
  /** The receiver works, and refuses this event. */
  | { readonly kind: "refused"; readonly fault: Fault }
  /** This event failed; other events may succeed. */
  | { readonly kind: "failed"; readonly fault: Fault }
  /** Nothing at all can be delivered to this receiver now. */
  | { readonly kind: "outage"; readonly fault: Fault };

const siteWideStatuses = new Set([401, 403, 407, 408, 429, 503, 511]);

/** Judges an answer: delivered is 2xx with an empty body, or with JSON whose `resultCode` is absent or 0. */
export function judgeAnswer(answer: HttpAnswer, url: string): Delivery {
  const place = placeOf(url);
  const fault = statusFault(answer, url);
  if (fault !== null) {
    if (siteWideStatuses.has(answer.status)) return { kind: "outage", fault };
    if (answer.status >= 400 && answer.status < 500)
      return refused({ en: fault.message, ru: fault.ru ?? fault.message }, answer, place);
    return { kind: "failed", fault };
  }
  const text = answer.text.trim();
  if (text === "") return { kind: "delivered" };
  const body = parseJson(text);
  if (body === undefined) return refused(callTexts.noJson(place), answer, place);
  const resultCode = resultCodeOf(body);
  if (resultCode === "0") return { kind: "delivered" };
  return refused(callTexts.resultCode(place, resultCode), answer, place);
}

/** For an event it makes no difference whether the request was sent. */
export function judgeNetworkFault(fault: Fault): Delivery {
  const cause = fault.cause;
  return { kind: "outage", fault: fault.code === "site.answer-lost" && isFault(cause) ? cause : fault };
}

const MAX_WORDS = 200;

/** The developer of the site reads only this message, so it contains the site's own text. */
function refused(what: FaultText, answer: HttpAnswer, place: string): Delivery {
  const words = (oneLine(answer.text) ?? "").slice(0, MAX_WORDS);
  const message = words === "" ? what : callTexts.saying(what, words);
  const details = { status: answer.status, answer: answer.text.slice(0, 500) };
  return { kind: "refused", fault: new Fault("site.refused", { message, place, details }) };
}

/** "0" for an answer without `resultCode`. The key may have any letter case, and the value may be a number or text. */
export function resultCodeOf(body: unknown): string {
  if (typeof body !== "object" || body === null) return "0";
  const value = Object.entries(body).find(([key]) => key.toLowerCase() === "resultcode")?.[1];
  return value === undefined || value === null || value === "" ? "0" : (asText(value)?.trim() ?? showValue(value));
}
