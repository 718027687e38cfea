/**
 * The money model by hand, with thousands of sequences: `npm run money-model -- --runs 2000 --seed 7`. `--postgres` takes the
 * server that `FISCALD_TEST_POSTGRES` names. Goes on after a sequence that is wrong; `--shrink` looks for the shortest one.
 */
import { parseArgs } from "node:util";
import fc from "fast-check";
import { databaseKinds } from "../../support/site-databases.js";
import { openModelWorld } from "./model-world.js";
import { moneyModel } from "./money-run.js";
import { moneyStart, moneySteps } from "./money-steps.js";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    postgres: { type: "boolean", default: false },
    shrink: { type: "boolean", default: false },
  },
});
const [numRuns, seed] = [Number(values.runs), Number(values.seed)];
const kind = databaseKinds.find(({ name }) => name === (values.postgres ? "PostgreSQL" : "SQLite"));
if (kind === undefined || kind.skipped !== null) throw new Error(kind?.skipped ?? "there is no such database");

const say = (text: string) => process.stdout.write(`${text}\n`);
const begun = Date.now();
const database = await kind.create();
const world = await openModelWorld(database);
let wrong = 0;
try {
  const run = moneyModel(world);
  if (values.shrink) await fc.assert(fc.asyncProperty(moneyStart, moneySteps, run), { numRuns, seed });
  for (const [begin, steps] of fc.sample(fc.tuple(moneyStart, moneySteps), { numRuns, seed })) {
    await run(begin, steps).catch((error: Error) => {
      wrong += 1;
      say(`${error.message}\n`);
    });
  }
} finally {
  await world.close();
  await database.drop();
}
say(`${numRuns} sequences on ${kind.name}, seed ${seed}: ${wrong} wrong, ${Math.round((Date.now() - begun) / 1000)} s`);
process.exitCode = wrong === 0 ? 0 : 1;
