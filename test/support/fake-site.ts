import type { ServerResponse } from "node:http";
import { startTestSite } from "./test-site.js";
import { waitFor } from "./wait-for.js";

export interface SiteCall {
  readonly action: string;
  readonly body: Record<string, unknown>;
  readonly headers: Readonly<Record<string, string>>;
}

export interface SiteAnswer {
  readonly status?: number;
  readonly body?: string;
}

/**
 * A site without the kit, with one address for all five calls. It offers each order at every poll until a result with
 * the order's id arrives, and records every call.
 */
export interface FakeSite {
  readonly url: string;
  readonly calls: readonly SiteCall[];
  /** Offers `body` (the whole answer) until the order's result arrives; replaces an older offer of the id. */
  offer(orderId: string, body: unknown): void;
  withdraw(orderId: string): void;
  /** Results of one order or of all, newest last. */
  results(orderId?: string): Record<string, unknown>[];
  result(orderId: string): Promise<Record<string, unknown>>;
  /** The next result that arrives, of any order. */
  nextResult(): Promise<Record<string, unknown>>;
  isHeld(): boolean;
  call(action: string, matches?: (body: Record<string, unknown>) => boolean): Promise<SiteCall>;
  /** Answers in place of the site; undefined = the site answers as usual. */
  onCall: ((call: SiteCall) => SiteAnswer | "hang" | undefined) | null;
  /** Answers waiting polls with "nothing" and lets none wait any more: a stopping daemon waits for its polls. */
  stopHolding(): void;
  dropConnections(): void;
  close(): Promise<void>;
}

export interface FakeSiteOptions {
  /** Keeps a poll waiting, as the kit does, until something is offered. */
  readonly holds?: boolean;
  /** Marks an order when it is polled, and never offers it again. */
  readonly marksOnPoll?: boolean;
  /** Real ms until an order that was handed out is offered again, doubled each time. Default: at the next poll. */
  readonly offersAgainAfterMs?: number;
}

export async function startFakeSite({
  holds = false,
  marksOnPoll = false,
  offersAgainAfterMs = 0,
}: FakeSiteOptions = {}): Promise<FakeSite> {
  const calls: SiteCall[] = [];
  const offers = new Map<string, unknown>();
  let mayHold = holds;
  /** Orders that were handed out a short while ago. */
  const leased = new Set<string>();
  const againAfterMs = new Map<string, number>();
  const held = new Set<() => void>();
  const resultListeners = new Set<(result: Record<string, unknown>) => void>();
  const resultsOf = (orderId?: string) =>
    calls
      .filter(({ action, body }) => action === "orderConfirm" && (orderId === undefined || body["orderId"] === orderId))
      .map(({ body }) => body);

  const nextOffer = () => [...offers.entries()].find(([orderId]) => !leased.has(orderId));

  function handOut(orderId: string): void {
    if (marksOnPoll) offers.delete(orderId);
    if (offersAgainAfterMs === 0) return;
    const pauseMs = againAfterMs.get(orderId) ?? offersAgainAfterMs;
    againAfterMs.set(orderId, pauseMs * 2);
    leased.add(orderId);
    const endLease = () => {
      leased.delete(orderId);
      if (nextOffer() !== undefined) for (const answer of [...held]) answer();
    };
    setTimeout(endLease, pauseMs).unref();
  }

  const web = await startTestSite();
  const site: FakeSite = {
    url: web.url,
    calls,
    offer(orderId, body) {
      offers.set(orderId, body);
      for (const answer of [...held]) answer();
    },
    withdraw: (orderId) => void offers.delete(orderId),
    results: resultsOf,
    result: (orderId) =>
      waitFor(`the result of ${orderId} arrives`, () => resultsOf(orderId).at(-1), { timeoutMs: 60_000 }),
    nextResult: () => new Promise((resolve) => resultListeners.add(resolve)),
    isHeld: () => held.size > 0,
    call: (action, matches = () => true) =>
      waitFor(`${action} is called`, () => calls.find((call) => call.action === action && matches(call.body)), {
        timeoutMs: 60_000,
      }),
    onCall: null,
    stopHolding() {
      mayHold = false;
      for (const answer of [...held]) answer();
    },
    dropConnections: web.dropConnections,
    close: web.close,
  };

  function answerCall(call: SiteCall, response: ServerResponse): void {
    calls.push(call);
    const own = site.onCall?.(call);
    if (own === "hang") return;
    if (own !== undefined) {
      response.writeHead(own.status ?? 200).end(own.body ?? "");
      return;
    }
    if (call.action === "order") {
      const answer = () => {
        held.delete(answer);
        const [orderId, first] = nextOffer() ?? [];
        if (orderId !== undefined) handOut(orderId);
        response.end(first === undefined ? "" : typeof first === "string" ? first : JSON.stringify(first));
      };
      if (nextOffer() !== undefined || !mayHold) answer();
      else {
        held.add(answer);
        response.once("close", () => held.delete(answer));
      }
      return;
    }
    if (call.action === "orderConfirm") {
      offers.delete(String(call.body["orderId"]));
      for (const listener of resultListeners) listener(call.body);
      resultListeners.clear();
    }
    response.end();
  }

  web.answer(() => (response, { json = {}, headers }) => {
    answerCall({ action: String(json["action"]), body: { ...json }, headers }, response);
  });
  return site;
}
