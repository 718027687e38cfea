/** A failed order comes again with other content. The database is real, and there are no registers. */
import { toKkm, toRegisterId } from "@fiscald/shared/ids.js";
import { type Shop, type ShopOrder, useShops } from "../../support/make-shop.js";

const open = useShops();
const receiptId = "7b0c3a52-0000-4000-8000-000000000001";
const order: ShopOrder = { receiptId, lines: [{ name: "Чай", price: 100 }], contact: "old@shop.example" };
let shop: Shop;

beforeEach(() => {
  shop = open();
});

function fail(times = 1): void {
  for (let time = 0; time < times; time += 1) {
    if (shop.jobs.get(1).state === "failed") shop.offer(order);
    shop.jobs.markFailed(1, { code: "device.bad-value", message: "" }, 0);
  }
}
const words = () => shop.journal.ofJob(1).map(({ what }) => what);

test("a failed order that is offered with other content has only the new content and its warnings", () => {
  shop.offer({ ...order, contact: "не скажу" });
  fail();
  const mended = { ...order, lines: [{ name: "Чай", price: 100, tax: 2 }], contact: "new@shop.example" };
  expect(shop.offer(mended)).toMatchObject({ kind: "order", job: { id: 1 } });
  const raw = shop.rawOrders.find(shop.jobs.get(1).raw ?? 0);
  expect(raw?.body).toContain("new@shop.example");
  expect(shop.jobs.list({ limit: 10 })).toMatchObject([
    { id: 1, state: "queued", tries: 0, fault: null, receipt: { contact: "new@shop.example", lines: [{ tax: 2 }] } },
  ]);
  const fresh = open({}, {}, "fresh");
  fresh.offer(mended);
  const { raw: _raw, ...asNew } = fresh.jobs.get(1);
  expect(shop.jobs.get(1)).toMatchObject(asNew);
  shop.printAll();
  // The first content had a contact that was left out.
  expect(shop.told()).toMatchObject([{ job: 1, outcome: "printed", receiptId }]);
  expect(shop.told()[0]).not.toHaveProperty("warnings");
  expect(words()).toEqual(["order accepted", "the order is odd", "order mended, tried again"]);
});

test("a failed order that comes with other content is reported with the warnings of the new content", () => {
  shop.offer(order);
  fail();
  shop.sell({ ...order, contact: "не скажу" });
  expect(shop.told()).toMatchObject([{ outcome: "printed", warnings: [{ path: "taskTable[3].data" }] }]);
});

test("the result of an order's third failure tells the site that a person has to decide about the order", () => {
  const failed = () => {
    fail();
    shop.events.result(shop.jobs.get(1), "failed");
    return shop.told().at(-1);
  };
  shop.offer(order);
  expect([failed(), failed()].map((body) => body?.["again"])).toEqual([undefined, undefined]);
  const last = failed();
  expect(last).toMatchObject({ outcome: "failed", again: false });
  expect(last?.["resultInfo"]).toMatch(/повторит человек у кассы, или пришлите .* с другим содержимым\.$/);
  shop.deliver();
  shop.offer(order);
  expect(shop.told().at(-1)).toMatchObject({ state: "pending", again: false });
});

test("a failed order is tried three times with the same content, and three times more with other content", () => {
  shop.offer(order);
  fail(3);
  expect(shop.offer(order)).toMatchObject({ kind: "repeat" });
  const mended = { ...order, contact: "new@shop.example" };
  for (const tries of [1, 2, 3]) {
    expect(shop.offer(mended)).toMatchObject({ kind: "order", job: { id: 1, tries: tries - 1 } });
    shop.jobs.markFailed(1, { code: "device.bad-value", message: "" }, 0);
  }
  expect(shop.offer(mended)).toMatchObject({ kind: "repeat" });
});

test("a failed order whose content changes at each offer is tried with ten contents and then not any more", () => {
  shop.offer(order);
  const tried = Array.from({ length: 20 }, (_, number) => {
    if (shop.jobs.get(1).state === "queued") fail();
    return shop.offer({ ...order, contact: `${number}@shop.example` }).kind;
  });
  expect(tried.filter((kind) => kind === "order")).toHaveLength(10);
});

test("the tenth changed content of a failed order is tried once, and its failure tells the site that it is not tried again", () => {
  shop.offer(order);
  for (const number of Array.from({ length: 10 }, (_, index) => index)) {
    fail();
    shop.offer({ ...order, contact: `${number}@shop.example` });
  }
  fail();
  shop.events.result(shop.jobs.get(1), "failed");
  expect(shop.told()).toMatchObject([{ outcome: "failed", again: false }]);
  expect(shop.offer({ ...order, contact: "9@shop.example" })).toMatchObject({ kind: "repeat" });
});

test("a failed job whose receipt was found keeps its content when its order comes with other content", () => {
  shop.offer(order);
  fail();
  const before = shop.jobs.get(1);
  const { register, site } = before;
  shop.journal.add({ at: 0, actor: "daemon", what: "printed after all", job: 1, register, site });
  shop.offer({ ...order, contact: "new@shop.example" });
  const { updatedAt: _at, ...kept } = before;
  expect(shop.jobs.get(1)).toMatchObject({ ...kept, state: "queued", fault: null });
});

test("a failed order that comes for another register is tried there, and counts as the same content", () => {
  const [kkm, other] = [toKkm("0005555555555555"), toRegisterId("till-2")];
  shop = open({ findRegister: (number) => (number === kkm ? other : null) }, {}, "two");
  shop.offer(order);
  fail();
  expect(shop.offer({ ...order, kkm })).toMatchObject({ kind: "order", job: { id: 1, register: other, tries: 1 } });
  fail(2);
  expect(shop.offer({ ...order, kkm })).toMatchObject({ kind: "repeat" });
});

test.each(["queued", "printing", "unsure", "printed"] as const)(
  "a job that is %s keeps its content when its order comes with another contact",
  (state) => {
    shop.offer(order);
    if (state === "printing") shop.jobs.claim(1, shop.jobs.get(1).register, 0);
    if (state === "unsure") shop.jobs.markUnsure(1, { code: "link.corrupt", message: "" }, 0);
    if (state === "printed") shop.printAll();
    const before = shop.jobs.get(1);
    expect(before.state).toBe(state);
    shop.offer({ ...order, contact: "new@shop.example" });
    expect(shop.jobs.list({ limit: 10 })).toEqual([before]);
  },
);

test("a job that a person had printed again keeps its own order mark when its order comes with other content", () => {
  shop.sell(order);
  const copy = shop.actions.printAnyway(1, "the paper was lost");
  shop.jobs.markFailed(copy.id, { code: "device.bad-value", message: "" }, 0);
  const { mark } = shop.jobs.get(copy.id);
  const first = shop.jobs.get(1);
  const now = { ...first, taxes: first, state: "queued", fault: null, now: 7 } as const;
  expect(shop.jobs.mend(copy.id, now, 0).mark).toEqual(mark);
  expect(mark).not.toEqual(first.mark);
});
