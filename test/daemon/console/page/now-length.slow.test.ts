import { hasBrowser } from "../../../support/browser.js";
import { openPageWorld } from "./page-world.js";

(hasBrowser ? test : test.skip).each([
  ["six registers, five of them in trouble", 6, 5, 3, 2],
  ["twenty registers, two of them in trouble", 20, 2, 4, 2],
  ["twenty registers, all of them in trouble", 20, 20, 4, 2],
])(
  "the first view of %s says the trouble once for all, and is a few screens long",
  async (_, all, ill, phone, wide) => {
    const world = await openPageWorld({ titles: Array.from({ length: all }, (_value, index) => `Касса ${index + 1}`) });
    try {
      for (const [width, height, screens] of [
        [360, 760, phone],
        [1024, 768, wide],
      ] as const) {
        const page = await world.open({ viewport: { width, height } });
        for (let number = 1; number <= ill; number += 1) {
          const call = { method: "POST", headers: { "content-type": "application/json" }, body: '{"reason":"x"}' };
          await page.evaluate(([path, init]) => fetch(path, init), [
            `/api/registers/till-${number}/pause`,
            call,
          ] as const);
        }
        await page
          .locator(".cards .row.red")
          .nth(ill - 1)
          .waitFor();
        expect(await page.locator(".rows .row.green").count()).toBe(all - ill + 1);
        expect(await page.locator(".cards .cause:visible").count()).toBe(1);
        expect(await page.locator(".troubles li").count()).toBe(0);
        expect(await page.locator(".cards .row > summary", { hasText: "на паузе" }).count()).toBe(0);
        const length = Number(await page.evaluate("document.documentElement.scrollHeight")) / height;
        expect(length).toBeLessThanOrEqual(screens);
      }
    } finally {
      await world.close();
    }
  },
);
