/** A print server as the nodes see it: prints each receipt once, and reports it until the report is answered. */
import { randomUUID } from "node:crypto";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { createTestTill } from "#handlers/print-server/http/test-till.js";
import type { Seeded } from "../../support/seeded.js";

export const secret = "whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=";

export interface PrintServerOptions {
  readonly id: string;
  readonly fn: string;
  readonly kkms: readonly string[];
  /** The address of a node, another node each time. */
  readonly nodeUrl: () => string;
  readonly random: Seeded;
}

interface Printed {
  readonly receipt: Receipt;
  /** The `webhook-id` of the result, the same for each repeat. */
  readonly messageId: string;
}

export class PrintServer {
  /** By receiptId: the content of the print server's database. */
  readonly printed = new Map<string, Printed>();
  readonly heard = new Set<string>();
  /** How many answers were lost on their way, so that the receipt has to come again. */
  lostAnswers = 0;
  /** How many receipts came again because their result had not arrived yet. */
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
    const { random } = this.#options;
    while (!isDone()) {
      const wait = random.chance(0.5) ? { waitSeconds: 1 } : {};
      // A node that is being killed answers nothing: the next poll goes to another node.
      const receipt = await this.#till(kkm)
        .poll(wait)
        .catch(() => null);
      if (receipt === null) await this.#reportOverdue(kkm);
      else if (this.#take(receipt)) await this.#report(kkm, receipt.receiptId ?? "");
    }
  }

  /** True: the result is sent now. False: it stays in the outbox, and the receipt may be offered again meanwhile. */
  #take(receipt: Receipt): boolean {
    const { random } = this.#options;
    const id = receipt.receiptId ?? "";
    const isKnown = this.printed.has(id);
    if (!isKnown && random.chance(0.03)) {
      this.lostAnswers += 1;
      return false;
    }
    if (isKnown) this.repeats += 1;
    else this.printed.set(id, { receipt, messageId: randomUUID() });
    return !random.chance(0.03);
  }

  /** The site does not offer a stored receipt again: if the answer was lost, only this repeats the result. */
  async #reportOverdue(kkm: string): Promise<void> {
    for (const id of this.printed.keys()) if (!this.heard.has(id)) return this.#report(kkm, id);
  }

  async #report(kkm: string, id: string): Promise<void> {
    const job = this.printed.get(id);
    if (job === undefined) return;
    const isHeard = await this.#till(kkm)
      .report(job.receipt, { messageId: job.messageId })
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
