/** What a repeated order means, from the site's answer to its result, on a real database without registers. */
import { toOrderId } from "@fiscald/shared/ids.js";
import { type Shop, type ShopOrder, useShops } from "../../support/make-shop.js";

const open = useShops();
const ids = [1, 2, 3].map((number) => `7b0c3a52-0000-4000-8000-00000000000${number}`) as [string, string, string];
let shop: Shop;

beforeEach(() => {
  shop = open();
});

const lines = [
  { name: "Чай", price: 1500 },
  { name: "Доставка", price: 300 },
];
const sale: ShopOrder = { lines };
const wholeReturn: ShopOrder = { lines, back: true };
const three: ShopOrder = { lines: [{ name: "Кружка", price: 200, quantity: 3 }] };
const oneBack: ShopOrder = { lines: [{ name: "Кружка", price: 200 }], back: true };

describe("a sale that was returned whole and comes again", () => {
  beforeEach(() => {
    shop.sell(sale);
    shop.sell(wholeReturn);
  });

  test("a wholly returned sale that comes again without a receiptId is refused, and a person is asked once", async () => {
    for (const _ of [1, 2, 3]) {
      shop.offer(sale);
      shop.deliver();
      await shop.clock.advance(2 * 60_000);
    }
    expect(shop.printed()).toBe(2);
    const { resultInfo, ...told } = shop.told().at(-1) ?? {};
    expect(told).toMatchObject({ job: 3, resultCode: 4, outcome: "printed", fdNumber: "101", again: false });
    expect(resultInfo).toMatch(/ФД 101 .*ФД 102 /);
    expect(shop.decisions()).toEqual([3]);
    expect(shop.outbox.ofJob(3)).toMatchObject([{ revision: 0 }]);
    // The next day the site hears it again, and there is no second question.
    await shop.clock.advance(25 * 3_600_000);
    shop.offer(sale);
    expect(shop.outbox.ofJob(3)).toMatchObject([{ revision: 1, state: "pending" }]);
    expect(shop.decisions()).toEqual([3]);
  });

  test("a person is asked again about a wholly returned sale that was set aside only when the sale comes on another day", async () => {
    shop.offer(sale);
    shop.deliver();
    shop.actions.setAside(3, "the site repeats itself");
    for (const _ of [1, 2]) shop.offer(sale);
    expect(shop.decisions()).toEqual([]);
    await shop.clock.advance(25 * 3_600_000);
    shop.offer(sale);
    expect(shop.decisions()).toEqual([4]);
  });

  test("a wholly returned sale that comes again is printed and reported as printed when the operator allows the sale", () => {
    shop.offer(sale);
    shop.deliver();
    shop.actions.printAnyway(3, "sold again");
    expect(shop.decisions()).toEqual([]);
    shop.printAll();
    shop.deliver();
    expect(shop.told().at(-1)).toMatchObject({ job: 3, resultCode: 0, outcome: "printed", fdNumber: "103" });
    shop.offer(sale);
    expect(shop.told().at(-1)).toMatchObject({ job: 3, state: "pending" });
    expect(shop.printed()).toBe(3);
  });

  test("a wholly returned sale that comes while its first result waits to be sent again does not cause that result once more", () => {
    shop.outbox.rearm(shop.outbox.ofJob(1)[0]?.id ?? 0);
    shop.offer(sale);
    expect(shop.log.join("\n")).not.toContain("its result is sent again");
    shop.deliver();
    shop.offer(sale);
    expect(shop.decisions()).toEqual([3]);
  });
});

test("a person is asked once about a sale that comes again before and after its whole return is printed", () => {
  shop.sell(sale);
  shop.offer(wholeReturn);
  shop.offer(sale);
  shop.printAll();
  shop.deliver();
  shop.offer(sale);
  expect(shop.decisions()).toEqual([3]);
  shop.actions.printAnyway(3, "sold once more");
  shop.offer(sale);
  shop.printAll();
  expect([shop.printed(), shop.decisions()]).toEqual([3, []]);
});

test("an oddity of an order is reported with its result, in Russian, and stays in the order's history", () => {
  shop.sell({ ...sale, contact: "не скажу" });
  const warnings = [{ path: "taskTable[4].data", message: expect.stringMatching(/[а-я]/) }];
  expect(shop.told()).toMatchObject([{ job: 1, resultCode: 0, outcome: "printed", warnings }]);
  expect(shop.journal.ofJob(1)).toContainEqual(expect.objectContaining({ what: "the order is odd" }));
});

describe("two equal refunds of one order", () => {
  test("the second of two equal returns without a receiptId is refused, and a person is asked", () => {
    shop.sell(three);
    shop.sell(oneBack);
    shop.offer(oneBack);
    expect(shop.printed()).toBe(2);
    const told = { job: 3, resultCode: 4, outcome: "printed", fdNumber: "102", operation: "sell_refund", again: false };
    expect(shop.told().at(-1)).toMatchObject(told);
    expect(shop.told().at(-1)?.["resultInfo"]).toMatch(/ФД 102 .*нужен свой receiptId/);
    expect(shop.decisions()).toEqual([3]);
  });

  test("a refused equal return that the operator calls another return is printed, and the question is answered", () => {
    shop.sell(three);
    shop.sell(oneBack);
    shop.offer(oneBack);
    shop.actions.printAnyway(3, "two mugs came back");
    expect(shop.decisions()).toEqual([]);
    shop.printAll();
    shop.deliver();
    expect(shop.told().at(-1)).toMatchObject({ job: 3, resultCode: 0, fdNumber: "103" });
  });

  test("a refused equal return that the operator calls a repeat gets the first return's result, and the question is answered", () => {
    shop.sell(three);
    shop.sell(oneBack);
    shop.offer(oneBack);
    shop.deliver();
    shop.actions.sameReceipt(3, "the site lost it");
    expect(shop.decisions()).toEqual([]);
    expect(shop.told()).toMatchObject([{}, { job: 2, state: "pending", resultCode: 0 }, { job: 3 }]);
    // An offer gets that result until it is delivered.
    expect(shop.offer(oneBack)).toMatchObject({ kind: "repeat", job: { id: 2 } });
    expect(shop.journal.ofJob(2)).toContainEqual(expect.objectContaining({ actor: "operator" }));
    expect(shop.printed()).toBe(2);
  });

  test("when a person calls an equal return a repeat before the site has the refusal, the site gets only the first result", () => {
    shop.sell(three);
    shop.sell(oneBack);
    shop.offer(oneBack);
    shop.actions.sameReceipt(3, "the site lost it");
    expect(shop.told()).toMatchObject([{ job: 1 }, { job: 2, state: "pending", resultCode: 0 }]);
  });

  test("an equal return that its site offers with a receiptId answers the question, unless that return fails", () => {
    shop.sell(three);
    shop.sell(oneBack);
    shop.offer(oneBack);
    expect(shop.decisions()).toEqual([3]);
    shop.offer({ ...oneBack, receiptId: ids[0] });
    expect(shop.decisions()).toEqual([]);
    shop.jobs.markFailed(4, { code: "device.bad-value", message: "" }, 0);
    expect(shop.decisions()).toEqual([3]);
    shop.actions.retry(4, "once more");
    shop.printAll();
    expect([shop.printed(), shop.decisions()]).toEqual([3, []]);
  });

  test("a person is asked again about an equal return that is offered after it was called a repeat", () => {
    shop.sell(three);
    shop.sell(oneBack);
    shop.offer(oneBack);
    shop.actions.sameReceipt(3, "the site lost it");
    shop.deliver();
    for (const _ of [1, 2]) {
      shop.offer(oneBack);
      expect(shop.decisions()).toEqual([4]);
    }
    expect(shop.told().at(-1)).toMatchObject({ job: 4, resultCode: 4, outcome: "printed", fdNumber: "102" });
  });

  test("a job other than an equal return cannot be called a repeat of an earlier job", () => {
    shop.sell(sale);
    shop.sell(wholeReturn);
    shop.offer(sale);
    for (const job of [1, 3]) {
      expect(() => shop.actions.sameReceipt(job, "?")).toThrow(expect.objectContaining({ code: "job.wrong-state" }));
    }
  });

  test("a return offered again before its site has the result is the same return, even if the result comes meanwhile", () => {
    shop.sell(three);
    shop.offer(oneBack);
    shop.printAll();
    expect(shop.offer(oneBack)).toMatchObject({ kind: "repeat", job: { id: 2 } });
    const asked = shop.deliveries.count;
    shop.deliver();
    expect(shop.offer(oneBack, { asked })).toMatchObject({ kind: "repeat", job: { id: 2 } });
    expect(shop.journal.ofJob(2).at(-1)?.details).toEqual({ reason: "its result was delivered during this poll" });
    expect(shop.offer(oneBack)).toMatchObject({ kind: "refused" });
  });

  test("a result that an earlier run of the daemon delivered counts as known to the site before every poll of this run", () => {
    shop.sell(three);
    shop.sell(oneBack);
    shop.close();
    shop = open();
    expect(shop.offer(oneBack)).toMatchObject({ kind: "refused", fault: { code: "job.already-printed" } });
  });
});

describe("a known receiptId with other content", () => {
  const known: ShopOrder = { ...sale, receiptId: ids[0] };

  test("a known receiptId with another order number is refused: the site is told the new number without the id, and no job changes", () => {
    const other = { ...known, orderId: "A-2" };
    shop.sell(known);
    const first = shop.jobs.get(1);
    const result = shop.offer(other);
    expect(result).toMatchObject({ kind: "refused", fault: { code: "receipt.id-reused", resultCode: 1 } });
    const [before, told] = shop.told();
    expect(told).toMatchObject({ orderId: "A-2", resultCode: 1, outcome: "failed" });
    expect(told).not.toHaveProperty("receiptId");
    expect(told?.["resultInfo"]).toContain("принадлежит другому чеку: продажа на 1\u00A0800,00\u00A0₽ по заказу A-1");
    expect(before).toMatchObject({ state: "delivered", receiptId: ids[0], resultCode: 0 });
    expect(shop.jobs.get(1)).toEqual(first);
    // An order that is offered again and again is refused once, and a repeat of the first order gets its result.
    shop.offer(other);
    expect(shop.jobs.find(3)).toBeNull();
    expect(shop.offer(known)).toMatchObject({ kind: "repeat", job: { id: 1 } });
  });

  test("a site that uses one receiptId for every order number is warned of once", () => {
    shop.sell(known);
    for (const orderId of ["A-2", "A-3", "A-4", "A-2"]) shop.offer({ ...known, orderId });
    expect(shop.log.filter((line) => line.includes("refused an order"))).toHaveLength(1);
    expect(shop.told().map(({ orderId }) => orderId)).toEqual(["A-1", "A-2", "A-3", "A-4"]);
    const [found] = shop.jobs.list({ orderId: toOrderId("A-3"), limit: 1 });
    expect(found?.fault?.message).toMatch(/of order A-1; .* of order A-3/);
  });

  test("a known receiptId with other lines of the same total is the known receipt, with a warning in its history and result", () => {
    shop.sell(known);
    const renamed = { ...known, lines: [{ name: "Чай зелёный", price: 1500 }, ...lines.slice(1)] };
    shop.offer(renamed);
    shop.offer(renamed);
    const warnings = [{ path: "", message: expect.stringContaining("с другими строками: они не напечатаны") }];
    expect(shop.told()).toMatchObject([{ state: "pending", resultCode: 0, warnings }]);
    const notes = shop.journal.ofJob(1).filter(({ what }) => what.includes("other lines"));
    expect(notes).toHaveLength(1);
    expect(shop.log.filter((line) => line.includes("other lines"))).toHaveLength(1);
  });
});

test("an order whose site makes a new receiptId at each offer is printed once, with one warning", () => {
  const odd = () => shop.log.filter((line) => line.includes("new receiptId at each offer")).length;
  for (const receiptId of ids) shop.offer({ ...sale, receiptId });
  shop.printAll();
  shop.offer({ ...sale, receiptId: "7b0c3a52-0000-4000-8000-00000000000f" });
  expect(shop.printed()).toBe(1);
  expect(odd()).toBe(1);
  for (const receiptId of ids) shop.offer({ ...sale, orderId: "A-2", receiptId });
  expect(shop.jobs.queue()).toHaveLength(1);
  expect(odd()).toBe(1);
});

test("a return whose sale is not known here is printed, with a warning in the log, its history and its result", () => {
  shop.offer(oneBack);
  expect(shop.jobs.queue()).toHaveLength(1);
  const said = "the sale of this return is not known here";
  expect(shop.journal.ofJob(1).map(({ what }) => what)).toEqual(["order accepted", said]);
  expect(shop.log.filter((line) => line.includes(said))).toHaveLength(1);
  shop.printAll();
  const warnings = [{ path: "", message: expect.stringContaining("здесь неизвестен") }];
  expect(shop.told()).toMatchObject([{ outcome: "printed", warnings }]);
});

test("returns beyond what was sold are refused with both sums, even when the operator retries them", () => {
  shop.sell(three);
  shop.sell({ ...oneBack, receiptId: ids[0] });
  const most: ShopOrder = { lines: [{ name: "Кружка", price: 200, quantity: 2 }], back: true };
  shop.sell({ ...most, receiptId: ids[1] });
  expect(shop.offer({ ...oneBack, receiptId: ids[2] })).toMatchObject({
    kind: "refused",
    fault: { code: "job.return-exceeds-sale", message: expect.stringMatching(/800\.00 .* 600\.00/) },
  });
  expect(shop.told().at(-1)).toMatchObject({ outcome: "failed", again: false });
  expect(() => shop.actions.retry(4, "?")).toThrow(expect.objectContaining({ code: "job.return-exceeds-sale" }));
  expect(shop.actions.printAnyway(4, "really")).toMatchObject({ state: "queued" });
});

test("a failed return is queued again only if the order's other returns leave enough of the sale", () => {
  shop.sell(three);
  shop.offer({ ...wholeReturn, lines: [{ name: "Кружка", price: 200, quantity: 3 }], receiptId: ids[0] });
  const fail = (id: number) => shop.jobs.markFailed(id, { code: "device.bad-value", message: "" }, 0);
  fail(2);
  shop.offer({ ...oneBack, receiptId: ids[1] });
  expect(() => shop.actions.retry(2, "?")).toThrow(expect.objectContaining({ code: "job.return-exceeds-sale" }));
  fail(3);
  expect(shop.actions.retry(2, "?")).toMatchObject({ state: "queued" });
});

describe("the number of an order", () => {
  test("an order number with invisible characters equals the number without them and gives a warning", () => {
    const unseen = "A\u200B-1\u00AD";
    shop.sell({ ...sale, orderId: unseen });
    expect(shop.told()).toMatchObject([{ orderId: unseen, resultCode: 0 }]);
    const said = "the order's number has characters that nobody sees";
    expect(shop.log.filter((line) => line.includes(said))).toHaveLength(1);
    expect(shop.journal.ofJob(1)).toContainEqual(expect.objectContaining({ what: said }));
    for (const orderId of ["A-1", " A-1\uFEFF", unseen]) {
      expect(shop.offer({ ...sale, orderId })).toMatchObject({ kind: "repeat", job: { id: 1, orderId: "A-1" } });
    }
    expect(shop.printed()).toBe(1);
    expect(shop.log.filter((line) => line.includes(said))).toHaveLength(1);
  });
});

test("a printed order without a contact is known when it comes again after its site began to require contacts", () => {
  const order: ShopOrder = { lines, isInternet: true };
  const rulesOf = (requireContactForInternet: boolean) => ({
    read: { format: "auto", rules: { requireContactForInternet, strictPaper: true } } as const,
  });
  const before = open(rulesOf(false), {}, "rules");
  before.sell(order);
  before.close();
  const after = open(rulesOf(true), {}, "rules");
  after.offer(order);
  expect([after.printed(), after.told().map(({ resultCode }) => resultCode)]).toEqual([1, [0]]);
  expect(after.offer({ ...order, orderId: "A-2" })).toMatchObject({ kind: "refused" });
});
