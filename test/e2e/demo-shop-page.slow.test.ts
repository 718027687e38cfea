/** The demo shop in a real browser: cart, pay, and the register's own number, tape and link on the page. */
import { silentLogger } from "@fiscald/shared/logger.js";
import { z } from "zod";
import { startDemoSite } from "#handlers/demo-shop/start-demo-site.js";
import { launchBrowser, seriousFindings, testInBrowser } from "../support/browser.js";
import { KKM, tillOn, useShop } from "./use-shop.js";

const world = useShop();

testInBrowser("the demo shop shows the receipt's number, paper and link, and axe finds nothing serious", async () => {
  const emulator = await world.emulate();
  const shop = await startDemoSite({
    port: 0,
    host: "127.0.0.1",
    database: ":memory:",
    logger: silentLogger,
    tapeOf: async (asked) => (asked === KKM ? await emulator.getBytes("/tape.png") : null),
  });
  world.undo(() => shop.close());
  const register = tillOn(emulator, { defaultTax: 11, receiptLink: { preset: "platforma-ofd" } });
  const daemon = await world.run({ siteUrl: `${shop.url}/fiscal`, registers: [register] });
  const browser = await launchBrowser();
  try {
    await daemon.child.line(/kind=sync event delivered/);
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(shop.url);
    await page.locator("#goods .good").first().click();
    await page.locator("#goods .good").nth(1).click();
    await page.locator("#cart .more").first().click();
    for (const noAddress of ["buyer", "buyer@example"]) {
      await page.locator("#email").fill(noAddress);
      await page.locator("#pay").click();
      // The browser itself points at the field: nothing was sent, and no text of a library is shown.
      expect(await page.locator("#email:focus").count()).toBe(1);
      expect(await page.locator("#cart li").count()).toBe(2);
    }
    await page.locator("#email").fill("buyer@example.com");
    await page.locator("#pay").click();
    const card = page.locator('.receipt[data-state="printed"]');
    await card.waitFor({ timeout: 10_000 });

    const [document] = await emulator.receipts();
    expect(document).toMatchObject({ operation: "sale", contact: "buyer@example.com" });
    expect(document?.items.map(({ quantity }) => quantity)).toEqual([2, 1]);
    const numbers = await card.locator(".numbers dd").allInnerTexts();
    expect(numbers).toEqual(expect.arrayContaining([String(document?.fd), String(document?.fiscalSign), KKM]));
    expect(await card.locator(".link a").getAttribute("href")).toMatch(new RegExp(`^https://.*i=${document?.fd}\\b`));

    const paper = card.locator("img.paper");
    const address = new URL((await paper.getAttribute("src")) ?? "", page.url()).href;
    expect(address).toMatch(/\/tape\.png/);
    const bytes = Buffer.from(await (await fetch(address)).arrayBuffer());
    expect(bytes.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
    // The script is a text, because these tests are compiled without the browser's types.
    const decoded: unknown = await page.evaluate(`(async () => {
        const image = document.querySelector("img.paper");
        await image.decode();
        return { width: image.naturalWidth, height: image.naturalHeight };
      })()`);
    const size = z.object({ width: z.number(), height: z.number() }).parse(decoded);
    expect(size).toEqual({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) });
    expect(size.width).toBeGreaterThan(300);
    expect(size.height).toBeGreaterThan(200);
    expect(errors).toEqual([]);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await seriousFindings(page)).toEqual([]);
    }
  } finally {
    await browser.close();
  }
});
