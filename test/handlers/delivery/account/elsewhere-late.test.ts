/** A prepaid order that the courier's own register sells or gives back, with our returns on their way or coming late. */
import { newOrder } from "../delivery-world.js";
import { byId, paid, printAll } from "../model/money-world.js";
import { describeOnBothStores } from "../on-both-stores.js";
import { moneyOfEach } from "./money-of-each.js";
import { order1042 } from "./order-1042.js";

describeOnBothStores("what the courier's own register sells or gives back of a prepaid order", (newDatabase) => {
  const { money, logged } = moneyOfEach(newDatabase, { printPrepaymentReceipt: true });
  const { arrive, ownReceipt: own, refundOne, handedOut, report, told } = order1042(money);
  beforeEach(async () => {
    await money.shop.post("/orders", [newOrder({ ...paid, prePaymentSum: 501 })]);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
  });

  test.each(["the prepayment's return", "a refund order's share"])(
    "%s that had failed, and is printed after that sale, is told once",
    async (what) => {
      if (what === "the prepayment's return") await arrive(6);
      else await refundOne();
      const back = await handedOut();
      await money.till.report(back, { outcome: "failed" });
      await own("sale");
      expect(await told()).toBe(0);
      await money.till.report(back, { outcome: "unknown", messageId: "m1" });
      await money.till.report(back, { messageId: "m2" });
      await money.shop.put("/orders", { description: "ещё раз" }, byId);
      expect(await told()).toBe(1);
    },
  );

  test("a refund order's share leaves the sale that comes after it to be returned", async () => {
    await refundOne();
    await own("return");
    expect(await printAll(money.till)).toEqual([]);
    await arrive(3);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
  });

  test("a refund order of the sale leaves status 6 nothing, as before", async () => {
    await arrive(3);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await refundOne();
    await own("return");
    await arrive(6);
    expect(await printAll(money.till)).toEqual([]);
  });

  const touchRefund = async (description: string) => {
    const change = await money.shop.put("/orders", { description }, { query: { orderId: 1042, isRefund: 1 } });
    expect([change.status, change.body.message]).toEqual([201, undefined]);
  };
  const coveredTold = () => logged.filter((line) => line.includes("Refund order 1042 has no receipt")).length;

  describe("a refund order's share that waits for the return of the whole prepayment", () => {
    test("is none of that sale where that return is handed out, and that is told", async () => {
      await arrive(6);
      const whole = await handedOut();
      await arrive(2);
      await refundOne();
      await own("sale");
      expect(coveredTold()).toBe(1);
      await report(whole, "printed");
      await touchRefund("у двери");
      expect(await printAll(money.till)).toEqual([]);
      expect(coveredTold()).toBe(1);
    });
  });

  test("a refund order's share that had failed is of that sale where nobody has the return of the whole", async () => {
    await refundOne();
    await report(await handedOut(), "failed");
    await arrive(6);
    await own("sale");
    expect(await printAll(money.till)).toEqual([]);
    await touchRefund("у двери");
    const back = await handedOut();
    expect(back.lines).toMatchObject([{ method: 4, total: 25050 }]);
    await report(back, "printed");
    expect([await printAll(money.till), await told()]).toEqual([[], 0]);
  });

  describe("a refund order that waits for a sale whose prepayment went back before", () => {
    beforeEach(async () => {
      await arrive(6);
      expect(await printAll(money.till)).toEqual(["return 50100"]);
      await arrive(3);
      await refundOne();
    });

    test("is of that sale, also where it is made anew before anybody has it", async () => {
      await money.shop.put("/orders", { client: { email: "other@mail.example" } }, byId);
      expect(await printAll(money.till)).toEqual(["sale 50100", "return 25050"]);
      expect(coveredTold()).toBe(0);
    });

    test("is of that sale, also where the courier's own register prints it", async () => {
      await own("sale");
      expect(await printAll(money.till)).toEqual(["return 25050"]);
      expect(coveredTold()).toBe(0);
    });
  });

  test("a refund order's share that is covered, and fails once more after a doubt, is not made anew", async () => {
    await refundOne();
    const share = await handedOut();
    await report(share, "failed");
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
    await arrive(3);
    expect([await printAll(money.till), coveredTold()]).toEqual([["sale 50100"], 1]);
    await money.till.report(share, { outcome: "unknown", messageId: "doubt" });
    await report(share, "failed", 2);
    await touchRefund("у двери");
    expect(await printAll(money.till)).toEqual([]);
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
  });
});
