/** Sends the checker's calls as the daemon does, with the right or a wrong secret, and records none of the secrets. */
import { randomBytes } from "node:crypto";
import type { Clock } from "../clock.js";
import { MAX_ORDER_BYTES } from "../exchange/read-answer.js";
import { type Fault, toFault } from "../fault.js";
import { authHeaders, type SiteAuth } from "../http/auth-headers.js";
import { createPoster, type EncodedBody, encodeBody, type HttpAnswer, type Poster } from "../http/post-json.js";
import type { SiteExchange } from "./site-report.js";
import type { SiteCall, SiteToCheck } from "./site-to-check.js";

/** `late`: a right signature that is an hour old. */
export type SecretSent = "right" | "wrong" | "none" | "late";

export interface CallToSend {
  readonly to: SiteCall;
  /** A text is sent as it is. */
  readonly body: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly secret?: SecretSent;
  /** The message id of an earlier call that this call repeats. */
  readonly id?: string;
}

export type Called = { readonly url: string; readonly exchange: number } & (
  | { readonly answer: HttpAnswer; readonly fault: null }
  | { readonly answer: null; readonly fault: Fault }
);

export interface SiteCallerOptions {
  readonly site: SiteToCheck;
  readonly clock: Clock;
  readonly newId: () => string;
}

const CALL_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = MAX_ORDER_BYTES + 1_000_000;
const MAX_NOTED = 16_000;
const HOUR_MS = 3_600_000;

export class SiteCaller {
  readonly exchanges: SiteExchange[] = [];
  encoding: "json" | "form";
  private readonly poster: Poster;

  constructor(private readonly options: SiteCallerOptions) {
    this.poster = createPoster({ clock: options.clock, tls: options.site.tls });
    this.encoding = options.site.encoding === "form" ? "form" : "json";
  }

  /** Never rejects: if no answer comes, `fault` says why. */
  async send(call: CallToSend, signal: AbortSignal): Promise<Called> {
    const { site, clock, newId } = this.options;
    const { secret = "right", id = newId() } = call;
    const url = withQuerySecret(site.urls[call.to] ?? site.urls.orders, secret);
    const body = this.encode(call.body);
    const auth = authSent(site.auth, secret);
    const now = clock.now() - (secret === "late" ? HOUR_MS : 0);
    const headers = { ...call.headers, ...authHeaders(auth, { id, now, body: body.text }) };
    const request = { url, body, headers, timeoutMs: CALL_TIMEOUT_MS, maxAnswerBytes: MAX_ANSWER_BYTES, signal };
    try {
      const answer = await this.poster.post(request);
      return { url, answer, fault: null, exchange: this.note(url, body, headers, answer) };
    } catch (error) {
      const fault = toFault(error, "internal");
      return { url, answer: null, fault, exchange: this.note(url, body, headers, fault) };
    }
  }

  close(): void {
    this.poster.close();
  }

  private encode(body: object | string): EncodedBody {
    if (typeof body !== "string") return encodeBody(body, this.encoding);
    return { ...encodeBody({}, this.encoding), text: body };
  }

  private note(
    url: string,
    body: EncodedBody,
    headers: Readonly<Record<string, string>>,
    end: HttpAnswer | Fault,
  ): number {
    const mask = (text: string) => maskSiteSecrets(text, this.options.site);
    const sent = { "content-type": body.contentType, ...headers };
    const came = end instanceof Error ? null : end;
    this.exchanges.push({
      url: maskAddress(mask(url)),
      headers: mapValues(sent, (value, name) => (isSecretHeader(name, this.options.site.auth) ? "***" : value)),
      body: mask(cut(body.text)),
      answer:
        came === null
          ? null
          : { status: came.status, headers: mapValues(came.headers, mask), body: mask(cut(came.text)) },
      failure: end instanceof Error ? { en: mask(end.message), ru: mask(end.ru ?? end.message) } : null,
    });
    return this.exchanges.length - 1;
  }
}

function cut(text: string): string {
  return text.length <= MAX_NOTED ? text : `${text.slice(0, MAX_NOTED)} ... (${text.length} characters)`;
}

function authSent(auth: SiteAuth, secret: SecretSent): SiteAuth {
  if (secret === "right" || secret === "late") return auth;
  if (secret === "none") return { kind: "none" };
  const other = randomBytes(24).toString("base64");
  if (auth.kind === "basic") return { ...auth, password: other };
  if (auth.kind === "bearer") return { ...auth, token: other };
  if (auth.kind === "header") return { ...auth, value: other };
  return auth.kind === "signature" ? { ...auth, secret: other } : auth;
}

const secretName = /key|secret|token|passw|pwd|auth|sign/i;

/** Parameters whose name looks like that of a secret: `?key=SECRET`. The site's routing may need the others. */
function secretParameters(url: string): readonly string[] {
  return [...new URL(url).searchParams.keys()].filter((name) => secretName.test(name));
}

export function hasSecret({ auth, urls }: SiteToCheck): boolean {
  return auth.kind !== "none" || secretParameters(urls.orders).length > 0;
}

function withQuerySecret(address: string, secret: SecretSent): string {
  const names = secret === "wrong" || secret === "none" ? secretParameters(address) : [];
  if (names.length === 0) return address;
  const url = new URL(address);
  for (const name of names) {
    if (secret === "none") url.searchParams.delete(name);
    else url.searchParams.set(name, "wrong");
  }
  return url.href;
}

/** Leaves out the user and the values of the query, because either may be a secret. */
export function maskAddress(address: string): string {
  if (!URL.canParse(address)) return "an unreadable address";
  const url = new URL(address);
  const user = url.username === "" && url.password === "" ? "" : "***@";
  const query = [...url.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=***`).join("&");
  return `${url.protocol}//${user}${url.host}${url.pathname}${query === "" ? "" : `?${query}`}`;
}

function isSecretHeader(name: string, auth: SiteAuth): boolean {
  const own = auth.kind === "header" ? auth.name : "authorization";
  return ["authorization", "webhook-signature", own.toLowerCase()].includes(name.toLowerCase());
}

/** A shorter secret is not masked, because it would be found in ordinary words. */
const SHORTEST = 4;

export function maskSiteSecrets(text: string, { auth, urls }: SiteToCheck): string {
  const ofAddresses = Object.values(urls).flatMap((url) => {
    if (url === null) return [];
    const { searchParams, search, password } = new URL(url);
    // There are several ways to encode a value, so the secret is masked in the spelling of the address too.
    const written = search
      .slice(1)
      .split(/[&=]/)
      .filter((part) => !searchParams.has(part));
    return [password, ...written, ...secretParameters(url).map((name) => searchParams.get(name) ?? "")];
  });
  const { kind: _, name: __, user = "", ...values }: Readonly<Record<string, string>> = { ...auth };
  const ofAuth = Object.values(values).flatMap((secret) => [
    ...[secret, secret.replace(/^whsec_/, "")],
    Buffer.from(`${user}:${secret}`).toString("base64"),
  ]);
  return [...ofAuth, ...ofAddresses]
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .filter((secret) => secret.length >= SHORTEST)
    .reduce((masked, secret) => masked.replaceAll(secret, "***"), text);
}

function mapValues(record: Readonly<Record<string, string>>, map: (value: string, name: string) => string) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}
