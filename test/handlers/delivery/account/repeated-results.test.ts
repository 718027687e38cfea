/** A print result that comes once more changes nothing: neither what came back meanwhile, nor since when a sale is printed. */
import { newOrder } from "../delivery-world.js";
import { courierReceipt, paid, printAll } from "../model/money-world.js";
import { describeOnBothStores } from "../on-both-stores.js";
import { moneyOfEach } from "./money-of-each.js";
import { order1042 } from "./order-1042.js";

describeOnBothStores("a result that is told once more", (newDatabase) => {
  const { money } = moneyOfEach(newDatabase, { printPrepaymentReceipt: true });
  const { arrive, send, handedOut, report, told } = order1042(money);

  test("of the prepayment leaves a return of the sale what it is", async () => {
    await money.shop.post("/orders", [newOrder({ ...paid, prePaymentSum: 501 })]);
    const prepayment = await handedOut();
    await report(prepayment, "printed");
    await arrive(3);
    const settlement = await handedOut();
    await send("/orders/status", { deliveryStatusId: 6, receipt: courierReceipt });
    expect(await told()).toBe(1);
    await report(settlement, "printed");
    expect(await printAll(money.till)).toEqual([]);
    await report(prepayment, "printed", 2);
    expect([await printAll(money.till), await told()]).toEqual([[], 1]);
  });

  test("of the sale leaves what came back after it, of it, where its prepayment is printed after all", async () => {
    await money.shop.post("/orders", [newOrder({ ...paid, prePaymentSum: 501 })]);
    const prepayment = await handedOut();
    await arrive(3);
    await report(prepayment, "failed");
    const sold = await handedOut();
    await report(sold, "printed");
    await send("/orders/status", { deliveryStatusId: 6, receipt: courierReceipt });
    await report(sold, "printed", 2);
    await report(prepayment, "printed");
    expect([await printAll(money.till), await told()]).toEqual([["return 50100"], 0]);
  });
});
