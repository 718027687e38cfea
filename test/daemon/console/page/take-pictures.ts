/** node test/dist/daemon/console/page/take-pictures.js: the pictures of the operator's and the set-up page in the guides. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launchBrowser } from "../../../support/browser.js";
import { startCommand } from "../../../support/command-line.js";
import { freePort } from "../../../support/free-port.js";
import { waitFor } from "../../../support/wait-for.js";
import { openPageWorld } from "./page-world.js";

const docs = fileURLToPath(new URL("../../../../../daemon/docs/", import.meta.url));

await operatorsPage();
await setupPage();

async function operatorsPage(): Promise<void> {
  const world = await openPageWorld({ titles: ["Касса у входа", "Касса в зале", "Терминал"] });
  try {
    const page = await world.open({ viewport: { width: 1024, height: 768 } });
    // Down to the end of the registers: no card is cut.
    const take = async (name: string) => {
      const { y = 0, height = 0 } = (await page.getByRole("region", { name: "Кассы" }).boundingBox()) ?? {};
      const clip = { x: 0, y: 0, width: 1024, height: Math.ceil(y + height) };
      await page.screenshot({ path: `${docs}${name}`, fullPage: true, clip });
    };
    await page.locator(".light.green").waitFor();
    await take("console.png");
    await world.fault("paper-out");
    await page.locator(".light.red").waitFor();
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
    await page.getByLabel("Короткое имя сайта").fill("shop");
    await page.getByRole("heading", { level: 1 }).click();
    await page.screenshot({ path: `${docs}setup-page.png` });
  } finally {
    command.stop();
    await command.ended;
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}
