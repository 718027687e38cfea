import { orderPage, orderStory } from "@fiscald/daemon/console/order-views.js";
import type { RegisterSnapshot } from "@fiscald/daemon/registers/register-snapshot.js";
import { asRegistered } from "@fiscald/daemon/sites/registered-rates.js";
import { ASKED, FAILED, PRINTED_AFTER_ALL, REPAIR, SET_ASIDE } from "@fiscald/daemon/store/journal.js";
import type { PaperCapabilities } from "@fiscald/drivers/fiscal-driver.js";
import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { toFnSerial, toOrderId, toReceiptId, toSiteId } from "@fiscald/shared/ids.js";
import { itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import { rateOfTaxId } from "@fiscald/shared/receipt/vat.js";
import { makeDocument, makeItem, makeReceipt, newJob } from "../../support/make-job.js";
import { makeSnapshot, makeState } from "../../support/make-snapshot.js";
import { scriptedCapabilities } from "../../support/scripted-driver.js";
import { limits } from "../../support/trouble-facts.js";
import { useStores } from "../../support/use-stores.js";

const { open: openStores } = useStores();

/**
 * One job for each order id, all of the same sum. The jobs in `fds` are printed on a drive that no register has now.
 */
function open(orders: readonly string[], fds: Readonly<Record<string, number>> = {}) {
  const { clock, ...stores } = openStores();
  const { jobs } = stores;
  for (const orderId of orders) {
    const receipt = makeReceipt({ orderId: toOrderId(orderId) });
    const { id } = jobs.insertJob(
      newJob({ receipt, taxes: { taxes: [{ id: 1, vat: 1, title: null }], taxpayer: null } }),
    );
    const fd = fds[orderId];
    if (fd !== undefined) jobs.markPrinted(id, makeDocument({ fn: toFnSerial("9999078900000009"), fd }), 0);
  }
  const nothing = { snapshots: () => [], siteHealth: () => [], storeFault: () => null, troubles: () => [] };
  return { ...stores, clock, ...nothing, awaited: () => null, whatWaited: () => null, limits };
}

function pagesOf(...given: Parameters<typeof open>) {
  const parts = open(...given);
  return (search: string, page = 1) => orderPage(parts, { search, page });
}

test.each([
  ["one site", ["shop"], null],
  ["several sites", ["shop", "other"], "shop"],
])("the list of orders of %s names an order's site only where there are several", (_title, ids, shown) => {
  const siteHealth = () =>
    ids.map((id) => ({ site: toSiteId(id), fault: null, since: null, lostAnswers: 0, polled: new Map() }));
  const { orders } = orderPage({ ...open(["A-1"]), siteHealth }, { search: "", page: 1 });
  expect(orders.map(({ site }) => site)).toEqual([shown]);
});

test("the history of an order names the documents that a person has checked", () => {
  const parts = open(["A-1"]);
  const details = { reason: "no reason given", checked: [7, 9] };
  parts.journal.add({ at: 0, actor: "operator", what: "resolved as not printed", job: 1, details });
  const [entry] = orderStory(parts.jobs.get(1), parts).entries;
  expect(entry?.detail.ru).toMatch(/другие чеки: ФД 7, 9\.$/);
});

test.each([
  ["operator", "Petrova: wrong order", "Petrova: wrong order"],
  ["operator", "no reason given", ""],
  ["daemon", "the register could not be read", ""],
] as const)(
  "the history of an order shows a reason only if a person has typed it: actor %s, reason %s",
  (actor, reason, shown) => {
    const parts = open(["A-1"]);
    parts.journal.add({ at: 0, actor, what: SET_ASIDE, job: 1, details: { reason } });
    expect(orderStory(parts.jobs.get(1), parts).entries[0]?.detail).toEqual({ en: shown, ru: shown });
  },
);

test("the history of an order describes a fault in words, and keeps the device's own words apart for support", () => {
  const parts = open(["A-1"]);
  const details = { code: "link.timeout", reason: "no answer to FF46 within 5000 ms" };
  parts.journal.add({ at: 0, actor: "daemon", what: "outcome unknown", job: 1, details });
  const [entry] = orderStory(parts.jobs.get(1), parts).entries;
  expect(entry).toMatchObject({
    ...{ text: { ru: "исход неизвестен" }, detail: { ru: "Касса не ответила вовремя." } },
    technical: "link.timeout: no answer to FF46 within 5000 ms",
  });
});

test("the history of an order names the field that is wrong, in the reader's language", () => {
  const parts = open(["A-1"]);
  const details = { code: "order.wrong-value", reason: "taskTable: must be a list", ru: "taskTable: нужен список" };
  parts.journal.add({ at: 0, actor: "daemon", what: FAILED, job: 1, details });
  const [entry] = orderStory(parts.jobs.get(1), parts).entries;
  expect(entry?.detail).toEqual({ en: "taskTable: must be a list", ru: "taskTable: нужен список" });
});

test("the list of orders says of a sale whether it is being or was returned, in part or whole, or repaired", () => {
  const parts = open(["part", "whole", "wrong", "sold"], { part: 1, whole: 2, wrong: 3, sold: 4 });
  const add = (over: Partial<SaleReceipt>) => parts.jobs.insertJob(newJob({ receipt: makeReceipt(over) })).id;
  const half = [makeItem({ quantity: quantity(500_000), total: kopecks(5_000) })];
  const returns = [
    add({ operation: "return", orderId: toOrderId("part"), lines: half }),
    add({ operation: "return", orderId: toOrderId("whole") }),
  ];
  const second = add({ orderId: toOrderId("wrong") });
  const details = { case: "wrong", of: 3, jobs: [second], reason: "Петрова: цена" };
  for (const job of [3, second]) parts.journal.add({ at: 0, actor: "operator", what: REPAIR, job, details });
  const since = () => [1, 2, 3, 4].map((job) => orderStory(parts.jobs.get(job), parts).row.since?.ru ?? null);
  expect(since().slice(0, 2)).toEqual(returns.map((job) => `возврат ждёт печати (задание ${job})`));
  for (const job of returns) parts.jobs.markPrinted(job, makeDocument({ fd: 20 + job }), 0);
  expect(since()).toEqual(["возвращён частично", "возвращён", "исправляется", null]);
  parts.jobs.markPrinted(second, makeDocument({ fd: 9 }), 0);
  expect(since()[2]).toBe("исправлен");
  const third = add({ orderId: toOrderId("sold") });
  const given = { ...details, of: 4, jobs: [third] };
  for (const job of [4, third]) parts.journal.add({ at: 0, actor: "operator", what: REPAIR, job, details: given });
  expect(since()[3]).toBe("исправляется");
  parts.jobs.cancel(third, { code: "job.cancelled", message: "" }, 0);
  expect(since()[3]).toBeNull();
});

test("the picture and the history of a receipt show the VAT rate that the register put in place of the sent rate", () => {
  const parts = open(["A-1"], { "A-1": 7 });
  const differences = [{ tag: 1199, sent: "НДС 20%", read: "НДС 22%" }];
  const warnings = [
    { path: "", text: { en: "other VAT", ru: "другой НДС" } },
    { path: "taskTable[3].data", text: { en: "too long", ru: "слишком длинно" } },
  ];
  const job = parts.jobs.get(1);
  expect(asRegistered(job, parts.journal)).toBe(job.receipt);
  parts.journal.add({
    ...{ at: 0, actor: "daemon", what: "document differs", job: 1 },
    details: { fd: 7, differences, warnings, rates: [11] },
  });
  const shown = asRegistered(job, parts.journal);
  expect(shown.kind === "receipt" ? itemsOf(shown).map(({ tax }) => rateOfTaxId(tax)) : []).toEqual([11]);
  expect(orderStory(job, parts)).toMatchObject({ row: { since: { ru: "НДС не тот" } } });
  expect(orderStory(job, parts).entries.at(-1)?.detail.ru).toBe("другой НДС; taskTable[3].data: слишком длинно");
});

test("a correction is offered for a printed sale and for a failed order, and not for a waiting order", () => {
  const parts = open(["printed", "failed", "queued"], { printed: 7 });
  parts.jobs.markFailed(2, { code: "device.printer-fault", message: "" }, 0);
  const casesOf = (job: number) => orderStory(parts.jobs.get(job), parts).cases;
  expect([1, 2, 3].map(casesOf)).toEqual([["wrong", "twice", "test"], ["missed"], []]);
});

test("no correction is offered for a failed order whose receipt the register has", () => {
  const parts = open(["A-1"]);
  parts.jobs.markFailed(1, { code: "device.printer-fault", message: "" }, 0);
  parts.journal.add({ at: 0, actor: "daemon", what: PRINTED_AFTER_ALL, job: 1 });
  expect(orderStory(parts.jobs.get(1), parts)).toMatchObject({ actions: ["retry", "set-aside"], cases: [] });
});

test.each([
  ["device.printer-fault", ["retry", "as-correction", "set-aside"]],
  ["device.tax-unknown", ["set-aside"]],
] as const)("the page of an order that failed with %s offers only actions that can succeed: %j", (code, offered) => {
  const parts = open(["A-1"]);
  parts.jobs.markFailed(1, { code, message: "" }, 0);
  expect(orderStory(parts.jobs.get(1), parts).actions).toEqual(offered);
});

/** Makes the printed sale A-1, and the two documents that put the sale right, both held. */
function openRepair() {
  const parts = open(["A-1"], { "A-1": 7 });
  const held = newJob({ source: "operator", state: "held" });
  const [first, second] = [parts.jobs.insertJob(held).id, parts.jobs.insertJob(held).id];
  const details = { case: "wrong", of: 1, jobs: [first, second], reason: "Петрова: цена" };
  for (const job of [1, first, second]) parts.journal.add({ at: 0, actor: "operator", what: REPAIR, job, details });
  return { parts, first, second };
}

test("the second document of a repair cannot be approved on its page until the first is printed", () => {
  const { parts, first, second } = openRepair();
  const story = () => orderStory(parts.jobs.get(second), parts);
  expect(story().actions).toEqual(["set-aside"]);
  expect(story().repair).toMatchObject({
    reason: "Петрова: цена",
    rows: [{ job: 1 }, { job: first }, { job: second }],
  });
  parts.jobs.approve(first, 0);
  parts.jobs.markPrinted(first, makeDocument({ fd: 8 }), 0);
  expect(story().actions).toEqual(["approve", "set-aside"]);
});

test("a sale whose right receipt was cancelled or failed is marked as half put right, and the right receipt can be printed", () => {
  const { parts, first, second } = openRepair();
  const shown = () => {
    const { actions } = orderStory(parts.jobs.get(second), parts);
    return [orderStory(parts.jobs.get(1), parts).row.since?.ru, actions];
  };
  parts.jobs.cancel(second, { code: "job.cancelled", message: "" }, 0);
  expect(shown()).toEqual([undefined, []]);
  parts.jobs.approve(first, 0);
  parts.jobs.markPrinted(first, makeDocument({ fd: 8 }), 0);
  expect(shown()).toEqual(["возвращён, а верный чек не напечатан", ["retry"]]);
  parts.jobs.requeueByOperator(second, { markDigits: null }, 0);
  expect(shown()).toEqual(["исправляется", ["cancel"]]);
  parts.jobs.markFailed(second, { code: "device.printer-fault", message: "" }, 0);
  expect(shown()).toEqual(["возвращён, а верный чек не напечатан", ["retry", "set-aside"]]);
});

const drive = makeState().fn;
const copying = (copies: PaperCapabilities["copies"], lastFd: number, isConnected = true): RegisterSnapshot => {
  const none = { styles: [], barcodes: [], image: null };
  const paper = { ...none, columns: [42], cut: true, header: true, footer: true } as const;
  const capabilities = { ...scriptedCapabilities, paper: copies === undefined ? paper : { ...paper, copies } };
  return { ...makeSnapshot({ fn: drive, lastFd }, { kkm: "0000000000000001" }), capabilities, isConnected };
};

test.each([
  ["a register that copies any receipt", [copying("any", 9)], null],
  ["a register that copies its last receipt, and this receipt is the last", [copying("last", 7)], null],
  [
    "a register that copies its last receipt, and this receipt is not the last",
    [copying("last", 9)],
    /только последнего чека/,
  ],
  ["a register that prints no copies", [copying(undefined, 7)], /копий не печатает/],
  ["a register without a connection", [copying("any", 7, false)], /не на связи/],
  ["a fiscal drive that no register has", [], /есть только у ОФД/],
] as const)("the page of a receipt of %s offers the copy on paper, or says why there is none", (_, registers, why) => {
  const parts = { ...open([]), snapshots: () => registers };
  const { id } = parts.jobs.insertJob(newJob());
  expect(orderStory(parts.jobs.get(id), parts).forBuyer).toBeNull();
  parts.jobs.markPrinted(id, makeDocument({ fn: drive, fd: 7 }), 0);
  const { actions, forBuyer } = orderStory(parts.jobs.get(id), parts);
  expect(actions).toEqual(why === null ? ["copy"] : []);
  expect(forBuyer?.noCopy?.ru ?? null).toEqual(why === null ? null : expect.stringMatching(why));
});

test("the page of a held order offers no correction when a receipt without a site may already be that correction", () => {
  const parts = open([]);
  const fault = { code: "job.held-sold", message: "job 1" } as const;
  const { id } = parts.jobs.insertJob(newJob({ state: "held", fault }));
  const { actions, why } = orderStory(parts.jobs.get(id), parts);
  expect(actions).toEqual(["approve", "set-aside"]);
  expect(why).toMatchObject([{ text: { ru: expect.stringContaining("сверяет с ним заказ") } }]);
});

test("the page of a held order says why the order waits, and offers to approve it or to set it aside", () => {
  const parts = open([]);
  const fault = { code: "job.held-large", message: "1500000.00 is above 1000000.00" } as const;
  const { id } = parts.jobs.insertJob(newJob({ state: "held", fault }));
  const { actions, row, why } = orderStory(parts.jobs.get(id), parts);
  expect([actions, row.tone, row.state.ru]).toEqual([["approve", "as-correction", "set-aside"], "red", "ждёт решения"]);
  expect(why).toMatchObject([{ kind: "held", text: { ru: expect.stringContaining("Сумма чека больше разрешённой") } }]);
});

test.each([
  ["return-again", ["print-anyway", "same-receipt", "set-aside"]],
  ["sell-again", ["print-anyway", "set-aside"]],
])("the page of a refused order that needs a person (%s) offers %o, until the order is set aside", (asks, offered) => {
  const parts = open(["A-1"], { "A-1": 7 });
  const fault = { code: "job.already-printed", message: "" } as const;
  const { id } = parts.jobs.insertJob(newJob({ state: "refused", fault }));
  expect(orderStory(parts.jobs.get(id), parts).actions).toEqual(["set-aside"]);
  parts.journal.add({ at: 0, actor: "daemon", what: ASKED, job: id, details: { asks, earlier: 1 } });
  expect(orderStory(parts.jobs.get(id), parts).actions).toEqual(offered);
  const itsAnswer = parts.jobs.insertJob(newJob({ receipt: makeReceipt({ receiptId: toReceiptId("own") }) }));
  expect(orderStory(parts.jobs.get(id), parts).actions).toEqual(["set-aside"]);
  parts.jobs.cancel(itsAnswer.id, { code: "job.cancelled", message: "" }, 0);
  parts.journal.add({ at: 0, actor: "operator", what: SET_ASIDE, job: id });
  expect(orderStory(parts.jobs.get(id), parts).actions).toEqual(["print-anyway"]);
});

test("an order is found by its visible number, whatever invisible characters the number has", () => {
  const pages = pagesOf(["A\u200B-1"]);
  for (const typed of ["A-1", "A\u200B-1", "A-\uFEFF1"]) expect(pages(typed).orders).toHaveLength(1);
});

test("a search for a sum that many orders have continues on the second page", () => {
  const pages = pagesOf(Array.from({ length: 31 }, (_, index) => `A-${index}`));
  const total = pages("").orders[0]?.total ?? "";
  expect(pages(total)).toMatchObject({ hasMore: true, orders: { length: 30 } });
  expect(pages(total, 2)).toMatchObject({ hasMore: false, orders: [{ order: "A-0" }] });
});

test("a search for a number finds the order with this id and the document with this number, also on a former drive", () => {
  const pages = pagesOf(["7", "A-1", "A-2"], { "A-1": 7 });
  expect(pages("7").orders.map(({ order }) => order)).toEqual(["7", "A-1"]);
  expect(pages("a-2").orders.map(({ order }) => order)).toEqual(["A-2"]);
  expect(pages("8").orders).toEqual([]);
});

test("a search for the fiscal sign on a buyer's receipt finds the order, with or without leading zeros", () => {
  const parts = open(["A-1", "A-2"]);
  const document = makeDocument({ fn: toFnSerial("9999078900000009"), fd: 7, fiscalSign: "0012345678" });
  parts.jobs.markPrinted(1, document, 0);
  const find = (search: string) => orderPage(parts, { search, page: 1 }).orders.map(({ order }) => order);
  for (const typed of ["0012345678", "12345678", "ФП 0012345678", "фпд: 0012345678", "FP №12345678"])
    expect(find(typed)).toEqual(["A-1"]);
  expect(find("12345679")).toEqual([]);
});

test("a search for a sum in any spelling finds the orders with this sum and the document with this number", () => {
  const pages = pagesOf(["A-1", "A-2"], { "A-1": 100 });
  for (const typed of ["100", "100 руб.", "100,00 ₽", "100\u00A0р"]) {
    expect(
      pages(typed)
        .orders.map(({ order }) => order)
        .sort(),
    ).toEqual(["A-1", "A-2"]);
  }
  for (const typed of ["ФД 100", "№ 100", "фд №100"]) expect(pages(typed).orders).toMatchObject([{ order: "A-1" }]);
  expect(pages("№A-2").orders).toMatchObject([{ order: "A-2" }]);
  expect(pages("#2").orders).toMatchObject([{ order: "A-2" }]);
});

test.each(["01.01.1970", "1.1.70", "1970-01-01"])("a search for %s shows only the orders of that day", (typed) => {
  const found = pagesOf(["A-1"])(typed);
  expect([found.orders.length, found.why]).toEqual([typed === "1.1.70" ? 0 : 1, []]);
});

test.each([
  ["1042", ["A-1042"]],
  ["№ 1042", ["A-1042"]],
  ["а-1042", ["A-1042"]],
  ["A-104", ["A-1043", "A-1042"]],
  ["10", []],
  ["[A]*", []],
])(
  "a search for %j, which is no order's id, finds the ids that contain it in Latin or Cyrillic letters: %j",
  (search, orders) => {
    const rows = pagesOf(["A-1042", "A-1043", "B-7"])(search).orders;
    expect(rows.map(({ order }) => order)).toEqual(orders);
  },
);

test("the page of an order that failed for its tax system names the tax system in words", () => {
  const parts = open(["A-1"]);
  const { en, ru } = unfitTexts.noTaxSystem(32);
  parts.jobs.markFailed(1, { code: "receipt.unsupported", message: en, ru }, 0);
  const [why] = orderStory(parts.jobs.get(1), parts).why;
  expect(why?.text.ru).toContain("Система налогообложения чека — патент, а касса с ней не зарегистрирована.");
});

test("the page of a failed order that was set aside says by whom and why, and gives no advice", () => {
  const parts = open(["A-1"]);
  parts.jobs.markFailed(1, { code: "device.printer-fault", message: "" }, 0);
  const said = () => orderStory(parts.jobs.get(1), parts).why.map(({ text, next }) => [text.ru, next.ru]);
  expect(said()).toEqual([[expect.stringContaining("не напечатан"), expect.stringMatching(/./)]]);
  parts.journal.add({ at: 0, actor: "operator", what: SET_ASIDE, job: 1, details: { reason: "отменил покупатель" } });
  expect(said()).toEqual([["Отложен оператором: отменил покупатель", ""]]);
});
