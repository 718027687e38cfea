/**
 * Whatever happens to an order, in whatever order: what its receipts say in the end is what the rules say (domain 5.4, 8.5).
 * Random sequences of statuses, edits, courier's reports and refunds, with results that fail, come late or in doubt.
 */
import { itemsOf, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import fc from "fast-check";
import type { TestDatabase } from "../../support/site-databases.js";
import { newOrder } from "./delivery-world.js";
import { asRefund, type MoneyWorld, openMoneyWorld, paid, refundOrder, sale, tea } from "./money-world.js";
import { describeOnBothStores } from "./on-both-stores.js";

/** More by hand: `FISCALD_MODEL_RUNS=500 FISCALD_MODEL_SEED=1`. */
const runs = Number(process.env.FISCALD_MODEL_RUNS ?? 20);
const seed = Number(process.env.FISCALD_MODEL_SEED ?? 324);

const start = fc.record({
  prePaymentSum: fc.constantFrom(undefined, 200.01, 250.5, 501),
  statusId: fc.constantFrom(0, 1),
  isInternetPayment: fc.constantFrom(0, 1),
  /** What is due at once is printed at once. */
  isPrinted: fc.boolean(),
});

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("poll" as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("report" as const),
      which: fc.nat(3),
      outcome: fc.constantFrom("printed" as const, "printed" as const, "failed" as const, "unknown" as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("fail" as const) }) },
  // What had failed is printed after all, or in doubt.
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("late" as const),
      which: fc.nat(3),
      outcome: fc.constantFrom("printed" as const, "printed" as const, "unknown" as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("status" as const), to: fc.constantFrom(2, 3, 3, 4, 4, 5, 6, 6) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("paid" as const), to: fc.constantFrom(0, 1, 1) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("edit" as const), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("touch" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("cancel" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("collect" as const), price: fc.constantFrom(100, 250.5, 501) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("refund" as const), count: fc.integer({ min: 1, max: 2 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("bring back" as const), count: fc.integer({ min: 1, max: 2 }) }),
  },
);
type Start = typeof start extends fc.Arbitrary<infer T> ? T : never;
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Printed {
  readonly orderId: string;
  readonly operation: string;
  readonly total: number;
  readonly offset: number;
  readonly isOfPrepayment: boolean;
}

describeOnBothStores("the money of one order", (newDatabase) => {
  let database: TestDatabase;
  let money: MoneyWorld;
  let orders = 0;

  beforeAll(async () => {
    database = await newDatabase();
    money = await openMoneyWorld(database, { printPrepaymentReceipt: true });
  });
  afterAll(async () => {
    await money.close();
    await database.drop();
  });

  test("is in the end what the rules say, never twice, whatever happens on the way", async () => {
    await fc.assert(
      fc.asyncProperty(start, fc.array(step, { minLength: 4, maxLength: 18 }), async (begin, steps) => {
        orders += 1;
        const run = new Run(money, 1000 + orders);
        await run.begin(begin);
        for (const one of steps) await run.take(one);
        await run.end();
        await run.check();
      }),
      { numRuns: runs, seed, endOnFailure: false },
    );
  }, 900_000);
});

class Run {
  readonly #money: MoneyWorld;
  readonly #orderId: number;
  readonly #held: SaleReceipt[] = [];
  readonly #failed: SaleReceipt[] = [];
  readonly #printed: Printed[] = [];
  /** What was asked and answered, for people. */
  readonly #story: string[] = [];
  #wasReturned = false;
  /** A failed receipt was printed after all: it may say what the order says no more. What it may not do is use money twice. */
  #isLate = false;
  #refunds = 0;
  #payments = 0;
  #touches = 0;

  constructor(money: MoneyWorld, orderId: number) {
    this.#money = money;
    this.#orderId = orderId;
  }

  async begin({ prePaymentSum, isPrinted, ...how }: Start): Promise<void> {
    const order = newOrder({ ...paid, ...how, orderId: this.#orderId, deliveryStatusId: 1, prePaymentSum });
    const { status } = await this.#money.shop.post("/orders", [order]);
    this.#story.push(`order of 501 ${JSON.stringify({ prePaymentSum, ...how })}: ${status}`);
    // The courier's payment: refund orders of other ids name the sale by it.
    await this.#pay(0.01);
    await this.#pay(-0.01);
    if (!isPrinted) return;
    await this.#poll();
    await this.#report(0, "printed");
  }

  async take(step: Step): Promise<void> {
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
      case "edit": {
        const change = { goods: [tea(step.count)], amountToPay: step.count * 250.5 };
        return this.#tell(step, await shop.put("/orders", change, byId));
      }
      case "touch":
        return this.#touch();
      case "cancel": {
        const items = [{ goodId: 501, returnReasonId: 1, count: 1 }];
        return this.#tell(step, await courier.post("/orders/canceledItems", { orderId, items }));
      }
      case "collect":
        return this.#pay(step.price);
      case "refund": {
        this.#refunds += 1;
        const payments = [{ paymentId: `${orderId}-1`, paymentTypeId: "1", price: 1, paidIn: "2026-11-20 10:00:00" }];
        const refund = refundOrder(step.count, { orderId: `${orderId}-r${this.#refunds}`, payments });
        return this.#tell(step, await shop.post("/orders", [refund], asRefund));
      }
      case "bring back": {
        const back = { orderId, returnReasonId: 1, goods: [{ goodId: 501, count: step.count }], payments: [] };
        return this.#tell(step, await courier.post("/orders/returns", back));
      }
    }
  }

  /** All that is in doubt is settled, and what had failed is tried until it is printed. */
  async end(): Promise<void> {
    for (let round = 0; round < 6; round += 1) {
      while (this.#held.length > 0) await this.#report(0, "printed");
      await this.#touch();
      await this.#poll();
      while (this.#held.length > 0) {
        await this.#report(0, "printed");
        await this.#poll();
      }
    }
  }

  async check(): Promise<void> {
    const { body: order } = await this.#money.shop.get("/orders", { orderId: this.#orderId });
    const refunds = await this.#refundOrders();
    const sum = (which: (receipt: Printed) => boolean, of: (receipt: Printed) => number = ({ total }) => total) =>
      this.#printed.filter(which).reduce((total, receipt) => total + of(receipt), 0);
    const isSale = ({ operation }: Printed) => operation === "sale";
    const prepayments = this.#printed.filter((one) => isSale(one) && one.isOfPrepayment);
    const sales = this.#printed.filter((one) => isSale(one) && !one.isOfPrepayment);
    const isReturn = (one: Printed) => !isSale(one);
    const [settlement] = sales;
    const prepaid = sum((one) => prepayments.includes(one));
    const prepaidBack = sum((one) => isReturn(one) && one.isOfPrepayment);
    const saleBack = sum((one) => isReturn(one) && !one.isOfPrepayment);
    const left = prepaid - prepaidBack - (prepaid > 0 ? (settlement?.offset ?? 0) : 0);
    const goods: readonly { total: number; count: number; canceledItems: readonly { count: number }[] }[] = order.goods;
    const sold = goods.reduce(
      (total, item) =>
        total +
        (item.total * 100 * (item.count - item.canceledItems.reduce((all, part) => all + part.count, 0))) / item.count,
      0,
    );
    const wrong: string[] = [];
    const must = (isSo: boolean, what: string) => isSo || wrong.push(what);

    must(prepayments.length <= 1 && sales.length <= 1, "one prepayment and one sale at most");
    must(left >= 0, `${left} left of the prepayment`);
    must(saleBack <= (settlement?.total ?? 0), `${saleBack} of the sale given back`);
    for (const { orderId, statusId } of refunds) {
      // A courier's return has the sale's own id: its receipt is told from the sale's returns by the sums only.
      if (orderId === this.#orderId) continue;
      const own = this.#printed.filter((one) => one.orderId === String(orderId));
      must(own.length <= 1, `refund ${orderId} has ${own.length} receipts`);
      const isWholeBack = this.#printed.some((one) => isReturn(one) && one.orderId === String(this.#orderId));
      must(own.length === 1 || statusId !== 1 || settlement === undefined || isWholeBack, `refund ${orderId} has none`);
    }
    const wrongOfMoney = wrong.length;
    const isDelivered = order.deliveryStatusId === 3 || order.deliveryStatusId === 4;
    if (isDelivered && order.statusId === 1 && sold > 0)
      must(settlement !== undefined, "a delivered order has its sale");
    if (settlement !== undefined) must(settlement.total === sold, `the sale is of ${sold}`);
    if (isDelivered && (settlement !== undefined || sold === 0)) must(left === 0, `${left} left after the delivery`);
    if (order.deliveryStatusId === 6 && refunds.length === 0) {
      must(left === 0, `${left} left of a returned order's prepayment`);
      must(saleBack === (settlement?.total ?? 0), `${saleBack} of a returned order's sale given back`);
    }
    if (!this.#wasReturned && refunds.length === 0)
      must(saleBack === 0, `${saleBack} given back of what did not come back`);
    if (this.#isLate) wrong.splice(wrongOfMoney);
    if (wrong.length > 0 && !(await this.#isTold())) {
      const { statusId, deliveryStatusId } = order;
      const story = [...this.#story, JSON.stringify({ statusId, deliveryStatusId, sold, refunds: refunds.length })];
      throw new Error(`${wrong.join("; ")}\n${story.join("\n")}`);
    }
  }

  async #poll(): Promise<void> {
    const receipt = await this.#money.till.poll();
    if (receipt === null) return;
    const known = this.#held.some(({ receiptId }) => receiptId === receipt.receiptId);
    if (!known) this.#held.push(sale(receipt));
    this.#story.push(`handed out: ${describe(sale(receipt))}`);
    function describe(one: SaleReceipt) {
      return `${one.orderId} ${one.operation} ${totalOf(one)} ${JSON.stringify(one.payments)}`;
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
    this.#printed.push({
      orderId: String(receipt.orderId),
      operation: receipt.operation,
      total: totalOf(receipt),
      offset: receipt.payments.reduce((sum, { typeClose, sum: part }) => sum + (typeClose === 2 ? part : 0), 0),
      isOfPrepayment: itemsOf(receipt).every(({ method }) => method !== 4),
    });
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

  async #refundOrders(): Promise<readonly { orderId: string | number; statusId: number }[]> {
    const ids = [this.#orderId, ...[1, 2, 3, 4, 5, 6].map((number) => `${this.#orderId}-r${number}`)];
    const couriers = [2, 3, 4, 5].map((number) => `${this.#orderId}-${number}`);
    const found = [];
    for (const orderId of [...ids, ...couriers]) {
      const { status, body } = await this.#money.shop.get("/orders", { orderId, isRefund: 1 });
      if (status === 200) found.push(body);
    }
    return found;
  }

  async #pay(price: number): Promise<void> {
    this.#payments += 1;
    const payment = {
      paymentId: `${this.#orderId}-${this.#payments}`,
      paymentTypeId: "1",
      paidIn: "2026-11-20 10:00:00",
    };
    const body = { orderId: this.#orderId, payments: [{ ...payment, price }] };
    this.#tell({ do: "collect", price }, await this.#money.courier.post("/orders/payments", body));
  }

  #tell(step: object, { status, body }: { readonly status: number; readonly body: { message?: string } | undefined }) {
    this.#story.push(`${JSON.stringify(step)}: ${status} ${status >= 400 ? body?.message : ""}`);
  }
}
