/** Plays what may happen to an order, step by step, and tells what came of it: receipts, refusals, alerts. */
import { formatRoubles, kopecks } from "@fiscald/shared/amounts.js";
import { itemsOf, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { Outcome } from "../../../tools/money-model/money-steps.js";
import { toldOf } from "../../../tools/money-model/money-told.js";
import {
  asRefund,
  courierReceipt,
  type MoneyWorld,
  paid,
  refundOrder,
  sale,
  tea,
} from "../../../tools/money-model/money-world.js";
import { newOrder, type Reply } from "../delivery-world.js";

export interface Story {
  readonly title: string;
  /** A refused step has the answer beside it: `paid 0 (422 statusId)`. */
  readonly steps: readonly string[];
  /** As our till printed them: `sale 501.00 with 200.00 prepaid`. */
  readonly receipts: readonly string[];
  readonly alerts: readonly string[];
}

/**
 * `a situation:`, its steps, then `= receipts` and `! alerts` if there are any. A long list goes on in the next line.
 */
export function readStories(text: string): readonly Story[] {
  const parts = text.split(/\n(?=\S)/).filter((part) => part.includes(":\n"));
  return parts.map((part) => {
    const [title = "", told = ""] = part.trimEnd().split(":\n");
    const [steps, ...outcome] = told.split(/\n {2}(?=[=!] )/);
    const named = (mark: string) => listOf(outcome.find((line) => line.startsWith(mark))?.slice(mark.length));
    return { title, steps: listOf(steps), receipts: named("="), alerts: named("!") };
  });
}

function listOf(text = ""): readonly string[] {
  return text.trim() === "" ? [] : text.split(",").map((part) => part.trim());
}

/** An order of two packets of tea for 501.00. Each of its steps is one of `words` below. */
export class AccountSteps {
  readonly #money: MoneyWorld;
  readonly #orderId: number;
  readonly #receipts: string[] = [];
  readonly #taken: string[] = [];
  readonly #held: SaleReceipt[] = [];
  readonly #failed: SaleReceipt[] = [];
  #refunds = 0;
  #documents = 0;

  constructor(money: MoneyWorld, orderId: number) {
    this.#money = money;
    this.#orderId = orderId;
  }

  async take(...steps: readonly string[]): Promise<void> {
    for (const told of steps) {
      const step = told.replace(/ \(.*/, "");
      const word = this.#words.find(([words]) => words.test(step));
      if (word === undefined) throw new Error(`no step: ${step}`);
      const [words, act] = word;
      const [, one = "", two = ""] = words.exec(step) ?? [];
      const { status = 200, body = undefined } = (await act(one, two)) ?? {};
      const [place = ""] = String(body?.message).split(": ");
      this.#taken.push(status < 400 ? step : `${step} (${status} ${place.replace(/^\[0\]\./, "")})`);
    }
  }

  async told(): Promise<Omit<Story, "title">> {
    const { told } = await toldOf(this.#money.shop, `${this.#orderId}`);
    const alerts: readonly string[] = [...new Set(told.map(({ telling }) => telling))];
    return { steps: this.#taken, receipts: this.#receipts, alerts };
  }

  /** Prints what is queued, so that the next order's till gets none of it. */
  async clear(): Promise<void> {
    while ((await this.#money.till.printNext()) !== null);
  }

  readonly #words: readonly (readonly [RegExp, (one: string, two: string) => Promise<Reply | undefined>])[] = [
    [/^order paid online$/, () => this.#order({})],
    [/^order unpaid$/, () => this.#order({ isInternetPayment: 0, statusId: 0 })],
    [/^order paid in the shop$/, () => this.#order({ isInternetPayment: 0 })],
    [
      /^order prepaid ([\d.]+)$/,
      (sum) => this.#order({ prePaymentSum: Number(sum), payments: [this.#payment(501 - Number(sum), "rest")] }),
    ],
    [
      /^order of two halves$/,
      () => this.#order({ prePaymentSum: 250.5, payments: [this.#payment(250.5, "half"), this.#payment(250.5)] }),
    ],
    [/^order prepaid ([\d.]+) without the rest$/, (sum) => this.#order({ prePaymentSum: Number(sum) })],
    [/^unpaid order prepaid ([\d.]+)$/, (sum) => this.#order({ prePaymentSum: Number(sum), statusId: 0 })],
    [
      /^order of tea at 22 and at 10 %$/,
      () => this.#order({ goods: [tea(1, { position: 1 }), tea(1, { taxId: 2, position: 2 })] }),
    ],
    [/^status (\d)$/, (to) => this.#put({ deliveryStatusId: Number(to) })],
    [/^paid (\d)$/, (to) => this.#put({ statusId: Number(to) })],
    [/^prepaid ([\d.]+)$/, (sum) => this.#put({ prePaymentSum: Number(sum) })],
    [
      /^edit to (\d) pieces?$/,
      (count) => this.#put({ goods: [tea(Number(count))], amountToPay: Number(count) * 250.5 }),
    ],
    [/^edit to 10 %$/, () => this.#put({ goods: [tea(2, { taxId: 2 })] })],
    [/^note$/, () => this.#put({ description: `note ${Math.random()}` })],
    [/^refund of (\d)(?: at position (\d))?$/, (count, position) => this.#refund(Number(count), position)],
    [/^refund of (\d) in cash$/, (count) => this.#refund(Number(count), "", { isInternetPayment: 0, paymentId: 2 })],
    [/^unpaid refund of (\d)$/, (count) => this.#refund(Number(count), "", { statusId: 0 })],
    [/^refund (\d) paid (\d)$/, (number, to) => this.#putRefund(number, { statusId: Number(to) })],
    [
      /^refund (\d) edit to (\d) pieces?$/,
      (number, count) => this.#putRefund(number, { goods: [tea(Number(count))], amountToPay: Number(count) * 250.5 }),
    ],
    [
      /^refund (\d) edit to position (\d)$/,
      (number, position) => this.#putRefund(number, { goods: [tea(1, { position: Number(position) })] }),
    ],
    [/^refund (\d) note$/, (number) => this.#putRefund(number, { description: `note ${Math.random()}` })],
    [
      /^refund (\d) deleted$/,
      (number) => this.#money.shop.delete("/orders", { ...this.#refundKey(number), isRefund: 1 }),
    ],
    [
      /^refund (\d) gives back ([\d.]+)$/,
      (number, sum) => this.#putRefund(number, { payments: [this.#payment(Number(sum), "first")] }),
    ],
    [
      /^refund (\d) gives back nothing and is unpaid$/,
      (number) => this.#putRefund(number, { payments: [], statusId: 0 }),
    ],
    [/^courier collects (-?[\d.]+)$/, (sum) => this.#courier("payments", { payments: [this.#payment(Number(sum))] })],
    [
      /^courier collects ([\d.]+) in cash$/,
      (sum) => this.#courier("payments", { payments: [{ ...this.#payment(Number(sum)), paymentTypeId: "2" }] }),
    ],
    [/^courier brings back 1 with ([\d.]+)$/, (sum) => this.#bringBack(1, { payments: [this.#payment(Number(sum))] })],
    [
      /^courier collects (-?[\d.]+) of refund (\d)$/,
      (sum, number) =>
        this.#courier("payments", {
          ...this.#refundKey(number),
          isRefund: true,
          payments: [this.#payment(Number(sum))],
        }),
    ],
    [
      /^courier cancels (\d)$/,
      (count) => this.#courier("canceledItems", { items: [{ goodId: 501, returnReasonId: 1, count: Number(count) }] }),
    ],
    [/^courier status (\d)$/, (to) => this.#courier("status", { deliveryStatusId: Number(to), returnReasonId: 1 })],
    [
      /^courier status (\d) with receipt$/,
      (to) => this.#courier("status", { deliveryStatusId: Number(to), returnReasonId: 1, ...this.#document() }),
    ],
    [/^courier's (sale|return) receipt$/, (operation) => this.#courier("receipts", { operation, ...this.#document() })],
    [
      /^the same (sale|return) receipt again$/,
      (operation) => this.#courier("receipts", { operation, ...this.#sameDocument() }),
    ],
    [/^courier's receipt of refund (\d)$/, (number) => this.#receiptOf(number, this.#document())],
    [/^the same receipt names refund (\d)$/, (number) => this.#receiptOf(number, this.#sameDocument())],
    [/^courier brings back (\d)$/, (count) => this.#bringBack(Number(count))],
    [/^courier brings back (\d) with receipt$/, (count) => this.#bringBack(Number(count), this.#document())],
    [/^handed out$/, () => this.#handOut()],
    [/^print$/, async () => this.#handOut().then(() => this.#report(this.#held, "printed"))],
    [/^print all$/, () => this.#printAll()],
    [/^nothing to print$/, () => this.#nothing()],
    [/^(printed|failed|unknown)$/, (outcome) => this.#report(this.#held, asOutcome(outcome))],
    [/^released$/, () => this.#release()],
    [/^late: (printed|failed|unknown)$/, (outcome) => this.#report(this.#failed, asOutcome(outcome))],
  ];

  async #order(changes: object): Promise<Reply> {
    const order = newOrder({ ...paid, orderId: this.#orderId, goods: [tea(2)], ...changes });
    const reply = await this.#money.shop.post("/orders", [order]);
    // A refund order with an id of its own finds the sale by this payment.
    await this.#courier("payments", { payments: [this.#payment(0.01, "first"), this.#payment(-0.01, "back")] });
    return reply;
  }

  #put(change: object): Promise<Reply> {
    return this.#money.shop.put("/orders", change, { query: { orderId: this.#orderId } });
  }

  #putRefund(number: string, change: object): Promise<Reply> {
    return this.#money.shop.put("/orders", change, { query: { ...this.#refundKey(number), isRefund: 1 } });
  }

  #receiptOf(refund: string, document: object): Promise<Reply> {
    return this.#courier("receipts", { ...this.#refundKey(refund), isRefund: true, operation: "return", ...document });
  }

  #refundKey(number: string | number) {
    return { orderId: `${this.#orderId}-r${number}` };
  }

  async #refund(count: number, position: string, changes: object = {}): Promise<Reply> {
    const goods = [tea(count, position === "" ? {} : { position: Number(position) })];
    const payments = [this.#payment(0.01, "first")];
    const order = refundOrder(count, { ...this.#refundKey(this.#refunds + 1), goods, payments, ...changes });
    const reply = await this.#money.shop.post("/orders", [order], asRefund);
    if (reply.status === 201) this.#refunds += 1;
    return reply;
  }

  #bringBack(count: number, receipt: object = {}): Promise<Reply> {
    return this.#courier("returns", { returnReasonId: 1, goods: [{ goodId: 501, count }], payments: [], ...receipt });
  }

  #courier(path: string, body: object): Promise<Reply> {
    return this.#money.courier.post(`/orders/${path}`, { orderId: this.#orderId, ...body });
  }

  #payment(price: number, name = `${this.#receipts.length}-${Math.random()}`) {
    return { paymentId: `${this.#orderId}-${name}`, paymentTypeId: "1", paidIn: "2026-11-20 10:00:00", price };
  }

  #document() {
    this.#documents += 1;
    return this.#sameDocument();
  }

  #sameDocument() {
    return { receipt: { ...courierReceipt, fdNumber: `${this.#orderId}${this.#documents}` } };
  }

  async #handOut(): Promise<undefined> {
    this.#held.push(sale(await this.#money.till.poll()));
  }

  async #nothing(): Promise<undefined> {
    const receipt = await this.#money.till.poll();
    if (receipt !== null) throw new Error(`there is ${JSON.stringify(receipt)}`);
  }

  async #printAll(): Promise<undefined> {
    for (let receipt = await this.#money.till.poll(); receipt !== null; receipt = await this.#money.till.poll()) {
      await this.#money.till.report(receipt, { outcome: "printed" });
      this.#receipts.push(describe(sale(receipt)));
    }
  }

  /** Puts the receipt back into the queue, because its print server is gone for good. */
  async #release(): Promise<undefined> {
    const { world, shop } = this.#money;
    const receiptId = this.#held.pop()?.receiptId ?? null;
    const receipts = await world.bridge?.receiptsOf(shop.access.resource.id);
    if (receiptId !== null) await receipts?.release(receiptId);
  }

  async #report(from: SaleReceipt[], outcome: Outcome): Promise<undefined> {
    const receipt = from.at(-1);
    if (receipt === undefined) throw new Error("no till has a receipt");
    await this.#money.till.report(receipt, { outcome, messageId: `${receipt.receiptId}-${Math.random()}` });
    if (outcome === "unknown" && from === this.#held) return;
    from.pop();
    if (outcome === "printed") this.#receipts.push(describe(receipt));
    else if (outcome === "failed") this.#failed.push(receipt);
    else this.#held.push(receipt);
  }
}

function asOutcome(word: string): Outcome {
  return word === "failed" || word === "unknown" ? word : "printed";
}

/** Names the rate and the form of payment only where they are not the usual ones. */
function describe(receipt: SaleReceipt): string {
  const lines = itemsOf(receipt);
  const isPrepaid = lines.every(({ method }) => method !== 4);
  const kinds = { sale: isPrepaid ? "prepayment" : "sale", return: isPrepaid ? "return of the prepayment" : "return" };
  const offset = receipt.payments.find(({ typeClose }) => typeClose === 2)?.sum ?? kopecks(0);
  const prepaid = offset === 0 ? "" : ` with ${formatRoubles(offset)} prepaid`;
  const rate = lines.every(({ tax }) => tax === 22) ? " at 10 %" : "";
  const cash = receipt.payments.some(({ typeClose }) => typeClose === 0) ? " in cash" : "";
  return `${kinds[receipt.operation]} ${formatRoubles(totalOf(receipt))}${rate}${prepaid}${cash}`;
}
