import { requireLengths } from "@fiscald/drivers/compile/fiscal-texts.js";
import type { CompileContext } from "@fiscald/drivers/fiscal-driver.js";
import { textFields } from "@fiscald/drivers/pirit/compile/steps.js";
import type { ItemLine, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";

const agent = { type: 64, supplierName: null, supplierPhones: [], supplierInn: null };
const phones = (count: number) => Array.from({ length: count }, (_, at) => `+7999000000${at}`);
const industry = { authority: "030", date: "21.11.2023", number: "1944", value: "" };
const check = (receipt: Partial<SaleReceipt>, over: Partial<Pick<CompileContext, "mark" | "cashier">> = {}) => {
  requireLengths(makeReceipt(receipt), { mark: null, cashier: null, ...over }, textFields);
};
const withItem = (item: Partial<ItemLine>) => ({ lines: [makeItem(), makeItem(item)] });

test.each<[string, Partial<SaleReceipt>]>([
  ["internet.url", { internet: { url: `https://${"a".repeat(249)}` } }],
  [
    "items[1].agent.supplierPhones",
    withItem({ agent: { ...agent, supplierPhones: Array.from({ length: 3 }, () => "+799900000012") } }),
  ],
  ["items[1].agent.data", withItem({ agent: { ...agent, data: { agentPhones: phones(4) } } })],
  ["items[1].agent.data", withItem({ agent: { ...agent, data: { transferPhones: phones(4) } } })],
  ["items[1].agent.data", withItem({ agent: { ...agent, data: { operation: "Платёж…".repeat(3) } } })],
  ["items[1].requisites.additional", withItem({ requisites: { additional: "…".repeat(22) } })],
  ["items[1].requisites.industry", withItem({ requisites: { industry: { ...industry, value: "₽".repeat(65) } } })],
  ["requisites.buyer", { requisites: { buyer: { name: `${"Р".repeat(253)}₽` } } }],
  ["requisites.buyer", { requisites: { buyer: { address: `${"Р".repeat(253)}₽` } } }],
  ["requisites.additional", { requisites: { additional: "₽".repeat(5) } }],
])(
  "a receipt for PIRIT with %s longer than its field is refused, and the fault names the field's place",
  (place, receipt) => {
    expect(() => check(receipt)).toThrow(expect.objectContaining({ code: "receipt.unsupported", place }));
  },
);

test("a receipt for PIRIT may have three phones of each tag, with the commas between them", () => {
  const data = { agentPhones: phones(3), operatorPhones: phones(3), transferPhones: phones(3) };
  expect(() => check(withItem({ agent: { ...agent, supplierPhones: phones(3), data } }))).not.toThrow();
});

test("the length of a PIRIT field is counted after its letters are replaced by those of the register", () => {
  expect(() => check(withItem({ unit: "₽".repeat(4) }))).not.toThrow();
  expect(() => check(withItem({ unit: "₽".repeat(5) }))).toThrow("20 characters");
});

test("the configured cashier and the order mark are refused when they are longer than their PIRIT fields", () => {
  expect(() => check({}, { cashier: { name: "К".repeat(65), inn: null } })).toThrow("cashier.name");
  expect(() => check({}, { mark: "1".repeat(257) })).toThrow("the order mark");
  expect(() => check({}, { mark: "1".repeat(256) })).not.toThrow();
});
