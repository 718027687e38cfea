import { agentAliases } from "@fiscald/shared/exchange/item-fields.js";
import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import { listCallbacks } from "#handlers/delivery/callbacks/callback-replay.js";
import { companyTaxSystems } from "#handlers/delivery/catalog/online-settings.js";
import { kkm, paid, sale } from "../../../tools/money-model/money-world.js";
import { openReceiver } from "../callback-receiver.js";
import { newOrder } from "../delivery-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";

const byId = { orderId: 1042 };

describeOnBothStores("receipts of the delivery API", (newDatabase) => {
  const { money } = useMoney(newDatabase, { registerTimeZone: "Asia/Vladivostok" });

  test("a sold gift certificate is an advance (method 3) at a calculated VAT rate", async () => {
    const taxes = [{ id: 12, title: "НДС 22/122" }];
    const register = { name: "Касса", kkm, inn: "7700000000", fn: "1", taxes, typeClose: [] };
    await money.till.call("sync", { action: "sync", data: [register] });
    expect((await money.shop.put("/goods", { calcId: 10 }, { query: { goodId: 501 } })).status).toBe(204);
    expect((await money.shop.post("/orders", [newOrder(paid)])).status).toBe(201);
    expect(itemsOf(sale(await money.till.printNext()))).toMatchObject([{ subject: 10, method: 3, tax: 12 }]);
  });

  test("an order whose print failed has status 2 and an alert with the reason, and an edit prints it again", async () => {
    const statuses = async () => {
      const { receiptStatusId, frReceiptStatusId } = (await money.shop.get("/orders", byId)).body;
      return [receiptStatusId, frReceiptStatusId];
    };
    const account = async () => (await money.shop.get("/orderAccounts", byId)).body;
    await money.shop.post("/orders", [newOrder(paid)]);
    const receipt = sale(await money.till.poll());
    // A repeated result gives no second alert.
    for (const messageId of ["first", "second"])
      await money.till.report(receipt, { outcome: "failed", resultInfo: "нет\nбумаги", messageId });
    expect(await statuses()).toEqual([2, 2]);
    const finding = "The sale of 501.00 of order 1042 has failed: нет бумаги; edit the order, and it is printed again.";
    expect(await account()).toMatchObject({ isBalanced: false, findings: [finding] });
    const log = (await money.shop.get("/fiscalRegistratorLogs", byId)).body;
    expect(log.map(({ errorCode }: { errorCode: string }) => errorCode).toSorted()).toEqual([
      "4",
      "4",
      "account.unbalanced",
    ]);
    expect(await money.till.poll()).toBeNull();
    await money.shop.put("/orders", { cash: 1 }, { query: byId });
    await money.till.printNext();
    expect(await statuses()).toEqual([1, 1]);
    expect(await account()).toMatchObject({ isBalanced: true, findings: [] });
  });

  test.each([
    ["all fields", { receiptNumber: "4", fpd: "1234567890" }, { receiptNumber: "4", fiscalSign: "1234567890" }],
    ["only its document's number", {}, { receiptNumber: "", fiscalSign: "" }],
  ])(
    "the record of a register that reports %s is kept, with its time turned into GMT by registerTimeZone",
    async (_what, tells, kept) => {
      await money.shop.post("/orders", [newOrder(paid)]);
      const receipt = sale(await money.till.poll());
      await money.till.call("result", {
        action: "orderConfirm",
        kkm,
        inn: "7700000000",
        fn: "9999078900000001",
        resultCode: 0,
        resultInfo: "",
        shiftNumber: "12",
        OFDLink: "",
        orderId: receipt.orderId,
        receiptId: receipt.receiptId,
        outcome: "printed",
        fdNumber: "318",
        ...tells,
        dateTime: "2026-11-20 03:30:15",
      });
      expect((await money.shop.get("/orderReceipts", byId)).body).toEqual({
        orderId: 1042,
        serialNumber: kkm,
        shiftNumber: "12",
        fn: "9999078900000001",
        fdNumber: "318",
        ...kept,
        // Vladivostok is ten hours ahead of GMT, where it is still the day before.
        dateTimeReceipt: "2026-11-19 17:30:15",
      });
    },
  );

  test("the receipt's line has the position's specificities in its name, and a price less the discount", async () => {
    await money.shop.post("/specificities", [
      { specificityId: 3, parentId: null, title: "Упаковка", value: "подарочная", price: 0 },
    ]);
    const specificities = [{ specificityId: 3, price: 0, count: 1 }];
    const goods = [{ goodId: 501, count: 2, price: 250.5, total: 501, discountTotal: -51, specificities }];
    await money.shop.post("/orders", [newOrder({ ...paid, goods })]);
    expect(itemsOf(sale(await money.till.poll()))).toMatchObject([
      { name: "Чай зелёный, Упаковка подарочная", price: 22500, quantity: 2_000_000, total: 45000 },
    ]);
  });

  test("a position's own unit overrides the good's unit, and an empty unit means a piece", async () => {
    await money.shop.put("/goods", { unit: "кг" }, { query: { goodId: 501 } });
    const goods = ["", null].map((unit) => ({ goodId: 501, count: 1, price: 10, total: 10, discountTotal: 0, unit }));
    await money.shop.post("/orders", [newOrder({ ...paid, goods, amountToPay: 20 })]);
    expect(itemsOf(sale(await money.till.poll()))).toMatchObject([{ unit: null, measure: 0 }, { measure: 11 }]);
  });

  test("a receipt with an unknown outcome has status 2 until it is reported as printed, which is final", async () => {
    await money.shop.post("/orders", [newOrder(paid)]);
    const receipt = sale(await money.till.poll());
    const entries = () => money.world.backend.store.db.selectFrom("account_entries").select("state").execute();
    for (const [outcome, state, status] of [
      ["unknown", "unknown", 2],
      ["printed", "registered", 1],
      ["failed", "registered", 1],
      ["unknown", "registered", 1],
    ] as const) {
      await money.till.report(receipt, { outcome, messageId: `${outcome} ${state}` });
      expect((await money.shop.get("/orders", byId)).body).toMatchObject({
        receiptStatusId: status,
        frReceiptStatusId: status,
      });
      expect(await entries()).toEqual([{ state }]);
    }
    expect((await money.shop.get("/orderReceipts", byId)).status).toBe(200);
  });

  test("an order that is deleted while its receipt is being printed stays deleted, and no callback is sent for it", async () => {
    const receiver = await openReceiver();
    await money.shop.post("/orders", [newOrder(paid)]);
    const receipt = sale(await money.till.poll());
    await money.shop.delete("/orders", byId);
    await money.shop.post("/orders/callback", { url: receiver.url, isActive: 1 });
    await money.till.report(receipt);
    expect((await money.shop.get("/orders", byId)).status).toBe(404);
    expect((await money.shop.get("/orders")).body).toEqual([]);
    expect((await money.shop.get("/orderReceipts", byId)).body).toMatchObject({ fdNumber: "1" });
    expect(await listCallbacks(money.world.backend.store, {})).toEqual([]);
    expect([receiver.tested, receiver.received]).toEqual([1, []]);
    receiver.close();
  });

  test("a deleted order keeps its journal and receipt, and a new order with its id keeps its history", async () => {
    await money.shop.post("/orders", [newOrder(paid)]);
    await money.till.printNext();
    await money.shop.delete("/orders", byId);
    expect((await money.shop.get("/orders", byId)).status).toBe(404);
    const journal = async () => (await money.shop.get("/journal", { entityId: 1042, page: 1, count: 9 })).body;
    expect((await journal()).map((row: { event: string }) => row.event)).toEqual(["create", "update"]);
    expect((await money.shop.get("/orderReceipts", byId)).body).toMatchObject({ fdNumber: "1" });
    expect((await money.shop.get("/orders/journalStatuses", byId)).status).toBe(404);
    // The deleted order's id stays taken: POST is refused, and replace restores the order.
    expect((await money.shop.post("/orders", [newOrder()])).status).toBe(422);
    const back = await money.shop.post("/orders/replace", [{ orderId: 1042, description: "снова" }]);
    expect(back.body[0]).toMatchObject({ receiptStatusId: 1, description: "снова" });
    expect(await journal()).toHaveLength(3);
    expect(await money.till.poll()).toBeNull();
  });
});

test("every tax system and agent type has its own bit of tags 1055 and 1222", () => {
  expect(companyTaxSystems).toEqual({ osn: 1, usn_income: 2, usn_income_outcome: 4, envd: 8, esn: 16, patent: 32 });
  expect(agentAliases).toEqual({
    bank_paying_agent: 1,
    bank_paying_subagent: 2,
    paying_agent: 4,
    paying_subagent: 8,
    attorney: 16,
    commission_agent: 32,
    another: 64,
  });
});
