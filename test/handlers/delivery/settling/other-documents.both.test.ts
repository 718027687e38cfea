import { kkm, paid, sale } from "../../../tools/money-model/money-world.js";
import { newOrder } from "../delivery-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";

const fn = "9999078900000001";
const result = {
  action: "orderConfirm",
  kkm,
  inn: "7700000000",
  fn,
  resultCode: 0,
  resultInfo: "",
  shiftNumber: "12",
  OFDLink: "",
  orderId: "1042",
  receiptId: "by-hand",
  outcome: "printed",
  fdNumber: "318",
  fpd: "1234567890",
  dateTime: "20.11.2026 17:30:15",
  total: 501,
};
const page = { page: 1, count: 9 };

describeOnBothStores("documents beside the receipts of an account", (newDatabase) => {
  const { money } = useMoney(newDatabase);
  const report = (changes: object) => money.till.call("result", { ...result, ...changes }, { "webhook-id": "one" });
  const journalOf = async () => {
    const { body } = await money.shop.get("/journal", { entityId: 1042, ...page });
    return body.map((row: { afterItem: { fiscalDocument?: object } }) => row.afterItem.fiscalDocument ?? null);
  };
  const corrections = async () => (await money.shop.get("/correctionReceipts", page)).body;
  const logged = async () => {
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, ...page });
    return body.map((row: { errorCode: string; amount: string }) => [row.errorCode, row.amount]);
  };
  const document = { fn, fdNumber: "318", fiscalSign: "1234567890", amount: "501.00" };
  const correction = {
    correctionReceiptId: 1234567890,
    courierId: "7",
    serialNumber: kkm,
    amount: "501.00",
    commandExecutedAt: "2026-11-20 14:30:15",
  };

  test.each([
    ["the correction of a sale", "sell_correction", { operation: "sale", isCorrection: true }, [correction]],
    ["the correction of a return", "sell_refund_correction", { operation: "return", isCorrection: true }, [correction]],
    ["a return by the till's operator", "sell_refund", { operation: "return", isCorrection: false }, []],
  ])(
    "%s is once in the order's journal and in the log of registers, even if it is reported twice",
    async (_what, operation, shown, listed) => {
      await money.shop.post("/orders", [newOrder()]);
      await report({ operation });
      await report({ operation });
      expect(await journalOf()).toEqual([null, { ...shown, ...document }]);
      expect(await logged()).toEqual([[null, "501.00"]]);
      expect(await corrections()).toEqual(listed);
      expect((await money.shop.get("/orderReceipts", { orderId: 1042 })).status).toBe(404);
    },
  );

  test("a correction that is not printed is in the log of registers alone", async () => {
    await money.shop.post("/orders", [newOrder()]);
    await report({ operation: "sell_correction", outcome: "failed", resultCode: 4, resultInfo: "Нет бумаги" });
    expect(await journalOf()).toEqual([null]);
    expect(await logged()).toEqual([["4", "501.00"]]);
    expect(await corrections()).toEqual([]);
  });

  test("a correction receipt of a sale that was never an order of the API is in the list of corrections, without a courier", async () => {
    await report({ operation: "sell_correction" });
    expect(await corrections()).toEqual([{ ...correction, courierId: "" }]);
    expect(await logged()).toEqual([[null, "501.00"]]);
  });

  test("a receipt of an unknown order is shown nowhere", async () => {
    await report({ operation: "sell_refund" });
    expect([await corrections(), await logged()]).toEqual([[], []]);
  });

  test("a receipt of the account does not count as another document, and a deleted order gets no row in its journal", async () => {
    await money.shop.post("/orders", [newOrder(paid)]);
    await money.till.report(sale(await money.till.poll()));
    await money.shop.delete("/orders", { orderId: 1042 });
    await report({ operation: "sell_correction" });
    expect(await journalOf()).toEqual([null, null]);
    expect(await corrections()).toHaveLength(1);
  });

  test("two orders whose receipts are reported with one document number are both printed", async () => {
    await money.shop.post("/orders", [newOrder(paid), newOrder({ ...paid, orderId: 1043 })]);
    for (const id of ["one", "two"]) {
      const { orderId, receiptId } = sale(await money.till.poll());
      await money.till.call("result", { ...result, orderId, receiptId, operation: "sell" }, { "webhook-id": id });
    }
    const statusOf = async (orderId: number) => (await money.shop.get("/orders", { orderId })).body.frReceiptStatusId;
    expect([await statusOf(1042), await statusOf(1043)]).toEqual([1, 1]);
  });

  test("a correction without a receiptId is not taken for the receipt of the sale that is being printed", async () => {
    await money.shop.post("/orders", [newOrder(paid)]);
    await money.till.poll();
    await report({ operation: "sell_correction", receiptId: undefined });
    expect((await money.shop.get("/orders", { orderId: 1042 })).body.receiptStatusId).toBe(0);
    expect(await corrections()).toHaveLength(1);
  });
});
