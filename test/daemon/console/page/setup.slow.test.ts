import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmulator } from "@fiscald/emulators/open-emulator.js";
import type { Browser, Page, Route } from "playwright-core";
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

test("the set-up page's server shows and writes nothing without its link, or for a page of another site", async () => {
  const { origin } = new URL(world.link);
  expect((await fetch(`${origin}/api/setup`)).status).toBe(401);
  expect((await fetch(`${origin}/api/setup`, { headers: { origin: "https://evil.example" } })).status).toBe(403);
  const entered = await fetch(world.link, { redirect: "manual" });
  const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
  expect((await fetch(`${origin}/api/setup`, { headers: { cookie } })).status).toBe(200);
  expect((await fetch(world.link, { redirect: "manual" })).status).toBe(401);
  // The next link is printed in the same place as the first, for a person who was late.
  const [first, second = ""] = world.daemon.output().match(new RegExp(link, "g")) ?? [];
  expect(first).toBe(world.link);
  expect((await fetch(second, { redirect: "manual" })).headers.get("set-cookie")).not.toBeNull();
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

test("a browser keeps no copy of the set-up page, because the console has another page at the same address", async () => {
  // The two pages can have the same size and time, so size and time must not make the browser keep the old page.
  const kept = { "if-none-match": '"any"', "if-modified-since": new Date(2 ** 42).toUTCString() };
  const shown = await fetch(new URL("/", world.link), { headers: kept });
  expect(await shown.text()).toContain("setup");
  expect([shown.headers.get("cache-control"), shown.headers.get("etag")]).toEqual(["no-store", null]);
});

test("`fiscald console` without a config serves the set-up page, and ends when the config is written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-setup-"));
  // The Debian package sets this variable. The page does not start the package's service.
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
    registers: [{ title: "Зал", driver: "reference", connection: { kind: "tcp", host: "127.0.0.1" } }],
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

  let page: Page;
  const errors: string[] = [];
  beforeEach(async () => {
    errors.length = 0;
    page = await browser.newPage({ viewport: { width: 1024, height: 768 } });
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
  });
  afterEach(() => page.close());

  /** The computer's zone was never set. */
  async function openOnUtc(): Promise<void> {
    await page.route("**/api/setup", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), computerZone: "UTC", timeZone: null } });
    });
    await page.goto(world.link);
    await page.getByRole("heading", { name: "Настройка fiscald" }).waitFor();
  }

  const further = () => page.getByRole("button", { name: "Дальше" }).click();
  const orders = () => page.getByLabel("Адрес обработчика на сайте");
  const tryAddress = () => page.getByRole("button", { name: "Проверить адрес" }).click();
  const siteId = () => page.getByLabel("Короткое имя сайта");

  test("the set-up page tests address and secret, and a late answer counts only for the tested address and secret", async () => {
    await page.goto(world.link);
    expect(await seriousFindings(page)).toEqual([]);
    site.answer(() => ({ status: 404 }));
    await orders().fill(site.url);
    await tryAddress();
    await page.getByText("плохо Такой страницы на сайте нет (404).").waitFor();
    const secret = page.getByLabel("Секрет, который знает сайт");
    await secret.fill("not base64!");
    await tryAddress();
    await page.getByText("создать новый: это не секрет подписи").waitFor();
    await secret.fill("");
    site.answer(() => ({ status: 401 }));
    // The authentication is changed during the test of the address, so the test was made with another authentication.
    const auth = page.getByLabel("Как сайт узнаёт эту программу");
    const choose = async (route: Route) => {
      await auth.selectOption("bearer");
      await route.continue();
    };
    await page.route("**/api/setup/site", choose, { times: 1 });
    const answered = page.waitForResponse(/setup\/site/);
    await tryAddress();
    await (await answered).finished();
    expect(await auth.inputValue()).toBe("bearer");
    await tryAddress();
    await page.getByText("внимание Сайт отвечает, но секрет ещё не принят.").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    site.answer(({ headers }) =>
      headers["authorization"] === "Bearer secret-1" ? { body: { resultCode: 0 } } : { status: 401 },
    );
    await secret.fill("secret-1");
    expect(await page.getByText("секрет ещё не принят").count()).toBe(0);
    await orders().fill(`${site.url}/other`);
    let answerLate = () => {};
    const isLate = new Promise<void>((resolve) => {
      answerLate = resolve;
    });
    await page.route("**/api/setup/site", (route) => isLate.then(() => route.continue()), { times: 1 });
    await tryAddress();
    await orders().fill(site.url);
    await tryAddress();
    await page.getByText("в порядке Сайт отвечает по протоколу, секрет принят.").waitFor();
    const late = page.waitForResponse(/setup\/site/);
    answerLate();
    await (await late).finished();
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 0))");
    expect(await page.getByText("секрет принят").count()).toBe(1);
    // No site was asked for an order.
    expect(site.calls.flatMap(({ json }) => json?.["action"] ?? [])).not.toContain("order");
    // The secret that cannot make a signature was refused.
    expect(errors.filter((error) => !error.includes("status of 400"))).toEqual([]);
  });

  test("the set-up page says why it found no register, and adds none without a chosen connection", async () => {
    await page.goto(world.link);
    await orders().fill(site.url);
    await further();
    await page.getByRole("button", { name: "Найти кассы" }).waitFor();
    expect(await page.getByText("Добавьте хотя бы одну кассу.").count()).toBe(0);
    await further();
    await page.getByText("Добавьте хотя бы одну кассу.").waitFor();
    const port = await freePort();
    await page.getByLabel("Касса в сети?").fill(`127.0.0.1:${port}`);
    await page.getByRole("button", { name: "Найти кассы" }).click();
    await page.getByText(`127.0.0.1:${port}: соединения нет.`).waitFor();
    await page.getByText("Касса не найдена.").waitFor();
    await page.getByRole("button", { name: "Добавить вручную" }).click();
    const kind = page.getByLabel("Подключение");
    expect([await kind.inputValue(), await kind.getByRole("option").allInnerTexts()]).toEqual([
      "",
      ["выберите", "USB или COM-порт", "сеть: Ethernet или Wi-Fi (TCP)", "служба печати АТОЛ (HTTP)"],
    ]);
    await further();
    expect(await kind.evaluate((field) => field.matches(":invalid"))).toBe(true);
    await kind.selectOption({ label: "USB или COM-порт" });
    // A wrong letter is refused in its field, and can be deleted.
    const speed = page.getByLabel("Скорость");
    await speed.fill("9600x");
    expect(await speed.evaluate((field) => field.matches(":invalid"))).toBe(true);
    await speed.press("Backspace");
    expect(await speed.inputValue()).toBe("9600");
    expect(await seriousFindings(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("the set-up page asks for the password of a found register that refused the usual one, and keeps it in a file", async () => {
    const emulator = await openEmulator({ maker: "pirit", listen: "tcp:127.0.0.1:0" });
    emulator.core.setMakerSetting("item.20.0", "OTHR");
    await page.goto(world.link);
    await orders().fill(site.url);
    await further();
    await page.getByLabel("Касса в сети?").fill((emulator.listening ?? "").replace("tcp:", ""));
    await page.getByRole("button", { name: "Найти кассы" }).click();
    await page.getByLabel("Пароль кассы").fill("OTHR");
    expect(await seriousFindings(page)).toEqual([]);
    await further();
    await page.getByLabel("Часовой пояс касс").selectOption({ label: "Москва" });
    await page.getByRole("button", { name: "Записать настройки" }).click();
    await page.getByText(": на связи").waitFor({ timeout: 60_000 });
    const { registers } = JSON.parse(readFileSync(join(world.folder, "config.json"), "utf8"));
    expect(registers).toMatchObject([{ driver: "pirit", options: { password: { fromFile: "till-1-password" } } }]);
    expect(readFileSync(join(world.folder, "till-1-password"), "utf8")).toBe("OTHR\n");
    world.daemon.stop();
    await world.daemon.ended;
    await emulator.close();
  });

  test("the set-up page makes a config in three steps, and says that all works when its three checks have passed", async () => {
    const emulator = await openEmulator({ maker: "shtrih", listen: "tcp:127.0.0.1:0" });
    const port = Number((emulator.listening ?? "").split(":").at(-1));
    await openOnUtc();
    await orders().fill(site.url);
    await siteId().fill("мой магазин");
    await further();
    await page.getByRole("button", { name: "Добавить вручную" }).click();
    await page.getByLabel("Название для людей").fill("Касса у входа");
    // With one register, no other can take its receipts.
    expect(await page.getByLabel("другая из группы").count()).toBe(0);
    await page.getByLabel("Подключение").selectOption({ label: "сеть: Ethernet или Wi-Fi (TCP)" });
    await page.getByLabel("Производитель кассы").selectOption({ label: "Штрих-М" });
    await page.getByLabel("Адрес", { exact: true }).fill("127.0.0.1");
    await page.getByLabel("Порт TCP").fill(String(port));
    await further();
    await page.getByText("У этого компьютера пояс UTC").waitFor();
    expect(await page.getByLabel("Закрывать смену").inputValue()).toBe("23:50");
    await page.getByLabel("Кассир, если").fill("Кассир Петрова");
    await page.getByLabel("ИНН кассира").fill("500100732258");
    await page.getByText("Контрольные цифры ИНН 500100732258 не сходятся: сверьте его с документами.").waitFor();
    await page.getByLabel("ИНН кассира").fill("500100732259");
    expect(await page.getByText("не сходятся").count()).toBe(0);
    const zone = page.getByLabel("Часовой пояс касс");
    expect((await zone.getByRole("option").allInnerTexts()).slice(0, 3)).toEqual([
      "выберите",
      "Москва",
      "Калининград (МСК−1)",
    ]);
    const write = page.getByRole("button", { name: "Записать настройки" });
    await write.click();
    // No shop is in the zone of a computer whose zone was never set, so a person chooses.
    expect(await zone.evaluate((field) => field.matches(":invalid"))).toBe(true);
    await zone.selectOption({ label: "Омск (МСК+3)" });
    expect(await seriousFindings(page)).toEqual([]);
    await write.click();
    // The page shows the question and the answer, no key and no command.
    await page.getByText("Короткое имя сайта латиницей, для журнала и команд: допустимы латинские буквы").waitFor();
    await page.getByRole("button", { name: "Назад" }).press("Enter");
    await page.locator("h2:focus", { hasText: "Кассы" }).waitFor();
    // The button is gone on the first step, but the focus is not lost.
    await page.getByRole("button", { name: "Назад" }).press("Enter");
    await page.locator("h2:focus", { hasText: "Сайт" }).waitFor();
    await siteId().fill("site");
    await further();
    await further();
    site.answer(() => ({ status: 401 }));
    await write.click();
    const secret = await page.locator("output").textContent();
    expect(secret).toMatch(/^whsec_/);
    await page.getByText("товар без ставки не печатается").waitFor();
    const config = JSON.parse(readFileSync(join(world.folder, "config.json"), "utf8"));
    expect(config).toMatchObject({
      version: 1,
      sites: [
        { id: "site", urls: { orders: site.url }, auth: { kind: "signature", secret: { fromFile: "site-secret" } } },
      ],
      registers: [
        {
          ...{ id: "till-1", title: "Касса у входа", driver: "shtrih", sites: ["site"] },
          ...{ cashier: { name: "Кассир Петрова", inn: "500100732259" }, timeZone: "Asia/Omsk", closeShiftAt: "23:50" },
        },
      ],
      log: { language: "ru" },
    });
    expect(readFileSync(join(world.folder, "site-secret"), "utf8")).toBe(`${secret}\n`);
    // The browser has a session of the console that the daemon opens.
    await page.getByText("да Касса у входа: на связи").waitFor({ timeout: 60_000 });
    await page.getByText("Сайт site: отвечает, но секрет ещё не принят").waitFor();
    await page.getByText("ждёт Пробная печать, Касса у входа: ещё не напечатана").waitFor();
    await page.getByRole("heading", { name: "Пока не всё работает:" }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    const print = () => page.getByRole("button", { name: "Напечатать пробный лист" }).click();
    // Only the page of the job says that a slip was not printed.
    await page.route("**/test-slip", (route) => route.fulfill({ json: { job: { id: 77 } } }), { times: 1 });
    await print();
    const ordered = page.getByText("ждёт Пробная печать, Касса у входа: заказана");
    expect(await ordered.getByRole("link").getAttribute("href")).toBe("/#order/77");
    await print();
    await page.getByText("да Пробная печать, Касса у входа: напечатана").waitFor();

    await page.getByRole("heading", { name: "Пока не всё работает:" }).waitFor();
    site.answer(() => ({ body: { resultCode: 0 } }));
    await page.getByRole("heading", { name: "Всё работает" }).waitFor({ timeout: 60_000 });
    await page.getByText("да Сайт site: отвечает, список касс принял").waitFor();
    await page.getByRole("link", { name: "На страницу оператора" }).click();
    await page.locator(".light").waitFor();
    await page.getByRole("link", { name: "Настройка" }).waitFor();
    // For the daemon a connected register is no emulator, so the page has no band.
    expect(await page.getByRole("note").count()).toBe(0);
    expect(world.daemon.output()).toContain(" started sites=1");
    // The browser's connection may be refused while one server ends and the next begins.
    expect(errors.filter((error) => !/status of 40[01]|ERR_CONNECTION_REFUSED/.test(error))).toEqual([]);
    world.daemon.stop();
    await world.daemon.ended;
    await emulator.close();
  });
});
