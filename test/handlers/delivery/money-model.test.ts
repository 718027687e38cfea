/**
 * Whatever happens to an order, in whatever order: what its receipts say in the end is what the rules say (domain 5.4, 8.5).
 * Random sequences of statuses, edits, courier's reports and refunds, with results that fail, come late or in doubt.
 */
import fc from "fast-check";
import type { TestDatabase } from "../../support/site-databases.js";
import { type CatalogChange, MoneyRun } from "./money-run.js";
import { type MoneyWorld, openMoneyWorld } from "./money-world.js";
import { describeOnBothStores } from "./on-both-stores.js";

/** More by hand: `FISCALD_MODEL_RUNS=500 FISCALD_MODEL_SEED=1`. */
const runs = Number(process.env.FISCALD_MODEL_RUNS ?? 20);
const seed = Number(process.env.FISCALD_MODEL_SEED ?? 324);

const start = fc.record({
  prePaymentSum: fc.constantFrom(undefined, 200.01, 250.5, 601),
  statusId: fc.constantFrom(0, 1),
  isInternetPayment: fc.constantFrom(0, 1),
  /** What is due at once is printed at once. */
  isPrinted: fc.boolean(),
});

const goodId = fc.constantFrom(501, 502);
const paymentType = fc.constantFrom(1, 2);
const returned = { goodId, count: fc.integer({ min: 1, max: 3 }) };

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("poll" as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("report" as const),
      which: fc.nat(3),
      outcome: fc.constantFrom("printed" as const, "printed" as const, "failed" as const, "unknown" as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("fail" as const) }) },
  // What had failed is printed after all, or in doubt.
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("late" as const),
      which: fc.nat(3),
      outcome: fc.constantFrom("printed" as const, "printed" as const, "unknown" as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("status" as const), to: fc.constantFrom(2, 3, 3, 4, 4, 5, 6, 6) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("paid" as const), to: fc.constantFrom(0, 1, 1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("payment type" as const), to: paymentType }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("edit" as const),
      count: fc.integer({ min: 1, max: 3 }),
      breads: fc.constantFrom(0, 3),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("touch" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("cancel" as const), goodId }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("collect" as const),
      price: fc.constantFrom(100, 250.5, 601),
      type: paymentType,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("refund" as const), ...returned, type: paymentType }) },
  // With a late result it is printed after what was made meanwhile.
  { weight: 2, arbitrary: fc.record({ do: fc.constant("refund fails" as const), ...returned, type: paymentType }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("bring back" as const), ...returned }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("own receipt" as const),
      operation: fc.constantFrom("sale" as const, "return" as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("catalog" as const),
      what: fc.constantFrom<CatalogChange[]>("tax", "close type", "name", "item type", "good's tax"),
    }),
  },
);
describeOnBothStores("the money of one order", (newDatabase) => {
  let database: TestDatabase;
  let money: MoneyWorld;
  let orders = 0;

  beforeAll(async () => {
    database = await newDatabase();
    money = await openMoneyWorld(database, { printPrepaymentReceipt: true });
  });
  afterAll(async () => {
    await money.close();
    await database.drop();
  });

  test("is in the end what the rules say, never twice, whatever happens on the way", async () => {
    await fc.assert(
      fc.asyncProperty(start, fc.array(step, { minLength: 4, maxLength: 18 }), async (begin, steps) => {
        orders += 1;
        const run = new MoneyRun(money, 1000 + orders);
        await run.begin(begin);
        for (const one of steps) await run.take(one);
        await run.end();
        await run.check();
      }),
      { numRuns: runs, seed, endOnFailure: false },
    );
  }, 900_000);
});
