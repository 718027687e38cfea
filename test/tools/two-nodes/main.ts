/** Runs `two-nodes.slow.test.ts` by hand, with thousands of receipts. */
import { postgres } from "../../support/site-databases.js";
import { readCommandLine, refuseUse, wholeNumber } from "../tool-options.js";
import { runNodes } from "./run-nodes.js";

const tool = {
  usage: `npm run two-nodes [-- OPTIONS]

  --receipts N  so many; default 10000
  --seed S      when which node is killed, which answers are lost; default 1

On the server that FISCALD_TEST_POSTGRES names. Exits 1 when a receipt was lost or printed twice.`,
};
const { values } = readCommandLine(tool, {
  options: { receipts: { type: "string", default: "10000" }, seed: { type: "string", default: "1" } },
});
const receipts = wholeNumber(tool, "receipts", values.receipts);
const seed = wholeNumber(tool, "seed", values.seed, 0);
if (postgres.skipped !== null) refuseUse(tool, postgres.skipped);

const say = (text: string) => process.stdout.write(`${text}\n`);
const begun = performance.now();
const database = await postgres.create();
try {
  const { wrong, ...counts } = await runNodes({ database: database.address, receipts, killEvery: 100, seed, say });
  for (const sentence of wrong) say(sentence);
  const figures = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  say(
    `${receipts} receipts, seed ${seed}: ${figures.join(", ")}, wrong ${wrong.length}, ${Math.round((performance.now() - begun) / 1000)} s`,
  );
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await database.drop();
}
