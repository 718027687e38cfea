import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@fiscald/shared/fault.js";
import { readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { rateWords } from "@fiscald/shared/receipt/vat.js";
import { toBody } from "#handlers/print-server/order-body.js";
import { fromCloudReceipt } from "#handlers/receipts/from-cloud-receipt.js";
import { root } from "../../support/read-imports.js";

const day = "2026-11-25";

const v4 = {
  external_id: "A-1042",
  timestamp: "25.11.2026 14:03:22",
  service: { callback_url: "https://shop.example/callback" },
  receipt: {
    client: { email: "buyer@example.ru" },
    company: {
      email: "shop@example.ru",
      sno: "usn_income",
      inn: "7705260890",
      payment_address: "https://shop.example",
    },
    items: [
      {
        ...{ name: "Чай", price: 120, quantity: 2, sum: 240, measurement_unit: "шт" },
        ...{ payment_method: "full_payment", payment_object: "commodity", vat: { type: "vat22", sum: 43.28 } },
      },
    ],
    payments: [{ type: 1, sum: 240 }],
    vats: [{ type: "vat22", sum: 43.28 }],
    total: 240,
  },
};
/** Version 5 has codes as numbers, and the tax as a text. */
const v5 = {
  external_id: "A-1042",
  timestamp: "25.11.2026 14:03:22",
  receipt: {
    client: { phone: "+79001112233" },
    company: { inn: "7705260890" },
    items: [
      {
        ...{ name: "Чай", price: 120, quantity: 1, sum: 120, measure: 0, payment_method: "full_payment" },
        ...{ payment_object: 1, vat: { type: "vat10" } },
      },
    ],
    payments: [
      { type: 2, sum: 100 },
      { type: 0, sum: 20 },
    ],
    total: 120,
  },
};

const [item] = v4.receipt.items;
const withReceipt = (over: object) => ({ ...v4, receipt: { ...v4.receipt, ...over } });
const withItem = (over: object) => withReceipt({ items: [{ ...item, ...over }] });

function problemsOf(body: unknown, over: object = {}): unknown {
  try {
    return Reflect.apply(fromCloudReceipt, undefined, [body, { operation: "sell", day, ...over }]);
  } catch (error) {
    return isFault(error) ? error.details["problems"] : error;
  }
}

test("a cloud service's body of version 4 is read as a sale with rate, contact, taxpayer and tax system", () => {
  expect(fromCloudReceipt(v4, { operation: "sell", day })).toMatchObject({
    ...{ orderId: "A-1042", operation: "sale", contact: "buyer@example.ru", expectedInn: "7705260890", taxSystem: 2 },
    internet: { url: "https://shop.example" },
    lines: [{ type: "item", name: "Чай", total: 24_000, tax: 1011, method: 4, subject: 1, unit: "шт" }],
    payments: [{ typeClose: 1, sum: 24_000 }],
  });
});

test("a cloud service's refund of version 5 is read with its advance and cash", () => {
  expect(fromCloudReceipt(v5, { operation: "sell_refund", day })).toMatchObject({
    ...{ operation: "return", contact: "+79001112233" },
    lines: [{ tax: 1002, subject: 1 }],
    payments: [
      { typeClose: 0, sum: 2_000 },
      { typeClose: 2, sum: 10_000 },
    ],
  });
});

test.each([v4, v5])("the till reads exactly the receipt that was enqueued from the kit's answer", (body) => {
  const receipt = fromCloudReceipt(body, { operation: "sell", day });
  const answer = toBody(receipt, Date.UTC(2026, 10, 25));
  const read = readOrder(JSON.stringify(answer), {
    format: "auto",
    taxes: [{ id: 1, title: "20%", vat: 1 }],
    today: day,
  });
  expect(read).toMatchObject({ kind: "receipt", receipt });
});

const inForce = {
  none: 6,
  vat0: 5,
  vat5: 7,
  vat7: 8,
  vat10: 2,
  vat22: 11,
  vat105: 9,
  vat107: 10,
  vat110: 4,
  vat122: 12,
};
const earlier = { vat20: 1, vat120: 3 };

test.each(Object.entries({ ...inForce, ...earlier }))(
  "a cloud receipt's rate %s is code %i of tag 1199, in an object and as text",
  (word, code) => {
    for (const rate of [{ vat: { type: word } }, { vat: undefined, tax: word }]) {
      const receipt = fromCloudReceipt(withItem(rate), { operation: "sell_refund", day });
      expect(receipt.lines).toMatchObject([{ tax: 1000 + code }]);
    }
  },
);

test.each([
  [{ operation: "buy" }, '"buy" is neither sell nor sell_refund: purchases and corrections are not'],
  [{ operation: [{ toString: "" }] }, "a list is neither sell nor sell_refund"],
  [undefined, "is missing: it is in the address of such services"],
  [{ op: "sell" }, "is missing: it is in the address of such services"],
])(
  "a cloud receipt's operation that is no sale is refused in words, also for plain JavaScript: %o",
  (options, words) => {
    const purchase = () => Reflect.apply(fromCloudReceipt, undefined, [v4, options]);
    expect(purchase).toThrow(`operation: ${words}`);
  },
);

test.each([
  ["a purchase as its operation", { ...v4, operation: "buy" }, "operation"],
  ["a rate that is only in the receipt's `vats`", withItem({ vat: undefined }), "receipt.items[0].vat"],
  [
    "a code of goods as an object",
    withItem({ nomenclature_code: { code: "04" } }),
    "receipt.items[0].nomenclature_code",
  ],
  [
    "a requisite of the user without its name",
    withReceipt({ additional_user_props: { value: "7" } }),
    "receipt.additional_user_props.name",
  ],
  [
    "a sectoral requisite of the whole receipt",
    withReceipt({ sectoral_check_props: [{ federal_id: "030" }] }),
    "receipt.sectoral_check_props",
  ],
  ["a body that was not parsed", undefined, "body"],
])("a cloud receipt with %s is refused with its place", (_, body, path) => {
  expect(problemsOf(body)).toEqual(expect.arrayContaining([expect.objectContaining({ path })]));
});

describe("the page about moving", () => {
  const [english = "", russian = ""] = ["FROM-CLOUD.md", "FROM-CLOUD.ru.md"].map((name) =>
    readFileSync(join(root, "handlers", name), "utf8"),
  );
  const samples = (page: string) => [...page.matchAll(/^```.*\n[\s\S]*?^```$/gm)].map(([sample]) => sample);
  const tags = (page: string) => [...page.matchAll(/\b1\d{3}\b(?=[^"]*\|)/g)].map(([tag]) => tag);

  test("the page about moving from a cloud service has the same samples and tags in both languages", () => {
    // The module in PHP is on the English page alone, which the Russian one leads to.
    expect(samples(russian)).toEqual(samples(english).filter((sample) => !sample.startsWith("```php")));
    expect(tags(russian)).toEqual(tags(english));
  });

  test("the page about moving from a cloud service names every rate, type of payment and key that is refused", () => {
    const named = [...Object.values(rateWords), "excise", "mark_code", "nomenclature_code", "1031", "1081", "1215"];
    for (const page of [english, russian]) {
      expect([...named, "1216", "1217"].filter((word) => !page.includes(word))).toEqual([]);
    }
  });
});

test.each([new Date(0), "25.11.2026", 20261125])("a day in another form than 2026-11-25 is refused: %s", (other) => {
  expect(problemsOf(v4, { day: other })).toMatchObject([{ path: "day" }]);
});
