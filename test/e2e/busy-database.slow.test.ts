/** Another program holds the daemon's database for seconds: what needs no writing goes on, and the rest is made up for. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteFile } from "@fiscald/daemon/store/database/sqlite-file.js";
import { waitFor } from "../support/wait-for.js";
import { saleOf, useShop } from "./use-shop.js";

const shop = useShop();
/** One wait for the database was five seconds. */
const LONGEST_ANSWER_MS = 4_000;
const QUESTIONS = 15;

test("while the database is busy the console answers, an action waits, and the order is printed once", async () => {
  const site = await shop.openSite();
  const till = { id: "till", driver: "reference", connection: { kind: "emulator" } };
  const daemon = await shop.run({ siteUrl: site.url, registers: [till] });
  const other = openSqliteFile(join(shop.folder, "fiscald.sqlite"));
  try {
    site.offer("A-1", saleOf("A-1"));
    await site.result("A-1");
    const base = daemon.consoleUrl;
    const headers = { authorization: `Bearer ${readFileSync(join(shop.folder, "console-token"), "utf8").trim()}` };
    other.exec("BEGIN IMMEDIATE");
    site.offer("B-1", saleOf("B-1"));
    await waitFor("B-1 cannot be stored", () => daemon.child.output().includes("cannot store an order"));
    const body = JSON.stringify({ reason: "how much is in the drawer" });
    const post = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body };
    const report = fetch(`${base}/api/registers/till/x-report`, post);
    const answers: number[] = [];
    for (let question = 0; question < QUESTIONS; question += 1) {
      const at = performance.now();
      expect((await fetch(`${base}/api/jobs`, { headers })).status).toBe(200);
      answers.push(performance.now() - at);
    }
    expect(Math.max(...answers)).toBeLessThan(LONGEST_ANSWER_MS);
    other.exec("ROLLBACK");
    expect((await report).status).toBe(202);
    await site.result("B-1");
    expect(site.results("B-1")).toMatchObject([{ outcome: "printed" }]);
  } finally {
    other.close();
  }
});
