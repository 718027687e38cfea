/** What real clients send in each kind of field (id, flag, text, number, money, contact, time), and what is stored. */
import { checkAnswersAgainstDocument, logIn, newOrder } from "../delivery-world.js";
import { catalogRequests, requestTables, type SpecType } from "../spec-tables.js";
import { describeOnBothStores, useWorld } from "../use-world.js";

checkAnswersAgainstDocument();

const item = { goodId: 501, count: 2, price: 250.5, total: 501, discountTotal: 0 };
const ofItem = (given: object, stored: object = {}) =>
  [{ goods: [{ ...item, ...given }] }, { goods: [stored] }] as const;
const address = { city: "Москва", street: "Ленина", home: "1", isUseExternalGeo: false };
const nulls = {
  supplierId: null,
  codeAlias: null,
  clientId: null,
  cash: null,
  description: null,
  addressFromEntity: null,
};

describeOnBothStores("the spellings of fields that clients send", (newDatabase) => {
  const used = useWorld(newDatabase, "one shop");
  let orders = 100;
  const create = async (changes: object) => {
    orders += 1;
    const { status, body } = await used.shop.post("/orders", [newOrder({ orderId: orders, ...changes })]);
    return status === 201 ? body[0] : { status, message: body.message };
  };
  const put = async (orderId: number, change: object) =>
    (await used.shop.put("/orders", change, { query: { orderId } })).body;

  test.each([
    [
      { goods: null, payments: null },
      { goods: [], payments: [] },
    ],
    [
      { isAgreed: null, isInternetPayment: null },
      { isAgreed: false, isInternetPayment: 0 },
    ],
    ofItem({ warehouses: null, specificities: null }, { warehouses: [], specificities: [] }),
    [{ client: [] }, { client: null }],
    [
      { addressToEntity: [], addressFromEntity: [] },
      { addressToEntity: null, addressFromEntity: null },
    ],
    [{ clientId: 0 }, { clientId: null }],
    [{ clientId: "" }, { clientId: null }],
    [
      { supplierId: 0, returnReasonId: "0" },
      { supplierId: null, returnReasonId: null },
    ],
    ofItem({ goodId: 0, taxId: "" }, { goodId: null, taxId: null }),
    [{ isAgreed: 1 }, { isAgreed: true }],
    [
      { isAgreed: "0", isRefund: "0" },
      { isAgreed: false, isRefund: false },
    ],
    ofItem({ weight: "0.5", position: "1" }, { weight: 0.5, position: 1 }),
    ofItem({ markValue: 12, markBinaryValue: 34 }, { markValue: "12", markBinaryValue: "34" }),
    ofItem({ weight: "0,5" }, { weight: 0.5 }),
    ofItem({ countryCode: 36, vedCode: "", markValue: "" }, { countryCode: "036", vedCode: null, markValue: null }),
    [
      { phone: 79160000900, codeAlias: 17 },
      { phone: "79160000900", codeAlias: "17" },
    ],
    [
      { addressToEntity: { ...address, street: "", home: 1, latitude: 55.75 } },
      { addressToEntity: { ...address, street: "", latitude: "55.75" }, addressTo: "Москва, 1" },
    ],
    [{ addressToEntity: { ...address, city: "", isUseExternalGeo: 1 } }, { addressTo: "Ленина, 1" }],
    ofItem({ count: 7, price: 14.29, total: 100 }, { price: 14.29, total: 100 }),
    ofItem({ count: 12, price: 8.33, total: 100 }, { price: 8.33, total: 100 }),
    ofItem({ count: 3, price: 33.333, total: 100 }, { price: 33.333, total: 100 }),
    ofItem({ count: 3, price: 100 / 3, total: 100 }, { total: 100 }),
    [
      { prePaymentSum: "", cash: "", isAgreed: "", isInternetPayment: "", payments: "", phone: [], client: "" },
      {
        prePaymentSum: null,
        cash: null,
        isAgreed: false,
        isInternetPayment: 0,
        payments: [],
        phone: null,
        client: null,
      },
    ],
    [
      { statusId: "1", deliveryStatusId: "2", courierId: "7", paymentId: "1" },
      { statusId: 1, deliveryStatusId: 2, courierId: 7, paymentId: 1 },
    ],
    [nulls, nulls],
    [{ courierId: 0 }, { courierId: null }],
    [{ courierId: "" }, { courierId: null }],
    ofItem({ countryCode: "31", customDeclarationCode: "" }, { countryCode: "031", customDeclarationCode: null }),
    ofItem({ discountTotal: null, weight: [] }, { discountTotal: 0, weight: null }),
    ofItem({ count: "2.000", total: "501.00000000", discountTotal: " -1.00 " }, { total: 501, discountTotal: -1 }),
    [{ goods: { "0": item } }, { goods: [{ goodId: 501 }] }],
    [{ goods: { "1": item, "4": { ...item, count: 4, total: 1002 } } }, { goods: [{ total: 501 }, { total: 1002 }] }],
    [{ addressToEntity: { ...address, street: null } }, { addressToEntity: { street: "" }, addressTo: "Москва, 1" }],
  ] as const)("an order with %j is taken as %j", async (given, stored) => {
    expect(await create(given)).toMatchObject(stored);
  });

  test.each([
    ["goods[0].total", { goods: [{ ...item, count: 2, price: 250.5, total: 501.03 }] }],
    ["goods[0].total", { goods: [{ ...item, count: 300, price: 1.01, total: 304.01 }] }],
    ["clientId", { clientId: "00" }],
    ["addressToEntity.home", { addressToEntity: { ...address, home: null } }],
    ["goods[0].discountTotal", { goods: [{ count: 2, price: 250.5, total: 501 }] }],
    ["goods[0].total", { goods: { "7": { ...item, total: "much" } } }],
    ["goods", { goods: {} }],
    ["goods[0].countryCode", { goods: [{ ...item, countryCode: "RU" }] }],
    ["goods[0].unit", { goods: [{ ...item, unit: "упаковка по тридцать шт" }] }],
  ])("an unpaid order with a wrong %s gets 422 at that field", async (place, changes) => {
    expect(await create(changes)).toEqual({
      status: 422,
      message: expect.stringMatching(`^\\[0\\]\\.${place.replace(/[[\]]/g, "\\$&")}: `),
    });
  });

  test("the id 0 names a record where there is a record 0", async () => {
    await used.shop.post("/clients", [{ clientId: 0, firstname: "Ноль" }]);
    expect(await create({ clientId: 0 })).toMatchObject({ clientId: 0, client: { firstname: "Ноль" } });
    await used.shop.delete("/clients", { clientId: 0 });
  });

  test("null and 0 in an edit leave lists and flags unchanged, and clear fields that name a record", async () => {
    await used.shop.post("/clients", [{ clientId: 900, firstname: "Анна" }]);
    const { orderId } = await create({ clientId: 900, isAgreed: true, addressTo: "Москва, Ленина 1" });
    expect(await put(orderId, { goods: null, isAgreed: null, payments: null })).toMatchObject({
      goods: [{ goodId: 501 }],
      isAgreed: true,
      clientId: 900,
    });
    const needed = { statusId: "", deliveryStatusId: null, paymentId: "", amountToPay: null };
    expect(await put(orderId, { ...needed, deliveryTimeFrom: null, deliveryTimeTo: "" })).toMatchObject({
      deliveryStatusId: 0,
      paymentId: 1,
    });
    expect(await put(orderId, { clientId: 0 })).toMatchObject({ clientId: null });
    for (const courierId of ["", 0, null]) {
      expect(await put(orderId, { courierId: 7 })).toMatchObject({ courierId: 7 });
      expect(await put(orderId, { courierId })).toMatchObject({ courierId: null });
      expect(await put(orderId, { courierId: 7 })).toMatchObject({ courierId: 7 });
      const attributes = { courierId, addressTo: null, statusId: "", deliveryTimeTo: null };
      const many = await used.shop.put("/orders/multipleUpdate", { orderIds: { "0": orderId }, attributes });
      expect([many.status, (await used.shop.get("/orders", { orderId })).body]).toMatchObject([
        204,
        { courierId: null, addressTo: null },
      ]);
    }
  });

  test("an empty object that PHP writes as a list leaves an order's client and address as they are", async () => {
    const known = { client: { email: "anna@mail.example" }, addressToEntity: address };
    const { orderId } = await create(known);
    expect(await put(orderId, { client: [], addressToEntity: [] })).toMatchObject(known);
    expect(await put(orderId, { client: null })).toMatchObject({ client: null });
  });

  test("an address in one line is kept by POST, PUT and replace until the parts of the address come", async () => {
    const line = { addressTo: "Москва, Ленина 1", addressFrom: "Склад" };
    const made = await create(line);
    expect(made).toMatchObject({ ...line, addressToEntity: null, addressFromEntity: null });
    const { orderId } = made;
    expect(await put(orderId, made)).toEqual(made);
    const second = { addressTo: "Тверь, Мира 2" };
    expect(await put(orderId, second)).toMatchObject({ ...line, ...second });
    const replaced = await used.shop.post("/orders/replace", [{ orderId, addressFrom: "Другой склад" }]);
    expect(replaced.body[0]).toMatchObject({ ...second, addressFrom: "Другой склад" });
    expect(await put(orderId, { addressToEntity: address })).toMatchObject({ addressTo: "Москва, Ленина, 1" });
    // The line replaces the parts.
    expect(await put(orderId, line)).toMatchObject({ ...line, addressToEntity: null });
    expect(await put(orderId, { addressTo: null })).toMatchObject({ addressTo: null, addressFrom: "Склад" });
  });

  test.each([
    ["goods", { parentId: 0, weight: 0.5, isActive: "true" }, { parentId: null, weight: "0.5", isActive: 1 }],
    ["goods", { parentId: null, calcId: "4" }, { calcId: 4 }],
    ["couriers", { roleId: 0 }, { roleId: null }],
    ["suppliers", { taxId: 0, phone: 74951112233 }, { taxId: null, phone: "74951112233" }],
    ["suppliers", { inn: 7700000000 }, { inn: "7700000000" }],
    ["suppliers", { inn: "" }, { inn: null }],
    [
      "clients",
      { birthday: "1990-05-17 00:00:00", addressEntity: [] },
      { birthday: "1990-05-17", addressEntity: null },
    ],
    ["clients", { birthday: "", phone: [] }, { birthday: null, phone: null }],
    [
      "goods",
      { parentId: "", multiplicity: "", calcId: "", warehouses: "" },
      { parentId: null, multiplicity: null, calcId: null, warehouses: null },
    ],
    ["warehouses", { house: 12, isActive: null }, { house: "12", isActive: 1 }],
    ["warehouses", { isActive: "" }, { isActive: 1 }],
    ["taxes", { title: "Без налога (НДС)" }, { title: "Без налога (НДС)" }],
    ["taxes", { title: "УСН" }, { title: "УСН" }],
  ] as const)("a record of /%s with %j is read as %j", async (kind, given, stored) => {
    orders += 1;
    const required = {
      goods: { goodId: orders, taxId: 1, title: "Чай", price: 1 },
      couriers: { courierId: orders, title: "Иванов" },
      suppliers: { supplierId: orders, title: "ООО" },
      clients: { clientId: orders },
      warehouses: { warehouseId: orders, title: "Склад" },
      taxes: { taxId: `x${orders}` },
    };
    const { status, body } = await used.shop.post(`/${kind}`, [{ ...required[kind], ...given }]);
    expect([status, body]).toMatchObject([201, [stored]]);
  });

  const settings = { settingId: 1, login: "shop", password: "x", isProduction: 1, kktGroup: "main" };
  const company = { inn: "7700000000", taxSystem: "osn" };
  test.each([
    [{ isProduction: true }, { isProduction: 1 }],
    [
      { kktGroup: null, agent: null },
      { kktGroup: undefined, agent: undefined },
    ],
    [{ agent: [] }, { agent: undefined }],
    [{ company: { ...company, inn: 7700000000 } }, { company }],
    [{ company: { ...company, inn: " 770000000012 " } }, { company: { ...company, inn: "770000000012" } }],
    [{ login: 79160000900 }, { login: "79160000900" }],
  ])("settings of an online provider with %j are taken as %j", async (given, stored) => {
    const { password: _notShown, ...shown } = { ...settings, company, ...stored };
    const { body } = await used.shop.post("/partnerOnlineSettings/replace", { ...settings, company, ...given });
    expect(body).toEqual(shown);
  });

  test.each([{ isActive: "0", url: "" }, { isActive: false, url: null }, { isActive: 0 }])(
    "a callback is switched off by %j",
    async (given) => {
      const off = { status: 201, body: { url: "", isActive: 0 } };
      expect(await used.shop.post("/orders/callback", given)).toMatchObject(off);
    },
  );

  test.each([
    ["status", { deliveryStatusId: 2, accuracy: "", receipt: [], returnReasonId: "", isRefund: "" }],
    ["status", { deliveryStatusId: 2, accuracy: null, receipt: null, returnReasonId: 0, isRefund: "false" }],
    ["canceledItems", { items: [{ goodId: 501, count: 1, returnReasonId: "" }] }],
    ["canceledItems", { items: { "0": { goodId: "501", count: "1.0", returnReasonId: null, position: "" } } }],
  ])("a courier's report to %s with %j is taken", async (path, report) => {
    const { orderId } = await create({});
    const courier = await logIn(used.world, used.shop);
    expect(await courier.post(`/orders/${path}`, { orderId, ...report })).toMatchObject({ status: 201 });
  });

  test("a contact that cannot be read gives one warning at its field, in the answer to an order and to a client", async () => {
    const message = "is no e-mail address and no phone, and goes onto no receipt";
    const made = await create({ phone: "8 (912) 345-67-89 доб. 12", client: { email: "нет почты" } });
    expect(made.warnings).toEqual([
      { path: "phone", message },
      { path: "client.email", message },
    ]);
    expect((await used.shop.get("/orders", { orderId: made.orderId })).body.warnings).toBeUndefined();
    expect(await create({ phone: "9123456789", client: { email: "-" } })).not.toHaveProperty("warnings");
    const { body } = await used.shop.post("/clients", [
      { clientId: "odd", phone: "+7912, +7913" },
      { clientId: "even" },
    ]);
    expect(body.map(({ warnings }: { warnings?: unknown }) => warnings)).toEqual([
      [{ path: "phone", message }],
      undefined,
    ]);
  });

  test.each([
    ["is a bar code of the good", "markValue", { markValue: "4600439931256" }],
    ["has no GS", "markBinaryValue", { markValue: "raw", markBinaryValue: "010460043993125621JgXJ5.T93pOc1" }],
  ])(
    "a mark of a sale that %s gives one warning at %s, and none where the goods are not sent",
    async (message, field, mark) => {
      const goods = [item, { ...item, ...mark, count: 1, total: 250.5 }];
      const { orderId, warnings } = await create({ goods, amountToPay: 751.5 });
      expect(warnings).toEqual([{ path: `goods[1].${field}`, message: expect.stringContaining(message) }]);
      expect(await put(orderId, { description: "у двери" })).not.toHaveProperty("warnings");
    },
  );

  /** For each type of the tables: another spelling than the canonical one, and how it is stored and answered. */
  const spellings: Partial<Record<SpecType, readonly [sent: unknown, answered: unknown]>> = {
    string: [12, "12"],
    number: ["1.5", 1.5],
    sum: ["1.5", 1.5],
    flag: ["true", 1],
    array: [null, []],
  };
  /** Fields whose values name a record, or have a form of their own (tested above). */
  const formed = new Set(
    "birthday sourcePassword countryCode phone taxId calcId roleId parentId closeTypeId isActive clientId supplierId markValue markBinaryValue".split(
      " ",
    ),
  );
  const flagsShownAsBoolean = new Set(["isAgreed", "isRefund"]);

  /** SQL, HTML, a template, a prototype's name and a character of four bytes: each is stored unchanged. */
  const hostile = ["';--", '"or 1=1', "<b>{{7}}", "__proto_", "../..", "🧾"];

  function spelt(fields: Readonly<Record<string, SpecType>>, text?: string) {
    const rows = Object.entries(fields).flatMap(([name, kind]) => {
      const [sent, answered] = kind === "string" && text !== undefined ? [text, text] : (spellings[kind] ?? []);
      if (sent === undefined || formed.has(name)) return [];
      return [{ name, sent, answered: flagsShownAsBoolean.has(name) ? true : answered }];
    });
    return {
      names: rows.map(({ name }) => name),
      sent: Object.fromEntries(rows.map(({ name, sent }) => [name, sent])),
      answered: Object.fromEntries(rows.map(({ name, answered }) => [name, answered])),
    };
  }

  test.each(Object.entries(catalogRequests))(
    "each field of /%s is accepted, stored and answered by its kind (number, text, time ...)",
    async (kind, table) => {
      orders += 1;
      const [idField = ""] = Object.keys(table.required);
      const known = { title: "НДС 22%", taxId: 1, parentId: null, price: 1, [idField]: orders };
      const required = Object.fromEntries(Object.keys(table.required).map((name) => [name, Reflect.get(known, name)]));
      const { warehouses: _null, inn, ...others } = table.optional;
      // The INN of a supplier stands on receipts.
      const fields = inn === undefined || kind === "suppliers" ? others : { ...others, inn };
      for (const text of [undefined, "';--<b>{{7}}🧾"]) {
        const { sent, answered, names } = spelt(fields, text);
        const isFormed = Object.keys(fields).every((name) => formed.has(name));
        const id = text === undefined ? orders : `${orders} ${text}`;
        const { status, body } = await used.shop.post(`/${kind}`, [{ ...required, ...sent, [idField]: id }]);
        expect([status, names.length > 0 || isFormed]).toEqual([201, true]);
        expect(body).toMatchObject([answered]);
        expect((await used.shop.get(`/${kind}`, { [idField]: id })).body).toMatchObject(answered);
      }
    },
  );

  test.each([undefined, ...hostile])(
    "each field of an order and of its positions is accepted, stored and answered by its kind, with %j as each text",
    async (text) => {
      const { isRefund: _sale, prePaymentSum: _paid, ...fields } = requestTables["OrderCreate"]?.optional ?? {};
      const ofOrder = spelt(fields, text);
      const ofItem = spelt(requestTables["OrderItemRequest"]?.optional ?? {}, text);
      expect([ofOrder.names.length, ofItem.names.length]).toEqual([10, 8]);
      const goods = [{ ...item, ...ofItem.sent }];
      const made = await create({ ...ofOrder.sent, goods, ...(text === undefined ? {} : { orderId: text }) });
      const shown = { ...ofOrder.answered, goods: [ofItem.answered] };
      expect(made).toMatchObject(shown);
      expect((await used.shop.get("/orders", { orderId: made.orderId })).body).toMatchObject(shown);
    },
  );
});
