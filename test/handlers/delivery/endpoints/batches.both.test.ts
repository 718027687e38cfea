import { toOrderId } from "@fiscald/shared/ids.js";
import { countStatements } from "../../../support/count-statements.js";
import { paid, printAll, tea } from "../../../tools/money-model/money-world.js";
import { checkAnswersAgainstDocument, newOrder } from "../delivery-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";

checkAnswersAgainstDocument();

describeOnBothStores("many orders in one request", (newDatabase) => {
  const { money, logged } = useMoney(newDatabase, { printPrepaymentReceipt: true });

  const ids = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
  const orders = (orderIds: readonly number[], changes: object = {}) =>
    orderIds.map((orderId) => newOrder({ ...paid, orderId, goods: [tea(2)], ...changes }));
  const create = async (body: readonly object[], path = "/orders") => {
    const reply = await money.shop.post(path, body);
    expect(reply.status).toBe(201);
    return reply;
  };
  const update = async (orderIds: readonly number[], attributes: object) =>
    expect((await money.shop.put("/orders/multipleUpdate", { orderIds, attributes })).status).toBe(204);
  const count = (work: () => Promise<unknown>) => countStatements(money.world.backend.store.db.getExecutor(), work);
  const states = async (orderIds: readonly number[]) => {
    const entries = await money.world.backend.store.db
      .selectFrom("account_entries")
      .select(["sale_id", "kind", "state"])
      .orderBy("seq")
      .execute();
    const ofOrder = (orderId: number) => entries.filter(({ sale_id }) => sale_id === String(orderId));
    return orderIds.flatMap((orderId) => ofOrder(orderId).map(({ kind, state }) => `${kind} ${state}`));
  };

  /** Other work of the process may ask the database meanwhile; one statement for each order would be many more. */
  const ELSEWHERE = 10;
  const [few, many] = [ids(1, 3), ids(100, 50)];

  test.each([
    ["that are paid", {}, "sale queued"],
    ["that are prepaid", { prePaymentSum: 100 }, "prepayment queued"],
    ["that are prepaid and delivered", { prePaymentSum: 501, deliveryStatusId: 3 }, "prepayment queued"],
  ])("50 orders %s in one request need about as many statements as 3 orders", async (_what, changes, state) => {
    const ofFew = await count(() => create(orders(few, changes)));
    expect(await count(() => create(orders(many, changes)))).toBeLessThan(ofFew + ELSEWHERE);
    expect(await states(many)).toEqual(many.map(() => state));
  });

  const inShop = { isInternetPayment: 0, internetPaymentUrl: null };
  test.each([
    ["become paid", { statusId: 0 }, { statusId: 1 }, ["sale queued"]],
    ["are delivered and due for a receipt", inShop, { deliveryStatusId: 3 }, ["sale queued"]],
    ["are delivered and have their receipts", {}, { deliveryStatusId: 3 }, ["sale queued"]],
    ["are sent out and not due for a receipt", { statusId: 0 }, { deliveryStatusId: 2 }, []],
  ])("50 orders that %s need about as many statements as 3 orders", async (_what, before, attributes, each) => {
    await create(orders([...few, ...many], before));
    const ofFew = await count(() => update(few, attributes));
    expect(await count(() => update(many, attributes))).toBeLessThan(ofFew + ELSEWHERE);
    expect(await states(many)).toEqual(many.flatMap(() => each));
  });

  test("each of many different orders in one request gets the receipt that it would get in a request of its own", async () => {
    await create(orders([1, 2, 3, 4, 5]));
    expect(await printAll(money.till)).toEqual(ids(1, 5).map(() => "sale 50100"));
    const noContact = { client: null, phone: null, deliveryStatusId: 3 };
    const sent = [
      ...orders([1], { description: "printed, and the same" }),
      ...orders([6], { goods: [tea(1)] }),
      ...orders([2], { deliveryStatusId: 6, returnReasonId: 1 }),
      ...orders([7], noContact),
      ...orders([8], { prePaymentSum: 100 }),
      ...orders([9], { statusId: 0 }),
      ...orders([10], { goods: [], amountToPay: 10 }),
    ];
    await create(sent, "/orders/replace");
    expect(await states(ids(1, 10))).toEqual([
      "sale registered",
      "sale registered",
      "return queued",
      "sale registered",
      "sale registered",
      "sale registered",
      "sale queued",
      "prepayment queued",
    ]);
    expect((await printAll(money.till)).toSorted()).toEqual(["return 50100", "sale 10000", "sale 25050"]);
  });

  test("a replace request makes the queued receipt of a changed order again and keeps the receipts of the other orders", async () => {
    await create(orders(ids(1, 3)));
    await create([...orders([1]), ...orders([2], { goods: [tea(1)] }), ...orders([3])], "/orders/replace");
    expect((await printAll(money.till)).toSorted()).toEqual(["sale 25050", "sale 50100", "sale 50100"]);
  });

  test("an order whose receipt the site has enqueued itself is compared with that receipt", async () => {
    const { bridge } = money.world;
    await create(orders([1]));
    const receipts = await bridge?.receiptsOf(money.shop.access.resource.id);
    const [known] = (await receipts?.findByOrder(toOrderId("1"))) ?? [];
    if (receipts === undefined || known?.receipt.kind !== "receipt") throw new Error("there is no receipt");
    await receipts.enqueue({ ...known.receipt, receiptId: null, orderId: toOrderId("2") });
    await create(orders([2, 3]));
    expect((await receipts.findByOrder(toOrderId("2"))).map(({ state }) => state)).toEqual(["queued"]);
    expect(await printAll(money.till)).toEqual(["sale 50100", "sale 50100", "sale 50100"]);
  });

  test("one refused order refuses the whole request, and nothing of the request is stored", async () => {
    await create(orders([1]));
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    const body = [...orders(ids(10, 5), { amountToPay: 10 }), ...orders([1], { goods: [tea(1)] })];
    const { status, body: answer } = await money.shop.post("/orders/replace", body);
    expect([status, answer.message]).toEqual([422, expect.stringContaining("[5].goods")]);
    expect(await states(ids(10, 5))).toEqual([]);
    expect(await printAll(money.till)).toEqual([]);
    expect(logged.filter((line) => line.includes("amountToPay differs"))).toEqual([]);
  });
});
