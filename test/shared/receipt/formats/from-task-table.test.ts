import {
  close,
  item,
  itemOf,
  pay,
  problemsFrom,
  read,
  refusalsOf,
  saleFrom,
  saleOf,
  sell,
  table,
  tea,
} from "../../../support/order-samples.js";

const text = { type: "String", data: "Спасибо" };

describe("payments of a task table", () => {
  test.each([
    ["nothing is paid", [], "receipt.no-payments", 3],
    ["only zero is paid", [pay(0)], "receipt.no-payments", 3],
    ["two kopecks of one line are missing", [pay(99.98, 0)], "receipt.payments-mismatch", 1],
    ["more than the total is paid by card", [pay(100.02)], "receipt.payments-mismatch", 1],
    [
      "cash makes up for a card payment above the total",
      [pay(60, 1), pay(60, 2), pay(10, 0)],
      "receipt.payments-mismatch",
      1,
    ],
    [
      "a negative payment is larger than the payment that it cancels",
      [pay(200, 0), pay(-1, 1)],
      "receipt.payments-mismatch",
      1,
    ],
    ["the sum is missing", [{ type: "Payment", param: { typeClose: 1 } }], "order.missing-value", 3],
    ["the type is missing", [{ type: "Payment", param: { summ: 100 } }], "order.missing-value", 3],
    ["the type is negative", [pay(100, -1)], "order.wrong-value", 1],
    ["the sum has three decimals", [pay(100.001, 0)], "order.wrong-value", 1],
  ])("payments of a task table are refused when %s", (_, payments, code, resultCode) => {
    expect(problemsFrom(table([sell, tea, ...payments, close]))).toMatchObject([{ code, resultCode }]);
  });

  test("payments of a task table are added up by type, in ascending sequence, without zeros", () => {
    const payments = [pay(30, 1), pay(100, 0), pay(-100, 0), pay(20, 2), pay(50, 1), pay(7, 0)];
    expect(saleFrom(table([sell, tea, ...payments, close])).payments).toEqual([
      { typeClose: 0, sum: 700 },
      { typeClose: 1, sum: 8000 },
      { typeClose: 2, sum: 2000 },
    ]);
  });
});

describe("a task table as a whole", () => {
  test.each([
    ["no positions", table([sell, pay(1), close]), "receipt.no-items 3"],
    ["no order number", { response: { taskTable: [sell, tea, pay(100), close] } }, "order.missing-value 3"],
    [
      "a total of nine digits",
      table([sell, item({ price: 99_999_999, quantity: 1 }), tea, pay(99_999_999, 0), close]),
      "receipt.total-mismatch 1",
    ],
    [
      "an order number beyond 2^53 as a JSON number",
      '{"response":{"orderId":9007199254740993,"taskTable":[]}}',
      "order.wrong-value 1",
    ],
    ["an order number of 129 characters", whole({ orderId: "x".repeat(129) }), "order.wrong-value 1"],
    ["an order number given twice", whole({ OrderId: "A-2" }), "order.wrong-value 1"],
    ["a receiptId that is no UUID", whole({ receiptId: "7" }), "order.wrong-value 1"],
    ["a table that is an object", table({ 0: sell }), "order.wrong-value 1"],
    ["no table", { response: { orderId: "A-1" } }, "order.missing-value 3"],
    ["a line that is a text", table([sell, "Registration", pay(100), close]), "order.wrong-value 1"],
    ["a line without a type", table([sell, { data: "x" }, close]), "order.missing-value 3"],
    ["an unknown line type", table([sell, { type: "Discount" }, close]), "order.wrong-value 1"],
    [
      "the name of a method of every object as a type",
      table([sell, { type: "constructor" }, close]),
      "order.wrong-value 1",
    ],
    ["a param that is a text", table([sell, { type: "Cut", param: "x" }, close]), "order.wrong-value 1"],
    [
      "1001 lines",
      table([sell, ...Array.from({ length: 996 }, () => text), tea, pay(100), text, close]),
      "order.too-large 1",
    ],
    [
      "a table above 100 KB",
      table([sell, { type: "String", data: "я".repeat(51_300) }, tea, pay(100), close]),
      "order.too-large 1",
    ],
    ["an internet payment without an address", internet({ internetPaymentUrl: "" }), "receipt.internet 3"],
    ["an internet payment without a contact", internet({}, ""), "receipt.internet 3"],
    ["an internet flag of 2", internet({ isInternetPayment: 2 }), "order.wrong-value 1"],
    ["an address of 257 characters", internet({ internetPaymentUrl: "s".repeat(257) }), "order.wrong-value 1"],
    ["a contact that is neither phone nor e-mail", internet({}, "buyer"), "order.wrong-value 1"],
    ["a tax system of two bits", whole({ taxSystem: 3 }), "order.wrong-value 1"],
    ["a cashier's INN of ten digits", whole({ cashierName: "A", cashierINN: "7700000000" }), "order.wrong-value 1"],
    ["a cashier's INN without a name", whole({ cashierINN: "770000000000" }), "order.missing-value 3"],
    ["a cashier's position without a name", whole({ cashierPosition: "Кассир" }), "order.missing-value 3"],
    [
      "a cashier's position and name above 64 characters together",
      whole({ cashierName: "И".repeat(40), cashierPosition: "К".repeat(24) }),
      "order.wrong-value 1",
    ],
  ])("a task table with %s is refused", (_, order, expected) => {
    expect(problemsFrom(order).map(({ code, resultCode }) => `${code} ${resultCode}`)).toEqual([expected]);
  });

  function whole(head: object): object {
    return table([sell, tea, pay(100), close], head);
  }

  function internet(head: object, contact = "buyer@example.ru"): object {
    const lines = [sell, { type: "ClientContact", data: contact }, tea, pay(100), close];
    return table(lines, { isInternetPayment: 1, internetPaymentUrl: "shop.example", ...head });
  }

  test("a task table of a thousand lines is accepted", () => {
    const texts = Array.from({ length: 996 }, () => text);
    expect(saleFrom(table([sell, ...texts, tea, pay(100), close])).lines).toHaveLength(997);
  });

  test("a task table with several mistakes is refused with one fault that counts them all", () => {
    const answer = read(table([sell, item({ price: -1, quantity: 1 }), item({ quantity: "x" }), pay("?"), close]));
    expect(answer).toMatchObject({
      kind: "broken",
      fault: {
        code: "order.wrong-value",
        place: "taskTable[1].param.price",
        message: expect.stringMatching(
          /^taskTable\[1\]\.param\.price: must be roubles from 0 .*, not -1 \(and 3 more\)$/,
        ),
      },
    });
  });

  test("a wrong contact is refused beside wrong payments, and is not called missing", () => {
    const lines = [sell, { type: "ClientContact", data: "nobody" }, tea, pay(1), close];
    expect(refusalsOf(table(lines, { isInternetPayment: 1, internetPaymentUrl: "shop.example" }))).toEqual([
      "1 taskTable[1].data",
      "1 taskTable",
    ]);
  });

  test.each([
    [1, "payments are 1.00, positions come to 122.00: 121.00 is missing"],
    [130, "cashless payments are 130.00, positions come to 122.00: 8.00 is too much"],
  ])("a cashless payment of %d for 122 roubles is refused with the difference", (sum, message) => {
    const lines = [sell, item({ price: 122, quantity: 1 }), pay(sum, 1), close];
    expect(problemsFrom(table(lines))).toMatchObject([{ message }]);
  });

  test.each(["916123456", "(916) 123-45-67, 2", "@ivan_petrov", "ivan(at)mail.ru"])(
    "the refusal of an unrecognised contact does not repeat that contact (%s)",
    (contact) => expect(JSON.stringify(problemsFrom(internet({}, contact)))).not.toContain(contact),
  );

  test("an internet payment without a contact is accepted when the rule for contacts is switched off", () => {
    const rules = { requireContactForInternet: false, strictPaper: true };
    expect(saleFrom(internet({}, ""), { rules })).toMatchObject({ contact: null, internet: { url: "shop.example" } });
  });

  test.each([
    [1, true],
    ["1", true],
    [true, true],
    ["true", true],
    [0, false],
    ["0", false],
    [false, false],
    ["", false],
    [null, false],
  ])("isInternetPayment %p of a task table is read as %p", (isInternetPayment, expected) => {
    expect(saleFrom(internet({ isInternetPayment })).internet !== null).toBe(expected);
  });

  const onLine = { CashierName: "Петров", taxSystem: "1", clientcontact: "a@b" };

  test.each([
    ["at the root", whole({ cashierName: "Петров", taxSystem: "osn", clientContact: "a@b" })],
    ["on the open line", table([{ ...sell, param: onLine }, tea, pay(100), close])],
    ["on the close line", table([sell, tea, pay(100), { ...close, param: onLine }])],
  ])("the extensions of a task table are read %s", (_, order) => {
    expect(saleFrom(order)).toMatchObject({ cashier: { name: "Петров", inn: null }, taxSystem: 1, contact: "a@b" });
  });

  test("the cashier of a task table has position and name in full", () => {
    const head = { cashierName: "И".repeat(40), cashierPosition: "К".repeat(23) };
    const { cashier } = saleFrom(table([sell, tea, pay(100), close], head));
    expect(cashier?.name).toBe(`${head.cashierPosition} ${head.cashierName}`);
  });

  test("a param of a task table that is no object is refused with a sentence that says what it must be", () => {
    expect(problemsFrom(table([sell, { ...tea, param: "x" }, pay(100), close]))).toMatchObject([
      { path: "taskTable[1].param", message: 'must be an object, not "x"' },
    ]);
  });

  test("the contact is taken from the last filled ClientContact line before the extension", () => {
    const contact = (data: string) => ({ type: "ClientContact", data });
    const lines = [sell, contact("a@b"), contact("c@d"), contact(""), tea, pay(100), close];
    expect(saleFrom(table(lines, { clientContact: "x@y" })).contact).toBe("c@d");
  });
});

describe("the paper of a task table's receipt", () => {
  const silent = { type: "ClientContact", data: "", param: { printDoc: false } };

  test("a task table with printDoc false and a contact leaves the paper out", () => {
    const lines = [sell, { ...silent, data: "a@b" }, tea, pay(100), close];
    expect(saleFrom(table(lines)).printDoc).toBe(false);
  });

  test("a task table whose CloseCheck says printDoc 0 leaves the paper out", () => {
    const lines = [sell, { type: "ClientContact", data: "a@b" }, tea, pay(100), { ...close, param: { printDoc: 0 } }];
    expect(saleFrom(table(lines)).printDoc).toBe(false);
  });

  test("a task table with printDoc false and no contact is printed on paper with a warning", () => {
    const order = table([sell, silent, tea, pay(100), close]);
    expect(read(order)).toMatchObject({ receipt: { printDoc: true }, warnings: [{ path: "taskTable" }] });
  });

  test("a task table with printDoc false and no contact leaves the paper out when strictPaper is off", () => {
    const rules = { requireContactForInternet: true, strictPaper: false };
    expect(read(table([sell, silent, tea, pay(100), close]), { rules })).toMatchObject({
      receipt: { printDoc: false },
      warnings: [],
    });
  });

  test("a task table of more than 100 positions is accepted with a warning", () => {
    const lines = [sell, ...Array.from({ length: 101 }, () => item({ price: 1, quantity: 1 })), pay(101), close];
    expect(read(table(lines))).toMatchObject({ kind: "receipt", warnings: [{ path: "taskTable" }] });
  });
});

describe("a rate by name in a task table, in place of the row's number", () => {
  const taxOf = (vat: unknown, table = saleOf({ price: 100, quantity: 1, vat }, 100), today = "2026-11-20") =>
    itemOf(saleFrom(table, { today })).tax;

  test.each([
    [{ type: "vat22" }, 1011],
    [{ Type: " VAT10 " }, 1002],
    [{ type: "none", sum: 0 }, 1006],
  ])("the rate %j of a task table is read as the row of that rate", (vat, tax) => expect(taxOf(vat)).toBe(tax));

  test.each([
    [{ vat: { type: "vat18" } }],
    [{ vat: "vat22" }],
    [{ vat: { type: "vat22" }, tax: 1 }],
    [{ vat: { type: "vat20" } }],
  ])("the rate %j of a task table is refused at its place", (param) => {
    const order = saleOf({ price: 100, quantity: 1, ...param }, 100);
    expect(problemsFrom(order, { today: "2026-11-20" })).toMatchObject([
      { path: "taskTable[1].param.vat", resultCode: 1 },
    ]);
  });

  test("20 % VAT by name is accepted in a refund and in a later payment", () => {
    const old = { price: 100, quantity: 1, vat: { type: "vat20" } };
    const returned = [{ type: "OpenCheckReturn" }, { type: "Return", data: "Чай", param: old }, pay(100), close];
    expect(taxOf(null, table(returned))).toBe(1001);
    expect(taxOf(null, saleOf({ ...old, paymentMode: 7 }, 100))).toBe(1001);
  });
});
