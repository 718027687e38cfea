/** A print server as the nodes see one: it prints what it is given once, and reports until it is heard. */
import { randomUUID } from "node:crypto";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { createTestTill } from "#handlers/print-server/http/test-till.js";
import type { Seeded } from "../../campaign/seeded.js";

export const secret = "whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=";

export interface PrintServerOptions {
  readonly id: string;
  readonly fn: string;
  /** Each register polls on its own. */
  readonly kkms: readonly string[];
  /** The address of a node, another one each time. */
  readonly nodeUrl: () => string;
  readonly random: Seeded;
}

export class PrintServer {
  /** By receiptId: what its database holds, with the `webhook-id` of the result. */
  readonly printed = new Map<string, string>();
  /** Receipts whose result was answered. */
  readonly heard = new Set<string>();
  /** Answers that were lost on their way, so that the receipt has to come again. */
  lostAnswers = 0;
  /** Receipts that came although they were known: their result had not arrived, or not yet. */
  repeats = 0;
  readonly #options: PrintServerOptions;

  constructor(options: PrintServerOptions) {
    this.#options = options;
  }

  /** Polls, prints and reports on all registers until `isDone`. */
  async run(isDone: () => boolean): Promise<void> {
    await Promise.all(this.#options.kkms.map((kkm) => this.#serve(kkm, isDone)));
  }

  async #serve(kkm: string, isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const till = this.#till(kkm);
      // A node that is being killed answers nothing: the next poll asks another one.
      const wait = this.#options.random.chance(0.5) ? { waitSeconds: 1 } : {};
      const receipt = await till.poll(wait).catch(() => null);
      if (receipt !== null) await this.#take(kkm, receipt);
    }
  }

  async #take(kkm: string, receipt: Receipt): Promise<void> {
    const { random } = this.#options;
    const id = receipt.receiptId ?? "";
    const known = this.printed.get(id);
    if (known === undefined && random.chance(0.03)) {
      this.lostAnswers += 1;
      return;
    }
    if (known !== undefined) this.repeats += 1;
    const messageId = known ?? randomUUID();
    this.printed.set(id, messageId);
    // Its result stays in the outbox for now: the receipt is offered again meanwhile.
    if (random.chance(0.03)) return;
    const isHeard = await this.#till(kkm)
      .report(receipt, { messageId })
      .then(
        () => true,
        () => false,
      );
    if (isHeard) this.heard.add(id);
  }

  #till(kkm: string) {
    const { id, fn, nodeUrl } = this.#options;
    return createTestTill({
      site: `${nodeUrl()}/fiscal`,
      daemonId: id,
      kkm,
      fn,
      auth: { kind: "signature", secret },
    });
  }
}
