/** The receipts of one order at two tills: handed out, printed, failed, printed late, released. */
import { receiptOfReturn } from "@fiscald/daemon/intake/return-receipt.js";
import { ONE_UNIT } from "@fiscald/shared/amounts.js";
import { isFault } from "@fiscald/shared/fault.js";
import { toReceiptId } from "@fiscald/shared/ids.js";
import { parseLocalTime } from "@fiscald/shared/local-time.js";
import { toOnlineReceipt } from "@fiscald/shared/receipt/formats/to-online-receipt.js";
import { itemsOf, type Receipt, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { withNamedRates } from "@fiscald/shared/receipt/tax-meaning.js";
import type { ModelWorld } from "./model-world.js";
import type { MoneyStep, Outcome } from "./money-steps.js";
import type { OurDocument } from "./money-truth.js";
import { sale, syncCall } from "./money-world.js";

interface Held extends Omit<OurDocument, "by" | "at"> {
  readonly till: number;
}

export interface MoneyTillsOptions {
  readonly world: ModelWorld;
  readonly orderId: number;
  /** The number of the step. */
  readonly now: () => number;
  readonly tell: (words: string) => void;
}

export class MoneyTills {
  readonly documents: (OurDocument & Held)[] = [];
  /** True: a failed receipt was printed later. */
  isLate = false;
  readonly #world: ModelWorld;
  readonly #orderId: number;
  readonly #now: () => number;
  readonly #tell: (words: string) => void;
  readonly #held: Held[] = [];
  /** By id: a released receipt is handed out more than once. */
  readonly #firstHandedOut = new Map<SaleReceipt["receiptId"], number>();
  /** Failed receipts, which may be printed later. */
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

  reportLast(outcome: Outcome): Promise<void> {
    return this.report(Math.max(0, this.#held.length - 1), outcome);
  }

  /** Polls as the daemon of that till does. */
  async poll(till: number): Promise<void> {
    const from = this.#world.tills[till];
    for (;;) {
      const receipt = await from?.poll();
      if (receipt === null || receipt === undefined) return;
      // The receipt belongs to an earlier sequence that failed.
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
    const { receipt, till } = held;
    if (held.isByOperator) await this.#tellSite(held, outcome);
    else await this.#world.tills[till]?.report(receipt, { outcome });
    this.#tell(`${outcome}: ${receipt.orderId} ${receipt.operation} ${totalOf(receipt)}`);
    if (outcome === "unknown") return;
    this.#held.splice(this.#held.indexOf(held), 1);
    if (outcome === "failed") this.#givenUp.push(held);
    else this.documents.push({ ...held, by: "us", at: this.#now() });
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

  /** Without a receiptId, as other print servers report: no receipt of the order may take this result for its own. */
  async correct(of: "sell" | "sell_refund"): Promise<void> {
    const fdNumber = `9${this.#now()}`;
    const [register] = syncCall.data;
    const result = { resultCode: 0, resultInfo: "", shiftNumber: "1", OFDLink: "", outcome: "printed", total: 501 };
    const body = { ...register, ...result, action: "orderConfirm", orderId: `${this.#orderId}`, fdNumber };
    await this.#world.tills[0].call("result", { ...body, operation: `${of}_correction` });
    this.#tell(`corrected: ${of}`);
  }

  /** The till knows its own receipts: the returns of that sale that it has printed since, or has still to print. */
  async returnAtTill({ which, position }: Extract<MoneyStep, { do: "return at till" }>): Promise<void> {
    const sales = this.documents.filter(({ receipt }) => receipt.operation === "sale");
    const given = sales[which % Math.max(1, sales.length)];
    if (given === undefined) return;
    const { receipt: printed, till, at } = given;
    const since = [...this.documents.filter((one) => one.at > at), ...this.#held];
    const isOfSale = (one: Held) => one.till === till && one.receipt.orderId === printed.orderId;
    const returns = since.filter(isOfSale).flatMap(({ receipt }) => (receipt.operation === "return" ? [receipt] : []));
    const handedOutAt = this.#now();
    const receiptId = toReceiptId(`6c1f4c1e-7d0a-4d61-9a3e-${this.#numberOf(handedOutAt)}`);
    const lines = position === null ? null : [{ position, quantity: ONE_UNIT }];
    try {
      const receipt = receiptOfReturn({ printed, returns, lines, fixes: null, receiptId });
      this.#held.push({ receipt, till, handedOutAt, isByOperator: true });
      this.#tell(`returned at till: ${describe(receipt)}`);
    } catch (error) {
      if (!isFault(error)) throw error;
      this.#tell(`not returned at till: ${error.code}`);
    }
  }

  /** A number that no other order of this world has. */
  #numberOf(moment: number): string {
    return `${this.#orderId}${String(moment).padStart(5, "0")}`.padStart(12, "0");
  }

  async #tellSite({ receipt, till, handedOutAt }: Held, outcome: Outcome): Promise<void> {
    const time = parseLocalTime("2026-11-29T12:00");
    const [register] = syncCall.data;
    if (register === undefined || time === null) throw new Error("there is no register");
    const rates = [
      { id: 21, vat: 11 as const, title: null },
      { id: 22, vat: 2 as const, title: null },
    ];
    await this.#world.tills[till]?.call("result", {
      ...{ ...register, action: "orderConfirm", orderId: receipt.orderId, receiptId: receipt.receiptId, outcome },
      ...{ resultCode: outcome === "printed" ? 0 : 4, operation: "sell_refund", total: totalOf(receipt) / 100 },
      ...(outcome === "printed" ? { fdNumber: `8${this.#numberOf(handedOutAt)}`, fpd: "1", shiftNumber: "5" } : {}),
      ...{ by: "operator", receipt: toOnlineReceipt(withNamedRates(receipt, rates), time) },
    });
  }

  /** The till's print server will never return. */
  async release(which: number): Promise<void> {
    const held = this.#held[which % Math.max(1, this.#held.length)];
    const receiptId = held?.receipt.receiptId ?? null;
    if (held === undefined || receiptId === null || held.isByOperator) return;
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
