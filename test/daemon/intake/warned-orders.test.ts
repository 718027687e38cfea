/** What a site hears of an order that is not as meant: the misspelt key, the missing rate, and its own ids. */
import { type Shop, useShops } from "../../support/make-shop.js";

const open = useShops();
const receiptId = "7b0c3a52-0000-4000-8000-000000000001";
let shop: Shop;

beforeEach(() => {
  shop = open();
});

function bodyOf(param: object, { ids = { orderId: "A-1", receiptId } as object, summ = 100 } = {}) {
  const taskTable = [
    { type: "OpenCheckSell" },
    { type: "Registration", data: "Чай", param: { price: 100, quantity: 1, ...param } },
    { type: "Payment", param: { summ, typeClose: 0 } },
    { type: "CloseCheck" },
  ];
  return { response: { ...ids, taskTable } };
}

function cashIn(summ: number | string) {
  return { response: { receiptId, taskTable: [{ type: "CashIncome", data: "", param: { summ } }] } };
}

test("each order with a misspelt key and no rate has both warnings in its result, although the log has them once", () => {
  for (const orderId of ["A-1", "A-2"]) {
    shop.take(bodyOf({ nds: 22 }, { ids: { orderId } }));
    shop.printAll();
  }
  const warnings = [
    { path: "taskTable[1].param.nds", message: expect.stringMatching(/[а-я].*`vat`/) },
    { path: "taskTable[1].param.tax", message: expect.stringMatching(/ставки нет/) },
  ];
  expect(shop.told()).toMatchObject([
    { orderId: "A-1", outcome: "printed", warnings },
    { orderId: "A-2", outcome: "printed", warnings },
  ]);
  expect(shop.log.filter((line) => line.includes("hardly meant"))).toHaveLength(2);
});

test("a key that every order of a site has had for a week is no longer a warning in its results", async () => {
  for (let day = 0; day <= 8; day += 1) {
    shop.take(bodyOf({ tax: 1, coupon: "x" }, { ids: { orderId: `A-${day}` } }));
    await shop.clock.advance(24 * 3_600_000);
  }
  shop.printAll();
  expect(shop.told().map((body) => "warnings" in body)).toEqual([...Array(8).fill(true), false]);
});

test("a tax row that looks like a percentage is warned of in the result, even before the rows were read again", () => {
  const rows = [{ id: 10, title: "НДС 7/107", vat: 10 }] as const;
  const own = open({ taxListsOf: () => [rows], areRowsConfirmed: () => false }, {}, "percent");
  own.take(bodyOf({ tax: 10 }));
  own.printAll();
  const message = expect.stringContaining("строка 10 — НДС 7/107, не 10 %");
  const warning = { path: "taskTable[1].param.tax", message };
  expect(own.told()).toMatchObject([{ outcome: "printed", warnings: expect.arrayContaining([warning]) }]);
});

test("a tax row that looks like a percentage is warned of in one result of a day, and in another on the next day", async () => {
  const rows = [{ id: 7, title: "НДС 5%", vat: 7 }] as const;
  const own = open({ taxListsOf: () => [rows] }, {}, "daily");
  for (const orderId of ["A-1", "A-2"]) own.take(bodyOf({ tax: 7 }, { ids: { orderId } }));
  await own.clock.advance(24 * 3_600_000);
  for (const orderId of ["A-3", "A-4"]) own.take(bodyOf({ tax: 7 }, { ids: { orderId } }));
  own.printAll();
  expect(own.told().map((body) => "warnings" in body)).toEqual([true, false, true, false]);
});

test("the result of a refused order has the unknown key as a warning beside the error", () => {
  shop.take(bodyOf({ tax: 1, price: undefined, pirce: 100 }));
  const errors = [{ path: "taskTable[1].param.price" }];
  expect(shop.told()).toMatchObject([{ outcome: "failed", errors, warnings: [{ path: "taskTable[1].param.pirce" }] }]);
});

test.each([
  ["a wrong sum", bodyOf({ tax: 1 }, { summ: 1 })],
  ["a missing price", bodyOf({ tax: 1, price: "" })],
  ["a rate that does not exist", bodyOf({ vat: { type: "vat23" } })],
])("a refused order with %s is reported under its receiptId", (_, body) => {
  shop.take(body);
  expect(shop.told()).toMatchObject([{ orderId: "A-1", receiptId, outcome: "failed" }]);
});

test("a refused order without a number is reported under its receiptId, and an order without either is not reported", () => {
  shop.take(bodyOf({ tax: 1 }, { ids: { receiptId } }));
  expect(shop.told()).toMatchObject([{ orderId: null, receiptId, outcome: "failed", resultCode: 3 }]);
  shop.take(bodyOf({ tax: 1 }, { ids: {} }));
  shop.take(bodyOf({ tax: 1, price: "" }, { ids: { orderId: "A-2", receiptId: "not a UUID" } }));
  expect(shop.told().map(({ orderId }) => orderId)).toEqual([null, "A-2"]);
  expect(shop.told()[1]).not.toHaveProperty("receiptId");
});

test.each(["queued", "unsure", "printed"] as const)(
  "an order that cannot be read is not reported as failed while the receipt with its receiptId is %s",
  (state) => {
    shop.take(bodyOf({ tax: 1 }));
    if (state === "unsure") shop.jobs.markUnsure(1, { code: "link.corrupt", message: "" }, 0);
    if (state === "printed") shop.printAll();
    shop.take(bodyOf({ tax: 1, price: "" }));
    shop.take(bodyOf({ tax: 1, price: "" }, { ids: { receiptId } }));
    expect(shop.told().filter(({ outcome }) => outcome === "failed")).toEqual([]);
    // Another order that has taken the id is reported under its number alone.
    shop.take(bodyOf({ tax: 1, price: "" }, { ids: { orderId: "A-2", receiptId } }));
    const [told, ...others] = shop.told().filter(({ outcome }) => outcome === "failed");
    expect([told, others]).toMatchObject([{ orderId: "A-2" }, []]);
    expect(told).not.toHaveProperty("receiptId");
  },
);

test("a refused order without a number is not reported if its result could not name a receipt", () => {
  shop.take(cashIn(500));
  shop.take(cashIn("много"));
  const plain = open({}, { resultExtras: false }, "plain");
  plain.take(cashIn("много"));
  expect([shop.jobs.get(1).state, shop.told(), plain.told()]).toEqual(["queued", [], []]);
});

test.each([
  ["a receipt", bodyOf({ tax: 1 }), /^Неизвестно, вышел ли чек\. /],
  ["a cash income", cashIn(500), /^Неизвестно, выполнено ли это\. /],
])("the result of %s whose outcome is unknown says so first, whatever the register has said", (_, body, text) => {
  shop.take(body);
  shop.events.result(shop.jobs.markUnsure(1, { code: "device.fn-failure", message: "" }, 0), "unknown");
  expect(shop.told().at(-1)?.["resultInfo"]).toMatch(text);
});
