/** A prepaid order that the courier's own register sells or gives back, with our returns on their way or coming late. */
import { newOrder } from "./delivery-world.js";
import { moneyOfEach } from "./money-of-each.js";
import { byId, paid, printAll } from "./money-world.js";
import { describeOnBothStores } from "./on-both-stores.js";
import { order1042 } from "./order-1042.js";

describeOnBothStores("what the courier's own register sells or gives back of a prepaid order", (newDatabase) => {
  const { money } = moneyOfEach(newDatabase, { printPrepaymentReceipt: true });
  const { arrive, ownReceipt: own, refundOne, handedOut, told } = order1042(money);
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
});
