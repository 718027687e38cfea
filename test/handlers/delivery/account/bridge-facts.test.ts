/** What stands on the bridge's receipts and in their records, and what it warns of. */
import { createServer, type Server } from "node:http";
import { itemsOf, type Receipt, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { listCallbacks } from "#handlers/delivery/callbacks/callback-replay.js";
import { createTestTill, type TestTill } from "#handlers/print-server/http/test-till.js";
import type { TestDatabase } from "../../../support/site-databases.js";
import { createTestLogger } from "../../../support/test-logger.js";
import { type DeliveryWorld, fillCatalog, listen, newOrder, openWorld, type Shop } from "../delivery-world.js";
import { describeOnBothStores } from "../on-both-stores.js";

const kkm = "0001234567012345";
const paid = { isInternetPayment: 1, internetPaymentUrl: "https://shop.example", statusId: 1 };
const byId = { orderId: 1042 };

describeOnBothStores("the bridge's receipts", (newDatabase) => {
  let database: TestDatabase;
  let world: DeliveryWorld;
  let shop: Shop;
  let till: TestTill;
  let warnings: string[];
  const servers: Server[] = [];

  beforeEach(async () => {
    warnings = [];
    database = await newDatabase();
    world = await openWorld(database, {
      delivery: { registerTimeZone: "Asia/Vladivostok", logger: createTestLogger((line) => warnings.push(line)) },
    });
    shop = await world.shop();
    await fillCatalog(shop);
    const { id, handlerSecret } = shop.access.resource;
    till = createTestTill({
      site: `${world.origin}/fiscal/${id}`,
      kkm,
      auth: { kind: "bearer", token: handlerSecret },
    });
    const taxes = [
      { id: 21, title: "НДС 22%" },
      { id: 22, title: "НДС 10%" },
    ];
    const register = { name: "Касса", kkm, inn: "7700000000", fn: "1", taxes, typeClose: [] };
    await till.call("sync", { action: "sync", data: [register] });
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
    await till.close();
    await world.close();
    await database.drop();
  });

  function sale(receipt: Receipt | null): SaleReceipt {
    if (receipt?.kind !== "receipt") throw new Error("there is no receipt");
    return receipt;
  }

  const resultOf = (receipt: Receipt, fields: object) => ({
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
    receiptNumber: "4",
    fpd: "1234567890",
    ...fields,
  });

  test("the register's wall time becomes GMT by registerTimeZone", async () => {
    await shop.post("/orders", [newOrder(paid)]);
    const receipt = sale(await till.poll());
    await till.call("result", resultOf(receipt, { dateTime: "2026-11-20 03:30:15" }));
    expect((await shop.get("/orderReceipts", byId)).body).toEqual({
      orderId: 1042,
      serialNumber: kkm,
      shiftNumber: "12",
      fn: "9999078900000001",
      fdNumber: "318",
      receiptNumber: "4",
      fiscalSign: "1234567890",
      // Vladivostok is ten hours ahead: the day before in Greenwich.
      dateTimeReceipt: "2026-11-19 17:30:15",
    });
  });

  test("an amountToPay other than the positions' totals is warned of, and the positions count", async () => {
    await shop.post("/orders", [newOrder({ ...paid, amountToPay: 400 })]);
    expect(sale(await till.poll()).payments).toEqual([{ typeClose: 1, sum: 50100 }]);
    const warning = warnings.find((line) => line.includes("amountToPay differs"));
    expect(warning).toContain('"order":"1042"');
    expect(warning).toContain('"amountToPay":400');
  });

  test("the warning shows the totals that are compared: without the discount", async () => {
    const goods = [{ goodId: 501, count: 2, price: 250.5, total: 501, discountTotal: -1 }];
    await shop.post("/orders", [newOrder({ ...paid, goods, amountToPay: 500 })]);
    expect(warnings).toEqual([expect.stringContaining('"amountToPay":500,"total":501')]);
  });

  test("an amountToPay that fits gives no warning: the discount is not in it", async () => {
    const goods = [{ goodId: 501, count: 2, price: 250.5, total: 501, discountTotal: -1 }];
    await shop.post("/orders", [newOrder({ ...paid, goods })]);
    expect(sale(await till.poll()).payments).toEqual([{ typeClose: 1, sum: 50000 }]);
    expect(warnings).toEqual([]);
  });

  test("a position's name carries its specificities, its price the discount", async () => {
    await shop.post("/specificities", [
      { specificityId: 3, parentId: null, title: "Упаковка", value: "подарочная", price: 0 },
    ]);
    const specificities = [{ specificityId: 3, price: 0, count: 1 }];
    const goods = [{ goodId: 501, count: 2, price: 250.5, total: 501, discountTotal: -51, specificities }];
    await shop.post("/orders", [newOrder({ ...paid, goods })]);
    expect(itemsOf(sale(await till.poll()))).toMatchObject([
      { name: "Чай зелёный, Упаковка подарочная", price: 22500, quantity: 2_000_000, total: 45000 },
    ]);
  });

  test("a position's own unit counts before the good's, an empty one is the piece", async () => {
    await shop.put("/goods", { unit: "кг" }, { query: { goodId: 501 } });
    const goods = ["", null].map((unit) => ({ goodId: 501, count: 1, price: 10, total: 10, discountTotal: 0, unit }));
    await shop.post("/orders", [newOrder({ ...paid, goods, amountToPay: 20 })]);
    expect(itemsOf(sale(await till.poll()))).toMatchObject([{ unit: null, measure: 0 }, { measure: 11 }]);
  });

  test("a position's own tax counts before the good's", async () => {
    const goods = [{ goodId: 501, count: 1, price: 10, total: 10, discountTotal: 0, taxId: 2 }];
    await shop.post("/orders", [newOrder({ ...paid, goods, amountToPay: 10 })]);
    expect(itemsOf(sale(await till.poll()))).toMatchObject([{ tax: 22 }]);
  });

  describe("an unknown outcome", () => {
    beforeEach(async () => {
      await shop.post("/orders", [newOrder(paid)]);
      await till.report(sale(await till.poll()), { outcome: "unknown", messageId: "m1" });
    });
    const printed = async () => {
      const { store } = world.backend;
      const rows = await store.db.selectFrom("account_entries").select(["state", "receipt_id"]).execute();
      return rows;
    };
    const asReceipt = async () => {
      const bridge = world.bridge;
      const receipts = await bridge?.receiptsOf(shop.access.resource.id);
      const [stored] = (await receipts?.list()) ?? [];
      if (stored === undefined) throw new Error("there is no receipt");
      return stored.receipt;
    };

    test("is status 2, and no change of the order makes a second receipt", async () => {
      expect((await shop.get("/orders", byId)).body).toMatchObject({ receiptStatusId: 2, frReceiptStatusId: 2 });
      await shop.put("/orders", { deliveryStatusId: 3, cash: 5 }, { query: byId });
      const goods = [{ goodId: 501, count: 1, price: 250.5, total: 250.5, discountTotal: 0 }];
      await shop.put("/orders", { goods }, { query: byId });
      expect(await till.poll()).toBeNull();
      expect(await printed()).toMatchObject([{ state: "unknown" }]);
    });

    test("is overridden by printed, which nothing overrides", async () => {
      const receipt = await asReceipt();
      await till.report(receipt, { outcome: "printed", messageId: "m2" });
      expect((await shop.get("/orders", byId)).body).toMatchObject({ receiptStatusId: 1, frReceiptStatusId: 1 });
      for (const [outcome, messageId] of [
        ["failed", "m3"],
        ["unknown", "m4"],
      ] as const) {
        await till.report(receipt, { outcome, messageId });
        expect((await shop.get("/orders", byId)).body).toMatchObject({ receiptStatusId: 1, frReceiptStatusId: 1 });
        expect(await printed()).toMatchObject([{ state: "registered" }]);
      }
      expect((await shop.get("/orderReceipts", byId)).status).toBe(200);
    });

    test("that turns out to be none is tried again when the order is changed", async () => {
      await till.report(await asReceipt(), { outcome: "failed", messageId: "m2" });
      await shop.put("/orders", { cash: 5 }, { query: byId });
      expect(sale(await till.poll()).orderId).toBe("1042");
    });
  });

  test("an order that is deleted while its receipt is being printed stays deleted, and no callback tells of it", async () => {
    const told: string[] = [];
    const server = createServer((request, response) => {
      told.push(String(request.headers["x-callback-test"]));
      response.end();
    });
    servers.push(server);
    await shop.post("/orders", [newOrder(paid)]);
    const receipt = sale(await till.poll());
    await shop.delete("/orders", byId);
    await shop.post("/orders/callback", { url: await listen(server), isActive: 1 });
    await till.report(receipt);
    expect((await shop.get("/orders", byId)).status).toBe(404);
    expect((await shop.get("/orders")).body).toEqual([]);
    expect((await shop.get("/orderReceipts", byId)).body).toMatchObject({ fdNumber: "1" });
    expect(await listCallbacks(world.backend.store, {})).toEqual([]);
    expect(told).toEqual(["1"]);
  });

  test("an order that is deleted keeps its journal and its receipt, and its repeated id its history", async () => {
    await shop.post("/orders", [newOrder(paid)]);
    await till.printNext();
    await shop.delete("/orders", byId);
    expect((await shop.get("/orders", byId)).status).toBe(404);
    const journal = async () => (await shop.get("/journal", { entityId: 1042, page: 1, count: 9 })).body;
    expect((await journal()).map((row: { event: string }) => row.event)).toEqual(["create", "update"]);
    expect((await shop.get("/orderReceipts", byId)).body).toMatchObject({ fdNumber: "1" });
    expect((await shop.get("/orders/journalStatuses", byId)).status).toBe(404);
    // Its id is taken: POST does not silently begin another order, replace brings this one back.
    expect((await shop.post("/orders", [newOrder()])).status).toBe(422);
    const back = await shop.post("/orders/replace", [{ orderId: 1042, description: "снова" }]);
    expect(back.body[0]).toMatchObject({ receiptStatusId: 1, description: "снова" });
    expect(await journal()).toHaveLength(3);
    expect(await till.poll()).toBeNull();
  });
});
