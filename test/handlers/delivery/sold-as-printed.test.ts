/** A registered receipt is what was sold, whatever the order says: a person is told, and the order can be put right. */
import type { TestDatabase } from "../../support/site-databases.js";
import { createTestLogger } from "../../support/test-logger.js";
import { newOrder } from "./delivery-world.js";
import {
  asRefund,
  byId,
  type MoneyWorld,
  openMoneyWorld,
  paid,
  printAll,
  refundOrder,
  sale,
  tea,
} from "./money-world.js";
import { describeOnBothStores } from "./on-both-stores.js";

describeOnBothStores("a sale that was edited while its receipt was held for failed", (newDatabase) => {
  let database: TestDatabase;
  let money: MoneyWorld;
  let logged: string[];

  beforeEach(async () => {
    logged = [];
    database = await newDatabase();
    money = await openMoneyWorld(database, { logger: createTestLogger((line) => logged.push(line)) });
    await money.shop.post("/orders", [newOrder({ ...paid, goods: [tea(3)], amountToPay: 751.5 })]);
  });
  afterEach(async () => {
    await money.close();
    await database.drop();
  });

  const edit = (count: number) => money.shop.put("/orders", { goods: [tea(count)], amountToPay: count * 250.5 }, byId);
  /** The receipt of three pieces fails, the order is edited, and that receipt is printed after all. */
  async function editedAndPrintedLate(count: number): Promise<void> {
    const first = sale(await money.till.poll());
    await money.till.report(first, { outcome: "failed" });
    expect((await edit(count)).status).toBe(201);
    await money.till.report(first);
    expect(await printAll(money.till)).toEqual([]);
  }
  const toldToShop = async () => {
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 30 });
    const texts: readonly string[] = body.map(({ errorText }: { errorText: string | null }) => errorText ?? "");
    return texts.filter((text) => text.includes("says otherwise than the order"));
  };

  test.each([2, 4])("to %i pieces is told once, with what is printed", async (count) => {
    await editedAndPrintedLate(count);
    expect(await toldToShop()).toEqual([expect.stringMatching(/751\.50.*FD 1 of drive/)]);
    await money.shop.put("/orders", { description: "ещё раз" }, byId);
    expect(logged.filter((line) => line.includes("says otherwise than the order")).length).toBe(1);
  });

  test.each([2, 4])("to %i pieces is put right by an edit to what is printed, and by no other", async (count) => {
    await editedAndPrintedLate(count);
    expect((await edit(1)).status).toBe(422);
    expect((await edit(3)).status).toBe(201);
    expect((await edit(count)).status).toBe(422);
    expect((await money.shop.post("/orders", [refundOrder(3)], asRefund)).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 75150"]);
  });

  test.each([2, 4])("to %i pieces comes back as a whole with all that was sold", async (count) => {
    await editedAndPrintedLate(count);
    await money.shop.put("/orders", { deliveryStatusId: 6 }, byId);
    expect(await printAll(money.till)).toEqual(["return 75150"]);
  });

  test("to unpaid is told once it is printed after all", async () => {
    const first = sale(await money.till.poll());
    await money.till.report(first, { outcome: "failed" });
    expect((await money.shop.put("/orders", { statusId: 0 }, byId)).status).toBe(201);
    await money.till.report(first, { outcome: "unknown", messageId: "m1" });
    expect(await toldToShop()).toEqual([]);
    await money.till.report(first, { messageId: "m2" });
    expect((await toldToShop()).length).toBe(1);
  });

  test("and is printed late as it is now tells nothing", async () => {
    await editedAndPrintedLate(3);
    expect(await toldToShop()).toEqual([]);
  });
});
