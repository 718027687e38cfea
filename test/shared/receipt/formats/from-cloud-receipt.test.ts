import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import { vatRates } from "@fiscald/shared/receipt/vat.js";
import fc from "fast-check";
import { online, problemsFrom, read, refusalsOf, saleFrom } from "../../../support/order-samples.js";

/** The ids of this register's rows differ from the codes of tag 1199. */
const taxes: readonly TaxRow[] = [
  { id: 40, title: vatRates[11].title, vat: 11 },
  { id: 41, title: vatRates[6].title, vat: 6 },
  { id: 42, title: vatRates[1].title, vat: 1 },
  { id: 43, title: vatRates[2].title, vat: 2 },
];
const today = "2026-11-20";
const known = { taxes, today };
const item = (over: object) => ({ items: [{ name: "Чай", price: 100, quantity: 2, sum: 200, ...over }] });
const itemOfSale = (over: object) => {
  const [line] = saleFrom(online(item(over)), known).lines;
  if (line?.type !== "item") throw new Error("no item");
  return line;
};

describe("an online receipt with keys of a cloud service", () => {
  test.each([
    [{ vat: { type: "vat22" } }, { tax: 1011 }],
    [{ tax: "vat10" }, { tax: 1002 }],
    [{ tax: "VAT22", vat: { type: "vat22" } }, { tax: 1011 }],
    [{ tax: 40, vat: { type: "vat22" } }, { tax: 1011 }],
    [{ tax: 41 }, { tax: 41 }],
    [
      { payment_method: "full_prepayment", payment_object: "service" },
      { method: 1, subject: 4 },
    ],
    [{ measurement_unit: "кг" }, { unit: "кг", measure: 11 }],
    [
      { country_code: "643", declaration_number: "10/1" },
      { countryCode: "643", customsDeclaration: "10/1" },
    ],
    [
      {
        agent_info: { type: "agent", x: 1 },
        supplier_info: { phones: ["+79001112233"], name: "ООО", inn: "7700000000" },
      },
      "receipt.items[0].agent_info.type",
    ],
    [
      { agent_info: { type: "attorney" }, supplier_info: { phones: ["+79001112233"], name: "ООО", inn: "7700000000" } },
      { agent: { type: 16, supplierName: "ООО", supplierInn: "7700000000", supplierPhones: ["+79001112233"] } },
    ],
  ])("an item of an online receipt is read by a cloud service's keys: %j", (over, expected) => {
    if (typeof expected === "string") {
      expect(problemsFrom(online(item(over)), known)).toMatchObject([{ path: expected, resultCode: 1 }]);
    } else expect(itemOfSale(over)).toMatchObject(expected);
  });

  test.each([
    [{ attributes: { name: "ООО", inn: "7700000000" } }, { name: "ООО", inn: "7700000000" }],
    [{ attributes: { name: "Иная" }, client: { name: "ООО", inn: "7700000000" } }, "1 receipt.attributes.name"],
    [
      { attributes: { name: "ООО" }, client: { name: "ООО", inn: "7700000000" } },
      { name: "ООО", inn: "7700000000" },
    ],
    [{ attributes: { inn: "77" } }, "1 receipt.attributes.inn"],
  ])("the buyer of an online receipt is read by a cloud service's keys: %j", (receipt, expected) => {
    if (typeof expected === "string") expect(refusalsOf(online(receipt))).toEqual([expected]);
    else expect(saleFrom(online(receipt)).requisites).toEqual({ buyer: expected });
  });

  test("e-mail, INN, tax system and cashier of an online receipt are read by a cloud service's keys", () => {
    const receipt = {
      client: { email: "a@b.ru" },
      company: { inn: "7700000000", sno: "usn_income" },
      cashier: "Иванова",
    };
    expect(saleFrom(online(receipt, { operation: "sell_refund" }), known)).toMatchObject({
      operation: "return",
      contact: "a@b.ru",
      expectedInn: "7700000000",
      taxSystem: 2,
      cashier: { name: "Иванова" },
    });
  });
});

const internet = { isInternetPayment: 1, internetPaymentUrl: "shop.example" };

const client = { email: "a@b.ru" };
const company = { payment_address: "shop.example" };
const sold = { internet: { url: "shop.example" }, settlementPlace: null };
const notSold = { internet: null, settlementPlace: "shop.example" };

test.each([
  [{ company }, {}, sold],
  [{ company, internet: true }, {}, sold],
  [{ company, internet: "1" }, internet, sold],
  [{ company, internet: null }, {}, sold],
  [{ company, internet: false }, {}, notSold],
  [{ company, internet: 0 }, {}, notSold],
  [{ company, internet: "false" }, { isInternetPayment: 0 }, notSold],
  [{ company }, { isInternetPayment: 0 }, notSold],
  [{ company }, { isInternetPayment: 1 }, sold],
  [{}, { service: company }, { internet: null, settlementPlace: null }],
])(
  "the place of a sale with the keys %j and %j is read from the payment address and the internet flag",
  (over, root, place) => {
    expect(saleFrom(online({ client, ...over }, root))).toMatchObject(place);
  },
);

test.each([
  [{ internet: true }, {}, ["3 internetPaymentUrl"]],
  [{ company, internet: false }, internet, ["1 receipt.internet"]],
  [{ company, internet: "perhaps" }, {}, ["1 receipt.internet"]],
  [{ company: { payment_address: "other.example" } }, internet, ["1 receipt.company.payment_address"]],
  [{ company: { payment_address: ["shop.example"] } }, {}, ["1 receipt.company.payment_address"]],
])(
  "an internet sale with the keys %j and %j whose place is missing or contradictory is refused at these keys",
  (over, root, places) => {
    expect(refusalsOf(online({ client, ...over }, root))).toEqual(places);
  },
);

describe("an online receipt whose keys contradict each other", () => {
  test.each([
    [item({ vat: { type: "vat18" } }), {}, "receipt.items[0].vat.type"],
    [item({ tax: "vat33" }), {}, "receipt.items[0].tax"],
    [item({ tax: "vat10", vat: { type: "vat22" } }), {}, "receipt.items[0].vat.type"],
    [item({ tax: 41, vat: { type: "vat22" } }), {}, "receipt.items[0].vat.type"],
    [item({ tax: 44, vat: { type: "vat22" } }), {}, "receipt.items[0].vat.type"],
    [item({ tax: 1011 }), {}, "receipt.items[0].tax"],
    [item({ vat: { type: "vat20" } }), {}, "receipt.items[0].vat.type"],
    [item({ vat: { sum: 16.67 } }), {}, "receipt.items[0].vat.type"],
    [item({ vat: { type: "" } }), {}, "receipt.items[0].vat.type"],
    [item({ vat: "vat22" }), {}, "receipt.items[0].vat"],
    [item({ excise: -5 }), {}, "receipt.items[0].excise"],
    [item({ mark_code: { gs1m: "x" } }), {}, "receipt.items[0].mark_code.gs1m"],
    [item({ mark_code: { ean13: "4600000000008" } }), {}, "receipt.items[0].mark_code.ean13"],
    [item({ nomenclature_code: { code: "0104" } }), {}, "receipt.items[0].nomenclature_code"],
    [item({ mark_quantity: { numerator: 1, denominator: 2 } }), {}, "receipt.items[0].mark_quantity"],
    [{}, { operation: "buy" }, "operation"],
    [{}, { operation: "sell_correction" }, "operation"],
    [{}, { correction: { date: "x" } }, "correction"],
    [{}, { sell_refund: { items: [] } }, "sell_refund"],
    [{}, { buy: { items: [] } }, "buy"],
    [{ operation: "sell_refund" }, { operation: "sell" }, "receipt.operation"],
    [{ company: { inn: "7700000000" } }, { service: { inn: "7800000000" } }, "receipt.company.inn"],
    [{ client: { email: "a@b.ru" }, attributes: { email: "c@d.ru" } }, {}, "receipt.client.email"],
    [{ client: "a@b.ru" }, {}, "receipt.client"],
    [{ company: { sno: "other" } }, {}, "receipt.company.sno"],
    [{ client: { email: "buyer" } }, internet, "receipt.client.email"],
    [{ company: { inn: "77" } }, {}, "receipt.company.inn"],
    [{ cashier: "x".repeat(65) }, {}, "receipt.cashier"],
    [{ agent_info: { type: "attorney" } }, {}, "receipt.agent_info"],
    [item({ payment_method: "later" }), {}, "receipt.items[0].payment_method"],
    [item({ payment_object: "thing" }), {}, "receipt.items[0].payment_object"],
    [item({ country_code: "RU" }), {}, "receipt.items[0].country_code"],
    [
      item({ agent_info: { type: "attorney" }, supplier_info: { phones: ["x".repeat(20)] } }),
      {},
      "receipt.items[0].supplier_info.phones[0]",
    ],
    [{ payments: [{ type: 5, sum: 200 }] }, {}, "receipt.payments[0].type"],
    [{}, { operation: "sell", Operation: "sell_refund" }, "operation"],
    [{ cashier: "Иванова", Cashier: "Петрова" }, {}, "receipt.cashier"],
    [item({ tax: 41, Tax: 40 }), {}, "receipt.items[0].tax"],
    [item({ vat: { type: "vat10", Type: "vat22" } }), {}, "receipt.items[0].vat.type"],
  ])(
    "an online receipt with the keys %j and %j is refused at the key %s, because it is ambiguous",
    (receipt, root, path) => {
      const problems = problemsFrom(online(receipt, root), known);
      expect(problems.map((it) => it.path)).toContain(path);
      expect(problems.every(({ resultCode }) => resultCode === 1)).toBe(true);
    },
  );
});

test.each([
  ["a refund of today", { operation: "sell_refund" }, {}, "2026-11-20", "receipt"],
  ["a later payment", {}, { payment_method: "credit_payment" }, "2026-11-20", "receipt"],
  ["a sale of 2025", {}, {}, "2025-12-31", "receipt"],
  ["a sale of 2026", {}, {}, "2026-01-01", "broken"],
])("20 %% VAT in %s is accepted only when that rate is in force", (_, root, over, day, kind) => {
  const order = online(item({ vat: { type: "vat20" }, ...over }), root);
  expect(read(order, { taxes, today: day }).kind).toBe(kind);
});

test("22 % VAT in an online receipt before 2026 is refused", () => {
  expect(read(online(item({ vat: { type: "vat22" } })), { taxes, today: "2025-12-31" }).kind).toBe("broken");
});

test("unknown keys of an online receipt change nothing, whatever their values", () => {
  const plain = saleFrom(online(), known);
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^x_[a-z]+$/), fc.jsonValue(), { maxKeys: 4 }), (extra) => {
      const order = online({ ...extra, ...item(extra), company: extra, client: extra }, extra);
      expect(saleFrom(order, known)).toEqual(plain);
    }),
  );
});
