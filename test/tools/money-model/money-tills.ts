/** The receipts of one order in the hands of two tills: handed out, printed, failed, printed after all, released. */
import { isFault } from "@fiscald/shared/fault.js";
import { itemsOf, type Receipt, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { ModelWorld } from "./model-world.js";
import type { Outcome } from "./money-steps.js";
import type { OurDocument } from "./money-truth.js";
import { sale, syncCall } from "./money-world.js";

interface Held {
  readonly receipt: SaleReceipt;
  readonly till: number;
  readonly handedOutAt: number;
}

export interface MoneyTillsOptions {
  readonly world: ModelWorld;
  readonly orderId: number;
  /** The number of the step. */
  readonly now: () => number;
  readonly tell: (words: string) => void;
}

export class MoneyTills {
  readonly documents: OurDocument[] = [];
  /** Something that had failed was printed after all. */
  isLate = false;
  readonly #world: ModelWorld;
  readonly #orderId: number;
  readonly #now: () => number;
  readonly #tell: (words: string) => void;
  readonly #held: Held[] = [];
  /** By their ids: a released receipt is handed out more than once. */
  readonly #firstHandedOut = new Map<SaleReceipt["receiptId"], number>();
  /** Failed: they may be printed after all. */
  readonly #givenUp: Held[] = [];

  constructor({ world, orderId, now, tell }: MoneyTillsOptions) {
    this.#world = world;
    this.#orderId = orderId;
    this.#now = now;
    this.#tell = tell;
  }

  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  /** What was handed out last. */
  reportLast(outcome: Outcome): Promise<void> {
    return this.report(Math.max(0, this.#held.length - 1), outcome);
  }

  /** Asks as the daemon of that till does. */
  async poll(till: number): Promise<void> {
    const from = this.#world.tills[till];
    for (;;) {
      const receipt = await from?.poll();
      if (receipt === null || receipt === undefined) return;
      // Another sequence that was given up has left it.
      if (isOf(receipt, this.#orderId)) return this.#hold(sale(receipt), till);
      await from?.report(receipt);
    }
  }

  #hold(receipt: SaleReceipt, till: number): void {
    const isKnown = this.#held.some((held) => held.receipt.receiptId === receipt.receiptId);
    const handedOutAt = this.#firstHandedOut.get(receipt.receiptId) ?? this.#now();
    this.#firstHandedOut.set(receipt.receiptId, handedOutAt);
    if (!isKnown) this.#held.push({ receipt, till, handedOutAt });
    this.#tell(`handed out to ${till}: ${describe(receipt)}`);
  }

  async report(which: number, outcome: Outcome): Promise<void> {
    const held = this.#held[which % Math.max(1, this.#held.length)];
    if (held === undefined) return;
    const { receipt, till, handedOutAt } = held;
    await this.#world.tills[till]?.report(receipt, { outcome });
    this.#tell(`${outcome}: ${receipt.orderId} ${receipt.operation} ${totalOf(receipt)}`);
    if (outcome === "unknown") return;
    this.#held.splice(this.#held.indexOf(held), 1);
    if (outcome === "failed") this.#givenUp.push(held);
    else this.documents.push({ by: "us", receipt, handedOutAt, at: this.#now() });
  }

  async reportLate(which: number, outcome: "printed" | "unknown"): Promise<void> {
    const held = this.#givenUp[which % Math.max(1, this.#givenUp.length)];
    if (held === undefined) return;
    this.#givenUp.splice(this.#givenUp.indexOf(held), 1);
    this.#held.push(held);
    this.isLate = true;
    this.#tell("late:");
    await this.report(this.#held.length - 1, outcome);
  }

  /** Without a receiptId, as a print server reports it that knows none: no receipt of the order may take it for its own. */
  async correct(of: "sell" | "sell_refund"): Promise<void> {
    const fdNumber = `9${this.#now()}`;
    const [register] = syncCall.data;
    const result = { resultCode: 0, resultInfo: "", shiftNumber: "1", OFDLink: "", outcome: "printed", total: 501 };
    const body = { ...register, ...result, action: "orderConfirm", orderId: `${this.#orderId}`, fdNumber };
    await this.#world.tills[0].call("result", { ...body, operation: `${of}_correction` });
    this.#tell(`corrected: ${of}`);
  }

  /** Its print server is gone for good. */
  async release(which: number): Promise<void> {
    const held = this.#held[which % Math.max(1, this.#held.length)];
    const receiptId = held?.receipt.receiptId ?? null;
    if (held === undefined || receiptId === null) return;
    try {
      await this.#world.release(receiptId);
    } catch (error) {
      if (!isFault(error)) throw error;
      this.#tell(`not released: ${error.code}`);
      return;
    }
    this.#held.splice(this.#held.indexOf(held), 1);
    this.#tell(`released: ${held.receipt.orderId} ${held.receipt.operation} ${totalOf(held.receipt)}`);
  }
}

function isOf({ orderId }: Receipt, order: number): boolean {
  return orderId === `${order}` || `${orderId}`.startsWith(`${order}-`);
}

function describe(one: SaleReceipt) {
  const lines = itemsOf(one).map(({ name, tax, subject, method, quantity, total }) =>
    [name, tax, subject, `m${method}`, quantity / 1e6, total].join(" "),
  );
  return `${one.orderId} ${one.operation} ${totalOf(one)} ${JSON.stringify(one.payments)} [${lines.join("; ")}]`;
}
