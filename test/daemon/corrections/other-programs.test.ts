/** Another program's surplus receipt, of which the daemon has no job, is returned. */
import { quantity } from "@fiscald/shared/amounts.js";
import { closeTills } from "../../support/emulated-till.js";
import { asked, broughtBack, day, documentsOf, formats, repairsOn, returnsOn, sale, soldOn } from "./repair-bench.js";

afterEach(closeTills);

const missed = { register: "till-1", order: String(sale.orderId), sign: "0012345678" };
const extra = {
  ...{ case: "twice", missed, date: day, payments: [{ typeClose: 0 }] },
  added: [
    { name: "Чай", price: "30", quantity: "2", vat: 2 },
    { name: "Кофе", price: "40", quantity: "1", vat: 2 },
  ],
};
const forms = { "1.05": "receipt", "1.2": "correction" };

test.each(formats)(
  "another program's surplus receipt on format %s is returned once, and the order's own goods are still returned",
  async (ffd) => {
    const till = await soldOn(ffd);
    const { bench, job } = till;
    await repairsOn(bench).carryOut(asked(extra), "the cashier printed it too");
    await expect(repairsOn(bench).carryOut(asked(extra), "a second click")).rejects.toMatchObject({
      code: "job.being-printed",
    });
    await bench.runQueue();
    await expect(repairsOn(bench).carryOut(asked(extra), "later")).rejects.toMatchObject({ code: "job.wrong-state" });
    expect(documentsOf(till)).toMatchObject([{ form: forms[ffd], sign: 2, total: 100_00, fixes: missed.sign }]);
    const returns = returnsOn(bench);
    returns.add(job, { ...broughtBack, lines: [{ position: 1, quantity: quantity(1_000_000) }] });
    await bench.runQueue();
    returns.add(job, broughtBack);
    await bench.runQueue();
    expect(documentsOf(till).map(({ total }) => total)).toEqual([100_00, 30_00, 70_00]);
    expect(returns.left(bench.job(job))).toEqual([]);
  },
);

test("another program's surplus receipt is returned although all goods of the order have been returned", async () => {
  const { bench, job } = await soldOn("1.2");
  returnsOn(bench).add(job, broughtBack);
  await bench.runQueue();
  const { id } = await repairsOn(bench).carryOut(asked(extra), "the cashier printed it too");
  await bench.runQueue();
  expect(bench.states(id)).toEqual(["printed"]);
});

test("a missed sale that no site ordered is returned whole even after another program's surplus receipt was returned", async () => {
  const { bench } = await soldOn("1.2");
  const { sign: _, ...settlement } = { ...missed, order: "M-1" };
  const { id } = await repairsOn(bench).carryOut(asked({ ...extra, case: "missed", missed: settlement }), "was down");
  await bench.runQueue();
  await repairsOn(bench).carryOut(asked({ ...extra, missed: { ...missed, order: "M-1" } }), "printed too");
  await bench.runQueue();
  const back = returnsOn(bench).add(id, broughtBack);
  await bench.runQueue();
  expect(bench.states(back.id)).toEqual(["printed"]);
});

test.each([
  ["without the fiscal sign", { ...extra, missed: { ...missed, sign: null } }, /fiscal sign/],
  ["as wrong", { ...extra, case: "wrong" }, /name the receipt's job/],
])("another program's receipt is not put right when a person names it %s", async (_how, request, message) => {
  const { bench } = await soldOn("1.2");
  await expect(repairsOn(bench).plan(asked(request))).rejects.toMatchObject({
    code: "usage.wrong",
    message: expect.stringMatching(message),
  });
});

test("the daemon's own receipt is not returned as another program's, because its own limits would not count then", async () => {
  const { bench, job } = await soldOn("1.2");
  const sign = bench.job(job).document?.fiscalSign ?? "";
  for (const order of [missed.order, "mistyped"]) {
    const named = { ...missed, order, sign };
    await expect(repairsOn(bench).plan(asked({ ...extra, missed: named }))).rejects.toMatchObject({
      code: "usage.wrong",
      message: expect.stringContaining(`open job ${job}`),
    });
  }
});
