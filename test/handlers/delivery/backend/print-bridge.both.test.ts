/** Orders become receipts, and print results become fiscal records. Both sides are called over HTTP. */

import { toKkm } from "@fiscald/shared/ids.js";
import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import { orderCreateExample } from "#handlers/delivery/changes/examples.js";
import { createOpenApiDocument } from "#handlers/delivery/openapi/document.js";
import { createTestTill, type TestTill } from "#handlers/print-server/http/test-till.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { createTestLogger } from "../../../support/test-logger.js";
import { waitFor } from "../../../support/wait-for.js";
import { byId, kkm, paid, sale, tea, tillBeside } from "../../../tools/money-model/money-world.js";
import { fillCatalog, newOrder, type Shop } from "../delivery-world.js";
import { describeOnBothStores, useMoney, useOwnWorlds } from "../use-world.js";

describeOnBothStores("the delivery API and the print server", (newDatabase) => {
  const { money } = useMoney(newDatabase);
  const openOwn = useOwnWorlds(newDatabase);

  async function sync(which: TestTill, [first, second] = ["НДС 22%", "НДС 10%"]): Promise<void> {
    const taxes = [
      { id: 21, title: first },
      { id: 22, title: second },
    ];
    const register = { name: "Касса", kkm, inn: "7700000000", fn: "1", taxes, typeClose: [] };
    await which.call("sync", { action: "sync", data: [register] });
  }

  /** Another shop of the same site, whose register has not synced. */
  async function otherShop(): Promise<{ readonly other: Shop; readonly otherTill: TestTill }> {
    const other = await money.world.shop("other");
    await fillCatalog(other);
    return { other, otherTill: tillBeside({ ...money, shop: other }, { daemonId: "other till" }) };
  }

  const orderNow = async () => (await money.shop.get("/orders", byId.query)).body;

  test("an order paid on the internet is printed, and its fiscal record, statuses and log are filled", async () => {
    await money.shop.post("/orders", [newOrder({ ...paid, statusId: 0 })]);
    expect(await money.till.poll()).toBeNull();
    await money.shop.put("/orders", { statusId: 1 }, byId);
    const receipt = sale(await money.till.printNext());
    expect(receipt).toMatchObject({
      orderId: "1042",
      operation: "sale",
      contact: "anna@mail.example",
      internet: { url: "https://shop.example" },
      payments: [{ typeClose: 1, sum: 50100 }],
    });
    expect(itemsOf(receipt)).toMatchObject([{ name: "Чай зелёный", total: 50100, tax: 21, method: 4, subject: 1 }]);
    expect((await money.shop.get("/orderReceipts", byId.query)).body).toMatchObject({ orderId: 1042, fdNumber: "1" });
    expect(await orderNow()).toMatchObject({ receiptStatusId: 1, frReceiptStatusId: 1, frUsedPaymentId: 1 });
    expect((await money.shop.get("/fiscalRegistratorLogs", byId.query)).body).toMatchObject([
      { orderId: 1042, errorCode: null },
    ]);
    const journal = (await money.shop.get("/journal", { entityId: 1042, page: 1, count: 9 })).body;
    expect(journal.at(-1)).toMatchObject({ source: "print server", afterItem: { frReceiptStatusId: 1 } });
  });

  test("a receipt that the order's account asks for is enqueued once, without a second comparison with other receipts", async () => {
    await money.shop.post("/orders", [newOrder(paid)]);
    const receipt = sale(await money.till.printNext());
    const { bridge, backend } = money.world;
    const resource = money.shop.access.resource.id;
    const enqueue = (number: number) =>
      backend.store.transaction(async (tx) => {
        const asked = [{ receipt: { ...receipt, receiptId: null }, key: `account 1042 ${number}` }];
        return (await bridge?.enqueue(tx, resource, asked)) ?? [];
      });
    const [second, third] = [await enqueue(2), await enqueue(3)];
    expect(await enqueue(2)).toEqual(second);
    expect(new Set([receipt.receiptId, ...second, ...third]).size).toBe(3);
  });

  test("without printPrepaymentReceipt only the receipt at delivery is printed, with the prepayment as part of its payment", async () => {
    await money.shop.post("/orders", [newOrder({ prePaymentSum: 200, statusId: 1 })]);
    expect(await money.till.poll()).toBeNull();
    await money.shop.put("/orders", { deliveryStatusId: 3 }, byId);
    const payments = [
      { typeClose: 1, sum: 30100 },
      { typeClose: 2, sum: 20000 },
    ];
    expect(sale(await money.till.printNext()).payments).toEqual(payments);
    await money.shop.put("/orders", { deliveryStatusId: 6 }, byId);
    expect(sale(await money.till.printNext()).payments).toEqual(payments);
    expect((await money.shop.get("/orderAccounts", byId.query)).body).toMatchObject({
      used: "200.00",
      returned: "501.00",
    });
  });

  const settings = (agent: object, taxSystem = "osn") => ({
    ...{ settingId: 1, login: "x", password: "y", isProduction: 1 },
    ...{ company: { inn: "7700000000", taxSystem }, agent },
  });

  test("the receipt of an order with a supplier has the tax system and the agent type of the settings", async () => {
    await money.shop.post("/suppliers", [
      { supplierId: 4, title: "ООО Поставщик", inn: "7700000001", phone: "8 495 111-22-33" },
    ]);
    await money.shop.post("/partnerOnlineSettings/replace", settings({ type: "commission_agent" }, "usn_income"));
    await money.shop.post("/orders", [newOrder({ ...paid, supplierId: 4 })]);
    const receipt = sale(await money.till.poll());
    expect(receipt.taxSystem).toBe(2);
    expect(itemsOf(receipt)[0]?.agent).toEqual({
      type: 32,
      supplierName: "ООО Поставщик",
      supplierPhones: ["+74951112233"],
      supplierInn: "7700000001",
    });
  });

  const alertsNow = async () => {
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 30 });
    return body;
  };

  test("an order with a supplier waits, with an alert, until the settings name the shop's agent type", async () => {
    await money.shop.post("/suppliers", [{ supplierId: 4, title: "ООО Поставщик", inn: "7700000000" }]);
    expect((await money.shop.post("/orders", [newOrder({ ...paid, supplierId: 4 })])).status).toBe(201);
    expect(await money.till.poll()).toBeNull();
    expect(await orderNow()).toMatchObject({ frReceiptStatusId: 2 });
    expect(await alertsNow()).toMatchObject([
      { errorCode: "receipt.agent", errorText: expect.stringContaining("which agent is it?") },
    ]);
    await money.shop.post("/partnerOnlineSettings/replace", settings({ type: "attorney" }));
    expect(itemsOf(sale(await money.till.printNext()))[0]?.agent).toMatchObject({ type: 16 });
    expect(await orderNow()).toMatchObject({ frReceiptStatusId: 1 });
  });

  test("an order whose supplier's stored phone cannot be read waits, with an alert, until the phone is corrected", async () => {
    await money.shop.post("/partnerOnlineSettings/replace", settings({ type: "another" }));
    await money.shop.post("/suppliers", [{ supplierId: 4, title: "ООО Поставщик", phone: "+74951112233" }]);
    await money.world.backend.store.transaction((tx) =>
      tx
        .updateTable("delivery_records")
        .set({ body: JSON.stringify({ supplierId: "4", title: "ООО Поставщик", phone: "call us" }) })
        .where("kind", "=", "suppliers")
        .execute(),
    );
    expect((await money.shop.post("/orders", [newOrder({ ...paid, supplierId: 4 })])).status).toBe(201);
    expect(await money.till.poll()).toBeNull();
    expect(await alertsNow()).toMatchObject([
      { errorCode: "receipt.agent", errorText: expect.stringContaining("the phone of supplier 4 cannot be read") },
    ]);
    await money.shop.put("/suppliers", { phone: "8 495 111-22-33" }, { query: { supplierId: 4 } });
    expect(itemsOf(sale(await money.till.printNext()))[0]?.agent).toMatchObject({ supplierPhones: ["+74951112233"] });
  });

  test("a delivered order without a VAT rate waits, with an alert, until its supplier has a rate", async () => {
    await money.shop.post("/partnerOnlineSettings/replace", settings({ type: "another" }));
    await money.shop.post("/suppliers", [{ supplierId: 4, title: "ООО Поставщик" }]);
    const goods = [tea(2, { goodId: null, description: "Доставка", taxId: null })];
    await money.shop.post("/orders", [newOrder({ statusId: 1, supplierId: 4, goods })]);
    await money.shop.put("/orders", { deliveryStatusId: 3 }, byId);
    expect(await money.till.poll()).toBeNull();
    expect(await alertsNow()).toMatchObject([{ errorText: expect.stringContaining("goods[0].taxId: is required") }]);
    await money.shop.put("/suppliers", { taxId: 1 }, { query: { supplierId: 4 } });
    expect(itemsOf(sale(await money.till.printNext()))[0]?.tax).toBe(21);
    expect(await orderNow()).toMatchObject({ frReceiptStatusId: 1 });
  });

  test.each(["", "-", "нет", null, "8 495 111-22-33, +79990000001"])(
    "the supplier's phone %j is accepted",
    async (phone) => {
      expect((await money.shop.post("/suppliers", [{ supplierId: 4, title: "ООО", phone }])).status).toBe(201);
    },
  );

  test.each(["bank_paying_agent", "bank_paying_subagent", "paying_agent", "paying_subagent"])(
    "an agent of kind %s is refused in the settings, because no field of an order has its data",
    async (type) => {
      const { status, body } = await money.shop.post("/partnerOnlineSettings/replace", settings({ type }));
      expect([status, body.message]).toEqual([422, expect.stringMatching(/^agent\.type: .*tag 1223/)]);
    },
  );

  test("a supplier whose phone or INN no receipt can carry is refused at that field", async () => {
    const wrong = { phone: ["call us", "12345", "8 495 111-22-33, доб. 5"], inn: ["123", 700000000, "77000000001"] };
    for (const [field, value] of Object.entries(wrong).flatMap(([name, all]) =>
      all.map((one) => [name, one] as const),
    )) {
      const { status, body } = await money.shop.post("/suppliers", [{ supplierId: 4, title: "ООО", [field]: value }]);
      expect([status, body.message]).toEqual([422, expect.stringContaining(`[0].${field}: `)]);
    }
  });

  test("product codes and marking codes of the positions go onto the receipt byte by byte", async () => {
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
    await money.shop.post("/orders", [newOrder({ ...paid, amountToPay: 100, goods })]);
    expect(itemsOf(sale(await money.till.poll()))[0]).toMatchObject({
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

  test("a receipt of one shop is never offered to another, and each handler has its own secret", async () => {
    const { other, otherTill } = await otherShop();
    await sync(otherTill);
    await money.shop.post("/orders", [newOrder(paid)]);
    expect(await otherTill.poll()).toBeNull();
    const site = `${money.world.origin}/fiscal/${money.shop.access.resource.id}`;
    const auth = { kind: "bearer" as const, token: other.access.resource.handlerSecret };
    const stranger = createTestTill({ site, kkm, auth });
    await expect(stranger.poll()).rejects.toMatchObject({ code: "site.http-status" });
    expect(await money.till.poll()).not.toBeNull();
  });

  test("no receipt is handed out before the register's first sync", async () => {
    const { other, otherTill } = await otherShop();
    await other.post("/orders", [newOrder(paid)]);
    expect(await otherTill.poll()).toBeNull();
    await sync(otherTill);
    expect(await otherTill.poll()).not.toBeNull();
  });

  test("a shop whose print server has never asked for receipts gets a warning about its waiting receipt", async () => {
    const clock = createFakeClock();
    const warnings: string[] = [];
    const own = await openOwn({ delivery: { clock, logger: createTestLogger((line) => warnings.push(line)) } });
    const ownShop = await own.shop();
    await fillCatalog(ownShop);
    await ownShop.post("/orders", [newOrder(paid)]);
    await waitFor("it is warned of", async () => {
      await clock.advance(30_000);
      return warnings.some((line) => line.includes("no print server asks"));
    });
  });

  /** A long poll. `isHeld` resolves as soon as the poll waits. */
  function holdPoll({ access }: Pick<Shop, "access">) {
    const { bridge } = money.world;
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
    return { isHeld, answer: bridge.nextReceipt(access.resource.id, poll, async () => {}) };
  }

  test("a long poll before the register's first sync is answered as soon as the sync comes", async () => {
    const { other, otherTill } = await otherShop();
    await other.post("/orders", [newOrder(paid)]);
    const { isHeld, answer } = holdPoll(other);
    await isHeld;
    await sync(otherTill);
    expect(itemsOf(sale(await answer))).toMatchObject([{ tax: 21 }]);
  });

  test("a long poll during a change of the register's tax rows is answered with the new rows", async () => {
    const { isHeld, answer } = holdPoll(money.shop);
    await isHeld;
    await sync(money.till, ["НДС 10%", "НДС 22%"]);
    await money.shop.post("/orders", [newOrder(paid)]);
    expect(itemsOf(sale(await answer))).toMatchObject([{ tax: 22 }]);
  });

  describe("an order with a courier", () => {
    const payment = { paymentId: "p1", paymentTypeId: "2", price: 501, paidIn: "2026-11-20 14:00:00" };

    beforeEach(() => money.shop.post("/orders", [newOrder({ deliveryStatusId: 2 })]));

    test("money that the courier collects pays the order, and its delivery prints the receipt", async () => {
      await money.courier.post("/orders/payments", {
        orderId: 1042,
        payments: [{ ...payment, cardMask: "2200 1234 5678 9012" }],
      });
      expect(await orderNow()).toMatchObject({
        statusId: 1,
        paymentId: 2,
        payments: [{ cardMask: "220012******9012" }],
      });
      await money.courier.post("/orders/status", {
        orderId: 1042,
        deliveryStatusId: 3,
        longitude: "37.6",
        latitude: "55.7",
        accuracy: 5,
      });
      expect(sale(await money.till.poll()).payments).toEqual([{ typeClose: 0, sum: 50100 }]);
      const statuses = (await money.shop.get("/orders/journalStatuses", byId.query)).body;
      expect(statuses.at(-1)).toMatchObject({ statusId: 3, longitude: "37.6", latitude: "55.7", accuracy: 5 });
    });

    test("the API document's example of taken positions sets tookCount in its example order", async () => {
      const { paths } = JSON.parse(JSON.stringify(createOpenApiDocument()));
      const { example } = paths["/courier/v1/orders/taken"].post.requestBody.content["application/json"];
      await money.shop.put("/orders", { goods: orderCreateExample.goods }, byId);
      expect((await money.courier.post("/orders/taken", example)).status).toBe(201);
      expect((await orderNow()).goods[0].warehouses[0].tookCount).toBe(2);
    });

    test("goods that a courier brings back become a printed refund of the sale with reasons and payments", async () => {
      await money.courier.post("/orders/payments", { orderId: 1042, payments: [payment] });
      await money.courier.post("/orders/status", { orderId: 1042, deliveryStatusId: 3 });
      await money.till.printNext();
      const back = {
        orderId: 1042,
        returnReasonId: 1,
        goods: [{ goodId: 501, count: 1 }],
        payments: [{ ...payment, paymentId: "p2", price: 250.5 }],
      };
      expect((await money.courier.post("/orders/returns", back)).status).toBe(201);
      expect(await orderNow()).toMatchObject({
        isReturned: true,
        returnedOrder: {
          returnReasonId: 1,
          returnedGoods: [{ goodId: 501, count: 1, sum: 250.5, returnReasonId: 1 }],
          returnedPayments: [{ paymentId: "p2", paymentTypeId: "2", sum: 250.5 }],
        },
      });
      expect(sale(await money.till.printNext())).toMatchObject({
        operation: "return",
        payments: [{ typeClose: 0, sum: 25050 }],
      });
    });

    test("a courier gets 404 for an order of another courier", async () => {
      await money.shop.post("/couriers", [{ courierId: 8, title: "Другой" }]);
      await money.shop.post("/orders", [newOrder({ orderId: 5, courierId: 8 })]);
      expect((await money.courier.post("/orders/status", { orderId: 5, deliveryStatusId: 3 })).status).toBe(404);
    });

    test("a courier who ends his session has no access after that", async () => {
      expect((await money.courier.delete("/sessions")).status).toBe(204);
      expect((await money.courier.get("/orders")).status).toBe(401);
    });
  });
});
