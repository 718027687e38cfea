/** The return of a receipt has the rates that the register registered, not the rates that were sent. */
import { repairForm } from "@fiscald/daemon/console/repairs/repair-view.js";
import type { DocumentTags } from "@fiscald/drivers/fiscal-document.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { itemsOf, type Receipt } from "@fiscald/shared/receipt/receipt.js";
import { rateOfTaxId } from "@fiscald/shared/receipt/vat.js";
import { type Till, useBenches } from "../../support/benches.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import { asked, broughtBack, day, repairsOn, returnsOn } from "./repair-bench.js";

const { openTill } = useBenches();
const [WITHOUT, OF_22] = [6, 11];
const [SOLD] = [1];

const lines = ["Чай", "Кофе"].map((name) => makeItem({ name, price: kopecks(50_00), total: kopecks(50_00), tax: 1 }));
const sale = makeReceipt({ lines, payments: [{ typeClose: 0, sum: kopecks(100_00) }] });

/** Sells two lines at 22 %, which the register registers with these rates. */
async function openAltered(rates: readonly number[]): Promise<Till> {
  const till = openTill();
  const alter = ({ head, items }: DocumentTags) => ({
    head,
    items: items.map((item, index) => ({ ...item, 1199: rates[index] ?? 0 })),
  });
  Object.assign(till.device, { alter });
  await till.bench.sell(sale);
  till.bench.wake.notify();
  await till.bench.clock.advance(5_000);
  await till.bench.settled();
  return till;
}

const ratesOf = (receipt: Receipt) =>
  receipt.kind === "receipt" ? itemsOf(receipt).map(({ tax }) => tax !== null && rateOfTaxId(tax)) : [];

function formOf({ bench: { stores, fleet } }: Till) {
  return repairForm({ snapshots: () => fleet.snapshots(), journal: stores.journal }, stores.jobs.get(SOLD));
}

test.each([
  [[WITHOUT, WITHOUT], "На чеке Без НДС, передавали НДС 22%"],
  [[OF_22, WITHOUT], "На чеке Без НДС, передавали НДС 22%"],
])("repairs of a sale sent at 22 %% and registered as %j return it at those rates", async (rates, said) => {
  const till = await openAltered(rates);
  const { bench } = till;
  for (const what of [{ case: "twice", date: day }, { case: "test" }, { case: "wrong", date: day }]) {
    const { documents } = await repairsOn(bench).plan(asked({ ...what, job: SOLD }));
    const [back, right] = documents.map(({ receipt }) => ratesOf(receipt));
    expect(back).toEqual(rates);
    if (what.case === "wrong") expect(right).toEqual([OF_22, OF_22]);
  }
  expect(formOf(till)).toMatchObject({ onPaper: rates, altered: { ru: said } });
});

test("a person's return of a sale whose rate the register altered has the registered rate under the site's tax id", async () => {
  const { bench } = await openAltered([WITHOUT, WITHOUT]);
  const { receipt, taxes } = returnsOn(bench).add(SOLD, broughtBack);
  expect(receipt.kind === "receipt" && itemsOf(receipt).map(({ tax }) => tax)).toEqual([1, 1]);
  expect(taxes).toMatchObject([{ id: 1, vat: WITHOUT }]);
});

test("a person's return of a sale is refused when one tax id of the sale was registered with two rates", async () => {
  const { bench } = await openAltered([OF_22, WITHOUT]);
  expect(() => returnsOn(bench).add(SOLD, broughtBack)).toThrow(expect.objectContaining({ code: "job.wrong-state" }));
});

test("a person's return of a sale whose document shows no rate has the rate that was sent", async () => {
  const { bench } = await openAltered([OF_22, OF_22]);
  const details = { differences: [{ tag: 1199, sent: "НДС 22%", read: null }] };
  bench.stores.journal.add({ at: 0, actor: "daemon", what: "document differs", job: SOLD, details });
  const { taxes } = returnsOn(bench).add(SOLD, broughtBack);
  expect(taxes).toMatchObject([{ id: 1, vat: OF_22 }]);
});

test("a return or repair of a sale whose altered rates are not in the journal needs the rates from a person", async () => {
  const till = await openAltered([OF_22, OF_22]);
  const { bench } = till;
  const details = { differences: [{ tag: 1105, sent: "1", read: "2" }] };
  bench.stores.journal.add({ at: 0, actor: "daemon", what: "document differs", job: SOLD, details });
  expect(formOf(till)).toMatchObject({ onPaper: [null, null] });
  const rate = expect.objectContaining({ message: expect.stringContaining("say the rates on its paper") });
  expect(() => returnsOn(bench).add(SOLD, broughtBack)).toThrow(rate);
  for (const what of [{ case: "twice", date: day }, { case: "test" }, { case: "wrong", date: day }]) {
    await expect(repairsOn(bench).plan(asked({ ...what, job: SOLD }))).rejects.toThrow(rate);
  }
  const onPaper = [WITHOUT, OF_22];
  const { documents } = await repairsOn(bench).plan(asked({ case: "wrong", date: day, job: SOLD, onPaper }));
  expect(documents.map(({ receipt }) => ratesOf(receipt))).toEqual([onPaper, [OF_22, OF_22]]);
});
