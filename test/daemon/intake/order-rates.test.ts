/** The tax rows of an order: which rates they mean, and what happens to an order whose row the register lacks. */
import { toOrderId, toSiteId } from "@fiscald/shared/ids.js";
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import { answerOf, saleTable } from "../../support/make-intake.js";
import { online, saleOf } from "../../support/order-samples.js";
import { useStores } from "../../support/use-stores.js";

import { cup, exchangedKkm, order, otherKkm, otherRegister, paidInCash, Scene } from "./intake-scene.js";

const site = toSiteId("shop");
const { open } = useStores();
let scene: Scene;
beforeEach(() => {
  scene = new Scene(open());
});
const accept = (body: unknown) => scene.accept(body);
const print = (id: number) => scene.print(id);

describe("an order's tax row that the register has not", () => {
  const withTax = (tax: unknown, price = 100) => {
    const body = order({ price });
    const [open, item, ...rest] = body.response.taskTable;
    return { response: { ...body.response, taskTable: [open, { ...item, param: { ...item?.param, tax } }, ...rest] } };
  };

  test("an order whose tax row the register lacks is refused with the place of the position, and the site's developers are told", () => {
    const place = "taskTable[1].param.tax";
    const message = '"Чай": there is no tax row 77, only 1; `tax` is the number of a row, no percentage';
    const said = { code: "device.tax-unknown", resultCode: 1, place, message };
    expect(accept(withTax(77))).toMatchObject({ kind: "refused", fault: said });
    expect(scene.jobs.findByOrder(site, toOrderId("A-1"))).toMatchObject([{ state: "refused" }]);
    expect(scene.refusals).toMatchObject([{ orderId: "A-1", fault: said }]);
    expect(scene.formatErrors).toMatchObject([{ orderId: "A-1", fault: said }]);
  });

  test("an order is accepted if it names no tax row, or while the register's tax rows are unknown", () => {
    expect(accept(withTax(null))).toMatchObject({ kind: "order" });
    scene.rows = [];
    expect(accept(withTax(77, 200))).toMatchObject({ kind: "order" });
  });

  test("an order with an unknown tax row is accepted until the register's rows were read again", () => {
    scene.confirmed = false;
    expect(accept(withTax(77))).toMatchObject({ kind: "order", job: { state: "queued" } });
  });

  test.each([
    { what: "has no longer", now: { id: 2, title: "10%", vat: 2 } as TaxRow },
    { what: "has with a rate that is no longer in force", now: { id: 1, title: "20%", vat: 1 } as TaxRow },
  ])("an order printed at a row that the register $what is not reported as failed when it comes again", ({ now }) => {
    accept(order());
    print(1);
    scene.rows = [now];
    expect(accept(order())).toMatchObject({ kind: "repeat" });
    expect(scene.refusals).toEqual([]);
    expect(scene.resent).toHaveLength(1);
  });
});

describe("the rates of an order", () => {
  const rateOf = (id: number) => scene.jobs.get(id).taxes;

  test("an order keeps the rates of the tax rows that the site knew, whatever the rows mean later", () => {
    expect(accept(order())).toMatchObject({ kind: "order" });
    scene.rows = [{ id: 1, title: "10%", vat: 2 }];
    expect(rateOf(1)).toEqual([{ id: 1, vat: 11, title: null }]);
    expect(scene.jobs.get(1)).toMatchObject({ taxpayer: { inn: "7700000000", taxSystems: 1 } });
    // The key holds the site's own id: the same order is known again, whatever its row means now.
    expect(accept(order())).toMatchObject({ kind: "repeat", job: { id: 1 } });
    accept(order({ orderId: "A-2" }));
    expect(rateOf(2)).toEqual([{ id: 1, vat: 2, title: null }]);
    expect(scene.jobs.get(2).receipt).toEqual({ ...scene.jobs.get(1).receipt, orderId: "A-2" });
  });

  test("an order is refused while the site may still use earlier tax rows in which its tax id has another rate", () => {
    scene.olderRows = [[{ id: 1, title: "10%", vat: 2 }]];
    const place = "taskTable[1].param.tax";
    const said = { code: "device.tax-changed", resultCode: 4, place, message: expect.stringContaining("НДС 22%") };
    expect(accept(order())).toMatchObject({ kind: "refused", fault: said });
    expect(scene.refusals).toMatchObject([{ orderId: "A-1", fault: said }]);
    expect(scene.formatErrors).toEqual([]);
    scene.olderRows = [];
    expect(accept(order())).toMatchObject({ kind: "order", job: { taxes: [{ id: 1, vat: 11 }] } });
  });

  test("the rates of a refused order are stored, because a person may retry it", () => {
    accept({ response: { ...order().response, cancelledByOrder: 1, kkm: "0007777777777777" } });
    expect(scene.jobs.findByOrder(site, toOrderId("A-1"))).toMatchObject([
      { state: "refused", taxes: [{ id: 1, vat: 11 }] },
    ]);
  });

  test("an order has the rates of the register that was polled for, even when that register's device was exchanged since", () => {
    const { kkm: _, ...response } = order().response;
    scene.intake.accept(answerOf({ response }, { kkm: exchangedKkm }));
    expect(rateOf(1)).toEqual([{ id: 1, vat: null, title: null }]);
  });

  test("an order has the rates of the register that it names", () => {
    scene.foreign = otherRegister;
    accept(order({ orderKkm: otherKkm }));
    expect(scene.jobs.get(1)).toMatchObject({ register: otherRegister, taxes: [{ id: 1, vat: 2 }] });
  });

  test.each([
    { what: "registered as it was meant", read: null, rate: 11, odd: 0 },
    { what: "registered without VAT", read: 6, rate: 6, odd: 1 },
  ])(
    "a return by a row of 20 % that means 22 % in sales has the rate of its sale, which was $what, and $odd warnings",
    ({ read, rate, odd }) => {
      scene.rows = [{ id: 1, title: "20%", vat: 1, inSale: 11 }];
      accept(order());
      print(1);
      const details = { differences: [{ tag: 1199, sent: "НДС 22%", read: "Без НДС" }], rates: [read] };
      if (read !== null) scene.journal.add({ at: 0, actor: "daemon", what: "document differs", job: 1, details });
      const { response } = order();
      accept({ response: { ...response, taskTable: saleTable({ back: true }) } });
      expect(rateOf(2)).toEqual([{ id: 1, vat: rate, title: null }]);
      expect(scene.warnings.filter((line) => line.includes("has the rate that the register put"))).toHaveLength(odd);
      const words = scene.journal.ofJob(2).map(({ what }) => what);
      expect(words).toEqual(["order accepted", ...(odd > 0 ? ["the order is odd"] : [])]);
    },
  );

  test.each([
    { what: "known", table: [{ id: 1, title: "22%", vat: 11 }] as readonly TaxRow[] },
    { what: "not known", table: [] },
  ])("an order's rates in words need no tax row of the register, whose rows are $what", ({ table }) => {
    scene.rows = table;
    const vat = { type: "vat22" };
    const { tax: _, ...item } = { ...cup, vat };
    expect(accept(online({ items: [item], ...paidInCash }))).toMatchObject({ kind: "order" });
    expect(rateOf(1)).toEqual([{ id: 1011, vat: 11, title: null }]);
    expect(accept(saleOf({ price: 122, quantity: 1, vat }, 122))).toMatchObject({ kind: "order" });
    expect(rateOf(2)).toEqual([{ id: 1011, vat: 11, title: null }]);
  });

  test("an order with the rate of 20 % in words is accepted when it was paid in 2025", () => {
    const { tax: _, ...item } = { ...cup, vat: { type: "vat20" } };
    const late = { ...online({ items: [item], ...paidInCash }), paidAt: "2025-12-30T12:00:00+03:00" };
    expect(accept(late)).toMatchObject({ kind: "order", job: { state: "queued", taxes: [{ vat: 1 }] } });
  });
});
