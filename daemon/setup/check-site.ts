/** Calls a site's address once and checks it step by step: DNS, TCP, TLS, HTTP. The call asks for no order. */
import { type ClientRequest, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { TLSSocket } from "node:tls";
import { Fault } from "@fiscald/shared/fault.js";
import { ownTlsOf, type SiteConfig } from "../config/site-schema.js";
import { type FaultWords, filled } from "../messages/fault-words.js";
import { inEveryLanguage, type Messages } from "../messages/messages.js";
import { faultFinding, type SetupFinding, type SetupLevel, troubleFinding, wellFinding } from "./finding.js";

type Step = "dns" | "tcp" | "tls" | "http";

interface SiteAnswer {
  readonly status: number;
  /** The time by the site's clock in ms; null = the site sends none. */
  readonly date: number | null;
  /** Days until the certificate ends; null = the connection has no TLS. */
  readonly certificateDays: number | null;
  readonly ms: number;
}

interface SiteFailure {
  readonly step: Step;
  readonly error: Error;
}

export interface SiteCheckOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Returns the time by the wall clock in ms. */
  readonly now: () => number;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const CERTIFICATE_DAYS = 14;
/** A site accepts the signature of a call within five minutes. */
const CLOCK_MINUTES = 5;

/** Checks each server of a site once, at the first of the site's addresses on that server. */
export async function findingsOfSite(site: SiteConfig, options: SiteCheckOptions): Promise<readonly SetupFinding[]> {
  const servers = new Map<string, string>();
  for (const url of Object.values(site.urls)) {
    if (url !== null && !servers.has(new URL(url).origin)) servers.set(new URL(url).origin, url);
  }
  const found = await Promise.all(
    [...servers.values()].map((url) => findingsOfAddress(site.id, site.tls, url, options)),
  );
  return found.flat();
}

/** `name` is the site's name, empty when there is none yet. */
export async function findingsOfAddress(
  name: string,
  tls: SiteConfig["tls"],
  url: string,
  options: SiteCheckOptions,
): Promise<readonly SetupFinding[]> {
  const about = `${name} ${new URL(url).host}`.trim();
  const answer = await callSite(tls, url, options);
  if ("error" in answer) return [failure(about, answer, options.now())];
  return [statusFinding(about, answer), ...certificateFinding(about, answer), ...clockFinding(about, answer, options)];
}

function failure(about: string, { step, error }: SiteFailure, now: number): SetupFinding {
  const place = { check: "site", about } as const;
  if (step === "tls") {
    const isClock = /CERT_(NOT_YET_VALID|HAS_EXPIRED)/.test(codeOf(error));
    const { text, hint } = new Fault(isClock ? "site.clock" : "site.tls");
    const detail = isClock ? `${error.message}; this computer's clock: ${new Date(now).toISOString()}` : error.message;
    return faultFinding(place, { text, hint, message: detail });
  }
  if (step === "dns") {
    const { text, hint } = new Fault("site.dns");
    return faultFinding(place, { text, hint, message: error.message });
  }
  const detail = error.message || codeOf(error);
  const finding = troubleFinding(place, "bad", ({ site }) => [site.steps[step], site.nextTcp]);
  return { ...finding, detail: { en: detail, ru: "" } };
}

/** A status below 500 says nothing of the handler, because a site that was not made for `HEAD` refuses it. */
function statusFinding(about: string, { status, ms }: SiteAnswer): SetupFinding {
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

function certificateFinding(about: string, { certificateDays }: SiteAnswer): readonly SetupFinding[] {
  if (certificateDays === null || certificateDays > CERTIFICATE_DAYS) return [];
  const place = { check: "site", about } as const;
  const count = certificateDays;
  return [troubleFinding(place, "warning", ({ site }) => [site.certificate({ count }), site.certificateNext])];
}

function clockFinding(about: string, { date }: SiteAnswer, { now }: SiteCheckOptions): readonly SetupFinding[] {
  if (date === null) return [];
  const minutes = Math.round(Math.abs(now() - date) / MINUTE_MS);
  const place = { check: "clock", about } as const;
  if (minutes === 0) return [wellFinding(place, ({ clock }) => clock.right)];
  const level = minutes > CLOCK_MINUTES ? "bad" : "warning";
  return [troubleFinding(place, level, ({ clock }) => [clock.off({ minutes }), clock.next])];
}

/** Calls the address with `HEAD`, because an old site may take a GET for a request for orders. */
function callSite(tls: SiteConfig["tls"], url: string, options: SiteCheckOptions): Promise<SiteAnswer | SiteFailure> {
  const { timeoutMs, signal, now } = options;
  const { hostname, protocol } = new URL(url);
  const isSecure = protocol === "https:";
  const started = now();
  let step: Step = isIP(hostname.replace(/^\[|\]$/g, "")) === 0 ? "dns" : "tcp";
  return new Promise((resolve) => {
    const common = { method: "HEAD", agent: false, signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) };
    const secure = { ...common, ...ownTlsOf({ tls }) };
    const call: ClientRequest = isSecure ? httpsRequest(url, secure) : httpRequest(url, common);
    call.on("socket", (socket) => {
      socket.on("lookup", (error: Error | null) => {
        if (error === null) step = "tcp";
      });
      socket.on("connect", () => {
        step = isSecure ? "tls" : "http";
      });
      socket.on("secureConnect", () => {
        step = "http";
      });
    });
    call.on("response", (response) => {
      const date = Date.parse(response.headers.date ?? "");
      resolve({
        status: response.statusCode ?? 0,
        date: Number.isNaN(date) ? null : date,
        certificateDays: response.socket instanceof TLSSocket ? daysOf(response.socket, now()) : null,
        ms: now() - started,
      });
      response.resume();
    });
    call.on("error", (error) => resolve({ step, error }));
    call.end();
  });
}

function daysOf(socket: TLSSocket, now: number): number | null {
  const end = Date.parse(socket.getPeerCertificate().valid_to ?? "");
  return Number.isNaN(end) ? null : Math.floor((end - now) / DAY_MS);
}

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : error.name;
}
