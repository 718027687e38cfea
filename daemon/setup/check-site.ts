/** Calls a site's address once, and judges the answer and its clock. The call asks for no order. */
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault, isFault, toFault } from "@fiscald/shared/fault.js";
import { createPoster, encodeBody, type HttpAnswer } from "@fiscald/shared/http/post-json.js";
import { ownTlsOf, type SiteConfig } from "../config/site-schema.js";
import { type FaultWords, filled } from "../messages/fault-words.js";
import { inEveryLanguage, type Messages } from "../messages/messages.js";
import { faultFinding, type SetupFinding, type SetupLevel, troubleFinding, wellFinding } from "./finding.js";

export interface SiteCheckOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

const MINUTE_MS = 60_000;
const MOST_BYTES = 1_000_000;
/** A site accepts a call's signature only if the call is less than five minutes old by the site's clock. */
const CLOCK_MINUTES = 5;

/** Each server of a site is called once, at the first of the site's addresses on that server. */
export async function findingsOfSite(site: SiteConfig, options: SiteCheckOptions): Promise<readonly SetupFinding[]> {
  const servers = new Map<string, string>();
  for (const url of Object.values(site.urls)) {
    if (url !== null && !servers.has(new URL(url).origin)) servers.set(new URL(url).origin, url);
  }
  const found = await Promise.all([...servers.values()].map((url) => findingsOfAddress(site, url, options)));
  return found.flat();
}

/** An old site may take a GET for a request for orders, so `HEAD` is used. */
async function findingsOfAddress(
  { id, tls }: SiteConfig,
  url: string,
  { timeoutMs, signal, clock }: SiteCheckOptions,
): Promise<readonly SetupFinding[]> {
  const about = `${id} ${new URL(url).host}`;
  const poster = createPoster({ clock, tls: ownTlsOf({ tls }) });
  const started = clock.now();
  const common = { url, timeoutMs, signal, maxAnswerBytes: MOST_BYTES };
  try {
    const answer = await poster.post({ ...common, method: "HEAD", body: encodeBody({}, "form") });
    return [statusFinding(about, answer.status, clock.now() - started), ...clockFinding(about, answer, clock)];
  } catch (error) {
    // The message has the system's English words, so a Russian reader gets the code.
    const { code, text, hint, message } = reachFault(error);
    return [faultFinding({ check: "site", about }, { code, text, hint, message })];
  } finally {
    poster.close();
  }
}

/** `site.answer-lost` gives way to its cause, because these calls ask for no order that could be lost. */
export function reachFault(error: unknown): Fault {
  const fault = toFault(error, "internal");
  return fault.code === "site.answer-lost" && isFault(fault.cause) ? fault.cause : fault;
}

/** A status below 500 proves nothing, because a handler that was not made for `HEAD` refuses it. */
function statusFinding(about: string, status: number, ms: number): SetupFinding {
  const place = { check: "site", about } as const;
  if (status === 407) return faultFinding(place, new Fault("site.proxy"));
  const asTrouble = (level: SetupLevel, say: (troubles: Messages["troubles"]) => FaultWords): SetupFinding => {
    const part = (name: keyof FaultWords) => inEveryLanguage(({ troubles }) => say(troubles)[name]);
    return { ...place, level, text: part("text"), next: part("next"), detail: null };
  };
  if (status >= 500) return asTrouble("bad", ({ siteError }) => filled(siteError, { status }));
  if (status >= 300 && status < 400) return asTrouble("warning", ({ siteMoved }) => filled(siteMoved, { status }));
  return wellFinding(place, ({ site }) => site.answers({ ms }));
}

/** Empty: the site's answer has no `Date`. */
export function clockFinding(about: string, { headers }: HttpAnswer, { now }: Clock): readonly SetupFinding[] {
  const date = Date.parse(headers["date"] ?? "");
  if (Number.isNaN(date)) return [];
  const minutes = Math.round(Math.abs(now() - date) / MINUTE_MS);
  const place = { check: "clock", about } as const;
  if (minutes === 0) return [wellFinding(place, ({ clock }) => clock.right)];
  const level = minutes > CLOCK_MINUTES ? "bad" : "warning";
  return [troubleFinding(place, level, ({ clock }) => [clock.off({ minutes }), clock.next])];
}
