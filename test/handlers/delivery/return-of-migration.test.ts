/** Returns of the courier's own register that an earlier version recorded: what they are of is read from what it kept. */
import { newOrder } from "./delivery-world.js";
import { fromMigration } from "./from-migration.js";
import { moneyOfEach } from "./money-of-each.js";
import { paid, printAll } from "./money-world.js";
import { describeOnBothStores } from "./on-both-stores.js";
import { order1042 } from "./order-1042.js";

describeOnBothStores("a return that an earlier version recorded", (newDatabase) => {
  const { money } = moneyOfEach(newDatabase, { printPrepaymentReceipt: true });
  const { arrive, send, receiptOf, ownReceipt: own, refundOne, handedOut, report, told } = order1042(money);

  /** As that version kept it: a number that tells a share of the prepayment, and no column. */
  const migrate = async () => {
    const { store } = money.world.delivery.backend;
    const tasks = store.db.updateTable("delivery_fiscal_tasks");
    const share = tasks.set({ receipt_id: "none:prepaid:1" }).where("purpose", "not like", "prepayment-return%");
    await share.where("return_of", "=", "prepayment").where("state", "=", "elsewhere").execute();
    // Two receipts of one moment are not told apart by their times.
    const sale = tasks.set(({ eb }) => ({ updated_at: eb("updated_at", "-", 1) }));
    await sale.where("purpose", "=", "sale").execute();
    await store.db.schema.alterTable("delivery_fiscal_tasks").dropColumn("return_of").execute();
    await fromMigration(store, 12);
  };
  const order = () => money.shop.post("/orders", [newOrder({ ...paid, prePaymentSum: 501 })]);
  const ofRefund = async () => {
    await refundOne();
    await own("return");
  };

  test.each([
    ["a refund order's share", ofRefund],
    ["the whole", () => send("/orders/status", { deliveryStatusId: 6, ...receiptOf("318") })],
    ["what came before its return", () => own("return")],
  ])("of the prepayment, %s, is none of the sale that comes after", async (_what, giveBack) => {
    await order();
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await giveBack();
    await arrive(3);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await migrate();
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
  });

  test.each([
    ["after it is of that one", true, ["return 50100"]],
    ["before it is of the prepayment that is printed late", false, ["return 25050"]],
  ])("of a refund order of the sale, %s", async (_when, isAfter, back) => {
    await order();
    const prepayment = await handedOut();
    await arrive(3);
    await report(prepayment, "failed");
    if (!isAfter) await ofRefund();
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    if (isAfter) await ofRefund();
    await migrate();
    await report(prepayment, "printed");
    expect([await printAll(money.till), await told()]).toEqual([back, isAfter ? 0 : 1]);
  });

  test("that is covered is none of the sale, and not made anew", async () => {
    await order();
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await refundOne();
    await report(await handedOut(), "failed");
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
    await arrive(3);
    await migrate();
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    await arrive(6);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
  });
});
