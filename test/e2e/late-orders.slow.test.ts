/** A till that was down for three days: 40 orders come at once, and a person ends what is too old on the page. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { z } from "zod";
import { launchBrowser, testInBrowser } from "../support/browser.js";
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
const MOST_CLICKS = 20;

/** The operator's page in Chromium, which counts what a person presses on it. */
async function openPage({ consoleUrl }: DaemonProcess): Promise<Page> {
  const authorization = `Bearer ${readFileSync(join(shop.folder, "console-token"), "utf8").trim()}`;
  const answer = await fetch(`${consoleUrl}/api/links`, { method: "POST", headers: { authorization } });
  const { path } = z.object({ path: z.string() }).parse(await answer.json());
  const browser = await launchBrowser();
  shop.undo(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1024, height: 768 } });
  await page.goto(`${consoleUrl}${path}`);
  await page.evaluate("window.presses = 0; addEventListener('pointerdown', () => (window.presses += 1), true)");
  return page;
}

testInBrowser(
  "after three days offline 28 of 40 orders print by themselves, and 20 clicks end the 12 old ones",
  async () => {
    const emulator = await shop.emulate({ args: ["--ffd", "1.2"] });
    // As with leases: an order that is held does not keep the others from being offered.
    const site = await startFakeSite({ offersAgainAfterMs: 600_000 });
    shop.undo(() => site.close());
    const daemon = await shop.run({ siteUrl: site.url, registers: [tillOn(emulator, { options: { link: "v1" } })] });
    for (const { id, paidAt } of orders) {
      const { response } = saleOf(id);
      site.offer(id, { response: { ...response, paidAt: new Date(paidAt).toISOString() } });
    }
    const page = await openPage(daemon);
    const click = (role: "link" | "button" | "checkbox" | "textbox", name: string | RegExp) =>
      page
        .getByRole(role, { name, exact: typeof name === "string" })
        .first()
        .click();
    /** Presses the button for what is ticked, says why, and goes on. */
    const decide = async (button: string, reason: string) => {
      await click("button", button);
      await click("textbox", /^Причина/);
      await page.keyboard.type(reason);
      await click("button", "Да, продолжить");
    };
    const rows = page.locator(".held .ticked");
    await waitFor("the young orders are printed", () => site.results().length === 28, { timeoutMs: 240_000 });
    expect((await emulator.receipts()).length).toBe(28);
    await click("link", /^Решения/);
    await rows.nth(11).waitFor();
    await click("checkbox", "Все");
    await click("checkbox", "L-10");
    await click("checkbox", "L-11");
    await decide("Напечатать чеком коррекции", "касса была в ремонте");
    await rows.nth(2).waitFor({ state: "detached" });
    await click("checkbox", "L-10");
    await decide("Напечатать обычным чеком", "оплачен переводом, отдан сегодня");
    await rows.nth(1).waitFor({ state: "detached" });
    await click("checkbox", "L-11");
    await decide("Не печатать", "пробный заказ");
    await page.getByText("Решать нечего.").waitFor({ timeout: 240_000 });
    await waitFor("the site has heard of all", () => site.results().length === 40, { timeoutMs: 240_000 });
    expect(await page.evaluate("window.presses")).toBeLessThanOrEqual(MOST_CLICKS);

    const documents = z.array(withTags).parse(await emulator.get("/documents"));
    const corrections = documents.filter(({ type }) => type === "correction");
    const named = corrections.map(({ items, tags }) => [items[0]?.name.split(" ")[0] ?? "", tagsOf(tags)] as const);
    expect(named.toSorted(([one], [other]) => one.localeCompare(other))).toEqual(
      old.slice(0, 10).map(({ id, paidAt }) => [expect.stringContaining(id), [0, dayOf(paidAt)]]),
    );
    expect(documents.filter(({ type }) => type === "receipt")).toHaveLength(29);
    const results = old.map(({ id }) => site.results(id)[0]);
    expect(results.map((result) => result?.["outcome"])).toEqual([...Array(11).fill("printed"), "failed"]);
  },
  600_000,
);

/** Tags 1173 (why) and 1178 (the day, in seconds). */
function tagsOf(tags: readonly { readonly tag: number; readonly number?: number | undefined }[]) {
  return [1173, 1178].map((wanted) => tags.find(({ tag }) => tag === wanted)?.number);
}

/** Midnight, without a zone, of the day in the register's zone. */
function dayOf(paidAt: number): number {
  const day = new Date(paidAt).toLocaleDateString("sv", { timeZone: "Europe/Moscow" });
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}
