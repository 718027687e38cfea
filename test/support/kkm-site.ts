import type { ServerResponse } from "node:http";
import { startTestSite } from "./test-site.js";

/** A site that keeps each poll waiting for an order of the register that polls, and answers after 25 s without one. */
export interface KkmSite {
  readonly url: string;
  /** Hands the order to this register at its next poll; resolves with the ms from that moment to the order's result. */
  print(kkm: string, orderId: string, answer: object): Promise<number>;
  /** The number of polls that wait now. */
  held(): number;
  /** Answers waiting polls with "nothing" and lets none wait any more: a stopping daemon waits for its polls. */
  stopHolding(): void;
  close(): Promise<void>;
}

interface Printing {
  readonly handedAt: number;
  done(ms: number): void;
}

const HOLD_MS = 25_000;

export async function startKkmSite(): Promise<KkmSite> {
  const polls = new Map<string, ServerResponse>();
  const waiting = new Map<string, (() => void)[]>();
  const printing = new Map<string, Printing>();
  let mayHold = true;

  function serve(kkm: string): void {
    const next = waiting.get(kkm)?.[0];
    if (next === undefined || !polls.has(kkm)) return;
    waiting.get(kkm)?.shift();
    next();
  }

  const web = await startTestSite();
  web.answer(() => (response, { json: body = {} }) => {
    const kkm = String(body["kkm"]);
    if (body["action"] === "order" && mayHold) {
      polls.set(kkm, response);
      const forget = () => polls.get(kkm) === response && polls.delete(kkm);
      const held = setTimeout(() => forget() && response.end(), HOLD_MS);
      response.once("close", () => {
        clearTimeout(held);
        forget();
      });
      serve(kkm);
      return;
    }
    const orderId = String(body["orderId"]);
    const job = printing.get(orderId);
    if (body["action"] === "orderConfirm" && body["resultCode"] === 0 && job !== undefined) {
      printing.delete(orderId);
      job.done(performance.now() - job.handedAt);
    }
    response.end();
  });

  return {
    url: web.url,
    print: (kkm, orderId, answer) =>
      new Promise((done) => {
        const hand = () => {
          const response = polls.get(kkm);
          polls.delete(kkm);
          printing.set(orderId, { handedAt: performance.now(), done });
          response?.end(JSON.stringify(answer));
        };
        waiting.set(kkm, [...(waiting.get(kkm) ?? []), hand]);
        serve(kkm);
      }),
    held: () => polls.size,
    stopHolding() {
      mayHold = false;
      for (const response of polls.values()) response.end();
    },
    close: web.close,
  };
}
