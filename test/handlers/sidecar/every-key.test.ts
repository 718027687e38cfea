/** No key of an order gets lost between `POST /receipts` and the till. */
import { randomUUID } from "node:crypto";
import type { headExtensions, headFields } from "@fiscald/shared/exchange/head-fields.js";
import type { itemExtensions } from "@fiscald/shared/exchange/item-fields.js";
import { readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { createSqliteFile } from "../../support/site-databases.js";
import { openSidecarWorld, type SidecarWorld } from "./sidecar-world.js";

let world: SidecarWorld;
beforeAll(async () => {
  world = await openSidecarWorld(await createSqliteFile());
});
afterAll(() => world.close());

type Values<Fields> = Readonly<Record<keyof Fields, unknown>>;

const ofHead: Values<typeof headFields & typeof headExtensions> = {
  kkm: "0000000000000001",
  receiptId: "6c1f4c1e-7d0a-4d61-9a3e-000000000001",
  isInternetPayment: { isInternetPayment: 1, internetPaymentUrl: "https://shop.example", clientContact: "a@b.example" },
  internetPaymentUrl: { isInternetPayment: 1, internetPaymentUrl: "shop.example", clientContact: "a@b.example" },
  service: { inn: "7700000000" },
  taxSystem: 2,
  cashierName: "Anna",
  cashierPosition: { cashierName: "Anna", cashierPosition: "Cashier" },
  cashierINN: { cashierName: "Anna", cashierINN: "770000000000" },
  clientContact: "buyer@shop.example",
  paymentPlace: "Kiosk",
  buyerName: "Buyer",
  buyerINN: "7736050003",
  buyerBirthDate: "17.05.1990",
  buyerCitizenship: "643",
  buyerDocumentCode: "21",
  buyerDocumentData: "4507 443564",
  buyerAddress: "Moscow",
  additionalCheckProps: "0123456789",
  additionalUserProps: { additionalUserProps: { name: "Table", value: "7" } },
  operatingCheckProps: { operatingCheckProps: { name: "0", value: "data", timestamp: "25.11.2026 14:03:22" } },
  // The sidecar refuses corrections.
  correctionInfo: null,
  paidAt: "2026-11-25T14:03:22+03:00",
};

const ofItem: Values<typeof itemExtensions> = {
  tax: 3,
  department: 2,
  itemType: 4,
  paymentMode: 1,
  unit: "кг",
  measure: 11,
  agentType: { agentType: 64, supplierInn: "7736050003", supplierName: "Farm", supplierPhone: "+79161234567" },
  supplierName: { agentType: 64, supplierInn: "7736050003", supplierName: "Field" },
  supplierInn: { agentType: 32, supplierInn: "7736050003" },
  supplierPhone: { agentType: 64, supplierInn: "7736050003", supplierPhone: ["+79161234567", "+79161234568"] },
  agentData: { agentType: 32, supplierInn: "7736050003", agentData: { operation: "Transfer" } },
  goodsCode: Buffer.from("code").toString("base64"),
  markingCode: { quantity: 1, markingCode: Buffer.from("0104600439931256215Qbag!\u001d93Zjqw").toString("base64") },
  countryCode: "643",
  customDeclarationCode: "10702020/060520/0013422",
  additionalProps: "Gift",
  excise: 5,
  industryProps: { industryProps: { federal_id: "030", date: "21.11.2023", number: "1944", value: "UUID=1&Time=2" } },
};

function fieldsOf(key: string, value: unknown): object {
  return typeof value === "object" && value !== null && key in value ? value : { [key]: value };
}

let orders = 0;
function nextOrder(): string {
  orders += 1;
  return `A-${orders}`;
}

const otherId = (head: object): object => ("receiptId" in head ? { receiptId: randomUUID() } : head);

const plainItem = { price: 120, quantity: 2 };
const lineOf = (item: object) => ({ ...plainItem, ...item });
const sumOf = (item: object) => 120 * Number(Reflect.get(lineOf(item), "quantity"));

function tableOf(head: object, item: object, besides: object = {}) {
  const taskTable = [
    { type: "OpenCheckSell" },
    { type: "Registration", data: "Tea", param: lineOf(item) },
    { type: "Payment", param: { summ: sumOf(item), typeClose: 1 } },
    { type: "CloseCheck" },
  ];
  return { ...besides, response: { orderId: nextOrder(), ...head, taskTable } };
}

function onlineOf(head: object, item: object) {
  const sum = sumOf(item);
  const items = [{ name: "Tea", ...lineOf(item), sum }];
  const attributes = { email: "", phone: "" };
  const receipt = { attributes, items, total: sum, payments: [{ type: 1, sum }] };
  return { external_id: nextOrder(), timestamp: "25.11.2026 14:03:22", ...head, receipt };
}

function readAsSent(body: object): Receipt {
  const read = readOrder(JSON.stringify(body), { format: "auto" });
  if (read.kind === "receipt") return read.receipt;
  throw read.kind === "broken" ? read.fault : new Error(read.kind);
}

const heads = Object.entries(ofHead).flatMap(([key, value]) =>
  value === null ? [] : ([[key, fieldsOf(key, value)]] as const),
);
const items = Object.entries(ofItem).map(([key, value]) => [key, fieldsOf(key, value)] as const);
const cases = [
  ...heads.flatMap(([key, head]) => [
    [`${key} of a task table`, tableOf(head, {}), tableOf({}, {})] as const,
    [`${key} of the online format`, onlineOf(otherId(head), {}), onlineOf({}, {})] as const,
  ]),
  ...items.flatMap(([key, item]) => [
    [`${key} of a line`, tableOf({}, item), tableOf({}, {})] as const,
    [`${key} of an online position`, onlineOf({}, item), onlineOf({}, {})] as const,
  ]),
  ["service beside response", tableOf({}, {}, { service: { inn: "7700000000" } }), tableOf({}, {})] as const,
  ["operation beside response", tableOf({}, {}, { operation: "sell" }), null] as const,
];

test.each(cases)("the order's key %s reaches the till as it was sent", async (_what, body, without) => {
  const sent = readAsSent(body);
  if (without !== null) expect({ ...sent, orderId: null }).not.toEqual({ ...readAsSent(without), orderId: null });
  const posted = await world.post(body);
  expect(posted).toMatchObject({ status: 200 });
  const receiptId = Reflect.get(Object(posted.body), "receiptId");
  const handed = await world.till.printNext();
  expect({ ...handed, receiptId: null }).toEqual({ ...sent, receiptId: null });
  expect(handed?.receiptId).toBe(sent.receiptId ?? receiptId);
});

test("keys that every answer of a site may have beside response give no warning", async () => {
  const beside = { timestamp: "25.11.2026 14:03:22", action: "order", kkm: "0000000000000001", success: true };
  const posted = await world.post(tableOf({}, { tax: 1 }, beside));
  expect(posted).toMatchObject({ status: 200, body: { warnings: [] } });
});

test("an unknown key beside response gives a warning with its name", async () => {
  const body = tableOf({}, { tax: 1 }, { clientContact: "a@b.example", resultCode: 0 });
  const warnings = [{ path: "clientContact", message: expect.stringContaining("beside `response`") }];
  expect(await world.post(body)).toMatchObject({ status: 200, body: { warnings } });
});
