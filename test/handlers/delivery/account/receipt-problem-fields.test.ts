/** A value that no receipt can carry is named at its field of the order, where a developer of the site looks for it. */

import { systemClock } from "@fiscald/shared/clock.js";
import { asRefund, byId, kkm, paid, printAll, refundOrder, sale, tea } from "../../../tools/money-model/money-world.js";
import { checkAnswersAgainstDocument, newOrder } from "../delivery-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";

checkAnswersAgainstDocument();

describeOnBothStores("values that no receipt can carry", (newDatabase) => {
  const { money, logged } = useMoney(newDatabase);

  const post = (changes: object) => money.shop.post("/orders", [newOrder({ ...paid, ...changes })]);
  const told = async () => {
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 30 });
    return body.flatMap(({ errorText }: { errorText: string | null }) => errorText ?? []);
  };
  const cake = (changes: object) => ({ goodId: 502, count: 1, price: 60, total: 60, discountTotal: 0, ...changes });
  const receiptStatus = async () => (await money.shop.get("/orders", { orderId: 1042 })).body.frReceiptStatusId;

  test.each([
    ["countryCode", { countryCode: "RUSSIA" }],
    ["unit", { unit: "упаковка по пять штук" }],
    ["vedCode", { vedCode: "1".repeat(33) }, "must have 1 to 32 bytes"],
    ["customDeclarationCode", { customDeclarationCode: "1".repeat(33) }],
    ["markValue", { markValue: "1".repeat(257) }, "must have 1 to 256 bytes"],
    ["markBinaryValue", { markBinaryValue: "1".repeat(257) }],
    ["count", { count: 2, total: 120, markValue: "0104600000000001" }],
    ["markValue", { markValue: "0104600000000001Ж" }, "has D0h"],
    ["markBinaryValue", { markBinaryValue: "010460000000000121x\\u001d93abcd" }, "has "],
    ["description", { goodId: null, taxId: 1, description: "Торт\u0007" }, "has U+0007"],
    ["taxId", { goodId: null, description: "Торт" }, "is required"],
  ])("a wrong %s of a paid internet order gets 422 at its position", async (field, changes, reason = "") => {
    const mayBeMended = ["count", "taxId"].includes(field);
    const unpaid = { orderId: 7, isInternetPayment: 0, statusId: 0, goods: [tea(2), cake(changes)] };
    const early = await post(unpaid);
    expect([early.status, early.body.message]).toEqual(
      mayBeMended ? [201, undefined] : [422, expect.stringContaining(`[0].goods[1].${field}: ${reason}`)],
    );
    const { status, body } = await post({ goods: [tea(2), cake(changes), tea(1)] });
    expect([status, body.message]).toEqual([422, expect.stringContaining(`[0].goods[1].${field}: ${reason}`)]);
    expect((await money.shop.get("/orders", { orderId: 1042 })).status).toBe(404);
    expect((await post({ goods: [tea(2), cake({}), tea(1)] })).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["sale 81150"]);
  });

  test.each([0, 1])("one code on two positions of a sale with statusId %s gets 422 at the second", async (statusId) => {
    const markValue = "0104600000000001";
    const { status, body } = await post({ statusId, goods: [tea(1, { markValue }), cake({ markValue })] });
    const message = "[0].goods[1].markValue: is the code of [0].goods[0].markValue too: one code is one piece";
    expect([status, body.message]).toEqual([422, message]);
  });

  test("the code of a position that the courier cancelled as a whole may be on another position of the sale", async () => {
    const markValue = "0104600000000001";
    const goods = [tea(1, { markValue }), cake({ markValue })];
    expect((await post({ statusId: 0, goods: goods.slice(0, 1) })).status).toBe(201);
    const items = [{ goodId: 501, returnReasonId: 1, count: 1 }];
    expect((await money.courier.post("/orders/canceledItems", { orderId: 1042, items })).status).toBe(201);
    const edit = await money.shop.put("/orders", { goods, statusId: 1 }, byId);
    expect([edit.status, edit.body.message]).toEqual([201, undefined]);
    expect(await printAll(money.till)).toEqual(["sale 6000"]);
  });

  test("a refund order's spoiled code that is not the code of its sale gives an alert at the refund order's position", async () => {
    const spoiled = tea(1, { markValue: "010460000000000121x\\u001d93abcd" });
    expect((await post({ goods: [tea(1, { markValue: "0104600000000001" }), cake({})] })).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["sale 31050"]);
    const refund = refundOrder(1, { orderId: "R", returnedOrderId: 1042, goods: [cake({}), spoiled] });
    expect((await money.shop.post("/orders", [refund], asRefund)).status).toBe(201);
    expect(await told()).toEqual([expect.stringContaining("made of order R: goods[1].markValue: has ")]);
  });

  test("positions whose price of a piece is rounded are printed at their totals", async () => {
    const rounded = [
      [7, 14.29],
      [12, 8.33],
      [3, 33.333],
      [3, 100 / 3],
    ] as const;
    const goods = rounded.map(([count, price]) => tea(count, { price, total: 100 }));
    expect((await post({ goods, amountToPay: 400 })).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["sale 40000"]);
  });

  test("each of several wrong positions is named, even when a position before is split in two", async () => {
    const odd = tea(3, { discountTotal: -0.01 });
    const { status, body } = await post({
      goods: [odd, cake({ countryCode: "643" }), cake({ countryCode: "RU" }), cake({ unit: "u".repeat(17) })],
    });
    expect(status).toBe(422);
    expect(body.message.split("\n")).toEqual([
      expect.stringMatching(/^\[0\]\.goods\[2\]\.countryCode: /),
      expect.stringMatching(/^\[0\]\.goods\[3\]\.unit: /),
    ]);
  });

  test("a wrong position of a partly delivered order gives an alert with the position's number in the order", async () => {
    const items = [{ goodId: 501, returnReasonId: 1, count: 2 }];
    const marked = { count: 2, total: 120, markValue: "0104600000000001" };
    expect((await post({ statusId: 0, goods: [tea(2), cake(marked)] })).status).toBe(201);
    expect((await money.courier.post("/orders/canceledItems", { orderId: 1042, items })).status).toBe(201);
    expect((await money.shop.put("/orders", { deliveryStatusId: 4, statusId: 1 }, byId)).status).toBe(201);
    expect(await told()).toEqual([expect.stringContaining(" goods[1].count: ")]);
    expect(await receiptStatus()).toBe(2);
  });

  const unreadable = "cannot be read, and ";
  test.each([
    ["a supplier's title of 300 characters", "supplierId", { supplierId: 5 }],
    [
      "an address of 300 characters",
      "internetPaymentUrl",
      { internetPaymentUrl: `https://s.example/${"a".repeat(282)}` },
    ],
    ["a contact that is missing", "client.email", { client: null, phone: null }, "an internet payment needs "],
    ["a phone with an extension", "phone", { client: null, phone: "+7 912 345-67-89 доб. 12" }, unreadable],
    ["two phones", "phone", { client: null, phone: "89123456789, 89123456780" }, unreadable],
  ])("an order with %s gets 422 at %s, and so does an edit", async (_title, field, changes, says = "") => {
    const supplier = { supplierId: 5, title: "О".repeat(300), phone: "+79990000000", taxId: 1 };
    await money.shop.post("/suppliers", [supplier]);
    const company = { inn: "7700000000", taxSystem: "osn" };
    const settings = { settingId: 1, login: "x", password: "y", isProduction: 1, company, agent: { type: "attorney" } };
    await money.shop.post("/partnerOnlineSettings/replace", settings);
    const { status, body } = await post(changes);
    expect([status, body.message]).toEqual([422, expect.stringMatching(new RegExp(`^\\[0\\]\\.${field}: ${says}`))]);
    expect((await post({ ...changes, statusId: 0 })).status).toBe(201);
    const edit = await money.shop.put("/orders", { statusId: 1 }, byId);
    expect([edit.status, edit.body.message]).toEqual([422, expect.stringMatching(new RegExp(`^${field}: `))]);
    const many = await money.shop.put("/orders/multipleUpdate", { orderIds: [1042], attributes: { statusId: 1 } });
    expect([many.status, many.body.message]).toEqual([422, expect.stringContaining(`orderIds[0].${field}: `)]);
    expect(await told()).toEqual([]);
  });

  test("a phone of ten digits without an e-mail is the contact of the receipt", async () => {
    expect((await post({ client: null, phone: "9123456789" })).status).toBe(201);
    expect(sale(await money.till.printNext()).contact).toBe("+79123456789");
  });

  test.each([5000, -5])("a refund whose payment is %s gets 422 at the payment's price", async (price) => {
    expect((await post({})).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    const payments = [{ paymentId: "p", paymentTypeId: 1, price, paidIn: "2026-11-20 10:00:00" }];
    const { status, body } = await money.shop.post("/orders", [refundOrder(1, { payments })], asRefund);
    expect([status, body.message]).toEqual([422, expect.stringMatching(/^\[0\]\.payments\[0\]\.price: /)]);
  });

  const alerts = async () => (await told()).filter((text: string) => text.includes("1042"));
  const lines = () => logged.filter((line) => line.includes("1042"));

  test("collected money that does not cover what was delivered gives one alert with a log line", async () => {
    expect((await post({ isInternetPayment: 0, statusId: 0, goods: [tea(2)] })).status).toBe(201);
    const payments = [{ paymentId: "p", paymentTypeId: 1, price: 50, paidIn: "2026-11-20 10:00:00" }];
    const collected = await money.courier.post("/orders/payments", { orderId: 1042, payments });
    expect([collected.status, collected.body?.message]).toEqual([201, undefined]);
    expect((await money.shop.put("/orders", { deliveryStatusId: 3 }, byId)).status).toBe(201);
    expect(await alerts()).toEqual([expect.stringMatching(/50\.00.*501\.00/)]);
    expect(lines()).toHaveLength(1);
    expect(await receiptStatus()).toBe(2);
    expect((await money.shop.put("/orders", { description: "again" }, byId)).status).toBe(201);
    expect([(await alerts()).length, lines().length]).toEqual([1, 1]);
  });
});

describeOnBothStores("the VAT rate of 20 % that is no longer in force", (newDatabase) => {
  let now = 0;
  const { money } = useMoney(newDatabase, { clock: { ...systemClock, now: () => now } });

  test("from 2026 an order with a position at 20 % VAT gets 422, and an older order gives an alert and is returned at 20 %", async () => {
    now = Date.parse("2025-12-31T23:59:59+03:00");
    const taxes = [{ id: 1, title: "НДС 20%" }];
    const register = { name: "Касса", kkm, inn: "7700000000", fn: "1", taxes, typeClose: [] };
    await money.till.call("sync", { action: "sync", data: [register] });
    await money.shop.post("/taxes", [{ taxId: 20, title: "НДС 20%" }]);
    const goods = [tea(1, { taxId: 20 }), tea(1, { position: 2, taxId: 20 })];
    const post = (changes: object) => money.shop.post("/orders", [newOrder({ ...paid, goods, ...changes })]);
    expect((await post({})).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);

    now += 1000;
    const { status, body } = await post({ orderId: 1043 });
    const problem = "20 % is in force only for refunds and later payments of what was sold before 2026-01-01";
    expect([status, body.message]).toEqual([422, `[0].goods[0].taxId: ${problem}\n[0].goods[1].taxId: ${problem}`]);
    expect((await post({ orderId: 1043, statusId: 0 })).status).toBe(201);
    const delivered = await money.shop.put(
      "/orders",
      { deliveryStatusId: 3, statusId: 1 },
      { query: { orderId: 1043 } },
    );
    expect([delivered.status, delivered.body.frReceiptStatusId]).toEqual([201, 2]);
    const logs = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1043, page: 1, count: 30 });
    expect(logs.body).toMatchObject([{ errorText: expect.stringContaining(` goods[0].taxId: ${problem}`) }]);
    expect((await money.shop.post("/orders", [refundOrder(1, {})], asRefund)).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 25050"]);
  });
});
