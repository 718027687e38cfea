/** What becomes of many orders in one request is what becomes of each of them alone: random sequences at two shops. */
import fc from "fast-check";
import { createTestLogger } from "../../../support/test-logger.js";
import { openWorld } from "../delivery-world.js";
import { describeOnBothStores } from "../on-both-stores.js";
import { anonymous, openSide, run, type Side, stateOf } from "./batch-sides.js";
import { batchStep, firstOrders } from "./batch-steps.js";

describeOnBothStores("orders in one request, and each in its own", (newDatabase) => {
  test("have the same receipts, journals, callbacks and logs", async () => {
    await fc.assert(
      fc.asyncProperty(
        firstOrders,
        fc.array(batchStep, { minLength: 8, maxLength: 30, size: "max" }),
        async (first, later) => {
          const logged: string[] = [];
          const database = await newDatabase();
          const logger = createTestLogger((line) => logged.push(line));
          const world = await openWorld(database, {
            delivery: { logger, printPrepaymentReceipt: true, coalesceMs: 600_000 },
          });
          try {
            const together = await openSide(world);
            const alone = await openSide(world);
            for (const [at, step] of [first, ...later].entries()) {
              const status = async (side: Side, isAlone: boolean) => {
                logged.length = 0;
                const [refused] = (await run(world, side, step, { isAlone, at })).filter(
                  (reply) => reply.status >= 300,
                );
                if (refused === undefined) side.logged.push(...logged.map(anonymous));
                return refused?.status ?? 0;
              };
              const one = await status(together, false);
              // Refused, it leaves nothing: as where it never came.
              const isWhole = one === 0 || !("orders" in step || "ids" in step);
              if (isWhole) expect([at, await status(alone, true)]).toEqual([at, one]);
              const [left, right] = [await stateOf(world, together), await stateOf(world, alone)];
              expect({ at, ...without(left, right) }).toEqual({ at, ...without(right, left) });
            }
          } finally {
            await world.close();
            await database.drop();
          }
        },
      ),
      { numRuns: 8, seed: 7, endOnFailure: true },
    );
  });
});

/** The lines of the one that the other has not. */
function without(one: Record<string, readonly string[]>, other: Record<string, readonly string[]>) {
  return Object.fromEntries(
    Object.entries(one).map(([name, lines]) => {
      const others = [...(other[name] ?? [])];
      return [
        name,
        lines.filter((line) => {
          const found = others.indexOf(line);
          if (found >= 0) others.splice(found, 1);
          return found < 0;
        }),
      ];
    }),
  );
}
