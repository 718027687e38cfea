/** Orders become receipts, and print results become fiscal records: over HTTP from both sides. */

import { toKkm } from "@fiscald/shared/ids.js";
import type { Receipt, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import { setLicenseTotal } from "#handlers/delivery/catalog/delivery-settings.js";
import { agentTypes, taxSystems } from "#handlers/delivery/catalog/online-settings.js";
import { createOpenApiDocument } from "#handlers/delivery/openapi/document.js";
import { orderCreateExample } from "#handlers/delivery/orders/examples.js";
import { createTestTill, type TestTill } from "#handlers/print-server/http/test-till.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import type { TestDatabase } from "../../../support/site-databases.js";
import { createTestLogger } from "../../../support/test-logger.js";
import { waitFor } from "../../../support/wait-for.js";
import { type Api, type DeliveryWorld, fillCatalog, newOrder, openWorld, type Shop } from "../delivery-world.js";
import { describeOnBothStores } from "../on-both-stores.js";

const kkm = "0001234567012345";

describeOnBothStores("the bridge to the print server", (newDatabase) => {
  let database: TestDatabase;
  let world: DeliveryWorld;
  let shop: Shop;
  let till: TestTill;

  beforeAll(async () => {
    database = await newDatabase();
    world = await openWorld(database);
  });
  beforeEach(async () => {
    shop = await world.shop();
    await fillCatalog(shop);
    till = tillOf(shop);
    await sync(till);
  });
  afterEach(() => till.close());
  afterAll(async () => {
    await world.close();
    await database.drop();
  });

  /** A world of its own in which prepayments are printed too. */
  async function whilePrepaymentsArePrinted(act: () => Promise<void>): Promise<void> {
    const outer = { world, shop, till };
    const ownDatabase = await newDatabase();
    world = await openWorld(ownDatabase, { delivery: { printPrepaymentReceipt: true } });
    try {
      shop = await world.shop();
      await fillCatalog(shop);
      till = tillOf(shop);
      await sync(till);
      await act();
      await till.close();
    } finally {
      await world.close();
      await ownDatabase.drop();
      ({ world, shop, till } = outer);
    }
  }

  function tillOf(whose: Shop, daemonId = "till"): TestTill {
    const { id, handlerSecret } = whose.access.resource;
    const auth = { kind: "bearer" as const, token: handlerSecret };
    return createTestTill({ site: `${world.origin}/fiscal/${id}`, kkm, auth, daemonId });
  }

  /** Rows of a register whose ids differ from the codes of tag 1199. */
  async function sync(which: TestTill, rates: readonly [string, string] = ["НДС 22%", "НДС 10%"]): Promise<void> {
    const taxes = [
      { id: 4, title: "Без НДС" },
      { id: 21, title: rates[0] },
      { id: 22, title: rates[1] },
    ];
    const typeClose = [{ id: 0, title: "Наличными" }];
    await which.call("sync", {
      action: "sync",
      data: [{ name: "Касса", kkm, inn: "7700000000", fn: "1", taxes, typeClose }],
    });
  }

  const internet = { isInternetPayment: 1, internetPaymentUrl: "https://shop.example" };
  const byId = { query: { orderId: 1042 } };

  function sale(receipt: Receipt | null): SaleReceipt {
    if (receipt?.kind !== "receipt") throw new Error("there is no receipt");
    return receipt;
  }

  async function orderNow() {
    return (await shop.get("/orders", byId.query)).body;
  }

  test("an order paid on the internet is printed, its record read back, its statuses and log filled", async () => {
    await shop.post("/orders", [newOrder({ ...internet, statusId: 0 })]);
    expect(await till.poll()).toBeNull();
    await shop.put("/orders", { statusId: 1 }, byId);
    const receipt = sale(await till.printNext());
    expect(receipt).toMatchObject({
      orderId: "1042",
      operation: "sale",
      contact: "anna@mail.example",
      internet: { url: "https://shop.example" },
      payments: [{ typeClose: 1, sum: 50100 }],
    });
    expect(itemsOf(receipt)).toMatchObject([{ name: "Чай зелёный", total: 50100, tax: 21, method: 4, subject: 1 }]);
    expect((await shop.get("/orderReceipts", byId.query)).body).toMatchObject({ orderId: 1042, fdNumber: "1" });
    expect(await orderNow()).toMatchObject({ receiptStatusId: 1, frReceiptStatusId: 1, frUsedPaymentId: 1 });
    expect((await shop.get("/fiscalRegistratorLogs", byId.query)).body).toMatchObject([
      { orderId: 1042, errorCode: null },
    ]);
    const journal = (await shop.get("/journal", { entityId: 1042, page: 1, count: 9 })).body;
    expect(journal.at(-1)).toMatchObject({ source: "print server", afterItem: { frReceiptStatusId: 1 } });
  });

  test("the register's wall time is Moscow's where nothing else is said", async () => {
    await shop.post("/orders", [newOrder({ ...internet, statusId: 1 })]);
    const receipt = sale(await till.poll());
    await till.call("result", {
      action: "orderConfirm",
      kkm,
      orderId: "1042",
      receiptId: receipt.receiptId,
      resultCode: 0,
      resultInfo: "",
      outcome: "printed",
      fn: "9999078900000001",
      fdNumber: "318",
      dateTime: "2026-11-20 03:30:15",
      shiftNumber: "12",
      OFDLink: "",
    });
    const { body } = await shop.get("/orderReceipts", byId.query);
    expect(body.dateTimeReceipt).toBe("2026-11-20 00:30:15");
  });

  test("an order is printed once, however often it changes", async () => {
    await shop.post("/orders", [newOrder({ ...internet, statusId: 1 })]);
    await till.printNext();
    await shop.put("/orders", { description: "x", deliveryStatusId: 3 }, byId);
    expect(await till.poll()).toBeNull();
  });

  test("a result that comes twice is recorded once", async () => {
    await shop.post("/orders", [newOrder({ ...internet, statusId: 1 })]);
    const receipt = sale(await till.poll());
    await till.report(receipt, { messageId: "m1" });
    await till.report(receipt, { messageId: "m1" });
    expect((await shop.get("/fiscalRegistratorLogs", byId.query)).body).toHaveLength(1);
  });

  test.each([3, 4])("status %d prints what is paid, and nothing that is not", async (deliveryStatusId) => {
    await shop.post("/orders", [newOrder({ deliveryStatusId })]);
    expect(await till.poll()).toBeNull();
    await shop.put("/orders", { statusId: 1 }, byId);
    expect(sale(await till.poll()).operation).toBe("sale");
  });

  test("a prepayment and its settlement are two receipts where the setting says so", () =>
    whilePrepaymentsArePrinted(async () => {
      await shop.post("/orders", [newOrder({ prePaymentSum: 200, statusId: 1, paymentId: 2 })]);
      const first = sale(await till.printNext());
      expect(first.payments).toEqual([{ typeClose: 0, sum: 20000 }]);
      expect(itemsOf(first)).toMatchObject([{ method: 2, total: 20000 }]);
      await shop.put("/orders", { deliveryStatusId: 3 }, byId);
      const second = sale(await till.printNext());
      expect(second.payments).toEqual([
        { typeClose: 0, sum: 30100 },
        { typeClose: 2, sum: 20000 },
      ]);
      expect(itemsOf(second)).toMatchObject([{ method: 4, total: 50100 }]);
      expect((await shop.get("/orderReceipts", byId.query)).body.fdNumber).toBe("2");
    }));

  test("a settlement that becomes due before its prepayment is printed waits for it", () =>
    whilePrepaymentsArePrinted(async () => {
      await shop.post("/orders", [newOrder({ prePaymentSum: 200, statusId: 1 })]);
      await shop.put("/orders", { deliveryStatusId: 3 }, byId);
      expect(itemsOf(sale(await till.printNext()))).toMatchObject([{ method: 2 }]);
      expect(itemsOf(sale(await till.printNext()))).toMatchObject([{ method: 4 }]);
    }));

  test("without the setting only the settlement is printed, with the prepayment as an offset", async () => {
    await shop.post("/orders", [newOrder({ prePaymentSum: 200, statusId: 1 })]);
    expect(await till.poll()).toBeNull();
    await shop.put("/orders", { deliveryStatusId: 3 }, byId);
    const payments = [
      { typeClose: 1, sum: 30100 },
      { typeClose: 2, sum: 20000 },
    ];
    expect(sale(await till.printNext()).payments).toEqual(payments);
    await shop.put("/orders", { deliveryStatusId: 6 }, byId);
    expect(sale(await till.printNext()).payments).toEqual(payments);
    expect((await shop.get("/orderAccounts", byId.query)).body).toMatchObject({ used: "200.00", returned: "501.00" });
  });

  test("a supplier makes agent positions; tax system and agent type come from the settings", async () => {
    await shop.post("/suppliers", [
      { supplierId: 4, title: "ООО Поставщик", inn: "7700000001", phone: "8 495 111-22-33" },
    ]);
    await shop.post("/partnerOnlineSettings/replace", {
      settingId: 1,
      login: "x",
      password: "y",
      isProduction: 1,
      company: { inn: "7700000000", taxSystem: "usn_income" },
      agent: { type: "commission_agent" },
    });
    await shop.post("/orders", [newOrder({ ...internet, statusId: 1, supplierId: 4 })]);
    const receipt = sale(await till.poll());
    expect(receipt.taxSystem).toBe(2);
    expect(itemsOf(receipt)[0]?.agent).toEqual({
      type: 32,
      supplierName: "ООО Поставщик",
      supplierPhones: ["+74951112233"],
      supplierInn: "7700000001",
    });
  });

  test("every tax system and agent type is its bit of tags 1055 and 1222, another agent where none is said", async () => {
    expect(taxSystems).toEqual({ osn: 1, usn_income: 2, usn_income_outcome: 4, envd: 8, esn: 16, patent: 32 });
    expect(agentTypes).toEqual({
      bank_paying_agent: 1,
      bank_paying_subagent: 2,
      paying_agent: 4,
      paying_subagent: 8,
      attorney: 16,
      commission_agent: 32,
      another: 64,
    });
    await shop.post("/suppliers", [{ supplierId: 4, title: "ООО Поставщик", inn: "7700000000" }]);
    await shop.post("/orders", [newOrder({ ...internet, statusId: 1, supplierId: 4 })]);
    const receipt = sale(await till.poll());
    expect(receipt.taxSystem).toBeNull();
    expect(itemsOf(receipt)[0]?.agent).toMatchObject({ type: 64, supplierName: "ООО Поставщик" });
  });

  test("codes of the positions go onto the receipt byte by byte", async () => {
    const mark = "010460043993125621JgXJ5.T\u001d8005112000\u001d93pOc1";
    const goods = [
      {
        goodId: 501,
        count: 1,
        price: 100,
        total: 100,
        discountTotal: -10,
        vedCode: "8517130000",
        countryCode: "643",
        customDeclarationCode: "10702020/060520/0013422",
        markBinaryValue: mark,
        markValue: "scanned",
        unit: "кг",
      },
    ];
    await shop.post("/orders", [newOrder({ ...internet, statusId: 1, amountToPay: 100, goods })]);
    expect(itemsOf(sale(await till.poll()))[0]).toMatchObject({
      total: 9000,
      subject: 33,
      unit: "кг",
      measure: 11,
      markingCode: Buffer.from(mark).toString("base64"),
      goodsCode: Buffer.from("8517130000").toString("base64"),
      countryCode: "643",
      customsDeclaration: "10702020/060520/0013422",
    });
  });

  test("a paid refund order prints a return with the rates of the sale", async () => {
    await shop.post("/orders", [newOrder({ ...internet, statusId: 1 })]);
    await till.printNext();
    await shop.put("/goods", { taxId: 2 }, { query: { goodId: 501 } });
    const goods = [{ goodId: 501, count: 1, price: 250.5, total: 250.5, discountTotal: 0 }];
    const refund = newOrder({ ...internet, statusId: 1, isRefund: true, amountToPay: 250.5, goods, payments: [] });
    await shop.post("/orders", [refund], { query: { isRefund: 1 } });
    const receipt = sale(await till.printNext());
    expect(receipt.operation).toBe("return");
    expect(itemsOf(receipt)).toMatchObject([{ total: 25050, tax: 21 }]);
    expect((await shop.get("/orderReturnReceipts", byId.query)).body).toMatchObject({ fdNumber: "2" });
  });

  test("status 6 prints a return of what was sold, and nothing when nothing was", async () => {
    await shop.post("/orders", [newOrder({ ...internet, statusId: 1 }), newOrder({ orderId: 2 })]);
    await till.printNext();
    await shop.put("/orders/multipleUpdate", { orderIds: [1042, 2], attributes: { deliveryStatusId: 6 } });
    expect(sale(await till.printNext())).toMatchObject({ orderId: "1042", operation: "return" });
    expect(await till.poll()).toBeNull();
  });

  test("a receipt of one shop is never offered to another, and each handler has its own secret", async () => {
    const other = await world.shop(`other ${Math.random()}`);
    await fillCatalog(other);
    const otherTill = tillOf(other, "other till");
    await sync(otherTill);
    await shop.post("/orders", [newOrder({ ...internet, statusId: 1 })]);
    expect(await otherTill.poll()).toBeNull();
    const url = `${world.origin}/fiscal/${shop.access.resource.id}`;
    const stranger = createTestTill({
      site: url,
      kkm,
      auth: { kind: "bearer", token: other.access.resource.handlerSecret },
    });
    await expect(stranger.poll()).rejects.toMatchObject({ code: "site.http-status" });
    expect(await till.poll()).not.toBeNull();
  });

  test("nothing is handed out before the register's first sync", async () => {
    const other = await world.shop(`other ${Math.random()}`);
    await fillCatalog(other);
    const otherTill = tillOf(other);
    await other.post("/orders", [newOrder({ ...internet, statusId: 1 })]);
    expect(await otherTill.poll()).toBeNull();
    await sync(otherTill);
    expect(await otherTill.poll()).not.toBeNull();
  });

  test("a receipt of a shop whose print server has never asked is warned of", async () => {
    const ownDatabase = await newDatabase();
    const clock = createFakeClock();
    const warnings: string[] = [];
    const logger = createTestLogger((line) => warnings.push(line));
    const own = await openWorld(ownDatabase, { delivery: { clock, logger } });
    try {
      const ownShop = await own.shop();
      await fillCatalog(ownShop);
      await ownShop.post("/orders", [newOrder({ ...internet, statusId: 1 })]);
      await waitFor("it is warned of", async () => {
        await clock.advance(30_000);
        return warnings.some((line) => line.includes("no print server asks"));
      });
    } finally {
      await own.close();
      await ownDatabase.drop();
    }
  });

  test("a poll that is held before the register's first sync is answered as soon as the sync comes", async () => {
    const ownDatabase = await newDatabase();
    let tellHeld = () => {};
    const isHeld = new Promise<void>((resolve) => {
      tellHeld = resolve;
    });
    const logger = createTestLogger((line) => {
      if (line.includes("wait for the first sync")) tellHeld();
    }, "all");
    const own = await openWorld(ownDatabase, { delivery: { logger } });
    try {
      const ownShop = await own.shop();
      await fillCatalog(ownShop);
      await ownShop.post("/orders", [newOrder({ ...internet, statusId: 1 })]);
      const { id, handlerSecret } = ownShop.access.resource;
      const auth = { kind: "bearer" as const, token: handlerSecret };
      const ownTill = createTestTill({ site: `${own.origin}/fiscal/${id}`, kkm, auth });
      const answer = ownTill.poll({ waitSeconds: 20 });
      await isHeld;
      await sync(ownTill);
      expect(await answer).not.toBeNull();
    } finally {
      await own.close();
      await ownDatabase.drop();
    }
  });

  test("a poll that is held while the register's rows are programmed anew is answered with the new rows", async () => {
    const { bridge } = world;
    if (bridge === null) throw new Error("there is no bridge");
    const { signal } = new AbortController();
    const isHeld = new Promise<void>((resolve) => {
      const listen = signal.addEventListener.bind(signal);
      signal.addEventListener = (...listener: Parameters<typeof listen>) => {
        listen(...listener);
        resolve();
      };
    });
    const poll = { kkm: toKkm(kkm), daemonId: "till", waitMs: 20_000, signal };
    const answer = bridge.nextReceipt(shop.access.resource.id, poll, async () => {});
    await isHeld;
    await sync(till, ["НДС 10%", "НДС 22%"]);
    await shop.post("/orders", [newOrder({ ...internet, statusId: 1 })]);
    const receipt = await answer;
    if (receipt === null || !("kind" in receipt)) throw new Error("there is no receipt");
    expect(itemsOf(sale(receipt))).toMatchObject([{ tax: 22 }]);
  });

  test("an order that no receipt can be made of says so, and is tried again when it is changed", async () => {
    const nobody = { client: { firstname: "Анна" } };
    await shop.post("/orders", [newOrder({ ...internet, ...nobody, statusId: 1, deliveryStatusId: 3 })]);
    expect(await till.poll()).toBeNull();
    expect(await orderNow()).toMatchObject({ frReceiptStatusId: 2 });
    expect((await shop.get("/fiscalRegistratorLogs", byId.query)).body).toMatchObject([
      { errorCode: expect.any(String) },
    ]);
    await shop.put("/orders", { phone: "+79161234567" }, byId);
    expect(sale(await till.printNext()).contact).toBe("+79161234567");
    expect(await orderNow()).toMatchObject({ frReceiptStatusId: 1, receiptStatusId: 1 });
  });

  test("a failed print is status 2, and is tried again when the order is changed", async () => {
    await shop.post("/orders", [newOrder({ ...internet, statusId: 1 })]);
    await till.report(sale(await till.poll()), { outcome: "failed", resultInfo: "нет бумаги" });
    expect(await orderNow()).toMatchObject({ receiptStatusId: 2, frReceiptStatusId: 2 });
    expect((await shop.get("/fiscalRegistratorLogs", byId.query)).body).toMatchObject([
      { errorCode: "4", errorText: "нет бумаги" },
    ]);
    expect(await till.poll()).toBeNull();
    await shop.put("/orders", { cash: 1 }, byId);
    await till.printNext();
    expect(await orderNow()).toMatchObject({ receiptStatusId: 1, frReceiptStatusId: 1 });
  });

  test("after a receipt is printed the payment status does not go back", async () => {
    await shop.post("/orders", [newOrder({ ...internet, statusId: 1 })]);
    await till.printNext();
    const { status, body } = await shop.put("/orders", { statusId: 0 }, byId);
    expect(status).toBe(422);
    expect(body.message).toContain("statusId");
  });

  test("before it is handed out the payment status goes back and takes the receipt with it", async () => {
    await shop.post("/orders", [newOrder({ ...internet, statusId: 1 })]);
    expect((await shop.put("/orders", { statusId: 0 }, byId)).status).toBe(201);
    expect(await till.poll()).toBeNull();
    await shop.put("/orders", { statusId: 1 }, byId);
    const handed = sale(await till.poll());
    expect((await shop.put("/orders", { statusId: 0 }, byId)).status).toBe(422);
    await till.report(handed);
  });

  describe("with a courier", () => {
    let courier: Api;
    const receipt = {
      serialNumber: "00106700000001",
      shiftNumber: "12",
      fn: "9999078900000002",
      fdNumber: "318",
      receiptNumber: "4",
      fiscalSign: "1234567890",
      dateTimeReceipt: "2026-11-20 14:05:00",
    };
    const payment = { paymentId: "p1", paymentTypeId: "2", price: 501, paidIn: "2026-11-20 14:00:00" };

    beforeEach(async () => {
      await world.backend.store.transaction((tx) => setLicenseTotal(tx, 1000));
      const login = {
        resourceId: shop.access.resource.id,
        courierId: 7,
        password: "letmein-2026",
        deviceId: "a",
        deviceTitle: "A",
      };
      const session = await world.api(null, "/courier/v1").post("/sessions", login);
      courier = world.api(session.body.token, "/courier/v1");
      await shop.post("/orders", [newOrder({ codeAlias: "A-1042", deliveryStatusId: 2 })]);
    });

    test("sees his orders with the code alias", async () => {
      const { body } = await courier.get("/orders");
      expect(body).toMatchObject([{ orderId: 1042, displayId: "A-1042", resourceId: shop.access.resource.id }]);
    });

    test("his collected money pays the order, and delivery prints it", async () => {
      await courier.post("/orders/payments", {
        orderId: 1042,
        payments: [{ ...payment, cardMask: "2200 1234 5678 9012" }],
      });
      expect(await orderNow()).toMatchObject({
        statusId: 1,
        paymentId: 2,
        payments: [{ cardMask: "220012******9012" }],
      });
      await courier.post("/orders/status", {
        orderId: 1042,
        deliveryStatusId: 3,
        longitude: "37.6",
        latitude: "55.7",
        accuracy: 5,
      });
      expect(sale(await till.poll()).payments).toEqual([{ typeClose: 0, sum: 50100 }]);
      const statuses = (await shop.get("/orders/journalStatuses", byId.query)).body;
      expect(statuses.at(-1)).toMatchObject({ statusId: 3, longitude: "37.6", latitude: "55.7", accuracy: 5 });
    });

    test("what was not taken is not on the receipt", async () => {
      await courier.post("/orders/canceledItems", {
        orderId: 1042,
        items: [{ goodId: 501, returnReasonId: 1, count: 1 }],
      });
      await courier.post("/orders/payments", { orderId: 1042, payments: [{ ...payment, price: 250.5 }] });
      await courier.post("/orders/status", { orderId: 1042, deliveryStatusId: 4 });
      expect(itemsOf(sale(await till.poll()))).toMatchObject([{ quantity: 1_000_000, total: 25050 }]);
      expect((await orderNow()).goods[0].canceledItems).toMatchObject([{ returnReasonId: 1, count: 1 }]);
      const tooMany = { orderId: 1042, items: [{ goodId: 501, returnReasonId: 1, count: 2 }] };
      expect((await courier.post("/orders/canceledItems", tooMany)).status).toBe(422);
      const none = { ...tooMany, items: [{ ...tooMany.items[0], count: 0 }] };
      expect((await courier.post("/orders/canceledItems", none)).body.message).toBe(
        "items[0].count: must be above zero",
      );
    });

    test("a receipt of his own register is recorded and never printed again", async () => {
      await courier.post("/orders/payments", { orderId: 1042, payments: [payment] });
      await courier.post("/orders/status", { orderId: 1042, deliveryStatusId: 3, receipt });
      expect(await till.poll()).toBeNull();
      expect((await shop.get("/orderReceipts", byId.query)).body).toEqual({ orderId: 1042, ...receipt });
      expect(await orderNow()).toMatchObject({ receiptStatusId: 1, deliveryStatusId: 3 });
    });

    test("a receipt of his own register that comes later takes ours out of the queue", async () => {
      await courier.post("/orders/payments", { orderId: 1042, payments: [payment] });
      await courier.post("/orders/status", { orderId: 1042, deliveryStatusId: 3 });
      await courier.post("/orders/receipts", { orderId: 1042, operation: "sale", receipt });
      expect(await till.poll()).toBeNull();
    });

    test("taken positions are counted at their warehouse: the document's example for its example order", async () => {
      const { paths } = JSON.parse(JSON.stringify(createOpenApiDocument()));
      const { example } = paths["/courier/v1/orders/taken"].post.requestBody.content["application/json"];
      await shop.put("/orders", { goods: orderCreateExample.goods }, byId);
      expect((await courier.post("/orders/taken", example)).status).toBe(204);
      expect((await orderNow()).goods[0].warehouses[0].tookCount).toBe(2);
    });

    test("what he brings back is a refund of the sale with its reasons and payments, and is printed", async () => {
      await courier.post("/orders/payments", { orderId: 1042, payments: [payment] });
      await courier.post("/orders/status", { orderId: 1042, deliveryStatusId: 3 });
      await till.printNext();
      const back = {
        orderId: 1042,
        returnReasonId: 1,
        goods: [{ goodId: 501, count: 1 }],
        payments: [{ ...payment, paymentId: "p2", price: 250.5 }],
      };
      expect((await courier.post("/orders/returns", back)).status).toBe(204);
      expect(await orderNow()).toMatchObject({
        isReturned: true,
        returnedOrder: {
          returnReasonId: 1,
          returnedGoods: [{ goodId: 501, count: 1, sum: 250.5, returnReasonId: 1 }],
          returnedPayments: [{ paymentId: "p2", paymentTypeId: "2", sum: 250.5 }],
        },
      });
      expect(sale(await till.printNext())).toMatchObject({
        operation: "return",
        payments: [{ typeClose: 0, sum: 25050 }],
      });
    });

    test("a refund finds its sale by a payment that the courier took", async () => {
      await courier.post("/orders/payments", { orderId: 1042, payments: [payment] });
      const refund = newOrder({ orderId: "R-1", isRefund: true, payments: [payment] });
      expect((await shop.post("/orders", [refund], { query: { isRefund: 1 } })).status).toBe(201);
      expect(await orderNow()).toMatchObject({ isReturned: true, returnedOrder: { returnedOrderId: "R-1" } });
    });

    test("one location a minute is kept", async () => {
      const point = (createdAt: string) => ({ createdAt, longitude: "37.6", latitude: "55.7" });
      await courier.post("/locations", [
        point("2026-11-20 14:05:00"),
        point("2026-11-20 14:05:59"),
        point("2026-11-20 14:06:00"),
      ]);
      const { body } = await shop.get("/locations", { courierId: 7, page: 1, count: 9 });
      expect(body.map((kept: { createdAt: string }) => kept.createdAt)).toEqual([
        "2026-11-20 14:05:00",
        "2026-11-20 14:06:00",
      ]);
      const later = { courierId: 7, createdAt: "2026-11-20 14:05:30", page: 1, count: 9 };
      expect((await shop.get("/locations", later)).body).toHaveLength(1);
    });

    test("another courier's orders are unknown to him", async () => {
      await shop.post("/couriers", [{ courierId: 8, title: "Другой" }]);
      await shop.post("/orders", [newOrder({ orderId: 5, courierId: 8 })]);
      expect((await courier.post("/orders/status", { orderId: 5, deliveryStatusId: 3 })).status).toBe(404);
    });

    test("ending his session ends his access", async () => {
      expect((await courier.delete("/sessions")).status).toBe(204);
      expect((await courier.get("/orders")).status).toBe(401);
    });
  });
});
