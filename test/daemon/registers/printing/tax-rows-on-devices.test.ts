import { type Emulator, openEmulator } from "@fiscald/emulators/open-emulator.js";
import { taxRows } from "@fiscald/emulators/pirit/models.js";
import { toOrderId, toRegisterId } from "@fiscald/shared/ids.js";
import { closeLater, closeTills, driverOf, openTill } from "../../../support/emulated-till.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import { type Bench, openBench } from "../../../support/register-bench.js";

const hall = ["shtrih", "pirit"] as const;
type Maker = (typeof hall)[number];
const shtrih = toRegisterId("shtrih");
const pirit = toRegisterId("pirit");
/** Rows of the emulated tables. */
const rowOf = { shtrih: { vat10: 2, vat20: 1 }, pirit: { vat10: 1, vat20: 0 } } as const;
const [VAT_20, VAT_10, VAT_22] = [1, 2, 11];

afterEach(closeTills);

async function openGroup(): Promise<{ readonly bench: Bench } & Readonly<Record<Maker, Emulator>>> {
  const names = { shtrih: { kkm: "1", fn: "9999078900000001" }, pirit: { kkm: "2", fn: "9999078900000002" } };
  const open = (maker: Maker) => openEmulator({ maker, ...names[maker] });
  const emulators = { shtrih: await open("shtrih"), pirit: await open("pirit") };
  const registers = hall.map((maker) => ({
    device: driverOf(maker, emulators[maker]),
    settings: { id: toRegisterId(maker), group: "hall", cashier: { name: "Иванова А.А.", inn: null } },
  }));
  const bench = openBench({ registers });
  closeLater(
    () => emulators.shtrih.close(),
    () => emulators.pirit.close(),
    () => bench.close(),
  );
  await bench.start();
  return { bench, ...emulators };
}

const order = (id: string, tax: number) =>
  makeReceipt({
    orderId: toOrderId(id),
    lines: [makeItem({ name: id, tax })],
    cashier: { name: "Иванова А.А.", inn: null },
  });

const ratesOn = ({ core }: Emulator) =>
  core.documents.flatMap((document) => (document.type === "receipt" ? document.lines.map(({ vat }) => vat) : []));

/** The maker's own program changes the table in place, without a reconnect. */
function renameTo22({ core }: Emulator): void {
  Object.assign(core.registration, { taxes: taxRows({ "vat-22": "renamed" }) });
}

test("an order has the same rate on each register of a group whose tables differ", async () => {
  const { bench, ...emulators } = await openGroup();
  const orders = hall.flatMap((from) => [
    bench.addJob(order(`${from}-10`, rowOf[from].vat10), { register: from }),
    bench.addJob(order(`${from}-20`, rowOf[from].vat20), { register: from }),
  ]);
  bench.operator.move(orders[1]?.id ?? 0, pirit, "?");
  bench.operator.move(orders[2]?.id ?? 0, shtrih, "?");
  await bench.runQueue();
  expect(orders.map(({ id }) => bench.job(id).state)).toEqual(Array(4).fill("printed"));
  expect(ratesOn(emulators.shtrih)).toEqual([VAT_10, VAT_10]);
  expect(ratesOn(emulators.pirit)).toEqual([VAT_20, VAT_20]);
});

test("an order accepted before its tax row was changed in place never gets the row's new rate", async () => {
  const { bench, ...emulators } = await openGroup();
  const before = bench.addJob(order("before", rowOf.pirit.vat20), { register: "pirit" });
  const same = bench.addJob(order("same", rowOf.pirit.vat10), { register: "pirit" });
  renameTo22(emulators.pirit);
  await bench.runQueue();
  // The PIRIT has lost the rate of the first order, which the other register of the group has.
  expect(bench.job(before.id)).toMatchObject({ state: "printed", register: shtrih });
  expect(ratesOn(emulators.shtrih)).toEqual([VAT_20]);
  expect(bench.job(same.id)).toMatchObject({ state: "printed", register: pirit });
  expect(ratesOn(emulators.pirit)).toEqual([VAT_10]);
  // An order that is accepted after the change means the new row.
  await bench.sell(order("after", rowOf.pirit.vat20), { register: "pirit" });
  expect(ratesOn(emulators.pirit)).toEqual([VAT_10, VAT_22]);
});

test("a sale at a tax row named 20 % that has the rate 18 % fails with both values, and nothing is printed", async () => {
  const { bench, emulator } = await openTill("shtrih", { fields: { "table.6.1.1": "0807" } });
  expect(await bench.sell(order("A-1", rowOf.shtrih.vat20))).toMatchObject({
    state: "failed",
    fault: { code: "device.tax-unknown", message: expect.stringMatching(/tax row 1 is ".*20%" \(18 %\)/) },
  });
  expect(ratesOn(emulator)).toEqual([]);
});
