/** A till that was down for three days: 40 orders come at once, and a person ends what is too old with three buttons. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { DaemonProcess } from "../support/daemon-process.js";
import { emulatedDocument } from "../support/emulator-process.js";
import { startFakeSite } from "../support/fake-site.js";
import { waitFor } from "../support/wait-for.js";
import { saleOf, tillOn, useShop } from "./use-shop.js";

const HOUR_MS = 3_600_000;
const agesInHours = Array.from({ length: 40 }, (_, number) => (number < 12 ? 100 - number : 68 - number));
const orders = agesInHours.map((hours, number) => ({ id: `L-${number}`, paidAt: Date.now() - hours * HOUR_MS }));
const old = orders.slice(0, 12);

const shop = useShop();
const withTags = emulatedDocument.extend({
  tags: z.array(z.looseObject({ tag: z.number(), number: z.number().optional() })),
});
const decisions = z.object({
  decisions: z.array(
    z.object({
      trouble: z.object({ kind: z.string(), code: z.string() }),
      offers: z.array(z.string()),
      entries: z.array(z.object({ job: z.number(), name: z.object({ ru: z.string() }) })),
    }),
  ),
});

/** The page's calls: each is one button with its answer. */
function pageOf({ consoleUrl }: DaemonProcess) {
  const token = readFileSync(join(shop.folder, "console-token"), "utf8").trim();
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(`${consoleUrl}${path}`, { method, headers, body: JSON.stringify(body) ?? null });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.json();
  };
  return { get: (path: string) => call("GET", path), post: (path: string, body: object) => call("POST", path, body) };
}

test("after three days without a till 28 of 40 orders print by themselves, and three buttons end the 12 old ones", async () => {
  const emulator = await shop.emulate({ args: ["--ffd", "1.2"] });
  // As with leases: an order that is held does not keep the others from being offered.
  const site = await startFakeSite({ offersAgainAfterMs: 600_000 });
  shop.undo(() => site.close());
  const daemon = await shop.run({ siteUrl: site.url, registers: [tillOn(emulator, { options: { link: "v1" } })] });
  for (const { id, paidAt } of orders) {
    const { response } = saleOf(id);
    site.offer(id, { response: { ...response, paidAt: new Date(paidAt).toISOString() } });
  }
  const page = pageOf(daemon);
  const open = async () => decisions.parse(await page.get("/api/decisions")).decisions;
  const held = await waitFor(
    "the young orders are printed and the old ones are held",
    async () => {
      const [first] = await open();
      const isDone = site.results().length === 28 && first?.entries.length === 12;
      return isDone ? first : undefined;
    },
    { timeoutMs: 240_000 },
  );
  expect(held).toMatchObject({ trouble: { kind: "held", code: "job.held-old" } });
  expect(held.offers).toEqual(["as-correction", "print", "set-aside"]);
  expect((await emulator.receipts()).length).toBe(28);

  const jobOf = new Map(held.entries.map(({ job, name }) => [name.ru, job]));
  const jobs = old.map(({ id }) => jobOf.get(id) ?? 0);
  await page.post("/api/as-correction", { jobs: jobs.slice(0, 10), reason: "the till was being repaired" });
  await page.post("/api/print", { jobs: jobs.slice(10, 11), reason: "paid by transfer, handed over today" });
  await page.post("/api/set-aside", { jobs: jobs.slice(11), reason: "a test order" });
  await waitFor("the site has heard of all", () => site.results().length === 40, { timeoutMs: 240_000 });
  expect(await open()).toEqual([]);

  const documents = z.array(withTags).parse(await emulator.get("/documents"));
  const corrections = documents.filter(({ type }) => type === "correction");
  expect(corrections.map(({ items, tags }) => [items[0]?.name.split(" ")[0], tagsOf(tags)])).toEqual(
    old.slice(0, 10).map(({ id, paidAt }) => [expect.stringContaining(id), [0, dayOf(paidAt)]]),
  );
  expect(documents.filter(({ type }) => type === "receipt")).toHaveLength(29);
  const results = old.map(({ id }) => site.results(id)[0]);
  expect(results.map((result) => result?.["outcome"])).toEqual([...Array(11).fill("printed"), "failed"]);
}, 600_000);

/** Tags 1173 (why) and 1178 (the day, in seconds). */
function tagsOf(tags: readonly { readonly tag: number; readonly number?: number | undefined }[]) {
  return [1173, 1178].map((wanted) => tags.find(({ tag }) => tag === wanted)?.number);
}

/** Midnight, without a zone, of the day in the register's zone. */
function dayOf(paidAt: number): number {
  const day = new Date(paidAt).toLocaleDateString("sv", { timeZone: "Europe/Moscow" });
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}
