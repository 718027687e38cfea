/** A print result that comes once more changes nothing: neither what came back meanwhile, nor since when a sale is printed. */
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { newOrder } from "./delivery-world.js";
import { moneyOfEach } from "./money-of-each.js";
import { byId, courierReceipt, paid, printAll, sale } from "./money-world.js";
import { describeOnBothStores } from "./on-both-stores.js";

describeOnBothStores("a result that is told once more", (newDatabase) => {
  const { money } = moneyOfEach(newDatabase, { printPrepaymentReceipt: true });
  const arrive = async (deliveryStatusId: number) =>
    expect((await money.shop.put("/orders", { deliveryStatusId }, byId)).status).toBe(201);
  const send = async (path: string, body: object) => {
    const reply = await money.courier.post(path, { orderId: 1042, ...body });
    expect([reply.status, reply.body?.message]).toEqual([204, undefined]);
  };
  const handedOut = async () => sale(await money.till.poll());
  const report = (receipt: SaleReceipt, outcome: "printed" | "failed", time = 1) =>
    money.till.report(receipt, { outcome, messageId: `${receipt.receiptId}-${outcome}-${time}` });
  const told = async () => {
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 50 });
    return body.filter(({ errorCode }: { errorCode: string | null }) => errorCode === "job.already-printed").length;
  };

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
