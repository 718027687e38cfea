/**
 * Whatever happens to an order, in whatever sequence, its receipts finally agree with the rules (54-fz 10, 15). Random
 * sequences of statuses, edits, courier's reports and refunds, with results that fail, come late or are unknown.
 */
import fc from "fast-check";
import { describeOnBothStores } from "../../handlers/delivery/use-world.js";
import type { TestDatabase } from "../../support/site-databases.js";
import { type ModelWorld, openModelWorld } from "./model-world.js";
import { moneyModel } from "./money-run.js";
import { type MoneyStart, moneyStart, moneySteps, preludes } from "./money-steps.js";

/** `npm run money-model` (main.ts) runs thousands more by hand. */
const [runs, seed] = [20, 324];

describeOnBothStores("the money of one order", (newDatabase) => {
  let database: TestDatabase;
  let world: ModelWorld;
  let run: ReturnType<typeof moneyModel>;

  beforeAll(async () => {
    database = await newDatabase();
    world = await openModelWorld(database);
    run = moneyModel(world);
  });
  afterAll(async () => {
    await world.close();
    await database.drop();
  });

  test("the receipts of one order finally agree with the rules, whatever happens before", async () => {
    const property = fc.asyncProperty(moneyStart, moneySteps, run);
    await fc.assert(property, { numRuns: runs, seed, endOnFailure: false });
  }, 900_000);

  test.each([
    ["all", true],
    ["all", false],
    [undefined, true],
  ] as const)(
    "the receipts of one order agree with the rules after each beginning alone, prepaid: %s, printed: %s",
    async (prePaymentSum, printsPrepayment) => {
      const how = { statusId: 1, isInternetPayment: 1, extra: "none", isPrinted: true, isDeleted: false } as const;
      const start: MoneyStart = { ...how, prePaymentSum, printsPrepayment };
      for (const steps of preludes) await run(start, steps);
    },
    900_000,
  );
});
