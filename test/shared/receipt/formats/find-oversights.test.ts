import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { problemsOfOrder } from "@fiscald/shared/exchange/order-problem.js";
import { orderReader, warningsOf } from "@fiscald/shared/receipt/formats/read-order.js";
import { toTaskTable } from "@fiscald/shared/receipt/formats/to-task-table.js";
import fc from "fast-check";
import { close, item, online, pay, read, saleOf, sell, table } from "../../../support/order-samples.js";
import { root } from "../../../support/read-imports.js";
import { anyTableReceipt } from "../../../support/receipt-arbitrary.js";
import { carriedRows, cloudBody, cloudTable } from "../../../support/tag-samples.js";

function oversightsOf(order: unknown) {
  const answer = read(order);
  if (answer.kind !== "receipt" && answer.kind !== "broken") throw new Error(`no order: ${answer.kind}`);
  return answer.oversights ?? [];
}

const unknownIn = (order: unknown) =>
  oversightsOf(order).flatMap(({ kind, key }) => (kind === "unknown-key" ? key : []));
const rate = { vat: { type: "vat22" } };
const position = { price: 100, quantity: 1, ...rate };

test.each<readonly [key: string, near: string | null, order: object]>([
  ["taskTable[].param.nds", "vat", saleOf({ ...position, nds: 20 }, 100)],
  ["taskTable[].param.discount", "discountValue", saleOf({ ...position, discount: 10 }, 100)],
  [
    "client_contact",
    "clientContact",
    table([sell, item(position), pay(100), close], { client_contact: "a@b.example" }),
  ],
  ["taskTable[].param.departmnt", "department", saleOf({ ...position, departmnt: 2 }, 100)],
  ["taskTable[].param.vta", "vat", saleOf({ ...position, vta: 20 }, 100)],
  ["taskTable[].param.constructor", null, saleOf({ ...position, constructor: 1 }, 100)],
  ["taskTable[].param.coupon", null, saleOf({ ...position, coupon: "AUTUMN" }, 100)],
  ["taskTable[].param.id", null, saleOf({ ...position, id: 7 }, 100)],
  [
    "receipt.items[].discount",
    null,
    online({
      items: [{ ...position, name: "Чай", sum: 100, discount: 1 }],
      total: 100,
      payments: [{ type: 1, sum: 100 }],
    }),
  ],
  ["receipt.attributes.mail", "email", online({ attributes: { mail: "a@b.example" } })],
  ["service.in", "inn", online({}, { service: { in: "7700000000" } })],
  ["receipt.attributes.sno", "taxSystem", online({ attributes: { sno: "usn_income" } })],
  ["service.payment_address", "internetPaymentUrl", online({}, { service: { payment_address: "shop.example" } })],
])("the key %s of an order is reported as one that is not read, and %s as the likely key", (key, near, order) => {
  const [found, ...others] = oversightsOf(order).filter(({ kind }) => kind === "unknown-key");
  expect(others).toEqual([]);
  expect(found).toMatchObject({ key });
  expect(/`(\w+)`/.exec(found?.message ?? "")?.[1] ?? null).toBe(near);
  expect(/`(\w+)`/.exec(found?.ru ?? "")?.[1] ?? null).toBe(near);
});

test("a missing rate is reported once for all positions of an order, in both formats", () => {
  const bare = { price: 100, quantity: 1 };
  const tableOrder = table([sell, item(position), item(bare), item(bare), pay(300), close]);
  expect(oversightsOf(tableOrder)).toMatchObject([
    { kind: "no-rate", key: "taskTable[].param.tax", path: "taskTable[2].param.tax" },
  ]);
  expect(oversightsOf(online())).toMatchObject([{ kind: "no-rate", path: "receipt.items[0].tax" }]);
});

test("a misspelt key is reported even when the order is refused", () => {
  const order = saleOf({ price: 100, quantiti: 1, ...rate }, 100);
  expect(read(order)).toMatchObject({ kind: "broken", oversights: [{ key: "taskTable[].param.quantiti" }] });
});

const sumSpelt = { type: "Payment", param: { sum: 100, typeClose: 0 } };
const tipe = (type: string) => ({ name: "Чай", price: 100, quantity: 1, sum: 100, vat: { [type]: "vat22" } });
test.each<readonly [place: string, given: string, meant: string, order: object]>([
  ["taskTable[1].param.quantity", "quantiti", "quantity", saleOf({ price: 100, quantiti: 1, ...rate }, 100)],
  ["taskTable[2].param.summ", "sum", "summ", table([sell, item(position), sumSpelt, close])],
  ["taskTable[1].param.vat", "tipe", "type", saleOf({ ...position, vat: { tipe: "vat22" } }, 100)],
  ["receipt.items[0].vat.type", "tipe", "type", online({ items: [tipe("tipe")] })],
])("the refusal of an order names at %s the misspelt key %s in place of %s", (path, given, meant, order) => {
  const answer = read(order);
  if (answer.kind !== "broken") throw new Error("it is read");
  const problems = problemsOfOrder(answer.fault).filter((one) => one.path === path);
  expect(problems).toMatchObject([
    {
      message: `is missing; \`${given}\` stands there: did you mean \`${meant}\`?`,
      ru: expect.stringMatching(new RegExp(`\`${given}\`.*\`${meant}\``)),
    },
  ]);
});

test("the refusal of a second position names its misspelt key too, and a missing key without a misspelt one as missing", () => {
  const misspelt = item({ price: 100, quantiti: 1, ...rate });
  const { fault } = Object(read(table([sell, misspelt, misspelt, item({ price: 1 }), pay(200), close])));
  expect(problemsOfOrder(fault).map(({ path, message }) => [path, message])).toEqual([
    ["taskTable[1].param.quantity", expect.stringContaining("`quantiti` stands there")],
    ["taskTable[2].param.quantity", expect.stringContaining("`quantiti` stands there")],
    ["taskTable[3].param.quantity", "is missing"],
  ]);
});

test.each([
  ["22", " did you mean `vat22`?"],
  ["НДС 10%", " did you mean `vat10`?"],
  ["10.00", " did you mean `vat10`?"],
  ["10/110", " did you mean `vat110`?"],
  ["НДС 22/122", " did you mean `vat122`?"],
  ["5 / 105", " did you mean `vat105`?"],
  ["7/107", " did you mean `vat107`?"],
  ["20", ""],
  ["20/120", ""],
  ["10/100", ""],
  ["0.2", ""],
  ["12", ""],
  ["vat23", ""],
  ["vat18", ""],
])("the refusal of the rate %s in both formats says:%s, and lists the rates of today's sales first", (type, near) => {
  const given = { ...position, vat: { type } };
  for (const order of [saleOf(given, 100), online({ items: [{ ...given, name: "Чай", sum: 100 }] })]) {
    const { fault } = Object(read(order));
    expect(problemsOfOrder(fault)[0]?.message).toContain(`"${type}" is no rate:${near} there are vat22, vat10, `);
  }
});

test.each([
  [7, "is the number of a row, and row 7 of the register is НДС 5%, not 7 %"],
  [10, "is the number of a row, and row 10 of the register is НДС 7/107, not 10 %"],
  [22, null],
  [5, null],
])(
  "an order with the tax %d gets a warning by the register's last known rows: %s (null means no warning)",
  (tax, message) => {
    const rows = [
      { id: 7, title: "5", vat: 7 },
      { id: 10, title: "7/107", vat: 10 },
      { id: 22, title: "22", vat: 11 },
    ] as const;
    const order = orderReader(JSON.stringify(saleOf({ price: 100, quantity: 1, tax }, 100)), { format: "auto" });
    const found = Object(order({ taxes: [], lastTaxes: rows })).oversights;
    const oversight = { kind: "rate-like-percent", path: "taskTable[1].param.tax", message };
    expect(found).toMatchObject(message === null ? [] : [{ ...oversight, key: `taskTable[].param.tax = ${tax}` }]);
  },
);

test("keys of cloud services that say nothing about the receipt are no oversights", () => {
  const line = { ...position, name: "Чай", sum: 100, mark_processing_mode: "0", wholesale: true };
  const receipt = {
    company: { inn: "7700000000", location: "https://shop.example" },
    ...{ items: [line], device_number: "12", timezone: 2, total: 100, payments: [{ type: 1, sum: 100 }] },
  };
  expect(oversightsOf(online(receipt))).toEqual([]);
});

test("an unknown key without a value is not reported, and one key of many lines is reported once", () => {
  const given = { ...position, coupon: null, gift: "", wrap_it: 1 };
  expect(unknownIn(table([sell, item(given), item(given), pay(200), close]))).toEqual(["taskTable[].param.wrap_it"]);
});

test("an order with random keys gives at most twenty oversights, with names that fit a log line", () => {
  const keys = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}\n${"x".repeat(500)}`, 1]));
  const found = oversightsOf(table([sell, item(position), pay(100), close], keys));
  expect(found).toHaveLength(20);
  expect(found.filter(({ key }) => key.length > 64 || /[^\w?]/.test(key))).toEqual([]);
});

test("a shop gets the warnings about values together with those about keys", () => {
  const order = read(table([sell, item({ ...position, nds: 1 }, "Чай &quot;Люкс&quot;"), pay(100), close]));
  if (order.kind !== "receipt") throw new Error("the order is no receipt");
  expect(warningsOf(order).map(({ path }) => path)).toEqual(["taskTable[1].data", "taskTable[1].param.nds"]);
});

describe("a key that this project reads", () => {
  test.each(carriedRows)("the keys of tag $tag are known, by fiscald's name and by other services'", (row) => {
    const value = row.sample.cloud ?? row.sample.given;
    const path = row.cloud.startsWith("items[].") ? row.cloud : `receipt.${row.cloud}`;
    expect(unknownIn(cloudBody([[path, value]]))).toEqual([]);
    for (const place of ["root", "line"] as const) expect(unknownIn(cloudTable([[path, value]], place))).toEqual([]);
    const [, place = "", own = ""] = /^(root|item)\.(.*)$/.exec(row.own) ?? [];
    const ownPath = place === "item" ? `items[].${own}` : own;
    expect(unknownIn(cloudBody([[ownPath, row.sample.given]]))).toEqual([]);
    expect(unknownIn(cloudTable([[ownPath, row.sample.given]], "root"))).toEqual([]);
  });

  test("no receipt that this project writes has an unknown key", () => {
    fc.assert(fc.property(anyTableReceipt, (receipt) => expect(unknownIn(toTaskTable(receipt))).toEqual([])));
  });

  const onPurpose = ["taskTable[].param.foo", "extra", "comment", "receipt.attributes.sno"];
  const fixtures = join(root, "test/exchange/fixtures/orders");
  test.each(readdirSync(fixtures))("the golden order %s has no unknown keys except for its intended ones", (file) => {
    const { order } = JSON.parse(readFileSync(join(fixtures, file), "utf8"));
    expect(unknownIn(order).filter((key) => !onPurpose.includes(key))).toEqual([]);
  });
});
