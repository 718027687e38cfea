/** What no receipt can carry is told at the field of the order that it stands in: there a developer of the site looks for it. */
import { newOrder } from "./delivery-world.js";
import { moneyOfEach } from "./money-of-each.js";
import { byId, paid, printAll, tea } from "./money-world.js";
import { describeOnBothStores } from "./on-both-stores.js";

describeOnBothStores("what no receipt can carry", (newDatabase) => {
  const { money } = moneyOfEach(newDatabase);

  const create = async (changes: object) =>
    expect((await money.shop.post("/orders", [newOrder({ ...paid, ...changes })])).status).toBe(201);
  const told = async () => {
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 30 });
    return body.flatMap(({ errorText }: { errorText: string | null }) => errorText ?? []);
  };
  const cake = (changes: object) => ({ goodId: 502, count: 1, price: 60, total: 60, discountTotal: 0, ...changes });

  test.each([
    ["countryCode", "RU"],
    ["unit", "упаковка по пять штук"],
    ["vedCode", "1".repeat(33)],
    ["customDeclarationCode", "1".repeat(33)],
    ["markValue", "1".repeat(257)],
    ["markBinaryValue", "1".repeat(257)],
  ])("a wrong %s is told at its position", async (field, text) => {
    await create({ goods: [tea(2), cake({ [field]: text }), tea(1)] });
    expect(await told()).toEqual([expect.stringMatching(new RegExp(`^goods\\[1\\]\\.${field}: `))]);
    expect((await money.shop.get("/orders", { orderId: 1042 })).body.frReceiptStatusId).toBe(2);
    await money.shop.put("/orders", { goods: [tea(2), cake({}), tea(1)] }, byId);
    expect(await printAll(money.till)).toEqual(["sale 81150"]);
  });

  test("of positions that are alike the one that it is in is told, also behind one that is split in two", async () => {
    const odd = tea(3, { discountTotal: -0.01 });
    await create({
      goods: [odd, cake({ countryCode: "643" }), cake({ countryCode: "RU" }), cake({ unit: "u".repeat(17) })],
    });
    expect(await told()).toEqual([expect.stringMatching(/^goods\[2\]\.countryCode: .*\(and 1 more\)$/)]);
  });

  test("of positions that the courier took back the number is still that of the order", async () => {
    const items = [{ goodId: 501, returnReasonId: 1, count: 2 }];
    await create({ statusId: 0, goods: [tea(2), cake({ countryCode: "RU" })] });
    expect((await money.courier.post("/orders/canceledItems", { orderId: 1042, items })).status).toBe(204);
    expect((await money.shop.put("/orders", { deliveryStatusId: 4, statusId: 1 }, byId)).status).toBe(201);
    expect(await told()).toEqual([expect.stringMatching(/^goods\[1\]\.countryCode: /)]);
  });

  test("a supplier's wrong INN is told at the order's supplier", async () => {
    await money.shop.post("/suppliers", [{ supplierId: 5, title: "ООО", phone: "+79990000000", inn: "123", taxId: 1 }]);
    await create({ supplierId: 5 });
    expect(await told()).toEqual([expect.stringMatching(/^supplierId: .*INN/)]);
  });

  test("an address of the internet payment that is too long is told at its field", async () => {
    await create({ internetPaymentUrl: `https://shop.example/${"a".repeat(256)}` });
    expect(await told()).toEqual([expect.stringMatching(/^internetPaymentUrl: /)]);
  });

  test("a contact that is missing is told where it would stand", async () => {
    await create({ client: null, phone: null });
    expect(await told()).toEqual([expect.stringMatching(/^client\.email: /)]);
  });
});
