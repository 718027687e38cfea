import { receiptOfReturn } from "@fiscald/daemon/intake/return-receipt.js";
import { quantity } from "@fiscald/shared/amounts.js";
import { wireSigns } from "@fiscald/shared/exchange/online-receipt.js";
import { toReceiptId } from "@fiscald/shared/ids.js";
import { parseLocalTime } from "@fiscald/shared/local-time.js";
import { toOnlineReceipt } from "@fiscald/shared/receipt/formats/to-online-receipt.js";
import { type SaleReceipt, signOf } from "@fiscald/shared/receipt/receipt.js";
import { withNamedRates } from "@fiscald/shared/receipt/tax-meaning.js";
import { createSqliteFile, type TestDatabase } from "../../../support/site-databases.js";
import {
  asRefund,
  kkm,
  type MoneyWorld,
  openMoneyWorld,
  paid,
  refundOrder,
  sale,
  tea,
} from "../../../tools/money-model/money-world.js";
import { newOrder } from "../delivery-world.js";

const receiptId = toReceiptId("6c1f4c1e-7d0a-4d61-9a3e-00000000000a");
let database: TestDatabase;
let money: MoneyWorld;

beforeEach(async () => {
  database = await createSqliteFile();
  money = await openMoneyWorld(database);
});
afterEach(async () => {
  await money.close();
  await database.drop();
});

/** Sells order 1042 of two packets of tea for 501.00, and reports the till's return of one packet. */
async function returnOne(
  outcome: "printed" | "unknown" = "printed",
  over: Partial<SaleReceipt> = {},
): Promise<SaleReceipt> {
  const order = newOrder({ ...paid, orderId: 1042, goods: [tea(2)], amountToPay: 501, deliveryStatusId: 3 });
  expect(await money.shop.post("/orders", [order])).toMatchObject({ status: 201 });
  const printed = sale(await money.till.printNext());
  const lines = [{ position: 1, quantity: quantity(1_000_000) }];
  const back = { ...receiptOfReturn({ printed, returns: [], lines, fixes: null, receiptId }), ...over };
  await tell(back, outcome);
  return back;
}

async function tell(back: SaleReceipt, outcome: "printed" | "unknown" | "failed"): Promise<void> {
  const time = parseLocalTime("2026-11-29T12:00");
  if (time === null) throw new Error("not a time");
  const named = withNamedRates(back, [{ id: 21, vat: 11, title: null }]);
  await money.till.call("result", {
    ...{ action: "orderConfirm", kkm, inn: "7700000000", fn: "9999078900000001", orderId: "1042", receiptId, outcome },
    ...{ resultCode: outcome === "printed" ? 0 : 4, operation: wireSigns[signOf(back)], total: 250.5 },
    by: "operator",
    ...(outcome === "printed" ? { fdNumber: "77", fpd: "1", shiftNumber: "5" } : {}),
    receipt: toOnlineReceipt(named, time),
  });
}

const statement = async () => (await money.shop.get("/orderAccounts", { orderId: 1042 })).body;

test("a return at the till is an entry of the sale's account, with an alert to check the money", async () => {
  await returnOne();
  const entry = {
    number: 2,
    kind: "return",
    basisNumber: 1,
    issuedBy: "operator",
    state: "registered",
    fdNumber: "77",
  };
  expect(await statement()).toMatchObject({
    ...{ isBalanced: false, sold: "501.00", returned: "250.50" },
    findings: [expect.stringMatching(/^250\.50 is returned at the till by a person \(FD 77\): look at the money/)],
    entries: [{ issuedBy: "shop" }, { ...entry, total: "250.50", isAssumed: false, refundOrderId: null }],
  });
  const log = (await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 50 })).body;
  expect(log.map(({ errorCode }: { errorCode: string | null }) => errorCode)).toContain("account.unbalanced");
});

test("after a return at the till, only the rest of an order is returned when the order comes back", async () => {
  await returnOne();
  await money.shop.put("/orders", { deliveryStatusId: 6 }, { query: { orderId: 1042 } });
  const rest = sale(await money.till.printNext());
  expect(rest).toMatchObject({ operation: "return", lines: [{ quantity: 1_000_000, total: 250_50 }] });
  expect(await money.till.printNext()).toBeNull();
  expect(await statement()).toMatchObject({ returned: "501.00" });
});

test("a return at the till that fails after the rest of a returned order is printed leaves an alert of what is not returned", async () => {
  const back = await returnOne("unknown");
  await money.shop.put("/orders", { deliveryStatusId: 6 }, { query: { orderId: 1042 } });
  expect(sale(await money.till.printNext())).toMatchObject({ operation: "return", lines: [{ total: 250_50 }] });
  await tell(back, "failed");
  const findings = [expect.stringMatching(/^It has come back as a whole, and its return is without 250\.50 of it/)];
  expect(await statement()).toMatchObject({ returned: "250.50", isBalanced: false, findings });
});

test("a refund order of the piece that is left after a return at the till is printed, and a further one gets an alert", async () => {
  await returnOne();
  const refund = (orderId: string) =>
    money.shop.post("/orders", [refundOrder(1, { orderId, returnedOrderId: 1042 })], asRefund);
  expect(await refund("R-1")).toMatchObject({ status: 201 });
  expect(sale(await money.till.printNext())).toMatchObject({ operation: "return", lines: [{ total: 250_50 }] });
  expect(await refund("R-2")).toMatchObject({ status: 201 });
  expect(await money.till.printNext()).toBeNull();
  const findings = expect.arrayContaining([
    expect.stringMatching(/^Refund order R-2 of 250\.50 has no receipt: too little/),
  ]);
  expect(await statement()).toMatchObject({ returned: "501.00", findings });
});

test("a return at the till whose outcome is unknown counts until it is known to have failed", async () => {
  const back = await returnOne("unknown");
  expect(await statement()).toMatchObject({ entries: [{}, { issuedBy: "operator", state: "unknown" }] });
  await tell(back, "failed");
  expect(await statement()).toMatchObject({ isBalanced: true, entries: [{}, { state: "failed" }] });
});

test.each(["return", "sale"] as const)(
  "a correction of a %s that a person ordered at the till is in the journal and changes nothing in the account",
  async (operation) => {
    await returnOne("printed", { operation, correction: { type: "self", date: "2026-07-14" } });
    expect(await statement()).toMatchObject({ isBalanced: true, returned: "0.00", entries: [{ issuedBy: "shop" }] });
    const journal = (await money.shop.get("/journal", { entityId: 1042, page: 1, count: 9 })).body;
    expect(JSON.stringify(journal)).toContain('"fdNumber":"77"');
  },
);
