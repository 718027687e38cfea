/** Without a config: the set-up page in a real browser, and the config that it writes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Route } from "playwright-core";
import { hasBrowser, launchBrowser, seriousFindings } from "../../../support/browser.js";
import { type StartedCommand, startCommand } from "../../../support/command-line.js";
import { freePort } from "../../../support/free-port.js";
import { startTestSite, type TestSite } from "../../../support/test-site.js";
import { waitFor } from "../../../support/wait-for.js";

const link = /http:\/\/127\.0\.0\.1:\d+\/enter\?key=\S+/;

interface World {
  readonly folder: string;
  readonly daemon: StartedCommand;
  readonly link: string;
}

let world: World;
let site: TestSite;
beforeEach(async () => {
  site = await startTestSite();
  const folder = mkdtempSync(join(tmpdir(), "fiscald-setup-"));
  const env = { FISCALD__console__port: String(await freePort()) };
  const daemon = startCommand(folder, "run", { env, listPorts: async () => [] });
  await waitFor("the link is printed", () => link.test(daemon.output()));
  world = { folder, daemon, link: link.exec(daemon.output())?.[0] ?? "" };
});
afterEach(async () => {
  world.daemon.stop();
  await world.daemon.ended;
  await site.close();
  rmSync(world.folder, { recursive: true });
});

test("the setup shows and writes nothing without the link, or for a page of another site", async () => {
  const { origin } = new URL(world.link);
  expect((await fetch(`${origin}/api/setup`)).status).toBe(401);
  expect((await fetch(`${origin}/api/setup`, { headers: { origin: "https://evil.example" } })).status).toBe(403);
  const entered = await fetch(world.link, { redirect: "manual" });
  const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
  expect((await fetch(`${origin}/api/setup`, { headers: { cookie } })).status).toBe(200);
  expect((await fetch(world.link, { redirect: "manual" })).status).toBe(401);
  const wrong = {
    site: { orders: "ftp://shop", id: "shop", auth: "none" },
    registers: [],
    timeZone: "x",
    closeShiftAt: null,
  };
  const headers = { cookie, "content-type": "application/json" };
  const answer = await fetch(`${origin}/api/setup/config`, { method: "POST", headers, body: JSON.stringify(wrong) });
  expect(answer.status).toBe(400);
  expect(site.calls).toEqual([]);
});

test("`fiscald console` without a config serves the set-up page, and ends when the config is written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-setup-"));
  // The Debian package sets this, and its service is not started by the page.
  const env = { FISCALD__console__port: String(await freePort()), FISCALD_DATA: folder };
  const command = startCommand(folder, "console", { env });
  await waitFor("the link is printed", () => link.test(command.output()));
  const address = link.exec(command.output())?.[0] ?? "";
  const entered = await fetch(address, { redirect: "manual" });
  const headers = {
    cookie: entered.headers.get("set-cookie")?.split(";")[0] ?? "",
    "content-type": "application/json",
  };
  const answers = {
    site: { orders: site.url, id: "shop", auth: "signature" },
    registers: [{ title: "Зал", driver: "reference", connection: { kind: "emulator" } }],
    timeZone: "Europe/Moscow",
    closeShiftAt: null,
  };
  const write = () =>
    fetch(new URL("/api/setup/config", address), { method: "POST", headers, body: JSON.stringify(answers) });
  // Two pages write at once, and each shows the secret that was written.
  const views = await Promise.all((await Promise.all([write(), write()])).map((answer) => answer.json()));
  const secret = readFileSync(join(folder, "shop-secret"), "utf8").trim();
  expect(views).toMatchObject([
    { secret, opensPage: false },
    { secret, opensPage: false },
  ]);
  expect(await command.ended).toMatchObject({
    code: 0,
    out: expect.stringContaining("sudo systemctl restart fiscald"),
  });
  expect(JSON.parse(readFileSync(join(folder, "config.json"), "utf8"))).toMatchObject({ sites: [{ id: "shop" }] });
  rmSync(folder, { recursive: true });
});

test("`fiscald console` reports a config that cannot be read as a fault, and does not offer a first set-up", async () => {
  writeFileSync(join(world.folder, "a-file"), "");
  const env = { FISCALD_CONFIG: join(world.folder, "a-file", "config.json") };
  const { code, err } = await startCommand(world.folder, "console", { env }).ended;
  expect([code, err]).toEqual([2, expect.stringMatching(/^config\./)]);
});

(hasBrowser ? describe : describe.skip)("the set-up page in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test("the set-up page makes a config of the answers, shows the secret, and the daemon starts with it", async () => {
    const page = await browser.newPage({ viewport: { width: 1024, height: 768 } });
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    await page.route("**/api/setup", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), timeZone: "UTC" } });
    });
    await page.goto(world.link);
    await page.getByRole("heading", { name: "Настройка fiscald" }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel("Адрес обработчика на сайте").fill(site.url);
    // The authentication is chosen during the test of the address.
    const auth = page.getByLabel("Чем fiscald подтверждает сайту");
    const choose = async (route: Route) => {
      await auth.selectOption("bearer");
      await route.continue();
    };
    await page.route("**/api/setup/site", choose, { times: 1 });
    await page.getByRole("button", { name: "Проверить адрес" }).click();
    await page.getByText("[в порядке] сайт").waitFor();
    expect(await auth.inputValue()).toBe("bearer");
    await auth.selectOption("signature");
    await page.getByLabel("Адрес обработчика на сайте").fill(`${site.url}/other`);
    expect(await page.getByText("[в порядке] сайт").count()).toBe(0);
    // The late answer for an address that was mistyped takes nothing away from the right one.
    let answerLate = () => {};
    const isLate = new Promise<void>((resolve) => {
      answerLate = resolve;
    });
    await page.route("**/api/setup/site", (route) => isLate.then(() => route.continue()), { times: 1 });
    await page.getByRole("button", { name: "Проверить адрес" }).click();
    await page.getByLabel("Адрес обработчика на сайте").fill(site.url);
    await page.getByRole("button", { name: "Проверить адрес" }).click();
    await page.getByText("[в порядке] сайт").waitFor();
    const late = page.waitForResponse(/setup\/site/);
    answerLate();
    await (await late).finished();
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 0))");
    expect(await page.getByText("[в порядке] сайт").count()).toBe(1);
    expect(await page.getByLabel("Короткое имя сайта").inputValue()).toBe("site");
    await page.getByRole("button", { name: "Добавить вручную" }).click();
    await page.getByLabel("Название для людей").fill("Касса у входа");
    // A wrong letter is refused in its place, and can be deleted.
    const speed = page.getByLabel("Скорость");
    await speed.fill("9600x");
    expect(await speed.evaluate((field) => field.matches(":invalid"))).toBe(true);
    await speed.press("Backspace");
    expect(await speed.inputValue()).toBe("9600");
    await page.getByLabel("Подключение").selectOption("emulator");
    await page.getByLabel("Закрывать смену каждый день").fill("23:50");
    // No shop is in the zone of a machine that nobody has told its own.
    const timeZone = page.getByLabel("Часовой пояс касс");
    expect(await timeZone.inputValue()).toBe("");
    await timeZone.fill("Asia/Omsk");
    expect(await seriousFindings(page)).toEqual([]);
    const write = page.getByRole("button", { name: "Записать настройки" });
    await page.getByLabel("Короткое имя сайта").fill("мой магазин");
    await write.click();
    // The page shows the question and the answer, no key and no command.
    await page.getByText("Короткое имя сайта, для журнала и команд: допустимы латинские буквы").waitFor();
    await page.getByLabel("Короткое имя сайта").fill("site");
    await write.click();
    const secret = await page.locator("output").textContent();
    expect(secret).toMatch(/^whsec_/);
    const config = JSON.parse(readFileSync(join(world.folder, "config.json"), "utf8"));
    expect(config).toMatchObject({
      version: 1,
      sites: [
        { id: "site", urls: { orders: site.url }, auth: { kind: "signature", secret: { fromFile: "site-secret" } } },
      ],
      registers: [
        { id: "till-1", title: "Касса у входа", sites: ["site"], timeZone: "Asia/Omsk", closeShiftAt: "23:50" },
      ],
      log: { language: "ru" },
    });
    expect(readFileSync(join(world.folder, "site-secret"), "utf8")).toBe(`${secret}\n`);
    // The same browser is let in where the daemon opens its console.
    await page.getByRole("link", { name: "На страницу оператора" }).click();
    await page.locator(".light.green").waitFor();
    await page.getByRole("link", { name: "Настройка" }).waitFor();
    expect(world.daemon.output()).toContain(" started sites=1");
    // A connection may be refused while one server ends and the next begins.
    expect(errors.filter((error) => !/status of 400|ERR_CONNECTION_REFUSED/.test(error))).toEqual([]);
  });
});
