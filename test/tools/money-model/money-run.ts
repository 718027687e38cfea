/** Takes one order through a random sequence of steps of its shop, its courier and its tills. */
import type { Reply } from "../../handlers/delivery/delivery-world.js";
import { newOrder } from "../../handlers/delivery/delivery-world.js";
import type { ModelWorld } from "./model-world.js";
import { MoneyCatalog } from "./money-catalog.js";
import { type OrderFacts, type RefundFacts, soldSum, wrongOf } from "./money-check.js";
import { MoneyCourier } from "./money-courier.js";
import { costOf, type Good, goodsOf, grossOf, pieceOf } from "./money-goods.js";
import { MoneyPaid } from "./money-paid.js";
import type { MoneyStart, MoneyStep } from "./money-steps.js";
import { MoneyTills } from "./money-tills.js";
import { toldOf } from "./money-told.js";
import { type DocumentKind, knownDocuments } from "./money-truth.js";
import { asRefund, paid, refundOrder } from "./money-world.js";

/** Takes a new order through the sequence; throws what is wrong at the end. */
export function moneyModel(world: ModelWorld): (begin: MoneyStart, steps: readonly MoneyStep[]) => Promise<void> {
  const catalog = new MoneyCatalog(world.shop);
  let orders = 1000;
  return async (begin, steps) => {
    orders += 1;
    const run = new MoneyRun({ world, catalog }, orders);
    await run.begin(begin);
    for (const one of steps) await run.take(one);
    await run.end();
    await run.check();
  };
}

interface RefundStatuses {
  readonly receiptStatusId: number;
  readonly frReceiptStatusId: number;
}

export class MoneyRun {
  readonly #world: ModelWorld;
  readonly #orderId: number;
  readonly #catalog: MoneyCatalog;
  readonly #tills: MoneyTills;
  readonly #courier: MoneyCourier;
  readonly #story: string[] = [];
  readonly #refundIds: string[] = [];
  #start: Pick<MoneyStart, "printsPrepayment" | "isInternetPayment"> & { readonly prepaid: number } = {
    printsPrepayment: true,
    isInternetPayment: 0,
    prepaid: 0,
  };
  #paid = new MoneyPaid({ statusId: 0, prepaid: 0 }, 0);
  #deliveryStatusId = 1;
  /** The order as the API showed it last. */
  #last: Reply["body"] = null;
  #wasReturned = false;
  #mostCash = 0;
  #hasGivenBack = false;
  #named: OrderFacts["named"] = null;
  #areFormsKnown = true;
  #isDeleted = false;
  readonly #refundsInCash = new Set<string>();
  readonly #cancellations = { paid: 0, other: 0 };
  #step = 0;
  /** Each event has a moment of its own: one step may print several receipts. */
  #time = 0;

  constructor({ world, catalog }: { readonly world: ModelWorld; readonly catalog: MoneyCatalog }, orderId: number) {
    this.#world = world;
    this.#catalog = catalog;
    this.#orderId = orderId;
    const now = () => {
      this.#time += 1;
      return this.#time;
    };
    const note = (words: string) => void this.#story.push(words);
    this.#tills = new MoneyTills({ world, orderId, now, tell: note });
    this.#courier = new MoneyCourier({
      world,
      orderId,
      refundIds: this.#refundIds,
      now,
      refundOrders: () => this.#refundOrders(),
      note,
      tell: (step, reply) => this.#tell(step, reply),
    });
  }

  async begin({ isDeleted, ...start }: MoneyStart): Promise<void> {
    const { prePaymentSum: asked, isPrinted, extra, printsPrepayment, ...how } = start;
    this.#isDeleted = isDeleted;
    await this.#world.printPrepayments(printsPrepayment);
    await this.#catalog.reset();
    const goods = goodsOf({ teas: 2, breads: 3, extra });
    const prePaymentSum = asked === "all" ? costOf(goods) / 100 : asked;
    const prepaid = Math.round((prePaymentSum ?? 0) * 100);
    this.#start = { printsPrepayment, isInternetPayment: how.isInternetPayment, prepaid };
    this.#paid = new MoneyPaid({ statusId: how.statusId, prepaid }, costOf(goods));
    this.#catalog.sell(goods);
    const order = newOrder({
      ...paid,
      ...how,
      orderId: this.#orderId,
      deliveryStatusId: 1,
      prePaymentSum,
      goods,
      amountToPay: grossOf(goods),
      payments: [this.#namedPayment(costOf(goods) / 100)],
    });
    const { status } = await this.#world.shop.post("/orders", [order]);
    this.#story.push(`order ${JSON.stringify({ prePaymentSum, extra, printsPrepayment, ...how })}: ${status}`);
    // The courier's payment: refund orders of other ids name the sale by it.
    await this.#pay([0.01, -0.01], 1);
    if (!isPrinted) return;
    await this.#tills.poll(0);
    await this.#tills.report(0, "printed");
  }

  async take(step: MoneyStep): Promise<void> {
    this.#step += 1;
    const { shop } = this.#world;
    const orderId = this.#orderId;
    const edit = (change: object) => shop.put("/orders", change, { query: { orderId } });
    switch (step.do) {
      case "poll":
        return this.#tills.poll(step.till);
      case "report":
        return this.#tills.report(step.which, step.outcome);
      case "fail":
        await this.#tills.poll(0);
        return this.#tills.reportLast("failed");
      case "late":
        return this.#tills.reportLate(step.which, step.outcome);
      case "release":
        return this.#tills.release(step.which);
      case "return at till":
        return this.#tills.returnAtTill(step);
      case "restart":
        this.#story.push("restart");
        return this.#world.restart();
      case "status": {
        const reply = await edit({ deliveryStatusId: step.to });
        this.#tell(step, reply);
        return reply.status === 201 ? this.#arrive(step.to) : undefined;
      }
      case "courier's status":
        return (await this.#courier.status(step)) ? this.#arrive(step.to) : undefined;
      case "paid": {
        const reply = await edit({ statusId: step.to });
        if (reply.status === 201) this.#paid.say(step.to);
        return this.#tell(step, reply);
      }
      case "payment type":
        if (step.to === 2) this.#mostCash = Number.POSITIVE_INFINITY;
        return this.#tell(step, await edit({ paymentId: step.to }));
      case "edit": {
        const goods = goodsOf(step);
        this.#catalog.sell(goods);
        const reply = await edit({ goods, amountToPay: grossOf(goods) });
        if (reply.status === 201) this.#paid.edit(await this.#cost());
        return this.#tell(step, reply);
      }
      case "edit refund":
        return this.#editRefund(step);
      case "pay refund":
        return this.#payRefund(step.which);
      case "name payment": {
        const price = step.price === "prepaid" ? this.#start.prepaid / 100 : step.price;
        const payments = [{ ...this.#namedPayment(price), paymentTypeId: String(step.type) }];
        const reply = await edit({ payments });
        if (reply.status === 201) this.#named = { sum: Math.round(price * 100), isInCash: step.type === 2 };
        return this.#tell(step, reply);
      }
      case "touch":
        return this.#touch();
      case "cancel":
        if (!(await this.#courier.cancel(step))) return;
        this.#cancellations[this.#paid.statusId === 1 && this.#paid.collected <= 0 ? "paid" : "other"] += 1;
        return this.#paid.report(await this.#cost());
      case "collect":
        return this.#pay([step.price], step.type, step.own);
      case "refund":
        return this.#refund(step);
      case "refund fails":
        await this.#refund(step);
        await this.#tills.poll(0);
        return this.#tills.reportLast("failed");
      case "bring back":
        return this.#courier.bringBack(step);
      case "own receipt":
        return this.#courier.ownReceipt(step);
      case "own receipt of refund":
        return this.#courier.ownOfRefund(step.which);
      case "own receipt again":
        return this.#courier.ownAgain(step);
      case "correct":
        return this.#tills.correct(step.of);
      case "catalog":
        // Payment type 1 may be cash from then on.
        if (step.what === "close type") {
          this.#mostCash = Number.POSITIVE_INFINITY;
          this.#areFormsKnown = false;
        }
        return this.#tell(step, await this.#catalog.change(step.what));
    }
  }

  /** Settles all unknown results, and tries failed receipts until they are printed. */
  async end(): Promise<void> {
    let isIdle = false;
    for (let round = 0; round < 8 && !isIdle; round += 1) {
      this.#step += 1;
      const before = this.#tills.documents.length;
      while (this.#tills.isHolding) await this.#tills.report(0, "printed");
      await this.#touch();
      await this.#pollBoth();
      while (this.#tills.isHolding) {
        await this.#tills.report(0, "printed");
        await this.#pollBoth();
      }
      isIdle = this.#tills.documents.length === before;
    }
    this.#last = (await this.#world.shop.get("/orders", { orderId: this.#orderId })).body;
    if (!this.#isDeleted) return;
    this.#tell({ do: "delete" }, await this.#world.shop.delete("/orders", { orderId: this.#orderId, isRefund: 0 }));
    await this.#pollBoth();
  }

  /** A failed receipt is tried again at the till that had it. */
  async #pollBoth(): Promise<void> {
    for (const till of [0, 1]) await this.#tills.poll(till);
  }

  async check(): Promise<void> {
    const order = this.#last;
    const refunds = await this.#refundOrders();
    const told = await this.#told();
    const documents = [...this.#tills.documents, ...this.#courier.documents];
    const wrong: string[] = [
      ...wrongOf({
        documents,
        order: {
          ...this.#start,
          orderId: this.#orderId,
          goods: order.goods,
          statusId: this.#paid.statusId,
          isCovered: this.#paid.isCovered,
          collected: this.#paid.collected,
          mostCash: this.#mostCash,
          hasGivenBack: this.#hasGivenBack,
          named: this.#areFormsKnown ? this.#named : null,
          cancellations: this.#cancellations,
          deliveryStatusId: this.#deliveryStatusId,
          isDeleted: this.#isDeleted,
        },
        said: order,
        receiptStatuses: new Map<string, number>([
          ...(this.#isDeleted ? [] : [[String(this.#orderId), order.frReceiptStatusId] as const]),
          ...refunds.map((refund) => [String(refund.orderId), refund.frReceiptStatusId] as const),
        ]),
        refunds,
        wasReturned: this.#wasReturned,
        isLate: this.#tills.isLate,
        mayBeSold: (line) => this.#catalog.has(line),
        told,
      }),
    ];
    const mayBeReturned =
      refunds.length > 0 || documents.some((one) => ("receipt" in one ? one.receipt : one).operation === "return");
    const isRight = order.isReturned ? mayBeReturned : refunds.length === 0;
    if (!isRight) wrong.push(`isReturned is ${order.isReturned}`);
    if (wrong.length === 0) return;
    const { statusId, deliveryStatusId } = order;
    const now = JSON.stringify({ statusId, deliveryStatusId, refunds: refunds.length, told });
    throw new Error(`${wrong.join("; ")}\n${[...this.#story, now].join("\n")}`);
  }

  async #pay(prices: readonly number[], type: number, own = false): Promise<void> {
    if (!(await this.#courier.pay(prices, type, own))) return;
    const collected = prices.reduce((sum, price) => sum + Math.round(price * 100), 0);
    if (type === 2) this.#mostCash += Math.max(0, collected);
    this.#hasGivenBack ||= collected < 0;
    const before = this.#paid.statusId;
    this.#paid.report(await this.#cost(), collected);
    // A printed sale stays paid until it is returned, whatever couriers give back.
    if (collected < 0 && this.#isSold) this.#paid.say(before);
  }

  get #isSold(): boolean {
    const known = knownDocuments([...this.#tills.documents, ...this.#courier.documents], `${this.#orderId}`);
    const sumOf = (...kinds: readonly DocumentKind[]) =>
      known.reduce((sum, one) => sum + (kinds.includes(one.kind) ? one.sum : 0), 0);
    return sumOf("sale") > sumOf("sale back", "prepaid back");
  }

  async #cost(): Promise<number> {
    return soldSum((await this.#world.shop.get("/orders", { orderId: this.#orderId })).body.goods);
  }

  async #arrive(deliveryStatusId: number): Promise<void> {
    const comesBack = deliveryStatusId === 6 && this.#deliveryStatusId !== 6;
    this.#deliveryStatusId = deliveryStatusId;
    this.#wasReturned ||= comesBack;
  }

  async #refund(step: Extract<MoneyStep, { do: "refund" | "refund fails" }>): Promise<void> {
    const orderId = `${this.#orderId}-r${this.#step}`;
    const goods = [pieceOf(step.piece, step.count)];
    const links = {
      "courier's payment": { payments: [this.#paymentBack(1)] },
      "shop's payment": { payments: [this.#namedPayment(1)] },
      sale: { returnedOrderId: this.#orderId },
    };
    const refund = refundOrder(step.count, {
      orderId,
      statusId: step.statusId,
      ...links[step.by],
      paymentId: step.type,
      isInternetPayment: 0,
      goods,
      amountToPay: grossOf(goods),
    });
    const reply = await this.#world.shop.post("/orders", [refund], asRefund);
    this.#tell(step, reply);
    if (reply.status !== 201) return;
    this.#refundIds.push(orderId);
    if (step.type === 2) this.#refundsInCash.add(orderId);
    if (step.statusId === 1) await this.#courier.cameBack(orderId);
  }

  async #payRefund(which: number): Promise<void> {
    const orderId = this.#refundIds[which % Math.max(1, this.#refundIds.length)];
    if (orderId === undefined) return;
    const query = { orderId, isRefund: 1 };
    const { body: before } = await this.#world.shop.get("/orders", query);
    const reply = await this.#world.shop.put("/orders", { statusId: 1 }, { query });
    this.#tell({ do: "pay refund", orderId }, reply);
    if (reply.status === 201 && before.statusId === 0) await this.#courier.cameBack(orderId);
  }

  async #editRefund(step: Extract<MoneyStep, { do: "edit refund" }>): Promise<void> {
    const orderId = this.#refundIds[step.which % Math.max(1, this.#refundIds.length)];
    if (orderId === undefined) return;
    const { body } = await this.#world.shop.get("/orders", { orderId, isRefund: 1 });
    const [first]: Good[] = body.goods;
    if (first === undefined) return;
    const piece = { 501: "tea", 502: "bread", 503: "weighed cheese" } as const;
    const known = Object.entries(piece).find(([goodId]) => goodId === String(first.goodId));
    const goods = [pieceOf(known?.[1] ?? "tea", step.count)];
    this.#refundsInCash.delete(orderId);
    const change = { goods, amountToPay: grossOf(goods), payments: [this.#paymentBack(step.price)] };
    this.#tell(step, await this.#world.shop.put("/orders", change, { query: { orderId, isRefund: 1 } }));
  }

  /** The payment that the shop names when it creates the order. */
  #namedPayment(price: number) {
    return { ...this.#paymentBack(price), paymentId: `${this.#orderId}-bank` };
  }

  /** A refund order names its sale by the payment that the courier took. */
  #paymentBack(price: number) {
    return { paymentId: `${this.#orderId}-1`, paymentTypeId: "1", price, paidIn: "2026-11-20 10:00:00" };
  }

  async #told() {
    const { told, isDaily, texts } = await toldOf(this.#world.shop, `${this.#orderId}`);
    this.#story.push(...texts.map((text) => `told: ${text}`));
    const { body } = await this.#world.shop.get("/orderAccounts", { orderId: this.#orderId });
    const { cost, collected, prepaid, used, sold, returned, isBalanced } = body;
    const sums = `cost ${cost}, collected ${collected}, prepaid ${prepaid}, used ${used}, sold ${sold}, returned ${returned}.`;
    const last = texts.at(-1) ?? "";
    if (!isBalanced && !isDaily && !last.includes(sums)) throw new Error(`the account has ${sums} The alert: ${last}`);
    return told;
  }

  async #touch(): Promise<void> {
    const change = { description: `${this.#step} ${this.#story.length}` };
    const orderId = this.#orderId;
    this.#tell({ do: "touch" }, await this.#world.shop.put("/orders", change, { query: { orderId } }));
    for (const refundId of this.#refundIds) {
      const reply = await this.#world.shop.put("/orders", change, { query: { orderId: refundId, isRefund: 1 } });
      this.#tell({ do: "touch", refundId }, reply);
    }
  }

  async #refundOrders(): Promise<readonly (RefundFacts & RefundStatuses)[]> {
    const found = [];
    for (const orderId of this.#refundIds) {
      const { status, body } = await this.#world.shop.get("/orders", { orderId, isRefund: 1 });
      // An unpaid refund order returns nothing.
      if (status === 200 && body.statusId === 1) found.push({ ...body, isInCash: this.#refundsInCash.has(orderId) });
    }
    return found;
  }

  #tell(step: object, { status, body }: Pick<Reply, "status" | "body">): void {
    this.#story.push(`${JSON.stringify(step)}: ${status} ${status >= 400 ? body?.message : ""}`);
    if (status >= 500) throw new Error(["the server failed", ...this.#story].join("\n"));
  }
}
