/** Mistakes are reported in the words of the builders, all at once, and never by a field of the wire. */
import { problemsIn } from "@fiscald/shared/exchange/order-problem.js";
import { type Fault, isFault } from "@fiscald/shared/fault.js";
import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import fc from "fast-check";
import { onlineReceipt } from "#handlers/receipts/online-receipt-builder.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";

function call(builder: object, method: string, ...values: unknown[]): unknown {
  const found: unknown = Reflect.get(builder, method);
  if (typeof found !== "function") throw new Error(`no method ${method}`);
  return Reflect.apply(found, builder, values);
}

function faultOf(build: () => unknown): Fault {
  try {
    build();
  } catch (error) {
    if (isFault(error)) return error;
    throw error;
  }
  throw new Error("accepted");
}

function problemsOf(build: () => unknown): readonly string[] {
  return problemsIn(faultOf(build)).map(({ path, message, ru }) => {
    // Each message has Russian words too.
    expect(ru).toMatch(/[а-я]{2}/i);
    return `${path}: ${message}`;
  });
}

const formats = [
  ["task table", taskTable],
  ["online", onlineReceipt],
] as const;
const tea = { name: "Чай", price: 100 };

describe.each(formats)("the builders in the format %s", (_, format) => {
  const sale = () => format.sale({ orderId: "A-1" });
  const withItem = (over: object) => {
    const builder = sale();
    call(builder, "item", { ...tea, ...over });
    return builder.payRest("cash");
  };

  test("an option of a builder that is undefined counts as not given", () => {
    const builder = format.prepayment({ orderId: "A-1", contact: "buyer@example.ru" });
    call(builder, "item", { ...tea, method: undefined });
    call(builder, "delivery", { price: 300, name: undefined, subject: undefined });
    const receipt = builder.payRest("cash").receipt();
    expect(receipt.kind === "receipt" && itemsOf(receipt)).toMatchObject([
      { name: "Чай", method: 1 },
      { name: "Доставка", subject: 4, method: 1 },
    ]);
  });

  test.each([
    ["payRest", ["card"], "payRest: card is no payment; use cash, electronic, prepayment, credit, counterProvision"],
    ["payRest", [7], "payRest: 7 is no payment; use cash"],
    ["payment", ["Cash", 100], "payments[0].kind: Cash is no payment; use cash"],
    ["payment", ["cash", -5], "payments[0].sum: -5.00 is not above 0"],
    ["payment", ["cash", "ten"], "payments[0].sum: must be roubles"],
    ["discount", [{ roubles: 101 }], "discount: the discount 101.00 is larger than the positions, 100.00"],
    ["discount", [{ percent: "much" }], 'discount: "much" is no percentage'],
    ["discount", [{ percent: -1 }], "discount: must not be negative"],
    ["discount", [{ roubles: 10, percent: 50 }], "discount: roubles or percent, not both"],
    ["discount", [{ percents: 1 }], "discount.percents: there is no such option: did you mean `percent`?"],
  ])("the builders refuse %s(%j) in their own words", (method, values, expected) => {
    const builder = sale().item(tea);
    call(builder, method, ...values);
    if (method === "discount") builder.payRest("cash");
    expect(problemsOf(() => builder.build())).toEqual([expect.stringContaining(expected)]);
  });

  test.each([
    [{ qty: 2 }, "items[0].qty: there is no such option: there are name, price, quantity"],
    [{ pirce: 2 }, "items[0].pirce: there is no such option: did you mean `price`?"],
    [{ tax: "21 %" }, "items[0].tax: 21 % is no rate; use 22 %, 20 %, 10 %"],
    [{ tax: 300 }, "items[0].tax: must be a whole number"],
    [{ tax: "20 %" }, "items[0].tax: 20 % is in force only for refunds"],
    [{ subject: "thing" }, "items[0].subject: thing is no subject; use commodity"],
    [{ subject: 99 }, "items[0].subject: must be a code of tag 1212"],
    [{ method: "later" }, "items[0].method: later is no method; use full_prepayment"],
    [{ method: 9 }, "items[0].method: must be a code of tag 1214"],
    [{ agent: { type: "friend" } }, "items[0].agent.type: friend is no agent; use bank_paying_agent"],
    [{ agent: { type: 3 } }, "items[0].agent.type: must be a code of tag 1222"],
    [{ agent: { type: 1, inn: "1" } }, "items[0].agent.inn: there is no such option"],
    [{ agent: { type: 1, supplierInn: "1" } }, "items[0].agent.supplierInn: must be an INN"],
    [{ agent: { type: 1, supplierPhones: ["+7900111223344556677889"] } }, "items[0].agent.supplierPhones[0]: must be"],
    [{ price: undefined }, "items[0].price: is missing"],
    [{ price: "ten" }, "items[0].price: must be roubles from 0"],
    [{ quantity: 0 }, "items[0].quantity: must be a quantity above 0"],
    [{ discount: { roubles: 101 } }, "items[0].discount: the discount 101.00 is larger than the line, 100.00"],
    [{ discount: { roubles: 1, percent: 10 } }, "items[0].discount: roubles or percent, not both"],
    [{ name: " " }, "items[0].name: "],
    [{ markingCode: "0104", quantity: 2 }, "items[0].quantity: must be 1: one marking code is one piece"],
    [{ countryCode: "RU" }, "items[0].countryCode: must be three digits"],
    [{ customsDeclaration: "x".repeat(40) }, "items[0].customsDeclaration: must be text"],
  ])("the builders refuse item(%j) in their own words", (over, expected) => {
    expect(problemsOf(() => withItem(over).build())).toEqual([expect.stringContaining(expected)]);
  });

  test.each([
    [{ orderId: undefined }, "orderId: a receipt needs an order number"],
    [{ contact: "buyer", internetUrl: "shop.example" }, "contact: must be an e-mail"],
    [{ internetUrl: "shop.example" }, "contact: an internet payment needs the buyer's e-mail or phone"],
    [{ electronicOnly: true }, "electronicOnly: without paper the receipt needs a `contact` or an `internetUrl`"],
    [{ taxSystem: "simple" }, "taxSystem: simple is no tax system; use osn, usn_income"],
    [{ cashier: { name: "Иванова", inn: "77" } }, "cashier.inn: must be an INN of 12 digits"],
    [{ cashier: { surname: "Иванова" } }, "cashier.surname: there is no such option: there are name, inn"],
    [{ settlementPlace: "x".repeat(300) }, "settlementPlace: must be text"],
    [{ email: "a@b.ru" }, "receipt.email: there is no such option"],
  ])("the builders refuse sale(%j) in their own words", (over, expected) => {
    const build = () => {
      const builder: unknown = call(format, "sale", { orderId: "A-1", ...over });
      if (typeof builder !== "object" || builder === null) return;
      call(builder, "item", tea);
      call(builder, "payRest", "cash");
      call(builder, "build");
    };
    expect(problemsOf(build)).toEqual([expect.stringContaining(expected)]);
  });

  test("a discount before the positions is refused, because there is nothing to take it off", () => {
    const builder = sale().discount({ percent: 10 }).item(tea).payRest("cash");
    expect(problemsOf(() => builder.build())).toEqual([expect.stringContaining("discount: there is no position yet")]);
  });

  test("a receipt with two calls of payRest is refused", () => {
    const builder = sale().item(tea).payRest("electronic").payRest("cash");
    expect(problemsOf(() => builder.build())).toEqual([expect.stringContaining("payRest: was said already")]);
  });

  test.each([
    ["no position", () => sale().payment("cash", 1), "3 items"],
    ["no payment", () => sale().item(tea), "3 payments"],
    ["too small a payment", () => sale().item(tea).payment("cash", "99.98"), "1 payments"],
    [
      "an invalid price",
      () =>
        sale()
          .item({ ...tea, price: 0.125 })
          .payRest("cash"),
      "1 items[0].price",
    ],
  ])("the builders refuse a receipt with %s, with the result code of its kind", (_, build, expected) => {
    const codes = problemsIn(faultOf(() => build().build())).map(({ resultCode, path }) => `${resultCode} ${path}`);
    expect(codes).toContain(expected);
  });

  test("a builder names all mistakes of a receipt at once", () => {
    const builder = sale().item(tea);
    call(builder, "item", { name: "Кофе", price: 1, tax: "18 %", subject: "bean" });
    call(builder, "payRest", "card");
    expect(problemsOf(() => builder.build())).toHaveLength(3);
  });

  test("a prepayment that is paid by a prepayment is refused", () => {
    const builder = format.prepayment({ orderId: "A-1" }).item(tea).payRest("prepayment");
    expect(problemsOf(() => builder.build())).toEqual([expect.stringContaining("payRest: a prepayment is paid by")]);
  });

  test("a builder's message names no field of the wire format, whatever the input", () => {
    const junk = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom("", "0", -1, 1e9, "a\u0000b"));
    const fields = ["name", "price", "quantity", "discount", "tax", "method", "agent", "unit", "measure", "goodsCode"];
    const item = fc.dictionary(fc.constantFrom(...fields), junk);
    const head = fc.dictionary(fc.constantFrom("contact", "internetUrl", "taxSystem", "settlementPlace"), junk);
    fc.assert(
      fc.property(head, item, junk, (more, over, kind) => {
        const problems = problemsOf(() => {
          const builder: unknown = call(format, "sale", { orderId: "A-1", ...more });
          if (typeof builder !== "object" || builder === null) return;
          call(builder, "item", { ...tea, ...over });
          call(builder, "payment", kind, 1);
          call(builder, "payRest", "cash");
          call(builder, "build");
        });
        expect(problems.join("\n")).not.toMatch(
          /taskTable|param\.|receipt\.(items|total|attributes|payments)|summ|typeClose|paymentMode|itemType|external_id/,
        );
      }),
      { examples: [[{}, { tax: { toString: null } }, { toString: null }]] },
    );
  });
});

test.each([
  [(job: object) => call(job, "cashIn", "much"), "cashIn[0].sum: must be roubles"],
  [(job: object) => call(job, "cashIn", 0), "cashIn[0].sum: must be roubles above 0"],
  [(job: object) => call(job, "report", "daily"), "report: daily is no report; use z, x"],
  [() => {}, "lines: has no lines"],
])("the builder of a service job refuses wrong lines in its own words", (add, expected) => {
  const job = taskTable.service();
  add(job);
  expect(problemsOf(() => job.build())).toEqual([expect.stringContaining(expected)]);
});
