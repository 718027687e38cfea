/** Handles a call without HTTP: chooses the callback and the result code, recognises repeats, answers in time. */

import type { Clock } from "@fiscald/shared/clock.js";
import { type CallAnswer, orderCallSchema, resultCodes } from "@fiscald/shared/exchange/calls.js";
import { parseBy } from "@fiscald/shared/exchange/order-problem.js";
import { Fault, isFault } from "@fiscald/shared/fault.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { onceInMemory } from "../handled-events.js";
import type { CallKind, OrderPoll } from "../host-callbacks.js";
import { type OrderAnswer, type OrderBody, orderFlaw, toBody } from "../order-body.js";
import type { RouterCallbacks } from "../store-callbacks.js";
import { UndeliveredReceipts } from "../undelivered-receipts.js";
import { createActionReader, readActivity, readOrderRefused, readResult, readSync, readZReport } from "./read-call.js";
import { type CallStop, withTimeout } from "./with-timeout.js";

export interface Call {
  readonly body: unknown;
  readonly kinds: readonly CallKind[];
  /** Header `Fiscald-Daemon`. */
  readonly daemonId: string | null;
  /** Header `webhook-id`. */
  readonly messageId: string | null;
  /** Header `webhook-timestamp` as milliseconds since the epoch; null = no signature proves it. */
  readonly signedAt: number | null;
  /** How long an empty order answer may be delayed, ms. */
  readonly waitMs: number;
  /** Aborted by the server when the caller has hung up, and here when the time for the answer is up. */
  readonly stop: CallStop;
}

export interface CallReply {
  readonly body: OrderBody | CallAnswer;
  readonly waited: boolean;
  /** The call was an order poll, whose receipt is offered again until its result comes. */
  readonly leases: boolean;
  /** Called by the server, perhaps more than once, when the body could not be sent completely. */
  lost(): void;
}

export interface CallHandlerOptions {
  readonly callbacks: RouterCallbacks;
  readonly resultActions: readonly string[];
  /** Longest time that a callback may delay the answer, ms. */
  readonly answerWithinMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Each failure becomes a result code; only `store.closed` is thrown. */
export function createCallHandler(options: CallHandlerOptions): (call: Call) => Promise<CallReply> {
  const { callbacks, clock, logger } = options;
  const kindOf = createActionReader(options.resultActions);
  const once = onceInMemory();
  const late = new UndeliveredReceipts(callbacks, logger);

  async function handleOrder(call: Call): Promise<CallReply> {
    const { stop } = call;
    const { kkm, daemon, run = null } = parseBy(orderCallSchema, call.body);
    const { messageId, signedAt: sentAt, waitMs } = call;
    // A signed poll names its daemon in the body, because the signature does not cover the header.
    const daemonId = daemon ?? call.daemonId;
    const signed = messageId === null || sentAt === null ? {} : { signed: { messageId, sentAt, run } };
    const poll: OrderPoll = {
      kkm,
      daemonId,
      waitMs,
      ...signed,
      get signal() {
        return stop.signal;
      },
    };
    const asking = late.take(poll) ?? askHost(callbacks, poll);
    const ms = waitMs + options.answerWithinMs;
    const answer = await withTimeout(asking, { clock, ms, stop });
    if (answer === null) {
      const isGone = stop.isAborted;
      stop.abort(new Fault("call.late"));
      late.keep(poll, asking);
      if (isGone) return reply(noOrders);
      throw new Fault("call.late", { message: "nextReceipt did not answer in time." });
    }
    const { holdsPolls, leases } = callbacks;
    const waited = holdsPolls && call.waitMs > 0;
    if (answer.value === null) return { ...reply(noOrders), waited, leases };
    const flaw = orderFlaw(answer.value);
    if (flaw !== null) throw new Fault("internal", { message: `What nextReceipt returned ${flaw}.` });
    let isLost = false;
    const lost = () => {
      if (!isLost) late.keep(poll, asking);
      isLost = true;
    };
    return { body: toBody(answer.value, clock.now()), waited, leases, lost };
  }

  /** The host may finish after the time limit. A repeated call gets the outcome of the first one. */
  async function handleEvent<Told>(call: Call, told: Told, tell: (told: Told) => unknown): Promise<CallReply> {
    const handling = once(call.messageId, async () => void (await tell(told)));
    const answer = await withTimeout(handling, { clock, ms: options.answerWithinMs, stop: call.stop });
    if (answer !== null) return reply(success);
    handling.catch((error: unknown) => logger.error("a late callback failed", { fault: error }));
    throw new Fault("call.late", { message: "The callback did not end in time." });
  }

  function dispatch(call: Call): Promise<CallReply> {
    const { body } = call;
    const kind = kindOf(body);
    if (!call.kinds.includes(kind)) {
      throw new Fault("call.unknown-action", { message: "This action belongs to another address.", place: "action" });
    }
    switch (kind) {
      case "order":
        return handleOrder(call);
      case "result":
        return handleEvent(call, readResult(body, call.messageId), (result) => callbacks.onResult?.(result));
      case "sync":
        return handleEvent(call, readSync(body), (registers) => callbacks.onSync?.(registers, call.messageId));
      case "activity":
        return handleEvent(call, readActivity(body, call.messageId), (activity) => callbacks.onActivity?.(activity));
      case "zreport":
        return handleEvent(call, readZReport(body), (report) => callbacks.onZReport?.(report));
      case "error":
        return handleEvent(call, readOrderRefused(body), (problem) => callbacks.onError?.(problem));
    }
  }

  return async (call) => {
    try {
      return await dispatch(call);
    } catch (error) {
      // The HTTP status says that the site stops. Its next start answers the repeated call.
      if (isFault(error) && error.code === "store.closed") throw error;
      return reply(explain(error, logger));
    }
  };
}

const success: CallAnswer = { resultCode: resultCodes.SUCCESS, resultInfo: "OK" };
/** Every valid body without a receipt means "no order". Existing sites send this body. */
const noOrders: CallAnswer = { resultCode: resultCodes.SUCCESS, resultInfo: "no orders" };

function reply(body: CallAnswer): CallReply {
  return { body, waited: false, leases: false, lost: () => {} };
}

/** The caller gets details of its own mistakes. Details of the host's mistakes go to the host's log alone. */
function explain(error: unknown, logger: Logger): CallAnswer {
  if (isFault(error) && error.resultCode !== resultCodes.HANDLING_ERROR) {
    logger.warn("refused a call", { code: error.code, place: error.place, reason: error.message });
    return { resultCode: error.resultCode, resultInfo: error.message };
  }
  const fault = isFault(error) ? error : new Fault("internal", { message: "A callback threw.", cause: error });
  logger.error("a callback failed", { code: fault.code, fault: error });
  return { resultCode: resultCodes.HANDLING_ERROR, resultInfo: "The site could not handle the call." };
}

/** Plain JavaScript may return undefined where nothing waits, as `queue.shift()` does. */
async function askHost(callbacks: RouterCallbacks, poll: OrderPoll): Promise<OrderAnswer | null> {
  return (await callbacks.nextReceipt(poll)) ?? null;
}
