import { randomUUID } from "node:crypto";
import type { Timer } from "@fiscald/shared/clock.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import type { Delivery } from "@fiscald/shared/outbox/classify-response.js";
import { createSender, type RetrySchedule, type Sender } from "@fiscald/shared/outbox/sender.js";
import { asItIs, type Texts } from "@fiscald/shared/texts.js";
import type { TestCall } from "../backend/backend.js";
import type { HttpContext } from "../http/endpoint.js";
import { keyOfText } from "../orders/rows.js";
import { findResource } from "../store/access-tokens.js";
import type { DeliveryStore } from "../store/delivery-store.js";
import { callbackOutbox, type FrozenCallback, OUTBOX_CHANNEL } from "./callback-outbox.js";
import type { Resolve } from "./public-address.js";
import { type SendCallbackOptions, sendCallback } from "./send-callback.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The published delays between tries. After the last delay a callback has failed for good (54-fz 15). */
export const retryDelaysMs = [1 * MINUTE, 5 * MINUTE, 15 * MINUTE, 1 * HOUR, 6 * HOUR, 24 * HOUR] as const;

/** At this age a callback gets no further try, whether its receiver refused it or was down. */
export const giveUpAfterMs = retryDelaysMs.reduce((sum, delay) => sum + delay, 0);

/** A receiver has to answer within this time, which the API's document publishes. */
export const callbackTimeoutMs = 10_000;
const CONCURRENCY = 16;

export interface CallbackServiceOptions extends HttpContext {
  readonly resolve: Resolve;
  readonly allowPrivate: boolean;
  readonly checkEveryMs: number | null;
}

export function createCallbackService(options: CallbackServiceOptions) {
  const { store, clock, logger, resolve, allowPrivate, checkEveryMs } = options;
  const sending = { resolve, allowPrivate, timeoutMs: callbackTimeoutMs, now: () => clock.now() };
  const sender: Sender = createSender<FrozenCallback>({
    outbox: callbackOutbox(options, giveUpAfterMs),
    deliver,
    schedule: publishedSchedule,
    concurrency: CONCURRENCY,
    asideEveryMs: null,
    describe: ({ row }) => ({ callback: row.kind, resource: row.resource, subject: row.subject }),
    clock,
    logger,
  });
  let unsubscribe: (() => void) | null = null;
  let checkTimer: Timer | null = null;

  function checkIn(everyMs: number): void {
    checkTimer = clock.setTimer(everyMs, () => {
      sender.wake();
      checkIn(everyMs);
    });
  }

  async function deliver(
    { row, url, secret, webhookId, body }: FrozenCallback,
    signal: AbortSignal,
  ): Promise<Delivery> {
    try {
      const { sequence, subject, causes } = row;
      const order = sequence === null ? null : { sequence, isRefund: keyOfText(subject).isRefund };
      await sendCallback({ url, secret, webhookId, body, order, causes, isTest: false }, sending, signal);
      return { kind: "delivered" };
    } catch (error) {
      const fault = toFault(error, "internal");
      return { kind: isDown(fault) ? "outage" : "failed", fault };
    }
  }

  return {
    start(): void {
      unsubscribe = store.signals.subscribe(OUTBOX_CHANNEL, () => sender.wake());
      sender.start();
      if (checkEveryMs !== null) checkIn(checkEveryMs);
    },
    async stop(graceMs: number): Promise<void> {
      checkTimer?.cancel();
      unsubscribe?.();
      await sender.stop(graceMs);
    },
    test: (call: TestCall) => sendTestCallback(store, sending, call, AbortSignal.timeout(callbackTimeoutMs)),
  };
}

export async function sendTestCallback(
  store: DeliveryStore,
  sending: SendCallbackOptions,
  { resource, url, body }: TestCall,
  signal: AbortSignal,
): Promise<void> {
  const access = await findResource(store.db, resource);
  if (access === null) throw new Fault("api.unauthorized");
  const message = { url, secret: access.callbackSecret, webhookId: `msg_${randomUUID()}`, body: JSON.stringify(body) };
  await sendCallback({ ...message, order: null, causes: null, isTest: true }, sending, signal);
}

/** Why an address cannot be registered, or did not take its test call: its receiver may be down. */
export interface AddressDoubt {
  /** The address can never be called. */
  readonly isRefused: boolean;
  readonly text: FaultText;
}

const refusals = {
  noAddress: { en: "must be an http or https address", ru: "должен быть адресом http или https" },
  notPublic: {
    en: "is at no public address; the server allows others by `serve --allow-private-callbacks`",
    ru: "не публичный адрес; другие разрешает ключ сервера `serve --allow-private-callbacks`",
  },
} satisfies Texts;

export async function tryAddress(url: string, testCall: () => Promise<void>): Promise<AddressDoubt | null> {
  const isAddress = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isAddress) return { isRefused: true, text: refusals.noAddress };
  try {
    await testCall();
    return null;
  } catch (error) {
    const fault = toFault(error, "site.unreachable");
    if (fault.code === "site.refused") return { isRefused: true, text: refusals.notPublic };
    return { isRefused: false, text: asItIs(wordsFor(fault)) };
  }
}

/** The texts tell a caller who tries addresses neither addresses nor open ports of our network. */
function wordsFor({ code, message }: Fault): string {
  if (code === "site.dns") return "its name leads nowhere yet";
  if (code === "site.http-status") return message;
  return code === "site.timeout" ? "it did not answer in time" : "it cannot be reached";
}

/** With these statuses the receiver, or the way to it, is down. They say nothing about the callback. */
const downStatuses: readonly unknown[] = [429, 502, 503, 504];

function isDown({ code, details }: Fault): boolean {
  if (code === "site.http-status") return downStatuses.includes(details["status"]);
  return code === "site.unreachable" || code === "site.timeout" || code === "site.dns";
}

/** While a receiver is down, one callback at a time finds out whether it answers again; then all others follow. */
const publishedSchedule: RetrySchedule = {
  afterFailure: ({ kind }, { tries }) => (kind === "outage" ? 0 : (retryDelaysMs[tries - 1] ?? null)),
  afterOutage: (failures) => Math.min(1000 * 2 ** failures, MINUTE),
};
