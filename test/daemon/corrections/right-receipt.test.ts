/** What the right receipt of a repair keeps of the wrong one, which day its rates are of, and who demands it. */
import { numberOf, textOf } from "@fiscald/emulators/memory/fiscal-tag.js";
import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { toInn } from "@fiscald/shared/ids.js";
import { itemsOf, type Receipt } from "@fiscald/shared/receipt/receipt.js";
import { closeTills, openTill } from "../../support/emulated-till.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import { asked, basisOf, bodiesOf, day, formats, repairsOn, soldOn } from "./repair-bench.js";

afterEach(closeTills);

const marked = Buffer.from("010460000000000821A1B2C3D4E5F6G\u001d93dGVz", "latin1").toString("base64");
const agent = { type: 6, supplierInn: toInn("7707083893"), supplierName: "ООО Ромашка", supplierPhones: [] };
const ofAgent = makeItem({ name: "Доставка", price: kopecks(200_00), tax: 2, agent });
const factsOf = (receipt: Receipt) =>
  receipt.kind === "service" ? [] : itemsOf(receipt).map(({ agent, markingCode }) => ({ agent, markingCode }));

test("both documents of a repair keep the agent and the marking code of lines that a person has edited", async () => {
  const perfume = makeItem({ name: "Духи", price: kopecks(500_00), tax: 2, subject: 33, markingCode: marked });
  const sold = makeReceipt({ lines: [ofAgent, perfume] });
  const till = await soldOn("1.2", sold);
  const { bench, job } = till;
  const edits = [
    { line: 1, price: "150" },
    { line: 2, vat: 11 },
  ];
  const first = await repairsOn(bench).carryOut(asked({ case: "wrong", job, date: day, edits }), "wrong price");
  await bench.runQueue();
  bench.operator.approve(first.id + 1, "the first is out");
  await bench.runQueue();
  expect(bench.states(first.id, first.id + 1)).toEqual(["printed", "printed"]);
  for (const id of [first.id, first.id + 1]) expect(factsOf(bench.job(id).receipt)).toEqual(factsOf(sold));
  const inDocuments = bodiesOf(till).map(({ body }) =>
    body.flatMap((tag) => (tag.tag === 1059 && "items" in tag ? [tag.items.map((inside) => inside.tag)] : [])),
  );
  expect(inDocuments).toHaveLength(2);
  for (const [service, goods] of inDocuments) {
    expect(service).toEqual(expect.arrayContaining([1222, 1224, 1226]));
    expect(goods).toEqual(expect.arrayContaining([1163]));
  }
});

test("the excise of a line in a repair changes with the quantity that a person has corrected", async () => {
  const excise = { excise: kopecks(90_00) };
  const lines = [makeItem({ quantity: quantity(3_000_000), total: kopecks(300_00), tax: 2, requisites: excise })];
  const { bench, job } = await soldOn("1.2", makeReceipt({ lines }));
  const request = asked({ case: "wrong", job, date: day, edits: [{ line: 1, quantity: "2" }] });
  const [, right] = (await repairsOn(bench).plan(request)).documents;
  expect(itemsOf(right?.receipt ?? makeReceipt())[0]?.requisites?.excise).toBe(60_00);
});

test.each(formats)(
  "a receipt of 2025 is put right at 20 %% on format %s although its site may no longer sell at 20 %%",
  async (ffd) => {
    const till = await openTill("shtrih", { ffd, allows20: false });
    const { bench } = till;
    const { id: job } = await bench.sell(makeReceipt({ lines: [makeItem({ tax: 2 })] }));
    const request = asked({ case: "wrong", job, date: "2025-12-30", edits: [{ line: 1, vat: 1 }] });
    const first = await repairsOn(bench).carryOut(request, "20 % was right");
    await bench.runQueue();
    const next = bench.crash();
    next.operator.approve(first.id + 1, "the first is out");
    await next.runQueue();
    expect(next.states(first.id, first.id + 1)).toEqual(["printed", "printed"]);
    expect(bodiesOf(till).map(({ body }) => [1102, 1103].map((tag) => numberOf(body, tag)))).toEqual([
      [null, 9_09],
      [16_67, null],
    ]);
    const tooEarly = asked({ case: "wrong", job: first.id + 1, date: "2025-12-30", edits: [{ line: 1, vat: 11 }] });
    await expect(repairsOn(next).plan(tooEarly)).rejects.toMatchObject({ code: "usage.wrong" });
  },
);

test.each(formats)(
  "the right receipt of 2025 at 20 %% waits while its register of format %s would print 22 %%",
  async (ffd) => {
    const till = await openTill("shtrih", { ffd, allows20: false, fields: { "table.17.1.71": "01" } });
    const { bench } = till;
    const { id: job } = await bench.sell(makeReceipt({ lines: [makeItem({ tax: 2 })] }));
    const request = asked({ case: "wrong", job, date: "2025-12-30", edits: [{ line: 1, vat: 1 }] });
    const { id } = await repairsOn(bench).carryOut(request, "20 % was right");
    await bench.until("the first is printed", () => bench.job(id).state === "printed");
    bench.operator.approve(id + 1, "the first is out");
    await bench.until("the second waits", () => bench.job(id + 1).fault?.code === "register.setting-wrong");
    expect(bodiesOf(till)).toHaveLength(1);
    till.emulator.core.setMakerSetting("table.17.1.71", "02");
    await bench.until("the second is printed", () => bench.job(id + 1).state === "printed");
    expect(numberOf(bodiesOf(till)[1]?.body ?? [], 1102)).toBe(16_67);
  },
);

test.each([
  ["1.2", { case: "wrong", edits: [{ line: 1, price: "50" }] }, 2],
  ["1.2", { case: "twice" }, 1],
] as const)(
  "a correction demanded by the tax office on format %s, as %j, names that reason and the office's number",
  async (ffd, what, count) => {
    const till = await soldOn(ffd);
    const { bench, job } = till;
    const request = asked({ ...what, job, date: day, instruction: "12-3/ВН" });
    const first = await repairsOn(bench).carryOut(request, "by order");
    await bench.runQueue();
    if (count > 1) {
      bench.operator.approve(first.id + 1, "the first is out");
      await bench.runQueue();
    }
    const said = bodiesOf(till).map(({ body }) => [numberOf(body, 1173), textOf(basisOf(body), 1179)]);
    expect(said).toEqual(Array.from({ length: count }, () => [1, "12-3/ВН"]));
  },
);

test("a missed settlement of format 1.05 that the tax office demands is corrected with the office's number", async () => {
  const till = await soldOn("1.05");
  const added = [{ name: "Мёд", price: "10.50", quantity: "2", vat: 2 }];
  const missed = { register: "till-1", order: "M-1" };
  const request = asked({ case: "missed", missed, date: day, added, payments: [{ typeClose: 1 }], instruction: "7" });
  await repairsOn(till.bench).carryOut(request, "by order");
  await till.bench.runQueue();
  expect(bodiesOf(till).map(({ body }) => [numberOf(body, 1173), textOf(basisOf(body), 1179)])).toEqual([[1, "7"]]);
});

test.each([
  ["1.05", "wrong"],
  ["1.05", "twice"],
  ["1.2", "test"],
] as const)(
  "the number of a tax office's demand is refused on format %s in the case %s, whose documents have no field for it",
  async (ffd, what) => {
    const { bench, job } = await soldOn(ffd);
    const request = asked({ case: what, job, date: day, instruction: "12-3" });
    await expect(repairsOn(bench).plan(request)).rejects.toMatchObject({ code: "usage.wrong" });
  },
);
