/** The call has an empty list of registers (`sync`), so it prints nothing and asks for no order. */
import { isIP } from "node:net";
import type { Clock } from "@fiscald/shared/clock.js";
import type { SyncBody } from "@fiscald/shared/exchange/calls.js";
import { asText, isObject, oneLine, pickFields, spellingsOf } from "@fiscald/shared/exchange/lenient-fields.js";
import { type OrderAnswer, readAnswer } from "@fiscald/shared/exchange/read-answer.js";
import type { Fault } from "@fiscald/shared/fault.js";
import { authHeaders, type SiteAuth } from "@fiscald/shared/http/auth-headers.js";
import { parseJson } from "@fiscald/shared/http/decode-body.js";
import { placeOf, statusFault } from "@fiscald/shared/http/http-faults.js";
import { createPoster, encodeBody, type HttpAnswer } from "@fiscald/shared/http/post-json.js";
import { resultCodeOf } from "@fiscald/shared/outbox/classify-response.js";
import { orderIdIn } from "@fiscald/shared/site-check/read-answers.js";
import { inEveryLanguage, type Messages } from "../messages/messages.js";
import { clockFinding, reachFault } from "./check-site.js";
import { hostOf, isOwnAddress } from "./emulated.js";
import { faultFinding, type SetupFinding, troubleFinding, wellFinding } from "./finding.js";

export interface SiteToTry {
  readonly orders: string;
  readonly auth: SiteAuth;
  /** The site cannot know a new secret. */
  readonly isSecretNew: boolean;
  /** The config's encoding of calls; absent: there is no config yet. */
  readonly bodyEncoding?: "json" | "form";
}

export interface TrySiteOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly ownPort: number;
}

const TIMEOUT_MS = 15_000;
const MOST_BYTES = 1_000_000;
const MOST_WORDS = 200;

/** The first finding says how the site answers; the last one is about the clock. */
export async function trySite(site: SiteToTry, options: TrySiteOptions): Promise<readonly SetupFinding[]> {
  const { orders } = site;
  const about = new URL(orders).host;
  if (isOwnPage(orders, options.ownPort)) {
    return [siteFinding(about, "bad", (words) => [words.ownAddress, words.askDeveloper])];
  }
  const answer = await call(site, options);
  if ("fault" in answer) return [networkFinding(about, answer.fault)];
  return [orderFinding(about, answer) ?? answerFinding(site, answer), ...clockFinding(about, answer, options.clock)];
}

const orderNumbers = spellingsOf(["orderId", "external_id"]);

/** Reports an order in the answer: an old site may give one out whatever the call asks for, and nobody prints it. */
function orderFinding(about: string, { text }: HttpAnswer): SetupFinding | null {
  const given = readOrder(text);
  if (given === null) return null;
  const { orderId, external_id: id }: Readonly<Record<string, unknown>> =
    given.kind === "order" ? pickFields(given.body, orderNumbers).fields : { orderId: orderIdIn(text) };
  const order = asText(orderId ?? id);
  return siteFinding(about, "bad", (words) => [
    order === null ? words.givesUnknownOrder : words.givesOrder({ order }),
    words.givesOrderNext,
  ]);
}

/** Null: the answer is no JSON or has no order. An order beside a refusal counts, and so does an unreadable order. */
function readOrder(text: string): OrderAnswer | { readonly kind: "unread" } | null {
  if (parseJson(text.trim()) === undefined) return null;
  const unread = /"(task_?table|receipt)"\s*:\s*[[{]\s*["{]/i.test(text) ? ({ kind: "unread" } as const) : null;
  try {
    const answer = readAnswer(text, { format: "auto" });
    if (answer.kind === "refusal") return answer.receiptWithheld ? answer : null;
    return answer.kind === "order" ? answer : answer.kind === "unknown" ? unread : null;
  } catch {
    return unread;
  }
}

/** The person has just typed the address, so it is the first suspect. Only `doctor` shows the system's own words. */
function networkFinding(about: string, { code, text, hint }: Fault): SetupFinding {
  const say = ({ doctor: { site } }: Messages) => (code === "site.tls" ? site.tlsNext : site.addressNext);
  const next = code === "site.clock" ? hint : inEveryLanguage(say);
  return { check: "site", about, level: "bad", text, next, detail: null };
}

async function call({ orders: url, auth, bodyEncoding = "json" }: SiteToTry, { signal, clock, newId }: TrySiteOptions) {
  const poster = createPoster({ clock });
  const sync: SyncBody = { action: "sync", data: [] };
  const body = encodeBody(sync, bodyEncoding);
  try {
    const headers = authHeaders(auth, { id: newId(), now: clock.now(), body: body.text });
    return await poster.post({ url, body, headers, signal, timeoutMs: TIMEOUT_MS, maxAnswerBytes: MOST_BYTES });
  } catch (error) {
    return { fault: reachFault(error) };
  } finally {
    poster.close();
  }
}

function answerFinding({ orders, auth, isSecretNew }: SiteToTry, answer: HttpAnswer): SetupFinding {
  const { status, headers } = answer;
  const about = new URL(orders).host;
  const location = headers["location"];
  if (status >= 300 && status < 400 && location !== undefined && URL.canParse(location, orders)) {
    const target = placeOf(new URL(location, orders).href);
    return siteFinding(about, "bad", (words) => [words.redirectsTo({ target }), words.redirectsToNext]);
  }
  if (status === 401 || status === 403) {
    return siteFinding(about, "warning", (words) => [
      words.secretUnknown,
      isSecretNew ? words.secretNewNext : words.secretUnknownNext,
    ]);
  }
  if (status === 404) return siteFinding(about, "bad", (words) => [words.noPage, words.askDeveloper]);
  const fault = statusFault(answer, orders);
  if (fault !== null) return faultFinding({ check: "site", about }, fault);
  if (answer.problem !== null) return siteFinding(about, "bad", (words) => [words.noJson, words.askDeveloper]);
  return bodyFinding(about, answer.text.trim(), auth.kind === "none" ? "none" : isSecretNew ? "new" : "known");
}

function bodyFinding(about: string, text: string, secret: "none" | "new" | "known"): SetupFinding {
  const body = text === "" ? {} : parseJson(text);
  const words = (oneLine(text) ?? "").slice(0, MOST_WORDS);
  if (body === undefined) {
    const isPage = text.startsWith("<");
    return siteFinding(
      about,
      "bad",
      (site) => [isPage ? site.page : site.noJson, site.askDeveloper],
      isPage ? "" : words,
    );
  }
  const resultCode = resultCodeOf(body);
  if (resultCode !== "0") {
    return siteFinding(about, "warning", (site) => [site.refuses({ resultCode }), site.askDeveloper], words);
  }
  if (secret === "new") return siteFinding(about, "warning", (site) => [site.unguarded, site.unguardedNext]);
  // A site that does not know the protocol may answer so too, before it looks at the secret.
  if (!isObject(body) || !Object.keys(body).some((key) => /^resultcode$/i.test(key)))
    return siteFinding(about, "warning", (site) => [site.unproven, site.askDeveloper], words);
  return wellFinding({ check: "site", about }, ({ site }) => (secret === "none" ? site.speaks : site.speaksAndTrusts));
}

function siteFinding(
  about: string,
  level: "warning" | "bad",
  say: (words: Messages["doctor"]["site"]) => readonly [text: string, next: string],
  detail?: string,
): SetupFinding {
  return troubleFinding({ check: "site", about }, level, ({ site }) => say(site), detail);
}

function isOwnPage(url: string, ownPort: number): boolean {
  const { protocol, port } = new URL(url);
  const host = hostOf(url);
  const isHere = /^(.+\.)?localhost$/.test(host) || host.startsWith("127.") || (isIP(host) !== 0 && isOwnAddress(host));
  return isHere && Number(port || (protocol === "https:" ? 443 : 80)) === ownPort;
}
