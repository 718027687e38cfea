/** node test/dist/daemon/console/page/take-pictures.js: the pictures of the operator's and the set-up page in the guides. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page, PageScreenshotOptions } from "playwright-core";
import { launchBrowser } from "../../../support/browser.js";
import { startCommand } from "../../../support/command-line.js";
import { freePort } from "../../../support/free-port.js";
import { waitFor } from "../../../support/wait-for.js";
import { openPageWorld } from "./page-world.js";
import { smallPicture } from "./small-picture.js";

const docs = fileURLToPath(new URL("../../../../../daemon/docs/", import.meta.url));

await operatorsPage();
await setupPage();

async function operatorsPage(): Promise<void> {
  const world = await openPageWorld({ titles: ["Касса у входа", "Касса в зале", "Терминал"] });
  try {
    const page = await world.open({
      viewport: { width: 1024, height: 768 },
      timezoneId: "Europe/Moscow",
    });
    const take = (name: string) => save(page, name, { fullPage: true });
    await page.locator(".light.green").waitFor();
    await take("console.png");
    await world.sell("1042");
    await page.getByRole("link", { name: "Заказы" }).click();
    await page.getByRole("link", { name: "1042" }).click();
    await page.locator("h2", { hasText: "напечатан" }).waitFor();
    await page.locator(".paper").evaluate((paper) => paper.decode());
    await save(page, "console-order.png", { fullPage: true });
    await page.getByRole("link", { name: "День" }).click();
    await page.getByText("Всё на месте").waitFor();
    await save(page, "console-day.png", { fullPage: true });
    // The answer to the closing of this receipt is lost, and its document cannot be read.
    await world.fault("documents-unreadable");
    await world.fault("drop-answer", { when: { command: "close-receipt", nth: 1 } });
    await world.sell("1043");
    await page.getByRole("link", { name: "Сейчас" }).click();
    await page.locator(".light.red").getByRole("link", { name: "Решения" }).click();
    await page.getByRole("link", { name: "1043" }).click();
    await page.getByRole("button", { name: "Это документ" }).waitFor();
    await save(page, "console-unsure.png", { fullPage: true });
    await world.repair();
    await page.getByRole("button", { name: "Это документ" }).click();
    await page.getByRole("button", { name: "Да, продолжить" }).click();
    await page.locator("h2", { hasText: "напечатан" }).waitFor();
    await page.getByRole("link", { name: "Сейчас" }).click();
    await page.locator(".light.green").waitFor();
    await world.fault("paper-out");
    await page.locator(".light.red", { hasText: "бумаг" }).waitFor();
    await take("console-trouble.png");
  } finally {
    await world.close();
  }
}

async function setupPage(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-pictures-"));
  const env = { FISCALD_CONFIG: "/etc/fiscald/config.json", FISCALD__console__port: String(await freePort()) };
  const command = startCommand(folder, "console", { env });
  const browser = await launchBrowser();
  try {
    await waitFor("the link is printed", () => command.output().includes("/enter?key="));
    const page = await browser.newPage({ viewport: { width: 1024, height: 620 } });
    await page.goto(/http:\S+key=\S+/.exec(command.output())?.[0] ?? "");
    await page.getByLabel("Адрес обработчика на сайте").fill("https://shop.example/fiscal");
    await page.getByRole("heading", { level: 1 }).click();
    await save(page, "setup-page.png");
  } finally {
    command.stop();
    await command.ended;
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

async function save(page: Page, name: string, options?: PageScreenshotOptions): Promise<void> {
  writeFileSync(`${docs}${name}`, smallPicture(await page.screenshot(options)));
}
