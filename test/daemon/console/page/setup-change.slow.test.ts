/** The set-up page changes a config and starts the daemon again. The daemon and the browser are real. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmulator } from "@fiscald/emulators/open-emulator.js";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { hasBrowser, launchBrowser, seriousFindings } from "../../../support/browser.js";
import { type StartedCommand, startCommand } from "../../../support/command-line.js";
import { freePort } from "../../../support/free-port.js";
import { startTestSite, type TestSite } from "../../../support/test-site.js";
import { waitFor } from "../../../support/wait-for.js";

interface World {
  readonly folder: string;
  readonly configPath: string;
  readonly daemon: StartedCommand;
  readonly address: string;
  readonly control: string;
}

let world: World;
let site: TestSite;
beforeEach(async () => {
  site = await startTestSite();
  const folder = mkdtempSync(join(tmpdir(), "fiscald-change-"));
  const [port, control] = [await freePort(), `127.0.0.1:${await freePort()}`];
  const config = {
    version: 1,
    sites: [
      {
        id: "shop",
        urls: { orders: site.url, result: site.url, sync: site.url },
        auth: { kind: "bearer", token: "old-token" },
      },
    ],
    registers: [{ id: "till", driver: "reference", connection: { kind: "emulator", control }, sites: ["shop"] }],
    console: { port, operatorTokenFile: "operator-token" },
    log: { language: "ru" },
  };
  const configPath = join(folder, "config.json");
  writeFileSync(configPath, JSON.stringify(config));
  const daemon = startCommand(folder, "run", { listPorts: async () => [] });
  await waitFor("the daemon has started", () => daemon.output().includes(" started"));
  world = { folder, configPath, daemon, control, address: `http://127.0.0.1:${port}` };
});
afterEach(async () => {
  world.daemon.stop();
  await world.daemon.ended;
  await site.close();
  rmSync(world.folder, { recursive: true });
});

function headersOf(tokenFile: string): Record<string, string> {
  const token = readFileSync(join(world.folder, tokenFile), "utf8").trim();
  return { authorization: `Bearer ${token}`, "content-type": "application/json" };
}

async function call(path: string, body?: object, tokenFile = "data/console-token") {
  const posted = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`${world.address}${path}`, { ...posted, headers: headersOf(tokenFile) });
  return { status: response.status, body: z.record(z.string(), z.unknown()).parse(await response.json()) };
}

test("the operator's role neither sees nor changes the setup", async () => {
  const refused = { status: 403, body: { error: { code: "daemon.not-allowed" } } };
  expect(await call("/api/setup", undefined, "operator-token")).toMatchObject(refused);
  for (const path of ["/api/setup/check", "/api/setup/apply", "/api/setup/search"]) {
    expect(await call(path, { version: "", values: {} }, "operator-token")).toMatchObject(refused);
  }
});

test("the setup says that the config can be written, and refuses to search for registers at an invalid host", async () => {
  expect((await call("/api/setup")).body).toMatchObject({ isWritable: true });
  expect(await call("/api/setup/search", { host: "no host" })).toMatchObject({ status: 400 });
});

test("the setup does not overwrite a config that was changed by hand meanwhile", async () => {
  const { body } = await call("/api/setup");
  const byHand = readFileSync(world.configPath, "utf8").replace('"till"', '"till-9"');
  writeFileSync(world.configPath, byHand);
  const values = { "registers[0].title": "Зал" };
  expect(await call("/api/setup/apply", { version: body["version"], values })).toMatchObject({
    status: 200,
    body: { isStale: true, changes: [] },
  });
  expect(readFileSync(world.configPath, "utf8")).toBe(byHand);
  expect(await call("/api/setup/apply", { version: "x", values: { "registers[0].title": 5 } })).toMatchObject({
    status: 400,
  });
});

test.each(["queued", "printing"])(
  "the setup says that an order is %s at a register before it removes the register",
  async (state) => {
    const pause = { effect: "pause", when: { command: "CLOSE" } };
    const headers = { "content-type": "application/json" };
    await fetch(`http://${world.control}/faults`, { method: "POST", headers, body: JSON.stringify(pause) });
    const taskTable = [
      { type: "OpenCheckSell" },
      { type: "Registration", data: "Чай", param: { price: 10, quantity: 1, tax: 2 } },
      { type: "Payment", param: { summ: 10, typeClose: 0 } },
      { type: "CloseCheck" },
    ];
    const orders: object[] = [{ orderId: "A-1", taskTable }];
    site.answer(async ({ json }) => {
      if (json?.["action"] !== "order") return { body: { resultCode: 0 } };
      if (state === "queued") await call("/api/registers/till/pause", {});
      return { body: orders.shift() ?? { resultCode: 0 } };
    });
    const isThere = async () => JSON.stringify((await call(`/api/jobs?state=${state}`)).body).includes('"A-1"');
    await waitFor("the order is there", isThere, { everyMs: 200 });
    const hall = { title: "Зал", driver: "reference", options: {}, group: "", taxSystem: "", login: {} };
    const add = [{ ...hall, connection: { kind: "tcp", host: "127.0.0.1" } }];
    const { version } = (await call("/api/setup")).body;
    const { body } = await call("/api/setup/check", { version, values: {}, add, remove: ["till"] });
    expect(body["findings"]).toMatchObject([
      { check: "register", about: "till", level: "warning", text: { ru: "Для этой кассы ещё ждут заказы: 1." } },
    ]);
  },
);

(hasBrowser ? describe : describe.skip)("the set-up page in a browser", () => {
  let browser: Browser;
  let page: Page;
  let errors: string[];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    errors = [];
    page = await browser.newPage({ viewport: { width: 1024, height: 768 } });
    page.on("pageerror", (error) => errors.push(error.message));
    const { body } = await call("/api/links", {});
    await page.goto(`${world.address}${String(body["path"])}`);
    await page.getByRole("link", { name: "Настройка" }).click();
    await page.getByRole("group", { name: "Касса till" }).waitFor();
  });
  afterEach(() => page.close());

  test("the set-up page shows a change of the config in words, and the daemon starts again with the change", async () => {
    const before = readFileSync(world.configPath, "utf8");
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel("Кассир, если заказ его не называет").fill("Кассир Петрова");
    await page.getByLabel("ИНН кассира").fill("500100732259");
    await page.getByLabel("Закрывать смену").fill("23:50");
    await page.getByLabel("Часовой пояс касс").selectOption({ label: "Омск (МСК+3)" });
    await page.getByLabel("Новый секрет").fill("new-token");
    await page.getByLabel("Система налогообложения").selectOption({ label: "УСН доход" });
    // Text that is typed while the answer is on its way is neither shown nor written.
    await page.route("**/api/setup/check", async (route) => {
      await page.getByLabel("Кассир, если заказ его не называет").fill("Кассир Иванова");
      await route.continue();
    });
    await page.getByRole("button", { name: "Показать изменения" }).click();
    await page.getByRole("heading", { name: "Что изменится" }).waitFor();
    expect(await page.locator(":focus").textContent()).toBe("Что изменится");
    expect(await page.getByRole("listitem").allInnerTexts()).toEqual([
      expect.stringMatching(/^Сайт shop, Новый секрет, который знает сайт: прежний → новый; сайт должен узнать его/),
      "Касса till, Кассир, если заказ его не называет: не задано → Кассир Петрова",
      "Касса till, ИНН кассира: не задано → 500100732259",
      "Касса till, Система налогообложения для заказов, где она не указана: не задано → УСН доход",
      "Касса till, Часовой пояс касс: Москва → Омск (МСК+3)",
      "Касса till, Закрывать смену в: не задано → 23:50",
    ]);
    expect(await seriousFindings(page)).toEqual([]);
    expect(readFileSync(world.configPath, "utf8")).toBe(before);
    await page.getByRole("button", { name: "Применить и запустить заново" }).click();
    await page.getByRole("heading", { name: "fiscald запущен с этими ответами." }).waitFor();
    const wanted =
      '"cashier": {"name":"Кассир Петрова", "inn": "500100732259"}, "taxSystem": "usn-income", "timeZone": "Asia/Omsk", "closeShiftAt": "23:50"';
    expect(JSON.parse(readFileSync(world.configPath, "utf8"))).toEqual(
      JSON.parse(
        before
          .replace('"old-token"', '{"fromFile":"shop-secret"}')
          .replace('"sites":["shop"]}', `"sites":["shop"], ${wanted}}`),
      ),
    );
    const output = world.daemon.output();
    expect(output.match(/ started/g)).toHaveLength(2);
    expect(output).toMatch(/the config was changed: starting again changes=6[\s\S]* stopped/);
    await waitFor("the site is asked with the new secret", () =>
      site.calls.some(({ headers }) => headers["authorization"] === "Bearer new-token"),
    );
    // The file from before the change is kept.
    expect(readFileSync(`${world.configPath}.old`, "utf8")).toBe(before);
    await page.getByText("да till: на связи").waitFor();
    await page.getByRole("link", { name: "На страницу оператора" }).click();
    await page.getByRole("heading", { name: "Касса till" }).or(page.getByText("till").first()).waitFor();
    expect(await page.getByRole("note").textContent()).toBe(
      "Эмулятор вместо кассы: till. Чеки ненастоящие, в налоговую ничего не уходит.",
    );
    expect(await seriousFindings(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("the set-up page tests a site's new address before it writes the config, and says what is wrong with the address", async () => {
    const before = readFileSync(world.configPath, "utf8");
    const lists = () => site.calls.filter(({ text }) => text.includes('"sync"') && text.includes('"kkm"'));
    await waitFor("the site has the registers", () => lists().length > 0);
    const listed = lists().length;
    site.answer(() => ({ status: 404 }));
    await page.getByLabel("Адрес обработчика на сайте").fill(`${site.url}/other`);
    await page.getByRole("button", { name: "Показать изменения" }).click();
    await page.getByText("плохо Такой страницы на сайте нет (404).").waitFor();
    // The test of the address may have emptied the list of a site that is in use.
    await waitFor("the site is sent its registers after the trial", () => lists().length > listed);
    await page.getByRole("button", { name: "Назад" }).press("Enter");
    await page.locator("button:focus", { hasText: "Показать изменения" }).waitFor();
    site.answer(({ headers }) => ({
      status: headers["authorization"] === "Bearer old-token" ? 200 : 401,
      body: { resultCode: 0 },
    }));
    await page.getByRole("button", { name: "Показать изменения" }).click();
    await page.getByText("в порядке Сайт отвечает по протоколу, секрет принят.").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(readFileSync(world.configPath, "utf8")).toBe(before);
    expect(errors).toEqual([]);
  });

  test("when the daemon cannot start with a changed config, it starts with the former config and the set-up page says why", async () => {
    const before = readFileSync(world.configPath, "utf8");
    const path = "sites[0].urls.orders";
    const urlChange = { path, kind: "url", section: "shop", old: site.url, new: "https://203.0.113.5/fiscal" };
    // The register is emulated, and the new address may belong to a real shop.
    await page.getByLabel("Адрес обработчика на сайте").fill("https://203.0.113.5/fiscal");
    // This address does not answer, so the test does not wait for it.
    await page.route("**/api/setup/check", async (route) => {
      await route.fulfill({ json: { isStale: false, problems: [], changes: [urlChange], findings: [] } });
    });
    await page.getByRole("button", { name: "Показать изменения" }).click();
    await page.getByRole("button", { name: "Применить и запустить заново" }).click();
    await page.getByRole("heading", { name: "С новыми ответами fiscald не запустился" }).waitFor();
    await page.getByText("касса — эмулятор, а сайт shop (203.0.113.5)").waitFor();
    expect(readFileSync(world.configPath, "utf8")).toBe(before);
    const output = world.daemon.output();
    expect(output.match(/ started/g)).toHaveLength(2);
    expect(output).toContain("the changed config could not start: the former one is back");
    await page.goto(`${world.address}/setup.html`);
    await page.getByText("С новыми ответами fiscald не запустился").waitFor();
    await page.getByRole("link", { name: "Проверить, что всё работает" }).click();
    await page.getByText("да till: на связи").waitFor();
    expect(errors.filter((error) => !/ERR_CONNECTION_REFUSED/.test(error))).toEqual([]);
  });

  test("the set-up page refuses the operator's role in Russian", async () => {
    const other = await browser.newPage();
    const { body } = await call("/api/links", {}, "operator-token");
    await other.goto(`${world.address}${String(body["path"])}`);
    await other.goto(`${world.address}/setup.html`);
    const said = other.locator("main p", { hasText: "не разрешено роли оператора" });
    await said.waitFor();
    expect(await said.textContent()).not.toMatch(/The operator|may not/);
    await other.close();
  });

  test("the set-up page adds a register, on which the daemon prints, and removes another register", async () => {
    const emulator = await openEmulator({ maker: "shtrih", listen: "tcp:127.0.0.1:0" });
    await page.getByRole("button", { name: "Добавить вручную" }).click();
    const fresh = page.getByRole("group", { name: /^Касса (1|у входа)$/ });
    await fresh.getByLabel("Подключение").selectOption("tcp");
    await fresh.getByLabel("Производитель кассы").selectOption({ label: "Штрих-М" });
    await fresh.getByLabel("Адрес", { exact: true }).fill("127.0.0.1");
    await fresh.getByLabel("Порт TCP").fill((emulator.listening ?? "").split(":").at(-1) ?? "");
    // The name is typed during a search.
    await page.route("**/api/setup/search", async (route) => {
      await fresh.getByLabel("Название для людей").fill("Касса у входа");
      await route.fulfill({ json: { found: [], notThere: [], advice: [] } });
    });
    await page.getByRole("button", { name: "Найти кассы" }).click();
    await page.getByText("Касса не найдена.").waitFor();
    await page.getByRole("group", { name: "Касса till" }).getByRole("button", { name: "Убрать" }).click();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Показать изменения" }).click();
    await page.getByRole("heading", { name: "Что изменится" }).waitFor();
    expect(await page.getByRole("listitem").allInnerTexts()).toEqual([
      "Убирается касса «till».",
      "Добавляется касса «Касса у входа».",
    ]);
    await page.getByRole("button", { name: "Применить и запустить заново" }).click();
    await page.getByRole("heading", { name: "fiscald запущен с этими ответами." }).waitFor();
    const { registers } = JSON.parse(readFileSync(world.configPath, "utf8"));
    expect(registers).toMatchObject([{ id: "till-2", title: "Касса у входа", sites: ["shop"] }]);
    await page.getByRole("link", { name: "На страницу оператора" }).click();
    await page.getByText("Касса у входа").first().waitFor();
    expect(errors).toEqual([]);
    world.daemon.stop();
    await world.daemon.ended;
    await emulator.close();
  });

  test("the set-up page shows a wrong value at its question and writes nothing", async () => {
    const before = readFileSync(world.configPath, "utf8");
    await page.getByLabel("ИНН кассира").fill("12");
    await page.getByRole("button", { name: "Показать изменения" }).click();
    await page.getByText("Так настройки будут с ошибкой").waitFor();
    expect(await page.getByRole("listitem").allInnerTexts()).toEqual([
      "Касса till, Кассир, если заказ его не называет: знаков должно быть не меньше 1",
      "Касса till, ИНН кассира: нужны 12 цифр",
    ]);
    expect(readFileSync(world.configPath, "utf8")).toBe(before);
    await page.getByLabel("ИНН кассира").fill("500100732258");
    await page.getByText("Контрольные цифры ИНН 500100732258 не сходятся").waitFor();
    await page.getByLabel("ИНН кассира").fill("");
    await page.getByRole("button", { name: "Показать изменения" }).click();
    await page.getByText("Ничего не изменено.").waitFor();
    expect(errors).toEqual([]);
  });
});
