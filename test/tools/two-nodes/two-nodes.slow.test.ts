/** `npm run two-nodes` (main.ts) runs thousands more by hand. */
import { postgres } from "../../support/site-databases.js";
import { runNodes } from "./run-nodes.js";

const check = postgres.skipped === null ? test : test.skip;

check("two nodes that are killed at random give each receipt to one print server until its result comes", async () => {
  const database = await postgres.create();
  try {
    const report = await runNodes({ database: database.address, receipts: 200, killEvery: 25, seed: 7 });
    expect(report).toMatchObject({ wrong: [], printed: 200 });
    // A receipt whose answer or result was lost may be reported before it comes again.
    expect(Math.min(report.kills, report.lostAnswers + report.repeats)).toBeGreaterThan(0);
  } finally {
    await database.drop();
  }
});
