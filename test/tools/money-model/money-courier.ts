/** The courier's reports about the order of the money model, and the documents of his own register. */
import type { Reply } from "../../handlers/delivery/delivery-world.js";
import type { ModelWorld } from "./model-world.js";
import { type RefundFacts, soldSum } from "./money-check.js";
import { pieceOf } from "./money-goods.js";
import type { MoneyStep } from "./money-steps.js";
import type { CourierDocument } from "./money-truth.js";
import { courierReceipt } from "./money-world.js";

export interface CourierOfOrder {
  readonly world: ModelWorld;
  readonly orderId: number;
  /** The ids of the accepted refund orders, with those that the courier made. */
  readonly refundIds: string[];
  /** The number of the step. */
  now(): number;
  refundOrders(): Promise<readonly (RefundFacts & { readonly receiptStatusId: number })[]>;
  note(words: string): void;
  tell(step: object, reply: Reply): void;
}

type Step<Name extends MoneyStep["do"]> = Extract<MoneyStep, { do: Name }>;

export class MoneyCourier {
  readonly documents: CourierDocument[] = [];
  readonly #order: CourierOfOrder;
  #returns = 0;
  #payments = 0;
  #lastOwn: (() => Promise<Reply>) | null = null;
  /** Document numbers of returns that no refund order names yet. */
  readonly #unnamed: number[] = [];

  constructor(order: CourierOfOrder) {
    this.#order = order;
  }

  /** True: accepted. */
  async cancel(step: Step<"cancel">): Promise<boolean> {
    const { goodId, count } = pieceOf(step.piece, 1);
    const items = [{ goodId, returnReasonId: 1, count }];
    const { orderId, world } = this.#order;
    const reply = await world.courier.post("/orders/canceledItems", { orderId, items });
    this.#order.tell(step, reply);
    return reply.status === 201;
  }

  /** True: accepted. */
  async status(step: Step<"courier's status">): Promise<boolean> {
    const { orderId, world } = this.#order;
    // The document belongs to the state before the status, which may itself cause another sale.
    const isUnnamed = step.own && step.to === 6 && (await this.#isNothingTaken());
    const reply = await this.#withOwn(step.own, step.to === 6 ? "return" : "sale", null, (receipt) =>
      world.courier.post("/orders/status", { orderId, deliveryStatusId: step.to, returnReasonId: 1, ...receipt }),
    );
    if (isUnnamed && reply.status === 201) this.#forgetName();
    this.#order.tell(step, reply);
    return reply.status === 201;
  }

  /** His last return waits for a refund order. */
  #forgetName(): void {
    const number = this.documents.length - 1;
    const last = this.documents[number];
    if (last === undefined) return;
    this.documents[number] = { ...last, sum: "unnamed" };
    this.#unnamed.push(number);
  }

  /** True: nothing was taken or sold, so he cannot return the whole. */
  async #isNothingTaken(): Promise<boolean> {
    const { world, orderId } = this.#order;
    const { entries } = (await world.shop.get("/orderAccounts", { orderId })).body;
    return !entries.some(
      ({ kind, state }: { kind: string; state: string }) => kind !== "return" && state !== "void" && state !== "failed",
    );
  }

  async ownAgain(step: Step<"own receipt again">): Promise<void> {
    if (this.#lastOwn !== null) this.#order.tell(step, await this.#lastOwn());
  }

  async bringBack(step: Step<"bring back">): Promise<void> {
    const { goodId, count } = pieceOf(step.piece, step.count);
    const number = this.#returns + 1;
    const refundId = number === 1 ? `${this.#order.orderId}` : `${this.#order.orderId}-${number}`;
    const back = { orderId: this.#order.orderId, returnReasonId: 1, goods: [{ goodId, count }], payments: [] };
    const reply = await this.#withOwn(step.own, "return", refundId, (receipt) =>
      this.#order.world.courier.post("/orders/returns", { ...back, ...receipt }),
    );
    if (reply.status === 201) {
      this.#returns = number;
      this.#order.refundIds.push(refundId);
      if (!step.own) await this.cameBack(refundId);
    }
    return this.#order.tell(step, reply);
  }

  /** After a refund order was accepted, a return without a name belongs to it. */
  async cameBack(refundId: string): Promise<void> {
    const { body } = await this.#order.world.shop.get("/orders", { orderId: refundId, isRefund: 1 });
    const hasOwn = this.documents.some((one) => one?.refundId === refundId);
    if (body.receiptStatusId !== 1 || hasOwn) return;
    const number = this.#unnamed.shift();
    const one = number === undefined ? undefined : this.documents[number];
    if (number === undefined || one === undefined) return;
    this.documents[number] = { ...one, refundId, sum: await this.#sumOf("return", refundId), isNamedLater: true };
    this.#order.note(`courier's own, named: return ${refundId}`);
  }

  /** A return names the sale: the API takes it for the only refund order without a receipt, or for the whole. */
  async ownReceipt(step: Step<"own receipt">): Promise<void> {
    const { operation } = step;
    const { body: order } = await this.#order.world.shop.get("/orders", { orderId: this.#order.orderId });
    const refunds = await this.#order.refundOrders();
    const open = refunds.filter(({ receiptStatusId }) => receiptStatusId !== 1);
    const refundId = operation === "sale" || open.length > 1 ? null : (open[0]?.orderId ?? null);
    const isWhole = order.deliveryStatusId === 6 && refunds.length === 0 && !(await this.#isNothingTaken());
    const isUnnamed = operation === "return" && refundId === null && !isWhole;
    const reply = await this.#withOwn(true, operation, refundId === null ? null : String(refundId), (receipt) =>
      this.#order.world.courier.post("/orders/receipts", { orderId: this.#order.orderId, operation, ...receipt }),
    );
    if (isUnnamed && reply.status === 201) this.#forgetName();
    this.#order.tell(step, reply);
  }

  async ownOfRefund(which: number): Promise<void> {
    const refundId = this.#order.refundIds[which % Math.max(1, this.#order.refundIds.length)];
    if (refundId === undefined) return;
    const named = { orderId: refundId, isRefund: true, operation: "return" };
    const reply = await this.#withOwn(true, "return", refundId, (receipt) =>
      this.#order.world.courier.post("/orders/receipts", { ...named, ...receipt }),
    );
    this.#order.tell({ do: "own receipt of refund", refundId }, reply);
  }

  /** A document of his own register is recorded only when the API accepts it. */
  async #withOwn(
    own: boolean,
    operation: "sale" | "return",
    refundId: string | null,
    call: (receipt: object) => Promise<Reply>,
  ): Promise<Reply> {
    if (!own) return call({});
    const receipt = {
      ...courierReceipt,
      fdNumber: `${this.#order.orderId}${String(this.#order.now()).padStart(5, "0")}`,
    };
    const at = this.#order.now();
    const reply = await call({ receipt });
    if (reply.status !== 201) return reply;
    this.#lastOwn = () => this.#order.world.courier.post("/orders/receipts", again);
    const named = refundId === null ? { orderId: this.#order.orderId } : { orderId: refundId, isRefund: true };
    const again = { ...named, operation, receipt };
    const sum = await this.#sumOf(operation, refundId);
    const one: CourierDocument = { by: "courier", operation, orderId: `${this.#order.orderId}`, refundId, sum, at };
    this.documents.push(one);
    this.#order.note(`courier's own: ${operation} ${refundId ?? this.#order.orderId} ${sum ?? "all"}`);
    return reply;
  }

  /** A whole return is of everything that is left. */
  async #sumOf(operation: "sale" | "return", refundId: string | null): Promise<number | null> {
    if (operation === "return" && refundId === null) return null;
    const isRefund = refundId === null ? {} : { isRefund: 1 };
    const { body } = await this.#order.world.shop.get("/orders", {
      orderId: refundId ?? this.#order.orderId,
      ...isRefund,
    });
    return soldSum(body.goods);
  }

  /** True: accepted. */
  async pay(prices: readonly number[], type: number, own = false): Promise<boolean> {
    const payments = prices.map((price) => {
      this.#payments += 1;
      const paymentId = `${this.#order.orderId}-${this.#payments}`;
      return { paymentId, paymentTypeId: String(type), paidIn: "2026-11-20 10:00:00", price };
    });
    const reply = await this.#withOwn(own, "sale", null, (receipt) =>
      this.#order.world.courier.post("/orders/payments", { orderId: this.#order.orderId, payments, ...receipt }),
    );
    this.#order.tell({ do: "collect", prices }, reply);
    return reply.status === 201;
  }
}
