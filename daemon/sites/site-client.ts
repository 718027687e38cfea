import type { Clock } from "@fiscald/shared/clock.js";
import type { OrderCall } from "@fiscald/shared/exchange/calls.js";
import { MAX_ORDER_BYTES } from "@fiscald/shared/exchange/read-answer.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { authHeaders } from "@fiscald/shared/http/auth-headers.js";
import { statusFault } from "@fiscald/shared/http/http-faults.js";
import { createPoster, encodeBody, type HttpAnswer } from "@fiscald/shared/http/post-json.js";
import type { Kkm } from "@fiscald/shared/ids.js";
import { type Delivery, judgeAnswer, judgeNetworkFault } from "@fiscald/shared/outbox/classify-response.js";
import { ownTlsOf, type SiteConfig } from "../config/site-schema.js";
import type { EventKind, StoredEvent } from "../store/outbox-store.js";

export interface SiteClientOptions {
  readonly site: SiteConfig;
  /** A random id that is kept in the database. Our kit hands a receipt out to one daemon only. */
  readonly daemonId: string;
  /** A random id, new at each start, by which the kit notices two machines with one `daemonId` (a cloned till PC). */
  readonly runId: string;
  readonly clock: Clock;
  readonly newId: () => string;
}

export interface PollAnswer {
  /** The answer as it came. "" is also an answer. */
  readonly body: string;
  /** Why the body's encoding cannot be trusted; absent = it can be trusted. */
  readonly problem?: FaultText;
  /** The site keeps an order until the result arrives, as our kit does. Cutting a poll then loses no order. */
  readonly leases: boolean;
}

export type SiteClient = ReturnType<typeof createSiteClient>;

const longPollSeconds = 25;
const callTimeoutMs = 10_000;
/** Longer answers are not even read. Orders above MAX_ORDER_BYTES are refused with a report to the site. */
const maxAnswerBytes = MAX_ORDER_BYTES + 1_000_000;

export function createSiteClient({ site, daemonId, runId, clock, newId }: SiteClientOptions) {
  const poster = createPoster({ clock, tls: ownTlsOf(site) });

  /** The signature covers only this header. An unsigned poll has only the protocol's headers. */
  const signedNames = site.auth.kind === "signature" ? { daemon: daemonId, run: runId } : {};

  /** The answer to the first poll, which is not held, says whether the site leases orders and a poll may be cut. */
  let answered = false;

  function call(url: string, id: string, body: object, rest: CallRest): Promise<HttpAnswer> {
    const encoded = encodeBody(body, site.bodyEncoding);
    const headers = { ...rest.headers, ...authHeaders(site.auth, { id, now: clock.now(), body: encoded.text }) };
    const { timeoutMs, signal } = rest;
    return poster.post({ url, body: encoded, headers, timeoutMs, signal, maxAnswerBytes });
  }

  return {
    /**
     * The site may hold an empty answer for a while. Rejects with a `site.*` fault, which is `site.answer-lost` when
     * the request went out and no whole answer came: an order may then have been handed out.
     */
    async poll(kkm: Kkm, signal: AbortSignal): Promise<PollAnswer> {
      const url = site.urls.orders;
      const body: OrderCall = { action: "order", kkm, ...signedNames };
      const headers = { "Fiscald-Daemon": daemonId, ...(answered ? { Prefer: `wait=${longPollSeconds}` } : {}) };
      const timeoutMs = longPollSeconds * 1000 + callTimeoutMs;
      const answer = await call(url, newId(), body, { headers, timeoutMs, signal });
      const fault = statusFault(answer, url);
      if (fault !== null) throw withClock(fault, answer, clock.now());
      answered = true;
      return {
        body: answer.text,
        ...(answer.problem === null ? {} : { problem: answer.problem }),
        leases: answer.headers["fiscald-leases"] === "1",
      };
    },
    async deliver(event: StoredEvent, signal: AbortSignal): Promise<Delivery> {
      const url = siteAddressOf(site, event.kind);
      if (url === null) return { kind: "refused", fault: noAddress(event) };
      try {
        const answer = await call(url, event.webhookId, event.body, { headers: {}, timeoutMs: callTimeoutMs, signal });
        return judgeAnswer(answer, url);
      } catch (error) {
        return judgeNetworkFault(toFault(error, "internal"));
      }
    },
    close: () => poster.close(),
  };
}

interface CallRest {
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const clockToleranceMs = 5 * 60_000;

/** Adds the difference of clocks to a refused call, because a signature with another time is not valid. */
function withClock(fault: Fault, { headers }: HttpAnswer, now: number): Fault {
  const difference = now - Date.parse(headers.date ?? "");
  if (fault.code !== "site.unauthorized" || !(Math.abs(difference) > clockToleranceMs)) return fault;
  const minutes = Math.round(Math.abs(difference) / 60_000);
  const message = `${fault.message}; its clock is ${minutes} minutes ${difference > 0 ? "behind" : "ahead of"} ours`;
  const { place, details } = fault;
  return new Fault("site.clock", { message, details, cause: fault, ...(place === null ? {} : { place }) });
}

function noAddress({ site, kind }: StoredEvent): Fault {
  const message = `the site ${site} has no address for ${kind} any more`;
  return new Fault("site.refused", { message, place: `sites.${site}.urls` });
}

/** Null: the site gets no events of this kind. */
export function siteAddressOf({ urls }: SiteConfig, kind: EventKind): string | null {
  const { activity, connected, disconnected, ...others } = urls;
  return { ...others, connected: connected ?? activity, disconnected: disconnected ?? activity }[kind];
}
