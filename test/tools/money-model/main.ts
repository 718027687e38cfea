/** Runs thousands of sequences of the money model by hand. Goes on after a sequence that fails. */
import fc from "fast-check";
import { postgres, sqlite, type TestDatabase } from "../../support/site-databases.js";
import { readCommandLine, refuseUse, wholeNumber } from "../tool-options.js";
import { openModelWorld } from "./model-world.js";
import { moneyModel } from "./money-run.js";
import { moneyStart, moneySteps } from "./money-steps.js";

const tool = {
  usage: `npm run money-model [-- OPTIONS]

  --runs N      so many sequences; default 1000
  --seed S      which ones; default 1
  --postgres    on the server that FISCALD_TEST_POSTGRES names; without it on SQLite
  --nodes N     of the site on its database, each call to the next one; default 1
  --workers N   so many at a time; default 1
  --only N      the sequence with this number alone, as a wrong one is printed
  --shrink      looks for the shortest wrong sequence

Exits 1 when a sequence went wrong.`,
};
const { values } = readCommandLine(tool, {
  options: {
    runs: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    postgres: { type: "boolean", default: false },
    nodes: { type: "string", default: "1" },
    workers: { type: "string", default: "1" },
    only: { type: "string" },
    shrink: { type: "boolean", default: false },
  },
});
const numRuns = wholeNumber(tool, "runs", values.runs);
const seed = wholeNumber(tool, "seed", values.seed, 0);
const workers = wholeNumber(tool, "workers", values.workers);
const nodes = wholeNumber(tool, "nodes", values.nodes);
const only = values.only === undefined ? null : wholeNumber(tool, "only", values.only);
const kind = values.postgres ? postgres : sqlite;
if (kind.skipped !== null) refuseUse(tool, kind.skipped);

const say = (text: string) => process.stdout.write(`${text}\n`);
const begun = Date.now();
const seconds = () => Math.round((Date.now() - begun) / 1000);
const sequences = fc
  .sample(fc.tuple(moneyStart, moneySteps), { numRuns, seed })
  .map((sequence, index) => ({ number: index + 1, sequence }))
  .filter(({ number }) => only === null || number === only)
  .values();
let [done, wrong] = [0, 0];

/** Each worker has a world of its own: on PostgreSQL most of the time is spent waiting for answers. */
async function work(number: number, newDatabase: () => Promise<TestDatabase>): Promise<void> {
  const database = await newDatabase();
  const world = await openModelWorld(database, { number, nodes });
  try {
    const run = moneyModel(world);
    if (values.shrink) await fc.assert(fc.asyncProperty(moneyStart, moneySteps, run), { numRuns, seed });
    for (const { number: which, sequence } of sequences) {
      await run(...sequence).catch((error: Error) => {
        wrong += 1;
        say(`sequence ${which}: ${error.message}\n`);
      });
      done += 1;
      if (done % 50 === 0) say(`${done} done, ${wrong} wrong, ${seconds()} s`);
    }
  } finally {
    await world.close();
    await database.drop();
  }
}

await Promise.all(Array.from({ length: workers }, (_, number) => work(number, kind.create)));
say(`${done} sequences on ${kind.name}, ${nodes} nodes, seed ${seed}: ${wrong} wrong, ${seconds()} s`);
process.exitCode = wrong === 0 ? 0 : 1;
