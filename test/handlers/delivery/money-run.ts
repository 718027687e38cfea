/** One order through a random sequence of steps, as its shop, its courier and its till see it. */
import { itemsOf, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { newOrder } from "./delivery-world.js";
import { type RefundFacts, wrongOf } from "./money-check.js";
import { asRefund, courierReceipt, type MoneyWorld, paid, refundOrder, sale, tea } from "./money-world.js";

export interface MoneyStart {
  readonly prePaymentSum: number | undefined;
  readonly statusId: number;
  readonly isInternetPayment: number;
  readonly isPrinted: boolean;
}

export type MoneyStep =
  | { readonly do: "poll" | "fail" | "touch" }
  | { readonly do: "report"; readonly which: number; readonly outcome: "printed" | "failed" | "unknown" }
  | { readonly do: "late"; readonly which: number; readonly outcome: "printed" | "unknown" }
  | { readonly do: "status" | "paid" | "payment type"; readonly to: number }
  | { readonly do: "edit"; readonly count: number; readonly breads: number }
  | { readonly do: "cancel"; readonly goodId: number }
  | { readonly do: "collect"; readonly price: number; readonly type: number }
  | { readonly do: "refund" | "refund fails"; readonly goodId: number; readonly count: number; readonly type: number }
  | { readonly do: "bring back"; readonly goodId: number; readonly count: number }
  | { readonly do: "own receipt"; readonly operation: "sale" | "return" }
  | { readonly do: "catalog"; readonly what: CatalogChange };

export type CatalogChange = "tax" | "close type" | "name" | "item type" | "good's tax";

/** Three for 100.00: no piece of it is a third to the kopeck. */
const bread = (count: number) => ({
  goodId: 502,
  count,
  price: 33.33,
  total: Math.round((count * 10_000) / 3) / 100,
  discountTotal: 0,
});
const piecesOf = (goodId: number, count: number) => (goodId === 501 ? tea(count) : bread(count));
const totalOfGoods = (goods: readonly { total: number }[]) =>
  Math.round(goods.reduce((sum, { total }) => sum + total * 100, 0)) / 100;
const oneCent = { paymentTypeId: "1", price: 1, paidIn: "2026-11-20 10:00:00" };

export class MoneyRun {
  readonly #money: MoneyWorld;
  readonly #orderId: number;
  readonly #held: SaleReceipt[] = [];
  readonly #failed: SaleReceipt[] = [];
  readonly #printed: SaleReceipt[] = [];
  /** What was asked and answered, for people. */
  readonly #story: string[] = [];
  #wasReturned = false;
  #isLate = false;
  #isSoldElsewhere = false;
  #isReturnedElsewhere = false;
  #changes = 0;
  #refunds = 0;
  #courierReturns = 0;
  #payments = 0;
  #touches = 0;

  constructor(money: MoneyWorld, orderId: number) {
    this.#money = money;
    this.#orderId = orderId;
  }

  async begin({ prePaymentSum, isPrinted, ...how }: MoneyStart): Promise<void> {
    await this.#resetCatalog();
    const goods = [tea(2), bread(3)];
    const amountToPay = totalOfGoods(goods);
    const changes = { ...how, orderId: this.#orderId, deliveryStatusId: 1, prePaymentSum, goods, amountToPay };
    const { status } = await this.#money.shop.post("/orders", [newOrder({ ...paid, ...changes })]);
    this.#story.push(`order of ${amountToPay} ${JSON.stringify({ prePaymentSum, ...how })}: ${status}`);
    // The courier's payment: refund orders of other ids name the sale by it.
    await this.#pay(0.01, 1);
    await this.#pay(-0.01, 1);
    if (!isPrinted) return;
    await this.#poll();
    await this.#report(0, "printed");
  }

  async take(step: MoneyStep): Promise<void> {
    const { shop, courier } = this.#money;
    const byId = { query: { orderId: this.#orderId } };
    const orderId = this.#orderId;
    switch (step.do) {
      case "poll":
        return this.#poll();
      case "report":
        return this.#report(step.which, step.outcome);
      case "fail":
        await this.#poll();
        return this.#report(Math.max(0, this.#held.length - 1), "failed");
      case "late":
        return this.#reportLate(step.which, step.outcome);
      case "status": {
        const reply = await shop.put("/orders", { deliveryStatusId: step.to }, byId);
        if (step.to === 6 && reply.status === 201) this.#wasReturned = true;
        return this.#tell(step, reply);
      }
      case "paid":
        return this.#tell(step, await shop.put("/orders", { statusId: step.to }, byId));
      case "payment type":
        return this.#tell(step, await shop.put("/orders", { paymentId: step.to }, byId));
      case "edit": {
        const goods = [tea(step.count), ...(step.breads > 0 ? [bread(step.breads)] : [])];
        const change = { goods, amountToPay: totalOfGoods(goods) };
        return this.#tell(step, await shop.put("/orders", change, byId));
      }
      case "touch":
        return this.#touch();
      case "cancel": {
        const items = [{ goodId: step.goodId, returnReasonId: 1, count: 1 }];
        return this.#tell(step, await courier.post("/orders/canceledItems", { orderId, items }));
      }
      case "collect":
        return this.#pay(step.price, step.type);
      case "refund":
        return this.#refund(step);
      case "refund fails": {
        await this.#refund(step);
        await this.#poll();
        return this.#report(Math.max(0, this.#held.length - 1), "failed");
      }
      case "bring back": {
        const back = { orderId, returnReasonId: 1, goods: [{ goodId: step.goodId, count: step.count }], payments: [] };
        this.#courierReturns += 1;
        return this.#tell(step, await courier.post("/orders/returns", back));
      }
      case "own receipt": {
        this.#changes += 1;
        const receipt = { ...courierReceipt, fdNumber: `${this.#orderId}${this.#changes}` };
        const reply = await courier.post("/orders/receipts", { orderId, operation: step.operation, receipt });
        if (reply.status === 204 && step.operation === "sale") this.#isSoldElsewhere = true;
        if (reply.status === 204 && step.operation === "return") this.#isReturnedElsewhere = true;
        return this.#tell(step, reply);
      }
      case "catalog":
        return this.#changeCatalog(step.what);
    }
  }

  /** All that is in doubt is settled, and what had failed is tried until it is printed. */
  async end(): Promise<void> {
    let idle = 0;
    for (let round = 0; round < 8 && idle < 2; round += 1) {
      const before = this.#printed.length;
      while (this.#held.length > 0) await this.#report(0, "printed");
      await this.#touch();
      await this.#poll();
      while (this.#held.length > 0) {
        await this.#report(0, "printed");
        await this.#poll();
      }
      idle = this.#printed.length === before ? idle + 1 : 0;
    }
  }

  async check(): Promise<void> {
    const { body: order } = await this.#money.shop.get("/orders", { orderId: this.#orderId });
    const refunds = await this.#refundOrders();
    const wrong = wrongOf({
      printed: this.#printed,
      order,
      refunds,
      wasReturned: this.#wasReturned,
      isLate: this.#isLate,
      isSoldElsewhere: this.#isSoldElsewhere,
      isReturnedElsewhere: this.#isReturnedElsewhere,
    });
    if (wrong.length === 0 || (await this.#isTold())) return;
    const { statusId, deliveryStatusId } = order;
    const story = [...this.#story, JSON.stringify({ statusId, deliveryStatusId, refunds: refunds.length })];
    throw new Error(`${wrong.join("; ")}\n${story.join("\n")}`);
  }

  async #refund(step: Extract<MoneyStep, { do: "refund" | "refund fails" }>): Promise<void> {
    this.#refunds += 1;
    const goods = [piecesOf(step.goodId, step.count)];
    const refund = refundOrder(step.count, {
      orderId: `${this.#orderId}-r${this.#refunds}`,
      payments: [{ ...oneCent, paymentId: `${this.#orderId}-1` }],
      paymentId: step.type,
      isInternetPayment: 0,
      goods,
      amountToPay: totalOfGoods(goods),
    });
    this.#tell(step, await this.#money.shop.post("/orders", [refund], asRefund));
  }

  async #resetCatalog(): Promise<void> {
    const { shop } = this.#money;
    await shop.put("/taxes", { title: "НДС 22%" }, { query: { taxId: 1 } });
    await shop.put("/paymentTypes", { closeTypeId: 1 }, { query: { paymentTypeId: 1 } });
    await shop.put("/goods", { title: "Чай", calcId: 1, taxId: 1 }, { query: { goodId: 501 } });
    await shop.put("/goods", { title: "Хлеб", calcId: 1, taxId: 2 }, { query: { goodId: 502 } });
  }

  async #changeCatalog(what: CatalogChange): Promise<void> {
    const { shop } = this.#money;
    this.#changes += 1;
    const isOdd = this.#changes % 2 === 1;
    const goodId = isOdd ? 501 : 502;
    const change = {
      tax: () => shop.put("/taxes", { title: isOdd ? "НДС 10%" : "НДС 22%" }, { query: { taxId: 1 } }),
      "close type": () => shop.put("/paymentTypes", { closeTypeId: isOdd ? 0 : 1 }, { query: { paymentTypeId: 1 } }),
      name: () => shop.put("/goods", { title: `Другое ${this.#changes}` }, { query: { goodId } }),
      "item type": () => shop.put("/goods", { calcId: isOdd ? 4 : 1 }, { query: { goodId } }),
      "good's tax": () => shop.put("/goods", { taxId: isOdd ? 2 : 1 }, { query: { goodId } }),
    };
    this.#tell({ do: "catalog", what }, await change[what]());
  }

  async #poll(): Promise<void> {
    const receipt = await this.#money.till.poll();
    if (receipt === null) return;
    const known = this.#held.some(({ receiptId }) => receiptId === receipt.receiptId);
    if (!known) this.#held.push(sale(receipt));
    this.#story.push(`handed out: ${describe(sale(receipt))}`);
    function describe(one: SaleReceipt) {
      const lines = itemsOf(one).map(({ name, tax, subject, quantity, total }) =>
        [name, tax, subject, quantity / 1e6, total].join(" "),
      );
      return `${one.orderId} ${one.operation} ${totalOf(one)} ${JSON.stringify(one.payments)} [${lines.join("; ")}]`;
    }
  }

  async #report(which: number, outcome: "printed" | "failed" | "unknown"): Promise<void> {
    const receipt = this.#held[which % Math.max(1, this.#held.length)];
    if (receipt === undefined) return;
    await this.#money.till.report(receipt, { outcome });
    this.#story.push(`${outcome}: ${receipt.orderId} ${receipt.operation} ${totalOf(receipt)}`);
    if (outcome === "unknown") return;
    this.#held.splice(this.#held.indexOf(receipt), 1);
    if (outcome === "failed") {
      this.#failed.push(receipt);
      return;
    }
    this.#printed.push(receipt);
  }

  async #reportLate(which: number, outcome: "printed" | "unknown"): Promise<void> {
    const receipt = this.#failed[which % Math.max(1, this.#failed.length)];
    if (receipt === undefined) return;
    this.#failed.splice(this.#failed.indexOf(receipt), 1);
    this.#held.push(receipt);
    this.#isLate = true;
    this.#story.push("late:");
    await this.#report(this.#held.length - 1, outcome);
  }

  /** Two receipts are out, and no program can take one back: a person was told. */
  async #isTold(): Promise<boolean> {
    const ids = [this.#orderId, ...(await this.#refundOrders()).map(({ orderId }) => orderId)];
    for (const orderId of new Set(ids)) {
      const { body } = await this.#money.shop.get("/fiscalRegistratorLogs", { orderId, page: 1, count: 500 });
      const isDouble = ({ errorCode }: { errorCode: string | null }) => errorCode === "job.already-printed";
      if (body.some(isDouble)) return true;
    }
    return false;
  }

  async #touch(): Promise<void> {
    this.#touches += 1;
    const change = { description: `${this.#touches}` };
    const orderId = this.#orderId;
    this.#tell({ do: "touch" }, await this.#money.shop.put("/orders", change, { query: { orderId } }));
    for (const refund of await this.#refundOrders()) {
      await this.#money.shop.put("/orders", change, { query: { orderId: refund.orderId, isRefund: 1 } });
    }
  }

  async #refundOrders(): Promise<readonly RefundFacts[]> {
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
    const ids = numbers(this.#refunds).map((number) => `${this.#orderId}-r${number}`);
    // The courier's: the first has the sale's id.
    const couriers = numbers(this.#courierReturns).map((number) =>
      number === 1 ? this.#orderId : `${this.#orderId}-${number}`,
    );
    const found = [];
    for (const orderId of [...ids, ...couriers]) {
      const { status, body } = await this.#money.shop.get("/orders", { orderId, isRefund: 1 });
      if (status === 200) found.push(body);
    }
    return found;
  }

  async #pay(price: number, type: number): Promise<void> {
    this.#payments += 1;
    const payment = {
      paymentId: `${this.#orderId}-${this.#payments}`,
      paymentTypeId: String(type),
      paidIn: "2026-11-20 10:00:00",
    };
    const body = { orderId: this.#orderId, payments: [{ ...payment, price }] };
    this.#tell({ do: "collect", price }, await this.#money.courier.post("/orders/payments", body));
  }

  #tell(step: object, { status, body }: { readonly status: number; readonly body: { message?: string } | undefined }) {
    this.#story.push(`${JSON.stringify(step)}: ${status} ${status >= 400 ? body?.message : ""}`);
  }
}
