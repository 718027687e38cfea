/** The second document of a pair was cancelled or has failed, and a person can still finish the repair. */
import { closeTills } from "../../support/emulated-till.js";
import type { Bench } from "../../support/register-bench.js";
import { asked, day, documentsOf, formats, repairsOn, soldOn } from "./repair-bench.js";

afterEach(closeTills);

const wrong = { case: "wrong", date: day, edits: [{ line: 2, price: "35", vat: 6 }] } as const;
const wrongState = expect.objectContaining({ code: "job.wrong-state" });

function fail({ operator, stores, clock }: Bench, second: number): void {
  operator.approve(second, "x");
  stores.jobs.markFailed(second, { code: "device.printer-fault", message: "" }, clock.now());
}

/** A register that has returned the wrong receipt. A person has set the right receipt aside. */
async function halfDone(ffd: (typeof formats)[number]) {
  const till = await soldOn(ffd);
  const { id: first } = await repairsOn(till.bench).carryOut(asked({ ...wrong, job: till.job }), "wrong price");
  await till.bench.runQueue();
  till.bench.operator.setAside(first + 1, "pressed by mistake");
  expect(till.bench.states(first, first + 1)).toEqual(["printed", "cancelled"]);
  return { ...till, first };
}

test.each(formats)(
  "a right receipt of format %s that was set aside by mistake is printed once after a retry",
  async (ffd) => {
    const till = await halfDone(ffd);
    const { bench, first } = till;
    bench.operator.retry(first + 1, "it is due after all");
    expect(() => bench.operator.retry(first + 1, "a second click")).toThrow(wrongState);
    await bench.runQueue();
    expect(bench.states(first, first + 1)).toEqual(["printed", "printed"]);
    expect(documentsOf(till).map(({ sign, total }) => [sign, total])).toEqual([
      [2, 100_00],
      [1, 95_00],
    ]);
  },
);

test.each([
  ["was set aside", ({ operator }, id) => operator.setAside(id, "x"), "retry"],
  ["has failed", fail, "retry"],
  ["waits for a person", () => {}, "approve"],
] satisfies readonly [string, (bench: Bench, second: number) => unknown, "retry" | "approve"][])(
  "a right receipt that %s is not printed after its order was sold again",
  async (_what, end, action) => {
    const { bench, job } = await soldOn("1.2");
    const { id: first } = await repairsOn(bench).carryOut(asked({ ...wrong, job }), "wrong price");
    await bench.runQueue();
    end(bench, first + 1);
    const sold = bench.operator.printAnyway(job, "sold anew");
    // While the right receipt is held, the new sale waits behind it.
    if (action === "retry") await bench.runQueue();
    const states = bench.states(first, first + 1, sold.id);
    expect([states[0], states[2]]).toEqual(["printed", action === "retry" ? "printed" : "queued"]);
    const code = action === "retry" ? "job.already-printed" : "job.being-printed";
    expect(() => bench.operator[action](first + 1, "x")).toThrow(expect.objectContaining({ code }));
    expect(bench.states(first, first + 1, sold.id)).toEqual(states);
  },
);

test("the right receipt of a repair cannot be retried after the return of the wrong receipt was cancelled", async () => {
  const { bench, job } = await soldOn("1.2");
  const { id: first } = await repairsOn(bench).carryOut(asked({ ...wrong, job }), "wrong price");
  bench.operator.cancel(first, "x");
  bench.operator.setAside(first + 1, "x");
  expect(() => bench.operator.retry(first + 1, "x")).toThrow(wrongState);
});

test("an order that a person has set aside is not printed by a retry, because it is no second document of a repair", async () => {
  const { bench } = await soldOn("1.2");
  const { id } = bench.addJob(bench.job(1).receipt, { state: "held" });
  bench.operator.setAside(id, "x");
  expect(() => bench.operator.retry(id, "x")).toThrow(wrongState);
});
