/** The builder, `enqueue`, `POST /receipts` and the daemon judge an order alike. */

import { problemsIn } from "@fiscald/shared/exchange/order-problem.js";
import { isFault } from "@fiscald/shared/fault.js";
import { readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { openReceiptStore, type ReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { onlineReceipt } from "#handlers/receipts/online-receipt-builder.js";
import { today } from "#handlers/receipts/receipt-input.js";
import { createSqliteFile } from "../support/site-databases.js";
import { createTestLogger } from "../support/test-logger.js";
import { openSidecarWorld, type SidecarWorld } from "./sidecar/sidecar-world.js";

interface Given {
  readonly head?: object;
  readonly receipt?: object;
  readonly item?: object;
  readonly items?: readonly object[];
}

const mark = Buffer.from("0104600439931256215Qbag!\u001d93Zjqw").toString("base64");
const tea = { name: "Чай", price: 120, quantity: 1, sum: 120, vat: { type: "vat22" } };

function bodyOf({ head, receipt, item, items = [{ ...tea, ...item }] }: Given, orderId: string) {
  return {
    external_id: orderId,
    timestamp: "25.11.2026 14:03:22",
    ...head,
    receipt: {
      attributes: { email: "buyer@example.ru", phone: "" },
      items,
      payments: [{ type: 1, sum: 120 }],
      total: 120,
      ...receipt,
    },
  };
}

const free = { ...tea, name: "Подарок", price: 0, sum: 0 };
const cases: Readonly<Record<string, Given>> = {
  "a plain sale": {},
  "a position of price 0": { items: [tea, free] },
  "a total of 0": { items: [free], receipt: { total: 0, payments: [] } },
  "a total of 0 that is paid": { items: [free], receipt: { total: 0, payments: [{ type: 1, sum: 0 }] } },
  "a total that is not the sum": { receipt: { total: 119 } },
  "too little paid": { receipt: { payments: [{ type: 1, sum: 100 }] } },
  "cash with change": { receipt: { payments: [{ type: 0, sum: 500 }] } },
  "no contact on the internet": { head: { isInternetPayment: 1 }, receipt: { attributes: {} } },
  "an invalid contact": { receipt: { attributes: { email: "none", phone: "" } } },
  "a phone without +7": { receipt: { attributes: { email: "", phone: "9161234567" } } },
  "a contact that cannot be read, on the internet": {
    head: { isInternetPayment: 1 },
    receipt: { attributes: { email: "buyer", phone: "" } },
  },
  "a marked piece": { item: { markingCode: mark } },
  "two marked pieces in one position": { item: { markingCode: mark, quantity: 2, price: 60 } },
  "one mark on two positions": {
    items: [
      { ...tea, markingCode: mark },
      { ...tea, markingCode: mark },
    ],
    receipt: { total: 240, payments: [{ type: 1, sum: 240 }] },
  },
  "a rate that is no longer in force": { item: { vat: { type: "vat20" } } },
  "a refund at a rate that is no longer in force": {
    head: { operation: "sell_refund" },
    item: { vat: { type: "vat20" } },
  },
  "a rate that does not exist": { item: { vat: { type: "vat21" } } },
  "a buyer with an INN of 11 digits": { head: { buyerName: "ООО Ромашка", buyerINN: "77000000001" } },
  "a buyer with an INN of zeros": { head: { buyerName: "ООО Ромашка", buyerINN: "0000000000" } },
  "a buyer with an INN": { head: { buyerName: "ООО Ромашка", buyerINN: "7700000000" } },
  "a control character in a name": { item: { name: "Ча\u0007й" } },
  "an empty name": { item: { name: "  " } },
  "a sum above the register's largest": { item: { price: 100_000_000, sum: 100_000_000 } },
};

let world: SidecarWorld;
let store: ReceiptStore;
const logged: string[] = [];
beforeAll(async () => {
  world = await openSidecarWorld(await createSqliteFile());
  store = await openReceiptStore({ database: ":memory:", logger: createTestLogger((line) => logged.push(line)) });
});
afterAll(async () => {
  await store.close();
  await world.close();
});

type Verdict = readonly string[];
const taken: Verdict = ["taken"];
const codes = (error: unknown): Verdict => {
  if (!isFault(error)) throw error;
  return problemsIn(error).map(({ code, path }) => `${code} ${path}`);
};

/** Plain JavaScript may pass a body of any content. */
async function enqueue(body: object): Promise<unknown> {
  return Reflect.apply(store.enqueue, store, [body]);
}

function atTheTill(body: object): Verdict {
  const read = readOrder(JSON.stringify(body), { format: "auto", today: today() });
  return read.kind === "receipt" ? taken : read.kind === "broken" ? codes(read.fault) : [read.kind];
}

async function byPost(body: object): Promise<Verdict> {
  const { status, body: answer } = await world.post(body);
  if (status === 200) return taken;
  const problems: unknown = Reflect.get(Object(answer), "problems");
  return Array.isArray(problems) ? problems.map(({ code, path }) => `${code} ${path}`) : [String(status)];
}

test.each(Object.entries(cases))("enqueue, POST /receipts and the daemon judge %s alike", async (name, given) => {
  const body = bodyOf(given, name);
  const verdict = atTheTill(body);
  const enqueued = await enqueue(body).then(() => taken, codes);
  expect({ enqueued, posted: await byPost(body) }).toEqual({ enqueued: verdict, posted: verdict });
});

const sale = (head: object = {}) => onlineReceipt.sale({ orderId: "B-1", contact: "buyer@example.ru", ...head });
const built: readonly (readonly [string, () => unknown])[] = [
  [
    "a position of price 0",
    () => sale().item({ name: "Чай", price: 120 }).delivery({ price: 0 }).payRest("electronic"),
  ],
  ["a total of 0", () => sale().item({ name: "Подарок", price: 0 })],
  [
    "no contact on the internet",
    () =>
      sale({ contact: "", internetUrl: "https://shop.example" }).item({ name: "Чай", price: 1 }).payRest("electronic"),
  ],
  [
    "two marked pieces in one position",
    () =>
      sale()
        .item({ name: "Чай", price: 60, quantity: 2, markingCode: "0104600439931256215Qbag!\u001d93Zjqw" })
        .payRest("cash"),
  ],
  ["a rate that is no longer in force", () => sale().item({ name: "Чай", price: 120, tax: "20 %" }).payRest("cash")],
  [
    "a buyer with an INN of 11 digits",
    () =>
      sale({ buyer: { name: "ООО Ромашка", inn: "77000000001" } })
        .item({ name: "Чай", price: 1 })
        .payRest("cash"),
  ],
];

test.each(built)("the builder finds the same problems as the daemon in %s", (name, build) => {
  const isTaken = atTheTill(bodyOf(cases[name] ?? {}, name)).join() === "taken";
  let verdict = taken;
  try {
    const builder = build();
    Reflect.apply(Reflect.get(Object(builder), "build"), builder, []);
  } catch (error) {
    verdict = codes(error);
  }
  expect([name, verdict.join() === "taken", verdict]).toEqual([name, isTaken, verdict]);
});

test("a receipt above the daemon's usual limit is queued with a warning in roubles", async () => {
  const large = { ...tea, price: 1_000_001, sum: 1_000_001 };
  const receipt = { total: 1_000_001, payments: [{ type: 1, sum: 1_000_001 }] };
  await enqueue(bodyOf({ items: [large], receipt }, "L-1"));
  expect(logged.filter((line) => line.includes("largestReceipt"))).toEqual([
    expect.stringMatching(/1000001\.00.*1000000\.00/),
  ]);
});
