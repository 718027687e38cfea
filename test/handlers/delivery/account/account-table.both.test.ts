/** The money of an order (54-fz 10, 15). A story is a situation, its steps and their outcome. */
import type { TestDatabase } from "../../../support/site-databases.js";
import { type MoneyWorld, openMoneyWorld } from "../../../tools/money-model/money-world.js";
import { describeOnBothStores } from "../use-world.js";
import { AccountSteps, readStories } from "./account-steps.js";
import { courierStories } from "./courier-stories.js";
import { shopStories } from "./shop-stories.js";

describeOnBothStores("the account of an order", (newDatabase) => {
  let database: TestDatabase;
  let money: MoneyWorld;
  let orders = 5000;

  beforeAll(async () => {
    database = await newDatabase();
    money = await openMoneyWorld(database, { printPrepaymentReceipt: true });
  });
  afterAll(async () => {
    await money.close();
    await database.drop();
  });

  test.each([...readStories(shopStories), ...readStories(courierStories)])("$title", async ({ title: _, ...story }) => {
    orders += 1;
    const account = new AccountSteps(money, orders);
    try {
      await account.take(...story.steps);
      expect(await account.told()).toEqual(story);
    } finally {
      await account.clear();
    }
  });

  test("frReceiptStatusId is 2 while a due receipt has failed, and 0 when no receipt is due", async () => {
    orders += 1;
    const account = new AccountSteps(money, orders);
    const statuses = async () => {
      const { receiptStatusId, frReceiptStatusId } = (await money.shop.get("/orders", { orderId: orders })).body;
      return [receiptStatusId, frReceiptStatusId];
    };
    await account.take("order paid online", "handed out", "failed");
    expect(await statuses()).toEqual([2, 2]);
    await account.take("paid 0");
    expect(await statuses()).toEqual([0, 0]);
    await account.take("paid 1", "print all");
    expect(await statuses()).toEqual([1, 1]);
  });

  test("the statement of an order names every receipt, what is left and what does not balance", async () => {
    orders += 1;
    const account = new AccountSteps(money, orders);
    const statement = async () => (await money.shop.get("/orderAccounts", { orderId: orders })).body;
    await account.take("order prepaid 200", "print", "status 3", "print", "courier's return receipt");
    expect(await statement()).toMatchObject({
      orderId: orders,
      isBalanced: false,
      findings: [expect.stringContaining("no refund order names")],
      prepaid: "200.00",
      used: "200.00",
      sold: "501.00",
      returned: "0.00",
      entries: [
        { number: 1, kind: "prepayment", basisNumber: null, issuedBy: "shop", state: "registered", total: "200.00" },
        { number: 2, kind: "sale", basisNumber: null, issuedBy: "shop", state: "registered", total: "501.00" },
        { number: 3, kind: "return", basisNumber: 2, issuedBy: "courier", isAssumed: true, fdNumber: `${orders}1` },
      ],
    });
    await account.take("refund of 1");
    expect(await statement()).toMatchObject({ isBalanced: true, findings: [], returned: "250.50" });
    const log = (await money.shop.get("/fiscalRegistratorLogs", { orderId: orders, page: 1, count: 50 })).body;
    expect(log.map(({ errorCode }: { errorCode: string | null }) => errorCode)).toEqual([
      null,
      null,
      "account.unbalanced",
      null,
    ]);
    // A refund order's id is answered with its sale's statement.
    expect((await money.shop.get("/orderAccounts", { orderId: `${orders}-r1` })).body).toEqual(await statement());
    expect((await money.shop.get("/orderAccounts", { orderId: "nothing" })).status).toBe(404);
  });
});
