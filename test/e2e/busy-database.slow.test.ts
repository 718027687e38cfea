/** Another program holds the daemon's database for seconds: what needs no writing goes on, and the rest is made up for. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteFile } from "@fiscald/daemon/store/database/sqlite-file.js";
import { startDaemon, writeConfig } from "../support/daemon-process.js";
import { startFakeSite } from "../support/fake-site.js";
import { useTempFolder } from "../support/temp-folder.js";
import { waitFor } from "../support/wait-for.js";

const folder = useTempFolder();
/** One wait for the database was five seconds. */
const LONGEST_ANSWER_MS = 4_000;
const QUESTIONS = 15;

const order = (orderId: string) => ({
  response: {
    orderId,
    taskTable: [
      { type: "OpenCheckSell", data: "" },
      { type: "Registration", data: "Чай", param: { price: 10, quantity: 1, tax: 2 } },
      { type: "Payment", data: "", param: { summ: 10, typeClose: 0 } },
      { type: "CloseCheck", data: "" },
    ],
  },
});

test("while the database is busy the console answers, an action waits, and the order is printed once", async () => {
  const site = await startFakeSite();
  const till = { id: "till", driver: "reference", connection: { kind: "emulator" } };
  const daemon = await startDaemon(writeConfig({ folder: folder(), siteUrl: site.url, registers: [till] }));
  const other = openSqliteFile(join(folder(), "fiscald.sqlite"));
  try {
    site.offer("A-1", order("A-1"));
    await waitFor("A-1 is printed", () => site.results("A-1").length > 0, { timeoutMs: 60_000 });
    const [, base = ""] = /console=(\S+)/.exec(daemon.child.output()) ?? [];
    const headers = { authorization: `Bearer ${readFileSync(join(folder(), "console-token"), "utf8").trim()}` };
    other.exec("BEGIN IMMEDIATE");
    site.offer("B-1", order("B-1"));
    await waitFor("B-1 cannot be stored", () => daemon.child.output().includes("cannot store an order"), {
      timeoutMs: 60_000,
    });
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
    await waitFor("B-1 is printed", () => site.results("B-1").length > 0, { timeoutMs: 60_000 });
    expect(site.results("B-1")).toMatchObject([{ outcome: "printed" }]);
  } finally {
    other.close();
    await daemon.stop();
    await site.close();
  }
});
